"""From a photo to a corrected score, in a real browser against the real app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.steps import (
    PICKER,
    SAMPLES,
    board,
    choose,
    expect_points,
    lightness,
    press,
    scrolls_sideways,
    small_targets,
    square,
    take_typed,
    tap,
    true_points,
    truth,
    try_sample,
)

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]
SIZES = pytest.mark.parametrize("size", ["desktop", "phone"])
KINGDOM = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"


@SIZES
def test_a_sample_is_read_and_scored(open_page: Opener, size: str) -> None:
    page = open_page(size)
    try_sample(page, "Complete 5×5")
    expect(board(page)).to_be_visible()
    expect_points(page, true_points("complete_5x5"))
    expect(page.get_by_role("img", name="Your photo with the squares that were found: 5 rows of 5.")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Yes, it could have been built")).to_be_visible()
    assert not scrolls_sideways(page)


def test_a_photo_is_uploaded_and_read(open_page: Opener) -> None:
    page = open_page("phone")
    page.locator('input[type="file"]').first.set_input_files(SAMPLES / "exif_rotated.jpg")
    expect(board(page)).to_be_visible()
    expect_points(page, true_points("exif_rotated"))


def test_several_kingdoms_have_a_tab_each(open_page: Opener) -> None:
    page = open_page()
    try_sample(page, "Two kingdoms")
    expect(page.get_by_role("tab")).to_have_count(2)
    tap(page.get_by_role("tab", name="Kingdom 2"))
    expect(board(page)).to_be_visible()
    press(page, "Make a game of these kingdoms")
    expect(page.get_by_role("heading", name="Play a game")).to_be_visible()


@SIZES
def test_a_square_is_put_right_and_the_score_follows(open_page: Opener, size: str) -> None:
    page = open_page(size)
    take_typed(page, KINGDOM)
    expect_points(page, 47)
    tap(square(page, 0, 0))
    expect(page.get_by_role("grid", name=PICKER)).to_be_visible()
    choose(page, "l")
    expect_points(page, 45)
    expect(square(page, 0, 0)).to_have_attribute("data-symbol", "l")
    press(page, "Undo")
    expect_points(page, 47)
    press(page, "Redo")
    expect_points(page, 45)
    assert not scrolls_sideways(page)
    assert small_targets(page) == []


def test_a_square_is_put_right_with_the_keyboard_alone(open_page: Opener) -> None:
    page = open_page()
    take_typed(page, KINGDOM)
    square(page, 0, 0).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    picker = page.get_by_role("grid", name=PICKER)
    expect(picker.locator('button[aria-pressed="true"]')).to_have_attribute("data-symbol", "g2")
    picker.locator('button[data-symbol="g2"]').focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(square(page, 1, 1)).to_have_attribute("data-symbol", "g1")
    expect_points(page, 42)


@SIZES
def test_a_photo_without_a_kingdom_gets_a_sentence_and_four_corners(
    open_page: Opener, tmp_path: Path, size: str
) -> None:
    noise = np.random.default_rng(5).integers(96, 128, (600, 800, 3), np.uint8)
    Image.fromarray(noise).save(tmp_path / "table.png")
    page = open_page(size)
    page.locator('input[type="file"]').first.set_input_files(tmp_path / "table.png")
    expect(page.get_by_text("Tap the four outer corners")).to_be_visible()
    expect(page.get_by_role("alert").first).to_be_visible()
    read = page.get_by_role("button", name="Read the kingdom")
    expect(read).to_be_disabled()
    photo = page.get_by_role("img", name="Tap the four outer corners of the kingdom")
    photo.scroll_into_view_if_needed()
    box = photo.bounding_box()
    assert box
    for x, y in ((0.3, 0.3), (0.7, 0.3), (0.7, 0.7), (0.3, 0.7)):
        page.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * y)
    expect(read).to_be_enabled()
    tap(read)
    expect(board(page)).to_be_visible()
    assert not scrolls_sideways(page)


def test_corners_marked_by_a_person_are_read(open_page: Opener) -> None:
    page = open_page()
    try_sample(page, "Complete 5×5")
    tap(page.get_by_role("button", name="Wrong squares? Mark the corners"))
    photo = page.get_by_role("img", name="Tap the four outer corners of the kingdom")
    photo.scroll_into_view_if_needed()
    width, height = Image.open(SAMPLES / "complete_5x5.jpg").size
    box = photo.bounding_box()
    assert box
    corners = truth("complete_5x5")["corners"]
    assert isinstance(corners, list)
    for x, y in corners:
        page.mouse.click(box["x"] + box["width"] * x / width, box["y"] + box["height"] * y / height)
    tap(page.get_by_role("button", name="Read the kingdom"))
    expect(board(page)).to_be_visible()
    expect_points(page, true_points("complete_5x5"))


@SIZES
def test_boards_and_words_can_be_seen_in_light_and_dark(open_page: Opener, size: str) -> None:
    shades = []
    for dark in (False, True):
        page = open_page(size, dark=dark)
        take_typed(page, KINGDOM)
        shades.append([lightness(page, ".stApp", "backgroundColor"), lightness(page, ".kd-points", "color")])
    (light_ground, light_words), (dark_ground, dark_words) = shades
    assert light_ground - light_words > 0.5
    assert dark_words - dark_ground > 0.5


def test_a_reload_and_a_second_tab_come_back_to_the_same_kingdom(open_page: Opener) -> None:
    page = open_page("phone")
    take_typed(page, KINGDOM)
    tap(square(page, 0, 0))
    choose(page, "l")
    expect_points(page, 45)
    page.reload()
    expect_points(page, 45)
    second = page.context.new_page()
    second.goto(page.url)
    expect_points(second, 45)
