"""The reader of whole kingdoms: what it knows of cells, and how its opinion is heard beside the company's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.damage import DAMAGES, copy_readers, damage
from tests.vision.kingdoms import side_by_side
from tests.vision.test_company import scene_squares, surely
from vision.attention import Attention
from vision.classify import CLASSES, EMPTY_CLASS, READING, Classifier
from vision.company import Seen
from vision.kingdom_reader import ATTENTION_FILE, KINGDOM, KNOWN, LOOKS_FILE, KingdomReader, known_of
from vision.models import FOLDS, ModelError, read_model

WHEAT, GRASS = CLASSES.index("w"), CLASSES.index("g")


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    return Classifier.load()


def test_what_is_known_of_a_cell_is_of_about_the_size_of_one() -> None:
    crops = np.stack([np.full((48, 48, 3), level, np.uint8) for level in (0, 255, 90, 60)])
    certain = np.eye(len(CLASSES))[[WHEAT, EMPTY_CLASS, GRASS, WHEAT]]
    for scale in (0.001, 1.0, 50.0):
        known = known_of(crops, side_by_side(4) * scale, certain, certain, certain)
        assert known.shape == (4, KNOWN)
        assert np.isfinite(known).all() and np.abs(known).max() < 8


def test_a_dimmer_lamp_changes_no_colour_against_those_of_the_other_tiles() -> None:
    rng = np.random.default_rng(4)
    crops = rng.integers(80, 250, (5, 48, 48, 3)).astype(np.uint8)
    read = surely(WHEAT, GRASS, EMPTY_CLASS, WHEAT, GRASS)
    bright = known_of(crops, side_by_side(5), read)
    dim = known_of((crops * 0.7).astype(np.uint8), side_by_side(5), read)
    start = len(CLASSES)
    assert np.allclose(bright[:, start + 3 : start + 6], dim[:, start + 3 : start + 6], atol=0.05)
    assert (bright[:, start : start + 3] - dim[:, start : start + 3] > 0.25).all()


def test_a_network_that_says_nothing_changes_nothing() -> None:
    reader = KingdomReader.load()
    arrays = dict(reader.attention.arrays)
    for name in ("leave_weight", "leave_bias"):
        arrays[name] = np.zeros_like(arrays[name])
    reader.attention = Attention(arrays)
    read = surely(WHEAT, GRASS, GRASS, EMPTY_CLASS)
    crops = np.random.default_rng(1).integers(0, 255, (4, 64, 64, 3)).astype(np.uint8)
    squares = Seen(crops, side_by_side(4), np.zeros((4, 0), np.float32), 3, read, read, read)
    assert np.allclose(reader.corrected(squares, np.array([0, 2])), read[[0, 2]])


def test_looks_that_are_known_already_need_not_be_taken_again() -> None:
    reader = KingdomReader.load()
    crops, quads = (
        np.concatenate(parts) for parts in zip(*(scene_squares(seed)[:2] for seed in (6, 7, 8)), strict=True)
    )
    assert len(crops) > KINGDOM.batch
    read = np.full((len(crops), len(CLASSES)), 1 / len(CLASSES))
    nothing = np.zeros((len(crops), 0), np.float32)
    squares, asked = Seen(crops, quads, nothing, len(crops), read, read, read), np.arange(len(crops))
    looks = reader.looks(crops)
    assert np.array_equal(reader.corrected(squares, asked, looks), reader.corrected(squares, asked))
    # Each crop is looked at by itself, however many are looked at together.
    assert np.allclose(reader.looks(crops[:3]), looks[:3], atol=1e-4)


def test_both_opinions_are_heard(classifier: Classifier) -> None:
    crops, quads, _ = scene_squares(6)
    glance = classifier.at_a_glance((crops * 0.3).astype(np.uint8), quads)
    asked = glance.doubtful
    seen, both = classifier.seen_together(glance, asked), classifier.together
    assert len(asked) and both is not None
    company, kingdom = both.company.corrected(seen, asked), both.kingdom.corrected(seen, asked)
    heard = both.corrected(seen, asked)
    assert np.allclose(heard.sum(axis=1), 1)
    # Between two classes the odds are the mean of both opinions', by their shares.
    share = READING.whole_kingdom
    odds = [np.log(np.maximum(each, 1e-6)) for each in (company, kingdom)]
    expected = (1 - share) * odds[0] + share * odds[1]
    found = np.log(heard)
    assert np.allclose(found - found[:, :1], expected - expected[:, :1], atol=1e-6)
    assert not np.allclose(company, kingdom, atol=0.01)


def test_all_readers_share_what_compares_squares(classifier: Classifier) -> None:
    assert classifier.together is not None
    assert all(other.together is classifier.together for other in classifier.others)


def test_it_learnt_from_the_readers_that_ship() -> None:
    _, entry = read_model("kingdom")
    assert entry["readers"] == [
        read_model(name)[1]["version"] for name in ("classifier", *(f"folds/classifier_{fold}" for fold in FOLDS))
    ]


@pytest.mark.parametrize("file", [LOOKS_FILE, ATTENTION_FILE])
@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_network_is_refused_with_advice(tmp_path: Path, how: str, file: str) -> None:
    copy_readers(tmp_path)
    damage(tmp_path / file, how)
    with pytest.raises(ModelError, match=rf"{file}.*vision\.training kingdom"):
        Classifier.load(directory=tmp_path)
    assert Classifier.load(directory=tmp_path, in_company=False).together is None
