"""How a game starts: the rules, the players, the order of the dominoes and the draw of the kings.

This is all the chance there is in a game; what follows are the players' actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.dominoes import DOMINOES
from engine.errors import RulesError
from engine.rules import Edition, Rules

MAX_NAME: Final = 80
_NUMBERS: Final = tuple(domino.number for domino in DOMINOES)
_BOX: Final = frozenset(_NUMBERS)


@dataclass(frozen=True, slots=True)
class Setup:
    """The start of a game. Players are numbered from 0 in the order of their names."""

    rules: Rules
    names: tuple[str, ...]
    #: The numbers of the dominoes in play, in the order in which they are drawn from the box.
    deck: tuple[int, ...]
    #: The owners of the kings in the order in which they choose from the first line.
    kings: tuple[int, ...]
    #: The dominoes of each round in ascending order.
    lines: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rules = self.rules
        _check_names(rules, self.names)
        _check_deck(rules, self.deck)
        _check_kings(rules, self.kings)
        length, deck = rules.line_length, self.deck
        lines = [tuple(sorted(deck[start : start + length])) for start in range(0, len(deck), length)]
        object.__setattr__(self, "lines", tuple(lines))

    @classmethod
    def drawn(cls, rules: Rules, rng: Random, names: Sequence[str] | None = None) -> Setup:
        """Shuffle the dominoes and draw the kings."""
        kings = _all_kings(rules)
        order = _shuffled(kings, rng)
        if _one_king_opens(rules):
            order = (order[0], 1 - order[0], 1 - order[0], order[0])
        if isinstance(names, str):
            raise RulesError(f"The names of the players are a list of texts, not one text: {names[:MAX_NAME]!r}.")
        called = tuple(names) if names is not None else tuple(f"Player {p + 1}" for p in range(max(kings) + 1))
        return cls(rules, called, _shuffled(_NUMBERS, rng)[: rules.dominoes_in_play], order)

    @property
    def rounds(self) -> int:
        """Lines of dominoes in the game."""
        return len(self.lines)


def _shuffled(values: tuple[int, ...], rng: Random) -> tuple[int, ...]:
    # Only `random()` is promised to give the same numbers in every version of Python.
    keys = [rng.random() for _ in values]
    return tuple([value for _, value in sorted(zip(keys, values, strict=True))])


def _all_kings(rules: Rules) -> tuple[int, ...]:
    """Return the owners of all kings on the table."""
    if rules.players is None:
        raise RulesError("The number of players (2, 3 or 4) is needed to play a game.")
    return tuple(range(rules.players)) * rules.kings_each


def _one_king_opens(rules: Rules) -> bool:
    """Whether only one king is drawn: its owner chooses one domino, the other two, the owner the last."""
    return rules.edition is Edition.NEW and rules.players == 2


def _check_names(rules: Rules, names: tuple[str, ...]) -> None:
    players = max(_all_kings(rules)) + 1
    if len(names) != players:
        raise RulesError(f"A game for {players} players needs {players} names, not {len(names)}.")
    for name in names:
        if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME:
            raise RulesError(f"A player's name has 1 to {MAX_NAME} letters; {repr(name)[:MAX_NAME]} has not.")
    if len(set(names)) != players:
        raise RulesError(f"Players are told apart by their names; {', '.join(names)} are not all different.")


def _check_deck(rules: Rules, deck: tuple[int, ...]) -> None:
    wanted = rules.dominoes_in_play
    if len(deck) != wanted:
        raise RulesError(f"With these rules {wanted} dominoes are in play, not {len(deck)}.")
    if len(set(deck)) != wanted or not _BOX.issuperset(deck):
        raise RulesError(f"The deck consists of different dominoes from 1 to {len(_NUMBERS)}; {list(deck)} does not.")


def _check_kings(rules: Rules, kings: tuple[int, ...]) -> None:
    if sorted(kings) != sorted(_all_kings(rules)):
        raise RulesError(
            f"Each of the {rules.players} players (0 to {(rules.players or 0) - 1}) draws {rules.kings_each} "
            f"of the kings; {list(kings)} does not say so."
        )
    if _one_king_opens(rules) and kings[0] != kings[3]:
        raise RulesError(
            "With two players in the new edition the first chooses one domino, the other two, the first the last; "
            f"{list(kings)} is another order."
        )
