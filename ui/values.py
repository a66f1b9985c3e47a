"""What is being entered, as values that a draft can hold: one kingdom with its photo, kingdoms to score, a game.

Everything here is plain data and runs without a page. `from_json` refuses what it cannot read with one of our errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from engine import Kingdom, Rules
from store import COLOURS, Correction, GameEntry, Reading, SeatEntry, StoreError
from ui.editor import Editor
from ui.language import _
from ui.reading import Source

PLAYERS: Final = (2, 3, 4)
STEPS: Final = ("players", "kingdoms", "result")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class KingdomEntry:
    """One kingdom under correction and where it came from: the grid of a photo, or nobody's but a person's hand."""

    editor: Editor
    source: Source | None = None
    #: Which kingdom of the photo it is.
    index: int = 0
    model: str | None = None
    #: The colour of the castle on the photo, where it was told for sure.
    colour: str | None = None

    @property
    def kingdom(self) -> Kingdom:
        """The kingdom as it is now."""
        return self.editor.kingdom

    def as_json(self) -> dict[str, Any]:
        """Plain data for a draft."""
        return {
            "editor": self.editor.as_json(),
            "source": None if self.source is None else self.source.as_json(),
            "index": self.index,
            "model": self.model,
            "colour": self.colour,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> KingdomEntry:
        """Read what `as_json` gave; drafts of older versions have no colour."""
        source = None if data.get("source") is None else Source.from_json(data["source"])
        colour = data.get("colour")
        return cls(
            Editor.from_json(data["editor"]),
            source,
            int(data.get("index", 0)),
            data.get("model"),
            colour if colour in COLOURS else None,
        )

    def reading(self, thumbnail: str | None = None) -> Reading:
        """The kingdom as the store keeps it."""
        read = self.editor.read
        return Reading(
            kingdom=self.kingdom.trimmed().notation,
            recognised=read.kingdom.notation if read else None,
            corrections=tuple(
                Correction(row, column, was.symbol, now.symbol) for (row, column), was, now in self.editor.corrections()
            ),
            model_version=self.model,
            photo=self.source.photo if self.source else None,
            thumbnail=thumbnail,
        )


@dataclass(frozen=True, slots=True)
class ScoreDraft:
    """Kingdoms that are scored without a game; `source` alone is a photo on which none was found yet."""

    kingdoms: tuple[KingdomEntry, ...] = ()
    source: Source | None = None
    size: int | None = None
    middle_kingdom: bool = False
    harmony: bool = False

    def as_json(self) -> dict[str, Any]:
        """Plain data for a draft."""
        return {
            "kingdoms": [each.as_json() for each in self.kingdoms],
            "source": None if self.source is None else self.source.as_json(),
            "size": self.size,
            "middle_kingdom": self.middle_kingdom,
            "harmony": self.harmony,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ScoreDraft:
        """Read what `as_json` gave."""
        return _readable(
            lambda: cls(
                tuple(KingdomEntry.from_json(each) for each in data["kingdoms"]),
                None if data.get("source") is None else Source.from_json(data["source"]),
                data.get("size"),
                bool(data.get("middle_kingdom")),
                bool(data.get("harmony")),
            )
        )

    def with_kingdom(self, number: int, entry: KingdomEntry) -> ScoreDraft:
        """The draft with another state of one of its kingdoms."""
        return replace(self, kingdoms=_replaced(self.kingdoms, number, entry))


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at the table; the name may still be missing."""

    name: str = ""
    colour: str = COLOURS[0]
    kingdom: KingdomEntry | None = None


def seats_for(names: Sequence[str], colours: Sequence[str | None] = ()) -> tuple[Seat, ...]:
    """Seats for players, each with a colour of their own: the wished one if it is free, else the next free one."""
    wished = [*colours, *[None] * (len(names) - len(colours))]
    taken = {colour for colour in wished if colour}
    seats, used = [], set[str]()
    for name, wish in zip(names, wished, strict=False):
        free = [colour for colour in COLOURS if colour not in used and colour not in taken]
        left = free or [colour for colour in COLOURS if colour not in used]
        colour = wish if wish and wish not in used else left[0]
        used.add(colour)
        seats.append(Seat(name, colour))
    return tuple(seats)


