"""Spots of tiles in the first look at a photograph, to be looked at more closely by ``vision.locate``."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.lattice import project
from vision.locator import MAPS
from vision.looks import Look


@dataclass(frozen=True)
class BlobConfig:
    """What counts as a spot of tiles."""

    # From this probability on a map cell shows a tile; blobs smaller than this many cells are ignored.
    mask_threshold: float = 0.4
    smallest: int = 12
    # Blobs nearer together than this many look pixels count as one.
    cluster_gap: float = 6.0


BLOBS = BlobConfig()


@dataclass(frozen=True)
class Blob:
    """A spot of tiles in the first look: its box in photo pixels, its area and longer side in look pixels."""

    box: tuple[float, float, float, float]
    area: float
    scale: float

    @property
    def side(self) -> float:
        """The longer side in look pixels."""
        left, top, right, bottom = self.box
        return max(right - left, bottom - top) / self.scale

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in the box."""
        return bool(self.box[0] <= x <= self.box[2] and self.box[1] <= y <= self.box[3])

    def near(self, other: Blob) -> bool:
        """Whether the gap between the boxes is small."""
        slack = BLOBS.cluster_gap * self.scale
        return all(self.box[k] - slack < other.box[k + 2] and other.box[k] - slack < self.box[k + 2] for k in (0, 1))

    def joined(self, other: Blob) -> Blob:
        """Both together."""
        (a, b, c, d), (e, f, g, h) = self.box, other.box
        return Blob((min(a, e), min(b, f), max(c, g), max(d, h)), self.area + other.area, self.scale)


def find_blobs(seen: Look) -> list[Blob]:
    """The spots where the first look sees tiles, joined with those near them, the largest first."""
    likely = (seen.maps.mask > BLOBS.mask_threshold).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(likely, connectivity=8)
    blobs: list[Blob] = []
    for index in range(1, count):
        left, top, width, height, cells = (int(value) for value in stats[index])
        if cells < BLOBS.smallest:
            continue
        ends = np.array([[left, top], [left + width, top + height]]) * float(MAPS.stride)
        (x0, y0), (x1, y1) = project(seen.matrix, ends)
        blobs.append(Blob((x0, y0, x1, y1), float(cells * MAPS.stride**2), float(seen.matrix[0, 0])))
    return sorted(_clusters(blobs), key=lambda blob: -blob.area)


def _clusters(blobs: Sequence[Blob]) -> list[Blob]:
    """Blobs joined with those near them, each cluster as one blob."""
    clusters = list(blobs)
    merged = True
    while merged:
        merged = False
        for i, j in itertools.combinations(range(len(clusters)), 2):
            if clusters[i].near(clusters[j]):
                joined = clusters[i].joined(clusters[j])
                clusters = [cluster for k, cluster in enumerate(clusters) if k not in (i, j)] + [joined]
                merged = True
                break
    return clusters
