"""Decoding the kingdoms of one game together: they share one box, so a domino lies in one of them only.

That settles what no single photo can, such as crowns hidden behind a castle: in a complete game of four every
domino lies somewhere, so the one that is missing is the one that is hidden. Decoding one kingdom by itself
is ``vision.decode``; recognitions of whole photos are put together in ``vision.recognize``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.rules import SIZES
from vision.config import DECODE, TRUST, DecodeConfig, TrustConfig
from vision.decode import HURRIED, Decoding, Floats, Probabilities, Search, decode, differences
from vision.programme import Programme, Solution
from vision.readings import BOX, Board, Codes, Stock

NOT_ONE_GAME = (
    "These kingdoms cannot all be built from one box as they were read, so each was read by itself. "
    "Perhaps they are of different games, or one of them was photographed twice."
)


@dataclass(frozen=True, eq=False)
class _Joint:
    """Readings of all boards together, the best first, with their log probabilities."""

    values: tuple[float, ...]
    solutions: tuple[Solution, ...]

    @property
    def certain(self) -> bool:
        return self.solutions[0].certain

    def confidence(self, number: int) -> tuple[Floats, float]:
        """How sure each square of one board is among these readings, flat, and how sure its whole reading is."""
        weights = np.exp(np.array(self.values) - self.values[0])
        weights /= weights.sum()
        readings = np.array([_readings(solution)[number] for solution in self.solutions])
        agrees = readings == readings[0]
        return weights @ agrees, float(weights @ agrees.all(axis=1))


def decode_together(
    grids: Sequence[Probabilities],
    sizes: Sequence[int | None] | None = None,
    config: DecodeConfig = DECODE,
    trust: TrustConfig = TRUST,
) -> tuple[Decoding, ...]:
    """Decode the lattices of one game: over all of them no face is used more often than the box has it.

    A kingdom that no box can build is left out of it and keeps its plain reading.
    """
    frames = [size or max(SIZES) for size in sizes or [None] * len(grids)]
    alone = [decode(grid, size, config, trust) for grid, size in zip(grids, frames, strict=True)]
    everyone = list(range(len(alone)))
    sound = [number for number in everyone if alone[number].tileable]
    # A kingdom that looks impossible alone may fit the game, if what is wrong with it is hidden.
    for numbers in (everyone, sound) if len(sound) < len(alone) else (everyone,):
        if len(numbers) < 2:
            continue
        boards = [Board.from_probabilities(grids[number], config.plausible_in_game) for number in numbers]
        chosen = [frames[number] for number in numbers]
        lowest = sum(alone[number].log_probability for number in numbers) - config.surrender_in_game
        joint = _solve(boards, chosen, lowest, config)
        if joint is not None:
            for place, number in enumerate(numbers):
                alone[number] = _decoding(place, boards[place], chosen[place], joint, config, trust)
            return tuple(alone)
    if len(alone) < 2:
        return tuple(alone)
    return tuple(replace(decoding, note=decoding.note or NOT_ONE_GAME) for decoding in alone)


def _solve(boards: Sequence[Board], sizes: Sequence[int], lowest: float, config: DecodeConfig) -> _Joint | None:
    """The best readings of all boards together, as far as they matter; None where the best is too unlikely."""
    deadline = time.perf_counter() + config.time_limit_game
    best = Programme(boards, sizes).solve(config.time_limit_game)
    value = _value(boards, best)
    if best.readings is None or value < lowest:
        return None
    values, solutions = [value], [best]
    # What is dearer than the best reading and all that is weighed against it cannot be part of either.
    reach = sum(board.plain_value for board in boards) - value + config.reach_in_game
    programme = Programme([board.narrowed(reach) for board in boards], sizes)
    programme.forbid(best.readings)
    while len(solutions) <= config.weighed_in_game and time.perf_counter() < deadline:
        other = programme.solve(deadline - time.perf_counter())
        if other.readings is None or _value(boards, other) < value - config.reach_in_game:
            break
        values.append(_value(boards, other))
        solutions.append(other)
        programme.forbid(other.readings)
    return _Joint(tuple(values), tuple(solutions))


def _value(boards: Sequence[Board], solution: Solution) -> float:
    """The log probability of a solution."""
    if solution.readings is None:
        return -np.inf
    return sum(board.log_probability(codes) for board, codes in zip(boards, solution.readings, strict=True))


def _decoding(
    number: int, board: Board, size: int, joint: _Joint, config: DecodeConfig, trust: TrustConfig
) -> Decoding:
    """One kingdom of the joint reading; how sure it is, given the others, and given all other joint readings."""
    codes = _readings(joint.solutions[0])[number]
    value = board.log_probability(codes)
    alone = replace(config, surrender=np.inf, overrule=np.inf, pairing=0)
    search = Search(board, size, alone, trust, _left(joint.solutions[0], number))
    search.run()
    confidence, whole = search.confidence(value, codes)
    together, together_whole = joint.confidence(number)
    second = next((found for found in search.found if found[1] != codes), None)
    plain = board.plain()
    return Decoding(
        kingdom=board.kingdom(codes),
        second=board.kingdom(second[1]) if second else None,
        margin=value - second[0] if second else np.inf,
        log_probability=value,
        plain=board.kingdom(plain),
        cost=board.plain_value - value,
        overruled=differences(board, plain, codes),
        confidence=np.minimum(confidence, together.reshape(confidence.shape)),
        whole=min(whole, together_whole),
        tileable=True,
        exact=joint.certain,
        tried=search.tried,
        programme=True,
        note="" if joint.certain else HURRIED,
    )


def _left(solution: Solution, number: int) -> Stock:
    """What the other kingdoms leave of the box."""
    stock = [list(row) for row in BOX]
    for other, dominoes in enumerate(solution.dominoes):
        if other != number:
            for a, b in dominoes:
                stock[a][b] -= 1
                if a != b:
                    stock[b][a] -= 1
    return stock


def _readings(solution: Solution) -> tuple[Codes, ...]:
    if solution.readings is None:
        raise AssertionError("only solutions with readings are kept")
    return solution.readings
