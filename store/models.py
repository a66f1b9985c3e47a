"""The tables. Kingdoms are kept as notation and every total is worked out from it: no points are stored here.

What the tables hold is checked before it gets here (`store.values`); migrations make them (`store/migrations`).
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    CheckConstraint,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

ID = 36
SHA256 = 64


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, in UTC on every database; SQLite itself would forget the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC; SQLite gets it without a zone, so that texts sort like moments."""
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the moment back in UTC, whatever zone the connection is set to."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """All tables, with names for every constraint so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: UtcDateTime}


class PlayerRow(Base):
    """A person who plays, known by name; `key` is the name without regard to capitals."""

    __tablename__ = "players"
    id: Mapped[str] = mapped_column(String(ID), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    key: Mapped[str] = mapped_column(String(240), unique=True)
    colour: Mapped[str | None] = mapped_column(String(10))
    remembered: Mapped[bool]
    created_at: Mapped[datetime]
    changed_at: Mapped[datetime]


class PhotoRow(Base):
    """The bytes of a photo under their SHA-256, so that one photo is kept once however often it is used."""

    __tablename__ = "photos"
    id: Mapped[str] = mapped_column(String(SHA256), primary_key=True)
    media_type: Mapped[str] = mapped_column(String(20))
    size: Mapped[int]
    data: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    added_at: Mapped[datetime]


class DynastyRow(Base):
    """Three games by the same players."""

    __tablename__ = "dynasties"
    id: Mapped[str] = mapped_column(String(ID), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    abandoned_at: Mapped[datetime | None]
    version: Mapped[int]
    created_at: Mapped[datetime]
    changed_at: Mapped[datetime]


class DynastyPlayerRow(Base):
    """One of the players of a Dynasty."""

    __tablename__ = "dynasty_players"
    dynasty_id: Mapped[str] = mapped_column(ForeignKey("dynasties.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"), index=True)
    __table_args__ = (UniqueConstraint("dynasty_id", "player_id"),)


class GameRow(Base):
    """A finished game: when, under which rules, in which Dynasty. Deleted ones stay until they are purged."""

    __tablename__ = "games"
    id: Mapped[str] = mapped_column(String(ID), primary_key=True)
    played_at: Mapped[datetime]
    note: Mapped[str] = mapped_column(Text)
    size: Mapped[int]
    edition: Mapped[str] = mapped_column(String(20))
    middle_kingdom: Mapped[bool]
    harmony: Mapped[bool]
    dynasty_id: Mapped[str | None] = mapped_column(ForeignKey("dynasties.id"))
    slot: Mapped[int | None]
    version: Mapped[int]
    created_at: Mapped[datetime]
    changed_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None]
    __table_args__ = (
        CheckConstraint("(dynasty_id IS NULL) = (slot IS NULL)", name="slot_of_a_dynasty"),
        CheckConstraint("slot BETWEEN 1 AND 3", name="three_slots"),
        Index("ix_games_newest", "played_at", "created_at", "id"),
        # A deleted game no longer takes up its slot.
        Index(
            "uq_games_dynasty_id_slot",
            "dynasty_id",
            "slot",
            unique=True,
            sqlite_where=text("deleted_at IS NULL"),
            postgresql_where=text("deleted_at IS NULL"),
        ),
    )


class ReadingColumns:
    """What is kept of one look at one kingdom; seats and turns share it."""

    kingdom: Mapped[str] = mapped_column(Text)
    recognised: Mapped[str | None] = mapped_column(Text)
    corrections: Mapped[str] = mapped_column(Text)
    model_version: Mapped[str | None] = mapped_column(String(120))
    photo_id: Mapped[str | None] = mapped_column(ForeignKey("photos.id"), index=True)
    thumbnail_id: Mapped[str | None] = mapped_column(ForeignKey("photos.id"), index=True)
    corners: Mapped[str | None] = mapped_column(Text)


class SeatRow(ReadingColumns, Base):
    """A player's final kingdom in a game."""

    __tablename__ = "seats"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[str] = mapped_column(ForeignKey("players.id"), index=True)
    colour: Mapped[str | None] = mapped_column(String(10))
    __table_args__ = (UniqueConstraint("game_id", "player_id"),)


class TurnRow(ReadingColumns, Base):
    """A player's kingdom after one of the turns, in the order in which they were photographed."""

    __tablename__ = "turns"
    game_id: Mapped[str] = mapped_column(String(ID), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    taken_at: Mapped[datetime | None]
    discarded: Mapped[int | None]
    __table_args__ = (
        ForeignKeyConstraint(["game_id", "position"], ["seats.game_id", "seats.position"], ondelete="CASCADE"),
    )


class DraftRow(Base):
    """What is being entered, as a JSON document that the pages understand; `version` counts the saves."""

    __tablename__ = "drafts"
    id: Mapped[str] = mapped_column(String(ID), primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    document: Mapped[str] = mapped_column(Text)
    version: Mapped[int]
    # The game that this draft edits, and its version when the edit began.
    edits_game: Mapped[str | None] = mapped_column(String(ID))
    edits_version: Mapped[int | None]
    created_at: Mapped[datetime]
    changed_at: Mapped[datetime]
    discarded_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    finished_game: Mapped[str | None] = mapped_column(String(ID))
    __table_args__ = (Index("ix_drafts_changed_at", "changed_at"),)
