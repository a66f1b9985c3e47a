"""Finding kingdoms in whole pictures, with the shipped networks, on scenes of our own art."""

from __future__ import annotations

import itertools
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from engine import CASTLE, EMPTY, Kingdom, KingdominoError
from vision.kingdom_grid import Lattice, LocateModels
from vision.lattice import Patch
from vision.locate import LocateError, best_of, lattices_from_corners, left_over, locate, of_one_box
from vision.locator import Locator
from vision.models import MANIFEST, MODELS_DIR, ModelError
from vision.overlay import draw_lattices
from vision.rectify import grid_quads
from vision.scenes import OwnArt, Scene, SceneConfig, compose, random_scene

Pixels = npt.NDArray[np.uint8]

EXAMPLE = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"
INCOMPLETE = "..ll1f/sslgs1/ws1Cgw1/w1..g2w/s...."


@cache
def models() -> LocateModels:
    return LocateModels.load()


@cache
def scene(notation: str = EXAMPLE, rotation: float = 8.0) -> Scene:
    config = SceneConfig(
        size=(900, 700), rotation=rotation, tilt=18.0, fill=0.7, glare=0.0, blur=0.0, clutter=0.3, strays=1,
        cut_neighbour=False, castle="flat", harshness=0.4,
    )  # fmt: skip
    return compose([Kingdom.from_notation(notation)], OwnArt(), np.random.default_rng(4), config)


def covered(notation: str) -> npt.NDArray[np.bool_]:
    return np.array([[cell is not EMPTY for cell in row] for row in Kingdom.from_notation(notation).rows])


def worst_error(lattice: Lattice, truth: npt.NDArray[np.floating]) -> float:
    """The largest distance of a box corner from the true one, in squares."""
    step = np.sqrt(lattice.area / (lattice.shape[0] * lattice.shape[1]))
    return float(np.linalg.norm(lattice.corners - truth, axis=1).max() / step)


@pytest.mark.parametrize("notation", [EXAMPLE, INCOMPLETE, "Cf1w", "fw1Cf1w"])
def test_a_kingdom_is_found_with_its_extent_its_castle_and_its_corners(notation: str) -> None:
    picture = scene(notation)
    (lattice,) = locate(picture.image, models())
    truth = picture.kingdoms[0]
    np.testing.assert_array_equal(lattice.present, covered(truth.notation))
    assert worst_error(lattice, truth.corners) < 0.15
    assert lattice.castle is not None
    assert truth.kingdom.cell(*lattice.castle) is CASTLE
    assert not lattice.cut
    for (row, column), quad in truth.quads.items():
        size = np.sqrt(abs(cv2.contourArea(quad.astype(np.float32))))
        assert np.linalg.norm(lattice.quads[row, column] - quad, axis=1).max() < 0.15 * size


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_photo_gives_the_same_kingdom_turned(turns: int) -> None:
    picture = scene(INCOMPLETE)
    (upright,) = locate(picture.image, models())
    (turned,) = locate(np.ascontiguousarray(np.rot90(picture.image, turns)), models())
    np.testing.assert_array_equal(turned.present, np.rot90(upright.present, turns))


def test_the_same_picture_gives_the_same_result() -> None:
    first, second = (locate(scene().image, models())[0] for _ in range(2))
    np.testing.assert_array_equal(first.quads, second.quads)
    np.testing.assert_array_equal(first.present, second.present)


def test_four_kingdoms_are_found_largest_first() -> None:
    config = SceneConfig(size=(1400, 1100), tilt=8.0, glare=0.0, blur=0.0, strays=0, cut_neighbour=False,
                         castle="flat", harshness=0.3, clutter=0.0)  # fmt: skip
    picture = random_scene(12, OwnArt(), n_kingdoms=4, config=config, kingdom_size=5)
    found = locate(picture.image, models())
    assert len(found) == len(picture.kingdoms) == 4
    areas = [lattice.area for lattice in found]
    assert areas == sorted(areas, reverse=True)


