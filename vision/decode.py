"""Decoding: from the probabilities of single squares to the most probable kingdom that the box can build.

The squares of a kingdom are one castle and halves of 48 known dominoes. Among all readings that obey this, the
most probable one is found exactly, and the second-best one too. Readings are tried in decreasing probability
(``vision.readings``), and those that matter are weighed by how well their squares pair up, too (``vision.pairing``);
when too many fail, an integer programme takes over (``vision.programme``), which goes by the squares alone. Whether a
placement was legal is never evidence. How sure the result is says ``vision.trust``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import Kingdom, Position
from engine.rules import SIZES
from vision.config import DECODE, TRUST, DecodeConfig, TrustConfig
from vision.programme import Programme
from vision.readings import BOX, Board, Codes, Ranked, Stock, cuttable
from vision.trust import Weights, nearby_confidence

Probabilities = npt.NDArray[np.floating[Any]]
Floats = npt.NDArray[np.float64]

KEPT = (
    "No kingdom that dominoes of one box can build looks anything like this, so the squares are shown as they were "
    "read one by one. Perhaps there are tiles of an expansion or of a second box, or a square is covered."
)
HURRIED = "The search for the likeliest kingdom was ended early; a likelier one may exist."


@dataclass(frozen=True, eq=False)
class Decoding:
    """The decoded kingdom of one lattice; grids and cells refer to the whole lattice, not to the trimmed kingdom.

    ``margin`` is how much likelier (log) the kingdom is than ``second``, the best other one; infinite when no other
    is plausible. ``log_probability`` is that of its squares. ``overruled`` are the squares whose likeliest class by
    itself was not taken, and ``cost`` is how much likelier (log) the plain reading was. ``tileable`` is False when the
    plain reading was kept; ``note`` then says so, and ``suspected`` are the squares that the likeliest kingdom of the
    box would change. ``confidence`` has the probability of each square, ``whole`` that of the whole kingdom.
    ``exact`` is False when time ran out.
    ``tried`` counts readings, ``programme`` says whether the integer programme was needed.
    """

    kingdom: Kingdom
    second: Kingdom | None
    margin: float
    log_probability: float
    plain: Kingdom
    cost: float
    overruled: tuple[Position, ...]
    confidence: Floats
    whole: float
    tileable: bool
    exact: bool
    tried: int
    programme: bool
    note: str = ""
    suspected: tuple[Position, ...] = ()


def decode(
    probabilities: Probabilities,
    size: int | None = None,
    config: DecodeConfig = DECODE,
    trust: TrustConfig = TRUST,
) -> Decoding:
    """Decode one lattice from probabilities of shape (rows, columns, 18).

    The kingdom fits a frame of ``size``; without one, of the largest size there is.
    """
    board = Board.from_probabilities(probabilities, config.plausible)
    search = Search(board, size or max(SIZES), config, trust)
    search.run()
    return _decoding(board, search)


def decode_cut(probabilities: Probabilities, size: int | None = None, config: DecodeConfig = DECODE) -> Decoding:
    """Decode a lattice that the edge of the photo seems to cut: dominoes, even the castle, may not be all there.

    The box is believed only where it bends no square far; otherwise each square is taken for itself, and that is
    nothing to wonder at.
    """
    found = decode(probabilities, size, replace(config, overrule=config.overrule_cut, pairing=0))
    return found if found.tileable else replace(found, note="", suspected=())


class Search:
    """The best and second-best reading of one board, and the weights of all that were met on the way.

    ``stock`` is what there is of each face: the box, or what other kingdoms leave of it.
    """

    def __init__(self, board: Board, size: int, config: DecodeConfig, trust: TrustConfig, stock: Stock = BOX) -> None:
        self.board, self.size, self.config, self.trust, self.stock = board, size, config, trust, stock
        self.plain_value = board.plain_value
        self.looks = board.looks()
        self.found: list[tuple[float, Codes]] = []
        self.weights = Weights(board)
        # Whether every reading that matters was weighed.
        self.weighed_all = False
        self.exact = True
        self.programme = False
        self.tried = 0
        self._deadline = time.perf_counter() + config.time_limit

    def run(self) -> None:
        """Find them; ``found`` then holds at most two readings, the best first."""
        lowest = sum(self.looks) - self.config.surrender
        finished = self._enumerate(lowest)
        if not finished and len(self.found) < 2:
            self._solve(lowest)
        elif self.found:
            paired = self.weights.pair(self.config.pairing)[:2]
            self.found = [(self.board.log_probability(codes), codes) for codes in paired]

    @property
    def margin(self) -> float:
        """How much likelier (log) the best reading is than the second-best."""
        if len(self.found) < 2:
            return inf
        (value, codes), (other_value, other) = self.found
        return value - other_value if self.programme else self.weights.margin(codes, other)

    @property
    def convincing(self) -> bool:
        """Whether the best reading was found and no square in it had to be bent too far."""
        if not self.found:
            return False
        squares = zip(self.board.options, self.looks, self.found[0][1], strict=True)
        return all(
            looks - likely <= self.config.overrule
            for options, looks, taken in squares
            for code, likely in options
            if code == taken
        )

    def _enumerate(self, lowest: float) -> bool:
        """Try readings one by one; return whether there is nothing left to learn from the integer programme."""
        weighed = 0
        for value, codes in Ranked(self.board, self.size).candidates():
            self.tried += 1
            if not self.found and value < lowest:
                return True
            if self.found:
                weighed += 1
                negligible = value < self.found[0][0] + self.trust.log_negligible or weighed > self.trust.weighed
                if negligible and len(self.found) > 1:
                    self.weighed_all = weighed <= self.trust.weighed
                    return True
            if self.tried > self.config.tries or self._late:
                return False
            if codes is not None and cuttable(self.board, codes, self.stock):
                self.weights.add(value, codes)
                if len(self.found) < 2:
                    self.found.append((value, codes))
        self.weighed_all = True
        return True

    def _solve(self, lowest: float) -> None:
        """Let the integer programme find what the enumeration did not."""
        self.programme = True
        programme = Programme((self.board,), (self.size,), self.stock)
        for _, codes in self.found:
            programme.forbid((codes,))
        while len(self.found) < 2:
            solution = programme.solve(self._deadline - time.perf_counter())
            self.exact &= solution.certain
            if solution.readings is None:
                return
            codes = solution.readings[0]
            value = self.board.log_probability(codes)
            if not self.found and value < lowest:
                return
            self.found.append((value, codes))
            programme.forbid((codes,))

    def confidence(self, value: float, codes: Codes) -> tuple[Floats, float]:
        """How sure each square of the best reading is, and all of it."""
        if not self.weights.has(codes):
            self.weights.add(value, codes)
        squares, whole = self.weights.confidence(codes)
        if not self.weighed_all:
            nearby, nearby_whole = nearby_confidence(self.board, self.size, codes, self.trust, self.stock)
            squares, whole = np.minimum(squares, nearby), min(whole, nearby_whole)
        return squares, whole

    @property
    def _late(self) -> bool:
        return not self.tried & 63 and time.perf_counter() > self._deadline


def _decoding(board: Board, search: Search) -> Decoding:
    plain = board.plain()
    if not search.convincing:
        suspected = differences(board, plain, search.found[0][1]) if search.found else ()
        kept = kept_plain(board, exact=search.exact, tried=search.tried, programme=search.programme)
        return replace(kept, suspected=suspected)
    value, codes = search.found[0]
    second = search.found[1] if len(search.found) > 1 else None
    confidence, whole = search.confidence(value, codes)
    return Decoding(
        kingdom=board.kingdom(codes),
        second=board.kingdom(second[1]) if second else None,
        margin=search.margin,
        log_probability=value,
        plain=board.kingdom(plain),
        cost=search.plain_value - value,
        overruled=differences(board, plain, codes),
        confidence=confidence,
        whole=whole,
        tileable=True,
        exact=search.exact,
        tried=search.tried,
        programme=search.programme,
        note="" if search.exact else HURRIED,
    )


def kept_plain(board: Board, *, exact: bool = True, tried: int = 0, programme: bool = False) -> Decoding:
    """The plain reading of a board on which no likely kingdom of the box was found."""
    plain = board.plain()
    value = board.plain_value
    # The next-best plain reading changes the one square that is least sure of itself.
    steps = [(options[0][1] - options[1][1], index) for index, options in enumerate(board.options) if len(options) > 1]
    second, margin = None, inf
    if steps:
        margin, index = min(steps)
        second = board.kingdom([*plain[:index], board.options[index][1][0], *plain[index + 1 :]])
    likely = np.exp([options[0][1] for options in board.options])
    return Decoding(
        kingdom=board.kingdom(plain),
        second=second,
        margin=margin,
        log_probability=value,
        plain=board.kingdom(plain),
        cost=0.0,
        overruled=(),
        confidence=likely.reshape(board.height, board.width),
        whole=float(likely.prod()),
        tileable=False,
        exact=exact,
        tried=tried,
        programme=programme,
        note=KEPT,
    )


def differences(board: Board, codes: Sequence[int], others: Sequence[int]) -> tuple[Position, ...]:
    """Where two readings of a board differ."""
    return tuple(board.position(i) for i, (a, b) in enumerate(zip(codes, others, strict=True)) if a != b)
