"""Draft and turns: set-up, lines, king order, choosing, placing, discarding, the end; logs and saved games."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    CASTLE,
    DOMINOES,
    Action,
    ActionError,
    BonusState,
    Choose,
    Discard,
    Edition,
    Game,
    Place,
    Placement,
    Rules,
    RulesError,
    Setup,
    random_playout,
    verify,
)
from tests.engine import reference
from tests.engine.strategies import SETUPS

FOUR = Rules(players=4)
THREE = Rules(players=3)
THREE_NEW = Rules(players=3, edition=Edition.NEW)
TWO = Rules(players=2)
DUEL = Rules(size=7, players=2)
DUEL_NEW = Rules(size=7, players=2, edition=Edition.NEW)

all_setups = pytest.mark.parametrize("rules", SETUPS, ids=lambda r: f"{r.players}-{r.edition.value}-{r.size}")
setups_and_seeds = {"rules": st.sampled_from(SETUPS), "seed": st.integers(0, 2**32)}


def playout(rules: Rules, seed: int = 0, stop_after: int | None = None) -> Game:
    return random_playout(rules, Random(seed), stop_after)


def choose_lowest(game: Game) -> Game:
    """Let every king of the first line take the lowest domino that is free."""
    while game.round == 0:
        game = game.apply(game.legal_actions()[0])
    return game


def stuck(rules: Rules = FOUR) -> Game:
    """Return a game in which the domino to place fits nowhere."""
    for seed in range(100):
        finished = playout(rules, seed)
        for number, action in enumerate(finished.actions):
            if isinstance(action, Discard):
                return playout(rules, seed, number)
    raise AssertionError("in some game a domino is discarded")


def refusal(game: Game, action: Any) -> str:
    assert action not in game.legal_actions()
    with pytest.raises(ActionError) as caught:
        game.apply(action)
    return str(caught.value)


# Set-up


@all_setups
def test_each_line_is_laid_in_ascending_order(rules: Rules) -> None:
    setup = Game.new(rules, seed=1).setup
    assert len(setup.lines) == rules.rounds
    for number, line in enumerate(setup.lines):
        assert len(line) == rules.line_length
        assert list(line) == sorted(line)
        assert set(line) == set(setup.deck[number * rules.line_length : (number + 1) * rules.line_length])


@all_setups
def test_the_dominoes_in_play_are_drawn_at_random_from_the_box(rules: Rules) -> None:
    decks = [Game.new(rules, seed=seed).setup.deck for seed in range(60)]
    assert all(len(set(deck)) == len(deck) == rules.dominoes_in_play for deck in decks)
    assert len(set(decks)) == len(decks)
    assert {number for deck in decks for number in deck} == {domino.number for domino in DOMINOES}


@all_setups
def test_everyone_starts_from_a_lone_castle(rules: Rules) -> None:
    game = Game.new(rules, seed=1)
    assert [kingdom.notation for kingdom in game.kingdoms] == ["C"] * (rules.players or 0)
    assert (game.round, game.finished, game.actions, game.line) == (0, False, (), ())


def test_the_kings_are_drawn_in_random_order() -> None:
    assert len({Game.new(FOUR, seed=seed).setup.kings for seed in range(300)}) == 24
    assert len({Game.new(THREE_NEW, seed=seed).setup.kings for seed in range(100)}) == 6


def test_two_players_of_the_classic_edition_draw_four_kings() -> None:
    for rules in (TWO, DUEL):
        assert {Game.new(rules, seed=seed).setup.kings for seed in range(100)} == {
            (0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 0, 1, 0), (1, 1, 0, 0),
        }  # fmt: skip


def test_two_players_of_the_new_edition_choose_one_two_one() -> None:
    assert {Game.new(DUEL_NEW, seed=seed).setup.kings for seed in range(50)} == {(0, 1, 1, 0), (1, 0, 0, 1)}
    game = Game.new(DUEL_NEW, seed=4)
    first = game.player
    order = []
    while game.round == 0:
        order.append(game.player)
        game = game.apply(game.legal_actions()[0])
    assert first is not None
    assert order == [first, 1 - first, 1 - first, first]


def test_a_seed_fixes_the_game() -> None:
    assert Game.new(TWO, seed=7) == Game.new(TWO, seed=7) == Game.new(TWO, seed=Random(7))
    assert Game.new(TWO, seed=7) != Game.new(TWO, seed=8)
    # Seeds name the same games in every version: this one was noted down.
    setup = Game.new(TWO, seed=7).setup
    assert setup.lines[:2] == ((3, 5, 18, 31), (7, 8, 22, 30))
    assert setup.kings == (1, 1, 0, 0)


def test_players_have_names() -> None:
    assert Game.new(THREE, seed=0).names == ("Player 1", "Player 2", "Player 3")
    assert Game.new(TWO, ["Ada", "Bob"], seed=0).names == ("Ada", "Bob")


@pytest.mark.parametrize(
    "names", [["Ada"], ["Ada", "Bob", "Cy"], ["Ada", "Ada"], ["Ada", " "], ["Ada", "x" * 81], ["Ada", 2], "AB"]
)
def test_names_are_refused_unless_each_player_has_one_of_their_own(names: list[str]) -> None:
    with pytest.raises(RulesError):
        Game.new(TWO, names, seed=0)


def test_a_game_needs_a_number_of_players() -> None:
    with pytest.raises(RulesError, match="number of players"):
        Game.new(Rules(), seed=0)


DECK = tuple(range(1, 25))


@pytest.mark.parametrize(
    "rules, deck, kings",
    [
        (TWO, DECK[:-1], (0, 1, 0, 1)),
        (TWO, (*DECK[:-1], 1), (0, 1, 0, 1)),
        (TWO, (*DECK[:-1], 49), (0, 1, 0, 1)),
        (TWO, DECK, (0, 1, 1, 1)),
        (TWO, DECK, (0, 1)),
        (TWO, DECK, (0, 1, 2, 1)),
        (DUEL_NEW, tuple(range(1, 49)), (0, 1, 0, 1)),
        (DUEL_NEW, tuple(range(1, 49)), (0, 0, 1, 1)),
    ],
)
def test_a_set_up_that_cannot_be_is_refused(rules: Rules, deck: tuple[int, ...], kings: tuple[int, ...]) -> None:
    with pytest.raises(RulesError):
        Setup(rules, ("Ada", "Bob"), deck, kings)


# Choosing


@all_setups
def test_kings_choose_from_the_first_line_in_the_order_drawn(rules: Rules) -> None:
    game = Game.new(rules, seed=3)
    chosen = []
    for expected in game.setup.kings:
        assert (game.round, game.player, game.to_place) == (0, expected, None)
        action = game.legal_actions()[-1]
        assert isinstance(action, Choose)
        chosen.append((action.domino, expected))
        game = game.apply(action)
    assert game.round == 1
    assert [(slot.domino.number, slot.player) for slot in game.line] == sorted(chosen)


def test_a_free_domino_of_the_line_may_be_chosen_and_no_other() -> None:
    game = Game.new(FOUR, seed=3)
    line = game.setup.lines[0]
    assert list(game.legal_actions()) == [Choose(number) for number in line]
    game = game.apply(Choose(line[2]))
    assert list(game.legal_actions()) == [Choose(line[0]), Choose(line[1]), Choose(line[3])]
    assert "stands on" in refusal(game, Choose(line[2]))
    assert "not in the line" in refusal(game, Choose(game.setup.lines[1][0]))
    assert [slot.player for slot in game.next_line] == [None, None, game.setup.kings[0], None]


def test_the_last_king_of_the_first_line_has_no_choice() -> None:
    for rules, left in ((FOUR, 1), (THREE, 1), (TWO, 1), (DUEL_NEW, 1), (THREE_NEW, 2)):
        kings = len(Game.new(rules, seed=0).setup.kings)
        assert len(playout(rules, 5, kings - 1).legal_actions()) == left


def test_kings_act_in_the_order_of_their_dominoes() -> None:
    game = Game.new(FOUR, seed=9)
    for number in reversed(game.setup.lines[0]):
        game = game.apply(Choose(number))
    # The first to choose took the highest domino and therefore acts last.
    assert game.order == tuple(reversed(game.setup.kings))


def test_a_king_places_before_it_chooses() -> None:
    game = choose_lowest(Game.new(FOUR, seed=2))
    first, player = game.setup.lines[0][0], game.player
    assert (game.round, game.to_place) == (1, DOMINOES[first - 1])
    assert all(isinstance(action, Place) for action in game.legal_actions())
    assert "before it chooses" in refusal(game, Choose(game.setup.lines[1][0]))
    game = game.apply(game.legal_actions()[0])
    assert (game.player, game.to_place) == (player, None)
    assert [slot.domino.number for slot in game.line] == list(game.setup.lines[0][1:])
    assert list(game.legal_actions()) == [Choose(number) for number in game.setup.lines[1]]
    assert "nothing to place" in refusal(game, Place(first, ((0, 1), (0, 2))))
    assert "nothing to place" in refusal(game, Discard(first))
    game = game.apply(game.legal_actions()[0])
    assert game.player == game.setup.kings[1]
    assert game.to_place == DOMINOES[game.setup.lines[0][1] - 1]


def test_with_two_players_each_king_acts_on_its_own() -> None:
    for rules in (TWO, DUEL, DUEL_NEW):
        turns = Counter((event.round, event.player) for event in playout(rules, 1).events)
        rounds = rules.rounds
        assert turns == Counter({(r, p): 2 if r in (0, rounds) else 4 for r in range(rounds + 1) for p in (0, 1)})


def test_three_players_of_the_new_edition_discard_the_domino_left_over_in_each_line() -> None:
    game = playout(THREE_NEW, 6)
    assert len(game.left_over) == game.rules.rounds
    assert all(domino.number in line for domino, line in zip(game.left_over, game.setup.lines, strict=True))
    touched = {action.domino for action in game.actions}
    assert touched.isdisjoint(domino.number for domino in game.left_over)
    # The domino is still there while the line is chosen from.
    assert playout(THREE_NEW, 6, 2).left_over == ()
    assert len(playout(THREE_NEW, 6, 3).left_over) == 1


@pytest.mark.parametrize("rules", [FOUR, THREE, TWO, DUEL, DUEL_NEW])
def test_elsewhere_no_domino_is_left_over(rules: Rules) -> None:
    assert playout(rules, 6).left_over == ()


@all_setups
def test_in_the_last_round_nothing_is_chosen(rules: Rules) -> None:
    events = playout(rules, 2).events
    last = [event for event in events if event.round == rules.rounds]
    assert len(last) == (rules.players or 0) * rules.kings_each
    assert not any(isinstance(event.action, Choose) for event in last)
    game = playout(rules, 2, len(events) - 1)
    assert game.next_line == ()
    assert len(game.line) == 1


# Placing and discarding


def test_a_domino_that_can_be_placed_must_be() -> None:
    game = choose_lowest(Game.new(FOUR, seed=2))
    assert game.to_place is not None
    assert "can be placed, so it must be" in refusal(game, Discard(game.to_place.number))


@pytest.mark.parametrize("rules", [FOUR, DUEL_NEW, THREE_NEW])
def test_a_domino_that_fits_nowhere_is_discarded(rules: Rules) -> None:
    game = stuck(rules)
    domino, player = game.to_place, game.player
    assert domino is not None and player is not None
    assert list(game.legal_actions()) == [Discard(domino.number)] == [game.legal_actions()[0]]
    assert len(game.legal_actions()) == 1
    assert "1 legal action" in refusal(game, Place(domino.number, ((0, 1), (0, 2))))
    after = game.apply(Discard(domino.number))
    assert after.kingdoms == game.kingdoms
    assert after.discarded[player] == (*game.discarded[player], domino)


def test_only_the_domino_under_the_king_is_placed() -> None:
    game = choose_lowest(Game.new(FOUR, seed=2))
    assert "stands on" in refusal(game, Place(game.setup.lines[0][1], ((0, 1), (0, 2))))


def test_cells_are_seen_from_the_castle() -> None:
    game = choose_lowest(Game.new(TWO, seed=2))
    domino = game.to_place
    assert domino is not None
    kingdom = game.apply(Place(domino.number, ((-1, 0), (-1, -1)))).kingdoms[game.order[0]]
    assert kingdom.rows == ((domino.b, domino.a), (kingdom.rows[1][0], CASTLE))


def test_equal_halves_may_be_named_either_way_round() -> None:
    setup = Setup(TWO, ("Ada", "Bob"), DECK, (0, 1, 0, 1))
    game = choose_lowest(Game.start(setup))
    one, other = Place(1, ((0, 1), (0, 2))), Place(1, ((0, 2), (0, 1)))
    assert one in game.legal_actions() and other in game.legal_actions()
    assert game.apply(one) == game.apply(other)
    assert game.apply(other).actions[-1] == one


def test_an_action_leaves_the_game_it_was_taken_in_as_it_was() -> None:
    for stop in range(0, 90, 7):
        game, twin = playout(FOUR, 3, stop), playout(FOUR, 3, stop)
        game.apply(game.legal_actions()[0])
        assert game == twin


# Every action of a random game, judged by a slow referee who keeps the books by hand.


def referee(game: Game) -> None:
    rules, setup = game.rules, game.setup
    kingdoms: list[reference.Cells] = [{(0, 0): CASTLE} for _ in setup.names]
    events = list(reversed(game.events))
    done: list[list[int]] = [[] for _ in setup.names]
    discarded: list[list[int]] = [[] for _ in setup.names]

    def choose(round_: int, player: int, free: set[int]) -> int:
        event = events.pop()
        assert (event.round, event.player) == (round_, player)
        assert isinstance(event.action, Choose)
        free.remove(event.action.domino)
        return event.action.domino

    free = set(setup.lines[0])
    kings = {choose(0, player, free): player for player in setup.kings}
    for round_, line in enumerate([*setup.lines[1:], ()], start=1):
        free, following = set(line), {}
        for number in sorted(kings):
            player, domino = kings[number], DOMINOES[number - 1]
            event = events.pop()
            assert (event.round, event.player, event.action.domino) == (round_, player, number)
            options = reference.placements(kingdoms[player], domino, rules.size)
            if isinstance(event.action, Place):
                placement = Placement(domino, event.action.cells)
                assert placement in options
                reference.lay(kingdoms[player], placement)
                done[player].append(number)
            else:
                assert isinstance(event.action, Discard)
                assert options == []
                discarded[player].append(number)
            if line:
                following[choose(round_, player, free)] = player
        kings = following
    assert not events
    assert game.kingdoms == tuple(reference.kingdom_of(cells) for cells in kingdoms)
    assert [[domino.number for domino in each] for each in game.discarded] == discarded
    touched = [number for each in done + discarded for number in each]
    assert sorted(touched + [domino.number for domino in game.left_over]) == sorted(setup.deck)


@given(**setups_and_seeds)
@settings(max_examples=60, deadline=None)
def test_random_games_keep_all_the_rules(rules: Rules, seed: int) -> None:
    game = playout(rules, seed)
    assert game.finished
    assert len(game.actions) == 2 * len(game.setup.kings) * rules.rounds
    referee(game)


@given(**setups_and_seeds)
@settings(max_examples=25, deadline=None)
def test_the_kingdoms_of_a_random_game_verify_as_legal(rules: Rules, seed: int) -> None:
    for kingdom in playout(rules, seed).kingdoms:
        verdict = verify(kingdom, rules)
        assert (verdict.tileable, verdict.legal) == (True, True)
        assert kingdom.status(rules) == ()


@given(stop=st.integers(0, 96), **setups_and_seeds)
@settings(max_examples=60, deadline=None)
def test_the_legal_actions_are_those_of_the_rule_book(stop: int, rules: Rules, seed: int) -> None:
    game = playout(rules, seed, stop)
    legal = game.legal_actions()
    player = game.player
    expected: set[Action] = set()
    if game.to_place is not None and player is not None:
        cells: reference.Cells = {(0, 0): CASTLE}
        for event in game.events:
            if event.player == player and isinstance(event.action, Place):
                reference.lay(cells, Placement(DOMINOES[event.action.domino - 1], event.action.cells))
        options = reference.placements(cells, game.to_place, rules.size)
        expected = {Place(game.to_place.number, option.cells) for option in options} or {Discard(game.to_place.number)}
    elif player is not None:
        expected = {Choose(slot.domino.number) for slot in game.next_line if slot.player is None}
    assert set(legal) == expected
    assert len(legal) == len(expected)
    assert bool(legal) == (not game.finished)
    assert all(action in legal for action in expected)
    listed = list(legal)
    assert [legal[index] for index in range(len(legal))] == listed
    assert [legal[index - len(listed)] for index in range(len(listed))] == listed
    assert list(legal[1:4]) == listed[1:4]
    with pytest.raises(IndexError):
        legal[len(listed)]


@given(**setups_and_seeds)
@settings(max_examples=15, deadline=None)
def test_playing_step_by_step_comes_to_the_same_as_playing_at_once(rules: Rules, seed: int) -> None:
    finished = playout(rules, seed)
    game = Game.start(finished.setup)
    for number, action in enumerate(finished.actions):
        assert action in game.legal_actions()
        game = game.apply(action)
        if number % 20 == 0:
            assert game == playout(rules, seed, number + 1)
    assert game == finished


@all_setups
def test_a_random_game_may_stop_in_the_middle(rules: Rules) -> None:
    length = 2 * rules.rounds * rules.kings_each * (rules.players or 0)
    assert playout(rules, 4, 0) == Game.new(rules, seed=4)
    for stop in (1, 10, length - 1):
        game = playout(rules, 4, stop)
        assert (len(game.actions), game.finished) == (stop, False)
    assert playout(rules, 4, length) == playout(rules, 4, length + 1) == playout(rules, 4)


# The end


def test_a_finished_game_is_ranked_with_a_sentence() -> None:
    game = playout(FOUR, 11)
    totals = [score.total for score in game.scores]
    assert [standing.score.total for standing in game.ranking.standings] == sorted(totals, reverse=True)
    winner = game.names[game.ranking.winners[0]]
    assert game.ranking.decided.startswith(f"{winner} wins")


def test_a_game_that_ends_level_is_decided_by_the_tie_break() -> None:
    games = (playout(TWO, seed) for seed in range(2000))
    level = next(g for g in games if g.scores[0].total == g.scores[1].total and len(g.ranking.winners) == 1)
    largest = [score.largest_territory for score in level.scores]
    crowns = [score.crowns for score in level.scores]
    winner = level.ranking.winners[0]
    assert (largest[winner], crowns[winner]) == max(zip(largest, crowns, strict=True))
    assert "after equal points" in level.ranking.decided


def test_there_is_no_ranking_before_the_end() -> None:
    with pytest.raises(ActionError, match="when the game is over"):
        _ = playout(FOUR, 11, 50).ranking


def test_bonuses_are_open_until_the_end() -> None:
    rules = Rules(players=4, middle_kingdom=True, harmony=True)
    for score in playout(rules, 1, 6).scores:
        assert score.harmony.state is BonusState.OPEN
        assert score.middle_kingdom.state is BonusState.OPEN
    for score in playout(rules, 1).scores:
        assert BonusState.OPEN not in (score.harmony.state, score.middle_kingdom.state)


def test_after_the_end_nothing_may_be_done() -> None:
    game = playout(TWO, 0)
    assert list(game.legal_actions()) == []
    assert not game.legal_actions()
    assert (game.player, game.to_place, game.order, game.line, game.next_line) == (None, None, (), (), ())
    for action in game.actions[-1], Choose(1), Discard(1):
        assert "game is over" in refusal(game, action)
    with pytest.raises(IndexError):
        game.legal_actions()[0]


# Refusals


def test_a_refusal_names_the_action_the_position_and_what_would_be_legal() -> None:
    game = Game.new(FOUR, ["Ada", "Bob", "Cy", "Di"], seed=2)
    while game.round < 4:
        game = game.apply(game.legal_actions()[0])
    domino = game.to_place
    assert domino is not None
    action = Place(domino.number, ((0, 0), (0, 1)))
    message = refusal(game, action)
    name, kingdom = game.names[game.order[0]], game.kingdoms[game.order[0]]
    assert repr(action) in message
    assert "Already covered" in message
    assert kingdom.notation in message and kingdom.height > 1
    assert f"round 4 of 12; {name} places {domino}" in message
    assert all(str(slot.domino.number) in message for slot in (*game.line, *game.next_line))
    legal = game.legal_actions()
    assert f"{len(legal)} legal actions: {legal[0]!r}" in message
    assert f"and {len(legal) - 4} more" in message


@pytest.mark.parametrize(
    "cells, why",
    [
        (((5, 0), (6, 0)), "touch the castle"),
        (((0, 1), (1, 2)), "share an edge"),
        (((0, 4), (0, 5)), "must fit 5×5"),
        (((0, 1), (0, 99)), "seen from the castle"),
        (((0, 1), (0, 10**5000)), "seen from the castle"),
        (((0, 1),), "seen from the castle"),
        ("ab", "seen from the castle"),
        (None, "seen from the castle"),
        (((0, 1), (0, 2.0)), "seen from the castle"),
        (((0, 1), (0, True)), "seen from the castle"),
    ],
)
def test_a_placement_that_breaks_a_rule_is_refused_with_the_rule(cells: Any, why: str) -> None:
    game = choose_lowest(Game.new(FOUR, seed=2))
    assert game.to_place is not None
    assert why in refusal(game, Place(game.to_place.number, cells))


NOTHING: Any = None
TEXT: Any = "1"
LONG_TEXT: Any = "x" * 10**6
LIST: Any = []


@pytest.mark.parametrize(
    "action",
    [NOTHING, 1, "choose 1", object(), Choose(TEXT), Choose(LONG_TEXT), Choose(True), Choose(0), Choose(49),
     Choose(10**5000), Place(LIST, NOTHING), Discard(LIST)],
    ids=lambda action: type(action).__name__,
)  # fmt: skip
def test_what_is_no_action_is_refused_in_a_few_words(action: Any) -> None:
    # The line has number 1, which True must not pass for.
    game = Game.start(Setup(TWO, ("Ada", "Bob"), DECK, (0, 1, 0, 1)))
    assert Choose(1) in game.legal_actions()
    assert len(refusal(game, action)) < 1000


# Log and saved games


@given(stop=st.integers(0, 97), **setups_and_seeds)
@settings(max_examples=40, deadline=None)
def test_the_log_replays_to_an_equal_game(stop: int, rules: Rules, seed: int) -> None:
    game = playout(rules, seed, stop)
    again = Game.replay(game.setup, [event.action for event in game.events])
    assert again == game
    assert hash(again) == hash(game)
    assert again.kingdoms == game.kingdoms
    loaded = Game.from_json(game.to_json())
    assert loaded == game
    assert loaded.to_json() == game.to_json()
    assert eval(repr(game)) == game


def test_games_with_another_past_are_not_equal() -> None:
    game = Game.new(FOUR, seed=1)
    first, second = game.setup.lines[0][:2]
    assert game.apply(Choose(first)) != game
    assert game.apply(Choose(first)) != game.apply(Choose(second))
    assert Game.new(FOUR, ["a", "b", "c", "d"], seed=1) != game
    # Two ways to one position: the first player's kings took their dominoes in another order.
    start = Game.start(Setup(TWO, ("Ada", "Bob"), DECK, (0, 1, 0, 1)))
    one, other = start, start
    for number, turned in zip((1, 2, 3, 4), (3, 2, 1, 4), strict=True):
        one, other = one.apply(Choose(number)), other.apply(Choose(turned))
    assert one.position == other.position
    assert one != other


def test_the_log_names_round_and_player_of_every_action() -> None:
    game = playout(FOUR, 8)
    assert [event.action for event in game.events] == list(game.actions)
    rounds = [event.round for event in game.events]
    assert rounds == sorted(rounds)
    for before, after in pairwise(game.events):
        if isinstance(before.action, Place | Discard) and before.round < 12:
            assert isinstance(after.action, Choose)
            assert after.player == before.player


def test_an_illegal_action_in_a_log_is_refused_with_its_number() -> None:
    game = playout(FOUR, 8, 20)
    with pytest.raises(ActionError, match=r"^Action 21: .*Choose\(domino=\d+\)"):
        Game.replay(game.setup, [*game.actions, game.actions[0]])


def test_a_saved_game_names_its_format_and_version() -> None:
    saved = json.loads(playout(TWO, 1, 30).to_json())
    assert (saved["format"], saved["version"]) == ("kingdomino game", 1)
    assert set(saved["actions"][0]) == {"choose"}
    assert saved["rules"] == {
        "size": 5, "players": 2, "edition": "classic", "middle_kingdom": False, "harmony": False,
    }  # fmt: skip


def test_options_and_names_survive_saving() -> None:
    rules = Rules(players=2, middle_kingdom=True, harmony=True)
    game = Game.new(rules, ["Zoë \U0001f451", '"quoted"\n'], seed=5)
    assert Game.from_json(game.to_json()) == game


SAVED = playout(THREE_NEW, 1, 30).to_json()


@pytest.mark.parametrize(
    "path, value",
    [
        (["format"], "chess"),
        (["version"], 2),
        (["version"], True),
        (["version"], "1"),
        (["rules"], None),
        (["rules", "size"], 6),
        (["rules", "size"], 5.0),
        (["rules", "players"], 5),
        (["rules", "players"], None),
        (["rules", "edition"], "first"),
        (["rules", "edition"], ["new"]),
        (["rules", "harmony"], 1),
        (["rules", "extra"], 1),
        (["names"], ["a", "b"]),
        (["names"], ["a", "b", 3]),
        (["names"], "abc"),
        (["deck"], list(range(1, 48))),
        (["deck", 0], True),
        (["deck", 0], 10**30),
        (["kings"], [0, 1, 1]),
        (["kings"], {}),
        (["actions"], None),
        (["actions", 0], {"choose": 99}),
        (["actions", 0], {"choose": "1"}),
        (["actions", 0], {"choose": 1, "discard": 1}),
        (["actions", 0], []),
        (["actions", 3, "cells"], [[0, 1]]),
        (["actions", 3, "cells"], [[0, 1], [0, 2, 3]]),
        (["actions", 3, "cells"], [[0, 1], "ab"]),
        (["actions", 3, "cells"], [[0, 0], [0, 1]]),
        (["extra"], 1),
    ],
)
def test_a_saved_game_with_one_thing_wrong_is_refused(path: list[Any], value: Any) -> None:
    saved = json.loads(SAVED)
    part = saved
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(ActionError) as caught:
        Game.from_json(json.dumps(saved))
    assert len(str(caught.value)) < 1000


def test_true_does_not_pass_for_one_in_a_saved_game() -> None:
    saved = json.loads(SAVED)
    saved["kings"] = [True if player == 1 else player for player in saved["kings"]]
    assert saved["kings"] == json.loads(SAVED)["kings"]
    with pytest.raises(ActionError, match="kings: expected whole numbers, found True"):
        Game.from_json(json.dumps(saved))


def test_a_cell_of_a_saved_game_is_a_row_and_a_column() -> None:
    saved = json.loads(SAVED)
    first = next(action for action in saved["actions"] if "place" in action)
    first["cells"][0].append(0)
    with pytest.raises(ActionError, match=r"cells: expected \[row, column\]"):
        Game.from_json(json.dumps(saved))


def test_a_text_longer_than_any_saved_game_is_not_even_read() -> None:
    with pytest.raises(ActionError, match="at most 20,000 letters"):
        Game.from_json(SAVED + " " * 20_000)
    longest = max((playout(rules, seed) for rules in SETUPS for seed in range(20)), key=lambda g: len(g.to_json()))
    names = ["\U0001f451" * 79 + str(number) for number in range(4)]
    assert len(longest.to_json()) + len(json.dumps(names)) < 20_000


@pytest.mark.parametrize("key", sorted(json.loads(SAVED)))
def test_a_saved_game_lacks_nothing(key: str) -> None:
    saved = json.loads(SAVED)
    del saved[key]
    with pytest.raises(ActionError, match=key):
        Game.from_json(json.dumps(saved))


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", "1", "NaN", '"game"', "[" * 15_000, "[" * 10**6, "9" * 15_000, "x" * 10**6, SAVED[:-1],
     SAVED + "}", "\ud800", None, b"{}", 7, {}],
    ids=lambda text: f"{type(text).__name__} {str(text)[:5].encode('ascii', 'replace').decode()}",
)  # fmt: skip
def test_what_is_no_saved_game_is_refused(text: Any) -> None:
    with pytest.raises(ActionError):
        Game.from_json(text)


@given(st.text(max_size=200))
def test_any_text_is_a_saved_game_or_refused_with_our_own_error(text: str) -> None:
    with pytest.raises(ActionError):
        Game.from_json(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_a_saved_game_with_anything_inside_loads_or_is_refused_with_our_own_error(data: st.DataObject) -> None:
    saved = json.loads(SAVED)
    part: Any = saved
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        key = data.draw(st.sampled_from(keys))
        inner = part[key]
        if isinstance(inner, dict | list) and inner and data.draw(st.booleans()):
            part = inner
            continue
        part[key] = data.draw(json_values)
        break
    text = json.dumps(saved)
    try:
        game = Game.from_json(text)
    except ActionError:
        return
    assert json.loads(game.to_json()) == json.loads(text)
