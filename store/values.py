"""The values that go into the store and come out of it. They are checked when they are made; no totals are held.

What is entered: GameEntry with SeatEntry, Reading, Correction, Turn. What is given back: SavedGame, GameLine (one
game of a list), SavedDraft, SavedDynasty, SavedPlayer, SavedPhoto. Scores are worked out from the kingdoms.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, TypeVar

from engine import CELLS, DOMINOES, Dynasty, GameRecord, Kingdom, KingdominoError, Ranking, Rules, Score
from store.errors import StoreError
from store.limits import LIMITS
from store.scores import GameResult, result_of, score_of
from store.text import clean_colour, clean_label, clean_name, clean_note, name_key

JsonObject = dict[str, Any]
#: Four points (x, y), clockwise from the corner of row 0, column 0.
Corners = tuple[tuple[float, float], ...]

_SYMBOLS: Final = frozenset(cell.symbol for cell in CELLS)
_MAX_SIDE: Final = 15
_NOTATIONS: Final = 4_096
_CORNERS: Final = 4
# No photo is as wide; a corner may lie outside the photo.
_MAX_PIXEL: Final = 1_000_000
_PHOTO_ID: Final = re.compile(r"[0-9a-f]{64}")
_Made = TypeVar("_Made")


def as_store_error(make: Callable[[], _Made]) -> _Made:
    """Make a value of the engine; what the engine says against it becomes a StoreError."""
    try:
        return make()
    except StoreError:
        raise
    except KingdominoError as error:
        raise StoreError(str(error)) from error


def clean_moment(value: object) -> datetime:
    """Return a moment in UTC."""
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise StoreError(f"A date needs its time zone; {str(value)[:40]!r} has none.")
    try:
        return value.astimezone(UTC)
    except (OverflowError, ValueError):
        raise StoreError(f"{str(value)[:40]!r} is outside the calendar.") from None


def clean_photo_id(value: object) -> str | None:
    """Return the name of a photo, or None."""
    if value is None:
        return None
    if not isinstance(value, str) or not _PHOTO_ID.fullmatch(value):
        raise StoreError(f"A photo is named by its SHA-256 in 64 letters, not by {str(value)[:70]!r}.")
    return value


@lru_cache(maxsize=_NOTATIONS)
def check_notation(value: str) -> None:
    """Refuse what is no kingdom. A photo is often read as what it shows, so the same text is checked twice."""
    as_store_error(lambda: Kingdom.from_notation(value))


def clean_corners(value: object) -> Corners | None:
    """Return the four corners of a grid in the pixels of its photo, or None."""
    if value is None:
        return None
    try:
        corners = tuple((float(x), float(y)) for x, y in value)  # type: ignore[attr-defined]
    except (TypeError, ValueError, OverflowError):
        corners = ()
    if len(corners) != _CORNERS or not all(abs(number) <= _MAX_PIXEL for corner in corners for number in corner):
        raise StoreError("The corners of a kingdom are four pairs of pixels [x, y].")
    return corners


def _whole(value: object, least: int, most: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise StoreError(f"{what} is a number from {least} to {most}, not {str(value)[:40]!r}.")
    return value


@dataclass(frozen=True, slots=True)
class Correction:
    """A person put one square right; row and column are those of the recognised kingdom."""

    row: int
    column: int
    was: str
    now: str

    def __post_init__(self) -> None:
        for name in ("row", "column"):
            _whole(getattr(self, name), 0, _MAX_SIDE - 1, f"The {name} of a correction")
        for symbol in (self.was, self.now):
            if not isinstance(symbol, str) or symbol not in _SYMBOLS:
                raise StoreError(f"A square is written like w1, C, . or ?, not {str(symbol)[:40]!r}.")


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at one kingdom: what it is, what was recognised and put right, by which model, from which photo."""

    kingdom: str
    recognised: str | None = None
    corrections: tuple[Correction, ...] = ()
    model_version: str | None = None
    photo: str | None = None
    thumbnail: str | None = None
    #: Where the recognised kingdom lies in the photo.
    corners: Corners | None = None

    def __post_init__(self) -> None:
        for notation in (self.kingdom, self.kingdom if self.recognised is None else self.recognised):
            if not isinstance(notation, str):
                raise StoreError(f"A kingdom is written as text, not as {type(notation).__name__}.")
            check_notation(notation)
        object.__setattr__(self, "corrections", tuple(self.corrections))
        if len(self.corrections) > LIMITS.corrections:
            raise StoreError(f"A kingdom has at most {LIMITS.corrections} corrections, not {len(self.corrections)}.")
        if self.model_version is not None:
            object.__setattr__(self, "model_version", clean_label(self.model_version, "The version of a model"))
        clean_photo_id(self.photo)
        clean_photo_id(self.thumbnail)
        object.__setattr__(self, "corners", clean_corners(self.corners))


