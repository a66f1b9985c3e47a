"""The plain reference: the rules in the slow, obvious way, to check the engine against and to time it against.

A kingdom is a dictionary of the cells that are not empty. Placements are tried one by one over the free
window, territories are flood-filled, a game is played as the rule book tells it, and the verifier lists every
cutting. No bit masks and no remembered answers; of the engine it uses only the values it hands back.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine import (
    CASTLE,
    DOMINOES,
    EMPTY,
    UNREAD,
    Cell,
    Domino,
    Edition,
    Kingdom,
    Placement,
    Position,
    Rules,
    Square,
    Terrain,
    Territory,
)

Cells = dict[Position, Cell]
# Two cells that one domino covers, the earlier in row-major order first.
Pair = tuple[Position, Position]

RIGHT, DOWN, LEFT, UP = (0, 1), (1, 0), (0, -1), (-1, 0)
DIRECTIONS = (RIGHT, DOWN, LEFT, UP)


def cells_of(kingdom: Kingdom) -> Cells:
    """Return the cells of a kingdom that are not empty, in row-major order."""
    return {(r, c): cell for r, row in enumerate(kingdom.rows) for c, cell in enumerate(row) if cell is not EMPTY}


def kingdom_of(cells: Cells) -> Kingdom:
    """Return the trimmed kingdom that these cells form."""
    top, left, bottom, right = box(cells)
    return Kingdom(
        tuple(tuple(cells.get((r, c), EMPTY) for c in range(left, right + 1)) for r in range(top, bottom + 1))
    )


def box(cells: Cells) -> tuple[int, int, int, int]:
    """Return top, left, bottom and right of the bounding box."""
    rows = [r for r, _ in cells]
    columns = [c for _, c in cells]
    return min(rows), min(columns), max(rows), max(columns)


def fits(cells: Cells, size: int) -> bool:
    """Whether the bounding box fits size×size."""
    top, left, bottom, right = box(cells)
    return bottom - top < size and right - left < size


# Placements


def touches(cells: Cells, position: Position, terrain: Terrain) -> bool:
    """Whether a half of this terrain would touch the castle or its own terrain at a position."""
    row, column = position
    for dr, dc in DIRECTIONS:
        cell = cells.get((row + dr, column + dc))
        if cell is CASTLE or (isinstance(cell, Square) and cell.terrain is terrain):
            return True
    return False


def placements(cells: Cells, domino: Domino, size: int) -> list[Placement]:
    """Return every legal placement: half a on each cell in reach, half b beside it, every rule tried on both.

    The frame is not fixed in advance, so the window to try is all that N×N could reach from the castle.
    """
    row, column = next(position for position, cell in cells.items() if cell is CASTLE)
    top, left, bottom, right = box(cells)
    # Turning a domino with equal halves changes nothing, so two directions show all its placements.
    directions = (RIGHT, DOWN) if domino.a == domino.b else DIRECTIONS
    found = []
    for ra in range(row - size + 1, row + size):
        for ca in range(column - size + 1, column + size):
            if (ra, ca) in cells:
                continue
            for dr, dc in directions:
                rb, cb = ra + dr, ca + dc
                if (rb, cb) in cells:
                    continue
                if max(bottom, ra, rb) - min(top, ra, rb) >= size or max(right, ca, cb) - min(left, ca, cb) >= size:
                    continue
                if touches(cells, (ra, ca), domino.a.terrain) or touches(cells, (rb, cb), domino.b.terrain):
                    found.append(Placement(domino, ((ra, ca), (rb, cb))))
    return found


def placements_that_fit(cells: Cells, domino: Domino, size: int) -> list[Placement]:
    """Return the same list, trying only the cells that keep the kingdom inside N×N: a less plain reference."""
    top, left, bottom, right = box(cells)
    if bottom - top >= size or right - left >= size:
        return []
    rows = range(bottom - size + 1, top + size)
    columns = range(right - size + 1, left + size)
    directions = (RIGHT, DOWN) if domino.a == domino.b else DIRECTIONS
    found = []
    for row in rows:
        for column in columns:
            if (row, column) in cells:
                continue
            for dr, dc in directions:
                other = (row + dr, column + dc)
                if other in cells or other[0] not in rows or other[1] not in columns:
                    continue
                if touches(cells, (row, column), domino.a.terrain) or touches(cells, other, domino.b.terrain):
                    found.append(Placement(domino, ((row, column), other)))
    return found


def lay(cells: Cells, placement: Placement) -> None:
    """Add a domino to the cells."""
    first, second = placement.cells
    cells[first] = placement.domino.a
    cells[second] = placement.domino.b


# Scoring


@dataclass(frozen=True)
class Points:
    """A score: territories as the engine orders them, and whether the two bonuses hold."""

    territories: tuple[Territory, ...]
    middle_kingdom: bool
    harmony: bool
    total: int


def territories(cells: Cells) -> list[Territory]:
    """Return all territories by flood fill: most points first, then most squares, then the earliest cell."""
    seen: set[Position] = set()
    found = []
    for start, first in cells.items():
        if start in seen or not isinstance(first, Square):
            continue
        seen.add(start)
        group = [start]
        crowns = first.crowns
        for row, column in group:
            for dr, dc in DIRECTIONS:
                near = (row + dr, column + dc)
                cell = cells.get(near)
                if near not in seen and isinstance(cell, Square) and cell.terrain is first.terrain:
                    seen.add(near)
                    group.append(near)
                    crowns += cell.crowns
        found.append(Territory(first.terrain, tuple(sorted(group)), crowns))
    return sorted(found, key=lambda territory: (-territory.points, -territory.squares, territory.cells[0]))


def score(cells: Cells, rules: Rules) -> Points:
    """Score a kingdom at the end of a game."""
    found = territories(cells)
    middle = middle_kingdom(cells, rules.size)
    complete = harmony(cells, rules.size)
    total = sum(territory.points for territory in found)
    if rules.middle_kingdom and middle:
        total += 10
    if rules.harmony and complete:
        total += 5
    return Points(tuple(found), middle, complete, total)


def middle_kingdom(cells: Cells, size: int) -> bool:
    """Whether the one castle is the centre of an N×N frame that holds everything."""
    castles = [position for position, cell in cells.items() if cell is CASTLE]
    if len(castles) != 1:
        return False
    row, column = castles[0]
    reach = (size - 1) // 2
    return all(abs(r - row) <= reach and abs(c - column) <= reach for r, c in cells)


def harmony(cells: Cells, size: int) -> bool:
    """Whether all N×N squares of a frame are covered and nothing lies outside it."""
    return len(cells) == size * size and fits(cells, size)


# A whole game


@dataclass
class Player:
    """What one player has built and discarded, and the placements in the order they were made."""

    cells: Cells
    placed: list[Placement]
    discarded: list[Domino]


def play(rules: Rules, rng: random.Random) -> list[Player]:
    """Play a whole game, every choice at random, and return the players."""
    box_of_dominoes = list(DOMINOES)
    rng.shuffle(box_of_dominoes)
    drawn = box_of_dominoes[: rules.dominoes_in_play]
    length = rules.line_length
    lines = [sorted(drawn[at : at + length], key=number) for at in range(0, len(drawn), length)]
    count = rules.players or 0
    players = [Player({(0, 0): CASTLE}, [], []) for _ in range(count)]

    standing: list[tuple[Domino, Player]] = []
    free = lines[0]
    for index in first_order(rules, rng):
        standing.append((choose(free, rng), players[index]))
    for line in [*lines[1:], []]:
        free = line
        waiting = sorted(standing, key=lambda king: king[0].number)
        standing = []
        for domino, player in waiting:
            options = placements(player.cells, domino, rules.size)
            if options:
                placement = rng.choice(options)
                lay(player.cells, placement)
                player.placed.append(placement)
            else:
                player.discarded.append(domino)
            if free:
                standing.append((choose(free, rng), player))
    return players


def build(rng: random.Random, size: int, steps: int) -> tuple[Kingdom, list[Placement]]:
    """Lay up to `steps` dominoes of the whole box at random; the placements are seen from the castle."""
    cells: Cells = {(0, 0): CASTLE}
    placed: list[Placement] = []
    deck = list(DOMINOES)
    rng.shuffle(deck)
    for domino in deck:
        if len(placed) == steps:
            break
        options = placements_that_fit(cells, domino, size)
        if options:
            placement = rng.choice(options)
            lay(cells, placement)
            placed.append(placement)
    return kingdom_of(cells), placed


def number(domino: Domino) -> int:
    """Return the number on the back."""
    return domino.number


def choose(free: list[Domino], rng: random.Random) -> Domino:
    """Take a domino of the line at random."""
    return free.pop(rng.randrange(len(free)))


def first_order(rules: Rules, rng: random.Random) -> list[int]:
    """Return which players choose in the first line, king by king."""
    count = rules.players or 0
    if count == 2 and rules.edition is Edition.NEW:
        first = rng.randrange(2)
        return [first, 1 - first, 1 - first, first]
    kings = [player for player in range(count) for _ in range(rules.kings_each)]
    rng.shuffle(kings)
    return kings


# Verification


@dataclass(frozen=True)
class Verification:
    """The answer of the full search: the cutting that is shown and which of its dominoes grow from the castle."""

    tileable: bool | None
    legal: bool | None
    pairs: tuple[Pair, ...]
    placed: frozenset[Pair]
    uncovered: tuple[Position, ...]


def face(a: Square, b: Square) -> frozenset[tuple[Square, int]]:
    """Return what a domino shows, whichever way it lies."""
    return frozenset(Counter([a, b]).items())


def verify(kingdom: Kingdom, size: int) -> Verification:
    """Try every cutting with the fewest uncovered squares and keep the first that places the most dominoes."""
    if UNREAD in [cell for row in kingdom.rows for cell in row]:
        return Verification(None, None, (), frozenset(), ())
    cells = cells_of(kingdom)
    squares = {position: cell for position, cell in cells.items() if isinstance(cell, Square)}
    castles = [position for position, cell in cells.items() if cell is CASTLE]
    castle = castles[0] if len(castles) == 1 else None
    # With an odd number of squares one is always left over, and so on by twos.
    holes = len(squares) % 2
    while not (found := list(cuttings(squares, holes))):
        holes += 2
    best, placed = most_placed(found, squares, castle, size)
    covered = {cell for pair in best for cell in pair}
    legal = None if castle is None else holes == 0 and len(placed) == len(best) and fits(cells, size)
    return Verification(holes == 0, legal, best, placed, tuple(cell for cell in sorted(squares) if cell not in covered))


def cuttings(squares: Mapping[Position, Square], holes: int) -> Iterator[tuple[Pair, ...]]:
    """List every way to cut all but `holes` squares into distinct dominoes, in row-major order.

    Of two cuttings the earlier is the one that, at the first cell where they differ, goes right rather than
    down, and down rather than leaving the cell uncovered.
    """
    left = Counter(face(domino.a, domino.b) for domino in DOMINOES)
    order = sorted(squares)
    covered: set[Position] = set()
    pairs: list[Pair] = []

    def cut(index: int, holes: int) -> Iterator[tuple[Pair, ...]]:
        while index < len(order) and order[index] in covered:
            index += 1
        if index == len(order):
            if holes == 0:
                yield tuple(pairs)
            return
        first = order[index]
        for dr, dc in (RIGHT, DOWN):
            second = (first[0] + dr, first[1] + dc)
            if second not in squares or second in covered:
                continue
            shown = face(squares[first], squares[second])
            if left[shown] > 0:
                left[shown] -= 1
                covered.add(second)
                pairs.append((first, second))
                yield from cut(index + 1, holes)
                pairs.pop()
                covered.remove(second)
                left[shown] += 1
        if holes:
            yield from cut(index + 1, holes - 1)

    return cut(0, holes)


def most_placed(
    found: list[tuple[Pair, ...]], squares: Mapping[Position, Square], castle: Position | None, size: int
) -> tuple[tuple[Pair, ...], frozenset[Pair]]:
    """Return the first cutting with the largest set that grows, over all windows that hold the castle."""
    if castle is None:
        return found[0], frozenset()
    windows = [
        (top, left)
        for top in range(castle[0] - size + 1, castle[0] + 1)
        for left in range(castle[1] - size + 1, castle[1] + 1)
    ]
    if fits({castle: CASTLE, **squares}, size):
        # Everything lies in one window; the others could only show less.
        top, left, _, _ = box({castle: CASTLE, **squares})
        windows = [(top, left)]
    best: tuple[tuple[Pair, ...], frozenset[Pair]] | None = None
    for pairs in found:
        for top, left in windows:
            placed = grown(pairs, squares, castle, (top, left, top + size - 1, left + size - 1))
            if best is None or len(placed) > len(best[1]):
                best = pairs, placed
    return best or (found[0], frozenset())


def grown(
    pairs: tuple[Pair, ...], squares: Mapping[Position, Square], castle: Position, window: tuple[int, int, int, int]
) -> frozenset[Pair]:
    """Return the dominoes of a cutting that grow from the castle inside a window."""
    top, left, bottom, right = window
    waiting = [pair for pair in pairs if all(top <= r <= bottom and left <= c <= right for r, c in pair)]
    laid: Cells = {castle: CASTLE}
    placed: set[Pair] = set()
    growing = True
    while growing:
        growing = False
        for pair in waiting:
            if pair not in placed and any(touches(laid, cell, squares[cell].terrain) for cell in pair):
                placed.add(pair)
                laid.update({cell: squares[cell] for cell in pair})
                growing = True
    return frozenset(placed)
