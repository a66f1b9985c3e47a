"""Cells that look at each other: the part of ``vision.kingdom_reader`` that compares the squares of a kingdom.

Each cell is a row of numbers. In every layer each cell asks all cells, itself included, for what they have to say,
hears those most that matter to it (which may depend on where they lie), and makes up its mind. Plain arrays and NumPy;
how it is trained is in ``vision.training.kingdom_net``.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.networks import softmax

Array = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

# Cells farther apart than this, in squares along an axis, count as so far apart.
REACH = 4
# How many places a cell may have relative to another.
PLACES = (2 * REACH + 1) ** 2
HEADS = 4
_TINY = 1e-5


def places_of(quads: npt.NDArray[np.floating[Any]]) -> Ints:
    """Where each cell lies as seen from each other (n, n), as the number of a place, from their corners (n, 4, 2)."""
    corners = np.asarray(quads, np.float64)
    middles = corners.mean(axis=1)
    right = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    away = middles[None] - middles[:, None]
    area = right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]
    area = np.where(np.abs(area) < 1e-9, 1.0, area)[:, None]
    columns = (away[..., 0] * down[:, None, 1] - away[..., 1] * down[:, None, 0]) / area
    rows = (right[:, None, 0] * away[..., 1] - right[:, None, 1] * away[..., 0]) / area
    steps = np.clip(np.rint(np.stack([rows, columns])), -REACH, REACH).astype(np.int64) + REACH
    return np.asarray(steps[0] * (2 * REACH + 1) + steps[1])


@dataclass(frozen=True, eq=False)
class Attention:
    """The trained arrays, by name; ``layer_0_query`` and so on, as ``KingdomNet`` names them."""

    arrays: Mapping[str, Array]

    @property
    def layers(self) -> int:
        """How many times the cells look at each other."""
        return sum(name.endswith("_query_weight") for name in self.arrays)

    def outputs(self, cells: npt.NDArray[np.floating[Any]], places: Ints) -> Array:
        """What is said of each cell (n, outputs), given what is known of each (n, inputs) and where they lie."""
        values = self._linear("enter", np.asarray(cells, np.float32))
        for number in range(self.layers):
            layer = f"layer_{number}"
            values = values + self._heard(layer, self._levelled(f"{layer}_before", values), places)
            thought = np.maximum(self._linear(f"{layer}_widen", self._levelled(f"{layer}_after", values)), 0)
            values = values + self._linear(f"{layer}_narrow", thought)
        return self._linear("leave", self._levelled("last", values))

    def _heard(self, layer: str, values: Array, places: Ints) -> Array:
        """What each cell hears from all of them."""
        count, width = values.shape
        shape = (count, HEADS, width // HEADS)
        asks, offers, says = (
            self._linear(f"{layer}_{name}", values).reshape(shape).transpose(1, 0, 2)
            for name in ("query", "key", "value")
        )
        scores = asks @ offers.transpose(0, 2, 1) / np.float32(np.sqrt(shape[2]))
        scores += self.arrays[f"{layer}_places"][:, places]
        heard = np.asarray(softmax(scores) @ says, np.float32)
        return self._linear(f"{layer}_mix", heard.transpose(1, 0, 2).reshape(count, width))

    def _linear(self, name: str, values: Array) -> Array:
        return np.asarray(values @ self.arrays[f"{name}_weight"].T + self.arrays[f"{name}_bias"], np.float32)

    def _levelled(self, name: str, values: Array) -> Array:
        """Each cell's numbers brought to the same mean and spread."""
        centred = values - values.mean(axis=1, keepdims=True)
        level = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + _TINY)
        return np.asarray(level * self.arrays[f"{name}_weight"] + self.arrays[f"{name}_bias"], np.float32)

    def to_bytes(self) -> bytes:
        """The arrays as an .npz file, in half precision."""
        stream = io.BytesIO()
        halves: dict[str, Any] = {name: np.asarray(values, np.float16) for name, values in self.arrays.items()}
        np.savez(stream, **halves)
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Attention:
        """Read what ``to_bytes`` wrote; pickled content is refused."""
        with np.load(io.BytesIO(content), allow_pickle=False) as kept:
            return cls({name: kept[name].astype(np.float32) for name in kept.files})
