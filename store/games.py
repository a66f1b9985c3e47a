"""Finished games: add, open, edit, delete, bring back. Lists of games are made in `store.history`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from store.database import Database
from store.errors import GameConflict, NotFound
from store.history import GameFilter, game_lines, page_of
from store.limits import LIMITS
from store.models import GameRow, PlayerRow
from store.rows import check_photos, checked_id, new_id, now, players_by_name
from store.seats import clear_seats, load_game, readings_of, write_seats
from store.slots import check_members, free_slot, locked_dynasty, take_slot
from store.values import GameEntry, GameLine, GamePage, SavedGame


class Games:
    """The finished games of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, entry: GameEntry) -> SavedGame:
        """Store a game that was not entered as a draft."""
        with self._database.writing() as session:
            return insert_game(session, entry, new_id())

    def open(self, game_id: str) -> SavedGame:
        """Return a game in full; a deleted one too, until it is purged."""
        with self._database.reading() as session:
            return load_game(session, game_id)

    def edit(self, game_id: str, entry: GameEntry, expected_version: int) -> SavedGame:
        """Put an edited game in place of the one of that version; raise GameConflict if it has another by now."""
        with self._database.writing() as session:
            return replace_game(session, game_id, entry, expected_version)

    def delete(self, game_id: str) -> None:
        """Take a game out of the history; `restore` brings it back until it is purged."""
        with self._database.writing() as session:
            row = locked_game(session, game_id)
            row.deleted_at = row.deleted_at or now()

    def restore(self, game_id: str) -> SavedGame:
        """Undo a deletion. If its slot of the Dynasty was taken meanwhile it gets a free one, or else none."""
        with self._database.writing() as session:
            row = locked_game(session, game_id)
            if row.deleted_at is not None:
                bring_back(session, row)
            return load_game(session, row.id)

    def deleted(self) -> tuple[GameLine, ...]:
        """Return the games that can be brought back, the last deleted first."""
        with self._database.reading() as session:
            return game_lines(session, GameFilter(deleted=True), limit=LIMITS.page)

    def page(
        self, page: int = 1, per_page: int = 20, *, players: Sequence[str] = (), dynasty: str | None = None
    ) -> GamePage:
        """Return a page of the history, newest first: only games in which all of `players` (ids) took part."""
        with self._database.reading() as session:
            return page_of(session, GameFilter(players=tuple(players), dynasty=dynasty), page, per_page)


def locked_game(session: Session, game_id: str) -> GameRow:
    """Return the row of a game, which nobody else can change until the transaction ends."""
    row = session.get(GameRow, checked_id(game_id, "game"), with_for_update=True)
    if row is None:
        raise NotFound("There is no such game.")
    return row


def insert_game(session: Session, entry: GameEntry, game_id: str) -> SavedGame:
    """Store a new game under an id."""
    moment = now()
    players = _players(session, entry)
    slot = take_slot(session, entry.dynasty, players) if entry.dynasty is not None else None
    row = GameRow(id=game_id, version=1, created_at=moment, deleted_at=None)
    _fill(row, entry, slot, moment)
    row.played_at = entry.played_at or moment
    session.add(row)
    session.flush()
    write_seats(session, [(game_id, entry.seats, [player.id for player in players])])
    return load_game(session, game_id)


def replace_game(session: Session, game_id: str, entry: GameEntry, expected_version: int) -> SavedGame:
    """Edit a game that is still at the expected version."""
    row = locked_game(session, game_id)
    if row.deleted_at is not None:
        raise NotFound("This game was deleted; bring it back to edit it.")
    if row.version != expected_version:
        raise GameConflict(load_game(session, row.id))
    players = _players(session, entry)
    slot = None
    if entry.dynasty is not None and checked_id(entry.dynasty, "Dynasty") == row.dynasty_id:
        check_members(session, row.dynasty_id, players)
        slot = row.slot
    elif entry.dynasty is not None:
        slot = take_slot(session, entry.dynasty, players)
    _fill(row, entry, slot, now())
    row.played_at = entry.played_at or row.played_at
    row.version += 1
    session.flush()
    clear_seats(session, [row.id])
    write_seats(session, [(row.id, entry.seats, [player.id for player in players])])
    return load_game(session, row.id)


def bring_back(session: Session, row: GameRow) -> None:
    """Make a deleted game one of the history again."""
    if row.dynasty_id is not None:
        locked_dynasty(session, row.dynasty_id)
        row.slot = free_slot(session, row.dynasty_id, wanted=row.slot)
        row.dynasty_id = row.dynasty_id if row.slot is not None else None
    row.deleted_at = None
    session.flush()


def _players(session: Session, entry: GameEntry) -> list[PlayerRow]:
    check_photos(session, readings_of(entry.seats))
    return players_by_name(session, [seat.player for seat in entry.seats], [seat.colour for seat in entry.seats])


def _fill(row: GameRow, entry: GameEntry, slot: int | None, moment: datetime) -> None:
    row.note = entry.note
    row.size = entry.rules.size
    row.edition = entry.rules.edition.value
    row.middle_kingdom = entry.rules.middle_kingdom
    row.harmony = entry.rules.harmony
    row.dynasty_id = checked_id(entry.dynasty, "Dynasty") if entry.dynasty is not None else None
    row.slot = slot
    row.changed_at = moment
