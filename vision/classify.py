"""Reading one square: which of the 18 classes a crop shows, and how sure that is.

A small convolutional network (ONNX, run by OpenCV) turns a crop into an embedding; a linear head turns that into
calibrated probabilities. Cutting the crops is ``vision.rectify``, training is ``vision.training``, and making
one kingdom of many squares is ``vision.decode``.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from engine import CASTLE, EMPTY, SQUARES
from vision.models import MODELS_DIR, load_model
from vision.rectify import CROP

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

# The symbols of the classes, in the order of the columns of every probability array.
CLASSES: tuple[str, ...] = (*(square.symbol for square in SQUARES), CASTLE.symbol, EMPTY.symbol)
CASTLE_CLASS, EMPTY_CLASS = CLASSES.index(CASTLE.symbol), CLASSES.index(EMPTY.symbol)


@dataclass(frozen=True)
class ReadingConfig:
    """How crops are run through the network."""

    # A square whose best class is less likely than this at first sight is looked at from all four sides, ...
    second_look: float = 0.995
    # ... and, where so many tiles or more of one kingdom are seen together, in the light in which they have this mean
    # colour (BGR), that of tiles in composed scenes. No channel becomes darker or lighter by more than the factor.
    usual_colour: tuple[float, float, float] = (78.0, 121.0, 126.0)
    fewest_tiles: int = 5
    most_relit: float = 3.0
    # Crops per pass, so that many crops do not need much memory.
    batch: int = 64


READING = ReadingConfig()


@dataclass(frozen=True, eq=False)
class Head:
    """A multinomial logistic regression over embeddings, softened by a temperature."""

    weights: Floats
    bias: Floats
    temperature: float

    def logits(self, embeddings: npt.NDArray[np.floating[Any]]) -> Floats:
        """Uncalibrated logits of shape (n, classes)."""
        return np.asarray(embeddings, np.float64) @ self.weights + self.bias

    def to_bytes(self) -> bytes:
        """The head as an .npz file of plain arrays."""
        stream = io.BytesIO()
        np.savez(stream, weights=self.weights, bias=self.bias, temperature=np.array(self.temperature, np.float64))
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Head:
        """Read what ``to_bytes`` wrote; pickled content is refused."""
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return cls(arrays["weights"], arrays["bias"], float(arrays["temperature"]))


class Classifier:
    """A network and its head, ready to read squares. Not to be shared by threads."""

    def __init__(self, network: bytes, head: Head, version: str = "unsaved") -> None:
        self.head = head
        self.version = version
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(network, np.uint8))

    @classmethod
    def load(cls, fold: int | None = None, directory: Path = MODELS_DIR) -> Classifier:
        """The shipped classifier, or the one of a fold, which never saw the photographs of that fold."""
        return load_model("classifier", fold, directory, ("classes", CLASSES), cls._from_files)

    @classmethod
    def _from_files(cls, name: str, files: dict[str, bytes], version: str) -> Classifier:
        return cls(files[f"{name}.onnx"], Head.from_bytes(files[f"{name}_head.npz"]), version)

    def probabilities(self, crops: Pixels | Sequence[npt.NDArray[Any]]) -> Floats:
        """The probability of each class for each crop, shape (n, 18), rows summing to 1.

        Crops are uint8 BGR pictures of any size, framed as ``cut_squares`` frames them. Each is read by itself.
        """
        return self._read(crops, together=False)

    def probabilities_together(
        self, crops: Pixels | Sequence[npt.NDArray[Any]], glance: Floats | None = None
    ) -> Floats:
        """The same for crops of one kingdom: doubtful ones are also seen in the light that makes all of them usual.

        What ``at_a_glance`` said of the same crops may be given, which saves the first look.
        """
        return self._read(crops, together=True, glance=glance)

    def at_a_glance(self, crops: Pixels | Sequence[npt.NDArray[Any]]) -> Floats:
        """The same by one look only: quick, and less exact."""
        if len(crops) == 0:
            return np.zeros((0, len(CLASSES)))
        return _softmax(self.logits(_as_inputs(crops)) / self.head.temperature)

    def _read(self, crops: Pixels | Sequence[npt.NDArray[Any]], together: bool, glance: Floats | None = None) -> Floats:
        first = self.at_a_glance(crops) if glance is None else glance.copy()
        doubtful = np.flatnonzero(first.max(axis=1) < READING.second_look)
        if len(doubtful) == 0:
            return first
        pictures = _as_inputs(crops)
        seen = pictures[doubtful]
        turned = [np.rot90(seen, turns, axes=(1, 2)) for turns in (1, 2, 3)]
        tiles = pictures[first.argmax(axis=1) != EMPTY_CLASS]
        if together and len(tiles) >= READING.fewest_tiles:
            turned += [np.rot90(_in_usual_light(tiles, seen), turns, axes=(1, 2)) for turns in range(4)]
        views = [_softmax(self.logits(view) / self.head.temperature) for view in turned]
        first[doubtful] = np.mean([first[doubtful], *views], axis=0)
        return first

    def logits(self, pictures: Pixels) -> Floats:
        """Uncalibrated logits of pictures of the network's input size, each seen once."""
        return self.head.logits(self.embeddings(pictures))

    def embeddings(self, pictures: Pixels) -> npt.NDArray[np.float32]:
        """The network's output for pictures of its input size."""
        parts = []
        for start in range(0, len(pictures), READING.batch):
            planes = pictures[start : start + READING.batch].transpose(0, 3, 1, 2)
            self._net.setInput(np.ascontiguousarray(planes, np.float32))
            parts.append(self._net.forward().reshape(len(planes), -1).copy())
        return np.concatenate(parts)


def _as_inputs(crops: Pixels | Sequence[npt.NDArray[Any]]) -> Pixels:
    return np.stack([_as_input(crop) for crop in crops])


def _as_input(crop: npt.NDArray[Any]) -> Pixels:
    """A crop as three channels of the network's input size; grey is spread, alpha is dropped."""
    picture = np.asarray(crop)
    if picture.dtype != np.uint8:
        raise ValueError(f"expected a crop of 8-bit pixels, got {picture.dtype}")
    if picture.ndim not in (2, 3) or picture.size == 0 or (picture.ndim == 3 and picture.shape[2] not in (1, 3, 4)):
        raise ValueError(f"expected a crop of 1, 3 or 4 channels, got an array of shape {picture.shape}")
    if picture.ndim == 2 or picture.shape[2] == 1:
        picture = cv2.cvtColor(np.ascontiguousarray(picture.reshape(picture.shape[:2])), cv2.COLOR_GRAY2BGR)
    elif picture.shape[2] == 4:
        picture = picture[:, :, :3]
    if picture.shape[:2] == (CROP.size, CROP.size):
        return np.asarray(picture, np.uint8)
    smaller = min(picture.shape[:2]) > CROP.size
    method = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (CROP.size, CROP.size), interpolation=method), np.uint8)


def _in_usual_light(tiles: Pixels, pictures: Pixels) -> Pixels:
    """Pictures as they would be if the tiles seen with them had the usual colour."""
    gains = np.array(READING.usual_colour) / np.maximum(tiles.mean(axis=(0, 1, 2)), 1.0)
    gains = np.clip(gains, 1 / READING.most_relit, READING.most_relit)
    return np.clip(pictures * gains, 0, 255).astype(np.uint8)


def _softmax(logits: Floats) -> Floats:
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))
