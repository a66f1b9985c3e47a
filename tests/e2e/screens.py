"""Pictures of every page, from the rendered samples: `python -m tests.e2e.screens` writes docs/screens."""

from __future__ import annotations

import io
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from engine import Rules
from store import GameEntry, Reading, SeatEntry, open_store
from tests.conftest import installed_browser
from tests.e2e.conftest import SIZES, Server
from tests.e2e.steps import PICKER, ROOT, SAMPLES, board, enter_kingdoms, press, square, tap, try_sample

TARGET = ROOT / "docs" / "screens"
#: Colours of a picture in the repository; drawings and text need no more, and the files stay small.
COLOURS = 200
PLAYERS = {"Anna": "pink", "Ben": "yellow", "Cleo": "green"}
#: What a phone's browser says of itself; some parts of a page are folded away there.
PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36"
#: Three kingdoms of one game, so that they share one box.
KINGDOMS = tuple(
    each["notation"] for each in json.loads((SAMPLES / "four_kingdoms.json").read_text("utf-8"))["kingdoms"][:3]
)
GAMES = (KINGDOMS, (KINGDOMS[1], KINGDOMS[2], KINGDOMS[0]))


def records(folder: Path) -> None:
    """A Dynasty of which two games were played."""
    with open_store(folder / "records.sqlite") as store:
        dynasty = store.dynasties.create("Winter evenings", list(PLAYERS)).id
        for kingdoms in GAMES:
            seats = tuple(
                SeatEntry(name, Reading(kingdom), colour)
                for (name, colour), kingdom in zip(PLAYERS.items(), kingdoms, strict=True)
            )
            store.games.add(GameEntry(Rules(players=len(seats)), seats, dynasty=dynasty))


def score(page: Page) -> None:
    expect(page.get_by_text("Try it with a sample")).to_be_visible()
    tap(page.get_by_text("Try it with a sample"))
    expect(page.get_by_role("button", name="Complete 5×5")).to_be_visible()


def photo(page: Page) -> None:
    try_sample(page, "Complete 5×5")
    expect(board(page)).to_be_visible()


def correct(page: Page) -> None:
    try_sample(page, "With a mistake")
    tap(square(page, 1, 3))
    expect(page.get_by_role("grid", name=PICKER)).to_be_visible()
    board(page).evaluate("part => part.scrollIntoView()")


def players(page: Page) -> None:
    press(page, "Same players again")
    press(page, "1. Players")
    expect(page.get_by_role("combobox", name="Player 3", exact=True)).to_have_value("Cleo")


def podium(page: Page) -> None:
    press(page, "Same players again")
    enter_kingdoms(page, list(GAMES[1]))
    press(page, "On to the result")
    expect(page.locator(".kd-podium li")).to_have_count(len(PLAYERS))
    page.get_by_role("heading", level=1).evaluate("part => part.scrollIntoView()")


def chart(page: Page) -> None:
    expect(page.locator("canvas, .vega-embed svg").first).to_be_visible()


def still(page: Page) -> None:
    expect(page.get_by_text("An unofficial companion made by players.")).to_be_attached()


#: The pictures by name: the page, and what is done on it first.
SCREENS: dict[str, tuple[str, Callable[[Page], None]]] = {
    "score": ("", score),
    "photo": ("", photo),
    "correct": ("", correct),
    "players": ("game", players),
    "podium": ("game", podium),
    "turns": ("turns", still),
    "dynasty": ("dynasty", chart),
    "history": ("history", still),
    "statistics": ("statistics", chart),
    "transfer": ("transfer", still),
    "typed": ("typed", still),
    "rules": ("rules", still),
}


def taken(browser: Browser, address: str, name: str, size: str) -> bytes:
    """One picture as PNG."""
    width, height = SIZES[size]
    path, steps = SCREENS[name]
    agent = PHONE if size == "phone" else None
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light", user_agent=agent)
    page.set_default_timeout(60_000)
    page.goto(f"{address}/{path}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    steps(page)
    page.mouse.move(0, 0)
    page.wait_for_timeout(1_500)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
    page.close()
    data = io.BytesIO()
    shot.save(data, "PNG", optimize=True)
    return data.getvalue()


def main(names: list[str]) -> int:
    """Take the pictures asked for, or all."""
    chromium = installed_browser()
    if chromium is None:
        print("Chromium is not installed.", file=sys.stderr)
        return 1
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        records(Path(folder))
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            for name in names or SCREENS:
                for size in SIZES:
                    (TARGET / f"{name}_{size}.png").write_bytes(taken(browser, server.address, name, size))
                    print(f"{name}_{size}.png", file=sys.stderr)
        finally:
            browser.close()
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
