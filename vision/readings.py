"""Readings of a lattice: one class for each square, in decreasing probability, and whether the box can build them.

A reading gives every square of one lattice one of its plausible classes, with exactly one castle. They are
generated lazily, best first. What is done with them is decided by ``vision.decode``; where very many would have
to be tried, ``vision.programme`` finds the best one directly. Connections between dominoes play no part here:
players break the rules, and a photo must be able to show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import CASTLE, DOMINOES, EMPTY, SQUARE_COUNTS, SQUARES, Cell, Kingdom, KingdominoError, Position

# Classes are numbered as the columns of a probability array: the squares of the box, the castle, bare table.
CELLS_OF_CLASSES: tuple[Cell, ...] = (*SQUARES, CASTLE, EMPTY)
TERRAINS = len(SQUARES)
CASTLE_CLASS, EMPTY_CLASS = TERRAINS, TERRAINS + 1
CLASS_COUNT = TERRAINS + 2

Codes = list[int]
# How many dominoes there are, by the classes of their two halves.
Stock = Sequence[Sequence[int]]


class DecodeError(KingdominoError):
    """Probabilities that describe no lattice."""


def _box() -> tuple[tuple[int, ...], ...]:
    index = {square: number for number, square in enumerate(SQUARES)}
    table = [[0] * CLASS_COUNT for _ in range(CLASS_COUNT)]
    for domino in DOMINOES:
        a, b = index[domino.a], index[domino.b]
        table[a][b] += 1
        if a != b:
            table[b][a] += 1
    return tuple(tuple(row) for row in table)


# How many dominoes of the box have these two classes as halves; 0 also for castle and table.
BOX = _box()
# How many squares of each class the box has.
SQUARES_IN_BOX = tuple(SQUARE_COUNTS[square] for square in SQUARES)


@dataclass(frozen=True, slots=True)
class Board:
    """One lattice: for each square, row by row, its plausible classes with the log of their probability, best first."""

    height: int
    width: int
    options: tuple[tuple[tuple[int, float], ...], ...]

    @classmethod
    def from_probabilities(cls, probabilities: npt.NDArray[np.floating[Any]], plausible: float) -> Board:
        """Keep the classes of each square that are at least ``plausible``; the best class always stays."""
        array = np.asarray(probabilities, np.float64)
        if array.ndim != 3 or array.shape[2] != CLASS_COUNT or 0 in array.shape:
            raise DecodeError(f"Expected probabilities of shape (rows, columns, {CLASS_COUNT}), got {array.shape}.")
        if not np.isfinite(array).all() or (array < 0).any() or not (array.sum(axis=2) > 0).all():
            raise DecodeError("Expected probabilities of at least 0 with a sum above 0 for every square.")
        height, width = array.shape[:2]
        flat = array.reshape(-1, CLASS_COUNT)
        flat = flat / flat.sum(axis=1, keepdims=True)
        options = []
        for row, order in zip(flat, np.argsort(-flat, axis=1, kind="stable"), strict=True):
            options.append(
                tuple(
                    (int(k), log(float(row[k]))) for place, k in enumerate(order) if place == 0 or row[k] >= plausible
                )
            )
        return cls(height, width, tuple(options))

    def position(self, index: int) -> Position:
        """The row and column of a square."""
        return divmod(index, self.width)

    def plain(self) -> Codes:
        """The most likely class of each square by itself."""
        return [options[0][0] for options in self.options]

    @property
    def plain_value(self) -> float:
        """The log probability of the plain reading."""
        return sum(options[0][1] for options in self.options)

    def looks(self) -> list[float]:
        """The log probability of what each square looks like, with one castle at most.

        No kingdom has two castles, so where several squares look like one, all but the likeliest are taken for the
        next best thing they look like, if there is any.
        """
        best = [options[0][1] for options in self.options]
        castles = {
            index: options[1][1]
            for index, options in enumerate(self.options)
            if options[0][0] == CASTLE_CLASS and len(options) > 1
        }
        sure = any(options[0][0] == CASTLE_CLASS and len(options) == 1 for options in self.options)
        if castles and not sure:
            del castles[max(castles, key=lambda index: best[index] - castles[index])]
        for index, likely in castles.items():
            best[index] = likely
        return best

    def narrowed(self, reach: float) -> Board:
        """The board without the classes whose log probability is more than ``reach`` below the best."""
        options = tuple(
            tuple(option for option in options if options[0][1] - option[1] <= reach) for options in self.options
        )
        return Board(self.height, self.width, options)

    def log_probability(self, codes: Sequence[int]) -> float:
        """The log of the probability of a reading; minus infinity when it takes an implausible class."""
        total = 0.0
        for options, code in zip(self.options, codes, strict=True):
            total += next((value for k, value in options if k == code), float("-inf"))
        return total

    def kingdom(self, codes: Sequence[int]) -> Kingdom:
        """A reading as a kingdom on the whole lattice."""
        cells = [CELLS_OF_CLASSES[code] for code in codes]
        return Kingdom(tuple(tuple(cells[start : start + self.width]) for start in range(0, len(cells), self.width)))

    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each square the squares that share an edge with it."""
        found = []
        for index in range(self.height * self.width):
            r, c = divmod(index, self.width)
            beside = [(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)]
            found.append(tuple(y * self.width + x for y, x in beside if 0 <= y < self.height and 0 <= x < self.width))
        return tuple(found)


