"""Small helpers of all that is painted: smooth noise, colour ramps, rounded shapes. No scene knowledge."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

# OpenCV's own types do not say what a picture is made of, so these names do: floats, and 8-bit BGR.
Array = npt.NDArray[Any]
Picture = npt.NDArray[Any]
Point = Sequence[float] | Array
Colour = tuple[float, float, float]

_GRAIN_SIDE = 1024
_GRAIN_SEED = 20240229


def smooth_noise(rng: np.random.Generator, height: int, width: int, cells_y: int, cells_x: int) -> Array:
    """Value noise in about (-1, 1) with so many cells down and across."""
    coarse = rng.uniform(-1.0, 1.0, (cells_y + 3, cells_x + 3)).astype(np.float32)
    big = cv2.resize(
        coarse, (width + 2 * width // cells_x + 2, height + 2 * height // cells_y + 2), interpolation=cv2.INTER_CUBIC
    )
    y, x = height // cells_y, width // cells_x
    return np.ascontiguousarray(big[y : y + height, x : x + width])


def fractal_noise(
    rng: np.random.Generator,
    height: int,
    width: int,
    cells: int,
    octaves: int = 4,
    stretch: float = 1.0,
    gain: float = 0.55,
) -> Array:
    """Several octaves of noise in about (-1, 1); stretch > 1 draws it out along x."""
    total = np.zeros((height, width), np.float32)
    weight, sum_ = 1.0, 0.0
    for octave in range(octaves):
        down = max(1, min(height, round(cells * 2**octave * height / max(height, width))))
        across = max(1, min(width, round(cells * 2**octave / stretch)))
        total += weight * smooth_noise(rng, height, width, down, across)
        sum_ += weight
        weight *= gain
    return total / np.float32(0.7 * sum_)


def mix(a: Colour, b: Colour, share: Array) -> Array:
    """The picture (h, w, 3) that runs from colour a to colour b as share runs from 0 to 1."""
    share = np.clip(share, 0.0, 1.0)[..., None]
    return np.asarray(a, np.float32) * (1 - share) + np.asarray(b, np.float32) * share


def to_picture(values: Array) -> Picture:
    """Clip to 0..255 and round."""
    return np.clip(values + 0.5, 0, 255).astype(np.uint8)


def jitter(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    """The colour, a little lighter or darker and a little off in hue."""
    light = rng.normal(0.0, spread)
    return tuple(float(np.clip(c + light + rng.normal(0.0, spread / 2), 0, 255)) for c in colour)  # type: ignore[return-value]


@functools.lru_cache(maxsize=1)
def grain() -> Array:
    """A fixed field of unit Gaussian noise from which every scene cuts its sensor noise."""
    rng = np.random.default_rng(_GRAIN_SEED)
    return rng.standard_normal((_GRAIN_SIDE, _GRAIN_SIDE, 3), dtype=np.float32)


def cut_grain(rng: np.random.Generator, height: int, width: int) -> Array:
    """A piece of the grain of this size, from a random place, mirrored where it is too small."""
    field = grain()
    y = int(rng.integers(0, max(1, _GRAIN_SIDE - height + 1)))
    x = int(rng.integers(0, max(1, _GRAIN_SIDE - width + 1)))
    piece = field[y : y + height, x : x + width]
    missing = (height - piece.shape[0], width - piece.shape[1])
    if any(missing):
        piece = np.pad(piece, ((0, missing[0]), (0, missing[1]), (0, 0)), mode="wrap")
    return piece


def rounded_alpha(height: int, width: int, radius: float) -> Picture:
    """A filled rectangle with rounded corners, anti-aliased, 255 inside."""
    y = np.abs(np.arange(height, dtype=np.float32) - (height - 1) / 2)[:, None] - (height / 2 - radius)
    x = np.abs(np.arange(width, dtype=np.float32) - (width - 1) / 2)[None, :] - (width / 2 - radius)
    outside = np.hypot(np.maximum(y, 0), np.maximum(x, 0)) + np.minimum(np.maximum(y, x), 0) - radius
    return to_picture(255 * np.clip(0.5 - outside, 0.0, 1.0))
