"""Taps in quick succession, while the page is being drawn again, in a real browser against the real app."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.steps import PICKER, board, square, take_typed

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]
KINGDOM = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"
#: Milliseconds for which a finger is down.
QUICK, SLOW = 15, 150


def tap(page: Page, target: Locator, down: int = QUICK) -> None:
    """Put a finger down and lift it, without waiting for anything the page does meanwhile."""
    box = target.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(down)
    page.mouse.up()


def choice(page: Page, symbol: str) -> Locator:
    return page.get_by_role("grid", name=PICKER).locator(f'button[data-symbol="{symbol}"]')


def ready(open_page: Opener) -> Page:
    """A page with a kingdom and an open square, all of which can be seen without scrolling."""
    page = open_page()
    page.set_viewport_size({"width": 1280, "height": 1800})
    take_typed(page, KINGDOM)
    square(page, 0, 0).click()
    expect(choice(page, "w")).to_be_visible()
    # The choices come into sight with a movement.
    page.wait_for_timeout(500)
    return page


def test_five_squares_are_changed_in_quick_succession(open_page: Opener) -> None:
    page = ready(open_page)
    for symbol in ("w", "f", "w", "g"):
        for column in range(5):
            tap(page, square(page, 4, column))
            tap(page, choice(page, symbol))
        for column in range(5):
            expect(square(page, 4, column)).to_have_attribute("data-symbol", symbol)
    expect(page.locator(".stCode").first).to_contain_text("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/ggggg")


def test_steps_tapped_in_quick_succession_are_all_taken_back(open_page: Opener) -> None:
    page = ready(open_page)
    for column in range(5):
        tap(page, square(page, 3, column))
        tap(page, choice(page, "s"))
    expect(page.locator(".stCode").first).to_contain_text("w1wggC/sssss/s1wwm3m1")
    undo = page.get_by_role("button", name="Undo", exact=True)
    for _ in range(5):
        tap(page, undo)
    expect(page.locator(".stCode").first).to_contain_text(KINGDOM)
    expect(undo).to_be_disabled()


def test_a_slow_finger_counts_while_the_board_is_drawn_again(open_page: Opener) -> None:
    page = ready(open_page)
    for pause in range(0, 100, 20):
        tap(page, square(page, 2, 1))
        page.wait_for_timeout(pause)
        tap(page, square(page, 1, 2), SLOW)
        expect(board(page).locator("button.open")).to_have_attribute("data-at", "1,2")


def test_a_choice_goes_to_the_square_tapped_last(open_page: Opener) -> None:
    page = ready(open_page)
    tap(page, square(page, 1, 1))
    tap(page, square(page, 1, 2))
    tap(page, choice(page, "m3"))
    expect(square(page, 1, 2)).to_have_attribute("data-symbol", "m3")
    expect(square(page, 1, 1)).to_have_attribute("data-symbol", "g2")
    expect(square(page, 0, 0)).to_have_attribute("data-symbol", "l1")
