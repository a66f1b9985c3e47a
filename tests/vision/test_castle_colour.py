"""The colour of a castle: told whatever the light and the turn, and not told where it is not sure."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from engine import Kingdom
from store import COLOURS as STORED_COLOURS
from tests.vision.fakes import corners_of, fake_models, picture_of
from vision import recognize as recognize_module
from vision.castle_colour import (
    COLOURS,
    CONFIG,
    CastleColour,
    ColourModel,
    castle_colour,
    cut_castle,
    feature_count,
    features_of,
    load_colour_model,
    paved,
)
from vision.data import DATA_DIR, board_labels, photo_labels
from vision.models import ModelError
from vision.photo import Photo, load_photo
from vision.recognize import Recognition, decode_game, recognize
from vision.rectify import grid_quads
from vision.report import kingdom_as_json
from vision.scenes import CASTLE_COLOURS, OwnArt
from vision.scenes.samples import SAMPLE_DIR, SAMPLES
from vision.training.castle import Count, colour_labels, real_castles

KINGDOM = Kingdom.from_notation("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")


def drawn(colour: CastleColour, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return OwnArt().deal(rng).castle(colour, CONFIG.side, rng)


def test_the_colours_are_those_of_the_store_and_of_the_composer() -> None:
    assert COLOURS == STORED_COLOURS == CASTLE_COLOURS


def test_a_castle_is_told_whichever_way_it_lies() -> None:
    crop = drawn("green")
    for quarter in range(1, 4):
        turned = np.ascontiguousarray(np.rot90(crop, quarter))
        assert np.allclose(features_of(turned), features_of(crop))


def sample_castles(name: str) -> list[CastleColour | None]:
    """The colours told of the castles of a sample, cut by its sidecar."""
    photo = load_photo(SAMPLE_DIR / f"{name}.jpg")
    colours = []
    for truth in json.loads((SAMPLE_DIR / f"{name}.json").read_text("utf-8"))["kingdoms"]:
        kingdom = Kingdom.from_notation(truth["notation"])
        assert kingdom.castle
        quads = grid_quads(photo.to_image(truth["corners"]), kingdom.height, kingdom.width)
        colours.append(castle_colour(photo.image, quads[kingdom.castle[0] * kingdom.width + kingdom.castle[1]]))
    return colours


def test_no_castle_of_a_sample_is_told_wrongly_and_most_are_told() -> None:
    directed = {each.name: each.config.castle_colour for each in SAMPLES if each.config.castle_colour}
    told = {name: sample_castles(name)[0] for name in directed}
    assert [name for name in directed if told[name] not in (None, directed[name])] == []
    assert sum(colour is not None for colour in told.values()) >= 7


def test_the_castles_of_one_table_differ() -> None:
    told = [colour for colour in sample_castles("four_kingdoms") if colour]
    assert len(told) >= 3
    assert len(set(told)) == len(told)


def test_the_light_of_the_room_hardly_changes_what_is_measured() -> None:
    crop = drawn("blue")
    warm = np.clip(crop * np.array([0.7, 0.9, 1.0]), 0, 255).astype(np.uint8)
    other = features_of(drawn("pink"))
    here = features_of(crop)
    assert np.linalg.norm(features_of(warm) - here) < 0.5 * np.linalg.norm(other - here)


@pytest.mark.parametrize("level", [0, 90, 255])
def test_a_picture_without_colour_tells_nothing(level: int) -> None:
    assert load_colour_model().tell(np.full((64, 64, 3), level, np.uint8)) is None


def test_on_grass_grey_is_not_taken_for_a_colour() -> None:
    assert paved(drawn("pink"))
    for grey in range(60, 200, 20):
        crop = np.full((64, 64, 3), (60, 170, 130), np.uint8)
        crop[16:48, 16:48] = grey
        assert not paved(crop)
        assert load_colour_model().tell(crop) is None


def test_noise_tells_nothing() -> None:
    rng = np.random.default_rng(3)
    told = [load_colour_model().tell(rng.integers(0, 256, (64, 64, 3)).astype(np.uint8)) for _ in range(20)]
    assert told == [None] * 20


def test_squares_at_and_beyond_the_edge_of_a_photo_are_cut_without_failing() -> None:
    image = np.full((40, 60, 3), 120, np.uint8)
    square = np.array([[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]])
    for shift in ((0, 0), (-10, -10), (50, 30), (200, 200), (-200, 0)):
        assert cut_castle(image, square + shift).shape == (CONFIG.side, CONFIG.side, 3)
        assert castle_colour(image, square + shift) is None


def test_a_crop_shows_the_square_and_nothing_beside_it() -> None:
    image = np.zeros((300, 300, 3), np.uint8)
    image[100:200, 80:180] = drawn("green").repeat(2, 0).repeat(2, 1)[:100, :100]
    quad = np.array([[80.0, 100.0], [180.0, 100.0], [180.0, 200.0], [80.0, 200.0]])
    assert cut_castle(image, quad).min() > 0


def test_the_model_survives_its_file() -> None:
    model = load_colour_model()
    again = ColourModel.from_json(model.as_json())
    assert again.colours == model.colours
    assert np.allclose(again.weights, model.weights) and np.allclose(again.biases, model.biases)


def test_a_model_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ModelError, match="does not fit"):
        ColourModel(("pink",), np.zeros((1, feature_count() + 1)), np.zeros(1))


def read_with(monkeypatch: pytest.MonkeyPatch, colour: CastleColour | None) -> Recognition:
    monkeypatch.setattr(recognize_module, "castle_colour", lambda _image, _quad: colour)
    photo = Photo.from_image(picture_of(KINGDOM))
    return recognize(photo, corners_of(KINGDOM), (5, 5), models=fake_models())[0]


def test_the_castle_itself_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(recognize_module, "castle_colour", lambda _image, quad: seen.append(quad))
    recognize(Photo.from_image(picture_of(KINGDOM)), corners_of(KINGDOM), (5, 5), models=fake_models())
    (left, top), right = corners_of(KINGDOM)[0], corners_of(KINGDOM)[1][0]
    side = (right - left) / 5
    assert np.allclose(seen, [[[left + 4 * side, top + 2 * side], [right, top + 2 * side],
                               [right, top + 3 * side], [left + 4 * side, top + 3 * side]]])  # fmt: skip


def test_the_colour_stays_when_kingdoms_are_read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    found = read_with(monkeypatch, "blue")
    assert found.castle_colour == "blue"
    assert [each.castle_colour for each in decode_game([found, replace(found, castle_colour=None)])] == ["blue", None]


def test_the_printed_form_of_a_kingdom_does_not_change(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = [kingdom_as_json(read_with(monkeypatch, colour)) for colour in ("blue", None)]
    assert printed[0] == printed[1]
    assert not [key for key in printed[0] if "colour" in key]


def test_where_the_eye_cannot_tell_every_answer_is_wrong() -> None:
    count = Count().with_answer("blue", "blue").with_answer("pink", None).with_answer(None, "green")
    assert (count.right, count.wrong, count.untold) == (1, 1, 1)


@pytest.mark.data
class TestRealCastles:
    def test_every_castle_has_a_label(self) -> None:
        files = {f"boards/{name}" for name in board_labels()} | {f"photos/{name}" for name in photo_labels()}
        for pattern in ("tiles/castle/*.jpg", "dominoes/castle*.jpg"):
            files |= {path.relative_to(DATA_DIR).as_posix() for path in DATA_DIR.glob(pattern)}
        assert set(colour_labels()) == files

    def test_castles_of_one_kingdom_have_one_colour(self) -> None:
        colours = colour_labels()
        of_kingdom: dict[str, set[CastleColour | None]] = {}
        for name, label in board_labels().items():
            of_kingdom.setdefault(label["kingdom"], set()).add(colours[f"boards/{name}"])
        assert all(len(told) == 1 for told in of_kingdom.values())

    def test_the_shipped_model_tells_no_castle_of_a_kingdom_wrongly(self) -> None:
        """It has seen these castles; what models tell that have not is written in the manifest."""
        model = load_colour_model()
        castles = [castle for castle in real_castles() if castle.kind.startswith(("board", "photo"))]
        told = [(castle.name, model.tell(castle.crop), castle.colour) for castle in castles]
        assert [row for row in told if row[1] not in (None, row[2])] == []
        assert sum(answer is not None for _name, answer, _true in told) >= 0.8 * len(told)