@dataclass(frozen=True, slots=True)
class Turn:
    """A kingdom after a turn; `discarded` is the number of the domino that was discarded in it."""

    reading: Reading
    taken_at: datetime | None = None
    discarded: int | None = None

    def __post_init__(self) -> None:
        if self.taken_at is not None:
            object.__setattr__(self, "taken_at", clean_moment(self.taken_at))
        if self.discarded is not None:
            _whole(self.discarded, 1, len(DOMINOES), "The number of a domino")


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """A player, given by name, and their kingdom."""

    player: str
    reading: Reading
    colour: str | None = None
    turns: tuple[Turn, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "player", clean_name(self.player, "The name of a player"))
        clean_colour(self.colour)
        object.__setattr__(self, "turns", tuple(self.turns))
        if len(self.turns) > LIMITS.turns:
            raise StoreError(f"A kingdom has at most {LIMITS.turns} turns, not {len(self.turns)}.")


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A finished game as it is entered. Without a date it was played now; `dynasty` is the id of a Dynasty."""

    rules: Rules
    seats: tuple[SeatEntry, ...]
    played_at: datetime | None = None
    note: str = ""
    dynasty: str | None = None

    def __post_init__(self) -> None:
        seats = tuple(self.seats)
        object.__setattr__(self, "seats", seats)
        # The names must differ without regard to capitals, as the store knows players by them.
        names = tuple(name_key(seat.player) for seat in seats)
        # The number of players follows from the seats, so that an edit may add or remove one.
        rules = as_store_error(lambda: replace(self.rules, players=len(seats)))
        object.__setattr__(self, "rules", rules)
        as_store_error(lambda: GameRecord(rules, names, tuple(Kingdom.lone_castle() for _ in seats)))
        colours = [seat.colour for seat in seats if seat.colour is not None]
        if len(set(colours)) != len(colours):
            raise StoreError(f"Each player has a castle of another colour, not {' and '.join(colours)}.")
        if self.played_at is not None:
            object.__setattr__(self, "played_at", clean_moment(self.played_at))
        object.__setattr__(self, "note", clean_note(self.note))


@dataclass(frozen=True, slots=True)
class SavedPlayer:
    """A player as stored; one who is not `remembered` is no longer suggested."""

    id: str
    name: str
    colour: str | None
    remembered: bool
    created_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class SavedPhoto:
    """A photo and its bytes; the id is their SHA-256."""

    id: str
    media_type: str
    data: bytes

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return len(self.data)


@dataclass(frozen=True, slots=True)
class DynastySlot:
    """The place of a game in a Dynasty: slot 1, 2 or 3."""

    id: str
    name: str
    slot: int


@dataclass(frozen=True, slots=True)
class SavedSeat:
    """A player of a stored game and all that is kept of their kingdom."""

    player: SavedPlayer
    colour: str | None
    reading: Reading
    turns: tuple[Turn, ...]

    @property
    def kingdom(self) -> Kingdom:
        """The final kingdom."""
        return Kingdom.from_notation(self.reading.kingdom)


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A stored game in full. `version` goes back to the store with an edit."""

    id: str
    version: int
    played_at: datetime
    note: str
    rules: Rules
    seats: tuple[SavedSeat, ...]
    dynasty: DynastySlot | None
    created_at: datetime
    changed_at: datetime
    deleted_at: datetime | None

    @property
    def entry(self) -> GameEntry:
        """The game as it would be entered; change it with `dataclasses.replace` and give it to `games.edit`."""
        seats = tuple(SeatEntry(seat.player.name, seat.reading, seat.colour, seat.turns) for seat in self.seats)
        return GameEntry(self.rules, seats, self.played_at, self.note, self.dynasty.id if self.dynasty else None)

    @property
    def record(self) -> GameRecord:
        """The game as the engine sees it: scores, totals by name, ranking."""
        names = tuple(seat.player.name for seat in self.seats)
        return GameRecord(self.rules, names, tuple(seat.kingdom for seat in self.seats))

    @property
    def scores(self) -> tuple[Score, ...]:
        """The score of each seat, with territories and bonuses."""
        return tuple(score_of(seat.reading.kingdom, self.rules) for seat in self.seats)

    @property
    def ranking(self) -> Ranking:
        """Who won, and what decided it."""
        return self.record.ranking

    @property
    def result(self) -> GameResult:
        """The points and the place of each seat."""
        return result_of(self.rules, tuple(seat.reading.kingdom for seat in self.seats))


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A player of a game in a list. `thumbnail` is the photo where there is no smaller one."""

    player_id: str
    name: str
    colour: str | None
    kingdom: str
    thumbnail: str | None
    total: int
    place: int


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list, with totals worked out."""

    id: str
    version: int
    played_at: datetime
    note: str
    rules: Rules
    seats: tuple[SeatLine, ...]
    dynasty: DynastySlot | None
    deleted_at: datetime | None

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of those who won; several share the victory."""
        return tuple(seat.name for seat in self.seats if seat.place == 1)

    @property
    def record(self) -> GameRecord:
        """The game as the engine sees it."""
        kingdoms = tuple(Kingdom.from_notation(seat.kingdom) for seat in self.seats)
        return GameRecord(self.rules, tuple(seat.name for seat in self.seats), kingdoms)


@dataclass(frozen=True, slots=True)
class GamePage:
    """One page of the history, newest first; `total` counts the games on all pages."""

    games: tuple[GameLine, ...]
    total: int
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """What is being entered. `version` goes back to the store with the next save."""

    id: str
    kind: str
    document: JsonObject
    version: int
    #: The game that is being edited, if this is no new one.
    edits_game: str | None
    created_at: datetime
    changed_at: datetime
    discarded_at: datetime | None
    finished_game: str | None


@dataclass(frozen=True, slots=True)
class SavedDynasty:
    """A Dynasty with its three slots; a slot without a game is None."""

    id: str
    name: str
    players: tuple[SavedPlayer, ...]
    slots: tuple[GameLine | None, GameLine | None, GameLine | None]
    abandoned: bool
    created_at: datetime
    changed_at: datetime

    @property
    def dynasty(self) -> Dynasty:
        """The Dynasty as the engine sees it: running totals, standings, winners, a sentence on how it stands."""
        games = tuple(line.record for line in self.slots if line is not None)
        return Dynasty(tuple(player.name for player in self.players), games)

    @property
    def next_slot(self) -> int | None:
        """The first slot without a game, or None when all three were played."""
        return next((number for number, line in enumerate(self.slots, start=1) if line is None), None)
