"""Judging read kingdoms: what is wrong with one, the counts over many, and the page and table that show them.

Which photos are read, and by which models, is the business of ``vision.evaluate``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product

import numpy as np

from engine import EMPTY, Cell, Kingdom, Position, Square, score
from vision.recognize import STAGES, Recognition

# Only so many squares of a kingdom may need fixing by hand.
MOST_FIXES = 3
# Limits of the groups of confidence; the last one is beyond 1, so that 1 itself is in the last group.
CONFIDENCE_BINS = (0.0, 0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 1.1)


@dataclass(frozen=True)
class Difference:
    """A square that was read wrong, by its place in the reading (it may lie outside it)."""

    cell: Position
    shows: Cell
    read: Cell

    @property
    def kind(self) -> str:
        """What is wrong: ``extent``, ``terrain`` (or castle) or ``crowns``."""
        if EMPTY in (self.shows, self.read):
            return "extent"
        same = isinstance(self.shows, Square) and isinstance(self.read, Square)
        return "crowns" if same and self.shows.terrain is self.read.terrain else "terrain"  # type: ignore[union-attr]


def differences(read: Kingdom, truth: Kingdom) -> tuple[Difference, ...]:
    """The squares in which a reading differs from the truth, turned and shifted so that they are fewest."""
    read = read.trimmed()
    best: tuple[Difference, ...] | None = None
    for turns in range(4):
        turned = truth.trimmed().rotated(turns)
        for down, right in product(range(1 - turned.height, read.height), range(1 - turned.width, read.width)):
            found = _differing(read, turned, down, right)
            if best is None or len(found) < len(best):
                best = found
    return best or ()


def _differing(read: Kingdom, truth: Kingdom, down: int, right: int) -> tuple[Difference, ...]:
    rows = range(min(0, down), max(read.height, truth.height + down))
    columns = range(min(0, right), max(read.width, truth.width + right))
    return tuple(
        Difference((r, c), truth.cell(r - down, c - right), read.cell(r, c))
        for r, c in product(rows, columns)
        if truth.cell(r - down, c - right) != read.cell(r, c)
    )


@dataclass(frozen=True)
class Judged:
    """How one kingdom of one photo was read; ``read`` is None when it was not found."""

    source: str
    photo: str
    group: str
    kingdom: str
    truth: Kingdom
    read: Kingdom | None
    plain: Kingdom | None = None
    differences: tuple[Difference, ...] = ()
    check: tuple[Position, ...] = ()
    overruled: tuple[Position, ...] = ()
    confidences: tuple[tuple[float, bool], ...] = ()
    whole: float = 0.0
    located: bool = False
    tileable: bool = False
    exact: bool = True
    note: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def right(self) -> bool:
        """Whether every square is right."""
        return self.read is not None and not self.differences

    @property
    def plain_right(self) -> bool:
        """Whether every square would have been right without the dominoes."""
        return self.plain is not None and self.plain.same_reading(self.truth)

    @property
    def right_after_check(self) -> bool:
        """Whether every square is right once the squares to check are fixed, if they are few."""
        if self.read is None:
            return False
        return {difference.cell for difference in self.differences} <= set(self.check[:MOST_FIXES])

    @property
    def score_right(self) -> bool:
        """Whether the points of the territories are right."""
        return self.read is not None and self.points_off == 0

    @property
    def points_off(self) -> int:
        """Points read minus points there."""
        read = score(self.read).points if self.read is not None else 0
        return read - score(self.truth).points

    @property
    def missed(self) -> int:
        """Wrong squares that are shown and that nobody is told to check."""
        return sum(difference.cell not in self.check for difference in self.differences)

    @property
    def needless(self) -> int:
        """Squares to check that were right all along."""
        wrong = {difference.cell for difference in self.differences}
        return sum(cell not in wrong for cell in self.check)

    def wrong(self, kind: str) -> int:
        """How many squares are wrong in one way."""
        return sum(difference.kind == kind for difference in self.differences)


def judge(
    source: str,
    photo: str,
    group: str,
    kingdom: str,
    truth: Kingdom,
    found: Recognition | None,
    located: bool,
    note: str = "",
) -> Judged:
    """Compare one recognition with the truth."""
    if found is None:
        return Judged(source, photo, group, kingdom, truth, None, note=note)
    wrong = differences(found.kingdom, truth)
    cells = {difference.cell for difference in wrong}
    confidences = tuple((float(found.squares[cell]), cell not in cells) for cell in np.ndindex(*found.squares.shape))
    return Judged(
        source,
        photo,
        group,
        kingdom,
        truth,
        found.kingdom,
        plain=found.decoding.plain.trimmed(),
        differences=wrong,
        check=found.check,
        overruled=found.overruled,
        confidences=confidences,
        whole=found.confidence,
        located=located,
        tileable=found.decoding.tileable,
        exact=found.decoding.exact,
        note=note or found.note,
        seconds=dict(found.seconds),
    )


def _seconds(stage: str) -> Callable[[Judged], object]:
    return lambda j: f"{j.seconds.get(stage, 0.0):.3f}"


COLUMNS: dict[str, Callable[[Judged], object]] = {
    "source": lambda j: j.source,
    "photo": lambda j: j.photo,
    "group": lambda j: j.group,
    "kingdom": lambda j: j.kingdom,
    "status": lambda j: "right" if j.right else "not found" if j.read is None else "wrong",
    "located": lambda j: int(j.located),
    "truth": lambda j: j.truth.notation,
    "read": lambda j: j.read.notation if j.read else "",
    "wrong_squares": lambda j: len(j.differences),
    "wrong_extent": lambda j: j.wrong("extent"),
    "wrong_terrain": lambda j: j.wrong("terrain"),
    "wrong_crowns": lambda j: j.wrong("crowns"),
    "wrong_cells": lambda j: _cells(difference.cell for difference in j.differences),
    "points_off": lambda j: j.points_off,
    "check": lambda j: _cells(j.check),
    "wrong_not_in_check": lambda j: j.missed,
    "right_in_check": lambda j: j.needless,
    "overruled": lambda j: _cells(j.overruled),
    "plain_right": lambda j: int(j.plain_right),
    "tileable": lambda j: int(j.tileable),
    "confidence": lambda j: f"{j.whole:.4f}",
    **{f"seconds_{stage}": _seconds(stage) for stage in STAGES},
    "note": lambda j: j.note,
}


def csv_text(judged: Sequence[Judged]) -> str:
    """One line per kingdom."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in judged:
        writer.writerow([column(one) for column in COLUMNS.values()])
    return stream.getvalue()


