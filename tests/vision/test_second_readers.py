"""In doubt the shipped reader asks those of the folds too; they err elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.damage import DAMAGES, copy_readers, damage
from tests.vision.test_company import scene_squares
from vision.classify import CLASSES, READING, Classifier
from vision.models import FOLDS, ModelError


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    return Classifier.load()


@pytest.fixture(scope="module")
def dim() -> np.ndarray:
    """Squares of one kingdom in bad light: some are read surely, some not."""
    crops, _, _ = scene_squares(6)
    return (crops * 0.12).astype(np.uint8)


@pytest.fixture(scope="module")
def places() -> np.ndarray:
    """Their corners in the photo."""
    return scene_squares(6)[1]


def test_the_shipped_reader_asks_all_folds_and_a_fold_asks_nobody(classifier: Classifier) -> None:
    assert [other.version for other in classifier.others] == [Classifier.load(fold).version for fold in FOLDS]
    # The other readers have seen what the reader of a fold must not know.
    assert all(Classifier.load(fold).others == () for fold in FOLDS)
    assert Classifier.load(in_company=False).others == ()


def test_a_doubtful_square_is_the_mean_of_all_opinions(
    classifier: Classifier, dim: np.ndarray, places: np.ndarray
) -> None:
    glance = classifier.at_a_glance(dim, places)
    own = classifier.read_together(glance)
    doubtful = np.flatnonzero(own.max(axis=1) < READING.ask_others)
    opinions = [own, *(other.read_together(other.at_a_glance(dim, places), doubtful) for other in classifier.others)]
    thorough = classifier.read_thoroughly(glance)
    assert len(doubtful)
    assert np.allclose(thorough[doubtful], np.mean(opinions, axis=0)[doubtful])
    assert not np.allclose(thorough[doubtful], opinions[0][doubtful])
    assert np.array_equal(thorough, classifier.probabilities_together(dim, places))


def test_where_only_some_squares_are_asked_for_the_others_stay_as_glanced_at(
    classifier: Classifier, dim: np.ndarray, places: np.ndarray
) -> None:
    glance = classifier.at_a_glance(dim, places)
    asked, left = glance.doubtful[::2], glance.doubtful[1::2]
    some, every = classifier.read_together(glance, asked), classifier.read_together(glance)
    assert len(asked) and len(left)
    assert np.array_equal(some[left], glance.probabilities[left])
    assert not np.allclose(every[left], glance.probabilities[left])
    # What is asked for is looked at closely either way.
    assert np.abs(some[asked] - every[asked]).mean() < 0.3 * np.abs(glance.probabilities[asked] - every[asked]).mean()


def test_a_sure_square_is_not_asked_about(classifier: Classifier, dim: np.ndarray, places: np.ndarray) -> None:
    glance = classifier.at_a_glance(dim, places)
    own = classifier.read_together(glance)
    sure = own.max(axis=1) >= READING.ask_others
    assert sure.any()
    assert np.array_equal(classifier.read_thoroughly(glance)[sure], own[sure])
    alone = Classifier.load(in_company=False).probabilities(dim)
    sure = alone.max(axis=1) >= READING.ask_others
    assert sure.any()
    assert np.array_equal(classifier.probabilities(dim)[sure], alone[sure])


def test_squares_by_themselves_are_asked_about_too(classifier: Classifier, dim: np.ndarray) -> None:
    alone = Classifier.load(in_company=False).probabilities(dim)
    doubtful = np.flatnonzero(alone.max(axis=1) < READING.ask_others)
    others = [other.probabilities(dim[doubtful]) for other in classifier.others]
    assert len(doubtful)
    assert np.allclose(classifier.probabilities(dim)[doubtful], np.mean([alone[doubtful], *others], axis=0), atol=1e-5)


def test_the_truth_surprises_all_readers_together_less_than_one(classifier: Classifier) -> None:
    single = thorough = total = 0.0
    for seed in range(100, 140):
        crops, quads, symbols = scene_squares(seed)
        if symbols:
            truth = (np.arange(len(symbols)), [CLASSES.index(symbol) for symbol in symbols])
            glance = classifier.at_a_glance(crops, quads)
            single -= float(np.log(classifier.read_together(glance)[truth]).sum())
            thorough -= float(np.log(classifier.read_thoroughly(glance)[truth]).sum())
            total += len(symbols)
    assert total > 1000
    assert thorough < 0.9 * single


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_second_reader_is_refused_with_advice(tmp_path: Path, how: str) -> None:
    copy_readers(tmp_path)
    damage(tmp_path / "folds" / "classifier_2.onnx", how)
    with pytest.raises(ModelError, match=r"classifier_2\.onnx.*make folds"):
        Classifier.load(directory=tmp_path)
