"""The truth of a kingdom in a finished scene: how it is turned, where its squares are, what hides them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from .canvas import SHADE_STEP, Canvas
from .config import SceneConfig
from .layout import Spread
from .pieces import Piece
from .texture import Array
from .truth import Cell, KingdomTruth

# A frame cuts a kingdom when a tile reaches beyond it by more than this share of a square.
_CUT_TOLERANCE = 0.05
# A place is washed out from so many grey levels of glare on.
_WASHED = 110.0
# The camera counts from the middle of the first pixel; places in a photo are counted from that pixel's corner.
_HALF = 0.5


def truth_of(
    laid: Spread, pieces: Sequence[Piece], size: int, canvas: Canvas, light: Array | None, config: SceneConfig
) -> KingdomTruth:
    """The kingdom as the photo shows it, turned so that its rows run along the picture's x axis."""
    camera, kingdom = canvas.camera, laid.kingdom
    corners = camera.project(laid.corners)
    turns = quarter_turns(corners)
    quads: dict[Cell, Array] = {}
    dominoes = []
    for piece in pieces:
        cells = []
        for i, (r, c) in enumerate(piece.cells):
            ideal = laid.place([[c, r], [c + 1, r], [c + 1, r + 1], [c, r + 1]])
            drawn = piece.table_corners(i)
            # The drawn corners run clockwise too; the first is the one nearest to the cell's first corner.
            first = int(np.argmin(np.linalg.norm(drawn - ideal[-turns % 4], axis=1)))
            cell = turned_cell((r, c), kingdom.height, kingdom.width, turns)
            quads[cell] = camera.project(np.roll(drawn, -first, axis=0))
            cells.append(cell)
        dominoes.append(tuple(sorted(cells)))
    washed = frozenset(cell for cell, quad in quads.items() if _washed(quad, light, config))
    covered = frozenset(cell for cell, quad in quads.items() if _share(quad, canvas.cover) > config.hidden_from)
    return KingdomTruth(
        kingdom=kingdom.rotated(turns),
        size=size,
        corners=in_photo(np.roll(corners, turns, axis=0)),
        quads={cell: in_photo(quad) for cell, quad in sorted(quads.items())},
        hidden=covered | washed,
        cut=any(_beyond(quad, canvas) for quad in quads.values()),
        dominoes=tuple(sorted(dominoes)),
        washed=washed,
    )


def in_photo(projected: Array) -> Array:
    """Points of the camera as places in the photo."""
    return projected + np.float32(_HALF)


def quarter_turns(corners: Array) -> int:
    """By how many clockwise quarters the picture shows a kingdom turned whose corners are given from its own first."""
    along = (corners[1] - corners[0]) + (corners[2] - corners[3])
    angle = float(np.degrees(np.arctan2(along[1], along[0])))
    return int(np.ceil((angle - 45.0) / 90.0)) % 4


def turned_cell(cell: Cell, height: int, width: int, turns: int) -> Cell:
    """Where a cell of a height x width kingdom lies after so many clockwise quarter turns."""
    r, c = cell
    for _ in range(turns):
        r, c = c, height - 1 - r
        height, width = width, height
    return r, c


def _beyond(quad: Array, canvas: Canvas) -> bool:
    height, width = canvas.colours.shape[:2]
    slack = _CUT_TOLERANCE * float(np.sqrt(abs(cv2.contourArea(quad))))
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool(low[0] < -slack or low[1] < -slack or high[0] > width - 1 + slack or high[1] > height - 1 + slack)


def _washed(quad: Array, light: Array | None, config: SceneConfig) -> bool:
    """Whether glare washes a square out, given what it adds in grey levels."""
    return light is not None and _share(quad / SHADE_STEP, (light > _WASHED).view(np.uint8)) > config.hidden_from


def _share(quad: Array, mask: npt.NDArray[np.uint8]) -> float:
    """The share of a quadrilateral in which the mask is set."""
    height, width = mask.shape
    x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 1, (width, height))
    if x0 >= x1 or y0 >= y1:
        return 0.0
    part = mask[y0:y1, x0:x1]
    if not part.any():
        return 0.0
    inside = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad - (x0, y0)).astype(np.int32), 1)
    return float(np.count_nonzero(part[inside > 0])) / max(1, int(inside.sum()))
