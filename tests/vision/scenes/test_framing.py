"""Crops that show more than their square are not laid as squares."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from engine import SQUARES
from vision.scenes import RealTiles
from vision.scenes.framing import well_framed
from vision.scenes.real import _read_square, _tile_paths, _without_outliers

Picture = npt.NDArray[np.uint8]
SIDE = 64
WHEAT, TABLE = (40, 190, 220), (60, 50, 45)


def tiles(count: int = 12) -> list[Picture]:
    """Plain crops of one terrain in slightly different light, with some specks."""
    rng = np.random.default_rng(3)
    pictures = []
    for _ in range(count):
        picture = np.full((SIDE, SIDE, 3), WHEAT, np.float64) * rng.uniform(0.9, 1.05) + rng.normal(
            0, 4, (SIDE, SIDE, 3)
        )
        picture = picture.clip(0, 255).astype(np.uint8)
        cv2.circle(picture, (int(rng.integers(20, 44)), int(rng.integers(20, 44))), 3, (20, 40, 60), -1)
        pictures.append(picture)
    return pictures


def kept(odd: Picture) -> bool:
    return any(picture is odd for picture in well_framed([*tiles(), odd]))


@pytest.mark.parametrize("turns", range(4))
def test_a_crop_with_a_strip_of_table_along_a_side_is_left_out(turns: int) -> None:
    odd = tiles(1)[0]
    odd[:9] = TABLE
    assert not kept(np.ascontiguousarray(np.rot90(odd, turns)))


def test_a_strip_may_lie_a_little_askew() -> None:
    odd = tiles(1)[0]
    cv2.fillConvexPoly(odd, np.array([[0, 0], [SIDE, 0], [SIDE, 12], [0, 7]]), TABLE)
    assert not kept(odd)


def test_a_thin_edge_is_no_strip() -> None:
    odd = tiles(1)[0]
    odd[:3] = TABLE
    assert kept(odd)


def test_glare_that_fades_slowly_is_no_strip() -> None:
    odd = tiles(1)[0].astype(np.float64)
    light = np.linspace(1.0, 0.0, SIDE)[:, None, None] ** 2
    assert kept((odd + (255 - odd) * 0.8 * light).clip(0, 255).astype(np.uint8))


def test_well_framed_crops_are_all_kept_in_their_order() -> None:
    pictures = tiles()
    found = well_framed(pictures)
    assert len(found) == len(pictures)
    assert all(a is b for a, b in zip(found, pictures, strict=True))
    assert well_framed([]) == []


@pytest.mark.data
def test_some_of_the_real_crops_of_every_common_terrain_show_more_than_a_square() -> None:
    wheat = SQUARES[0]
    every = _without_outliers([_read_square(path) for path in _tile_paths(wheat, "train")])
    laid = RealTiles(split="train", boards=False).crops(wheat)
    assert 0.6 * len(every) < len(laid) < 0.95 * len(every)
