"""Upgrades: everything is kept, a copy is made first, many may start at once, newer and foreign ones are left alone."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text

from store import Settings, StoreError, database_url, open_store
from store.models import Base
from store.upgrade import MIGRATIONS, VERSION_TABLE, upgrade
from tests.store.conftest import SETTINGS
from tests.store.processes import opened_at_once
from tests.store.samples import full_game
from tests.store.test_imports import contents

DATA = Path(__file__).parent / "data"

# A step as a later version may have it: a table written anew, a column filled from the records, a new table.
NEXT_STEP = '''
"""A step of the tests."""
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    with op.batch_alter_table("games") as table:
        table.add_column(sa.Column("place", sa.String(80), nullable=False, server_default="at home"))
        table.alter_column("note", new_column_name="remark", existing_type=sa.Text(), existing_nullable=False)
    op.create_table("places", sa.Column("name", sa.String(80), primary_key=True))
    op.execute("INSERT INTO places SELECT DISTINCT place FROM games")
'''


def old_file(folder: Path) -> Path:
    """A database as the first version left it."""
    path = folder / "old.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((DATA / "schema_0001.sql").read_text(encoding="utf-8"))
    return path


def next_migrations(folder: Path, step: str = NEXT_STEP) -> Path:
    """The migrations of a later version."""
    copy = folder / "migrations"
    shutil.copytree(MIGRATIONS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "versions" / "v0002_next.py").write_text(step)
    return copy


def rows(path: Path, table: str, order: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()


def test_migrations_make_exactly_the_tables_of_the_models(empty_url: str) -> None:
    open_store(empty_url, SETTINGS).close()
    engine = create_engine(database_url(empty_url))
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": VERSION_TABLE, "compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_a_database_of_the_first_version_is_read_in_full(tmp_path: Path) -> None:
    with open_store(old_file(tmp_path), SETTINGS) as store:
        assert contents(store) == json.loads((DATA / "schema_0001.json").read_text())
        assert store.games.page().total == 3
        assert len(store.statistics.all()) == 3


def test_a_new_database_needs_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    for _ in range(2):
        with open_store(path, SETTINGS) as store:
            assert store.copy is None
    assert [each.name for each in tmp_path.iterdir()] == ["new.sqlite"]


def test_an_upgrade_keeps_everything_and_copies_the_file_first(tmp_path: Path) -> None:
    path = old_file(tmp_path)
    tables = {"games": "id", "seats": "game_id, position", "turns": "game_id, position, number", "photos": "id"}
    before = {table: rows(path, table, order) for table, order in tables.items()}
    copy = upgrade(database_url(path), SETTINGS, next_migrations(tmp_path))
    assert copy is not None and copy.parent == tmp_path and "-before-0002-" in copy.name
    # The copy is the old database, complete and usable.
    with open_store(copy, SETTINGS) as store:
        assert contents(store) == json.loads((DATA / "schema_0001.json").read_text())
    after = {table: rows(path, table, order) for table, order in tables.items()}
    assert [row[:-1] for row in after["games"]] == before["games"]
    assert [row[-1] for row in after["games"]] == ["at home"] * 3
    del before["games"], after["games"]
    assert after == before
    assert rows(path, "places", "name") == [("at home",)]
    # A second start finds nothing to do.
    assert upgrade(database_url(path), SETTINGS, tmp_path / "migrations") is None
    assert len(list(tmp_path.glob("*-before-*"))) == 1


def test_an_upgrade_keeps_what_is_only_in_the_write_ahead_log(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    with open_store(path, SETTINGS) as store:
        store.games.add(full_game(store))
        before = contents(store)
        assert (tmp_path / "records.sqlite-wal").stat().st_size > 0
        copy = upgrade(database_url(path), SETTINGS, next_migrations(tmp_path))
    assert copy is not None
    with open_store(copy, SETTINGS) as store:
        assert contents(store) == before


def test_an_upgrade_of_a_server_keeps_everything(url: str, empty_url: str, tmp_path: Path) -> None:
    with open_store(empty_url, SETTINGS) as store:
        saved = store.games.add(full_game(store))
    upgrade(database_url(empty_url), SETTINGS, next_migrations(tmp_path))
    engine = create_engine(database_url(empty_url))
    with engine.connect() as connection:
        assert connection.execute(text("SELECT id, remark, place FROM games")).all() == [
            (saved.id, saved.note, "at home")
        ]
        assert connection.execute(text("SELECT count(*) FROM turns")).scalar() == 2
    engine.dispose()


def test_an_upgrade_that_fails_changes_nothing(empty_url: str, tmp_path: Path) -> None:
    with open_store(empty_url, SETTINGS) as store:
        store.games.add(full_game(store))
        before = contents(store)
    failing = next_migrations(tmp_path, NEXT_STEP + '    op.execute("INSERT INTO nowhere VALUES (1)")\n')
    with pytest.raises(StoreError):
        upgrade(database_url(empty_url), SETTINGS, failing)
    with open_store(empty_url, SETTINGS) as store:
        assert contents(store) == before


def test_an_upgrade_that_would_orphan_records_is_undone(tmp_path: Path) -> None:
    path = old_file(tmp_path)
    before = path.read_bytes()
    orphaning = next_migrations(tmp_path, NEXT_STEP + '    op.execute("DELETE FROM players")\n')
    with pytest.raises(StoreError, match="refer to missing ones"):
        upgrade(database_url(path), SETTINGS, orphaning)
    with open_store(path, SETTINGS) as store:
        assert contents(store) == json.loads((DATA / "schema_0001.json").read_text())
    assert len(before) > 0


def test_a_database_of_a_newer_version_is_refused_and_left_alone(empty_url: str, tmp_path: Path) -> None:
    open_store(empty_url, SETTINGS).close()
    upgrade(database_url(empty_url), SETTINGS, next_migrations(tmp_path))
    with pytest.raises(StoreError, match=r"newer version of this program \(its schema is 0002\)"):
        open_store(empty_url, SETTINGS)
    assert upgrade(database_url(empty_url), SETTINGS, tmp_path / "migrations") is None


def test_the_file_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "recipes.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE recipes (name); INSERT INTO recipes VALUES ('soup');")
    with pytest.raises(StoreError, match="tables of another program"):
        open_store(path, SETTINGS)
    assert rows(path, "recipes", "name") == [("soup",)]


@pytest.mark.database
def test_a_server_may_hold_other_tables_but_not_of_the_same_names(server: object) -> None:
    address = server.new_database()  # type: ignore[attr-defined]
    engine = create_engine(database_url(address))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE recipes (name text)"))
    open_store(address, SETTINGS).close()
    other = server.new_database()  # type: ignore[attr-defined]
    second = create_engine(database_url(other))
    with second.begin() as connection:
        connection.execute(text("CREATE TABLE games (title text)"))
    with pytest.raises(StoreError, match="tables of another program"):
        open_store(other, SETTINGS)
    assert inspect(second).get_table_names() == ["games"]
    engine.dispose()
    second.dispose()


def test_many_processes_may_start_on_a_new_database_at_once(empty_url: str) -> None:
    assert opened_at_once(empty_url, MIGRATIONS, 6) == [None] * 6
    with open_store(empty_url, SETTINGS) as store:
        assert store.games.page().total == 0


def test_of_many_processes_one_upgrades_and_copies(tmp_path: Path) -> None:
    path = old_file(tmp_path)
    copies = opened_at_once(f"sqlite:///{path}", next_migrations(tmp_path), 6)
    assert len([copy for copy in copies if copy is not None]) == 1
    assert len(list(tmp_path.glob("*-before-*"))) == 1
    assert rows(path, "places", "name") == [("at home",)]


def test_a_copy_that_cannot_be_made_stops_the_upgrade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = old_file(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("store.upgrade.os.replace", full)
    with pytest.raises(StoreError, match="No space left"):
        upgrade(database_url(path), Settings(), next_migrations(tmp_path))
    assert not list(tmp_path.glob("*-before-*"))
    with open_store(path, SETTINGS) as store:
        assert contents(store) == json.loads((DATA / "schema_0001.json").read_text())
