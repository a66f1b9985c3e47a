"""A saved game that is being edited, as a value that a draft can hold: only what is to be different is in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from engine import Kingdom
from store import Correction, GameEntry, Reading, SavedGame, SeatEntry, StoreError, Turn
from ui.editor import Editor
from ui.language import _
from ui.values import KingdomEntry


@dataclass(frozen=True, slots=True)
class SeatEdit:
    """What is to be different at one seat: the kingdom, its photo, the turns (named by the draft that holds them)."""

    kingdom: KingdomEntry | None = None
    without_photo: bool = False
    turns: str | None = None

    def reading(self, before: Reading, thumbnails: Mapping[str, str]) -> Reading:
        """The reading after the edit; a new photo replaces the old one, a correction keeps it."""
        if self.kingdom is not None and self.kingdom.source is not None:
            return self.kingdom.reading(thumbnails.get(self.kingdom.source.photo))
        after = before
        if self.kingdom is not None:
            kingdom = self.kingdom.kingdom.trimmed()
            after = replace(before, kingdom=kingdom.notation, corrections=_corrections(before, kingdom))
        if self.without_photo:
            after = replace(after, photo=None, thumbnail=None, corners=None)
        return after


def _corrections(before: Reading, kingdom: Kingdom) -> tuple[Correction, ...]:
    """What a person has put right in all; of a kingdom that was turned or cut, what was known before."""
    if before.recognised is None:
        return before.corrections
    read = Kingdom.from_notation(before.recognised)
    if (read.height, read.width) != (kingdom.height, kingdom.width):
        return before.corrections
    return tuple(
        Correction(row, column, was.symbol, kingdom.cell(row, column).symbol)
        for (row, column), was in read
        if kingdom.cell(row, column) != was
    )


@dataclass(frozen=True, slots=True)
class EditDraft:
    """The edit of a game."""

    game: str
    note: str
    day: date
    seats: tuple[SeatEdit, ...]
    #: The seat whose kingdom is open.
    seat: int = 0

    @classmethod
    def of(cls, game: SavedGame) -> EditDraft:
        """Begin to edit a game."""
        return cls(game.id, game.note, game.played_at.date(), tuple(SeatEdit() for _seat in game.seats))

    def with_seat(self, number: int, **changes: Any) -> EditDraft:
        """The draft with something different at one seat."""
        changed = replace(self.seats[number], **changes)
        return replace(self, seats=(*self.seats[:number], changed, *self.seats[number + 1 :]))

    def kingdom(self, number: int, game: SavedGame) -> KingdomEntry:
        """The kingdom of a seat as it is now."""
        held = self.seats[number].kingdom
        return held if held is not None else KingdomEntry(Editor.of_kingdom(game.seats[number].kingdom))

    @property
    def photos(self) -> frozenset[str]:
        """The new photos."""
        return frozenset(
            seat.kingdom.source.photo for seat in self.seats if seat.kingdom is not None and seat.kingdom.source
        )

    def entry(self, game: SavedGame, thumbnails: Mapping[str, str], turns: Mapping[str, tuple[Turn, ...]]) -> GameEntry:
        """The game after the edit; `turns` are those of the drafts that seats name."""
        if len(self.seats) != len(game.seats):
            raise StoreError(_("This game has other players by now. Please begin the edit again."))
        seats = tuple(
            SeatEntry(
                seat.player.name,
                edit.reading(seat.reading, thumbnails),
                seat.colour,
                turns.get(edit.turns, seat.turns) if edit.turns else seat.turns,
            )
            for seat, edit in zip(game.seats, self.seats, strict=True)
        )
        clock = game.played_at.astimezone(UTC).timetz()
        return replace(
            game.entry, seats=seats, note=self.note, played_at=datetime.combine(self.day, clock).astimezone(UTC)
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data for a draft."""
        return {
            "game": self.game,
            "note": self.note,
            "day": self.day.isoformat(),
            "seats": [
                {
                    "kingdom": None if seat.kingdom is None else seat.kingdom.as_json(),
                    "without_photo": seat.without_photo,
                    "turns": seat.turns,
                }
                for seat in self.seats
            ],
            "seat": self.seat,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> EditDraft:
        """Read what `as_json` gave."""
        try:
            seats = tuple(
                SeatEdit(
                    None if seat.get("kingdom") is None else KingdomEntry.from_json(seat["kingdom"]),
                    bool(seat.get("without_photo")),
                    seat.get("turns"),
                )
                for seat in data["seats"]
            )
            seat = int(data["seat"])
            if not 0 <= seat < len(seats):
                raise ValueError("its seat is not known")
            return cls(str(data["game"]), str(data["note"]), date.fromisoformat(data["day"]), seats, seat)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StoreError(_("This draft cannot be read: {reason}.").format(reason=str(error)[:100])) from None
