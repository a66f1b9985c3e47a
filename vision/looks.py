"""Looks at a photograph: parts of it brought to the size and shape that the locating network takes.

A look is a picture for the network and the homography from its pixels to the photo's. Beyond the photo's edge there
is the grey that the network was trained with.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.lattice import Floats, Squares, step_length
from vision.locator import MAPS, Locator, Maps

Pixels = npt.NDArray[np.uint8]

# Coordinates of pixel centres are half-integers; OpenCV counts them as integers.
_HALF = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
_HALF_BACK = np.linalg.inv(_HALF)


class Pyramid:
    """A photo and its halves, made when needed, so that looking from afar does not miss pixels."""

    def __init__(self, image: Pixels) -> None:
        self.levels = [image]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the photo."""
        height, width = self.levels[0].shape[:2]
        return width, height

    def level(self, shrink: float) -> tuple[Pixels, Floats]:
        """The smallest level with all pixels of a photo shrunk by this factor, and its homography to the photo."""
        wanted = max(0, int(np.floor(np.log2(max(shrink, 1.0)) + 1e-6)))
        while len(self.levels) <= wanted and min(self.levels[-1].shape[:2]) >= 2:
            last = self.levels[-1]
            half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self.levels.append(np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), np.uint8))
        chosen = self.levels[min(wanted, len(self.levels) - 1)]
        width, height = self.size
        return chosen, np.diag([width / chosen.shape[1], height / chosen.shape[0], 1.0])


@dataclass(frozen=True, eq=False)
class Look:
    """The picture and the maps of a look, and the homography from its pixels to the photo's."""

    picture: Pixels
    maps: Maps
    matrix: Floats


def look(pyramid: Pyramid, locator: Locator, matrix: Floats, size: tuple[int, int], careful: bool = False) -> Look:
    """Run the network on the part of the photo that the homography (look to photo) shows.

    A careful look is taken from all four sides, and the mean of what is seen is kept.
    """
    width, height = (-(-side // MAPS.block) * MAPS.block for side in size)
    # The shrinking in the middle decides from which level to take the pixels.
    shrink = step_length(matrix, (width / 2, height / 2))
    source, to_photo = pyramid.level(shrink)
    inverse = _HALF_BACK @ np.linalg.inv(to_photo) @ matrix @ _HALF
    picture = cv2.warpPerspective(
        source,
        inverse,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderValue=(MAPS.grey,) * 3,
    )
    upright = np.asarray(picture, np.uint8)
    return Look(upright, locator.maps_from_all_sides(upright) if careful else locator.maps(upright), matrix)


def upright_look(
    pyramid: Pyramid, locator: Locator, box: tuple[float, float, float, float], scale: float, border: float
) -> Look:
    """A look at a box (left, top, right, bottom) of the photo, scaled, with a border in look pixels."""
    left, top, right, bottom = box
    size = (round((right - left) * scale + 2 * border), round((bottom - top) * scale + 2 * border))
    matrix = np.array([[1 / scale, 0, left - border / scale], [0, 1 / scale, top - border / scale], [0, 0, 1.0]])
    return look(pyramid, locator, matrix, size)


def peaks(plane: npt.NDArray[np.float32], threshold: float) -> tuple[Floats, Floats]:
    """The maxima of a point map above the threshold: places in input pixels (n, 2) and heights."""
    padded = cv2.copyMakeBorder(plane, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0.0)
    highest = cv2.dilate(padded, np.ones((3, 3), np.uint8))[1:-1, 1:-1]
    rows, columns = np.nonzero((plane >= highest) & (plane > threshold))
    heights = plane[rows, columns].astype(np.float64)
    places = np.stack([columns, rows], 1).astype(np.float64)
    logs = np.log(np.maximum(padded, 1e-4)).astype(np.float64)
    for axis, (dr, dc) in enumerate(((0, 1), (1, 0))):
        before = logs[rows + 1 - dr, columns + 1 - dc]
        after = logs[rows + 1 + dr, columns + 1 + dc]
        middle = logs[rows + 1, columns + 1]
        bend = 2 * middle - before - after
        shift = np.where(bend > 1e-3, (after - before) / (2 * np.maximum(bend, 1e-3)), 0.0)
        places[:, axis] += np.clip(shift, -0.5, 0.5)
    return (places + 0.5) * MAPS.stride, heights


def marked(seen: Look, square_threshold: float, corner_threshold: float) -> tuple[Squares, Floats]:
    """The squares and corners that a look marks, in look pixels."""
    points, scores = peaks(seen.maps.centre, square_threshold)
    u, v = seen.maps.steps_at(points)
    corners, _ = peaks(seen.maps.corner, corner_threshold)
    return Squares(points, scores, u, v), corners
