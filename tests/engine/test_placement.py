"""Where a domino may be laid: each connection rule, in bulk and in words, against the brute-force reference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    CASTLE,
    DOMINOES,
    EMPTY,
    Domino,
    Kingdom,
    Placement,
    PlacementError,
    Position,
    Rules,
    can_place,
    domino,
    explain,
    legal_placements,
)
from tests.engine import reference
from tests.engine.strategies import altered, built, castled_grids

WHEAT_WHEAT, LAKE_LAKE, WHEAT_FOREST, WHEAT_MINE = domino(1), domino(7), domino(13), domino(48)
FULL = Kingdom.from_notation("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")


def parse(text: str) -> Kingdom:
    return Kingdom.from_notation(text)


def broken(text: str, laid: Domino, a: Position, b: Position, size: int = 5) -> tuple[str, ...]:
    return explain(parse(text), Placement(laid, (a, b)), Rules(size=size))


def normal(placement: Placement) -> tuple[Position, Position]:
    """The cells of a placement; of a domino with equal halves, without regard to their order."""
    a, b = placement.cells
    return (min(a, b), max(a, b)) if placement.domino.a == placement.domino.b else (a, b)


# The connection rules, one by one


@pytest.mark.parametrize("laid", DOMINOES, ids=lambda each: str(each.number))
@pytest.mark.parametrize("size", [5, 7])
def test_beside_the_lone_castle_every_domino_has_24_places_or_12_with_equal_ends(laid: Domino, size: int) -> None:
    expected = 12 if laid.a == laid.b else 24
    assert len(legal_placements(Kingdom.lone_castle(), laid, Rules(size=size))) == expected


def test_any_terrain_may_touch_the_castle() -> None:
    assert broken("C", WHEAT_MINE, (0, 1), (0, 2)) == ()
    assert broken("C", WHEAT_MINE, (0, 2), (0, 1)) == ()


def test_one_matching_half_is_enough() -> None:
    assert broken("Cww", WHEAT_MINE, (0, 3), (0, 4)) == ()
    assert broken("Cww", WHEAT_MINE, (1, 2), (1, 3)) == ()


def test_crowns_do_not_matter_for_the_connection() -> None:
    assert broken("Cfw1", WHEAT_MINE, (0, 3), (0, 4)) == ()


def test_the_half_that_touches_must_be_the_one_that_matches() -> None:
    (words,) = broken("Cww", WHEAT_MINE, (0, 4), (0, 3))
    assert words == (
        "At least one half must touch the castle or its own terrain: "
        "wheat for its wheat half or mine for its mine half. Neither does."
    )


def test_a_domino_may_not_lie_beside_other_terrain_only() -> None:
    (words,) = broken("Cww", LAKE_LAKE, (0, 3), (0, 4))
    assert words == "At least one half must touch the castle or its own terrain: lake. Neither does."


def test_diagonal_contact_does_not_connect() -> None:
    assert len(broken("Cww", WHEAT_WHEAT, (1, 3), (1, 4))) == 1
    assert len(broken("C", WHEAT_WHEAT, (1, 1), (1, 2))) == 1


def test_the_halves_of_a_domino_do_not_connect_each_other() -> None:
    assert len(broken("Cff", WHEAT_WHEAT, (0, 3), (0, 4))) == 1


def test_an_unread_square_connects_nothing() -> None:
    assert len(broken("C??", WHEAT_WHEAT, (0, 3), (0, 4))) == 1


def test_the_kingdom_must_fit_its_frame() -> None:
    assert broken("Cwww", WHEAT_WHEAT, (0, 4), (0, 5)) == ("The kingdom would be 1×6 squares; it must fit 5×5.",)
    assert broken("Cwww", WHEAT_WHEAT, (0, 4), (0, 5), size=7) == ()


def test_the_frame_is_not_fixed_in_advance() -> None:
    for a, b in [((0, -1), (0, -2)), ((-1, 0), (-2, 0)), ((0, 1), (0, 2)), ((1, 0), (2, 0))]:
        assert broken("C", WHEAT_MINE, a, b) == ()
    # The castle may end anywhere in the frame, but the frame does not grow.
    assert broken("wwwwC", WHEAT_MINE, (1, 4), (1, 3)) == ()
    assert broken("wwwwC", WHEAT_MINE, (0, 5), (0, 6)) != ()


def test_empty_border_rows_do_not_count_towards_the_frame() -> None:
    assert len(legal_placements(parse("......./......./..C...."), WHEAT_MINE, Rules(size=5))) == 24


def test_two_squares_must_share_an_edge() -> None:
    for b in [(0, 1), (0, 3), (1, 2), (5, 5)]:
        words = broken("C", WHEAT_MINE, (0, 1), b)
        assert "A domino covers two squares that share an edge." in words


def test_a_covered_square_is_not_free() -> None:
    assert broken("Cw", WHEAT_WHEAT, (0, 1), (0, 2)) == ("Already covered: row 1, column 2.",)
    assert broken("Cw", WHEAT_WHEAT, (0, 0), (0, 1))[0] == "Already covered: row 1, column 1 and row 1, column 2."


def test_every_rule_that_is_broken_is_told() -> None:
    words = broken("Cffff", LAKE_LAKE, (0, 4), (0, 6))
    assert [line.split()[0] for line in words] == ["A", "At", "The"]


def test_a_full_kingdom_takes_no_domino() -> None:
    assert not any(can_place(FULL, each, Rules(size=5)) for each in DOMINOES)


def test_a_kingdom_that_is_already_too_wide_takes_no_domino() -> None:
    kingdom = parse("Cwwwww/......")
    assert len(legal_placements(kingdom, WHEAT_WHEAT, Rules(size=5))) == 0
    assert len(legal_placements(kingdom, WHEAT_WHEAT, Rules(size=7))) > 0


def test_single_holes_take_no_domino() -> None:
    assert not can_place(parse("w.w.w/wwwww/w.C.w/wwwww/w.w.w"), WHEAT_WHEAT)


def test_what_can_be_placed_must_be_and_what_cannot_is_discarded() -> None:
    kingdom = parse("wwwww/wwwww/wwCww/wwwww/www..")
    assert can_place(kingdom, WHEAT_MINE)
    assert not can_place(kingdom, LAKE_LAKE)


@pytest.mark.parametrize("text", ["ww", "CwC", ".", "?"])
def test_a_kingdom_without_exactly_one_castle_takes_no_question(text: str) -> None:
    with pytest.raises(PlacementError, match="exactly one castle"):
        legal_placements(parse(text), WHEAT_WHEAT)
    with pytest.raises(PlacementError, match="exactly one castle"):
        can_place(parse(text), WHEAT_WHEAT)
    with pytest.raises(PlacementError, match="exactly one castle"):
        broken(text, WHEAT_WHEAT, (0, 1), (0, 2))


def test_without_rules_the_size_comes_from_the_kingdom() -> None:
    kingdom = parse("Cwwwww")
    assert set(legal_placements(kingdom, WHEAT_MINE)) == set(legal_placements(kingdom, WHEAT_MINE, Rules(size=7)))


# The collection


def test_legal_placements_are_listed_only_when_asked_for() -> None:
    found = legal_placements(Kingdom.lone_castle(), WHEAT_MINE)
    assert next(iter(found)) in found
    assert repr(found) == "<24 legal placements of no. 48 (wheat – mine with 3 crowns) in C>"


def test_both_ways_round_of_equal_halves_are_one_placement_but_both_are_in() -> None:
    found = legal_placements(Kingdom.lone_castle(), WHEAT_WHEAT)
    for placement in found:
        a, b = placement.cells
        assert Placement(WHEAT_WHEAT, (b, a)) in found


@pytest.mark.parametrize(
    "other",
    [
        None,
        "C",
        Placement(WHEAT_FOREST, ((0, 1), (0, 2))),
        Placement(WHEAT_MINE, ((0, 1), (0, 3))),
        Placement(WHEAT_MINE, ((0, 1), (0, 1))),
        Placement(WHEAT_MINE, ((99, 1), (99, 2))),
        Placement(WHEAT_MINE, ((-99, 1), (-99, 2))),
        Placement(WHEAT_MINE, ((0, 8), (1, -7))),
    ],
)
def test_what_is_no_legal_placement_of_the_domino_is_not_in(other: object) -> None:
    assert other not in legal_placements(Kingdom.lone_castle(), WHEAT_MINE)


positions = st.one_of(
    castled_grids(most=8),
    built(5).map(lambda pair: pair[0]),
    built(7).map(lambda pair: pair[0]),
    altered(5),
).filter(lambda kingdom: kingdom.castle is not None)


@given(positions, st.sampled_from(DOMINOES), st.sampled_from([5, 7]))
def test_the_placements_are_those_of_the_brute_force_reference(kingdom: Kingdom, laid: Domino, size: int) -> None:
    found = legal_placements(kingdom, laid, Rules(size=size))
    listed = list(found)
    expected = reference.placements(reference.cells_of(kingdom), laid, size)
    assert reference.placements_that_fit(reference.cells_of(kingdom), laid, size) == expected
    assert sorted(map(normal, listed)) == sorted(map(normal, expected))
    assert len(found) == len(listed) == len(set(listed))
    assert bool(found) == can_place(kingdom, laid, Rules(size=size)) == bool(expected)


@given(
    positions, st.sampled_from(DOMINOES), st.sampled_from([5, 7]), st.integers(-8, 15), st.integers(-8, 15), st.data()
)
def test_in_and_explain_and_the_list_agree_on_every_placement(
    kingdom: Kingdom, laid: Domino, size: int, row: int, column: int, data: st.DataObject
) -> None:
    rules = Rules(size=size)
    found = legal_placements(kingdom, laid, rules)
    listed = {normal(placement) for placement in found}
    dr, dc = data.draw(st.sampled_from(reference.DIRECTIONS))
    for cells in [
        ((row, column), (row + dr, column + dc)),
        *([data.draw(st.sampled_from(sorted(listed)))] if listed else []),
    ]:
        placement = Placement(laid, cells)
        legal = normal(placement) in listed
        assert (placement in found) == legal
        assert (explain(kingdom, placement, rules) == ()) == legal


@given(built(5), st.sampled_from(DOMINOES))
def test_every_listed_placement_can_be_laid_and_keeps_one_castle_in_the_frame(
    pair: tuple[Kingdom, list[Placement]], laid: Domino
) -> None:
    kingdom, _ = pair
    for placement in legal_placements(kingdom, laid, Rules(size=5)):
        after = kingdom.place(placement).trimmed()
        assert max(after.height, after.width) <= 5
        assert len(after.positions(CASTLE)) == 1
        assert len(after.squares) == len(kingdom.squares) + 2


@given(positions, st.sampled_from(DOMINOES), st.sampled_from([5, 7]))
def test_the_number_of_placements_is_the_same_for_all_eight_symmetries(
    kingdom: Kingdom, laid: Domino, size: int
) -> None:
    assert len({len(legal_placements(image, laid, Rules(size=size))) for image in kingdom.symmetries()}) == 1


@given(positions, st.sampled_from(DOMINOES), st.integers(0, 2), st.integers(0, 2))
def test_placements_refer_to_the_grid_as_it_is(kingdom: Kingdom, laid: Domino, top: int, left: int) -> None:
    rules = Rules(size=5)
    moved = {
        tuple((r - top, c - left) for r, c in placement.cells)
        for placement in legal_placements(kingdom.padded(top, left), laid, rules)
    }
    assert moved == {placement.cells for placement in legal_placements(kingdom, laid, rules)}


def test_a_placement_evaluates_back_from_its_repr() -> None:
    from engine import Square, Terrain  # noqa: F401

    placement = Placement(WHEAT_MINE, ((0, 1), (0, 2)))
    assert eval(repr(placement)) == placement


def test_laying_a_domino_covers_exactly_its_two_squares() -> None:
    kingdom = parse("C")
    after = kingdom.place(Placement(WHEAT_MINE, ((-1, 0), (-1, 1))))
    assert after == parse("wm3/C.")
    assert after.cell(1, 1) is EMPTY
