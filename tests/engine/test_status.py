"""Every problem of a kingdom at once: each code of docs/formats.md, its cells and its sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from engine import EMPTY, SQUARE_COUNTS, Kingdom, Placement, Problem, Rules, problems, verify
from tests.engine.strategies import altered, built, small_grids

CODES = {
    "no_castle",
    "several_castles",
    "too_wide",
    "too_tall",
    "disconnected",
    "unread",
    "impossible_square",
    "odd_squares",
    "too_many_of_a_square",
    "untileable",
    "illegal_connection",
}


def status(text: str, size: int | None = None) -> dict[str, Problem]:
    found = Kingdom.from_notation(text).status(Rules(size=size) if size else None)
    return {problem.code: problem for problem in found}


@pytest.mark.parametrize("text", ["C", "Cw1l", "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1", "ffffCff", "..../.Cff/...."])
def test_a_legal_kingdom_has_no_problem(text: str) -> None:
    assert status(text) == {}


@pytest.mark.parametrize(
    "text, size, code, cells",
    [
        ("ww", None, "no_castle", ()),
        (".", None, "no_castle", ()),
        ("CwwC", None, "several_castles", ((0, 0), (0, 3))),
        ("ffffCff", 5, "too_wide", tuple((0, c) for c in range(7))),
        ("f/f/f/f/C/f/f", 5, "too_tall", tuple((r, 0) for r in range(7))),
        ("C.ww", None, "disconnected", ((0, 2), (0, 3))),
        ("ww.C", None, "disconnected", ((0, 0), (0, 1))),
        ("C./.w", None, "disconnected", ((1, 1),)),
        ("ww.wff", None, "disconnected", ((0, 0), (0, 1))),
        ("C?w", None, "unread", ((0, 1),)),
        ("Cw3f1", None, "impossible_square", ((0, 1),)),
        ("Cl2s3", None, "impossible_square", ((0, 1), (0, 2))),
        ("Cwww", None, "odd_squares", ((0, 1), (0, 2), (0, 3))),
        ("m3Cm3", None, "too_many_of_a_square", ((0, 0), (0, 2))),
        ("Cmm", None, "untileable", ((0, 1), (0, 2))),
        ("Cwwll", None, "illegal_connection", ((0, 3), (0, 4))),
    ],
)
def test_each_problem_has_its_code_and_its_cells(
    text: str, size: int | None, code: str, cells: tuple[tuple[int, int], ...]
) -> None:
    found = status(text, size)
    assert code in found
    assert found[code].cells == cells
    assert re.fullmatch(r"[A-Z0-9].*\.", found[code].text), "a full sentence"


@pytest.mark.parametrize(
    "text, code, words",
    [
        ("CwwC", "several_castles", "There are 2 castles"),
        ("ffffCfff", "too_wide", "8 squares wide; at most 7"),
        ("C.w", "disconnected", "1 square is not joined"),
        ("C?", "unread", "1 square is not read"),
        ("C??", "unread", "2 squares are not read"),
        ("Cw3f", "impossible_square", "wheat with 3 crowns"),
        ("Cwww", "odd_squares", "3 squares of terrain is an odd number"),
        ("m3Cm3", "too_many_of_a_square", "The box has 1 × mine with 3 crowns; this kingdom shows 2"),
        ("Cmm", "untileable", "2 squares are left over"),
        ("Cwwll", "illegal_connection", "1 domino touches neither the castle nor its own terrain"),
        ("Cww/.ll/.ll", "illegal_connection", "2 dominoes touch neither the castle nor their own terrain"),
    ],
)
def test_each_problem_is_told_in_a_sentence_a_player_understands(text: str, code: str, words: str) -> None:
    assert words in status(text)[code].text


def test_every_problem_is_told_at_once() -> None:
    found = status("CwwwwwwC/......../w3?....m3m3/......../......../f.......", 5)
    assert set(found) >= {
        "several_castles",
        "too_wide",
        "too_tall",
        "disconnected",
        "unread",
        "impossible_square",
        "too_many_of_a_square",
    }


def test_the_size_decides_what_is_too_wide() -> None:
    assert set(status("ffffCff", 5)) == {"too_wide"}
    assert status("ffffCff", 7) == {}


def test_empty_borders_do_not_make_a_kingdom_too_wide() -> None:
    assert status("......Cff......", 5) == {}


def test_each_square_that_occurs_too_often_is_a_problem_of_its_own() -> None:
    found = Kingdom.from_notation("m3Cm3/m1.m1").status()
    assert [problem.cells for problem in found if problem.code == "too_many_of_a_square"] == [
        ((1, 0), (1, 2)),
        ((0, 0), (0, 2)),
    ]


@pytest.mark.parametrize("square", SQUARE_COUNTS, ids=lambda square: square.symbol)
def test_a_square_may_occur_as_often_as_in_the_box_and_not_once_more(square) -> None:  # type: ignore[no-untyped-def]
    in_box = SQUARE_COUNTS[square]
    rows = "/".join("." * 15 for _ in range(15))
    cells = [(r, c) for r in range(15) for c in range(15)]
    for extra in (0, 1):
        kingdom = Kingdom.from_notation(rows)
        for at in cells[: in_box + extra]:
            kingdom = kingdom.replaced(*at, square)
        codes = [problem.code for problem in problems(kingdom, verdict=verify(Kingdom.lone_castle()))]
        assert ("too_many_of_a_square" in codes) == bool(extra)


def test_an_impossible_square_is_not_counted_against_the_box() -> None:
    assert "too_many_of_a_square" not in status("w3Cw3")


def test_unread_squares_hide_the_verdict() -> None:
    assert {"untileable", "illegal_connection"}.isdisjoint(status("C?mm"))


def test_a_verdict_known_already_is_used() -> None:
    kingdom = Kingdom.from_notation("Cwwll")
    assert problems(kingdom, verdict=verify(kingdom)) == kingdom.status()


@settings(max_examples=150)
@given(small_grids())
def test_every_code_is_known_and_every_cell_lies_in_the_kingdom(kingdom: Kingdom) -> None:
    found = kingdom.status()
    assert {problem.code for problem in found} <= CODES
    for problem in found:
        assert problem.text.endswith(".")
        assert all(kingdom.cell(*cell) is not EMPTY for cell in problem.cells)
        assert list(problem.cells) == sorted(set(problem.cells))


@settings(max_examples=150)
@given(small_grids() | altered(5, most=6))
def test_a_kingdom_has_no_problem_exactly_when_it_is_legal(kingdom: Kingdom) -> None:
    rules = Rules(size=5)
    assert (kingdom.status(rules) == ()) == (verify(kingdom, rules).legal is True)


@given(built(5))
def test_what_is_built_by_the_rules_has_no_problem(pair: tuple[Kingdom, list[Placement]]) -> None:
    assert pair[0].status() == ()


def test_the_codes_are_those_of_the_formats() -> None:
    formats = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    assert all(f"`{code}`" in formats for code in CODES)
