"""Scenes are reproducible, come in every kind, and their files say how they are to be turned."""

from __future__ import annotations

import io
from collections import Counter

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from engine import DOMINOES, Kingdom, Square, verify
from vision.scenes import OwnArt, SceneConfig, compose, mistaken, random_kingdoms, random_scene, shuffled
from vision.scenes.__main__ import contact_sheet, main
from vision.scenes.layout import cut
from vision.scenes.tables import KINDS, WEIGHTS, texture

FACES = Counter(frozenset((domino.a, domino.b)) for domino in DOMINOES)


def test_same_seed_gives_same_bytes() -> None:
    first = random_scene(11, OwnArt(), size=256)
    # What was composed in between, and with which object, must not matter.
    random_scene(12, OwnArt(), size=256)
    again = random_scene(11, OwnArt(variants=6), size=256)
    assert first.image.tobytes() == again.image.tobytes()
    assert first.jpeg() == again.jpeg()
    assert first.sidecar() == again.sidecar()
    assert random_scene(13, OwnArt(), size=256).image.tobytes() != first.image.tobytes()


def test_a_generator_is_taken_as_well_as_a_seed() -> None:
    by_seed = random_scene(5, OwnArt(), size=128)
    by_generator = random_scene(np.random.default_rng(5), OwnArt(), size=128)
    assert np.array_equal(by_seed.image, by_generator.image)


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_exif_orientation_sets_the_stored_photo_upright(orientation: int) -> None:
    scene = random_scene(2, OwnArt(), size=(200, 120))
    stored = Image.open(io.BytesIO(scene.jpeg(95, orientation)))
    assert stored.size == ((120, 200) if orientation in (6, 8) else (200, 120))
    upright = cv2.cvtColor(np.asarray(ImageOps.exif_transpose(stored)), cv2.COLOR_RGB2BGR)
    difference = np.abs(upright.astype(int) - scene.image.astype(int)).mean()
    assert difference < 8
    assert difference < np.abs(upright[::-1].astype(int) - scene.image.astype(int)).mean()


@pytest.mark.slow
def test_two_hundred_random_scenes_compose() -> None:
    counts: Counter[int] = Counter()
    hidden = cut_off = loose = sevens = 0
    for seed in range(200):
        scene = random_scene(1000 + seed, OwnArt(), size=256)
        assert scene.image.shape == (256, 256, 3)
        assert scene.image.dtype == np.uint8
        whole = [truth for truth in scene.kingdoms if not truth.cut]
        counts[len(scene.kingdoms)] += 1
        hidden += any(truth.hidden for truth in scene.kingdoms)
        cut_off += len(whole) < len(scene.kingdoms)
        loose += bool(scene.stray)
        sevens += any(truth.size == 7 for truth in scene.kingdoms)
        for truth in whole:
            quads = np.array(list(truth.quads.values()))
            assert np.isfinite(quads).all()
            assert quads.min() > -10
            assert quads.max() < 266
    assert set(counts) >= {0, 1, 2, 3, 4}
    assert min(hidden, cut_off, loose, sevens) > 10


def test_directed_settings_are_obeyed() -> None:
    kingdom = Kingdom.from_notation("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")
    for fill in (0.1, 0.5, 0.9):
        config = SceneConfig(size=(400, 300), fill=fill, tilt=0.0, rotation=0.0, cut_neighbour=False)
        (truth,) = compose([kingdom], OwnArt(), np.random.default_rng(1), config).kingdoms
        extent = np.ptp(truth.corners, axis=0)
        assert max(extent / (400, 300)) == pytest.approx(fill, abs=0.02)


def test_sixteen_megapixels_and_a_fifth_of_one_compose() -> None:
    for size in ((520, 390), (4618, 3464)):
        scene = random_scene(6, OwnArt(), n_kingdoms=1, size=size)
        assert scene.image.shape == (size[1], size[0], 3)


def test_the_cutting_uses_dominoes_of_the_box() -> None:
    for seed in range(30):
        (kingdom,) = random_kingdoms(1, 5 if seed % 2 else 7, np.random.default_rng(seed))
        faces: Counter[frozenset[Square]] = Counter()
        for cells in cut(kingdom, np.random.default_rng(seed)):
            shown = [kingdom.cell(*cell) for cell in cells]
            squares = [cell for cell in shown if isinstance(cell, Square)]
            assert len(squares) in (0, 2)
            if squares:
                faces[frozenset(squares)] += 1
        assert all(count <= FACES[face] for face, count in faces.items())


def test_squares_that_no_cutting_covers_lie_alone() -> None:
    pieces = cut(Kingdom.from_notation("Cm3m3"), np.random.default_rng(0))
    assert sorted(len(cells) for cells in pieces) == [1, 1, 1]


def test_random_kingdoms_have_a_domino_at_least_and_reach_down_to_one() -> None:
    sizes = [
        sum(isinstance(cell, Square) for row in kingdom.rows for cell in row)
        for seed in range(60)
        for kingdom in random_kingdoms(1, 5, np.random.default_rng(seed))
    ]
    assert min(sizes) == 2
    assert max(sizes) == 24


def test_mistakes_keep_the_dominoes_but_not_always_the_rules() -> None:
    kingdom = Kingdom.from_notation("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")
    verdicts = [verify(mistaken(kingdom, np.random.default_rng(seed))) for seed in range(12)]
    assert all(verdict.tileable for verdict in verdicts)
    assert any(verdict.legal is False for verdict in verdicts)
    assert mistaken(Kingdom.from_notation("Cf1w"), np.random.default_rng(0)).notation == "Cf1w"


def test_a_shuffled_kingdom_has_the_same_dominoes_in_the_same_places_and_no_rule() -> None:
    kingdom = Kingdom.from_notation("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")
    others = [shuffled(kingdom, np.random.default_rng(seed)) for seed in range(12)]
    verdicts = [verify(other) for other in others]
    assert all(verdict.tileable for verdict in verdicts)
    assert sum(verdict.legal is False for verdict in verdicts) > 6
    for other in others:
        assert other.castle == kingdom.castle
        assert sorted(cell.symbol for _, cell in other) == sorted(cell.symbol for _, cell in kingdom)
    assert shuffled(kingdom, np.random.default_rng(3)) == others[3]
    assert len({other.notation for other in others}) == 12


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_table_is_painted_and_reproducible(kind: str) -> None:
    assert WEIGHTS[kind] > 0
    first = texture(kind, 1, 200)
    texture.cache_clear()
    assert np.array_equal(first, texture(kind, 1, 200))
    assert not np.array_equal(first, texture(kind, 2, 200))
    assert first.std() > 0.5


def test_the_contact_sheet_shows_24_scenes() -> None:
    sheet = contact_sheet(OwnArt(), seed=4)
    assert sheet.shape == (4 * 328, 6 * 328, 3)


def test_real_tiles_are_never_written_into_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "--source", "real", "docs/real_sheet.jpg"]) == 1
    assert "outside the project" in capsys.readouterr().err
