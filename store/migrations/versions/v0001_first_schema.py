"""The first schema: players, photos, Dynasties, games, seats, turns, drafts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = sa.String(36)
_SHA256 = sa.String(64)
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "players",
        sa.Column("id", _ID, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("key", sa.String(240), nullable=False),
        sa.Column("colour", sa.String(10)),
        sa.Column("remembered", sa.Boolean(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("key", name="uq_players_key"),
    )
    op.create_table(
        "photos",
        sa.Column("id", _SHA256, nullable=False),
        sa.Column("media_type", sa.String(20), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("added_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_photos"),
    )
    _make_dynasties()
    _make_games()
    _make_seats_and_turns()
    op.create_table(
        "drafts",
        sa.Column("id", _ID, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("edits_game", _ID),
        sa.Column("edits_version", sa.Integer()),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
        sa.Column("discarded_at", _MOMENT),
        sa.Column("finished_at", _MOMENT),
        sa.Column("finished_game", _ID),
        sa.PrimaryKeyConstraint("id", name="pk_drafts"),
    )
    op.create_index("ix_drafts_changed_at", "drafts", ["changed_at"])


def _make_dynasties() -> None:
    op.create_table(
        "dynasties",
        sa.Column("id", _ID, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("abandoned_at", _MOMENT),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_dynasties"),
    )
    op.create_table(
        "dynasty_players",
        sa.Column("dynasty_id", _ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("player_id", _ID, nullable=False),
        sa.PrimaryKeyConstraint("dynasty_id", "position", name="pk_dynasty_players"),
        sa.UniqueConstraint("dynasty_id", "player_id", name="uq_dynasty_players_dynasty_id_player_id"),
        sa.ForeignKeyConstraint(
            ["dynasty_id"], ["dynasties.id"], name="fk_dynasty_players_dynasty_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_dynasty_players_player_id"),
    )
    op.create_index("ix_dynasty_players_player_id", "dynasty_players", ["player_id"])


def _make_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", _ID, nullable=False),
        sa.Column("played_at", _MOMENT, nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("edition", sa.String(20), nullable=False),
        sa.Column("middle_kingdom", sa.Boolean(), nullable=False),
        sa.Column("harmony", sa.Boolean(), nullable=False),
        sa.Column("dynasty_id", _ID),
        sa.Column("slot", sa.Integer()),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("changed_at", _MOMENT, nullable=False),
        sa.Column("deleted_at", _MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.ForeignKeyConstraint(["dynasty_id"], ["dynasties.id"], name="fk_games_dynasty_id"),
        sa.CheckConstraint("(dynasty_id IS NULL) = (slot IS NULL)", name="ck_games_slot_of_a_dynasty"),
        sa.CheckConstraint("slot BETWEEN 1 AND 3", name="ck_games_three_slots"),
    )
    op.create_index("ix_games_newest", "games", ["played_at", "created_at", "id"])
    op.create_index(
        "uq_games_dynasty_id_slot",
        "games",
        ["dynasty_id", "slot"],
        unique=True,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )


def _make_seats_and_turns() -> None:
    op.create_table(
        "seats",
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("player_id", _ID, nullable=False),
        sa.Column("colour", sa.String(10)),
        *_reading(),
        sa.PrimaryKeyConstraint("game_id", "position", name="pk_seats"),
        sa.UniqueConstraint("game_id", "player_id", name="uq_seats_game_id_player_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_seats_game_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name="fk_seats_player_id"),
        sa.ForeignKeyConstraint(["photo_id"], ["photos.id"], name="fk_seats_photo_id"),
        sa.ForeignKeyConstraint(["thumbnail_id"], ["photos.id"], name="fk_seats_thumbnail_id"),
    )
    op.create_table(
        "turns",
        sa.Column("game_id", _ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("taken_at", _MOMENT),
        sa.Column("discarded", sa.Integer()),
        *_reading(),
        sa.PrimaryKeyConstraint("game_id", "position", "number", name="pk_turns"),
        sa.ForeignKeyConstraint(
            ["game_id", "position"],
            ["seats.game_id", "seats.position"],
            name="fk_turns_game_id_position",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["photo_id"], ["photos.id"], name="fk_turns_photo_id"),
        sa.ForeignKeyConstraint(["thumbnail_id"], ["photos.id"], name="fk_turns_thumbnail_id"),
    )
    op.create_index("ix_seats_player_id", "seats", ["player_id"])
    for table in ("seats", "turns"):
        for column in ("photo_id", "thumbnail_id"):
            op.create_index(f"ix_{table}_{column}", table, [column])


def _reading() -> tuple[sa.Column[str], ...]:
    return (
        sa.Column("kingdom", sa.Text(), nullable=False),
        sa.Column("recognised", sa.Text()),
        sa.Column("corrections", sa.Text(), nullable=False),
        sa.Column("model_version", sa.String(120)),
        sa.Column("photo_id", _SHA256),
        sa.Column("thumbnail_id", _SHA256),
        sa.Column("corners", sa.Text()),
    )


def downgrade() -> None:
    """Refuse: going back would lose the records."""
    raise NotImplementedError("A database is not taken back to an older version; use the copy made before the upgrade.")
