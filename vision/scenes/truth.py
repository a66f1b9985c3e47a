"""What a scene is: the photograph and everything known about it. No drawing here."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
from PIL import Image

from engine import Kingdom, Square

from .config import SceneConfig
from .texture import Array, Picture

Cell = tuple[int, int]

# EXIF orientation -> the turns that undo it, as OpenCV rotations of the upright picture.
_EXIF_ORIENTATION_TAG = 0x0112
_STORED = {
    1: None,
    3: cv2.ROTATE_180,
    6: cv2.ROTATE_90_COUNTERCLOCKWISE,
    8: cv2.ROTATE_90_CLOCKWISE,
}
DEFAULT_QUALITY = 92


@dataclass(frozen=True)
class KingdomTruth:
    """One kingdom of a scene, turned the way a recognition reports it.

    `kingdom` is trimmed; its rows run within (-45, 45] degrees of the picture's x axis. `corners` are the outer
    corners of its box, clockwise from the corner of row 0, column 0, shape (4, 2). `quads` holds for every
    covered cell the four corners actually drawn, in the same order. `dominoes` pairs the cells that belong
    together; a square without a partner stands alone in its tuple. `hidden` are the squares of which much cannot be
    seen, `washed` those of them that are washed out by light. `cut` says that the frame cuts it.
    """

    kingdom: Kingdom
    size: int
    corners: Array
    quads: Mapping[Cell, Array]
    hidden: frozenset[Cell]
    cut: bool
    dominoes: tuple[tuple[Cell, ...], ...]
    washed: frozenset[Cell] = frozenset()

    @property
    def notation(self) -> str:
        """The kingdom in notation, as the photo shows it."""
        return self.kingdom.notation

    @property
    def area(self) -> float:
        """The image area of the box, by which kingdoms are ordered."""
        return abs(float(cv2.contourArea(self.corners.reshape(-1, 1, 2))))


@dataclass(frozen=True)
class Stray:
    """One square of a loose face-up domino."""

    square: Square
    quad: Array


@dataclass(frozen=True)
class Scene:
    """A rendered photograph (uint8 BGR) and its truth; kingdoms largest first, cut ones last.

    ``hand`` says that a hand reaches over the tiles.
    """

    image: Picture
    kingdoms: tuple[KingdomTruth, ...]
    stray: tuple[Stray, ...] = ()
    name: str = ""
    seed: int | None = None
    config: SceneConfig = field(default_factory=SceneConfig)
    hand: bool = False

    def jpeg(self, quality: int = DEFAULT_QUALITY, exif_orientation: int = 1) -> bytes:
        """The photograph as JPEG bytes, stored turned so that the EXIF orientation sets it upright."""
        turn = _STORED[exif_orientation]
        stored = self.image if turn is None else cv2.rotate(self.image, turn)
        picture = Image.fromarray(cv2.cvtColor(stored, cv2.COLOR_BGR2RGB))
        exif = Image.Exif()
        if exif_orientation != 1:
            exif[_EXIF_ORIENTATION_TAG] = exif_orientation
        buffer = io.BytesIO()
        picture.save(buffer, format="JPEG", quality=quality, subsampling="4:2:0", exif=exif)
        return buffer.getvalue()

    def sidecar(self) -> dict[str, Any]:
        """The label that lies beside a rendered photo: the kingdoms wholly in the frame."""
        return {
            "kingdoms": [
                {
                    "notation": truth.notation,
                    "size": truth.size,
                    "corners": [[round(float(x), 2), round(float(y), 2)] for x, y in truth.corners],
                }
                for truth in self.kingdoms
                if not truth.cut
            ],
            "scene": self.name,
            "seed": self.seed,
        }

    def sidecar_text(self) -> str:
        """The sidecar as the text of its file."""
        return json.dumps(self.sidecar(), indent=1) + "\n"