@dataclass(frozen=True, slots=True)
class GameDraft:
    """A game that is being entered."""

    seats: tuple[Seat, ...] = field(default_factory=lambda: seats_for(("", "")))
    edition: str = "classic"
    size: int = 5
    middle_kingdom: bool = False
    harmony: bool = False
    dynasty: str | None = None
    note: str = ""
    step: str = STEPS[0]
    #: A photo on which no kingdom was found yet, and for whose seat it was taken.
    source: Source | None = None
    seat: int = 0

    @property
    def rules(self) -> Rules:
        """The rules of the game; raises RulesError for a set-up that no edition has."""
        return Rules(self.size, len(self.seats), self.edition, self.middle_kingdom, self.harmony)  # type: ignore[arg-type]

    @property
    def names(self) -> tuple[str, ...]:
        """The names, with a stand-in for each that is missing."""
        return tuple(
            seat.name.strip() or _("Player {n}").format(n=number) for number, seat in enumerate(self.seats, start=1)
        )

    @property
    def complete(self) -> bool:
        """Whether every player has a kingdom."""
        return all(seat.kingdom is not None for seat in self.seats)

    @property
    def kingdoms(self) -> tuple[Kingdom, ...]:
        """The kingdoms there are."""
        return tuple(seat.kingdom.kingdom.trimmed() for seat in self.seats if seat.kingdom is not None)

    def with_seat(self, number: int, **changes: Any) -> GameDraft:
        """The draft with something changed at one seat."""
        return replace(self, seats=_replaced(self.seats, number, replace(self.seats[number], **changes)))

    def with_colour(self, number: int, colour: str) -> GameDraft:
        """The draft with another colour at one seat; who had it takes the one that is given up."""
        given_up = self.seats[number].colour
        changed = self
        for other, seat in enumerate(self.seats):
            if other != number and seat.colour == colour:
                changed = changed.with_seat(other, colour=given_up)
        return changed.with_seat(number, colour=colour)

    def with_players(self, count: int) -> GameDraft:
        """The draft for more or fewer players; a kingdom or name at a seat that goes is lost only with the seat."""
        seats = list(self.seats[:count])
        while len(seats) < count:
            free = [colour for colour in COLOURS if colour not in {seat.colour for seat in seats}]
            seats.append(Seat("", free[0]))
        size = 5 if count > 2 else 7 if self.edition == "new" else self.size
        return replace(self, seats=tuple(seats), size=size, seat=min(self.seat, count - 1))

    def with_edition(self, edition: str) -> GameDraft:
        """The draft in another edition; two players of the new one build 7×7."""
        return replace(self, edition=edition, size=7 if edition == "new" and len(self.seats) == 2 else self.size)

    def swapped(self, one: int, other: int) -> GameDraft:
        """The draft with the kingdoms of two players exchanged.

        That the first kingdom belongs to the other player is a person's word: a castle that looks otherwise is
        not brought up again.
        """
        mine, theirs = self.seats[one].kingdom, self.seats[other].kingdom
        if mine is not None and mine.colour != self.seats[other].colour:
            mine = replace(mine, colour=None)
        return self.with_seat(one, kingdom=theirs).with_seat(other, kingdom=mine)

    def suggested(self, number: int) -> int | None:
        """The other player who plays the colour of the castle of this player's kingdom, if there is one."""
        entry = self.seats[number].kingdom
        player = None if entry is None or entry.colour is None else self._player_of(entry.colour)
        return None if player == number else player

    def without_suggestion(self, number: int) -> GameDraft:
        """The draft in which a kingdom stays with its player, whatever the colour of its castle."""
        entry = self.seats[number].kingdom
        return self if entry is None else self.with_seat(number, kingdom=replace(entry, colour=None))

    def with_found(self, seat: int, entries: Sequence[KingdomEntry]) -> GameDraft:
        """The draft with the kingdoms of a photo.

        A single kingdom stays at the seat it was photographed for. Of several, each goes to the player of its
        castle's colour; those that tell none go to the seat of the photo first, then to free ones. Kingdoms that
        are there already are only replaced at that seat, or by a photo of the whole table.
        """
        count = len(self.seats)
        whole_table = len(entries) >= count
        free = [n for n, each in enumerate(self.seats) if n != seat and each.kingdom is None]
        # A photo of the whole table is read from its largest kingdom on, in the order of the players.
        open_seats = list(range(count)) if whole_table else [seat, *free]
        placed = self._by_colour(entries, open_seats) if len(entries) > 1 else {}
        left = iter([number for number in open_seats if number not in placed])
        others = [entry for entry in entries if not any(entry is each for each in placed.values())]
        placed |= dict(zip(left, others, strict=False))
        changed = replace(self, source=None)
        for number, entry in placed.items():
            changed = changed.with_seat(number, kingdom=entry)
        if placed and seat not in placed:
            # Nobody's photo vanishes: the page shows the first kingdom that was found on it.
            changed = replace(changed, seat=min(placed))
        return changed

    def _by_colour(self, entries: Sequence[KingdomEntry], open_seats: Sequence[int]) -> dict[int, KingdomEntry]:
        """The kingdoms whose castles name a player; two castles that look the same name nobody."""
        told = [entry.colour for entry in entries]
        placed = {}
        for entry in entries:
            player = self._player_of(entry.colour) if entry.colour and told.count(entry.colour) == 1 else None
            if player is not None and player in open_seats:
                placed[player] = entry
        return placed

    def _player_of(self, colour: str) -> int | None:
        return next((number for number, seat in enumerate(self.seats) if seat.colour == colour), None)

    def entry(self, thumbnails: Mapping[str, str]) -> GameEntry:
        """The game as the store takes it; `thumbnails` are those of the photos, by id."""
        seats = []
        for number, seat in enumerate(self.seats):
            if seat.kingdom is None:
                raise StoreError(_("{name} has no kingdom yet.").format(name=self.names[number]))
            photo = seat.kingdom.source.photo if seat.kingdom.source else None
            reading = seat.kingdom.reading(thumbnails.get(photo) if photo else None)
            seats.append(SeatEntry(self.names[number], reading, seat.colour))
        return GameEntry(self.rules, tuple(seats), note=self.note, dynasty=self.dynasty)

    def again(self) -> GameDraft:
        """The next game of the same players under the same rules."""
        seats = tuple(replace(seat, kingdom=None) for seat in self.seats)
        return replace(self, seats=seats, note="", step=STEPS[1], source=None, seat=0)

    def as_json(self) -> dict[str, Any]:
        """Plain data for a draft."""
        return {
            "seats": [
                {
                    "name": seat.name,
                    "colour": seat.colour,
                    "kingdom": None if seat.kingdom is None else seat.kingdom.as_json(),
                }
                for seat in self.seats
            ],
            "edition": self.edition,
            "size": self.size,
            "middle_kingdom": self.middle_kingdom,
            "harmony": self.harmony,
            "dynasty": self.dynasty,
            "note": self.note,
            "step": self.step,
            "source": None if self.source is None else self.source.as_json(),
            "seat": self.seat,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GameDraft:
        """Read what `as_json` gave."""

        def made() -> GameDraft:
            seats = tuple(
                Seat(
                    str(seat["name"]),
                    str(seat["colour"]),
                    None if seat.get("kingdom") is None else KingdomEntry.from_json(seat["kingdom"]),
                )
                for seat in data["seats"]
            )
            if len(seats) not in PLAYERS or data["step"] not in STEPS:
                raise ValueError("its players or its step are not known")
            source = None if data.get("source") is None else Source.from_json(data["source"])
            plain = {name: data[name] for name in ("edition", "size", "middle_kingdom", "harmony", "dynasty", "note")}
            return cls(seats=seats, step=data["step"], source=source, seat=int(data["seat"]), **plain)

        return _readable(made)


def _replaced(values: tuple[T, ...], number: int, value: T) -> tuple[T, ...]:
    return (*values[:number], value, *values[number + 1 :])


def _readable(make: Callable[[], T]) -> T:
    try:
        return make()
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StoreError(_("This draft cannot be read: {reason}.").format(reason=str(error)[:100])) from None
