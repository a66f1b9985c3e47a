"""Decoding: exact against brute force, honest about what the box cannot build, the same every time."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from math import inf, log

import numpy as np
import pytest

from engine import CASTLE, Kingdom, verify
from engine.cutting import Clock, Field
from tests.vision.kingdoms import CLASS_OF, noisy, one_hot, random_board, random_kingdom
from vision.config import DECODE
from vision.decode import decode
from vision.programme import Programme
from vision.readings import CASTLE_CLASS, CLASS_COUNT, Board, DecodeError, Ranked, cuttable, fits

# Both go by the squares alone.
ALWAYS_PROGRAMME = replace(DECODE, tries=0, surrender=inf, overrule=inf, pairing=0)
NEVER_SURRENDER = replace(DECODE, surrender=inf, overrule=inf, pairing=0)


def brute_force(board: Board, size: int) -> list[tuple[float, str]]:
    """Every reading with one castle that one box can build, best first, judged by the engine."""
    found = []
    for choice in product(*board.options):
        codes = [code for code, _ in choice]
        if codes.count(CASTLE_CLASS) != 1:
            continue
        kingdom = board.kingdom(codes)
        box = kingdom.bounding_box
        assert box is not None
        if box[2] - box[0] >= size or box[3] - box[1] >= size:
            continue
        if Field([kingdom]).cut(Clock(10), uncovered=0, illegal=None) is not None:
            found.append((sum(value for _, value in choice), kingdom.notation))
    return sorted(found, reverse=True)


@pytest.mark.parametrize("seed", range(32))
@pytest.mark.parametrize("config", [NEVER_SURRENDER, ALWAYS_PROGRAMME], ids=["one by one", "programme"])
def test_best_and_second_best_are_those_of_brute_force(seed: int, config: object) -> None:
    rng = np.random.default_rng(seed)
    height, width, classes = [(1, 3, 5), (2, 3, 4), (3, 3, 3), (2, 4, 3)][seed % 4]
    grid = random_board(rng, height, width, classes)
    expected = brute_force(Board.from_probabilities(grid, DECODE.plausible), 7)
    found = decode(grid, config=config)  # type: ignore[arg-type]
    assert found.tileable == bool(expected)
    if not expected:
        assert found.kingdom == found.plain
        return
    assert found.exact
    assert found.kingdom.notation == expected[0][1]
    assert found.log_probability == pytest.approx(expected[0][0])
    if len(expected) == 1:
        assert found.second is None and found.margin == inf
    else:
        assert found.second is not None and found.second.notation == expected[1][1]
        assert found.margin == pytest.approx(expected[0][0] - expected[1][0])


@pytest.mark.parametrize("config", [NEVER_SURRENDER, ALWAYS_PROGRAMME], ids=["one by one", "programme"])
def test_brute_force_agrees_within_a_frame_smaller_than_the_lattice(config: object) -> None:
    solved = 0
    for seed in range(40):
        grid = random_board(np.random.default_rng(seed), 1, 7, 3)
        # Leave table as a way out on every square.
        grid = 0.9 * grid + 0.1 * np.eye(CLASS_COUNT)[-1]
        board = Board.from_probabilities(grid, 0.02)
        coarse = replace(config, plausible=0.02)  # type: ignore[type-var]
        expected = brute_force_few(board, 5)
        found = decode(grid, size=5, config=coarse)
        assert found.tileable == (expected is not None)
        if expected is not None:
            solved += 1
            assert found.log_probability == pytest.approx(expected)
    assert solved > 20


def brute_force_few(board: Board, size: int) -> float | None:
    """The log probability of the best reading, without the engine, for boards with more readings."""
    best = None
    for choice in product(*board.options):
        codes = [code for code, _ in choice]
        if codes.count(CASTLE_CLASS) == 1 and fits(board, codes, size):
            value = sum(value for _, value in choice)
            if (best is None or value > best) and cuttable(board, codes):
                best = value
    return best


def test_readings_come_in_decreasing_probability_each_once() -> None:
    grid = random_board(np.random.default_rng(5), 2, 3, 3)
    board = Board.from_probabilities(grid, DECODE.plausible)
    ranked = list(Ranked(board, 7).candidates())
    values = [value for value, _ in ranked]
    assert values == sorted(values, reverse=True)
    one_castle = sum([code for code, _ in choice].count(CASTLE_CLASS) == 1 for choice in product(*board.options))
    assert len(ranked) == one_castle > 20
    kept = [tuple(codes) for _, codes in ranked if codes is not None]
    assert len(kept) == len(set(kept))


@pytest.mark.parametrize("seed", range(30))
def test_cutting_agrees_with_the_engine(seed: int) -> None:
    rng = random.Random(seed)
    kingdom = random_kingdom(rng, rng.choice([5, 7]))
    board = Board.from_probabilities(one_hot(kingdom), 0.5)
    assert cuttable(board, board.plain())
    codes = board.plain()
    for _ in range(3):
        codes[rng.randrange(len(codes))] = rng.randrange(CLASS_COUNT)
    wild = board.kingdom(codes)
    engine = Field([wild]).cut(Clock(10), uncovered=0, illegal=None) is not None
    assert cuttable(board, codes) == engine


@pytest.mark.parametrize("size", [5, 7])
def test_clear_squares_are_read_as_they_are(size: int) -> None:
    for seed in range(10):
        kingdom = random_kingdom(random.Random(seed), size, count=None if seed % 2 else 8)
        found = decode(one_hot(kingdom))
        assert found.kingdom == kingdom == found.plain
        assert found.tileable and found.exact and not found.overruled and not found.note
        assert found.cost == 0
        assert found.confidence.min() > 0.99


def test_one_misread_square_is_repaired_by_the_box() -> None:
    # The mine with three crowns exists once; a forest with two crowns does not exist at all.
    kingdom = Kingdom.from_notation("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")
    grid = one_hot(kingdom)
    grid[4, 3] = 0.001
    grid[4, 3, CLASS_OF[kingdom.cell(3, 0)]] = 0.6
    grid[4, 3, CLASS_OF[kingdom.cell(4, 3)]] = 0.38
    found = decode(grid)
    assert found.plain != kingdom
    assert found.kingdom == kingdom
    assert found.overruled == ((4, 3),)
    assert found.cost == pytest.approx(log(0.6 / 0.38))


def test_exactly_one_castle_is_read() -> None:
    kingdom = Kingdom.from_notation("fw1Cf1w")
    grid = one_hot(kingdom)
    castle = CLASS_OF[CASTLE]
    grid[0, 0] = 0.01
    grid[0, 0, castle], grid[0, 0, CLASS_OF[kingdom.cell(0, 0)]] = 0.5, 0.33
    assert len(decode(grid).plain.castles) == 2
    assert decode(grid).kingdom == kingdom


def test_a_second_castle_is_no_reason_to_give_the_box_up() -> None:
    # Half hidden by the standing castle, a square looks like one itself, and its own face is all but lost.
    kingdom = Kingdom.from_notation("fw1Cf1w")
    grid = one_hot(kingdom, 0.999)
    grid[0, 0] = 1e-6
    grid[0, 0, CLASS_OF[CASTLE]], grid[0, 0, CLASS_OF[kingdom.cell(0, 0)]] = 0.9985, 0.0012
    assert log(0.9985 / 0.0012) > DECODE.overrule
    found = decode(grid)
    assert found.tileable
    assert found.kingdom == kingdom
    assert found.overruled == ((0, 0),)


def test_a_square_that_can_be_nothing_but_a_castle_stays_one() -> None:
    kingdom = Kingdom.from_notation("Cw1Cf1w")
    found = decode(one_hot(kingdom, 0.99999))
    assert not found.tileable
    assert found.kingdom == kingdom


def test_connections_are_no_evidence() -> None:
    # An illegal but tileable kingdom is kept although a legal one is nearly as likely.
    illegal = Kingdom.from_notation("Cwf/.lg")
    found = decode(one_hot(illegal, 0.95))
    assert found.kingdom == illegal
    assert verify(Kingdom.from_notation("Cwf/.lg")).tileable


def test_tiles_of_a_second_box_are_kept_and_reported() -> None:
    # Two mines with three crowns need two boxes.
    kingdom = Kingdom.from_notation("m3wl/Cfl/wm3l1")
    found = decode(one_hot(kingdom, 0.9999))
    assert not found.tileable
    assert found.kingdom == kingdom == found.plain
    assert "second box" in found.note
    assert found.exact


def test_a_likely_reading_is_not_given_up_for_an_unlikely_kingdom() -> None:
    kingdom = Kingdom.from_notation("m3w./Cff/wm3.")
    grid = one_hot(kingdom, 0.99)
    assert not decode(grid, config=replace(DECODE, surrender=2.0)).tileable
    assert decode(grid, config=NEVER_SURRENDER).tileable


def test_a_square_read_with_certainty_is_not_bent_to_fit() -> None:
    kingdom = Kingdom.from_notation("m3w./Cff/wm3.")
    grid = one_hot(kingdom, 0.9)
    # All doubt is on one square, which is sure of itself.
    kept = decode(grid, config=replace(NEVER_SURRENDER, overrule=2.0))
    assert kept.kingdom == kingdom and not kept.tileable
    # What would have had to change is named, so that it can be looked at.
    assert set(kept.suspected) & {(0, 0), (0, 1), (2, 0), (2, 1)}
    assert decode(grid, config=NEVER_SURRENDER).kingdom != kingdom


def test_the_size_asked_for_is_kept() -> None:
    # A loose forest square beside a 1×5 kingdom: with size 5 one end has to be table.
    kingdom = Kingdom.from_notation("ffCwwff")
    grid = 0.7 * one_hot(kingdom, 0.999) + 0.3 * np.eye(CLASS_COUNT)[-1]
    assert decode(grid).kingdom == kingdom
    assert decode(grid, size=5).kingdom.trimmed().width <= 5


def test_results_are_the_same_from_run_to_run() -> None:
    rng = np.random.default_rng(3)
    kingdom = random_kingdom(random.Random(3))
    grid = noisy(kingdom, rng, 9, 2.5)
    one, other = decode(grid), decode(grid)
    assert one.kingdom == other.kingdom and one.second == other.second
    assert np.array_equal(one.confidence, other.confidence)


def test_time_is_bounded_and_the_flag_is_honest() -> None:
    # Nothing to go by: every class is equally likely everywhere.
    grid = np.full((7, 7, CLASS_COUNT), 1 / CLASS_COUNT)
    found = decode(grid, config=replace(DECODE, tries=10, time_limit=0.05, surrender=inf, overrule=inf))
    assert found.exact or found.note


@pytest.mark.parametrize(
    "grid",
    [
        np.ones((3, CLASS_COUNT)),
        np.ones((3, 3, 5)),
        np.zeros((2, 2, CLASS_COUNT)),
        np.full((2, 2, CLASS_COUNT), np.nan),
        -np.ones((2, 2, CLASS_COUNT)),
        np.ones((0, 3, CLASS_COUNT)),
    ],
    ids=["flat", "classes", "zeros", "nan", "negative", "none"],
)
def test_what_is_no_lattice_is_refused(grid: np.ndarray) -> None:
    with pytest.raises(DecodeError, match="Expected probabilities"):
        decode(grid)


def test_a_bare_table_is_kept_as_it_is() -> None:
    grid = np.zeros((3, 3, CLASS_COUNT))
    grid[..., -1] = 1
    found = decode(grid)
    assert not found.tileable
    assert found.kingdom.bounding_box is None


@pytest.mark.parametrize("seed", range(8))
def test_programme_and_enumeration_agree_on_whole_kingdoms(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kingdom = random_kingdom(random.Random(seed), 5, count=None if seed % 2 else 10)
    grid = noisy(kingdom, rng, 10, 2.5)
    one = decode(grid, config=replace(NEVER_SURRENDER, tries=100_000, time_limit=30))
    other = decode(grid, config=replace(ALWAYS_PROGRAMME, time_limit=30))
    assert not one.programme and other.programme
    assert one.kingdom == other.kingdom
    assert one.log_probability == pytest.approx(other.log_probability)
    assert one.margin == pytest.approx(other.margin)


def test_programme_without_any_castle_has_no_solution() -> None:
    grid = one_hot(Kingdom.from_notation("ww"), 1.0)
    board = Board.from_probabilities(grid, DECODE.plausible)
    assert Programme((board,), (5,)).solve(1).readings is None
