"""Photographs read once: recognitions, the picture with the grid, and the crops, kept by the content of the photo.

A page asks again on every tap; the answer then comes from memory. Reading itself is `vision.recognize`; photos
are kept by the store, re-encoded, so that nothing but the picture is left of the file.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from engine import Cell, Position, Rules
from ui.editor import Read
from ui.language import _
from vision.locate import LocateError
from vision.overlay import draw_lattices
from vision.photo import Photo, PhotoError, load_photo
from vision.readings import CELLS_OF_CLASSES
from vision.recognize import Recognition, decode_game, recognize
from vision.rectify import cut_squares

Pixels = npt.NDArray[np.uint8]
Progress = Callable[[str], None]
Point = tuple[float, float]


@dataclass(frozen=True)
class PictureConfig:
    """How pictures are kept and shown."""

    # The longer side of a kept photo: squares of a kingdom that fills it still have 400 pixels.
    kept_side: int = 3200
    kept_quality: int = 90
    # The longer side of a photo on a page, and of a small one in a list.
    shown_side: int = 1400
    small_side: int = 320
    shown_quality: int = 84
    # Side of a square's crop; the margin shows what it touches.
    crop_side: int = 192
    crop_margin: float = 0.12
    # What is shown around a kingdom, as a share of its extent.
    around: float = 0.12
    # Photos remembered in memory, about a megabyte each.
    remembered: int = 48


PICTURES: Final = PictureConfig()


@dataclass(frozen=True, slots=True)
class Source:
    """Which grid of which photo: the id of a kept photo, and the corners and shape that a person gave, if any."""

    photo: str
    corners: tuple[Point, ...] | None = None
    shape: tuple[int, int] | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain data for a draft."""
        return {"photo": self.photo, "corners": self.corners and [list(c) for c in self.corners], "shape": self.shape}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Source:
        """Read what `as_json` gave."""
        corners, shape = data.get("corners"), data.get("shape")
        return cls(
            str(data["photo"]),
            tuple((float(x), float(y)) for x, y in corners) if corners else None,
            (int(shape[0]), int(shape[1])) if shape else None,
        )


@dataclass(frozen=True, eq=False)
class PhotoReading:
    """All that pages show of a photo. `error` says why no kingdom was found; then there are no recognitions."""

    recognitions: tuple[Recognition, ...]
    size: tuple[int, int]
    picture: bytes
    overlays: tuple[bytes, ...]
    crops: tuple[dict[Position, bytes], ...]
    error: str = ""


def kept(data: bytes) -> bytes:
    """A photo as it is kept: upright, not larger than needed, without anything but the picture."""
    return encoded(_shrunk(load_photo(data).image, PICTURES.kept_side), PICTURES.kept_quality)


def small(data: bytes) -> bytes:
    """A small version of a kept photo."""
    return encoded(_shrunk(load_photo(data).image, PICTURES.small_side), PICTURES.shown_quality)


def encoded(image: Pixels, quality: int = PICTURES.shown_quality) -> bytes:
    """A picture as JPEG; OpenCV writes no data about the camera or the place."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise PhotoError(_("The picture could not be stored. Please try another photo."))
    return bytes(data)


class _Once:
    """Values by key, each made once even if several ask at the same time; the least used ones are dropped."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, PhotoReading] = OrderedDict()
        self._locks: dict[Hashable, threading.Lock] = {}
        self._guard = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], PhotoReading]) -> PhotoReading:
        """The value of a key, made now if nobody has made it yet."""
        with self._guard:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            found = self.peek(key)
            if found is None:
                found = make()
                with self._guard:
                    self._values[key] = found
                    while len(self._values) > self._most:
                        dropped, _value = self._values.popitem(last=False)
                        self._locks.pop(dropped, None)
            return found

    def peek(self, key: Hashable) -> PhotoReading | None:
        """The value of a key if it is there."""
        with self._guard:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)


_readings = _Once(PICTURES.remembered)