def fits(board: Board, codes: Sequence[int], size: int) -> bool:
    """Whether everything that lies on the table fits a frame of this size."""
    if board.height <= size and board.width <= size:
        return True
    width = board.width
    taken = [index for index, code in enumerate(codes) if code != EMPTY_CLASS]
    if not taken:
        return True
    columns = [index % width for index in taken]
    return taken[-1] // width - taken[0] // width < size and max(columns) - min(columns) < size


def is_alone(codes: Sequence[int], index: int, beside: Sequence[Sequence[int]]) -> bool:
    """Whether a terrain square forms no domino of the box with any neighbour."""
    code = codes[index]
    if code >= TERRAINS:
        return False
    box = BOX[code]
    return not any(box[codes[other]] for other in beside[index])


def cuttable(board: Board, codes: Sequence[int], stock: Stock = BOX) -> bool:
    """Whether the terrain squares of a reading can be cut into dominoes of the box, or of what is left of it."""
    width, count = board.width, len(codes)
    last_row = count - width
    right: list[tuple[int, int] | None] = [None] * count
    down: list[tuple[int, int] | None] = [None] * count
    wanted: dict[tuple[int, int], int] = {}
    for i, code in enumerate(codes):
        if code >= TERRAINS:
            continue
        box = stock[code]
        if (i + 1) % width and box[codes[i + 1]]:
            other = codes[i + 1]
            right[i] = face = (code, other) if code <= other else (other, code)
            wanted[face] = wanted.get(face, 0) + 1
        if i < last_row and box[codes[i + width]]:
            other = codes[i + width]
            down[i] = face = (code, other) if code <= other else (other, code)
            wanted[face] = wanted.get(face, 0) + 1
    # Only faces that could run out are counted, four bits each.
    scarce = sorted(face for face, number in wanted.items() if number > stock[face[0]][face[1]])
    places = {face: 4 * place for place, face in enumerate(scarce)}
    limits = {face: stock[face[0]][face[1]] for face in scarce}
    failed: set[tuple[int, int, int]] = set()
    below = 1 << width

    def search(i: int, taken: int, used: int) -> bool:
        while True:
            if i == count:
                return True
            if codes[i] < TERRAINS and not taken & 1:
                break
            taken >>= 1
            i += 1
        key = (i, taken, used)
        if key in failed:
            return False
        for face, bit in ((right[i], 2), (down[i], below)):
            if face is None or taken & bit:
                continue
            place = places.get(face)
            if place is None:
                if search(i + 1, (taken | bit) >> 1, used):
                    return True
            elif (used >> place & 15) < limits[face] and search(i + 1, (taken | bit) >> 1, used + (1 << place)):
                return True
        failed.add(key)
        return False

    return search(0, 0, 0)


class Ranked:
    """All readings of a board with one castle, in decreasing probability, with quick refusals of hopeless ones.

    The quick tests are necessary for a cutting, not sufficient; ``cuttable`` decides.
    """

    def __init__(self, board: Board, size: int) -> None:
        self.board = board
        self.size = size
        self._beside = board.neighbours()

    def candidates(self) -> Iterator[tuple[float, Codes | None]]:
        """Yield log probability and reading, best first; None stands for a reading that was refused quickly."""
        heap = []
        for place in range(len(self.board.options)):
            stream = self._stream(place)
            if stream is not None:
                heap.append((-stream.best, place, stream))
        heapify(heap)
        while heap:
            _, castle, stream = heappop(heap)
            result = stream.pop()
            if not stream.finished:
                heappush(heap, (-stream.best, castle, stream))
            yield result

    def _stream(self, castle: int) -> _Stream | None:
        """The readings with the castle on one square, or None where that is not plausible."""
        options = self.board.options
        value = next((value for code, value in options[castle] if code == CASTLE_CLASS), None)
        if value is None:
            return None
        total = value
        base: Codes = []
        choices: list[tuple[int, list[tuple[float, int]]]] = []
        for index, square in enumerate(options):
            if index == castle:
                base.append(CASTLE_CLASS)
                continue
            others = [(code, likely) for code, likely in square if code != CASTLE_CLASS]
            if not others:
                return None
            base.append(others[0][0])
            total += others[0][1]
            if len(others) > 1:
                choices.append((index, [(others[0][1] - likely, code) for code, likely in others]))
        return _Stream(self.board, self.size, self._beside, base, total, choices)


