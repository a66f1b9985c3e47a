"""`python -m engine`: score and verify kingdoms from the command line, for people or, with --json, for scripts."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TextIO

from engine.errors import KingdominoError
from engine.kingdom import Kingdom, Position
from engine.report import as_json, error_as_json
from engine.rules import SIZES, Rules
from engine.scoring import Bonus, Score, score
from engine.squares import CASTLE, EMPTY, UNREAD, Cell, Square, Terrain
from engine.status import problems
from engine.verify import Verdict, verify

# What the shell reports for a program stopped by Ctrl-C, and for one whose reader has gone.
_INTERRUPTED: Final = 130
_READER_GONE: Final = 141

# Background and letters of each kind of cell in the 256 colours of a terminal.
_TERRAIN_COLOURS: Final[Mapping[Terrain, tuple[int, int]]] = {
    Terrain.WHEAT: (220, 16),
    Terrain.FOREST: (22, 231),
    Terrain.LAKE: (32, 231),
    Terrain.GRASSLAND: (113, 16),
    Terrain.SWAMP: (101, 231),
    Terrain.MINE: (236, 220),
}
_MARK_COLOURS: Final[Mapping[Cell, tuple[int, int]]] = {CASTLE: (231, 16), UNREAD: (201, 16)}
_RESET: Final = "\x1b[0m"
_BOLD: Final = "\x1b[1m"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    options = _parser().parse_args(arguments)
    # Bytes that are no text are read as marks, which the notation then refuses by name.
    _reconfigure(sys.stdin, encoding="utf-8-sig", errors="replace")
    return guarded(partial(_run, options))


def guarded(run: Callable[[], int]) -> int:
    """Run a command that can write any letter; return its exit code, also when it is stopped or its reader goes."""
    _reconfigure(sys.stdout, errors="backslashreplace")
    try:
        code = run()
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # The interpreter flushes once more at exit; give it somewhere to write.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _READER_GONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine",
        description="Score Kingdomino kingdoms and tell whether they were built by the rules.",
        epilog="Example: python -m engine l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1",
    )
    parser.add_argument(
        "notation",
        nargs="*",
        metavar="NOTATION",
        help="a kingdom, rows joined by / (without any, one kingdom a line is read from standard input)",
    )
    parser.add_argument("--size", type=int, choices=SIZES, help="side of a full kingdom (default: by its width)")
    parser.add_argument("--middle-kingdom", action="store_true", help="play with Middle Kingdom (+10)")
    parser.add_argument("--harmony", action="store_true", help="play with Harmony (+5)")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    return parser


def _reconfigure(stream: TextIO, **settings: str) -> None:
    """Set up a stream that can be set up; what tests put in its place often cannot."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure:
        reconfigure(**settings)


def _run(options: argparse.Namespace) -> int:
    colour = wants_colour(sys.stdout)
    failed = False
    for number, text in enumerate(_texts(options.notation), start=1):
        try:
            kingdom = Kingdom.from_notation(text)
        except KingdominoError as error:
            failed = True
            if options.json:
                _print_json(error_as_json(text, str(error)))
            else:
                print(f"{'Kingdom' if options.notation else 'Line'} {number}: {error}", file=sys.stderr)
            continue
        rules = Rules(
            size=options.size or kingdom.default_size(),
            middle_kingdom=options.middle_kingdom,
            harmony=options.harmony,
        )
        if options.json:
            _print_json(as_json(kingdom, rules))
        else:
            _print_apart(number, as_text(kingdom, rules, colour=colour))
    return 1 if failed else 0


def _texts(given: Sequence[str]) -> Iterator[str]:
    if given:
        yield from given
        return
    if sys.stdin.isatty():
        print("Type one kingdom a line, such as wf1/Cl; Ctrl-D ends.", file=sys.stderr)
    for line in sys.stdin:
        yield line.rstrip("\r\n")


def _print_json(value: dict[str, Any]) -> None:
    # Each line goes out at once, so that a program at the other end can answer line by line.
    print(json.dumps(value), flush=True)


def _print_apart(number: int, text: str) -> None:
    print(("\n" if number > 1 else "") + text, flush=True)


def wants_colour(stream: TextIO) -> bool:
    """Whether to write in colour: to a terminal that can, unless NO_COLOR asks not to."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def as_text(kingdom: Kingdom, rules: Rules, *, colour: bool = False) -> str:
    """Return everything about a kingdom as lines for people."""
    scored = score(kingdom, rules)
    verdict = verify(kingdom, rules)
    # Squares of dominoes laid against the rules and squares left over are marked in the drawing.
    doubtful = {cell for domino in verdict.illegal for cell in domino.cells} | {*verdict.uncovered}
    lines = [kingdom.notation, "", *drawing(kingdom, doubtful, colour=colour), "", *_score_lines(scored, colour)]
    lines += ["", *_verdict_lines(kingdom, rules, verdict, bool(doubtful))]
    return "\n".join(lines)


def drawing(kingdom: Kingdom, marked: Collection[Position] = (), *, colour: bool = False) -> list[str]:
    """Return the kingdom row by row, with `!` behind the squares that are marked."""
    lines = []
    for r, row in enumerate(kingdom.rows):
        texts = (_tile(cell, (r, c) in marked, colour) for c, cell in enumerate(row))
        lines.append("  " + "".join(texts).rstrip())
    return lines


def _tile(cell: Cell, marked: bool, colour: bool) -> str:
    text = f" {cell.symbol}{'!' if marked else ''}".ljust(4)
    if not colour or cell is EMPTY:
        return text
    back, front = _TERRAIN_COLOURS[cell.terrain] if isinstance(cell, Square) else _MARK_COLOURS[cell]
    return f"\x1b[48;5;{back};38;5;{front}m{text}{_RESET}"


def _score_lines(scored: Score, colour: bool) -> Iterable[str]:
    for territory in scored.territories:
        crowns = _count(territory.crowns, "crown")
        squares = _count(territory.squares, "square")
        yield f"{territory.points:4}  {territory.terrain.value:<9}  {squares} × {crowns}"
    for bonus in (scored.middle_kingdom, scored.harmony):
        yield _bonus_line(bonus)
    total = f"{scored.total:4}  points"
    yield f"{_BOLD}{total}{_RESET}" if colour else total


def _bonus_line(bonus: Bonus) -> str:
    if bonus.agreed:
        return f"{bonus.points:4}  {bonus.name}: {bonus.reason}"
    return f"   -  {bonus.name} (+{bonus.worth}, not played): {bonus.reason}"


def _verdict_lines(kingdom: Kingdom, rules: Rules, verdict: Verdict, marked: bool) -> Iterable[str]:
    answers = {True: "Built by the rules.", False: "Not built by the rules.", None: "Built by the rules? Unknown."}
    yield f"{answers[verdict.legal]} {verdict.reason}"
    if marked:
        yield "The squares concerned are marked with ! in the drawing."
    for problem in problems(kingdom, rules, verdict):
        yield f"- {problem.text}{_places(problem.cells)}"


# More places than these are not spelled out; the drawing shows them.
_MOST_PLACES: Final = 6


def _places(cells: Sequence[Position]) -> str:
    if not 0 < len(cells) <= _MOST_PLACES:
        return ""
    return " Row, column: " + "; ".join(f"{r + 1}, {c + 1}" for r, c in cells) + "."


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
