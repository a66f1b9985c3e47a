"""The legal actions of a game, listed only when asked for, and the test whether an action is one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, overload

from engine.actions import Action, Choose, Discard, Place
from engine.board import OFFSETS, STRIDE, bit_of
from engine.dominoes import DOMINOES
from engine.table import Masks, Move, Table

# How far half of the four kinds of `Board.placements` lies from the other one.
_STEPS: Final = (1, 1, STRIDE, STRIDE)


class LegalActions(Sequence[Action]):
    """All actions the acting king may take: iterable, countable, indexable, testable with `in`.

    A domino that can be placed must be placed, so a discard is legal only where no placement is. A domino
    with equal halves is listed one way round; the other way is the same placement and is legal too.
    """

    __slots__ = ("_free", "_masks", "_number")

    def __init__(self, table: Table) -> None:
        placing = bool(table.queue) and table.placing
        self._number = table.queue[0][0] if placing else 0
        self._masks: Masks = table.placements() if placing else (0, 0, 0, 0)
        self._free: tuple[int, ...] = () if placing or not table.queue else tuple(table.free)

    def __len__(self) -> int:
        if self._number:
            return count_placements(self._masks) or 1
        return len(self._free)

    def __iter__(self) -> Iterator[Action]:
        if self._number:
            if any(self._masks):
                yield from self._places()
            else:
                yield Discard(self._number)
        else:
            yield from map(Choose, self._free)

    def _places(self) -> Iterator[Action]:
        for kind, mask in enumerate(self._masks):
            while mask:
                yield _place(self._number, *_bits_of(kind, mask))
                mask &= mask - 1

    @overload
    def __getitem__(self, index: int) -> Action: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...

    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        if isinstance(index, slice):
            return tuple(self)[index]
        if not self._number:
            return Choose(self._free[index])
        at = range(len(self))[index]
        if any(self._masks):
            return _place(self._number, *placement_at(self._masks, at))
        return Discard(self._number)

    def __contains__(self, action: object) -> bool:
        return self.move(action) is not None

    def __repr__(self) -> str:
        return f"<{shortened(self)}>"

    def move(self, action: object) -> Move | None:
        """Return what an action comes to on the table; None if it is not legal, or no action at all."""
        if not isinstance(action, Choose | Place | Discard) or type(action.domino) is not int:
            return None
        if isinstance(action, Choose):
            return action.domino if action.domino in self._free else None
        if action.domino != self._number or not self._number:
            return None
        if isinstance(action, Discard):
            return None if any(self._masks) else -self._number
        halves = cell_bits(action.cells)
        if halves is None:
            return None
        a, b = halves
        domino = DOMINOES[self._number - 1]
        if b < a and domino.a == domino.b:
            a, b = b, a
        step = abs(a - b)
        if step not in _STEPS:
            return None
        kind = _STEPS.index(step) + (b < a)
        return (self._number, a, b) if self._masks[kind] >> min(a, b) & 1 else None


def count_placements(masks: Masks) -> int:
    """Return how many placements the four masks hold."""
    a, b, c, d = masks
    return a.bit_count() + b.bit_count() + c.bit_count() + d.bit_count()


def placement_at(masks: Masks, index: int) -> tuple[int, int]:
    """Return the bits of the halves a and b of the placement with this index; there must be one."""
    kind = 0
    while index >= (count := masks[kind].bit_count()):
        index -= count
        kind += 1
    mask = masks[kind]
    for _ in range(index):
        mask &= mask - 1
    return _bits_of(kind, mask)


def _bits_of(kind: int, mask: int) -> tuple[int, int]:
    """Return the bits of the halves a and b for the lowest bit of a mask of the four kinds."""
    first = (mask & -mask).bit_length() - 1
    second = first + _STEPS[kind]
    # Every other kind has half b above or to the left.
    return (second, first) if kind & 1 else (first, second)


def _place(number: int, a: int, b: int) -> Place:
    return Place(number, (OFFSETS[a], OFFSETS[b]))


def action_of(move: Move) -> Action:
    """Return the action that a move was."""
    if isinstance(move, tuple):
        return _place(*move)
    return Choose(move) if move > 0 else Discard(-move)


def cell_bits(cells: object) -> tuple[int, int] | None:
    """Return the bits of two cells seen from the castle; None if they are no cells a kingdom can reach."""
    if not isinstance(cells, tuple) or len(cells) != 2:
        return None
    for cell in cells:
        if not isinstance(cell, tuple) or len(cell) != 2 or not type(cell[0]) is type(cell[1]) is int:
            return None
    a, b = bit_of(cells[0]), bit_of(cells[1])
    return None if a is None or b is None else (a, b)


def shortened(actions: LegalActions, most: int = 4) -> str:
    """Return how many actions there are, and the first of them."""
    count = len(actions)
    if not count:
        return "no legal action"
    listed = ", ".join(repr(actions[index]) for index in range(min(count, most)))
    more = f" and {count - most} more" if count > most else ""
    return f"{count} legal action{'s' if count > 1 else ''}: {listed}{more}"
