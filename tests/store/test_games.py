"""Games: kept whole, edited by version, deleted with undo, listed newest first with totals worked out."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import inspect

from engine import Kingdom, Rules, score
from store import GameConflict, NotFound, Reading, Store, StoreError, Turn
from store.models import Base
from tests.store.samples import JPEG, KINGDOM, START, full_game, game, photo


def test_a_game_comes_back_with_everything_it_had(store: Store) -> None:
    entry = full_game(store)
    saved = store.games.add(entry)
    assert store.games.open(saved.id) == saved
    assert saved.entry == entry
    assert saved.rules == entry.rules
    assert saved.version == 1 and saved.deleted_at is None
    assert saved.seats[0].turns[1].discarded == 48


def test_scores_are_those_of_the_engine(store: Store) -> None:
    rules = Rules(players=2, middle_kingdom=True, harmony=True)
    saved = store.games.add(game(("Ada", "Bob"), [KINGDOM, "Cf1f"], rules=rules))
    assert [each.total for each in saved.scores] == [score(Kingdom.from_notation(KINGDOM), rules).total, 12]
    assert [seat.total for seat in saved.result.seats] == [52, 12]
    assert saved.record.totals == {"Ada": 52, "Bob": 12}
    assert saved.ranking.decided == "Ada wins with 52 points, 40 ahead."


def test_no_table_has_room_for_points() -> None:
    columns = {column.name for table in Base.metadata.tables.values() for column in table.columns}
    assert not columns & {"points", "total", "score", "place", "winner", "rank"}


def test_a_game_without_a_date_was_played_now(store: Store) -> None:
    saved = store.games.add(replace(game(), played_at=None))
    assert abs(saved.played_at - saved.created_at) < timedelta(seconds=1)
    assert saved.played_at.tzinfo is not None


def test_a_game_can_have_kingdoms_that_break_every_rule(store: Store) -> None:
    odd = ["w3CC?/....", "."]
    saved = store.games.add(game(("Ada", "Bob"), odd))
    assert [seat.reading.kingdom for seat in store.games.open(saved.id).seats] == odd


def test_a_game_that_shows_an_unknown_photo_is_refused(store: Store) -> None:
    entry = game(("Ada", "Bob"))
    missing = Reading("C", photo="0" * 64)
    seat = entry.seats[0]
    for changed in (replace(seat, reading=missing), replace(seat, turns=(Turn(missing),))):
        with pytest.raises(StoreError, match="is not stored"):
            store.games.add(replace(entry, seats=(changed, entry.seats[1])))
    assert store.games.page().total == 0
    assert store.players.all() == ()


def test_an_edit_replaces_the_game_and_counts_up(store: Store) -> None:
    saved = store.games.add(full_game(store))
    entry = replace(saved.entry, note="Sunny.", seats=game(("Bob", "Cleo"), [KINGDOM, "Cw1"]).seats, rules=Rules())
    edited = store.games.edit(saved.id, entry, saved.version)
    assert edited == store.games.open(saved.id)
    assert edited.version == 2 and edited.changed_at > saved.changed_at and edited.created_at == saved.created_at
    assert (edited.note, edited.rules) == ("Sunny.", Rules(players=2))
    assert [seat.player.name for seat in edited.seats] == ["Bob", "Cleo"]
    assert edited.seats[0].turns == ()


def test_an_edit_can_change_the_photo(store: Store) -> None:
    saved = store.games.add(full_game(store))
    other = store.photos.add(photo(99))
    seat = saved.entry.seats[0]
    changed = replace(seat, reading=replace(seat.reading, photo=other))
    edited = store.games.edit(saved.id, replace(saved.entry, seats=(changed, *saved.entry.seats[1:])), 1)
    assert edited.seats[0].reading.photo == other
    assert edited.seats[0].turns == saved.seats[0].turns


def test_the_second_of_two_edits_is_refused_and_shown_the_first(store: Store) -> None:
    saved = store.games.add(game(note="old"))
    store.games.edit(saved.id, replace(saved.entry, note="mine"), saved.version)
    with pytest.raises(GameConflict) as caught:
        store.games.edit(saved.id, replace(saved.entry, note="theirs"), saved.version)
    assert caught.value.game.note == "mine"
    assert store.games.open(saved.id).note == "mine"


def test_a_deleted_game_can_be_brought_back(store: Store) -> None:
    saved = store.games.add(full_game(store))
    other = store.games.add(game(("Cleo", "Dan"), day=-1))
    store.games.delete(saved.id)
    store.games.delete(saved.id)
    assert [line.id for line in store.games.page().games] == [other.id]
    assert [line.id for line in store.games.deleted()] == [saved.id]
    assert store.games.open(saved.id).deleted_at is not None
    with pytest.raises(NotFound, match="deleted"):
        store.games.edit(saved.id, saved.entry, saved.version)
    assert store.games.restore(saved.id) == saved
    assert [line.id for line in store.games.page().games] == [saved.id, other.id]
    assert store.games.deleted() == ()


def test_a_purge_removes_what_was_deleted_long_ago_and_its_photos(store: Store) -> None:
    saved = store.games.add(full_game(store))
    kept = store.photos.add(photo(50))
    draft = store.drafts.start({"seats": [{"anything": {"photo": kept}}]})
    store.games.delete(saved.id)
    assert store.purge().games == 0
    assert store.games.open(saved.id).deleted_at is not None
    purged = store.purge(timedelta(0))
    assert (purged.games, purged.drafts, purged.photos) == (1, 0, 3)
    with pytest.raises(NotFound):
        store.games.restore(saved.id)
    assert store.photos.open(kept).data == photo(50)
    store.drafts.discard(draft.id)
    purged = store.purge(timedelta(0))
    assert (purged.drafts, purged.photos) == (1, 1)


def test_a_purge_leaves_photos_that_games_show_or_that_were_just_taken(store: Store) -> None:
    shown = store.games.add(full_game(store)).seats[0].reading.photo
    new = store.photos.add(JPEG)
    store.purge()
    assert store.photos.open(new).data == JPEG
    store.purge(timedelta(0))
    assert shown is not None and store.photos.open(shown).data == photo(0)
    with pytest.raises(NotFound):
        store.photos.open(new)


def test_a_purge_removes_forgotten_players_without_games(store: Store) -> None:
    store.games.add(game(("Ada", "Bob")))
    for name in ("Ada", "Zoe"):
        store.players.forget(store.players.remember(name).id)
    assert store.purge().players == 1
    assert [player.name for player in store.players.all(forgotten=True)] == ["Ada", "Bob"]


def test_the_history_is_newest_first_and_paged(store: Store) -> None:
    for day in (3, 1, 4, 0, 2):
        store.games.add(game(("Ada", "Bob"), ["C", "C"], day=day, note=str(day)))
    first, second, third = (store.games.page(number, 2) for number in (1, 2, 3))
    assert [line.note for page in (first, second, third) for line in page.games] == ["4", "3", "2", "1", "0"]
    assert {(page.total, page.pages) for page in (first, second, third)} == {(5, 3)}
    assert store.games.page(99, 2).page == 3
    assert store.games.page(0, 2).page == 1
    with pytest.raises(StoreError, match="1 to 200"):
        store.games.page(1, 0)


def test_an_empty_history_has_one_empty_page(store: Store) -> None:
    page = store.games.page()
    assert (page.games, page.total, page.page, page.pages) == ((), 0, 1, 1)


def test_a_line_of_the_history_has_totals_places_and_thumbnails(store: Store) -> None:
    store.games.add(full_game(store))
    line = store.games.page().games[0]
    assert [(seat.name, seat.total, seat.place) for seat in line.seats] == [("Ada", 47, 1), ("Bob", 11, 2)]
    assert line.winners == ("Ada",)
    assert line.seats[0].thumbnail is not None and line.seats[1].thumbnail is None
    assert line.rules.players == 2 and line.played_at == START


def test_a_photo_stands_in_for_a_missing_thumbnail(store: Store) -> None:
    shown = store.photos.add(JPEG)
    entry = game(("Ada", "Bob"))
    seats = tuple(replace(seat, reading=replace(seat.reading, photo=shown)) for seat in entry.seats)
    store.games.add(replace(entry, seats=seats))
    assert {seat.thumbnail for seat in store.games.page().games[0].seats} == {shown}


def test_a_shared_victory_has_two_winners(store: Store) -> None:
    store.games.add(game(("Ada", "Bob", "Cleo"), ["Cf1f", "Cw1w", "Cll"]))
    assert store.games.page().games[0].winners == ("Ada", "Bob")


def test_the_history_can_be_that_of_some_players(store: Store) -> None:
    store.games.add(game(("Ada", "Bob"), ["C", "C"], day=1))
    store.games.add(game(("Ada", "Cleo"), ["C", "C"], day=2))
    store.games.add(game(("Ada", "Bob", "Cleo"), ["C", "C", "C"], day=3))
    ids = {player.name: player.id for player in store.players.all()}
    days = {
        names: [(line.played_at - START).days for line in store.games.page(players=[ids[name] for name in names]).games]
        for names in (("Ada",), ("Bob",), ("Bob", "Cleo"))
    }
    assert days == {("Ada",): [3, 2, 1], ("Bob",): [3, 1], ("Bob", "Cleo"): [3]}
    with pytest.raises(NotFound):
        store.games.page(players=["x' OR 1=1"])


@pytest.mark.parametrize("game_id", ["", "x", "\x00", "a0b1c2d3-0000-4000-8000-000000000000", None])
def test_an_unknown_game_is_not_found(store: Store, game_id: str) -> None:
    for call in (store.games.open, store.games.delete, store.games.restore, store.dynasties.remove_game):
        with pytest.raises(NotFound):
            call(game_id)
    with pytest.raises(NotFound):
        store.games.edit(game_id, game(), 1)


def test_erasing_leaves_the_tables_and_nothing_in_them(store: Store) -> None:
    store.games.add(full_game(store, dynasty=store.dynasties.create("Winter", ["Ada", "Bob"]).id))
    store.drafts.start({})
    store.erase()
    assert store.games.page().total == 0
    assert store.players.all(forgotten=True) == ()
    assert store.drafts.all() == ()
    assert store.dynasties.all(abandoned=True) == ()
    store.games.add(game())


def test_every_record_is_erased(store: Store) -> None:
    store.games.add(full_game(store))
    store.erase()
    engine = store._database._engine
    with engine.connect() as connection:
        names = set(inspect(connection).get_table_names()) - {"kingdomino_version"}
        counts = {name: connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar() for name in names}
    assert names == set(Base.metadata.tables) and set(counts.values()) == {0}
