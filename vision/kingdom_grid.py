"""A kingdom's grid in a photograph: what it is, and how a straightened look becomes one.

Which grids are tried, and which of them are kept, is decided by ``vision.locate``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.classify import CASTLE_CLASS, CLASSES, EMPTY_CLASS, Classifier, Glance
from vision.coverage import Coverage, Read
from vision.extent import (
    EXTENT,
    CellScores,
    choose_cells,
    weighed,
    with_castles,
    without_loose,
)
from vision.lattice import UNIT, Cell, Floats, neighbours, project, side_lengths, turned_upright
from vision.locator import Locator
from vision.looks import Pyramid
from vision.rectify import cut_squares
from vision.straighten import Straight, box_points


@dataclass(frozen=True)
class LocateConfig:
    """What counts as a kingdom."""

    # Kingdoms that cover less than this share of their blob are grids seen in the print of a tile.
    least_covered: float = 0.3
    # Tiles of one box are of one size: where the squares of one kingdom are less than this share of another's, the one
    # with fewer clear squares is none. (One cut by the photo's edge may be much nearer to the camera.)
    same_box: float = 0.45
    # How sure the squares of a small kingdom without a clear castle and of any have to be in the mean.
    small_kingdom: int = 7
    small_score: float = 0.92
    least_score: float = 0.55
    # From the first mean on a kingdom with a castle cannot be chance, from the second on one without; and with a castle
    # no other grid is tried there then.
    clear_score: float = 0.85
    sure_score: float = 0.97
    sure_bonus: float = 2.0
    # The castle and one domino.
    fewest_squares: float = 3.0
    # So many grids are tried, the largest first, so many in each further look, and so many in all.
    most_patches: int = 12
    most_others: int = 3
    most_tries: int = 26
    # Grids of which this share of the squares lie as near as this, in squares, to those of another are the same.
    same_place: float = 0.15
    same_share: float = 0.8
    # Spots of tiles of which clear kingdoms cover less than this are looked at again, so many of them, if they are as
    # large as this share of the smallest kingdom.
    explained: float = 0.6
    most_left: int = 3
    worth_a_look: float = 0.8
    # A kingdom that reaches as near as this to the photo's edge, with room for more than the second number of squares
    # on the other side and less than a whole kingdom between them, goes on beyond it.
    at_edge: float = 0.12
    room: float = 1.0
    whole: int = 5
    # A tile reaching further than this share of a square beyond the photo is cut.
    cut_beyond: float = 0.25
    # A cell is judged from this visible share on; those next to a likely tile are asked.
    judged: float = 0.45
    near_tile: float = 0.3
    # The least size of a square in photo pixels that can be read.
    readable: float = 10.0


LOCATE = LocateConfig()


@dataclass(frozen=True)
class LocateModels:
    """The networks that locating asks."""

    locator: Locator
    classifier: Classifier
    coverage: Coverage

    @classmethod
    def load(cls, fold: int | None = None) -> LocateModels:
        """The shipped networks, or those of a fold."""
        return cls(Locator.load(fold), Classifier.load(fold), Coverage.load())


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a grid was found by: the straightened look, its cells worth reading, their sides, and a glance at them."""

    straight: Straight
    cells: list[Cell]
    sides: Floats
    glance: Glance


