"""Fully random scenes: kingdoms from random legal games, at the end or on the way, some with a player's mistake."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from engine import Kingdom, Rules, random_playout

from .compose import compose
from .config import SceneConfig
from .layout import cut
from .sources import TileSource
from .truth import Scene

# How often a scene shows 0, 1, 2, 3 or 4 kingdoms.
_COUNTS = (0.04, 0.70, 0.13, 0.05, 0.08)
_SEVEN_SHARE = 0.4
_FINISHED_SHARE = 0.5
_MISTAKE_SHARE = 0.12
_ACTIONS = {5: 96, 7: 96}
_FEWEST_ACTIONS = 14


def random_scene(
    seed: int | np.random.Generator,
    source: TileSource,
    n_kingdoms: int | None = None,
    size: int | tuple[int, int] = 512,
    config: SceneConfig | None = None,
    kingdom_size: int | None = None,
) -> Scene:
    """One random scene. A seed gives the same scene again; a size of one number is a square picture."""
    rng = seed if isinstance(seed, np.random.Generator) else np.random.default_rng(seed)
    frame = (size, size) if isinstance(size, int) else size
    if config is None:
        config = SceneConfig(size=frame)
    count = int(rng.choice(len(_COUNTS), p=_COUNTS)) if n_kingdoms is None else n_kingdoms
    played = kingdom_size if kingdom_size is not None else 7 if rng.random() < _SEVEN_SHARE else 5
    kingdoms = random_kingdoms(count, played, rng)
    scene = compose(kingdoms, source, rng, config, sizes=[played] * count)
    seeded = None if isinstance(seed, np.random.Generator) else seed
    return replace(scene, name="random", seed=seeded)


def random_kingdoms(count: int, size: int, rng: np.random.Generator) -> list[Kingdom]:
    """So many kingdoms of one random game (of several, where a game has fewer), each with a domino at least."""
    found: list[Kingdom] = []
    while len(found) < count:
        dice = Random(int(rng.integers(2**62)))
        rules = Rules(size=size, players=2 if size == 7 else 4)
        # One photo shows one moment of a game.
        stop = None if rng.random() < _FINISHED_SHARE else int(rng.integers(_FEWEST_ACTIONS, _ACTIONS[size]))
        game = random_playout(rules, dice, stop)
        for kingdom in game.kingdoms:
            if kingdom.height * kingdom.width > 1:
                found.append(mistaken(kingdom, rng) if rng.random() < _MISTAKE_SHARE else kingdom)
    return found[:count]


def mistaken(kingdom: Kingdom, rng: np.random.Generator) -> Kingdom:
    """The kingdom with two of its dominoes exchanged, as players err; unchanged where it has but one."""
    dominoes = [cells for cells in cut(kingdom, rng) if len(cells) == 2]
    if len(dominoes) < 2:
        return kingdom
    first, second = (dominoes[i] for i in rng.choice(len(dominoes), 2, replace=False))
    rows = [list(row) for row in kingdom.rows]
    for (r1, c1), (r2, c2) in zip(first, second, strict=True):
        rows[r1][c1], rows[r2][c2] = rows[r2][c2], rows[r1][c1]
    return Kingdom(tuple(tuple(row) for row in rows))


def shuffled(kingdom: Kingdom, rng: np.random.Generator) -> Kingdom:
    """The kingdom with its dominoes in each other's places, either way round: no rule of connection holds in it."""
    places = [cells for cells in cut(kingdom, rng) if len(cells) == 2]
    rows = [list(row) for row in kingdom.rows]
    halves = [[rows[r][c] for r, c in place] for place in places]
    for place, source in zip(places, rng.permutation(len(places)), strict=True):
        way = 1 if rng.random() < 0.5 else -1
        for (r, c), cell in zip(place, halves[source][::way], strict=True):
            rows[r][c] = cell
    return Kingdom(tuple(tuple(row) for row in rows))
