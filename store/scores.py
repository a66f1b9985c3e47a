"""Points of stored kingdoms, worked out by the engine and remembered in this process; never stored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine import Kingdom, Rules, Score, Tally, places, score, tally

# A result has a few hundred bytes, so that those of all games of a club fit; a score holds every territory.
_RESULTS: Final = 32_768
_SCORES: Final = 1_024


@dataclass(frozen=True, slots=True)
class GameResult:
    """What the kingdoms of a game are worth and which places they took, in the order of the seats."""

    seats: tuple[Tally, ...]
    places: tuple[int, ...]


@lru_cache(maxsize=_SCORES)
def score_of(notation: str, rules: Rules) -> Score:
    """Return the full score of a kingdom."""
    return score(Kingdom.from_notation(notation), rules)


@lru_cache(maxsize=_RESULTS)
def result_of(rules: Rules, kingdoms: tuple[str, ...]) -> GameResult:
    """Return points and places of a game by the engine's scoring and ranking."""
    seats = tuple([tally(Kingdom.from_notation(notation), rules) for notation in kingdoms])
    return GameResult(seats, places(seats))
