"""Kingdoms and their notation: what parses, what is refused and how, symmetries, trimming, placing."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import (
    CASTLE,
    EMPTY,
    UNREAD,
    Kingdom,
    KingdominoError,
    NotationError,
    Placement,
    PlacementError,
    Square,
    Terrain,
    domino,
)
from tests.engine.strategies import grids

EXAMPLE = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"
# Far more than any of these answers takes, far less than a person notices.
SOON = 0.05


def parse(text: str) -> Kingdom:
    return Kingdom.from_notation(text)


# Notation


def test_the_notation_names_every_kind_of_cell() -> None:
    assert parse("wf1/C./?m3").rows == (
        (Square(Terrain.WHEAT), Square(Terrain.FOREST, 1)),
        (CASTLE, EMPTY),
        (UNREAD, Square(Terrain.MINE, 3)),
    )


def test_the_example_of_the_design_has_the_castle_at_the_edge() -> None:
    kingdom = parse(EXAMPLE)
    assert (kingdom.height, kingdom.width, kingdom.castle) == (5, 5, (2, 4))
    assert kingdom.notation == EXAMPLE


@given(grids())
def test_notation_round_trips(kingdom: Kingdom) -> None:
    assert parse(kingdom.notation) == kingdom


@given(grids())
def test_the_repr_of_a_kingdom_evaluates_back(kingdom: Kingdom) -> None:
    assert eval(repr(kingdom)) == kingdom


@given(grids())
def test_the_pretty_form_has_a_line_a_row_and_every_symbol(kingdom: Kingdom) -> None:
    lines = str(kingdom).split("\n")
    assert [line.split() for line in lines] == [[cell.symbol for cell in row] for row in kingdom.rows]


@given(st.text() | st.text("wflgsmC.?/0123 \n", max_size=60))
@example("w0")
@example("C1")
@example("W")
@example("w f")
@example(" w")
@example("w\n")
@example("w4")
@example("w12")
@example("/")
@example("w/")
@example("ＷC")
@example("w¹")
@example("\x00")
@example("\ud800")
def test_any_text_parses_to_itself_or_raises_our_error(text: str) -> None:
    try:
        kingdom = parse(text)
    except NotationError:
        return
    assert kingdom.notation == text


@pytest.mark.parametrize(
    "text, words",
    [
        ("", ["found nothing"]),
        ("wf/Cx", ["Row 2, square 2", "expected w, f, l, g, s or m", "found 'x'", "'wf/Cx'"]),
        ("wf/C", ["row 1 has 2 squares, row 2 has 1"]),
        ("wf/Cwf", ["row 1 has 2 squares, row 2 has 3"]),
        ("1w", ["Row 1, square 1", "found '1'"]),
        ("w/1", ["Row 2, square 1", "found '1'"]),
        ("w0", ["Row 1, square 2", "found '0'"]),
        ("w4", ["Row 1, square 2", "found '4'"]),
        ("C1", ["Row 1, square 2", "found '1'"]),
        ("w11", ["Row 1, square 2", "found '1'"]),
        ("W", ["Row 1, square 1", "found 'W'"]),
        ("w f", ["Row 1, square 2", "found ' '"]),
        ("wC\n", ["Row 1, square 3", "found '\\n'"]),
        ("/", ["Row 1 is empty"]),
        ("w//w", ["Row 2 is empty"]),
        ("w/", ["Row 2 is empty"]),
        ("w" * 16, ["at most 15×15", "1×16"]),
        ("/".join("w" * 16), ["at most 15 rows, found 16"]),
        ("/".join(["w" * 50] * 50), ["at most 15×15", "2,549 letters"]),
    ],
)
def test_a_parse_error_says_what_was_expected_what_was_found_and_where(text: str, words: list[str]) -> None:
    with pytest.raises(NotationError) as raised:
        parse(text)
    for word in words:
        assert word in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "wf/C",
        "x",
        "1",
        "/".join(["w" * 50] * 50),
        "w" * 1_000_000,
        "/" * 1_000_000,
        "w1/" * 333_333,
        "x" * 1_000_000,
        "\U0001f3f0" * 500_000,
        None,
        5,
        b"wC",
        ["w", "C"],
        float("nan"),
        object(),
        Kingdom.from_notation("C"),
    ],
    ids=lambda text: f"{type(text).__name__}-{str(text)[:12]}",
)
def test_bad_input_raises_our_error_within_milliseconds(text: object) -> None:
    start = time.perf_counter()
    with pytest.raises(NotationError) as raised:
        Kingdom.from_notation(text)  # type: ignore[arg-type]
    assert time.perf_counter() - start < SOON
    assert isinstance(raised.value, KingdominoError)
    assert 0 < len(str(raised.value)) < 1000


def test_text_of_another_type_is_named() -> None:
    with pytest.raises(NotationError, match="not as bytes"):
        Kingdom.from_notation(b"wC")  # type: ignore[arg-type]


def test_a_kingdom_of_15x15_can_be_held() -> None:
    kingdom = parse("/".join(["m3" * 15] * 15))
    assert (kingdom.height, kingdom.width) == (15, 15)


@pytest.mark.parametrize("text", ["w3", "CC", "?", ".", "w..C", "wfl"])
def test_a_kingdom_that_breaks_every_rule_can_be_held(text: str) -> None:
    assert parse(text).notation == text


@pytest.mark.parametrize("rows", [(), ((),), ((CASTLE,), ()), ((CASTLE,), (CASTLE, EMPTY))])
def test_a_grid_without_squares_or_with_ragged_rows_is_refused(rows: tuple[tuple[()], ...]) -> None:
    with pytest.raises(NotationError):
        Kingdom(rows)


def test_kingdoms_are_equal_when_their_grids_are_equal_as_held() -> None:
    assert parse("wC") == parse("wC")
    assert parse("wC") != parse("wC.")
    assert len({parse("wC"), parse("wC"), parse("wC.")}) == 2


# Parts


def test_the_lone_castle_is_a_single_square() -> None:
    assert Kingdom.lone_castle() == parse("C")


def test_outside_the_grid_there_is_nothing() -> None:
    kingdom = parse("wC")
    assert [kingdom.cell(*at) for at in [(0, 0), (0, 1), (0, 2), (-1, 0), (1, 0), (0, -1)]] == [
        Square(Terrain.WHEAT),
        CASTLE,
        *[EMPTY] * 4,
    ]


def test_the_castle_is_known_only_if_there_is_exactly_one() -> None:
    assert parse("wC").castle == (0, 1)
    assert parse("ww").castle is None
    assert parse("CwC").castle is None
    assert parse("CwC").castles == ((0, 0), (0, 2))


def test_squares_and_unread_cells_are_listed_row_by_row() -> None:
    kingdom = parse("?w/C?")
    assert kingdom.unread == ((0, 0), (1, 1))
    assert kingdom.squares == {(0, 1): Square(Terrain.WHEAT)}


@pytest.mark.parametrize(
    "text, box",
    [("C", (0, 0, 0, 0)), ("...", None), (".../.wC/...", (1, 1, 1, 2)), ("w.../..../...?", (0, 0, 2, 3))],
)
def test_the_bounding_box_holds_all_that_is_not_empty(text: str, box: tuple[int, int, int, int] | None) -> None:
    assert parse(text).bounding_box == box


@pytest.mark.parametrize(
    "text, size", [("C", 5), (".", 5), ("wwwwC", 5), ("wwwwwC", 7), ("w/w/w/w/w/C", 7), (".....C", 5), ("C" * 9, 7)]
)
def test_the_size_is_7_where_the_kingdom_does_not_fit_5x5(text: str, size: int) -> None:
    assert parse(text).default_size() == size


# Trimming and symmetries


@pytest.mark.parametrize(
    "text, trimmed",
    [
        ("wC", "wC"),
        (".../.wC/...", "wC"),
        ("w..C", "w..C"),
        ("../..", "."),
        (".", "."),
        ("?./..", "?"),
        ("..w/.../C..", "..w/.../C.."),
    ],
)
def test_trimming_drops_empty_border_rows_and_columns_only(text: str, trimmed: str) -> None:
    assert parse(text).trimmed().notation == trimmed


@given(grids(most=8), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 4))
def test_padding_is_what_trimming_takes_away(kingdom: Kingdom, top: int, left: int, bottom: int, right: int) -> None:
    padded = kingdom.padded(top, left, bottom, right)
    assert (padded.height, padded.width) == (kingdom.height + top + bottom, kingdom.width + left + right)
    assert padded.trimmed() == kingdom.trimmed()
    assert padded.trimmed().trimmed() == padded.trimmed()


def test_a_quarter_turn_is_clockwise() -> None:
    assert parse("wf/lg/sm").rotated().notation == "slw/mgf"
    assert parse("wf/lg/sm").rotated(-1) == parse("wf/lg/sm").rotated(3)


def test_the_mirror_image_exchanges_left_and_right() -> None:
    assert parse("wf1/Cl").mirrored().notation == "f1w/lC"


@given(grids(most=6))
def test_four_quarter_turns_or_two_mirrors_change_nothing(kingdom: Kingdom) -> None:
    assert kingdom.rotated(4) == kingdom.rotated(0) == kingdom
    assert kingdom.rotated().rotated() == kingdom.rotated(2)
    assert kingdom.mirrored().mirrored() == kingdom


def test_a_kingdom_without_symmetry_has_eight_images() -> None:
    images = parse("wf/Cl").symmetries()
    assert len(images) == len(set(images)) == 8
    assert [image.notation for image in images[:4]] == ["wf/Cl", "Cw/lf", "lC/fw", "fl/wC"]
    assert images[4] == parse("wf/Cl").mirrored()


@given(grids(most=6))
def test_every_image_has_the_same_images(kingdom: Kingdom) -> None:
    assert {frozenset(image.symmetries()) for image in kingdom.symmetries()} == {frozenset(kingdom.symmetries())}


def test_a_reading_is_right_in_any_rotation_but_not_mirrored() -> None:
    truth = parse("wf/Cl")
    assert all(truth.rotated(turns).padded(1, 2).same_reading(truth) for turns in range(4))
    assert not truth.mirrored().same_reading(truth)
    assert not parse("wf/Cg").same_reading(truth)


# Changing


def test_replacing_a_cell_leaves_the_old_kingdom_alone() -> None:
    kingdom = parse("wC")
    assert kingdom.replaced(0, 0, UNREAD).notation == "?C"
    assert kingdom.notation == "wC"


@pytest.mark.parametrize("at", [(-1, 0), (0, 2), (1, 0), (0, -1)])
def test_a_cell_outside_the_grid_cannot_be_replaced(at: tuple[int, int]) -> None:
    with pytest.raises(PlacementError, match="rows 0-0 and columns 0-1"):
        parse("wC").replaced(*at, UNREAD)


@pytest.mark.parametrize(
    "cells, notation",
    [
        (((0, 1), (0, 2)), "Cwm3"),
        (((0, 2), (0, 1)), "Cm3w"),
        (((0, -1), (0, -2)), "m3wC"),
        (((-1, 0), (-2, 0)), "m3/w/C"),
        (((1, 0), (1, -1)), ".C/m3w"),
    ],
)
def test_the_grid_grows_as_far_as_a_placed_domino_reaches(
    cells: tuple[tuple[int, int], tuple[int, int]], notation: str
) -> None:
    assert parse("C").place(Placement(domino(48), cells)).notation == notation


@pytest.mark.parametrize(
    "cells, words",
    [
        (((0, 0), (1, 0)), "Already covered: row 1, column 1."),
        (((0, 0), (0, 1)), "Already covered: row 1, column 1 and row 1, column 2."),
        (((0, 2), (0, 4)), "share an edge"),
        (((0, 2), (1, 3)), "share an edge"),
        (((0, 2), (0, 2)), "share an edge"),
    ],
)
def test_a_domino_is_not_laid_where_it_cannot_lie(cells: tuple[tuple[int, int], tuple[int, int]], words: str) -> None:
    with pytest.raises(PlacementError) as raised:
        parse("wC").place(Placement(domino(1), cells))
    assert words in str(raised.value)
    assert "no. 1 (wheat – wheat)" in str(raised.value)
    assert "wC" in str(raised.value)


def test_an_unconnected_domino_can_be_laid_because_photos_show_such_kingdoms() -> None:
    assert parse("wC").place(Placement(domino(7), ((2, 0), (2, 1)))).notation == "wC/../ll"
