"""What happened between two states of one kingdom: dominoes added, legal or not, and what cannot be a placement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.cutting import Clock, Field, Frame, OutOfTime
from engine.dominoes import DOMINOES, FACES, Face, face_of
from engine.errors import PlacementError
from engine.kingdom import Kingdom, Position
from engine.placement import Placement, explain, legal_placements
from engine.rules import Rules
from engine.squares import EMPTY, UNREAD, Cell, Square

#: Ways to cut the new squares that are listed at most; a whole kingdom at once may have thousands.
MAX_CUTTINGS: Final = 64
#: Seconds for asking whether the earlier dominoes leave the new ones in the box.
_TIME_LIMIT: Final = 1.0


@dataclass(frozen=True, slots=True)
class AddedDomino:
    """A domino that is new: all numbers it may have, cells in the order of the tile list's halves.

    `broken` are the rules that it breaks, in words; none if it was legal when it was placed.
    """

    numbers: tuple[int, ...]
    cells: tuple[Position, Position]
    broken: tuple[str, ...]

    @property
    def legal(self) -> bool:
        """Whether it was legal when it was placed."""
        return not self.broken


@dataclass(frozen=True, slots=True)
class Change:
    """Something that is no placement: `replaced`, `removed`, `moved`, `unread`, or `unpaired` new squares."""

    kind: str
    cells: tuple[Position, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference between two states of a kingdom. All cells refer to the later one.

    `cuttings` holds every way to cut the new squares into dominoes, each in an order of placing; `complete`
    is False if there are more than are listed. `turns` is how far (clockwise) the earlier state was turned
    to lie on the later one; `ambiguous` says that another turn fits equally well.
    """

    turns: int
    ambiguous: bool
    cuttings: tuple[tuple[AddedDomino, ...], ...]
    complete: bool
    changes: tuple[Change, ...]

    @property
    def added(self) -> tuple[AddedDomino, ...]:
        """The new dominoes in the way of cutting that breaks the fewest rules, the first of equals."""
        return min(self.cuttings, key=lambda cutting: sum(not added.legal for added in cutting), default=())

    @property
    def legal(self) -> bool:
        """Whether everything that happened can have been placing dominoes by the rules."""
        return not self.changes and all(added.legal for added in self.added)


def compare(before: Kingdom | None, after: Kingdom, rules: Rules | None = None) -> Comparison:
    """Compare two states of one kingdom; without an earlier one, the lone castle."""
    before = before or Kingdom.lone_castle()
    rules = rules or Rules(size=max(before.default_size(), after.default_size()))
    for name, kingdom in (("earlier", before), ("later", after)):
        if kingdom.castle is None:
            raise PlacementError(
                f"States of a kingdom are compared by their one castle; "
                f"the {name} one has {len(kingdom.castles)}: {kingdom.notation}."
            )
    turns, earlier, ambiguous = _aligned(before, after)
    later = _by_position(after)
    new = {at: cell for at, cell in later.items() if isinstance(cell, Square) and at not in earlier}
    changes, fresh = _changes(earlier, later, new)
    cuttings, complete = _cuttings(earlier, fresh, rules)
    if not cuttings:
        cuttings, left = _partial(earlier, fresh, rules)
        text = f"New but no domino of the box: {_squares_in_words(fresh, left)}."
        changes.append(Change("unpaired", left, text))
    return Comparison(turns, ambiguous, cuttings, complete, tuple(changes))


def _by_position(kingdom: Kingdom, down: int = 0, right: int = 0) -> dict[Position, Cell]:
    return {(r + down, c + right): cell for (r, c), cell in kingdom if cell is not EMPTY}


def _aligned(before: Kingdom, after: Kingdom) -> tuple[int, dict[Position, Cell], bool]:
    """Lay the earlier state on the later one: castle on castle, turned so that the fewest squares differ."""
    later = _by_position(after)
    home = after.castle
    fits: list[tuple[int, int, dict[Position, Cell]]] = []
    for turns in range(4):
        turned = before.rotated(turns)
        castle = turned.castle
        if castle is None or home is None:
            raise AssertionError("both castles were checked")
        earlier = _by_position(turned, home[0] - castle[0], home[1] - castle[1])
        if not any(earlier == other for _, _, other in fits):
            differing = sum(
                _differs(earlier.get(at, EMPTY), later.get(at, EMPTY)) for at in earlier.keys() | later.keys()
            )
            fits.append((differing, turns, earlier))
    fits.sort(key=lambda fit: fit[:2])
    return fits[0][1], fits[0][2], len(fits) > 1 and fits[0][0] == fits[1][0]


def _differs(before: Cell, after: Cell) -> bool:
    """Whether a square changed; an unread square is taken for whatever the other photo shows there."""
    if UNREAD in (before, after):
        return EMPTY in (before, after)
    return before != after


