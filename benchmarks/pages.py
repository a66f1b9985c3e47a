"""The pages of a store with 10,000 games: how long the server takes to draw the history and the statistics."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.fresh import FirstCall, first_call
from benchmarks.report import Row
from benchmarks.store import export_document
from store import open_store

_GAMES: Final = 10_000
_QUICK_GAMES: Final = 300
_RUNS: Final = 3
# A server that has opened the store and drawn a page without games; the charts of the statistics are not loaded yet.
_SERVER: Final = """\
from streamlit.testing.v1 import AppTest

def draw(page):
    source = f"from ui.pages import {page}\\n{page}.render()\\n"
    app = AppTest.from_string(source, default_timeout=120).run()
    if app.exception:
        raise AssertionError(f"the page failed: {app.exception[0].message}")

draw("dynasty")
"""


def run(quick: bool) -> list[Row]:
    """Fill a store and draw its pages."""
    games = _QUICK_GAMES if quick else _GAMES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.sqlite"
        with open_store(path) as store:
            store.imports.json(json.dumps(export_document(games, random.Random(1))).encode())
        history, statistics = _first_visit("history", path), _first_visit("statistics", path)
    note = f"{games:,} games, server side"
    return [
        Row("page of the history, first visit", history.seconds, "s", 1, 0.3, f"{note}, {history.note}"),
        Row("page of the statistics, first visit", statistics.seconds, "s", 2, 1, f"{note}, {statistics.note}"),
    ]


def _first_visit(page: str, path: Path) -> FirstCall:
    return first_call(_SERVER, f"draw({page!r})", _RUNS, {"KINGDOMINO_DATABASE_URL": f"sqlite:///{path}"})
