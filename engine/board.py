"""A kingdom as bit masks around its castle: the fast form behind placements and play.

Bit `16·row + column` stands for a square, the castle at row 7, column 7; a legal kingdom reaches at
most six squares from its castle, so the outermost rows and columns stay free and shifts never wrap.
What a kingdom means to people lives in `kingdom`; nothing here is shown to anyone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.dominoes import Domino
from engine.kingdom import Kingdom, Position
from engine.squares import CASTLE, CELLS, EMPTY, Cell, Terrain

STRIDE: Final = 16
CENTRE: Final = 7
HOME: Final = 1 << (STRIDE * CENTRE + CENTRE)
_SIDE: Final = 2 * CENTRE + 1

#: Where each bit lies as seen from the castle.
OFFSETS: Final[tuple[Position, ...]] = tuple(
    (bit // STRIDE - CENTRE, bit % STRIDE - CENTRE) for bit in range(STRIDE * _SIDE)
)
# All squares of the rows `first` to `last`, and of the columns: _ROWS[first][last], _COLUMNS[first][last].
_ROWS: Final = tuple(
    tuple(sum(((1 << _SIDE) - 1) << (STRIDE * r) for r in range(first, last + 1)) for last in range(_SIDE))
    for first in range(_SIDE)
)
_COLUMNS: Final = tuple(
    tuple(
        sum(((1 << (last - first + 1)) - 1) << (STRIDE * r + first) for r in range(_SIDE)) if last >= first else 0
        for last in range(_SIDE)
    )
    for first in range(_SIDE)
)
_ROW_BITS: Final = (1 << STRIDE) - 1
_CASTLE: Final = bytes([CASTLE.code])
# What fills up a row of so many squares to the stride, and tables from the code of a cell to a binary digit:
# whether it is covered, and for each terrain whether a half of that terrain may touch it.
_FILLERS: Final = tuple(bytes([EMPTY.code]) * (STRIDE - width) for width in range(STRIDE))
_OCCUPIED: Final = b"".join(b"0" if code == EMPTY.code else b"1" for code in range(256))
_CONNECTING: Final = tuple(
    b"".join(b"1" if code == CASTLE.code or code >> 2 == terrain.index else b"0" for code in range(256))
    for terrain in Terrain
)

#: Placements as four masks of the upper or left square (see `Board.placements`).
Masks = tuple[int, int, int, int]


def bits(mask: int) -> Iterator[int]:
    """Go through the indices of the set bits, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def bit_of(offset: Position) -> int | None:
    """Return the index of a square given as seen from the castle; None where no kingdom can reach."""
    row, column = offset[0] + CENTRE, offset[1] + CENTRE
    if 0 <= row < _SIDE and 0 <= column < _SIDE:
        return STRIDE * row + column
    return None


