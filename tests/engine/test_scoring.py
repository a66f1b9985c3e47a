"""Territories, bonuses, totals, and who wins: the rule books' own examples and each tie-break."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    Bonus,
    BonusState,
    Kingdom,
    Rules,
    RulesError,
    Score,
    Terrain,
    Territory,
    places,
    ranking,
    score,
    tally,
    territories,
)
from tests.engine import reference
from tests.engine.strategies import altered, built, castled_grids, grids

EXAMPLE = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"
FULL = "fffff/fffff/ffCff/fffff/fffff"


def parse(text: str) -> Kingdom:
    return Kingdom.from_notation(text)


def points(text: str, **options: bool) -> int:
    kingdom = parse(text)
    return score(kingdom, Rules(size=kingdom.default_size(), **options)).total  # type: ignore[arg-type]


# Territories


@pytest.mark.parametrize(
    "text, total",
    [
        ("Cf1ff/.f1ff1/...f", 21),
        ("Clll/.lll/.lll", 0),
        ("Cff1/.f1f/..f", 10),
    ],
    ids=["7 forests with 3 crowns = 21", "9 lakes with no crown = 0", "5 forests with 2 crowns = 10"],
)
def test_the_examples_of_the_rule_books(text: str, total: int) -> None:
    kingdom = parse(text)
    assert len(territories(kingdom)) == 1
    assert score(kingdom).points == total


def test_the_example_of_the_design_is_worth_47() -> None:
    assert points(EXAMPLE) == 47


def test_the_breakdown_of_the_example_is_most_points_first() -> None:
    found = [(each.terrain.value, each.squares, each.crowns, each.points) for each in territories(parse(EXAMPLE))]
    assert found == [
        ("wheat", 8, 2, 16),
        ("grassland", 5, 2, 10),
        ("mine", 2, 4, 8),
        ("swamp", 2, 3, 6),
        ("forest", 5, 1, 5),
        ("lake", 2, 1, 2),
    ]


def test_a_territory_scores_squares_times_crowns() -> None:
    assert [each.points for each in territories(parse("Cm1m2/.mm3"))] == [4 * 6]


def test_a_territory_without_crowns_scores_zero_but_is_listed() -> None:
    found = territories(parse("Cwww"))
    assert [(each.squares, each.crowns, each.points) for each in found] == [(3, 0, 0)]


def test_territories_of_one_terrain_are_scored_separately() -> None:
    assert [each.points for each in territories(parse("w1wCw1"))] == [2, 1]


def test_diagonal_contact_joins_nothing() -> None:
    assert [each.squares for each in territories(parse("w1f/fw"))] == [1, 1, 1, 1]


def test_the_castle_joins_nothing_and_adds_nothing() -> None:
    assert [each.cells for each in territories(parse("w1Cw"))] == [((0, 0),), ((0, 2),)]
    assert points("w1Cw") == 1


@pytest.mark.parametrize("gap", [".", "?", "f"])
def test_only_touching_squares_join(gap: str) -> None:
    wheat = [each.cells for each in territories(parse(f"w1{gap}w")) if each.terrain is Terrain.WHEAT]
    assert wheat == [((0, 0),), ((0, 2),)]


def test_squares_at_the_ends_of_two_rows_do_not_join() -> None:
    assert [each.squares for each in territories(parse("fgw/wlg"))] == [1] * 6


def test_a_winding_territory_is_one() -> None:
    found = territories(parse("wwwww/fffCw/wwwfw/wfwfw/wfwww"))
    assert [(each.terrain.value, each.squares) for each in found] == [
        ("wheat", 17),
        ("forest", 3),
        ("forest", 2),
        ("forest", 2),
    ]


def test_the_cells_of_a_territory_are_in_row_major_order() -> None:
    assert territories(parse("..w/www/w.C"))[0].cells == ((0, 2), (1, 0), (1, 1), (1, 2), (2, 0))


def test_equal_points_are_ordered_by_squares_then_by_the_first_cell() -> None:
    found = territories(parse("fCll/gg.s"))
    assert [each.cells[0] for each in found] == [(0, 2), (1, 0), (0, 0), (1, 3)]


def test_an_impossible_square_is_scored_as_it_reads() -> None:
    assert points("w3wC") == 6


def test_the_lone_castle_and_the_empty_table_score_zero() -> None:
    assert points("C") == points(".") == points("?") == 0


# Middle Kingdom and Harmony


def test_a_bonus_counts_only_if_agreed_on() -> None:
    assert points(FULL) == 0
    assert points(FULL, middle_kingdom=True) == 10
    assert points(FULL, harmony=True) == 5
    assert points(FULL, middle_kingdom=True, harmony=True) == 15


def test_points_are_territories_alone() -> None:
    result = score(parse(FULL), Rules(middle_kingdom=True, harmony=True))
    assert (result.points, result.total) == (0, 15)


@pytest.mark.parametrize("agreed", [False, True])
def test_whether_a_bonus_holds_is_said_whether_or_not_it_was_agreed_on(agreed: bool) -> None:
    result = score(parse(FULL), Rules(middle_kingdom=agreed, harmony=agreed))
    assert result.middle_kingdom.holds and result.harmony.holds
    assert (result.middle_kingdom.agreed, result.harmony.agreed) == (agreed, agreed)


def middle(text: str, size: int = 5, *, finished: bool = True) -> Bonus:
    return score(parse(text), Rules(size=size, middle_kingdom=True), finished=finished).middle_kingdom


def harmony(text: str, size: int = 5, *, finished: bool = True) -> Bonus:
    return score(parse(text), Rules(size=size, harmony=True), finished=finished).harmony


@pytest.mark.parametrize(
    "text, size, finished, state, words",
    [
        (FULL, 5, True, BonusState.WON, "in the middle"),
        (FULL, 5, False, BonusState.WON, "in the middle"),
        ("..w../..w../wwCww", 5, True, BonusState.WON, "no square lies more than 2"),
        ("..w../..w../wwCww", 5, False, BonusState.OPEN, "So far"),
        ("C", 5, False, BonusState.OPEN, "So far"),
        ("C", 5, True, BonusState.WON, "in the middle"),
        ("wwwC", 5, True, BonusState.MISSED, "3 squares from the castle; at most 2"),
        ("wwwC", 5, False, BonusState.MISSED, "3 squares from the castle; at most 2"),
        ("wwwC", 7, True, BonusState.WON, "no square lies more than 3"),
        ("C/w/w/w/w", 7, True, BonusState.MISSED, "4 squares from the castle; at most 3"),
        ("?..C", 5, True, BonusState.MISSED, "3 squares"),
        ("ww", 5, True, BonusState.MISSED, "none or more than one"),
        ("CwC", 5, True, BonusState.MISSED, "none or more than one"),
        ("CwC", 5, False, BonusState.MISSED, "none or more than one"),
    ],
)
def test_middle_kingdom_needs_the_castle_at_the_centre_of_the_frame(
    text: str, size: int, finished: bool, state: BonusState, words: str
) -> None:
    bonus = middle(text, size, finished=finished)
    assert bonus.state is state
    assert words in bonus.reason
    assert bonus.points == (0 if state is BonusState.MISSED else 10)


@pytest.mark.parametrize("text", [".....", "....C....", "..C", ".wCw."])
def test_empty_border_cells_do_not_move_the_middle(text: str) -> None:
    assert middle(text).state == middle(parse(text).trimmed().notation).state


@pytest.mark.parametrize(
    "text, size, finished, state, words",
    [
        (FULL, 5, True, BonusState.WON, "All 5×5 squares are covered"),
        (FULL, 5, False, BonusState.WON, "All 5×5 squares are covered"),
        (EXAMPLE, 5, True, BonusState.WON, "All 5×5"),
        (FULL.replace("f", ".", 2), 5, True, BonusState.MISSED, "2 of 5×5 squares are not covered"),
        (FULL.replace("f", ".", 2), 5, False, BonusState.OPEN, "2 of 5×5 squares are still to be covered"),
        ("C", 5, False, BonusState.OPEN, "24 of 5×5"),
        ("C", 7, True, BonusState.MISSED, "48 of 7×7"),
        (FULL, 7, True, BonusState.MISSED, "24 of 7×7"),
        ("/".join(["f" * 7] * 3 + ["fffCfff"] + ["f" * 7] * 3), 7, True, BonusState.WON, "All 7×7"),
        ("wwwwwC", 5, True, BonusState.MISSED, "does not fit 5×5"),
        ("wwwwwC", 5, False, BonusState.MISSED, "does not fit 5×5"),
        ("/".join(["wwwwwwww"] * 8), 7, True, BonusState.MISSED, "does not fit 7×7"),
        (".", 5, True, BonusState.MISSED, "25 of 5×5"),
    ],
)
def test_harmony_needs_every_square_covered(
    text: str, size: int, finished: bool, state: BonusState, words: str
) -> None:
    bonus = harmony(text, size, finished=finished)
    assert bonus.state is state
    assert words in bonus.reason
    assert bonus.points == (5 if state is BonusState.WON else 0)


def test_25_squares_that_do_not_fit_the_frame_are_no_harmony() -> None:
    assert harmony("wwwwww/wwwwww/wwwwww/wwwwww/w.....").state is BonusState.MISSED


def test_without_rules_the_size_comes_from_the_kingdom() -> None:
    assert score(parse("wwwwwC")) == score(parse("wwwwwC"), Rules(size=7))


# Properties


@given(grids(most=8), st.sampled_from([5, 7]), st.booleans(), st.booleans(), st.booleans())
def test_score_is_the_same_for_all_eight_symmetries(
    kingdom: Kingdom, size: int, middle_kingdom: bool, harmony: bool, finished: bool
) -> None:
    rules = Rules(size=size, middle_kingdom=middle_kingdom, harmony=harmony)
    results = {
        (
            result.points,
            result.total,
            result.crowns,
            result.largest_territory,
            result.middle_kingdom,
            result.harmony,
            tuple((each.points, each.squares) for each in result.territories),
        )
        for image in kingdom.symmetries()
        for result in [score(image, rules, finished=finished)]
    }
    assert len(results) == 1


@given(grids(), st.sampled_from([5, 7]), st.booleans(), st.booleans())
def test_the_breakdown_sums_to_the_total(kingdom: Kingdom, size: int, middle_kingdom: bool, harmony: bool) -> None:
    result = score(kingdom, Rules(size=size, middle_kingdom=middle_kingdom, harmony=harmony))
    parts = [each.points for each in result.territories]
    assert result.points == sum(parts)
    assert result.total == sum(parts) + result.middle_kingdom.points + result.harmony.points
    assert sorted(cell for each in result.territories for cell in each.cells) == sorted(kingdom.squares)
    assert result.crowns == sum(square.crowns for square in kingdom.squares.values())


@given(
    st.one_of(grids(), castled_grids(most=7), altered(), built(5).map(lambda pair: pair[0]), altered(size=7)),
    st.sampled_from([5, 7]),
)
def test_the_scorer_agrees_with_the_flood_fill_of_the_reference(kingdom: Kingdom, size: int) -> None:
    rules = Rules(size=size, middle_kingdom=True, harmony=True)
    result = score(kingdom, rules)
    cells = reference.cells_of(kingdom)
    if not cells:
        assert (result.total, result.territories) == (0, ())
        return
    expected = reference.score(cells, rules)
    assert result.territories == expected.territories
    assert (result.middle_kingdom.holds, result.harmony.holds) == (expected.middle_kingdom, expected.harmony)
    assert result.total == expected.total


@given(
    st.one_of(grids(), castled_grids(most=7), altered(), built(5).map(lambda pair: pair[0]), altered(size=7)),
    st.sampled_from([5, 7]),
    st.booleans(),
    st.booleans(),
)
def test_a_tally_has_the_figures_of_the_score(kingdom: Kingdom, size: int, middle_kingdom: bool, harmony: bool) -> None:
    rules = Rules(size=size, middle_kingdom=middle_kingdom, harmony=harmony)
    full, short = score(kingdom, rules), tally(kingdom, rules)
    by_terrain = [sum(each.points for each in full.territories if each.terrain is terrain) for terrain in Terrain]
    assert list(short.terrains) == by_terrain
    assert (short.middle_kingdom, short.harmony) == (full.middle_kingdom.points, full.harmony.points)
    assert (short.points, short.total) == (full.points, full.total)
    assert (short.largest_territory, short.crowns) == (full.largest_territory, full.crowns)


@pytest.mark.parametrize("text", [".....", ".wCw.", "..../.wC.", "w.../.C../..w./....", "C..../w....", "w/./C/."])
def test_empty_borders_change_no_figure(text: str) -> None:
    kingdom, rules = parse(text), Rules(middle_kingdom=True, harmony=True)
    assert tally(kingdom, rules) == tally(kingdom.trimmed(), rules)


# Ranking


def scored(points: int, largest: int = 0, crowns: int = 0) -> Score:
    """A score with these points, largest territory and crowns, built from territories that have them."""
    none = Bonus("", 0, False, False, BonusState.MISSED, "")
    cells = tuple((0, column) for column in range(largest))
    # One-square territories carry the points; an uncrowned one is the largest; bonuses add nothing.
    singles = [Territory(Terrain.MINE, ((9, n),), 1) for n in range(crowns)]
    bonus = Bonus("", points - crowns, True, True, BonusState.WON, "")
    return Score((*singles, Territory(Terrain.WHEAT, cells, 0)), bonus, none)


def test_most_points_win() -> None:
    result = ranking([scored(20), scored(31), scored(25)], ["Ann", "Ben", "Cy"])
    assert result.decided == "Ben wins with 31 points, 6 ahead."
    assert [(each.player, each.place) for each in result.standings] == [(1, 1), (2, 2), (0, 3)]
    assert result.winners == (1,)


def test_equal_points_are_decided_by_the_largest_territory_crowned_or_not() -> None:
    result = ranking([scored(30, 6, 9), scored(30, 8, 2), scored(12, 20)], ["Ann", "Ben", "Cy"])
    assert result.decided == "Ben wins by the largest territory (8 to 6 squares) after equal points."
    assert [each.player for each in result.standings] == [1, 0, 2]
    assert result.winners == (1,)


def test_then_the_most_crowns_decide() -> None:
    result = ranking([scored(30, 8, 3), scored(30, 8, 5), scored(30, 7, 9)], ["Ann", "Ben", "Cy"])
    assert result.decided == "Ben wins by the most crowns (5 to 3 crowns) after equal points and largest territory."
    assert [(each.player, each.place) for each in result.standings] == [(1, 1), (0, 2), (2, 3)]


def test_then_the_victory_is_shared() -> None:
    result = ranking([scored(30, 8, 5), scored(10), scored(30, 8, 5)], ["Ann", "Ben", "Cy"])
    assert result.decided == (
        "Ann and Cy share the victory: equal in points (30), largest territory (8 squares) and crowns (5)."
    )
    assert result.winners == (0, 2)
    assert [(each.player, each.place) for each in result.standings] == [(0, 1), (2, 1), (1, 3)]


def test_all_may_share_the_victory() -> None:
    result = ranking([scored(0)] * 4)
    assert result.winners == (0, 1, 2, 3)
    assert result.decided.startswith("Player 1, Player 2, Player 3 and Player 4 share the victory")


def test_real_kingdoms_are_ranked_by_their_territories() -> None:
    # Both score 4: one lake of 4 squares with a crown against 2 squares with 2 crowns and more forest.
    wide, rich = score(parse("Cl1ll/...l")), score(parse("Cg2gf"))
    assert (wide.total, rich.total) == (4, 4)
    assert ranking([rich, wide], ["Rich", "Wide"]).decided == (
        "Wide wins by the largest territory (4 to 2 squares) after equal points."
    )


def test_bonuses_count_for_the_ranking() -> None:
    rules = Rules(middle_kingdom=True)
    centred, off = score(parse("wCw"), rules), score(parse("Cw1w1wl1"), rules)
    assert ranking([off, centred]).winners == (1,)


def test_a_single_player_is_told_the_points() -> None:
    assert ranking([scored(12)], ["Ann"]).decided == "Ann scores 12 points."


def test_nobody_played() -> None:
    assert ranking([]).standings == ()


def test_each_player_has_one_name() -> None:
    with pytest.raises(RulesError, match="2 scores, 1 names"):
        ranking([scored(1), scored(2)], ["Ann"])


@given(st.lists(st.tuples(st.integers(10, 13), st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=4))
def test_a_place_is_one_more_than_the_players_ahead(keys: list[tuple[int, int, int]]) -> None:
    result = ranking([scored(*key) for key in keys])
    assert sorted(each.player for each in result.standings) == list(range(len(keys)))
    for each in result.standings:
        largest = [(total, max(squares, 1 if crowns else 0), crowns) for total, squares, crowns in keys]
        assert each.place == 1 + sum(key > largest[each.player] for key in largest)
    in_order = [each.place for each in result.standings]
    assert in_order == sorted(in_order)


def test_players_who_share_a_place_leave_out_the_next_one() -> None:
    assert places([scored(30, 8, 5), scored(10), scored(30, 8, 5), scored(40)]) == (2, 4, 2, 1)


def test_tallies_give_the_places_that_scores_give() -> None:
    kingdoms, rules = [parse(text) for text in ("Cg2gf", "Cl1ll/...l", "Cww", "Cg2gf")], Rules()
    expected = places([score(kingdom, rules) for kingdom in kingdoms])
    assert places([tally(kingdom, rules) for kingdom in kingdoms]) == expected == (2, 1, 4, 2)


def test_without_players_there_are_no_places() -> None:
    assert places([]) == ()
