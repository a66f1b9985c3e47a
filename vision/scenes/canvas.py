"""Drawing into a picture: textures and tiles through the camera, solid shapes, shadows. What to draw is elsewhere."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from .camera import Camera
from .texture import Array, Colour, Picture, Point, rounded_alpha

# Polygons are drawn with this many binary places of a pixel.
_SHIFT = 4
# Shadows and gloss are kept at this fraction of the picture.
SHADE_STEP = 4
# Gloss is kept in 8 bits, so that polygons are smooth: this level reflects all of the glare.
GLOSS_UNIT = 160.0
# The corner radius of a tile and the width of its darker rim, in squares.
_CORNER = 0.045
_RIM = 0.022
# Thin lines are so wide, in squares.
_LINE = 0.015
# An empty box, from which boxes grow.
_NOWHERE = (np.full(2, np.inf), np.full(2, -np.inf))


@dataclass
class Canvas:
    """A picture in the making: the colours, how much shadow lies where, what shines, what hides tiles.

    A square is about one unit of pixels long. The light throws shadows along a vector on the table, per unit of
    height; they are softened by so many pixels and darken by so much.
    """

    camera: Camera
    colours: Picture
    light: tuple[float, float]
    unit: float
    softness: float
    darkness: float
    shadow: Array = field(init=False)
    gloss: Picture = field(init=False)
    cover: Picture = field(init=False)

    def __post_init__(self) -> None:
        height, width = self.colours.shape[:2]
        small = (-(-height // SHADE_STEP), -(-width // SHADE_STEP))
        self.shadow = np.zeros(small, np.float32)
        self.gloss = np.zeros(small, np.uint8)
        self.cover = np.zeros((height, width), np.uint8)
        self._low, self._high = _NOWHERE

    def polygon(self, points: npt.ArrayLike, colour: Colour, covers: bool = False) -> None:
        """A filled convex polygon of points (n, 2) on the faces' plane or (n, 3) in space."""
        self.pixels(self.camera.project(points), colour, covers)

    def pixels(self, points: Array, colour: Colour, covers: bool = False) -> None:
        """A filled convex polygon given in pixels."""
        if not _visible(points, self.colours):
            return
        fixed = _fixed(points)
        cv2.fillConvexPoly(self.colours, fixed, colour, cv2.LINE_AA, _SHIFT)
        if covers:
            cv2.fillConvexPoly(self.cover, fixed, 255, cv2.LINE_8, _SHIFT)

    def line(self, points: npt.ArrayLike, colour: Colour) -> None:
        """An open thin line through points in space."""
        pixels = self.camera.project(points)
        thickness = max(1, round(_LINE * self.unit))
        cv2.polylines(self.colours, [_fixed(pixels)], False, colour, thickness, cv2.LINE_AA, _SHIFT)

    def slab(self, corners: Array, bottom: float, top: float, side: Colour) -> None:
        """The sides of a flat convex body with these corners (n, 2) between two heights."""
        low = self.camera.project(_lifted(corners, bottom))
        high = self.camera.project(_lifted(corners, top))
        hull = cv2.convexHull(np.vstack([low, high]))
        self.pixels(hull.reshape(-1, 2), side)

    def cast(self, corners: Array, height: float, depth: float = 1.0, ground: float = 0.0) -> None:
        """The shadow that a body with these corners, so high above the ground, throws along the light."""
        away = np.asarray(self.light) * height
        both = np.vstack([corners, corners + away])
        hull = cv2.convexHull(self.camera.project(_lifted(both, ground))).reshape(-1, 2) / SHADE_STEP
        if _visible(hull, self.shadow):
            cv2.fillConvexPoly(self.shadow, _fixed(hull), depth, cv2.LINE_8, _SHIFT)
            low, high = hull.min(axis=0), hull.max(axis=0)
            self._low, self._high = np.minimum(self._low, low), np.maximum(self._high, high)

    def shade(self) -> None:
        """Darken what is drawn so far by the shadows cast, and forget them."""
        sigma = max(self.softness / SHADE_STEP, 0.4)
        small = np.array(self.shadow.shape[::-1])
        x0, y0 = np.clip(np.floor(self._low - 3 * sigma), 0, small).astype(int)
        x1, y1 = np.clip(np.ceil(self._high + 3 * sigma) + 1, 0, small).astype(int)
        self._low, self._high = _NOWHERE
        if x0 >= x1 or y0 >= y1:
            return
        part = self.shadow[y0:y1, x0:x1]
        soft = cv2.GaussianBlur(part, (0, 0), sigma)
        part[:] = 0
        box = self.colours[y0 * SHADE_STEP : y1 * SHADE_STEP, x0 * SHADE_STEP : x1 * SHADE_STEP]
        size = ((x1 - x0) * SHADE_STEP, (y1 - y0) * SHADE_STEP)
        factor = cv2.resize(1 - self.darkness * soft, size)[: box.shape[0], : box.shape[1]]
        box[:] = cv2.multiply(box, cv2.merge([factor] * 3), dtype=cv2.CV_8U)

    def shine(self, quad: Array, amount: float) -> None:
        """Let glare show by this amount on a quadrilateral of pixels."""
        small = quad / SHADE_STEP
        if _visible(small, self.gloss):
            cv2.fillConvexPoly(self.gloss, _fixed(small), amount * GLOSS_UNIT, cv2.LINE_AA, _SHIFT)

    def carpet(self, texture: Picture, squares: float, turn: float, z: float, shift: Point) -> None:
        """Cover everything with a texture that spans so many squares, lying at height z, mirrored on and on."""
        height, width = self.colours.shape[:2]
        scale = squares / texture.shape[0]
        cos, sin = np.cos(np.radians(turn)) * scale, np.sin(np.radians(turn)) * scale
        lie = np.array([[cos, -sin, shift[0]], [sin, cos, shift[1]], [0, 0, 1]])
        matrix = self.camera.plane(z) @ lie
        cv2.warpPerspective(
            texture, matrix, (width, height), dst=self.colours, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )

    def tile(self, art: Picture, lie: Array, quad: Array) -> None:
        """Paint the art of a tile; lie takes its pixels to the table, quad are its corners in the picture."""
        height, width = self.colours.shape[:2]
        x0, y0 = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 2, (width, height))
        if x0 >= x1 or y0 >= y1:
            return
        to_box = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64)
        to_centre = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        matrix = to_box @ self.camera.plane() @ lie @ to_centre
        size = (int(x1 - x0), int(y1 - y0))
        # Outside the art is black, so the outermost pixels darken, as a cut edge does.
        face = cv2.warpPerspective(art, matrix, size, flags=cv2.INTER_LINEAR)
        alpha = cv2.warpPerspective(_alpha(*art.shape[:2]), matrix, size, flags=cv2.INTER_LINEAR)
        box = self.colours[y0:y1, x0:x1]
        box[:] = cv2.blendLinear(face, box, alpha, 1 - alpha)


