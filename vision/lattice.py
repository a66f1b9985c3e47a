"""Grids in perspective: fitting them to marked points, and the geometry of a fitted one.

A grid is a homography from grid coordinates (x to the right, y down, one unit a square) to picture pixels. Which
squares of a grid belong to a kingdom is decided by ``vision.extent``; the points come from ``vision.locator``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

import cv2
import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

Floats = npt.NDArray[np.float64]
Cell = tuple[int, int]


@dataclass(frozen=True)
class LatticeConfig:
    """How points are joined to grids. Lengths are shares of a grid step."""

    # A neighbour may be this far from where a square expects it.
    neighbour: float = 0.3
    # Two neighbours agree on their steps when they differ by no more than this.
    agreement: float = 0.35
    # A point belongs to a grid point when it is no further away than this.
    match: float = 0.25
    # Reweighting of points that lie off the grid: their weight is halved at this distance.
    soft: float = 0.08
    rounds: int = 5
    # How strongly the perspective of a small kingdom is held back: the noise of a point over the
    # change of scale per square that a camera at arm's length gives.
    restraint: float = 0.8
    # Fewer squares than these are no grid. A standing castle hides its own square, which leaves one domino.
    min_squares: int = 2


LATTICE = LatticeConfig()

# The corners of the unit square, clockwise from the top left.
UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class Squares:
    """Marked middles of squares: points (n, 2), how sure they are, and the two steps of the grid around each."""

    points: Floats
    scores: Floats
    u: Floats
    v: Floats


@dataclass(frozen=True, eq=False)
class Patch:
    """Squares joined to one grid: which marked square lies in which cell (column, row), and the homography."""

    cells: dict[Cell, int]
    matrix: Floats

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom of the occupied cells; right and bottom exclusive."""
        x, y = zip(*self.cells, strict=True)
        return min(x), min(y), max(x) + 1, max(y) + 1

    @property
    def step(self) -> float:
        """The size of the squares in its middle."""
        x0, y0, x1, y1 = self.box
        return step_length(self.matrix, ((x0 + x1) / 2, (y0 + y1) / 2))


def project(matrix: Floats, points: npt.ArrayLike) -> Floats:
    """Apply a homography to points of any leading shape (…, 2)."""
    array = np.asarray(points, np.float64)
    flat = array.reshape(-1, 2)
    homogeneous = flat @ matrix[:, :2].T + matrix[:, 2]
    return (homogeneous[:, :2] / homogeneous[:, 2:]).reshape(array.shape)


def lie_on(tiles: Floats, points: Floats) -> npt.NDArray[np.bool_]:
    """Which of the points (n, 2) lie on some of the tiles, given by their corners (n, 4, 2)."""
    shapes = tiles.astype(np.float32)
    return np.array(
        [any(cv2.pointPolygonTest(tile, (float(x), float(y)), False) >= 0 for tile in shapes) for x, y in points], bool
    )


def side_lengths(quads: Floats) -> Floats:
    """The root of the area of each quadrilateral (n, 4, 2)."""
    return np.sqrt([abs(cv2.contourArea(quad)) for quad in quads.astype(np.float32)])


def step_length(matrix: Floats, point: npt.ArrayLike) -> float:
    """The root of the area of the unit square around a grid point."""
    quad = project(matrix, np.asarray(point, np.float64) + UNIT - 0.5)
    return float(side_lengths(quad[None])[0])


def fit_homography(grid: Floats, picture: Floats, weights: Floats | None = None) -> Floats | None:
    """The homography from grid to picture points that fits best, or None when they do not determine one.

    Points off the grid lose weight. The perspective is held back a little, so that a strip of three squares
    does not invent a steep one.
    """
    if len(grid) < 4:
        return None
    base = np.ones(len(grid)) if weights is None else weights
    middle = np.average(grid, axis=0, weights=base)
    local = grid - middle
    affine, _, rank, _ = np.linalg.lstsq(
        np.column_stack([local, np.ones(len(local))]) * base[:, None], picture * base[:, None], rcond=None
    )
    if rank < 3:
        return None
    scale = float(np.sqrt(abs(np.linalg.det(affine[:2])))) or 1.0
    offset = affine[2]
    target = (picture - offset) / scale
    matrix = np.eye(3)
    current = base
    for _ in range(LATTICE.rounds):
        fitted = _linear_fit(local, target, current)
        if fitted is None:
            return None
        matrix = fitted
        distance = np.linalg.norm(project(matrix, local) - target, axis=1)
        current = base / (1 + (distance / LATTICE.soft) ** 2)
    back = np.array([[scale, 0, offset[0]], [0, scale, offset[1]], [0, 0, 1.0]])
    shift = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
    result = back @ matrix @ shift
    return result / result[2, 2] if abs(result[2, 2]) > 1e-12 else None