def _changes(
    earlier: dict[Position, Cell], later: dict[Position, Cell], new: dict[Position, Square]
) -> tuple[list[Change], dict[Position, Square]]:
    """Return what is no placement, and the new squares without those of moved dominoes."""
    changes = []
    removed: dict[Position, Square] = {}
    unread_gone: dict[Position, Cell] = {}
    for at in sorted(earlier):
        was, now = earlier[at], later.get(at, EMPTY)
        if not _differs(was, now):
            continue
        if now is EMPTY:
            if isinstance(was, Square):
                removed[at] = was
            else:
                unread_gone[at] = was
            continue
        changes.append(Change("replaced", (at,), f"{_words(was)} became {_words(now)} at {_place(at)}."))
    unread = tuple(sorted(at for at, cell in later.items() if cell is UNREAD and at not in earlier))
    if unread:
        changes.append(Change("unread", unread, f"New but not read: {', '.join(map(_place, unread))}."))
    fresh = dict(new)
    for source, target in _moves(removed, fresh):
        text = (
            f"A domino ({_words(removed[source[0]])} – {_words(removed[source[1]])}) "
            f"moved from {_place(source[0])} to {_place(target[0])}."
        )
        changes.append(Change("moved", (*source, *target), text))
        for at in source:
            del removed[at]
        for at in target:
            del fresh[at]
    gone = removed | unread_gone
    if gone:
        cells = tuple(sorted(gone))
        changes.append(Change("removed", cells, f"No longer there: {_squares_in_words(gone, cells)}."))
    return changes, fresh


def _moves(
    removed: dict[Position, Square], new: dict[Position, Square]
) -> list[tuple[tuple[Position, Position], tuple[Position, Position]]]:
    """Pair dominoes that are gone with new ones of the same face, each square once."""
    moves = []
    used: set[Position] = set()
    for source, face in _pairs(removed):
        for target, other in _pairs(new):
            if face == other and not used & {*source, *target}:
                moves.append((source, target))
                used |= {*source, *target}
    return moves


def _pairs(squares: dict[Position, Square]) -> Iterator[tuple[tuple[Position, Position], Face]]:
    """Go through all neighbouring squares that form a face of the box, in row-major order."""
    for r, c in sorted(squares):
        for beside in ((r, c + 1), (r + 1, c)):
            if beside in squares:
                face = face_of(squares[r, c], squares[beside])
                if face in FACES:
                    yield ((r, c), beside), face


def _cuttings(
    earlier: dict[Position, Cell], new: dict[Position, Square], rules: Rules
) -> tuple[tuple[tuple[AddedDomino, ...], ...], bool]:
    """Return all ways to cut the new squares into dominoes that the earlier ones leave in the box."""
    clock = Clock(_TIME_LIMIT)
    if new and not _can_be_cut(_kingdom(dict(new)), Counter(), clock):
        return (), True
    base = _kingdom(earlier)
    # An earlier state that was misread cannot be cut itself; then it tells nothing about the box.
    telling = _can_be_cut(base, Counter(), clock)
    cuttings: list[tuple[AddedDomino, ...]] = []
    try:
        for pieces in _all_cuttings(sorted(new), new, Counter(), clock):
            if telling and not _can_be_cut(base, Counter(face for _, face in pieces), clock):
                continue
            if len(cuttings) == MAX_CUTTINGS:
                return tuple(cuttings), False
            cuttings.append(_judged(earlier, pieces, new, rules))
    except OutOfTime:
        return tuple(cuttings), False
    return tuple(cuttings), True


def _all_cuttings(
    open_cells: list[Position], squares: dict[Position, Square], used: Counter[Face], clock: Clock
) -> Iterator[list[tuple[tuple[Position, Position], Face]]]:
    """Go through every way to cut squares into distinct dominoes, in row-major order."""
    clock.tick()
    if not open_cells:
        yield []
        return
    first, rest = open_cells[0], open_cells[1:]
    r, c = first
    for beside in ((r, c + 1), (r + 1, c)):
        if beside not in rest:
            continue
        face = face_of(squares[first], squares[beside])
        if used[face] < len(FACES.get(face, ())):
            used[face] += 1
            for others in _all_cuttings([cell for cell in rest if cell != beside], squares, used, clock):
                yield [((first, beside), face), *others]
            used[face] -= 1


def _can_be_cut(kingdom: Kingdom, spent: Counter[Face], clock: Clock) -> bool:
    """Whether all squares can be cut into dominoes that are not spent; if time runs out, it is assumed."""
    try:
        return Field([kingdom], spent).cut(clock, uncovered=0, illegal=None) is not None
    except OutOfTime:
        return True


