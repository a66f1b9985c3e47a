"""Light and lens: what happens to the colours between the table and the file. No geometry of tiles here."""

from __future__ import annotations

import cv2
import numpy as np

from .config import SceneConfig
from .texture import Array, Picture, cut_grain

# Fields of light are computed on a grid of this side and enlarged.
_GRID = 48
# Fields of glare and shadow have edges, so their grid is finer.
_FINE = 96
# The blue and red gains of the warmest and the coldest light, at full harshness.
_WARMEST = np.array([0.42, 0.82, 1.12], np.float32)
_COLDEST = np.array([1.28, 1.02, 0.80], np.float32)
# However dim, this much of the light remains: nobody keeps a photo on which nothing is seen.
_DARKEST = np.float32(0.18)
_LUMA = np.array([0.114, 0.587, 0.299], np.float32)


def _axes(side: int) -> tuple[Array, Array]:
    line = np.linspace(-1, 1, side, dtype=np.float32)
    return line[None, :], line[:, None]


def lamp(config: SceneConfig, rng: np.random.Generator) -> Array:
    """How bright each place is, per channel: (48, 48, 3). Gradients, a lamp's pool, vignetting, a cast."""
    x, y = _axes(_GRID)
    hard = config.harshness
    angle, slope = rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 0.16)) * hard
    field = 1 + slope * (np.cos(angle) * x + np.sin(angle) * y)
    if rng.random() < 0.35:
        cx, cy, radius = *rng.uniform(-1, 1, 2), rng.uniform(0.6, 1.6)
        pool = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / radius**2)
        depth = rng.uniform(0.1, 0.6) * hard
        field = field * (1 - depth + depth * pool)
    field = field * (1 - rng.uniform(0, 0.16) * hard * (x**2 + y**2) / 2)

    warmth = rng.normal(0.15, 0.45) * hard if config.warmth is None else config.warmth
    cast = _cast(warmth)
    exposure = float(np.exp(rng.normal(0.0, 0.24) * hard)) if config.exposure is None else config.exposure
    tint = 1 + rng.normal(0, 0.03, 3).astype(np.float32) * hard
    coloured: Array = (field * exposure)[..., None] * cast * tint
    if rng.random() < 0.25:
        other = _cast(warmth + rng.normal(0, 0.5) * hard) / cast
        side = np.clip(0.5 + 0.7 * (np.cos(angle + 1) * x + np.sin(angle + 1) * y), 0, 1)[..., None]
        coloured = coloured * (1 - side + side * other)
    return np.ascontiguousarray(coloured, np.float32)


def _cast(warmth: float) -> Array:
    """The gains of a light: 1 the warmest candle, 0 neutral, -1 the coldest shade."""
    share = float(np.clip(abs(warmth), 0, 1))
    return 1 + share * ((_WARMEST if warmth > 0 else _COLDEST) - 1)


def soft_shadows(config: SceneConfig, rng: np.random.Generator) -> Array | None:
    """The shadow of a hand, a head or a phone: (96, 96), 1 where nothing shades; or None."""
    wanted = rng.random() < config.shadow_share
    strength = rng.uniform(0.15, 0.55) * config.harshness
    if config.shadow is not None:
        wanted, strength = config.shadow > 0, config.shadow
    if not wanted:
        return None
    mask = np.zeros((_FINE, _FINE), np.float32)
    for _ in range(int(rng.integers(1, 3))):
        centre = rng.uniform(-0.1, 1.1, 2) * _FINE
        if rng.random() < 0.5:
            angle = rng.uniform(0, 2 * np.pi)
            way = np.array([np.cos(angle), np.sin(angle)])
            across = np.array([-way[1], way[0]]) * rng.uniform(0.06, 0.3) * _FINE
            far = centre + way * 2 * _FINE
            shape = np.array([centre - across, centre + across, far + across * 1.6, far - across * 1.6])
        else:
            spin = np.linspace(0, 2 * np.pi, 14, False)
            radius = rng.uniform(0.12, 0.4) * _FINE * (1 + 0.25 * rng.normal(0, 1, 14))
            shape = centre + np.stack([np.cos(spin) * radius, np.sin(spin) * radius], 1)
        cv2.fillPoly(mask, [np.round(shape).astype(np.int32)], 1.0)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1.0, 9.0))
    return 1 - strength * soft


def glare(config: SceneConfig, rng: np.random.Generator) -> Array | None:
    """What windows and lamps add by reflection: (96, 96, 3) in grey levels; or None."""
    wanted = rng.random() < config.glare_share
    strength = float(rng.choice((rng.uniform(25, 90), rng.uniform(90, 260)), p=(0.6, 0.4))) * config.harshness
    if config.glare is not None:
        wanted, strength = config.glare > 0, config.glare
    if not wanted:
        return None
    field = np.zeros((_FINE, _FINE), np.float32)
    # A veil is the broad reflection of a window or a bright wall; the others are spots of lamps.
    veil = rng.random() < 0.4
    for _ in range(int(rng.integers(1, 4))):
        centre = rng.uniform(0.05, 0.95, 2) * _FINE
        long, wide = rng.uniform(0.05, 0.35) * _FINE, rng.uniform(0.03, 0.14) * _FINE
        if veil:
            long, wide = rng.uniform(0.2, 0.6) * _FINE, rng.uniform(0.1, 0.3) * _FINE
        angle = rng.uniform(0, 180) if rng.random() < 0.5 else rng.normal(0, 10)
        shape = cv2.boxPoints(((float(centre[0]), float(centre[1])), (2 * long, 2 * wide), float(angle)))
        spot = np.zeros_like(field)
        if rng.random() < 0.6:
            cv2.fillConvexPoly(spot, np.round(shape).astype(np.int32), 1.0)
        else:
            axes = (max(1, round(long / 2)), max(1, round(wide)))
            cv2.ellipse(spot, (int(centre[0]), int(centre[1])), axes, float(angle), 0, 360, 1.0, -1)
        field = np.maximum(field, cv2.GaussianBlur(spot, (0, 0), rng.uniform(1.0, 8.0)) * rng.uniform(0.4, 1.0))
    # Windows reflect bluish, lamps warm.
    hue = np.array([1.0, rng.uniform(0.8, 0.97), rng.uniform(0.6, 0.92)], np.float32)
    if rng.random() < 0.35:
        hue = hue[::-1]
    return field[..., None] * (strength * hue)


