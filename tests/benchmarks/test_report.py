"""The table of the benchmarks: what reaches its bar, what misses it, and the exit code."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import pytest

from benchmarks import __main__ as command
from benchmarks.report import Row, median_ratio, median_seconds, table


def test_a_time_must_not_exceed_its_bar() -> None:
    assert Row("a", 2.0, "ms", bar=2).passed
    assert not Row("a", 2.1, "ms", bar=2).passed


def test_a_ratio_must_reach_its_bar() -> None:
    assert Row("a", 6.0, "×", bar=6, higher_is_better=True).passed
    assert not Row("a", 5.9, "×", bar=6, higher_is_better=True).passed


def test_a_figure_without_a_bar_passes() -> None:
    assert Row("a", 1e9, "ms").passed


def test_the_aim_is_told_apart_from_the_bar() -> None:
    assert not Row("a", 7, "×", bar=6, aim=12, higher_is_better=True).aim_reached
    assert Row("a", 12, "×", bar=6, aim=12, higher_is_better=True).aim_reached


def test_the_table_shows_figures_bars_aims_and_what_was_missed() -> None:
    text = table(
        [
            Row("quick", 0.3042, "ms", bar=2, note="so many"),
            Row("slow", 3210.4, "ms", bar=2000),
            Row("ratio", 12.34, "×", bar=6, aim=12, higher_is_better=True),
        ]
    )
    head, quick, slow, ratio = text.splitlines()
    assert head.split() == ["measured", "bar", "aim", "note"]
    assert "0.304 ms" in quick and "≤ 2 ms" in quick and quick.endswith("ok      so many")
    assert "3,210 ms" in slow and slow.endswith("MISSED")
    assert "12.3 ×" in ratio and "≥ 6 ×" in ratio and ratio.endswith("aim")


def test_times_and_ratios_are_medians() -> None:
    assert 0 <= median_seconds(lambda: None, runs=3, calls=2) < 1
    ratio, slow, fast = median_ratio(lambda: sum(range(300_000)), lambda: sum(range(30_000)), runs=5)
    assert ratio > 1
    assert slow > fast > 0


def run(monkeypatch: pytest.MonkeyPatch, row: Row, *arguments: str) -> int:
    monkeypatch.setattr(importlib, "import_module", lambda name: SimpleNamespace(run=lambda quick: [row]))
    return command.main([*arguments, "engine"])


def test_the_exit_code_tells_whether_a_bar_was_missed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, Row("fine", 1, "ms", bar=2)) == 0
    assert run(monkeypatch, Row("too slow", 3, "ms", bar=2), "--quick") == 1
    printed = capsys.readouterr()
    assert "too slow" in printed.out
    assert "1 bar(s) missed: too slow" in printed.err


def test_benchmarks_are_found_by_themselves_and_unknown_ones_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "engine" in command.names()
    assert not {"report", "__main__"} & set(command.names())
    with pytest.raises(SystemExit) as raised:
        command.main(["chess"])
    assert raised.value.code == 2
    assert "there is no benchmark chess" in capsys.readouterr().err
