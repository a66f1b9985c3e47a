"""Grids in perspective: fitting them to noisy marked points, and their geometry."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.lattice import Cell, Squares, clockwise, fit_homography, join, lie_on, project, turned_upright
from vision.locator import Maps, grid_code

Floats = npt.NDArray[np.float64]


def camera(rng: np.random.Generator, middle: tuple[float, float], step: float, tilt: float) -> Floats:
    """A homography from grid to picture with the cell (0, 0) around ``middle``, any turn, and some perspective."""
    angle = rng.uniform(0, 2 * np.pi)
    cos, sin = step * np.cos(angle), step * np.sin(angle)
    matrix = np.array([[cos, -sin, middle[0]], [sin, cos, middle[1]], [0, 0, 1.0]])
    lean = np.eye(3)
    lean[2, :2] = rng.uniform(-tilt, tilt, 2)
    return matrix @ lean


def kingdom(rng: np.random.Generator, squares: int) -> list[Cell]:
    """So many cells in one piece within 5 by 5."""
    cells = [(0, 0)]
    while len(cells) < squares:
        x, y = cells[rng.integers(len(cells))]
        dx, dy = ((1, 0), (-1, 0), (0, 1), (0, -1))[rng.integers(4)]
        grown = [*cells, (x + dx, y + dy)]
        if (x + dx, y + dy) not in cells and all(np.ptp(np.array(grown), axis=0) < 5):
            cells = grown
    return cells


def marks(
    rng: np.random.Generator, kingdoms: list[tuple[Floats, list[Cell]]], noise: float, missing: float, spurious: int
) -> tuple[Squares, Floats]:
    """What a network would mark: middles with steps, and corners, some missing, some where nothing is."""
    points, steps, corners = [], [], []
    for matrix, cells in kingdoms:
        size = np.linalg.norm(project(matrix, [1.0, 0.0]) - project(matrix, [0.0, 0.0]))
        for x, y in cells:
            if rng.random() < missing:
                continue
            middle = np.array([x + 0.5, y + 0.5])
            points.append(project(matrix, middle) + rng.normal(0, noise * size, 2))
            u = project(matrix, middle + (0.5, 0)) - project(matrix, middle - (0.5, 0))
            v = project(matrix, middle + (0, 0.5)) - project(matrix, middle - (0, 0.5))
            if rng.random() < 0.5:
                u, v = v, -u
            steps.append((u * rng.normal(1, 0.04), v * rng.normal(1, 0.04)))
        wanted = {(x + dx, y + dy) for x, y in cells for dx in (0, 1) for dy in (0, 1)}
        for corner in sorted(wanted):
            if rng.random() >= missing:
                corners.append(project(matrix, np.array(corner, float)) + rng.normal(0, noise * size, 2))
        # Decoys half a step off, as the middle of a printed house gives them.
        corners.append(project(matrix, np.array(cells[0]) + (0.5, 0.0)))
    for _ in range(spurious):
        points.append(rng.uniform(0, 400, 2))
        angle, length = rng.uniform(0, np.pi), rng.uniform(15, 60)
        u = length * np.array([np.cos(angle), np.sin(angle)])
        steps.append((u, np.array([-u[1], u[0]])))
        corners.append(rng.uniform(0, 400, 2))
    scores = rng.uniform(0.5, 1.0, len(points))
    u_all, v_all = (np.array([step[k] for step in steps]) for k in (0, 1))
    return Squares(np.array(points), scores, u_all, v_all), np.array(corners)


def same_grid(found: Floats, truth: Floats, cells: list[Cell]) -> float:
    """How far, in squares, the found grid's points lie from points of the true grid around the cells."""
    inside = np.array([(x + dx, y + dy) for x, y in cells for dx in (0, 1) for dy in (0, 1)], float)
    grid = project(np.linalg.inv(found), project(truth, inside))
    return float(np.abs(grid - np.round(grid)).max())


@pytest.mark.parametrize("seed", range(30))
def test_a_kingdom_is_joined_to_its_own_grid_in_spite_of_noise_gaps_and_decoys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = kingdom(rng, int(rng.integers(9, 26)))
    matrix = camera(rng, (200, 200), rng.uniform(18, 40), 0.04)
    squares, corners = marks(rng, [(matrix, cells)], 0.03, 0.06, 6)
    patch = join(squares, corners)[0]
    assert len(patch.cells) >= 0.5 * len(cells)
    assert same_grid(patch.matrix, matrix, cells) < 0.15
    # Neither a half-step nor a double-step grid: a cell is as large as a true one.
    ratio = np.linalg.det(np.linalg.inv(matrix) @ patch.matrix / (np.linalg.inv(matrix) @ patch.matrix)[2, 2])
    assert 0.5 < abs(ratio) < 2


