"""Statistics: against a slow and obvious reckoning by the engine, and always with their n."""

from __future__ import annotations

import random

import pytest

from engine import Rules, Terrain
from store import SavedGame, Store, statistics
from tests.store.samples import NAMES, SMALL, game


def test_without_games_there_are_no_statistics(store: Store) -> None:
    ada = store.players.remember("Ada")
    assert store.statistics.all() == ()
    alone = store.statistics.player(ada.id)
    assert (alone.games, alone.wins, alone.shared_wins, alone.mean, alone.best) == (0, 0, 0, None, None)
    assert alone.by_terrain == dict.fromkeys(Terrain, 0)
    assert alone.head_to_head == ()


def test_wins_alone_and_shared_are_told_apart(store: Store) -> None:
    # In the first game two share the victory, in the second the crowns decide between equal points.
    store.games.add(game(("Ada", "Bob", "Cleo"), ["Cf1f", "Cw1w", "Cll"], day=1))
    store.games.add(game(("Ada", "Bob"), ["Cf1f", "Cw1/.w1"], day=2))
    ada, bob, cleo = (store.statistics.player(player.id) for player in store.players.all())
    assert [(each.games, each.wins, each.shared_wins) for each in (ada, bob, cleo)] == [(2, 0, 1), (2, 1, 1), (1, 0, 0)]
    against_bob = ada.head_to_head[0]
    assert (against_bob.opponent.name, against_bob.games) == ("Bob", 2)
    assert (against_bob.ahead, against_bob.level, against_bob.behind) == (0, 1, 1)
    against_cleo = ada.head_to_head[1]
    assert (against_cleo.games, against_cleo.ahead) == (1, 1)
    assert (cleo.head_to_head[0].behind, cleo.head_to_head[1].behind) == (1, 1)


def test_mean_best_terrains_and_bonuses(store: Store) -> None:
    rules = Rules(players=2, middle_kingdom=True)
    store.games.add(game(("Ada", "Bob"), ["Cf1f", "Cll"], rules=rules, day=1))
    best = store.games.add(game(("Ada", "Bob"), ["Cw1ww", "Cll"], rules=Rules(players=2), day=2))
    ada = store.statistics.player(store.players.all()[0].id)
    assert ada.mean == (12 + 3) / 2
    assert ada.best is not None and ada.best.total == 12
    assert ada.by_terrain[Terrain.FOREST] == 2 and ada.by_terrain[Terrain.WHEAT] == 3
    assert ada.bonus == 10
    assert [each.total for each in ada.played] == [12, 3]
    assert ada.played[1].game_id == best.id


def test_sizes_can_be_looked_at_apart(store: Store) -> None:
    store.games.add(game(("Ada", "Bob"), ["Cf1f", "C"], rules=Rules(size=5), day=1))
    store.games.add(game(("Ada", "Bob"), ["Cw1ww", "C"], rules=Rules(size=7), day=2))
    ada = store.players.all()[0].id
    assert [store.statistics.player(ada, size=size).games for size in (None, 5, 7)] == [2, 1, 1]
    assert store.statistics.player(ada, size=7).mean == 3


def test_deleted_games_do_not_count(store: Store) -> None:
    saved = store.games.add(game(("Ada", "Bob"), ["Cf1f", "C"]))
    store.games.delete(saved.id)
    assert store.statistics.all() == ()
    store.games.restore(saved.id)
    assert [each.games for each in store.statistics.all()] == [1, 1]


def test_an_edited_kingdom_counts_as_edited(store: Store) -> None:
    saved = store.games.add(game(("Ada", "Bob"), ["Cf1f", "C"]))
    assert store.statistics.all()[0].mean == 2
    store.games.edit(saved.id, game(("Ada", "Bob"), ["Cw1ww", "C"]), 1)
    assert store.statistics.all()[0].mean == 3


def test_how_many_rows_are_fetched_at_a_time_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in range(4):
        store.games.add(game(NAMES[: 2 + day % 3], day=day, seed=day))
    at_once = store.statistics.all()
    monkeypatch.setattr(statistics, "_IN_PORTIONS", {"yield_per": 3})
    assert store.statistics.all() == at_once


@pytest.mark.parametrize("seed", [1, 2])
def test_statistics_are_what_a_slow_reckoning_finds(store: Store, seed: int) -> None:
    rng = random.Random(seed)
    saved = []
    for day in range(25):
        names = rng.sample(NAMES, rng.choice([2, 3, 4]))
        # Few different kingdoms, so that there are ties; some real ones.
        kingdoms = [rng.choice(list(SMALL)) for _ in names] if rng.random() < 0.6 else None
        rules = Rules(middle_kingdom=rng.random() < 0.5, harmony=rng.random() < 0.5, players=len(names))
        saved.append(store.games.add(game(names, kingdoms, day=day, rules=rules, seed=day)))
    everybody = store.statistics.all()
    assert {each.player.name for each in everybody} == set(NAMES)
    for each in everybody:
        assert each == store.statistics.player(each.player.id)
        assert _slow(saved, each.player.name) == {
            "games": each.games,
            "wins": each.wins,
            "shared": each.shared_wins,
            "mean": each.mean,
            "best": each.best and each.best.total,
            "terrains": each.by_terrain,
            "heads": {head.opponent.name: (head.ahead, head.level, head.behind) for head in each.head_to_head},
        }
        assert all(head.games == head.ahead + head.level + head.behind for head in each.head_to_head)


def _slow(games: list[SavedGame], name: str) -> dict[str, object]:
    totals, wins, shared = [], 0, 0
    terrains = dict.fromkeys(Terrain, 0)
    heads: dict[str, tuple[int, int, int]] = {}
    for each in games:
        record = each.record
        if name not in record.names:
            continue
        seat = record.names.index(name)
        totals.append(record.totals[name])
        wins += record.ranking.winners == (seat,)
        shared += seat in record.ranking.winners and len(record.ranking.winners) > 1
        for territory in record.scores[seat].territories:
            terrains[territory.terrain] += territory.points
        places = {standing.player: standing.place for standing in record.ranking.standings}
        for other, opponent in enumerate(record.names):
            if other != seat:
                ahead, level, behind = heads.get(opponent, (0, 0, 0))
                mine, theirs = places[seat], places[other]
                heads[opponent] = (ahead + (mine < theirs), level + (mine == theirs), behind + (mine > theirs))
    return {
        "games": len(totals),
        "wins": wins,
        "shared": shared,
        "mean": sum(totals) / len(totals),
        "best": max(totals),
        "terrains": terrains,
        "heads": heads,
    }
