"""Whether crops of single squares show the square whole, or parts of its neighbours and of the table too.

The crops are framed loosely. A scene lays each as one square, so one with a strip of something else along a side would
show what no tile shows, and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from .texture import Array, Picture


@dataclass(frozen=True)
class FramingConfig:
    """When a strip along a side is something else. Crops are 64 lines wide; colours are 8-bit Lab."""

    # So many lines or more along a side are seen as a strip.
    fewest: int = 5
    # Lines looked at from each side, and those nearest to it that tell how the sides of a class usually look.
    reach: int = 28
    usual: int = 16
    # A line is strange when its colour lies so many usual spreads off; no spread is taken for less than these.
    strange: float = 5.0
    least_spread: tuple[float, float, float] = (5.0, 3.0, 4.0)
    # The middle of a crop, whose colour its sides are compared with.
    middle: tuple[int, int] = (16, 48)
    # A strip ends at an edge: most of the step to the tile's colour lies within so many lines on either side of its
    # end, and it is no smaller than this. Glare fades slowly.
    edge: int = 4
    sharp: float = 0.6
    least_step: float = 15.0


FRAMING = FramingConfig()


def well_framed(pictures: Sequence[Picture], config: FramingConfig = FRAMING) -> list[Picture]:
    """The crops of one class, all of one size, that have no strip of something else along a side."""
    if not pictures:
        return []
    lines, middles = _lines(np.stack(pictures), config)
    apart = lines - middles[:, None, None]
    sides = apart[:, :, : config.usual].reshape(-1, 3)
    usual = np.median(sides, axis=0)
    spread = np.maximum(1.4826 * np.median(np.abs(sides - usual), axis=0), config.least_spread)
    strange = np.linalg.norm((apart - usual) / spread, axis=-1) > config.strange
    depths = np.cumprod(strange, axis=2).sum(axis=2)
    return [
        picture
        for picture, own, deep in zip(pictures, lines, depths, strict=True)
        if not any(
            depth >= config.fewest and _ends_at_an_edge(line, int(depth), config)
            for line, depth in zip(own, deep, strict=True)
        )
    ]


def _lines(pictures: npt.NDArray[np.uint8], config: FramingConfig) -> tuple[Array, Array]:
    """The colours of the lines along the four sides (n, 4, reach, 3), outermost first, and of the middles (n, 3)."""
    lab = np.stack([cv2.cvtColor(picture, cv2.COLOR_BGR2LAB) for picture in pictures]).astype(np.float32)
    turned = [np.rot90(lab, turns, axes=(1, 2))[:, : config.reach] for turns in range(4)]
    lines = np.stack([np.median(side, axis=2) for side in turned], axis=1)
    low, high = config.middle
    inner = lab[:, low:high, low:high].reshape(len(lab), -1, 3)
    return lines, np.asarray(np.median(inner, axis=1))


def _ends_at_an_edge(lines: Array, depth: int, config: FramingConfig) -> bool:
    """Whether the lines change quickly where a strip of this depth ends."""
    edge = config.edge
    end = min(depth, config.reach - 2 * edge)
    outside, inside = lines[: max(1, end - edge + 1)].mean(axis=0), lines[end + edge : end + 2 * edge].mean(axis=0)
    step = float(np.linalg.norm(outside - inside))
    jump = float(np.linalg.norm(lines[max(end - edge, 0)] - lines[end + edge]))
    return step > config.least_step and jump >= config.sharp * step
