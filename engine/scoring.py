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


@dataclass(frozen=True, slots=True)
class Tally:
    """A final score in figures alone: all that places and statistics need, and sooner worked out.

    `terrains` are the points in the order of `Terrain`; a bonus has points only where it was agreed on.
    """

    terrains: tuple[int, ...]
    middle_kingdom: int
    harmony: int
    largest_territory: int
    crowns: int

    @property
    def points(self) -> int:
        """Points of the territories alone."""
        return sum(self.terrains)

    @property
    def total(self) -> int:
        """Territories and the bonuses agreed on."""
        return sum(self.terrains) + self.middle_kingdom + self.harmony


def territories(kingdom: Kingdom) -> tuple[Territory, ...]:
    """Return all territories: most points first, then most squares, then the earliest square."""
    return _territories(_survey(kingdom))


def score(kingdom: Kingdom, rules: Rules | None = None, *, finished: bool = True) -> Score:
    """Score a kingdom; `finished` says whether the game is over, so that bonuses may still be open."""
    rules = rules or Rules(size=kingdom.default_size())
    survey = _survey(kingdom)
    return Score(_territories(survey), _middle_kingdom(survey, rules, finished), _harmony(survey, rules, finished))


def tally(kingdom: Kingdom, rules: Rules) -> Tally:
    """Return the figures of `score` for a game that is over."""
    survey = _survey(kingdom)
    points = [0] * _KINDS
    largest = crowns = 0
    for group in survey.groups:
        squares = len(group.cells)
        if squares > largest:
            largest = squares
        if group.crowns:
            crowns += group.crowns
            points[group.kind] += squares * group.crowns
    return Tally(
        tuple(points),
        MIDDLE_KINGDOM_POINTS if rules.middle_kingdom and _in_the_middle(survey, rules) else 0,
        HARMONY_POINTS if rules.harmony and _complete(survey, rules) else 0,
        largest,
        crowns,
    )


class _Survey(NamedTuple):
    """What scoring needs to know of a kingdom; `box` is as in `Kingdom.bounding_box`."""

    groups: list[_Group]
    castles: list[Position]
    occupied: int
    box: tuple[int, int, int, int] | None


class _Group:
    """A territory in the making; `kind` is the index of its terrain."""

    __slots__ = ("cells", "crowns", "kind")

    def __init__(self, kind: int, cells: list[Position], crowns: int) -> None:
        self.kind = kind
        self.cells = cells
        self.crowns = crowns


# What lies beside the grid, and where a mark is: no terrain goes on there.
_NO_GROUP = _Group(-1, [], 0)


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
            up = above[c]
            if left.kind == kind:
                if up.kind == kind and up is not left:
                    _join(left, up, above)
                    groups.remove(left)
                    left = up
            elif up.kind == kind:
                left = up
            elif kind < _KINDS:
                above[c] = left = _Group(kind, [(r, c)], code & 3)
                groups.append(left)
                continue
            else:
                above[c] = left = _NO_GROUP
                if cell is EMPTY:
                    empty += 1
                elif cell is CASTLE:
                    castles.append((r, c))
                continue
            left.cells.append((r, c))
            left.crowns += code & 3
            above[c] = left
    height, width = len(rows), len(rows[0])
    # So few empty squares fill no row and no column, so that there is no border to leave out.
    box = (0, 0, height - 1, width - 1) if empty < min(height, width) else kingdom.bounding_box
    return _Survey(groups, castles, height * width - empty, box)


def _join(group: _Group, other: _Group, above: list[_Group]) -> None:
    """Let a territory take in another that turns out to touch it."""
    other.cells = sorted(other.cells + group.cells)
    other.crowns += group.crowns
    for column, seen in enumerate(above):
        if seen is group:
            above[column] = other


def _territories(survey: _Survey) -> tuple[Territory, ...]:
    found = []
    for group in survey.groups:
        cells, crowns = tuple(group.cells), group.crowns
        squares = len(cells)
        territory = Territory(_TERRAINS[group.kind], cells, crowns)
        # The first cell is different for each, so territories themselves are never compared.
        found.append((-crowns * squares, -squares, cells[0], territory))
    found.sort()
    return tuple([territory for _, _, _, territory in found])


def _middle_kingdom(survey: _Survey, rules: Rules, finished: bool) -> Bonus:
    state = BonusState.MISSED
    furthest, reach = _furthest(survey), rules.reach
    if furthest is None:
        reason = "The middle is the place of the one castle; here there is none or more than one."
    elif furthest > reach:
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


def _furthest(survey: _Survey) -> int | None:
    """Return how far the furthest square lies from the castle; None without exactly one castle."""
    if len(survey.castles) != 1 or survey.box is None:
        return None
    row, column = survey.castles[0]
    top, left, bottom, right = survey.box
    return max(row - top, bottom - row, column - left, right - column)


def _in_the_middle(survey: _Survey, rules: Rules) -> bool:
    furthest = _furthest(survey)
    return furthest is not None and furthest <= rules.reach


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
    place_of = places(scores)
    # Players who share a place stay in their order.
    order = sorted(range(len(scores)), key=place_of.__getitem__)
    standings = tuple(Standing(player, place_of[player], scores[player]) for player in order)
    return Ranking(standings, _decided([_rank(score) for score in scores], called))


def places(scores: Sequence[Score | Tally]) -> tuple[int, ...]:
    """Return the place of each player; players who share it leave out the places behind it."""
    ranks = [_rank(score) for score in scores]
    ordered = sorted(ranks, reverse=True)
    return tuple([1 + ordered.index(rank) for rank in ranks])


def _rank(score: Score | Tally) -> tuple[int, int, int]:
    """Return what ranks a player: points, then the tie-breaks in their order."""
    return score.total, score.largest_territory, score.crowns


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
