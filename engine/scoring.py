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
# Codes of squares divided by four are the indices of their terrains; those of marks lie behind them.
_KINDS = len(_TERRAINS)


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
    return _survey(kingdom).territories


def score(kingdom: Kingdom, rules: Rules | None = None, *, finished: bool = True) -> Score:
    """Score a kingdom; `finished` says whether the game is over, so that bonuses may still be open."""
    rules = rules or Rules(size=kingdom.default_size())
    survey = _survey(kingdom)
    return Score(survey.territories, _middle_kingdom(survey, rules, finished), _harmony(survey, rules, finished))


class _Survey(NamedTuple):
    """What scoring needs to know of a kingdom; `box` is as in `Kingdom.bounding_box`."""

    territories: tuple[Territory, ...]
    castles: list[Position]
    occupied: int
    box: tuple[int, int, int, int] | None


class _Group:
    """A territory in the making; `kind` is the index of its terrain, or none once it was joined to another."""

    __slots__ = ("cells", "crowns", "kind")

    def __init__(self, kind: int) -> None:
        self.kind = kind
        self.crowns = 0
        self.cells: list[Position] = []


_NO_KIND = -1
_NO_GROUP = _Group(_NO_KIND)


def _survey(kingdom: Kingdom) -> _Survey:
    """Go through the squares row by row, each joining the territory to its left, above it, or both."""
    rows = kingdom.rows
    above = [_NO_GROUP] * len(rows[0])
    groups: list[_Group] = []
    castles: list[Position] = []
    empty = 0
    for r, row in enumerate(rows):
        left = _NO_GROUP
        for c, cell in enumerate(row):
            code = cell.code
            kind = code >> 2
            if kind >= _KINDS:
                above[c] = left = _NO_GROUP
                if cell is EMPTY:
                    empty += 1
                elif cell is CASTLE:
                    castles.append((r, c))
                continue
            up = above[c]
            if left.kind == kind:
                if up.kind == kind and up is not left:
                    _join(left, up, above)
                    left = up
            elif up.kind == kind:
                left = up
            else:
                left = _Group(kind)
                groups.append(left)
            left.cells.append((r, c))
            left.crowns += code & 3
            above[c] = left
    box = kingdom.bounding_box if empty else (0, 0, len(rows) - 1, len(rows[0]) - 1)
    return _Survey(_territories(groups), castles, len(rows) * len(rows[0]) - empty, box)


def _join(group: _Group, other: _Group, above: list[_Group]) -> None:
    """Make one territory of two that turn out to touch."""
    other.cells = sorted(other.cells + group.cells)
    other.crowns += group.crowns
    group.kind = _NO_KIND
    for column, seen in enumerate(above):
        if seen is group:
            above[column] = other


def _territories(groups: list[_Group]) -> tuple[Territory, ...]:
    found = []
    for group in groups:
        if group.kind != _NO_KIND:
            cells, crowns = tuple(group.cells), group.crowns
            squares = len(cells)
            territory = Territory(_TERRAINS[group.kind], cells, crowns)
            # The first cell is different for each, so territories themselves are never compared.
            found.append((-crowns * squares, -squares, cells[0], territory))
    found.sort()
    return tuple([territory for _, _, _, territory in found])


def _middle_kingdom(survey: _Survey, rules: Rules, finished: bool) -> Bonus:
    state = BonusState.MISSED
    if len(survey.castles) != 1 or survey.box is None:
        reason = "The middle is the place of the one castle; here there is none or more than one."
    else:
        row, column = survey.castles[0]
        top, left, bottom, right = survey.box
        reach = rules.reach
        furthest = max(row - top, bottom - row, column - left, right - column)
        if furthest > reach:
            reason = f"A square lies {furthest} squares from the castle; at most {reach} keep it in the middle."
        elif finished or _complete(survey, rules):
            state = BonusState.WON
            reason = f"The castle is in the middle: no square lies more than {reach} from it."
        else:
            state = BonusState.OPEN
            reason = f"So far no square lies more than {reach} from the castle."
    holds = state is not BonusState.MISSED
    return Bonus("Middle Kingdom", MIDDLE_KINGDOM_POINTS, rules.middle_kingdom, holds, state, reason)


def _harmony(survey: _Survey, rules: Rules, finished: bool) -> Bonus:
    size = rules.size
    missing = size * size - survey.occupied
    state = BonusState.MISSED
    if _complete(survey, rules):
        state = BonusState.WON
        reason = f"All {size}×{size} squares are covered."
    elif missing <= 0 or not _fits(survey, size):
        reason = f"The kingdom does not fit {size}×{size}."
    elif finished:
        reason = f"{missing} of {size}×{size} squares are not covered."
    else:
        state = BonusState.OPEN
        reason = f"{missing} of {size}×{size} squares are still to be covered."
    return Bonus("Harmony", HARMONY_POINTS, rules.harmony, state is BonusState.WON, state, reason)


def _fits(survey: _Survey, size: int) -> bool:
    if survey.box is None:
        return True
    top, left, bottom, right = survey.box
    return bottom - top < size and right - left < size


def _complete(survey: _Survey, rules: Rules) -> bool:
    return survey.occupied == rules.size**2 and _fits(survey, rules.size)


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
