"""What happened between two states of one kingdom: dominoes added, and what cannot be a placement."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import CASTLE, EMPTY, UNREAD, Comparison, Kingdom, Placement, PlacementError, Position, Rules, compare
from tests.engine import reference
from tests.engine.strategies import built, castled_grids


def parse(text: str) -> Kingdom:
    return Kingdom.from_notation(text)


def compared(before: str | None, after: str, size: int | None = None) -> Comparison:
    return compare(parse(before) if before else None, parse(after), Rules(size=size) if size else None)


# Dominoes added


def test_an_added_domino_is_found_with_its_numbers_and_cells() -> None:
    result = compared("Cff", "Cff/..m3/..w")
    ((added,),) = result.cuttings
    assert (added.numbers, added.cells, added.legal) == ((48,), ((2, 2), (1, 2)), False)
    assert result.changes == ()


def test_a_legal_domino_is_legal() -> None:
    result = compared("Cff", "Cffff")
    assert [(added.numbers, added.cells, added.legal) for added in result.added] == [
        ((3, 4, 5, 6), ((0, 3), (0, 4)), True)
    ]
    assert result.legal


def test_nothing_added_is_no_change() -> None:
    result = compared("Cff", "Cff")
    assert (result.added, result.changes, result.legal) == ((), (), True)


def test_an_illegal_domino_says_which_rule_it_breaks() -> None:
    result = compared("Cff", "Cffll")
    (added,) = result.added
    assert not added.legal
    assert added.broken == ("At least one half must touch the castle or its own terrain: lake. Neither does.",)
    assert not result.legal


def test_a_domino_outside_the_frame_is_illegal() -> None:
    assert compared("Cffff", "Cffffff", 7).legal
    result = compared("Cffff", "Cffffff", 5)
    assert "must fit 5×5" in result.added[0].broken[0]


def test_without_an_earlier_state_it_is_the_lone_castle() -> None:
    assert compared(None, "wwCff") == compared("C", "wwCff")
    assert [added.legal for added in compared(None, "wwCff").added] == [True, True]


def test_several_dominoes_come_in_an_order_of_placing() -> None:
    result = compared("C", "ffffC")
    assert [added.cells for added in result.added] == [((0, 2), (0, 3)), ((0, 0), (0, 1))]
    assert result.legal


def test_all_ways_to_cut_the_new_squares_are_returned() -> None:
    # In rows: wheat – forest and lake – forest; in columns: wheat – lake and forest – forest.
    result = compared("C..", "Cwf/.lf")
    assert len(result.cuttings) == 2
    assert result.complete
    assert {tuple(sorted(added.numbers for added in cutting)) for cutting in result.cuttings} == {
        ((13,), (17,)),
        ((3, 4, 5, 6), (14,)),
    }
    assert result.legal, "one of the ways is legal"


def test_a_domino_that_lies_already_cannot_be_added_again() -> None:
    # Domino 48 is the only one with a three-crown mine.
    result = compared("Cwm3", "Cwm3/..m3/..w")
    assert kinds(result) == ["unpaired"]
    assert not result.legal


# The same kingdom seen turned


@pytest.mark.parametrize("turns", range(4))
def test_states_are_laid_castle_on_castle_however_the_photo_was_turned(turns: int) -> None:
    before, after = parse("Cff/.ww"), parse("Cff/.ww/.wl")
    result = compare(before, after.rotated(turns))
    assert (result.turns, result.ambiguous, result.changes) == (turns, False, ())
    assert [added.numbers for added in result.added] == [(14,)]
    assert result.legal


def test_the_castle_need_not_keep_its_place_in_the_grid() -> None:
    assert compared("Cff", "wwCff").legal
    assert compared("...Cff", ".../wwC/..f/..f").legal


def test_two_equally_good_turns_are_told() -> None:
    # Either forest domino may be the earlier one.
    assert compared("Cff", "ffCff").ambiguous
    assert not compared("Cff", "wwCff").ambiguous


def test_the_lone_castle_looks_the_same_from_all_sides() -> None:
    assert not compared("C", "Cff").ambiguous


# What is no placement


def kinds(result: Comparison) -> list[str]:
    return [change.kind for change in result.changes]


def test_a_replaced_square_is_no_placement() -> None:
    result = compared("Cffw1w", "Cfflw")
    assert kinds(result) == ["replaced"]
    assert result.changes[0].cells == ((0, 3),)
    assert "wheat with 1 crown became lake" in result.changes[0].text
    assert not result.legal


def test_a_removed_domino_is_no_placement() -> None:
    result = compared("wwCff", "Cff")
    assert kinds(result) == ["removed"]
    assert set(result.changes[0].cells) == {(0, -2), (0, -1)}


def test_a_moved_domino_is_told_as_moved() -> None:
    result = compared("wlCm3w", "Cm3w/w../l..")
    assert kinds(result) == ["moved"]
    assert "(wheat – lake)" in result.changes[0].text
    assert result.added == ()
    assert not result.legal


def test_a_new_square_that_was_not_read_is_told() -> None:
    result = compared("Cff", "Cff??")
    assert "unread" in kinds(result)


def test_an_unread_square_is_taken_for_what_the_other_photo_shows() -> None:
    assert compared("Cf?", "Cff").changes == ()
    assert compared("Cff", "Cf?").changes == ()


def test_new_squares_that_form_no_domino_are_told() -> None:
    result = compared("Cff", "Cffm")
    assert kinds(result) == ["unpaired"]
    assert result.changes[0].cells == ((0, 3),)
    assert "mine" in result.changes[0].text
    result = compared("Cff", "Cffmm")
    assert kinds(result) == ["unpaired"]


@pytest.mark.parametrize("before, after", [("ff", "Cff"), ("Cff", "ff"), ("CffC", "Cff"), ("Cff", "CffC"), (None, ".")])
def test_states_without_one_castle_are_refused(before: str | None, after: str) -> None:
    with pytest.raises(PlacementError, match="one castle"):
        compared(before, after)


# Properties


@settings(max_examples=80)
@given(st.randoms(use_true_random=False), st.integers(0, 10), st.integers(0, 3), st.integers(0, 3))
def test_dominoes_laid_by_the_rules_are_found_and_legal(rng: random.Random, steps: int, more: int, turns: int) -> None:
    kingdom, placed = reference.build(rng, 5, steps + more)
    cut = max(0, len(placed) - more)
    before = Kingdom.lone_castle()
    down = right = 0
    for placement in placed[:cut]:
        (ra, ca), (rb, cb) = placement.cells
        before = before.place(Placement(placement.domino, ((ra + down, ca + right), (rb + down, cb + right))))
        down += max(0, -min(ra + down, rb + down))
        right += max(0, -min(ca + right, cb + right))
    result = compare(before, kingdom.rotated(turns), Rules(size=5))
    if result.ambiguous:
        return
    # A kingdom that looks the same from several sides may be turned less far.
    assert before.rotated(result.turns) == before.rotated(turns)
    assert result.changes == ()
    assert result.legal
    assert len(result.added) == len(placed) - cut


def differing(before: Kingdom, after: Kingdom, turns: int) -> set[Position]:
    """Where two states differ, castle on castle; an unread square may be anything but empty."""
    turned = before.rotated(turns)
    (row, column), (home_row, home_column) = turned.castles[0], after.castles[0]
    down, right = home_row - row, home_column - column
    positions = {(r + down, c + right) for (r, c), _ in turned} | {position for position, _ in after}
    found = set()
    for r, c in positions:
        was, now = turned.cell(r - down, c - right), after.cell(r, c)
        if was != now and (UNREAD not in (was, now) or EMPTY in (was, now)):
            found.add((r, c))
    return found


@settings(max_examples=150)
@given(castled_grids(most=6), castled_grids(most=6), st.booleans(), st.integers(0, 3))
def test_every_square_that_differs_is_accounted_for_once(
    before: Kingdom, other: Kingdom, related: bool, turns: int
) -> None:
    after = before.rotated(turns) if related else other
    if related:
        # Take the other grid's cells over where both have some, castles excepted.
        for (r, c), cell in other:
            if r < after.height and c < after.width and after.cell(r, c) is not CASTLE and cell is not CASTLE:
                after = after.replaced(r, c, cell) if (r + c) % 3 == 0 else after
    result = compare(before, after)
    differences = {turns: differing(before, after, turns) for turns in range(4)}
    assert len(differences[result.turns]) == min(map(len, differences.values()))
    changed = [cell for change in result.changes for cell in change.cells]
    for cutting in result.cuttings or ((),):
        accounted = changed + [cell for added in cutting for cell in added.cells]
        assert sorted(accounted) == sorted(differences[result.turns])


def test_an_unread_square_that_is_gone_is_told() -> None:
    result = compared("Cff?", "Cff")
    assert [(change.kind, change.cells) for change in result.changes] == [("removed", ((0, 3),))]


@given(built(5), st.integers(0, 3))
def test_a_kingdom_compared_with_itself_shows_no_change(pair: tuple[Kingdom, list[Placement]], turns: int) -> None:
    result = compare(pair[0], pair[0].rotated(turns), Rules(size=5))
    assert (result.added, result.changes) == ((), ())
    assert result.legal
