"""Pictures with known squares, kept in shards, and the random views of them that the network learns from.

A view is a warped and recoloured cut-out of network input size with its target maps. Where the pictures come from
is ``vision.training.locator_sources``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.locator import MAPS
from vision.training.locator_targets import Array, Labelled, Pixels, grid_points, square_sizes, target_maps


@dataclass(frozen=True)
class ViewConfig:
    """How views are drawn."""

    # Side of a view in input pixels.
    side: int = 256
    # Size of the squares in a view: usual limits, and the limits and share of very large ones.
    steps: tuple[float, float] = (9.0, 64.0)
    large_steps: tuple[float, float] = (50.0, 130.0)
    large_share: float = 0.15
    # Pictures are not enlarged more than this.
    max_enlarge: float = 2.2
    # A view shows no more than this many times the picture's longer side.
    max_outlook: float = 1.25
    # Share of views that look anywhere, not at a tile.
    anywhere_share: float = 0.12
    # Share of views turned by any angle; the others are turned by whole quarters and a little.
    turned_share: float = 0.5
    square_spread: float = 8.0
    # How far the corners of a view wander, as a share of its side.
    perspective: float = 0.10
    # Share of views whose photo is cropped tightly around a kingdom, and how loose that crop is in squares.
    tight_share: float = 0.15
    tight_margin: tuple[float, float] = (-0.06, 0.35)


VIEWS = ViewConfig()


@dataclass(frozen=True, eq=False)
class View:
    """Network input (side, side, 3), the nine target maps, and the two planes of weights that go with them."""

    picture: Pixels
    maps: Array
    weights: Array


@dataclass(frozen=True, eq=False)
class Stored:
    """A labelled picture kept as JPEG, with its grid points worked out."""

    jpeg: bytes
    quads: Array
    castle: npt.NDArray[np.bool_]
    group: npt.NDArray[np.int32]
    points: Array
    point_sizes: Array

    @classmethod
    def of(cls, labelled: Labelled, quality: int = 92) -> Stored:
        """Encode a labelled picture."""
        ok, buffer = cv2.imencode(".jpg", labelled.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if not ok:
            raise ValueError("the picture could not be encoded")
        points, sizes = grid_points(labelled.quads, labelled.group)
        return cls(buffer.tobytes(), labelled.quads, labelled.castle, labelled.group, points, sizes)

    @property
    def image(self) -> Pixels:
        """The decoded picture."""
        return np.asarray(cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def save_shard(path: Path, pictures: list[Stored]) -> None:
    """Write pictures as plain arrays."""
    counts = np.array([[len(p.jpeg), len(p.quads), len(p.points)] for p in pictures], np.int64).reshape(-1, 3)
    partial = path.with_suffix(".part.npz")
    np.savez(
        partial,
        counts=counts,
        jpeg=np.frombuffer(b"".join(p.jpeg for p in pictures), np.uint8),
        quads=np.concatenate([p.quads.reshape(-1, 4, 2) for p in pictures]),
        castle=np.concatenate([p.castle for p in pictures]),
        group=np.concatenate([p.group for p in pictures]),
        points=np.concatenate([p.points for p in pictures]),
        point_sizes=np.concatenate([p.point_sizes for p in pictures]),
    )
    partial.rename(path)


def load_shard(path: Path) -> Iterator[Stored]:
    """Read what ``save_shard`` wrote."""
    with np.load(path, allow_pickle=False) as arrays:
        counts, jpeg = arrays["counts"], arrays["jpeg"].tobytes()
        quads, castle, group = arrays["quads"], arrays["castle"], arrays["group"]
        points, sizes = arrays["points"], arrays["point_sizes"]
    j = q = p = 0
    for length, squares, corners in counts:
        yield Stored(
            jpeg[j : j + length],
            quads[q : q + squares],
            castle[q : q + squares],
            group[q : q + squares],
            points[p : p + corners],
            sizes[p : p + corners],
        )
        j, q, p = j + length, q + squares, p + corners


def shard_length(path: Path) -> int:
    """How many pictures a shard has."""
    with np.load(path, allow_pickle=False) as arrays:
        return len(arrays["counts"])


def draw_view(stored: Stored, rng: np.random.Generator, config: ViewConfig = VIEWS) -> View:
    """A random view of a picture with its target maps."""
    image, offset = _framed(stored, rng, config)
    quads = stored.quads - offset
    points = stored.points - offset
    sizes = square_sizes(quads) if len(quads) else np.zeros(0, np.float32)
    height, width = image.shape[:2]
    centres = quads.mean(1) if len(quads) else np.zeros((0, 2), np.float32)
    visible = np.all((centres > 0) & (centres < (width, height)), axis=1)
    if visible.any() and rng.random() >= config.anywhere_share:
        chosen = int(rng.choice(np.flatnonzero(visible)))
        anchor, step = centres[chosen], float(sizes[chosen])
    else:
        anchor = rng.uniform((0, 0), (width, height))
        step = float(np.median(sizes)) if len(sizes) else max(width, height) / rng.uniform(5, 16)
    matrix, scale = _view_matrix(anchor, step, max(width, height), rng, config)
    shrink = min(1.0, 1.3 * scale)
    if shrink < 0.75:
        small = (max(1, round(width * shrink)), max(1, round(height * shrink)))
        image = np.asarray(cv2.resize(image, small, interpolation=cv2.INTER_AREA), np.uint8)
        enlarge = np.diag([width / small[0], height / small[1], 1.0])
    else:
        enlarge = np.eye(3)
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    picture = cv2.warpPerspective(
        image,
        np.linalg.inv(half) @ matrix @ enlarge @ half,
        (config.side, config.side),
        flags=cv2.INTER_LINEAR,
        borderValue=(MAPS.grey,) * 3,
    )
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    frame, _ = _projected(matrix, frame)
    picture = recoloured(np.asarray(picture, np.uint8), rng)
    outside = cv2.fillConvexPoly(
        np.ones((config.side, config.side), np.uint8), np.round((frame - 0.5) * 16).astype(np.int32), 0, shift=4
    )
    picture[outside.astype(bool)] = MAPS.grey
    moved_points, near = _projected(matrix, points)
    local = np.sqrt(np.abs(np.linalg.det(_jacobians(matrix, points)))) if len(points) else np.zeros(0)
    moved_quads, ahead = _projected(matrix, quads.reshape(-1, 2))
    whole = ahead.reshape(-1, 4).all(1)
    maps, weights = target_maps(
        (config.side, config.side),
        moved_quads.reshape(-1, 4, 2)[whole],
        stored.castle[whole],
        moved_points[near],
        (stored.point_sizes * local)[near].astype(np.float32),
        frame,
    )
    return View(picture, maps, weights)


def _framed(stored: Stored, rng: np.random.Generator, config: ViewConfig) -> tuple[Pixels, Array]:
    """The picture, sometimes cropped tightly around one tile group, and where its origin then lies."""
    image = stored.image
    if not len(stored.quads) or rng.random() >= config.tight_share:
        return image, np.zeros(2, np.float32)
    group = rng.choice(np.unique(stored.group[stored.castle])) if stored.castle.any() else stored.group[0]
    own = stored.quads[stored.group == group]
    margin = rng.uniform(*config.tight_margin, 4) * float(np.median(square_sizes(own)))
    low = np.maximum(np.floor(own.min((0, 1)) - margin[:2]), 0).astype(int)
    high = np.minimum(np.ceil(own.max((0, 1)) + margin[2:]), image.shape[1::-1]).astype(int)
    if np.any(high - low < 24):
        return image, np.zeros(2, np.float32)
    return image[low[1] : high[1], low[0] : high[0]], low.astype(np.float32)


def _view_matrix(
    anchor: npt.NDArray[np.floating[Any]], step: float, long_side: int, rng: np.random.Generator, config: ViewConfig
) -> tuple[npt.NDArray[np.float64], float]:
    low, high = config.large_steps if rng.random() < config.large_share else config.steps
    wanted = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    scale = min(max(wanted / step, config.side / (config.max_outlook * long_side)), config.max_enlarge)
    if rng.random() < config.turned_share:
        angle = rng.uniform(0, 2 * np.pi)
    else:
        angle = rng.integers(4) * np.pi / 2 + np.radians(rng.normal(0, config.square_spread))
    cos, sin = scale * np.cos(angle), scale * np.sin(angle)
    place = config.side * rng.uniform(0.15, 0.85, 2)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
    turn[:2, 2] = place - turn[:2, :2] @ anchor
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * config.side
    moved = square + rng.uniform(-1, 1, (4, 2)).astype(np.float32) * config.perspective * config.side * rng.random()
    return cv2.getPerspectiveTransform(square, moved.astype(np.float32)) @ turn, scale


def _projected(matrix: npt.NDArray[np.float64], points: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Projected points, and which of them lie before the camera."""
    flat = points.reshape(-1, 2).astype(np.float64)
    homogeneous = flat @ matrix[:, :2].T + matrix[:, 2]
    ahead = homogeneous[:, 2] > 0.2
    divisor = np.where(ahead, homogeneous[:, 2], 1.0)
    return (homogeneous[:, :2] / divisor[:, None]).astype(np.float32), ahead


