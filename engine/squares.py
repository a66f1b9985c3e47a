"""What a single square of a kingdom can show: terrains, crowns, castle, empty, unread."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from engine.errors import NotationError

MAX_CROWNS: Final = 3


class Terrain(Enum):
    """The six terrains, in the order used wherever terrains are listed."""

    WHEAT = "wheat"
    FOREST = "forest"
    LAKE = "lake"
    GRASSLAND = "grassland"
    SWAMP = "swamp"
    MINE = "mine"

    letter: str
    index: int

    def __init__(self, word: str) -> None:
        self.letter = word[0]
        self.index = len(self.__class__.__members__)

    def __repr__(self) -> str:
        return f"Terrain.{self.name}"


class Mark(Enum):
    """A square of the grid that shows no terrain."""

    CASTLE = "C"
    EMPTY = "."
    UNREAD = "?"

    symbol: str
    code: int

    def __init__(self, symbol: str) -> None:
        self.symbol = symbol
        self.code = 4 * len(Terrain) + len(self.__class__.__members__)

    def __repr__(self) -> str:
        return f"Mark.{self.name}"


CASTLE: Final = Mark.CASTLE
EMPTY: Final = Mark.EMPTY
UNREAD: Final = Mark.UNREAD


@dataclass(frozen=True, slots=True)
class Square:
    """A terrain with its crowns. Pairs that no domino has can be held too: a photo may be misread."""

    terrain: Terrain
    crowns: int = 0
    #: Four times the terrain's index plus the crowns: a small integer for fast look-ups.
    code: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.crowns <= MAX_CROWNS:
            raise NotationError(f"A square has 0 to {MAX_CROWNS} crowns, not {self.crowns}.")
        object.__setattr__(self, "code", 4 * self.terrain.index + self.crowns)

    def __hash__(self) -> int:
        return self.code

    @property
    def symbol(self) -> str:
        """The notation of the square, such as `w` or `m3`."""
        return self.terrain.letter + (str(self.crowns) if self.crowns else "")

    @property
    def exists(self) -> bool:
        """Whether some domino of the box has such a half."""
        return self in SQUARE_COUNTS

    @property
    def words(self) -> str:
        """The square in plain words, such as `swamp with 2 crowns`."""
        if not self.crowns:
            return str(self.terrain.value)
        return f"{self.terrain.value} with {self.crowns} crown{'s' if self.crowns > 1 else ''}"


Cell = Square | Mark

#: How often each terrain-crown pair occurs in the box; no other pair exists.
SQUARE_COUNTS: Final[dict[Square, int]] = {
    Square(terrain, crowns): count
    for terrain, counts in (
        (Terrain.WHEAT, (21, 5)),
        (Terrain.FOREST, (16, 6)),
        (Terrain.LAKE, (12, 6)),
        (Terrain.GRASSLAND, (10, 2, 2)),
        (Terrain.SWAMP, (6, 2, 2)),
        (Terrain.MINE, (1, 1, 3, 1)),
    )
    for crowns, count in enumerate(counts)
}

#: The sixteen squares that exist, by terrain and crowns.
SQUARES: Final[tuple[Square, ...]] = tuple(SQUARE_COUNTS)

#: Every cell by its code (see `Square.code` and `Mark.code`).
CELLS: Final[tuple[Cell, ...]] = (
    *(Square(terrain, crowns) for terrain in Terrain for crowns in range(MAX_CROWNS + 1)),
    *Mark,
)

#: Every cell by its notation.
CELL_OF_SYMBOL: Final[dict[str, Cell]] = {cell.symbol: cell for cell in CELLS}
