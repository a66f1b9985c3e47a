"""Games and Dynasties from the first name to the podium, through restarts and power cuts, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Server
from tests.e2e.steps import (
    choose,
    enter_kingdoms,
    expect_points,
    name_player,
    press,
    scrolls_sideways,
    small_targets,
    square,
    take_typed,
    tap,
)

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]
HOSTILE = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)> 'שלום'", "**b** :red[x] '; DROP TABLE games; --"]


def begin_game(page: Page, names: list[str]) -> None:
    press(page, "New game")
    if len(names) > 2:
        tap(page.get_by_role("radiogroup", name="How many players?").get_by_text(str(len(names)), exact=True))
        expect(page.get_by_role("combobox", name=f"Player {len(names)}", exact=True)).to_be_visible()
    for number, name in enumerate(names, start=1):
        name_player(page, number, name)
    press(page, "On to the kingdoms")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_game_of_three_ends_on_the_podium_with_a_tie(open_page: Opener, size: str) -> None:
    page = open_page(size, path="game")
    begin_game(page, ["Anna", "Ben", "Cleo"])
    enter_kingdoms(page, ["Cf1f/.ff", "Cl1l1", "Cs1w"])
    press(page, "On to the result")
    expect(page.locator(".kd-podium li")).to_have_count(3)
    expect(page.locator(".kd-podium .kd-first")).to_contain_text("Anna")
    expect(page.get_by_text("Anna wins by the largest territory (4 to 2 squares)")).to_be_visible()
    assert not scrolls_sideways(page)
    assert small_targets(page) == []
    press(page, "Save the game")
    expect(page.get_by_text("The game is saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("The game is saved.")).to_be_visible()
    press(page, "Same players again")
    expect(page.locator('[class*="st-key-seat-"] button')).to_contain_text(["Anna", "Ben", "Cleo"])


def test_a_dynasty_of_three_games_survives_a_restart(open_page: Opener, server: Server) -> None:
    page = open_page("phone", path="dynasty", at=server.address)
    name = page.get_by_label("Name of the Dynasty")
    name.fill("Winter")
    name.press("Enter")
    name_player(page, 1, "Anna")
    name_player(page, 2, "Ben")
    press(page, "Begin the Dynasty")
    expect(page.get_by_role("button", name="Play game 1", exact=True)).to_be_visible()
    for number, kingdoms in enumerate((["Cf1f", "C"], ["C", "Cl1l1"], ["Cs1s", "Cw1w"]), start=1):
        page.goto(f"{server.address}/dynasty")
        press(page, f"Play game {number}")
        expect(page.get_by_text(f"Game {number} of the Dynasty Winter")).to_be_visible()
        press(page, "2. Kingdoms")
        enter_kingdoms(page, kingdoms)
        press(page, "On to the result")
        press(page, "Save the game")
        expect(page.get_by_text("The game is saved.")).to_be_visible()
        server.stop()
        server.start()
    page.goto(f"{server.address}/dynasty")
    expect(page.get_by_text("Ben wins the Dynasty with 6 points, 2 ahead.")).to_be_visible()
    expect(page.locator(".kd-slots li")).to_have_count(3)
    expect(page.get_by_text("not played yet")).to_have_count(0)
    expect(page.locator("canvas, .vega-embed svg").first).to_be_visible()
    assert not scrolls_sideways(page)


def test_a_draft_survives_three_power_cuts(open_page: Opener, server: Server) -> None:
    page = open_page("phone", path="game", at=server.address)
    begin_game(page, ["Anna", "Ben"])
    take_typed(page, "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")
    expect_points(page, 47)
    address = page.url
    # A lake without its crown, then one more crowned forest beside the others, then what it was.
    for points, symbol in ((45, "l"), (52, "f1"), (47, "l1")):
        tap(square(page, 0, 0))
        choose(page, symbol)
        expect_points(page, points)
        server.kill()
        server.start()
        page.goto(address)
        expect_points(page, points)
        expect(square(page, 0, 0)).to_have_attribute("data-symbol", symbol)
    press(page, "Undo")
    expect_points(page, 52)


def test_hostile_names_are_shown_as_text(open_page: Opener) -> None:
    page = open_page("phone", path="game")
    begin_game(page, HOSTILE)
    expect(page.locator('[class*="st-key-seat-"] button').first).to_contain_text("<script>alert(1)")
    enter_kingdoms(page, ["Cf1f", "Cf1f", "C"])
    assert not scrolls_sideways(page)
    press(page, "On to the result")
    for name in HOSTILE:
        expect(page.locator(".kd-podium bdi", has_text=name)).to_be_visible()
    assert page.locator(".kd-podium script, .kd-podium bdi img, .kd-podium bdi *").count() == 0
    assert not scrolls_sideways(page)
    press(page, "Save the game")
    expect(page.get_by_text("The game is saved.")).to_be_visible()
    assert not scrolls_sideways(page)


def test_a_name_of_ten_thousand_letters_is_refused_with_a_sentence(open_page: Opener) -> None:
    page = open_page("phone", path="game")
    press(page, "New game")
    field = page.get_by_role("combobox", name="Player 1", exact=True)
    tap(field)
    field.fill("x" * 10_000)
    field.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="at most 80 letters")).to_be_visible()
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("path", ["", "game", "dynasty", "typed", "rules"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_page_fits_a_phone_in_light_and_dark(open_page: Opener, path: str, dark: bool) -> None:
    page = open_page("phone", path=path, dark=dark)
    expect(page.get_by_text("An unofficial companion made by players.")).to_be_visible()
    assert not scrolls_sideways(page)
    assert small_targets(page) == []
