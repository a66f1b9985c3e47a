"""Things that stand on the land: trees, sheep, flowers, boats, crowns. Each is painted at a place."""

from __future__ import annotations

import numpy as np

from ..texture import Colour, jitter
from .brush import INK, Brush, blob, lighter

WOOD: Colour = (62, 96, 138)
STRAW: Colour = (96, 190, 226)
_GOLD: Colour = (60, 196, 250)


def fir(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float) -> None:
    """A fir of three tiers, its foot at (x, y)."""
    green = jitter(rng, (58, 112, 40), 9)
    brush.shadow(x + 0.25 * size, y, 0.5 * size, 0.16 * size, 0.5)
    brush.fill(
        [
            (x - 0.06 * size, y),
            (x + 0.06 * size, y),
            (x + 0.06 * size, y - 0.3 * size),
            (x - 0.06 * size, y - 0.3 * size),
        ],
        (38, 62, 92),
    )
    for tier, (half, low, high) in enumerate(((0.42, 0.15, 0.75), (0.34, 0.5, 1.05), (0.24, 0.82, 1.35))):
        tint = lighter(green, 0.85 + 0.17 * tier)
        base = [
            (x + half * size * t, y - low * size + 0.05 * size * ((i % 2) * 2 - 1))
            for i, t in enumerate(np.linspace(-1, 1, 7))
        ]
        brush.fill([*base, (x, y - high * size)], tint, lighter(green, 0.5), 0.005)
        brush.fill([base[0], base[2], (x, y - high * size)], lighter(tint, 1.28))


def oak(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float) -> None:
    """A leafy tree, its foot at (x, y)."""
    green = jitter(rng, (60, 138, 74), 12)
    brush.shadow(x + 0.2 * size, y, 0.5 * size, 0.2 * size, 0.5)
    brush.fill(
        [
            (x - 0.07 * size, y),
            (x + 0.07 * size, y),
            (x + 0.05 * size, y - 0.4 * size),
            (x - 0.05 * size, y - 0.4 * size),
        ],
        (44, 70, 100),
        (28, 42, 62),
        0.004,
    )
    top = y - 0.68 * size
    brush.fill(blob(rng, x, top, 0.46 * size, 0.42 * size, 0.12), lighter(green, 0.72), lighter(green, 0.42), 0.006)
    brush.fill(blob(rng, x - 0.05 * size, top - 0.06 * size, 0.36 * size, 0.31 * size, 0.12), green)
    brush.fill(blob(rng, x - 0.11 * size, top - 0.13 * size, 0.2 * size, 0.16 * size, 0.15), lighter(green, 1.28))
    for dx, dy in rng.uniform(-0.28, 0.28, (5, 2)) * size:
        brush.oval(x + dx, top + dy, 0.035 * size, 0.025 * size, lighter(green, 1.4))


def sheep(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float) -> None:
    """A sheep, grazing left or right."""
    way = float(rng.choice((-1, 1)))
    brush.shadow(x, y + 0.3 * size, 0.5 * size, 0.18 * size, 0.35)
    for dx in (-0.25, -0.1, 0.12, 0.26):
        brush.line([(x + dx * size, y + 0.1 * size), (x + dx * size, y + 0.38 * size)], (40, 40, 46), 0.008)
    for dx, dy in ((-0.25, 0.05), (0.25, 0.05), (0.0, 0.12), (-0.12, -0.12), (0.14, -0.12), (0.0, 0.0)):
        brush.oval(x + dx * size, y + dy * size, 0.2 * size, 0.18 * size, (214, 224, 230))
    for dx, dy in ((-0.18, -0.05), (0.1, -0.1), (-0.02, -0.14)):
        brush.oval(x + dx * size, y + dy * size, 0.14 * size, 0.12 * size, (240, 246, 248))
    brush.oval(x + way * 0.44 * size, y - 0.02 * size, 0.13 * size, 0.16 * size, (48, 48, 54), way * 25)
    brush.oval(x + way * 0.33 * size, y - 0.13 * size, 0.08 * size, 0.04 * size, (48, 48, 54), -way * 30)


def flower(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float) -> None:
    """A flower of five petals."""
    petals: tuple[Colour, ...] = ((245, 245, 250), (90, 90, 235), (70, 215, 250), (225, 150, 220), (240, 190, 120))
    colour = petals[rng.integers(len(petals))]
    brush.line([(x, y), (x + 0.1 * size, y + 0.9 * size)], (50, 140, 60), 0.005)
    spin = rng.uniform(0, 72)
    for k in range(5):
        a = np.radians(spin + 72 * k)
        brush.oval(
            x + 0.32 * size * np.cos(a),
            y + 0.32 * size * np.sin(a),
            0.26 * size,
            0.2 * size,
            colour,
            float(np.degrees(a)),
        )
    brush.oval(x, y, 0.17 * size, 0.17 * size, (60, 200, 245) if colour[0] > 100 else (50, 60, 120))


