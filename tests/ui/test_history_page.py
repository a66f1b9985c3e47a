"""The page of all games: listed by pages, opened, edited with photos and turns, deleted and brought back."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from engine import Kingdom, Rules
from store import Correction, GameEntry, Reading, SavedGame, SeatEntry
from tests.ui.fakes import known_photos
from tests.ui.pages import html, opened, press, words
from ui import drafts, reading
from ui.editor import Editor
from ui.session import EDITS
from ui.turns import TurnsDraft
from ui.values import KingdomEntry

HOSTILE = "<script>alert(1)</script>"


def played(note: str = "", day: int = 1, **kingdoms: str) -> SavedGame:
    kingdoms = kingdoms or {"Anna": "Cf1f", "Ben": "C"}
    seats = tuple(SeatEntry(name, Reading(kingdom)) for name, kingdom in kingdoms.items())
    return drafts.store().games.add(
        GameEntry(Rules(players=len(seats)), seats, datetime(2025, 3, day, 20, 15, tzinfo=UTC), note)
    )


def pressed(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def edited(app: AppTest) -> AppTest:
    """Save the edit that is open."""
    return press(app, "Save the changes")


def test_without_games_the_page_says_so() -> None:
    assert "There is no game yet." in words(opened("history"))


def test_games_are_listed_newest_first_by_pages() -> None:
    for day in range(1, 13):
        played(f"game of day {day}", day)
    app = opened("history")
    assert "game of day 12" in words(app) and "game of day 3" in words(app)
    assert "game of day 2 " not in words(app)
    press(app, "Older")
    assert "game of day 2" in words(app) and "game of day 12" not in words(app)
    press(app, "Newer")
    assert "game of day 12" in words(app)


def test_only_games_of_chosen_players_are_listed() -> None:
    played("with Ben")
    played("with Cleo", Anna="C", Cleo="Cf1f")
    app = opened("history")
    cleo = next(player.id for player in drafts.store().players.all() if player.name == "Cleo")
    app.multiselect[0].set_value([cleo]).run()
    assert "with Cleo" in words(app) and "with Ben" not in words(app)


def test_an_opened_game_shows_its_podium_and_kingdoms() -> None:
    game = played("a note")
    app = pressed(opened("history"), f"open {game.id}")
    assert "a note" in words(app)
    assert "Anna wins" in words(app)
    assert html(app).count("kd-board") == 2
    pressed(app, "history back")
    assert "1 game" in [each.value for each in app.caption]


def test_note_and_day_are_edited_and_the_time_of_day_stays() -> None:
    game = played("befor")
    app = pressed(opened("history"), f"edit {game.id}")
    app.date_input[0].set_value(date(2024, 12, 24)).run()
    app.text_area[0].set_value("before Christmas").run()
    edited(app)
    again = drafts.store().games.open(game.id)
    assert again.note == "before Christmas"
    assert again.played_at == datetime(2024, 12, 24, 20, 15, tzinfo=UTC)
    assert "before Christmas" in words(app)


def test_a_corrected_kingdom_keeps_its_photo_and_names_the_correction() -> None:
    records = drafts.store()
    photo = records.photos.add(jpeg())
    read = Reading("Cf1f", recognised="Cf1f", model_version="squares-1", photo=photo)
    seats = (SeatEntry("Anna", read), SeatEntry("Ben", Reading("C")))
    game = records.games.add(GameEntry(Rules(players=2), seats))
    app = pressed(opened("history"), f"edit {game.id}")
    here = app.session_state[EDITS._key]
    here.value = here.value.with_seat(0, kingdom=KingdomEntry(Editor.of_kingdom(kingdom("Cf1w"))))
    drafts.store().drafts.save(here.id, here.value.as_json(), here.version)
    here.version += 1
    edited(app.run())
    again = records.games.open(game.id).seats[0].reading
    assert again.kingdom == "Cf1w"
    assert again.photo == photo
    assert again.corrections == (Correction(0, 2, "f", "w"),)


def test_a_photo_is_replaced_and_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    known_photos(monkeypatch, tmp_path, {"complete_5x5": ["l1ff1/lg2C"]})
    game = played()
    app = pressed(opened("history"), f"edit {game.id}")
    press(app, "Complete 5×5")
    assert "A new photo takes the place" in words(app)
    edited(app)
    seat = drafts.store().games.open(game.id).seats[0]
    assert seat.reading.kingdom == "l1ff1/lg2C"
    assert seat.reading.photo and seat.reading.thumbnail
    assert drafts.store().games.open(game.id).seats[1].reading.kingdom == "C"
    pressed(app, "edit open")
    press(app, "Remove the photo")
    edited(app)
    assert drafts.store().games.open(game.id).seats[0].reading.photo is None


def test_turns_are_kept_with_a_kingdom_and_walked_through() -> None:
    game = played(Anna="Cff/w../w..", Ben="C")
    draft = TurnsDraft(next=entry("Cff")).kept()
    draft = TurnsDraft.from_json({**draft.as_json(), "next": entry("Cff/w../w..").as_json()}).kept()
    drafts.store().drafts.start(draft.as_json(), kind="turns")
    app = pressed(opened("history"), f"edit {game.id}")
    box = next(box for box in app.selectbox if box.label.startswith("Turn by turn"))
    box.select_index(1).run()
    edited(app)
    assert [turn.reading.kingdom for turn in drafts.store().games.open(game.id).seats[0].turns] == [
        "Cff",
        "Cff/w../w..",
    ]
    assert drafts.store().drafts.all(kind="turns") == ()
    assert "By the rules: domino 1 or 2 was added." in words(app)


def test_an_edit_that_another_tab_overtook_is_not_lost_and_overwrites_only_when_told() -> None:
    game = played("first")
    app = pressed(opened("history"), f"edit {game.id}")
    app.text_area[0].set_value("mine").run()
    entry_now = drafts.store().games.open(game.id)
    drafts.store().games.edit(game.id, GameEntry(entry_now.rules, entry_now.entry.seats, note="theirs"), 1)
    edited(app)
    assert "edited on another phone" in words(app)
    assert drafts.store().games.open(game.id).note == "theirs"
    edited(app)
    assert drafts.store().games.open(game.id).note == "mine"


def test_an_edit_that_was_left_is_found_again_and_can_be_discarded() -> None:
    game = played("first")
    app = pressed(opened("history"), f"edit {game.id}")
    app.text_area[0].set_value("half").run()
    later = opened("history")
    assert "not finished" in " ".join(each.value for each in later.markdown)
    press(later, "Go on")
    assert later.text_area[0].value == "half"
    press(later, "Discard the changes")
    assert drafts.store().drafts.all(kind="edit") == ()
    assert drafts.store().games.open(game.id).note == "first"


def test_a_deleted_game_is_brought_back_by_undo_and_from_the_list() -> None:
    game = played("gone?")
    app = pressed(opened("history"), f"delete {game.id}")
    assert "The game was deleted." in words(app)
    assert drafts.store().games.page().total == 0
    press(app, "Undo: bring the game back")
    assert "gone?" in words(app)
    assert drafts.store().games.page().total == 1
    drafts.store().games.delete(game.id)
    press(opened("history"), "Bring it back")
    assert drafts.store().games.page().total == 1


def test_an_address_of_no_game_is_a_sentence() -> None:
    app = opened("history")
    app.query_params["game"] = "nothing"
    app.run()
    assert not app.exception
    assert "There is no such game." in words(app)


def test_hostile_notes_and_names_are_shown_as_text() -> None:
    game = played(HOSTILE, **{HOSTILE: "C", "Ben": "Cf1f"})
    app = opened("history")
    assert "<script" not in html(app)
    pressed(app, f"open {game.id}")
    assert "<script" not in html(app)
    assert words(app).count(HOSTILE) >= 2


def kingdom(notation: str) -> Kingdom:
    return Kingdom.from_notation(notation)


def entry(notation: str) -> KingdomEntry:
    return KingdomEntry(Editor.of_kingdom(kingdom(notation)))


def jpeg() -> bytes:
    return reading.encoded(np.full((40, 40, 3), 120, np.uint8))
