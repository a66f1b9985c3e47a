"""A PostgreSQL server of the tests' own: in a temporary folder, reached by a socket in it, gone afterwards."""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

START_SECONDS = 60
USER = "kingdomino"


def programs() -> Path | None:
    """The folder of the newest installed server, or None."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda name: int(name.split("/")[-2]))
    for folder in [*reversed(folders), os.path.dirname(shutil.which("initdb") or "")]:
        if folder and os.path.exists(os.path.join(folder, "initdb")):
            return Path(folder)
    return None


def unprivileged() -> str | None:
    """The user that runs the server: it refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


class Server:
    """A running server: makes databases and names them."""

    def __init__(self, programs: Path, folder: Path, user: str | None) -> None:
        self._programs = programs
        self._folder = folder
        self._user = user
        self._made = 0

    def run(self, program: str, *arguments: str) -> None:
        """Run one of the programs that come with the server."""
        done = subprocess.run(
            [str(self._programs / program), *arguments],
            user=self._user,
            cwd=self._folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(self._folder)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr

    def sql(self, statement: str, database: str = "postgres") -> None:
        """Run a statement as the owner of everything."""
        self.run("psql", "-h", str(self._folder), "-U", USER, "-d", database, "-v", "ON_ERROR_STOP=1", "-qc", statement)

    def url(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://{USER}@/{database}?host={self._folder}"

    def new_database(self) -> str:
        """Make a database and return its address."""
        self._made += 1
        self.sql(f"CREATE DATABASE kingdomino_{self._made}")
        return self.url(f"kingdomino_{self._made}")


@contextmanager
def running_server(programs: Path) -> Iterator[Server]:
    """Start a server, and stop it and remove all it wrote at the end."""
    folder = Path(tempfile.mkdtemp(prefix="kingdomino-"))
    user = unprivileged()
    if user:
        shutil.chown(folder, user)
    server = Server(programs, folder, user)
    process = None
    try:
        data = str(folder / "data")
        server.run("initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        settings = ["listen_addresses=", "fsync=off", "max_connections=60", f"unix_socket_directories={folder}"]
        with open(folder / "log", "w") as log:
            process = subprocess.Popen(
                [str(programs / "postgres"), "-D", data, *(word for each in settings for word in ("-c", each))],
                user=user,
                cwd=folder,
                stdout=log,
                stderr=log,
            )
        _wait(server, process, folder)
        yield server
    finally:
        if process is not None:
            # At once, without writing out what is removed in a moment.
            process.send_signal(signal.SIGQUIT)
            process.wait(START_SECONDS)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(server: Server, process: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        assert process.poll() is None, (folder / "log").read_text()
        try:
            server.run("pg_isready", "-q", "-h", str(folder))
            return
        except AssertionError:
            assert time.monotonic() < deadline, "the server did not start in time"
            time.sleep(0.05)
