"""Other processes at work on the same database. `python -m tests.store.processes TASK URL …` is one such process.

The process that runs a task forks the workers, so that what takes long, the imports, is done once.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from store import DraftConflict, GameEntry, Settings, Store, StoreError, Turn, database_url, open_store
from store.upgrade import upgrade
from tests.store.samples import KINGDOM, full_game

ROOT = Path(__file__).parents[2]
NOBODY = 65534
SETTINGS = Settings(busy_seconds=30)
#: Numbers in the document of a draft: enough for several pages of the database.
LENGTH = 3_000
SAVES_PER_GAME = 4
#: Lines that a writer says before it is killed, at most: enough to finish a game and start another.
STEPS = 14


def run_task(task: str, *arguments: str) -> Any:
    """Run a task in a process of its own and return what it found."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.store.processes", task, *arguments], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def opened_at_once(url: str, migrations: Path, workers: int) -> list[str | None]:
    """Upgrade one database from many processes at once; return the copies that they made."""
    found: list[str | None] = run_task("open", url, str(migrations), str(workers))
    return found


def _forked(workers: int, work: Callable[[int], Any]) -> list[Any]:
    """Run workers that all begin at the same moment; return what they found."""
    start, go = os.pipe()
    children = []
    for number in range(workers):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(go)
            os.read(start, 1)
            try:
                said = json.dumps(work(number))
            except StoreError as error:
                said = json.dumps(f"failed: {error}")
            os.write(write, said.encode())
            os._exit(0)
        os.close(write)
        children.append((child, read))
    os.close(start)
    os.close(go)
    found = []
    for child, read in children:
        with open(read, "rb") as stream:
            found.append(json.loads(stream.read()))
        os.waitpid(child, 0)
    return found


def _open(url: str, migrations: str, workers: str) -> list[str | None]:
    def work(_: int) -> str | None:
        copy = upgrade(database_url(url), SETTINGS, Path(migrations))
        return str(copy) if copy else None

    return _forked(int(workers), work)