@pytest.mark.parametrize("seed", range(10))
def test_the_castle_and_one_domino_are_enough(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    cells = [(0, 0), (1, 0), (2, 0)]
    matrix = camera(rng, (200, 200), 40, 0.03)
    squares, corners = marks(rng, [(matrix, cells)], 0.02, 0.0, 0)
    patch = join(squares, corners)[0]
    assert len(patch.cells) == 3
    assert same_grid(patch.matrix, matrix, cells) < 0.1


@pytest.mark.parametrize("seed", range(10))
def test_kingdoms_side_by_side_keep_their_own_grids(seed: int) -> None:
    rng = np.random.default_rng(200 + seed)
    middles = [(110, 110), (290, 110), (110, 290), (290, 290)][: 2 + seed % 3]
    kingdoms = []
    for middle in middles:
        cells = kingdom(rng, 15)
        offset = np.mean(cells, axis=0) + 0.5
        matrix = camera(rng, (0, 0), 22, 0.01)
        shift = np.array(middle) - project(matrix, offset)
        kingdoms.append((np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]]) @ matrix, cells))
    squares, corners = marks(rng, kingdoms, 0.02, 0.0, 3)
    patches = [patch for patch in join(squares, corners) if len(patch.cells) >= 10]
    assert len(patches) == len(kingdoms)
    for matrix, cells in kingdoms:
        assert min(same_grid(patch.matrix, matrix, cells) for patch in patches) < 0.15


def test_one_square_is_no_grid_and_a_domino_is_one() -> None:
    rng = np.random.default_rng(3)
    domino = camera(rng, (200, 200), 30, 0.0)
    squares, corners = marks(rng, [(domino, [(0, 0)])], 0.01, 0.0, 0)
    assert join(squares, corners) == []
    squares, corners = marks(rng, [(domino, [(0, 0), (1, 0)])], 0.01, 0.0, 0)
    (patch,) = join(squares, corners)
    assert len(patch.cells) == 2


def test_points_lie_on_the_tiles_that_hold_them() -> None:
    tiles = np.array([[[0, 0], [2, 0], [2, 2], [0, 2]], [[4, 0], [6, 2], [4, 4], [2, 2]]], np.float64)
    points = np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 0.5], [4.0, 2.0], [9.0, 9.0]])
    assert lie_on(tiles, points).tolist() == [True, True, False, True, False]
    assert lie_on(tiles[:0], points).tolist() == [False] * 5


def test_nothing_marked_gives_no_grid() -> None:
    nothing = np.zeros((0, 2))
    assert join(Squares(nothing, np.zeros(0), nothing, nothing), nothing) == []


@given(st.floats(0.5, 2.0), st.floats(0, 360), st.floats(0, 360), st.floats(6.0, 120.0))
@settings(max_examples=200, deadline=None)
def test_grid_code_gives_the_steps_back(ratio: float, turn: float, between: float, length: float) -> None:
    between = 50 + between % 80
    u = length * ratio * np.exp(1j * np.radians(turn))
    v = length / ratio * np.exp(1j * np.radians(turn + between))
    code = grid_code(np.array([u]), np.array([v]))
    plane = np.zeros((4, 4), np.float32)
    maps = Maps(plane, plane, plane, plane, np.broadcast_to(code.T[:, :, None], (5, 4, 4)).astype(np.float32))
    first, second = maps.steps_at(np.array([[8.0, 8.0]]))
    found = {complex(*first[0]), complex(*second[0])}
    for step in (u, v):
        assert min(min(abs(step - other), abs(step + other)) for other in found) < 0.02 * length + 1e-3


def test_homography_is_found_exactly_and_outliers_lose_their_weight() -> None:
    rng = np.random.default_rng(8)
    matrix = camera(rng, (300, 200), 30, 0.02)
    grid = np.array([(x, y) for x in range(6) for y in range(6)], float)
    picture = project(matrix, grid)
    picture[7] += (25, 25)
    fitted = fit_homography(grid, picture)
    assert fitted is not None
    keep = np.arange(len(grid)) != 7
    assert np.linalg.norm(project(fitted, grid[keep]) - picture[keep], axis=1).max() < 1.0


@pytest.mark.parametrize("points", [[[0, 0], [1, 0], [2, 0]], [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]]])
def test_points_on_a_line_determine_no_homography(points: list[list[float]]) -> None:
    grid = np.array(points, float)
    assert fit_homography(grid, grid * 20 + 5) is None


@pytest.mark.parametrize("angle", [-44.0, -20.0, 0.0, 30.0, 44.9])
@pytest.mark.parametrize("quarters", range(4))
def test_rows_run_within_45_degrees_of_the_x_axis(angle: float, quarters: int) -> None:
    turn = np.radians(angle)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = np.array([[0, 0], [5, 0], [5, 3], [0, 3.0]]) @ matrix
    started = np.roll(corners, quarters, axis=0)
    upright = np.roll(started, -turned_upright(started), axis=0)
    np.testing.assert_allclose(upright, corners)


def test_corners_in_any_order_become_clockwise() -> None:
    corners = np.array([[10, 12], [90, 5], [95, 80], [4, 70.0]])
    rng = np.random.default_rng(1)
    for _ in range(24):
        ordered = clockwise(rng.permutation(corners))
        x, y = ordered.T
        assert np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) > 0
        assert abs(cv2.contourArea(ordered.astype(np.float32))) > 5000
