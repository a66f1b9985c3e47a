"""What stands and lies about a kingdom: the card castle, kings, cards, pens, dice, cups, the box, a hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from .canvas import Canvas
from .config import CASTLE_COLOURS, CastleColour
from .texture import Array, Colour, Point, jitter

# Player colours, BGR: the wood of a king, and card prints of it.
PLAYER: dict[CastleColour, Colour] = {
    "pink": (150, 90, 215),
    "yellow": (50, 190, 235),
    "green": (85, 150, 60),
    "blue": (190, 120, 45),
}
_STONE: Colour = (128, 128, 124)
_TINY = 1e-6
_SKINS: tuple[Colour, ...] = ((150, 180, 225), (120, 150, 205), (85, 115, 170), (50, 70, 110))
_SPIN = np.linspace(0, 2 * np.pi, 36, False)
_CIRCLE = np.stack([np.cos(_SPIN), np.sin(_SPIN)], 1)
# The thickness of a castle's card, in squares.
_CARD = 0.045
# The shares of castles painted all over, and printed with towers before a sky; the others are of plain stone.
_PAINTED, _PRINTED = 0.55, 0.25
_SKY: Colour = (142, 116, 90)
_ROOFS: tuple[Colour, ...] = ((60, 60, 150), (70, 110, 60), (60, 150, 190), (120, 75, 45))
# A printed tower: where it stands along the wall, its half width, and how far it reaches up.
_Tower = tuple[float, float, float, Colour]


def _shaded(colour: Colour, factor: float) -> Colour:
    return tuple(float(np.clip(c * factor, 0, 255)) for c in colour)  # type: ignore[return-value]


def _turned(points: npt.ArrayLike, turn: float, middle: Point) -> Array:
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    p: Array = np.asarray(points, np.float64) @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(middle)
    return p


def _rectangle(width: float, height: float, turn: float, middle: Point) -> Array:
    w, h = width / 2, height / 2
    return _turned([[-w, -h], [w, -h], [w, h], [-w, h]], turn, middle)


def castle(canvas: Canvas, middle: Point, turn: float, colour: CastleColour, rng: np.random.Generator) -> None:
    """A castle of card: crenellated walls of several heights, open above, some without a floor or a wall."""
    half = rng.uniform(0.28, 0.42)
    out = half + rng.uniform(0.0, 0.12)
    low, tall = rng.uniform(0.22, 0.5), rng.uniform(0.5, 1.0)
    paint, stone = jitter(rng, PLAYER[colour], 12), jitter(rng, _STONE, 14)
    style = float(rng.random())
    # Prints have dice of their own, so that a scene without them stays as it is.
    towers = _towers(np.random.default_rng(int(style * 2**32)), paint) if style >= 1 - _PRINTED else ()
    if towers:
        stone = jitter(np.random.default_rng(int(style * 2**31)), _SKY, 18)
    turn = turn + 90.0 * rng.integers(4) + rng.normal(0.0, 6.0)
    base = _rectangle(2 * half, 2 * half, turn, middle)
    canvas.cast(base, tall)
    canvas.shade()
    if rng.random() < 0.4:
        canvas.polygon(base, _shaded(paint if rng.random() < 0.5 else stone, 0.5), covers=True)
    else:
        # Without a floor the tile shows between the walls, but little of it.
        _cover(canvas, base)
    walls = []
    for index in range(4):
        height = (tall if index % 2 == 0 else low) * rng.uniform(0.8, 1.2)
        if index < 2 or rng.random() < 0.85:
            walls.append((_turned([[-out, -half], [out, -half]], turn + 90.0 * index, middle), height))
    eye = canvas.camera.eye()

    def distance(wall: tuple[Array, float]) -> float:
        x, y = wall[0].mean(axis=0)
        return float(np.hypot(np.hypot(x - eye[0], y - eye[1]), wall[1] / 2 - eye[2]))

    merlons, courses = int(rng.integers(2, 5)), int(rng.integers(0, 5))
    light = np.asarray(canvas.light)
    for along, height in sorted(walls, key=distance, reverse=True):
        normal = np.array([along[1, 1] - along[0, 1], along[0, 0] - along[1, 0]])
        faces_eye = float(normal @ (eye[:2] - along.mean(axis=0))) > 0
        lit = 0.85 - 0.35 * float(normal @ light) / (2 * out * (float(np.hypot(*light)) + _TINY))
        shade = float(np.clip(lit, 0.5, 1.25)) * (1.0 if faces_eye else 0.62)
        body, trim = (paint, stone) if style < _PAINTED else (stone, _shaded(stone, 1.2) if towers else paint)
        _wall(canvas, along, height, merlons, courses, _shaded(body, shade), _shaded(trim, shade))
        for tower in towers:
            _tower(canvas, along, 0.8 * height, tower, shade)


def _towers(rng: np.random.Generator, paint: Colour) -> tuple[_Tower, ...]:
    """The towers printed on each wall of a castle, some with roofs in the player's colour."""
    towers = []
    for middle in np.linspace(0.2, 0.8, int(rng.integers(2, 5))):
        roof = paint if rng.random() < 0.5 else _ROOFS[int(rng.integers(len(_ROOFS)))]
        towers.append((float(middle), float(rng.uniform(0.05, 0.12)), float(rng.uniform(0.45, 0.75)), roof))
    return tuple(towers)


