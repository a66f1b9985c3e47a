"""Cutting squares: the frame is right, large squares are averaged, the edge of a photo is no obstacle."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.rectify import CROP, cut_squares, grid_quads


def square(left: float, top: float, side: float) -> list[list[float]]:
    return [[left, top], [left + side, top], [left + side, top + side], [left, top + side]]


def test_a_grid_is_divided_row_by_row_from_its_first_corner() -> None:
    quads = grid_quads([[10, 20], [310, 20], [310, 220], [10, 220]], rows=2, columns=3)
    assert quads.shape == (6, 4, 2)
    assert np.allclose(quads[4], square(110, 120, 100), atol=1e-3)


def test_a_square_fills_the_crop_up_to_its_margin() -> None:
    image = np.zeros((300, 300, 3), np.uint8)
    image[100:200, 100:200] = 255
    crop = cut_squares(image, [square(100, 100, 100)])[0]
    inner = CROP.size / (1 + 2 * CROP.margin)
    assert crop.shape == (CROP.size, CROP.size, 3)
    assert np.sqrt((crop > 127).sum() / 3) == pytest.approx(inner, abs=1)
    assert np.array_equal(crop, crop[::-1, ::-1])


def test_corners_given_from_another_side_turn_the_crop() -> None:
    rng = np.random.default_rng(3)
    image = cv2.GaussianBlur(rng.integers(0, 256, (200, 200, 3), dtype=np.uint8), (0, 0), 4)
    corners = square(60, 60, 80)
    upright = cut_squares(image, [corners])[0]
    turned = cut_squares(image, [corners[1:] + corners[:1]])[0]
    assert np.abs(np.rot90(upright).astype(int) - turned).max() <= 2


@pytest.mark.parametrize("side", [150, 400, 1000, 1900])
def test_fine_detail_of_a_large_square_becomes_its_mean(side: int) -> None:
    rows, columns = np.mgrid[0:2000, 0:2000]
    image = np.repeat(((rows + columns) % 2 * 255).astype(np.uint8)[:, :, None], 3, axis=2)
    crop = cut_squares(image, [square(40, 40, side)], margin=0.0)[0]
    assert np.abs(crop.astype(int) - 127).max() < 40


def test_beyond_the_edge_the_last_pixels_repeat() -> None:
    image = np.full((100, 100, 3), 90, np.uint8)
    assert (cut_squares(image, [square(0, 0, 100), square(-30, 50, 100)]) == 90).all()


def test_no_squares_give_no_crops() -> None:
    assert cut_squares(np.zeros((9, 9, 3), np.uint8), np.zeros((0, 4, 2))).shape == (0, CROP.size, CROP.size, 3)
