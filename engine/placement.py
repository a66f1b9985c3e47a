"""Where a domino may be laid: the connection rules, in bulk and in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.board import OFFSETS, bit_of, placements_in
from engine.dominoes import Domino
from engine.errors import PlacementError
from engine.kingdom import Kingdom, Position
from engine.rules import Rules
from engine.squares import CASTLE, EMPTY, Square


@dataclass(frozen=True, slots=True)
class Placement:
    """A domino and the cells of its halves a and b; they may lie outside the present grid."""

    domino: Domino
    cells: tuple[Position, Position]


class LegalPlacements:
    """All legal placements of one domino in one kingdom: iterable, countable, testable with `in`.

    Nothing is listed before it is asked for; `len` and truth only count bits.
    """

    __slots__ = ("_castle", "_masks", "domino", "kingdom", "rules")

    def __init__(self, kingdom: Kingdom, domino: Domino, rules: Rules | None = None) -> None:
        self.kingdom = kingdom
        self.domino = domino
        self.rules = rules or Rules(size=kingdom.default_size())
        found = placements_in(kingdom, domino, self.rules.size)
        if found is None:
            raise _castles_differ(kingdom)
        self._castle, self._masks = found

    def __len__(self) -> int:
        a, b, c, d = self._masks
        return a.bit_count() + b.bit_count() + c.bit_count() + d.bit_count()

    def __bool__(self) -> bool:
        return any(self._masks)

    def __iter__(self) -> Iterator[Placement]:
        domino = self.domino
        for mask, cells in zip(self._masks, _cells_by_bit(self._castle), strict=True):
            while mask:
                low = mask & -mask
                yield Placement(domino, cells[low.bit_length() - 1])
                mask ^= low

    def __contains__(self, placement: object) -> bool:
        if not isinstance(placement, Placement) or placement.domino != self.domino:
            return False
        castle_row, castle_column = self._castle
        (ra, ca), (rb, cb) = placement.cells
        a = bit_of((ra - castle_row, ca - castle_column))
        b = bit_of((rb - castle_row, cb - castle_column))
        if a is None or b is None or abs(ra - rb) + abs(ca - cb) != 1:
            return False
        across, down = (0, 1), (2, 3)
        masks = across if abs(a - b) == 1 else down
        # A domino with equal halves is listed once; both ways round are the same placement.
        swapped = b < a and self.domino.a != self.domino.b
        return bool(self._masks[masks[swapped]] >> min(a, b) & 1)

    def __repr__(self) -> str:
        return f"<{len(self)} legal placements of {self.domino} in {self.kingdom.notation}>"


Cells = tuple[Position, Position]


@lru_cache(maxsize=64)
def _cells_by_bit(castle: Position) -> tuple[tuple[Cells, ...], ...]:
    """Return for each of the four masks which cells the bits stand for; that follows from the castle alone."""
    across, down = (
        tuple(((r, c), (r + dr, c + dc)) for r, c in ((castle[0] + r, castle[1] + c) for r, c in OFFSETS))
        for dr, dc in ((0, 1), (1, 0))
    )
    return across, tuple((b, a) for a, b in across), down, tuple((b, a) for a, b in down)


def legal_placements(kingdom: Kingdom, domino: Domino, rules: Rules | None = None) -> LegalPlacements:
    """Return all legal placements of a domino; they refer to the grid of the kingdom as it is."""
    return LegalPlacements(kingdom, domino, rules)


def can_place(kingdom: Kingdom, domino: Domino, rules: Rules | None = None) -> bool:
    """Whether the domino can be placed at all; one that can must be, one that cannot is discarded."""
    return bool(LegalPlacements(kingdom, domino, rules))


def geometry_problem(kingdom: Kingdom, placement: Placement) -> str | None:
    """Return why a domino cannot lie there at all, rules of connection aside; None if it can."""
    (ra, ca), (rb, cb) = placement.cells
    if abs(ra - rb) + abs(ca - cb) != 1:
        return "A domino covers two squares that share an edge."
    taken = [cell for cell in placement.cells if kingdom.cell(*cell) is not EMPTY]
    if taken:
        return f"Already covered: {_listed(taken)}."
    return None


def explain(kingdom: Kingdom, placement: Placement, rules: Rules | None = None) -> tuple[str, ...]:
    """Return every rule that a placement breaks, in words; nothing if it is legal."""
    rules = rules or Rules(size=kingdom.default_size())
    if kingdom.castle is None:
        raise _castles_differ(kingdom)
    broken = []
    problem = geometry_problem(kingdom, placement)
    if problem:
        broken.append(problem)
    if not _connected(kingdom, placement):
        a, b = placement.domino.a.terrain, placement.domino.b.terrain
        wanted = a.value if a is b else f"{a.value} for its {a.value} half or {b.value} for its {b.value} half"
        broken.append(f"At least one half must touch the castle or its own terrain: {wanted}. Neither does.")
    box = kingdom.bounding_box
    if box:
        rows = [box[0], box[2], *(r for r, _ in placement.cells)]
        columns = [box[1], box[3], *(c for _, c in placement.cells)]
        height, width = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
        if max(height, width) > rules.size:
            broken.append(f"The kingdom would be {height}×{width} squares; it must fit {rules.size}×{rules.size}.")
    return tuple(broken)


def _connected(kingdom: Kingdom, placement: Placement) -> bool:
    halves = zip(placement.cells, (placement.domino.a, placement.domino.b), strict=True)
    for (row, column), half in halves:
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            cell = kingdom.cell(r, c)
            if cell is CASTLE or (isinstance(cell, Square) and cell.terrain is half.terrain):
                return True
    return False


def _castles_differ(kingdom: Kingdom) -> PlacementError:
    return PlacementError(
        f"Dominoes are laid in a kingdom with exactly one castle; {kingdom.notation} has {len(kingdom.castles)}."
    )


def _listed(cells: list[Position]) -> str:
    return " and ".join(f"row {r + 1}, column {c + 1}" for r, c in cells)
