"""Players: a name each, the colour they took last, and whether they are still suggested."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.database import Database
from store.errors import NotFound, StoreError
from store.models import PlayerRow
from store.rows import checked_id, now, players_by_name, saved_player
from store.text import clean_colour, clean_name, name_key
from store.values import SavedPlayer


class Players:
    """The players of the store. Names differ in more than capitals."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, *, forgotten: bool = False) -> tuple[SavedPlayer, ...]:
        """Return the remembered players by name, or all of them."""
        query = select(PlayerRow).order_by(PlayerRow.key)
        if not forgotten:
            query = query.where(PlayerRow.remembered)
        with self._database.reading() as session:
            return tuple(saved_player(row) for row in session.scalars(query))

    def open(self, player_id: str) -> SavedPlayer:
        """Return one player."""
        with self._database.reading() as session:
            return saved_player(_found(session, player_id))

    def remember(self, name: str, colour: str | None = None) -> SavedPlayer:
        """Return the player of this name, a new one if there is none."""
        name, colour = clean_name(name, "The name of a player"), clean_colour(colour)
        with self._database.writing() as session:
            return saved_player(players_by_name(session, [name], [colour])[0])

    def edit(self, player_id: str, *, name: str | None = None, colour: str | None = None) -> SavedPlayer:
        """Give a player another name or colour; their games follow."""
        with self._database.writing() as session:
            row = _found(session, player_id, lock=True)
            if name is not None:
                row.name = clean_name(name, "The name of a player")
                row.key = name_key(row.name)
                taken = select(PlayerRow.id).where(PlayerRow.key == row.key, PlayerRow.id != row.id)
                with session.no_autoflush:
                    if session.scalar(taken):
                        raise StoreError(f"There is another player called {row.name}.")
            row.colour = clean_colour(colour) or row.colour
            row.changed_at = now()
            return saved_player(row)

    def forget(self, player_id: str) -> None:
        """Suggest a player no longer; their games stay, and their next game brings them back."""
        with self._database.writing() as session:
            row = _found(session, player_id, lock=True)
            row.remembered = False
            row.changed_at = now()


def _found(session: Session, player_id: str, *, lock: bool = False) -> PlayerRow:
    row = session.get(PlayerRow, checked_id(player_id, "player"), with_for_update=lock)
    if row is None:
        raise NotFound("There is no such player.")
    return row
