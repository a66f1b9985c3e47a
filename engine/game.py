"""A whole game as an immutable value: whose turn it is, what may be done, what comes of it.

`Table` takes the turns and `LegalActions` knows what is allowed; here are the questions people ask of a
game, the words with which an action is refused, and games played at random. Cells of actions are seen from
the castle (see `engine.actions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from reprlib import Repr

from engine.actions import Action, Choose, Discard, Place
from engine.dominoes import DOMINOES, Domino
from engine.errors import ActionError
from engine.kingdom import Kingdom
from engine.legal import LegalActions, action_of, cell_bits, count_placements, placement_at, shortened
from engine.placement import Placement, explain
from engine.rules import Rules
from engine.saved import read_game, write_game
from engine.scoring import Ranking, Score, ranking, score
from engine.setup import Setup
from engine.table import Claim, Table, moves


@dataclass(frozen=True, slots=True)
class Slot:
    """A domino of a line and the player whose king stands on it, if any."""

    domino: Domino
    player: int | None


@dataclass(frozen=True, slots=True)
class Event:
    """What happened: the round (0 while the first line is chosen from), the player and the action."""

    round: int
    player: int
    action: Action


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """The state of a game after some actions, and those actions. Players are numbered from 0."""

    # Nobody changes this table any more: `apply` goes on with a copy of it.
    _table: Table

    @classmethod
    def new(cls, rules: Rules, names: Sequence[str] | None = None, *, seed: int | Random) -> Game:
        """Set up a game; the order of the dominoes and the draw of the kings follow from the seed."""
        rng = seed if isinstance(seed, Random) else Random(seed)
        return cls.start(Setup.drawn(rules, rng, names))

    @classmethod
    def start(cls, setup: Setup) -> Game:
        """Start from a set-up, for instance the one found on a real table."""
        return cls(Table.laid(setup))

    @classmethod
    def replay(cls, setup: Setup, actions: Iterable[Action]) -> Game:
        """Play the actions of a log again; each must be legal."""
        table = Table.laid(setup)
        for number, action in enumerate(actions, start=1):
            try:
                _play(table, action)
            except ActionError as error:
                raise ActionError(f"Action {number}: {error}") from None
        return cls(table)

    @classmethod
    def from_json(cls, text: str) -> Game:
        """Read a game that `to_json` wrote; anything else is refused with an ActionError."""
        return cls.replay(*read_game(text))

    def to_json(self) -> str:
        """Return the set-up and all actions as text; the state follows from them."""
        return write_game(self.setup, self.actions)

    def __repr__(self) -> str:
        return f"Game.from_json({self.to_json()!r})"

    def __str__(self) -> str:
        return self.position

    @property
    def setup(self) -> Setup:
        """How the game started."""
        return self._table.setup

    @property
    def rules(self) -> Rules:
        """What was agreed before the game."""
        return self.setup.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The players by name."""
        return self.setup.names

    @property
    def kingdoms(self) -> tuple[Kingdom, ...]:
        """The kingdom of each player, trimmed."""
        return tuple(board.kingdom() for board in self._table.boards)

    @property
    def round(self) -> int:
        """The line that is being placed, counted from 1; 0 while the first line is chosen from."""
        return self._table.round

    @property
    def finished(self) -> bool:
        """Whether all dominoes have been placed or discarded."""
        return not self._table.queue

    @property
    def player(self) -> int | None:
        """Whose king acts; None after the game."""
        return self._table.queue[0][1] if self._table.queue else None

    @property
    def to_place(self) -> Domino | None:
        """The domino the acting king has to place or discard; None while it chooses and after the game."""
        return DOMINOES[self._table.queue[0][0] - 1] if self._table.queue and self._table.placing else None

    @property
    def order(self) -> tuple[int, ...]:
        """The players whose kings still act in this round, the acting one first."""
        return tuple(player for _, player in self._table.queue)

    @property
    def line(self) -> tuple[Slot, ...]:
        """The dominoes of the present line that are still to be placed, ascending; none in the first choice."""
        done = 0 if self._table.placing else 1
        return tuple(_slot(claim) for claim in self._table.queue[done:]) if self.round else ()

    @property
    def next_line(self) -> tuple[Slot, ...]:
        """The dominoes that are being chosen from, taken or free, ascending; none in the last round."""
        free = tuple(Slot(DOMINOES[number - 1], None) for number in self._table.free)
        taken = tuple(_slot(claim) for claim in self._table.picks)
        return tuple(sorted(free + taken, key=lambda slot: slot.domino.number))

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions so far. A domino with equal halves is always noted with its upper or left cell first."""
        return tuple(action_of(move) for move in moves(self._table.log))

    @property
    def events(self) -> tuple[Event, ...]:
        """The log: every action with its round and its player."""
        table = Table.laid(self.setup)
        events = []
        for move in moves(self._table.log):
            events.append(Event(table.round, table.queue[0][1], action_of(move)))
            table.play(move)
        return tuple(events)

    @property
    def discarded(self) -> tuple[tuple[Domino, ...], ...]:
        """The dominoes each player had to discard."""
        events = [event for event in self.events if isinstance(event.action, Discard)]
        return tuple(
            tuple(DOMINOES[event.action.domino - 1] for event in events if event.player == player)
            for player in range(len(self.names))
        )

    @property
    def left_over(self) -> tuple[Domino, ...]:
        """The dominoes discarded because no king chose them (three players, new edition), line by line."""
        chosen = {action.domino for action in self.actions if isinstance(action, Choose)}
        complete = self.setup.lines[: self.round]
        return tuple(DOMINOES[number - 1] for line in complete for number in line if number not in chosen)

    @property
    def scores(self) -> tuple[Score, ...]:
        """The score of each player as things stand."""
        return tuple(score(kingdom, self.rules, finished=self.finished) for kingdom in self.kingdoms)

    @property
    def ranking(self) -> Ranking:
        """Who won, and what decided; only a finished game has a ranking."""
        if not self.finished:
            raise ActionError(f"The ranking is made when the game is over. Position: {self.position}.")
        return ranking(self.scores, self.names)

    @property
    def position(self) -> str:
        """The state in words: round, whose turn, the kingdom of that player in notation, the lines."""
        if not self._table.queue:
            kingdoms = ", ".join(f"{n} {k.notation}" for n, k in zip(self.names, self.kingdoms, strict=True))
            return f"game over after {self.round} rounds; {kingdoms}"
        number, player = self._table.queue[0]
        name, kingdom = self.names[player], self._table.boards[player].kingdom().notation
        when = f"round {self.round} of {self.setup.rounds}" if self.round else "choice from the first line"
        turn = f"{name} places {DOMINOES[number - 1]}" if self._table.placing else f"{name} chooses"
        parts = [f"{when}; {turn}; {name}'s kingdom: {kingdom}"]
        for words, line in (("still to place", self.line), ("next line", self.next_line)):
            if line:
                parts.append(f"{words}: {', '.join(self._called(slot) for slot in line)}")
        return "; ".join(parts)

    def _called(self, slot: Slot) -> str:
        owner = "free" if slot.player is None else self.names[slot.player]
        return f"{slot.domino.number} ({owner})"

    def legal_actions(self) -> LegalActions:
        """Return what the acting king may do; nothing after the game."""
        return LegalActions(self._table)

    def apply(self, action: Action) -> Game:
        """Return the game after an action of the acting king; an illegal one is refused with an ActionError."""
        table = self._table.copy()
        _play(table, action)
        return Game(table)


def random_playout(rules: Rules, rng: Random, stop_after: int | None = None) -> Game:
    """Play a game with random legal actions, to the end or until so many actions were taken.

    A whole game has two actions for every king in every round: its choice, and a placement or discard.
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
        count = count_placements(masks)
        if count:
            table.place(*placement_at(masks, int(random() * count)))
        else:
            table.discard()
    return Game(table)


