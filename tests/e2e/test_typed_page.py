"""The page for typed kingdoms in a real browser, against the real app, at the sizes of a computer and of a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.steps import scrolls_sideways, tap
from ui import text
from ui.pages.typed import EXAMPLES

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]


def enter(page: Page, typed: str) -> None:
    page.get_by_label(text.NOTATION_LABEL, exact=True).fill(typed)
    tap(page.get_by_role("button", name=text.SHOW_BUTTON))


def choose(page: Page, example: str) -> None:
    tap(page.get_by_role("button", name=example))
    expect(page.get_by_label(text.NOTATION_LABEL, exact=True)).to_have_value(EXAMPLES[example])


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_example_is_drawn_scored_and_judged(open_page: Opener, size: str) -> None:
    page = open_page(size, path="typed")
    expect(page.get_by_role("img", name=re.compile("A kingdom worth 47 points"))).to_be_visible()
    expect(page.locator(".kd-points")).to_have_text("47 points")
    expect(page.locator(".kd-table tbody tr")).to_have_count(6)
    expect(page.locator(".kd-table tfoot")).to_contain_text("47")
    expect(page.get_by_role("status").filter(has_text="Yes, it could have been built")).to_be_visible()


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_typed_kingdom_is_scored(open_page: Opener, size: str) -> None:
    page = open_page(size, path="typed")
    enter(page, "Cf1w\n.fw")
    expect(page.locator(".kd-points")).to_have_text("2 points")
    expect(page.locator("img.kd-board")).to_have_attribute("alt", re.compile("Row 2: empty, forest, wheat"))
    expect(page.locator("code", has_text="Cf1w/.fw")).to_be_visible()


def test_a_mistake_is_named(open_page: Opener) -> None:
    page = open_page(path="typed")
    choose(page, "With a mistake")
    expect(page.get_by_role("alert").filter(has_text="row 2, column 4")).to_be_visible()


def test_the_middle_kingdom_adds_ten_points(open_page: Opener) -> None:
    page = open_page(path="typed")
    choose(page, "Castle in the middle")
    expect(page.locator(".kd-points")).to_have_text("45 points")
    tap(page.get_by_text(text.MIDDLE_KINGDOM, exact=True))
    expect(page.locator(".kd-points")).to_have_text("55 points")
    expect(page.get_by_text("The castle is in the middle")).to_be_visible()


def test_a_territory_can_be_shown_on_the_board(open_page: Opener) -> None:
    page = open_page(path="typed")
    tap(page.get_by_text(text.HARMONY, exact=True))
    expect(page.locator(".kd-points")).to_have_text("52 points")
    plain = page.locator("img.kd-board").get_attribute("src")
    assert plain
    # A list closes when the page scrolls, so the scrolling must have ended, as it has when a person clicks.
    choice = page.get_by_role("combobox", name=text.SHOW_TERRITORY_LABEL)
    choice.scroll_into_view_if_needed()
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    tap(choice)
    tap(page.get_by_role("option", name=re.compile("^Wheat")))
    expect(page.locator("img.kd-board")).not_to_have_attribute("src", plain)


@pytest.mark.parametrize(
    "typed, sentence",
    [
        ("l1ff1ff/lgx", "Row 2, square 3"),
        ("wf/w", "All rows must be equally long"),
        ("w" * 1_000_000, "1,000,000 characters"),
        ("<img src=x onerror=alert(1)>", "Row 1, square 1"),
        ("<script>alert(1)</script>", "Row 1, square 1"),
        ("[here](javascript:alert(1)) **bold** $x$", "Row 1, square 1"),
    ],
    ids=["letter", "ragged", "megabyte", "image", "script", "markdown"],
)
def test_bad_input_gives_a_sentence_and_nothing_else(open_page: Opener, typed: str, sentence: str) -> None:
    page = open_page("phone", path="typed")
    enter(page, typed)
    alert = page.get_by_role("alert").filter(has_text=sentence)
    expect(alert).to_be_visible()
    expect(page.locator("img.kd-board")).to_have_count(0)
    assert alert.locator("a, img, script, strong").count() == 0
    assert "Traceback" not in page.locator("body").inner_text()
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("example", EXAMPLES)
def test_nothing_is_wider_than_a_phone(open_page: Opener, example: str) -> None:
    page = open_page("phone", path="typed")
    choose(page, example)
    tap(page.get_by_text(text.LAYING_TITLE))
    expect(page.locator(".kd-list")).to_be_visible()
    assert not scrolls_sideways(page)
    board = page.locator("img.kd-board").bounding_box()
    assert board
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= page.evaluate("window.innerWidth")


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_words_can_be_read_in_light_and_in_dark(open_page: Opener, size: str) -> None:
    shades = []
    for dark in (False, True):
        page = open_page(size, dark=dark, path="typed")
        shades.append([lightness(page, ".stApp", "backgroundColor"), lightness(page, ".kd-message", "color")])
    (light_ground, light_words), (dark_ground, dark_words) = shades
    assert light_ground - light_words > 0.5
    assert dark_words - dark_ground > 0.5


def lightness(page: Page, selector: str, property_name: str) -> float:
    """How light a colour of the page is, from 0 to 1."""
    colour = page.locator(selector).first.evaluate(f"part => getComputedStyle(part).{property_name}")
    red, green, blue = (float(part) for part in re.findall(r"[\d.]+", colour)[:3])
    return (red + green + blue) / 3 / 255


def test_the_page_can_be_used_with_the_keyboard(open_page: Opener) -> None:
    page = open_page(path="typed")
    page.get_by_label(text.NOTATION_LABEL, exact=True).focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("Cf1w")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText.trim()") == text.SHOW_BUTTON
    page.keyboard.press("Enter")
    expect(page.locator(".kd-points")).to_have_text("1 point")
