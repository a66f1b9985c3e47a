"""Everything that is wrong with a kingdom, each problem with its code, its squares and a sentence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from engine.kingdom import Kingdom, Position
from engine.rules import Rules
from engine.squares import EMPTY, SQUARE_COUNTS
from engine.verify import Verdict, unconnected, verify


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of a kingdom: a code for programs, the squares concerned, a sentence for players."""

    code: str
    cells: tuple[Position, ...]
    text: str


def problems(kingdom: Kingdom, rules: Rules | None = None, verdict: Verdict | None = None) -> tuple[Problem, ...]:
    """Return every problem at once; pass the verdict if it is known already, it takes longest to find."""
    rules = rules or Rules(size=kingdom.default_size())
    verdict = verdict or verify(kingdom, rules)
    return (
        *_castles(kingdom),
        *_too_large(kingdom, rules.size),
        *_disconnected(kingdom),
        *_squares(kingdom),
        *_judged(kingdom, verdict),
    )


def _castles(kingdom: Kingdom) -> list[Problem]:
    castles = kingdom.castles
    if not castles:
        return [Problem("no_castle", (), "There is no castle; every kingdom grows from one.")]
    if len(castles) > 1:
        return [Problem("several_castles", castles, f"There are {len(castles)} castles; a kingdom has one.")]
    return []


def _too_large(kingdom: Kingdom, size: int) -> list[Problem]:
    box = kingdom.bounding_box
    if box is None:
        return []
    top, left, bottom, right = box
    occupied = tuple(position for position, cell in kingdom if cell is not EMPTY)
    found = []
    if right - left >= size:
        text = f"The kingdom is {right - left + 1} squares wide; at most {size} are allowed."
        found.append(Problem("too_wide", occupied, text))
    if bottom - top >= size:
        text = f"The kingdom is {bottom - top + 1} squares tall; at most {size} are allowed."
        found.append(Problem("too_tall", occupied, text))
    return found


def _disconnected(kingdom: Kingdom) -> list[Problem]:
    """Squares that do not hang together with the castle, or with the largest part if there is no castle."""
    occupied = [position for position, cell in kingdom if cell is not EMPTY]
    parts: list[set[Position]] = []
    rest = set(occupied)
    for start in occupied:
        if start not in rest:
            continue
        rest.discard(start)
        part, open_ends = {start}, [start]
        while open_ends:
            r, c = open_ends.pop()
            for beside in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                if beside in rest:
                    rest.discard(beside)
                    part.add(beside)
                    open_ends.append(beside)
        parts.append(part)
    if len(parts) < 2:
        return []
    castles = set(kingdom.castles)
    main = max(parts, key=lambda part: (bool(part & castles), len(part)))
    apart = tuple(position for position in occupied if position not in main)
    text = f"{_are(len(apart))} not joined edge to edge with the rest of the kingdom."
    return [Problem("disconnected", apart, text)]


def _squares(kingdom: Kingdom) -> list[Problem]:
    found = []
    if kingdom.unread:
        found.append(Problem("unread", kingdom.unread, f"{_are(len(kingdom.unread))} not read."))
    squares = kingdom.squares
    impossible = tuple(position for position, square in squares.items() if not square.exists)
    if impossible:
        words = ", ".join(sorted({squares[position].words for position in impossible}))
        found.append(Problem("impossible_square", impossible, f"No domino of the box has such a square: {words}."))
    if len(squares) % 2:
        text = f"{len(squares)} squares of terrain is an odd number; dominoes cover two squares each."
        found.append(Problem("odd_squares", tuple(squares), text))
    counts = Counter(squares.values())
    for square in sorted(counts, key=lambda square: square.code):
        in_box = SQUARE_COUNTS.get(square, 0)
        if in_box and counts[square] > in_box:
            cells = tuple(position for position, other in squares.items() if other == square)
            text = f"The box has {in_box} × {square.words}; this kingdom shows {counts[square]}."
            found.append(Problem("too_many_of_a_square", cells, text))
    return found


def _judged(kingdom: Kingdom, verdict: Verdict) -> list[Problem]:
    found = []
    if verdict.tileable is False:
        text = (
            f"The squares cannot all be cut into dominoes of the box; {_are(len(verdict.uncovered))} left over at best."
        )
        found.append(Problem("untileable", verdict.uncovered, text))
    if verdict.legal is False:
        illegal = unconnected(kingdom, verdict)
        if illegal:
            cells = tuple(sorted(cell for domino in illegal for cell in domino.cells))
            number = "1 domino touches" if len(illegal) == 1 else f"{len(illegal)} dominoes touch"
            text = f"{number} neither the castle nor their own terrain in any order of placing."
            if len(illegal) == 1:
                text = text.replace("their", "its")
            found.append(Problem("illegal_connection", cells, text))
    return found


def _are(number: int) -> str:
    return "1 square is" if number == 1 else f"{number} squares are"
