"""The 48 dominoes as small pictures, painted by the project's own art; each is painted once in a process."""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache
from html import escape
from typing import Final

import cv2
import numpy as np

from engine import DOMINOES, Domino
from ui import text
from ui.language import _
from vision.scenes import OwnArt

#: The side of a square in pixels; a picture is two of them wide.
SIDE: Final = 64
_QUALITY: Final = 80
_SEED: Final = 8
# One variant of each square will do, for the pictures stand side by side.
_ART: Final = OwnArt(variants=1)


def words(domino: Domino) -> str:
    """What is on a domino."""
    return f"{text.cell_words(domino.a)} – {text.cell_words(domino.b)}"


def label(domino: Domino) -> str:
    """A domino with its number, in words."""
    return _("No. {numbers}: {halves}").format(numbers=domino.number, halves=words(domino))


def terrains(domino: Domino) -> str:
    """The terrains of a domino, each once."""
    one, other = (text.terrain_word(square.terrain) for square in (domino.a, domino.b))
    return one if one == other else _("{one} or {other}").format(one=one, other=other)


@lru_cache(maxsize=len(DOMINOES))
def picture(number: int) -> bytes:
    """A domino as a JPEG, half a on the left."""
    domino = DOMINOES[number - 1]
    painted = _ART.domino(domino.a, domino.b, SIDE, np.random.default_rng((_SEED, number)))
    return bytes(cv2.imencode(".jpg", painted, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1])


def address(number: int) -> str:
    """The picture as an address that a page can show."""
    return f"data:image/jpeg;base64,{b64encode(picture(number)).decode()}"


def image(number: int) -> str:
    """The picture as HTML, described in words."""
    return f'<img class="kd-domino" alt="{escape(words(DOMINOES[number - 1]))}" src="{address(number)}">'
