"""The records: players, games, drafts, Dynasties, photos, in a SQLite file or a PostgreSQL database.

`open_store()` gives the one object that pages need. Totals are never stored; the engine works them out.
"""

from store.database import Settings
from store.errors import Conflict, DraftClosed, DraftConflict, GameConflict, NotFound, StoreError
from store.limits import LIMITS, Limits
from store.location import data_folder, database_url
from store.merge import ImportReport
from store.scores import GameResult, result_of, score_of
from store.statistics import HeadToHead, PlayedGame, PlayerStatistics
from store.store import Purged, Store, open_store
from store.text import COLOURS, clean_name, clean_note
from store.values import (
    Correction,
    DynastySlot,
    GameEntry,
    GameLine,
    GamePage,
    JsonObject,
    Reading,
    SavedDraft,
    SavedDynasty,
    SavedGame,
    SavedPhoto,
    SavedPlayer,
    SavedSeat,
    SeatEntry,
    SeatLine,
    Turn,
)

__all__ = [
    "COLOURS",
    "Conflict",
    "Correction",
    "DraftClosed",
    "DraftConflict",
    "DynastySlot",
    "GameConflict",
    "GameEntry",
    "GameLine",
    "GamePage",
    "GameResult",
    "HeadToHead",
    "ImportReport",
    "JsonObject",
    "LIMITS",
    "Limits",
    "NotFound",
    "PlayedGame",
    "PlayerStatistics",
    "Purged",
    "Reading",
    "SavedDraft",
    "SavedDynasty",
    "SavedGame",
    "SavedPhoto",
    "SavedPlayer",
    "SavedSeat",
    "SeatEntry",
    "SeatLine",
    "Settings",
    "Store",
    "StoreError",
    "Turn",
    "clean_name",
    "clean_note",
    "data_folder",
    "database_url",
    "open_store",
    "result_of",
    "score_of",
]
