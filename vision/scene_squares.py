"""Squares cut out of composed scenes: as many as wanted, with truth, from drawn or from real tiles.

For each kingdom of a scene: its squares, the gaps inside its box, and the ring of table around it. Squares too
small, cut by the frame or mostly hidden are left out: nobody could read them.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from engine import CASTLE, EMPTY
from vision.dataset import CANVAS, CANVAS_MARGIN, NOTHING, Canvases, canvases, class_of
from vision.rectify import cut_squares, grid_quads, ring_quads
from vision.scenes import KingdomTruth, Scene, SceneConfig, TileSource, random_scene
from vision.scenes.tables import KINDS, WEIGHTS
from vision.scenes.texture import to_picture

# A smaller square has no crowns left that could be told apart.
SMALLEST_SIDE = 18.0
# A square of table may be covered so much by a tile that lies there by chance, and still be called empty.
MOST_COVERED = 0.12
# Empty squares kept of a scene: a kingdom has more table around it than there is to learn from it.
MOST_EMPTY = 8
# Squares kept of one scene, so that many scenes share in a set.
MOST_SQUARES = 16
# What a scene to learn from has more often than others: standing castles, which are harder to know than flat ones, and
# kings and hands on the tiles.
STANDING_SHARE = 0.6
KINGS_SHARE = 0.4
HAND_SHARE = 0.08
# Squares to learn from may be covered by so much: a castle leans over its neighbours, and they are asked all the same.
LEARNT_HIDDEN = 0.6
# Painted tables: side in pixels, squares cut from each, how much of it a square spans, and how it is dyed.
TABLE_SIDE = 320
SQUARES_OF_TABLE = 5
TABLE_SPAN = (0.08, 0.7)
TABLE_DYE = 0.18
# The frames' longer sides, in pixels.
FRAME_SIDES = (384, 1100)


def scene_squares(source: TileSource, rng: np.random.Generator) -> tuple[list[npt.NDArray[np.uint8]], list[int]]:
    """Some squares of a fresh scene to learn from, as canvases, and their classes."""
    side = int(rng.integers(*FRAME_SIDES))
    config = SceneConfig(
        size=(side, int(side * rng.uniform(0.75, 1.0))),
        standing_share=STANDING_SHARE,
        kings_share=KINGS_SHARE,
        king_on_board_share=1.0,
        hand_share=HAND_SHARE,
        hidden_from=LEARNT_HIDDEN,
    )
    scene = random_scene(rng, source, n_kingdoms=1, config=config)
    pictures: list[npt.NDArray[np.uint8]] = []
    classes: list[int] = []
    for truth in scene.kingdoms:
        quads, symbols = readable_squares(scene, truth, rng)
        if len(quads):
            quads, symbols = _some_of(quads, symbols, rng)
            pictures.extend(cut_squares(scene.image, quads, CANVAS, CANVAS_MARGIN))
            classes.extend(class_of(symbol) for symbol in symbols)
    return pictures, classes


def _some_of(
    quads: npt.NDArray[np.float64], symbols: list[str], rng: np.random.Generator
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Some squares of a kingdom; its castle is always among them."""
    order = sorted(rng.permutation(len(quads)), key=lambda index: symbols[index] != CASTLE.symbol)
    chosen = order[:MOST_SQUARES]
    return quads[chosen], [symbols[index] for index in chosen]


def painted_tables(count: int, rng: np.random.Generator, name: str) -> Canvases:
    """Bare table of the kinds that scenes are laid on, freshly painted, without surroundings."""
    kinds = sorted(KINDS)
    weights = np.array([WEIGHTS[kind] for kind in kinds])
    pictures: list[npt.NDArray[np.uint8]] = []
    while len(pictures) < count:
        kind = kinds[int(rng.choice(len(kinds), p=weights / weights.sum()))]
        table = KINDS[kind](rng, TABLE_SIDE) * np.exp(rng.normal(0, TABLE_DYE, 3))
        picture = to_picture(table.astype(np.float32))
        for _ in range(SQUARES_OF_TABLE):
            side = TABLE_SIDE * np.exp(rng.uniform(*np.log(TABLE_SPAN)))
            turn = rng.uniform(0, 2 * np.pi)
            corner = np.array([np.cos(turn), np.sin(turn)]) * side / np.sqrt(2)
            middle = rng.uniform(side / 2, TABLE_SIDE - side / 2, 2)
            quad = [middle + corner, middle + corner[::-1] * (-1, 1), middle - corner, middle + corner[::-1] * (1, -1)]
            pictures.extend(cut_squares(picture, [quad], CANVAS, 0.0))
    empty = class_of(EMPTY.symbol)
    names = [f"{name}@{index}" for index in range(len(pictures))]
    return canvases(name, pictures, [empty] * len(names), names, [NOTHING] * len(names))


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


def unseen_because(scene: Scene, truth: KingdomTruth) -> str:
    """Why a person could not read every square of a kingdom, or nothing where all but the castle's can be seen."""
    if scene.hand:
        return "a hand lies on the tiles"
    hidden = {cell for cell in truth.hidden if truth.kingdom.cell(*cell) is not CASTLE}
    if hidden & truth.washed:
        return "light washes a square out"
    if hidden:
        return "a castle or a king hides a square"
    height, width = scene.image.shape[:2]
    quads = (np.asarray(quad, np.float64) for quad in truth.quads.values())
    return (
        "" if all(_readable(quad, width, height, SMALLEST_SIDE) for quad in quads) else "a square is cut or too small"
    )


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
