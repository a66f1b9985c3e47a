"""Small networks kept as plain arrays."""

from __future__ import annotations

import numpy as np

from vision.coverage import Coverage
from vision.layers import MOST, Layers


def test_a_network_survives_its_file() -> None:
    layers = Coverage.load().layers
    again = Layers.from_bytes(layers.to_bytes())
    for ours, theirs in zip((*layers.weights, *layers.biases), (*again.weights, *again.biases), strict=True):
        assert np.array_equal(ours, theirs)
    assert np.array_equal(layers.mean, again.mean) and np.array_equal(layers.spread, again.spread)


def test_what_is_far_beyond_the_usual_counts_as_the_most() -> None:
    layers = Layers(np.zeros(1), np.ones(1), (np.eye(1), np.full((1, 1), 2.0)), (np.zeros(1), np.ones(1)))
    assert layers.outputs(np.array([[-9.0], [0.5], [3.0], [1e9]])).ravel().tolist() == [1.0, 2.0, 7.0, 1 + 2 * MOST]
