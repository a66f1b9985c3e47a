"""The fresh scenes that reading is measured on. Needs the data folder."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vision.evaluate import Case, picture_of, read_case

pytestmark = pytest.mark.data

SEED = 9_950_000
HAND = "a hand lies on the tiles"


def test_no_hand_lies_on_measured_scenes_and_those_that_are_thrown_with_one_are_a_set_by_themselves() -> None:
    for number in itertools.count(SEED):
        _, truths = picture_of(Case("scenes", str(number)))
        assert truths and all(truth.unseen != HAND for truth in truths)
        _, with_hand = picture_of(Case("hands", str(number)))
        if with_hand:
            assert all(truth.unseen == HAND for truth in with_hand)
            break
        # Thrown without a hand it was read among the others, so there is nothing to read once more.
        assert number < SEED + 200, "the composer laid no hand"
    assert read_case(Case("hands", str(SEED))).truths == ()


def test_a_hand_changes_nothing_but_what_it_lies_on() -> None:
    # Scenes are thrown by the same dice up to the hand, so these two differ by it and by the light alone.
    number = next(number for number in itertools.count(SEED) if picture_of(Case("hands", str(number)))[1])
    plain, thrown = (picture_of(Case(source, str(number)))[1] for source in ("scenes", "hands"))
    assert [truth.kingdom for truth in plain] == [truth.kingdom for truth in thrown]
    assert all(np.allclose(a.corners, b.corners) for a, b in zip(plain, thrown, strict=True))
