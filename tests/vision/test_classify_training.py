"""Training the square reader: seeded, resumable, and the exported network says what the trained one says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.classify import CLASSES, Classifier, Head
from vision.dataset import CANVAS, EVERYTHING, Canvases, canvases

pytestmark = [pytest.mark.training, pytest.mark.usefixtures("one_thread")]


@pytest.fixture(scope="module")
def examples() -> list[Canvases]:
    """Plain squares, a colour for each class, on noise."""
    rng = np.random.default_rng(2)
    pictures = rng.integers(0, 60, (72, CANVAS, CANVAS, 3), dtype=np.uint8)
    classes = np.arange(72) % len(CLASSES)
    pictures += (rng.integers(0, 190, (len(CLASSES), 1, 1, 3))[classes]).astype(np.uint8)
    names = [f"square@{index}" for index in range(72)]
    return [canvases("boards", list(pictures), list(classes), names, [EVERYTHING] * 72)]


def small(epochs: int):  # type: ignore[no-untyped-def]
    from vision.training.square_training import TrainingConfig

    return TrainingConfig(epochs=epochs, samples=48, batch=16)


def weights(reader) -> np.ndarray:  # type: ignore[no-untyped-def]
    return np.concatenate([value.double().numpy().ravel() for value in reader.state_dict().values()])


def test_the_same_seed_gives_the_same_weights(examples: list[Canvases], tmp_path: Path) -> None:
    from vision.training.square_training import train

    first = train("first", examples, small(2), tmp_path)
    second = train("second", examples, small(2), tmp_path)
    assert np.array_equal(weights(first), weights(second))


def test_a_run_that_was_stopped_goes_on_as_if_nothing_had_happened(examples: list[Canvases], tmp_path: Path) -> None:
    from vision.dataset import joined
    from vision.training.square_training import Run, sampling_weights, train

    whole = train("whole", examples, small(3), tmp_path)
    stopped = Run("stopped", small(3), tmp_path)
    stopped.train_epoch(joined(examples), sampling_weights(examples, small(3)))
    stopped.save()
    resumed = Run("stopped", small(3), tmp_path)
    assert resumed.epoch == 1
    assert np.array_equal(weights(whole), weights(train("stopped", examples, small(3), tmp_path)))


def test_a_checkpoint_of_another_recipe_is_not_continued(examples: list[Canvases], tmp_path: Path) -> None:
    from vision.training.square_training import Run, train

    train("run", examples, small(1), tmp_path)
    assert Run("run", small(2), tmp_path).epoch == 0


def test_the_exported_network_agrees_with_the_trained_one(examples: list[Canvases], tmp_path: Path) -> None:
    import torch

    from vision.training.square_net import EMBEDDING, to_onnx
    from vision.training.square_training import train

    reader = train("export", examples, small(2), tmp_path).eval()
    crops = examples[0].crops()
    with torch.no_grad():
        expected = reader.net(torch.from_numpy(crops.transpose(0, 3, 1, 2).copy()).float()).numpy()
    head = Head(np.zeros((EMBEDDING, len(CLASSES))), np.zeros(len(CLASSES)), 1.0)
    found = Classifier(to_onnx(reader.net), head).embeddings(crops)
    assert found.shape == (72, EMBEDDING)
    assert np.allclose(found, expected, atol=1e-3 * max(1.0, float(np.abs(expected).max())))


def test_the_temperature_of_overconfident_logits_is_found() -> None:
    from vision.training.square_model import fit_temperature

    rng = np.random.default_rng(4)
    honest = rng.normal(0, 2, (4000, 18))
    likely = np.exp(honest) / np.exp(honest).sum(axis=1, keepdims=True)
    classes = np.array([rng.choice(18, p=row) for row in likely])
    assert fit_temperature(honest * 2.5, classes) == pytest.approx(2.5, rel=0.08)
