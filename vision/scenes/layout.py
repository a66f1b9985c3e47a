"""Where the tiles lie: a kingdom cut into dominoes, several kingdoms side by side on one table. No drawing here."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine import CASTLE, DOMINOES, Kingdom, Square

from .texture import Array
from .truth import Cell

# The search for dominoes gives up after so many steps; squares left over lie by themselves.
_PATIENCE = 4000
# Free table between two kingdoms, in squares.
_LANE = (0.5, 2.2)


@dataclass(frozen=True)
class Spread:
    """A kingdom on the table: its middle and its turn in degrees."""

    kingdom: Kingdom
    middle: tuple[float, float]
    turn: float

    def place(self, points: npt.ArrayLike) -> Array:
        """Points (n, 2) given as (column, row) of the kingdom, to the table."""
        p = np.asarray(points, np.float64) - np.array([self.kingdom.width, self.kingdom.height]) / 2
        cos, sin = np.cos(np.radians(self.turn)), np.sin(np.radians(self.turn))
        return p @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(self.middle)

    @property
    def corners(self) -> Array:
        """The corners of the box on the table, clockwise from row 0, column 0."""
        w, h = self.kingdom.width, self.kingdom.height
        return self.place([[0, 0], [w, 0], [w, h], [0, h]])


@functools.lru_cache(maxsize=1)
def _faces() -> dict[frozenset[Square], int]:
    return dict(Counter(frozenset((domino.a, domino.b)) for domino in DOMINOES))


def cut(kingdom: Kingdom, rng: np.random.Generator) -> tuple[tuple[Cell, ...], ...]:
    """The cells of each domino, castle and leftover squares alone.

    The dominoes are such as the box holds, each face at most as often as it is there. Several cuttings may exist;
    the dice choose. Where none exists, as in a kingdom made up by hand, the largest found is completed with
    single squares.
    """
    cells = {
        (r, c): cell
        for r in range(kingdom.height)
        for c in range(kingdom.width)
        if isinstance(cell := kingdom.cell(r, c), Square)
    }
    left = dict(_faces())
    free = set(cells)
    chosen: list[tuple[Cell, Cell]] = []
    best: list[tuple[Cell, Cell]] = []
    steps = 0
    order = {cell: int(i) for cell, i in zip(sorted(cells), rng.permutation(len(cells)), strict=True)}

    def partners(cell: Cell) -> list[Cell]:
        r, c = cell
        near = ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c))
        return [n for n in near if n in free and left.get(frozenset((cells[cell], cells[n])), 0) > 0]

    def search() -> bool:
        nonlocal best, steps
        if len(chosen) > len(best):
            best = list(chosen)
        if not free:
            return True
        steps += 1
        if steps > _PATIENCE:
            return False
        # The square with the fewest partners first: a square without any ends the branch at once.
        cell = min(free, key=lambda x: (len(partners(x)), order[x]))
        for other in sorted(partners(cell), key=order.__getitem__):
            face = frozenset((cells[cell], cells[other]))
            left[face] -= 1
            free.difference_update((cell, other))
            chosen.append((cell, other))
            if search():
                return True
            chosen.pop()
            free.update((cell, other))
            left[face] += 1
        return False

    search()
    paired = {cell for pair in best for cell in pair}
    single: list[tuple[Cell, ...]] = [(cell,) for cell in sorted(cells) if cell not in paired]
    castles: list[tuple[Cell, ...]] = [
        ((r, c),) for r in range(kingdom.height) for c in range(kingdom.width) if kingdom.cell(r, c) is CASTLE
    ]
    return (*castles, *sorted(best), *single)


def spread(kingdoms: list[Kingdom], rng: np.random.Generator) -> tuple[Spread, ...]:
    """Kingdoms laid in rows and columns as players sit, turned a little or by quarters, none touching another."""
    columns = 1 if len(kingdoms) == 1 else 2 if rng.random() < 0.75 or len(kingdoms) > 3 else len(kingdoms)
    if len(kingdoms) == 2 and rng.random() < 0.25:
        columns = 1
    lane = rng.uniform(*_LANE)
    reach = max((float(np.hypot(k.width, k.height)) for k in kingdoms), default=0.0)
    straight = max((max(k.width, k.height) for k in kingdoms), default=0)
    calm = rng.random() < 0.6
    step = (straight + 0.5 if calm else reach) + lane
    laid = []
    for i, kingdom in enumerate(kingdoms):
        turn = 90.0 * rng.integers(4) + (rng.normal(0.0, 2.0) if calm else rng.uniform(-30.0, 30.0))
        where = (i % columns * step, i // columns * step)
        laid.append(Spread(kingdom, where, float(turn) if len(kingdoms) > 1 else 0.0))
    return tuple(laid)