def _slot(claim: Claim) -> Slot:
    return Slot(DOMINOES[claim[0] - 1], claim[1])


def _play(table: Table, action: Action) -> None:
    legal = LegalActions(table)
    move = legal.move(action)
    if move is None:
        game = Game(table)
        raise ActionError(
            f"Not legal: {_SHORT.repr(action)}. {_reason(game, action)} "
            f"Position: {game.position}. There {'are' if len(legal) > 1 else 'is'} {shortened(legal)}."
        )
    table.play(move)


# A refused action may be anything, of any length.
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 120


def _reason(game: Game, action: object) -> str:
    """Return why an action is not legal."""
    if game.finished:
        return "The game is over."
    if not isinstance(action, Choose | Place | Discard):
        return "An action is a Choose, a Place or a Discard."
    if type(action.domino) is not int or not 1 <= action.domino <= len(DOMINOES):
        return f"An action names a domino by its number, 1 to {len(DOMINOES)}."
    domino = game.to_place
    if isinstance(action, Choose):
        if domino is not None:
            return f"The king places {domino} before it chooses."
        if action.domino in (slot.domino.number for slot in game.next_line):
            return f"A king stands on no. {action.domino} already."
        return f"No. {action.domino} is not in the line that is chosen from."
    if domino is None:
        return "The king has nothing to place now; it chooses a domino."
    if action.domino != domino.number:
        return f"The king stands on no. {domino.number}, not on no. {action.domino}."
    if isinstance(action, Discard):
        return f"No. {domino.number} can be placed, so it must be."
    return _misplaced(game, domino, action.cells)


def _misplaced(game: Game, domino: Domino, cells: object) -> str:
    if not isinstance(cells, tuple) or cell_bits(cells) is None:
        return "The cells are those of the halves a and b, ((row, column), (row, column)) seen from the castle."
    kingdom = game.kingdoms[game.order[0]]
    row, column = kingdom.castles[0]
    (ra, ca), (rb, cb) = cells
    placement = Placement(domino, ((ra + row, ca + column), (rb + row, cb + column)))
    return " ".join(explain(kingdom, placement, game.rules))
