"""Reading all cells of a kingdom at once: a second opinion on what is doubtful.

A small network looks at every cell of a kingdom and at the table around it once more (ONNX, run by OpenCV). Then the
cells look at each other, knowing what a square reader said of each (``vision.attention``), and its reading is
corrected. ``vision.company`` corrects it too, by what a person thought worth comparing; this network has found out by
itself what to look for, so the two err elsewhere, and ``vision.classify`` hears both. How it is trained is in
``vision.training.kingdom``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.attention import Attention, places_of
from vision.company import Seen, log_of
from vision.lattice import side_lengths
from vision.models import MODELS_DIR, load_model
from vision.networks import PictureNet
from vision.readings import CELLS_OF_CLASSES

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

MODEL = "kingdom"
LOOKS_FILE, ATTENTION_FILE = f"{MODEL}.onnx", f"{MODEL}.npz"

_SYMBOLS = tuple(cell.symbol for cell in CELLS_OF_CLASSES)
_BARE = len(_SYMBOLS) - 1
# So many numbers are known of a cell beside its looks: what was read of it in three ways, its colour in itself and
# against the other tiles, how much its colour varies, and its size.
KNOWN = 3 * len(_SYMBOLS) + 3 * 3 + 1


@dataclass(frozen=True)
class KingdomConfig:
    """How cells are looked at."""

    # Side in pixels of the crops that are looked at, and how many at a time.
    side: int = 48
    batch: int = 64
    # The middle part of a crop whose colours are compared, as shares of its side.
    core: tuple[float, float] = (0.2, 0.8)
    # Added to 8-bit colours before their logarithm is taken.
    dark: float = 4.0
    # Sizes in the photo, in pixels, are told apart in these limits: above, the crops show no more for it.
    sizes: tuple[float, float] = (6.0, 64.0)


KINGDOM = KingdomConfig()


class KingdomReader:
    """The trained network; what it says is added to the log of what was read. Not to be shared by threads."""

    def __init__(self, looks: bytes, attention: Attention) -> None:
        self.attention = attention
        self._net = PictureNet(looks, KINGDOM.batch)

    @classmethod
    def load(cls, directory: Path = MODELS_DIR) -> KingdomReader:
        """The shipped network."""
        return load_model(MODEL, None, directory, ("classes", _SYMBOLS), cls._from_files)

    @classmethod
    def _from_files(cls, _name: str, files: dict[str, bytes], _version: str) -> KingdomReader:
        return cls(files[LOOKS_FILE], Attention.from_bytes(files[ATTENTION_FILE]))

    def looks(self, crops: Pixels) -> Singles:
        """What each crop looks like (n, width)."""
        return self._net.outputs(small_crops(crops))

    def corrected(self, seen: Seen, asked: Ints, looks: Singles | None = None) -> Floats:
        """The probabilities (asked, classes) of the squares asked for; ``looks`` may be known already."""
        looks = self.looks(seen.crops) if looks is None else looks
        known = known_of(small_crops(seen.crops), seen.quads, seen.read, seen.raw, seen.relit)
        said = self.attention.outputs(np.concatenate([looks, known], axis=1), places_of(seen.quads))
        logits = log_of(seen.read[asked]) + said[asked]
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def known_of(small: Pixels, quads: npt.NDArray[np.floating[Any]], *readings: npt.NDArray[np.floating[Any]]) -> Singles:
    """What is known of each cell beside its looks (n, KNOWN), of about the size of one."""
    colours, spreads = _colours(small)
    tiles = readings[0].argmax(axis=1) != _BARE
    usual = colours[tiles].mean(axis=0) if tiles.any() else colours.mean(axis=0)
    sizes = np.log(np.clip(side_lengths(np.asarray(quads, np.float64)), *KINGDOM.sizes))[:, None]
    known = [
        *(log_of(reading) / 4 for reading in readings),
        colours - 4.5,
        2 * (colours - usual),
        2 * spreads,
        sizes - 3.5,
    ]
    return np.concatenate(known, axis=1).astype(np.float32)


def _colours(crops: Pixels) -> tuple[Floats, Floats]:
    """The means and spreads of the logarithms of each crop's colours, in its middle."""
    low, high = (round(share * crops.shape[1]) for share in KINGDOM.core)
    values = np.log(crops[:, low:high, low:high].astype(np.float32) + KINGDOM.dark)
    return np.asarray(values.mean(axis=(1, 2)), np.float64), np.asarray(values.std(axis=(1, 2)), np.float64)


def small_crops(crops: Pixels) -> Pixels:
    """Crops in the size in which they are looked at."""
    side = KINGDOM.side
    small = [cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA) for crop in crops]
    return np.array(small, np.uint8).reshape(len(crops), side, side, 3)