def _tower(canvas: Canvas, along: Array, crest: float, tower: _Tower, shade: float) -> None:
    """One printed tower with its pointed roof."""
    middle, half, reach, roof = tower

    def at(t: float, z: float) -> list[float]:
        return [*(along[0] + t * (along[1] - along[0])), z * crest]

    body = [at(middle - half, 0.1), at(middle + half, 0.1), at(middle + half, reach), at(middle - half, reach)]
    canvas.polygon(body, _shaded(_STONE, 0.9 * shade), covers=True)
    point = [at(middle - 1.4 * half, reach), at(middle + 1.4 * half, reach), at(middle, min(1.0, reach + 0.3))]
    canvas.polygon(point, _shaded(roof, shade), covers=True)


def _cover(canvas: Canvas, base: Array) -> None:
    """Count the ground between the walls as hidden."""
    fixed = np.round(canvas.camera.project(base)).astype(np.int32).reshape(-1, 1, 2)
    cv2.fillConvexPoly(canvas.cover, fixed, 255)


def _wall(canvas: Canvas, along: Array, height: float, merlons: int, courses: int, body: Colour, trim: Colour) -> None:
    """One card of the castle, upright over a line on the table."""

    def at(t: float, z: float) -> list[float]:
        x, y = along[0] + t * (along[1] - along[0])
        return [float(x), float(y), z]

    way = (along[1] - along[0]) / np.linalg.norm(along[1] - along[0])
    inwards = _CARD * np.array([-way[1], way[0], 0.0])

    def panel(t0: float, t1: float, z0: float, z1: float, colour: Colour) -> None:
        canvas.polygon([at(t0, z0), at(t1, z0), at(t1, z1), at(t0, z1)], colour, covers=True)

    def ledge(t0: float, t1: float, z: float) -> None:
        edge = np.array([at(t0, z), at(t1, z)])
        canvas.polygon([*edge, *(edge[::-1] + inwards)], _shaded(trim, 1.25), covers=True)

    crest = 0.8 * height
    panel(0, 1, 0, crest, body)
    for course in range(1, courses + 1):
        z = crest * course / (courses + 1)
        canvas.line([at(0, z), at(1, z)], _shaded(body, 0.75))
    panel(0, 1, 0.66 * crest, 0.78 * crest, trim)
    step = 1.0 / (2 * merlons - 1)
    for i in range(merlons):
        panel(2 * i * step, (2 * i + 1) * step, crest - 0.01, height, trim)
        ledge(2 * i * step, (2 * i + 1) * step, height)
        if i:
            ledge((2 * i - 1) * step, 2 * i * step, crest)
    panel(0.40, 0.60, 0.0, 0.5 * crest, _shaded(body, 0.4))
    for t in (0.0, 1.0):
        canvas.line([at(t, 0), at(t, height)], _shaded(body, 0.6))


