"""The picture of a kingdom: every square in it, well formed, and described in words."""

from __future__ import annotations

import re
from base64 import b64decode
from xml.etree import ElementTree

import pytest

from engine import CASTLE, CELLS, EMPTY, Kingdom, Terrain
from ui import board, icons, text

SVG = "{http://www.w3.org/2000/svg}"


def picture(html: str) -> ElementTree.Element:
    """The drawing inside an HTML image."""
    found = re.search(r'src="data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)"', html)
    assert found
    return ElementTree.fromstring(b64decode(found[1]))


def squares(drawing: ElementTree.Element) -> list[ElementTree.Element]:
    return drawing.findall(f"{SVG}g")


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.symbol)
def test_every_square_has_a_well_formed_drawing(cell: icons.Cell) -> None:
    assert len(list(picture(board.icon(cell)).iter())) > 1


def test_terrains_differ_in_shape_and_not_only_in_colour() -> None:
    shapes = {re.sub(r"#[0-9a-f]+", "", icons.DRAWING[terrain]) for terrain in Terrain}
    assert len(shapes) == len(Terrain)


@pytest.mark.parametrize("crowns", [0, 1, 2, 3])
def test_as_many_crowns_are_drawn_as_the_square_has(crowns: int) -> None:
    cell = Kingdom.from_notation(f"m{crowns or ''}").cell(0, 0)
    assert icons.drawing(cell).count("#ffd84a") == crowns


def test_a_kingdom_shows_all_its_squares_with_numbered_rows_and_columns() -> None:
    drawing = picture(board.image(Kingdom.from_notation("wf1C/l.?"), "six squares"))
    assert len(squares(drawing)) == 6
    assert [label.text for label in drawing.findall(f"{SVG}text")] == ["1", "2", "3", "1", "2"]


def test_marked_squares_are_crossed_and_unchosen_ones_are_dim() -> None:
    kingdom = Kingdom.from_notation("wf1C")
    assert len(picture(board.image(kingdom, "", marked=[(0, 0), (0, 1)])).findall(f"{SVG}circle")) == 2
    dim = [square.get("opacity") for square in squares(picture(board.image(kingdom, "", chosen=[(0, 1)])))]
    assert [bool(opacity) for opacity in dim] == [True, False, True]


def test_the_edge_inside_a_domino_is_left_out() -> None:
    kingdom = Kingdom.from_notation("Cf1w")

    def edges(html: str) -> int:
        path = picture(html).findall(f"{SVG}path")[-1].get("d")
        assert path
        return path.count("M")

    loose = edges(board.image(kingdom, ""))
    assert edges(board.image(kingdom, "", dominoes=[((0, 1), (0, 2))])) == loose - 1


def test_the_description_names_every_square() -> None:
    kingdom = Kingdom.from_notation("wf1C/l.?")
    assert text.board_label(kingdom, 1) == (
        "A kingdom worth 1 point. Row 1: wheat, forest with 1 crown, castle. Row 2: lake, empty, not read."
    )


def test_a_description_cannot_leave_its_attribute() -> None:
    kingdom = Kingdom(((CASTLE, EMPTY),))
    html = board.image(kingdom, '"><script>alert(1)</script>')
    assert "<script>" not in html
    assert html.count('"') == board.image(kingdom, "").count('"')
