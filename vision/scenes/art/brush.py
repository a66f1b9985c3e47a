"""A brush for square pictures: shapes in units of the square (0..1, y down), anti-aliased. Knows no terrain."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from ..texture import Colour, Picture, fractal_noise, mix, to_picture

Points = Sequence[tuple[float, float]]

_SHIFT = 4
INK: Colour = (34, 40, 52)


class Brush:
    """A picture being painted."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.picture: Picture = np.zeros((side, side, 3), np.uint8)

    def ground(
        self,
        rng: np.random.Generator,
        low: Colour,
        high: Colour,
        cells: int,
        contrast: float = 0.5,
        stretch: float = 1.0,
    ) -> None:
        """Fill the square with a mottled ground between two colours."""
        share = 0.5 + contrast * fractal_noise(rng, self.side, self.side, cells, 4, stretch)
        self.picture[:] = to_picture(mix(low, high, share))

    def fill(self, points: npt.ArrayLike, colour: Colour, outline: Colour | None = None, width: float = 0.008) -> None:
        """A filled polygon, convex or not."""
        fixed = self._fixed(points)
        cv2.fillPoly(self.picture, [fixed], colour, cv2.LINE_AA, _SHIFT)
        if outline is not None:
            self._stroke(fixed, True, outline, width)

    def line(self, points: npt.ArrayLike, colour: Colour, width: float) -> None:
        """An open line."""
        self._stroke(self._fixed(points), False, colour, width)

    def oval(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        colour: Colour,
        turn: float = 0.0,
        outline: Colour | None = None,
        width: float = 0.008,
    ) -> None:
        """A filled ellipse; outlined if asked."""
        self.fill(oval_points(x, y, rx, ry, turn), colour, outline, width)

    def shadow(self, x: float, y: float, rx: float, ry: float, depth: float = 0.4) -> None:
        """A soft dark ellipse on the ground."""
        reach = 1.6
        x0, x1 = (int(np.clip((x + s * rx * reach) * self.side, 0, self.side)) for s in (-1, 1))
        y0, y1 = (int(np.clip((y + s * ry * reach) * self.side, 0, self.side)) for s in (-1, 1))
        if x0 >= x1 or y0 >= y1:
            return
        u = (np.arange(x0, x1) / self.side - x)[None, :] / rx
        v = (np.arange(y0, y1) / self.side - y)[:, None] / ry
        dark = 1 - depth * np.clip(1.4 - (u**2 + v**2), 0, 1)[..., None]
        part = self.picture[y0:y1, x0:x1]
        part[:] = (part * dark).astype(np.uint8)

    def glow(self, rng: np.random.Generator, amount: float) -> None:
        """Unify the square: light from the upper left, a breath of paper grain."""
        ramp = np.linspace(amount, -amount, self.side, dtype=np.float32)
        light = 1 + (ramp[None, :] + ramp[:, None]) / 2
        paper = 3.0 * fractal_noise(rng, self.side, self.side, 90, 2)
        self.picture[:] = to_picture(self.picture * light[..., None] + paper[..., None])

    def _fixed(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        scaled = np.asarray(points, np.float64) * self.side * 2**_SHIFT
        return np.round(scaled).astype(np.int32).reshape(-1, 1, 2)

    def _stroke(self, fixed: npt.NDArray[np.int32], closed: bool, colour: Colour, width: float) -> None:
        thickness = max(1, round(width * self.side))
        cv2.polylines(self.picture, [fixed], closed, colour, thickness, cv2.LINE_AA, _SHIFT)


def oval_points(
    x: float, y: float, rx: float, ry: float, turn: float = 0.0, count: int = 28
) -> list[tuple[float, float]]:
    """Points around an ellipse, turned by degrees."""
    spin = np.linspace(0, 2 * np.pi, count, False)
    u, v = rx * np.cos(spin), ry * np.sin(spin)
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return [(float(a), float(b)) for a, b in zip(x + cos * u - sin * v, y + sin * u + cos * v, strict=True)]


def blob(
    rng: np.random.Generator, x: float, y: float, rx: float, ry: float, rough: float = 0.15, count: int = 22
) -> list[tuple[float, float]]:
    """An uneven round shape."""
    spin = np.linspace(0, 2 * np.pi, count, False)
    noise = 1 + rough * np.convolve(np.tile(rng.normal(0, 1, count), 3), np.ones(3) / 3, "same")[count : 2 * count]
    return [(float(x + rx * r * np.cos(t)), float(y + ry * r * np.sin(t))) for t, r in zip(spin, noise, strict=True)]


def scattered(
    rng: np.random.Generator,
    count: int,
    apart: float,
    margin: float = 0.06,
    avoid: Sequence[tuple[float, float, float]] = (),
) -> list[tuple[float, float]]:
    """Up to so many places at least so far apart, outside circles (x, y, r), from the back to the front."""
    found: list[tuple[float, float]] = []
    for _ in range(count * 12):
        if len(found) == count:
            break
        x, y = (float(v) for v in rng.uniform(margin, 1 - margin, 2))
        clear = all(np.hypot(x - a, y - b) > apart for a, b in found)
        if clear and all(np.hypot(x - a, y - b) > r for a, b, r in avoid):
            found.append((x, y))
    return sorted(found, key=lambda place: place[1])


def lighter(colour: Colour, factor: float) -> Colour:
    """The colour, brightened or (below 1) darkened."""
    return tuple(float(np.clip(c * factor, 0, 255)) for c in colour)  # type: ignore[return-value]
