"""Squares cut out of composed scenes: as many as wanted, with truth, from drawn or from real tiles.

For each kingdom of a scene: its squares, the gaps inside its box, and the ring of table around it. Squares too
small, cut by the frame or mostly hidden are left out: nobody could read them.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from engine import CASTLE, EMPTY
from vision.dataset import CANVAS, CANVAS_MARGIN, EVERYTHING, Canvases, canvases, class_of, ring_quads
from vision.rectify import cut_squares, grid_quads
from vision.scenes import KingdomTruth, Scene, TileSource, random_scene

# A smaller square has no crowns left that could be told apart.
SMALLEST_SIDE = 18.0
# A square of table may be covered so much by a tile that lies there by chance, and still be called empty.
MOST_COVERED = 0.12
# Empty squares kept of a scene: a kingdom has more table around it than there is to learn from it.
MOST_EMPTY = 8
# The frames' longer sides, in pixels.
FRAME_SIDES = (384, 1100)


def scene_squares(source: TileSource, count: int, rng: np.random.Generator, name: str) -> Canvases:
    """At least ``count`` squares of fresh scenes."""
    pictures: list[npt.NDArray[np.uint8]] = []
    classes: list[int] = []
    names: list[str] = []
    number = 0
    while len(pictures) < count:
        side = int(rng.integers(*FRAME_SIDES))
        scene = random_scene(rng, source, n_kingdoms=1, size=(side, int(side * rng.uniform(0.75, 1.0))))
        for truth in scene.kingdoms:
            quads, symbols = readable_squares(scene, truth, rng)
            if len(quads):
                pictures.extend(cut_squares(scene.image, quads, CANVAS, CANVAS_MARGIN))
                classes.extend(class_of(symbol) for symbol in symbols)
                names.extend(f"{name}{number}@{index}" for index in range(len(quads)))
        number += 1
    return canvases(name, pictures, classes, names, [EVERYTHING] * len(names))


def readable_squares(
    scene: Scene, truth: KingdomTruth, rng: np.random.Generator, smallest: float = SMALLEST_SIDE
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """The quadrilaterals and symbols of a kingdom's squares that a person could read, and some of its table."""
    kingdom = truth.kingdom
    grid = grid_quads(truth.corners, kingdom.height, kingdom.width)
    quads, symbols, bare = [], [], list(ring_quads(truth.corners, kingdom.height, kingdom.width))
    for index, quad in enumerate(grid):
        row, column = divmod(index, kingdom.width)
        cell = kingdom.cell(row, column)
        if cell is EMPTY:
            bare.append(quad)
        # A standing castle hides its own tile, and is to be read as a castle all the same.
        elif cell is CASTLE or (row, column) not in truth.hidden:
            quads.append(np.asarray(truth.quads[row, column], np.float64))
            symbols.append(cell.symbol)
    tiles = [quad for other in scene.kingdoms for quad in other.quads.values()]
    tiles += [stray.quad for stray in scene.stray]
    order = rng.permutation(len(bare))
    free = [bare[index] for index in order if covered(bare[index], tiles) <= MOST_COVERED][:MOST_EMPTY]
    quads, symbols = quads + free, symbols + [EMPTY.symbol] * len(free)
    height, width = scene.image.shape[:2]
    chosen = [index for index, quad in enumerate(quads) if _readable(quad, width, height, smallest)]
    return np.array([quads[index] for index in chosen]), [symbols[index] for index in chosen]


def covered(quad: npt.NDArray[np.float64], tiles: list[npt.NDArray[np.float32]]) -> float:
    """The share of a quadrilateral that the tile which covers most of it covers."""
    own = np.asarray(quad, np.float32)
    low, high = own.min(axis=0), own.max(axis=0)
    most = 0.0
    for tile in tiles:
        if (tile.max(axis=0) > low).all() and (tile.min(axis=0) < high).all():
            most = max(most, cv2.intersectConvexConvex(own, np.asarray(tile, np.float32))[0])
    return most / max(1.0, cv2.contourArea(own))


def _readable(quad: npt.NDArray[np.float64], width: int, height: int, smallest: float) -> bool:
    inside = (quad >= 0).all() and (quad <= (width, height)).all()
    # The shorter way across decides: at a slant a square is foreshortened.
    across = min(np.linalg.norm(quad[a] - quad[b]) for a, b in ((0, 1), (1, 2), (2, 3), (3, 0)))
    return bool(inside and across >= smallest)
