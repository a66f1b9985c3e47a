"""Was this kingdom built by the rules? Verdicts on one kingdom and on all kingdoms of one game.

A verdict names a cutting into dominoes of the box and which of them were legally placed; the search for it
lives in `cutting`. The order of play, discards and the numbers of twins cannot be read from a kingdom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import product
from typing import Final

from engine.cutting import Clock, Field, Frame, OutOfTime, Piece
from engine.dominoes import DOMINOES, FACES
from engine.kingdom import Kingdom, Position
from engine.rules import Rules
from engine.squares import SQUARE_COUNTS

#: Seconds after which the best cutting found so far is returned, marked as not exact.
TIME_LIMIT: Final = 1.5
# Seconds for the hope that a kingdom without a cutting can nearly be cut.
_NEARLY_TIME: Final = 0.3
# The share of the time that the search may take where the best of several frames is to be found afterwards.
_SEARCH_SHARE: Final = 0.9


@dataclass(frozen=True, slots=True)
class VerifiedDomino:
    """A domino of the cutting: all numbers it may have, its cells in the order of the tile list's halves.

    `legal` is None where the kingdom does not allow the question.
    """

    numbers: tuple[int, ...]
    cells: tuple[Position, Position]
    legal: bool | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a kingdom tells about how it was built.

    `dominoes` come in an order in which they could have been laid; illegal ones follow. `uncovered` are
    the squares left over when no cutting exists. `exact` is False when time ran out before the best
    cutting was certain. Unknowable answers are None, with the reason.
    """

    tileable: bool | None
    legal: bool | None
    exact: bool
    dominoes: tuple[VerifiedDomino, ...]
    uncovered: tuple[Position, ...]
    reason: str

    @property
    def illegal(self) -> tuple[VerifiedDomino, ...]:
        """The dominoes of the cutting that were not legally placed."""
        return tuple(domino for domino in self.dominoes if domino.legal is False)


def verify(kingdom: Kingdom, rules: Rules | None = None, *, time_limit: float = TIME_LIMIT) -> Verdict:
    """Find out whether a kingdom can be cut into distinct dominoes and whether they were legally placed."""
    return verify_game((kingdom,), rules, time_limit=time_limit)[0]


def verify_game(
    kingdoms: Sequence[Kingdom], rules: Rules | None = None, *, time_limit: float = TIME_LIMIT
) -> tuple[Verdict, ...]:
    """Verify all kingdoms of one game together: over all of them, no face more often than the box has it."""
    sizes = [rules.size if rules else kingdom.default_size() for kingdom in kingdoms]
    pieces, exact, frames = _best(kingdoms, sizes, Clock(time_limit))
    return tuple(
        _verdict(kingdom, size, [piece for piece in pieces if piece.board == board], exact, frames[board])
        for board, (kingdom, size) in enumerate(zip(kingdoms, sizes, strict=True))
    )


def unconnected(kingdom: Kingdom, verdict: Verdict) -> tuple[VerifiedDomino, ...]:
    """Return the dominoes of a verdict that break the connection rules, whatever the size of the kingdom."""
    if verdict.legal is not False:
        return ()
    pieces = [Piece(0, domino.cells, DOMINOES[domino.numbers[0] - 1].face) for domino in verdict.dominoes]
    _, others = _growth(kingdom, pieces, None)
    apart = {piece.cells for piece in others}
    return tuple(domino for domino in verdict.dominoes if domino.cells in apart)


