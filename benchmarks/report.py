"""What every benchmark shares: a row of the table, medians, and how the table is printed.

A benchmark is a module of this package with a function `run(quick: bool) -> list[Row]`. With `quick` it
measures fewer runs, so that one can see it work; figures to be quoted come from a full run.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One measured figure, the bar it must reach, and what would be better still."""

    name: str
    measured: float
    unit: str
    bar: float | None = None
    aim: float | None = None
    note: str = ""
    # Times are better lower; ratios and rates are better higher.
    higher_is_better: bool = False

    @property
    def passed(self) -> bool:
        """Whether the bar is reached; a figure without a bar always passes."""
        return self.bar is None or self._reaches(self.bar)

    @property
    def aim_reached(self) -> bool:
        """Whether the aim is reached too."""
        return self.aim is not None and self._reaches(self.aim)

    def _reaches(self, mark: float) -> bool:
        return self.measured >= mark if self.higher_is_better else self.measured <= mark


def median_seconds(
    function: Callable[[], object], runs: int, calls: int = 1, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return the median over `runs` of the time of one call, each run being the mean of `calls` calls."""
    times = []
    for _ in range(runs):
        start = clock()
        for _ in range(calls):
            function()
        times.append((clock() - start) / calls)
    return statistics.median(times)


def median_ratio(slow: Callable[[], object], fast: Callable[[], object], runs: int) -> tuple[float, float, float]:
    """Return the median of slow/fast, and the median seconds of each.

    The two are timed in turn and in processor time, so that what else the machine does hardly counts.
    """
    pairs = [(_processor_seconds(slow), _processor_seconds(fast)) for _ in range(runs)]
    return (
        statistics.median([one / other for one, other in pairs]),
        statistics.median([one for one, _ in pairs]),
        statistics.median([other for _, other in pairs]),
    )


def _processor_seconds(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


_HEADINGS = ("", "measured", "bar", "aim", "", "note")


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a text table with aligned columns."""
    lines = [_HEADINGS, *(_texts(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(_HEADINGS))]
    return "\n".join(_aligned(line, widths) for line in lines)


def _texts(row: Row) -> tuple[str, ...]:
    sign = "≥ " if row.higher_is_better else "≤ "
    if row.bar is None:
        verdict = ""
    elif not row.passed:
        verdict = "MISSED"
    else:
        verdict = "aim" if row.aim_reached else "ok"
    return (
        row.name,
        f"{_figure(row.measured)} {row.unit}",
        "" if row.bar is None else f"{sign}{_figure(row.bar)} {row.unit}",
        "" if row.aim is None else f"{sign}{_figure(row.aim)} {row.unit}",
        verdict,
        row.note,
    )


def _figure(value: float) -> str:
    """Return a number with three figures that count, without an exponent."""
    if value == int(value) and abs(value) < 1000:
        return str(int(value))
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 0.001 else f"{value:.6f}"


def _aligned(line: Iterable[str], widths: Sequence[int]) -> str:
    numeric = (1, 2, 3)
    texts = [
        text.rjust(width) if column in numeric else text.ljust(width)
        for column, (text, width) in enumerate(zip(line, widths, strict=True))
    ]
    return "  ".join(texts).rstrip()
