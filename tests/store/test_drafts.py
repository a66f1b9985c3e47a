"""Drafts: saved as it happens, never overwritten unseen, finished once."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest

from store import DraftClosed, DraftConflict, GameConflict, NotFound, Store, StoreError
from store.values import JsonObject
from tests.store.samples import game

DOCUMENT: JsonObject = {
    "step": 2,
    "players": ["Ada", "<b>Bob</b>", "نور", "\x00\x1f", "\ud800 half", "🎲"],
    "kingdoms": {"Ada": None, "Bob": "Cf1f"},
    "numbers": [0.1, -3, 10**15, True],
}


def test_a_draft_comes_back_as_it_was_saved(store: Store) -> None:
    draft = store.drafts.start(DOCUMENT)
    assert draft.version == 1
    assert store.drafts.open(draft.id) == draft
    assert draft.document == DOCUMENT
    assert store.drafts.save(draft.id, {**DOCUMENT, "step": 3}, 1) == 2
    assert store.drafts.open(draft.id).document == {**DOCUMENT, "step": 3}
    assert store.drafts.open(draft.id).version == 2


def test_a_save_from_an_old_version_is_refused_and_shown_the_newer_one(store: Store) -> None:
    draft = store.drafts.start({"step": 1})
    store.drafts.save(draft.id, {"step": 2, "by": "phone"}, 1)
    with pytest.raises(DraftConflict) as caught:
        store.drafts.save(draft.id, {"step": 2, "by": "tablet"}, 1)
    assert (caught.value.version, caught.value.document) == (2, {"step": 2, "by": "phone"})
    assert store.drafts.open(draft.id).document["by"] == "phone"
    assert store.drafts.save(draft.id, {"step": 3, "by": "tablet"}, caught.value.version) == 3


def test_a_save_from_a_version_that_never_was_is_refused(store: Store) -> None:
    draft = store.drafts.start({})
    with pytest.raises(DraftConflict):
        store.drafts.save(draft.id, {"step": 1}, 7)


def test_repeating_a_save_changes_nothing(store: Store) -> None:
    draft = store.drafts.start({"step": 1})
    assert store.drafts.save(draft.id, {"step": 2}, 1) == 2
    assert store.drafts.save(draft.id, {"step": 2}, 1) == 2
    assert store.drafts.open(draft.id).version == 2


@pytest.mark.parametrize("document", [None, [], "text", {"a": {1}}, {"a": float("nan")}, {"a": b"bytes"}, {(1, 2): 3}])
def test_only_a_json_object_is_a_draft(store: Store, document: Any) -> None:
    draft = store.drafts.start({"step": 1})
    with pytest.raises(StoreError):
        store.drafts.start(document)
    with pytest.raises(StoreError):
        store.drafts.save(draft.id, document, 1)
    assert store.drafts.open(draft.id).document == {"step": 1}


def test_a_draft_too_large_or_too_deep_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="at most 1,000,000"):
        store.drafts.start({"text": "x" * 1_000_000})
    deep: Any = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(StoreError, match="cannot be saved"):
        store.drafts.start(deep)
    # Taken apart from the outside in, so that forgetting it does not recurse either.
    while deep:
        deep = deep.pop("a")


def test_open_drafts_are_listed_last_changed_first(store: Store) -> None:
    first = store.drafts.start({"n": 1})
    second = store.drafts.start({"n": 2}, kind="turns")
    assert [draft.id for draft in store.drafts.all()] == [second.id, first.id]
    store.drafts.save(first.id, {"n": 3}, 1)
    assert [draft.id for draft in store.drafts.all()] == [first.id, second.id]
    assert [draft.id for draft in store.drafts.all(kind="turns")] == [second.id]
    with pytest.raises(StoreError, match="at most 20"):
        store.drafts.start({}, kind="x" * 21)


def test_a_discarded_draft_can_be_brought_back(store: Store) -> None:
    draft = store.drafts.start(DOCUMENT)
    store.drafts.discard(draft.id)
    assert store.drafts.all() == ()
    assert [each.id for each in store.drafts.all(discarded=True)] == [draft.id]
    with pytest.raises(DraftClosed) as caught:
        store.drafts.save(draft.id, {}, 1)
    assert caught.value.game_id is None
    with pytest.raises(DraftClosed):
        store.drafts.finish(draft.id, game(), 1)
    assert store.drafts.restore(draft.id) == draft
    assert store.drafts.save(draft.id, {}, 1) == 2


def test_a_finished_draft_is_a_game_and_no_draft(store: Store) -> None:
    draft = store.drafts.start(DOCUMENT)
    saved = store.drafts.finish(draft.id, game(), 1)
    assert store.games.open(saved.id) == saved
    assert store.drafts.all() == store.drafts.all(discarded=True) == ()
    assert store.drafts.open(draft.id).finished_game == saved.id
    with pytest.raises(DraftClosed) as caught:
        store.drafts.save(draft.id, {}, 1)
    assert caught.value.game_id == saved.id
    with pytest.raises(DraftClosed):
        store.drafts.discard(draft.id)


def test_a_second_tap_makes_no_second_game(store: Store) -> None:
    draft = store.drafts.start({})
    first = store.drafts.finish(draft.id, game(), 1)
    assert store.drafts.finish(draft.id, game(seed=5), 1) == first
    assert store.games.page().total == 1


def test_many_taps_at_once_make_one_game(store: Store) -> None:
    draft = store.drafts.start({})
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(store.drafts.finish(draft.id, game(), 1).id)) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and len(set(found)) == 1
    assert store.games.page().total == 1


def test_finishing_what_another_phone_changed_is_refused(store: Store) -> None:
    draft = store.drafts.start({"step": 1})
    store.drafts.save(draft.id, {"step": 2}, 1)
    with pytest.raises(DraftConflict):
        store.drafts.finish(draft.id, game(), 1)
    assert store.games.page().total == 0
    assert len(store.drafts.all()) == 1


def test_a_draft_whose_game_is_refused_stays_a_draft(store: Store) -> None:
    draft = store.drafts.start({"step": 1})
    with pytest.raises(NotFound):
        store.drafts.finish(draft.id, game(dynasty="a0b1c2d3-0000-4000-8000-000000000000"), 1)
    assert store.games.page().total == 0
    assert store.players.all() == ()
    assert [each.id for each in store.drafts.all()] == [draft.id]


def test_a_draft_may_edit_a_game(store: Store) -> None:
    saved = store.games.add(game(note="old"))
    draft = store.drafts.start({"note": "old"}, edits=saved.id)
    assert draft.edits_game == saved.id
    edited = store.drafts.finish(draft.id, replace(saved.entry, note="new"), 1)
    assert (edited.id, edited.note, edited.version) == (saved.id, "new", 2)
    assert store.drafts.finish(draft.id, replace(saved.entry, note="new"), 1) == edited
    assert store.games.page().total == 1


def test_a_draft_that_edits_a_game_edited_elsewhere_is_refused_until_rebased(store: Store) -> None:
    saved = store.games.add(game(note="old"))
    draft = store.drafts.start({}, edits=saved.id)
    store.games.edit(saved.id, replace(saved.entry, note="theirs"), 1)
    with pytest.raises(GameConflict) as caught:
        store.drafts.finish(draft.id, replace(saved.entry, note="mine"), 1)
    assert caught.value.game.note == "theirs"
    assert [each.id for each in store.drafts.all()] == [draft.id]
    store.drafts.rebase(draft.id)
    assert store.drafts.finish(draft.id, replace(saved.entry, note="mine"), 1).note == "mine"


@pytest.mark.parametrize("draft_id", ["", "x", "\x00", "a0b1c2d3-0000-4000-8000-000000000000"])
def test_an_unknown_draft_is_not_found(store: Store, draft_id: str) -> None:
    for call in (store.drafts.open, store.drafts.discard, store.drafts.restore, store.drafts.rebase):
        with pytest.raises(NotFound):
            call(draft_id)
    with pytest.raises(NotFound):
        store.drafts.save(draft_id, {}, 1)
    with pytest.raises(NotFound):
        store.drafts.finish(draft_id, game(), 1)
    with pytest.raises(NotFound):
        store.drafts.start({}, edits=draft_id)