def _best(
    kingdoms: Sequence[Kingdom], sizes: Sequence[int], clock: Clock
) -> tuple[tuple[Piece, ...], bool, tuple[Frame | None, ...]]:
    """Return the best cutting, whether it is certainly the best, and the frame of each kingdom it is best for."""
    field = Field(kingdoms)
    frames = [_frames(kingdom, size) for kingdom, size in zip(kingdoms, sizes, strict=True)]
    fitting = all(choice == [None] for choice in frames)
    search = clock if fitting else clock.within(_SEARCH_SHARE * clock.left)
    found: list[tuple[int, bool]] = []
    with suppress(OutOfTime):
        complete = _may_be_cut(kingdoms)
        if complete:
            # Nearly every kingdom on a table is legal: ask for that first.
            if fitting and (legal := field.cut(search, uncovered=0, illegal=0)) is not None:
                return field.pieces(legal), True, (None,) * len(kingdoms)
            found_whole = field.cut(search, uncovered=0, illegal=None)
            complete = found_whole is not None
            found = found_whole or []
        certain = True
        if not complete:
            found, certain = _most_covered(field, kingdoms, search)
        uncovered = field.squares - 2 * len(found)
        for illegal in range(len(found) + 1) if certain else ():
            for frame in product(*frames):
                best = field.cut(search, uncovered=uncovered, illegal=illegal, frames=frame)
                if best is not None:
                    return field.pieces(best), True, frame
                search.check()
    # Where the time was over before anything was found, some dominoes are found at once.
    pieces = field.pieces(found or field.most_covered(clock)[0])
    return pieces, False, _best_frames(kingdoms, pieces, frames, clock)


def _most_covered(field: Field, kingdoms: Sequence[Kingdom], clock: Clock) -> tuple[list[tuple[int, bool]], bool]:
    """Return dominoes that cover as many squares as possible where no cutting exists, and whether that is certain."""
    # Without a cutting, each odd kingdom leaves a square over, and two are left over where none is odd. Most
    # misread kingdoms come as close as that, which is found much sooner than the most in general.
    fewest = sum(len(kingdom.squares) % 2 for kingdom in kingdoms) or 2
    with suppress(OutOfTime):
        nearly = field.cut(clock.within(_NEARLY_TIME), uncovered=fewest, illegal=None)
        if nearly is not None:
            return nearly, True
    return field.most_covered(clock)


def _best_frames(
    kingdoms: Sequence[Kingdom], pieces: Sequence[Piece], frames: Sequence[list[Frame | None]], clock: Clock
) -> tuple[Frame | None, ...]:
    """Return for each kingdom the frame in which most of its dominoes are legal, of those that there is time for."""
    return tuple(
        _best_frame(kingdom, [piece for piece in pieces if piece.board == board], choice, clock)
        for board, (kingdom, choice) in enumerate(zip(kingdoms, frames, strict=True))
    )