def _jacobians(matrix: npt.NDArray[np.float64], points: Array) -> npt.NDArray[np.float64]:
    flat = points.astype(np.float64)
    homogeneous = flat @ matrix[:, :2].T + matrix[:, 2]
    w = homogeneous[:, 2]
    w = np.where(np.abs(w) > 0.2, w, 0.2)
    place = homogeneous[:, :2] / w[:, None]
    return (matrix[None, :2, :2] - place[:, :, None] * matrix[2, :2][None, None]) / w[:, None, None]


def recoloured(picture: Pixels, rng: np.random.Generator) -> Pixels:
    """Another light and another camera."""
    if rng.random() < 0.3:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.3)), np.uint8)
    if rng.random() < 0.6:
        bend = np.exp(rng.normal(0, 0.2))
        gains = np.exp(rng.normal(0, 0.08, 3) + rng.normal(0, 0.15))
        curve = 255 * gains * (np.arange(256) / 255)[:, None] ** bend
        picture = np.asarray(cv2.LUT(picture, np.clip(curve, 0, 255).astype(np.uint8).reshape(1, 256, 3)), np.uint8)
        colour = rng.uniform(0.6, 1.3)
        mix = colour * np.eye(3) + (1 - colour) / 3
        picture = np.asarray(cv2.transform(picture, mix), np.uint8)
    if rng.random() < 0.3:
        ends = rng.uniform(0.6, 1.3, (2, 2)).astype(np.float32)
        light = cv2.resize(ends, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        picture = np.asarray(np.clip(picture * light[..., None], 0, 255), np.uint8)
    if rng.random() < 0.4:
        noise = rng.standard_normal(picture.shape, np.float32) * np.float32(rng.uniform(1, 7))
        picture = np.asarray(np.clip(picture + noise, 0, 255), np.uint8)
    return picture
