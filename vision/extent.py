"""Which squares of a grid belong to a kingdom: what the networks say of each cell, and which cells are chosen.

The opinions on a cell are weighed by ``vision.coverage``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.lattice import Cell, Floats, neighbours
from vision.locator import MAPS, Maps

Plane = npt.NDArray[np.float32]


@dataclass(frozen=True)
class ExtentConfig:
    """How cells are judged. Evidence is in units of log-odds."""

    # The middle part of a cell that is asked, as a share of its side.
    core: float = 0.6
    # A look agrees with the grid fully where the cosine of four times the turn is above the second value,
    # not at all below the first; and less the more its step differs from one (spread of the logarithm).
    turn_agreement: tuple[float, float] = (0.2, 0.7)
    step_spread: float = 0.35
    # The log-odds of the mask, and those of the classifier, count no more than this.
    cap: float = 4.0
    class_cap: float = 8.0
    # The weights of the mask's log-odds, of the marks in the middle and at the corners, of the classifier's log-odds
    # and of how unlike the table a cell looks, and what is asked for on top, in a first judgement: a logistic
    # regression on cells of composed scenes.
    map_weight: float = 0.44
    middle_weight: float = 6.20
    corner_weight: float = -1.34
    class_weight: float = 0.25
    strange_weight: float = 4.38
    demand: float = 1.47
    # Added to each tile's probability before it is divided by the classifier's belief in a tile.
    grain: float = 1e-5
    # From these probabilities on a square counts as a castle.
    castle: float = 0.35
    # From here on it counts as a tile whatever the mask says.
    surely_castle: float = 0.6
    # How much of a castle's probability the maps tell; the classifier tells the rest.
    castle_share: float = 0.35
    # What lies this far from its place in a grid whose tiles usually lie nearer than the second number is a loose
    # domino; its log-odds are no higher than the third. Tiles of the real kingdoms lie no farther off than 0.11.
    loose: float = 0.2
    steady: float = 0.1
    loose_odds: float = -4.0
    # The castle and one domino.
    min_squares: int = 3
    # A group of this many squares is a kingdom even if no castle is seen on it. Loose dominoes are an even number of
    # squares; an odd number of at least so many, one of them perhaps a castle, is a kingdom too.
    surely_kingdom: int = 7
    fewest_odd: int = 5
    perhaps_castle: float = 0.1
    # With a square too many or too few for dominoes, a square this doubtful changes sides.
    doubtful: float = 4.0
    # No kingdom is larger than this.
    max_side: int = 7
    # A cell of which this share is visible at the photo's edge, and shows a tile, tells that the photo cuts it.
    cut_visible: float = 0.25
    cut_tile: float = 0.7


EXTENT = ExtentConfig()


@dataclass(frozen=True, eq=False)
class CellScores:
    """What the maps say of the cells of a window: arrays (rows, columns), the first cell at ``origin`` (x, y)."""

    origin: Cell
    tile: Floats
    # The same for the visible part of the whole cell, whichever way its grid runs.
    rim_tile: Floats
    castle: Floats
    visible: Floats
    # How clearly the middle is marked, and the four corners in the mean.
    middle: Floats
    corners: Floats
    # How unlike the table around the cell looks.
    strange: Floats
    # How far each square lies from its cell, in squares (rows, columns, 2).
    shift: Floats
    # How far what is marked in a cell lies from where the grid has it, in squares, and how far its own grid is turned
    # against this one, in degrees (0 to 45).
    astray: Floats
    turned: Floats

    @property
    def cells(self) -> list[Cell]:
        """All cells of the window, row by row."""
        rows, columns = self.tile.shape
        return [(self.origin[0] + x, self.origin[1] + y) for y in range(rows) for x in range(columns)]

    def at(self, plane: Floats, cell: Cell) -> float:
        """The value of one of these arrays at a cell of the grid; 0 beyond the window."""
        column, row = cell[0] - self.origin[0], cell[1] - self.origin[1]
        rows, columns = self.tile.shape
        return float(plane[row, column]) if 0 <= row < rows and 0 <= column < columns else 0.0


def agreement(maps: Maps, step: float) -> Plane:
    """How well the maps' grid agrees, cell by cell, with one along the axes with this step in input pixels."""
    product_re, product_im, log_step = maps.grid[2], maps.grid[3], maps.grid[4]
    # Steps along the axes have u²v² = -1.
    cosine = -product_re / np.maximum(np.hypot(product_re, product_im), 1e-6)
    low, high = EXTENT.turn_agreement
    turn = np.clip((cosine - low) / (high - low), 0, 1)
    ratio = (log_step - np.log(step / MAPS.unit_step)) / EXTENT.step_spread
    return np.asarray(turn * np.exp(-0.5 * ratio**2), np.float32)


