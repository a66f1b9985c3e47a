"""Files in: everything comes back, nothing comes twice, nothing newer is lost, and a bad file changes nothing."""

from __future__ import annotations

import io
import json
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from store import Store, StoreError, open_store
from store.limits import Limits
from tests.store.conftest import SETTINGS
from tests.store.fuzz import mutated
from tests.store.samples import full_game, game, photo

# Of each of four seeds.
FUZZED = 500


def contents(store: Store) -> dict[str, Any]:
    """All that a store holds, as exported."""
    document: dict[str, Any] = json.loads(store.exports.json())
    del document["exported_at"]
    return document


def filled(store: Store) -> dict[str, Any]:
    """Put some of everything into a store."""
    winter = store.dynasties.create("Winter", ["Ada", "Bob"])
    spring = store.dynasties.create("Spring ❀", ["Ada", "Bob", "Cleo"])
    store.games.add(full_game(store, dynasty=winter.id))
    store.games.add(full_game(store, day=1, number=7, dynasty=winter.id))
    edited = store.games.add(game(day=2, note="<b>'; DROP TABLE games; --"))
    store.games.edit(edited.id, replace(edited.entry, note="edited 🎲"), 1)
    store.dynasties.abandon(spring.id)
    store.players.forget(store.players.remember("Zoe", "green").id)
    draft = store.drafts.start({"photo": store.photos.add(photo(40)), "half": "\ud800"})
    store.drafts.save(draft.id, {**draft.document, "step": 2}, 1)
    store.drafts.start({}, kind="edit", edits=edited.id)
    return contents(store)


@pytest.fixture
def other(tmp_path: Path) -> Any:
    """A second store, as on another phone."""
    with open_store(tmp_path / "other.sqlite", SETTINGS) as opened:
        yield opened


def test_what_was_exported_and_erased_comes_back_equal(store: Store) -> None:
    before = filled(store)
    exported = store.exports.json()
    pages, statistics = store.games.page(), store.statistics.all()
    dynasties = store.dynasties.all(abandoned=True)
    store.erase()
    report = store.imports.json(exported)
    assert contents(store) == before
    assert (store.games.page(), store.statistics.all()) == (pages, statistics)
    assert store.dynasties.all(abandoned=True) == dynasties
    assert report.added == {"players": 4, "dynasties": 2, "games": 3, "drafts": 2, "photos": 6}
    assert not report.updated and not report.unchanged and not report.moved


def test_an_import_into_another_database_is_equal_too(store: Store, other: Store) -> None:
    before = filled(store)
    other.imports.json(store.exports.json())
    assert contents(other) == before


def test_a_file_imported_twice_changes_nothing(store: Store) -> None:
    before = filled(store)
    report = store.imports.json(io.BytesIO(store.exports.json()))
    assert contents(store) == before
    assert not report.added and not report.updated
    assert report.unchanged["games"] == 3


def test_the_game_that_was_changed_last_stays(store: Store, other: Store) -> None:
    saved = store.games.add(game(note="old"))
    old = store.exports.json()
    other.imports.json(old)
    store.games.edit(saved.id, replace(saved.entry, note="new"), 1)
    new = store.exports.json()
    assert store.imports.json(old).unchanged["games"] == 1
    assert store.games.open(saved.id).note == "new"
    assert other.imports.json(new).updated["games"] == 1
    assert other.games.open(saved.id) == store.games.open(saved.id)


def test_whoever_looks_at_the_game_that_an_import_replaces_gets_a_conflict(store: Store, other: Store) -> None:
    saved = store.games.add(game(note="old"))
    other.imports.json(store.exports.json())
    opened = other.games.open(saved.id)
    store.games.edit(saved.id, replace(saved.entry, note="new"), 1)
    other.imports.json(store.exports.json())
    with pytest.raises(StoreError, match="edited on another"):
        other.games.edit(saved.id, opened.entry, opened.version)


def test_a_deleted_game_comes_back_by_import(store: Store) -> None:
    before = filled(store)
    exported = store.exports.json()
    for line in store.games.page().games:
        store.games.delete(line.id)
    assert store.imports.json(exported).updated["games"] == 3
    assert contents(store) == before


def test_players_of_the_same_name_are_the_same_player(store: Store, other: Store) -> None:
    store.games.add(game(("Ada", "Bob"), day=1))
    other.games.add(game(("ADA", "Cleo"), day=2))
    other.imports.json(store.exports.json())
    assert [player.name for player in other.players.all()] == ["ADA", "Bob", "Cleo"]
    ada = other.players.all()[0]
    assert other.statistics.player(ada.id).games == 2
    once = contents(other)
    other.imports.json(store.exports.json())
    assert contents(other) == once


