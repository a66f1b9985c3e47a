"""The square reader: loads only what the manifest vouches for, reads any picture, always the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine import SQUARES, KingdominoError
from tests.vision.damage import DAMAGES, copy_readers, damage
from tests.vision.kingdoms import side_by_side
from vision.classify import CLASSES, READING, Classifier, Head, _in_usual_light
from vision.models import MODELS_DIR, ModelError, read_model, write_model
from vision.rectify import CROP
from vision.scenes import OwnArt


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    return Classifier.load()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The shipped classifier in a folder of its own, to be damaged."""
    copy_readers(tmp_path)
    return tmp_path


def noise(*shape: int) -> np.ndarray:
    return np.random.default_rng(5).integers(0, 256, shape, dtype=np.uint8)


def test_classes_are_the_sixteen_squares_then_castle_and_empty() -> None:
    assert (*(square.symbol for square in SQUARES), "C", ".") == CLASSES
    assert len(CLASSES) == 18


def test_every_model_of_the_manifest_matches_its_checksum() -> None:
    names = json.loads((MODELS_DIR / "manifest.json").read_text("utf-8"))["models"]
    assert {"classifier", "folds/classifier_1", "folds/classifier_2", "folds/classifier_3"} <= set(names)
    for name in names:
        read_model(name)


def test_the_manifest_says_what_a_classifier_was_made_for() -> None:
    _, entry = read_model("classifier")
    assert tuple(entry["classes"]) == CLASSES
    assert entry["input"] == [CROP.size, CROP.size, 3]
    assert entry["margin"] == CROP.margin
    assert entry["data"] and entry["accuracy"]


@pytest.mark.parametrize("name", ["classifier.onnx", "classifier_head.npz"])
@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_file_is_refused_with_advice(copy: Path, name: str, how: str) -> None:
    damage(copy / name, how)
    with pytest.raises(ModelError, match=rf"{name}.*make train"):
        Classifier.load(directory=copy)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"models": {}}', '{"models": {"classifier": {"files": 3}}}'])
def test_a_broken_manifest_is_refused_with_advice(copy: Path, text: str) -> None:
    (copy / "manifest.json").write_text(text, "utf-8")
    with pytest.raises(ModelError, match="make train"):
        Classifier.load(directory=copy)


def test_a_folder_without_models_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="make folds"):
        Classifier.load(2, directory=tmp_path)


