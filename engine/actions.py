"""What a player can do in a game: choose a domino of the next line, place one, discard one.

Actions are intents: whether the state of a game allows one says `engine.game`. Cells are seen from the
player's own castle, which is (0, 0); rows count downwards, columns to the right, so both may be negative.
A grid of a growing kingdom has no fixed corner to count from, the castle never moves.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.kingdom import Position


@dataclass(frozen=True, slots=True)
class Choose:
    """Set the king that acts on a free domino of the next line, given by its number."""

    domino: int


@dataclass(frozen=True, slots=True)
class Place:
    """Lay the domino of the king that acts: the cells of its halves a and b, seen from the castle."""

    domino: int
    cells: tuple[Position, Position]


@dataclass(frozen=True, slots=True)
class Discard:
    """Put away the domino of the king that acts because it fits nowhere."""

    domino: int


Action = Choose | Place | Discard
