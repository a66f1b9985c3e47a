"""Which cells of a grid are the kingdom."""

from __future__ import annotations

import numpy as np

from vision.extent import (
    EXTENT,
    agreement,
    cell_means,
    choose_cells,
    connected,
    first_odds,
    turn_against,
    weighed,
    with_castles,
    without_loose,
)
from vision.lattice import Cell
from vision.locator import MAPS, Maps, grid_code


def read(drawing: str) -> tuple[dict[Cell, float], dict[Cell, float]]:
    """Evidence and castle of cells drawn as C, # (tile), ? (doubtful tile), ! (doubtful table) and . (table)."""
    odds = {"C": 5.0, "#": 5.0, "?": 0.5, "!": -0.6, ".": -5.0}
    evidence: dict[Cell, float] = {}
    castle: dict[Cell, float] = {}
    for y, row in enumerate(drawing.split("/")):
        for x, mark in enumerate(row):
            evidence[(x, y)] = odds[mark]
            castle[(x, y)] = 0.9 if mark == "C" else 0.05
    return evidence, castle


def drawn(cells: set[Cell], like: str) -> str:
    """Cells as a drawing of the same size: # and ."""
    rows = like.split("/")
    return "/".join("".join("#" if (x, y) in cells else "." for x in range(len(row))) for y, row in enumerate(rows))


def test_the_kingdom_is_the_group_around_the_castle() -> None:
    plan = "##.....#/#C#....#/......../.....##."
    cells, seat = choose_cells(*read(plan))
    # Four tiles and the castle: the loose dominoes to the right and below are left out.
    assert drawn(cells, plan) == "##....../###...../......../........"
    assert seat == (1, 1)


def test_loose_dominoes_without_a_castle_are_no_kingdom() -> None:
    assert choose_cells(*read("##.##/.....")) == (set(), None)


def test_many_joined_squares_are_a_kingdom_even_if_the_castle_is_not_seen() -> None:
    cells, seat = choose_cells(*read("###/###/###"))
    assert len(cells) == 9
    assert seat is None


def test_an_odd_number_of_squares_with_perhaps_a_castle_is_a_kingdom() -> None:
    plan = "##./.##/..#"
    evidence, castle = read(plan)
    assert choose_cells(evidence, castle) == (set(), None)
    perhaps = {**castle, (1, 1): 0.2}
    cells, seat = choose_cells(evidence, perhaps)
    assert drawn(cells, plan) == plan
    assert seat is None
    # Two loose dominoes that touch are an even number.
    assert choose_cells({**evidence, (2, 2): -5.0}, perhaps) == (set(), None)


def test_nothing_likely_is_no_kingdom() -> None:
    assert choose_cells(*read("..../....")) == (set(), None)


def test_with_an_even_number_of_squares_the_most_doubtful_one_changes_sides() -> None:
    # Castle and three squares: the doubtful tile at the end is not one.
    assert len(choose_cells(*read("C##?"))[0]) == 3
    # Castle and three sure squares: the doubtful piece of table is a tile.
    assert len(choose_cells(*read("C###!"))[0]) == 5
    # Nothing doubtful: the reading is kept as it is.
    assert len(choose_cells(*read("C###."))[0]) == 4


def test_a_doubtful_square_in_the_middle_never_splits_the_kingdom() -> None:
    assert drawn(choose_cells(*read("C#?#"))[0], "C#?#") == "####"


def test_no_kingdom_is_wider_than_seven_squares() -> None:
    cells, seat = choose_cells(*read("C########"))
    assert len(cells) == EXTENT.max_side
    assert seat in cells
    x = [cell[0] for cell in choose_cells(*read("########C"))[0]]
    assert (min(x), max(x)) == (2, 8)


def test_groups_touch_edge_to_edge_not_by_corners() -> None:
    assert [len(group) for group in connected({(0, 0), (1, 1), (2, 1)})] == [1, 2]


def maps_with(u: complex, v: complex) -> Maps:
    code = grid_code(np.array([u]), np.array([v]))[0].astype(np.float32)
    plane = np.ones((8, 8), np.float32)
    return Maps(plane, plane, plane, plane, np.broadcast_to(code[:, None, None], (5, 8, 8)).copy())


