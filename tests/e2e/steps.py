"""What a person does in the app, as steps that the browser tests share."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from engine import Kingdom, score

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "sample_photos"
#: A finger needs this many pixels.
FINGER = 44
# Parts of a page open with a movement; a page is looked at again so often, so many milliseconds apart.
_LOOKS, _BETWEEN_LOOKS = 8, 400
# A page that is drawn and asks for nothing during so many milliseconds is at rest.
_STILL = 150
BOARD = "The kingdom, square by square"
PICKER = "What the square shows"


def truth(sample: str) -> dict[str, object]:
    """The first kingdom of a sample, as its label says."""
    kingdom: dict[str, object] = json.loads((SAMPLES / f"{sample}.json").read_text("utf-8"))["kingdoms"][0]
    return kingdom


def true_points(sample: str) -> int:
    return score(Kingdom.from_notation(str(truth(sample)["notation"]))).total


def rest(page: Page) -> None:
    """Wait until the page is drawn to its end and stays so; until then a part may be replaced under the finger."""
    page.evaluate("() => { window.restingSince = undefined; }")
    page.wait_for_function(
        """still => {
            const app = document.querySelector('[data-testid=stApp]');
            const done = app?.getAttribute('data-test-script-state') === 'notRunning';
            window.restingSince = done ? window.restingSince ?? performance.now() : undefined;
            return done && performance.now() - window.restingSince >= still;
        }""",
        arg=_STILL,
    )


def tap(part: Locator) -> None:
    """Tap as a person does: on what stands still."""
    part.wait_for()
    rest(part.page)
    part.click()


def press(page: Page, name: str) -> None:
    tap(page.get_by_role("button", name=name, exact=True).first)


def try_sample(page: Page, name: str) -> None:
    """Open the samples and choose one."""
    tap(page.get_by_text("Try it with a sample").first)
    press(page, name)


def board(page: Page) -> Locator:
    return page.get_by_role("grid", name=BOARD).first


def square(page: Page, row: int, column: int) -> Locator:
    return board(page).locator(f'button[data-at="{row},{column}"]')


def choose(page: Page, symbol: str) -> None:
    """Say what the open square shows."""
    tap(page.get_by_role("grid", name=PICKER).locator(f'button[data-symbol="{symbol}"]'))


def expect_points(page: Page, points: int) -> None:
    words = "1 point" if points == 1 else f"{points} points"
    expect(page.locator(".kd-points").first).to_have_text(words)


def take_typed(page: Page, notation: str) -> None:
    """Enter a kingdom by typing it."""
    tap(page.get_by_role("button", name="Type it").first)
    field = page.get_by_label("Kingdom", exact=True)
    field.fill(notation)
    field.press("Enter")
    press(page, "Take this kingdom")
    expect(board(page)).to_be_visible()


def name_player(page: Page, number: int, name: str) -> None:
    """Type a name that is perhaps new."""
    field = page.get_by_role("combobox", name=f"Player {number}", exact=True)
    tap(field)
    field.fill(name)
    field.press("Enter")
    expect(page.get_by_role("combobox", name=f"Player {number}", exact=True)).to_have_value(name)


def enter_kingdoms(page: Page, kingdoms: list[str]) -> None:
    """Type the kingdom of every player, one after the other."""
    seats = page.locator('[class*="st-key-seat-"] button')
    for number, notation in enumerate(kingdoms):
        expect(seats).to_have_count(len(kingdoms))
        tap(seats.nth(number))
        expect(seats.nth(number)).to_have_attribute("kind", "primary")
        expect(page.get_by_role("button", name="Type it").first).to_be_visible()
        take_typed(page, notation)


def _all_there(page: Page) -> None:
    """Wait for what the browser loads only after the page is drawn: a look before that would miss it."""
    rest(page)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(_BETWEEN_LOOKS)


def scrolls_sideways(page: Page) -> bool:
    """Whether any part of the page that scrolls is wider than the window, once the page has come to rest."""
    _all_there(page)
    for _ in range(_LOOKS):
        if not _scrolls_sideways(page):
            return False
        page.wait_for_timeout(_BETWEEN_LOOKS)
    return True


def _scrolls_sideways(page: Page) -> bool:
    return bool(
        page.evaluate(
            """() => [document.documentElement, ...document.querySelectorAll('[data-testid=stMain], section')]
                .some(part => part.scrollWidth > window.innerWidth)"""
        )
    )


def small_targets(page: Page) -> list[str]:
    """What can be tapped on the page but is smaller than a finger, with its size, once the page has come to rest."""
    _all_there(page)
    for _ in range(_LOOKS):
        found = _small_targets(page)
        if not found:
            break
        page.wait_for_timeout(_BETWEEN_LOOKS)
    return found


def _small_targets(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """finger => ['button', 'summary', '.stSelectbox [role=group]', '.stMultiSelect [role=group]',
                   '.stRadio [role=radiogroup] label']
            .flatMap(kind => [...document.querySelectorAll(`[data-testid=stMain] ${kind}`)])
            .filter(part => part.offsetParent)
            .filter(part => !part.closest('[data-testid=stElementToolbar], .stTooltipIcon, .stCode'))
            .filter(part => part.tagName != 'BUTTON' || !part.closest('.stSelectbox'))
            .map(part => [part.innerText.trim() || part.outerHTML.slice(0, 80), part.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.height < finger - 0.5 || box.width < finger - 0.5))
            .map(([words, box]) => `${words}: ${Math.round(box.width)}x${Math.round(box.height)}`)""",
        FINGER,
    )
    return found


def lightness(page: Page, selector: str, property_name: str) -> float:
    """How light a colour of the page is, from 0 to 1."""
    colour = page.locator(selector).first.evaluate(f"part => getComputedStyle(part).{property_name}")
    red, green, blue = (float(part) for part in re.findall(r"[\d.]+", colour)[:3])
    return (red + green + blue) / 3 / 255
