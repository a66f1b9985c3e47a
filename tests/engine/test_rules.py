"""Each edition's set-up, and the refusal of set-ups that no edition has."""

from __future__ import annotations

import pytest

from engine import Edition, Rules, RulesError
from tests.engine.strategies import SETUPS


# Players, edition, size -> kings each, dominoes in play, dominoes a line, rounds: the table of the rule book.
@pytest.mark.parametrize(
    "players, edition, size, kings, dominoes, line, rounds",
    [
        (2, "classic", 5, 2, 24, 4, 6),
        (2, "classic", 7, 2, 48, 4, 12),
        (2, "new", 7, 2, 48, 4, 12),
        (3, "classic", 5, 1, 36, 3, 12),
        (3, "new", 5, 1, 48, 4, 12),
        (4, "classic", 5, 1, 48, 4, 12),
        (4, "new", 5, 1, 48, 4, 12),
    ],
)
def test_each_edition_sets_up_as_its_rule_book_says(
    players: int, edition: str, size: int, kings: int, dominoes: int, line: int, rounds: int
) -> None:
    rules = Rules(size=size, players=players, edition=Edition(edition))
    assert (rules.kings_each, rules.dominoes_in_play) == (kings, dominoes)
    assert (rules.line_length, rules.rounds) == (line, rounds)


def test_the_new_edition_has_no_5x5_game_for_two() -> None:
    with pytest.raises(RulesError, match="new edition two players build 7×7"):
        Rules(size=5, players=2, edition=Edition.NEW)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("edition", Edition)
def test_the_mighty_duel_is_for_two(players: int, edition: Edition) -> None:
    with pytest.raises(RulesError, match=f"for 2 players, not {players}"):
        Rules(size=7, players=players, edition=edition)


@pytest.mark.parametrize("players", [0, 1, 5, -2, True, "4", 2.5])
def test_kingdomino_is_for_two_to_four(players: object) -> None:
    with pytest.raises(RulesError, match="2, 3 or 4 players"):
        Rules(players=players)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, 4, 6, 9, True, "5", None])
def test_a_kingdom_is_5x5_or_7x7(size: object) -> None:
    with pytest.raises(RulesError, match="5×5 or 7×7"):
        Rules(size=size)  # type: ignore[arg-type]


@pytest.mark.parametrize("edition", ["old", "", None, 3])
def test_an_edition_is_classic_or_new(edition: object) -> None:
    with pytest.raises(RulesError, match="'classic' or 'new'"):
        Rules(edition=edition)  # type: ignore[arg-type]


def test_an_edition_may_be_given_by_its_word() -> None:
    assert Rules(edition="new", players=3) == Rules(edition=Edition.NEW, players=3)  # type: ignore[arg-type]


def test_rules_for_scoring_alone_leave_the_players_open() -> None:
    assert Rules(size=7).players is None


@pytest.mark.parametrize("figure", ["kings_each", "line_length", "dominoes_in_play", "rounds"])
def test_a_game_needs_to_know_its_players(figure: str) -> None:
    with pytest.raises(RulesError, match="number of players"):
        getattr(Rules(), figure)


def test_the_castle_in_the_middle_reaches_two_or_three_squares() -> None:
    assert Rules(size=5).reach == 2
    assert Rules(size=7).reach == 3


def test_options_are_off_unless_agreed_on() -> None:
    assert not Rules().middle_kingdom
    assert not Rules().harmony


@pytest.mark.parametrize("rules", SETUPS, ids=repr)
def test_the_repr_of_rules_evaluates_back(rules: Rules) -> None:
    assert eval(repr(rules)) == rules


def test_rules_are_values() -> None:
    assert len({Rules(), Rules(), Rules(harmony=True)}) == 2
    with pytest.raises(AttributeError):
        Rules().size = 7  # type: ignore[misc]
