"""Files out: JSON with everything in it, CSV that no spreadsheet runs."""

from __future__ import annotations

import base64
import csv
import io
import json
from pathlib import Path

import pytest

from engine import Rules
from store import Store, StoreError
from store.exports import _cell
from store.limits import Limits
from tests.store.samples import KINGDOM, START, full_game, game, photo


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_csv_has_one_row_a_seat_with_totals_worked_out(store: Store) -> None:
    winter = store.dynasties.create("Winter", ["Ada", "Bob"])
    store.games.add(full_game(store, dynasty=winter.id))
    store.games.add(game(("Cleo", "Dan"), [KINGDOM, "Cf1f"], day=1, rules=Rules(harmony=True)))
    table = rows(store.exports.csv())
    assert [row["player"] for row in table] == ["Cleo", "Dan", "Ada", "Bob"]
    assert [row["total"] for row in table] == ["52", "2", "47", "11"]
    assert [row["place"] for row in table] == ["1", "2", "1", "2"]
    cleo, _, ada, bob = table
    assert (cleo["points"], cleo["harmony"], cleo["middle_kingdom"]) == ("47", "5", "0")
    assert sum(int(cleo[terrain]) for terrain in ("wheat", "forest", "lake", "grassland", "swamp", "mine")) == 47
    assert (ada["dynasty"], ada["slot"], ada["note"]) == ("Winter", "1", "Rainy.\nThe cat won.")
    assert (ada["kingdom"], ada["corrections"], ada["played_at"]) == (KINGDOM, "2", START.isoformat())
    assert (bob["middle_kingdom"], bob["recognised"], bob["photo"]) == ("10", "", "")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "＝1", "\t=1", "-"])
def test_a_cell_that_looks_like_a_formula_is_disarmed(text: str) -> None:
    assert _cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["a=1", "1-2", "", "'", 5, -5, KINGDOM])
def test_other_cells_stay_as_they_are(value: object) -> None:
    assert _cell(value) == value


def test_hostile_names_and_notes_stay_in_their_cells(store: Store) -> None:
    store.games.add(game(("=cmd|' /C calc'!A0", 'Bob ",\n'.strip()), note='-1+1\n"; x,y'))
    first, second = rows(store.exports.csv())
    assert first["player"] == "'=cmd|' /C calc'!A0"
    assert second["player"] == 'Bob ",'
    assert first["note"] == "'-1+1\n\"; x,y"


def test_json_says_what_it_is_and_leaves_out_what_was_deleted(store: Store) -> None:
    kept = store.games.add(game(note="kept"))
    store.games.delete(store.games.add(game(note="gone")).id)
    store.drafts.discard(store.drafts.start({"gone": True}).id)
    document = json.loads(store.exports.json())
    assert (document["format"], document["version"]) == ("kingdomino store", 1)
    assert [each["id"] for each in document["games"]] == [kept.id]
    assert document["drafts"] == []
    assert "total" not in json.dumps(document)


def test_photos_are_in_the_json_unless_left_out(store: Store) -> None:
    store.games.add(full_game(store))
    document = json.loads(store.exports.json())
    assert photo(0) in [base64.b64decode(each["data"]) for each in document["photos"]]
    assert json.loads(store.exports.json(photos=False))["photos"] is None


def test_json_can_be_written_to_a_file(store: Store, tmp_path: Path) -> None:
    store.games.add(full_game(store))
    with open(tmp_path / "all.json", "wb") as stream:
        store.exports.write_json(stream)
    written = json.loads((tmp_path / "all.json").read_bytes())
    assert written["games"] == json.loads(store.exports.json())["games"]


def test_an_empty_store_can_be_exported(store: Store) -> None:
    assert json.loads(store.exports.json())["games"] == []
    assert rows(store.exports.csv()) == []


def test_more_than_could_be_imported_is_not_exported(file_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    file_store.games.add(full_game(file_store))
    monkeypatch.setattr("store.exports.LIMITS", Limits(file=2_000))
    with pytest.raises(StoreError, match="Export without photos"):
        file_store.exports.json()