def tuft(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float, colour: Colour) -> None:
    """A few blades of grass."""
    for lean in (-0.5, -0.2, 0.1, 0.45):
        tip = (x + (lean + rng.normal(0, 0.1)) * size, y - rng.uniform(0.6, 1.0) * size)
        brush.fill([(x - 0.08 * size, y), (x + 0.08 * size, y), tip], colour)


def reed(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float) -> None:
    """Cattails and long leaves, the foot at (x, y)."""
    for lean in rng.uniform(-0.35, 0.35, 4):
        tip = (x + 1.2 * lean * size, y - rng.uniform(0.6, 1.0) * size)
        brush.fill(
            [(x - 0.03 * size + 0.2 * lean * size, y), (x + 0.03 * size + 0.2 * lean * size, y), tip],
            jitter(rng, (56, 118, 98), 10),
        )
    for lean in rng.uniform(-0.25, 0.25, 2):
        tip = (x + lean * size, y - rng.uniform(0.8, 1.1) * size)
        brush.line([(x, y), tip], (60, 110, 100), 0.007)
        brush.oval(tip[0], tip[1], 0.055 * size, 0.16 * size, (32, 56, 92), float(40 * lean), (20, 34, 58), 0.004)


def fish(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float) -> None:
    """A fish under the surface."""
    way = float(rng.choice((-1, 1)))
    colour: Colour = ((70, 150, 240), (200, 190, 120), (110, 120, 235))[rng.integers(3)]
    brush.fill(
        [
            (x - way * 0.35 * size, y),
            (x - way * 0.75 * size, y - 0.25 * size),
            (x - way * 0.65 * size, y + 0.25 * size),
        ],
        lighter(colour, 0.85),
    )
    brush.oval(x, y, 0.45 * size, 0.22 * size, colour, 0.0, lighter(colour, 0.6), 0.005)
    brush.oval(x + way * 0.05 * size, y + 0.08 * size, 0.3 * size, 0.1 * size, lighter(colour, 1.2))
    brush.oval(x + way * 0.27 * size, y - 0.05 * size, 0.045 * size, 0.045 * size, INK)


def boat(brush: Brush, x: float, y: float, size: float) -> None:
    """A sailing boat."""
    brush.shadow(x, y + 0.22 * size, 0.6 * size, 0.14 * size, 0.35)
    brush.fill(
        [
            (x - 0.5 * size, y),
            (x + 0.5 * size, y),
            (x + 0.32 * size, y + 0.25 * size),
            (x - 0.32 * size, y + 0.25 * size),
        ],
        WOOD,
        INK,
        0.006,
    )
    brush.line([(x, y), (x, y - 0.95 * size)], (50, 74, 104), 0.012)
    brush.fill(
        [(x + 0.04 * size, y - 0.9 * size), (x + 0.48 * size, y - 0.12 * size), (x + 0.04 * size, y - 0.12 * size)],
        (232, 240, 244),
        INK,
        0.005,
    )
    brush.fill(
        [(x - 0.04 * size, y - 0.8 * size), (x - 0.36 * size, y - 0.12 * size), (x - 0.04 * size, y - 0.12 * size)],
        (90, 100, 225),
        INK,
        0.005,
    )


def bird(brush: Brush, x: float, y: float, size: float) -> None:
    """A bird in flight."""
    for way in (-1, 1):
        brush.line(
            [(x, y), (x + way * 0.3 * size, y - 0.25 * size), (x + way * 0.7 * size, y - 0.05 * size)],
            (44, 48, 60),
            0.009,
        )


def rock(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float, colour: Colour) -> None:
    """A boulder of three facets."""
    brush.shadow(x + 0.1 * size, y + 0.3 * size, 0.75 * size, 0.3 * size, 0.5)
    edge = [
        (x + size * a, y + size * b)
        for a, b in ((-0.62, 0.35), (-0.5, -0.12), (-0.12, -0.5), (0.3, -0.42), (0.6, 0.05), (0.55, 0.38))
    ]
    edge = [(a + rng.normal(0, 0.05) * size, b + rng.normal(0, 0.05) * size) for a, b in edge]
    brush.fill(edge, colour, lighter(colour, 0.4), 0.007)
    mid = (x + 0.02 * size, y - 0.02 * size)
    brush.fill([edge[0], edge[1], edge[2], mid], lighter(colour, 1.22))
    brush.fill([edge[2], edge[3], mid], lighter(colour, 1.5))
    brush.fill([edge[4], edge[5], mid], lighter(colour, 0.7))


