"""Points of stored kingdoms, worked out by the engine and remembered in this process; never stored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine import Kingdom, Rules, Score, Terrain, ranking, score

# A result has a few hundred bytes, so that those of all games of a club fit; a score holds every territory.
_RESULTS: Final = 32_768
_SCORES: Final = 1_024
_TERRAINS: Final = tuple(Terrain)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What one kingdom is worth and which place it took; `terrains` are the points in the order of `Terrain`."""

    place: int
    terrains: tuple[int, ...]
    middle_kingdom: int
    harmony: int

    @property
    def points(self) -> int:
        """Points of the territories."""
        return sum(self.terrains)

    @property
    def total(self) -> int:
        """Territories and the bonuses agreed on."""
        return sum(self.terrains) + self.middle_kingdom + self.harmony

    @property
    def by_terrain(self) -> dict[Terrain, int]:
        """Points of the territories of each terrain."""
        return dict(zip(_TERRAINS, self.terrains, strict=True))


@dataclass(frozen=True, slots=True)
class GameResult:
    """The results in the order of the seats."""

    seats: tuple[SeatResult, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats on the first place."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.place == 1)


@lru_cache(maxsize=_SCORES)
def score_of(notation: str, rules: Rules) -> Score:
    """Return the full score of a kingdom."""
    return score(Kingdom.from_notation(notation), rules)


@lru_cache(maxsize=_RESULTS)
def result_of(rules: Rules, kingdoms: tuple[str, ...]) -> GameResult:
    """Return points and places of a game by the engine's scoring and ranking."""
    scores = [score(Kingdom.from_notation(notation), rules) for notation in kingdoms]
    places = {standing.player: standing.place for standing in ranking(scores).standings}
    return GameResult(tuple(_result(each, places[seat]) for seat, each in enumerate(scores)))


def _result(each: Score, place: int) -> SeatResult:
    points = dict.fromkeys(_TERRAINS, 0)
    for territory in each.territories:
        # Those worth most come first.
        if not territory.crowns:
            break
        points[territory.terrain] += territory.points
    return SeatResult(place, tuple(points.values()), each.middle_kingdom.points, each.harmony.points)
