"""Verifying turns, discards, the history, export and import, and the app on a phone, in a real browser."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from engine import Rules
from store import GameEntry, Reading, SeatEntry, open_store
from tests.e2e.conftest import ROOT, START_SECONDS, Server
from tests.e2e.steps import press, scrolls_sideways, small_targets, take_typed, tap

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]
FULL = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"


def drawn(page: Page) -> None:
    """Wait until the page is drawn to its end."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def type_state(page: Page, notation: str) -> None:
    """Type the next state of the kingdom, once the page asks for it."""
    expect(page.get_by_text("After the next turn")).to_be_visible()
    take_typed(page, notation)


def keep(page: Page, notation: str, states: int) -> None:
    """Type a state of the kingdom and keep it."""
    type_state(page, notation)
    press(page, "Keep this state")
    expect(page.get_by_text(f"State {states} of {states}")).to_be_visible()


def choose_domino(page: Page, number: int) -> None:
    expect(page.get_by_text("Choose the domino")).to_be_visible()
    drawn(page)
    tap(page.get_by_text("Choose the domino"))
    tap(page.get_by_role("listbox", name="The 48 dominoes").locator(f'button[data-number="{number}"]'))


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_legal_and_an_illegal_turn_and_the_way_through_them(open_page: Opener, size: str) -> None:
    page = open_page(size, path="turns")
    press(page, "Begin")
    type_state(page, "Cff")
    expect(page.get_by_text("By the rules: domino 3, 4, 5 or 6 was added.")).to_be_visible()
    press(page, "Keep this state")
    expect(page.get_by_text("State 1 of 1")).to_be_visible()
    type_state(page, "Cff/..l/..l")
    expect(page.get_by_role("alert").filter(has_text="Not by the rules")).to_be_visible()
    expect(page.get_by_text("must touch the castle or its own terrain: lake")).to_be_visible()
    assert not scrolls_sideways(page)
    assert small_targets(page) == []
    press(page, "Keep this state")
    expect(page.get_by_text("State 2 of 2")).to_be_visible()
    address = page.url
    press(page, "Previous")
    expect(page.get_by_text("By the rules: domino 3, 4, 5 or 6 was added.")).to_be_visible()
    page.goto(address)
    expect(page.get_by_text("State 2 of 2")).to_be_visible()


