"""What a source of tile pictures gives to the composer. The drawn one is in `art`, the real one in `real`."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from engine import Square

from .config import CastleColour
from .texture import Picture

# Pictures of tiles are kept at these sides, in pixels a square; a scene takes the next larger one.
SIDES = (12, 16, 24, 32, 48, 64, 96, 128, 192, 256)


def side_for(pixels: float) -> int:
    """The smallest side kept that is at least so many pixels, or the largest."""
    return next((side for side in SIDES if side >= pixels), SIDES[-1])


class Tiles(Protocol):
    """The tiles dealt to one scene: pictures that share one look."""

    def domino(self, a: Square, b: Square, side: int, rng: np.random.Generator) -> Picture:
        """A domino lying across, a on the left: (side, 2 * side, 3)."""

    def square(self, square: Square, side: int, rng: np.random.Generator) -> Picture:
        """One square by itself: (side, side, 3)."""

    def castle(self, colour: CastleColour, side: int, rng: np.random.Generator) -> Picture:
        """A starting tile: (side, side, 3)."""


class TileSource(Protocol):
    """A box of tiles, from which each scene is dealt its own, and perhaps tables of its own."""

    def deal(self, rng: np.random.Generator) -> Tiles:
        """The tiles of one scene."""

    def table(self, rng: np.random.Generator) -> Picture | None:
        """A real table texture, or None where the source has none."""
