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
from vision.company import Seen, colours_of, log_of, log_sizes
from vision.lattice import side_lengths
from vision.models import MODELS_DIR, load_model
from vision.networks import PictureNet, softmax
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
        return softmax(log_of(seen.read[asked]) + said[asked])


def known_of(small: Pixels, quads: npt.NDArray[np.floating[Any]], *readings: npt.NDArray[np.floating[Any]]) -> Singles:
    """What is known of each cell beside its looks (n, KNOWN), of about the size of one."""
    colours, spreads = colours_of(small)
    tiles = readings[0].argmax(axis=1) != _BARE
    usual = colours[tiles].mean(axis=0) if tiles.any() else colours.mean(axis=0)
    sizes = log_sizes(side_lengths(np.asarray(quads, np.float64)))
    known = [
        *(log_of(reading) / 4 for reading in readings),
        colours - 4.5,
        2 * (colours - usual),
        2 * spreads,
        sizes - 3.5,
    ]
    return np.concatenate(known, axis=1).astype(np.float32)


def small_crops(crops: Pixels) -> Pixels:
    """Crops in the size in which they are looked at."""
    side = KINGDOM.side
    small = [cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA) for crop in crops]
    return np.array(small, np.uint8).reshape(len(crops), side, side, 3)
