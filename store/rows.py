"""From rows to values and back: what the parts of the store share. Transactions are opened by their callers."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final, TypeVar

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from engine import Rules
from store.errors import NotFound, StoreError
from store.models import GameRow, PhotoRow, PlayerRow, ReadingColumns
from store.text import name_key
from store.values import Correction, Reading, SavedPlayer, as_store_error

# Rows that one statement names; SQLite and PostgreSQL both take tens of thousands of values.
_MANY: Final = 500
_Item = TypeVar("_Item")


def new_id() -> str:
    """Return an id that no other record has, on any computer."""
    return str(uuid.uuid4())


def now() -> datetime:
    """Return this moment."""
    return datetime.now(UTC)


def checked_id(value: object, what: str) -> str:
    """Return an id in its usual spelling; what is no id names nothing that is stored."""
    try:
        return str(uuid.UUID(value if isinstance(value, str) else ""))
    except ValueError:
        raise NotFound(f"There is no such {what}.") from None


def batches(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    """Cut a long list into what one statement can name."""
    iterator = iter(items)
    while batch := list(islice(iterator, _MANY)):
        yield batch


def saved_player(row: PlayerRow) -> SavedPlayer:
    """Return a row as a value."""
    return SavedPlayer(row.id, row.name, row.colour, row.remembered, row.created_at, row.changed_at)


def players_by_name(session: Session, names: Sequence[str], colours: Sequence[str | None]) -> list[PlayerRow]:
    """Return the players of these names, new ones where there are none; their colours are remembered."""
    keys = [name_key(name) for name in names]
    found = {row.key: row for row in session.scalars(select(PlayerRow).where(PlayerRow.key.in_(keys)))}
    # Always in the same order, so that two transactions never wait for each other.
    for key, name in sorted(zip(keys, names, strict=True)):
        if key not in found:
            found[key] = _new_player(session, key, name)
    for key, colour in sorted(zip(keys, colours, strict=True), key=lambda pair: pair[0]):
        row = found[key]
        if not row.remembered or (colour is not None and row.colour != colour):
            row.remembered = True
            row.colour = colour or row.colour
            row.changed_at = now()
    return [found[key] for key in keys]


def _new_player(session: Session, key: str, name: str) -> PlayerRow:
    moment = now()
    row = PlayerRow(id=new_id(), name=name, key=key, colour=None, remembered=True, created_at=moment, changed_at=moment)
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        # Another process was faster with the same name.
        return session.scalars(select(PlayerRow).where(PlayerRow.key == key)).one()
    return row


def rules_of(row: GameRow, players: int) -> Rules:
    """Return the rules of a game."""
    return as_store_error(
        lambda: Rules(row.size, players, row.edition, row.middle_kingdom, row.harmony)  # type: ignore[arg-type]
    )


def reading_of(row: ReadingColumns) -> Reading:
    """Return what a seat or a turn keeps of its kingdom."""
    return Reading(
        kingdom=row.kingdom,
        recognised=row.recognised,
        corrections=corrections_from(json.loads(row.corrections)),
        model_version=row.model_version,
        photo=row.photo_id,
        thumbnail=row.thumbnail_id,
        corners=None if row.corners is None else json.loads(row.corners),
    )


def reading_columns(reading: Reading) -> dict[str, str | None]:
    """Return the columns that hold a reading."""
    return {
        "kingdom": reading.kingdom,
        "recognised": reading.recognised,
        "corrections": json.dumps(corrections_to(reading.corrections), separators=(",", ":")),
        "model_version": reading.model_version,
        "photo_id": reading.photo,
        "thumbnail_id": reading.thumbnail,
        "corners": None if reading.corners is None else json.dumps(reading.corners),
    }


def corrections_to(corrections: Iterable[Correction]) -> list[list[Any]]:
    """Return corrections as JSON: [[row, column, was, now], …]."""
    return [[each.row, each.column, each.was, each.now] for each in corrections]


def corrections_from(document: object) -> tuple[Correction, ...]:
    """Read corrections from JSON."""
    if not isinstance(document, list):
        raise StoreError("Corrections are a list of [row, column, was, now].")
    found = []
    for each in document:
        if not isinstance(each, list) or len(each) != 4:
            raise StoreError(f"A correction is [row, column, was, now], not {str(each)[:60]}.")
        found.append(Correction(*each))
    return tuple(found)


def check_photos(session: Session, readings: Iterable[Reading]) -> None:
    """Refuse readings that name photos which are not stored."""
    named = sorted({name for each in readings for name in (each.photo, each.thumbnail) if name is not None})
    for batch in batches(named):
        stored = set(session.scalars(select(PhotoRow.id).where(PhotoRow.id.in_(batch))))
        missing = [name for name in batch if name not in stored]
        if missing:
            raise StoreError(f"The photo {missing[0][:12]}… is not stored; add it before the kingdom that it shows.")
