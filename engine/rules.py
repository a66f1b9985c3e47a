"""The set-up of a game: size of the kingdom, players, edition, options. Refuses what no edition has."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.errors import RulesError

SIZES: Final = (5, 7)
MIDDLE_KINGDOM_POINTS: Final = 10
HARMONY_POINTS: Final = 5


class Edition(Enum):
    """The printings of the rule book that differ in set-up."""

    CLASSIC = "classic"
    NEW = "new"

    def __repr__(self) -> str:
        return f"Edition.{self.name}"


@dataclass(frozen=True, slots=True)
class Rules:
    """What was agreed before the game. `players` may stay open where only a kingdom is scored."""

    size: int = 5
    players: int | None = None
    edition: Edition = Edition.CLASSIC
    middle_kingdom: bool = False
    harmony: bool = False

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "edition", Edition(self.edition))
        except ValueError:
            raise RulesError(f"The edition is 'classic' or 'new', not {self.edition!r}.") from None
        if isinstance(self.size, bool) or self.size not in SIZES:
            raise RulesError(f"A kingdom is 5×5 or 7×7, not {self.size!r}×{self.size!r}.")
        if self.players is not None and (isinstance(self.players, bool) or self.players not in (2, 3, 4)):
            raise RulesError(f"Kingdomino is for 2, 3 or 4 players, not {self.players!r}.")
        if self.size == 7 and self.players not in (None, 2):
            raise RulesError(f"7×7 (the Mighty Duel) is for 2 players, not {self.players}.")
        if self.edition is Edition.NEW and self.players == 2 and self.size == 5:
            raise RulesError("In the new edition two players build 7×7 kingdoms; 5×5 for two is classic only.")

    @property
    def _players(self) -> int:
        if self.players is None:
            raise RulesError("The number of players (2, 3 or 4) is needed to play a game.")
        return self.players

    @property
    def kings_each(self) -> int:
        """Kings of each player."""
        return 2 if self._players == 2 else 1

    @property
    def line_length(self) -> int:
        """Dominoes laid out each round."""
        return 3 if self._players == 3 and self.edition is Edition.CLASSIC else 4

    @property
    def dominoes_in_play(self) -> int:
        """Dominoes drawn from the box for one game."""
        if self._players == 2 and self.size == 5:
            return 24
        return 36 if self.line_length == 3 else 48

    @property
    def rounds(self) -> int:
        """Lines of dominoes in one game."""
        return self.dominoes_in_play // self.line_length

    @property
    def reach(self) -> int:
        """How far a square may lie from a castle in the middle."""
        return (self.size - 1) // 2
