"""Where the records are, how SQLite is opened, and what is said when they cannot be used."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from engine import KingdominoError
from store import Settings, Store, StoreError, data_folder, database_url, open_store
from store.location import VARIABLE, described
from tests.store.conftest import SETTINGS
from tests.store.processes import run_task
from tests.store.samples import game

QUICK = Settings(busy_seconds=0.2, connect_seconds=2)


def pragma(store: Store, name: str) -> object:
    with store._database._engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def test_sqlite_is_opened_to_lose_nothing(file_store: Store) -> None:
    found = {name: pragma(file_store, name) for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")}
    assert found == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2, "busy_timeout": 5_000}


def test_the_file_is_in_the_data_folder_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert data_folder() == tmp_path / "data" / "kingdomino"
    with open_store() as store:
        assert store.where == str(tmp_path / "data" / "kingdomino" / "kingdomino.sqlite")
        store.games.add(game())
    assert stat.S_IMODE(os.stat(data_folder()).st_mode) == 0o700
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert data_folder() == tmp_path / "home" / ".local" / "share" / "kingdomino"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert data_folder() == tmp_path / "home" / "Library" / "Application Support" / "Kingdomino"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert data_folder() == tmp_path / "local" / "Kingdomino"


def test_the_environment_names_another_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "else where" / "a%20b#c?.sqlite"
    monkeypatch.setenv(VARIABLE, f"sqlite:///{tmp_path / 'named.sqlite'}")
    assert database_url().database == str(tmp_path / "named.sqlite")
    assert database_url(path).database == str(path)
    with open_store(path, SETTINGS) as store:
        store.games.add(game())
    assert path.exists()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg2"])
def test_every_spelling_of_postgresql_uses_the_driver_that_is_installed(scheme: str) -> None:
    url = database_url(f"{scheme}://club:secret@example.org/records")
    assert url.drivername == "postgresql+psycopg"
    assert "secret" not in described(url) and "example.org" in described(url)


@pytest.mark.parametrize(
    "address", ["nonsense", "mysql://host/db", "sqlite://", "sqlite:///:memory:", "://", "oracle+x://h"]
)
def test_an_address_that_cannot_be_used_is_refused(address: str) -> None:
    with pytest.raises(StoreError):
        open_store(address, QUICK)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.sqlite"
    path.write_bytes(b"Dear Ada, this is no database. " * 100)
    with pytest.raises(StoreError, match="is not a Kingdomino database"):
        open_store(path, QUICK)
    assert path.read_bytes().startswith(b"Dear Ada")


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(tmp_path, QUICK)


def test_a_path_through_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        open_store(tmp_path / "file" / "records.sqlite", QUICK)


@pytest.mark.parametrize("readable", [True, False])
def test_without_permission_there_is_a_sentence(new_file: Path, readable: bool) -> None:
    # Not in the folder of the test, which other users cannot look into.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.sqlite"
        path.write_bytes(new_file.read_bytes())
        os.chmod(path, 0o444 if readable else 0o000)
        os.chmod(folder, 0o555)
        said = run_task("refused", str(path))
        os.chmod(folder, 0o755)
    assert str(path) in said and ("right to write" in said or "able to write" in said)


def test_a_locked_database_is_said_to_be_in_use(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    with open_store(path, QUICK) as store:
        saved = store.games.add(game())
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="in use by another program"):
                store.games.delete(saved.id)
            # Reading goes on beside the writer.
            assert store.games.page().total == 1
            other.execute("ROLLBACK")
        store.games.delete(saved.id)


def test_a_writer_waits_for_another_one(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    with open_store(path, SETTINGS) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        thread = threading.Thread(target=store.games.add, args=(game(),))
        thread.start()
        thread.join(0.3)
        assert thread.is_alive()
        other.execute("COMMIT")
        thread.join()
        assert store.games.page().total == 1


def test_a_damaged_file_is_said_to_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "records.sqlite"
    with open_store(path, QUICK) as store:
        for seed in range(5):
            store.games.add(game(seed=seed))
    data = bytearray(path.read_bytes())
    data[4096:] = bytes(b"\xff" * (len(data) - 4096))
    path.write_bytes(data)
    with pytest.raises(StoreError, match="damaged"), open_store(path, QUICK) as store:
        store.games.page()


def test_a_server_that_is_not_there_is_said_not_to_be_there() -> None:
    with pytest.raises(StoreError, match="cannot be reached") as caught:
        open_store("postgresql://club:secret@127.0.0.1:1/records", QUICK)
    assert "secret" not in str(caught.value)


@pytest.mark.database
def test_a_database_that_the_server_does_not_have_is_named(server: object) -> None:
    with pytest.raises(StoreError, match="does not know"):
        open_store(server.url("nowhere"), QUICK)  # type: ignore[attr-defined]


@pytest.mark.database
def test_a_server_that_was_restarted_is_found_again(server: object, tables: tuple[str, object]) -> None:
    with open_store(tables[0], SETTINGS) as store:
        store.players.remember("Ada")
        server.sql(  # type: ignore[attr-defined]
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND datname IS NOT NULL"
        )
        assert store.players.remember("Ada").name == "Ada"


def test_store_errors_are_errors_of_the_program() -> None:
    assert issubclass(StoreError, KingdominoError)


def test_threads_share_one_store(store: Store) -> None:
    errors: list[Exception] = []

    def work(number: int) -> None:
        try:
            draft = store.drafts.start({"n": 0})
            version = draft.version
            for count in range(5):
                version = store.drafts.save(draft.id, {"n": count, "of": number}, version)
                store.drafts.all()
        except StoreError as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert {draft.version for draft in store.drafts.all()} == {6}
