"""In doubt the shipped reader asks those of the folds too; they err elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.damage import DAMAGES, copy_readers, damage
from tests.vision.test_company import scene_squares
from vision.classify import CLASSES, Classifier
from vision.models import FOLDS, ModelError


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    return Classifier.load()


@pytest.fixture(scope="module")
def dim() -> np.ndarray:
    """Squares of one kingdom in bad light: some are read surely, some not."""
    crops, _ = scene_squares(6)
    return (crops * 0.3).astype(np.uint8)


def test_the_shipped_reader_asks_all_folds_and_a_fold_asks_nobody(classifier: Classifier) -> None:
    assert [other.version for other in classifier.others] == [Classifier.load(fold).version for fold in FOLDS]
    # The other readers have seen what the reader of a fold must not know.
    assert all(Classifier.load(fold).others == () for fold in FOLDS)
    assert Classifier.load(in_company=False).others == ()


def test_a_doubtful_square_is_the_mean_of_all_opinions(classifier: Classifier, dim: np.ndarray) -> None:
    glance = classifier.at_a_glance(dim)
    doubtful = glance.doubtful
    opinions = [classifier.read_together(glance), *(other.probabilities_together(dim) for other in classifier.others)]
    thorough = classifier.read_thoroughly(glance)
    assert len(doubtful)
    assert np.allclose(thorough[doubtful], np.mean(opinions, axis=0)[doubtful])
    assert not np.allclose(thorough[doubtful], opinions[0][doubtful])
    assert np.array_equal(thorough, classifier.probabilities_together(dim))


def test_a_sure_square_is_not_asked_about(classifier: Classifier, dim: np.ndarray) -> None:
    glance = classifier.at_a_glance(dim)
    sure = np.setdiff1d(np.arange(len(dim)), glance.doubtful)
    assert len(sure)
    assert np.array_equal(classifier.read_thoroughly(glance)[sure], glance.probabilities[sure])
    assert np.array_equal(classifier.probabilities(dim)[sure], glance.probabilities[sure])


def test_squares_by_themselves_are_asked_about_too(classifier: Classifier, dim: np.ndarray) -> None:
    doubtful = classifier.at_a_glance(dim).doubtful
    others = [other.probabilities(dim[doubtful]) for other in classifier.others]
    alone = Classifier.load(in_company=False).probabilities(dim)
    assert np.allclose(classifier.probabilities(dim)[doubtful], np.mean([alone[doubtful], *others], axis=0), atol=1e-5)


def test_more_drawn_squares_are_read_right_by_all_readers(classifier: Classifier) -> None:
    single = thorough = total = 0
    for seed in range(100, 130):
        crops, symbols = scene_squares(seed)
        if symbols:
            truth = np.array([CLASSES.index(symbol) for symbol in symbols])
            glance = classifier.at_a_glance((crops * 0.5).astype(np.uint8))
            single += int((classifier.read_together(glance).argmax(axis=1) == truth).sum())
            thorough += int((classifier.read_thoroughly(glance).argmax(axis=1) == truth).sum())
            total += len(truth)
    assert total > 500
    assert thorough > single


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_second_reader_is_refused_with_advice(tmp_path: Path, how: str) -> None:
    copy_readers(tmp_path)
    damage(tmp_path / "folds" / "classifier_2.onnx", how)
    with pytest.raises(ModelError, match=r"classifier_2\.onnx.*make folds"):
        Classifier.load(directory=tmp_path)
