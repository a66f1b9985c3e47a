"""Every test that asks for `store` or `url` runs on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, delete

from store import Settings, Store, database_url, open_store
from store.models import Base
from tests.store.postgres import Server, programs, running_server

SETTINGS = Settings(busy_seconds=5)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The PostgreSQL server of this run."""
    installed = programs()
    if installed is None:
        pytest.skip("no PostgreSQL server is installed")
    with running_server(installed) as running:
        yield running


@pytest.fixture(scope="session")
def tables(server: Server) -> Iterator[tuple[str, Engine]]:
    """A database with all tables, which the tests use one after the other, and a way to empty it."""
    address = server.new_database()
    open_store(address, SETTINGS).close()
    engine = create_engine(database_url(address), pool_pre_ping=True)
    yield address, engine
    engine.dispose()


@pytest.fixture(scope="session")
def new_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables and no records, of which each test gets a copy."""
    path = tmp_path_factory.mktemp("template") / "records.sqlite"
    open_store(path, SETTINGS).close()
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.database)])
def backend(request: pytest.FixtureRequest) -> str:
    """The kind of database."""
    return str(request.param)


@pytest.fixture
def empty_url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database without any tables."""
    if backend == "sqlite":
        return f"sqlite:///{tmp_path / 'records.sqlite'}"
    running: Server = request.getfixturevalue("server")
    return running.new_database()


@pytest.fixture
def url(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database with tables and without records."""
    if backend == "sqlite":
        path = tmp_path / "records.sqlite"
        shutil.copy(request.getfixturevalue("new_file"), path)
        return f"sqlite:///{path}"
    address: str
    address, engine = request.getfixturevalue("tables")
    with engine.begin() as connection:
        for table in reversed(Base.metadata.sorted_tables):
            connection.execute(delete(table))
    return address


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An open store without records."""
    with open_store(url, SETTINGS) as opened:
        yield opened


@pytest.fixture
def file_store(new_file: Path, tmp_path: Path) -> Iterator[Store]:
    """A store in a SQLite file, for what does not depend on the database."""
    shutil.copy(new_file, tmp_path / "records.sqlite")
    with open_store(tmp_path / "records.sqlite", SETTINGS) as opened:
        yield opened
