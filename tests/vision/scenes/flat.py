"""A source whose every square is one flat colour, so that a test can read off a scene what lies where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine import SQUARES, Square
from vision.scenes import CastleColour, SceneConfig
from vision.scenes.texture import Picture

CASTLE_GREY = (128, 128, 128)
# Sixteen colours far apart: every channel takes few levels, and no two squares share all three.
COLOURS = {
    square: (40 + 85 * (number % 3), 40 + 60 * (number // 3 % 4), 50 + 150 * (number // 12))
    for number, square in enumerate(SQUARES)
}

# A camera that adds nothing of its own to the colours.
CLEAN = SceneConfig(
    size=(480, 480), fill=0.8, tilt=20.0, gap=0.02, crooked=0.3, castle="flat", kings_share=0.0, hand_share=0.0,
    clutter=0.0, strays=0, cut_neighbour=False, edge=False, table="plain", warmth=0.0, exposure=1.0, glare=0.0,
    shadow=0.0, blur=0.0, noise=0.0, jpeg=100, shrink_share=0.0, harshness=0.0,
)  # fmt: skip


def clean(**changes: object) -> SceneConfig:
    """The clean camera with some settings changed."""
    return replace(CLEAN, **changes)  # type: ignore[arg-type]


class FlatTiles:
    """Tiles of one colour each."""

    def deal(self, rng: np.random.Generator) -> FlatTiles:
        return self

    def table(self, rng: np.random.Generator) -> Picture | None:
        return None

    def domino(self, a: Square, b: Square, side: int, rng: np.random.Generator) -> Picture:
        return np.hstack([self.square(a, side, rng), self.square(b, side, rng)])

    def square(self, square: Square, side: int, rng: np.random.Generator) -> Picture:
        return np.full((side, side, 3), COLOURS[square], np.uint8)

    def castle(self, colour: CastleColour, side: int, rng: np.random.Generator) -> Picture:
        return np.full((side, side, 3), CASTLE_GREY, np.uint8)


def nearest(colour: np.ndarray) -> Square | None:
    """The square of the nearest colour, None for the castle."""
    known: list[tuple[Square | None, tuple[int, int, int]]] = [*COLOURS.items(), (None, CASTLE_GREY)]
    return min(known, key=lambda pair: float(np.abs(np.asarray(pair[1]) - colour).sum()))[0]
