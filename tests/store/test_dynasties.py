"""Dynasties: three slots, the same players, sums by the engine, several side by side."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from store import NotFound, Store, StoreError
from tests.store.samples import SMALL, game

TRIO = ("Ada", "Bob", "Cleo")
KINGDOMS = list(SMALL)


def test_three_games_fill_the_slots_and_the_engine_adds_up(store: Store) -> None:
    winter = store.dynasties.create("Winter", TRIO)
    assert winter.slots == (None, None, None) and winter.next_slot == 1
    for number in range(3):
        names = TRIO[number:] + TRIO[:number]
        saved = store.games.add(game(names, KINGDOMS[:3], day=number, dynasty=winter.id))
        assert saved.dynasty is not None and (saved.dynasty.name, saved.dynasty.slot) == ("Winter", number + 1)
    winter = store.dynasties.open(winter.id)
    assert winter.next_slot is None
    assert winter.dynasty.complete
    assert winter.dynasty.running_totals[0] == {"Ada": 2, "Bob": 2, "Cleo": 3}
    assert winter.dynasty.totals == {"Ada": 7, "Bob": 7, "Cleo": 7}
    assert winter.dynasty.winners == TRIO
    assert [line.dynasty.slot for line in winter.slots if line and line.dynasty] == [1, 2, 3]
    with pytest.raises(StoreError, match="is complete"):
        store.games.add(game(TRIO, KINGDOMS[:3], dynasty=winter.id))
    assert store.games.page(dynasty=winter.id).total == 3


def test_other_players_cannot_join(store: Store) -> None:
    winter = store.dynasties.create("Winter", TRIO)
    for names in (("Ada", "Bob"), ("Ada", "Bob", "Dan"), ("Ada", "Bob", "Cleo", "Dan")):
        with pytest.raises(StoreError, match="same players throughout: Ada, Bob and Cleo"):
            store.games.add(game(names, KINGDOMS[: len(names)], dynasty=winter.id))
    assert store.games.page().total == 0


@pytest.mark.parametrize("players", [(), ("Ada",), ("Ada", "ada"), ("A", "B", "C", "D", "E")])
def test_a_dynasty_has_two_to_four_players(store: Store, players: tuple[str, ...]) -> None:
    with pytest.raises(StoreError):
        store.dynasties.create("Winter", players)
    assert store.dynasties.all() == ()


def test_several_dynasties_run_side_by_side(store: Store) -> None:
    first = store.dynasties.create("Winter", TRIO)
    second = store.dynasties.create("Winter", TRIO[:2])
    store.games.add(game(TRIO, KINGDOMS[:3], dynasty=first.id))
    store.games.add(game(TRIO[:2], KINGDOMS[:2], dynasty=second.id))
    assert [(each.id, each.next_slot) for each in store.dynasties.all()] == [(second.id, 2), (first.id, 2)]


def test_an_abandoned_dynasty_keeps_its_games_and_can_be_resumed(store: Store) -> None:
    winter = store.dynasties.create("Winter", TRIO)
    saved = store.games.add(game(TRIO, KINGDOMS[:3], dynasty=winter.id))
    assert store.dynasties.abandon(winter.id).abandoned
    assert store.dynasties.all() == ()
    assert [each.id for each in store.dynasties.all(abandoned=True)] == [winter.id]
    with pytest.raises(StoreError, match="abandoned"):
        store.games.add(game(TRIO, KINGDOMS[:3], dynasty=winter.id))
    assert store.games.open(saved.id).dynasty is not None
    resumed = store.dynasties.resume(winter.id)
    assert not resumed.abandoned and resumed.next_slot == 2
    store.games.add(game(TRIO, KINGDOMS[:3], dynasty=winter.id))


def test_a_dynasty_can_be_renamed(store: Store) -> None:
    winter = store.dynasties.create("Winter", TRIO)
    assert store.dynasties.rename(winter.id, "  Spring ").name == "Spring"
    with pytest.raises(StoreError):
        store.dynasties.rename(winter.id, " ")


def test_a_stored_game_can_take_the_next_slot_and_leave_it(store: Store) -> None:
    winter = store.dynasties.create("Winter", TRIO)
    saved = store.games.add(game(TRIO, KINGDOMS[:3]))
    assert store.dynasties.add_game(winter.id, saved.id).next_slot == 2
    assert store.games.open(saved.id).version == 2
    with pytest.raises(StoreError, match="already"):
        store.dynasties.add_game(winter.id, saved.id)
    store.dynasties.remove_game(saved.id)
    assert store.dynasties.open(winter.id).slots == (None, None, None)
    assert store.games.page().total == 1
    duel = store.games.add(game(TRIO[:2], KINGDOMS[:2]))
    with pytest.raises(StoreError, match="same players"):
        store.dynasties.add_game(winter.id, duel.id)
    store.games.delete(saved.id)
    with pytest.raises(NotFound):
        store.dynasties.add_game(winter.id, saved.id)


def test_an_edit_keeps_the_slot_even_of_an_abandoned_dynasty(store: Store) -> None:
    winter = store.dynasties.create("Winter", TRIO)
    saved = store.games.add(game(TRIO, KINGDOMS[:3], dynasty=winter.id))
    store.dynasties.abandon(winter.id)
    edited = store.games.edit(saved.id, replace(saved.entry, note="new"), 1)
    assert edited.dynasty == saved.dynasty
    with pytest.raises(StoreError, match="same players"):
        store.games.edit(saved.id, replace(saved.entry, seats=saved.entry.seats[:2]), 2)
    assert store.games.edit(saved.id, replace(saved.entry, dynasty=None), 2).dynasty is None


def test_an_edit_can_move_a_game_to_another_dynasty(store: Store) -> None:
    first, second = (store.dynasties.create(name, TRIO) for name in ("First", "Second"))
    saved = store.games.add(game(TRIO, KINGDOMS[:3], dynasty=first.id))
    moved = store.games.edit(saved.id, replace(saved.entry, dynasty=second.id), 1)
    assert moved.dynasty is not None and (moved.dynasty.name, moved.dynasty.slot) == ("Second", 1)
    assert store.dynasties.open(first.id).next_slot == 1


def test_a_deleted_game_leaves_its_slot_and_takes_it_again(store: Store) -> None:
    winter = store.dynasties.create("Winter", TRIO)
    first, second = (store.games.add(game(TRIO, KINGDOMS[:3], day=day, dynasty=winter.id)) for day in (0, 1))
    store.games.delete(first.id)
    opened = store.dynasties.open(winter.id)
    assert opened.slots[0] is None and opened.slots[1] is not None and opened.next_slot == 1
    assert len(opened.dynasty.games) == 1
    restored = store.games.restore(first.id)
    assert restored.dynasty is not None and restored.dynasty.slot == 1
    assert second.dynasty is not None and store.dynasties.open(winter.id).next_slot == 3


def test_a_game_whose_slot_was_taken_comes_back_in_a_free_one_or_in_none(store: Store) -> None:
    winter = store.dynasties.create("Winter", TRIO)
    first = store.games.add(game(TRIO, KINGDOMS[:3], dynasty=winter.id))
    store.games.delete(first.id)
    store.games.add(game(TRIO, KINGDOMS[:3], dynasty=winter.id))
    restored = store.games.restore(first.id)
    assert restored.dynasty is not None and restored.dynasty.slot == 2
    store.games.delete(first.id)
    for _ in range(2):
        store.games.add(game(TRIO, KINGDOMS[:3], dynasty=winter.id))
    assert store.games.restore(first.id).dynasty is None
    assert store.games.page().total == 4


def test_two_games_at_once_take_two_slots(store: Store) -> None:
    winter = store.dynasties.create("Winter", TRIO)
    refused: list[StoreError] = []

    def add() -> None:
        try:
            store.games.add(game(TRIO, KINGDOMS[:3], dynasty=winter.id))
        except StoreError as error:
            refused.append(error)

    threads = [threading.Thread(target=add) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    opened = store.dynasties.open(winter.id)
    assert opened.next_slot is None and len({line.id for line in opened.slots if line}) == 3
    assert ["is complete" in str(error) for error in refused] == [True, True]


@pytest.mark.parametrize("dynasty_id", ["", "x", "\x00", "a0b1c2d3-0000-4000-8000-000000000000"])
def test_an_unknown_dynasty_is_not_found(store: Store, dynasty_id: str) -> None:
    for call in (store.dynasties.open, store.dynasties.abandon, store.dynasties.resume):
        with pytest.raises(NotFound):
            call(dynasty_id)
    with pytest.raises(NotFound):
        store.games.add(game(dynasty=dynasty_id))
