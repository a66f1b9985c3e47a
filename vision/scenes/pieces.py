"""Tiles as they lie on the table: each in its place, a little off it. No drawing here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine import Square, Terrain

from .config import SceneConfig
from .layout import Spread, cut
from .texture import Array, Colour, jitter
from .truth import Cell

# The cut edges of the card, from dark to white, BGR.
_SIDES: tuple[Colour, ...] = ((38, 44, 52), (62, 62, 66), (120, 130, 138), (52, 70, 92), (70, 56, 44), (165, 170, 172))
# How much of the gap is taken from the tile; the rest is play, in which tiles are shifted.
_NARROWED = 0.7
# How far the print of a terrain differs from copy to copy of the game, in grey levels.
_TINT = 7.0


@dataclass(frozen=True)
class Piece:
    """A tile as it lies: what it shows and the affine map from (column, row) of its own box to the table."""

    cells: tuple[Cell, ...]
    shows: tuple[Square, ...]
    lie: Array

    def table_corners(self, part: int | None = None) -> Array:
        """The corners of the whole piece or of one of its squares, on the table, clockwise."""
        x0, x1 = (0, len(self.cells)) if part is None else (part, part + 1)
        box = np.array([[x0, 0, 1], [x1, 0, 1], [x1, 1, 1], [x0, 1, 1]], np.float64)
        return (box @ self.lie.T)[:, :2]


@dataclass(frozen=True)
class Manner:
    """How this scene's player lays tiles and what they are like: drawn once a scene."""

    gap: float
    crooked: float
    thickness: float
    side: Colour
    rim: float
    unevenness: float
    tints: dict[Terrain, Colour]

    @staticmethod
    def draw(config: SceneConfig, rng: np.random.Generator) -> Manner:
        """The dice decide what the config leaves open."""
        gap = float(rng.beta(1.2, 3.0)) * config.max_gap if config.gap is None else config.gap
        crooked = float(rng.beta(1.0, 5.0)) * config.max_crooked if config.crooked is None else config.crooked
        return Manner(
            gap=gap,
            crooked=crooked,
            thickness=rng.uniform(*config.thickness),
            side=jitter(rng, _SIDES[rng.integers(len(_SIDES))], 8),
            rim=rng.uniform(0.0, 0.45),
            unevenness=rng.uniform(0.1, 0.6),
            tints={terrain: _tint(rng, _TINT * config.harshness) for terrain in Terrain},
        )


def _tint(rng: np.random.Generator, spread: float) -> Colour:
    blue, green, red = (float(v) for v in rng.normal(0.0, spread, 3))
    return blue, green, red


def pieces_of(laid: Spread, manner: Manner, rng: np.random.Generator) -> list[Piece]:
    """The tiles of a kingdom, each a little off its place."""
    return [_piece(laid, cells, manner, rng) for cells in cut(laid.kingdom, rng)]


def _piece(laid: Spread, cells: tuple[Cell, ...], manner: Manner, rng: np.random.Generator) -> Piece:
    if len(cells) == 2 and rng.random() < 0.5:
        cells = (cells[1], cells[0])
    rows, columns = zip(*cells, strict=True)
    middle = np.array([np.mean(columns) + 0.5, np.mean(rows) + 0.5])
    if len(cells) == 2:
        turn = float(np.degrees(np.arctan2(rows[1] - rows[0], columns[1] - columns[0])))
    else:
        turn = 90.0 * rng.integers(4)
    # Now and then a tile was knocked; it never lies further off than the widest gap.
    careless = 2.0 if rng.random() < 0.06 else 1.0
    off = np.clip(rng.normal(0, 0.35 * manner.gap * careless, 2), -manner.gap, manner.gap)
    askew = rng.normal(0, manner.crooked * careless / len(cells))
    scale = 1 - _NARROWED * manner.gap
    shows = tuple(c for c in (laid.kingdom.cell(*cell) for cell in cells) if isinstance(c, Square))
    table_middle = laid.place([middle + off])[0]
    return Piece(cells, shows, lie(len(cells), turn + askew + laid.turn, table_middle, scale))


def lie(count: int, turn: float, middle: Array, scale: float) -> Array:
    """The map that centres a box of so many squares on the middle, turned; gaps narrow it by a length."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    # The gap is a length, so the long side shrinks by the same length as the short one.
    sx, sy = (count - (1 - scale)) / count, scale
    turned = np.array([[cos * sx, -sin * sy, middle[0]], [sin * sx, cos * sy, middle[1]], [0, 0, 1]])
    return turned @ np.array([[1, 0, -count / 2], [0, 1, -0.5], [0, 0, 1]])
