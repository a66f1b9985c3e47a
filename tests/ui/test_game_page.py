"""The page of a game: players and rules, kingdoms read as one box, the podium with its tie-break, saving, drafts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine import Kingdom
from store import GameEntry, Reading, SeatEntry
from tests.ui.fakes import known_photos
from tests.ui.pages import html, opened, points, press, words
from ui import drafts
from ui.editor import Editor
from ui.values import GameDraft, KingdomEntry, seats_for

ONE = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "'; DROP TABLE games; --",
    "**bold** [here](javascript:alert(1)) :red[x] $y$",
    "שלום 👑🏰",
    "\"quoted\" & 'quoted'",
]


def typed(notation: str) -> KingdomEntry:
    return KingdomEntry(Editor.of_kingdom(Kingdom.from_notation(notation)))


def entered(names: list[str], kingdoms: list[str | None], **rules: object) -> AppTest:
    """The page with a game under way."""
    seats = tuple(
        replace(seat, kingdom=typed(notation) if notation else None)
        for seat, notation in zip(seats_for(names), kingdoms, strict=True)
    )
    draft = GameDraft(seats, **rules)  # type: ignore[arg-type]
    saved = drafts.store().drafts.start(draft.as_json(), kind="game")
    return opened("game", draft=saved.id)


def current(app: AppTest) -> GameDraft:
    named = app.query_params[drafts.PARAMETER]
    return GameDraft.from_json(drafts.store().drafts.open(named[0] if isinstance(named, list) else named).document)


def test_a_new_game_is_a_draft_from_the_first_tap() -> None:
    app = press(opened("game"), "New game")
    assert not app.exception
    assert len(drafts.store().drafts.all(kind="game")) == 1
    app.radio[0].set_value(4).run()
    assert len(current(app).seats) == 4
    assert len({seat.colour for seat in current(app).seats}) == 4


def test_names_and_colours_are_saved_as_they_are_entered() -> None:
    drafts.store().players.remember("Anna B.")
    app = press(opened("game"), "New game")
    app.selectbox[0].set_value("Anna B.").run()
    assert current(app).seats[0].name == "Anna B."
    next(box for box in app.selectbox if box.label == "Castle of player 1").set_value("yellow").run()
    assert [seat.colour for seat in current(app).seats] == ["yellow", "pink"]


def test_players_are_remembered_with_their_colour() -> None:
    drafts.store().players.remember("Anna", "blue")
    app = press(opened("game"), "New game")
    assert "Anna" in app.selectbox[0].options
    app.selectbox[0].set_value("Anna").run()
    assert current(app).seats[0].colour == "blue"


def test_two_players_of_the_new_edition_build_7x7() -> None:
    app = press(opened("game"), "New game")
    next(radio for radio in app.radio if radio.label == "Edition").set_value("new").run()
    assert current(app).rules.size == 7
    app.radio[0].set_value(3).run()
    assert current(app).rules.size == 5


def test_the_result_waits_for_every_kingdom() -> None:
    app = entered(["Anna", "Ben"], [ONE, None], step="kingdoms")
    assert next(button for button in app.button if button.label == "3. Result").disabled
    assert points(app) == 47


def test_one_photo_of_all_kingdoms_fills_the_seats(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    readings = known_photos(monkeypatch, tmp_path, {"two_kingdoms": [ONE, ONE]})
    app = entered(["Anna", "Ben"], [None, None], step="kingdoms")
    press(app, "Two kingdoms")
    assert not app.exception
    assert current(app).complete
    assert len(readings) == 1
    press(app, "It belongs to Ben")
    assert [seat.kingdom.index for seat in current(app).seats if seat.kingdom] == [1, 0]


def test_each_kingdom_of_one_photo_goes_to_the_player_of_its_castle(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    castles = {"two_kingdoms": ["yellow", "pink"]}
    known_photos(monkeypatch, tmp_path, {"two_kingdoms": [ONE, ONE]}, castles=castles)
    # Anna plays pink, Ben yellow.
    app = entered(["Anna", "Ben"], [None, None], step="kingdoms")
    press(app, "Two kingdoms")
    assert not app.exception
    assert [seat.kingdom.index for seat in current(app).seats if seat.kingdom] == [1, 0]
    assert "This castle looks" not in words(app)
    press(app, "It belongs to Ben")
    assert [seat.kingdom.index for seat in current(app).seats if seat.kingdom] == [0, 1]


def photographed_for_anna(monkeypatch: pytest.MonkeyPatch, folder: Path) -> AppTest:
    """Anna's seat with a photo of a castle in Ben's colour; Ben has a kingdom already."""
    known_photos(monkeypatch, folder, {"complete_5x5": [ONE]}, castles={"complete_5x5": ["yellow"]})
    return press(entered(["Anna", "Ben"], [None, "Cf1f"], step="kingdoms"), "Complete 5×5")


def test_a_castle_in_the_colour_of_another_player_is_asked_about(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    app = photographed_for_anna(monkeypatch, tmp_path)
    assert not app.exception
    assert "This castle looks yellow, the colour of Ben. Is it the kingdom of Ben?" in words(app)
    # Nothing has moved by itself.
    assert [seat.kingdom.kingdom.notation for seat in current(app).seats if seat.kingdom] == [ONE, "Cf1f"]
    press(app, "Yes, it belongs to Ben")
    assert [seat.kingdom.kingdom.notation for seat in current(app).seats if seat.kingdom] == ["Cf1f", ONE]
    assert "This castle looks" not in words(app)


def test_a_castle_that_stays_with_its_player_is_not_asked_about_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    app = photographed_for_anna(monkeypatch, tmp_path)
    press(app, "No, it belongs to Anna")
    assert "This castle looks" not in words(app.run())
    assert [seat.kingdom.kingdom.notation for seat in current(app).seats if seat.kingdom] == [ONE, "Cf1f"]


def test_hostile_names_are_shown_as_text_in_the_question_about_a_castle(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known_photos(monkeypatch, tmp_path, {"complete_5x5": [ONE]}, castles={"complete_5x5": ["yellow"]})
    app = press(entered(["Anna", HOSTILE[0]], [None, None], step="kingdoms"), "Complete 5×5")
    assert "<script" not in html(app)
    assert HOSTILE[0] in words(app)


def test_the_podium_names_the_tie_break() -> None:
    # Both have 4 points: two lakes with two crowns, four forests with one.
    app = entered(["Anna", "Ben"], ["Cl1l1", "Cf1f/.ff"], step="result")
    assert not app.exception
    assert "Ben wins by the largest territory (4 to 2 squares)" in words(app)


def test_a_shared_victory_is_told() -> None:
    app = entered(["Anna", "Ben", "Cleo"], ["Cf1f", "Cf1f", "C"], step="result")
    assert "Anna and Ben share the victory" in words(app)
    assert html(app).count("kd-first") == 2


def test_dominoes_that_cannot_lie_in_two_kingdoms_are_reported() -> None:
    # There is one mine with three crowns in the box.
    app = entered(["Anna", "Ben"], ["Cm3w", "Cm3w"], step="result")
    assert "more dominoes than one box has" in words(app)


def test_saving_makes_a_game_once_and_the_same_players_play_again() -> None:
    app = entered(["Anna", "Ben"], [ONE, "Cf1f"], step="result", middle_kingdom=True)
    press(app, "Save the game")
    assert not app.exception
    assert "The game is saved." in words(app)
    (game,) = drafts.store().games.page().games
    assert [(seat.name, seat.total) for seat in game.seats] == [("Anna", 47), ("Ben", 12)]
    assert drafts.store().drafts.all(kind="game") == ()
    press(app, "Same players again")
    again = current(app)
    assert again.names == ("Anna", "Ben")
    assert again.middle_kingdom
    assert not again.complete


def test_a_reload_after_saving_shows_the_saved_game() -> None:
    game = drafts.store().games.add(
        GameEntry(GameDraft().rules, (SeatEntry("Anna", Reading(ONE)), SeatEntry("Ben", Reading("C"))))
    )
    app = AppTest.from_string(
        "from ui.pages import game\nfrom ui.guard import guarded\nguarded(game.render)()", default_timeout=30
    )
    app.query_params["game"] = game.id
    assert "Anna wins with 47 points" in words(app.run())


def test_a_draft_is_found_again_and_can_be_discarded_and_restored() -> None:
    entered(["Anna", "Ben"], [ONE, None])
    app = opened("game")
    assert "1 of 2 kingdoms" in " ".join(each.value for each in app.markdown)
    press(app, "Discard")
    assert drafts.store().drafts.all(kind="game") == ()
    press(app, "Undo: bring the draft back")
    assert current(app).names == ("Anna", "Ben")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_shown_as_text(name: str) -> None:
    app = entered([name, "Ben"], [ONE, "Cf1f"], step="result")
    assert not app.exception
    for tag in ("<script", "<img src=x", "<b>"):
        assert tag not in html(app)
    assert name in words(app)
    press(app, "Save the game")
    assert drafts.store().games.page().games[0].seats[0].name == name
    assert name in words(app)


def test_two_phones_do_not_overwrite_each_other_silently() -> None:
    for name in ("Cleo", "Dora"):
        drafts.store().players.remember(name)
    app = entered(["Anna", "Ben"], [None, None])
    named = app.query_params[drafts.PARAMETER]
    other = opened("game", draft=named[0] if isinstance(named, list) else named)
    other.selectbox[0].set_value("Cleo").run()
    app.selectbox[0].set_value("Dora").run()
    assert "changed on another phone" in words(app)
    assert current(app).seats[0].name == "Cleo"


def test_a_game_saved_on_another_phone_is_not_saved_twice() -> None:
    app = entered(["Anna", "Ben"], [ONE, "Cf1f"], step="result")
    named = app.query_params[drafts.PARAMETER]
    other = opened("game", draft=named[0] if isinstance(named, list) else named)
    press(other, "Save the game")
    press(app, "Save the game")
    assert not app.exception
    assert drafts.store().games.page().total == 1


def test_the_way_on_leads_to_the_next_kingdom_and_then_to_the_result() -> None:
    app = entered(["Anna", "Ben", "Cleo"], ["Cf1f", None, None], step="kingdoms")
    press(app, "On to the kingdom of Ben")
    assert current(app).seat == 1
    assert not [button for button in app.button if button.label.startswith("On to")]
    whole = entered(["Anna", "Ben"], ["Cf1f", "C"], step="kingdoms")
    press(whole, "On to the result")
    assert "Anna wins" in words(whole)
