"""Connections: how SQLite and PostgreSQL are opened, transactions for reading and writing, errors as sentences.

A transaction for writing takes SQLite's write lock at its start, so it never fails half-way for another
writer; what was committed is on the disk (synchronous FULL), whatever happens to the process afterwards.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, Pool, QueuePool, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from store.errors import StoreError
from store.location import described

WRITES: Final = "kingdomino_writes"


@dataclass(frozen=True, slots=True)
class Settings:
    """How patiently and with how many connections the database is used."""

    #: How long to wait for another process that is writing before saying so.
    busy_seconds: float = 15.0
    connect_seconds: int = 10
    connections: int = 5
    more_connections: int = 15
    #: Between two tries to switch a new SQLite file to its write-ahead log.
    retry_seconds: float = 0.02


# Part of the driver's message, and what a person can do about it. The first that matches is used.
_SENTENCES: Final = (
    ("not a database", "{where} is not a Kingdomino database. Move it away, or choose another file."),
    ("malformed", "{where} is damaged. Put back a copy of it, or move it away to start anew."),
    ("locked", "The records are in use by another program just now. Try again in a moment."),
    ("lock timeout", "The records are in use by another program just now. Try again in a moment."),
    ("deadlock", "Two people saved at the same moment. Try again."),
    ("readonly", "{where} cannot be written. Give this user the right to write the file and its folder."),
    ("unable to open", "{where} cannot be opened. Its folder must exist, and this user must be able to write it."),
    ("permission denied", "{where} cannot be used: permission denied. Give this user the right to write there."),
    ("full", "The disk is full: nothing was saved. Make room and try again."),
    ("disk i/o", "{where} cannot be read or written: the disk reports an error."),
    ("password", "The database server refused the user or the password of {where}."),
    ("does not exist", "The database server does not know the user or the database of {where}."),
    ("connection", "The database server cannot be reached at {where}. Is it running?"),
    ("timeout", "The database took too long to answer. Try again in a moment."),
)


@contextmanager
def sentences(url: URL) -> Iterator[None]:
    """Turn every error of the database and of the file system into a StoreError."""
    try:
        yield
    except IntegrityError as error:
        raise StoreError("Somebody else changed the same records at the same moment. Try again.") from error
    except PoolTimeout as error:
        raise StoreError("Too many people use the records at this moment. Try again.") from error
    except (DBAPIError, sqlite3.Error) as error:
        raise StoreError(_sentence(error, url)) from error
    except SQLAlchemyError as error:
        raise StoreError(f"The records in {described(url)} cannot be used: {type(error).__name__}.") from error
    except OSError as error:
        raise StoreError(f"{described(url)} cannot be used: {error.strerror or error}.") from error


def _sentence(error: DBAPIError | sqlite3.Error, url: URL) -> str:
    original = error.orig if isinstance(error, DBAPIError) else error
    message = str(original).lower()
    for part, sentence in _SENTENCES:
        if part in message:
            return sentence.format(where=described(url))
    if isinstance(error, InterfaceError) or getattr(error, "connection_invalidated", False):
        return f"The connection to {described(url)} was lost. Try again."
    return f"The database {described(url)} reports an error: {str(original)[:200]}."


def is_sqlite(url: URL) -> bool:
    """Whether the records are a file."""
    return url.get_backend_name() == "sqlite"


def make_engine(url: URL, settings: Settings, *, foreign_keys: bool = True, pool: type[Pool] = QueuePool) -> Engine:
    """Return an engine whose connections behave alike on both databases."""
    if not is_sqlite(url):
        engine = create_engine(
            url,
            poolclass=pool,
            pool_pre_ping=True,
            connect_args={
                "connect_timeout": settings.connect_seconds,
                "options": f"-c lock_timeout={round(settings.busy_seconds * 1000)} -c timezone=UTC",
            },
            **_sizes(settings, pool),
        )
        return engine
    engine = create_engine(
        url, poolclass=pool, connect_args={"timeout": settings.busy_seconds}, **_sizes(settings, pool)
    )
    event.listen(engine, "connect", _preparation(settings, foreign_keys))
    event.listen(engine, "begin", _begin)
    return engine


def _sizes(settings: Settings, pool: type[Pool]) -> dict[str, float]:
    if pool is not QueuePool:
        return {}
    return {
        "pool_size": settings.connections,
        "max_overflow": settings.more_connections,
        "pool_timeout": settings.busy_seconds,
    }


def _preparation(settings: Settings, foreign_keys: bool) -> Callable[[sqlite3.Connection, ConnectionPoolEntry], None]:
    def prepare(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
        # Without this the driver begins transactions by itself, too late and not for every statement.
        connection.isolation_level = None
        deadline = time.monotonic() + settings.busy_seconds
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as error:
                # The change of journal does not wait for other processes by itself.
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(settings.retry_seconds)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")

    return prepare


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def make_folder(url: URL) -> None:
    """Make the folder of a SQLite file, for this user's eyes only."""
    if is_sqlite(url):
        folder = Path(str(url.database)).parent
        if not folder.exists():
            os.makedirs(folder, mode=0o700, exist_ok=True)


class Database:
    """An open database: transactions for reading and for writing. May be shared by threads."""

    def __init__(self, url: URL, settings: Settings) -> None:
        self.url = url
        self._engine = make_engine(url, settings)
        self._writer = self._engine.execution_options(**{WRITES: True})
        # What is read in one transaction belongs together, on PostgreSQL too.
        self._reader = (
            self._engine if is_sqlite(url) else self._engine.execution_options(isolation_level="REPEATABLE READ")
        )

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Read a consistent state."""
        with sentences(self.url), Session(self._reader) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Write all or nothing: committed at the end of the block, rolled back by any error."""
        with sentences(self.url), Session(self._writer, expire_on_commit=False) as session, session.begin():
            yield session

    def vacuum(self) -> None:
        """Give the room of what was deleted back; only a file needs it."""
        if is_sqlite(self.url):
            with sentences(self.url), self._engine.connect() as connection:
                raw = connection.connection.driver_connection
                assert isinstance(raw, sqlite3.Connection)
                raw.execute("VACUUM")
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()
