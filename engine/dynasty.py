"""A Dynasty: three games in a row by the same players, the highest sum of points wins.

Players are known by their names, so they may sit in another order from game to game. Only the kingdoms and
the rules of each game are held; every sum is worked out from them anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.errors import ActionError
from engine.game import Game
from engine.kingdom import Kingdom
from engine.rules import Rules
from engine.scoring import Ranking, Score, ranking, score

GAMES: Final = 3
_PLAYERS: Final = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game as far as a Dynasty is concerned: who built which kingdom under which rules."""

    rules: Rules
    names: tuple[str, ...]
    kingdoms: tuple[Kingdom, ...]

    def __post_init__(self) -> None:
        _check_players(self.names)
        if len(self.kingdoms) != len(self.names):
            raise ActionError(f"Each player has one kingdom: {len(self.names)} names, {len(self.kingdoms)} kingdoms.")
        if self.rules.players not in (None, len(self.names)):
            raise ActionError(f"A game for {self.rules.players} players cannot have been played by {len(self.names)}.")

    @classmethod
    def of(cls, game: Game) -> GameRecord:
        """Record a game that was played to the end."""
        if not game.finished:
            raise ActionError(f"Only a finished game counts. Position: {game.position}.")
        return cls(game.rules, game.names, game.kingdoms)

    @property
    def scores(self) -> tuple[Score, ...]:
        """The final score of each player."""
        return tuple(score(kingdom, self.rules) for kingdom in self.kingdoms)

    @property
    def totals(self) -> dict[str, int]:
        """The points of each player by name, bonuses included."""
        return {name: each.total for name, each in zip(self.names, self.scores, strict=True)}

    @property
    def ranking(self) -> Ranking:
        """Who won this game."""
        return ranking(self.scores, self.names)


@dataclass(frozen=True, slots=True)
class DynastyStanding:
    """A player's place in a Dynasty; equal sums share a place."""

    name: str
    place: int
    total: int


@dataclass(frozen=True, slots=True)
class Dynasty:
    """Up to three games of the same players, in the order in which they were played."""

    players: tuple[str, ...]
    games: tuple[GameRecord, ...] = ()

    def __post_init__(self) -> None:
        _check_players(self.players)
        if len(self.games) > GAMES:
            raise ActionError(f"A Dynasty has {GAMES} games, not {len(self.games)}.")
        for number, game in enumerate(self.games, start=1):
            if set(game.names) != set(self.players):
                raise ActionError(
                    f"A Dynasty is played by the same players throughout: {_listed(self.players)}. "
                    f"Game {number} was played by {_listed(game.names)}."
                )

    @classmethod
    def of(cls, games: Iterable[Game | GameRecord]) -> Dynasty:
        """Form a Dynasty of games; the players are listed as in the first."""
        records = tuple(_recorded(game) for game in games)
        if not records:
            raise ActionError("Without a game it is not known who plays the Dynasty.")
        return cls(records[0].names, records)

    def add(self, game: Game | GameRecord) -> Dynasty:
        """Return the Dynasty with its next game."""
        if self.complete:
            raise ActionError(f"The Dynasty is complete: its {GAMES} games have been played.")
        return Dynasty(self.players, (*self.games, _recorded(game)))

    @property
    def complete(self) -> bool:
        """Whether all three games have been played."""
        return len(self.games) == GAMES

    @property
    def running_totals(self) -> tuple[dict[str, int], ...]:
        """The sums after each game, by name in the order of the players."""
        sums = dict.fromkeys(self.players, 0)
        after = []
        for game in self.games:
            totals = game.totals
            sums = {name: sums[name] + totals[name] for name in self.players}
            after.append(sums)
        return tuple(after)

    @property
    def totals(self) -> dict[str, int]:
        """The sums so far, by name in the order of the players."""
        return self.running_totals[-1] if self.games else dict.fromkeys(self.players, 0)

    @property
    def standings(self) -> tuple[DynastyStanding, ...]:
        """All players, the highest sum first, players with equal sums in their own order."""
        totals = self.totals
        order = sorted(self.players, key=lambda name: -totals[name])
        return tuple(
            DynastyStanding(name, 1 + sum(other > totals[name] for other in totals.values()), totals[name])
            for name in order
        )

    @property
    def leaders(self) -> tuple[str, ...]:
        """The players with the highest sum so far; nobody before the first game."""
        return tuple(each.name for each in self.standings if each.place == 1) if self.games else ()

    @property
    def winners(self) -> tuple[str, ...]:
        """Who won the complete Dynasty; several share it, nobody has won before the third game."""
        return self.leaders if self.complete else ()

    @property
    def decided(self) -> str:
        """How the Dynasty stands, in a sentence."""
        if not self.games:
            return "No game has been played yet."
        leaders, totals = self.leaders, self.totals
        best = totals[leaders[0]]
        points = "1 point" if best == 1 else f"{best} points"
        ahead = best - max((total for name, total in totals.items() if name not in leaders), default=best)
        if self.complete:
            if len(leaders) > 1:
                return f"{_listed(leaders)} share the Dynasty with {points} each."
            return f"{leaders[0]} wins the Dynasty with {points}, {ahead} ahead."
        played = f"After {len(self.games)} of {GAMES} games"
        if len(leaders) > 1:
            return f"{played} {_listed(leaders)} are level with {points} each."
        return f"{played} {leaders[0]} leads with {points}, {ahead} ahead."


def _recorded(game: Game | GameRecord) -> GameRecord:
    return GameRecord.of(game) if isinstance(game, Game) else game


def _check_players(names: tuple[str, ...]) -> None:
    if len(names) not in _PLAYERS:
        raise ActionError(f"Kingdomino is for 2, 3 or 4 players, not {len(names)}.")
    if len(set(names)) != len(names) or not all(name.strip() for name in names):
        raise ActionError(f"Players are told apart by their names; {_listed(names)} will not do.")


def _listed(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
