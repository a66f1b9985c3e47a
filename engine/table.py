"""The course of a game as one table that changes in place: the only place where turns are taken.

Nothing here checks whether a move is legal, and nothing here is shown to anyone: `engine.game` puts the
immutable `Game` around one that no longer changes, refuses illegal actions and plays random games on it.
"""

from __future__ import annotations

from typing import Final

from engine.board import Board
from engine.dominoes import DOMINOES
from engine.setup import Setup

#: A domino's number and the player whose king stands on it; number 0 before the first choice.
Claim = tuple[int, int]
#: Where a domino may lie (see `Board.placements`).
Masks = tuple[int, int, int, int]
#: What was done: a number chosen, a number placed with the bits of its halves, a negative number discarded.
Move = int | tuple[int, int, int]
#: All moves so far as a chain from the last to the first, so that a game shares its past with its successors.
Log = tuple["Log", Move] | None

_LONE_CASTLE: Final = Board()


class Table:
    """The state of a game in progress."""

    __slots__ = ("boards", "free", "log", "picks", "placing", "queue", "round", "setup")

    def __init__(
        self,
        setup: Setup,
        boards: list[Board],
        round_: int,
        queue: list[Claim],
        placing: bool,
        free: list[int],
        picks: list[Claim],
        log: Log,
    ) -> None:
        self.setup = setup
        self.boards = boards
        #: The line that is being placed, counted from 1; 0 while the first line is chosen from.
        self.round = round_
        #: The kings still to act in this round, the acting one first.
        self.queue = queue
        #: Whether the acting king has a domino to place; otherwise it chooses.
        self.placing = placing
        #: The dominoes of the next line on which no king stands, ascending.
        self.free = free
        #: The dominoes of the next line that are taken, in the order in which they were chosen.
        self.picks = picks
        self.log = log

    @classmethod
    def laid(cls, setup: Setup) -> Table:
        """Lay out the first line; the kings choose in the order in which they were drawn."""
        boards = [_LONE_CASTLE] * len(setup.names)
        queue = [(0, player) for player in setup.kings]
        return cls(setup, boards, 0, queue, False, list(setup.lines[0]), [], None)

    def copy(self) -> Table:
        """Return a table with the same state that can go on by itself."""
        return Table(
            self.setup,
            self.boards.copy(),
            self.round,
            self.queue.copy(),
            self.placing,
            self.free.copy(),
            self.picks.copy(),
            self.log,
        )

    def _state(self) -> tuple[object, ...]:
        boards, queue, free, picks = tuple(self.boards), tuple(self.queue), tuple(self.free), tuple(self.picks)
        return self.setup, boards, self.round, queue, self.placing, free, picks, self.log

    def __eq__(self, other: object) -> bool:
        return self._state() == other._state() if isinstance(other, Table) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._state())

    def placements(self) -> Masks:
        """Return where the domino of the acting king may lie."""
        number, player = self.queue[0]
        return self.boards[player].placements(DOMINOES[number - 1], self.setup.rules.size)

    def play(self, move: Move) -> None:
        """Do what a legal move says."""
        if isinstance(move, tuple):
            self.place(move[1], move[2])
        elif move > 0:
            self.choose(move)
        else:
            self.discard()

    def choose(self, number: int) -> None:
        """Set the acting king on a domino of the next line."""
        self.free.remove(number)
        self.picks.append((number, self.queue[0][1]))
        self.log = (self.log, number)
        self._pass_on()

    def place(self, bit_a: int, bit_b: int) -> None:
        """Lay the domino of the acting king."""
        number, player = self.queue[0]
        self.boards[player] = self.boards[player].with_domino(DOMINOES[number - 1], bit_a, bit_b)
        self.log = (self.log, (number, bit_a, bit_b))
        self._placed()

    def discard(self) -> None:
        """Put the domino of the acting king away."""
        self.log = (self.log, -self.queue[0][0])
        self._placed()

    def _placed(self) -> None:
        """Let the king go on to choose; in the last round there is nothing to choose from."""
        if self.round < len(self.setup.lines):
            self.placing = False
        else:
            self._pass_on()

    def _pass_on(self) -> None:
        """Let the next king act; after the last one the next line becomes the one to place."""
        del self.queue[0]
        lines = self.setup.lines
        if not self.queue and self.round < len(lines):
            # Kings act in the order of their dominoes. A domino without a king drops out here.
            self.queue = sorted(self.picks)
            self.picks = []
            self.round += 1
            self.free = list(lines[self.round]) if self.round < len(lines) else []
        self.placing = self.round > 0


def moves(log: Log) -> list[Move]:
    """Return the moves of a log, the first one first."""
    found = []
    while log is not None:
        log, move = log
        found.append(move)
    found.reverse()
    return found