def _cells(cells: Iterable[Position]) -> str:
    return " ".join(f"{r},{c}" for r, c in cells)


@dataclass(frozen=True)
class Measure:
    """One line of the table: a count of so many, with its bar and its aim."""

    name: str
    found: str
    bar: str
    aim: str


def measures(judged: Sequence[Judged]) -> list[Measure]:
    """The measures that have a bar, as far as their photos were read."""
    by = {source: [one for one in judged if one.source == source] for source in sorted({j.source for j in judged})}
    rows: list[Measure] = []

    def add(source: str, name: str, test: Callable[[Judged], bool], bar: str, aim: str) -> None:
        if by.get(source):
            rows.append(Measure(f"{source}: {name}", _share([test(one) for one in by[source]]), bar, aim))

    add("photos", "entirely right", lambda j: j.right, "31", "34")
    add(
        "photos",
        f"right after fixing only squares in `check`, at most {MOST_FIXES}",
        lambda j: j.right_after_check,
        "33",
        "34",
    )
    add("boards", "each alone, entirely right", lambda j: j.right, "52", "54")
    add("boards", "each alone, score right", lambda j: j.score_right, "53", "54")
    add("games", "boards decoded by game, entirely right", lambda j: j.right, "54", "56")
    real = [one for one in judged if one.source in ("photos", "boards")]
    if real:
        rows.append(
            Measure("real: squares wrong and not in `check`", str(sum(j.missed for j in real)), "at most 3", "0")
        )
        needless = sum(j.needless for j in real) / max(1, sum(j.read is not None for j in real))
        rows.append(
            Measure("real: squares in `check` that were right all along, per kingdom", f"{needless:.2f}", "2", "0.5")
        )
    if by.get("scenes") and by.get("hands"):
        thrown = {one.photo: one.right for source in ("scenes", "hands") for one in by[source]}
        name = "scenes: fresh scenes with real tiles, all variations, entirely right"
        rows.append(Measure(name, _share(list(thrown.values())), "92%", "99%"))
    add(
        "scenes",
        "the same without the hand that lies on the tiles of some, entirely right",
        lambda j: j.right,
        "–",
        "–",
    )
    add("samples", "sample photos, entirely right", lambda j: j.right, "all", "all")
    return rows


def repairs(judged: Sequence[Judged]) -> list[tuple[str, str, str, str]]:
    """By source: kingdoms that decoding repaired, that it broke, and squares repaired and broken."""
    rows = []
    for source in sorted({one.source for one in judged}):
        read = [one for one in judged if one.source == source and one.read is not None and one.plain is not None]
        repaired = sum(one.right and not one.plain_right for one in read)
        broken = sum(one.plain_right and not one.right for one in read)
        mended = hurt = 0
        for one in read:
            if one.plain is not None:
                change = len(differences(one.plain, one.truth)) - len(one.differences)
                mended, hurt = mended + max(change, 0), hurt + max(-change, 0)
        rows.append((source, f"{repaired} of {len(read)}", f"{broken} of {len(read)}", f"{mended} / {hurt}"))
    return rows


