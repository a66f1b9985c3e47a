"""The squares and corners to tap: every square that exists can be chosen, and only sound corners are taken."""

from __future__ import annotations

import json
import re

import pytest

from engine import CASTLE, CELLS, EMPTY, SQUARES
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
