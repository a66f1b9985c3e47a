"""Squares of one kingdom read in company: the sure ones tell about the doubtful ones, and never the other way round."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.damage import DAMAGES, copy_readers, damage
from tests.vision.kingdoms import side_by_side
from vision.classify import CLASSES, EMPTY_CLASS, Classifier, Glance
from vision.company import KINDS, Company, Seen, features
from vision.layers import Layers
from vision.models import ModelError, read_model
from vision.rectify import cut_squares
from vision.scene_squares import readable_squares
from vision.scenes import OwnArt, random_scene

WHEAT, GRASS = CLASSES.index("w"), CLASSES.index("g")


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    return Classifier.load()


def seen(read: np.ndarray, colours: list[tuple[int, int, int]]) -> Seen:
    """Squares of plain colours in a row of which this was read, with embeddings that point as their colours do."""
    crops = np.array([np.full((64, 64, 3), colour) for colour in colours], np.uint8)
    embeddings = np.array(colours, np.float32)
    quads = side_by_side(len(colours), columns=len(colours))
    return Seen(crops, quads, embeddings, len(colours), read, read, read)


def surely(*codes: int) -> np.ndarray:
    read = np.full((len(codes), len(CLASSES)), 0.001)
    read[np.arange(len(codes)), codes] = 1 - 0.001 * (len(CLASSES) - 1)
    return read


def zero(width: int) -> Company:
    classes = len(CLASSES)
    return Company(Layers(np.zeros(width), np.ones(width), (np.zeros((width, classes)),), (np.zeros(classes),)))


def scene_squares(seed: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Squares of a drawn kingdom and its table, their corners, and what they show."""
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, OwnArt(), n_kingdoms=1, size=(900, 700))
    quads, symbols = readable_squares(scene, scene.kingdoms[0], rng)
    quads = quads.reshape(-1, 4, 2)
    return cut_squares(scene.image, quads), quads, symbols


def test_kinds_are_the_terrains_the_castle_and_bare_table_last() -> None:
    assert len(KINDS) == 8
    assert KINDS[-2:] == ("C", ".")


def test_a_square_is_never_compared_with_itself() -> None:
    read = surely(WHEAT, GRASS, GRASS, EMPTY_CLASS)
    colours = [(40, 160, 190), (50, 150, 120), (60, 150, 110), (90, 90, 90)]
    alone = features(seen(read, colours), np.array([0]))
    told = features(seen(surely(GRASS, GRASS, GRASS, EMPTY_CLASS), colours), np.array([0]))
    # The only wheat has no wheat to be compared with, whatever it was taken for; what it was read as is said apart.
    start, width = 3 * len(CLASSES) + 9, 3 * len(KINDS)
    assert np.allclose(alone[:, start : start + width], told[:, start : start + width])
    assert np.allclose(alone[0, start + 3 * KINDS.index("w") : start + 3 * KINDS.index("w") + 3], 0)
    assert not np.allclose(alone[0, start + 3 * KINDS.index("g") : start + 3 * KINDS.index("g") + 3], 0)


def test_the_order_of_the_squares_does_not_matter(classifier: Classifier) -> None:
    crops, quads, _ = scene_squares(6)
    order = np.random.default_rng(1).permutation(len(crops))
    dim = (crops * 0.4).astype(np.uint8)
    mixed = classifier.probabilities_together(dim[order], quads[order])
    assert np.allclose(mixed, classifier.probabilities_together(dim, quads)[order])


def test_squares_close_by_tell_more_than_those_far_away() -> None:
    """The one asked is the first of a row; a wheat of its own colour lies beside it, others, much darker, far off."""
    read = surely(WHEAT, WHEAT, GRASS, GRASS, WHEAT, WHEAT, WHEAT)
    light, dark = (60, 200, 220), (20, 70, 80)
    colours = [light, light, (50, 150, 120), (50, 150, 120), dark, dark, dark]
    near, far = seen(read, colours), seen(read, [light, dark, *colours[2:6], light])
    asked = np.array([0])
    first, second = features(near, asked)[0], features(far, asked)[0]
    kinds = len(KINDS)
    # All that is said of the kingdom as a whole is the same in both; what lies close by is not.
    whole = first.size - 2 * (3 * kinds + kinds + 3 + 1) - kinds - 1
    assert np.allclose(first[:whole], second[:whole])
    wheat = whole + 3 * KINDS.index("w")
    assert np.abs(first[wheat : wheat + 3]).max() < 0.1
    assert np.abs(second[wheat : wheat + 3]).min() > 0.5


