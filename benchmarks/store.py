"""Speed of the store with 10,000 games of four: the history, the statistics, all of it out to a file and in again."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import tempfile
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from benchmarks.fresh import first_call
from benchmarks.report import Row, median_seconds
from engine import Kingdom, Rules, random_playout
from store import COLOURS, Store, open_store

_GAMES: Final = 10_000
_QUICK_GAMES: Final = 400
_PLAYERS: Final = 40
_SEATS: Final = 4
_THUMBNAIL: Final = (48, 48, 3)
_RUNS: Final = 5
_START: Final = datetime(2015, 1, 1, 20, 0, tzinfo=UTC)


def run(quick: bool) -> list[Row]:
    """Measure on a SQLite file in a temporary folder."""
    games = _QUICK_GAMES if quick else _GAMES
    exported = json.dumps(export_document(games, random.Random(1))).encode()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.sqlite"
        with open_store(path) as store:
            return _rows(store, path, exported, games)


def _rows(store: Store, path: Path, exported: bytes, games: int) -> list[Row]:
    note = f"{games:,} games of {_SEATS}, SQLite"
    first_import = median_seconds(partial(store.imports.json, exported), runs=1)
    pages = store.games.page().pages
    player = store.players.all()[0].id
    opened = f"from pathlib import Path; from store import open_store; store = open_store(Path({str(path)!r}))"

    def first(name: str, call: str, bar: float, aim: float) -> Row:
        timed = first_call(opened, call, _RUNS)
        return Row(f"{name}, first call", timed.seconds, "s", bar, aim, f"{note}, {timed.note}")

    rows = [
        first("first page of the history", "store.games.page()", 1, 0.1),
        first("last page of the history", f"store.games.page({pages})", 1, 0.1),
        first("history of one player", f"store.games.page(players=[{player!r}])", 1, 0.1),
        first("statistics of everybody", "store.statistics.all()", 2, 1),
        first("statistics of one player", f"store.statistics.player({player!r})", 2, 0.5),
        _again_row(store, note),
        _draft_row(store),
    ]
    out: dict[str, bytes] = {}
    export = median_seconds(lambda: out.update(json=store.exports.json()), runs=1)
    csv = median_seconds(lambda: out.update(csv=store.exports.csv()), runs=1)
    store.erase()
    second_import = median_seconds(partial(store.imports.json, out["json"]), runs=1)
    equal = _records(store.exports.json()) == _records(out["json"]) and store.exports.csv() == out["csv"]
    again = median_seconds(partial(store.imports.json, out["json"]), runs=1)
    size = f"{len(out['json']) / 1e6:.0f} MB with {games:,} thumbnails"
    return [
        *rows,
        Row("everything to JSON", export, "s", note=size),
        Row("everything to CSV", csv, "s", note=f"{len(out['csv']) / 1e6:.0f} MB"),
        Row("import into an empty store", (first_import + second_import) / 2, "s", note=size),
        Row("import of what is there already", again, "s", note=size),
        Row("exported, erased, imported, exported: equal", float(equal), "of 1", 1, higher_is_better=True),
    ]


def _again_row(store: Store, note: str) -> Row:
    store.statistics.all()
    return Row("statistics of everybody, asked again", median_seconds(store.statistics.all, _RUNS), "s", 2, 0.5, note)


def _draft_row(store: Store) -> Row:
    document = {"seats": [{"kingdom": "C" * 60, "undo": ["C" * 60] * 50}] * _SEATS}
    draft = store.drafts.start(document)
    version = draft.version

    def save() -> None:
        nonlocal version
        version = store.drafts.save(draft.id, {**document, "number": version}, version)

    return Row("save a draft, on the disk", median_seconds(save, 30), "s", aim=0.05, note="12 kB, one tap")


def _records(exported: bytes) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(exported)
    del document["exported_at"]
    return document


def export_document(games: int, rng: random.Random) -> dict[str, Any]:
    """Return an export file with that many games."""
    players = [str(uuid.UUID(int=rng.getrandbits(128), version=4)) for _ in range(_PLAYERS)]
    rules = Rules(players=_SEATS)
    thumbnails = [_thumbnail(number) for number in range(games)]
    moment = _START.isoformat()
    return {
        "format": "kingdomino store",
        "version": 1,
        "exported_at": moment,
        "players": [
            {
                "id": player,
                "name": f"Player {number:02}",
                "colour": COLOURS[number % _SEATS],
                "remembered": True,
                "created_at": moment,
                "changed_at": moment,
            }
            for number, player in enumerate(players)
        ],
        "dynasties": [],
        "drafts": [],
        # Each game is played, so that hardly a kingdom is stored twice and no score is worth remembering.
        "games": [
            _game(number, random_playout(rules, rng).kingdoms, players, thumbnail["id"], rng)
            for number, thumbnail in enumerate(thumbnails)
        ],
        "photos": thumbnails,
    }


def _game(
    number: int, kingdoms: Sequence[Kingdom], players: list[str], thumbnail: str, rng: random.Random
) -> dict[str, Any]:
    moment = (_START + timedelta(hours=7 * number)).isoformat()
    return {
        "id": str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        "version": 1,
        "created_at": moment,
        "changed_at": moment,
        "played_at": moment,
        "note": f"Game {number}",
        "rules": {"size": 5, "edition": "classic", "middle_kingdom": number % 2 == 0, "harmony": True},
        "dynasty": None,
        "seats": [
            {
                "player": player,
                "colour": COLOURS[seat],
                "reading": {
                    "kingdom": kingdom.notation,
                    "recognised": kingdom.notation,
                    "corrections": [[0, 0, "?", "w"]],
                    "model_version": "squares-1",
                    "photo": None,
                    "thumbnail": thumbnail,
                    "corners": [[0, 0], [10, 0], [10, 10], [0, 10]],
                },
                "turns": [],
            }
            for seat, (player, kingdom) in enumerate(zip(rng.sample(players, _SEATS), kingdoms, strict=True))
        ],
    }


def _thumbnail(number: int) -> dict[str, str]:
    pixels = np.random.default_rng(number).integers(0, 256, _THUMBNAIL, dtype=np.uint8)
    data = cv2.imencode(".jpg", pixels)[1].tobytes()
    return {"id": hashlib.sha256(data).hexdigest(), "data": base64.b64encode(data).decode()}
