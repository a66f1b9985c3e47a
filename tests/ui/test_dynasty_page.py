"""The page of the Dynasties: begin, play, abandon, resume, several side by side."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from engine import Rules
from store import GameEntry, Reading, SeatEntry
from tests.ui.pages import html, opened, press, words
from ui import drafts
from ui.values import GameDraft


def begun(name: str, players: list[str]) -> str:
    return drafts.store().dynasties.create(name, players).id


def played(dynasty: str, kingdoms: dict[str, str]) -> None:
    seats = tuple(SeatEntry(name, Reading(kingdom)) for name, kingdom in kingdoms.items())
    drafts.store().games.add(GameEntry(Rules(players=len(seats)), seats, dynasty=dynasty))


@pytest.fixture
def app() -> AppTest:
    return opened("dynasty")


def test_a_dynasty_is_begun_with_names() -> None:
    for name in ("Anna", "Ben"):
        drafts.store().players.remember(name)
    app = opened("dynasty")
    app.text_input(key="dynasty name").set_value("Winter")
    app.selectbox(key="dynasty player 0").set_value("Anna")
    app.selectbox(key="dynasty player 1").set_value("Ben")
    press(app, "Begin the Dynasty")
    assert not app.exception
    assert "Winter" in words(app)
    assert words(app).count("not played yet") == 3


def test_a_dynasty_without_names_is_refused_with_a_sentence(app: AppTest) -> None:
    press(app, "Begin the Dynasty")
    assert not app.exception
    assert "needs at least one letter" in words(app)
    assert drafts.store().dynasties.all() == ()


def test_running_totals_follow_the_games() -> None:
    dynasty = begun("Winter", ["Anna", "Ben"])
    played(dynasty, {"Anna": "Cf1f", "Ben": "C"})
    played(dynasty, {"Ben": "Cl1l/.l1.", "Anna": "C"})
    app = opened("dynasty")
    assert not app.exception
    assert "After 2 of 3 games Ben leads with 6 points, 4 ahead." in words(app)
    assert words(app).count("not played yet") == 1
    assert app.get("arrow_vega_lite_chart") or app.get("vega_lite_chart")


def test_equal_sums_share_the_dynasty() -> None:
    dynasty = begun("Winter", ["Anna", "Ben"])
    for _ in range(3):
        played(dynasty, {"Anna": "Cf1f", "Ben": "Cf1f"})
    app = opened("dynasty")
    assert "Anna and Ben share the Dynasty with 6 points each." in words(app)
    assert not any(button.label.startswith("Play game") for button in app.button)


def test_the_next_game_begins_with_the_players_of_the_dynasty() -> None:
    dynasty = begun("Winter", ["Anna", "Ben", "Cleo"])
    press(opened("dynasty"), "Play game 1")
    (draft,) = drafts.store().drafts.all(kind="game")
    game = GameDraft.from_json(draft.document)
    assert game.names == ("Anna", "Ben", "Cleo")
    assert game.dynasty == dynasty
    assert "Game 1 of the Dynasty Winter" in words(opened("game", draft=draft.id))


def test_several_dynasties_stand_side_by_side_and_one_is_abandoned_and_resumed() -> None:
    begun("Winter", ["Anna", "Ben"])
    begun("Summer", ["Anna", "Cleo"])
    app = opened("dynasty")
    assert html(app).count("kd-slots") == 2
    press(app, "Abandon it")
    assert len(drafts.store().dynasties.all()) == 1
    press(app, "Resume it")
    assert len(drafts.store().dynasties.all()) == 2


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "**x** :red[y]", "'; DROP TABLE dynasties; --", "👑 שלום"]
)
def test_hostile_names_are_shown_as_text(name: str) -> None:
    dynasty = begun(name, [name, "Ben"])
    played(dynasty, {name: "Cf1f", "Ben": "C"})
    app = opened("dynasty")
    assert not app.exception
    assert "<script" not in html(app)
    assert words(app).count(name) >= 3