def _linear_fit(local: Floats, target: Floats, weights: Floats) -> Floats | None:
    x, y = local.T
    zero, one = np.zeros_like(x), np.ones_like(x)
    top = np.column_stack([x, y, one, zero, zero, zero, -x * target[:, 0], -y * target[:, 0]])
    bottom = np.column_stack([zero, zero, zero, x, y, one, -x * target[:, 1], -y * target[:, 1]])
    root = np.sqrt(weights)
    hold = np.zeros((2, 8))
    hold[0, 6] = hold[1, 7] = LATTICE.restraint
    left = np.vstack([top * root[:, None], bottom * root[:, None], hold])
    right = np.concatenate([target[:, 0] * root, target[:, 1] * root, np.zeros(2)])
    solution, _, rank, _ = np.linalg.lstsq(left, right, rcond=None)
    if rank < 8:
        return None
    return np.append(solution, 1.0).reshape(3, 3)


def join(squares: Squares, corners: Floats) -> list[Patch]:
    """Join marked squares, and the marked corners between them, to grids, the largest first."""
    links = _links(squares)
    free = set(range(len(squares.points)))
    patches = []
    for seed in np.argsort(-squares.scores, kind="stable"):
        if int(seed) in free:
            cells = _grow(int(seed), squares, links, free)
            free -= set(cells.values())
            patch = _fit(cells, squares, corners)
            if patch is not None:
                patches.append(patch)
    return sorted(patches, key=lambda patch: -len(patch.cells))


def _links(squares: Squares) -> list[list[int]]:
    """For each square the squares that could be its neighbours: near where either of them expects the other."""
    count = len(squares.points)
    links: list[list[int]] = [[] for _ in range(count)]
    if count < 2:
        return links
    longest = float(max(np.linalg.norm(squares.u, axis=1).max(), np.linalg.norm(squares.v, axis=1).max()))
    for i, j in cKDTree(squares.points).query_pairs(longest * (1 + LATTICE.neighbour)):
        if _neighbours(squares, i, j):
            links[i].append(j)
            links[j].append(i)
    return links


def _neighbours(squares: Squares, i: int, j: int) -> bool:
    """Whether two squares expect each other one step apart, by the mean of their steps."""
    u, v = _aligned(squares.u[i], squares.v[i], squares.u[j], squares.v[j])
    if u is None or v is None:
        return False
    delta = squares.points[j] - squares.points[i]
    mean = np.array([squares.u[i] + u, squares.v[i] + v]).T / 2
    if abs(np.linalg.det(mean)) < 1e-9:
        return False
    x, y = np.linalg.solve(mean, delta)
    return min(np.hypot(abs(x) - 1, y), np.hypot(x, abs(y) - 1)) < LATTICE.neighbour


def _aligned(u: Floats, v: Floats, other_u: Floats, other_v: Floats) -> tuple[Floats, Floats] | tuple[None, None]:
    """The other's steps, swapped and turned to match u and v; nothing when they do not agree."""
    best, chosen = np.inf, None
    norm = max(float(np.linalg.norm(u) + np.linalg.norm(v)), 1e-9)
    for a, b in ((other_u, other_v), (other_v, other_u)):
        a = a if a @ u >= 0 else -a
        b = b if b @ v >= 0 else -b
        error = float(np.linalg.norm(a - u) + np.linalg.norm(b - v)) / norm
        if error < best:
            best, chosen = error, (a, b)
    return chosen if chosen is not None and best < LATTICE.agreement else (None, None)


