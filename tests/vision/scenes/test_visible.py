"""Which kingdoms of a scene a person could read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine import Kingdom
from vision.scene_squares import SMALLEST_SIDE, all_visible
from vision.scenes import OwnArt, Scene, SceneConfig, compose

KINGDOM = Kingdom.from_notation("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")


def scene(side: int) -> Scene:
    """A kingdom from straight above, in good light, with nothing on it."""
    config = SceneConfig(
        size=(side, side),
        rotation=0.0,
        tilt=0.0,
        fill=0.8,
        castle="standing",
        kings_share=0.0,
        hand_share=0.0,
        cut_neighbour=False,
        glare=0.0,
        shadow=0.0,
        harshness=0.0,
    )
    return compose([KINGDOM], OwnArt(), np.random.default_rng(4), config)


def test_a_kingdom_with_nothing_on_it_can_be_read_although_its_castle_stands() -> None:
    found = scene(512)
    truth = replace(found.kingdoms[0], hidden=frozenset({(2, 4)}))
    assert truth.kingdom.castle == (2, 4)
    assert all_visible(found, truth)


def test_a_kingdom_with_a_hidden_square_cannot() -> None:
    found = scene(512)
    assert not all_visible(found, replace(found.kingdoms[0], hidden=frozenset({(0, 0)})))


def test_a_kingdom_of_tiny_squares_cannot() -> None:
    found = scene(int(5 * SMALLEST_SIDE))
    assert not all_visible(found, replace(found.kingdoms[0], hidden=frozenset()))
