"""How sure a kingdom is: shares of the weight of what can be built, and the squares worth a look."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import exp, inf

import numpy as np
import pytest

from engine import Kingdom
from tests.vision.kingdoms import one_hot, random_board
from vision.config import DECODE, TRUST
from vision.decode import decode
from vision.readings import CASTLE_CLASS, Board, cuttable
from vision.trust import calibrated, nearby_confidence, squares_to_check

# By the squares alone; how well they pair up is tested in test_pairing.py.
PATIENT = replace(DECODE, surrender=inf, overrule=inf, tries=10**6, time_limit=30.0, pairing=0)
EVERYTHING = replace(TRUST, negligible=1e-12, weighed=10**6)


# Boards of these seeds on which something can be built.
@pytest.mark.parametrize("seed", [0, 1, 4, 6, 7, 11, 13, 15, 16])
def test_confidences_are_the_shares_of_all_kingdoms_that_can_be_built(seed: int) -> None:
    grid = random_board(np.random.default_rng(seed), 2, 3, 4)
    found = decode(grid, config=PATIENT, trust=EVERYTHING)
    assert found.tileable
    board = Board.from_probabilities(grid, DECODE.plausible)
    total, agreeing, best_weight = 0.0, np.zeros((2, 3)), 0.0
    for choice in product(*board.options):
        codes = [code for code, _ in choice]
        if codes.count(CASTLE_CLASS) == 1 and cuttable(board, codes):
            weight = exp(sum(value for _, value in choice))
            kingdom = board.kingdom(codes)
            total += weight
            agreeing += weight * np.array(
                [[kingdom.cell(r, c) == found.kingdom.cell(r, c) for c in range(3)] for r in range(2)]
            )
            best_weight += weight * (kingdom == found.kingdom)
    assert found.confidence == pytest.approx(agreeing / total)
    assert found.whole == pytest.approx(best_weight / total)


def test_a_square_is_doubted_by_what_could_lie_there_instead() -> None:
    # w-f and w-f1 are both dominoes; w-m is not, so a mine there is no doubt at all.
    kingdom = Kingdom.from_notation("Cwf")
    grid = one_hot(kingdom, 1.0)
    grid[0, 2, 2], grid[0, 2, 3], grid[0, 2, 12] = 0.5, 0.2, 0.3
    board = Board.from_probabilities(grid, DECODE.plausible)
    confidence, whole = nearby_confidence(board, 7, board.plain(), TRUST)
    assert confidence[0] == pytest.approx([1.0, 1.0, 0.5 / 0.7])
    assert whole == pytest.approx(0.5 / 0.7)
    assert decode(grid, config=PATIENT).confidence[0] == pytest.approx([1.0, 1.0, 0.5 / 0.7])


def test_changes_that_need_a_second_one_count_as_doubt_in_both() -> None:
    # Either f-f or w-w lies there: one square cannot change without the other, for w-f is used on the other side.
    kingdom = Kingdom.from_notation("wfCff")
    grid = one_hot(kingdom, 1.0)
    for column in (3, 4):
        grid[0, column, 2], grid[0, column, 0] = 0.6, 0.4
    board = Board.from_probabilities(grid, DECODE.plausible)
    confidence, _ = nearby_confidence(board, 7, board.plain(), TRUST)
    assert confidence[0, 3] == confidence[0, 4] == pytest.approx(1 / (1 + (0.4 / 0.6) ** 2))


def test_overruled_squares_are_always_listed_and_the_doubtful_ones_are_few() -> None:
    kingdom = Kingdom.from_notation("wfCff/wwwww")
    confidence = np.full((2, 5), 0.5) + np.arange(10).reshape(2, 5) / 100
    check = squares_to_check(kingdom, confidence, [(1, 4)], replace(TRUST, most=3))
    assert check == ((1, 4), (0, 0), (0, 1), (0, 2))
    assert len(squares_to_check(kingdom, confidence, [], TRUST)) == TRUST.most < kingdom.height * kingdom.width
    assert squares_to_check(kingdom, np.full((2, 5), 0.999), [(1, 4)], TRUST) == ((1, 4),)
    assert squares_to_check(kingdom, np.full((2, 5), 0.999), [], TRUST) == ()


def test_bare_table_is_listed_only_when_very_doubtful() -> None:
    kingdom = Kingdom.from_notation("Cwf./....")
    confidence = np.full((2, 4), 0.98)
    assert squares_to_check(kingdom, confidence, [], TRUST) == ((0, 0), (0, 1), (0, 2))
    confidence[1, 1] = 0.6
    assert squares_to_check(kingdom, confidence, [], TRUST)[0] == (1, 1)


def test_calibration_bends_along_its_knots_and_keeps_the_order() -> None:
    raw = np.array([0.2, 0.5, 0.9, 0.99, 0.9999])
    assert calibrated(raw, ()) is raw
    knots = ((0.5, 0.4), (0.9, 0.8), (0.999, 0.99))
    bent = calibrated(raw, knots)
    assert bent[1] == pytest.approx(0.4) and bent[2] == pytest.approx(0.8)
    assert list(bent) == sorted(bent) and 0.8 < bent[3] < 0.99
