"""The squares of composed scenes that readers learn from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine import CASTLE, Kingdom
from vision.classify import CLASSES
from vision.dataset import CANVAS
from vision.scene_squares import LEARNT_HIDDEN, MOST_SQUARES, readable_squares, scene_squares
from vision.scenes import OwnArt, SceneConfig, compose

# Forest on the far side of the castle, which a standing one hides in part.
KINGDOM = Kingdom.from_notation("wffw/wfCw/wffw")
OBLIQUE = SceneConfig(size=(900, 700), castle="standing", tilt=30.0, rotation=0.0, fill=0.6, harshness=0.2)


def test_a_scene_gives_a_few_canvases_with_a_class_each_and_its_castle() -> None:
    several = [scene_squares(OwnArt(), np.random.default_rng(seed)) for seed in range(12)]
    for pictures, classes in several:
        assert len(pictures) == len(classes) <= MOST_SQUARES
        assert all(picture.shape == (CANVAS, CANVAS, 3) for picture in pictures)
    assert sum(CLASSES.index(CASTLE.symbol) in classes for _, classes in several) >= 6
    assert {CLASSES[index] for _, classes in several for index in classes} > set("wflgsC.")


def test_the_same_dice_give_the_same_squares() -> None:
    first, second = (scene_squares(OwnArt(), np.random.default_rng(3)) for _ in range(2))
    assert first[1] == second[1]
    assert np.array_equal(first[0], second[0])


def test_what_a_castle_leans_over_is_learnt_though_it_is_not_asked_in_measuring() -> None:
    measured = compose([KINGDOM], OwnArt(), np.random.default_rng(5), OBLIQUE)
    learnt = compose([KINGDOM], OwnArt(), np.random.default_rng(5), replace(OBLIQUE, hidden_from=LEARNT_HIDDEN))
    assert np.array_equal(measured.image, learnt.image)
    counts = []
    for scene in (measured, learnt):
        _, symbols = readable_squares(scene, scene.kingdoms[0], np.random.default_rng(0))
        counts.append(symbols.count("f"))
    assert counts[0] < counts[1]
