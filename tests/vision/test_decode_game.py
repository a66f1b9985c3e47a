"""Decoding the kingdoms of one game together: the shared box settles what one photo cannot."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from engine import DOMINOES, Kingdom, Square, Terrain, verify_game
from engine.cutting import Clock, Field
from tests.vision.kingdoms import CLASS_OF, noisy, one_hot, random_board, random_kingdom
from vision.config import DECODE
from vision.decode import decode
from vision.readings import CASTLE_CLASS, Board
from vision.together import decode_together

PATIENT = replace(
    DECODE, surrender=np.inf, overrule=np.inf, surrender_in_game=np.inf, time_limit_game=30.0, plausible_in_game=1e-4
)


def complete_game(seed: int) -> list[Kingdom]:
    """Four full kingdoms that use all 48 dominoes."""
    rng = random.Random(seed)
    box = list(DOMINOES)
    return [random_kingdom(rng, 5, box) for _ in range(4)]


def hide_crowns(grid: np.ndarray, kingdom: Kingdom, cell: tuple[int, int], seen: Square, trace: float) -> None:
    """Make a square look like another one, with hardly a trace of what it is."""
    truth = kingdom.cell(*cell)
    grid[cell] = 1e-9
    grid[cell][CLASS_OF[seen]] = 1 - trace
    grid[cell][CLASS_OF[truth]] = trace


@pytest.mark.parametrize("seed", range(12))
def test_joint_optimum_is_that_of_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grids = [random_board(rng, 1, 3, 5), random_board(rng, 1, 3, 5)]
    boards = [Board.from_probabilities(grid, 1e-4) for grid in grids]
    best = None
    for one, other in product(*(list(product(*board.options)) for board in boards)):
        codes = [[code for code, _ in choice] for choice in (one, other)]
        if any(reading.count(CASTLE_CLASS) != 1 for reading in codes):
            continue
        value = sum(value for choice in (one, other) for _, value in choice)
        if best is not None and value <= best:
            continue
        kingdoms = [board.kingdom(reading) for board, reading in zip(boards, codes, strict=True)]
        if Field(kingdoms).cut(Clock(10), uncovered=0, illegal=None) is not None:
            best = value
    found = decode_together(grids, config=PATIENT)
    if best is None or not all(decoding.tileable for decoding in found):
        assert best is None
    else:
        assert sum(decoding.log_probability for decoding in found) == pytest.approx(best)


def test_clear_kingdoms_of_a_complete_game_are_read_as_they_are() -> None:
    kingdoms = complete_game(1)
    found = decode_together([one_hot(kingdom, 0.99999) for kingdom in kingdoms])
    assert [decoding.kingdom for decoding in found] == kingdoms
    assert not any(decoding.note or decoding.overruled for decoding in found)


@pytest.mark.parametrize("seed", range(6))
def test_hidden_crowns_are_settled_by_the_game(seed: int) -> None:
    kingdoms = complete_game(seed)
    grids = [one_hot(kingdom, 0.99999) for kingdom in kingdoms]
    # Hide the crown of a lake whose domino could as well be one without that crown.
    crowned = Square(Terrain.FOREST, 1)
    bare = Square(Terrain.FOREST)
    number, cell = next(
        (number, position)
        for number, kingdom in enumerate(kingdoms)
        for position, square in kingdom.squares.items()
        if square == crowned
    )
    hide_crowns(grids[number], kingdoms[number], cell, bare, 1e-4)
    found = decode_together(grids)
    assert [decoding.kingdom for decoding in found] == kingdoms
    assert cell in found[number].overruled


def test_what_one_photo_reads_wrong_the_game_reads_right() -> None:
    # w-f and w-f1 are both dominoes of the box, so alone nothing speaks against the crown not being there.
    first, second = Kingdom.from_notation("Cwf1"), Kingdom.from_notation("Cwf")
    grids = [one_hot(first, 0.99999), one_hot(second, 0.99999)]
    hide_crowns(grids[0], first, (0, 2), Square(Terrain.FOREST), 0.01)
    assert decode(grids[0]).kingdom == second
    assert [decoding.kingdom for decoding in decode_together(grids)] == [first, second]


def test_a_choice_between_two_kingdoms_stays_doubtful_in_both() -> None:
    # The box has one w-f; one of the two must be something else, and nothing tells which.
    kingdom = Kingdom.from_notation("Cwf")
    grids = [one_hot(kingdom, 0.99999) for _ in range(2)]
    for grid in grids:
        hide_crowns(grid, Kingdom.from_notation("Cwf1"), (0, 2), Square(Terrain.FOREST), 0.1)
    found = decode_together(grids)
    assert sorted(decoding.kingdom.notation for decoding in found) == ["Cwf", "Cwf1"]
    assert all(0.3 < decoding.confidence[0, 2] < 0.7 for decoding in found)


def test_the_same_kingdom_twice_is_no_game_and_is_reported() -> None:
    kingdom = complete_game(2)[0]
    found = decode_together([one_hot(kingdom, 0.9999)] * 2)
    assert [decoding.kingdom for decoding in found] == [kingdom] * 2
    assert all("photographed twice" in decoding.note for decoding in found)


def test_a_kingdom_of_a_second_box_does_not_hinder_the_others() -> None:
    odd = Kingdom.from_notation("m3wl/Cfl/wm3l1")
    others = complete_game(3)[:2]
    found = decode_together([one_hot(kingdom, 0.99999) for kingdom in (others[0], odd, others[1])])
    assert [decoding.tileable for decoding in found] == [True, False, True]
    assert [decoding.kingdom for decoding in found] == [others[0], odd, others[1]]


def test_noisy_games_share_one_box() -> None:
    kingdoms = complete_game(4)
    rng = np.random.default_rng(4)
    found = decode_together([noisy(kingdom, rng, 10, 2.2) for kingdom in kingdoms])
    assert all(verdict.tileable for verdict in verify_game([decoding.kingdom for decoding in found], time_limit=20))
    wrong = Counter(decoding.kingdom == kingdom for decoding, kingdom in zip(found, kingdoms, strict=True))
    assert wrong[True] == 4
