"""The one way in: photos with marked corners, doubt, games; with networks that know the truth."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine import Kingdom, KingdominoError, Rules
from tests.vision.fakes import ColourClassifier, corners_of, fake_models, picture_of
from tests.vision.kingdoms import random_kingdom
from vision import recognize as recognize_module
from vision.annotate import annotated
from vision.config import RECOGNIZE, TRUST
from vision.decode import decode_cut
from vision.kingdom_grid import Lattice, LocateModels
from vision.locate import LocateError
from vision.photo import Photo
from vision.recognize import LEFT_OUT, STAGES, UNCLEAR, Recognition, decode_game, load_models, recognize
from vision.report import kingdom_as_json, photo_as_json

KINGDOM = Kingdom.from_notation("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")


def read(kingdom: Kingdom, sure: float = 0.999, **options: object) -> Recognition:
    photo = Photo.from_image(picture_of(kingdom))
    shape = (kingdom.height, kingdom.width)
    arguments: dict = {"corners": corners_of(kingdom), "shape": shape, "models": fake_models(sure), **options}
    return recognize(photo, **arguments)[0]


def test_marked_corners_give_the_kingdom_its_score_and_its_verdict() -> None:
    found = read(KINGDOM)
    assert found.kingdom == KINGDOM
    assert found.score.points == 47
    assert found.judgement == "legal"
    assert found.check == () and found.note == "" and not found.cut
    assert np.allclose(found.corners, corners_of(KINGDOM))
    assert found.squares.shape == (5, 5) and found.squares.min() > 0.99
    assert set(found.seconds) == set(STAGES)
    assert found.model == "none colours"


def test_the_table_around_marked_corners_is_seen_too() -> None:
    asked: list[int] = []

    class Counting(ColourClassifier):
        def probabilities_together(self, crops: Sequence[np.ndarray] | np.ndarray, quads: np.ndarray) -> np.ndarray:
            asked.append(len(crops))
            return super().probabilities_together(crops, quads)

    models = replace(fake_models(), classifier=Counting())  # type: ignore[arg-type]
    assert read(KINGDOM, models=models).kingdom == KINGDOM
    assert asked == [25 + 24] * len(asked)
    # A photo that ends where the kingdom ends shows no table.
    asked.clear()
    margin = int(corners_of(KINGDOM)[0][0])
    tight = picture_of(KINGDOM)[margin:-margin, margin:-margin]
    height, width = tight.shape[:2]
    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    found = recognize(Photo.from_image(tight.copy()), corners=corners, shape=(5, 5), models=models)[0]
    assert found.kingdom == KINGDOM
    assert asked == [25] * len(asked)


def test_corners_may_come_in_any_order() -> None:
    rng = random.Random(1)
    for _ in range(6):
        corners = corners_of(KINGDOM)
        rng.shuffle(corners)
        assert read(KINGDOM, corners=corners).kingdom == KINGDOM


@pytest.mark.parametrize("shape", [(3, 5), (5, 3)])
def test_rows_and_columns_may_be_exchanged(shape: tuple[int, int]) -> None:
    kingdom = Kingdom.from_notation("ffff./fw1Cf1w/wwwf.")
    assert read(kingdom, shape=shape).kingdom == kingdom


def test_empty_borders_are_trimmed_and_the_corners_with_them() -> None:
    kingdom = Kingdom.from_notation("...../.fw1Cf/...../.....").padded()
    photo = Photo.from_image(picture_of(kingdom))
    found = recognize(photo, corners_of(kingdom), (4, 5), models=fake_models())[0]
    assert found.kingdom.notation == "fw1Cf" or found.kingdom == kingdom.trimmed()
    assert found.corners[0] == pytest.approx([100, 100], abs=0.01)
    assert found.corners[2] == pytest.approx([260, 140], abs=0.01)
    assert found.quads.shape == (1, 4, 4, 2)
    assert found.origin == (1, 1)


def test_an_illegal_kingdom_is_read_as_it_lies() -> None:
    kingdom = Kingdom.from_notation("Cwf/.lg")
    found = read(kingdom)
    assert found.kingdom == kingdom
    assert found.judgement == "illegal"


def test_a_second_box_is_kept_and_said() -> None:
    kingdom = Kingdom.from_notation("m3wl/Cfl/wm3l1")
    found = read(kingdom, sure=0.9999)
    assert found.kingdom == kingdom
    assert found.judgement == "untileable"
    assert "second box" in found.note


def test_overruled_squares_are_always_worth_a_look() -> None:
    shown = KINGDOM.replaced(4, 3, KINGDOM.cell(3, 0))
    found = read(shown, sure=0.9)
    assert found.kingdom != shown
    assert found.overruled
    assert set(found.overruled) <= set(found.check)


def test_doubtful_squares_come_most_doubtful_first_and_are_few() -> None:
    found = read(KINGDOM, sure=0.7)
    doubts = [found.squares[cell] for cell in found.check if cell not in found.overruled]
    assert doubts == sorted(doubts)
    assert 0 < len(doubts) <= TRUST.most


def test_a_given_size_is_used_for_the_rules() -> None:
    assert read(KINGDOM).rules == Rules(size=5)
    assert read(KINGDOM, size=7).rules == Rules(size=7)


def test_stages_are_told_in_order() -> None:
    told: list[str] = []
    read(KINGDOM, progress=told.append)
    assert told == list(STAGES.values())


@pytest.mark.parametrize(
    "corners, shape",
    [
        ([(0, 0), (1, 0), (1, 1), (0, 1)], (5, 5)),
        ([(0, 0), (100, 0), (200, 0), (300, 0)], (5, 5)),
        ([(0, 0), (100, 0), (100, 100), (np.nan, 100)], (5, 5)),
        ([(0, 0), (100, 0), (100, 100), (0, 100)], (0, 5)),
        ([(0, 0), (100, 0), (100, 100), (0, 100)], (5, 8)),
    ],
)
def test_corners_that_cannot_be_meant_are_refused(corners: list, shape: tuple[int, int]) -> None:
    with pytest.raises(LocateError):
        read(KINGDOM, corners=corners, shape=shape)


def test_a_bad_photo_raises_our_own_error() -> None:
    with pytest.raises(KingdominoError):
        recognize(b"%PDF-1.4 no photo", models=fake_models())


def test_results_are_the_same_from_run_to_run() -> None:
    one, other = read(KINGDOM, sure=0.8), read(KINGDOM, sure=0.8)
    assert one.kingdom == other.kingdom and one.check == other.check
    assert np.array_equal(one.squares, other.squares)


def test_the_game_settles_what_one_photo_cannot() -> None:
    # w-f lies in the second kingdom, so the first cannot have it too.
    found = [read(Kingdom.from_notation("Cwf")), read(Kingdom.from_notation("Cwf"))]
    grid = found[0].probabilities.copy()
    grid[0, 2] *= 0.5
    grid[0, 2, 3] += 0.5 * 0.4
    doubtful = replace(found[0], probabilities=grid / grid.sum(axis=2, keepdims=True))
    together = decode_game([doubtful, found[1]], Rules(players=2))
    assert [one.kingdom.notation for one in together] == ["Cwf1", "Cwf"]
    assert together[0].check == ((0, 2),)
    assert together[0].rules.players == 2


def test_a_kingdom_cut_by_the_edge_is_read_square_by_square_and_left_out_of_the_game() -> None:
    # A second castle where the edge cuts: no box can build it, and nobody wonders.
    part = read(KINGDOM.replaced(0, 0, KINGDOM.cell(2, 4)), sure=0.9)
    decoding = decode_cut(part.probabilities)
    assert len(decoding.kingdom.castles) == 2 and not decoding.tileable and not decoding.note
    cut = replace(part, cut=True, decoding=decoding, lattice=replace(part.lattice, cut=True))
    again = decode_game([cut, read(Kingdom.from_notation("Cwf"))])
    assert [one.kingdom.notation for one in again] == [decoding.kingdom.notation, "Cwf"]
    assert not again[0].note and again[0].cut


def test_a_kingdom_that_only_seems_cut_is_still_helped_by_the_box() -> None:
    grid = read(KINGDOM, sure=0.9999).probabilities.copy()
    grid[0, 0] = 0.001
    grid[0, 0, [5, 16]] = 0.4, 0.58
    assert len(decode_cut(grid).plain.castles) == 2
    assert decode_cut(grid).kingdom == KINGDOM


def test_a_game_of_clear_kingdoms_stays_as_it_is() -> None:
    rng = random.Random(3)
    box = None
    kingdom = random_kingdom(rng, 5, box)
    assert decode_game([read(kingdom)])[0].kingdom == kingdom


def test_something_beside_the_kingdom_that_is_no_domino_is_left_out_and_said() -> None:
    # A lone square of swamp in a row of its own: no domino covers it.
    kingdom = Kingdom.from_notation("fw1Cf1w/s....")
    found = read(kingdom, sure=0.9)
    assert found.kingdom.notation == "fw1Cf1w"
    assert found.note == LEFT_OUT


def test_a_kingdom_that_is_hard_to_see_as_a_whole_says_so() -> None:
    found = read(KINGDOM)
    assert not found.note
    game = [replace(found, lattice=replace(found.lattice, score=RECOGNIZE.unclear_score - 0.01))]
    assert decode_game(game)[0].note == UNCLEAR
    small = replace(found.lattice, quads=found.lattice.quads / 4)
    assert "hardly 10 pixels" in decode_game([replace(found, lattice=small)])[0].note


def test_a_grid_on_which_only_a_castle_is_left_is_no_kingdom(monkeypatch: pytest.MonkeyPatch) -> None:
    kingdom, chance = (
        replace(found.lattice, probabilities=found.probabilities)
        for found in (read(KINGDOM), read(Kingdom.from_notation("C..")))
    )
    photo = Photo.from_image(picture_of(KINGDOM))

    def seen(*lattices: Lattice) -> list[Recognition]:
        monkeypatch.setattr(recognize_module, "locate", lambda image, models, progress: list(lattices))
        return recognize(photo, models=fake_models())

    assert [found.kingdom for found in seen(kingdom, replace(chance, cut=True))] == [KINGDOM]
    with pytest.raises(LocateError) as refused:
        seen(chance)
    assert refused.value.reason == "no_kingdom"
    # Where a person says that there is a kingdom, there is one.
    assert read(Kingdom.from_notation("C..")).kingdom == Kingdom.lone_castle()


def test_networks_are_asked_by_one_thread_at_a_time() -> None:
    busy = threading.Lock()

    class Alone(ColourClassifier):
        def probabilities_together(self, crops: object, quads: np.ndarray) -> np.ndarray:
            assert busy.acquire(blocking=False), "two threads asked the network at once"
            try:
                time.sleep(0.02)
                return super().probabilities_together(crops, quads)  # type: ignore[arg-type]
            finally:
                busy.release()

    models = replace(fake_models(), classifier=Alone())  # type: ignore[arg-type]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: read(KINGDOM, models=models).kingdom, range(8)))
    assert results == [KINGDOM] * 8


def test_models_are_loaded_once_however_many_threads_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[int | None] = []

    def load(fold: int | None = None) -> LocateModels:
        time.sleep(0.02)
        loaded.append(fold)
        return fake_models()

    monkeypatch.setattr(LocateModels, "load", load)
    monkeypatch.setattr(recognize_module, "_models", {})
    with ThreadPoolExecutor(4) as pool:
        models = set(pool.map(lambda _: id(load_models()), range(8)))
    assert loaded == [None] and len(models) == 1


def test_json_has_the_keys_of_the_format() -> None:
    found = read(KINGDOM)
    value = json.loads(json.dumps(photo_as_json("a.jpg", [found], found.seconds)))
    assert list(value) == ["photo", "kingdoms", "seconds", "error"]
    kingdom = value["kingdoms"][0]
    assert {"corners", "confidence", "squares", "check", "verdict", "cut"} <= set(kingdom)
    assert kingdom["notation"] == KINGDOM.notation and kingdom["points"] == 47
    assert kingdom["verdict"] == "legal" and kingdom["check"] == []
    assert np.shape(kingdom["squares"]) == (5, 5) and np.shape(kingdom["corners"]) == (4, 2)
    assert kingdom == json.loads(json.dumps(kingdom_as_json(found)))


def test_the_overlay_marks_squares_to_check_and_keeps_the_table() -> None:
    image = picture_of(KINGDOM)
    photo = Photo.from_image(image)
    found = recognize(photo, corners_of(KINGDOM), (5, 5), models=fake_models())
    drawn = annotated(photo, found)
    assert drawn.shape == image.shape
    assert np.array_equal(drawn[:40, :40], image[:40, :40])
    assert not np.array_equal(drawn[60:260, 60:260], image[60:260, 60:260])
    doubted = annotated(photo, [replace(found[0], check=((2, 2),))])
    changed = np.argwhere(np.abs(doubted.astype(int) - drawn).sum(axis=2) > 30)
    assert cv2.boundingRect(changed[:, ::-1].astype(np.int32))[:2] == pytest.approx((140, 140), abs=4)