def _lathe(
    canvas: Canvas, middle: Point, profile: Sequence[tuple[float, float, float]], colour: Colour, covers: bool
) -> None:
    """A turned body: rings (height, radius, shade) stacked from the table up."""
    for z, radius, shade in profile:
        ring = np.hstack([_CIRCLE * radius + np.asarray(middle), np.full((len(_CIRCLE), 1), z)])
        canvas.polygon(ring, _shaded(colour, shade), covers)


def king(canvas: Canvas, middle: Point, rng: np.random.Generator) -> None:
    """A wooden king: a waisted pawn with a crown."""
    colour = jitter(rng, PLAYER[CASTLE_COLOURS[rng.integers(4)]], 10)
    size = rng.uniform(0.75, 1.1)
    steps = np.linspace(0.0, 1.0, 26)
    waist = 0.17 + 0.10 * np.cos(np.pi * steps) ** 2 * (steps < 0.62) + 0.05 * (steps > 0.8) - 0.07 * (steps <= 0.8)
    profile = [
        (float(0.62 * size * t), float(size * r), float(0.55 + 0.4 * t)) for t, r in zip(steps, waist, strict=True)
    ]
    canvas.cast(_CIRCLE * 0.2 * size + np.asarray(middle), 0.6 * size)
    canvas.shade()
    _lathe(canvas, middle, profile, colour, covers=True)
    _lathe(canvas, middle, [(0.63 * size, 0.12 * size, 1.15)], colour, covers=True)


def cup(canvas: Canvas, middle: Point, rng: np.random.Generator) -> None:
    """A mug or glass, seen from above or aside."""
    colour = jitter(rng, (200, 200, 205) if rng.random() < 0.5 else (90, 110, 150), 30)
    radius, height = rng.uniform(0.7, 1.1), rng.uniform(0.8, 2.0)
    canvas.cast(_CIRCLE * radius + np.asarray(middle), height)
    canvas.shade()
    rings = [(float(z), radius, 0.7 + 0.2 * float(z) / height) for z in np.linspace(0, height, 24)]
    _lathe(canvas, middle, rings, colour, covers=True)
    _lathe(canvas, middle, [(height, radius * 0.92, 0.45)], colour, covers=True)
    drink = (30, 50, 90) if rng.random() < 0.6 else (120, 170, 200)
    _lathe(canvas, middle, [(height * 0.85, radius * 0.82, 1.0)], drink, covers=True)


def _slab(canvas: Canvas, shape: Array, height: float, top: Colour) -> None:
    canvas.cast(shape, height)
    canvas.shade()
    canvas.slab(shape, 0.0, height, _shaded(top, 0.6))
    canvas.polygon(np.hstack([shape, np.full((len(shape), 1), height)]), top)


def card(canvas: Canvas, middle: Point, rng: np.random.Generator) -> None:
    """A playing card or a small booklet."""
    width, height = rng.uniform(1.0, 1.7), rng.uniform(1.6, 2.4)
    turn = rng.uniform(0, 360)
    _slab(canvas, _rectangle(width, height, turn, middle), 0.01, jitter(rng, (225, 232, 236), 12))
    ink = jitter(rng, _random_colour(rng), 10)
    canvas.polygon(_rectangle(width * 0.82, height * 0.86, turn, middle), ink)
    for _ in range(int(rng.integers(2, 6))):
        spot = _turned([rng.uniform(-0.3, 0.3, 2) * (width, height)], turn, middle)[0]
        canvas.polygon(_CIRCLE * rng.uniform(0.05, 0.25) + spot, jitter(rng, _random_colour(rng), 20))


