"""The fresh scenes that reading is measured on. Needs the data folder."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vision.evaluate import Case, picture_of, read_case
from vision.photo import Photo

pytestmark = pytest.mark.data

SEED = 9_950_000
HAND = "a hand lies on the tiles"


def pixels(photo: object) -> np.ndarray:
    assert isinstance(photo, Photo)
    return photo.image


def test_no_hand_lies_on_measured_scenes_and_those_that_are_thrown_with_one_are_a_set_by_themselves() -> None:
    for number in itertools.count(SEED):
        plain, truths = picture_of(Case("scenes", str(number)))
        assert truths and all(truth.unseen != HAND for truth in truths)
        thrown, with_hand = picture_of(Case("hands", str(number)))
        if with_hand:
            assert all(truth.unseen == HAND for truth in with_hand)
            assert [truth.kingdom for truth in with_hand] == [truth.kingdom for truth in truths]
            assert not np.array_equal(pixels(plain), pixels(thrown))
            break
        # Without a hand it is the same scene, and there is nothing to read once more.
        assert np.array_equal(pixels(plain), pixels(thrown))
        assert read_case(Case("hands", str(number))).truths == ()
        assert number < SEED + 200, "the composer laid no hand"
