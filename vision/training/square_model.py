"""From a trained network to a model file: the head, its calibration, the export.

The head is a scikit-learn logistic regression over the embeddings of augmented training squares. One
temperature calibrates it: for a fold's model on a game and on tiles held back from its training, for the shipped
one on what the three fold models said about the photographs they never saw.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LogisticRegression

from vision import dataset
from vision.classify import CLASSES, Classifier, Head
from vision.dataset import CALIBRATION_GAMES, Canvases
from vision.models import FOLDS, write_model
from vision.rectify import CROP
from vision.training.square_augment import MILD, Augment, AugmentConfig
from vision.training.square_net import EMBEDDING, SquareNet, to_onnx
from vision.training.square_training import (
    TRAINING,
    draw,
    forget,
    sampling_weights,
    strength_of,
    train,
    training_of,
    training_sources,
)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class HeadConfig:
    """How the head is fitted."""

    samples: int = 25_600
    # The inverse strength of the penalty on the weights.
    freedom: float = 0.3
    iterations: int = 400
    # Each held-back square is judged as cut, and this often with the jitter of a fitted grid and other light.
    calibration_views: int = 6
    temperatures: tuple[float, float] = (0.5, 4.0)


HEAD = HeadConfig()


def make_classifier(fold: int | None) -> Classifier:
    """Train, calibrate and write the model of a fold, or the shipped one (None)."""
    name = model_name(fold)
    sources = training_sources(fold)
    reader = train(_run_name(fold), sources, training_of(fold))
    network = to_onnx(reader.net)
    head = fit_head(network, sources)
    logits, classes = calibration_logits(network, head, fold)
    head = Head(head.weights, head.bias, fit_temperature(logits, classes))
    content = head.to_bytes()
    files = {f"{name}.onnx": network, f"{name}_head.npz": content}
    entry = _entry(fold, network + content, sources, head, logits, classes)
    write_model(name, files, {**entry, "accuracy": accuracy(fold, Classifier(network, head))})
    forget(_run_name(fold))
    return Classifier.load(fold)


def _run_name(fold: int | None) -> str:
    return model_name(fold).replace("/", "_")


def accuracy(fold: int | None, classifier: Classifier) -> dict[str, str]:
    """Squares right, k of n, in the photographs that the model, or the models standing in for it, never saw."""
    right: dict[str, list[bool]] = {"boards": [], "photos, tiles": [], "photos, empty": []}
    for other in FOLDS if fold is None else (fold,):
        reader = Classifier.load(other) if fold is None else classifier
        for squares in (dataset.boards((other,)), dataset.photos((other,))):
            found = reader.probabilities(squares.crops()).argmax(axis=1) == squares.classes
            empty = squares.classes == dataset.EMPTY_CLASS
            if squares.source == "boards":
                right["boards"].extend(found)
            else:
                right["photos, tiles"].extend(found[~empty])
                right["photos, empty"].extend(found[empty])
    by = "the three fold models, none of which saw them" if fold is None else "this model, which never saw them"
    return {"read by": by, **{name: f"{sum(each)} of {len(each)}" for name, each in right.items()}}


def model_name(fold: int | None) -> str:
    """The name of a model in the manifest."""
    return "classifier" if fold is None else f"folds/classifier_{fold}"


def fit_head(network: bytes, sources: list[Canvases], config: HeadConfig = HEAD) -> Head:
    """A logistic regression on the embeddings of augmented training squares."""
    blank = Head(np.zeros((EMBEDDING, len(CLASSES))), np.zeros(len(CLASSES)), 1.0)
    classifier = Classifier(network, blank)
    rng = np.random.default_rng([TRAINING.seed, 1])
    generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
    augment = Augment(AugmentConfig(), generator)
    examples, weights = dataset.joined(sources), sampling_weights(sources)
    strengths = strength_of(examples)
    embeddings, classes = [], []
    for _ in range(config.samples // TRAINING.batch):
        chosen = rng.choice(len(examples), TRAINING.batch, p=weights)
        canvases, labels = draw(examples, chosen, rng)
        embeddings.append(classifier.embeddings(_pixels(augment(canvases, labels, strengths[chosen]))))
        classes.append(labels.numpy())
    features, labels = np.concatenate(embeddings).astype(np.float64), np.concatenate(classes)
    scale = features.std(axis=0).mean()
    regression = LogisticRegression(C=config.freedom, max_iter=config.iterations)
    regression.fit(features / scale, labels)
    return Head(regression.coef_.T / scale, regression.intercept_.copy(), 1.0)


def calibration_logits(network: bytes, head: Head, fold: int | None) -> tuple[Floats, Ints]:
    """Logits and classes of squares that the model, or the models standing in for it, never saw."""
    if fold is not None:
        classifier = Classifier(network, head)
        held_back = [dataset.boards(FOLDS, games=(CALIBRATION_GAMES[fold],)), dataset.tiles("measure")]
        return _views(classifier, dataset.joined(held_back))
    parts = []
    for other in FOLDS:
        unseen = [dataset.boards((other,)), dataset.photos((other,))]
        parts.append(_views(Classifier.load(other), dataset.joined(unseen)))
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def fit_temperature(logits: Floats, classes: Ints, config: HeadConfig = HEAD) -> float:
    """The temperature under which the classes are likeliest."""

    def surprise(temperature: float) -> float:
        scaled = logits / temperature
        top = scaled.max(axis=1)
        total = top + np.log(np.exp(scaled - top[:, None]).sum(axis=1))
        return float((total - scaled[np.arange(len(classes)), classes]).mean())

    found = minimize_scalar(surprise, bounds=config.temperatures, method="bounded")
    return float(found.x)


def _views(classifier: Classifier, examples: Canvases, config: HeadConfig = HEAD) -> tuple[Floats, Ints]:
    """Logits of squares as they are cut and as a fitted grid and another lamp would give them."""
    logits = [classifier.logits(examples.crops())]
    rng = np.random.default_rng([TRAINING.seed, 2])
    augment = Augment(MILD, torch.Generator().manual_seed(int(rng.integers(2**62))))
    for _ in range(config.calibration_views):
        pictures = examples.pictures.copy()
        for start in range(0, len(pictures), TRAINING.batch):
            part = slice(start, start + TRAINING.batch)
            crops = augment(torch.from_numpy(pictures[part]), torch.from_numpy(examples.classes[part]))
            logits.append(classifier.logits(_pixels(crops)))
    return np.concatenate(logits), np.tile(examples.classes, config.calibration_views + 1)


def _pixels(crops: torch.Tensor) -> npt.NDArray[np.uint8]:
    return crops.permute(0, 2, 3, 1).contiguous().numpy().astype(np.uint8)


def _entry(
    fold: int | None, content: bytes, sources: list[Canvases], head: Head, logits: Floats, classes: Ints
) -> dict[str, Any]:
    """What the manifest says about a model, beside its files."""
    right = int((logits.argmax(axis=1) == classes).sum())
    return {
        "version": hashlib.sha256(content).hexdigest()[:12],
        "classes": list(CLASSES),
        "input": [CROP.size, CROP.size, 3],
        "margin": CROP.margin,
        "weights": sum(weight.numel() for weight in SquareNet().parameters()),
        "never_seen": "nothing" if fold is None else f"fold {fold} of photos and boards",
        "examples": {source.source: len(source) for source in sources},
        "data": dataset.fingerprint(),
        "seed": training_of(fold).seed,
        "temperature": round(head.temperature, 4),
        "calibration": {
            "on": "what the fold models never saw" if fold is None else "a game and tiles held back",
            "views_right": right,
            "views": len(classes),
        },
    }
