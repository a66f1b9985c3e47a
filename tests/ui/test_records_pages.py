"""Statistics, export and import, the score card, the page for phones."""

from __future__ import annotations

import io
import json
import socket
from datetime import UTC, datetime

import pytest
import segno
import streamlit as st
from PIL import Image

from engine import Rules
from store import GameEntry, ImportReport, Reading, SavedGame, SeatEntry, StoreError
from tests.ui.pages import html, opened, press, words
from ui import card, drafts, network, phone
from ui.pages import transfer


def played(day: int = 1, size: int = 5, **kingdoms: str) -> SavedGame:
    kingdoms = kingdoms or {"Anna": "Cf1f", "Ben": "C"}
    seats = tuple(SeatEntry(name, Reading(kingdom), None) for name, kingdom in kingdoms.items())
    rules = Rules(size, len(seats))
    return drafts.store().games.add(GameEntry(rules, seats, datetime(2025, 3, day, tzinfo=UTC), "a note"))


def test_statistics_have_their_n_everywhere() -> None:
    played(1)
    played(2, Anna="C", Ben="Cl1l/.l1.")
    played(3, Anna="Cf1f", Cleo="Cf1f")
    app = opened("statistics")
    assert not app.exception
    # Games, won, shared, mean, best.
    assert words(app).split("Anna")[1].split()[:5] == ["3", "1", "1", "1.3", "2"]
    text = " ".join(each.value for each in app.markdown)
    assert "Points by game, n = 3" in text
    assert "by terrain, n = 3" in text
    assert len(app.get("arrow_vega_lite_chart") or app.get("vega_lite_chart")) == 3
    # Against Ben: two games, one ahead, none level, one behind.
    row = words(app).split("Against")[-1].split("Ben")[1].split()[:4]
    assert row == ["2", "1", "0", "1"]


def test_statistics_of_one_size_leave_the_others_out() -> None:
    played(1)
    played(2, size=7)
    app = opened("statistics")
    app.radio[0].set_value(7).run()
    assert "Points by game, n = 1" in " ".join(each.value for each in app.markdown)
    app.radio[0].set_value(None).run()
    assert "Points by game, n = 2" in " ".join(each.value for each in app.markdown)


def test_statistics_without_games_say_so() -> None:
    assert "There is no game yet." in words(opened("statistics"))


def test_an_import_is_told_by_what_was_new_and_what_was_there() -> None:
    played()
    exported = drafts.store().exports.json()
    headline, lines = transfer.told(drafts.store().imports.json(exported))
    assert headline == "Everything in the file was there already."
    assert lines == ("Already there: 2 players, 1 game.",)
    drafts.store().erase()
    headline, lines = transfer.told(drafts.store().imports.json(exported))
    assert headline == "The file is imported."
    assert lines == ("New: 2 players, 1 game.",)


def test_moved_games_are_told() -> None:
    _headline, lines = transfer.told(ImportReport(moved=("one", "two")))
    assert lines == ("2 games got other slots of their Dynasties, or none, because their slots were taken.",)


def test_everything_is_erased_only_after_a_tick() -> None:
    played()
    app = opened("transfer")
    assert not app.exception
    assert app.button(key="erase").disabled
    app.checkbox[0].check().run()
    press(app, "Erase everything now")
    assert "Everything is erased." in words(app)
    assert drafts.store().games.page().total == 0


def test_a_file_is_imported_by_the_page_and_a_wrong_one_is_a_sentence() -> None:
    played()
    exported = drafts.store().exports.json()
    drafts.store().erase()
    app = opened("transfer")
    app.file_uploader[0].set_value(("x.json", b"[]", "application/json")).run()
    press(app, "Import it")
    assert not app.exception
    assert drafts.store().games.page().total == 0
    assert 'role="alert"' in html(app)
    app.file_uploader[0].set_value(("x.json", exported, "application/json")).run()
    press(app, "Import it")
    assert "The file is imported." in words(app)
    assert json.loads(drafts.store().exports.json())["games"] == json.loads(exported)["games"]


@pytest.mark.parametrize("size, notation", [(5, "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"), (7, "Cf1?/w3ff")])
def test_a_score_card_is_a_picture_of_all_players(size: int, notation: str) -> None:
    game = played(1, size, **{"Anna": notation, "שלום 👑 " + "x" * 60: "C"})
    picture = Image.open(io.BytesIO(card.score_card(game)))
    assert picture.format == "PNG"
    assert picture.width == 1080 and picture.height > 800
    assert len(picture.getcolors(10**7)) > 500


def test_the_phone_page_of_an_app_for_this_computer_says_so() -> None:
    assert "Only this computer can open the app now." in words(opened("phone"))


def test_the_phone_page_shows_the_address_its_code_and_who_can_reach_it(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"server.address": "0.0.0.0", "server.port": 8601}
    real = st.get_option
    monkeypatch.setattr(st, "get_option", lambda name: options.get(name, real(name)))
    monkeypatch.setattr(network, "local_address", lambda: "192.168.1.20")
    app = opened("phone")
    assert not app.exception
    assert app.code[0].value == "http://192.168.1.20:8601"
    assert 'alt="QR code of http://192.168.1.20:8601"' in html(app)
    assert "Everybody in the same network" in words(app)
    monkeypatch.setattr(network, "local_address", lambda: None)
    assert "in no local network" in words(opened("phone"))


def test_the_terminal_shows_the_code_the_address_and_who_can_reach_it() -> None:
    shown = phone.announcement("http://192.168.1.20:8501")
    assert "http://192.168.1.20:8501" in shown
    assert "Everybody in the same network" in shown
    side = segno.make("http://192.168.1.20:8501", micro=False).symbol_size(border=2)[1]
    assert sum(len(line) >= side for line in shown.split("\n")) >= side // 2


def test_the_local_address_is_no_loopback_and_none_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "_source", lambda target: {"192.0.2.1": "203.0.113.9"}.get(target, "10.0.0.7"))
    assert network.local_address() == "10.0.0.7"
    monkeypatch.setattr(network, "_source", lambda target: None)
    assert network.local_address() is None
    assert phone.main([]) == 1


def test_a_port_in_use_is_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        port = taken.getsockname()[1]
        taken.listen()
        assert phone.free_port(port) > port


def test_the_command_serves_the_whole_network_on_the_port() -> None:
    command = phone.command(8600, ["--theme.base", "dark"])
    assert command[command.index("--server.address") + 1] == "0.0.0.0"
    assert command[command.index("--server.port") + 1] == "8600"
    assert command[-2:] == ["--theme.base", "dark"]


def test_an_import_of_another_program_names_the_reason() -> None:
    with pytest.raises(StoreError):
        drafts.store().imports.json(b'{"format": "other"}')
