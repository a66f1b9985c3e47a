"""How well the squares of a kingdom pair up: some dominoes are in the box more often than their halves suggest.

A square may look as much like one class as like another, and yet lie beside one that the box joins with the first far
more often. A cutting of a reading into dominoes is worth the product, over its dominoes, of how much more often the box
has these two halves together than if all halves had been joined at random; a reading is worth the sum of its cuttings.
What players laid side by side is no evidence, only what is printed on one domino. And it tells what lies on the covered
squares, not which squares are covered: only readings with tiles on the same squares are compared by it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.readings import BOX, CLASS_COUNT, SQUARES_IN_BOX, TERRAINS, Board, Codes

Floats = npt.NDArray[np.float64]


def _worth() -> Floats:
    """For two classes how much more often the box joins them than chance would; 0 where it does not."""
    joined = np.array(BOX, np.float64)[:TERRAINS, :TERRAINS]
    # A domino of two unlike halves may lie either way.
    joined = joined * (1 + np.eye(TERRAINS)) / (2 * joined[np.triu_indices(TERRAINS)].sum())
    share = np.array(SQUARES_IN_BOX, np.float64) / sum(SQUARES_IN_BOX)
    worth = np.zeros((CLASS_COUNT, CLASS_COUNT))
    worth[:TERRAINS, :TERRAINS] = joined / np.outer(share, share)
    return worth


WORTH = _worth()


def paired(board: Board, readings: Sequence[Codes], values: Floats, trust: float) -> Floats:
    """The log probabilities of readings when this much of their worth is believed.

    Of readings with tiles on the same squares, the best one stays as likely as the best of them was.
    """
    found = values + trust * log_worth(board, readings)
    _, groups = np.unique(np.array(readings) < TERRAINS, axis=0, return_inverse=True)
    for group in range(groups.max() + 1):
        same = groups == group
        found[same] = found[same] - found[same].max() + values[same].max()
    return found


def log_worth(board: Board, readings: Sequence[Codes]) -> Floats:
    """The log of what each reading is worth; minus infinity where the box has no dominoes for it.

    All readings are gone through at once, square by square; what counts is which of the next squares, as many as a
    row has, are covered already. That a domino may be there no more is not looked at (``vision.readings.cuttable``).
    """
    codes = _trimmed(np.array(readings).reshape(len(readings), board.height, board.width))
    height, width = codes.shape[1:]
    flat = codes.reshape(len(codes), -1)
    half = 1 << width - 1
    sums = np.zeros((len(flat), 2 * half))
    sums[:, 0] = 1
    for index in range(flat.shape[1]):
        here = flat[:, index]
        covered, free = sums[:, 1::2], sums[:, 0::2]
        sums = np.zeros_like(sums)
        sums[:, :half] = np.where((here < TERRAINS)[:, None], covered, free)
        if (index + 1) % width:
            sums[:, 1:half:2] += free[:, 0::2] * WORTH[here, flat[:, index + 1]][:, None]
        if index + width < height * width:
            sums[:, half:] += free * WORTH[here, flat[:, index + width]][:, None]
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(sums[:, 0]))


def _trimmed(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Readings (n, rows, columns) without the rows and columns in which none has a tile, the longer side upright."""
    tiles: npt.NDArray[np.bool_] = np.any(codes < TERRAINS, axis=0)
    rows, columns = np.flatnonzero(tiles.any(axis=1)), np.flatnonzero(tiles.any(axis=0))
    if len(rows):
        codes = codes[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return codes if codes.shape[1] >= codes.shape[2] else codes.transpose(0, 2, 1)