@dataclass(frozen=True, slots=True)
class Board:
    """Masks of one kingdom: all that is occupied, each terrain, and the crowns as two binary digits."""

    occupied: int = HOME
    terrains: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)
    ones: int = 0
    twos: int = 0

    def placements(self, domino: Domino, size: int) -> Masks:
        """Return the legal placements of a domino as four masks of its upper or left square.

        Half a left of half b, b left of a, a above b, b above a. A domino with equal halves has only the
        first and the third, because turning it changes nothing.
        """
        a, b = domino.a.code, domino.b.code
        touched_by_a = self.terrains[a >> 2] | HOME
        return _placements(self.occupied, touched_by_a, None if a == b else self.terrains[b >> 2] | HOME, size)

    def with_domino(self, domino: Domino, bit_a: int, bit_b: int) -> Board:
        """Return the board with the halves of a domino on two squares, whether or not that is legal."""
        a, b = 1 << bit_a, 1 << bit_b
        code_a, code_b = domino.a.code, domino.b.code
        terrains = list(self.terrains)
        terrains[code_a >> 2] |= a
        terrains[code_b >> 2] |= b
        ones, twos = self.ones, self.twos
        if code_a & 3:
            ones, twos = ones | (a if code_a & 1 else 0), twos | (a if code_a & 2 else 0)
        if code_b & 3:
            ones, twos = ones | (b if code_b & 1 else 0), twos | (b if code_b & 2 else 0)
        return Board(self.occupied | a | b, tuple(terrains), ones, twos)  # type: ignore[arg-type]

    def kingdom(self) -> Kingdom:
        """Return the trimmed kingdom."""
        top, left, bottom, right = extent(self.occupied)
        rows: list[list[Cell]] = [[EMPTY] * (right - left + 1) for _ in range(top, bottom + 1)]
        for index, mask in enumerate(self.terrains):
            for bit in bits(mask):
                crowns = (self.ones >> bit & 1) + 2 * (self.twos >> bit & 1)
                rows[bit // STRIDE - top][bit % STRIDE - left] = CELLS[4 * index + crowns]
        rows[CENTRE - top][CENTRE - left] = CASTLE
        return Kingdom(tuple(tuple(row) for row in rows))


def placements_in(kingdom: Kingdom, domino: Domino, size: int) -> tuple[Position, Masks] | None:
    """Return where the castle lies and the legal placements of a domino; None without exactly one castle."""
    rows, top, left = kingdom.rows, 0, 0
    if len(rows) > size or len(rows[0]) > size:
        castle, box = kingdom.castle, kingdom.bounding_box
        if castle is None or box is None:
            return None
        top, left, bottom, right = box
        if bottom - top >= size or right - left >= size:
            return castle, (0, 0, 0, 0)
        rows = tuple(row[left : right + 1] for row in rows[top : bottom + 1])
    # One byte a square, each row filled up to the stride, then one binary digit a square for each question.
    codes = _FILLERS[len(rows[0])].join([bytes([cell.code for cell in row]) for row in rows])
    if codes.count(_CASTLE) != 1:
        return None
    home = codes.find(_CASTLE)
    shift = STRIDE * CENTRE + CENTRE - home
    codes = codes[::-1]
    a, b = domino.a.code, domino.b.code
    occupied = int(codes.translate(_OCCUPIED), 2) << shift
    touched_by_a = int(codes.translate(_CONNECTING[a >> 2]), 2) << shift
    touched_by_b = None if a == b else int(codes.translate(_CONNECTING[b >> 2]), 2) << shift
    return (top + home // STRIDE, left + home % STRIDE), _placements(occupied, touched_by_a, touched_by_b, size)


def _placements(occupied: int, a: int, b: int | None, size: int) -> Masks:
    """Return the four masks of placements, given what the halves a and b may touch; no b: equal halves."""
    free = _window(occupied, size) & ~occupied
    near_a = a << 1 | a >> 1 | a << STRIDE | a >> STRIDE
    across = free & free >> 1
    down = free & free >> STRIDE
    if b is None:
        return across & (near_a | near_a >> 1), 0, down & (near_a | near_a >> STRIDE), 0
    near_b = b << 1 | b >> 1 | b << STRIDE | b >> STRIDE
    return (
        across & (near_a | near_b >> 1),
        across & (near_b | near_a >> 1),
        down & (near_a | near_b >> STRIDE),
        down & (near_b | near_a >> STRIDE),
    )


def extent(occupied: int) -> tuple[int, int, int, int]:
    """Return top, left, bottom and right (inclusive) of a mask that is not empty."""
    top = (occupied & -occupied).bit_length() - 1 >> 4
    bottom = occupied.bit_length() - 1 >> 4
    # Fold all rows into one to see which columns are used.
    folded = occupied | occupied >> STRIDE * 8
    folded |= folded >> STRIDE * 4
    folded |= folded >> STRIDE * 2
    folded = (folded | folded >> STRIDE) & _ROW_BITS
    return top, (folded & -folded).bit_length() - 1, bottom, folded.bit_length() - 1


def _window(occupied: int, size: int) -> int:
    """Return the squares that can be covered with the bounding box still fitting size×size."""
    top, left, bottom, right = extent(occupied)
    if bottom - top >= size or right - left >= size:
        return 0
    return _ROWS[bottom - size + 1][top + size - 1] & _COLUMNS[right - size + 1][left + size - 1]
