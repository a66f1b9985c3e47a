"""Correcting a kingdom: the grid as a person sees it, what was read, and every step back and forth.

All of it is one frozen value, so that a page only shows it and a test needs no page. Positions are those of the grid
shown; a *source* is a square of the grid that was found in the photo, whatever was turned or added since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from engine import EMPTY, Cell, Kingdom, NotationError, Position
from engine.kingdom import MAX_SIDE

Side = Literal["top", "bottom", "left", "right"]
SIDES: Final[tuple[Side, ...]] = ("top", "bottom", "left", "right")
#: Steps back that are kept; more than anybody corrects, few enough for a draft.
MAX_STEPS: Final = 200
_BY_HAND: Final = 5


@dataclass(frozen=True, slots=True)
class Layout:
    """One state of the grid: square (row, column) shows source (row - top, column - left) of the turned photo."""

    kingdom: Kingdom
    turns: int = 0
    top: int = 0
    left: int = 0
    confirmed: frozenset[Position] = frozenset()


@dataclass(frozen=True, slots=True)
class Read:
    """What reading a photo gave: the kingdom, where it begins in the grid found, its shape, doubtful sources."""

    kingdom: Kingdom
    origin: Position = (0, 0)
    shape: tuple[int, int] = (0, 0)
    doubtful: tuple[Position, ...] = ()


@dataclass(frozen=True, slots=True)
class Editor:
    """A kingdom under correction."""

    now: Layout
    read: Read | None = None
    past: tuple[Layout, ...] = field(default=(), repr=False)
    future: tuple[Layout, ...] = field(default=(), repr=False)
    selected: Position | None = None

    @classmethod
    def of_reading(cls, read: Read) -> Editor:
        """Begin with what was read from a photo."""
        return cls(_as_read(read), read)

    @classmethod
    def of_kingdom(cls, kingdom: Kingdom) -> Editor:
        """Begin with a kingdom that somebody typed."""
        return cls(Layout(kingdom))

    @classmethod
    def by_hand(cls, size: int = _BY_HAND) -> Editor:
        """Begin with an empty grid."""
        return cls(Layout(Kingdom(((EMPTY,) * size,) * size)))

    @property
    def kingdom(self) -> Kingdom:
        """The grid as it is now."""
        return self.now.kingdom

    @property
    def touched(self) -> bool:
        """Whether anything was done since it was read or begun."""
        return bool(self.past or self.future)

    def source(self, position: Position) -> Position | None:
        """The square of the photo's grid that a square of the grid shows; None outside the photo's grid."""
        if self.read is None:
            return None
        row, column = position[0] - self.now.top, position[1] - self.now.left
        rows, columns = self.read.shape
        turns = self.now.turns % 4
        if turns == 1:
            row, column = rows - 1 - column, row
        elif turns == 2:
            row, column = rows - 1 - row, columns - 1 - column
        elif turns == 3:
            row, column = column, columns - 1 - row
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    @property
    def doubtful(self) -> tuple[Position, ...]:
        """Squares of the grid worth a look and not looked at yet, the most doubtful first."""
        if self.read is None:
            return ()
        places = {self.source(position): position for position, _ in self.kingdom}
        waiting = [source for source in self.read.doubtful if source not in self.now.confirmed]
        return tuple(places[source] for source in waiting if source in places)

    def select(self, position: Position | None) -> Editor:
        """Open a square, or close it by opening it again."""
        inside = position is not None and _inside(self.kingdom, position)
        return replace(self, selected=position if inside and position != self.selected else None)

    def select_doubtful(self) -> Editor:
        """Open the next square worth a look; after the last one none is open."""
        waiting = self.doubtful
        if not waiting:
            return replace(self, selected=None)
        after = waiting.index(self.selected) + 1 if self.selected in waiting else 0
        return replace(self, selected=waiting[after % len(waiting)])

    def put(self, position: Position, cell: Cell) -> Editor:
        """Say what a square shows; the same as before confirms it."""
        if not _inside(self.kingdom, position):
            return self
        source = self.source(position)
        confirmed = self.now.confirmed | ({source} if source is not None else set())
        kingdom = self.kingdom.replaced(*position, cell)
        return self._done(replace(self.now, kingdom=kingdom, confirmed=frozenset(confirmed)))

    def rotate(self) -> Editor:
        """Turn everything clockwise by a quarter."""
        now, kingdom = self.now, self.kingdom
        # The photo's grid, as it lies now, has as many rows as it has columns after the turn.
        depth = 0 if self.read is None else self.read.shape[now.turns % 2]
        turned = replace(
            now,
            kingdom=kingdom.rotated(),
            turns=(now.turns + 1) % 4,
            top=now.left,
            left=kingdom.height - now.top - depth,
        )
        selected = self.selected and (self.selected[1], kingdom.height - 1 - self.selected[0])
        return replace(self._done(turned), selected=selected or None)

    def add(self, side: Side) -> Editor:
        """Add an empty row or column; at the largest size that can be held nothing happens."""
        kingdom = self.kingdom
        if (kingdom.height if side in ("top", "bottom") else kingdom.width) >= MAX_SIDE:
            return self
        down, right = int(side == "top"), int(side == "left")
        grown = replace(
            self.now, kingdom=kingdom.padded(**{side: 1}), top=self.now.top + down, left=self.now.left + right
        )
        return replace(self._done(grown), selected=_moved(self.selected, down, right))

    def remove(self, side: Side) -> Editor:
        """Take a row or column away, with what is on it; the last one stays."""
        rows = self.kingdom.rows
        if (len(rows) if side in ("top", "bottom") else len(rows[0])) == 1:
            return self
        down, right = -int(side == "top"), -int(side == "left")
        kept = {
            "top": rows[1:],
            "bottom": rows[:-1],
            "left": tuple(row[1:] for row in rows),
            "right": tuple(row[:-1] for row in rows),
        }[side]
        kingdom = Kingdom(kept)
        smaller = replace(self.now, kingdom=kingdom, top=self.now.top + down, left=self.now.left + right)
        selected = _moved(self.selected, down, right)
        return replace(self._done(smaller), selected=selected if selected and _inside(kingdom, selected) else None)

    def reset(self) -> Editor:
        """Go back to what was read; this too can be undone."""
        if self.read is None or self.now == _as_read(self.read):
            return self
        return replace(self._done(_as_read(self.read)), selected=None)

    def undo(self) -> Editor:
        """Take the last step back."""
        if not self.past:
            return self
        return replace(self, now=self.past[-1], past=self.past[:-1], future=(self.now, *self.future), selected=None)

    def redo(self) -> Editor:
        """Take the step again that was taken back."""
        if not self.future:
            return self
        return replace(self, now=self.future[0], past=(*self.past, self.now), future=self.future[1:], selected=None)

    def corrections(self) -> tuple[tuple[Position, Cell, Cell], ...]:
        """What a person put right: the square of the kingdom as it was read, what was read, what it is."""
        if self.read is None:
            return ()
        top, left = self.read.origin
        found = []
        for position, cell in self.kingdom:
            source = self.source(position)
            if source is not None:
                place = (source[0] - top, source[1] - left)
                was = self.read.kingdom.cell(*place)
                if was is not cell and was != cell and _inside(self.read.kingdom, place):
                    found.append((place, was, cell))
        return tuple(sorted(found, key=lambda each: each[0]))

    def as_json(self) -> dict[str, Any]:
        """The editor as plain data for a draft; which square is open is not part of it."""
        steps = (*self.past, self.now, *self.future)
        return {
            "steps": [_layout_json(layout) for layout in steps],
            "at": len(self.past),
            "read": None if self.read is None else _read_json(self.read),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Editor:
        """Read what `as_json` gave; raise NotationError on anything else."""
        try:
            steps = tuple(_layout(each) for each in data["steps"])
            at = int(data["at"])
            read = None if data.get("read") is None else _read(data["read"])
            return cls(steps[at], read, steps[:at], steps[at + 1 :])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise NotationError(f"This draft holds no kingdom that can be read: {error}.") from None

    def _done(self, layout: Layout) -> Editor:
        if layout == self.now:
            return self
        return replace(self, now=layout, past=(*self.past, self.now)[-MAX_STEPS:], future=())


def _as_read(read: Read) -> Layout:
    return Layout(read.kingdom, top=-read.origin[0], left=-read.origin[1])


def _inside(kingdom: Kingdom, position: Position) -> bool:
    return 0 <= position[0] < kingdom.height and 0 <= position[1] < kingdom.width


def _moved(position: Position | None, down: int, right: int) -> Position | None:
    return None if position is None else (position[0] + down, position[1] + right)


def _layout_json(layout: Layout) -> list[Any]:
    confirmed = [list(source) for source in sorted(layout.confirmed)]
    return [layout.kingdom.notation, layout.turns, layout.top, layout.left, confirmed]


def _layout(data: Sequence[Any]) -> Layout:
    notation, turns, top, left, confirmed = data
    places = frozenset((int(row), int(column)) for row, column in confirmed)
    return Layout(Kingdom.from_notation(notation), int(turns) % 4, int(top), int(left), places)


def _read_json(read: Read) -> dict[str, Any]:
    return {
        "kingdom": read.kingdom.notation,
        "origin": list(read.origin),
        "shape": list(read.shape),
        "doubtful": [list(source) for source in read.doubtful],
    }


def _read(data: Mapping[str, Any]) -> Read:
    (top, left), (rows, columns) = data["origin"], data["shape"]
    doubtful = tuple((int(row), int(column)) for row, column in data["doubtful"])
    return Read(Kingdom.from_notation(data["kingdom"]), (int(top), int(left)), (int(rows), int(columns)), doubtful)
