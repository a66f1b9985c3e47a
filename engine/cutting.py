"""How a kingdom can be cut into dominoes of the box: the exact search behind every verdict.

The squares of one or more kingdoms are gone through row by row. At each square not yet covered there are
three ways on: a domino to the right, a domino downwards, or leaving the square uncovered. What matters
for the squares still to come is little: which of them are taken, how many dominoes of each scarce face
are used, and which squares along the ragged front hang together by the connection rules. So every state
that failed once is remembered and never searched again.

The legally placed dominoes are those that hang together with the castle: two dominoes hang together when
squares of one terrain touch, and a square beside the castle hangs on it. Parts that the front leaves
behind unconnected are illegal. Searching with growing allowances (first for uncovered squares, then for
illegal dominoes) finds an optimum, and among equals the first in row-major order.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.dominoes import FACES, Face, face_of
from engine.kingdom import Kingdom, Position
from engine.squares import CASTLE, Square

#: States kept at one square when counting how many squares can be covered; more make the count a bound.
_BEAM: Final = 20_000
#: The same when time has run out: enough to finish a good cutting at once.
_HURRIED_BEAM: Final = 50
#: Steps between two looks at the clock.
_PATIENCE: Final = 255
_CASTLE_LABEL: Final = 1

_BLANK, _CASTLE, _SQUARE = 0, 1, 2


class OutOfTime(Exception):
    """The search cannot go on, nearly always because its time is over; caught by the caller, never shown."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A domino of a cutting: which kingdom it lies in, its two cells in row-major order, its face."""

    board: int
    cells: tuple[Position, Position]
    face: Face


@dataclass(frozen=True, slots=True)
class Frame:
    """A square frame of a kingdom, by its upper left corner."""

    top: int
    left: int
    size: int

    def holds(self, cells: tuple[Position, Position]) -> bool:
        """Whether a domino on these cells lies wholly inside."""
        return all(0 <= r - self.top < self.size and 0 <= c - self.left < self.size for r, c in cells)


@dataclass(frozen=True, slots=True)
class Option:
    """A domino that could start at a square: where the count of its face is kept, and how many there are."""

    shift: int
    limit: int
    step: int
    face: Face


@dataclass(slots=True)
class Site:
    """One square in the order of the search."""

    board: int
    position: Position
    kind: int
    column: int
    width: int
    right: Option | None = None
    down: Option | None = None
    joins_left: bool = False
    joins_up: bool = False


class Clock:
    """A deadline that is cheap to ask."""

    def __init__(self, seconds: float) -> None:
        self._deadline = time.perf_counter() + seconds
        self._ticks = 0

    def tick(self) -> None:
        """Count one step; raise `OutOfTime` when the deadline has passed."""
        self._ticks += 1
        if not self._ticks & _PATIENCE:
            self.check()

    def check(self) -> None:
        """Raise `OutOfTime` when the deadline has passed."""
        if self.left <= 0:
            raise OutOfTime

    @property
    def left(self) -> float:
        """Seconds until the deadline; none or fewer when it has passed."""
        return self._deadline - time.perf_counter()

    def within(self, seconds: float) -> Clock:
        """Return a clock with a deadline of its own that is never later than this one."""
        return Clock(min(seconds, self.left))


# When counting covered squares, a state is the taken squares from here on (lowest bit: this one) and the faces used.
# It leads to the dominoes so far and the last of them, linked to those before: (link, site, whether downwards).
_Link = tuple[object, int, bool] | None
_States = dict[tuple[int, int], tuple[int, _Link]]


def _fullest(states: _States, most: int) -> _States:
    """Return at most so many states, those with the most dominoes."""
    if len(states) <= most:
        return states
    return dict(sorted(states.items(), key=lambda item: -item[1][0])[:most])