@functools.lru_cache(maxsize=64)
def _alpha(height: int, width: int) -> Array:
    return rounded_alpha(height, width, _CORNER * height).astype(np.float32) / 255


@functools.lru_cache(maxsize=64)
def rim(height: int, width: int) -> Array:
    """How near the edge of a tile each pixel is: 1 on the edge, 0 inside; (height, width)."""
    y = np.minimum(np.arange(height), np.arange(height)[::-1])[:, None]
    x = np.minimum(np.arange(width), np.arange(width)[::-1])[None, :]
    return np.exp(-(np.minimum(y, x) + 0.5) / np.float32(_RIM * height)).astype(np.float32)


def _lifted(points: Array, z: float) -> Array:
    return np.hstack([points, np.full((len(points), 1), z)])


def _fixed(points: npt.NDArray[np.floating]) -> npt.NDArray[np.int32]:
    limit = 2.0**26
    return np.clip(np.round(points * 2**_SHIFT), -limit, limit).astype(np.int32).reshape(-1, 1, 2)


def _visible(points: npt.NDArray[np.floating], picture: npt.NDArray[np.generic]) -> bool:
    low, high = points.min(axis=0), points.max(axis=0)
    height, width = picture.shape[:2]
    sane = bool(np.all(np.isfinite(points)) and np.all(np.abs(points) < 1e6))
    return sane and bool(high[0] > 0 and high[1] > 0 and low[0] < width and low[1] < height)
