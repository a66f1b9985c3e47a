"""Looking at a found grid straightened: it sharpens the grid and tells what lies in each of its cells.

The grid comes from ``vision.lattice``; which cells then make the kingdom is decided by ``vision.extent``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.extent import EXTENT, CellScores, Plane, agreement, cell_means, connected, turn_against
from vision.lattice import Cell, Floats, Patch, fit_homography, lie_on, project
from vision.likeness import unlike_table
from vision.locator import MAPS, Locator
from vision.looks import Look, Pyramid, look, peaks


@dataclass(frozen=True)
class StraightConfig:
    """The straightened look. Lengths are in squares unless said otherwise."""

    # Step and border in look pixels, and the cells around the found ones.
    step: int = 28
    border: int = 24
    around: int = 2
    # How often it is looked; a grid that moves less than this is not looked at again.
    rounds: int = 6
    settled: float = 0.03
    # A grid needs this share of its squares confirmed when straightened.
    confirmed: float = 0.5
    # From this on a cell is a tile that helps to fit the grid; a window holds at most so many cells a side.
    tile: float = 0.5
    largest: int = 9
    # How sure a marked square and a marked corner have to be.
    square_threshold: float = 0.3
    corner_threshold: float = 0.25
    # Marked points nearer than this to a grid point belong to it.
    match: float = 0.3
    # Fewer points than this do not move a grid.
    fewest_points: int = 6
    # How far a square of its own may be shifted from the grid.
    max_shift: float = 0.25
    # All of a cell, from its middle.
    whole_cell: float = 0.5
    # A middle counts as much as this many corners; with fewer votes than this a square stays in its cell.
    middle_weight: float = 1.0
    fewest_votes: float = 1.0
    # This much of a shift is taken for noise.
    shift_noise: float = 0.04
    # A cell of which the maps say no more than this, and which is visible to this share, is surely bare table.
    surely_bare: float = 0.15
    surely_visible: float = 0.9
    # No camera sees a kingdom whose far side is so much farther than its near side.
    horizon: float = 0.05


STRAIGHT = StraightConfig()

# No tiles at all.
NOTHING = np.zeros((0, 4, 2))


@dataclass(frozen=True, eq=False)
class Straight:
    """A grid with what a straightened look says about its cells."""

    matrix: Floats
    scores: CellScores
    confirmed: float

    @property
    def middles(self) -> Floats:
        """Where the middles of its likely tiles lie in the photo."""
        cells = [cell for cell in self.scores.cells if self.scores.at(self.scores.tile, cell) > STRAIGHT.tile]
        return project(self.matrix, np.array(cells, np.float64).reshape(-1, 2) + 0.5)


def straightened(pyramid: Pyramid, locator: Locator, patch: Patch, taken: Floats = NOTHING) -> Straight | None:
    """Sharpen a grid by looking at it straightened, as often as it still moves or grows.

    Tiles that another kingdom has ``taken``, as corners (n, 4, 2) in the photo, are none of its own. None where the
    straightened looks do not confirm the grid.
    """
    matrix, occupied = patch.matrix, set(patch.cells)
    result = None
    for _ in range(STRAIGHT.rounds):
        origin, shape = _window(occupied, matrix)
        seen, grid_to_look = _straight_look(pyramid, locator, matrix, origin, shape)
        scores = _without(_cell_scores(seen, pyramid, origin, shape), matrix, taken)
        confirmed = float(np.mean([scores.at(scores.tile, cell) for cell in occupied]))
        result = Straight(matrix, scores, confirmed)
        grown = _grown(scores, occupied)
        better = _refit(seen, grid_to_look, grown)
        box = box_points(_box(grown))
        moved = 0.0 if better is None else float(np.abs(project(better, box) - box).max())
        if _window(grown, matrix) == (origin, shape) and moved < STRAIGHT.settled:
            break
        occupied = grown
        if better is not None:
            matrix = matrix @ better
    return None if result is None or result.confirmed < STRAIGHT.confirmed else result


def looked_at_carefully(pyramid: Pyramid, locator: Locator, straight: Straight, taken: Floats = NOTHING) -> Straight:
    """A grid with what a look from all four sides says about its cells."""
    origin, (rows, columns) = straight.scores.origin, straight.scores.tile.shape
    seen, _ = _straight_look(pyramid, locator, straight.matrix, origin, (rows, columns), careful=True)
    scores = _cell_scores(seen, pyramid, origin, (rows, columns))
    return replace(straight, scores=_without(scores, straight.matrix, taken))


def _without(scores: CellScores, matrix: Floats, taken: Floats) -> CellScores:
    """What is said of the cells, but nothing of those whose middles lie on tiles of another kingdom."""
    if not len(taken):
        return scores
    middles = project(matrix, np.array(scores.cells, np.float64) + 0.5)
    free = ~lie_on(taken, middles).reshape(scores.tile.shape)
    return replace(
        scores,
        tile=scores.tile * free,
        rim_tile=scores.rim_tile * free,
        castle=scores.castle * free,
        middle=scores.middle * free,
        visible=scores.visible * free,
    )


def _box(cells: set[Cell]) -> tuple[int, int, int, int]:
    x, y = zip(*cells, strict=True)
    return min(x), min(y), max(x) + 1, max(y) + 1


def _window(occupied: set[Cell], matrix: Floats) -> tuple[Cell, tuple[int, int]]:
    """The first cell (x, y) and the shape (rows, columns) of the window around the occupied cells.

    Where it would reach the horizon of a steep view it is smaller.
    """
    x0, y0, x1, y1 = _box(occupied)
    columns, rows = (min(side, STRAIGHT.largest) for side in (x1 - x0, y1 - y0))
    for around in range(STRAIGHT.around, 0, -1):
        window = box_points((x0 - around - 1, y0 - around - 1, x0 + columns + around + 1, y0 + rows + around + 1))
        depth = window @ matrix[2, :2] + matrix[2, 2]
        if depth.min() > STRAIGHT.horizon * np.abs(depth).max():
            break
    return (x0 - around, y0 - around), (rows + 2 * around, columns + 2 * around)


def _grown(scores: CellScores, occupied: set[Cell]) -> set[Cell]:
    """The occupied cells without those that are clearly bare, with the tiles of the window that touch them."""
    likely = {cell for cell in scores.cells if scores.at(scores.tile, cell) > STRAIGHT.tile}
    core = occupied & likely
    if not core:
        return occupied
    return set().union(*(group for group in connected(likely) if group & core))


def box_points(box: tuple[int, int, int, int]) -> Floats:
    x0, y0, x1, y1 = box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)


def _straight_look(
    pyramid: Pyramid, locator: Locator, matrix: Floats, origin: Cell, shape: tuple[int, int], careful: bool = False
) -> tuple[Look, Floats]:
    """A look in which the window of the grid lies along the axes, and the homography from grid to look."""
    rows, columns = shape
    step, border = STRAIGHT.step, float(STRAIGHT.border)
    to_look = np.array([[step, 0, border - origin[0] * step], [0, step, border - origin[1] * step], [0, 0, 1.0]])
    size = (round(columns * step + 2 * border), round(rows * step + 2 * border))
    return look(pyramid, locator, matrix @ np.linalg.inv(to_look), size, careful), to_look


def _refit(seen: Look, grid_to_look: Floats, occupied: set[Cell]) -> Floats | None:
    """The correction of a grid, in grid coordinates, by the points that the straightened look marks near it."""
    back = np.asarray(np.linalg.inv(grid_to_look), np.float64)
    middles, heights = peaks(seen.maps.centre, STRAIGHT.square_threshold)
    corners, corner_heights = peaks(seen.maps.corner, STRAIGHT.corner_threshold)
    middles, corners = project(back, middles), project(back, corners)
    near_middle = np.floor(middles) + 0.5
    near_corner = np.round(corners)
    wanted = {(x + dx, y + dy) for x, y in occupied for dx in (0, 1) for dy in (0, 1)}
    use_middle = np.array([(int(np.floor(x)), int(np.floor(y))) in occupied for x, y in middles], bool)
    use_corner = np.array([(int(x), int(y)) in wanted for x, y in near_corner], bool)
    use_middle &= np.linalg.norm(middles - near_middle, axis=1) < STRAIGHT.match
    use_corner &= np.linalg.norm(corners - near_corner, axis=1) < STRAIGHT.match
    ideal = np.concatenate([near_middle[use_middle], near_corner[use_corner]])
    real = np.concatenate([middles[use_middle], corners[use_corner]])
    weights = np.concatenate([heights[use_middle], corner_heights[use_corner]])
    return fit_homography(ideal, real, weights) if len(ideal) >= STRAIGHT.fewest_points else None


def _cell_scores(seen: Look, pyramid: Pyramid, origin: Cell, shape: tuple[int, int]) -> CellScores:
    step, border = STRAIGHT.step, float(STRAIGHT.border)
    maps = seen.maps
    height, width = maps.mask.shape
    # Which cells of the maps lie within the photo.
    x, y = np.meshgrid((np.arange(width) + 0.5) * MAPS.stride, (np.arange(height) + 0.5) * MAPS.stride)
    places = project(seen.matrix, np.stack([x, y], -1))
    photo = np.array(pyramid.size)
    inside = np.all((places > 0) & (places < photo), axis=-1).astype(np.float32)
    agreed = maps.mask * agreement(maps, step)
    core = EXTENT.core
    visible = cell_means(inside, step, border, shape, 1.0)
    shown = np.maximum(cell_means(inside, step, border, shape, core), 1e-6)
    tile = cell_means(agreed * inside, step, border, shape, core) / shown
    rim_tile = cell_means(maps.mask * inside, step, border, shape, 1.0) / np.maximum(visible, 1e-6)
    castle = cell_means(maps.castle * inside, step, border, shape, core) / shown
    rows, columns = shape
    middle = _marks(maps.centre, shape, 0.5)
    corner = _marks(maps.corner, (rows + 1, columns + 1), 0.0)
    corners = np.mean([corner[y : y + rows, x : x + columns] for x in (0, 1) for y in (0, 1)], axis=0)
    bare = (np.maximum(tile, middle) < STRAIGHT.surely_bare) & (visible > STRAIGHT.surely_visible)
    strange = unlike_table(seen.picture, STRAIGHT.step, STRAIGHT.border, shape, bare)
    product = [cell_means(maps.grid[part] * maps.mask * inside, step, border, shape, core) for part in (2, 3)]
    turned = turn_against(product[0] + 1j * product[1])
    shift, astray = _shifts(seen, shape), _astray(seen, shape)
    return CellScores(origin, tile, rim_tile, castle, visible, middle, corners, strange, shift, astray, turned)


def _marks(plane: Plane, shape: tuple[int, int], offset: float) -> Floats:
    """The highest value of a point map around each grid point."""
    highest = cv2.dilate(plane, np.ones((3, 3), np.uint8))
    rows, columns = (
        np.clip(((np.arange(count) + offset) * STRAIGHT.step + STRAIGHT.border) / MAPS.stride, 0, limit - 1).astype(int)
        for count, limit in zip(shape, plane.shape, strict=True)
    )
    return np.asarray(highest[np.ix_(rows, columns)], np.float64)


def _shifts(seen: Look, shape: tuple[int, int]) -> Floats:
    """How far each square lies from its cell, in squares: the mean of what its middle and its corners say.

    Small shifts are noise more often than not, so that much is taken off.
    """
    rows, columns = shape
    middles, corners = _all_deviations(seen, shape, STRAIGHT.max_shift)
    parts = [middles * STRAIGHT.middle_weight]
    parts += [corners[y : y + rows, x : x + columns] for x in (0, 1) for y in (0, 1)]
    total = np.sum(parts, axis=0)
    weight = total[..., 2:]
    mean = np.where(weight > STRAIGHT.fewest_votes, total[..., :2] / np.maximum(weight, 1e-9), 0.0)
    length = np.linalg.norm(mean, axis=-1, keepdims=True)
    return np.asarray(mean * np.maximum(1 - STRAIGHT.shift_noise / np.maximum(length, 1e-9), 0.0))


def _astray(seen: Look, shape: tuple[int, int]) -> Floats:
    """How far from its place what is marked in each cell lies, in squares: the mean of its middle and its corners."""
    rows, columns = shape
    middles, corners = (
        np.linalg.norm(marks[..., :2], axis=-1) / np.maximum(marks[..., 2], 1e-9)
        for marks in _all_deviations(seen, shape, STRAIGHT.whole_cell)
    )
    around = np.mean([corners[y : y + rows, x : x + columns] for x in (0, 1) for y in (0, 1)], axis=0)
    return np.asarray((middles + around) / 2)


def _all_deviations(seen: Look, shape: tuple[int, int], reach: float) -> tuple[Floats, Floats]:
    """The deviations of what is marked as the middles and as the corners of the cells."""
    middles = peaks(seen.maps.centre, STRAIGHT.square_threshold)
    corners = peaks(seen.maps.corner, STRAIGHT.corner_threshold)
    rows, columns = shape
    return _deviations(middles, shape, 0.5, reach), _deviations(corners, (rows + 1, columns + 1), 0.0, reach)


def _deviations(marked: tuple[Floats, Floats], shape: tuple[int, int], offset: float, reach: float) -> Floats:
    """For each grid point its highest mark's deviation in squares times its height, and the height: (…, 3)."""
    result = np.zeros((*shape, 3))
    points, heights = marked
    for (x, y), height in zip((points - STRAIGHT.border) / STRAIGHT.step - offset, heights, strict=True):
        column, row = round(x), round(y)
        inside = 0 <= row < shape[0] and 0 <= column < shape[1]
        if inside and max(abs(x - column), abs(y - row)) < reach and height > result[row, column, 2]:
            result[row, column] = ((x - column) * height, (y - row) * height, height)
    return result
