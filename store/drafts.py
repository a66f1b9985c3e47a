"""Drafts: what is being entered, saved as it happens. Nobody's save is overwritten without their knowing.

A draft is a JSON object that only the pages understand. Every save names the version it started from; if
another phone or tab saved meanwhile the save is refused and what they saved comes back with the error.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from store.database import Database
from store.errors import DraftClosed, DraftConflict, NotFound, StoreError
from store.games import insert_game, locked_game, replace_game
from store.limits import LIMITS
from store.models import DraftRow, GameRow
from store.rows import checked_id, new_id, now
from store.seats import load_game
from store.text import clean_name
from store.values import GameEntry, JsonObject, SavedDraft, SavedGame

_KIND_LETTERS = 20


class Drafts:
    """The drafts of the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, document: JsonObject, *, kind: str = "game", edits: str | None = None) -> SavedDraft:
        """Begin a draft; `edits` is the id of the game that it edits, if it is no new one."""
        text = packed(document)
        moment = now()
        row = DraftRow(
            id=new_id(),
            kind=clean_kind(kind),
            document=text,
            version=1,
            created_at=moment,
            changed_at=moment,
        )
        with self._database.writing() as session:
            if edits is not None:
                game = locked_game(session, edits)
                row.edits_game, row.edits_version = game.id, game.version
            session.add(row)
            session.flush()
            return saved_draft(row)

    def open(self, draft_id: str) -> SavedDraft:
        """Return a draft; a discarded or finished one too, until it is purged."""
        with self._database.reading() as session:
            return saved_draft(_found(session, draft_id))

    def all(self, *, kind: str | None = None, discarded: bool = False) -> tuple[SavedDraft, ...]:
        """Return the open drafts, or the discarded ones, the last changed first."""
        query = select(DraftRow).where(DraftRow.finished_at.is_(None)).order_by(DraftRow.changed_at.desc(), DraftRow.id)
        query = query.where(DraftRow.discarded_at.is_not(None) if discarded else DraftRow.discarded_at.is_(None))
        if kind is not None:
            query = query.where(DraftRow.kind == kind)
        with self._database.reading() as session:
            return tuple(saved_draft(row) for row in session.scalars(query))

    def save(self, draft_id: str, document: JsonObject, expected_version: int) -> int:
        """Save a draft that is still at the expected version and return its new version.

        Raises DraftConflict, with what the other one saved, if it is not; DraftClosed if it was finished or
        discarded. Saving once more what is already saved changes nothing.
        """
        text = packed(document)
        name = checked_id(draft_id, "draft")
        unchanged = (
            DraftRow.id == name,
            DraftRow.version == expected_version,
            DraftRow.finished_at.is_(None),
            DraftRow.discarded_at.is_(None),
        )
        change = (
            update(DraftRow).where(*unchanged).values(document=text, version=expected_version + 1, changed_at=now())
        )
        with self._database.writing() as session:
            saved = session.execute(change.returning(DraftRow.version)).scalar()
            if saved is not None:
                return saved
            row = _found(session, name)
            _check_open(row)
            if row.document == text:
                return row.version
            raise DraftConflict(row.version, unpacked(row.document))

    def discard(self, draft_id: str) -> None:
        """Throw a draft away; `restore` brings it back until it is purged."""
        with self._database.writing() as session:
            row = _found(session, draft_id, lock=True)
            if row.finished_at is not None:
                raise DraftClosed(row.finished_game)
            row.discarded_at = row.discarded_at or now()

    def restore(self, draft_id: str) -> SavedDraft:
        """Undo a discarding."""
        with self._database.writing() as session:
            row = _found(session, draft_id, lock=True)
            row.discarded_at = None
            return saved_draft(row)

    def finish(self, draft_id: str, entry: GameEntry, expected_version: int) -> SavedGame:
        """Make the draft a game (or the edit of one) in one transaction; a second tap gives the same game.

        Raises DraftConflict or DraftClosed like `save`, and GameConflict if the game that the draft edits
        was itself edited meanwhile.
        """
        with self._database.writing() as session:
            row = _found(session, draft_id, lock=True)
            if row.finished_game is not None and row.version == expected_version:
                return load_game(session, row.finished_game)
            _check_open(row)
            if row.version != expected_version:
                raise DraftConflict(row.version, unpacked(row.document))
            if row.edits_game is not None:
                game = replace_game(session, row.edits_game, entry, row.edits_version or 0)
            else:
                # The game takes over the id of the draft: not even the database would hold it twice.
                game = insert_game(session, entry, row.id)
            row.finished_at = now()
            row.finished_game = game.id
            return game

    def rebase(self, draft_id: str) -> SavedDraft:
        """After a GameConflict: let the draft edit the game as it is now."""
        with self._database.writing() as session:
            row = _found(session, draft_id, lock=True)
            _check_open(row)
            if row.edits_game is not None:
                row.edits_version = session.scalar(select(GameRow.version).where(GameRow.id == row.edits_game))
            return saved_draft(row)


def packed(document: JsonObject) -> str:
    """Return a document as JSON text in ASCII, which every database keeps as it is."""
    if not isinstance(document, Mapping):
        raise StoreError(f"A draft is a JSON object, not {type(document).__name__}.")
    try:
        text = json.dumps(document, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"This draft cannot be saved: {str(error)[:200]}.") from None
    if len(text) > LIMITS.draft:
        raise StoreError(f"A draft has at most {LIMITS.draft:,} letters, not {len(text):,}.")
    return text


def unpacked(text: str) -> JsonObject:
    """Return the document of a draft."""
    document: JsonObject = json.loads(text)
    return document


def clean_kind(kind: object) -> str:
    """Return what a draft is for: a short word."""
    word = clean_name(kind, "The kind of a draft")
    if len(word) > _KIND_LETTERS:
        raise StoreError(f"The kind of a draft has at most {_KIND_LETTERS} letters.")
    return word


def saved_draft(row: DraftRow) -> SavedDraft:
    """Return a row as a value."""
    return SavedDraft(
        id=row.id,
        kind=row.kind,
        document=unpacked(row.document),
        version=row.version,
        edits_game=row.edits_game,
        created_at=row.created_at,
        changed_at=row.changed_at,
        discarded_at=row.discarded_at,
        finished_game=row.finished_game,
    )


def _found(session: Session, draft_id: str, *, lock: bool = False) -> DraftRow:
    row = session.get(DraftRow, checked_id(draft_id, "draft"), with_for_update=lock)
    if row is None:
        raise NotFound("There is no such draft.")
    return row


def _check_open(row: DraftRow) -> None:
    if row.finished_at is not None:
        raise DraftClosed(row.finished_game)
    if row.discarded_at is not None:
        raise DraftClosed(None)