class Field:
    """The squares of all kingdoms in one row, with every domino that could lie on them."""

    def __init__(self, kingdoms: Sequence[Kingdom], spent: Mapping[Face, int] | None = None) -> None:
        """Lay out kingdoms; `spent` says how many dominoes of a face are used elsewhere already."""
        self._spent = spent or {}
        self.sites: list[Site] = []
        self.judged = [kingdom.castle is not None for kingdom in kingdoms]
        for board, kingdom in enumerate(kingdoms):
            self._add(board, kingdom)
        self.squares = sum(site.kind == _SQUARE for site in self.sites)
        self._number_faces()

    def _add(self, board: int, kingdom: Kingdom) -> None:
        box = kingdom.bounding_box
        if box is None:
            return
        top, left, bottom, right = box
        for r in range(top, bottom + 1):
            for c in range(left, right + 1):
                cell = kingdom.cell(r, c)
                kind = _SQUARE if isinstance(cell, Square) else _CASTLE if cell is CASTLE else _BLANK
                site = Site(board, (r, c), kind, c - left, right - left + 1)
                if kind:
                    site.joins_left = c > left and _join(cell, kingdom.cell(r, c - 1))
                    site.joins_up = r > top and _join(cell, kingdom.cell(r - 1, c))
                if isinstance(cell, Square):
                    if c < right:
                        site.right = _option(cell, kingdom.cell(r, c + 1))
                    if r < bottom:
                        site.down = _option(cell, kingdom.cell(r + 1, c))
                self.sites.append(site)

    def _number_faces(self) -> None:
        """Give each face that could run out a place in the counter; the others need no counting."""
        options = [option for site in self.sites for option in (site.right, site.down) if option]
        wanted = Counter(option.face for option in options)
        limits = {face: len(FACES[face]) - self._spent.get(face, 0) for face in wanted}
        scarce = sorted(face for face, count in wanted.items() if count > limits[face])
        places = {face: 3 * place for place, face in enumerate(scarce)}

        def counted(option: Option | None) -> Option | None:
            if option is None or option.face not in places:
                return option
            shift = places[option.face]
            return Option(shift, limits[option.face], 1 << shift, option.face)

        #: For each site, the counters that still matter from there on.
        self.live = [0] * (len(self.sites) + 1)
        for i in range(len(self.sites) - 1, -1, -1):
            site = self.sites[i]
            site.right, site.down = counted(site.right), counted(site.down)
            self.live[i] = self.live[i + 1]
            for option in (site.right, site.down):
                if option and option.step:
                    self.live[i] |= 7 << option.shift

    def piece(self, index: int, downwards: bool) -> Piece:
        """Return the domino that starts at a site."""
        site = self.sites[index]
        option = site.down if downwards else site.right
        if option is None:
            raise AssertionError("the search only takes dominoes that exist")
        r, c = site.position
        other = (r + 1, c) if downwards else (r, c + 1)
        return Piece(site.board, (site.position, other), option.face)

    def pieces(self, choices: Sequence[tuple[int, bool]]) -> tuple[Piece, ...]:
        """Return the dominoes of a found cutting in row-major order."""
        return tuple(self.piece(index, downwards) for index, downwards in choices)

    def most_covered(self, clock: Clock) -> tuple[list[tuple[int, bool]], bool]:
        """Return dominoes that cover as many squares as possible, and whether that is certain."""
        states: _States = {(0, 0): (0, None)}
        certain, beam = True, _BEAM
        for i in range(len(self.sites)):
            try:
                following = self._following(i, states, clock)
            except OutOfTime:
                # The few states that cover most finish a good cutting at once.
                clock, beam = Clock(math.inf), _HURRIED_BEAM
                certain &= len(states) <= beam
                following = self._following(i, _fullest(states, beam), clock)
            certain &= len(following) <= beam
            states = _fullest(following, beam)
        _, last = max(states.values(), key=lambda state: state[0])
        choices: list[tuple[int, bool]] = []
        while last is not None:
            last, index, downwards = last  # type: ignore[assignment]
            choices.append((index, downwards))
        return choices[::-1], certain

    def _following(self, i: int, states: _States, clock: Clock) -> _States:
        """Return the states behind a site, each with the most dominoes that lead there."""
        site, live = self.sites[i], self.live[i + 1]
        following: _States = {}

        def reach(taken: int, used: int, count: int, link: _Link) -> None:
            known = following.get((taken, used))
            if known is None or known[0] < count:
                following[taken, used] = count, link

        for (taken, used), (count, link) in states.items():
            clock.tick()
            if site.kind != _SQUARE or taken & 1:
                reach(taken >> 1, used & live, count, link)
                continue
            for option, bit, downwards in ((site.right, 2, False), (site.down, 1 << site.width, True)):
                if option and not taken & bit and (used >> option.shift & 7 if option.step else 0) < option.limit:
                    reach((taken | bit) >> 1, used + option.step & live, count + 1, (link, i, downwards))
            reach(taken >> 1, used & live, count, link)
        return following

    def cut(
        self,
        clock: Clock,
        *,
        uncovered: int,
        illegal: int | None,
        frames: Sequence[Frame | None] | None = None,
    ) -> list[tuple[int, bool]] | None:
        """Return the first cutting in row-major order within the allowances, or None.

        At most `uncovered` squares stay without a domino; at most `illegal` dominoes do not hang together
        with their castle (None: the connection rules do not matter). Kingdoms with no castle or several are
        not judged. Dominoes that are not wholly inside the frame of their kingdom are illegal.
        """
        return _Search(self, clock, illegal, frames).run(uncovered)


def _join(cell: object, other: object) -> bool:
    """Whether touching squares hang together: same terrain, or one of them the castle."""
    if isinstance(cell, Square) and isinstance(other, Square):
        return cell.terrain is other.terrain
    return (cell is CASTLE and isinstance(other, Square)) or (other is CASTLE and isinstance(cell, Square))


def _option(cell: Square, other: object) -> Option | None:
    if not isinstance(other, Square):
        return None
    face = face_of(cell, other)
    return Option(0, 1, 0, face) if face in FACES else None


Labels = tuple[int, ...]


