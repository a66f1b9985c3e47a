"""Where the records are: the user's data folder, or the database that KINGDOMINO_DATABASE_URL names."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from store.errors import StoreError

VARIABLE: Final = "KINGDOMINO_DATABASE_URL"
FILE: Final = "kingdomino.sqlite"
_POSTGRESQL: Final = "postgresql+psycopg"
_SUPPORTED: Final = "SQLite (sqlite:///folder/file.sqlite) and PostgreSQL (postgresql://user:password@host/database)"


def data_folder() -> Path:
    """Return the folder in which programs of this system keep the data of the user."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else _home() / "AppData" / "Local") / "Kingdomino"
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support" / "Kingdomino"
    base = os.environ.get("XDG_DATA_HOME", "")
    # The standard says that a relative path is to be ignored.
    return (Path(base) if os.path.isabs(base) else _home() / ".local" / "share") / "kingdomino"


def database_url(given: str | Path | None = None) -> URL:
    """Return the database to use: the one given, else the one of the environment, else the user's own file."""
    if isinstance(given, Path):
        return URL.create("sqlite", database=str(given))
    named = given or os.environ.get(VARIABLE, "").strip()
    if not named:
        return URL.create("sqlite", database=str(data_folder() / FILE))
    try:
        url = make_url(named)
    except (ArgumentError, ValueError):
        # The text may hold a password, so it is not repeated.
        raise StoreError(f"{VARIABLE} is no database address. There are {_SUPPORTED}.") from None
    backend = url.drivername.split("+")[0]
    if backend in ("postgresql", "postgres"):
        return url.set(drivername=_POSTGRESQL)
    if backend != "sqlite":
        raise StoreError(f"A database of the kind {backend[:40]!r} cannot be used. There are {_SUPPORTED}.")
    if url.database in (None, "", ":memory:"):
        raise StoreError("The records need a file; a database in memory would be lost with the program.")
    return url


def described(url: URL) -> str:
    """Name the database in a message, without its password."""
    return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise StoreError(f"There is no home folder for the records; name a database in {VARIABLE}.") from None
