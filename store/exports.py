"""Everything as a file: JSON that can be imported again, and CSV with one row a seat for a spreadsheet."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine import Terrain
from store.database import Database
from store.documents import FORMAT, VERSION, game_to, player_to
from store.drafts import unpacked
from store.errors import StoreError
from store.limits import LIMITS
from store.models import DraftRow, DynastyPlayerRow, DynastyRow, GameRow, PhotoRow, PlayerRow
from store.rows import batches, now, saved_player
from store.seats import load_games
from store.values import JsonObject, SavedGame

# A spreadsheet takes a cell that begins like this for a formula, also after blanks and in wide letters.
_FORMULA: Final = tuple("=+-@\t\r\n＝＋－＠")
_BYTES_AT_ONCE: Final = 8_000_000
_PHOTOS_AT_ONCE: Final = 500
_HEADINGS: Final = (
    "game",
    "played_at",
    "note",
    "size",
    "edition",
    "dynasty",
    "slot",
    "seat",
    "player",
    "colour",
    "place",
    "total",
    "points",
    "middle_kingdom",
    "harmony",
    *(terrain.value for terrain in Terrain),
    "kingdom",
    "recognised",
    "corrections",
    "model_version",
    "photo",
)


class Exports:
    """The store as files. What was deleted or discarded is left out."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def json(self, *, photos: bool = True) -> bytes:
        """Return everything as JSON, with or without the photos."""
        stream = io.BytesIO()
        self.write_json(stream, photos=photos)
        return stream.getvalue()

    def write_json(self, stream: BinaryIO, *, photos: bool = True) -> None:
        """Write everything as JSON, one record a line, photo by photo, so that not all is in memory at once."""
        with self._database.reading() as session:
            written = 0
            for piece in _pieces(session, photos):
                written += len(piece)
                if written > LIMITS.file:
                    raise StoreError(
                        f"Everything together makes more than {LIMITS.file // 1_000_000} MB, too much to import again. "
                        "Export without photos, and keep a copy of the database."
                    )
                stream.write(piece)

    def csv(self) -> bytes:
        """Return all games as CSV for a spreadsheet: UTF-8 with its mark, one row a seat, newest game first."""
        stream = io.StringIO()
        writer = csv.writer(stream)
        writer.writerow(_HEADINGS)
        with self._database.reading() as session:
            for game in _games(session, newest_first=True):
                writer.writerows([[_cell(value) for value in row] for row in _seats(game)])
        return stream.getvalue().encode("utf-8-sig")


def _pieces(session: Session, photos: bool) -> Iterator[bytes]:
    header = {"format": FORMAT, "version": VERSION, "exported_at": now().isoformat()}
    yield json.dumps(header).removesuffix("}").encode()
    yield from _list("players", (player_to(saved_player(row)) for row in _all_players(session)))
    yield from _list("dynasties", _dynasties(session))
    yield from _list("games", (game_to(game) for game in _games(session)))
    yield from _list("drafts", _drafts(session))
    if photos:
        yield from _list("photos", _photos(session))
    else:
        yield b',\n"photos": null'
    yield b"\n}\n"


def _list(name: str, records: Iterable[JsonObject]) -> Iterator[bytes]:
    yield f',\n"{name}": ['.encode()
    for number, record in enumerate(records):
        yield (",\n" if number else "\n").encode() + json.dumps(record).encode()
    yield b"\n]"


def _all_players(session: Session) -> Iterable[PlayerRow]:
    return session.scalars(select(PlayerRow).order_by(PlayerRow.created_at, PlayerRow.id))


def _games(session: Session, *, newest_first: bool = False) -> Iterator[SavedGame]:
    order = (GameRow.played_at, GameRow.created_at, GameRow.id)
    query = select(GameRow.id).where(GameRow.deleted_at.is_(None))
    query = query.order_by(*(column.desc() for column in order) if newest_first else order)
    for batch in batches(session.scalars(query).all()):
        yield from load_games(session, batch)
        session.expunge_all()


def _dynasties(session: Session) -> Iterator[JsonObject]:
    members: dict[str, list[str]] = {}
    for member in session.scalars(select(DynastyPlayerRow).order_by(DynastyPlayerRow.position)):
        members.setdefault(member.dynasty_id, []).append(member.player_id)
    for row in session.scalars(select(DynastyRow).order_by(DynastyRow.created_at, DynastyRow.id)):
        yield {
            "id": row.id,
            "name": row.name,
            "players": members.get(row.id, []),
            "abandoned_at": None if row.abandoned_at is None else row.abandoned_at.isoformat(),
            "version": row.version,
            "created_at": row.created_at.isoformat(),
            "changed_at": row.changed_at.isoformat(),
        }


def _drafts(session: Session) -> Iterator[JsonObject]:
    query = select(DraftRow).where(DraftRow.finished_at.is_(None), DraftRow.discarded_at.is_(None))
    for row in session.scalars(query.order_by(DraftRow.created_at, DraftRow.id)):
        yield {
            "id": row.id,
            "kind": row.kind,
            "document": unpacked(row.document),
            "version": row.version,
            "edits_game": row.edits_game,
            "edits_version": row.edits_version,
            "created_at": row.created_at.isoformat(),
            "changed_at": row.changed_at.isoformat(),
        }


def _photos(session: Session) -> Iterator[JsonObject]:
    sizes = session.execute(select(PhotoRow.id, PhotoRow.size).order_by(PhotoRow.id)).all()
    for names in _handfuls((name, size) for name, size in sizes):
        query = select(PhotoRow.id, PhotoRow.data).where(PhotoRow.id.in_(names)).order_by(PhotoRow.id)
        for name, data in session.execute(query):
            yield {"id": name, "data": base64.b64encode(data).decode()}


def _handfuls(sizes: Iterable[tuple[str, int]]) -> Iterator[list[str]]:
    """Put photos together that are read at once, so that neither their number nor their bytes get out of hand."""
    names: list[str] = []
    held = 0
    for name, size in sizes:
        if names and (held + size > _BYTES_AT_ONCE or len(names) == _PHOTOS_AT_ONCE):
            yield names
            names, held = [], 0
        names.append(name)
        held += size
    if names:
        yield names


def _seats(game: SavedGame) -> Iterator[tuple[object, ...]]:
    result = game.result
    for number, (seat, tally, place) in enumerate(zip(game.seats, result.seats, result.places, strict=True), start=1):
        yield (
            game.id,
            game.played_at.isoformat(),
            game.note,
            game.rules.size,
            game.rules.edition.value,
            game.dynasty.name if game.dynasty else "",
            game.dynasty.slot if game.dynasty else "",
            number,
            seat.player.name,
            seat.colour or "",
            place,
            tally.total,
            tally.points,
            tally.middle_kingdom,
            tally.harmony,
            *tally.terrains,
            seat.reading.kingdom,
            seat.reading.recognised or "",
            len(seat.reading.corrections),
            seat.reading.model_version or "",
            seat.reading.photo or "",
        )


def _cell(value: object) -> object:
    """Return a cell that no spreadsheet runs: text that looks like a formula gets an apostrophe in front."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return f"'{value}"
    return value