class _Search:
    """One search with fixed allowances.

    The front is a tuple of labels, one a column: 0 for a square that nothing can hang on, 1 for what hangs
    on the castle, higher numbers for parts not yet connected, numbered from left to right. `sizes` counts
    the dominoes of those parts, as far as the allowance makes a difference.
    """

    def __init__(self, field: Field, clock: Clock, illegal: int | None, frames: Sequence[Frame | None] | None) -> None:
        self.field = field
        self.clock = clock
        self.judged = field.judged if illegal is not None else [False] * len(field.judged)
        self.illegal = illegal or 0
        self.frames = frames or [None] * len(field.judged)
        self.failed: set[tuple[int, int, Labels, Labels, int, int, int]] = set()
        self.moves: dict[tuple[int, int, Labels, Labels], tuple[Labels, Labels, int]] = {}
        self.choices: list[tuple[int, bool]] = []

    def run(self, uncovered: int) -> list[tuple[int, bool]] | None:
        """Search from the first square."""
        try:
            found = self._go(0, False, 0, (), (), 0, uncovered, self.illegal)
        except RecursionError:
            # More squares than a search can go through one inside the other are given up like a search without time.
            raise OutOfTime from None
        return self.choices[::-1] if found else None

    def _go(
        self, i: int, from_left: bool, taken: int, front: Labels, sizes: Labels, used: int, uncovered: int, illegal: int
    ) -> bool:
        sites = self.field.sites
        # Go on to the next square that leaves a choice.
        while True:
            if i == len(sites):
                return sum(sizes) <= illegal
            site = sites[i]
            column = site.column
            counting = self.judged[site.board]
            if column == 0 and (i == 0 or sites[i - 1].board != site.board):
                illegal -= sum(sizes)
                if illegal < 0:
                    return False
                front, sizes = (0,) * site.width, ()
            if site.kind == _SQUARE and not taken & 1:
                break
            if counting:
                if site.kind == _SQUARE:
                    label = front[column - 1] if from_left else front[column]
                else:
                    label = _CASTLE_LABEL if site.kind == _CASTLE else 0
                front, sizes, lost = self._move(i, label, front, sizes)
                illegal -= lost
                if illegal < 0:
                    return False
            from_left = False
            taken >>= 1
            i += 1
        key = (i, taken, front, sizes, used & self.field.live[i], uncovered, illegal)
        if key in self.failed:
            return False
        self.clock.tick()
        for option, bit, downwards in ((site.right, 2, False), (site.down, 1 << site.width, True)):
            if option is None or taken & bit or (option.step and used >> option.shift & 7 >= option.limit):
                continue
            after, counts, left = front, sizes, illegal
            if counting:
                frame = self.frames[site.board]
                if frame and not frame.holds(self.field.piece(i, downwards).cells):
                    left -= 1
                    after, counts, lost = self._move(i, 0, front, sizes)
                else:
                    after, counts, lost = self._move(i, len(sizes) + 2, front, (*sizes, 1))
                left -= lost
                if left < 0:
                    continue
            taken_then = (taken | bit) >> 1
            if self._go(i + 1, not downwards, taken_then, after, counts, used + option.step, uncovered, left):
                self.choices.append((i, downwards))
                return True
        if uncovered:
            after, counts, lost = self._move(i, 0, front, sizes) if counting else (front, sizes, 0)
            if illegal >= lost and self._go(
                i + 1, False, taken >> 1, after, counts, used, uncovered - 1, illegal - lost
            ):
                return True
        self.failed.add(key)
        return False

    def _move(self, i: int, label: int, front: Labels, sizes: Labels) -> tuple[Labels, Labels, int]:
        """Move the front over a square with a label; return front, sizes and the dominoes left behind for good."""
        key = (i, label, front, sizes)
        known = self.moves.get(key)
        if known is None:
            known = self.moves[key] = self._moved(i, label, front, sizes)
        return known

    def _moved(self, i: int, label: int, front: Labels, sizes: Labels) -> tuple[Labels, Labels, int]:
        site = self.field.sites[i]
        column = site.column
        labels = list(front)
        counts = [0, 0, *sizes]

        def join(a: int, b: int) -> int:
            low, high = min(a, b), max(a, b)
            for c, other in enumerate(labels):
                if other == high:
                    labels[c] = low
            counts[low] += counts[high]
            counts[high] = 0
            return low

        if label:
            if site.joins_left and labels[column - 1] and labels[column - 1] != label:
                label = join(label, labels[column - 1])
            if site.joins_up and labels[column] and labels[column] != label:
                label = join(label, labels[column])
        labels[column] = label
        # Number the parts anew from left to right; what has left the front will never be connected.
        numbers = {0: 0, _CASTLE_LABEL: _CASTLE_LABEL}
        kept = []
        ceiling = self.illegal + 1
        for c, old in enumerate(labels):
            if old not in numbers:
                numbers[old] = len(numbers)
                kept.append(min(counts[old], ceiling))
            labels[c] = numbers[old]
        lost = sum(count for old, count in enumerate(counts) if old > _CASTLE_LABEL and old not in numbers)
        return tuple(labels), tuple(kept), lost
