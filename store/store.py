"""The store as a whole: open it once, use its parts from any thread."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Final

from sqlalchemy import delete, or_, select
from sqlalchemy.engine import URL
from sqlalchemy.orm import Session

from store.database import Database, Settings
from store.drafts import Drafts
from store.dynasties import Dynasties
from store.exports import Exports
from store.games import Games
from store.imports import Imports
from store.limits import LIMITS
from store.location import database_url, described
from store.models import Base, DraftRow, DynastyPlayerRow, GameRow, PhotoRow, PlayerRow, SeatRow, TurnRow
from store.photos import Photos
from store.players import Players
from store.rows import batches, now
from store.seats import clear_seats
from store.statistics import Statistics
from store.upgrade import upgrade

_PHOTO_NAMES: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Purged:
    """How much was removed for good."""

    games: int
    drafts: int
    photos: int
    players: int


class Store:
    """Players, photos, games, drafts, Dynasties, statistics, files in and out. Threads may share it."""

    def __init__(self, database: Database, copy: Path | None = None) -> None:
        self._database = database
        #: The copy that was made of an older database before it was upgraded.
        self.copy = copy
        self.players = Players(database)
        self.photos = Photos(database)
        self.games = Games(database)
        self.drafts = Drafts(database)
        self.dynasties = Dynasties(database)
        self.statistics = Statistics(database)
        self.exports = Exports(database)
        self.imports = Imports(database)

    @property
    def where(self) -> str:
        """Where the records are, without a password."""
        return described(self._database.url)

    def purge(self, older_than: timedelta = LIMITS.kept) -> Purged:
        """Remove for good what was deleted or discarded that long ago, and photos and players nobody needs."""
        with self._database.writing() as session:
            purged = _purge(session, older_than)
        if any((purged.games, purged.drafts, purged.photos)):
            self._database.vacuum()
        return purged

    def erase(self) -> None:
        """Remove every record; nothing can be brought back."""
        with self._database.writing() as session:
            for table in reversed(Base.metadata.sorted_tables):
                session.execute(delete(table))
        self._database.vacuum()

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_store(where: str | Path | None = None, settings: Settings | None = None) -> Store:
    """Open the records, and make or upgrade them as needed.

    `where` is a database URL, or the path of a SQLite file; by default KINGDOMINO_DATABASE_URL, else a file in
    the user's data folder.
    """
    url: URL = database_url(where)
    settings = settings or Settings()
    copy = upgrade(url, settings)
    return Store(Database(url, settings), copy)


def _purge(session: Session, older_than: timedelta) -> Purged:
    moment = now()
    before = moment - older_than
    games = session.scalars(select(GameRow.id).where(GameRow.deleted_at <= before)).all()
    clear_seats(session, games)
    for batch in batches(games):
        session.execute(delete(GameRow).where(GameRow.id.in_(batch)))
    closed = or_(DraftRow.discarded_at <= before, DraftRow.finished_at <= before)
    drafts = session.scalars(delete(DraftRow).where(closed).returning(DraftRow.id)).all()
    photos = _unused_photos(session, moment - min(older_than, LIMITS.unused_photo))
    for batch in batches(photos):
        session.execute(delete(PhotoRow).where(PhotoRow.id.in_(batch)))
    used = select(SeatRow.player_id).union(select(DynastyPlayerRow.player_id))
    unused = delete(PlayerRow).where(PlayerRow.remembered.is_(False), PlayerRow.id.not_in(used))
    players = session.scalars(unused.returning(PlayerRow.id)).all()
    return Purged(len(games), len(drafts), len(photos), len(players))


def _unused_photos(session: Session, before: object) -> list[str]:
    """Return the photos that no seat, turn or draft names and that were not added just now."""
    columns = (SeatRow.photo_id, SeatRow.thumbnail_id, TurnRow.photo_id, TurnRow.thumbnail_id)
    query = select(PhotoRow.id).where(PhotoRow.added_at <= before)
    for column in columns:
        query = query.where(~select(column).where(column == PhotoRow.id).exists())
    candidates = set(session.scalars(query))
    # Only the pages know how a draft is built, so anything in it that looks like the name of a photo counts.
    for document in session.scalars(select(DraftRow.document)):
        candidates.difference_update(_PHOTO_NAMES.findall(document))
    return sorted(candidates)