def groups(judged: Sequence[Judged]) -> list[tuple[str, str]]:
    """Kingdoms entirely right by photographer or game, and by physical kingdom (all of its photos right).

    Scenes are parted into those in which a person could read every square and the others, by what hides one.
    """
    rows = []
    for source in ("photos", "boards", "games", "scenes", "hands"):
        chosen = [one for one in judged if one.source == source]
        for group in sorted({one.group for one in chosen}):
            rows.append((f"{source}, {group}", _share([one.right for one in chosen if one.group == group])))
        if chosen and source not in ("scenes", "hands"):
            names = sorted({one.kingdom for one in chosen})
            whole = [all(one.right for one in chosen if one.kingdom == name) for name in names]
            rows.append((f"{source}, physical kingdoms with every photo right", _share(whole)))
    return rows


def reliability(judged: Sequence[Judged]) -> list[tuple[str, ...]]:
    """By confidence: squares, wrong squares, whole kingdoms, wrong kingdoms of the real photographs."""
    real = [one for one in judged if one.source in ("photos", "boards") and one.read is not None]
    squares = [entry for one in real for entry in one.confidences]
    wholes = [(one.whole, one.right) for one in real]
    rows = []
    for low, high in pairwise(CONFIDENCE_BINS):
        row = [f"{low:g} to {min(high, 1.0):g}"]
        for entries in (squares, wholes):
            inside = [right for confidence, right in entries if low <= confidence < high]
            row += [str(len(inside)), str(inside.count(False))]
        rows.append(tuple(row))
    return rows


def located_rows(judged: Sequence[Judged]) -> list[tuple[str, str, str]]:
    """By source: kingdoms whose grid was found, and those entirely right among them."""
    rows = []
    for source in sorted({one.source for one in judged} - {"games"}):
        chosen = [one for one in judged if one.source == source]
        on_grid = [one for one in chosen if one.located]
        rows.append((source, _share([one.located for one in chosen]), _share([one.right for one in on_grid])))
    return rows


def page(judged: Sequence[Judged]) -> str:
    """The Markdown page of results."""
    lines = [
        "# Reading whole kingdoms",
        "",
        "From the whole photo to the kingdom, by the same call as the app. Real photographs (`photos`, `boards`, and",
        "`games`: one photo of each of a game's four kingdoms, decoded together) are read with the models of the fold",
        "that never saw that photographer or game; rendered pictures (`scenes`, `samples`) with the models that",
        "ship. The composer lays a hand on the tiles of a few scenes, and nobody can read what lies under it: those",
        "are read with the hand (`hands`), which counts, and without it (`scenes`). An error counts as wrong.",
        "",
        "| measure | found | bar | aim |",
        "|---|---|---|---|",
        *(f"| {row.name} | {row.found} | {row.bar} | {row.aim} |" for row in measures(judged)),
        "",
        "| set | grid found | entirely right, where the grid was found |",
        "|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in located_rows(judged)),
        "",
        "What decoding with the dominoes of the box changes against the plain reading of the squares:",
        "",
        "| set | kingdoms repaired | kingdoms broken | squares repaired / broken |",
        "|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in repairs(judged)),
        "",
        "| entirely right | found |",
        "|---|---|",
        *(f"| {name} | {found} |" for name, found in groups(judged)),
        "",
        "Confidence after decoding, over the squares of the real photographs and over their whole kingdoms:",
        "",
        "| confidence | squares | of them wrong | kingdoms | of them wrong |",
        "|---|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in reliability(judged)),
        "",
        "## Median seconds by stage",
        "",
        f"| set | {' | '.join(STAGES)} | all |",
        f"|---|{'---|' * (len(STAGES) + 1)}",
        *_times(judged),
        "",
        "## Wrong kingdoms",
        "",
        "| set | photo | wrong squares (row, column: shows → read) | points off | not in `check` | |",
        "|---|---|---|---|---|---|",
        *(_wrong_row(one) for one in judged if not one.right),
        "",
        "Every kingdom is in [kingdoms.csv](kingdoms.csv).",
        "",
    ]
    return "\n".join(lines)


def _times(judged: Sequence[Judged]) -> Iterable[str]:
    for source in sorted({one.source for one in judged} - {"games"}):
        times = [one.seconds for one in judged if one.source == source and one.seconds]
        if times:
            stages = [float(np.median([seconds[stage] for seconds in times])) for stage in STAGES]
            total = float(np.median([sum(seconds.values()) for seconds in times]))
            yield f"| {source} | {' | '.join(f'{value:.3f}' for value in (*stages, total))} |"


def _wrong_row(one: Judged) -> str:
    if one.read is None:
        return f"| {one.source} | {one.photo} | not found | | | {one.note} |"
    wrong = [f"{d.cell[0]}, {d.cell[1]}: {d.shows.symbol} → {d.read.symbol}" for d in one.differences]
    shown = "; ".join(wrong[:8]) + ("; …" if len(wrong) > 8 else "")
    return f"| {one.source} | {one.photo} | {shown} | {one.points_off:+} | {one.missed} | {one.note} |"


def _share(right: Sequence[bool]) -> str:
    return f"{sum(right)} of {len(right)} ({sum(right) / max(1, len(right)):.1%})"
