"""What the locating network is to learn from a picture with known squares: the target maps."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from vision.locator import MAPS, grid_code

Pixels = npt.NDArray[np.uint8]
Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class TargetConfig:
    """How points and squares become maps."""

    # Corners of neighbouring squares closer than this share of a square are one point of the grid.
    merge: float = 0.25
    # The spread of a point's spot as a share of a square, and its limits in cells.
    spread: float = 0.10
    min_spread: float = 0.75
    max_spread: float = 1.6
    # Squares smaller than this many input pixels count for the mask only.
    min_step: float = 7.0
    # A corner this share of a square beyond the photo's edge is still to be marked.
    beyond: float = 0.3
    # Bare table no further than this many squares from a tile lies beside it.
    beside: float = 1.0


TARGETS = TargetConfig()

# Sub-pixel bits of OpenCV's polygon filling.
_SHIFT = 4


@dataclass(frozen=True, eq=False)
class Labelled:
    """A picture and its squares: quads (n, 4, 2), which are castles, and which tile group each belongs to."""

    image: Pixels
    quads: Array
    castle: npt.NDArray[np.bool_]
    group: npt.NDArray[np.int32]


def grid_points(quads: Array, group: npt.NDArray[np.int32]) -> tuple[Array, Array]:
    """The grid's corner points, each once, and the size of the squares around them."""
    if len(quads) == 0:
        return np.zeros((0, 2), np.float32), np.zeros(0, np.float32)
    points = quads.reshape(-1, 2)
    sizes = np.repeat(square_sizes(quads), 4)
    owner = np.repeat(group, 4)
    parent = np.arange(len(points))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = int(parent[i])
        return i

    for i, j in cKDTree(points).query_pairs(float(TARGETS.merge * sizes.max())):
        near = np.hypot(*(points[i] - points[j])) < TARGETS.merge * min(sizes[i], sizes[j])
        if near and owner[i] == owner[j]:
            parent[root(i)] = root(j)
    roots = np.array([root(i) for i in range(len(points))])
    _, label = np.unique(roots, return_inverse=True)
    count = np.bincount(label)
    merged = np.stack([np.bincount(label, points[:, k]) / count for k in (0, 1)], 1)
    return merged.astype(np.float32), (np.bincount(label, sizes) / count).astype(np.float32)


def square_sizes(quads: Array) -> Array:
    """The root of each quadrilateral's area."""
    x, y = quads[..., 0], quads[..., 1]
    area = np.sum(x * np.roll(y, -1, -1) - y * np.roll(x, -1, -1), -1) / 2
    return np.sqrt(np.abs(area)).astype(np.float32)


def target_maps(
    size: tuple[int, int],
    quads: Array,
    castle: npt.NDArray[np.bool_],
    points: Array,
    point_sizes: Array,
    frame: Array,
) -> tuple[Array, Array]:
    """The nine maps to learn; the weight of the point maps, and where there are tiles or something beside them.

    ``size`` (width, height) is that of the input;
    ``frame`` is the outline of the photo in input pixels (4, 2); beyond it there is grey.
    """
    width, height = size[0] // MAPS.stride, size[1] // MAPS.stride
    maps = np.zeros((9, height, width), np.float32)
    weights = np.zeros((2, height, width), np.float32)
    weights[0] = 1.0
    sizes = square_sizes(quads) if len(quads) else np.zeros(0, np.float32)
    inside = _filled(frame, width, height)
    if len(quads):
        edges = np.roll(quads, -1, 1) - quads
        u, v = (edges[:, 0] - edges[:, 2]) / 2, (edges[:, 1] - edges[:, 3]) / 2
        u_complex = u[:, 0] + 1j * u[:, 1]
        v_complex = v[:, 0] + 1j * v[:, 1]
        # Row 0 is that of the bare table.
        codes = np.vstack([np.zeros((1, 5)), grid_code(u_complex, v_complex)]).astype(np.float32)
        owner = np.zeros((height, width), np.float32)
        corners = _fixed(quads)
        shown = np.all((quads.max(1) >= 0) & (quads.min(1) <= size), axis=1)
        for index in np.flatnonzero(shown):
            cv2.fillConvexPoly(maps[0], corners[index], 1.0, cv2.LINE_AA, _SHIFT)
            if castle[index]:
                cv2.fillConvexPoly(maps[3], corners[index], 1.0, cv2.LINE_AA, _SHIFT)
            cv2.fillConvexPoly(owner, corners[index], float(index + 1), cv2.LINE_8, _SHIFT)
            if sizes[index] < TARGETS.min_step:
                cv2.fillConvexPoly(weights[0], corners[index], 0.0, cv2.LINE_8, _SHIFT)
        maps[4:] = codes[owner.astype(np.int64)].transpose(2, 0, 1)
        maps[:4] *= inside
        reach = 2 * round(TARGETS.beside * float(np.median(sizes)) / MAPS.stride) + 1
        near = cv2.dilate(maps[0], np.ones((reach, reach), np.uint8))
        weights[1] = near * inside
    keep = [
        cv2.pointPolygonTest(frame, (float(x), float(y)), True) > -TARGETS.beyond * side and side >= TARGETS.min_step
        for (x, y), side in zip(points, point_sizes, strict=True)
    ]
    _spots(maps[1], points[keep], point_sizes[keep])
    if len(quads):
        middles = quads.mean(1)
        seen = [
            cv2.pointPolygonTest(frame, (float(x), float(y)), False) >= 0 and side >= TARGETS.min_step
            for (x, y), side in zip(middles, sizes, strict=True)
        ]
        _spots(maps[2], middles[seen], sizes[seen])
    return maps, weights


def _fixed(quad: Array) -> npt.NDArray[np.int32]:
    """Input pixels as OpenCV's fixed-point cell coordinates, where cell centres are whole numbers."""
    return np.round((quad / MAPS.stride - 0.5) * (1 << _SHIFT)).astype(np.int32)


def _filled(quad: Array, width: int, height: int) -> Array:
    plane = np.zeros((height, width), np.float32)
    cv2.fillConvexPoly(plane, _fixed(quad), 1.0, cv2.LINE_8, _SHIFT)
    return plane


def _spots(plane: Array, points: Array, sizes: Array) -> None:
    """Draw a Gaussian spot at each point; where spots meet the higher value stays."""
    height, width = plane.shape
    for (x, y), side in zip(points / MAPS.stride - 0.5, sizes / MAPS.stride, strict=True):
        spread = min(max(TARGETS.spread * side, TARGETS.min_spread), TARGETS.max_spread)
        reach = int(np.ceil(3 * spread))
        left, right = max(0, round(x) - reach), min(width, round(x) + reach + 1)
        top, bottom = max(0, round(y) - reach), min(height, round(y) + reach + 1)
        if left >= right or top >= bottom:
            continue
        across = np.exp(-((np.arange(left, right) - x) ** 2) / (2 * spread**2))
        spot = np.exp(-((np.arange(top, bottom) - y) ** 2) / (2 * spread**2))[:, None] * across
        window = plane[top:bottom, left:right]
        np.maximum(window, spot, out=window)
