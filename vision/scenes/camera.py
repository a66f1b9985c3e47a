"""The camera: from the table, in squares, to the picture, in pixels. No drawing here.

The table's top, where the faces of the tiles lie, is the plane z = 0; x runs right, y towards the viewer, z up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .config import SceneConfig
from .texture import Array

# A fill that fits the frame leaves at least this margin, in frames.
_MARGIN = 0.01
# The table must fill the frame: what is farther than this many times the kingdom's depth would show a horizon.
_FARTHEST = 6.0
# A camera looks at a kingdom from at least this many extents; nearer ones are cropped pictures.
_CLOSEST = 1.0
# When the horizon would show, the camera is raised by this factor of its tilt and tried again.
_RAISE = 0.85


@dataclass(frozen=True)
class Camera:
    """A pinhole camera, as the 3 x 4 matrix that takes (x, y, z, 1) to homogeneous pixels."""

    matrix: Array

    def project(self, points: npt.ArrayLike) -> Array:
        """Points (n, 2) on the faces or (n, 3) in space, to pixels (n, 2)."""
        p = np.asarray(points, np.float64)
        flat = p.reshape(-1, p.shape[-1])
        if flat.shape[1] == 2:
            flat = np.hstack([flat, np.zeros((len(flat), 1))])
        image = np.hstack([flat, np.ones((len(flat), 1))]) @ self.matrix.T
        pixels = (image[:, :2] / image[:, 2:]).astype(np.float32)
        return pixels.reshape(*p.shape[:-1], 2)

    def plane(self, z: float = 0.0) -> Array:
        """The homography from the plane at height z to pixels."""
        m = self.matrix
        return np.stack([m[:, 0], m[:, 1], m[:, 2] * z + m[:, 3]], axis=1)

    def eye(self) -> Array:
        """Where the camera is, in squares."""
        _, _, v = np.linalg.svd(self.matrix)
        eye: Array = v[-1, :3] / v[-1, 3]
        return eye


def aim(points: npt.ArrayLike, config: SceneConfig, rng: np.random.Generator) -> Camera:
    """A camera that sees these points of the table (n, 2) as the config asks."""
    p = np.asarray(points, np.float64)
    tilt, spin, roll = _tilt(config, rng), _rotation(config, rng), _roll(config, rng)
    fill = _fill(config, rng)
    focal = 0.5 / np.tan(np.radians(rng.uniform(*config.field_of_view)) / 2)
    extent = float(np.max(p.max(axis=0) - p.min(axis=0)))
    if config.fill is None:
        fill = max(fill, config.least_square * extent)
    distance = extent * max(_CLOSEST, focal / fill)
    offs = _offsets(rng)
    while True:
        pinhole = _pinhole(p, tilt, spin, roll, distance)
        image = np.hstack([p, np.zeros((len(p), 1)), np.ones((len(p), 1))]) @ pinhole.T
        flat = image[:, :2] / image[:, 2:]
        camera = Camera(_frame(flat.min(axis=0), flat.max(axis=0), fill, offs, config) @ pinhole)
        if np.all(image[:, 2] > 0) and _table_fills_frame(camera, config):
            return camera
        tilt *= _RAISE


def _pinhole(p: Array, tilt: float, spin: float, roll: float, distance: float) -> Array:
    """The camera without its frame: the table spun, leant back, the phone rolled; depth 1 at the middle."""
    centre = (p.min(axis=0) + p.max(axis=0)) / 2
    cos, sin = np.cos(np.radians(tilt)), np.sin(np.radians(tilt))
    lean = np.array([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, -sin, -cos]])
    rotation = _about_z(roll) @ lean @ _about_z(spin)
    translation = -rotation @ np.array([centre[0], centre[1], 0.0]) + np.array([0.0, 0.0, distance])
    return np.hstack([rotation, translation[:, None]]) / distance


def _about_z(degrees: float) -> Array:
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


def _table_fills_frame(camera: Camera, config: SceneConfig) -> bool:
    width, height = config.size
    corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], np.float64)
    back = corners @ np.linalg.inv(camera.plane()).T
    return bool(np.all(back[:, 2] > 1.0 / _FARTHEST))


def _offsets(rng: np.random.Generator) -> Array:
    """Where the kingdom stands in its room, per axis in (-0.5, 0.5): most people centre what they photograph."""
    spread = rng.normal(0.0, 0.22, 2) if rng.random() < 0.7 else rng.uniform(-0.5, 0.5, 2)
    return np.clip(spread, -0.5, 0.5)


def _frame(low: Array, high: Array, fill: float, offs: Array, config: SceneConfig) -> Array:
    """The scaling and shift that bring the box low..high into the frame with the fill asked for."""
    frame = np.array(config.size, np.float64)
    span = high - low
    scale = fill * float(np.min(frame / span))
    room = frame - scale * span
    free = room - 2 * _MARGIN * frame
    pushed = np.where(free > 0, offs * free, 2 * offs * config.overflow_shift * frame * (fill > 1))
    shift = room / 2 + pushed - scale * low
    return np.array([[scale, 0.0, shift[0]], [0.0, scale, shift[1]], [0.0, 0.0, 1.0]])


def _roll(config: SceneConfig, rng: np.random.Generator) -> float:
    quarter = 90.0 * rng.integers(4) if rng.random() < config.sideways_share else 0.0
    roll = quarter + rng.normal(0.0, config.roll_spread)
    return roll if config.rotation is None else 0.0


def _tilt(config: SceneConfig, rng: np.random.Generator) -> float:
    kind = rng.choice(3, p=config.tilt_shares)
    drawn = rng.uniform(*config.tilt_ranges[kind])
    return drawn if config.tilt is None else config.tilt


def _rotation(config: SceneConfig, rng: np.random.Generator) -> float:
    square = 90.0 * rng.integers(4) + rng.normal(0.0, config.square_spread)
    anyhow = rng.uniform(0.0, 360.0)
    drawn = square if rng.random() < config.square_share else anyhow
    return drawn if config.rotation is None else config.rotation


def _fill(config: SceneConfig, rng: np.random.Generator) -> float:
    kind = rng.choice(3, p=config.fill_shares)
    low, high = config.fill_ranges[kind]
    drawn = float(np.exp(rng.uniform(np.log(low), np.log(high)))) if kind == 0 else rng.uniform(low, high)
    return drawn if config.fill is None else config.fill
