"""Table tops, painted in code: wood, cloth, carpet, mats, stone, glass. Flat textures; the camera is elsewhere.

A texture is a square picture that may be repeated by mirroring. Each is made from its own seed and kept.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import cv2
import numpy as np

from .texture import Array, Colour, Picture, fractal_noise, jitter, mix, smooth_noise, to_picture

Painter = Callable[[np.random.Generator, int], Array]

# BGR, from light to dark.
_WOODS: tuple[tuple[Colour, Colour], ...] = (
    ((178, 205, 226), (140, 172, 200)),
    ((120, 168, 208), (84, 128, 172)),
    ((92, 140, 192), (56, 92, 140)),
    ((70, 104, 150), (36, 58, 92)),
    ((52, 70, 98), (26, 36, 54)),
    ((132, 156, 174), (104, 124, 144)),
    ((96, 128, 176), (66, 94, 136)),
)
_CLOTHS: tuple[Colour, ...] = (
    (60, 60, 64),
    (28, 26, 26),
    (150, 90, 40),
    (80, 110, 50),
    (50, 40, 130),
    (200, 200, 205),
    (150, 160, 170),
    (120, 60, 90),
    (90, 120, 160),
    (40, 70, 40),
    (190, 170, 140),
    (60, 20, 20),
    (70, 90, 120),
    (210, 220, 225),
)
_STONES: tuple[Colour, ...] = (
    (150, 175, 200),
    (160, 165, 170),
    (90, 92, 96),
    (190, 200, 210),
    (60, 62, 64),
    (140, 150, 150),
    (120, 140, 165),
)
_MATS: tuple[tuple[Colour, Colour], ...] = (
    ((100, 62, 38), (215, 200, 185)),
    ((70, 92, 40), (160, 200, 150)),
    ((60, 58, 56), (170, 175, 175)),
    ((150, 140, 40), (220, 220, 200)),
    ((120, 60, 130), (220, 190, 220)),
)


def wood(rng: np.random.Generator, side: int) -> Array:
    """Planks or veneer with grain along x."""
    light, dark = _WOODS[rng.integers(len(_WOODS))]
    light, dark = jitter(rng, light, 10), jitter(rng, dark, 8)
    contrast = rng.uniform(0.25, 1.0)
    warp = fractal_noise(rng, side, side, 3, 2, stretch=5.0) * rng.uniform(1.5, 6.0)
    y = np.linspace(0.0, rng.uniform(6.0, 26.0), side, dtype=np.float32)[:, None]
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (y + warp))
    # Larger textures are seen from nearer, so they carry finer grain.
    fine = fractal_noise(rng, side, side, 60, 3 if side < 1000 else 5, rng.uniform(12.0, 30.0), 0.75)
    share = 0.5 + contrast * (0.35 * (rings - 0.5) + 0.35 * fine)
    if rng.random() < 0.55:
        planks = int(rng.integers(2, 8))
        edges = np.linspace(0, side, planks + 1).astype(int)
        for top, bottom in zip(edges[:-1], edges[1:], strict=True):
            share[top:bottom] = np.roll(share[top:bottom], int(rng.integers(side)), axis=1) + rng.normal(0, 0.14)
            gap = max(1, round(side * rng.uniform(0.001, 0.004)))
            share[top : top + gap] += rng.uniform(0.2, 0.8)
    return mix(light, dark, share)


def cloth(rng: np.random.Generator, side: int) -> Array:
    """Plain woven cloth."""
    base = jitter(rng, _CLOTHS[rng.integers(len(_CLOTHS))], 14)
    return _weave(rng, side, np.broadcast_to(np.asarray(base, np.float32), (side, side, 3)).copy())


def patterned(rng: np.random.Generator, side: int) -> Array:
    """Cloth with stripes, checks, dots or leaves in two or three colours."""
    base = jitter(rng, _CLOTHS[rng.integers(len(_CLOTHS))], 14)
    cloth_ = np.broadcast_to(np.asarray(base, np.float32), (side, side, 3)).copy()
    inks = [jitter(rng, _CLOTHS[i], 20) for i in rng.choice(len(_CLOTHS), 3, replace=False)]
    kind = rng.integers(4)
    pitch = side / rng.integers(5, 24)
    drawn = to_picture(cloth_)
    if kind == 0:
        for axis in range(2 if rng.random() < 0.5 else 1):
            wave = (np.arange(side) % pitch) < pitch * rng.uniform(0.15, 0.5)
            band = wave[:, None] if axis else wave[None, :]
            cloth_ = np.where(band[..., None], 0.45 * cloth_ + 0.55 * np.asarray(inks[axis], np.float32), cloth_)
    elif kind == 1:
        for row in range(int(side / pitch) + 1):
            for column in range(int(side / pitch) + 1):
                at = (int((column + 0.5 * (row % 2)) * pitch), int(row * pitch))
                cv2.circle(drawn, at, max(1, int(pitch * 0.22)), inks[(row + column) % 2], -1, cv2.LINE_AA)
        cloth_ = drawn.astype(np.float32)
    elif kind == 2:
        blobs = fractal_noise(rng, side, side, int(side / pitch), 2)
        cloth_ = np.where(blobs[..., None] > 0.25, np.asarray(inks[0], np.float32), cloth_)
        cloth_ = np.where(blobs[..., None] < -0.4, np.asarray(inks[1], np.float32), cloth_)
    else:
        for _ in range(int(rng.integers(30, 160))):
            at = (int(rng.integers(0, side)), int(rng.integers(0, side)))
            axes = (int(pitch * rng.uniform(0.15, 0.5)), int(pitch * rng.uniform(0.08, 0.2)))
            cv2.ellipse(drawn, at, axes, float(rng.uniform(0, 360)), 0, 360, inks[rng.integers(3)], -1, cv2.LINE_AA)
        cloth_ = drawn.astype(np.float32)
    return _weave(rng, side, cloth_.astype(np.float32))


def starry(rng: np.random.Generator, side: int) -> Array:
    """Dark cloth with rows of bright dots of many colours and dark shapes."""
    base = jitter(rng, (60, 22, 16) if rng.random() < 0.6 else (26, 22, 24), 8)
    picture = np.broadcast_to(np.asarray(base, np.float32), (side, side, 3)).copy()
    shapes = fractal_noise(rng, side, side, 5, 2, stretch=0.5)
    other = jitter(rng, (130, 60, 20), 20)
    picture = np.where(shapes[..., None] > rng.uniform(0.0, 0.4), np.asarray(other, np.float32), picture)
    drawn = to_picture(picture)
    pitch = side / rng.integers(36, 80)
    inks: list[Colour] = [(60, 60, 230), (60, 140, 240), (220, 190, 60), (220, 110, 40), (230, 230, 230)]
    for column in np.arange(0, side, pitch):
        if rng.random() < 0.35:
            continue
        ink = inks[rng.integers(len(inks))]
        start, length = rng.uniform(0, side), rng.uniform(0.2, 0.9) * side
        for y in np.arange(start, start + length, pitch * 0.8):
            centre = (int(column + rng.normal(0, 0.1 * pitch)), int(y % side))
            cv2.circle(drawn, centre, max(1, int(pitch * 0.28)), ink, -1, cv2.LINE_AA)
    return _weave(rng, side, drawn.astype(np.float32))


def carpet(rng: np.random.Generator, side: int) -> Array:
    """Pile: coarse, speckled, blotchy."""
    base = jitter(rng, _CLOTHS[rng.integers(len(_CLOTHS))], 14)
    light = np.asarray(base, np.float32) * 0.45 + 110.0
    tufts = fractal_noise(rng, side, side, side // int(rng.integers(4, 9)), 2)
    blotch = fractal_noise(rng, side, side, 6, 2)
    amount = rng.uniform(14, 40)
    return light + (tufts * amount + blotch * 10)[..., None]


def mat(rng: np.random.Generator, side: int) -> Array:
    """A cutting mat with a grid of fine lines, every fifth one bolder, and numbers along one edge."""
    base, ink = _MATS[rng.integers(len(_MATS))]
    base = jitter(rng, base, 10)
    picture = np.full((side, side, 3), to_picture(np.asarray(base, np.float32)), np.uint8)
    lines = int(rng.integers(12, 44))
    pitch = side / lines
    strength = rng.uniform(0.35, 0.9)
    for i in range(lines + 1):
        at = round(i * pitch)
        bold = i % 5 == 0
        shade = np.asarray(base) + (np.asarray(ink) - np.asarray(base)) * strength * (1.0 if bold else 0.6)
        width = max(1, round(side / 640 * (2 if bold else 1)))
        colour = tuple(float(c) for c in shade)
        cv2.line(picture, (at, 0), (at, side), colour, width)
        cv2.line(picture, (0, at), (side, at), colour, width)
        if bold:
            font = (cv2.FONT_HERSHEY_SIMPLEX, side / 1600)
            cv2.putText(picture, str(i), (at + 3, side // 2), *font, colour, 1, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.line(picture, (0, 0), (side, side), colour, 1, cv2.LINE_AA)
    return picture + 5 * fractal_noise(rng, side, side, 40, 2)[..., None]


def stone(rng: np.random.Generator, side: int) -> Array:
    """Speckled laminate or granite."""
    base = jitter(rng, _STONES[rng.integers(len(_STONES))], 14)
    picture = np.broadcast_to(np.asarray(base, np.float32), (side, side, 3)).copy()
    picture += (8 * fractal_noise(rng, side, side, 5, 3))[..., None]
    amount = rng.uniform(8, 60)
    for _ in range(int(rng.integers(1, 4))):
        grain_ = smooth_noise(rng, side, side, *(side // int(rng.integers(3, 12)),) * 2)
        where = np.clip((np.abs(grain_) - rng.uniform(0.35, 0.6)) * 4, 0, 1)
        picture += (where * rng.choice((-1.0, 1.0)) * amount)[..., None] * rng.uniform(0.8, 1.1, 3).astype(np.float32)
    return picture


def marble(rng: np.random.Generator, side: int) -> Array:
    """Light or dark marble with veins."""
    light = (225, 230, 232) if rng.random() < 0.7 else (60, 58, 58)
    dark = (150, 155, 160) if light[0] > 100 else (170, 175, 180)
    field = fractal_noise(rng, side, side, 4, 5)
    veins = np.exp(-np.abs(field) * rng.uniform(6, 18)) * rng.uniform(0.3, 0.9)
    return mix(jitter(rng, light, 8), jitter(rng, dark, 8), veins + 0.12 * fractal_noise(rng, side, side, 8, 3))


def glass(rng: np.random.Generator, side: int) -> Array:
    """A glass top: a cool dark or milky pane with broad reflections."""
    base = jitter(rng, (96, 92, 70) if rng.random() < 0.5 else (200, 205, 190), 20)
    reflections = np.clip(fractal_noise(rng, side, side, 2, 2, stretch=0.6), -1, 1)
    bands = np.clip(smooth_noise(rng, side, side, 2, 6) * 3, 0, 1)
    return np.asarray(base, np.float32) + (18 * reflections + 22 * bands)[..., None]


def plain(rng: np.random.Generator, side: int) -> Array:
    """A painted top, paper, a board: one colour with the faintest of texture."""
    base = rng.uniform(15, 245) + rng.normal(0, 22, 3)
    return np.asarray(np.clip(base, 5, 250), np.float32) + (3 * fractal_noise(rng, side, side, 30, 2))[..., None]


def _weave(rng: np.random.Generator, side: int, picture: Array) -> Array:
    """Threads and soft folds over a cloth."""
    pitch = rng.uniform(2.5, 7.0)
    t = np.arange(side, dtype=np.float32) * np.float32(2 * np.pi / pitch)
    threads = np.sin(t)[None, :] * np.sin(t * 0.93)[:, None]
    folds = fractal_noise(rng, side, side, 3, 2) * rng.uniform(0.0, 0.10)
    light = 1 + rng.uniform(0.01, 0.08) * threads + folds + 0.03 * fractal_noise(rng, side, side, 90, 1)
    return picture * light[..., None]


KINDS: dict[str, Painter] = {
    "wood": wood, "cloth": cloth, "patterned": patterned, "starry": starry, "carpet": carpet, "mat": mat,
    "stone": stone, "marble": marble, "glass": glass, "plain": plain,
}  # fmt: skip
# How often each kind is laid; wood leads because most tables are of wood.
WEIGHTS: dict[str, float] = {
    "wood": 0.30, "cloth": 0.09, "patterned": 0.10, "starry": 0.05, "carpet": 0.08, "mat": 0.08, "stone": 0.12,
    "marble": 0.05, "glass": 0.03, "plain": 0.10,
}  # fmt: skip

# So many textures of each kind are made; scenes vary them further by scale, turn and light.
VARIANTS = 12
_SEED = 7411
_KEPT = 128


@functools.lru_cache(maxsize=_KEPT)
def texture(kind: str, variant: int, side: int) -> Picture:
    """The texture of this kind and number, always the same for the same side."""
    rng = np.random.default_rng((_SEED, sorted(KINDS).index(kind), variant))
    picture = to_picture(KINDS[kind](rng, side))
    picture.setflags(write=False)
    return picture