def turn_against(product: npt.NDArray[np.complex128]) -> Floats:
    """How far grids with these means of u²v² are turned against the axes, in degrees (0 to 45)."""
    # Steps along the axes have u²v² = -1.
    return np.asarray(np.degrees(np.abs(np.angle(-product))) / 4)


def cell_means(plane: Plane, step: float, border: float, shape: tuple[int, int], core: float) -> Floats:
    """Means of a map over the middle parts of the cells of a grid along the axes that starts at the border."""
    rows, columns = shape
    means = np.zeros(shape)
    inset = (1 - core) / 2
    for row in range(rows):
        top, bottom = _span(border + (row + inset) * step, border + (row + 1 - inset) * step, plane.shape[0])
        for column in range(columns):
            left, right = _span(border + (column + inset) * step, border + (column + 1 - inset) * step, plane.shape[1])
            means[row, column] = plane[top:bottom, left:right].mean()
    return means


def _span(start: float, end: float, limit: int) -> tuple[int, int]:
    first = min(max(round(start / MAPS.stride), 0), limit - 1)
    return first, min(max(round(end / MAPS.stride), first + 1), limit)


def log_odds(probability: npt.ArrayLike, cap: float) -> Floats:
    """Log-odds, capped."""
    p = np.clip(np.asarray(probability, np.float64), 1e-6, 1 - 1e-6)
    return np.clip(np.log(p / (1 - p)), -cap, cap)


def opinions(scores: CellScores, cells: Sequence[Cell], bare: npt.ArrayLike) -> Floats:
    """What each source says about cells of the window (x, y): an array (cells, 5), one column for each weight.

    ``bare`` is how likely the classifier takes each cell for bare table.
    """
    x, y = np.asarray(cells, int).reshape(-1, 2).T
    return np.stack(
        [
            log_odds(scores.tile[y, x], EXTENT.cap),
            scores.middle[y, x],
            scores.corners[y, x],
            log_odds(1 - np.asarray(bare, np.float64), EXTENT.class_cap),
            scores.strange[y, x],
        ],
        axis=1,
    )


def first_odds(said: Floats) -> Floats:
    """A first judgement: the log-odds that cells are covered by tiles, from the opinions on each by itself."""
    weights = (
        EXTENT.map_weight,
        EXTENT.middle_weight,
        EXTENT.corner_weight,
        EXTENT.class_weight,
        EXTENT.strange_weight,
    )
    return np.asarray(said @ np.array(weights) - EXTENT.demand)


def without_loose(odds: Floats, astray: Floats) -> Floats:
    """The log-odds of tiles, low for loose dominoes that lie beside the kingdom, nearly in line with it."""
    tiles = astray[odds > 0]
    if not len(tiles) or np.percentile(tiles, 80) > EXTENT.steady:
        return odds
    return np.where(astray > EXTENT.loose, np.minimum(odds, EXTENT.loose_odds), odds)


def with_castles(odds: Floats, castle: Floats) -> Floats:
    """The log-odds of tiles, no lower than those of a castle where one is likely.

    A castle that stands on its tile hides it, so there the mask is often in doubt.
    """
    return np.where(castle >= EXTENT.surely_castle, np.maximum(odds, log_odds(castle, EXTENT.cap)), odds)


