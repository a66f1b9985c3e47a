"""Territories, bonuses and totals of a kingdom, and who wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from engine.errors import RulesError
from engine.kingdom import Kingdom, Position
from engine.rules import HARMONY_POINTS, MIDDLE_KINGDOM_POINTS, Rules
from engine.squares import CASTLE, EMPTY, Terrain

_TERRAINS = tuple(Terrain)
_TERRAIN_CODES = 4 * len(_TERRAINS)


@dataclass(frozen=True, slots=True)
class Territory:
    """Squares of one terrain joined edge to edge, in row-major order, and the crowns on them."""

    terrain: Terrain
    cells: tuple[Position, ...]
    crowns: int

    @property
    def squares(self) -> int:
        """How many squares it has."""
        return len(self.cells)

    @property
    def points(self) -> int:
        """Squares times crowns."""
        return len(self.cells) * self.crowns


class BonusState(Enum):
    """How a bonus stands."""

    WON = "won"
    MISSED = "missed"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus, whether or not it was agreed on: how it stands, whether its condition holds now, and why."""

    name: str
    worth: int
    agreed: bool
    holds: bool
    state: BonusState
    reason: str

    @property
    def points(self) -> int:
        """What it adds to the total as things stand."""
        return self.worth if self.agreed and self.holds else 0


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one kingdom. Totals are derived from the territories and bonuses."""

    territories: tuple[Territory, ...]
    middle_kingdom: Bonus
    harmony: Bonus

    @property
    def points(self) -> int:
        """Points of the territories alone."""
        return sum([territory.points for territory in self.territories])

    @property
    def total(self) -> int:
        """Territories and the bonuses agreed on."""
        return self.points + self.middle_kingdom.points + self.harmony.points

    @property
    def largest_territory(self) -> int:
        """Squares of the largest territory, crowned or not: the first tie-break."""
        return max((territory.squares for territory in self.territories), default=0)

    @property
    def crowns(self) -> int:
        """All crowns of the kingdom: the second tie-break."""
        return sum(territory.crowns for territory in self.territories)


def territories(kingdom: Kingdom) -> tuple[Territory, ...]:
    """Return all territories: most points first, then most squares, then the earliest square."""
    return _territories(_masks(kingdom))


def score(kingdom: Kingdom, rules: Rules | None = None, *, finished: bool = True) -> Score:
    """Score a kingdom; `finished` says whether the game is over, so that bonuses may still be open."""
    rules = rules or Rules(size=kingdom.default_size())
    masks = _masks(kingdom)
    return Score(_territories(masks), _middle_kingdom(masks, rules, finished), _harmony(masks, rules, finished))


class _Masks(NamedTuple):
    """A kingdom as one bit a square, with a free column between the rows so that shifts never wrap."""

    stride: int
    terrains: list[int]
    ones: int
    twos: int
    occupied: int
    castles: int


def _masks(kingdom: Kingdom) -> _Masks:
    stride = len(kingdom.rows[0]) + 1
    terrains = [0, 0, 0, 0, 0, 0]
    ones = twos = occupied = castles = 0
    start = 1
    for row in kingdom.rows:
        bit = start
        for cell in row:
            code = cell.code
            if code < _TERRAIN_CODES:
                terrains[code >> 2] |= bit
                if code & 1:
                    ones |= bit
                if code & 2:
                    twos |= bit
                occupied |= bit
            elif cell is not EMPTY:
                occupied |= bit
                if cell is CASTLE:
                    castles |= bit
            bit <<= 1
        start <<= stride
    return _Masks(stride, terrains, ones, twos, occupied, castles)


def _territories(masks: _Masks) -> tuple[Territory, ...]:
    stride, terrains, ones, twos = masks[:4]
    found = []
    for terrain, mask in zip(_TERRAINS, terrains, strict=True):
        while mask:
            group = mask & -mask
            grown = (group | group << 1 | group << stride) & mask
            while grown != group:
                group = grown
                grown = (group | group << 1 | group >> 1 | group << stride | group >> stride) & mask
            mask ^= group
            crowns = (group & ones).bit_count() + 2 * (group & twos).bit_count()
            cells = []
            while group:
                low = group & -group
                cells.append(divmod(low.bit_length() - 1, stride))
                group ^= low
            found.append(((-crowns * len(cells), -len(cells), cells[0]), Territory(terrain, tuple(cells), crowns)))
    found.sort(key=_rank)
    return tuple([territory for _, territory in found])


def _rank(entry: tuple[tuple[int, int, Position], Territory]) -> tuple[int, int, Position]:
    return entry[0]


def _extent(masks: _Masks) -> tuple[int, int, int, int]:
    """Return top, left, bottom and right (inclusive) of what is not empty; something must be there."""
    occupied, stride = masks.occupied, masks.stride
    folded, rest, row = 0, occupied, (1 << stride) - 1
    while rest:
        folded |= rest & row
        rest >>= stride
    return (
        ((occupied & -occupied).bit_length() - 1) // stride,
        (folded & -folded).bit_length() - 1,
        (occupied.bit_length() - 1) // stride,
        folded.bit_length() - 1,
    )


def _middle_kingdom(masks: _Masks, rules: Rules, finished: bool) -> Bonus:
    state = BonusState.MISSED
    castles = masks.castles
    if not castles or castles & (castles - 1):
        reason = "The middle is the place of the one castle; here there is none or more than one."
    else:
        row, column = divmod(castles.bit_length() - 1, masks.stride)
        top, left, bottom, right = _extent(masks)
        reach = rules.reach
        furthest = max(row - top, bottom - row, column - left, right - column)
        if furthest > reach:
            reason = f"A square lies {furthest} squares from the castle; at most {reach} keep it in the middle."
        elif finished or _complete(masks, rules):
            state = BonusState.WON
            reason = f"The castle is in the middle: no square lies more than {reach} from it."
        else:
            state = BonusState.OPEN
            reason = f"So far no square lies more than {reach} from the castle."
    holds = state is not BonusState.MISSED
    return Bonus("Middle Kingdom", MIDDLE_KINGDOM_POINTS, rules.middle_kingdom, holds, state, reason)


def _harmony(masks: _Masks, rules: Rules, finished: bool) -> Bonus:
    size = rules.size
    missing = size * size - masks.occupied.bit_count()
    state = BonusState.MISSED
    if _complete(masks, rules):
        state = BonusState.WON
        reason = f"All {size}×{size} squares are covered."
    elif missing <= 0 or max(_spans(masks)) > size:
        reason = f"The kingdom does not fit {size}×{size}."
    elif finished:
        reason = f"{missing} of {size}×{size} squares are not covered."
    else:
        state = BonusState.OPEN
        reason = f"{missing} of {size}×{size} squares are still to be covered."
    return Bonus("Harmony", HARMONY_POINTS, rules.harmony, state is BonusState.WON, state, reason)


def _spans(masks: _Masks) -> tuple[int, int]:
    if not masks.occupied:
        return 0, 0
    top, left, bottom, right = _extent(masks)
    return bottom - top + 1, right - left + 1


def _complete(masks: _Masks, rules: Rules) -> bool:
    return masks.occupied.bit_count() == rules.size**2 and _spans(masks) == (rules.size, rules.size)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in the ranking; players who share a place share the victory or the defeat."""

    player: int
    place: int
    score: Score


