"""The network that marks tiles: running it and naming its maps.

For every fourth pixel it tells whether a tile lies there, whether it is a castle's, whether a corner or the middle
of a square is there, and how the grid runs: its two steps as vectors. Fitting grids to these maps is
``vision.lattice``; the way from a photograph to its kingdoms is ``vision.locate``; training is
``vision.training``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.models import MODELS_DIR, load_model

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Plane = npt.NDArray[np.float32]


@dataclass(frozen=True)
class MapConfig:
    """What training and running agree on."""

    # Input pixels per cell of the maps; the input's sides are multiples of the block.
    stride: int = 4
    block: int = 32
    # Around the photo and beyond it lies this grey, in training too; the network subtracts it.
    grey: int = 128
    # The step of a grid is told as the logarithm of its ratio to this many input pixels.
    unit_step: float = 32.0


MAPS = MapConfig()

# The order of the network's outputs.
CHANNELS = ("mask", "corner", "centre", "castle", "sum_re", "sum_im", "product_re", "product_im", "log_step")


@dataclass(frozen=True, eq=False)
class Maps:
    """The network's maps of one input picture; probabilities, except ``grid`` (five raw channels)."""

    mask: Plane
    corner: Plane
    centre: Plane
    castle: Plane
    grid: Plane

    def steps_at(self, points: Floats) -> tuple[Floats, Floats]:
        """The two steps of the grid, in input pixels, around points of the input: two arrays of shape (n, 2).

        A grid does not know which of its steps comes first or which way they point, so the network tells
        what does not depend on it: with the steps as complex numbers u and v, divided by their mean length,
        u² + v² and u²v².
        """
        cells = np.clip(np.floor(points / MAPS.stride).astype(int), 0, np.array(self.mask.shape[::-1]) - 1)
        values = self.grid[:, cells[:, 1], cells[:, 0]].astype(np.float64)
        total = values[0] + 1j * values[1]
        product = values[2] + 1j * values[3]
        product /= np.maximum(np.abs(product), 1e-9)
        root = np.sqrt(total * total - 4 * product)
        length = np.exp(values[4]) * MAPS.unit_step
        first, second = np.sqrt((total + root) / 2) * length, np.sqrt((total - root) / 2) * length
        return np.stack([first.real, first.imag], 1), np.stack([second.real, second.imag], 1)


def grid_code(u: npt.NDArray[np.complex128], v: npt.NDArray[np.complex128]) -> Floats:
    """What the five grid channels say about steps u and v in input pixels; the inverse of ``steps_at``."""
    length = np.sqrt(np.abs(u) * np.abs(v))
    u, v = u / length, v / length
    total, product = u * u + v * v, (u * v) ** 2
    product = product / np.abs(product)
    return np.stack([total.real, total.imag, product.real, product.imag, np.log(length / MAPS.unit_step)], 1)


class Locator:
    """The network, ready to mark tiles. Not to be shared by threads."""

    def __init__(self, network: bytes, version: str = "unsaved") -> None:
        self.version = version
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(network, np.uint8))

    @classmethod
    def load(cls, fold: int | None = None, directory: Path = MODELS_DIR) -> Locator:
        """The shipped network, or the one of a fold, which never saw the photographs of that fold."""
        return load_model("locator", fold, directory, ("channels", CHANNELS), cls._from_files)

    @classmethod
    def _from_files(cls, name: str, files: dict[str, bytes], version: str) -> Locator:
        return cls(files[f"{name}.onnx"], version)

    def maps(self, picture: Pixels) -> Maps:
        """The maps of a BGR picture whose sides are multiples of the block."""
        height, width = picture.shape[:2]
        if height % MAPS.block or width % MAPS.block:
            raise ValueError(f"expected sides that are multiples of {MAPS.block}, got {width}×{height}")
        self._net.setInput(np.ascontiguousarray(picture.transpose(2, 0, 1)[None], np.float32))
        out = self._net.forward()[0]
        likely = 1 / (1 + np.exp(-np.clip(out[:4], -30, 30)))
        return Maps(likely[0], likely[1], likely[2], likely[3], out[4:].copy())

    def maps_from_all_sides(self, picture: Pixels) -> Maps:
        """The mean of the maps of a picture and of its three other turns."""
        seen = [self.maps(np.ascontiguousarray(np.rot90(picture, turns))) for turns in range(4)]

        def mean(name: str) -> Plane:
            turned = [np.rot90(getattr(maps, name), -turns) for turns, maps in enumerate(seen)]
            return np.asarray(np.mean(turned, axis=0), np.float32)

        # A quarter turn multiplies both steps by i: of what the grid's maps say only u² + v² changes its sign.
        sign = np.array([-1, -1, 1, 1, 1], np.float32)[:, None, None]
        grid = np.mean([np.rot90(maps.grid, -turns, (1, 2)) * sign**turns for turns, maps in enumerate(seen)], axis=0)
        return Maps(mean("mask"), mean("corner"), mean("centre"), mean("castle"), np.asarray(grid, np.float32))
