"""Networks that know the truth, so that the way from a photo to a kingdom can be tested without weights."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from engine import Kingdom
from tests.vision.kingdoms import CLASS_OF, one_hot
from vision.kingdom_grid import LocateModels
from vision.readings import CELLS_OF_CLASSES

Pixels = npt.NDArray[np.uint8]
SIDE = 40
MARGIN = 60


def colour_of(code: int) -> tuple[int, int, int]:
    """A flat colour for each class, far from the others."""
    return (40 + 40 * (code % 5), 40 + 40 * (code // 5), 100)


def picture_of(kingdom: Kingdom) -> Pixels:
    """A flat drawing of a kingdom with a margin of table; corners at (MARGIN, MARGIN) and so on."""
    table = colour_of(len(CELLS_OF_CLASSES) - 1)
    image = np.full((kingdom.height * SIDE + 2 * MARGIN, kingdom.width * SIDE + 2 * MARGIN, 3), table, np.uint8)
    for (r, c), cell in kingdom:
        top, left = MARGIN + r * SIDE, MARGIN + c * SIDE
        image[top : top + SIDE, left : left + SIDE] = colour_of(CLASS_OF[cell])
    return image


def corners_of(kingdom: Kingdom) -> list[tuple[float, float]]:
    """The outer corners of the kingdom in its drawing, clockwise from the first."""
    right, bottom = MARGIN + kingdom.width * SIDE, MARGIN + kingdom.height * SIDE
    return [(MARGIN, MARGIN), (right, MARGIN), (right, bottom), (MARGIN, bottom)]


class ColourClassifier:
    """Reads the flat colours of a drawing; ``sure`` of what it sees."""

    version = "colours"

    def __init__(self, sure: float = 0.999) -> None:
        self.sure = sure
        self.asked = 0

    def probabilities_together(
        self, crops: Sequence[Pixels] | Pixels, quads: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        assert np.shape(quads) == (len(crops), 4, 2)
        self.asked += 1
        colours = np.array([colour_of(code) for code in range(len(CELLS_OF_CLASSES))], float)
        rows = []
        for crop in crops:
            middle = cv2.mean(crop[24:40, 24:40])[:3]
            code = int(np.abs(colours - middle).sum(axis=1).argmin())
            rows.append(one_hot(Kingdom(((CELLS_OF_CLASSES[code],),)), self.sure)[0, 0])
        return np.array(rows).reshape(-1, len(CELLS_OF_CLASSES))


class NoLocator:
    """A locator that must not be asked."""

    version = "none"


def fake_models(sure: float = 0.999) -> LocateModels:
    """Models for photos whose corners are given."""
    return LocateModels(NoLocator(), ColourClassifier(sure), None)  # type: ignore[arg-type]