def test_a_model_for_other_classes_is_refused(copy: Path) -> None:
    manifest = json.loads((copy / "manifest.json").read_text("utf-8"))
    manifest["models"]["classifier"]["classes"].reverse()
    (copy / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(ModelError, match="other classes"):
        Classifier.load(directory=copy)


def test_a_pickle_in_place_of_the_head_is_refused(copy: Path) -> None:
    files, entry = read_model("classifier", copy)
    with (copy / "evil.npz").open("wb") as stream:
        np.savez(stream, weights=np.array([{}], object), bias=np.zeros(18), temperature=np.ones(()))
    files["classifier_head.npz"] = (copy / "evil.npz").read_bytes()
    write_model("classifier", files, {key: value for key, value in entry.items() if key != "files"}, copy)
    with pytest.raises(ModelError, match="cannot be used"):
        Classifier.load(directory=copy)


def test_model_errors_are_errors_of_the_program() -> None:
    assert issubclass(ModelError, KingdominoError)


@pytest.mark.parametrize(
    "crop",
    [
        noise(64, 64, 3),
        noise(1, 1, 3),
        noise(7, 300, 3),
        noise(900, 700, 3),
        noise(50, 50),
        noise(50, 50, 1),
        noise(80, 80, 4),
        np.zeros((64, 64, 3), np.uint8),
        np.full((64, 64, 3), 255, np.uint8),
    ],
    ids=["noise", "one pixel", "strip", "large", "grey", "grey plane", "alpha", "black", "white"],
)
def test_any_picture_gets_probabilities(classifier: Classifier, crop: np.ndarray) -> None:
    probabilities = classifier.probabilities([crop])
    assert probabilities.shape == (1, 18)
    assert np.isfinite(probabilities).all() and (probabilities >= 0).all()
    assert probabilities.sum() == pytest.approx(1)


@pytest.mark.parametrize("crop", [np.zeros((64, 64, 3)), noise(64, 64, 2), np.zeros((0, 5, 3), np.uint8)])
def test_what_is_no_picture_is_refused(classifier: Classifier, crop: np.ndarray) -> None:
    with pytest.raises(ValueError, match="expected a crop"):
        classifier.probabilities([crop])


def test_no_crops_give_no_rows(classifier: Classifier) -> None:
    assert classifier.probabilities([]).shape == (0, 18)


def test_alpha_and_grey_read_like_the_plain_picture(classifier: Classifier) -> None:
    plain = noise(64, 64, 3)
    with_alpha = np.dstack([plain, noise(64, 64)])
    grey = noise(64, 64)
    pairs = classifier.probabilities([plain, with_alpha, grey, np.repeat(grey[:, :, None], 3, axis=2)])
    assert np.allclose(pairs[0], pairs[1], atol=1e-9)
    assert np.allclose(pairs[2], pairs[3], atol=1e-9)


def test_the_same_crops_are_read_the_same_from_run_to_run(classifier: Classifier) -> None:
    crops = noise(49, 64, 64, 3)
    first = classifier.probabilities(crops)
    assert np.array_equal(first, classifier.probabilities(crops))
    assert np.array_equal(first, Classifier.load().probabilities(crops))


def test_a_crop_is_read_alike_alone_and_in_company(classifier: Classifier) -> None:
    crops = noise(70, 64, 64, 3)
    together = classifier.probabilities(crops)
    alone = np.concatenate([classifier.probabilities([crop]) for crop in crops[::23]])
    assert np.allclose(together[::23], alone, atol=1e-4)


def test_squares_of_one_kingdom_are_also_seen_in_the_usual_light(classifier: Classifier) -> None:
    rng = np.random.default_rng(2)
    tiles = OwnArt().deal(rng)
    dim = np.array([tiles.square(square, CROP.size, rng) * 0.35 for square in SQUARES]).astype(np.uint8)
    usual = np.array(READING.usual_colour)
    relit = _in_usual_light(dim, dim)
    # What would be lighter than white is cut off, so the mean is nearly met.
    assert np.allclose(relit.mean(axis=(0, 1, 2)), usual, rtol=0.12)
    together, apart = classifier.probabilities_together(dim, side_by_side(len(dim))), classifier.probabilities(dim)
    assert np.allclose(together.sum(axis=1), 1)
    doubtful = apart.max(axis=1) < READING.second_look
    assert doubtful.any() and not np.allclose(together[doubtful], apart[doubtful], atol=1e-6)
    # Too few squares do not tell the light.
    few = dim[: READING.fewest_tiles - 1]
    assert np.array_equal(classifier.probabilities_together(few, side_by_side(len(few))), classifier.probabilities(few))


def test_a_reading_goes_on_from_a_glance(classifier: Classifier) -> None:
    rng = np.random.default_rng(3)
    tiles = OwnArt().deal(rng)
    crops = np.array([tiles.square(square, CROP.size, rng) * 0.4 for square in SQUARES]).astype(np.uint8)
    quads = side_by_side(len(crops))
    glance = classifier.at_a_glance(crops, quads)
    kept = glance.probabilities.copy()
    assert np.allclose(kept.sum(axis=1), 1)
    assert np.array_equal(classifier.read_thoroughly(glance), classifier.probabilities_together(crops, quads))
    assert np.array_equal(glance.probabilities, kept)
    assert classifier.at_a_glance([]).probabilities.shape == (0, 18)
    assert classifier.probabilities_together([], quads[:0]).shape == (0, 18)


def test_squares_whose_places_are_not_known_cannot_be_read_together(classifier: Classifier) -> None:
    glance = classifier.at_a_glance(noise(9, 64, 64, 3))
    assert len(glance.doubtful)
    with pytest.raises(ValueError, match="corners"):
        classifier.read_thoroughly(glance)


def test_a_head_survives_its_file() -> None:
    head = Head(np.arange(6.0).reshape(3, 2), np.array([1.0, -1.0]), 1.5)
    again = Head.from_bytes(head.to_bytes())
    assert np.array_equal(again.weights, head.weights) and np.array_equal(again.bias, head.bias)
    assert again.temperature == 1.5