def paper(canvas: Canvas, middle: Point, rng: np.random.Generator) -> None:
    """A score sheet with ruled lines and figures."""
    width, height = rng.uniform(2.2, 4.0), rng.uniform(2.8, 5.0)
    turn = rng.uniform(0, 360)
    _slab(canvas, _rectangle(width, height, turn, middle), 0.01, jitter(rng, (225, 230, 232), 10))
    ink: Colour = (150, 120, 90)
    for t in np.linspace(-0.42, 0.42, int(rng.integers(6, 14))):
        ends = _turned([[-0.45 * width, t * height], [0.45 * width, t * height]], turn, middle)
        canvas.line(ends, ink)
        if rng.random() < 0.6:
            start = rng.uniform(-0.4, 0.2)
            word = [[(start + 0.03 * i) * width, (t - 0.02 - 0.02 * (i % 2)) * height] for i in range(8)]
            canvas.line(_turned(word, turn, middle), (70, 50, 50))


def pen(canvas: Canvas, middle: Point, rng: np.random.Generator) -> None:
    """A pen or pencil."""
    length, width = rng.uniform(2.8, 3.8), rng.uniform(0.16, 0.24)
    turn = rng.uniform(0, 360)
    colour = _random_colour(rng)
    _slab(canvas, _rectangle(length, width, turn, middle), 0.12, colour)
    tip = _turned([[length / 2, -width / 2], [length / 2 + 0.35, 0.0], [length / 2, width / 2]], turn, middle)
    canvas.polygon(tip, (150, 190, 220) if rng.random() < 0.5 else (40, 40, 40))
    shine = _turned([[-length / 2, -width * 0.15], [length / 2, -width * 0.15]], turn, middle)
    canvas.line(shine, _shaded(colour, 1.5))


def die(canvas: Canvas, middle: Point, rng: np.random.Generator) -> None:
    """A die with pips."""
    size, turn = rng.uniform(0.3, 0.5), rng.uniform(0, 360)
    colour = jitter(rng, (230, 232, 235) if rng.random() < 0.6 else _random_colour(rng), 10)
    _slab(canvas, _rectangle(size, size, turn, middle), size, colour)
    for x, y in rng.choice([[-1, -1], [0, 0], [1, 1], [-1, 1], [1, -1]], int(rng.integers(1, 6)), replace=False):
        at = _turned([[x * size * 0.27, y * size * 0.27]], turn, middle)[0]
        ring = np.hstack([_CIRCLE * size * 0.09 + at, np.full((len(_CIRCLE), 1), size)])
        canvas.polygon(ring, (30, 30, 40))


def coin(canvas: Canvas, middle: Point, rng: np.random.Generator) -> None:
    """A coin or a wooden token."""
    colour = jitter(rng, (100, 160, 190) if rng.random() < 0.6 else (190, 190, 190), 20)
    radius = rng.uniform(0.2, 0.35)
    _slab(canvas, _CIRCLE * radius + np.asarray(middle), 0.05, colour)
    canvas.polygon(_CIRCLE * radius * 0.75 + np.asarray(middle), _shaded(colour, 0.88))


def phone(canvas: Canvas, middle: Point, rng: np.random.Generator) -> None:
    """A phone, screen dark or lit."""
    turn = rng.uniform(0, 360)
    _slab(canvas, _rectangle(1.8, 3.7, turn, middle), 0.2, (30, 28, 28))
    screen = (50, 40, 36) if rng.random() < 0.6 else jitter(rng, (200, 180, 160), 30)
    shape = _rectangle(1.66, 3.5, turn, middle)
    canvas.polygon(np.hstack([shape, np.full((4, 1), 0.2)]), screen)


def box(canvas: Canvas, middle: Point, rng: np.random.Generator) -> None:
    """The lid of a game box with a picture and a title."""
    side, turn, height = rng.uniform(4.5, 7.0), rng.uniform(0, 360), rng.uniform(0.6, 1.6)
    colour = jitter(rng, _random_colour(rng), 15)
    shape = _rectangle(side, side, turn, middle)
    _slab(canvas, shape, height, colour)

    def raised(width: float, depth: float, x: float, y: float, ink: Colour) -> None:
        centre = _turned([[x * side, y * side]], turn, middle)[0]
        points = _rectangle(width * side, depth * side, turn, centre)
        canvas.polygon(np.hstack([points, np.full((4, 1), height)]), ink)

    raised(0.9, 0.45, 0.0, -0.2, _random_colour(rng))
    raised(0.9, 0.35, 0.0, 0.22, _random_colour(rng))
    raised(0.6, 0.12, 0.0, 0.35, jitter(rng, (200, 225, 240), 10))