def known(source: Source) -> bool:
    """Whether a photo was read already, so that asking costs nothing."""
    return _readings.peek(source) is not None


def read(source: Source, photo: Callable[[], bytes], progress: Progress | None = None) -> PhotoReading:
    """What is on a photo. Not finding a kingdom is an answer too; a photo that cannot be opened raises PhotoError."""
    return _readings.get(source, lambda: _read(source, photo(), progress))


def _read(source: Source, data: bytes, progress: Progress | None) -> PhotoReading:
    photo = load_photo(data)
    try:
        found = tuple(recognize(photo, source.corners, source.shape, progress=progress))
        error = ""
    except LocateError as reason:
        # That is an answer, and remembered; a missing model or a broken photo is not.
        found, error = (), str(reason)
    return PhotoReading(
        recognitions=found,
        size=(photo.width, photo.height),
        picture=encoded(_shrunk(photo.image, PICTURES.shown_side)),
        overlays=tuple(_overlay(photo, each, len(found) > 1) for each in found),
        crops=tuple(_crops(photo, each) for each in found),
        error=error,
    )


def as_read(recognition: Recognition) -> Read:
    """A recognition as the editor begins with it."""
    top, left = recognition.origin
    doubtful = tuple((row + top, column + left) for row, column in recognition.check)
    return Read(recognition.kingdom, recognition.origin, recognition.lattice.shape, doubtful)


def guesses(recognition: Recognition, source: Position, most: int = 2) -> tuple[tuple[Cell, float], ...]:
    """What a square most probably shows when seen for itself, with the probabilities."""
    row, column = source
    values = recognition.probabilities[row, column]
    best = np.argsort(-values, kind="stable")[:most]
    return tuple((CELLS_OF_CLASSES[int(code)], float(values[code])) for code in best)


def together(recognitions: Sequence[Recognition], rules: Rules) -> tuple[Recognition, ...]:
    """The kingdoms of one game, read again as parts of one box; remembered like every reading."""
    return _together(tuple(_Same(each) for each in recognitions), rules)


@dataclass(frozen=True)
class _Same:
    """A recognition as a key: the same object, which the memory above keeps."""

    recognition: Recognition

    def __hash__(self) -> int:
        return id(self.recognition)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.recognition is self.recognition


@lru_cache(maxsize=16)
def _together(recognitions: tuple[_Same, ...], rules: Rules) -> tuple[Recognition, ...]:
    return tuple(decode_game([each.recognition for each in recognitions], rules))


def _shrunk(image: Pixels, side: int) -> Pixels:
    scale = min(1.0, side / max(image.shape[:2]))
    if scale == 1.0:
        return image
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _overlay(photo: Photo, recognition: Recognition, several: bool) -> bytes:
    """The photo with the grid on it; of several kingdoms, only the part around this one."""
    lattice = recognition.lattice
    corners, quads = photo.to_image(lattice.corners), photo.to_image(lattice.quads)
    if not several:
        drawn = draw_lattices(photo.image, [replace(lattice, corners=corners, quads=quads)], PICTURES.shown_side)
        return encoded(drawn)
    height, width = photo.image.shape[:2]
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = (high - low).max() * PICTURES.around
    left, top = np.clip(np.floor(low - room), 0, [width - 1, height - 1]).astype(int)
    right, bottom = np.clip(np.ceil(high + room), 1, [width, height]).astype(int)
    part = np.ascontiguousarray(photo.image[top:bottom, left:right])
    moved = replace(lattice, corners=corners - [left, top], quads=quads - [left, top])
    return encoded(draw_lattices(part, [moved], PICTURES.shown_side))


def _crops(photo: Photo, recognition: Recognition) -> dict[Position, bytes]:
    quads = photo.to_image(recognition.lattice.quads)
    rows, columns = quads.shape[:2]
    cut = cut_squares(photo.image, quads.reshape(-1, 4, 2), PICTURES.crop_side, PICTURES.crop_margin)
    return {divmod(number, columns): encoded(crop) for number, crop in enumerate(cut[: rows * columns])}
