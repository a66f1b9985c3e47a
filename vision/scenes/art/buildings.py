"""The buildings that stand where there are crowns: one kind for each terrain."""

from __future__ import annotations

import numpy as np

from ..texture import Colour, jitter
from .brush import INK, Brush, lighter, oval_points
from .things import STRAW, WOOD, nugget, rock

_PLASTER: Colour = (205, 226, 236)


def _house(brush: Brush, x: float, y: float, width: float, height: float, wall: Colour, roof: Colour) -> None:
    """A gabled house whose front stands on (x, y)."""
    half, ridge = width / 2, 0.55 * height
    brush.shadow(x + 0.3 * width, y, 0.8 * width, 0.22 * height, 0.45)
    right = [
        (x + half, y),
        (x + half + 0.45 * width, y - 0.16 * height),
        (x + half + 0.45 * width, y - 0.16 * height - 0.5 * height),
        (x + half, y - 0.55 * height),
    ]
    brush.fill(right, lighter(wall, 0.72), INK, 0.006)
    brush.fill(
        [(x - half, y), (x + half, y), (x + half, y - ridge), (x, y - height), (x - half, y - ridge)], wall, INK, 0.006
    )
    brush.fill(
        [
            (x - 0.03 * width, y - 1.06 * height),
            (x + 0.42 * width, y - 1.2 * height),
            (x + half + 0.52 * width, y - 0.62 * height),
            (x + half + 0.08 * width, y - 0.46 * height),
        ],
        roof,
        INK,
        0.007,
    )
    brush.line(
        [
            (x - half - 0.08 * width, y - 0.46 * height),
            (x - 0.02 * width, y - 1.06 * height),
            (x + half + 0.08 * width, y - 0.46 * height),
        ],
        lighter(roof, 0.75),
        0.02,
    )
    brush.fill(
        [
            (x - 0.13 * width, y),
            (x - 0.13 * width, y - 0.32 * height),
            (x + 0.13 * width, y - 0.32 * height),
            (x + 0.13 * width, y),
        ],
        (40, 62, 92),
        INK,
        0.004,
    )


def granary(brush: Brush) -> None:
    """A round granary with a straw cone beside a barn: the building of the wheat."""
    _house(brush, 0.40, 0.56, 0.26, 0.34, (96, 132, 190), (56, 72, 150))
    brush.shadow(0.78, 0.6, 0.2, 0.08, 0.45)
    brush.fill([(0.66, 0.58), (0.66, 0.30), (0.86, 0.30), (0.86, 0.58)], _PLASTER, INK, 0.006)
    brush.fill([(0.79, 0.58), (0.79, 0.30), (0.86, 0.30), (0.86, 0.58)], lighter(_PLASTER, 0.8))
    brush.fill([(0.62, 0.32), (0.76, 0.10), (0.90, 0.32)], STRAW, INK, 0.007)
    brush.fill([(0.76, 0.10), (0.80, 0.32), (0.90, 0.32)], lighter(STRAW, 0.8))
    brush.fill([(0.72, 0.58), (0.72, 0.46), (0.80, 0.46), (0.80, 0.58)], (46, 70, 104), INK, 0.004)


def watchtower(brush: Brush) -> None:
    """A wooden tower among the trees: the building of the forest."""
    brush.shadow(0.58, 0.62, 0.24, 0.09, 0.5)
    for left, right in ((0.36, 0.42), (0.64, 0.58)):
        brush.line([(left, 0.64), (right, 0.30)], lighter(WOOD, 0.8), 0.028)
    brush.line([(0.37, 0.58), (0.60, 0.42)], lighter(WOOD, 0.7), 0.018)
    brush.line([(0.63, 0.58), (0.40, 0.42)], lighter(WOOD, 0.7), 0.018)
    brush.fill([(0.33, 0.40), (0.33, 0.22), (0.67, 0.22), (0.67, 0.40)], (86, 130, 176), INK, 0.007)
    for x in (0.40, 0.47, 0.54, 0.61):
        brush.line([(x, 0.23), (x, 0.39)], lighter(WOOD, 0.8), 0.006)
    brush.fill([(0.44, 0.36), (0.44, 0.26), (0.56, 0.26), (0.56, 0.36)], (36, 46, 60), INK, 0.004)
    brush.fill([(0.27, 0.24), (0.50, 0.05), (0.73, 0.24)], (70, 84, 176), INK, 0.008)
    brush.fill([(0.50, 0.05), (0.55, 0.24), (0.73, 0.24)], (54, 62, 136))


def lighthouse(brush: Brush, rng: np.random.Generator) -> None:
    """A lighthouse on its rocks: the building of the lake."""
    for x, y, size in ((0.40, 0.60, 0.16), (0.66, 0.62, 0.14), (0.53, 0.64, 0.18)):
        rock(brush, rng, x, y, size, (120, 130, 138))
    brush.fill([(0.43, 0.60), (0.47, 0.24), (0.61, 0.24), (0.65, 0.60)], (236, 242, 246), INK, 0.007)
    brush.fill([(0.445, 0.48), (0.457, 0.37), (0.623, 0.37), (0.635, 0.48)], (60, 60, 205))
    brush.fill([(0.56, 0.60), (0.56, 0.24), (0.61, 0.24), (0.65, 0.60)], (170, 176, 196))
    brush.fill([(0.46, 0.25), (0.46, 0.16), (0.62, 0.16), (0.62, 0.25)], (130, 235, 255), INK, 0.006)
    brush.fill([(0.43, 0.17), (0.54, 0.05), (0.65, 0.17)], (60, 60, 205), INK, 0.007)