def test_a_discard_is_refused_with_its_places_and_allowed_without(open_page: Opener) -> None:
    page = open_page("phone", path="turns")
    press(page, "Begin")
    choose_domino(page, 1)
    expect(page.get_by_role("alert").filter(has_text="It must not be discarded: there are 12 places")).to_be_visible()
    expect(page.get_by_text("A domino that can be placed must be placed")).to_be_visible()
    expect(page.get_by_role("img", name="wheat – wheat", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Write the discard down")).to_have_count(0)
    assert not scrolls_sideways(page)
    keep(page, FULL, 1)
    choose_domino(page, 1)
    expect(page.get_by_text("It may be discarded: domino 1 can be laid nowhere.")).to_be_visible()
    press(page, "Write the discard down")
    expect(page.get_by_text("State 2 of 2")).to_be_visible()
    expect(page.get_by_text("Domino 1 was discarded.")).to_be_visible()


def with_games(folder: Path, count: int = 2) -> None:
    """Put games into the records of an app that does not run yet."""
    with open_store(folder / "records.sqlite") as store:
        for number in range(count):
            seats = (SeatEntry("Anna", Reading(FULL), "pink"), SeatEntry("Ben", Reading("Cf1f"), "blue"))
            store.games.add(GameEntry(Rules(players=2), seats, note=f"evening {number + 1}"))


def test_a_game_is_edited_deleted_and_brought_back(open_page: Opener, server: Server, tmp_path: Path) -> None:
    with_games(tmp_path)
    page = open_page("phone", path="history", at=server.address)
    expect(page.get_by_text("2 games")).to_be_visible()
    expect(page.get_by_label("Only games in which all of these played").first).to_be_visible()
    assert not scrolls_sideways(page)
    assert small_targets(page) == []
    tap(page.get_by_role("button", name="Edit").first)
    note = page.get_by_label("A note on this game")
    note.fill("the long evening")
    note.press("Control+Enter")
    # The second player's kingdom is put right on the board.
    press(page, "Ben")
    expect(page.locator(".kd-points").first).to_have_text("2 points")
    square = page.get_by_role("grid", name="The kingdom, square by square").locator('button[data-at="0,2"]')
    tap(square)
    tap(page.get_by_role("grid", name="What the square shows").locator('button[data-symbol="w"]'))
    expect(page.locator(".kd-points").first).to_have_text("1 point")
    press(page, "Save the changes")
    expect(page.get_by_text("the long evening")).to_be_visible()
    expect(page.locator(".kd-podium")).to_contain_text("Ben")
    press(page, "Delete")
    expect(page.get_by_text("The game was deleted.")).to_be_visible()
    expect(page.get_by_text("1 game", exact=True)).to_be_visible()
    press(page, "Undo: bring the game back")
    expect(page.get_by_text("2 games")).to_be_visible()
    with open_store(tmp_path / "records.sqlite") as store:
        edited = next(line for line in store.games.page().games if line.note == "the long evening")
        assert [seat.kingdom for seat in edited.seats] == [FULL, "Cf1w"]
        assert edited.version == 2


def records(path: Path) -> dict[str, Any]:
    """An export without the moment it was made at."""
    document: dict[str, Any] = json.loads(path.read_bytes())
    del document["exported_at"]
    return document


def download(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as waiting:
        press(page, name)
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def bring_in(page: Page, file: Path) -> None:
    """Import a file; the field of the import before is gone by then."""
    drawn(page)
    expect(page.get_by_role("button", name="Import it")).to_be_disabled()
    page.locator('input[type="file"]').first.set_input_files(file)
    expect(page.get_by_role("button", name="Import it")).to_be_enabled()
    drawn(page)
    press(page, "Import it")


def test_everything_is_exported_erased_imported_and_equal(open_page: Opener, server: Server, tmp_path: Path) -> None:
    with_games(tmp_path, 3)
    page = open_page("phone", path="transfer", at=server.address)
    exported = download(page, "Everything as JSON", tmp_path)
    before = records(exported).copy()
    exported = exported.rename(tmp_path / "before.json")
    table = download(page, "Games as CSV", tmp_path).read_text("utf-8")
    assert table.count("Anna") == 3
    card = download(page, "Score card", tmp_path).read_bytes()
    assert card.startswith(b"\x89PNG")
    tap(page.get_by_text("Erase everything").first)
    tap(page.get_by_text("I have an export, or need none"))
    press(page, "Erase everything now")
    expect(page.get_by_text("Everything is erased.")).to_be_visible()
    for expected in ("New: 2 players, 3 games.", "Already there: 2 players, 3 games."):
        bring_in(page, exported)
        expect(page.get_by_text(expected)).to_be_visible()
    assert records(download(page, "Everything as JSON", tmp_path)) == before
    wrong = tmp_path / "wrong.json"
    wrong.write_text("no JSON at all")
    bring_in(page, wrong)
    expect(page.get_by_role("alert").filter(has_text="JSON")).to_be_visible()
    assert not scrolls_sideways(page)


def test_statistics_show_their_n(open_page: Opener, server: Server, tmp_path: Path) -> None:
    with_games(tmp_path, 3)
    page = open_page("phone", path="statistics", at=server.address)
    expect(page.get_by_text("Points by game, n = 3")).to_be_visible()
    expect(page.locator("canvas, .vega-embed svg")).to_have_count(3)
    assert not scrolls_sideways(page)


@pytest.fixture
def on_the_network(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The app as `make phone` starts it: what the terminal shows, and the address in it."""
    with socket.socket() as free:
        free.bind(("0.0.0.0", 0))
        port = free.getsockname()[1]
    log = tmp_path / "log.txt"
    surroundings = {**os.environ, "KINGDOMINO_DATABASE_URL": f"sqlite:///{tmp_path / 'records.sqlite'}"}
    with log.open("w") as output:
        running = subprocess.Popen(
            [sys.executable, "-m", "ui.phone", "--port", str(port)],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=surroundings,
            start_new_session=True,
        )
    end = time.monotonic() + START_SECONDS
    address = ""
    while time.monotonic() < end:
        found = re.search(r"http://[\d.]+:\d+", log.read_text())
        address = found[0] if found else ""
        try:
            if address:
                with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                    break
        except (urllib.error.URLError, OSError):
            pass
        if running.poll() is not None:
            pytest.fail(f"The app stopped while starting:\n{log.read_text()}")
        time.sleep(0.2)
    yield log.read_text(), address
    os.killpg(running.pid, 15)
    running.wait(timeout=10)


def test_a_phone_in_the_network_opens_the_app(browser: Browser, on_the_network: tuple[str, str]) -> None:
    terminal, address = on_the_network
    assert "127.0.0.1" not in address and "localhost" not in address
    assert "Everybody in the same network" in terminal
    assert terminal.count("█") + terminal.count("▀") + terminal.count("▄") > 100
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = context.new_page()
    page.goto(f"{address}/phone")
    expect(page.get_by_role("heading", level=1)).to_have_text("On your phone")
    expect(page.get_by_role("img", name=f"QR code of {address}")).to_be_visible()
    expect(page.get_by_text("Everybody in the same network")).to_be_visible()
    assert not scrolls_sideways(page)
    page.goto(f"{address}/typed")
    expect(page.locator(".kd-points").first).to_have_text("47 points")
    context.close()


@pytest.mark.parametrize("path", ["turns", "history", "statistics", "transfer", "phone"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_page_of_the_companion_fits_a_phone(open_page: Opener, path: str, dark: bool) -> None:
    page = open_page("phone", path=path, dark=dark)
    expect(page.get_by_text("An unofficial companion made by players.")).to_be_visible()
    assert not scrolls_sideways(page)
    assert small_targets(page) == []