class _Stream:
    """The readings with the castle on one square, best first.

    A node of the search is a set of changed squares. Sorted by the price of its first change, each square's
    list of prices is gone through so that every set appears once and never before a cheaper one.
    """

    def __init__(
        self,
        board: Board,
        size: int,
        beside: tuple[tuple[int, ...], ...],
        base: Codes,
        total: float,
        choices: list[tuple[int, list[tuple[float, int]]]],
    ) -> None:
        self._board, self._size, self._beside = board, size, beside
        self._base, self._total = base, total
        choices.sort(key=lambda choice: (choice[1][1][0], choice[0]))
        self._choices = choices
        self._steps = [entry[1][1][0] - before[1][1][0] for before, entry in pairwise(choices)]
        # Price, then (place in choices, rank) of every change, the last one being the one to go on from.
        self._heap: list[tuple[float, tuple[tuple[int, int], ...]]] = [(0.0, ())]
        self._balance = sum(self._colour(index) for index, code in enumerate(base) if code < TERRAINS)
        self._lonely = frozenset(index for index in range(len(base)) if is_alone(base, index, beside))

    @property
    def finished(self) -> bool:
        """Whether there is no further reading."""
        return not self._heap

    @property
    def best(self) -> float:
        """The log probability of the reading that comes next."""
        return self._total - self._heap[0][0]

    def pop(self) -> tuple[float, Codes | None]:
        """Take the next reading; None in place of it when it is hopeless."""
        price, changes = heappop(self._heap)
        self._push_children(price, changes)
        return self._total - price, self._reading(changes)

    def _push_children(self, price: float, changes: tuple[tuple[int, int], ...]) -> None:
        choices, heap = self._choices, self._heap
        if not changes:
            if choices:
                heappush(heap, (choices[0][1][1][0], ((0, 1),)))
            return
        place, rank = changes[-1]
        prices = choices[place][1]
        if rank + 1 < len(prices):
            step = prices[rank + 1][0] - prices[rank][0]
            heappush(heap, (price + step, (*changes[:-1], (place, rank + 1))))
        if place + 1 < len(choices):
            following = (place + 1, 1)
            heappush(heap, (price + choices[place + 1][1][1][0], (*changes, following)))
            if rank == 1:
                heappush(heap, (price + self._steps[place], (*changes[:-1], following)))

    def _reading(self, changes: tuple[tuple[int, int], ...]) -> Codes | None:
        base, choices = self._base, self._choices
        balance = self._balance
        if not changes:
            return None if balance or self._lonely or not self._in_stock(base) else self._framed(list(base))
        touched = set()
        codes = list(base)
        for place, rank in changes:
            index, prices = choices[place]
            code = prices[rank][1]
            balance += self._colour(index) * ((code < TERRAINS) - (base[index] < TERRAINS))
            codes[index] = code
            touched.add(index)
            touched.update(self._beside[index])
        # Dominoes cover as many squares of either colour of a chessboard.
        if balance or not self._lonely <= touched:
            return None
        if any(is_alone(codes, index, self._beside) for index in touched) or not self._in_stock(codes):
            return None
        return self._framed(codes)

    def _framed(self, codes: Codes) -> Codes | None:
        return codes if fits(self._board, codes, self._size) else None

    def _colour(self, index: int) -> int:
        row, column = divmod(index, self._board.width)
        return 1 if (row + column) % 2 else -1

    def _in_stock(self, codes: Codes) -> bool:
        """Whether the box has as many squares of every class."""
        counts = [0] * CLASS_COUNT
        for code in codes:
            counts[code] += 1
        return all(count <= limit for count, limit in zip(counts, SQUARES_IN_BOX, strict=False))