def test_a_player_known_by_id_is_not_taken_for_a_namesake(store: Store, other: Store) -> None:
    ann, bob = (store.players.remember(name) for name in ("Ann", "Bob"))
    other.imports.json(store.exports.json())
    # On one phone Ann becomes Anna and another Ann is met; on the other phone Ann stays Ann, and later.
    store.players.edit(ann.id, name="Anna")
    store.games.add(game(("Ann", "Anna", "Bob")))
    other.players.edit(ann.id, colour="blue")
    other.imports.json(store.exports.json())
    assert [player.name for player in other.players.all()] == ["Ann", "Ann (2)", "Bob"]
    names = {seat.player.id: seat.player.name for seat in other.games.open(other.games.page().games[0].id).seats}
    assert names[ann.id] == "Ann" and names[bob.id] == "Bob" and len(names) == 3


def test_a_renamed_player_is_renamed_by_import(store: Store, other: Store) -> None:
    ann = store.players.remember("Ann")
    other.imports.json(store.exports.json())
    store.players.edit(ann.id, name="Anna")
    store.players.remember("Ann")
    other.imports.json(store.exports.json())
    assert contents(other) == contents(store)


def test_without_photos_games_come_without_them_unless_they_are_there(store: Store, other: Store) -> None:
    saved = store.games.add(full_game(store))
    exported = store.exports.json(photos=False)
    other.imports.json(exported)
    opened = other.games.open(saved.id)
    assert opened.seats[0].reading.photo is None and opened.seats[0].turns[0].reading.photo is None
    assert opened.seats[0].reading.corrections == saved.seats[0].reading.corrections
    before = contents(store)
    store.games.delete(saved.id)
    store.imports.json(exported)
    assert contents(store) == before


def test_a_game_whose_slot_is_taken_moves_on(store: Store, other: Store) -> None:
    winter = store.dynasties.create("Winter", ["Ada", "Bob"])
    other.imports.json(store.exports.json())
    mine = [store.games.add(game(("Ada", "Bob"), day=day, dynasty=winter.id)).id for day in (1, 2)]
    for day in (3, 4):
        other.games.add(game(("Ada", "Bob"), day=day, dynasty=winter.id))
    report = other.imports.json(store.exports.json())
    assert report.moved == tuple(mine)
    places = [other.games.open(each).dynasty for each in mine]
    assert [place and place.slot for place in places] == [3, None]
    assert other.games.page().total == 4


def test_games_may_change_places_in_a_dynasty(store: Store, other: Store) -> None:
    winter = store.dynasties.create("Winter", ["Ada", "Bob"])
    first, second = (store.games.add(game(("Ada", "Bob"), day=day, dynasty=winter.id)).id for day in (1, 2))
    other.imports.json(store.exports.json())
    for each in (first, second):
        store.dynasties.remove_game(each)
    for each in (second, first):
        store.dynasties.add_game(winter.id, each)
    report = other.imports.json(store.exports.json())
    assert report.moved == () and contents(other) == contents(store)


def test_a_draft_changed_last_stays_and_a_finished_one_stays_finished(store: Store, other: Store) -> None:
    draft = store.drafts.start({"step": 1})
    done = store.drafts.start({"step": 1})
    other.imports.json(store.exports.json())
    store.drafts.save(draft.id, {"step": 2}, 1)
    exported = store.exports.json()
    other.drafts.finish(done.id, game(), 1)
    other.drafts.discard(draft.id)
    other.imports.json(exported)
    assert [(each.id, each.document) for each in other.drafts.all()] == [(draft.id, {"step": 2})]
    assert other.drafts.open(done.id).finished_game == done.id
    other.erase()
    other.imports.json(exported)
    game_of_other = store.drafts.finish(done.id, game(), 1)
    store.imports.json(exported)
    assert store.drafts.open(done.id).finished_game == game_of_other.id and len(store.drafts.all()) == 1


def broken(change: Callable[[dict[str, Any]], None]) -> Callable[[bytes], bytes]:
    def apply(data: bytes) -> bytes:
        document = json.loads(data)
        change(document)
        return json.dumps(document).encode()

    return apply


