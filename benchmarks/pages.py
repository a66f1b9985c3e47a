"""The pages of a store with 10,000 games: how long the server takes to draw the history and the statistics."""

from __future__ import annotations

import json
import os
import random
import tempfile
from pathlib import Path

from streamlit.testing.v1 import AppTest

from benchmarks.report import Row, median_seconds
from benchmarks.store import export_document
from store import open_store
from store.scores import result_of
from ui import drafts

_GAMES, _QUICK_GAMES = 10_000, 300
_RUNS = 3
_PATIENCE = 120
_VARIABLE = "KINGDOMINO_DATABASE_URL"


def run(quick: bool) -> list[Row]:
    """Fill a store and draw its pages."""
    games = _QUICK_GAMES if quick else _GAMES
    before = os.environ.get(_VARIABLE)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.sqlite"
        with open_store(path) as store:
            store.imports.json(json.dumps(export_document(games, random.Random(1))).encode())
        os.environ[_VARIABLE] = f"sqlite:///{path}"
        try:
            note = f"{games:,} games, server side"
            return [
                Row("page of the history, nothing remembered", _cold("history"), "s", 1, 0.3, note),
                Row("page of the statistics, nothing remembered", _cold("statistics"), "s", 2, 1, note),
            ]
        finally:
            drafts.store().close()
            drafts._opened.clear()
            if before is None:
                del os.environ[_VARIABLE]
            else:
                os.environ[_VARIABLE] = before


def _cold(page: str) -> float:
    """The median seconds to draw a page whose scores were not worked out before; the program itself is loaded."""
    source = f"import streamlit as st\nfrom ui.pages import {page}\n{page}.render()\n"
    _drawn(source)

    def forgetful() -> None:
        result_of.cache_clear()
        _drawn(source)

    return median_seconds(forgetful, _RUNS)


def _drawn(source: str) -> None:
    app = AppTest.from_string(source, default_timeout=_PATIENCE).run()
    if app.exception:
        raise AssertionError(f"the page failed: {app.exception[0].message}")
