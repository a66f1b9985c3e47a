"""Grids of squares in a photograph: a look at all of it, then closer ones where its tiles are small.

What the looks mark is joined to grids by ``vision.lattice``; ``vision.locate`` straightens them and finds the kingdoms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.blobs import Blob
from vision.lattice import Patch, join, project
from vision.locator import Locator
from vision.looks import Look, Pyramid, marked, upright_look


@dataclass(frozen=True)
class PatchConfig:
    """The looks, and when a closer one is worth it."""

    # Longer side of the photo in the first look, and the border around it, in look pixels.
    first_side: int = 352
    border: int = 32
    # Blobs with a longer side below this are looked at again, enlarged to that; lengths in look pixels.
    small_blob: float = 120.0
    enlarged_blob: float = 190.0
    # Larger ones are looked at again when their squares are smaller than this, at the usual step, ...
    smallest_step: float = 15.0
    usual_step: float = 28.0
    # ... and when no squares were joined, so many times closer.
    second_try: float = 1.5
    # A closer look is no larger than this and does not enlarge the photo more than this.
    closer_side: int = 640
    max_enlarge: float = 2.5
    # So many blobs are looked at, with a border.
    most_blobs: int = 8
    blob_border: float = 10.0
    # The longer sides of a blob in further looks.
    other_sides: tuple[float, ...] = (420.0, 240.0, 150.0)
    # Joined squares that cover this share of a blob explain it; more than the second share is nonsense.
    covered: float = 0.6
    too_much: float = 1.6
    # How sure a marked square and a marked corner have to be.
    square_threshold: float = 0.3
    corner_threshold: float = 0.25


PATCHES = PatchConfig()


def first_look(pyramid: Pyramid, locator: Locator) -> Look:
    """The whole photo, small."""
    width, height = pyramid.size
    scale = PATCHES.first_side / max(width, height)
    return upright_look(pyramid, locator, (0, 0, width, height), scale, PATCHES.border)


def find_patches(pyramid: Pyramid, locator: Locator, first: Look, blobs: Sequence[Blob]) -> list[Patch]:
    """The grids of the photo, the largest first. Each blob is shown by the look whose squares cover most of it."""
    joined = _patches(first)
    chosen: list[Patch] = []
    for blob in blobs[: PATCHES.most_blobs]:
        best = [patch for patch in joined if _inside(patch, blob)]
        step = float(np.median([patch.step for patch in best])) / blob.scale if best else 0.0
        if step < PATCHES.smallest_step or _coverage(best, blob) < PATCHES.covered:
            for factor in _factors(blob, step):
                closer = _closer_patches(pyramid, locator, blob, factor)
                if _coverage(closer, blob) > _coverage(best, blob):
                    best = closer
                if _coverage(best, blob) > PATCHES.covered:
                    break
        chosen += best
    return sorted(chosen, key=lambda patch: -len(patch.cells))


def other_patches(pyramid: Pyramid, locator: Locator, blob: Blob) -> Iterator[list[Patch]]:
    """The grids of further looks at a blob, from nearer and from farther, where the usual ones did not help."""
    for side in PATCHES.other_sides:
        yield sorted(_closer_patches(pyramid, locator, blob, side / blob.side), key=lambda patch: -len(patch.cells))


def _patches(seen: Look) -> list[Patch]:
    """The grids of a look, with homographies to the photo."""
    squares, corners = marked(seen, PATCHES.square_threshold, PATCHES.corner_threshold)
    return [replace(patch, matrix=seen.matrix @ patch.matrix) for patch in join(squares, corners)]


def _factors(blob: Blob, step: float) -> list[float]:
    """How many times closer than the first look a blob is worth another one."""
    if blob.side < PATCHES.small_blob:
        return [PATCHES.enlarged_blob / blob.side, PATCHES.second_try]
    if 0 < step < PATCHES.smallest_step:
        return [PATCHES.usual_step / step]
    return [PATCHES.second_try, 1 / PATCHES.second_try]


def _coverage(patches: Sequence[Patch], blob: Blob) -> float:
    """The share of a blob that joined squares cover; nothing when they are far larger than the blob."""
    area = sum(len(patch.cells) * patch.step**2 for patch in patches) / (blob.area * blob.scale**2)
    return area if area < PATCHES.too_much else 0.0


def _inside(patch: Patch, blob: Blob) -> bool:
    return blob.holds(*project(patch.matrix, np.array(list(patch.cells), np.float64) + 0.5).mean(0))


def _closer_patches(pyramid: Pyramid, locator: Locator, blob: Blob, factor: float) -> list[Patch]:
    """The grids of a look at a blob so many times closer than the first."""
    width, height = pyramid.size
    around = PATCHES.blob_border * blob.scale
    left, top = max(blob.box[0] - around, 0.0), max(blob.box[1] - around, 0.0)
    right, bottom = min(blob.box[2] + around, width), min(blob.box[3] + around, height)
    fitting = PATCHES.closer_side / max(right - left, bottom - top)
    scale = min(factor / blob.scale, fitting, PATCHES.max_enlarge)
    return _patches(upright_look(pyramid, locator, (left, top, right, bottom), scale, PATCHES.border))
