"""The six terrains and the starting tile, painted square by square with the project's own motifs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine import Terrain

from ..config import CastleColour
from ..props import PLAYER
from ..texture import Colour, Picture, jitter
from . import buildings, things
from .brush import INK, Brush, blob, lighter, oval_points, scattered

# Room kept free for crowns along the lower edge, and for a building in the middle: circles (x, y, radius).
_CROWN_ROOM = ((0.17, 0.83, 0.17), (0.455, 0.83, 0.17), (0.74, 0.83, 0.17))
_BUILDING = (0.52, 0.42, 0.30)


def _kept_free(crowns: int) -> list[tuple[float, float, float]]:
    return [*_CROWN_ROOM[:crowns], _BUILDING] if crowns else []


def wheat(brush: Brush, rng: np.random.Generator, crowns: int) -> None:
    """Golden rows of ears under birds; a granary where there is a crown."""
    brush.ground(rng, (28, 164, 214), (62, 206, 246), 5, 0.45)
    lean = rng.uniform(-0.12, 0.12)
    rows = int(rng.integers(9, 12))
    phase = rng.uniform(0, 2 * np.pi)
    for row in range(rows + 1):
        y = (row + 0.5) / rows
        xs = np.linspace(-0.02, 1.02, 40)
        ys = y + lean * (xs - 0.5) + 0.012 * np.sin(6 * xs + phase)
        brush.line(np.stack([xs, ys + 0.022], 1), (30, 138, 190), 0.012)
        for x, v in zip(xs[::1] + rng.normal(0, 0.006, 40), ys, strict=True):
            tall = rng.uniform(0.035, 0.055)
            ear = jitter(rng, (72, 206, 246), 14)
            brush.line([(x, v + 0.015), (x + 0.3 * tall, v - 0.7 * tall)], (36, 150, 204), 0.004)
            brush.oval(float(x + 0.3 * tall), float(v - tall), 0.007, 0.017, ear, 15.0)
    if crowns:
        buildings.granary(brush)
    else:
        extra = rng.integers(3)
        if extra == 0:
            for x, y in scattered(rng, 2, 0.3, 0.2):
                things.bale(brush, x, y, 0.16)
        elif extra == 1:
            for x, y in scattered(rng, 7, 0.1, 0.08):
                brush.oval(x, y, 0.016, 0.013, (50, 50, 225))
                brush.oval(x, y, 0.006, 0.006, (30, 30, 50))
    for x, y in scattered(rng, int(rng.integers(1, 4)), 0.2, 0.15, _kept_free(crowns)):
        things.bird(brush, x, y, 0.06)


def forest(brush: Brush, rng: np.random.Generator, crowns: int) -> None:
    """Firs and oaks, crowded; a watchtower where there is a crown."""
    brush.ground(rng, (30, 66, 34), (50, 98, 54), 7, 0.6)
    for x, y in scattered(rng, 26, 0.07):
        things.tuft(brush, rng, x, y, 0.03, (58, 118, 68))
    free = [(0.5, 0.38, 0.22)] if crowns else []
    firs = rng.uniform(0.25, 0.8)
    places = scattered(rng, 34, 0.13, -0.02, [*_CROWN_ROOM[:crowns], *free])
    stood = False
    for x, y in places:
        if crowns and not stood and y > 0.62:
            buildings.watchtower(brush)
            stood = True
        size = rng.uniform(0.15, 0.21)
        (things.fir if rng.random() < firs else things.oak)(brush, rng, x, y + 0.08, size)
    if crowns and not stood:
        buildings.watchtower(brush)


def lake(brush: Brush, rng: np.random.Generator, crowns: int) -> None:
    """Blue water with waves, fish and now and then a boat; a lighthouse where there is a crown."""
    brush.ground(rng, (176, 96, 24), (224, 150, 52), 3, 0.5, 1.6)
    for x, y in scattered(rng, 24, 0.13, 0.03, _kept_free(crowns)):
        width = rng.uniform(0.04, 0.075)
        xs = np.linspace(-1, 1, 13)
        wave = np.stack([x + width * xs, y - 0.012 * np.abs(np.sin(np.pi * xs))], 1)
        brush.line(wave, (244, 206, 136), 0.008)
        brush.line(wave + (0.012, 0.02), (236, 178, 92), 0.006)
    if crowns:
        buildings.lighthouse(brush, rng)
    elif rng.random() < 0.3:
        things.boat(brush, float(rng.uniform(0.35, 0.65)), float(rng.uniform(0.45, 0.65)), 0.3)
    else:
        for x, y in scattered(rng, int(rng.integers(1, 4)), 0.25, 0.16):
            things.fish(brush, rng, x, y, 0.13)
        for x, y in scattered(rng, int(rng.integers(0, 3)), 0.2, 0.12):
            brush.oval(x, y, 0.05, 0.035, (84, 160, 70), 20.0, (60, 110, 40), 0.005)


def grassland(brush: Brush, rng: np.random.Generator, crowns: int) -> None:
    """A meadow with flowers and sheep; tents where there are crowns."""
    brush.ground(rng, (58, 186, 124), (86, 222, 166), 5, 0.5)
    for x, y in scattered(rng, 40, 0.08, 0.03):
        things.tuft(brush, rng, x, y, 0.04, (48, 160, 96))
    free = _kept_free(crowns)
    for x, y in scattered(rng, int(rng.integers(9, 17)), 0.1, 0.06, free):
        things.flower(brush, rng, x, y, 0.04)
    if crowns == 1:
        buildings.tent(brush, 0.5, 0.60, 0.4, (80, 80, 220))
    elif crowns:
        buildings.tent(brush, 0.34, 0.52, 0.32, (200, 120, 60))
        buildings.tent(brush, 0.66, 0.62, 0.38, (80, 80, 220))
    room = [*free, (0.34, 0.45, 0.3), (0.66, 0.5, 0.32)] if crowns == 2 else free
    for x, y in scattered(rng, int(rng.integers(1, 5)), 0.22, 0.14, room):
        things.sheep(brush, rng, x, y, 0.15)


def swamp(brush: Brush, rng: np.random.Generator, crowns: int) -> None:
    """Brown mud, murky pools, cattails; a house on stilts where there are crowns."""
    brush.ground(rng, (84, 118, 146), (124, 158, 180), 5, 0.6)
    for x, y in scattered(rng, 5, 0.26, 0.08):
        rx = rng.uniform(0.10, 0.18)
        brush.fill(blob(rng, x, y, rx, 0.5 * rx, 0.15), (88, 100, 84), (64, 88, 108), 0.014)
        brush.fill(blob(rng, x - 0.1 * rx, y - 0.05 * rx, 0.6 * rx, 0.22 * rx, 0.15), (118, 132, 112))
        for dx in rng.uniform(-0.6, 0.6, 3) * rx:
            brush.oval(float(x + dx), float(y + rng.normal(0, 0.1) * rx), 0.018, 0.012, (82, 140, 98))
    free = _kept_free(crowns)
    if crowns == 1:
        buildings.stilt_house(brush, 0.52, 0.64, 0.40)
    elif crowns:
        buildings.stilt_house(brush, 0.30, 0.52, 0.34)
        buildings.stilt_house(brush, 0.68, 0.64, 0.38)
    elif rng.random() < 0.5:
        _stump(brush, float(rng.uniform(0.3, 0.7)), float(rng.uniform(0.4, 0.65)))
    for x, y in scattered(rng, 9 if not crowns else 7, 0.17, 0.1, free):
        things.reed(brush, rng, x, y + 0.06, 0.15)


def _stump(brush: Brush, x: float, y: float) -> None:
    brush.shadow(x + 0.03, y + 0.06, 0.13, 0.05, 0.4)
    brush.fill(
        [(x - 0.1, y + 0.07), (x - 0.06, y - 0.08), (x + 0.06, y - 0.08), (x + 0.11, y + 0.07)],
        (60, 80, 104),
        INK,
        0.006,
    )
    brush.oval(x, y - 0.08, 0.06, 0.025, (120, 156, 184), 0.0, INK, 0.005)
    brush.line([(x + 0.05, y - 0.05), (x + 0.13, y - 0.13), (x + 0.16, y - 0.12)], (54, 72, 94), 0.014)


def mine(brush: Brush, rng: np.random.Generator, crowns: int) -> None:
    """Dark rock with gold and crystals; portals and a cart where there are crowns."""
    brush.ground(rng, (32, 28, 28), (66, 60, 60), 8, 0.6)
    for _ in range(9):
        x, y = rng.uniform(0, 1, 2)
        crack = np.cumsum(np.vstack([[x, y], rng.normal(0, 0.06, (4, 2))]), axis=0)
        brush.line(crack, (22, 18, 18), 0.007)
    free = _kept_free(crowns)
    for x, y in scattered(rng, 9 if not crowns else 5, 0.18, 0.08, free):
        things.rock(brush, rng, x, y, float(rng.uniform(0.07, 0.12)), jitter(rng, (88, 84, 84), 9))
    if crowns == 3:
        buildings.portal(brush, rng, 0.30, 0.50, 0.26)
        buildings.portal(brush, rng, 0.72, 0.50, 0.26)
        buildings.cart(brush, rng, 0.51, 0.62, 0.22)
    elif crowns == 2:
        buildings.portal(brush, rng, 0.36, 0.54, 0.32)
        buildings.cart(brush, rng, 0.74, 0.60, 0.24)
    elif crowns:
        buildings.portal(brush, rng, 0.52, 0.60, 0.38)
    for x, y in scattered(rng, 7 if not crowns else 5, 0.13, 0.07, free):
        things.nugget(brush, rng, x, y, float(rng.uniform(0.025, 0.04)))
    for x, y in scattered(rng, 2, 0.25, 0.1, free):
        things.gem(brush, rng, x, y, 0.07)


Painter = Callable[[Brush, np.random.Generator, int], None]
PAINTERS: dict[Terrain, Painter] = {
    Terrain.WHEAT: wheat,
    Terrain.FOREST: forest,
    Terrain.LAKE: lake,
    Terrain.GRASSLAND: grassland,
    Terrain.SWAMP: swamp,
    Terrain.MINE: mine,
}


def paint(terrain: Terrain, crowns: int, side: int, rng: np.random.Generator) -> Picture:
    """One square, (side, side, 3)."""
    brush = Brush(side)
    PAINTERS[terrain](brush, rng, crowns)
    things.crowns(brush, crowns)
    brush.glow(rng, 0.07)
    return brush.picture


def paint_castle(colour: CastleColour, side: int, rng: np.random.Generator) -> Picture:
    """The starting tile: a paved courtyard with a tower's sign in the player's colour."""
    brush = Brush(side)
    brush.ground(rng, (96, 104, 112), (120, 128, 134), 8, 0.5)
    paint_: Colour = PLAYER[colour]
    rows = 9
    for row in range(rows):
        for column in range(-1, rows):
            x, y = (column + 0.5 * (row % 2) + 0.5) / (rows - 1), (row + 0.5) / rows
            near = np.hypot(x - 0.5, y - 0.5)
            ring = 0.33 < near < 0.43
            base: Colour = lighter(paint_, 0.95) if ring else (150, 160, 168)
            stone = jitter(rng, base, 10)
            brush.fill(blob(rng, x, y, 0.052, 0.046, 0.08, 9), stone, lighter(stone, 0.6), 0.005)
    brush.oval(0.5, 0.5, 0.30, 0.30, lighter(paint_, 0.8), 0.0, INK, 0.01)
    brush.oval(0.5, 0.5, 0.265, 0.265, lighter(paint_, 1.15))
    brush.fill(oval_points(0.5, 0.5, 0.24, 0.24), (206, 220, 228))
    tower = [
        (0.37, 0.66),
        (0.40, 0.46),
        (0.36, 0.46),
        (0.36, 0.34),
        (0.42, 0.34),
        (0.42, 0.39),
        (0.47, 0.39),
        (0.47, 0.34),
        (0.53, 0.34),
        (0.53, 0.39),
        (0.58, 0.39),
        (0.58, 0.34),
        (0.64, 0.34),
        (0.64, 0.46),
        (0.60, 0.46),
        (0.63, 0.66),
    ]
    brush.fill(tower, lighter(paint_, 0.7), INK, 0.008)
    brush.fill(
        [(0.46, 0.66), (0.46, 0.56), *oval_points(0.5, 0.56, 0.04, 0.04, 180, 14)[:8], (0.54, 0.66)], (40, 44, 54)
    )
    for x in (0.04, 0.96):
        for y in (0.04, 0.96):
            brush.oval(x, y, 0.075, 0.075, lighter(paint_, 0.9), 0.0, INK, 0.008)
    brush.glow(rng, 0.06)
    return brush.picture