def nugget(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float) -> None:
    """A lump of gold that sparkles."""
    brush.fill(blob(rng, x, y, size, 0.75 * size, 0.2, 9), (30, 150, 220), (20, 70, 110), 0.005)
    brush.fill(blob(rng, x - 0.15 * size, y - 0.15 * size, 0.6 * size, 0.4 * size, 0.2, 8), _GOLD)
    star = 0.5 * size
    brush.line([(x - star, y - 0.3 * size), (x + star, y - 0.3 * size)], (215, 248, 255), 0.006)
    brush.line([(x, y - 0.3 * size - star), (x, y - 0.3 * size + star)], (215, 248, 255), 0.006)


def gem(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float) -> None:
    """A cluster of crystals."""
    colour: Colour = ((235, 150, 90), (200, 90, 190), (130, 210, 120))[rng.integers(3)]
    for lean in (-0.5, 0.45, 0.0):
        tip = (x + lean * size, y - (1.1 - abs(lean)) * size)
        brush.fill(
            [(x + (lean * 0.4 - 0.2) * size, y), (x + (lean * 0.4 + 0.2) * size, y), tip],
            colour,
            lighter(colour, 0.5),
            0.004,
        )
        brush.fill([(x + (lean * 0.4 - 0.2) * size, y), (x + lean * 0.4 * size, y), tip], lighter(colour, 1.35))


def bale(brush: Brush, x: float, y: float, size: float) -> None:
    """A round bale of straw."""
    brush.shadow(x + 0.15 * size, y + 0.3 * size, 0.65 * size, 0.25 * size, 0.4)
    brush.oval(x + 0.22 * size, y - 0.05 * size, 0.42 * size, 0.42 * size, (50, 140, 190), 0.0, (30, 80, 120), 0.006)
    brush.oval(x - 0.05 * size, y, 0.4 * size, 0.42 * size, STRAW, 0.0, (30, 90, 130), 0.006)
    spin = np.linspace(0.3, 4.6 * np.pi, 60)
    radius = 0.36 * size * spin / spin[-1]
    spiral = np.stack([x - 0.05 * size + radius * np.cos(spin), y + radius * np.sin(spin)], 1)
    brush.line(spiral, (46, 130, 176), 0.007)


def crown(brush: Brush, x: float, y: float, size: float) -> None:
    """A golden crown on a round red seal."""
    brush.shadow(x + 0.05 * size, y + 0.08 * size, 0.62 * size, 0.62 * size, 0.45)
    brush.oval(x, y, 0.56 * size, 0.56 * size, (236, 244, 248), 0.0, INK, 0.006)
    brush.oval(x, y, 0.49 * size, 0.49 * size, (52, 38, 168), 0.0, (30, 20, 96), 0.005)
    low, high = y + 0.24 * size, y - 0.27 * size
    shape = [
        (x - 0.30 * size, low),
        (x - 0.37 * size, y - 0.15 * size),
        (x - 0.17 * size, y + 0.03 * size),
        (x, high),
        (x + 0.17 * size, y + 0.03 * size),
        (x + 0.37 * size, y - 0.15 * size),
        (x + 0.30 * size, low),
    ]
    brush.fill(shape, _GOLD, (16, 70, 110), 0.006)
    brush.fill(
        [
            (x - 0.30 * size, low),
            (x - 0.31 * size, low - 0.12 * size),
            (x + 0.31 * size, low - 0.12 * size),
            (x + 0.30 * size, low),
        ],
        (40, 160, 226),
        (16, 70, 110),
        0.004,
    )
    for px, py in ((shape[1]), (shape[3]), (shape[5])):
        brush.oval(px, py, 0.06 * size, 0.06 * size, (150, 232, 255), 0.0, (16, 70, 110), 0.004)
    for px, ink in ((-0.16, (90, 190, 70)), (0.0, (60, 50, 220)), (0.16, (220, 150, 60))):
        brush.oval(x + px * size, low - 0.06 * size, 0.04 * size, 0.04 * size, ink)


def crowns(brush: Brush, count: int) -> None:
    """So many crowns in a row along the lower edge, from the left."""
    size = 0.25
    for i in range(count):
        crown(brush, 0.17 + i * 0.285, 0.835, size)
