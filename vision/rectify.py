"""Cutting single squares out of a photograph.

Training, measuring and the app cut squares with the one function here, so a network always sees what it was
trained on. Where the squares lie is found by ``vision.locate``; what they show is said by ``vision.classify``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CropConfig:
    """How a square is framed when it is cut out."""

    # Side of the crop in pixels, border included.
    size: int = 64
    # Border around the square, as a share of its side: enough to see where the tile ends.
    margin: float = 0.10
    # Squares are sampled at this multiple of the crop's side, then averaged down.
    oversampling: int = 2


CROP = CropConfig()


def grid_quads(corners: npt.ArrayLike, rows: int, columns: int) -> Points:
    """The quadrilaterals of a grid's squares, row-major: an array of shape (rows * columns, 4, 2).

    ``corners`` are the four outer corners of the grid, clockwise from the corner of row 0, column 0.
    """
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, np.asarray(corners, np.float32))
    row, column = np.mgrid[0:rows, 0:columns]
    origin = np.stack([column.ravel(), row.ravel()], axis=1)[:, None, :]
    points = origin + np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    moved = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float64), matrix)
    return np.asarray(moved, np.float64).reshape(-1, 4, 2)


def ring_quads(corners: npt.ArrayLike, rows: int, columns: int) -> Points:
    """The quadrilaterals of the squares that would surround a grid, clockwise from the top left."""
    source = np.array([[1, 1], [columns + 1, 1], [columns + 1, rows + 1], [1, rows + 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, np.asarray(corners, np.float32))
    outer = np.array([[[0, 0], [columns + 2, 0], [columns + 2, rows + 2], [0, rows + 2]]], np.float64)
    grid = grid_quads(cv2.perspectiveTransform(outer, matrix)[0], rows + 2, columns + 2)
    index = np.arange(len(grid)).reshape(rows + 2, columns + 2)
    ring = [*index[0], *index[1:-1, -1], *index[-1, ::-1], *index[-2:0:-1, 0]]
    return grid[ring]


def cut_squares(image: Pixels, quads: npt.ArrayLike, size: int = CROP.size, margin: float = CROP.margin) -> Pixels:
    """Cut the squares with the given corners out of a BGR image: an array of shape (n, size, size, 3).

    ``quads`` has shape (n, 4, 2): the corners of each square, clockwise from its top left. The crop shows the
    square upright with ``margin`` of its side around it. Beyond the edge of the image its last pixels repeat.
    Squares larger than the crop are averaged, never thinned out.
    """
    corners = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    wide = size * CROP.oversampling
    inner = wide / (1 + 2 * margin)
    edge = (wide - inner) / 2
    # Pixel centres lie at half coordinates, so both sides are shifted by half a pixel.
    target = np.array([[edge, edge], [edge + inner, edge], [edge + inner, edge + inner], [edge, edge + inner]])
    target = (target - 0.5).astype(np.float32)
    pyramid = [image]
    crops = np.empty((len(corners), size, size, 3), np.uint8)
    for crop, quad in zip(crops, corners, strict=True):
        level = _level(quad, inner)
        while len(pyramid) <= level:
            pyramid.append(_halved(pyramid[-1]))
        source = pyramid[level]
        scale = np.array([source.shape[1] / image.shape[1], source.shape[0] / image.shape[0]])
        matrix = cv2.getPerspectiveTransform((quad * scale - 0.5).astype(np.float32), target)
        large = cv2.warpPerspective(
            source, matrix, (wide, wide), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        cv2.resize(large, (size, size), dst=crop, interpolation=cv2.INTER_AREA)
    return crops


def _level(quad: Points, inner: float) -> int:
    """How often the image is halved before a square is sampled at ``inner`` pixels a side."""
    side = math.sqrt(max(_area(quad), 1.0))
    return max(0, math.floor(math.log2(side / inner) + 0.5))


def _area(quad: Points) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def _halved(image: Pixels) -> Pixels:
    height, width = image.shape[:2]
    size = (max(1, (width + 1) // 2), max(1, (height + 1) // 2))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
