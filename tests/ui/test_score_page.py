"""The page that scores kingdoms of a photo: reading once, correcting, coming back, starting over."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine import Kingdom, Square, Terrain, score
from tests.ui.fakes import known_photos
from tests.ui.pages import html, opened, points, press, tap, words
from ui import drafts
from ui.session import SCORES
from ui.values import ScoreDraft

KINGDOM = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"
SAMPLES = {"complete_5x5": [KINGDOM], "two_kingdoms": [KINGDOM, KINGDOM], "busy_table": []}


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    return known_photos(monkeypatch, tmp_path, SAMPLES)


@pytest.fixture
def app(readings: list[int]) -> AppTest:
    """The page after a photo with one kingdom."""
    app = press(opened("score"), "Complete 5×5")
    assert not app.exception
    return app


def draft_of(app: AppTest) -> str:
    """The id of the draft in the address of the page."""
    named = app.query_params[drafts.PARAMETER]
    return named[0] if isinstance(named, list) else named


def saved(app: AppTest) -> ScoreDraft:
    return ScoreDraft.from_json(drafts.store().drafts.open(draft_of(app)).document)


def tapped(app: AppTest, row: int, column: int) -> AppTest:
    """Open a square as a tap on the board does; the tap itself is tested in a browser."""
    here = app.session_state[SCORES._key]
    entry = here.value.kingdoms[0]
    editor = entry.editor.select((row, column))
    here.value = here.value.with_kingdom(0, type(entry)(editor, entry.source, entry.index, entry.model))
    return app.run()


def test_a_photo_is_read_and_scored(app: AppTest) -> None:
    assert points(app) == 47
    assert "could have been built by the rules" in words(app)
    assert app.image


def test_a_photo_is_read_once_however_often_the_page_is_drawn(app: AppTest, readings: list[int]) -> None:
    for _ in range(3):
        app.run()
    assert len(readings) == 1


def test_the_same_photo_chosen_again_is_not_read_again(app: AppTest, readings: list[int]) -> None:
    press(app, "Start over")
    press(app, "Complete 5×5")
    assert points(app) == 47
    assert len(readings) == 1


def test_a_guess_puts_the_square_right_and_the_score_follows(app: AppTest) -> None:
    tapped(app, 0, 0)
    here = app.session_state[SCORES._key]
    wheat = here.value.kingdoms[0].editor.put((0, 0), Square(Terrain.WHEAT, 0))
    entry = here.value.kingdoms[0]
    here.value = here.value.with_kingdom(0, type(entry)(wheat, entry.source, 0, entry.model))
    app.run()
    assert points(app) == 45
    guess = next(button for button in app.button if button.label.startswith("Lake with 1 crown"))
    guess.click().run()
    assert points(app) == 47
    assert saved(app).kingdoms[0].kingdom.notation == KINGDOM


def test_taps_that_come_at_once_all_count(app: AppTest) -> None:
    tap(app, [1, "open", 0, 0], [2, "put", 0, 0, "w"], [3, "open", 0, 1], [4, "put", 0, 1, "w"], [5, "step", "undo"])
    kingdom = saved(app).kingdoms[0].kingdom
    assert [cell.symbol for cell in kingdom.rows[0][:2]] == ["w", "f"]


def test_a_tap_that_is_sent_again_counts_once(app: AppTest) -> None:
    tap(app, [1, "put", 0, 0, "w"], [2, "step", "turn"])
    tap(app, [1, "put", 0, 0, "w"], [2, "step", "turn"], [3, "step", "turn"])
    assert saved(app).kingdoms[0].editor.now.turns == 2


def test_a_tap_beside_the_board_or_on_no_tool_changes_nothing(app: AppTest) -> None:
    tap(app, [1, "put", 9, 9, "w"], [2, "open", -1, 40], [3, "step", "explode"])
    assert not app.exception
    assert points(app) == 47
    assert saved(app).kingdoms[0].kingdom.notation == KINGDOM


def test_an_open_square_shows_its_piece_of_the_photo(app: AppTest) -> None:
    before = len(app.image)
    tapped(app, 1, 1)
    assert len(app.image) == before + 1
    assert "Row 2, column 2: grassland with 2 crowns" in " ".join(each.value for each in app.markdown)


def test_turning_undo_and_redo_keep_the_score(app: AppTest) -> None:
    press(app, "Turn")
    assert saved(app).kingdoms[0].kingdom == Kingdom.from_notation(KINGDOM).rotated()
    assert points(app) == 47
    press(app, "Undo")
    assert saved(app).kingdoms[0].kingdom.notation == KINGDOM
    press(app, "Redo")
    assert saved(app).kingdoms[0].kingdom == Kingdom.from_notation(KINGDOM).rotated()
    press(app, "Back to what was read")
    assert saved(app).kingdoms[0].kingdom.notation == KINGDOM


def test_a_row_removed_comes_back_and_sizes_lose_nothing(app: AppTest) -> None:
    press(app, "Remove the top row")
    assert points(app) == score(Kingdom.from_notation(KINGDOM.split("/", 1)[1])).total
    press(app, "Undo")
    for number, size in ((2, 7), (1, 5), (0, None)):
        next(box for box in app.selectbox if box.label == "Size of the kingdom").select_index(number).run()
        assert points(app) == 47
        assert saved(app).size == size


def test_bonuses_are_added_with_their_reason(app: AppTest) -> None:
    next(toggle for toggle in app.toggle if toggle.label == "Harmony").set_value(True).run()
    assert points(app) == 52
    assert "All 5×5 squares are covered" in words(app)


def test_several_kingdoms_have_a_tab_each_and_make_a_game(readings: list[int]) -> None:
    app = press(opened("score"), "Two kingdoms")
    assert [tab.label for tab in app.tabs] == ["Kingdom 1", "Kingdom 2"]
    press(app, "Make a game of these kingdoms")
    assert not app.exception
    (game,) = drafts.store().drafts.all(kind="game")
    assert [seat["kingdom"]["index"] for seat in game.document["seats"]] == [0, 1]


def test_a_photo_without_a_kingdom_asks_for_the_corners(readings: list[int]) -> None:
    app = press(opened("score"), "Busy table")
    assert not app.exception
    assert "Tap the four outer corners" in words(app)
    assert "kd-points" not in html(app)
    read = next(button for button in app.button if button.label == "Read the kingdom")
    assert read.disabled


def test_a_reload_and_another_tab_come_back_to_the_same_kingdom(app: AppTest) -> None:
    press(app, "Turn")
    again = opened("score", draft=draft_of(app))
    assert points(again) == 47
    assert saved(again).kingdoms[0].kingdom == Kingdom.from_notation(KINGDOM).rotated()
    press(again, "Undo")
    assert saved(again).kingdoms[0].kingdom.notation == KINGDOM


def test_two_tabs_do_not_overwrite_each_other_silently(app: AppTest) -> None:
    other = opened("score", draft=draft_of(app))
    press(other, "Turn")
    press(app, "Remove the top row")
    assert "changed on another phone or in another tab" in words(app)
    assert saved(app).kingdoms[0].kingdom == Kingdom.from_notation(KINGDOM).rotated()
    press(app, "Keep what I have here")
    assert saved(app).kingdoms[0].kingdom.notation == KINGDOM.split("/", 1)[1]


def test_what_another_tab_saved_can_be_taken(app: AppTest) -> None:
    other = opened("score", draft=draft_of(app))
    press(other, "Turn")
    press(app, "Remove the top row")
    press(app, "Show what was saved there")
    assert "another phone" not in words(app)
    assert app.session_state[SCORES._key].value.kingdoms[0].kingdom == Kingdom.from_notation(KINGDOM).rotated()


def test_starting_over_can_be_undone(app: AppTest) -> None:
    press(app, "Start over")
    assert "kd-points" not in html(app)
    press(app, "Undo: bring the draft back")
    assert points(app) == 47


def test_a_kingdom_is_built_by_hand_from_empty() -> None:
    app = press(opened("score"), "Build it by hand")
    assert points(app) == 0
    assert saved(app).kingdoms[0].kingdom.notation == "/".join(["....."] * 5)


def test_a_typed_kingdom_can_be_corrected() -> None:
    app = opened("score")
    app.text_input(key="score typed").set_value("Cf1w\n.fw")
    press(app, "Take this kingdom")
    assert points(app) == 2


def test_a_bad_typed_kingdom_is_a_sentence() -> None:
    app = opened("score")
    app.text_input(key="score typed").set_value("<b>x</b>")
    press(app, "Take this kingdom")
    assert not app.exception
    assert "Row 1, square 1" in words(app)


@pytest.mark.parametrize("name", ["nonsense", "'; DROP TABLE drafts; --", "00000000-0000-0000-0000-000000000000"])
def test_an_address_with_an_unknown_draft_begins_anew(name: str) -> None:
    app = opened("score", draft=name)
    assert not app.exception
    assert any(button.label == "Build it by hand" for button in app.button)


def test_a_broken_photo_is_a_sentence(readings: list[int], tmp_path: Path) -> None:
    app = opened("score")
    (tmp_path / "oblique.jpg").write_bytes(b"\xff\xd8\xff no photo")
    press(app, "Seen from the side")
    assert not app.exception
    assert "photo" in words(app)
    assert "Traceback" not in words(app)
