"""The truth of a scene is what is drawn."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine import EMPTY, Kingdom, Square
from tests.vision.scenes.flat import FlatTiles, clean, nearest
from vision.scenes import KingdomTruth, OwnArt, Scene, compose, random_kingdoms, random_scene

LARGE = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"
GROWING = ".lll1w/wCgff1/s1g2ggl/swggg1/swf1.l"
SMALL = "Cf1w"
SEVEN = "gg1wwfww/w1wwfff1s/sw1wf1fgf/s2sww1wCl1/wm2m2mm3ll/wm1wfl1l1w/wm2sfll1w"


def scene_of(notation: str, seed: int, **changes: object) -> Scene:
    return compose([Kingdom.from_notation(notation)], FlatTiles(), np.random.default_rng(seed), clean(**changes))


def colour_at(scene: Scene, point: np.ndarray) -> np.ndarray:
    x, y = (int(round(float(v))) for v in point)
    return scene.image[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).mean(axis=0)


def cell_centres(truth: KingdomTruth) -> dict[tuple[int, int], np.ndarray]:
    """The centres of all cells, by the corners alone."""
    height, width = truth.kingdom.height, truth.kingdom.width
    box = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_picture = cv2.getPerspectiveTransform(box, truth.corners.astype(np.float32))
    cells = [(r, c) for r in range(height) for c in range(width)]
    points = np.array([[[c + 0.5, r + 0.5]] for r, c in cells], np.float32)
    return dict(zip(cells, cv2.perspectiveTransform(points, to_picture)[:, 0], strict=True))


@pytest.mark.parametrize("notation", [LARGE, GROWING, SMALL, SEVEN])
@pytest.mark.parametrize("rotation", [0.0, 44.0, 46.0, 91.0, 137.0, 180.0, 265.0, 314.0, 333.0])
def test_corners_lead_to_the_square_that_is_drawn_there(notation: str, rotation: float) -> None:
    scene = scene_of(notation, int(rotation), rotation=rotation)
    (truth,) = scene.kingdoms
    for (r, c), centre in cell_centres(truth).items():
        cell = truth.kingdom.cell(r, c)
        if cell is not EMPTY:
            assert nearest(colour_at(scene, centre)) == (cell if isinstance(cell, Square) else None)


@pytest.mark.parametrize("tilt", [0.0, 30.0, 60.0])
def test_quads_are_the_squares_that_are_drawn(tilt: float) -> None:
    scene = scene_of(LARGE, 7, tilt=tilt, rotation=25.0, gap=0.08, crooked=3.0)
    (truth,) = scene.kingdoms
    assert set(truth.quads) == {(r, c) for r in range(5) for c in range(5)}
    for (r, c), quad in truth.quads.items():
        cell = truth.kingdom.cell(r, c)
        for share in (0.0, 0.6):
            for corner in quad:
                point = quad.mean(axis=0) * (1 - share) + corner * share
                assert nearest(colour_at(scene, point)) == (cell if isinstance(cell, Square) else None)


def test_quads_end_where_the_tiles_end() -> None:
    scene = scene_of("Cw", 3, size=(600, 600), fill=0.9, rotation=10.0, gap=0.0, crooked=0.0)
    (truth,) = scene.kingdoms
    mask = np.zeros(scene.image.shape[:2], np.uint8)
    for quad in truth.quads.values():
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    wheat = truth.quads[next(cell for cell in truth.quads if isinstance(truth.kingdom.cell(*cell), Square))]
    colour = colour_at(scene, wheat.mean(axis=0))
    drawn = np.abs(scene.image.astype(float) - colour).sum(axis=2) < 30
    outside = drawn & (cv2.dilate(mask, np.ones((7, 7), np.uint8)) == 0)
    assert not outside.any()
    inner = np.zeros_like(mask)
    cv2.fillConvexPoly(inner, np.round(wheat).astype(np.int32), 1)
    inner = cv2.erode(inner, np.ones((31, 31), np.uint8))
    assert drawn[inner > 0].all()


@pytest.mark.parametrize("rotation", [0.0, 20.0, 45.0, 110.0])
def test_places_are_counted_from_the_corner_of_the_first_pixel(rotation: float) -> None:
    scene = scene_of("Cw", 3, size=(120, 120), fill=0.5, rotation=rotation, tilt=0.0, gap=0.0, crooked=0.0)
    (truth,) = scene.kingdoms
    wheat = truth.quads[next(cell for cell in truth.quads if isinstance(truth.kingdom.cell(*cell), Square))]
    drawn = np.abs(scene.image.astype(float) - colour_at(scene, wheat.mean(axis=0))).sum(axis=2) < 60
    rows, columns = np.nonzero(drawn)
    # Pixel (0, 0) reaches from 0 to 1, so its middle is at a half.
    assert np.allclose([columns.mean() + 0.5, rows.mean() + 0.5], wheat.mean(axis=0), atol=0.2)


@pytest.mark.parametrize("rotation", range(0, 360, 15))
def test_rows_run_along_the_x_axis_and_the_notation_is_a_rotation(rotation: int) -> None:
    scene = scene_of(GROWING, rotation, rotation=rotation + 0.5, tilt=0.0)
    (truth,) = scene.kingdoms
    along = truth.corners[1] - truth.corners[0]
    assert -45.0 < np.degrees(np.arctan2(along[1], along[0])) <= 45.0
    given = Kingdom.from_notation(GROWING)
    assert truth.notation in {given.rotated(q).notation for q in range(4)}
    # Clockwise in a picture whose y axis points down, so the area is positive.
    assert cv2.contourArea(truth.corners.reshape(-1, 1, 2), oriented=True) > 0
    for quad in truth.quads.values():
        assert cv2.contourArea(quad.reshape(-1, 1, 2), oriented=True) > 0


def test_dominoes_pair_neighbours_and_cover_every_square_once() -> None:
    (truth,) = scene_of(SEVEN, 5).kingdoms
    cells = [cell for domino in truth.dominoes for cell in domino]
    assert sorted(cells) == sorted(truth.quads)
    assert [len(domino) for domino in truth.dominoes].count(1) == 1
    for domino in truth.dominoes:
        if len(domino) == 2:
            (r1, c1), (r2, c2) = domino
            assert abs(r1 - r2) + abs(c1 - c2) == 1


def test_a_standing_castle_hides_its_own_square_and_a_flat_one_nothing() -> None:
    (flat,) = scene_of(LARGE, 1).kingdoms
    (standing,) = scene_of(LARGE, 1, castle="standing").kingdoms
    assert not flat.hidden
    assert standing.kingdom.castle in standing.hidden
    assert len(standing.hidden) < 6


def test_strong_glare_hides_squares() -> None:
    hidden = [len(scene_of(LARGE, seed, glare=250.0).kingdoms[0].hidden) for seed in range(6)]
    assert max(hidden) > 0


def test_a_kingdom_that_overflows_the_frame_is_cut() -> None:
    (inside,) = scene_of(LARGE, 2, fill=0.9).kingdoms
    (beyond,) = scene_of(LARGE, 2, fill=1.3).kingdoms
    assert not inside.cut
    assert beyond.cut


def test_a_neighbour_cut_by_the_frame_comes_last_and_is_no_part_of_the_sidecar() -> None:
    scene = scene_of(LARGE, 4, fill=0.5, cut_neighbour=True)
    assert [truth.cut for truth in scene.kingdoms] == [False, True]
    assert len(scene.sidecar()["kingdoms"]) == 1


def test_kingdoms_are_ordered_by_image_area_and_do_not_overlap() -> None:
    kingdoms = random_kingdoms(4, 5, np.random.default_rng(8))
    scene = compose(kingdoms, FlatTiles(), np.random.default_rng(8), clean(tilt=45.0))
    areas = [truth.area for truth in scene.kingdoms]
    assert len(areas) == 4
    assert areas == sorted(areas, reverse=True)
    for truth in scene.kingdoms:
        for cell, quad in truth.quads.items():
            square = truth.kingdom.cell(*cell)
            assert nearest(colour_at(scene, quad.mean(axis=0))) == (square if isinstance(square, Square) else None)


def test_loose_dominoes_lie_outside_every_kingdom() -> None:
    for seed in range(8):
        scene = scene_of(GROWING, seed, strays=5, fill=0.5)
        for stray in scene.stray:
            middle = tuple(float(v) for v in stray.quad.mean(axis=0))
            for quad in scene.kingdoms[0].quads.values():
                assert cv2.pointPolygonTest(quad.reshape(-1, 1, 2), middle, False) < 0
        seen = [s for s in scene.stray if np.all((s.quad.mean(axis=0) > 3) & (s.quad.mean(axis=0) < 476))]
        for stray in seen:
            assert nearest(colour_at(scene, stray.quad.mean(axis=0))) == stray.square


def test_a_table_without_a_kingdom_has_none() -> None:
    scene = random_scene(3, OwnArt(), n_kingdoms=0, size=256)
    assert scene.kingdoms == ()
    assert scene.image.shape == (256, 256, 3)


def test_colours_under_the_drawn_squares_belong_to_their_terrains() -> None:
    """Our own art under a plain light: every square's mean colour is nearest to its own terrain's usual one."""
    art, dice = OwnArt(), np.random.default_rng(0)
    usual: dict[str, list[np.ndarray]] = {}
    kingdoms = [LARGE, GROWING, SEVEN]
    squares = {c for n in kingdoms for row in Kingdom.from_notation(n).rows for c in row if isinstance(c, Square)}
    for square in sorted(squares, key=lambda s: s.symbol):
        picture = art.square(square, 64, dice)
        usual.setdefault(square.terrain.value, []).append(picture.reshape(-1, 3).mean(axis=0))
    means = {terrain: np.mean(values, axis=0) for terrain, values in usual.items()}
    for seed, notation in enumerate(kingdoms):
        kingdom = Kingdom.from_notation(notation)
        scene = compose([kingdom], art, np.random.default_rng(seed), clean(rotation=130.0 * seed))
        (truth,) = scene.kingdoms
        for cell, quad in truth.quads.items():
            square = truth.kingdom.cell(*cell)
            if isinstance(square, Square):
                inner = quad.mean(axis=0) + 0.8 * (quad - quad.mean(axis=0))
                mask = np.zeros(scene.image.shape[:2], np.uint8)
                cv2.fillConvexPoly(mask, np.round(inner).astype(np.int32), 1)
                colour = scene.image[mask > 0].mean(axis=0)
                found = min(means, key=lambda t: float(np.linalg.norm(means[t] - colour)))
                assert found == square.terrain.value, (cell, square.symbol)
