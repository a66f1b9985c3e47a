"""Measure the verifying of turns on real photographs: `python -m vision.evaluate_turns`.

Two kingdoms of the labelled photographs grow from photo to photo. Each photo is read with the models of the fold that
never saw it, and each step is compared as the app compares it. A step is right when the dominoes it names, their places
and the verdict are those of the labels. Where one is not, the page says whether reading or comparing was at fault.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from engine import Comparison, Kingdom, KingdominoError, Position, Rules, compare
from vision.data import data_available, photo_labels
from vision.evaluate import Case, matched, read_all
from vision.evaluate_squares import RESULTS_DIR

#: The kingdoms that grow, by the name in front of their photos' numbers.
SEQUENCES = ("counter", "cloth")
BAR, AIM = 22, "all"
_NUMBER = re.compile(r"_(\d+)\.")

#: A domino that was added, told without regard to how a photo is turned: its numbers, its place from the castle.
Told = tuple[tuple[int, ...], tuple[Position, ...], bool]


@dataclass(frozen=True)
class Seen:
    """A photo of a growing kingdom: what it shows and what was read, if anything."""

    photo: str
    truth: Kingdom
    read: Kingdom | None
    size: int

    @property
    def right(self) -> bool:
        """Whether it was read right, in any of the four turns."""
        return self.read is not None and self.read.same_reading(self.truth)


@dataclass(frozen=True)
class StepResult:
    """One step: what the labels say of it, and what was said from the readings."""

    before: Seen
    after: Seen
    expected: Comparison
    #: From the reading before to the reading after, nothing put right; None if they cannot be compared.
    found: Comparison | None
    #: From the true state before, as after a person has checked it, to the reading after.
    checked: Comparison | None

    @property
    def right(self) -> bool:
        """Whether the step is right with no reading put right."""
        if self.found is None or self.before.read is None:
            return False
        return _same(self.found, self.before.read, (self.before, self.after), self.expected)

    @property
    def right_when_checked(self) -> bool:
        """Whether it is right when the state before was checked by a person."""
        if self.checked is None:
            return False
        return _same(self.checked, self.before.truth, (self.before, self.after), self.expected)

    @property
    def fault(self) -> str:
        """What was at fault: the reading of either photo, or the comparing of two right readings."""
        if self.right:
            return ""
        return "comparing" if self.before.right and self.after.right else "reading"


def told(comparison: Comparison, after: Kingdom, turned: int = 0) -> tuple[Told, ...]:
    """The added dominoes with their places as seen from the castle, turned back as the state before lay.

    ``turned`` says how far (clockwise) that state itself was turned.
    """
    castle = after.castle or (0, 0)
    dominoes = []
    for added in comparison.added:
        cells = [(row - castle[0], column - castle[1]) for row, column in added.cells]
        for _turn in range((comparison.turns + turned) % 4):
            cells = [(-column, row) for row, column in cells]
        dominoes.append((added.numbers, tuple(sorted(cells)), added.legal))
    return tuple(sorted(dominoes))


def _same(found: Comparison, before: Kingdom, step: tuple[Seen, Seen], expected: Comparison) -> bool:
    """Whether a comparison from ``before`` names the dominoes, places and verdict that the labels of a step do."""
    truth, after = step
    if after.read is None or found.legal != expected.legal or len(found.changes) != len(expected.changes):
        return False
    wanted = told(expected, after.truth)
    turns = [turn for turn in range(4) if truth.truth.trimmed().rotated(turn) == before.trimmed()] or [0]
    return any(told(found, after.read, turn) == wanted for turn in turns)


def photos_of(sequence: str) -> list[str]:
    """The photos of a growing kingdom in their order."""
    names = [name for name in photo_labels() if name.startswith(f"{sequence}_")]
    return sorted(names, key=_number)


def _number(name: str) -> int:
    found = _NUMBER.search(name)
    return int(found[1]) if found else 0


def steps_of(seen: Sequence[Seen]) -> list[StepResult]:
    """Compare every photo with the one before it."""
    results = []
    for before, after in pairwise(seen):
        rules = Rules(size=after.size)
        results.append(
            StepResult(
                before,
                after,
                compare(before.truth, after.truth, rules),
                _compared(before.read, after.read, rules),
                _compared(before.truth, after.read, rules),
            )
        )
    return results


def _compared(before: Kingdom | None, after: Kingdom | None, rules: Rules) -> Comparison | None:
    """Compare two states; None where there is no reading or no castle to compare by."""
    if before is None or after is None:
        return None
    try:
        return compare(before, after, rules)
    except KingdominoError:
        return None


def read_sequence(sequence: str) -> list[Seen]:
    """Read all photos of a growing kingdom with the models of their fold."""
    labels = photo_labels()
    cases = [Case("photos", name, labels[name]["fold"]) for name in photos_of(sequence)]
    seen = []
    for read in read_all(cases):
        best = matched(read)[0]
        label = labels[read.case.key]
        seen.append(
            Seen(read.case.key, Kingdom.from_notation(label["notation"]), best.kingdom if best else None, label["size"])
        )
    return seen


def words(comparison: Comparison | None) -> str:
    """A comparison in a few words."""
    if comparison is None:
        return "cannot be compared"
    dominoes = [
        f"{'/'.join(map(str, added.numbers))}{'' if added.legal else ' (illegal)'}" for added in comparison.added
    ]
    changes = [change.kind for change in comparison.changes]
    return ", ".join(dominoes + changes) or "nothing"


def csv_text(results: Sequence[StepResult]) -> str:
    """One line a step."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        ("before", "after", "expected", "found", "right", "right_when_checked", "fault", "before_read", "after_read")
    )
    for each in results:
        writer.writerow(
            (
                each.before.photo,
                each.after.photo,
                words(each.expected),
                words(each.found),
                int(each.right),
                int(each.right_when_checked),
                each.fault,
                each.before.read.notation if each.before.read else "",
                each.after.read.notation if each.after.read else "",
            )
        )
    return stream.getvalue()


