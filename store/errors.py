"""What can go wrong with the records. Every message is a sentence for the person at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import KingdominoError

if TYPE_CHECKING:
    from store.values import JsonObject, SavedGame


class StoreError(KingdominoError):
    """The records could not be read or written as asked; nothing was half written."""


class NotFound(StoreError):
    """There is no such game, draft, player, Dynasty or photo, or no longer."""


class Conflict(StoreError):
    """Somebody else saved in between; what they saved comes with the error, and nothing was overwritten."""


class DraftConflict(Conflict):
    """A draft was saved elsewhere since it was read."""

    def __init__(self, version: int, document: JsonObject) -> None:
        super().__init__("This was changed on another phone or in another tab in the meantime.")
        self.version = version
        self.document = document


class GameConflict(Conflict):
    """A game was edited elsewhere since it was read."""

    def __init__(self, game: SavedGame) -> None:
        super().__init__("This game was edited on another phone or in another tab in the meantime.")
        self.game = game


class DraftClosed(StoreError):
    """A draft that was finished (then `game_id` names the game) or discarded cannot be saved any more."""

    def __init__(self, game_id: str | None) -> None:
        super().__init__(
            "This game has been saved already; edit it in the history."
            if game_id
            else "This draft has been discarded; restore it to go on."
        )
        self.game_id = game_id