def test_a_tight_crop_without_margin_is_a_whole_kingdom() -> None:
    picture = scene(EXAMPLE)
    corners = picture.kingdoms[0].corners.astype(np.float32)
    target = np.array([[0, 0], [500, 0], [500, 500], [0, 500]], np.float32)
    crop = cv2.warpPerspective(picture.image, cv2.getPerspectiveTransform(corners, target), (500, 500))
    (lattice,) = locate(np.asarray(crop, np.uint8), models())
    assert lattice.shape == (5, 5)
    assert not lattice.cut
    assert worst_error(lattice, target) < 0.15


def test_a_kingdom_cut_by_the_frame_says_so() -> None:
    picture = scene(EXAMPLE)
    corners = picture.kingdoms[0].corners
    left = int(corners[:, 0].min() + 0.3 * np.ptp(corners[:, 0]))
    found = locate(np.ascontiguousarray(picture.image[:, left:]), models())
    assert all(lattice.cut for lattice in found)


@pytest.mark.parametrize("colour", [(0, 0, 0), (255, 255, 255), (90, 140, 190)])
def test_a_plain_picture_has_no_tiles(colour: tuple[int, int, int]) -> None:
    plain = np.full((480, 640, 3), colour, np.uint8)
    with pytest.raises(LocateError) as caught:
        locate(plain, models())
    assert caught.value.reason == "no_tiles"
    assert isinstance(caught.value, KingdominoError)


def test_a_kingdom_too_small_to_be_read_is_refused_in_words() -> None:
    small = cv2.resize(scene().image, (80, 62), interpolation=cv2.INTER_AREA)
    with pytest.raises(LocateError, match="small|No Kingdomino tiles|blurred"):
        locate(np.asarray(small, np.uint8), models())


def test_progress_is_told_in_stages() -> None:
    stages: list[str] = []
    locate(scene().image, models(), stages.append)
    assert len(stages) == len(set(stages)) >= 3


def test_corners_by_hand_in_any_order_give_the_same_grid() -> None:
    corners = scene().kingdoms[0].corners
    expected = lattices_from_corners(corners, (5, 5))[0]
    for order in itertools.permutations(range(4)):
        (lattice,) = lattices_from_corners(corners[list(order)], (5, 5))
        np.testing.assert_allclose(lattice.quads, expected.quads)
    np.testing.assert_allclose(expected.corners, corners, atol=1e-3)


def test_a_shape_with_different_sides_is_tried_both_ways() -> None:
    lattices = lattices_from_corners([[0, 0], [300, 10], [310, 190], [5, 200]], (5, 3))
    assert [lattice.shape for lattice in lattices] == [(5, 3), (3, 5)]
    assert [lattice.quads.shape for lattice in lattices] == [(5, 3, 4, 2), (3, 5, 4, 2)]


@pytest.mark.parametrize(
    ("corners", "shape", "reason"),
    [
        ([[0, 0], [1, 0], [1, 1], [0, 1]], (5, 5), "bad_corners"),
        ([[0, 0], [100, 0], [200, 0], [300, 0]], (5, 5), "bad_corners"),
        ([[0, 0], [100, 0], [100, 100]], (5, 5), "bad_corners"),
        ([[0, 0], [100, 0], [100, 100], [np.nan, 100]], (5, 5), "bad_corners"),
        ([[0, 0], [100, 0], [100, 100], [0, 100]], (0, 5), "bad_shape"),
        ([[0, 0], [100, 0], [100, 100], [0, 100]], (5, 8), "bad_shape"),
    ],
)
def test_corners_and_shapes_that_make_no_sense_are_refused(
    corners: list[list[float]], shape: tuple[int, int], reason: str
) -> None:
    with pytest.raises(LocateError) as caught:
        lattices_from_corners(corners, shape)
    assert caught.value.reason == reason


