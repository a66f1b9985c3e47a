"""The three slots of a Dynasty: who may fill them and which is free. Callers hold the transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from store.errors import NotFound, StoreError
from store.models import DynastyPlayerRow, DynastyRow, GameRow, PlayerRow
from store.rows import checked_id

SLOTS: Final = (1, 2, 3)


def locked_dynasty(session: Session, dynasty_id: str) -> DynastyRow:
    """Return the row of a Dynasty, which nobody else can change until the transaction ends."""
    row = session.get(DynastyRow, checked_id(dynasty_id, "Dynasty"), with_for_update=True)
    if row is None:
        raise NotFound("There is no such Dynasty.")
    return row


def check_members(session: Session, dynasty_id: str, players: Sequence[PlayerRow]) -> None:
    """Refuse a game of other players than those of the Dynasty."""
    query = (
        select(PlayerRow)
        .join(DynastyPlayerRow, DynastyPlayerRow.player_id == PlayerRow.id)
        .where(DynastyPlayerRow.dynasty_id == dynasty_id)
        .order_by(DynastyPlayerRow.position)
    )
    members = session.scalars(query).all()
    if {member.id for member in members} != {player.id for player in players}:
        raise StoreError(
            f"A Dynasty is played by the same players throughout: {_listed(members)}. "
            f"This game was played by {_listed(players)}."
        )


def take_slot(session: Session, dynasty_id: str, players: Sequence[PlayerRow]) -> int:
    """Return the next free slot for a game of these players."""
    row = locked_dynasty(session, dynasty_id)
    if row.abandoned_at is not None:
        raise StoreError(f"The Dynasty {row.name} was abandoned; resume it to add a game.")
    check_members(session, row.id, players)
    slot = free_slot(session, row.id)
    if slot is None:
        raise StoreError(f"The Dynasty {row.name} is complete: its {len(SLOTS)} games have been played.")
    return slot


def free_slot(session: Session, dynasty_id: str, wanted: int | None = None) -> int | None:
    """Return the wanted slot if it is free, else the first free one, else None."""
    session.flush()
    query = select(GameRow.slot).where(GameRow.dynasty_id == dynasty_id, GameRow.deleted_at.is_(None))
    taken = set(session.scalars(query))
    if wanted in SLOTS and wanted not in taken:
        return wanted
    return next((slot for slot in SLOTS if slot not in taken), None)


def _listed(players: Sequence[PlayerRow]) -> str:
    names = [player.name for player in players]
    return f"{', '.join(names[:-1])} and {names[-1]}"
