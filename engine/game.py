"""A whole game as an immutable value: whose turn it is, what may be done, what comes of it.

`Table` takes the turns; here actions are judged, refused in words and listed, and games are played at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine.board import STRIDE, Board
from engine.kingdom import Kingdom
from engine.rules import Rules
from engine.setup import Setup
from engine.table import Claim, Log, Table


@dataclass(frozen=True, slots=True)
class Game:
    """The state of a game after some actions. Players are numbered from 0."""

    setup: Setup
    _boards: tuple[Board, ...]
    #: The line that is being placed, counted from 1; 0 while the first line is chosen from.
    round: int
    _queue: tuple[Claim, ...]
    _placing: bool
    _free: tuple[int, ...]
    _picks: tuple[Claim, ...]
    _log: Log

    @classmethod
    def new(cls, rules: Rules, names: Sequence[str] | None = None, *, seed: int | Random) -> Game:
        """Set up a game; the order of the dominoes and the draw of the kings follow from the seed."""
        rng = seed if isinstance(seed, Random) else Random(seed)
        return _frozen(Table.laid(Setup.drawn(rules, rng, names)))

    @property
    def rules(self) -> Rules:
        """What was agreed before the game."""
        return self.setup.rules

    @property
    def kingdoms(self) -> tuple[Kingdom, ...]:
        """The kingdom of each player, trimmed."""
        return tuple(board.kingdom() for board in self._boards)

    @property
    def finished(self) -> bool:
        """Whether all dominoes have been placed or discarded."""
        return not self._queue


def _frozen(table: Table) -> Game:
    return Game(
        table.setup,
        tuple(table.boards),
        table.round,
        tuple(table.queue),
        table.placing,
        tuple(table.free),
        tuple(table.picks),
        table.log,
    )


def random_playout(rules: Rules, rng: Random, stop_after: int | None = None) -> Game:
    """Play a game with random legal actions, to the end or until so many actions were taken.

    Each king acts twice a round (it places or discards, then it chooses), and once before the first.
    """
    table = Table.laid(Setup.drawn(rules, rng))
    random = rng.random
    left = -1 if stop_after is None else max(0, stop_after)
    while table.queue and left:
        left -= 1
        if not table.placing:
            table.choose(table.free[int(random() * len(table.free))])
            continue
        masks = table.placements()
        across, across_turned, down, down_turned = masks
        count = across.bit_count() + across_turned.bit_count() + down.bit_count() + down_turned.bit_count()
        if count:
            table.place(*_placement_at(masks, int(random() * count)))
        else:
            table.discard()
    return _frozen(table)


def _placement_at(masks: tuple[int, int, int, int], index: int) -> tuple[int, int]:
    """Return the bits of the halves a and b of the placement with this index."""
    for kind, mask in enumerate(masks):
        count = mask.bit_count()
        if index < count:
            break
        index -= count
    for _ in range(index):
        mask &= mask - 1
    first = (mask & -mask).bit_length() - 1
    second = first + (1 if kind < 2 else STRIDE)
    return (second, first) if kind & 1 else (first, second)