def _best_frame(kingdom: Kingdom, pieces: list[Piece], choice: list[Frame | None], clock: Clock) -> Frame | None:
    # Where there is no time to compare, the castle is best somewhere in the middle.
    best, most = choice[len(choice) // 2], -1
    for frame in choice if len(choice) > 1 else ():
        if clock.left <= 0:
            break
        placed = len(_growth(kingdom, pieces, frame)[0])
        if placed > most:
            best, most = frame, placed
    return best


def _may_be_cut(kingdoms: Sequence[Kingdom]) -> bool:
    """Whether simple counts allow a cutting of every square."""
    counts = Counter(cell for kingdom in kingdoms for cell in kingdom.squares.values())
    return all(counts[square] <= SQUARE_COUNTS.get(square, 0) for square in counts) and not any(
        len(kingdom.squares) % 2 for kingdom in kingdoms
    )


def _frames(kingdom: Kingdom, size: int) -> list[Frame | None]:
    """Return the frames that hold the castle, row by row; no frame is needed where the kingdom fits."""
    box, castle = kingdom.bounding_box, kingdom.castle
    if box is None or castle is None:
        return [None]
    top, left, bottom, right = box
    if bottom - top < size and right - left < size:
        return [None]
    tops = range(max(top, castle[0] - size + 1), min(castle[0], max(top, bottom - size + 1)) + 1)
    lefts = range(max(left, castle[1] - size + 1), min(castle[1], max(left, right - size + 1)) + 1)
    return [Frame(r, c, size) for r in tops for c in lefts]


def _growth(kingdom: Kingdom, pieces: list[Piece], frame: Frame | None) -> tuple[list[Piece], list[Piece]]:
    """Lay dominoes from the castle on, always the first that can be; return the laid and the others."""
    owner = {cell: number for number, piece in enumerate(pieces) for cell in piece.cells}
    inside = [frame is None or frame.holds(piece.cells) for piece in pieces]

    def touching(number: int) -> Iterable[int]:
        for position in pieces[number].cells:
            terrain = _terrain(kingdom, position)
            for other in _beside(position):
                if other in owner and _terrain(kingdom, other) == terrain:
                    yield owner[other]

    castle = kingdom.castle
    waiting = sorted({owner[cell] for cell in _beside(castle) if cell in owner}) if castle else []
    seen = set(waiting)
    laid = []
    while waiting:
        number = heappop(waiting)
        if not inside[number]:
            continue
        laid.append(number)
        for other in touching(number):
            if other not in seen:
                seen.add(other)
                heappush(waiting, other)
    placed = set(laid)
    return [pieces[number] for number in laid], [piece for number, piece in enumerate(pieces) if number not in placed]


def _terrain(kingdom: Kingdom, position: Position) -> int:
    return kingdom.rows[position[0]][position[1]].code >> 2


def _beside(position: Position) -> tuple[Position, Position, Position, Position]:
    r, c = position
    return (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)


def _verdict(kingdom: Kingdom, size: int, pieces: list[Piece], exact: bool, frame: Frame | None) -> Verdict:
    castles, unread = len(kingdom.castles), len(kingdom.unread)
    judged = castles == 1 and not unread
    laid, others = _growth(kingdom, pieces, frame) if judged else ([], pieces)
    dominoes = tuple(_verified(kingdom, piece, True) for piece in laid) + tuple(
        _verified(kingdom, piece, False if judged else None) for piece in others
    )
    covered = {cell for piece in pieces for cell in piece.cells}
    uncovered = tuple(position for position in kingdom.squares if position not in covered)
    tileable = None if unread else not uncovered
    legal = (tileable and not others and frame is None) if judged else None
    reason = _reason(kingdom, size, tileable, legal, len(others), len(uncovered), exact)
    return Verdict(tileable, legal, exact or bool(legal), dominoes, uncovered, reason)


def _verified(kingdom: Kingdom, piece: Piece, legal: bool | None) -> VerifiedDomino:
    numbers = FACES[piece.face]
    first, second = piece.cells
    if kingdom.cell(*first) != DOMINOES[numbers[0] - 1].a:
        first, second = second, first
    return VerifiedDomino(numbers, (first, second), legal)


def _reason(
    kingdom: Kingdom, size: int, tileable: bool | None, legal: bool | None, illegal: int, uncovered: int, exact: bool
) -> str:
    """Say in a sentence what the verdict is."""
    if kingdom.unread:
        return f"{_count(len(kingdom.unread), 'square')} could not be read, so nothing can be said."
    if len(kingdom.castles) != 1:
        missing = "no castle" if not kingdom.castles else f"{len(kingdom.castles)} castles"
        return f"There is {missing}, so it cannot be said whether the dominoes were legally placed."
    if legal:
        return "Every domino can have been placed by the rules."
    parts = []
    if not tileable:
        parts.append(f"{_count(uncovered, 'square')} cannot be part of any domino of the box with the others")
    if illegal:
        parts.append(f"{_count(illegal, 'domino', 'dominoes')} cannot have been placed by the rules")
    box = kingdom.bounding_box
    if box and (box[2] - box[0] >= size or box[3] - box[1] >= size):
        parts.append(f"the kingdom does not fit {size}×{size}")
    text = "; ".join(parts)
    doubt = "" if exact else " (the best found in the time allowed)"
    return f"{text[:1].upper()}{text[1:]}{doubt}."


def _count(number: int, one: str, several: str | None = None) -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"
