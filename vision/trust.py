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
from vision.pairing import paired
from vision.readings import BOX, CASTLE_CLASS, TERRAINS, Board, Codes, Stock, cuttable, fits, is_alone

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

    def has(self, codes: Codes) -> bool:
        """Whether a reading is among them."""
        return codes in self._readings

    def pair(self, trust: float) -> list[Codes]:
        """Believe this much of how well the squares pair up, and return the readings, the best first."""
        if trust and len(self._readings) > 1:
            self._values = paired(self._board, self._readings, np.array(self._values), trust).tolist()
        order = sorted(range(len(self._values)), key=lambda number: -self._values[number])
        return [self._readings[number] for number in order]

    def margin(self, codes: Codes, other: Codes) -> float:
        """How much likelier (log) one reading is than another."""
        values = [self._values[self._readings.index(reading)] for reading in (codes, other)]
        return float(values[0] - values[1])

    def confidence(self, codes: Codes) -> tuple[Floats, float]:
        """The probability of each square of a reading, as a grid, and that of the whole reading."""
        values = np.array(self._values)
        weights = np.exp(values - values.max())
        weights /= weights.sum()
        agrees = np.array(self._readings) == np.array(codes)
        squares = weights @ agrees
        whole = float(weights @ agrees.all(axis=1))
        return squares.reshape(self._board.height, self._board.width), whole


def nearby_confidence(
    board: Board, size: int, best: Codes, config: TrustConfig, stock: Stock = BOX
) -> tuple[Floats, float]:
    """How sure a reading is against those that differ from it in one or two squares, for boards with much doubt.

    Where there are too many likely readings to weigh, each square is weighed by itself: against the changes of
    that square that can be built while the others stay, and those that need one other square to change too.
    """
    doubt = np.zeros(len(best))
    beside = board.neighbours()
    singles = _single_changes(board, best, config)
    possible: set[tuple[int, int]] = set()
    for step, index, code in singles:
        if step <= 0 and _buildable(board, size, best, ((index, code),), stock, beside):
            possible.add((index, code))
            doubt[index] += exp(step)
    pairs = [
        (one[0] + other[0], one[1:], other[1:])
        for one, other in combinations(singles[: config.paired], 2)
        # Two changes that are possible each by itself have been counted.
        if one[1] != other[1] and not (one[1:] in possible and other[1:] in possible)
    ]
    # A reading likelier than the best one cannot be built, or it would be the best.
    pairs = [pair for pair in pairs if config.log_negligible <= pair[0] <= 0]
    pairs.sort(key=lambda pair: (-pair[0], pair[1:]))
    for step, one, other in pairs[: config.weighed]:
        if _buildable(board, size, best, (one, other), stock, beside):
            doubt[one[0]] += exp(step)
            doubt[other[0]] += exp(step)
    confidence = 1 / (1 + doubt)
    return confidence.reshape(board.height, board.width), float(confidence.prod())


def _single_changes(board: Board, best: Codes, config: TrustConfig) -> list[tuple[float, int, int]]:
    """Every change of one square that matters: how much likelier (log) it makes the reading, square, class."""
    changes = []
    for index, options in enumerate(board.options):
        here = next(likely for code, likely in options if code == best[index])
        changes += [
            (likely - here, index, code)
            for code, likely in options
            if code != best[index] and likely - here >= config.log_negligible
        ]
    return sorted(changes, key=lambda change: (-change[0], change[1:]))


def _buildable(
    board: Board,
    size: int,
    best: Codes,
    changes: Sequence[tuple[int, int]],
    stock: Stock,
    beside: Sequence[Sequence[int]],
) -> bool:
    """Whether a reading with some squares changed has one castle, fits, and can be built from what there is."""
    castles = balance = 0
    for index, code in changes:
        castles += (code == CASTLE_CLASS) - (best[index] == CASTLE_CLASS)
        row, column = board.position(index)
        balance += ((code < TERRAINS) - (best[index] < TERRAINS)) * (1 if (row + column) % 2 else -1)
    # Dominoes cover as many squares of either colour of a chessboard, and the best reading does.
    if castles or balance:
        return False
    codes = list(best)
    for index, code in changes:
        codes[index] = code
    touched = {near for index, _ in changes for near in (index, *beside[index])}
    if any(is_alone(codes, near, beside) for near in touched):
        return False
    return fits(board, codes, size) and cuttable(board, codes, stock)


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