def page(results: Sequence[StepResult]) -> str:
    """The Markdown page of results."""
    lines = [
        "# Verifying turns",
        "",
        "Kingdoms that grow from photo to photo (`counter_*`, `cloth_*`), read with the models of the fold that never",
        "saw them. A step is right when the dominoes named, their places and the verdict are those of the labels.",
        "",
        "| measure | found | bar | aim |",
        "|---|---|---|---|",
        f"| steps right, no reading put right | {_share([each.right for each in results])} | {BAR} | {AIM} |",
        f"| steps right, the state before checked by a person | "
        f"{_share([each.right_when_checked for each in results])} | | |",
        f"| steps wrong because a photo was read wrong | {sum(each.fault == 'reading' for each in results)} | | 0 |",
        f"| steps wrong although both photos were read right | "
        f"{sum(each.fault == 'comparing' for each in results)} | | 0 |",
        "",
        "| step | labels | named | |",
        "|---|---|---|---|",
        *(
            f"| {each.before.photo} → {each.after.photo} | {words(each.expected)} | {words(each.found)} | "
            f"{'right' if each.right else f'wrong: {each.fault}'} |"
            for each in results
        ),
        "",
        "Readings and steps are in [turns.csv](turns.csv).",
        "",
    ]
    return "\n".join(lines)


def _share(right: Sequence[bool]) -> str:
    return f"{sum(right)} of {len(right)}"


def evaluate(directory: Path = RESULTS_DIR) -> list[StepResult]:
    """Read, compare, and write the page and the table."""
    results = [step for sequence in SEQUENCES for step in steps_of(read_sequence(sequence))]
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "turns.csv").write_text(csv_text(results), encoding="utf-8")
    (directory / "turns.md").write_text(page(results), encoding="utf-8")
    return results


def main() -> int:
    """The command; the exit code is 1 if the bar was missed."""
    if not data_available():
        print("The labelled photographs are not here, so no turns are measured.", file=sys.stderr)
        return 0
    results = evaluate()
    right = sum(each.right for each in results)
    print(f"steps right: {right} of {len(results)} (bar {BAR}, aim {AIM})")
    for each in results:
        if not each.right:
            print(f"{each.after.photo}: {words(each.expected)}, but named: {words(each.found)} ({each.fault})")
    return 0 if right >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
