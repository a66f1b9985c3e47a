"""How much the cells of a grid look like the bare table around a kingdom.

The networks know what tables look like in general; this compares a cell with the very table it may show. A gap looks
like the table next to it even where that is blue as a lake.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class LikenessConfig:
    """How cells are compared; colours are those of CIE Lab in 8 bits."""

    # The middle part of a cell that is looked at, as a share of its side.
    core: float = 0.7
    # How much the mean of lightness and of the two colours, and their spreads within a cell, count.
    mean_weights: tuple[float, float, float] = (0.5, 1.0, 1.0)
    spread_weight: float = 0.5
    # Fewer cells of bare table than this tell nothing.
    fewest: int = 3
    # Differences smaller than this are noise.
    noise: float = 2.0
    # The logarithm of the ratio from which on a cell is unlike enough: what is stranger still, clutter is too.
    enough: float = 0.75


LIKENESS = LikenessConfig()


def unlike_table(picture: Pixels, step: int, border: int, shape: tuple[int, int], bare: Flags) -> Floats:
    """How unlike the surely bare cells each cell of a straightened grid is, of shape (rows, columns).

    The logarithm of its difference from the nearest bare cell over the usual one among bare cells, less what is
    enough; 0 at most, and where nothing can be said. The picture shows the grid along its axes, from ``border`` pixels
    on, ``step`` pixels a square.
    """
    if int(bare.sum()) < LIKENESS.fewest:
        return np.zeros(shape)
    looks = _looks(picture, step, border, shape)
    distance = np.linalg.norm(looks[:, None] - looks[None], axis=-1)
    np.fill_diagonal(distance, np.inf)
    nearest = distance[:, bare.ravel()].min(axis=1)
    usual = float(np.median(nearest[bare.ravel()]))
    ratio = np.log((nearest + LIKENESS.noise) / (usual + LIKENESS.noise))
    return np.asarray(np.minimum(ratio - LIKENESS.enough, 0.0).reshape(shape))


def _looks(picture: Pixels, step: int, border: int, shape: tuple[int, int]) -> Floats:
    """Six numbers for each cell, row by row: the weighted means and spreads of its colours."""
    rows, columns = shape
    part = picture[border : border + rows * step, border : border + columns * step]
    colours = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2LAB).astype(np.float64)
    inset = round(step * (1 - LIKENESS.core) / 2)
    cells = colours.reshape(rows, step, columns, step, 3)[:, inset : step - inset, :, inset : step - inset]
    means = cells.mean(axis=(1, 3)) * LIKENESS.mean_weights
    spreads = cells.std(axis=(1, 3)) * LIKENESS.spread_weight
    return np.concatenate([means, spreads], axis=-1).reshape(rows * columns, -1)