@dataclass(frozen=True, slots=True)
class Ranking:
    """All players, the first place first, and a sentence on what decided the first place."""

    standings: tuple[Standing, ...]
    decided: str

    @property
    def winners(self) -> tuple[int, ...]:
        """The players on the first place; several share the victory."""
        return tuple(standing.player for standing in self.standings if standing.place == 1)


# The tie-breaks of the rule book behind the points, each in words and with its unit.
_TIE_BREAKS = (("the largest territory", "squares"), ("the most crowns", "crowns"))


def ranking(scores: Sequence[Score], names: Sequence[str] | None = None) -> Ranking:
    """Rank players by points, then largest single territory, then crowns; after that they share."""
    if not scores:
        return Ranking((), "Nobody played.")
    called = list(names) if names is not None else [f"Player {number}" for number in range(1, len(scores) + 1)]
    if len(called) != len(scores):
        raise RulesError(f"Each player has one name: {len(scores)} scores, {len(called)} names.")
    keys = [(score.total, score.largest_territory, score.crowns) for score in scores]
    order = sorted(range(len(scores)), key=lambda player: (*(-value for value in keys[player]), player))
    standings = tuple(
        Standing(player, 1 + sum(other > keys[player] for other in keys), scores[player]) for player in order
    )
    return Ranking(standings, _decided(keys, called))


def _decided(keys: list[tuple[int, int, int]], names: list[str]) -> str:
    best = max(keys)
    winners = [name for name, key in zip(names, keys, strict=True) if key == best]
    tied = [key for key in keys if key[0] == best[0]]
    if len(keys) == 1:
        return f"{names[0]} scores {best[0]} points."
    if len(winners) > 1:
        return (
            f"{_listed(winners)} share the victory: equal in points ({best[0]}), "
            f"largest territory ({best[1]} squares) and crowns ({best[2]})."
        )
    if len(tied) == 1:
        second = max(key[0] for key in keys if key != best)
        return f"{winners[0]} wins with {best[0]} points, {best[0] - second} ahead."
    for level in (1, 2):
        tied = [key for key in tied if key[:level] == best[:level]]
        if sum(key[: level + 1] == best[: level + 1] for key in tied) == 1:
            words, unit = _TIE_BREAKS[level - 1]
            runner_up = max(key[level] for key in tied if key != best)
            equal = "points" if level == 1 else "points and largest territory"
            return f"{winners[0]} wins by {words} ({best[level]} to {runner_up} {unit}) after equal {equal}."
    raise AssertionError("one of the tie-breaks decides, or the victory is shared")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