def test_maps_agree_with_a_grid_along_the_axes_of_the_same_step_only() -> None:
    assert agreement(maps_with(28, 28j), 28.0).min() > 0.99
    turned = np.exp(1j * np.radians(30))
    assert agreement(maps_with(28 * turned, 28j * turned), 28.0).max() < 0.01
    assert agreement(maps_with(14, 14j), 28.0).max() < 0.2
    assert agreement(maps_with(56, 56j), 28.0).max() < 0.2


def test_cell_means_ask_the_middle_of_each_cell() -> None:
    plane = np.zeros((16, 24), np.float32)
    plane[2:9, 9:16] = 1.0
    means = cell_means(plane, 7.0 * MAPS.stride, 2.0 * MAPS.stride, (2, 3), 0.6)
    assert means.shape == (2, 3)
    assert means[0, 1] == 1.0
    assert means.sum() == 1.0


def test_bare_table_is_as_likely_as_all_opinions_say_whatever_the_classifier_says() -> None:
    read = np.array([[0.9, 0.05, 0.05], [0.1, 0.0, 0.9]])
    believed = weighed(read, np.array([-4.0, 4.0]), bare=2)
    assert np.allclose(believed.sum(axis=1), 1)
    assert believed[0, 2] > 0.95 > 0.05 > believed[1, 2]


def test_among_tiles_the_classifier_alone_decides() -> None:
    read = np.array([[0.6, 0.2, 0.2]])
    for odds in (-2.0, 0.0, 3.0):
        believed = weighed(read, np.array([odds]), bare=2)[0]
        assert np.isclose(believed[0] / believed[1], 3, rtol=1e-3)


def test_a_square_the_classifier_is_sure_is_bare_is_no_tile_in_particular() -> None:
    believed = weighed(np.array([[1e-9, 0.0, 1.0]]), np.array([0.0]), bare=2)[0]
    assert np.isclose(believed[0], believed[1], rtol=0.01)


def test_each_opinion_for_a_tile_makes_a_tile_likelier() -> None:
    said = np.zeros((1, 5))
    for column in (0, 1, 3, 4):
        stronger = said.copy()
        stronger[0, column] = 1.0
        assert first_odds(stronger)[0] > first_odds(said)[0]


def test_a_likely_castle_is_a_tile_although_the_mask_doubts_it() -> None:
    odds = with_castles(np.array([-0.7, -0.7, 5.0]), np.array([0.9, 0.2, 0.9]))
    assert odds[0] > 0 > odds[1]
    assert odds[2] == 5.0


def test_a_grid_turned_against_another_is_told_by_how_far_at_the_most_an_eighth_of_a_turn() -> None:
    turns = np.array([0.0, 4.0, -4.0, 15.0, 44.0, 60.0, 90.0, 180.0])
    u = np.exp(1j * np.radians(turns))
    product = (u * (1j * u)) ** 2
    assert np.allclose(turn_against(0.3 * product), [0, 4, 4, 15, 44, 30, 0, 0], atol=1e-5)


def test_what_lies_off_a_steady_grid_is_a_loose_domino() -> None:
    odds = np.array([6.0, 6.0, 6.0, 6.0, 6.0, 6.0, 5.0, -3.0])
    astray = np.array([0.02, 0.05, 0.01, 0.0, 0.11, 0.03, 0.3, 0.4])
    assert without_loose(odds, astray).tolist() == [6.0, 6.0, 6.0, 6.0, 6.0, 6.0, EXTENT.loose_odds, EXTENT.loose_odds]


def test_where_all_tiles_lie_crooked_none_of_them_is_loose() -> None:
    odds = np.full(6, 6.0)
    astray = np.array([0.15, 0.22, 0.12, 0.25, 0.2, 0.08])
    assert without_loose(odds, astray).tolist() == odds.tolist()


def test_without_tiles_nothing_is_loose() -> None:
    assert without_loose(np.array([-2.0, -3.0]), np.array([0.4, 0.0])).tolist() == [-2.0, -3.0]
