"""Dynasties: three games by the same players, several Dynasties side by side. The engine adds up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import Dynasty
from store.database import Database
from store.errors import NotFound, StoreError
from store.games import locked_game
from store.history import lines_of
from store.models import DynastyPlayerRow, DynastyRow, GameRow, PlayerRow, SeatRow
from store.rows import checked_id, new_id, now, players_by_name, saved_player
from store.slots import SLOTS, locked_dynasty, take_slot
from store.text import clean_name, name_key
from store.values import GameLine, SavedDynasty, SavedPlayer, as_store_error


class Dynasties:
    """The Dynasties of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, name: str, players: Sequence[str]) -> SavedDynasty:
        """Begin a Dynasty of players given by name."""
        title = clean_name(name, "The name of a Dynasty")
        names = tuple(clean_name(each, "The name of a player") for each in players)
        as_store_error(lambda: Dynasty(tuple(name_key(each) for each in names)))
        moment = now()
        row = DynastyRow(id=new_id(), name=title, version=1, created_at=moment, changed_at=moment)
        with self._database.writing() as session:
            session.add(row)
            session.flush()
            members = players_by_name(session, names, [None] * len(names))
            for position, member in enumerate(members):
                session.add(DynastyPlayerRow(dynasty_id=row.id, position=position, player_id=member.id))
            session.flush()
            return load_dynasties(session, [row])[0]

    def open(self, dynasty_id: str) -> SavedDynasty:
        """Return one Dynasty with its games."""
        with self._database.reading() as session:
            row = session.get(DynastyRow, checked_id(dynasty_id, "Dynasty"))
            if row is None:
                raise NotFound("There is no such Dynasty.")
            return load_dynasties(session, [row])[0]

    def all(self, *, abandoned: bool = False) -> tuple[SavedDynasty, ...]:
        """Return the Dynasties that were not abandoned (or all of them), the newest first."""
        query = select(DynastyRow).order_by(DynastyRow.created_at.desc(), DynastyRow.id)
        if not abandoned:
            query = query.where(DynastyRow.abandoned_at.is_(None))
        with self._database.reading() as session:
            return load_dynasties(session, session.scalars(query).all())

    def rename(self, dynasty_id: str, name: str) -> SavedDynasty:
        """Give a Dynasty another name."""
        title = clean_name(name, "The name of a Dynasty")
        with self._database.writing() as session:
            row = locked_dynasty(session, dynasty_id)
            row.name = title
            return _changed(session, row)

    def abandon(self, dynasty_id: str) -> SavedDynasty:
        """Play a Dynasty no further; its games stay, and it can be resumed."""
        with self._database.writing() as session:
            row = locked_dynasty(session, dynasty_id)
            row.abandoned_at = row.abandoned_at or now()
            return _changed(session, row)

    def resume(self, dynasty_id: str) -> SavedDynasty:
        """Go on with an abandoned Dynasty."""
        with self._database.writing() as session:
            row = locked_dynasty(session, dynasty_id)
            row.abandoned_at = None
            return _changed(session, row)

    def add_game(self, dynasty_id: str, game_id: str) -> SavedDynasty:
        """Let a stored game take the next free slot."""
        with self._database.writing() as session:
            game = locked_game(session, game_id)
            if game.deleted_at is not None:
                raise NotFound("This game was deleted; bring it back first.")
            if game.dynasty_id is not None:
                raise StoreError("This game belongs to a Dynasty already.")
            seats = select(PlayerRow).join(SeatRow, SeatRow.player_id == PlayerRow.id)
            players = session.scalars(seats.where(SeatRow.game_id == game.id).order_by(SeatRow.position)).all()
            game.slot = take_slot(session, dynasty_id, players)
            game.dynasty_id = checked_id(dynasty_id, "Dynasty")
            _edited(game)
            return load_dynasties(session, [locked_dynasty(session, dynasty_id)])[0]

    def remove_game(self, game_id: str) -> None:
        """Take a game out of its Dynasty; it stays in the history."""
        with self._database.writing() as session:
            game = locked_game(session, game_id)
            game.dynasty_id = game.slot = None
            _edited(game)


def _edited(game: GameRow) -> None:
    game.version += 1
    game.changed_at = now()


def _changed(session: Session, row: DynastyRow) -> SavedDynasty:
    row.version += 1
    row.changed_at = now()
    session.flush()
    return load_dynasties(session, [row])[0]


def load_dynasties(session: Session, rows: Sequence[DynastyRow]) -> tuple[SavedDynasty, ...]:
    """Return Dynasties with their players and games."""
    ids = [row.id for row in rows]
    session.flush()
    of_players = (
        select(DynastyPlayerRow.dynasty_id, PlayerRow)
        .join(PlayerRow, PlayerRow.id == DynastyPlayerRow.player_id)
        .where(DynastyPlayerRow.dynasty_id.in_(ids))
        .order_by(DynastyPlayerRow.position)
    )
    players: defaultdict[str, list[SavedPlayer]] = defaultdict(list)
    for dynasty_id, player in session.execute(of_players):
        players[dynasty_id].append(saved_player(player))
    of_games = select(GameRow).where(GameRow.dynasty_id.in_(ids), GameRow.deleted_at.is_(None))
    names = {row.id: row.name for row in rows}
    games = [(game, names[str(game.dynasty_id)]) for game in session.scalars(of_games)]
    taken: dict[tuple[str, int], GameLine] = {}
    for line in lines_of(session, games):
        if line.dynasty is not None:
            taken[line.dynasty.id, line.dynasty.slot] = line
    return tuple(_saved_dynasty(row, tuple(players[row.id]), taken) for row in rows)


def _saved_dynasty(
    row: DynastyRow, players: tuple[SavedPlayer, ...], taken: dict[tuple[str, int], GameLine]
) -> SavedDynasty:
    first, second, third = (taken.get((row.id, slot)) for slot in SLOTS)
    return SavedDynasty(
        id=row.id,
        name=row.name,
        players=players,
        slots=(first, second, third),
        abandoned=row.abandoned_at is not None,
        created_at=row.created_at,
        changed_at=row.changed_at,
    )
