"""The engine: how long verdicts take, and how much faster it is than the plain reference of the tests.

Kingdoms come from seeded games, from the labelled photographs where they are at hand, and from grids made to
be hard. Figures against the reference are ratios measured in the same run, batch beside batch. All times are
processor time, which other programs hardly disturb, but for the hard grids, whose limit is of the clock on the wall.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.report import Row, median_ratio, median_seconds
from engine import (
    CASTLE,
    DOMINOES,
    SQUARE_COUNTS,
    SQUARES,
    Kingdom,
    Rules,
    Square,
    Terrain,
    legal_placements,
    random_playout,
    score,
    verify,
)
from tests.engine import reference
from vision.data import board_labels, data_available, photo_labels


@dataclass(frozen=True)
class Amounts:
    """How much is measured."""

    games: int
    full: int
    letters: int
    batch: int
    runs: int


FULL_RUN = Amounts(games=1000, full=100, letters=12, batch=200, runs=15)
QUICK_RUN = Amounts(games=40, full=10, letters=3, batch=50, runs=5)

# The slowest kingdoms are timed again, so that a hiccup of the machine is not taken for a hard kingdom.
_TIMED_AGAIN = 3
_AGAIN = 3


def run(quick: bool) -> list[Row]:
    """Measure everything."""
    amounts = QUICK_RUN if quick else FULL_RUN
    full = {size: full_kingdoms(random.Random(10 + size), size, amounts.full) for size in (5, 7)}
    return [
        *verdicts_on_played(amounts, 5, players=4, median_ms=2, worst_ms=30),
        *verdict_rows("verdict 5×5, full", full[5], 5, 2, 30),
        *verdicts_on_played(amounts, 7, players=2, median_ms=8, worst_ms=250),
        *verdict_rows("verdict 7×7, full", full[7], 7, 8, 250),
        *verdicts_on_altered(full[7]),
        *verdicts_on_hard_grids(amounts),
        *placements(amounts),
        *games(amounts),
        *scoring(amounts),
    ]


# Verification


def verdicts_on_played(amounts: Amounts, size: int, *, players: int, median_ms: float, worst_ms: float) -> list[Row]:
    """Verdicts on the last state of random games and on the labelled kingdoms."""
    rng = random.Random(size)
    rules = Rules(size=size, players=players)
    kingdoms = [kingdom for _ in range(amounts.games) for kingdom in random_playout(rules, rng).kingdoms]
    source = f"{amounts.games} games"
    if data_available():
        labels = [*photo_labels().values(), *board_labels().values()]
        labelled = [Kingdom.from_notation(label["notation"]) for label in labels if label.get("size", 5) == size]
        kingdoms += labelled
        source += f", {len(labelled)} labelled"
    return verdict_rows(f"verdict {size}×{size}, played", kingdoms, size, median_ms, worst_ms, source)


def verdicts_on_altered(full: Sequence[Kingdom]) -> list[Row]:
    """Verdicts on full 7×7 kingdoms with one square misread, each in two ways."""
    rng = random.Random(77)
    kingdoms = []
    for kingdom in [*full, *full]:
        at, was = rng.choice(list(kingdom.squares.items()))
        kingdoms.append(kingdom.replaced(*at, rng.choice([square for square in SQUARES if square != was])))
    return verdict_rows("verdict 7×7, one square altered", kingdoms, 7, None, 500)


def verdicts_on_hard_grids(amounts: Amounts) -> list[Row]:
    """Verdicts on grids that no game gives: answered in time, exactly or honestly not."""
    rng = random.Random(7)
    weights = [SQUARE_COUNTS[square] for square in SQUARES]
    letters = [filled([rng.choices(SQUARES, k=7) for _ in range(7)]) for _ in range(amounts.letters)]
    weighted = [filled([rng.choices(SQUARES, weights, k=7) for _ in range(7)]) for _ in range(amounts.letters)]
    plain = [Square(terrain) for terrain in Terrain]
    single = [filled([[square] * 7] * 7) for square in plain]
    striped = [
        filled([[plain[(slant * r + c) // width % len(plain)] for c in range(7)] for r in range(7)])
        for slant in (0, 1)
        for width in (1, 2, 3)
    ]
    rows = []
    for name, kingdoms in (
        ("random letters", letters),
        ("random letters as in the box", weighted),
        ("one terrain", single),
        ("striped", striped),
    ):
        rows += verdict_rows(f"verdict 7×7, {name}", kingdoms, 7, None, 2000, clock=time.perf_counter)
    return rows


def verdict_rows(
    name: str,
    kingdoms: Sequence[Kingdom],
    size: int,
    median_ms: float | None,
    worst_ms: float,
    source: str = "",
    clock: Callable[[], float] = time.process_time,
) -> list[Row]:
    """Time the verdicts on these kingdoms; the worst is the slowest kingdom by its own median."""
    rules = Rules(size=size)
    times = []
    verdicts = []
    for kingdom in kingdoms:
        start = clock()
        verdicts.append(verify(kingdom, rules))
        times.append(clock() - start)
    slowest = sorted(range(len(times)), key=lambda at: -times[at])[:_TIMED_AGAIN]
    worst = max(median_seconds(partial(verify, kingdoms[at], rules), _AGAIN, clock=clock) for at in slowest)
    legal = sum(verdict.legal is True for verdict in verdicts)
    exact = sum(verdict.exact for verdict in verdicts)
    note = f"{len(kingdoms)} kingdoms{f' ({source})' if source else ''}: {legal} legal, {exact} exact"
    return [
        Row(f"{name}, median", 1000 * statistics.median(times), "ms", median_ms, note=note),
        Row(f"{name}, worst", 1000 * worst, "ms", worst_ms, note=f"median of {_AGAIN} runs of the slowest"),
    ]


def full_kingdoms(rng: random.Random, size: int, count: int) -> list[Kingdom]:
    """Build kingdoms at random until so many have no hole."""
    found: list[Kingdom] = []
    while len(found) < count:
        kingdom, placed = reference.build(rng, size, size * size // 2)
        if 2 * len(placed) + 1 == size * size:
            found.append(kingdom)
    return found


def filled(squares: Sequence[Sequence[Square]]) -> Kingdom:
    """Make a 7×7 grid of these squares with the castle in the middle."""
    return Kingdom(tuple(tuple(row) for row in squares)).replaced(3, 3, CASTLE)


# Speed beside the plain reference


def placements(amounts: Amounts) -> list[Row]:
    """All legal placements of a domino in half-full 5×5 kingdoms, as a list."""
    rng = random.Random(1)
    rules = Rules(size=5)
    kingdoms = [reference.build(rng, 5, 6)[0] for _ in range(amounts.batch)]
    dominoes = [rng.choice(DOMINOES) for _ in kingdoms]
    cells = [reference.cells_of(kingdom) for kingdom in kingdoms]

    def slow() -> None:
        for each, domino in zip(cells, dominoes, strict=True):
            reference.placements(each, domino, 5)

    def less_slow() -> None:
        for each, domino in zip(cells, dominoes, strict=True):
            reference.placements_that_fit(each, domino, 5)

    def fast() -> None:
        for kingdom, domino in zip(kingdoms, dominoes, strict=True):
            list(legal_placements(kingdom, domino, rules))

    rows = []
    for name, other, bar, aim in (
        ("placements in a half-full 5×5", slow, 6, 12),
        ("  beside a reference that tries only cells that fit", less_slow, None, None),
    ):
        ratio, plain, ours = median_ratio(other, fast, amounts.runs)
        note = f"{_micro(ours, len(kingdoms))} against {_micro(plain, len(kingdoms))} a call, {amounts.runs} runs"
        rows.append(Row(name, ratio, "×", bar, aim, note, higher_is_better=True))
    return rows


def games(amounts: Amounts) -> list[Row]:
    """Whole random games for four players, draft and final scores included."""
    rules = Rules(players=4)
    count = max(10, amounts.batch // 4)

    def slow() -> None:
        rng = random.Random(4)
        for _ in range(count):
            for player in reference.play(rules, rng):
                reference.score(player.cells, rules)

    def fast() -> None:
        rng = random.Random(4)
        for _ in range(count):
            random_playout(rules, rng).scores  # noqa: B018

    ratio, plain, ours = median_ratio(slow, fast, amounts.runs)
    note = f"{count / plain:,.0f} a second by the reference, {amounts.runs} runs of {count} games"
    return [
        Row("random 4-player games", ratio, "×", 5, 10, note, higher_is_better=True),
        Row("random 4-player games", count / ours, "a second", 400, note=note, higher_is_better=True),
    ]


def scoring(amounts: Amounts) -> list[Row]:
    """The score of full 5×5 kingdoms, bonuses included."""
    rules = Rules(size=5, middle_kingdom=True, harmony=True)
    kingdoms = full_kingdoms(random.Random(2), 5, amounts.batch)
    cells = [reference.cells_of(kingdom) for kingdom in kingdoms]

    def slow() -> None:
        for each in cells:
            reference.score(each, rules)

    def fast() -> None:
        for kingdom in kingdoms:
            score(kingdom, rules)

    ratio, plain, ours = median_ratio(slow, fast, amounts.runs)
    note = f"{_micro(plain, len(kingdoms))} by the reference, {amounts.runs} runs of {len(kingdoms)}"
    return [
        Row("scoring a full 5×5", ratio, "×", 1.5, 3, note, higher_is_better=True),
        Row("scoring a full 5×5", 1e6 * ours / len(kingdoms), "µs", 35, note=note),
    ]


def _micro(total: float, calls: int) -> str:
    return f"{1e6 * total / calls:.1f} µs"
