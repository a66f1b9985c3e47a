"""How sure a decoded kingdom is: the probability of each square and of the whole, and which squares to check.

The readings that the box can build are weighed by their probability; a square is as sure as the share of the
weight that agrees with the decoded kingdom there. Finding the readings is ``vision.decode``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import exp

import numpy as np
import numpy.typing as npt

from engine import EMPTY, Kingdom, Position
from vision.config import TrustConfig
from vision.readings import BOX, CASTLE_CLASS, Board, Codes, Stock, cuttable, fits

Floats = npt.NDArray[np.float64]


class Weights:
    """Readings that the box can build, with their log probabilities."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._values: list[float] = []
        self._readings: list[Codes] = []

    def add(self, value: float, codes: Codes) -> None:
        """Take a reading into account."""
        self._values.append(value)
        self._readings.append(codes)

    def confidence(self, codes: Codes) -> tuple[Floats, float]:
        """The probability of each square of a reading, as a grid, and that of the whole reading."""
        values = np.array(self._values)
        weights = np.exp(values - values.max())
        weights /= weights.sum()
        agrees = np.array(self._readings) == np.array(codes)
        squares = weights @ agrees
        whole = float(weights @ agrees.all(axis=1))
        return squares.reshape(self._board.height, self._board.width), whole


def neighbourhood(
    board: Board, size: int, found: Sequence[tuple[float, Codes]], config: TrustConfig, stock: Stock = BOX
) -> Weights:
    """Weigh the readings that differ from the best found one in one or two squares, the likeliest first."""
    weights = Weights(board)
    known = set()
    for value, codes in found:
        weights.add(value, codes)
        known.add(tuple(codes))
    value, best = found[0]
    singles = []
    for index, options in enumerate(board.options):
        here = next(likely for code, likely in options if code == best[index])
        singles += [
            (likely - here, index, code)
            for code, likely in options
            if code != best[index] and likely - here >= config.log_negligible
        ]
    singles.sort(key=lambda single: (-single[0], single[1:]))
    changes: list[tuple[float, tuple[tuple[int, int], ...]]] = [(step, ((i, code),)) for step, i, code in singles]
    changes += [
        (one[0] + other[0], (one[1:], other[1:]))
        for one, other in combinations(singles[: config.paired], 2)
        if one[1] != other[1]
    ]
    # Changes that make a reading likelier than the best cannot be built, or they would be the best.
    changes = [change for change in changes if config.log_negligible <= change[0] <= 0]
    changes.sort(key=lambda change: (-change[0], change[1]))
    for step, change in changes[: config.weighed]:
        codes = list(best)
        for index, code in change:
            codes[index] = code
        if tuple(codes) in known or codes.count(CASTLE_CLASS) != 1 or not fits(board, codes, size):
            continue
        if cuttable(board, codes, stock):
            weights.add(value + step, codes)
    return weights


def squares_to_check(
    kingdom: Kingdom, confidence: Floats, overruled: Sequence[Position], config: TrustConfig
) -> tuple[Position, ...]:
    """The squares worth a look, most doubtful first: the doubtful ones, and all that the rules overruled.

    Bare table is worth a look only where the rules made it so or where something may well lie.
    """
    rows, columns = confidence.shape
    doubtful = [
        (float(confidence[r, c]), (r, c))
        for r in range(rows)
        for c in range(columns)
        if confidence[r, c] < (config.look_empty if kingdom.cell(r, c) is EMPTY else config.look)
    ]
    doubtful.sort()
    listed = [position for _, position in doubtful[: config.most]]
    others = sorted(set(overruled) - set(listed), key=lambda position: (float(confidence[position]), position))
    return (*others, *listed)


def calibrated(confidence: Floats, knots: Sequence[tuple[float, float]]) -> Floats:
    """Map raw confidences to measured ones along a rising curve given by its knots (raw, measured).

    The curve is linear in the log odds, because nearly all confidences lie close to 1.
    """
    if not knots:
        return confidence
    raw, measured = zip(*knots, strict=True)
    mapped = np.interp(_log_odds(confidence), _log_odds(np.array(raw)), _log_odds(np.array(measured)))
    return np.asarray(1 / (1 + np.exp(-mapped)))


def _log_odds(values: Floats) -> Floats:
    clipped = np.clip(values, exp(-30), 1 - 1e-13)
    return np.asarray(np.log(clipped) - np.log1p(-clipped))
