"""Reads an exported file back: all of it or nothing. What is done with the records is in `store.merge`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Callable
from typing import Any, BinaryIO, Final, TypeVar

from store.database import Database
from store.documents import (
    FORMAT,
    VERSION,
    Contents,
    draft_from,
    dynasty_from,
    fields,
    game_from,
    items,
    once,
    player_from,
)
from store.errors import StoreError
from store.limits import LIMITS
from store.merge import ImportReport, merge
from store.photos import check_photo
from store.seats import readings_of
from store.text import name_key
from store.values import SavedPhoto, clean_photo_id

_KEYS: Final = ("format", "version", "players", "dynasties", "games", "drafts", "photos")
_Record = TypeVar("_Record")


class Imports:
    """Files into the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def json(self, data: bytes | BinaryIO) -> ImportReport:
        """Import an exported JSON file, given as bytes or as an open binary file, and say what became of it.

        Raises StoreError, and changes nothing, if the file is not in order throughout.
        """
        contents = read_file(data if isinstance(data, bytes) else data.read(LIMITS.file + 1))
        with self._database.writing() as session:
            return merge(session, contents)


def read_file(data: bytes) -> Contents:
    """Read and check a whole file; the database is not needed for it."""
    document = fields(_parsed(data), "an exported file", _KEYS)
    if document["format"] != FORMAT:
        raise StoreError("This is a JSON file, but not one that this program has exported.")
    version = document["version"]
    if version != VERSION or isinstance(version, bool):
        raise StoreError(f"This file has version {str(version)[:20]} of the format; this program reads {VERSION}.")
    players = _records(document, "players", player_from)
    once((player.id for player in players), "the player")
    once((name_key(player.name) for player in players), "the name")
    names = {player.id: player.name for player in players}
    dynasties = _records(document, "dynasties", dynasty_from)
    once((dynasty.id for dynasty in dynasties), "the Dynasty")
    games = _records(document, "games", lambda value: game_from(value, names))
    once((game.id for game in games), "the game")
    drafts = _records(document, "drafts", draft_from)
    once((draft.id for draft in drafts), "the draft")
    photos = None if document["photos"] is None else _records(document, "photos", _photo_from)
    if photos is not None:
        once((photo.id for photo in photos), "the photo")
    contents = Contents(players, dynasties, games, drafts, photos)
    _check_references(contents)
    return contents


def _parsed(data: bytes) -> object:
    if len(data) > LIMITS.file:
        raise StoreError(f"A file to import has at most {LIMITS.file // 1_000_000} MB.")
    try:
        return json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        # UnicodeDecodeError and JSONDecodeError are ValueErrors; so is a number of too many digits.
        raise StoreError(f"This is not a JSON file: {str(error)[:120]}.") from None


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _records(document: dict[str, Any], key: str, read: Callable[[object], _Record]) -> tuple[_Record, ...]:
    found = []
    for number, value in enumerate(items(document[key], f"the {key}"), start=1):
        try:
            found.append(read(value))
        except StoreError as error:
            raise StoreError(f"Number {number} of the {key} in the file is not in order. {error}") from error
    return tuple(found)


def _photo_from(value: object) -> SavedPhoto:
    item = fields(value, "a photo", ("id", "data"))
    try:
        data = base64.b64decode(item["data"] if isinstance(item["data"], str) else "?", validate=True)
    except (binascii.Error, ValueError):
        raise StoreError("The bytes of a photo are not in base64.") from None
    media_type = check_photo(data)
    name = clean_photo_id(item["id"])
    if name is None or hashlib.sha256(data).hexdigest() != name:
        raise StoreError("The bytes of a photo do not belong to its name.")
    return SavedPhoto(name, media_type, data)


def _check_references(contents: Contents) -> None:
    """Refuse a file in which a game or a Dynasty names what the file does not hold."""
    players = {player.id for player in contents.players}
    members = {dynasty.id: set(dynasty.players) for dynasty in contents.dynasties}
    if any(not each <= players for each in members.values()):
        raise StoreError("A Dynasty of the file names a player who is not in it.")
    photos = None if contents.photos is None else {None, *(photo.id for photo in contents.photos)}
    taken: list[str] = []
    for game in contents.games:
        if game.entry.dynasty is not None:
            if members.get(game.entry.dynasty) != set(game.players):
                raise StoreError(f"The game {game.id} of the file does not belong to the players of its Dynasty.")
            taken.append(f"{game.slot} of the Dynasty {game.entry.dynasty}")
        if photos is not None:
            for reading in readings_of(game.entry.seats):
                if reading.photo not in photos or reading.thumbnail not in photos:
                    raise StoreError(f"The game {game.id} of the file names a photo that is not in it.")
    once(taken, "slot")
