"""Three games in a row by the same players: sums, completeness, places, refusals."""

from __future__ import annotations

from random import Random

import pytest

from engine import ActionError, Dynasty, Game, GameRecord, Kingdom, Rules, random_playout

RULES = Rules(players=2)
# Kingdoms worth 0, 1, 4 and 9 points.
NOTHING, ONE, FOUR, NINE = (Kingdom.from_notation(text) for text in ("C", "Cw1", "Cw1w1", "Cw1w1w1"))


def record(ada: Kingdom, bob: Kingdom, rules: Rules = RULES) -> GameRecord:
    return GameRecord(rules, ("Ada", "Bob"), (ada, bob))


def test_the_sums_run_from_game_to_game() -> None:
    dynasty = Dynasty.of([record(NINE, ONE), record(NOTHING, FOUR), record(ONE, NINE)])
    assert dynasty.running_totals == ({"Ada": 9, "Bob": 1}, {"Ada": 9, "Bob": 5}, {"Ada": 10, "Bob": 14})
    assert dynasty.totals == {"Ada": 10, "Bob": 14}


def test_bonuses_count_in_the_sums() -> None:
    rules = Rules(players=2, middle_kingdom=True, harmony=True)
    full = Kingdom.from_notation("wwwww/wwwww/wwCww/wwwww/wwwww")
    assert Dynasty.of([record(full, NINE, rules)]).totals == {"Ada": 15, "Bob": 9}
    assert Dynasty.of([record(full, NINE)]).totals == {"Ada": 0, "Bob": 9}
    # In the same Dynasty one game may be played with the bonuses and one without.
    assert Dynasty.of([record(full, NINE, rules), record(full, NINE)]).totals == {"Ada": 15, "Bob": 18}


def test_a_dynasty_is_complete_after_three_games() -> None:
    dynasty = Dynasty(("Ada", "Bob"))
    for played in range(3):
        assert (dynasty.complete, dynasty.winners, len(dynasty.games)) == (False, (), played)
        dynasty = dynasty.add(record(NINE, ONE))
    assert (dynasty.complete, dynasty.winners) == (True, ("Ada",))


def test_a_fourth_game_is_refused() -> None:
    games = [record(NINE, ONE)] * 3
    with pytest.raises(ActionError, match="complete"):
        Dynasty.of(games).add(record(NINE, ONE))
    with pytest.raises(ActionError, match="3 games, not 4"):
        Dynasty.of([*games, record(NINE, ONE)])


@pytest.mark.parametrize("names", [("Ada", "Cy"), ("Ada", "Bob", "Cy"), ("ada", "Bob")])
def test_a_game_of_other_players_is_refused(names: tuple[str, ...]) -> None:
    other = GameRecord(Rules(), names, (NINE,) * len(names))
    with pytest.raises(ActionError, match=f"Ada and Bob. Game 2 was played by {', '.join(names[:-1])}"):
        Dynasty.of([record(NINE, ONE)]).add(other)


def test_players_may_sit_in_another_order() -> None:
    turned = GameRecord(RULES, ("Bob", "Ada"), (FOUR, ONE))
    dynasty = Dynasty.of([record(NINE, ONE), turned])
    assert dynasty.players == ("Ada", "Bob")
    assert dynasty.running_totals == ({"Ada": 9, "Bob": 1}, {"Ada": 10, "Bob": 5})
    assert list(dynasty.totals) == ["Ada", "Bob"]


def test_equal_sums_share_the_dynasty() -> None:
    # Bob built the larger territory and has more crowns in the end; no book breaks the tie by that.
    dynasty = Dynasty.of([record(NINE, NOTHING), record(NOTHING, NOTHING), record(NOTHING, NINE)])
    assert dynasty.winners == ("Ada", "Bob")
    assert [(each.name, each.place, each.total) for each in dynasty.standings] == [("Ada", 1, 9), ("Bob", 1, 9)]
    assert dynasty.decided == "Ada and Bob share the Dynasty with 9 points each."


def test_equal_sums_share_a_place_and_the_next_place_is_left_out() -> None:
    names = ("Ada", "Bob", "Cy", "Di")
    games = [GameRecord(Rules(players=4), names, (ONE, NINE, FOUR, FOUR))] * 3
    standings = Dynasty.of(games).standings
    assert [(each.name, each.place, each.total) for each in standings] == [
        ("Bob", 1, 27), ("Cy", 2, 12), ("Di", 2, 12), ("Ada", 4, 3),
    ]  # fmt: skip


def test_the_sentence_says_how_the_dynasty_stands() -> None:
    dynasty = Dynasty(("Ada", "Bob"))
    assert dynasty.decided == "No game has been played yet."
    assert dynasty.leaders == ()
    assert dynasty.totals == {"Ada": 0, "Bob": 0}
    dynasty = dynasty.add(record(ONE, NOTHING))
    assert dynasty.decided == "After 1 of 3 games Ada leads with 1 point, 1 ahead."
    dynasty = dynasty.add(record(NOTHING, ONE))
    assert dynasty.decided == "After 2 of 3 games Ada and Bob are level with 1 point each."
    dynasty = dynasty.add(record(ONE, NINE))
    assert dynasty.decided == "Bob wins the Dynasty with 10 points, 8 ahead."


def test_a_dynasty_of_games_played_here_adds_up_their_scores() -> None:
    rules = Rules(players=3, harmony=True, middle_kingdom=True)
    games = [random_playout(rules, Random(seed)) for seed in range(3)]
    dynasty = Dynasty.of(games)
    for player, name in enumerate(games[0].names):
        assert dynasty.totals[name] == sum(game.scores[player].total for game in games)
    assert dynasty.games[0].ranking == games[0].ranking


def test_an_unfinished_game_does_not_count() -> None:
    game = Game.new(RULES, ("Ada", "Bob"), seed=1)
    with pytest.raises(ActionError, match="Only a finished game counts"):
        Dynasty(("Ada", "Bob")).add(game)


@pytest.mark.parametrize("players", [(), ("Ada",), ("Ada", "Ada"), ("Ada", ""), ("a", "b", "c", "d", "e")])
def test_a_dynasty_has_two_to_four_players_with_names_of_their_own(players: tuple[str, ...]) -> None:
    with pytest.raises(ActionError):
        Dynasty(players)


def test_a_record_fits_its_rules() -> None:
    with pytest.raises(ActionError, match="one kingdom"):
        GameRecord(RULES, ("Ada", "Bob"), (NINE,))
    with pytest.raises(ActionError, match="for 3 players"):
        record(NINE, ONE, Rules(players=3))
    with pytest.raises(ActionError, match="Without a game"):
        Dynasty.of([])
