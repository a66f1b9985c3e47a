"""Which kingdoms of a scene a person could read."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from engine import Kingdom
from vision.scene_squares import SMALLEST_SIDE, unseen_because
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
    assert unseen_because(found, truth) == ""


def test_a_kingdom_with_a_hidden_square_cannot() -> None:
    found = scene(512)
    one = frozenset({(0, 0)})
    assert unseen_because(found, replace(found.kingdoms[0], hidden=one)) == "a castle or a king hides a square"
    assert unseen_because(found, replace(found.kingdoms[0], hidden=one, washed=one)) == "light washes a square out"


def test_a_kingdom_of_tiny_squares_cannot() -> None:
    found = scene(int(5 * SMALLEST_SIDE))
    assert unseen_because(found, replace(found.kingdoms[0], hidden=frozenset())) == "a square is cut or too small"


def test_a_hand_on_the_tiles_is_told() -> None:
    laid = scene(512)
    with_hand = compose([KINGDOM], OwnArt(), np.random.default_rng(4), replace(laid.config, hand_share=1.0))
    assert with_hand.hand and not laid.hand
    assert unseen_because(with_hand, with_hand.kingdoms[0]) == "a hand lies on the tiles"


def test_glare_washes_squares_out_where_it_lies() -> None:
    for seed in range(12):
        plain, glaring = (
            compose([KINGDOM], OwnArt(), np.random.default_rng(seed), replace(scene(512).config, glare=glare))
            for glare in (0.0, 400.0)
        )
        truth = glaring.kingdoms[0]
        assert not plain.kingdoms[0].washed
        assert truth.washed <= truth.hidden
        for row, column in truth.washed:
            mask = np.zeros(glaring.image.shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, truth.quads[row, column].astype(np.int32), 1)
            assert cv2.mean(glaring.image, mask)[1] > cv2.mean(plain.image, mask)[1] + 20
        if truth.washed:
            return
    raise AssertionError("no scene had glare on its tiles")
