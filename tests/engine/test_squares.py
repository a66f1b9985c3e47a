"""Terrains, crowns and the squares of the box."""

from __future__ import annotations

import pytest

from engine import (
    CASTLE,
    CELLS,
    EMPTY,
    SQUARE_COUNTS,
    SQUARES,
    UNREAD,
    KingdominoError,
    Mark,
    NotationError,
    Square,
    Terrain,
)

# As printed on the back of the rule book: terrain -> squares with 0, 1, 2, 3 crowns.
IN_THE_BOX = {
    "wheat": (21, 5, 0, 0),
    "forest": (16, 6, 0, 0),
    "lake": (12, 6, 0, 0),
    "grassland": (10, 2, 2, 0),
    "swamp": (6, 2, 2, 0),
    "mine": (1, 1, 3, 1),
}


def test_there_are_six_terrains_named_in_english() -> None:
    assert [terrain.value for terrain in Terrain] == list(IN_THE_BOX)


def test_the_letter_of_a_terrain_is_the_first_of_its_word() -> None:
    assert "".join(terrain.letter for terrain in Terrain) == "wflgsm"


@pytest.mark.parametrize("terrain", Terrain)
@pytest.mark.parametrize("crowns", range(4))
def test_the_box_has_each_square_as_often_as_the_rule_book_prints(terrain: Terrain, crowns: int) -> None:
    square = Square(terrain, crowns)
    assert SQUARE_COUNTS.get(square, 0) == IN_THE_BOX[terrain.value][crowns]
    assert square.exists == (IN_THE_BOX[terrain.value][crowns] > 0)


def test_the_box_has_96_squares_with_39_crowns() -> None:
    assert sum(SQUARE_COUNTS.values()) == 96
    assert sum(square.crowns * count for square, count in SQUARE_COUNTS.items()) == 39


def test_sixteen_terrain_crown_pairs_exist_in_a_fixed_order() -> None:
    assert " ".join(square.symbol for square in SQUARES) == "w w1 f f1 l l1 g g1 g2 s s1 s2 m m1 m2 m3"


def test_the_symbol_of_a_square_shows_crowns_only_if_it_has_some() -> None:
    assert Square(Terrain.WHEAT).symbol == "w"
    assert Square(Terrain.MINE, 3).symbol == "m3"


def test_a_square_is_told_in_plain_words() -> None:
    assert Square(Terrain.LAKE).words == "lake"
    assert Square(Terrain.LAKE, 1).words == "lake with 1 crown"
    assert Square(Terrain.SWAMP, 2).words == "swamp with 2 crowns"


def test_a_misread_pair_that_no_domino_has_can_be_held() -> None:
    assert Square(Terrain.WHEAT, 3).symbol == "w3"
    assert not Square(Terrain.WHEAT, 3).exists


@pytest.mark.parametrize("crowns", [-1, 4, 100])
def test_a_square_has_no_more_than_three_crowns(crowns: int) -> None:
    with pytest.raises(NotationError, match=f"0 to 3 crowns, not {crowns}"):
        Square(Terrain.MINE, crowns)


def test_marks_stand_for_castle_nothing_and_unread() -> None:
    assert [(mark, mark.symbol) for mark in Mark] == [(CASTLE, "C"), (EMPTY, "."), (UNREAD, "?")]


def test_squares_with_equal_terrain_and_crowns_are_equal() -> None:
    assert Square(Terrain.WHEAT, 1) == Square(Terrain.WHEAT, 1)
    assert len({Square(Terrain.WHEAT, 1), Square(Terrain.WHEAT, 1), Square(Terrain.WHEAT)}) == 2


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.symbol)
def test_the_repr_of_a_cell_evaluates_back(cell: Square | Mark) -> None:
    assert eval(repr(cell)) == cell


def test_every_cell_has_its_own_code_and_symbol() -> None:
    assert [cell.code for cell in CELLS] == list(range(len(CELLS)))
    assert len({cell.symbol for cell in CELLS}) == len(CELLS) == 27


def test_every_error_of_ours_has_one_base() -> None:
    assert issubclass(NotationError, KingdominoError)