def _refused(path: str) -> str:
    """Open a file as a user who may not write it, after everything needed was loaded; return what is said."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "other.sqlite", SETTINGS) as store:
        store.players.remember("Ada")
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    try:
        with open_store(Path(path), SETTINGS) as store:
            store.players.remember("Ada")
    except StoreError as error:
        return str(error)
    return "nothing was refused"


def _count(url: str, workers: str, times: str) -> dict[str, Any]:
    """Let many processes add to one draft, each saving again on top of what another one saved in between.

    All have opened it before any saves, so that they meet however the processor shares its time among them.
    """
    with open_store(url, SETTINGS) as store:
        draft = store.drafts.start({"counts": [0] * int(workers)}).id
        opened = store.drafts.open(draft)

    def work(number: int) -> int:
        conflicts = 0
        document, version = opened.document, opened.version
        with open_store(url, SETTINGS) as store:
            for _ in range(int(times)):
                while True:
                    document["counts"][number] += 1
                    try:
                        version = store.drafts.save(draft, document, version)
                        break
                    except DraftConflict as conflict:
                        conflicts += 1
                        document, version = conflict.document, conflict.version
        return conflicts

    conflicts = _forked(int(workers), work)
    with open_store(url, SETTINGS) as store:
        saved = store.drafts.open(draft)
    return {"counts": saved.document["counts"], "version": saved.version, "conflicts": conflicts}


def _finish(url: str, workers: str) -> list[str]:
    """Let many processes finish one draft."""
    with open_store(url, SETTINGS) as store:
        draft = store.drafts.start({}).id
        entry = full_game(store)

    def work(_: int) -> str:
        with open_store(url, SETTINGS) as store:
            return store.drafts.finish(draft, entry, 1).id

    return _forked(int(workers), work)


def _document(number: int) -> dict[str, Any]:
    return {"number": number, "numbers": [number] * LENGTH}


def _write(store: Store, entry: GameEntry, draft: str, version: int, say: Callable[[str], None]) -> None:
    """Save a draft again and again, now and then finish it and start another, and say so before and after."""
    number = version
    while True:
        for _ in range(SAVES_PER_GAME):
            number += 1
            say(f"saving {draft} {number}")
            version = store.drafts.save(draft, _document(number), version)
            say(f"saved {draft} {number}")
        say(f"finishing {draft} {number}")
        store.drafts.finish(draft, entry, version)
        say(f"finished {draft} {number}")
        say(f"starting - {number}")
        started = store.drafts.start(_document(1))
        draft, version, number = started.id, 1, 1
        say(f"started {draft} 1")


def _kill(url: str, kills: str, seed: str) -> dict[str, int]:
    """Kill a writing process again and again; after each time, look whether all it had saved is there and whole."""
    rng = random.Random(seed)
    with open_store(url, SETTINGS) as store:
        entry = _long_game(store)
        first = store.drafts.start(_document(1)).id
        began = time.monotonic()
        store.drafts.finish(first, entry, 1)
        moment = time.monotonic() - began
        draft, version = store.drafts.start(_document(1)).id, 1
    within = done = 0
    for _ in range(int(kills)):
        # Half of the kills are aimed at the longest step, which makes a draft a game.
        until = "finishing" if rng.random() < 0.5 else ""
        delay = rng.uniform(0, 1.2 * moment)
        lines = _killed_writer(url, entry, (draft, version), (until, rng.randint(1, STEPS)), delay)
        with open_store(url, SETTINGS) as store:
            games = _checked(store, lines, entry)
            assert games >= done, f"{done - games} games are lost"
            done = games
            open_drafts = store.drafts.all()
            assert len(open_drafts) <= 1, "a draft was finished and is still open"
            within += not lines or lines[-1].split()[0] in ("saving", "finishing", "starting")
            if open_drafts:
                draft, version = open_drafts[0].id, open_drafts[0].version
            else:
                draft, version = store.drafts.start(_document(1)).id, 1
    return {"kills": int(kills), "within": within, "games": done}


def _long_game(store: Store) -> GameEntry:
    entry = full_game(store)
    ada, bob = entry.seats
    turns = tuple(Turn(ada.reading) for _ in range(24))
    return type(entry)(
        entry.rules, (type(ada)("Ada", ada.reading, "blue", turns), type(bob)("Bob", ada.reading, None, turns))
    )


def _killed_writer(url: str, entry: GameEntry, draft: tuple[str, int], aim: tuple[str, int], delay: float) -> list[str]:
    """Start a writer, kill it a moment after it began a step of a name, or after some steps; return what it said."""
    until, steps = aim
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with open_store(url, SETTINGS) as store:
            _write(store, entry, *draft, lambda line: _say(write, line))
    os.close(write)
    with open(read, encoding="utf-8") as stream:
        lines: list[str] = []
        while not (lines[-1:] and lines[-1].startswith(until) if until else len(lines) >= steps):
            lines.append(stream.readline().rstrip())
            assert lines[-1], f"the writer ended by itself after {lines}"
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return lines + stream.read().splitlines()


def _say(pipe: int, line: str) -> None:
    os.write(pipe, f"{line}\n".encode())


def _checked(store: Store, lines: list[str], entry: GameEntry) -> int:
    """Check all that a writer said is done, and that nothing is half done; return the number of games."""
    saved = {line.split()[1]: int(line.split()[2]) for line in lines if line.startswith(("saved", "started"))}
    for draft_id, number in saved.items():
        draft = store.drafts.open(draft_id)
        found = draft.document["number"]
        assert found in (number, number + 1), f"number {number} was saved, {found} is there"
        assert draft.document == _document(found) and draft.version == found
    for line in lines:
        if line.startswith("finished"):
            assert store.drafts.open(line.split()[1]).finished_game == line.split()[1]
    page = store.games.page(per_page=200)
    for line_of_page in page.games[:3]:
        game = store.games.open(line_of_page.id)
        assert game.entry.seats == entry.seats and game.rules == entry.rules
        assert store.drafts.open(game.id).finished_game == game.id
    assert all(len(each.seats) == 2 and each.seats[0].kingdom == KINGDOM for each in page.games)
    return page.total


TASKS: dict[str, Callable[..., Any]] = {
    "open": _open,
    "refused": _refused,
    "count": _count,
    "finish": _finish,
    "kill": _kill,
}

if __name__ == "__main__":
    print(json.dumps(TASKS[sys.argv[1]](*sys.argv[2:])))
