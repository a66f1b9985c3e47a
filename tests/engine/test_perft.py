"""Perft: the number of legal placements from fixed kingdoms, kept in tests/data/*.perft."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import Domino, Kingdom, Placement, Rules, domino, legal_placements
from tests.engine import reference

FILES = sorted((Path(__file__).resolve().parent.parent / "data").glob("*.perft"))

Lister = Callable[[Kingdom, Domino, int], list[Placement]]


@dataclass(frozen=True)
class Count:
    """One count of a file: the dominoes laid one after the other, and in how many ways."""

    notation: str
    size: int
    numbers: tuple[int, ...]
    ways: int

    def __str__(self) -> str:
        return f"{self.notation}-{self.size}-{','.join(map(str, self.numbers))}"


def counts(path: Path) -> list[Count]:
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        head, *entries = line.split(" ; ")
        notation, size = head.split()
        for entry in entries:
            numbers, ways = entry.split()
            found.append(Count(notation, int(size), tuple(map(int, numbers.split(","))), int(ways)))
    return found


COUNTS = [count for path in FILES for count in counts(path)]


def by_engine(kingdom: Kingdom, laid: Domino, size: int) -> list[Placement]:
    return list(legal_placements(kingdom, laid, Rules(size=size)))


def by_reference(kingdom: Kingdom, laid: Domino, size: int) -> list[Placement]:
    return reference.placements(reference.cells_of(kingdom), laid, size)


def perft(kingdom: Kingdom, numbers: tuple[int, ...], size: int, placements: Lister) -> int:
    """In how many ways these dominoes can be laid one after the other."""
    found = placements(kingdom, domino(numbers[0]), size)
    if len(numbers) == 1:
        return len(found)
    return sum(perft(kingdom.place(placement), numbers[1:], size, placements) for placement in found)


def breakdown(count: Count) -> str:
    """What differs from the reference: each first placement with its count, one a line."""
    kingdom = Kingdom.from_notation(count.notation)
    first = domino(count.numbers[0])
    lines = [f"{kingdom}", f"{first}, then {count.numbers[1:]}, in {count.size}×{count.size}"]
    found, expected = (
        {
            tuple(sorted(each.cells)) if first.a == first.b else each.cells: each
            for each in lister(kingdom, first, count.size)
        }
        for lister in (by_engine, by_reference)
    )
    for cells in sorted({*found, *expected}):
        texts = []
        for listed, lister in ((found, by_engine), (expected, by_reference)):
            if cells not in listed:
                texts.append("-")
            elif len(count.numbers) == 1:
                texts.append("1")
            else:
                texts.append(str(perft(kingdom.place(listed[cells]), count.numbers[1:], count.size, lister)))
        mark = "" if texts[0] == texts[1] else "   <-- differs"
        lines.append(f"  {cells}: engine {texts[0]}, reference {texts[1]}{mark}")
    return "\n".join(lines)


@pytest.mark.parametrize("count", COUNTS, ids=str)
def test_the_number_of_legal_placements_is_as_recorded(count: Count) -> None:
    ways = perft(Kingdom.from_notation(count.notation), count.numbers, count.size, by_engine)
    assert ways == count.ways, f"{ways} ways instead of {count.ways}\n{breakdown(count)}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_records_are_what_the_reference_counts(path: Path) -> None:
    for count in counts(path):
        ways = perft(Kingdom.from_notation(count.notation), count.numbers, count.size, by_reference)
        assert (str(count), ways) == (str(count), count.ways)


def test_there_are_enough_positions_of_both_sizes() -> None:
    positions = {(count.notation, count.size) for count in COUNTS}
    assert len(positions) >= 14
    assert {size for _, size in positions} == {5, 7}
    assert len([size for _, size in positions if size == 7]) >= 4


def test_the_lone_castle_is_recorded_with_24_and_12() -> None:
    recorded = {count.ways for count in COUNTS if count.notation == "C" and len(count.numbers) == 1}
    assert recorded == {24, 12}


def test_a_wrong_count_would_be_broken_down_by_first_placement() -> None:
    text = breakdown(Count("Cw", 5, (13, 48), 0))
    assert "no. 13 (wheat – forest), then (48,), in 5×5" in text
    assert text.count("engine") == len(by_reference(Kingdom.from_notation("Cw"), domino(13), 5))
    assert "differs" not in text
