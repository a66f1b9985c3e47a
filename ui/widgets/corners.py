"""A photo on which a person marks the four corners of a kingdom."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from pathlib import Path
from typing import Final

import streamlit as st

from ui.language import _

_HERE: Final = Path(__file__).resolve().parent
#: Where the markers stand at first, as shares of the photo.
_START: Final = ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75))
_CORNERS: Final = len(_START)
_MARKERS: Final = '<button type="button"></button>' * _CORNERS
Point = tuple[float, float]

_photo = st.components.v2.component(
    "kingdomino_corners",
    html=f'<div class="frame"><img alt=""><svg preserveAspectRatio="none"><polygon/></svg>{_MARKERS}</div>',
    css=(_HERE / "corners.css").read_text("utf-8"),
    js=(_HERE / "corners.js").read_text("utf-8"),
)


def corners_on(
    picture: bytes, size: tuple[int, int], key: str, given: tuple[Point, ...] | None = None
) -> tuple[Point, ...] | None:
    """Show a JPEG of a photo of this size in pixels; return the corners in these pixels once all four were marked."""
    width, height = size
    start = given or tuple((x * width, y * height) for x, y in _START)
    data = {
        "token": hashlib.sha256(picture).hexdigest()[:16],
        "picture": f"data:image/jpeg;base64,{b64encode(picture).decode()}",
        "width": width,
        "height": height,
        "corners": [list(corner) for corner in start],
        "placed": _CORNERS if given else 0,
        "label": _("Your photo. Tap the four outer corners of the kingdom."),
        "names": [_("Corner {n}").format(n=number) for number in range(1, _CORNERS + 1)],
    }
    found = _photo(data=data, key=key, on_corners_change=lambda: None).corners
    return checked(found, size) or given


def checked(value: object, size: tuple[int, int]) -> tuple[Point, ...] | None:
    """Four points inside the photo, or None: what a browser sends is looked at before it is used."""
    if not isinstance(value, list | tuple) or len(value) != _CORNERS:
        return None
    points = []
    for pair in value:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            return None
        if not all(isinstance(part, int | float) and not isinstance(part, bool) for part in pair):
            return None
        x, y = (float(part) for part in pair)
        if not (0 <= x <= size[0] and 0 <= y <= size[1]):
            return None
        points.append((x, y))
    return tuple(points)
