"""How cells compare with the bare table around them."""

from __future__ import annotations

import numpy as np

from vision.likeness import LIKENESS, unlike_table

STEP, BORDER, SHAPE = 20, 8, (4, 5)
BLUE, WOOD, LAKE = (150, 90, 40), (90, 140, 180), (190, 110, 30)


def table(colour: tuple[int, int, int], seed: int = 3) -> np.ndarray:
    """A window of a straightened grid that shows nothing but table, a little uneven."""
    rows, columns = SHAPE
    size = (rows * STEP + 2 * BORDER, columns * STEP + 2 * BORDER, 3)
    grain = np.random.default_rng(seed).normal(0, 3, size)
    return np.clip(np.array(colour) + grain, 0, 255).astype(np.uint8)


def lay(picture: np.ndarray, row: int, column: int, colour: tuple[int, int, int]) -> None:
    top, left = BORDER + row * STEP, BORDER + column * STEP
    picture[top : top + STEP, left : left + STEP] = colour


def ring() -> np.ndarray:
    """The outer cells are known to be bare."""
    bare = np.ones(SHAPE, bool)
    bare[1:-1, 1:-1] = False
    return bare


def test_a_gap_looks_like_the_table_even_where_that_is_blue() -> None:
    picture = table(BLUE)
    lay(picture, 1, 1, LAKE)
    found = unlike_table(picture, STEP, BORDER, SHAPE, ring())
    assert found[1, 1] == 0.0
    assert found[1, 2] < -0.5 and found[2, 2] < -0.5


def test_what_is_unlike_enough_is_not_told_from_what_is_stranger_still() -> None:
    picture = table(WOOD)
    lay(picture, 1, 1, BLUE)
    lay(picture, 2, 2, (255, 255, 255))
    found = unlike_table(picture, STEP, BORDER, SHAPE, ring())
    assert found[1, 1] == found[2, 2] == 0.0
    assert found.max() == 0.0


def test_without_enough_bare_cells_nothing_is_said() -> None:
    few = np.zeros(SHAPE, bool)
    few.flat[: LIKENESS.fewest - 1] = True
    assert not unlike_table(table(WOOD), STEP, BORDER, SHAPE, few).any()