def test_an_overlay_shows_the_grid() -> None:
    picture = scene()
    drawn = draw_lattices(picture.image, locate(picture.image, models()), 600)
    assert max(drawn.shape[:2]) == 600
    plain = draw_lattices(picture.image, [], 600)
    assert (drawn != plain).any(axis=2).mean() > 0.01


def test_an_altered_network_is_refused(tmp_path: Path) -> None:
    shutil.copy(MODELS_DIR / MANIFEST, tmp_path / MANIFEST)
    content = bytearray((MODELS_DIR / "locator.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "locator.onnx").write_bytes(content)
    with pytest.raises(ModelError, match="damaged or altered"):
        Locator.load(directory=tmp_path)
    (tmp_path / "locator.onnx").unlink()
    with pytest.raises(ModelError, match="cannot be read"):
        Locator.load(directory=tmp_path)


def test_the_network_takes_whole_blocks_only() -> None:
    with pytest.raises(ValueError, match="multiples of 32"):
        models().locator.maps(np.zeros((100, 128, 3), np.uint8))


def test_a_careful_look_is_the_same_from_whichever_side_it_starts() -> None:
    picture = np.random.default_rng(5).integers(0, 256, (96, 160, 3), dtype=np.uint8)
    locator = models().locator
    seen = locator.maps_from_all_sides(picture)
    turned = locator.maps_from_all_sides(np.ascontiguousarray(np.rot90(picture)))
    assert seen.mask.shape == (24, 40)
    for name in ("mask", "corner", "centre", "castle"):
        assert np.allclose(np.rot90(getattr(seen, name)), getattr(turned, name), atol=1e-4)
    # A quarter turn changes the sign of u² + v² and leaves u²v² and the step as they are.
    sign = np.array([-1, -1, 1, 1, 1])[:, None, None]
    assert np.allclose(np.rot90(seen.grid, axes=(1, 2)) * sign, turned.grid, atol=1e-3)


def lattice_at(
    left: float, side: float, score: float, castle: tuple[int, int] | None = (0, 0), count: int = 2
) -> Lattice:
    """A grid of so many squares each way along the axes."""
    far = left + count * side
    corners = np.array([[left, 0], [far, 0], [far, count * side], [left, count * side]])
    quads = grid_quads(corners, count, count).reshape(count, count, 4, 2)
    return Lattice(corners, (count, count), quads, np.ones((count, count), bool), castle, score=score)


def test_of_grids_on_the_same_tiles_the_one_that_explains_them_best_is_kept() -> None:
    poor, good, beside = lattice_at(0, 100, 0.7), lattice_at(10, 95, 0.97), lattice_at(400, 50, 0.9)
    small_print = lattice_at(30, 20, 0.99)
    assert best_of([poor, small_print, good, beside]) == [good, beside]


def test_a_few_large_squares_seen_in_a_pattern_do_not_hide_a_kingdom() -> None:
    kingdom, pattern = lattice_at(0, 20, 0.98, count=5), lattice_at(300, 120, 0.9)
    assert pattern.merit > kingdom.merit
    assert of_one_box([pattern, kingdom]) == [kingdom]


def test_a_few_small_squares_seen_in_the_print_of_a_tile_are_no_kingdom() -> None:
    kingdom, print_ = lattice_at(0, 100, 0.95, count=5), lattice_at(900, 30, 0.99)
    assert of_one_box([kingdom, print_]) == [kingdom]


def test_a_kingdom_cut_by_the_edge_may_be_much_nearer() -> None:
    kingdom, near = lattice_at(0, 20, 0.98, count=5), replace(lattice_at(300, 60, 0.9), cut=True)
    assert of_one_box([kingdom, near]) == [kingdom, near]
    assert of_one_box([near]) == [near]


def test_kingdoms_nearer_and_farther_on_one_table_are_all_kept() -> None:
    near, far = lattice_at(0, 60, 0.98, count=3), lattice_at(300, 40, 0.9, count=5)
    assert of_one_box([near, far]) == [near, far]


def test_a_grid_is_sure_only_with_a_castle() -> None:
    assert lattice_at(0, 100, 0.99).sure
    assert not lattice_at(0, 100, 0.99, castle=None).sure
    assert not lattice_at(0, 100, 0.8).sure


def test_a_grid_without_a_castle_is_clear_only_with_very_clear_squares() -> None:
    assert lattice_at(0, 100, 0.9).clear
    assert not lattice_at(0, 100, 0.9, castle=None).clear
    assert lattice_at(0, 100, 0.99, castle=None).clear


def in_line(shift: tuple[float, float], columns: slice, rows: slice = slice(0, 5)) -> tuple[Scene, Pixels]:
    """A kingdom seen from above, and the picture with some of its squares laid out again so many squares away."""
    config = SceneConfig(
        size=(1400, 700), rotation=0.0, tilt=0.0, fill=0.55, glare=0.0, blur=0.0, clutter=0.0, strays=0, gap=0.0,
        crooked=0.0, shadow=0.0, cut_neighbour=False, castle="flat", edge=False, harshness=0.2, table="cloth",
    )  # fmt: skip
    laid = compose([Kingdom.from_notation(EXAMPLE)], OwnArt(), np.random.default_rng(9), config)
    quads = grid_quads(laid.kingdoms[0].corners, 5, 5).reshape(5, 5, 4, 2)[rows, columns]
    step = np.linalg.norm(laid.kingdoms[0].corners[1] - laid.kingdoms[0].corners[0]) / 5
    (left, top), (right, bottom) = (np.round(end(quads, axis=(0, 1, 2))).astype(int) for end in (np.min, np.max))
    dx, dy = (round(float(step) * part) for part in shift)
    image = laid.image.copy()
    image[top + dy : bottom + dy, left + dx : right + dx] = laid.image[top:bottom, left:right]
    return laid, image


def test_a_loose_domino_nearly_in_line_is_not_of_the_kingdom() -> None:
    laid, image = in_line((-2.15, 0.3), slice(0, 2), slice(1, 2))
    (lattice,) = locate(image, models())
    np.testing.assert_array_equal(lattice.present, covered(EXAMPLE))
    assert worst_error(lattice, laid.kingdoms[0].corners) < 0.1


def test_a_domino_in_line_and_touching_is_of_the_kingdom() -> None:
    _, image = in_line((-2.0, 0.0), slice(0, 2), slice(1, 2))
    (lattice,) = locate(image, models())
    assert lattice.shape == (5, 7)
    assert lattice.present.sum() == 27


def test_kingdoms_in_line_with_each_other_are_two() -> None:
    laid, image = in_line((6.0, 0.0), slice(0, 5))
    lattices = sorted(locate(image, models()), key=lambda lattice: float(lattice.middle[0]))
    assert [lattice.shape for lattice in lattices] == [(5, 5), (5, 5)]
    step = np.linalg.norm(laid.kingdoms[0].corners[1] - laid.kingdoms[0].corners[0]) / 5
    for lattice, squares in zip(lattices, (0.0, 6.0), strict=True):
        assert worst_error(lattice, laid.kingdoms[0].corners + (squares * step, 0.0)) < 0.1


def test_what_kingdoms_leave_over_of_a_grid_is_its_largest_free_group() -> None:
    cells = {(x, y): 0 for x in range(9) for y in range(2) if x != 4}
    patch = Patch(cells, np.diag([10.0, 10.0, 1.0]))
    tiles = grid_quads([[0, 0], [40, 0], [40, 20], [0, 20]], 2, 4).astype(np.float64)
    left = left_over(patch, tiles)
    assert left is not None
    assert set(left.cells) == {(x, y) for x in range(5, 9) for y in range(2)}
    assert left_over(Patch({(0, 0): 0, (8, 0): 0, (8, 1): 0}, patch.matrix), tiles) is None
    nothing_taken = left_over(patch, tiles[:0])
    assert nothing_taken is not None
    assert len(nothing_taken.cells) == 8
