"""A kingdom watched turn by turn: its states, what happened between two of them, and where a domino could go.

Plain values and sentences, without a page. Which rule is broken is said by the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from engine import (
    DOMINOES,
    Comparison,
    Domino,
    Kingdom,
    KingdominoError,
    Placement,
    Position,
    Rules,
    VerifiedDomino,
    compare,
    legal_placements,
)
from engine.kingdom import MAX_SIDE
from store import StoreError, Turn
from ui import dominoes, text
from ui.editor import Editor
from ui.language import _, ngettext
from ui.reading import Source
from ui.style import Tone
from ui.values import KingdomEntry

SIZES: Final = (5, 7)
NAME_LETTERS: Final = 80


@dataclass(frozen=True, slots=True)
class TurnState:
    """A kingdom after a turn, when it was kept, and the number of the domino that was discarded in the turn."""

    entry: KingdomEntry
    taken_at: datetime
    discarded: int | None = None

    @classmethod
    def now(cls, entry: KingdomEntry, discarded: int | None = None) -> TurnState:
        """A state that is kept at this moment; the steps of correcting it are let go."""
        editor = replace(entry.editor, past=(), future=(), selected=None)
        return cls(replace(entry, editor=editor), datetime.now(UTC), discarded)

    @property
    def kingdom(self) -> Kingdom:
        """The kingdom without empty rows and columns around it."""
        return self.entry.kingdom.trimmed()

    @property
    def photo(self) -> str | None:
        """The photo it was read from."""
        return self.entry.source.photo if self.entry.source else None


@dataclass(frozen=True, slots=True)
class TurnsDraft:
    """The states of one kingdom, oldest first, and the new reading that is compared with the last of them.

    `source` alone is a photo on which no kingdom was found yet.
    """

    states: tuple[TurnState, ...] = ()
    size: int = SIZES[0]
    name: str = ""
    next: KingdomEntry | None = None
    source: Source | None = None

    @property
    def rules(self) -> Rules:
        """The rules that placements are judged by."""
        return Rules(size=self.size)

    @property
    def last(self) -> Kingdom:
        """The kingdom as it was kept last; at first the lone castle."""
        return self.states[-1].kingdom if self.states else Kingdom.lone_castle()

    def kept(self) -> TurnsDraft:
        """The draft with the new reading kept as the next state."""
        if self.next is None:
            return self
        return replace(self, states=(*self.states, TurnState.now(self.next)), next=None, source=None)

    def reopened(self) -> TurnsDraft:
        """The draft with its last state open for correction again."""
        if not self.states or self.next is not None:
            return self
        return replace(self, states=self.states[:-1], next=self.states[-1].entry)

    def discarded(self, number: int) -> TurnsDraft:
        """The draft with a turn in which a domino was discarded, so that the kingdom stayed as it was."""
        entry = self.states[-1].entry if self.states else KingdomEntry(Editor.of_kingdom(Kingdom.lone_castle()))
        return replace(self, states=(*self.states, TurnState.now(entry, number)))

    def turns(self, thumbnails: Mapping[str, str]) -> tuple[Turn, ...]:
        """The states as the store keeps them with a game."""
        return tuple(
            Turn(
                each.entry.reading(thumbnails.get(each.photo) if each.photo else None),
                each.taken_at,
                each.discarded,
            )
            for each in self.states
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data for a draft."""
        return {
            "states": [
                {
                    "entry": each.entry.as_json(),
                    "taken_at": each.taken_at.isoformat(),
                    "discarded": each.discarded,
                }
                for each in self.states
            ],
            "size": self.size,
            "name": self.name,
            "next": None if self.next is None else self.next.as_json(),
            "source": None if self.source is None else self.source.as_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TurnsDraft:
        """Read what `as_json` gave."""
        try:
            if data["size"] not in SIZES:
                raise ValueError(f"a kingdom of size {data['size']}")
            return cls(
                tuple(
                    TurnState(
                        KingdomEntry.from_json(each["entry"]),
                        datetime.fromisoformat(each["taken_at"]),
                        each.get("discarded"),
                    )
                    for each in data["states"]
                ),
                data["size"],
                str(data["name"])[:NAME_LETTERS],
                None if data.get("next") is None else KingdomEntry.from_json(data["next"]),
                None if data.get("source") is None else Source.from_json(data["source"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StoreError(_("This draft cannot be read: {reason}.").format(reason=str(error)[:100])) from None


@dataclass(frozen=True, slots=True)
class Step:
    """What happened between two states: the later kingdom with room for everything that is said about it."""

    kingdom: Kingdom
    comparison: Comparison
    discarded: int | None = None

    @property
    def good(self) -> tuple[Position, ...]:
        """Squares of dominoes that were added by the rules."""
        return tuple(cell for added in self.comparison.added if added.legal for cell in added.cells)

    @property
    def wrong(self) -> tuple[Position, ...]:
        """Squares of dominoes that were not, and of everything else that changed."""
        illegal = [cell for added in self.comparison.added if not added.legal for cell in added.cells]
        changed = [cell for change in self.comparison.changes for cell in change.cells]
        return (*illegal, *changed)

    @property
    def tone(self) -> Tone:
        """How the step is shown."""
        if not self.comparison.legal:
            return "bad"
        return "good" if self.comparison.added or self.discarded else "open"

    @property
    def headline(self) -> str:
        """The step in one sentence."""
        added, changes = self.comparison.added, self.comparison.changes
        if not added and not changes:
            if self.discarded is not None:
                return _("Domino {number} was discarded.").format(number=self.discarded)
            return _("Nothing has changed.")
        if self.comparison.legal:
            if len(added) == 1:
                return _("By the rules: domino {numbers} was added.").format(numbers=numbers(added[0].numbers))
            return ngettext("By the rules: {n} domino was added.", "By the rules: {n} dominoes were added.", len(added))
        if any(not each.legal for each in added):
            return _("Not by the rules: a domino must not lie where it lies.")
        return _("Something changed that is no placement of a domino.")

    @property
    def details(self) -> tuple[str, ...]:
        """Every domino, every rule that is broken, every other change, and what remains open."""
        found = self.comparison
        lines = []
        for added in found.added:
            domino = VerifiedDomino(added.numbers, added.cells, added.legal)
            lines.append(text.domino_line(self.kingdom, domino))
            lines += added.broken
        lines += [change.text for change in found.changes]
        if len(found.added) > 1:
            lines.append(_("A turn adds one domino; between these two states lie several turns."))
        if len(found.cuttings) > 1 or not found.complete:
            lines.append(_("The new squares can be cut into dominoes in several ways; this is the most lawful one."))
        if found.ambiguous:
            lines.append(_("The earlier state fits on this one in two directions, so the places may be turned."))
        return tuple(lines)


def numbers(values: Sequence[int]) -> str:
    """The numbers that a domino may have, in words."""
    *others, last = (str(number) for number in values)
    return _("{others} or {last}").format(others=", ".join(others), last=last) if others else last


def step(before: Kingdom | None, after: Kingdom, rules: Rules, discarded: int | None = None) -> Step:
    """What happened between two states; raises a KingdominoError if they cannot be compared."""
    comparison = compare(before, after, rules)
    touched = [cell for change in comparison.changes for cell in change.cells]
    roomy, _top, _left = with_room(after, touched)
    if roomy != after:
        comparison = compare(before, roomy, rules)
    return Step(roomy, comparison, discarded)


def with_room(kingdom: Kingdom, cells: Iterable[Position]) -> tuple[Kingdom, int, int]:
    """The kingdom with enough empty rows and columns for the cells, and how many were added on top and left."""
    places = list(cells)
    rows, columns = [row for row, _column in places] or [0], [column for _row, column in places] or [0]
    top, left = max(0, -min(rows)), max(0, -min(columns))
    bottom, right = max(0, max(rows) - kingdom.height + 1), max(0, max(columns) - kingdom.width + 1)
    if kingdom.height + top + bottom > MAX_SIDE or kingdom.width + left + right > MAX_SIDE:
        return kingdom, 0, 0
    return kingdom.padded(top=top, left=left, bottom=bottom, right=right), top, left


def best_of(entries: Sequence[KingdomEntry], draft: TurnsDraft) -> KingdomEntry:
    """Of the kingdoms of a photo the one that can best be the next state."""

    def strangeness(entry: KingdomEntry) -> tuple[int, int]:
        try:
            found = compare(draft.last, entry.kingdom.trimmed(), draft.rules)
        except KingdominoError:
            return len(DOMINOES), 0
        return len(found.changes), abs(len(found.added) - 1)

    return min(entries, key=strangeness)


@dataclass(frozen=True, slots=True)
class Room:
    """Where a domino could be laid: the kingdom with room for every placement, which refer to that grid."""

    kingdom: Kingdom
    domino: Domino
    placements: tuple[Placement, ...]
    rules: Rules

    @property
    def cells(self) -> frozenset[Position]:
        """All squares that some placement would cover."""
        return frozenset(cell for placement in self.placements for cell in placement.cells)

    @property
    def headline(self) -> str:
        """Whether it may be discarded."""
        if not self.placements:
            return _("It may be discarded: domino {number} can be laid nowhere.").format(number=self.domino.number)
        return ngettext(
            "It must not be discarded: there is {n} place for it.",
            "It must not be discarded: there are {n} places for it.",
            len(self.placements),
        )

    @property
    def details(self) -> tuple[str, ...]:
        """The rule behind it."""
        if self.placements:
            return (_("A domino that can be placed must be placed, however little it helps."),)
        return (
            _("No free pair of squares inside {size}×{size} touches the castle or {terrains}.").format(
                size=self.rules.size, terrains=dominoes.terrains(self.domino)
            ),
        )

    def laid(self, number: int) -> Kingdom:
        """The kingdom with the domino on one of its places."""
        return self.kingdom.place(self.placements[number])


def room_for(kingdom: Kingdom, domino: Domino, rules: Rules) -> Room:
    """Where a domino could be laid; raises PlacementError if the kingdom has not exactly one castle."""
    found = list(legal_placements(kingdom, domino, rules))
    roomy, top, left = with_room(kingdom, [cell for placement in found for cell in placement.cells])
    moved = [
        Placement(domino, ((a[0] + top, a[1] + left), (b[0] + top, b[1] + left)))
        for a, b in (placement.cells for placement in found)
    ]
    return Room(roomy, domino, tuple(sorted(moved, key=lambda each: (min(each.cells), each.cells))), rules)
