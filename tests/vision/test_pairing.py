"""How well the squares of a kingdom pair up: by the box alone, over all cuttings, and as evidence beside the looks."""

from __future__ import annotations

import random
from dataclasses import replace
from math import exp, inf, log

import numpy as np
import pytest

from engine import DOMINOES, Kingdom
from tests.vision.kingdoms import CLASS_OF, one_hot, random_board, random_kingdom
from tests.vision.test_decode import brute_force
from vision.config import DECODE, TRUST
from vision.decode import decode, decode_cut
from vision.pairing import WORTH, log_worth
from vision.readings import SQUARES_IN_BOX, TERRAINS, Board, Codes

SHARES = np.array(SQUARES_IN_BOX) / sum(SQUARES_IN_BOX)


def by_hand(board: Board, codes: Codes) -> float:
    """What all cuttings are worth, each found by itself."""

    def worth(left: set[int]) -> float:
        if not left:
            return 1.0
        first = min(left)
        others = [other for other in board.neighbours()[first] if other in left]
        return sum(WORTH[codes[first], codes[other]] * worth(left - {first, other}) for other in others)

    return worth({index for index, code in enumerate(codes) if code < TERRAINS})


def test_a_domino_is_worth_how_much_oftener_it_is_there_than_chance_would_have_it() -> None:
    # 48 dominoes lying either way: of 96 such pairs two are a forest beside a lake with a crown, ...
    forest, lake = (CLASS_OF[cell] for cell in Kingdom.from_notation("fl1").rows[0])
    count = sum({domino.a.symbol, domino.b.symbol} == {"f", "l1"} for domino in DOMINOES)
    assert WORTH[forest, lake] == pytest.approx(count / 96 / (SHARES[forest] * SHARES[lake]))
    # ... and over all pairs chance is neither beaten nor missed.
    assert (WORTH[:TERRAINS, :TERRAINS] * np.outer(SHARES, SHARES)).sum() == pytest.approx(1)
    assert np.allclose(WORTH, WORTH.T) and not WORTH[TERRAINS:].any()


@pytest.mark.parametrize("seed", range(8))
def test_every_cutting_of_every_reading_counts(seed: int) -> None:
    rng = random.Random(seed)
    kingdom = random_kingdom(rng, 5, count=rng.choice([6, 8]))
    board = Board.from_probabilities(one_hot(kingdom), 0.5)
    readings = [board.plain()]
    for _ in range(6):
        changed = board.plain()
        changed[rng.randrange(len(changed))] = rng.randrange(TERRAINS + 2)
        readings.append(changed)
    expected = [by_hand(board, codes) for codes in readings]
    assert expected[0] > 0
    assert np.exp(log_worth(board, readings)) == pytest.approx(expected)


def test_a_wide_kingdom_is_worth_what_it_is_worth_on_its_side() -> None:
    kingdom = Kingdom.from_notation("ffwl1Cww/..ww.gf")
    turned = Kingdom(tuple(zip(*kingdom.rows, strict=True)))
    worth = []
    for each in (kingdom, turned):
        board = Board.from_probabilities(one_hot(each), 0.5)
        worth.append(log_worth(board, [board.plain()])[0])
        assert worth[-1] == pytest.approx(log(by_hand(board, board.plain())))
    assert worth[0] == pytest.approx(worth[1])


def test_what_no_domino_can_build_is_worth_nothing() -> None:
    board = Board.from_probabilities(one_hot(Kingdom.from_notation("wC/..")), 0.5)
    assert log_worth(board, [board.plain()])[0] == -inf


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("pairing", [0.5, 1.0])
def test_squares_and_pairs_together_decide_as_brute_force_says(seed: int, pairing: float) -> None:
    height, width, classes = [(1, 3, 5), (2, 3, 4), (3, 3, 3), (2, 4, 3)][seed % 4]
    grid = random_board(np.random.default_rng(seed), height, width, classes)
    board = Board.from_probabilities(grid, DECODE.plausible)
    alike: dict[tuple[bool, ...], list[tuple[float, float, Codes]]] = {}
    for value, notation in brute_force(board, 7):
        codes = [CLASS_OF[cell] for row in Kingdom.from_notation(notation).rows for cell in row]
        covered = tuple(code < TERRAINS for code in codes)
        alike.setdefault(covered, []).append((value + pairing * log(by_hand(board, codes)), value, codes))
    # Pairs tell what lies on the covered squares, not which are covered.
    weighed = []
    for group in alike.values():
        step = max(value for _, value, _ in group) - max(weight for weight, _, _ in group)
        weighed += [(weight + step, value, codes) for weight, value, codes in group]
    weighed.sort(reverse=True)
    config = replace(DECODE, surrender=inf, overrule=inf, tries=10**6, pairing=pairing)
    # However unlikely a reading is, it is weighed.
    found = decode(grid, config=config, trust=replace(TRUST, negligible=1e-60, weighed=10**6))
    assert found.tileable == bool(weighed)
    if weighed:
        assert found.kingdom == board.kingdom(weighed[0][2])
        assert found.log_probability == pytest.approx(weighed[0][1])
        total = sum(exp(weight) for weight, _, _ in weighed)
        assert found.whole == pytest.approx(exp(weighed[0][0]) / total)
        agreeing = sum(exp(weight) * (np.array(codes) == weighed[0][2]) for weight, _, codes in weighed)
        assert found.confidence.ravel() == pytest.approx(agreeing / total)
    if len(weighed) > 1:
        assert found.margin == pytest.approx(weighed[0][0] - weighed[1][0])


def test_between_squares_that_look_alike_the_box_decides() -> None:
    # Beside a forest wheat lies on one domino, beside a forest with a crown on four.
    rare, usual = Kingdom.from_notation("Cwf"), Kingdom.from_notation("Cwf1")
    pairs = [{domino.a.symbol, domino.b.symbol} for domino in DOMINOES]
    assert (pairs.count({"w", "f"}), pairs.count({"w", "f1"})) == (1, 4)
    grid = 0.51 * one_hot(rare, 1.0) + 0.49 * one_hot(usual, 1.0)
    found = decode(grid)
    assert (found.kingdom, found.second, found.plain) == (usual, rare, rare)
    assert found.overruled == ((0, 2),)
    assert decode(grid, config=replace(DECODE, pairing=0)).kingdom == rare
    # A kingdom cut by the photo's edge may lack the other half.
    assert decode_cut(grid).kingdom == rare
    # What is seen clearly is believed.
    assert decode(0.95 * one_hot(rare, 1.0) + 0.05 * one_hot(usual, 1.0)).kingdom == rare
