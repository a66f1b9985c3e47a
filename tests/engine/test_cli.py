"""`python -m engine` as a program of its own: output for people and for scripts, bad input, pipes, colour."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engine import DOMINOES, Kingdom, Rules, Terrain, problems, score, verify
from engine.cli import as_text, drawing, main
from engine.report import KEYS, as_json, error_as_json

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"


def run(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "engine", *arguments],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


def objects(*arguments: str, stdin: bytes = b"") -> list[dict[str, Any]]:
    finished = run("--json", *arguments, stdin=stdin)
    assert finished.stderr == b""
    return [json.loads(line) for line in finished.stdout.splitlines()]


# For scripts


def test_one_object_a_line_has_exactly_the_keys_of_the_formats_in_order() -> None:
    (found,) = objects(EXAMPLE)
    assert tuple(found) == KEYS
    assert (found["notation"], found["size"], found["points"], found["total"]) == (EXAMPLE, 5, 47, 47)
    assert (found["tileable"], found["legal"], found["exact"], found["error"]) == (True, True, True, None)
    assert (found["middle_kingdom"], found["harmony"], found["problems"]) == (False, True, [])


def test_territories_are_listed_with_their_cells() -> None:
    (found,) = objects("w1wC/f..")
    assert found["territories"] == [
        {"terrain": "wheat", "squares": 2, "crowns": 1, "points": 2, "cells": [[0, 0], [0, 1]]},
        {"terrain": "forest", "squares": 1, "crowns": 0, "points": 0, "cells": [[1, 0]]},
    ]


def test_dominoes_are_listed_in_witness_order_with_all_twin_numbers() -> None:
    (found,) = objects("m3wffC")
    assert found["dominoes"] == [
        {"numbers": [3, 4, 5, 6], "cells": [[0, 2], [0, 3]], "legal": True},
        {"numbers": [48], "cells": [[0, 1], [0, 0]], "legal": False},
    ]
    assert [problem["code"] for problem in found["problems"]] == ["illegal_connection"]
    assert found["problems"][0]["cells"] == [[0, 0], [0, 1]]


def test_the_object_is_the_one_that_the_engine_builds() -> None:
    kingdom = Kingdom.from_notation("m3wffC")
    assert objects("m3wffC") == [as_json(kingdom)]
    assert as_json(kingdom) == as_json(kingdom, scored=score(kingdom), verdict=verify(kingdom))


def test_bonuses_count_only_if_asked_for_but_are_always_told() -> None:
    text = "fffff/fffff/ffCff/fffff/fffff"
    for options, total in [
        ((), 0),
        (("--middle-kingdom",), 10),
        (("--harmony",), 5),
        (("--middle-kingdom", "--harmony"), 15),
    ]:
        (found,) = objects(*options, text)
        assert (found["points"], found["total"]) == (0, total)
        assert (found["middle_kingdom"], found["harmony"]) == (True, True)


def test_the_size_may_be_given() -> None:
    assert [found["size"] for found in objects("C", "ffffCff")] == [5, 7]
    assert [found["size"] for found in objects("--size", "7", "C", "ffffCff")] == [7, 7]
    (found,) = objects("--size", "5", "ffffCff")
    assert (found["size"], found["legal"], found["problems"][0]["code"]) == (5, False, "too_wide")


def test_the_kingdom_is_echoed_as_given() -> None:
    assert objects("..C/...")[0]["notation"] == "..C/..."


def test_unknown_answers_are_null() -> None:
    (found,) = objects("C?")
    assert (found["tileable"], found["legal"], found["error"]) == (None, None, None)


def test_a_bad_line_gives_its_error_and_the_others_go_on() -> None:
    finished = run("--json", "C", "x", "wC")
    assert finished.returncode == 1
    good, bad, other = (json.loads(line) for line in finished.stdout.splitlines())
    assert (good["notation"], other["notation"]) == ("C", "wC")
    assert tuple(bad) == KEYS
    assert {key: value for key, value in bad.items() if value is not None} == {
        "notation": "x",
        "error": bad["error"],
    }
    assert "found 'x'" in bad["error"]
    assert bad == error_as_json("x", bad["error"])


def test_without_arguments_one_kingdom_a_line_is_read() -> None:
    found = objects(stdin=f"C\n{EXAMPLE}\r\nwC".encode())
    assert [each["notation"] for each in found] == ["C", EXAMPLE, "wC"]
    assert objects(stdin=b"") == []


def test_every_line_gets_its_object_so_that_lines_keep_their_numbers() -> None:
    finished = run("--json", stdin=b"C\n\n w\nC\n")
    assert finished.returncode == 1
    assert [json.loads(line)["error"] is None for line in finished.stdout.splitlines()] == [True, False, False, True]


def test_a_byte_order_mark_is_not_part_of_the_kingdom() -> None:
    assert objects(stdin=b"\xef\xbb\xbfC\n")[0]["notation"] == "C"


@pytest.mark.parametrize(
    "stdin",
    [b"\xff\xfe\x00\n", b"w" * 1_000_000, "Ŵ🏰\n".encode(), b"/" * 5000, b"\x00\n"],
    ids=["no text", "a megabyte", "other letters", "strokes", "nul"],
)
@pytest.mark.parametrize("options", [("--json",), ()], ids=["json", "people"])
def test_garbage_gives_an_error_and_no_traceback(stdin: bytes, options: tuple[str, ...]) -> None:
    finished = run(*options, stdin=stdin)
    assert finished.returncode == 1
    assert b"Traceback" not in finished.stderr
    if options:
        assert json.loads(finished.stdout)["error"]
    else:
        assert finished.stderr.startswith(b"Line 1: ")


def test_the_exit_code_is_0_if_every_line_parsed_whatever_the_verdict() -> None:
    assert run("--json", "Cmm", "C?").returncode == 0


@pytest.mark.parametrize("arguments", [("--size", "6", "C"), ("--size", "x", "C"), ("--colour", "C")])
def test_wrong_options_are_refused_with_the_usage(arguments: tuple[str, ...]) -> None:
    finished = run(*arguments)
    assert finished.returncode == 2
    assert b"usage: python -m engine" in finished.stderr


# For people


def test_people_see_the_kingdom_its_territories_bonuses_and_verdict() -> None:
    finished = run("--middle-kingdom", EXAMPLE, PYTHONIOENCODING="utf-8")
    text = finished.stdout.decode()
    assert (finished.returncode, finished.stderr) == (0, b"")
    for part in (
        EXAMPLE,
        "   l1  f   f1  f   f\n",
        "  16  wheat      8 squares × 2 crowns\n",
        "   0  Middle Kingdom: A square lies 4 squares from the castle",
        "   -  Harmony (+5, not played): All 5×5 squares are covered.",
        "  47  points\n",
        "Built by the rules.",
    ):
        assert part in text


def test_people_see_which_squares_were_laid_against_the_rules() -> None:
    text = as_text(Kingdom.from_notation("Cwwll"), Rules())
    assert "   C   w   w   l!  l!" in text
    assert "Not built by the rules." in text
    assert "Row, column: 1, 4; 1, 5." in text


def test_people_see_every_problem() -> None:
    kingdom = Kingdom.from_notation("CwwwwwwC/......../w3?....m3m3")
    text = as_text(kingdom, Rules())
    assert all(problem.text in text for problem in problems(kingdom, Rules()))


def test_people_get_the_error_of_a_bad_kingdom_beside_the_others() -> None:
    finished = run("C", "w/ff", PYTHONIOENCODING="utf-8")
    assert finished.returncode == 1
    assert finished.stderr.decode().startswith("Kingdom 2: All rows must be equally long")
    assert "points" in finished.stdout.decode()


def test_a_terminal_that_knows_only_ascii_gets_no_traceback() -> None:
    finished = run(EXAMPLE, PYTHONIOENCODING="ascii")
    assert (finished.returncode, finished.stderr) == (0, b"")


# Colour


def test_in_colour_every_terrain_has_its_own() -> None:
    kingdom = Kingdom.from_notation("wflgsmC?.")
    (line,) = drawing(kingdom, colour=True)
    codes = [part.split("m")[0] for part in line.split("\x1b[48;5;")[1:]]
    assert len(codes) == len(set(codes)) == len(Terrain) + 2
    (plain,) = drawing(kingdom)
    assert "\x1b" not in plain


def test_colour_changes_nothing_but_colour() -> None:
    import re

    for text in (EXAMPLE, "Cwwll", "C?/w."):
        kingdom = Kingdom.from_notation(text)
        coloured = as_text(kingdom, Rules(), colour=True)
        assert "\x1b[" in coloured
        plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
        assert [line.rstrip() for line in plain.splitlines()] == as_text(kingdom, Rules()).splitlines()


def in_terminal(**environment: str) -> str:
    """What the program writes to a terminal."""
    pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
    ours, theirs = pty.openpty()
    variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-m", "engine", "Cff"],
        stdout=theirs,
        cwd=ROOT,
        env={**variables, "TERM": "xterm", **environment},
    ) as program:
        os.close(theirs)
        written = b""
        try:
            while part := os.read(ours, 4096):
                written += part
        except OSError:  # Linux reports the end of a pseudo-terminal as an error.
            pass
        assert program.wait(timeout=60) == 0
    os.close(ours)
    return written.decode()


def test_a_terminal_gets_colour() -> None:
    assert "\x1b[48;5;22" in in_terminal()


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_gets_no_colour_if_asked_not_to(environment: dict[str, str]) -> None:
    text = in_terminal(**environment)
    assert "\x1b" not in text
    assert "points" in text


def test_a_file_or_pipe_gets_no_colour() -> None:
    assert b"\x1b" not in run("Cff").stdout


# Pipes and Ctrl-C


@pytest.mark.parametrize("options", [("--json",), ()], ids=["json", "people"])
def test_a_reader_that_goes_away_is_no_error_worth_a_word(options: tuple[str, ...]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "engine", *options, *["Cff"] * 200],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as program:
        assert program.stdout and program.stderr
        program.stdout.readline()
        program.stdout.close()
        program.wait(timeout=60)
        assert program.stderr.read() == b""


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent in another way here")
def test_ctrl_c_ends_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "engine", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        # Tests started in the background ignore Ctrl-C, and a program would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as program:
        assert program.stdin and program.stdout and program.stderr
        program.stdin.write(b"C\n")
        program.stdin.flush()
        # An answer shows that it runs and waits for the next line.
        assert json.loads(program.stdout.readline())["notation"] == "C"
        program.send_signal(signal.SIGINT)
        assert program.wait(timeout=60) == 130
        assert program.stderr.read() == b""


def test_answers_come_line_by_line() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "engine", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as program:
        assert program.stdin and program.stdout
        for text in ("C", "Cff", "bad"):
            program.stdin.write(text.encode() + b"\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["notation"] == text
        program.stdin.close()
        assert program.wait(timeout=60) == 1


# In the same process


def test_main_returns_its_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["C", "--json"]) == 0
    assert main(["", "--json"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_no_input_takes_long() -> None:
    start = time.perf_counter()
    assert main(["/".join("wflgsmwflgsmwfl" for _ in range(15)), "--json"]) == 0
    # The search gives up after its time limit and says so.
    assert time.perf_counter() - start < 5


def test_every_domino_can_be_named_by_the_command() -> None:
    for domino in DOMINOES:
        (named,) = as_json(Kingdom.from_notation(f"C{domino.a.symbol}{domino.b.symbol}"))["dominoes"]
        assert named == {"numbers": list(domino.twins), "cells": [[0, 1], [0, 2]], "legal": True}