def test_where_a_photo_is_taken_from_and_how_large_it_is_hardly_matters() -> None:
    read = surely(WHEAT, GRASS, GRASS, EMPTY_CLASS, WHEAT, GRASS, WHEAT, GRASS)
    colours = [(40, 160, 190), (50, 150, 120), (60, 150, 110), (90, 90, 90)] * 2
    squares = replace(seen(read, colours), quads=side_by_side(8, columns=4))
    asked = np.arange(8)
    expected = features(squares, asked)
    turned = np.stack([-squares.quads[..., 1], squares.quads[..., 0]], axis=-1)
    assert np.allclose(features(replace(squares, quads=turned * 3 + 500), asked)[:, :-1], expected[:, :-1])
    # From some size on a larger photo shows no more of a square.
    large = [features(replace(squares, quads=squares.quads * factor), asked) for factor in (2, 9)]
    assert np.allclose(large[0], large[1])


def test_a_network_of_zeros_changes_nothing() -> None:
    read = surely(WHEAT, GRASS, GRASS, EMPTY_CLASS)
    squares = seen(read, [(40, 160, 190), (50, 150, 120), (60, 150, 110), (90, 90, 90)])
    asked = np.array([0, 2])
    width = features(squares, asked).shape[1]
    assert np.allclose(zero(width).corrected(squares, asked), read[asked])


def test_quite_sure_squares_are_not_corrected_and_nearly_sure_ones_are_compared(classifier: Classifier) -> None:
    crops, quads, _ = scene_squares(6)
    glance = classifier.at_a_glance((crops * 0.3).astype(np.uint8), quads)
    sure = np.setdiff1d(np.arange(len(crops)), glance.compared)
    nearly = np.setdiff1d(glance.compared, glance.doubtful)
    assert len(sure) and len(nearly) and len(glance.doubtful)
    together = classifier.read_together(glance)
    assert np.array_equal(together[sure], glance.probabilities[sure])
    assert not np.isclose(together[nearly], glance.probabilities[nearly]).all(axis=1).any()
    assert np.allclose(together.sum(axis=1), 1)


def test_where_nothing_is_doubtful_nothing_is_asked(classifier: Classifier) -> None:
    read = surely(WHEAT, GRASS) * 0
    read[[0, 1], [WHEAT, GRASS]] = 1
    glance = Glance(np.zeros((2, 64, 64, 3), np.uint8), np.ones((2, 128), np.float32), read)
    assert np.array_equal(classifier.read_together(glance), read)


def test_drawn_squares_are_read_better_in_company(classifier: Classifier) -> None:
    alone = together = total = 0
    for seed in range(40, 70):
        crops, quads, symbols = scene_squares(seed)
        if not symbols:
            continue
        truth = np.array([CLASSES.index(symbol) for symbol in symbols])
        alone += int((classifier.probabilities(crops).argmax(axis=1) == truth).sum())
        together += int((classifier.probabilities_together(crops, quads).argmax(axis=1) == truth).sum())
        total += len(truth)
    assert total > 500
    assert together > alone


def test_it_learnt_from_the_readers_that_ship() -> None:
    _, entry = read_model("company")
    versions = [
        read_model(name)[1]["version"] for name in ("classifier", *(f"folds/classifier_{n}" for n in (1, 2, 3)))
    ]
    assert entry["readers"] == versions


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_network_is_refused_with_advice(tmp_path: Path, how: str) -> None:
    copy_readers(tmp_path)
    damage(tmp_path / "company.npz", how)
    with pytest.raises(ModelError, match=r"company\.npz.*vision\.training company"):
        Classifier.load(directory=tmp_path)
    assert Classifier.load(directory=tmp_path, in_company=False).together is None
