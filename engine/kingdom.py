"""A kingdom: a grid of cells, its notation, its symmetries.

Any grid up to 15×15 can be held, however many rules it breaks: a photo shows what it shows. What is
wrong with it says `status()`; scores, placements and verdicts live in modules of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.errors import NotationError, PlacementError
from engine.squares import CASTLE, CELL_OF_SYMBOL, EMPTY, UNREAD, Cell, Mark, Square

if TYPE_CHECKING:
    from engine.placement import Placement
    from engine.rules import Rules
    from engine.status import Problem

#: A square of a grid: row and column from 0.
Position = tuple[int, int]

MAX_SIDE: Final = 15
# The longest notation: 15 rows of 15 squares of two letters, and the strokes between them.
_MAX_TEXT: Final = MAX_SIDE * MAX_SIDE * 2 + MAX_SIDE - 1
_TOKEN: Final = re.compile(r"[wflgsm][1-3]?|[C.?]")
_EXPECTED: Final = "w, f, l, g, s or m (with 1 to 3 behind it for crowns), C, . or ?"


@dataclass(frozen=True, slots=True, repr=False)
class Kingdom:
    """A grid of cells as it lies on the table, row 0 on top."""

    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        if not self.rows or not self.rows[0]:
            raise NotationError("A kingdom has at least one square; this one has none.")
        width = len(self.rows[0])
        if len(self.rows) > MAX_SIDE or width > MAX_SIDE:
            raise NotationError(
                f"A kingdom of at most {MAX_SIDE}×{MAX_SIDE} squares can be held, not {len(self.rows)}×{width}."
            )
        for number, row in enumerate(self.rows, start=1):
            if len(row) != width:
                raise NotationError(
                    f"All rows must be equally long: row 1 has {width} squares, row {number} has {len(row)}."
                )

    @classmethod
    def from_notation(cls, text: str) -> Kingdom:
        """Read a kingdom from its notation, for instance `wf1/Cl`."""
        if not isinstance(text, str):
            raise NotationError(f"A kingdom is written as text, not as {type(text).__name__}.")
        if not text:
            raise NotationError("Expected a kingdom such as wf1/Cl, found nothing.")
        if len(text) > _MAX_TEXT:
            raise NotationError(
                f"Expected at most {MAX_SIDE}×{MAX_SIDE} squares, found a text of {len(text):,} letters."
            )
        lines = text.split("/")
        if len(lines) > MAX_SIDE:
            raise NotationError(f"Expected at most {MAX_SIDE} rows, found {len(lines)} in {text!r}.")
        return cls(tuple([_parse_row(line, number, text) for number, line in enumerate(lines, start=1)]))

    @classmethod
    def lone_castle(cls) -> Kingdom:
        """Return the kingdom every game starts from."""
        return cls(((CASTLE,),))

    @property
    def notation(self) -> str:
        """The one text form of the kingdom; `from_notation` reads it back."""
        return "/".join("".join([cell.symbol for cell in row]) for row in self.rows)

    def __repr__(self) -> str:
        return f"Kingdom.from_notation({self.notation!r})"

    def __str__(self) -> str:
        return "\n".join(" ".join(f"{cell.symbol:<2}" for cell in row).rstrip() for row in self.rows)

    @property
    def height(self) -> int:
        """Rows of the grid as held."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """Columns of the grid as held."""
        return len(self.rows[0])

    def cell(self, row: int, column: int) -> Cell:
        """Return what lies at a position; outside the grid there is nothing."""
        if 0 <= row < self.height and 0 <= column < self.width:
            return self.rows[row][column]
        return EMPTY

    def __iter__(self) -> Iterator[tuple[Position, Cell]]:
        """Go through all positions of the grid with their cells, row by row."""
        for r, row in enumerate(self.rows):
            for c, cell in enumerate(row):
                yield (r, c), cell

    def positions(self, mark: Mark) -> tuple[Position, ...]:
        """Return where a mark lies, row by row."""
        return tuple(position for position, cell in self if cell is mark)

    @property
    def castles(self) -> tuple[Position, ...]:
        """The positions of all castles; a proper kingdom has one."""
        return self.positions(CASTLE)

    @property
    def castle(self) -> Position | None:
        """The position of the castle if there is exactly one."""
        castles = self.castles
        return castles[0] if len(castles) == 1 else None

    @property
    def unread(self) -> tuple[Position, ...]:
        """The positions whose contents are not known."""
        return self.positions(UNREAD)

    @property
    def squares(self) -> dict[Position, Square]:
        """The squares of dominoes by position, row by row."""
        return {position: cell for position, cell in self if isinstance(cell, Square)}

    @property
    def bounding_box(self) -> tuple[int, int, int, int] | None:
        """Top, left, bottom and right (inclusive) of all that is not empty; None if nothing is there."""
        occupied = [position for position, cell in self if cell is not EMPTY]
        if not occupied:
            return None
        columns = [c for _, c in occupied]
        return occupied[0][0], min(columns), occupied[-1][0], max(columns)

    def default_size(self) -> int:
        """Return the size that is assumed where none is given: 7 if the kingdom does not fit 5×5."""
        box = self.bounding_box
        if box is None:
            return 5
        top, left, bottom, right = box
        return 7 if max(bottom - top, right - left) >= 5 else 5

    def trimmed(self) -> Kingdom:
        """Return the kingdom without empty border rows and columns; an empty one becomes a single empty square."""
        box = self.bounding_box
        if box is None:
            return Kingdom(((EMPTY,),))
        top, left, bottom, right = box
        return Kingdom(tuple(row[left : right + 1] for row in self.rows[top : bottom + 1]))

    def rotated(self, quarter_turns: int = 1) -> Kingdom:
        """Return the kingdom turned clockwise."""
        rows = self.rows
        for _ in range(quarter_turns % 4):
            rows = tuple(zip(*rows[::-1], strict=True))
        return Kingdom(rows)

    def mirrored(self) -> Kingdom:
        """Return the mirror image, left and right exchanged."""
        return Kingdom(tuple(row[::-1] for row in self.rows))

    def symmetries(self) -> tuple[Kingdom, ...]:
        """Return the four rotations, then the four rotations of the mirror image."""
        return tuple(image.rotated(turns) for image in (self, self.mirrored()) for turns in range(4))

    def same_reading(self, truth: Kingdom) -> bool:
        """Whether this shows the same kingdom as `truth`, turned in any way but not mirrored."""
        trimmed = self.trimmed()
        return any(trimmed == truth.trimmed().rotated(turns) for turns in range(4))

    def replaced(self, row: int, column: int, cell: Cell) -> Kingdom:
        """Return the kingdom with another cell at a position of the grid."""
        if not (0 <= row < self.height and 0 <= column < self.width):
            raise PlacementError(
                f"The grid has rows 0-{self.height - 1} and columns 0-{self.width - 1}; "
                f"there is no ({row}, {column}) in {self.notation}."
            )
        line = self.rows[row]
        changed = (*line[:column], cell, *line[column + 1 :])
        return Kingdom((*self.rows[:row], changed, *self.rows[row + 1 :]))

    def padded(self, top: int = 0, left: int = 0, bottom: int = 0, right: int = 0) -> Kingdom:
        """Return the kingdom with empty rows and columns added around it."""
        width = left + self.width + right
        blank = (EMPTY,) * width
        middle = tuple((EMPTY,) * left + row + (EMPTY,) * right for row in self.rows)
        return Kingdom((blank,) * top + middle + (blank,) * bottom)

    def place(self, placement: Placement) -> Kingdom:
        """Return the kingdom with a domino laid on two free squares; the grid grows as needed.

        Only free and adjacent squares are asked for here; whether the connection is legal says
        `engine.explain`, because a photographed kingdom may hold illegal placements.
        """
        from engine.placement import geometry_problem

        problem = geometry_problem(self, placement)
        if problem:
            raise PlacementError(f"{placement.domino} cannot lie at {placement.cells} in {self.notation}: {problem}")
        grown, down, right = self._grown_to(placement.cells)
        (ra, ca), (rb, cb) = placement.cells
        grown = grown.replaced(ra + down, ca + right, placement.domino.a)
        return grown.replaced(rb + down, cb + right, placement.domino.b)

    def _grown_to(self, cells: tuple[Position, Position]) -> tuple[Kingdom, int, int]:
        """Return a grid that holds these cells and how far the old positions moved in it."""
        rows = [r for r, _ in cells]
        columns = [c for _, c in cells]
        top, left = max(0, -min(rows)), max(0, -min(columns))
        bottom = max(0, max(rows) - self.height + 1)
        right = max(0, max(columns) - self.width + 1)
        return self.padded(top, left, bottom, right), top, left

    def status(self, rules: Rules | None = None) -> tuple[Problem, ...]:
        """Return every problem of the kingdom, each with its code, its cells and a sentence."""
        from engine.status import problems

        return problems(self, rules)


def _parse_row(line: str, number: int, text: str) -> tuple[Cell, ...]:
    if not line:
        raise NotationError(f"Row {number} is empty: expected {_EXPECTED} in {text!r}.")
    symbols = _TOKEN.findall(line)
    # The search passes over what is no square, which is then missing from the squares put together again.
    if "".join(symbols) != line:
        raise _unreadable(line, number, text)
    return tuple([CELL_OF_SYMBOL[symbol] for symbol in symbols])


def _unreadable(line: str, number: int, text: str) -> NotationError:
    """Return the error that names the first place of a row where no square can be read."""
    at = squares = 0
    while match := _TOKEN.match(line, at):
        at, squares = match.end(), squares + 1
    return NotationError(f"Row {number}, square {squares + 1}: expected {_EXPECTED}, found {line[at]!r} in {text!r}.")