def _grow(seed: int, squares: Squares, links: list[list[int]], free: set[int]) -> dict[Cell, int]:
    """Cells reached from the seed, best links first."""
    u, v = squares.u[seed], squares.v[seed]
    if u[0] * v[1] - u[1] * v[0] < 0:
        v = -v
    cells: dict[Cell, int] = {(0, 0): seed}
    placed = {seed}
    heap: list[tuple[float, int, Cell, tuple[float, ...]]] = []

    def push(index: int, cell: Cell, u: Floats, v: Floats) -> None:
        for other in links[index]:
            if other in placed or other not in free:
                continue
            other_u, other_v = _aligned(u, v, squares.u[other], squares.v[other])
            if other_u is None or other_v is None:
                continue
            mean = np.array([u + other_u, v + other_v]).T / 2
            x, y = np.linalg.solve(mean, squares.points[other] - squares.points[index])
            dx, dy = round(x), round(y)
            if abs(dx) + abs(dy) == 1:
                cost = float(np.hypot(x - dx, y - dy)) + (1 - float(squares.scores[other]))
                heappush(heap, (cost, other, (cell[0] + dx, cell[1] + dy), (*other_u, *other_v)))

    push(seed, (0, 0), u, v)
    while heap:
        _, index, cell, steps = heappop(heap)
        if index in placed or cell in cells:
            continue
        cells[cell] = index
        placed.add(index)
        push(index, cell, np.array(steps[:2]), np.array(steps[2:]))
    return cells


def _fit(cells: dict[Cell, int], squares: Squares, corners: Floats) -> Patch | None:
    """The homography of joined squares; first by their middles and steps, then with the corners around them."""
    if len(cells) < LATTICE.min_squares:
        return None
    seed = cells[(0, 0)]
    u, v = squares.u[seed], squares.v[seed]
    v = v if u[0] * v[1] - u[1] * v[0] > 0 else -v
    keys = list(cells)
    middles = np.array(keys, np.float64) + 0.5
    points = squares.points[[cells[key] for key in keys]]
    # Each square stands for four virtual corners as well, so that a row of squares determines a grid.
    virtual_grid, virtual_points = [middles], [points]
    for key, middle, point in zip(keys, middles, points, strict=True):
        own_u, own_v = _aligned(u, v, squares.u[cells[key]], squares.v[cells[key]])
        if own_u is None or own_v is None:
            own_u, own_v = u, v
        for sx, sy in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
            virtual_grid.append((middle + (sx, sy))[None])
            virtual_points.append((point + sx * own_u + sy * own_v)[None])
    matrix = fit_homography(np.concatenate(virtual_grid), np.concatenate(virtual_points))
    if matrix is None:
        return None
    for _ in range(2):
        matched = match_corners(matrix, keys, corners)
        grid = np.concatenate([middles, *[np.array([key], np.float64) for key, _ in matched]])
        picture = np.concatenate([points, *[point[None] for _, point in matched]])
        better = fit_homography(grid, picture)
        if better is None:
            break
        matrix = better
    return Patch(cells, matrix)


def match_corners(matrix: Floats, cells: list[Cell], corners: Floats) -> list[tuple[Cell, Floats]]:
    """For each corner of the given cells the nearest marked corner that is near enough."""
    if len(corners) == 0:
        return []
    wanted = sorted({(x + dx, y + dy) for x, y in cells for dx in (0, 1) for dy in (0, 1)})
    places = project(matrix, np.array(wanted, np.float64))
    distance, index = cKDTree(corners).query(places)
    found = []
    for key, gap, nearest in zip(wanted, distance, index, strict=True):
        if gap < LATTICE.match * step_length(matrix, key):
            found.append((key, corners[nearest]))
    return found


def turned_upright(corners: npt.ArrayLike) -> int:
    """How many corners to skip so that the rows of the box run within (-45°, 45°] of the x axis."""
    box = np.asarray(corners, np.float64)

    def tilt(turns: int) -> float:
        a, b, c, d = np.roll(box, -turns, axis=0)
        along = (b - a) + (c - d)
        return float(np.degrees(np.arctan2(along[1], along[0])))

    for turns in range(4):
        if -45.0 < tilt(turns) <= 45.0:
            return turns
    return min(range(4), key=lambda turns: abs(tilt(turns)))


def clockwise(corners: npt.ArrayLike) -> Floats:
    """Four corners given in any order, clockwise as seen in the picture."""
    points = np.asarray(corners, np.float64).reshape(-1, 2)
    around = points - points.mean(0)
    return points[np.argsort(np.arctan2(around[:, 1], around[:, 0]), kind="stable")]


def neighbours(cell: Cell) -> Iterator[Cell]:
    """The four cells beside a cell."""
    x, y = cell
    yield from ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
