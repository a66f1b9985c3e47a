"""Drawing what was read on the photograph it was read from, for people to compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine import EMPTY, Cell, Square, Terrain
from vision.photo import Photo
from vision.recognize import Recognition

Pixels = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class AnnotateConfig:
    """Sizes, and colours in BGR."""

    # The longer side of the picture that is drawn on.
    long_side: int = 1600
    # Lines and letters, as shares of a square's side.
    line: float = 0.03
    letters: float = 0.0125
    ink: Colour = (255, 255, 255)
    shadow: Colour = (20, 20, 20)
    box: Colour = (255, 255, 255)
    cut: Colour = (0, 165, 255)
    check: Colour = (40, 40, 255)


ANNOTATE = AnnotateConfig()

TERRAIN_COLOURS: dict[Terrain, Colour] = {
    Terrain.WHEAT: (40, 190, 240),
    Terrain.FOREST: (40, 100, 30),
    Terrain.LAKE: (220, 140, 40),
    Terrain.GRASSLAND: (70, 200, 130),
    Terrain.SWAMP: (90, 120, 140),
    Terrain.MINE: (60, 50, 50),
}
CASTLE_COLOUR: Colour = (200, 120, 200)


def annotated(photo: Photo, recognitions: Sequence[Recognition], config: AnnotateConfig = ANNOTATE) -> Pixels:
    """The photo, made smaller, with every kingdom outlined and each square labelled with what was read.

    Squares worth a look have a thick red edge; a kingdom cut by the edge of the photo has an orange one.
    """
    image = photo.image
    shrink = min(1.0, config.long_side / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * shrink)), max(1, round(image.shape[0] * shrink)))
    canvas = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8).copy()
    scale = photo.scale * shrink
    for recognition in recognitions:
        side = _side(recognition) * scale
        width = max(1, round(side * config.line))
        for row, column in np.ndindex(*recognition.quads.shape[:2]):
            cell = recognition.kingdom.cell(row, column)
            if cell is not EMPTY:
                _label(canvas, recognition.quads[row, column] * scale, cell, side, config)
        for row, column in recognition.check:
            _outline(canvas, recognition.quads[row, column] * scale, config.check, 2 * width + 1)
        colour = config.cut if recognition.cut else config.box
        _outline(canvas, recognition.corners * scale, colour, width + 1)
    return canvas


def _side(recognition: Recognition) -> float:
    areas = [abs(cv2.contourArea(quad.astype(np.float32))) for quad in recognition.quads.reshape(-1, 4, 2)]
    return float(np.sqrt(np.median(areas)))


def _label(canvas: Pixels, quad: npt.NDArray[np.float64], cell: Cell, side: float, config: AnnotateConfig) -> None:
    colour = TERRAIN_COLOURS[cell.terrain] if isinstance(cell, Square) else CASTLE_COLOUR
    middle = quad.mean(axis=0)
    inner = middle + (quad - middle) * (1 - 2 * config.line)
    width = max(1, round(side * config.line))
    _outline(canvas, inner, colour, width)
    letters = side * config.letters
    thick = max(1, round(letters * 2))
    (wide, high), _ = cv2.getTextSize(cell.symbol, cv2.FONT_HERSHEY_SIMPLEX, letters, thick)
    place = (round(middle[0] - wide / 2), round(middle[1] + high / 2))
    cv2.putText(canvas, cell.symbol, place, cv2.FONT_HERSHEY_SIMPLEX, letters, config.shadow, 3 * thick, cv2.LINE_AA)
    cv2.putText(canvas, cell.symbol, place, cv2.FONT_HERSHEY_SIMPLEX, letters, config.ink, thick, cv2.LINE_AA)


def _outline(canvas: Pixels, quad: npt.NDArray[np.float64], colour: Colour, width: int) -> None:
    cv2.polylines(canvas, [np.round(quad * 16).astype(np.int32)], True, colour, width, cv2.LINE_AA, shift=4)
