"""Brings a database to the schema of this version by the migrations that ship with it.

Several processes may start at once: one upgrades, the others wait for it. Of a SQLite file that is upgraded
a copy is made first, beside it. A database of a newer version, or of another program, is left alone.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, NullPool, inspect, text
from sqlalchemy.engine import URL

from store.database import WRITES, Settings, is_sqlite, make_engine, make_folder, sentences
from store.errors import StoreError
from store.location import described
from store.models import Base

MIGRATIONS: Final = Path(__file__).parent / "migrations"
VERSION_TABLE: Final = "kingdomino_version"
# Any number will do, as long as every process of this program takes the same.
_ADVISORY_LOCK: Final = 0x4B444F4D
# Alembic holds the running migration in a global; threads of one process take turns.
_ONE_AT_A_TIME: Final = threading.Lock()


def upgrade(url: URL, settings: Settings, migrations: Path = MIGRATIONS) -> Path | None:
    """Upgrade the database if it needs it; return the copy that was made of it, if one was."""
    config = _config(migrations)
    head = ScriptDirectory.from_config(config).get_current_head()
    with _ONE_AT_A_TIME, sentences(url):
        make_folder(url)
        # Foreign keys are checked at the end: SQLite changes a table by writing it anew.
        engine = make_engine(url, settings, foreign_keys=False, pool=NullPool)
        try:
            with engine.connect() as connection:
                if _revision(connection) == head:
                    return None
            with engine.execution_options(**{WRITES: True}).begin() as connection:
                return _upgrade(connection, url, config)
        finally:
            engine.dispose()


def _config(migrations: Path) -> Config:
    config = Config()
    # The settings are in the style of an ini file, where a percent sign is written twice.
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _revision(connection: Connection) -> str | None:
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    heads = context.get_current_heads()
    return heads[0] if heads else None


def _upgrade(connection: Connection, url: URL, config: Config) -> Path | None:
    """Upgrade within the transaction of the connection, which nobody else can write beside."""
    if not is_sqlite(url):
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_LOCK})
    script = ScriptDirectory.from_config(config)
    current, head = _revision(connection), script.get_current_head()
    if current == head:
        return None
    _check_ours(connection, url, script, current)
    copy = _copied(url, str(head)) if current is not None and is_sqlite(url) else None
    _run(connection, config)
    if is_sqlite(url):
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise StoreError(f"{described(url)} could not be upgraded: {len(broken)} records refer to missing ones.")
    return copy


def _check_ours(connection: Connection, url: URL, script: ScriptDirectory, current: str | None) -> None:
    if current is not None:
        try:
            script.get_revision(current)
        except CommandError:
            raise StoreError(
                f"{described(url)} was made by a newer version of this program (its schema is {current[:40]}). "
                "Use that version; nothing was changed."
            ) from None
        return
    there = set(inspect(connection).get_table_names())
    # A server's database may hold tables of other programs, a file of ours does not.
    foreign = there if is_sqlite(url) else there & set(Base.metadata.tables)
    if foreign - {VERSION_TABLE}:
        raise StoreError(f"{described(url)} holds the tables of another program; nothing was changed.")


def _run(connection: Connection, config: Config) -> None:
    """Run the migrations by `migrations/env.py`, on this connection and in its transaction."""
    config.attributes["connection"] = connection
    config.attributes["version_table"] = VERSION_TABLE
    command.upgrade(config, "head")


def _copied(url: URL, head: str) -> Path:
    """Copy a SQLite file with all that is committed; the copy appears complete or not at all."""
    source = Path(str(url.database))
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    copy = source.with_name(f"{source.stem}-before-{head}-{stamp}{source.suffix}")
    unfinished = copy.with_name(copy.name + ".part")
    try:
        with (
            contextlib.closing(sqlite3.connect(source)) as reader,
            contextlib.closing(sqlite3.connect(unfinished)) as writer,
        ):
            reader.backup(writer)
        os.replace(unfinished, copy)
    finally:
        unfinished.unlink(missing_ok=True)
    return copy
