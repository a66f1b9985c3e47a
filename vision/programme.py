"""The integer programme: the most probable kingdoms that one box can build, found directly.

Every way to put a domino on two neighbouring squares is a variable, and so are the castle and the bare table on
each square. Every square is covered once, every board has one castle, no face is used more often than the box has
it. Trying readings one by one (``vision.readings``) is faster for nearly every photo; this takes over when too
many would have to be tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.readings import BOX, CASTLE_CLASS, EMPTY_CLASS, TERRAINS, Board, Codes, Stock

# HiGHS' code for "time limit reached".
_OUT_OF_TIME = 1


@dataclass(frozen=True)
class Solution:
    """The readings of all boards, or None when there is no such kingdom; ``certain`` unless time ran out.

    ``dominoes`` are the two classes of every domino of the cutting, board by board.
    """

    readings: tuple[Codes, ...] | None
    certain: bool
    dominoes: tuple[tuple[tuple[int, int], ...], ...] = ()


@dataclass
class _Rows:
    """Constraints in the making: entries of a sparse matrix, and the bounds of its rows."""

    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    lower: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)

    def add(self, entries: Sequence[tuple[int, float]], lower: float, upper: float) -> None:
        for column, value in entries:
            self.row.append(len(self.lower))
            self.column.append(column)
            self.value.append(value)
        self.lower.append(lower)
        self.upper.append(upper)


class Programme:
    """The programme of one or more boards that share a box; readings can be forbidden one after the other."""

    def __init__(self, boards: Sequence[Board], sizes: Sequence[int], stock: Stock = BOX) -> None:
        self._boards = boards
        self._prices: list[float] = []
        # For each variable what it says: (board, square, class) once or, for a domino, twice.
        self._says: list[tuple[tuple[int, int, int], ...]] = []
        self._rows = _Rows()
        self._faces: dict[tuple[int, int], list[int]] = {}
        for number, (board, size) in enumerate(zip(boards, sizes, strict=True)):
            self._add_board(number, board, size)
        for (a, b), variables in self._faces.items():
            if len(variables) > stock[a][b]:
                self._rows.add([(variable, 1.0) for variable in variables], 0, stock[a][b])

    def forbid(self, readings: Sequence[Codes]) -> None:
        """Ask for something that differs from these readings in at least one square."""
        entries = []
        for variable, said in enumerate(self._says):
            same = sum(readings[board][square] == code for board, square, code in said)
            if same:
                entries.append((variable, float(same)))
        total = sum(len(board.options) for board in self._boards)
        self._rows.add(entries, 0, total - 1)

    def solve(self, seconds: float) -> Solution:
        """The most probable readings that are allowed."""
        # Imported here because it takes as long to load as all the rest together and is seldom needed.
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        rows = self._rows
        matrix = csr_array((rows.value, (rows.row, rows.column)), shape=(len(rows.lower), len(self._prices)))
        result = milp(
            np.array(self._prices),
            integrality=np.ones(len(self._prices)),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(matrix, rows.lower, rows.upper),
            options={"time_limit": max(seconds, 0.01), "mip_rel_gap": 0.0},
        )
        certain = result.status != _OUT_OF_TIME
        if result.x is None:
            return Solution(None, certain)
        readings = tuple([EMPTY_CLASS] * len(board.options) for board in self._boards)
        dominoes: list[list[tuple[int, int]]] = [[] for _ in self._boards]
        for variable in np.flatnonzero(result.x > 0.5):
            said = self._says[variable]
            for number, square, code in said:
                readings[number][square] = code
            if len(said) > 1:
                dominoes[said[0][0]].append((said[0][2], said[1][2]))
        return Solution(readings, certain, tuple(tuple(pairs) for pairs in dominoes))

    def _variable(self, price: float, *says: tuple[int, int, int]) -> int:
        self._prices.append(price)
        self._says.append(says)
        return len(self._prices) - 1

    def _add_board(self, number: int, board: Board, size: int) -> None:
        prices = [{code: options[0][1] - value for code, value in options} for options in board.options]
        covers: list[list[int]] = [[] for _ in prices]
        castles, empties = [], {}
        for square, classes in enumerate(prices):
            for code in (CASTLE_CLASS, EMPTY_CLASS):
                if code in classes:
                    variable = self._variable(classes[code], (number, square, code))
                    covers[square].append(variable)
                    if code == CASTLE_CLASS:
                        castles.append(variable)
                    else:
                        empties[square] = variable
        for square, others in enumerate(board.neighbours()):
            for other in others:
                if other > square:
                    self._add_edge(number, square, other, prices, covers)
        for variables in covers:
            self._rows.add([(variable, 1.0) for variable in variables], 1, 1)
        self._rows.add([(variable, 1.0) for variable in castles], 1, 1)
        for side, across in ((board.height, True), (board.width, False)):
            if side > size:
                self._add_frame(board, size, side, across, empties)

    def _add_edge(
        self, number: int, square: int, other: int, prices: list[dict[int, float]], covers: list[list[int]]
    ) -> None:
        for a, price in prices[square].items():
            if a >= TERRAINS:
                continue
            for b, further in prices[other].items():
                if b < TERRAINS and BOX[a][b]:
                    variable = self._variable(price + further, (number, square, a), (number, other, b))
                    covers[square].append(variable)
                    covers[other].append(variable)
                    self._faces.setdefault((min(a, b), max(a, b)), []).append(variable)

    def _add_frame(self, board: Board, size: int, side: int, across: bool, empties: dict[int, int]) -> None:
        """Choose one window of rows (or columns); outside it everything is bare table."""
        windows = [self._variable(0.0) for _ in range(side - size + 1)]
        self._rows.add([(window, 1.0) for window in windows], 1, 1)
        for square in range(len(board.options)):
            line = board.position(square)[0 if across else 1]
            inside = [(window, 1.0) for start, window in enumerate(windows) if start <= line < start + size]
            if len(inside) < len(windows):
                empty = [(empties[square], 1.0)] if square in empties else []
                self._rows.add([*empty, *inside], 1, np.inf)