@dataclass(frozen=True, eq=False)
class Lattice:
    """A kingdom's grid in a photograph.

    ``corners`` (4, 2) are the outer corners of its box in pixels of the image it was located in, clockwise from
    the corner of row 0, column 0; ``quads`` (rows, columns, 4, 2) the corners of each square, crooked ones moved to
    where they lie; ``present`` tells which squares are thought to be covered; ``castle`` is (row, column).
    ``probabilities`` (rows, columns, 18) are what the networks say of each square; None for corners of a person's.
    ``evidence`` is kept as long as its squares were not read thoroughly.
    """

    corners: Floats
    shape: tuple[int, int]
    quads: Floats
    present: npt.NDArray[np.bool_]
    castle: tuple[int, int] | None = None
    cut: bool = False
    score: float = 1.0
    probabilities: Floats | None = None
    evidence: Evidence | None = None

    @property
    def area(self) -> float:
        """The image area of the box."""
        return abs(float(cv2.contourArea(self.corners.astype(np.float32))))

    @property
    def square_size(self) -> float:
        """The side of its covered squares in the mean."""
        return float(np.sqrt(self.covered_area / max(int(self.present.sum()), 1)))

    @property
    def middle(self) -> Floats:
        """The middle of its covered squares."""
        return np.asarray(self.quads[self.present].mean((0, 1)))

    @property
    def clear(self) -> bool:
        """Whether it has a castle and clear squares, or very clear ones: no grid seen by chance has."""
        return self.score > (LOCATE.sure_score if self.castle is None else LOCATE.clear_score)

    @property
    def sure(self) -> bool:
        """Whether its squares are so clear that no other grid has to be tried on them."""
        return self.castle is not None and self.score > LOCATE.sure_score

    @property
    def merit(self) -> float:
        """How much of the picture it explains, and how well; one that is sure counts more."""
        return self.covered_area * self._weight

    @property
    def conviction(self) -> float:
        """How many squares are seen on it, and how well: what no grid seen by chance has, large or small."""
        return int(self.present.sum()) * self._weight

    @property
    def _weight(self) -> float:
        return (LOCATE.sure_bonus if self.sure else 1.0) * (self.score - LOCATE.least_score)

    @property
    def covered_area(self) -> float:
        """The image area of the covered squares."""
        return sum(abs(float(cv2.contourArea(quad.astype(np.float32)))) for quad in self.quads[self.present])


def glanced_at(pyramid: Pyramid, models: LocateModels, straight: Straight) -> Lattice | None:
    """The kingdom on a straightened grid, or None where there is none; by as few looks at its squares as will do."""
    picked = likely_cells(straight.scores)
    if not picked:
        return None
    quads = own_quads(straight.matrix, straight.scores, picked)
    glance = models.classifier.at_a_glance(cut_squares(pyramid.levels[0], quads), quads)
    evidence = Evidence(straight, picked, side_lengths(quads), glance)
    lattice = _lattice(pyramid, models.coverage, evidence, glance.probabilities)
    if lattice is None or not lattice.clear:
        lattice = _lattice(pyramid, models.coverage, evidence, models.classifier.read_together(glance))
    return None if lattice is None else replace(lattice, evidence=evidence)


def read_carefully(pyramid: Pyramid, models: LocateModels, lattice: Lattice) -> Lattice:
    """The kingdom by all that can be read of its squares, where that was not done yet."""
    seen = lattice.evidence
    if seen is None:
        return lattice
    read = models.classifier.read_thoroughly(seen.glance)
    return _lattice(pyramid, models.coverage, seen, read) or replace(lattice, evidence=None)


def _lattice(pyramid: Pyramid, coverage: Coverage, evidence: Evidence, read: Floats) -> Lattice | None:
    """The kingdom on a straightened grid of whose cells this was read, or None where there is none."""
    picked, scores = evidence.cells, evidence.straight.scores
    odds = coverage.odds(scores, picked, Read(evidence.glance.probabilities, read, evidence.sides))
    odds = without_loose(odds, np.array([scores.astray[y, x] for x, y in picked]))
    castle = np.array([scores.castle[y, x] for x, y in picked])
    castle = EXTENT.castle_share * castle + (1 - EXTENT.castle_share) * read[:, CASTLE_CLASS]
    odds = with_castles(odds, castle)
    chosen, seat = choose_cells(
        dict(zip(picked, odds.tolist(), strict=True)), dict(zip(picked, castle.tolist(), strict=True))
    )
    if len(chosen) < EXTENT.min_squares:
        return None
    sure = float(np.mean([scores.tile[y, x] for x, y in chosen]))
    doubtful = len(chosen) <= LOCATE.small_kingdom and castle.max() < EXTENT.surely_castle
    if sure < (LOCATE.small_score if doubtful else LOCATE.least_score):
        return None
    likely = dict(zip(picked, weighed(read, odds, EMPTY_CLASS), strict=True))
    return _finished(pyramid, evidence.straight, chosen, seat, likely)


def likely_cells(scores: CellScores) -> list[Cell]:
    """The cells of the window (x, y) that are worth a closer look: visible, and tiles or beside one."""
    tiles = (scores.tile > LOCATE.near_tile).astype(np.uint8)
    asked = (scores.visible > LOCATE.judged) & (cv2.dilate(tiles, np.ones((3, 3), np.uint8)) > 0)
    return [(int(x), int(y)) for y, x in np.argwhere(asked)]


