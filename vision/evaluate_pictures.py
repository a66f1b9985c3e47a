"""Pictures of measurements: a confusion matrix, a reliability plot, a sheet of crops; drawn with Pillow alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont


@dataclass(frozen=True)
class PictureStyle:
    """Sizes in pixels and colours."""

    cell: int = 44
    edge: int = 70
    text: int = 16
    plot: int = 520
    crop: int = 112
    crops_in_a_row: int = 8
    ink: str = "#222222"
    faint: str = "#bbbbbb"
    good: tuple[int, int, int] = (46, 125, 80)
    bad: tuple[int, int, int] = (200, 60, 40)
    paper: str = "#ffffff"


STYLE = PictureStyle()

# Confidences crowd near 1, so the bins are narrow there.
BIN_EDGES = (0.0, 0.4, 0.6, 0.75, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)


def confusion_picture(names: Sequence[str], truths: Sequence[int], reads: Sequence[int]) -> Image.Image:
    """Counts by true class (rows) and class read (columns); empty cells stay white."""
    counts = np.zeros((len(names), len(names)), int)
    np.add.at(counts, (list(truths), list(reads)), 1)
    side = STYLE.edge + STYLE.cell * len(names) + STYLE.edge // 3
    picture = Image.new("RGB", (side, side), STYLE.paper)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(STYLE.text)
    pen.text((STYLE.edge, 8), "columns: read as, rows: shows", STYLE.ink, font)
    for index, name in enumerate(names):
        place = STYLE.edge + STYLE.cell * index + STYLE.cell // 2
        pen.text((place, STYLE.edge - 16), name, STYLE.ink, font, anchor="mm")
        pen.text((STYLE.edge - 20, place), name, STYLE.ink, font, anchor="mm")
    for row, column in np.ndindex(counts.shape):
        left, top = STYLE.edge + STYLE.cell * column, STYLE.edge + STYLE.cell * row
        count, total = counts[row, column], max(1, counts[row].sum())
        colour = STYLE.good if row == column else STYLE.bad
        strength = 0.0 if count == 0 else 0.25 + 0.6 * count / total
        fill = tuple(round(255 + (part - 255) * strength) for part in colour)
        pen.rectangle((left, top, left + STYLE.cell, top + STYLE.cell), fill, STYLE.faint)
        if count:
            pen.text((left + STYLE.cell / 2, top + STYLE.cell / 2), str(count), STYLE.ink, font, anchor="mm")
    return picture


def reliability_picture(confidences: Sequence[float], right: Sequence[bool]) -> Image.Image:
    """For each bin of confidence: how sure the readings were (dot) and how many were right (bar, k/n)."""
    sure, good = np.asarray(confidences, float), np.asarray(right, bool)
    bins = np.clip(np.searchsorted(BIN_EDGES, sure, side="right") - 1, 0, len(BIN_EDGES) - 2)
    width, height = STYLE.plot + 2 * STYLE.edge, STYLE.plot // 2 + 2 * STYLE.edge
    picture = Image.new("RGB", (width, height), STYLE.paper)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(STYLE.text - 3)
    bottom, top = height - STYLE.edge, STYLE.edge
    step = STYLE.plot / (len(BIN_EDGES) - 1)
    title = "share of squares read right (bars, k/n) and mean confidence (dots), by confidence"
    pen.text((STYLE.edge, 14), title, STYLE.ink, font)
    for level in (0, 25, 50, 75, 100):
        y = bottom - (bottom - top) * level / 100
        pen.line((STYLE.edge, y, STYLE.edge + STYLE.plot, y), STYLE.faint)
        pen.text((STYLE.edge - 8, y), f"{level}%", STYLE.ink, font, anchor="rm")
    for index in range(len(BIN_EDGES) - 1):
        left = STYLE.edge + step * index
        inside = bins == index
        pen.text((left, bottom + 10), f"{BIN_EDGES[index]:g}", STYLE.ink, font, anchor="mt")
        if not inside.any():
            continue
        share, mean = good[inside].mean(), sure[inside].mean()
        peak = bottom - (bottom - top) * share
        pen.rectangle((left + 5, peak, left + step - 5, bottom), STYLE.good)
        y, x = bottom - (bottom - top) * mean, left + step / 2
        pen.ellipse((x - 5, y - 5, x + 5, y + 5), STYLE.bad, STYLE.paper)
        counts = f"{good[inside].sum()}/{inside.sum()}"
        # Every other count stands higher, so that long ones do not touch.
        pen.text((x, top - 12 - 14 * (index % 2)), counts, STYLE.ink, font, anchor="mm")
    pen.text((STYLE.edge + STYLE.plot, bottom + 10), "1", STYLE.ink, font, anchor="mt")
    return picture


def crops_picture(crops: Sequence[npt.NDArray[np.uint8]], captions: Sequence[str]) -> Image.Image:
    """A sheet of BGR crops, each with a line below it."""
    columns, wide, high = STYLE.crops_in_a_row, STYLE.crop + 12, STYLE.crop + 30
    rows = max(1, -(-len(crops) // columns))
    picture = Image.new("RGB", (columns * wide, rows * high), STYLE.paper)
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(STYLE.text - 2)
    for index, (crop, caption) in enumerate(zip(crops, captions, strict=True)):
        left, top = index % columns * wide + 6, index // columns * high + 4
        enlarged = Image.fromarray(crop[:, :, ::-1].copy()).resize((STYLE.crop, STYLE.crop), Image.Resampling.BICUBIC)
        picture.paste(enlarged, (left, top))
        pen.text((left + STYLE.crop / 2, top + STYLE.crop + 12), caption, STYLE.ink, font, anchor="mm")
    return picture
