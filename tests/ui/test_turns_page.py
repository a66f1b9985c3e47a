"""The page that verifies turns: photos, typed kingdoms, correcting, keeping, walking, discards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.fakes import known_photos
from tests.ui.pages import html, opened, press, words
from ui import drafts, photos
from ui.session import TURNS
from ui.turns import TurnsDraft

SAMPLES = {"complete_5x5": ["Cff/w../w.."], "busy_table": []}
FULL = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"


@pytest.fixture
def app() -> AppTest:
    app = press(opened("turns"), "Begin")
    assert not app.exception
    return app


def saved() -> TurnsDraft:
    (draft,) = drafts.store().drafts.all(kind="turns")
    return TurnsDraft.from_json(draft.document)


def typed(app: AppTest, notation: str) -> AppTest:
    app.text_input[-1].set_value(notation).run()
    press(app, "Take this kingdom")
    assert not app.exception
    return app


def choose(app: AppTest, number: int) -> AppTest:
    """Choose a domino as a tap does; the tap itself is tested in a browser."""
    here = app.session_state[TURNS._key]
    key = f"turns {here.id} {here.epoch} {len(here.value.states)} domino"
    app.session_state[key] = number
    return app.run()


def test_a_legal_turn_is_named_and_kept(app: AppTest) -> None:
    typed(app, "Cff")
    assert "By the rules: domino 3, 4, 5 or 6 was added." in words(app)
    press(app, "Keep this state")
    assert [state.kingdom.notation for state in saved().states] == ["Cff"]


def test_an_illegal_turn_says_which_rule_it_breaks(app: AppTest) -> None:
    press(typed(app, "Cff"), "Keep this state")
    typed(app, "Cff/..l/..l")
    assert "Not by the rules" in words(app)
    assert "must touch the castle or its own terrain: lake" in words(app)


def test_the_states_can_be_walked_through(app: AppTest) -> None:
    for notation in ("Cff", "Cff/w../w..", "Cff/w../w../..."):
        press(typed(app, notation), "Keep this state")
    assert "State 3 of 3" in " ".join(each.value for each in app.markdown)
    press(app, "Previous")
    assert "By the rules: domino 1 or 2 was added." in words(app)
    press(app, "Previous")
    assert "domino 3, 4, 5 or 6" in words(app)
    press(app, "Next")
    assert "domino 1 or 2" in words(app)


def test_a_photo_is_compared_with_the_state_before(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known_photos(monkeypatch, tmp_path, SAMPLES)
    press(typed(app, "Cff"), "Keep this state")
    press(app, "Complete 5×5")
    assert not app.exception
    assert "By the rules: domino 1 or 2 was added." in words(app)
    press(app, "Keep this state")
    assert saved().states[1].photo is not None
    assert len(app.image) > 0


def test_a_reading_that_was_cut_short_is_taken_up_again(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known_photos(monkeypatch, tmp_path, SAMPLES)
    source = photos.keep((tmp_path / "complete_5x5.jpg").read_bytes())
    here = app.session_state[TURNS._key]
    draft = replace(here.value, source=source)
    drafts.store().drafts.save(here.id, draft.as_json(), here.version)
    again = opened("turns", draft=here.id)
    assert not again.exception
    assert "By the rules: 2 dominoes were added." in words(again)


def test_a_photo_without_a_kingdom_asks_for_corners(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known_photos(monkeypatch, tmp_path, SAMPLES)
    press(app, "Busy table")
    assert "Tap the four outer corners" in words(app)
    press(app, "Go on without this photo")
    assert saved().source is None


def test_a_corrected_reading_is_compared_anew(app: AppTest) -> None:
    press(typed(app, "Cff"), "Keep this state")
    typed(app, "Cff/l../w..")
    assert "By the rules" in words(app)
    press(app, "Remove the bottom row")
    assert "New but no domino of the box" in words(app)
    press(app, "Undo")
    assert "By the rules" in words(app)


def test_the_last_state_can_be_corrected_again(app: AppTest) -> None:
    press(typed(app, "Cff"), "Keep this state")
    press(app, "Correct the last state")
    assert saved().next is not None
    press(app, "Keep this state")
    assert len(saved().states) == 1


def test_a_discard_is_refused_while_there_is_a_place(app: AppTest) -> None:
    choose(app, 1)
    assert "It must not be discarded: there are 12 places for it." in words(app)
    assert "must be placed, however little it helps" in words(app)
    assert not any(button.label == "Write the discard down" for button in app.button)
    assert 'alt="wheat – wheat"' in html(app)


def test_a_discard_without_a_place_is_written_down(app: AppTest) -> None:
    press(typed(app, FULL), "Keep this state")
    choose(app, 1)
    assert "It may be discarded: domino 1 can be laid nowhere." in words(app)
    press(app, "Write the discard down")
    assert saved().states[-1].discarded == 1
    assert "Domino 1 was discarded." in words(app)


def test_two_castles_are_a_sentence_and_not_an_error(app: AppTest) -> None:
    typed(app, "CfC")
    assert not app.exception
    assert "compared by their one castle" in words(app)


def test_a_sequence_is_left_found_again_discarded_and_brought_back(app: AppTest) -> None:
    press(typed(app, "Cff"), "Keep this state")
    press(app, "Leave it for now")
    assert "Kingdoms you have begun" in [each.value for each in app.subheader]
    press(app, "Go on")
    press(app, "Discard this sequence")
    assert drafts.store().drafts.all(kind="turns") == ()
    press(app, "Undo: bring the draft back")
    assert len(saved().states) == 1
