"""The README shows what the program prints, and names only what is there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def shown_runs() -> list[tuple[str, str]]:
    """Each command the README shows after a `$`, with the output printed below it."""
    runs = re.findall(r"^    \$ (.+)\n((?:    .*\n|\n)*)", README, flags=re.MULTILINE)
    return [(command, re.sub(r"^    ", "", output, flags=re.MULTILINE).strip("\n")) for command, output in runs]


def test_the_readme_shows_a_kingdom_and_its_score() -> None:
    assert any("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1" in command for command, _ in shown_runs())


@pytest.mark.parametrize("command, output", shown_runs(), ids=lambda value: value.split("\n")[0][:40])
def test_a_command_prints_what_the_readme_says(command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "python3"
    run = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert run.stdout.strip("\n") == output


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    targets = [link for link in links if not link.startswith("http")]
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_target_named_in_the_readme_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE))
    named = set(re.findall(r"(?:^    |`)make ([a-z]+)", README, flags=re.MULTILINE))
    assert {"app", "test"} <= named <= targets
