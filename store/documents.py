"""Records as JSON and back: the one description of the export format. What is read is checked, nothing is trusted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from engine import Rules
from store.drafts import clean_kind, packed
from store.errors import StoreError
from store.rows import corrections_from, corrections_to
from store.text import clean_colour, clean_name
from store.values import (
    GameEntry,
    JsonObject,
    Reading,
    SavedGame,
    SavedPhoto,
    SavedPlayer,
    SeatEntry,
    Turn,
    as_store_error,
    clean_moment,
    clean_photo_id,
)

FORMAT: Final = "kingdomino store"
VERSION: Final = 1
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MOST: Final = 2**31 - 1
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class GameDocument:
    """A game of a file; `players` are the ids of those in `entry`, seat by seat."""

    id: str
    version: int
    created_at: datetime
    changed_at: datetime
    players: tuple[str, ...]
    slot: int | None
    entry: GameEntry


@dataclass(frozen=True, slots=True)
class DynastyDocument:
    """A Dynasty of a file."""

    id: str
    name: str
    players: tuple[str, ...]
    abandoned_at: datetime | None
    version: int
    created_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class DraftDocument:
    """An open draft of a file."""

    id: str
    kind: str
    document: str
    version: int
    edits_game: str | None
    edits_version: int | None
    created_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Contents:
    """A file that was read and found in order; `photos` is None where it was exported without them."""

    players: tuple[SavedPlayer, ...]
    dynasties: tuple[DynastyDocument, ...]
    games: tuple[GameDocument, ...]
    drafts: tuple[DraftDocument, ...]
    photos: tuple[SavedPhoto, ...] | None


def player_to(player: SavedPlayer) -> JsonObject:
    """Return a player as JSON."""
    return {
        "id": player.id,
        "name": player.name,
        "colour": player.colour,
        "remembered": player.remembered,
        "created_at": player.created_at.isoformat(),
        "changed_at": player.changed_at.isoformat(),
    }


def player_from(value: object) -> SavedPlayer:
    """Read a player."""
    item = fields(value, "a player", ("id", "name", "colour", "remembered", "created_at", "changed_at"))
    return SavedPlayer(
        uuid_from(item["id"]),
        clean_name(item["name"], "The name of a player"),
        clean_colour(item["colour"]),
        flag_from(item["remembered"]),
        moment_from(item["created_at"]),
        moment_from(item["changed_at"]),
    )


def game_to(game: SavedGame) -> JsonObject:
    """Return a game as JSON."""
    rules = game.rules
    return {
        "id": game.id,
        "version": game.version,
        "created_at": game.created_at.isoformat(),
        "changed_at": game.changed_at.isoformat(),
        "played_at": game.played_at.isoformat(),
        "note": game.note,
        "rules": {
            "size": rules.size,
            "edition": rules.edition.value,
            "middle_kingdom": rules.middle_kingdom,
            "harmony": rules.harmony,
        },
        "dynasty": None if game.dynasty is None else {"id": game.dynasty.id, "slot": game.dynasty.slot},
        "seats": [
            {
                "player": seat.player.id,
                "colour": seat.colour,
                "reading": _reading_to(seat.reading),
                "turns": [_turn_to(turn) for turn in seat.turns],
            }
            for seat in game.seats
        ],
    }


def game_from(value: object, names: dict[str, str]) -> GameDocument:
    """Read a game of players whose names are given by id."""
    keys = ("id", "version", "created_at", "changed_at", "played_at", "note", "rules", "dynasty", "seats")
    item = fields(value, "a game", keys)
    rules = fields(item["rules"], "the rules of a game", ("size", "edition", "middle_kingdom", "harmony"))
    players: list[str] = []
    seats = []
    for each in items(item["seats"], "the seats of a game"):
        seat = fields(each, "a seat", ("player", "colour", "reading", "turns"))
        player = uuid_from(seat["player"])
        if player not in names:
            raise StoreError(f"A game names the player {player}, who is not in the file.")
        players.append(player)
        turns = tuple(_turn_from(turn) for turn in items(seat["turns"], "the turns of a seat"))
        seats.append(SeatEntry(names[player], _reading_from(seat["reading"]), clean_colour(seat["colour"]), turns))
    dynasty = None if item["dynasty"] is None else fields(item["dynasty"], "a place in a Dynasty", ("id", "slot"))
    agreed = as_store_error(
        lambda: Rules(
            number_from(rules["size"]),
            None,
            rules["edition"],
            flag_from(rules["middle_kingdom"]),
            flag_from(rules["harmony"]),
        )
    )
    return GameDocument(
        id=uuid_from(item["id"]),
        version=number_from(item["version"]),
        created_at=moment_from(item["created_at"]),
        changed_at=moment_from(item["changed_at"]),
        players=tuple(players),
        slot=None if dynasty is None else number_from(dynasty["slot"], most=3),
        entry=GameEntry(
            agreed,
            tuple(seats),
            moment_from(item["played_at"]),
            item["note"],
            None if dynasty is None else uuid_from(dynasty["id"]),
        ),
    )


def dynasty_from(value: object) -> DynastyDocument:
    """Read a Dynasty."""
    keys = ("id", "name", "players", "abandoned_at", "version", "created_at", "changed_at")
    item = fields(value, "a Dynasty", keys)
    players = tuple(uuid_from(each) for each in items(item["players"], "the players of a Dynasty"))
    if len(players) not in (2, 3, 4) or len(set(players)) != len(players):
        raise StoreError("A Dynasty is played by 2, 3 or 4 different players.")
    return DynastyDocument(
        uuid_from(item["id"]),
        clean_name(item["name"], "The name of a Dynasty"),
        players,
        optional(moment_from, item["abandoned_at"]),
        number_from(item["version"]),
        moment_from(item["created_at"]),
        moment_from(item["changed_at"]),
    )


def draft_from(value: object) -> DraftDocument:
    """Read a draft."""
    keys = ("id", "kind", "document", "version", "edits_game", "edits_version", "created_at", "changed_at")
    item = fields(value, "a draft", keys)
    return DraftDocument(
        uuid_from(item["id"]),
        clean_kind(item["kind"]),
        packed(item["document"]),
        number_from(item["version"]),
        optional(uuid_from, item["edits_game"]),
        optional(number_from, item["edits_version"]),
        moment_from(item["created_at"]),
        moment_from(item["changed_at"]),
    )


def _reading_to(reading: Reading) -> JsonObject:
    return {
        "kingdom": reading.kingdom,
        "recognised": reading.recognised,
        "corrections": corrections_to(reading.corrections),
        "model_version": reading.model_version,
        "photo": reading.photo,
        "thumbnail": reading.thumbnail,
        "corners": reading.corners,
    }


def _reading_from(value: object) -> Reading:
    keys = ("kingdom", "recognised", "corrections", "model_version", "photo", "thumbnail", "corners")
    item = fields(value, "what is known of a kingdom", keys)
    return Reading(
        item["kingdom"],
        item["recognised"],
        corrections_from(item["corrections"]),
        item["model_version"],
        clean_photo_id(item["photo"]),
        clean_photo_id(item["thumbnail"]),
        item["corners"],
    )


def _turn_to(turn: Turn) -> JsonObject:
    taken_at = None if turn.taken_at is None else turn.taken_at.isoformat()
    return {"reading": _reading_to(turn.reading), "taken_at": taken_at, "discarded": turn.discarded}


def _turn_from(value: object) -> Turn:
    item = fields(value, "a turn", ("reading", "taken_at", "discarded"))
    return Turn(_reading_from(item["reading"]), optional(moment_from, item["taken_at"]), item["discarded"])


def fields(value: object, what: str, keys: Sequence[str]) -> dict[str, Any]:
    """Return an object that has all the keys; further ones, of a later version, are passed over."""
    if not isinstance(value, dict):
        raise StoreError(f"Expected {what} as an object with {', '.join(keys)}, found {_short(value)}.")
    missing = [key for key in keys if key not in value]
    if missing:
        raise StoreError(f"Expected {what} with {', '.join(keys)}; {', '.join(missing)} is missing.")
    return value


def items(value: object, what: str) -> list[Any]:
    """Return a list."""
    if not isinstance(value, list):
        raise StoreError(f"Expected {what} as a list, found {_short(value)}.")
    return value


def uuid_from(value: object) -> str:
    """Read an id."""
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        raise StoreError(f"Expected an id such as 01234567-89ab-cdef-0123-456789abcdef, found {_short(value)}.")
    return value


def number_from(value: object, *, most: int = _MOST) -> int:
    """Read a number from 1."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise StoreError(f"Expected a whole number from 1 to {most}, found {_short(value)}.")
    return value


def flag_from(value: object) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise StoreError(f"Expected true or false, found {_short(value)}.")
    return value


def moment_from(value: object) -> datetime:
    """Read a moment with its zone."""
    try:
        return clean_moment(datetime.fromisoformat(value if isinstance(value, str) else ""))
    except ValueError:
        raise StoreError(f"Expected a date such as 2025-01-31T20:15:00+00:00, found {_short(value)}.") from None


def optional(read: Callable[[object], _Value], value: object) -> _Value | None:
    """Read a value that may be missing."""
    return None if value is None else read(value)


def once(ids: Iterable[str], what: str) -> None:
    """Refuse a list that holds a record twice."""
    seen: set[str] = set()
    for each in ids:
        if each in seen:
            raise StoreError(f"The file holds {what} {each} twice.")
        seen.add(each)


def _short(value: object) -> str:
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."