def back(canvas: Canvas, middle: Point, rng: np.random.Generator, thickness: float) -> None:
    """A domino lying face down: a plain back with a number."""
    turn = 90.0 * rng.integers(4) + rng.normal(0, 20)
    colour = jitter(rng, ((70, 90, 120), (110, 80, 60), (60, 60, 70), (60, 110, 130))[rng.integers(4)], 14)
    shape = _rectangle(1.96, 0.96, turn, middle)
    canvas.cast(shape, thickness)
    canvas.shade()
    canvas.slab(shape, -thickness, 0.0, _shaded(colour, 0.5))
    canvas.polygon(shape, colour)
    canvas.polygon(_rectangle(1.8, 0.8, turn, middle), _shaded(colour, 1.12))
    canvas.polygon(_rectangle(0.3, 0.34, turn, middle), jitter(rng, (190, 215, 225), 10))


def hand(canvas: Canvas, towards: Point, rng: np.random.Generator) -> None:
    """A hand that reaches in from the frame's edge: an arm and a few fingers, in pixels."""
    height, width = canvas.colours.shape[:2]
    skin = jitter(rng, _SKINS[rng.integers(len(_SKINS))], 10)
    goal = canvas.camera.project(np.asarray([towards]))[0]
    unit = float(np.linalg.norm(canvas.camera.project([np.asarray(towards) + (1, 0)])[0] - goal))
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-way[1], way[0]])
    layer = np.zeros((height, width), np.uint8)

    def limb(a: npt.NDArray[np.floating], b: npt.NDArray[np.floating], thick: float) -> None:
        ends = [tuple(int(v) for v in np.clip(p, -20000, 20000)) for p in (a, b)]
        cv2.line(layer, ends[0], ends[1], 255, max(1, min(int(thick), 2000)), cv2.LINE_AA)

    palm = goal + way * unit * 2.3
    limb(palm, palm + way * 3 * max(height, width), unit * 1.3)
    for finger in range(4):
        spread = (finger - 1.5) * 0.36
        tip = palm - way * unit * rng.uniform(0.9, 1.9) + across * unit * spread * 1.6
        limb(palm + across * unit * spread, tip, unit * 0.38)
    soft = cv2.GaussianBlur(layer, (0, 0), max(unit * 0.10, 0.6)).astype(np.float32) / 255
    fill = (np.asarray(skin, np.float32) * (0.7 + 0.35 * soft[..., None])).clip(0, 255).astype(np.uint8)
    edge = layer.astype(np.float32) / 255
    shade = cv2.GaussianBlur(edge, (0, 0), max(unit * 0.3, 1.0)) * (1 - edge)
    darkened = (canvas.colours * (1 - 0.45 * shade[..., None])).astype(np.uint8)
    canvas.colours[:] = cv2.blendLinear(fill, darkened, edge, 1 - edge)
    canvas.cover[layer > 127] = 255


def _random_colour(rng: np.random.Generator) -> Colour:
    hue, saturation, value = rng.uniform(0, 180), rng.uniform(60, 230), rng.uniform(70, 235)
    pixel = cv2.cvtColor(np.array([[[hue, saturation, value]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return (float(pixel[0]), float(pixel[1]), float(pixel[2]))


Prop = Callable[[Canvas, Point, np.random.Generator], None]
# Props with the room they need, in squares around their middle, and how often they lie about.
PROPS: tuple[tuple[Prop, float, float], ...] = (
    (card, 1.4, 0.20), (paper, 3.2, 0.10), (pen, 2.0, 0.15), (die, 0.4, 0.10), (coin, 0.4, 0.10), (phone, 2.1, 0.07),
    (cup, 1.3, 0.08), (box, 4.6, 0.10), (king, 0.4, 0.10),
)  # fmt: skip