def _partial(
    earlier: dict[Position, Cell], new: dict[Position, Square], rules: Rules
) -> tuple[tuple[tuple[AddedDomino, ...], ...], tuple[Position, ...]]:
    """Cut as many of the new squares as possible; return that cutting, if any, and the squares left over."""
    cells: dict[Position, Cell] = dict(new)
    base = _kingdom(cells)
    down, right = _origin(cells)
    choices, _ = Field([base]).most_covered(Clock(_TIME_LIMIT))
    pieces = []
    for piece in Field([base]).pieces(choices):
        (ra, ca), (rb, cb) = piece.cells
        pieces.append((((ra + down, ca + right), (rb + down, cb + right)), piece.face))
    covered = {cell for cells, _ in pieces for cell in cells}
    left = tuple(cell for cell in sorted(new) if cell not in covered)
    return ((_judged(earlier, pieces, new, rules),) if pieces else ()), left


def _origin(cells: dict[Position, Cell]) -> Position:
    return min(r for r, _ in cells), min(c for _, c in cells)


def _kingdom(cells: dict[Position, Cell]) -> Kingdom:
    top, left = _origin(cells)
    bottom, right = max(r for r, _ in cells), max(c for _, c in cells)
    return Kingdom(
        tuple(tuple(cells.get((r, c), EMPTY) for c in range(left, right + 1)) for r in range(top, bottom + 1))
    )


def _judged(
    earlier: dict[Position, Cell],
    pieces: list[tuple[tuple[Position, Position], Face]],
    squares: dict[Position, Square],
    rules: Rules,
) -> tuple[AddedDomino, ...]:
    """Say of each new domino whether it was legal, in an order in which as many as possible were."""
    placements = [_placement(cells, face, squares) for cells, face in pieces]
    best: list[Placement] = []
    for frame in _frames(earlier, rules.size):
        laid = _laid(earlier, placements, rules, frame)
        if len(laid) > len(best):
            best = laid
        if len(best) == len(placements):
            break
    state = dict(earlier)
    for placement in best:
        _lay(state, placement)
    illegal = [placement for placement in placements if placement not in best]
    top, left = _origin(state)
    board = _kingdom(state)
    added = [AddedDomino(placement.domino.twins, placement.cells, ()) for placement in best]
    for placement in illegal:
        moved = Placement(placement.domino, _shifted(placement.cells, top, left))
        added.append(AddedDomino(placement.domino.twins, placement.cells, explain(board, moved, rules)))
    return tuple(added)


def _placement(cells: tuple[Position, Position], face: Face, squares: dict[Position, Square]) -> Placement:
    domino = DOMINOES[FACES[face][0] - 1]
    first, second = cells
    return Placement(domino, (first, second) if squares[first] == domino.a else (second, first))


def _frames(earlier: dict[Position, Cell], size: int) -> list[Frame]:
    """Return the frames that hold the earlier state; the new dominoes fit one of them or are illegal."""
    top, left = _origin(earlier)
    bottom, right = max(r for r, _ in earlier), max(c for _, c in earlier)
    return [Frame(r, c, size) for r in range(bottom - size + 1, top + 1) for c in range(right - size + 1, left + 1)]


def _laid(earlier: dict[Position, Cell], placements: list[Placement], rules: Rules, frame: Frame) -> list[Placement]:
    """Lay the new dominoes in any order that the rules allow, inside one frame."""
    state = dict(earlier)
    waiting = [placement for placement in placements if frame.holds(placement.cells)]
    laid: list[Placement] = []
    progress = True
    while progress and waiting:
        progress = False
        for placement in list(waiting):
            top, left = _origin(state)
            moved = Placement(placement.domino, _shifted(placement.cells, top, left))
            if moved in legal_placements(_kingdom(state), placement.domino, rules):
                _lay(state, placement)
                laid.append(placement)
                waiting.remove(placement)
                progress = True
    return laid


def _shifted(cells: tuple[Position, Position], top: int, left: int) -> tuple[Position, Position]:
    (ra, ca), (rb, cb) = cells
    return (ra - top, ca - left), (rb - top, cb - left)


def _lay(state: dict[Position, Cell], placement: Placement) -> None:
    state[placement.cells[0]] = placement.domino.a
    state[placement.cells[1]] = placement.domino.b


def _words(cell: Cell) -> str:
    return cell.words if isinstance(cell, Square) else cell.name.lower()


def _place(at: Position) -> str:
    return f"row {at[0] + 1}, column {at[1] + 1}"


def _squares_in_words(squares: Mapping[Position, Cell], cells: tuple[Position, ...]) -> str:
    return ", ".join(f"{_words(squares[at])} at {_place(at)}" for at in cells)