def colour_matrix(config: SceneConfig, rng: np.random.Generator) -> Array:
    """A camera's rendering of colour: more or less saturated, hues a little off."""
    hard = config.harshness
    saturation = float(np.clip(1 + (0.12 + rng.normal(0, 0.24)) * hard, 0.35, 1.7))
    matrix = saturation * np.eye(3, dtype=np.float32) + (1 - saturation) * _LUMA[None, :]
    return (matrix + rng.normal(0, 0.025, (3, 3)) * hard).astype(np.float32)


def tone_curve(config: SceneConfig, rng: np.random.Generator) -> Picture:
    """A table of 256 levels: gamma, contrast, lifted blacks."""
    hard = config.harshness
    level = np.linspace(0, 1, 256)
    gamma = float(np.exp(rng.normal(0, 0.16) * hard))
    level = level**gamma
    contrast = rng.uniform(-0.25, 0.6) * hard
    level = level + contrast * level * (1 - level) * (2 * level - 1)
    black, white = abs(rng.normal(0, 0.03)) * hard, 1 - abs(rng.normal(0, 0.02)) * hard
    table: Picture = np.clip(255 * (black + (white - black) * level) + 0.5, 0, 255).astype(np.uint8)
    return table


def blurred(picture: Picture, config: SceneConfig, rng: np.random.Generator) -> Picture:
    """Out of focus, or shaken; in proportion to the picture."""
    unit = max(picture.shape[:2]) / 512
    wanted, shaken = rng.random() < config.blur_share, rng.random() < 0.25
    amount = abs(rng.normal(0, 0.75)) * config.harshness
    angle = rng.uniform(0, np.pi)
    if config.blur is not None:
        wanted, amount, shaken = config.blur > 0, config.blur, False
    sigma = amount * unit
    if not wanted or sigma < 0.25:
        return picture
    if not shaken:
        return cv2.GaussianBlur(picture, (0, 0), sigma)
    reach = max(1, round(2.5 * sigma))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    tip = np.array([np.cos(angle), np.sin(angle)]) * reach
    ends = [tuple(int(round(v)) for v in np.array([reach, reach]) + s * tip) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return cv2.filter2D(picture, -1, kernel / kernel.sum())


def expose(
    picture: Picture, gloss: Array, config: SceneConfig, rng: np.random.Generator
) -> tuple[Picture, Array | None]:
    """The colours as a camera records them, and the glare that lies over them, at the gloss's size."""
    height, width = picture.shape[:2]
    light = cv2.resize(lamp(config, rng), (_FINE, _FINE), interpolation=cv2.INTER_LINEAR)
    shadows = soft_shadows(config, rng)
    if shadows is not None:
        light *= shadows[..., None]
    light = np.maximum(light, _DARKEST)
    gain = cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR)
    values: Array = cv2.multiply(blurred(picture, config, rng), gain, dtype=cv2.CV_32F)
    reflection = glare(config, rng)
    washed = None
    if reflection is not None:
        small = cv2.resize(reflection, gloss.shape[::-1], interpolation=cv2.INTER_LINEAR) * gloss[..., None]
        values += cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
        washed = small[..., 1]
    values = cv2.transform(values, colour_matrix(config, rng))
    sigma = abs(rng.normal(0, 4.0)) * config.harshness if config.noise is None else config.noise
    fine = cut_grain(rng, height, width)
    if sigma > 0.3:
        cv2.scaleAdd(fine, float(sigma), values, values)
    recorded = cv2.add(values, np.zeros(4), dtype=cv2.CV_8U)
    return cv2.LUT(recorded, tone_curve(config, rng)), washed


def develop(picture: Picture, config: SceneConfig, rng: np.random.Generator) -> Picture:
    """What becomes of the file: sharpened, sent on small, compressed."""
    height, width = picture.shape[:2]
    draws = rng.random(3)
    if draws[0] < 0.25 * config.harshness:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2 * max(height, width) / 512)
        picture = cv2.addWeighted(picture, 1.6, soft, -0.6, 0)
    factor = rng.uniform(0.4, 0.85)
    if draws[1] < config.shrink_share * config.harshness:
        small = (max(16, round(width * factor)), max(16, round(height * factor)))
        picture = cv2.resize(picture, small, interpolation=cv2.INTER_AREA)
    quality = int(rng.integers(38, 97)) if config.jpeg is None else config.jpeg
    if quality < 100:
        _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    if picture.shape[:2] != (height, width):
        picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_CUBIC)
    return picture
