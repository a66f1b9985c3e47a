"""Several processes on one database: no save is lost or overwritten unseen, a killed one leaves nothing half done."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from store import open_store
from tests.store.conftest import SETTINGS
from tests.store.processes import run_task

# A server keeps what it was told whatever happens to the one who told it, so fewer tries show it.
KILLS = {"sqlite": 50, "postgresql": 20}


def test_two_processes_on_one_draft_never_overwrite_each_other(url: str) -> None:
    found = run_task("count", url, "2", "40")
    assert found["counts"] == [40, 40]
    assert found["version"] == 81
    assert sum(found["conflicts"]) > 0


def test_a_draft_finished_by_many_processes_is_one_game(url: str) -> None:
    ids = run_task("finish", url, "5")
    assert len(set(ids)) == 1 and not ids[0].startswith("failed")
    with open_store(url, SETTINGS) as store:
        assert store.games.page().total == 1


@pytest.mark.slow
def test_a_writer_killed_again_and_again_loses_nothing_that_was_saved(url: str, backend: str) -> None:
    found = run_task("kill", url, str(KILLS[backend]), "1")
    assert found["kills"] == KILLS[backend]
    # Most kills must fall within a save, or the test would show nothing.
    assert found["within"] > KILLS[backend] // 2
    assert found["games"] > 0
    if backend == "sqlite":
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