def own_quads(matrix: Floats, scores: CellScores, cells: Sequence[Cell]) -> Floats:
    """The corners of cells of the window (x, y), moved to where each square lies."""
    shift = np.array([scores.shift[y, x] for x, y in cells]).reshape(-1, 1, 2)
    grid = np.asarray(cells, np.float64).reshape(-1, 1, 2) + np.asarray(scores.origin, np.float64)
    return project(matrix, grid + UNIT + shift)


def _finished(
    pyramid: Pyramid, straight: Straight, chosen: set[Cell], seat: Cell | None, likely: dict[Cell, Floats]
) -> Lattice:
    """The lattice of the chosen window cells, turned as the photo shows it."""
    scores = straight.scores
    x0, y0 = (min(cell[k] for cell in chosen) for k in (0, 1))
    x1, y1 = (max(cell[k] for cell in chosen) + 1 for k in (0, 1))
    cells = [(x, y) for y in range(y0, y1) for x in range(x0, x1)]
    shape = (y1 - y0, x1 - x0)
    quads = own_quads(straight.matrix, scores, cells).reshape(*shape, 4, 2)
    present = np.array([cell in chosen for cell in cells]).reshape(shape)
    blank = np.zeros(len(CLASSES))
    blank[EMPTY_CLASS] = 1.0
    probabilities = np.array([likely.get(cell, blank) for cell in cells]).reshape(*shape, -1)
    corners = project(straight.matrix, box_points((x0, y0, x1, y1)) + np.asarray(scores.origin, np.float64))
    marks = np.zeros(shape, bool)
    if seat is not None:
        marks[seat[1] - y0, seat[0] - x0] = True
    turns = turned_upright(corners)
    # Skipping a corner turns the grid anticlockwise: its new first row is the old last column's.
    quads = np.roll(np.rot90(quads, turns), -turns, axis=2)
    present, marks = np.rot90(present, turns), np.rot90(marks, turns)
    place = np.argwhere(marks)
    return Lattice(
        corners=np.roll(corners, -turns, axis=0),
        shape=(present.shape[0], present.shape[1]),
        quads=quads,
        present=present.copy(),
        castle=(int(place[0][0]), int(place[0][1])) if len(place) else None,
        cut=_is_cut(pyramid, scores, chosen, quads[present]),
        score=float(np.mean([scores.tile[y, x] for x, y in chosen])),
        probabilities=np.rot90(probabilities, turns).copy(),
    )


def _is_cut(pyramid: Pyramid, scores: CellScores, chosen: set[Cell], quads: Floats) -> bool:
    """Whether the photo's edge cuts a tile of the kingdom."""
    width, height = pyramid.size
    for quad in quads:
        slack = LOCATE.cut_beyond * float(np.sqrt(abs(cv2.contourArea(quad.astype(np.float32)))))
        if quad.min() < -slack or quad[:, 0].max() > width + slack or quad[:, 1].max() > height + slack:
            return True
    if _ends_at_edge(pyramid.size, chosen, quads):
        return True
    rows, columns = scores.tile.shape
    for cell in chosen:
        for x, y in neighbours(cell):
            if (x, y) not in chosen and 0 <= x < columns and 0 <= y < rows:
                partly = EXTENT.cut_visible < scores.visible[y, x] <= LOCATE.judged
                if partly and scores.rim_tile[y, x] > EXTENT.cut_tile:
                    return True
    return False


def _ends_at_edge(size: tuple[int, int], chosen: set[Cell], quads: Floats) -> bool:
    """Whether an unfinished kingdom ends just where the photo does, though the photo goes on on its other side."""
    longer = max(max(cell[k] for cell in chosen) - min(cell[k] for cell in chosen) + 1 for k in (0, 1))
    side = float(np.sqrt(np.mean([abs(cv2.contourArea(quad.astype(np.float32))) for quad in quads])))
    for axis in (0, 1):
        before, after = quads[..., axis].min() / side, (size[axis] - quads[..., axis].max()) / side
        across = (quads[..., axis].max() - quads[..., axis].min()) / side
        unfinished = across < (EXTENT.max_side if longer > LOCATE.whole else LOCATE.whole) - 0.5
        if unfinished and min(before, after) < LOCATE.at_edge and max(before, after) > LOCATE.room:
            return True
    return False