def weighed(read: Floats, odds: Floats, bare: int) -> Floats:
    """Class probabilities (n, classes) in which bare table, column ``bare``, is as likely as all opinions say.

    The classifier sees one square only; whether a tile lies there the maps, which see its surroundings, know better.
    """
    tile = np.delete(read, bare, axis=1)
    # Where the classifier is sure of bare table, what it would say otherwise is taken with a grain of salt.
    tile = (tile + EXTENT.grain) / (tile + EXTENT.grain).sum(axis=1, keepdims=True)
    covered = 1 / (1 + np.exp(-odds))
    return np.insert(tile * covered[:, None], bare, 1 - covered, axis=1)


def choose_cells(evidence: dict[Cell, float], castle: dict[Cell, float]) -> tuple[set[Cell], Cell | None]:
    """The cells of the kingdom, and its castle: the group of likely tiles around the likeliest castle.

    Empty when there is no castle on a group of tiles that might be loose dominoes.
    """
    likely = {cell for cell, odds in evidence.items() if odds > 0}
    if not likely:
        return set(), None
    best = max(likely, key=lambda cell: (castle[cell], cell))
    groups = connected(likely)
    if castle[best] >= EXTENT.castle:
        chosen = next(group for group in groups if best in group)
        seat: Cell | None = best
    else:
        chosen, seat = max(groups, key=len), None
        if len(chosen) < EXTENT.surely_kingdom and not (_odd(chosen) and castle[best] >= EXTENT.perhaps_castle):
            return set(), None
    chosen = trimmed_to_size(chosen, evidence, seat)
    return _paired(chosen, evidence, seat), seat


def _odd(cells: set[Cell]) -> bool:
    return len(cells) % 2 == 1 and len(cells) >= EXTENT.fewest_odd


def connected(cells: set[Cell]) -> list[set[Cell]]:
    """The groups of cells that touch edge to edge."""
    left = set(cells)
    groups = []
    while left:
        start = min(left)
        left.discard(start)
        group, queue = {start}, [start]
        while queue:
            for beside in neighbours(queue.pop()):
                if beside in left:
                    left.discard(beside)
                    group.add(beside)
                    queue.append(beside)
        groups.append(group)
    return groups


def trimmed_to_size(cells: set[Cell], evidence: dict[Cell, float], seat: Cell | None) -> set[Cell]:
    """The cells within the window of largest allowed size that holds the castle and most evidence."""
    chosen = set(cells)
    for axis in (0, 1):
        values = [cell[axis] for cell in chosen]
        low, high = min(values), max(values)
        if high - low < EXTENT.max_side:
            continue
        starts = range(low, high - EXTENT.max_side + 2)
        if seat is not None:
            starts = range(max(low, seat[axis] - EXTENT.max_side + 1), min(high - EXTENT.max_side + 1, seat[axis]) + 1)

        def total(start: int, axis: int = axis, pool: set[Cell] = chosen) -> float:
            return sum(evidence[cell] for cell in pool if start <= cell[axis] < start + EXTENT.max_side)

        start = max(starts, key=total)
        inside = {cell for cell in chosen if start <= cell[axis] < start + EXTENT.max_side}
        groups = connected(inside)
        chosen = next((group for group in groups if seat in group), max(groups, key=len))
    return chosen


def _paired(cells: set[Cell], evidence: dict[Cell, float], seat: Cell | None) -> set[Cell]:
    """The cells, made an odd number with the castle by the most doubtful one, if there is a doubtful one."""
    if seat is None or len(cells) % 2 == 1:
        return cells
    options: list[tuple[float, set[Cell]]] = []
    for cell, odds in evidence.items():
        if abs(odds) >= EXTENT.doubtful or cell == seat:
            continue
        if cell in cells:
            smaller = cells - {cell}
            if len(connected(smaller)) == 1:
                options.append((abs(odds), smaller))
        elif any(beside in cells for beside in neighbours(cell)):
            larger = cells | {cell}
            if all(max(c[k] for c in larger) - min(c[k] for c in larger) < EXTENT.max_side for k in (0, 1)):
                options.append((abs(odds), larger))
    return min(options, key=lambda option: option[0])[1] if options else cells
