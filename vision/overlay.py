"""Drawing found kingdoms on their photograph, for people to check."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.kingdom_grid import Lattice

Pixels = npt.NDArray[np.uint8]

# BGR.
TILE, BARE, CASTLE, CUT, BOX = (255, 255, 255), (140, 140, 140), (60, 60, 255), (0, 200, 255), (255, 0, 255)
LONG_SIDE = 1400


def draw_lattices(image: Pixels, lattices: Sequence[Lattice], long_side: int = LONG_SIDE) -> Pixels:
    """The image, at most so large, with the squares of every kingdom outlined and its castle marked."""
    scale = min(1.0, long_side / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    canvas = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8).copy()
    for lattice in lattices:
        for here in (False, True):
            for row, column in np.argwhere(lattice.present == here):
                colour = TILE if here else BARE
                if lattice.castle == (row, column):
                    colour = CASTLE
                _outline(canvas, lattice.quads[row, column] * scale, colour, 2 if here else 1)
        _outline(canvas, lattice.corners * scale, CUT if lattice.cut else BOX, 2)
        x, y = (lattice.corners[0] * scale).astype(int)
        cv2.circle(canvas, (int(x), int(y)), 7, BOX, -1)
    return canvas


def _outline(canvas: Pixels, quad: npt.NDArray[np.float64], colour: tuple[int, int, int], width: int) -> None:
    cv2.polylines(canvas, [np.round(quad * 16).astype(np.int32)], True, colour, width, cv2.LINE_AA, shift=4)
