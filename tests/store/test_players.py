"""Players: one for each name, remembered with their colour, forgotten on request."""

from __future__ import annotations

import threading

import pytest

from store import NotFound, Store, StoreError
from tests.store.samples import game


def test_a_player_is_remembered_with_the_last_colour(store: Store) -> None:
    store.games.add(game(("Ada", "Bob")))
    assert [(player.name, player.colour) for player in store.players.all()] == [("Ada", "pink"), ("Bob", "yellow")]
    store.players.remember("bob", "blue")
    assert [(player.name, player.colour) for player in store.players.all()] == [("Ada", "pink"), ("Bob", "blue")]


def test_capitals_do_not_make_another_player(store: Store) -> None:
    first = store.players.remember("Åsa")
    assert store.players.remember("A\u030aSA").id == first.id
    assert store.players.all() == (first,)


def test_a_renamed_player_keeps_the_games(store: Store) -> None:
    saved = store.games.add(game(("Ada", "Bob")))
    ada = saved.seats[0].player
    store.players.edit(ada.id, name="Augusta", colour="green")
    assert store.games.open(saved.id).seats[0].player.name == "Augusta"
    assert store.games.page().games[0].seats[0].name == "Augusta"
    assert store.players.open(ada.id).colour == "green"


def test_a_name_may_change_only_its_capitals(store: Store) -> None:
    ada = store.players.remember("ada")
    assert store.players.edit(ada.id, name="Ada").name == "Ada"


def test_a_player_cannot_take_the_name_of_another(store: Store) -> None:
    ada = store.players.remember("Ada")
    store.players.remember("Bob")
    with pytest.raises(StoreError, match="another player called BOB"):
        store.players.edit(ada.id, name="BOB")
    assert store.players.open(ada.id).name == "Ada"


def test_a_forgotten_player_is_not_suggested_until_the_next_game(store: Store) -> None:
    saved = store.games.add(game(("Ada", "Bob")))
    ada = saved.seats[0].player
    store.players.forget(ada.id)
    assert [player.name for player in store.players.all()] == ["Bob"]
    assert [player.name for player in store.players.all(forgotten=True)] == ["Ada", "Bob"]
    assert store.games.open(saved.id).seats[0].player.name == "Ada"
    store.games.add(game(("ada", "Bob")))
    assert [player.name for player in store.players.all()] == ["Ada", "Bob"]


@pytest.mark.parametrize("player_id", ["", "nobody", "0" * 36, "\x00", "a0b1c2d3-0000-4000-8000-000000000000"])
def test_an_unknown_player_is_not_found(store: Store, player_id: str) -> None:
    for call in (store.players.open, store.players.forget, store.statistics.player):
        with pytest.raises(NotFound):
            call(player_id)


def test_the_same_new_name_from_many_threads_is_one_player(store: Store) -> None:
    errors: list[Exception] = []

    def add(seed: int) -> None:
        try:
            for _ in range(3):
                store.games.add(game(("Ada", "Bob", "Cleo") if seed % 2 else ("Cleo", "Bob", "Ada"), seed=seed))
        except StoreError as error:
            errors.append(error)

    threads = [threading.Thread(target=add, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(store.players.all()) == 3
    assert store.games.page().total == 18
