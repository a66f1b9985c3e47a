"""Photos whose truth is known, read by networks that know it: pages are tested without trained weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from engine import Kingdom
from tests.vision.fakes import corners_of, fake_models, picture_of
from ui import photos, reading
from vision.castle_colour import CastleColour
from vision.locate import LocateError
from vision.recognize import Recognition, recognize

#: A larger drawing than the flat one, so that JPEG keeps its colours.
SCALE = 3


def known_photos(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    kingdoms: dict[str, list[str]],
    sure: float = 0.999,
    castles: Mapping[str, Sequence[CastleColour | None]] | None = None,
) -> list[int]:
    """Put drawings in place of the samples, by name; no kingdom means a table. Return a list that counts readings.

    `castles` are the colours told of the castles; none is told where they are not given.
    """
    readings: list[int] = []
    truth: dict[tuple[int, int], list[str]] = {}
    told: dict[tuple[int, int], Sequence[CastleColour | None]] = {}
    for number, (name, notations) in enumerate(kingdoms.items()):
        drawn = picture_of(Kingdom.from_notation((notations or ["C"])[0]))
        if not notations:
            drawn[:] = 90
        large = cv2.resize(drawn, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_NEAREST)
        # Each photo has a width of its own, by which it is known again.
        large = cv2.copyMakeBorder(large, 0, 0, 0, number + 1, cv2.BORDER_REPLICATE)
        truth[large.shape[1], large.shape[0]] = notations
        told[large.shape[1], large.shape[0]] = (castles or {}).get(name, [None] * len(notations))
        cv2.imwrite(str(folder / f"{name}.jpg"), large, [cv2.IMWRITE_JPEG_QUALITY, 98])
    for name in photos.SAMPLE_NAMES:
        if name not in kingdoms:
            cv2.imwrite(str(folder / f"{name}.jpg"), picture_of(Kingdom.from_notation("C")))

    def read(photo, corners=None, shape=None, size=None, progress=None) -> list[Recognition]:  # type: ignore[no-untyped-def]
        readings.append(1)
        models = fake_models(sure)
        if corners is not None:
            return recognize(photo, corners, shape, size, progress, models=models)
        notations = truth[photo.width, photo.height]
        if not notations:
            raise LocateError("no_tiles")
        first = Kingdom.from_notation(notations[0])
        where = [(x * SCALE, y * SCALE) for x, y in corners_of(first)]
        return [
            replace(found, castle_colour=colour)
            for colour in told[photo.width, photo.height]
            for found in recognize(photo, where, (first.height, first.width), size, progress, models=models)
        ]

    monkeypatch.setattr(photos, "SAMPLES", folder)
    monkeypatch.setattr(reading, "recognize", read)
    monkeypatch.setattr(reading, "_readings", reading._Once(8))
    photos._thumbnail.clear()
    return readings
