"""The squares and corners to tap: every square that exists can be chosen, and only sound corners are taken."""

from __future__ import annotations

import json
import re

import pytest

from engine import CASTLE, CELLS, EMPTY, SQUARES, Square, Terrain
from ui.widgets import tiles
from ui.widgets.corners import checked


def test_every_square_that_exists_can_be_chosen_once() -> None:
    offered = [cell for row in tiles.CHOICES for cell in row if cell is not None]
    assert sorted(cell.symbol for cell in offered) == sorted(cell.symbol for cell in (*SQUARES, CASTLE, EMPTY))


def test_the_script_knows_the_drawing_of_every_square() -> None:
    assert set(json.loads(tiles._DRAWINGS)) == {cell.symbol for cell in CELLS}
    assert tiles._PLACEHOLDER in tiles._SCRIPT


def test_the_edge_inside_a_domino_is_left_out() -> None:
    assert tiles._edges((1, 1), frozenset({(1, 1), (1, 2)})) == "tbl"
    assert tiles._edges((1, 1), frozenset()) == "tblr"


def test_taps_are_taken_in_the_order_in_which_they_were_made() -> None:
    sent = [[12, "put", 0, 1, "w1"], [11, "open", 0, 1], [13, "step", "undo"]]
    assert tiles.taps_of(sent) == [
        tiles.Tap(11, (0, 1)),
        tiles.Tap(12, (0, 1), Square(Terrain.WHEAT, 1)),
        tiles.Tap(13, step="undo"),
    ]


@pytest.mark.parametrize(
    "value",
    [
        None,
        "taps",
        {"taps": 1},
        [None, 7, "open"],
        [[1]],
        [["1", "open", 0, 0]],
        [[1, "open", 0]],
        [[1, "open", 0.5, 0]],
        [[1, "put", 0, 0, "w3"]],
        [[1, "put", 0, 0, None]],
        [[1, "step", 5]],
        [[1, "burn", 0, 0]],
    ],
)
def test_anything_but_a_tap_is_left_out(value: object) -> None:
    assert tiles.taps_of(value) == []


def test_scripts_set_no_markup_of_their_own_but_the_drawings() -> None:
    assert re.findall(r"(\w+)\.innerHTML", tiles._SCRIPT) == ["svg"]


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        [[0, 0]] * 3,
        [[0, 0], [1, 1], [2, 2], [3, "x"]],
        [[0, 0], [1, 1], [2, 2], [3]],
        [[0, 0], [1, 1], [2, 2], [3, 900]],
        [[0, 0], [1, 1], [2, 2], [True, 3]],
        [[0, 0], [1, 1], [2, 2], [float("nan"), 3]],
        "four",
    ],
)
def test_anything_but_four_points_on_the_photo_is_refused(value: object) -> None:
    assert checked(value, (800, 600)) is None


def test_four_points_on_the_photo_are_taken() -> None:
    assert checked([[0, 0], [800, 0], [800, 600], [0.5, 600]], (800, 600)) == ((0, 0), (800, 0), (800, 600), (0.5, 600))