def tent(brush: Brush, x: float, y: float, size: float, colour: Colour) -> None:
    """A striped tent with a pennant: a building of the grassland."""
    brush.shadow(x + 0.1 * size, y, 0.7 * size, 0.2 * size, 0.4)
    top = (x, y - 0.95 * size)
    for i, t in enumerate(np.linspace(-0.55, 0.33, 5)):
        fill = colour if i % 2 else (232, 240, 244)
        brush.fill([(x + t * size, y), (x + (t + 0.22) * size, y), top], fill, INK, 0.005)
    brush.fill([(x - 0.1 * size, y), (x + 0.12 * size, y), (x + 0.01 * size, y - 0.5 * size)], (52, 58, 70))
    brush.line([top, (x, y - 1.25 * size)], INK, 0.01)
    brush.fill([(x, y - 1.25 * size), (x + 0.3 * size, y - 1.15 * size), (x, y - 1.05 * size)], (60, 190, 245))


def stilt_house(brush: Brush, x: float, y: float, size: float) -> None:
    """A hut on stilts with a light in its window: a building of the swamp."""
    brush.shadow(x, y, 0.6 * size, 0.2 * size, 0.5)
    for dx in (-0.32, -0.1, 0.12, 0.34):
        brush.line([(x + dx * size, y + 0.05 * size), (x + dx * 0.9 * size, y - 0.4 * size)], (38, 56, 78), 0.016)
    brush.fill(
        [
            (x - 0.42 * size, y - 0.32 * size),
            (x + 0.42 * size, y - 0.32 * size),
            (x + 0.36 * size, y - 0.78 * size),
            (x - 0.36 * size, y - 0.78 * size),
        ],
        (84, 108, 130),
        INK,
        0.006,
    )
    brush.fill(
        [
            (x - 0.56 * size, y - 0.68 * size),
            (x - 0.1 * size, y - 1.3 * size),
            (x + 0.14 * size, y - 1.25 * size),
            (x + 0.56 * size, y - 0.68 * size),
        ],
        (58, 104, 92),
        INK,
        0.007,
    )
    brush.fill(
        [
            (x + 0.02 * size, y - 1.26 * size),
            (x + 0.14 * size, y - 1.25 * size),
            (x + 0.56 * size, y - 0.68 * size),
            (x + 0.2 * size, y - 0.68 * size),
        ],
        (46, 80, 72),
    )
    brush.fill(oval_points(x - 0.1 * size, y - 0.54 * size, 0.1 * size, 0.12 * size), (90, 220, 252), INK, 0.005)
    brush.fill(
        [
            (x + 0.12 * size, y - 0.32 * size),
            (x + 0.12 * size, y - 0.62 * size),
            (x + 0.3 * size, y - 0.62 * size),
            (x + 0.3 * size, y - 0.32 * size),
        ],
        (34, 46, 60),
    )


def portal(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float) -> None:
    """A timbered way into the rock, with rails: the building of the mine."""
    stone = (104, 108, 116)
    for dx, dy, s in (
        (-0.55, -0.35, 0.42),
        (0.58, -0.38, 0.42),
        (-0.3, -0.85, 0.46),
        (0.32, -0.85, 0.44),
        (0, -1.05, 0.4),
    ):
        rock(brush, rng, x + dx * size, y + dy * size, s * size, jitter(rng, stone, 8))
    brush.fill(
        [
            (x - 0.34 * size, y),
            (x - 0.28 * size, y - 0.72 * size),
            (x + 0.28 * size, y - 0.72 * size),
            (x + 0.34 * size, y),
        ],
        (14, 14, 18),
    )
    brush.oval(x, y - 0.3 * size, 0.14 * size, 0.14 * size, (40, 110, 180))
    brush.oval(x, y - 0.3 * size, 0.06 * size, 0.06 * size, (130, 220, 255))
    for way in (-1, 1):
        brush.line([(x + way * 0.36 * size, y), (x + way * 0.29 * size, y - 0.74 * size)], (80, 132, 184), 0.03)
    brush.line([(x - 0.42 * size, y - 0.74 * size), (x + 0.42 * size, y - 0.74 * size)], (86, 140, 194), 0.036)


def cart(brush: Brush, rng: np.random.Generator, x: float, y: float, size: float) -> None:
    """A cart full of gold."""
    brush.shadow(x, y + 0.08 * size, 0.6 * size, 0.2 * size, 0.5)
    for dx in (-0.28, 0.0, 0.26):
        nugget(brush, rng, x + dx * size, y - 0.42 * size, 0.17 * size)
    brush.fill(
        [
            (x - 0.52 * size, y - 0.4 * size),
            (x + 0.52 * size, y - 0.4 * size),
            (x + 0.36 * size, y),
            (x - 0.36 * size, y),
        ],
        (70, 96, 128),
        INK,
        0.008,
    )
    brush.line([(x - 0.44 * size, y - 0.2 * size), (x + 0.44 * size, y - 0.2 * size)], (44, 60, 84), 0.012)
    for dx in (-0.24, 0.24):
        brush.oval(x + dx * size, y + 0.04 * size, 0.12 * size, 0.12 * size, (50, 52, 58), 0.0, INK, 0.005)
