"""The box of drawn tiles: squares kept in a few variants, dominoes joined along a ragged seam."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import cv2
import numpy as np

from engine import SQUARES, Square

from ..config import CASTLE_COLOURS, CastleColour
from ..sources import SIDES
from ..texture import Array, Colour, Picture, fractal_noise
from . import land

# Squares are painted at this side and kept at half of it and less.
_PAINTED = 2 * SIDES[-1]
_SEED = 48
_SEAMS = 6
# The seam wanders by so much about the middle, in squares.
_WANDER = 0.035
# The path, hedge or bank that two different terrains meet at, BGR; equal terrains share a footpath.
_BANK: Colour = (54, 92, 126)
_PATH: Colour = (92, 138, 168)


@dataclass(frozen=True)
class OwnArt:
    """The drawn tiles; so many variants of each square, so that no two kingdoms look the same."""

    variants: int = 6

    def deal(self, rng: np.random.Generator) -> OwnArt:
        """Every scene is dealt the same box."""
        return self

    def table(self, rng: np.random.Generator) -> Picture | None:
        """There are no real tables in this box."""
        return None

    def domino(self, a: Square, b: Square, side: int, rng: np.random.Generator) -> Picture:
        """Two squares side by side with a ragged seam between them."""
        left, right = (_square(s, int(rng.integers(self.variants)), side) for s in (a, b))
        return _joined(left, right, a.terrain is b.terrain, int(rng.integers(_SEAMS)))

    def square(self, square: Square, side: int, rng: np.random.Generator) -> Picture:
        """One square by itself."""
        return _square(square, int(rng.integers(self.variants)), side)

    def castle(self, colour: CastleColour, side: int, rng: np.random.Generator) -> Picture:
        """The starting tile of a player."""
        return _castle(colour, int(rng.integers(2)), side)


@functools.lru_cache(maxsize=1024)
def _square(square: Square, variant: int, side: int) -> Picture:
    if side < SIDES[-1]:
        return _smaller(_square(square, variant, SIDES[-1]), side)
    number = SQUARES.index(square)
    return _smaller(land.paint(square.terrain, square.crowns, _PAINTED, _dice(number, variant)), side)


@functools.lru_cache(maxsize=128)
def _castle(colour: CastleColour, variant: int, side: int) -> Picture:
    if side < SIDES[-1]:
        return _smaller(_castle(colour, variant, SIDES[-1]), side)
    dice = _dice(len(SQUARES) + CASTLE_COLOURS.index(colour), variant)
    return _smaller(land.paint_castle(colour, _PAINTED, dice), side)


def _dice(kind: int, variant: int) -> np.random.Generator:
    return np.random.default_rng((_SEED, kind, variant))


def _smaller(picture: Picture, side: int) -> Picture:
    return cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)


@functools.lru_cache(maxsize=128)
def _seam(number: int, side: int) -> tuple[Array, Array, int]:
    """Weights of the left square and of the bank in the strip about the middle, and the strip's half width."""
    half = max(2, round(2.2 * _WANDER * side))
    rng = np.random.default_rng((_SEED, 1000, number))
    line = _WANDER * fractal_noise(rng, 256, 4, 9, 3)[:, 0]
    middle = np.interp(np.linspace(0, 255, side), np.arange(256), line) * side
    x = np.arange(-half, half) + 0.5
    distance = x[None, :] - middle[:, None]
    left = np.clip(0.5 - distance, 0, 1).astype(np.float32)
    width = max(0.6, 0.013 * side)
    bank = np.clip(1.4 - np.abs(distance) / width, 0, 1).astype(np.float32)
    return left[..., None], bank[..., None], half


def _joined(left: Picture, right: Picture, same: bool, seam: int) -> Picture:
    side = left.shape[0]
    domino = np.hstack([left, right])
    weight, bank, half = _seam(seam, side)
    # Beyond its own edge each square is continued by mirroring, so that the seam may wander.
    from_left = np.hstack([left[:, side - half :], left[:, side - half :][:, ::-1]])
    from_right = np.hstack([right[:, :half][:, ::-1], right[:, :half]])
    ground = from_left * weight + from_right * (1 - weight)
    colour = np.asarray(_PATH if same else _BANK, np.float32)
    strength = 0.55 if same else 0.9
    strip = ground * (1 - strength * bank) + colour * strength * bank
    domino[:, side - half : side + half] = np.clip(strip + 0.5, 0, 255).astype(np.uint8)
    return domino
