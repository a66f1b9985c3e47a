"""Small trained networks kept as plain arrays: standardised features through a few layers of weights.

What they look at and what they say is known to ``vision.company`` and ``vision.coverage``; how they are trained to
``vision.training.layers``.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.models import load_model

Floats = npt.NDArray[np.float64]

# Standardised features are cut off here.
MOST = 5.0


@dataclass(frozen=True, eq=False)
class Layers:
    """Means and spreads of the features, and the weights and biases of each layer; all but the last are rectified."""

    mean: Floats
    spread: Floats
    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]

    def outputs(self, features: npt.NDArray[np.floating[Any]]) -> Floats:
        """What the last layer says (n, outputs) of features (n, inputs)."""
        values = standardised(features, self.mean, self.spread)
        for weights, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            values = np.maximum(values @ weights + bias, 0.0)
        return np.asarray(values @ self.weights[-1] + self.biases[-1])

    def to_bytes(self) -> bytes:
        """The network as an .npz file of plain arrays."""
        arrays: dict[str, Any] = {"mean": self.mean.astype(np.float32), "spread": self.spread.astype(np.float32)}
        for number, (weights, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            arrays[f"weights_{number}"] = weights.astype(np.float32)
            arrays[f"bias_{number}"] = bias.astype(np.float32)
        stream = io.BytesIO()
        np.savez(stream, **arrays)
        return stream.getvalue()

    @classmethod
    def load(cls, name: str, directory: Path, told: tuple[str, Sequence[str]]) -> Layers:
        """The shipped network of this name; ``told`` as in ``load_model``."""
        return load_model(name, None, directory, told, lambda _name, files, _: cls.from_bytes(files[file_of(name)]))

    @classmethod
    def from_bytes(cls, content: bytes) -> Layers:
        """Read what ``to_bytes`` wrote; pickled content is refused."""
        with np.load(io.BytesIO(content), allow_pickle=False) as kept:
            arrays = {name: kept[name].astype(np.float64) for name in kept.files}
        count = sum(name.startswith("weights_") for name in arrays)
        return cls(
            arrays["mean"],
            arrays["spread"],
            tuple(arrays[f"weights_{number}"] for number in range(count)),
            tuple(arrays[f"bias_{number}"] for number in range(count)),
        )


def file_of(name: str) -> str:
    """The file that a network of this name is kept in."""
    return f"{name}.npz"


def standardised(features: npt.NDArray[np.floating[Any]], mean: Floats, spread: Floats) -> Floats:
    """Features as the network sees them."""
    return np.clip((np.asarray(features, np.float64) - mean) / spread, -MOST, MOST)
