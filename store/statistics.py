"""Statistics of players, worked out anew from all their games each time; every figure comes with its n."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import Edition, Rules, Tally, Terrain
from store.database import Database
from store.errors import NotFound
from store.models import GameRow, PlayerRow, SeatRow
from store.rows import checked_id, saved_player
from store.scores import GameResult, result_of
from store.values import SavedPlayer, as_store_error

# Rows are fetched so many at a time, so that those of all games are never held at once.
_IN_PORTIONS: Final = {"yield_per": 1_000}


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """How a player did in one game."""

    game_id: str
    played_at: datetime
    size: int
    place: int
    #: Whether others share the place.
    shared: bool
    result: Tally

    @property
    def total(self) -> int:
        """Points, bonuses included."""
        return self.result.total


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How a player did against another, in the `games` that both played; a place decides, as in the ranking."""

    opponent: SavedPlayer
    games: int
    ahead: int
    level: int
    behind: int


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """What a player's games add up to. `played` is in the order of play, oldest first."""

    player: SavedPlayer
    played: tuple[PlayedGame, ...]
    head_to_head: tuple[HeadToHead, ...]

    @property
    def games(self) -> int:
        """The n of all figures below."""
        return len(self.played)

    @property
    def wins(self) -> int:
        """Games won alone."""
        return sum(game.place == 1 and not game.shared for game in self.played)

    @property
    def shared_wins(self) -> int:
        """Games whose victory was shared."""
        return sum(game.place == 1 and game.shared for game in self.played)

    @property
    def mean(self) -> float | None:
        """Points in a game on average; None without a game."""
        return sum(game.total for game in self.played) / len(self.played) if self.played else None

    @property
    def best(self) -> PlayedGame | None:
        """The game with the most points, the earliest of equals."""
        return max(self.played, key=lambda game: game.total, default=None)

    @property
    def by_terrain(self) -> dict[Terrain, int]:
        """Points of all games together by terrain; divide by `games` for the mean."""
        sums = [sum(points) for points in zip(*(game.result.terrains for game in self.played), strict=True)]
        return dict(zip(Terrain, sums or [0] * len(Terrain), strict=True))

    @property
    def bonus(self) -> int:
        """Points of all games together from bonuses."""
        return sum(game.result.middle_kingdom + game.result.harmony for game in self.played)


class Statistics:
    """The statistics of the store; `size` asks for games of 5×5 or 7×7 only, as they do not compare."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, *, size: int | None = None) -> tuple[PlayerStatistics, ...]:
        """Return everybody who has played, those with most games first."""
        with self._database.reading() as session:
            players = _players(session)
            found = _collected(players, _games(session, size))
        return tuple(sorted(found.values(), key=lambda each: (-each.games, each.player.name)))

    def player(self, player_id: str, *, size: int | None = None) -> PlayerStatistics:
        """Return one player, who may not have played yet."""
        name = checked_id(player_id, "player")
        with self._database.reading() as session:
            players = _players(session)
            if name not in players:
                raise NotFound("There is no such player.")
            found = _collected(players, _games(session, size, name), name)
        return found.get(name) or PlayerStatistics(players[name], (), ())


@dataclass(frozen=True, slots=True)
class _Game:
    """What a game is worked out from: its seats are (player, kingdom) in their order."""

    id: str
    played_at: datetime
    rules: Rules
    seats: Sequence[tuple[str, str]]


def _players(session: Session) -> dict[str, SavedPlayer]:
    return {row.id: saved_player(row) for row in session.scalars(select(PlayerRow))}


def _games(session: Session, size: int | None, player_id: str | None = None) -> Iterator[_Game]:
    """Return the games, oldest first."""
    of_games = select(
        GameRow.id, GameRow.played_at, GameRow.size, GameRow.edition, GameRow.middle_kingdom, GameRow.harmony
    )
    of_games = of_games.where(GameRow.deleted_at.is_(None)).order_by(GameRow.played_at, GameRow.created_at, GameRow.id)
    of_seats = select(SeatRow.game_id, SeatRow.player_id, SeatRow.kingdom).order_by(SeatRow.game_id, SeatRow.position)
    if size is not None:
        of_games = of_games.where(GameRow.size == size)
    if player_id is not None:
        theirs = select(SeatRow.game_id).where(SeatRow.player_id == player_id)
        of_games = of_games.where(GameRow.id.in_(theirs))
        of_seats = of_seats.where(SeatRow.game_id.in_(theirs))
    seats: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for game_id, player, kingdom in session.execute(of_seats, execution_options=_IN_PORTIONS):
        seats[game_id].append((player, kingdom))
    # Few set-ups are ever agreed on, so each is made once.
    agreed: dict[tuple[int, int, str, bool, bool], Rules] = {}
    found = session.execute(of_games, execution_options=_IN_PORTIONS)
    for game_id, played_at, of_size, edition, middle_kingdom, harmony in found:
        of_game = seats.pop(game_id, [])
        setup = (of_size, len(of_game), edition, middle_kingdom, harmony)
        if setup not in agreed:
            agreed[setup] = Rules(of_size, len(of_game), Edition(edition), middle_kingdom, harmony)
        yield _Game(game_id, played_at, agreed[setup], of_game)


def _collected(
    players: dict[str, SavedPlayer], games: Iterable[_Game], only: str | None = None
) -> dict[str, PlayerStatistics]:
    """Add up games for all players in them, or for one."""
    played: defaultdict[str, list[PlayedGame]] = defaultdict(list)
    # Times ahead, level and behind, by player and opponent.
    against: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    for game in games:
        result = _result(game.rules, tuple([kingdom for _, kingdom in game.seats]))
        standings = [(player, place) for (player, _), place in zip(game.seats, result.places, strict=True)]
        for (player, place), tally in zip(standings, result.seats, strict=True):
            if only is not None and player != only:
                continue
            shared = result.places.count(place) > 1
            played[player].append(PlayedGame(game.id, game.played_at, game.rules.size, place, shared, tally))
            opponents = against[player]
            for opponent, their_place in standings:
                if opponent != player:
                    opponents[opponent][(their_place <= place) + (their_place < place)] += 1
    return {
        player: PlayerStatistics(players[player], tuple(list_of), _head_to_head(players, against[player]))
        for player, list_of in played.items()
    }


def _result(rules: Rules, kingdoms: tuple[str, ...]) -> GameResult:
    return as_store_error(lambda: result_of(rules, kingdoms))


def _head_to_head(players: dict[str, SavedPlayer], against: dict[str, list[int]]) -> tuple[HeadToHead, ...]:
    found = [
        HeadToHead(players[opponent], ahead + level + behind, ahead, level, behind)
        for opponent, (ahead, level, behind) in against.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.games, each.opponent.name)))