WRONG: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut off": lambda data: data[: len(data) // 2],
    "a picture": lambda data: photo(1),
    "not an object": lambda data: b"[1, 2]",
    "too deep": lambda data: b"[" * 200_000,
    "a number of too many digits": lambda data: b'{"format": ' + b"9" * 5_000 + b"}",
    "not UTF-8": lambda data: data.replace(b"Winter", b"W\xffnter"),
    "another format": broken(lambda d: d.update(format="chess")),
    "a later version": broken(lambda d: d.update(version=2)),
    "version true": broken(lambda d: d.update(version=True)),
    "without games": broken(lambda d: d.pop("games")),
    "games an object": broken(lambda d: d.update(games={})),
    "a player twice": broken(lambda d: d["players"].append(d["players"][0])),
    "a name twice": broken(lambda d: d["players"].append({**d["players"][0], "id": d["games"][0]["id"]})),
    "a game twice": broken(lambda d: d["games"].append(d["games"][0])),
    "an unknown player": broken(lambda d: d["games"][0]["seats"][0].update(player=d["games"][0]["id"])),
    "a player on two seats": broken(lambda d: d["games"][0]["seats"][0].update(d["games"][0]["seats"][1])),
    "a Dynasty of strangers": broken(lambda d: d["dynasties"][0].update(players=[d["games"][0]["id"]] * 2)),
    "a Dynasty of others": broken(lambda d: d["games"][0]["dynasty"].update(id=d["dynasties"][1]["id"])),
    "a slot twice": broken(lambda d: d["games"][0]["dynasty"].update(slot=2)),
    "slot four": broken(lambda d: d["games"][0]["dynasty"].update(slot=4)),
    "a kingdom that is none": broken(lambda d: d["games"][0]["seats"][0]["reading"].update(kingdom="xyz")),
    "a kingdom missing": broken(lambda d: d["games"][0]["seats"][0]["reading"].update(kingdom=None)),
    "rules of no edition": broken(lambda d: d["games"][0]["rules"].update(size=6)),
    "an edition of 1850": broken(lambda d: d["games"][0]["rules"].update(edition=["new"])),
    "a name with a line break": broken(lambda d: d["players"][0].update(name="A\nB")),
    "a note too long": broken(lambda d: d["games"][0].update(note="x" * 2_001)),
    "a note that is a number": broken(lambda d: d["games"][0].update(note=5)),
    "a date without zone": broken(lambda d: d["games"][0].update(played_at="2025-01-01T00:00:00")),
    "a date that is none": broken(lambda d: d["games"][0].update(played_at="yesterday")),
    "an id that is none": broken(lambda d: d["games"][0].update(id="../x")),
    "a version of zero": broken(lambda d: d["games"][0].update(version=0)),
    "a version beyond all": broken(lambda d: d["games"][0].update(version=2**40)),
    "a flag that is text": broken(lambda d: d["players"][0].update(remembered="yes")),
    "a draft that is a list": broken(lambda d: d["drafts"][0].update(document=[])),
    "a photo under another name": broken(lambda d: d["photos"][0].update(id="0" * 64)),
    "a photo that is none": broken(lambda d: d["photos"][0].update(data="aGFsbG8=")),
    "a photo not in base64": broken(lambda d: d["photos"][0].update(data="%%%")),
    "a photo missing": broken(lambda d: d["photos"].clear()),
    "corrections of three parts": broken(
        lambda d: d["games"][0]["seats"][0]["reading"].update(corrections=[[1, 2, "w"]])
    ),
}


@pytest.fixture(scope="module")
def filled_store(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with some of everything, for tests that change nothing in it."""
    path = tmp_path_factory.mktemp("filled") / "filled.sqlite"
    shutil.copy(new_file, path)
    with open_store(path, SETTINGS) as opened:
        filled(opened)
        yield opened


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_is_not_in_order_is_refused_with_a_sentence(filled_store: Store, name: str) -> None:
    before = contents(filled_store)
    data = WRONG[name](filled_store.exports.json())
    with pytest.raises(StoreError) as caught:
        filled_store.imports.json(data)
    assert str(caught.value).endswith(".") and len(str(caught.value)) < 500
    assert contents(filled_store) == before


def test_an_import_that_fails_in_the_database_changes_nothing(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(other)
    before = contents(store)

    def fail(*_: object) -> None:
        raise StoreError("Enough.")

    monkeypatch.setattr("store.merge.write_seats", fail)
    with pytest.raises(StoreError, match="Enough"):
        store.imports.json(other.exports.json())
    assert contents(store) == before


def test_a_file_too_large_is_refused_unread(file_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.imports.LIMITS", Limits(file=1_000_000))
    for data in (b" " * 1_000_001, io.BytesIO(b" " * 5_000_000)):
        with pytest.raises(StoreError, match="at most 1 MB"):
            file_store.imports.json(data)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_mutated_files_raise_only_our_own_errors(
    filled_store: Store, file_store: Store, tmp_path: Path, seed: int
) -> None:
    exported = filled_store.exports.json()
    rng = random.Random(seed)
    empty, refused = contents(file_store), 0
    for _ in range(FUZZED):
        try:
            file_store.imports.json(mutated(exported, rng))
        except StoreError:
            refused += 1
        else:
            # What was taken is whole: it can be listed, added up and exported.
            file_store.statistics.all()
            file_store.games.page()
            contents(file_store)
            file_store.erase()
    assert contents(file_store) == empty
    assert FUZZED // 2 < refused < FUZZED
    assert {path.name.split("-")[0] for path in tmp_path.iterdir()} == {"records.sqlite"}
