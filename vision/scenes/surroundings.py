"""What lies about the kingdoms: loose dominoes, props, another kingdom that the frame cuts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import DOMINOES, EMPTY, Square

from . import props
from .camera import Camera
from .canvas import Canvas
from .config import SceneConfig
from .layout import Spread
from .pieces import Manner, Piece, lie
from .texture import Array

# Strays lie askew; half of them lie this far from every kingdom as well, the others may touch one.
_STRAY_APART = 0.45
_STRAY_TOUCHING = 0.04
# So often a place is sought before it is given up.
_TRIES = 12
# Room around a loose domino, and free table between a prop and a kingdom.
_STRAY_ROOM = 1.1
_PROP_APART = 0.1


def _occupied(laid: Sequence[Spread], points: Array, margin: float) -> bool:
    """Whether any point (n, 2) of the table lies within the margin of a tile of a kingdom."""
    offsets = np.array([[dx, dy] for dx in (-margin, 0.0, margin) for dy in (-margin, 0.0, margin)])
    for one in laid:
        kingdom = one.kingdom
        cos, sin = np.cos(np.radians(one.turn)), np.sin(np.radians(one.turn))
        local = (points - np.asarray(one.middle)) @ np.array([[cos, -sin], [sin, cos]])
        local += np.array([kingdom.width, kingdom.height]) / 2
        cells = np.floor(local[:, None] + offsets).astype(int).reshape(-1, 2)
        inside = np.all((cells >= 0) & (cells < (kingdom.width, kingdom.height)), axis=1)
        if any(kingdom.cell(int(y), int(x)) is not EMPTY for x, y in np.unique(cells[inside], axis=0)):
            return True
    return False


def _somewhere(canvas_size: tuple[int, int], camera: Camera, rng: np.random.Generator) -> Array:
    """A point of the table that is in view or just outside, more often near the frame's edge."""
    spot = rng.uniform(-0.08, 1.08, 2)
    if rng.random() < 0.5:
        spot[rng.integers(2)] = rng.choice((rng.normal(0.04, 0.06), rng.normal(0.96, 0.06)))
    pixel = np.array([spot[0] * canvas_size[0], spot[1] * canvas_size[1], 1.0])
    back = np.linalg.inv(camera.plane()) @ pixel
    where: Array = back[:2] / back[2]
    return where


def _outline(middle: Array, radius: float) -> Array:
    spin = np.linspace(0, 2 * np.pi, 10, False)
    ring = middle + radius * np.stack([np.cos(spin), np.sin(spin)], 1)
    return np.vstack([middle[None], ring, middle + (ring - middle) / 2])


def strays(
    laid: Sequence[Spread], camera: Camera, config: SceneConfig, manner: Manner, rng: np.random.Generator
) -> list[Piece]:
    """Loose face-up dominoes: anywhere, at the frame's edge, and askew against a kingdom."""
    count = int(rng.integers(1, config.max_strays + 1)) if rng.random() < config.stray_share else 0
    if config.strays is not None:
        count = config.strays
    found: list[Piece] = []
    for _ in range(count * _TRIES):
        if len(found) == count:
            break
        near = laid and rng.random() < 0.35
        if near:
            one = laid[int(rng.integers(len(laid)))]
            w, h = one.kingdom.width, one.kingdom.height
            middle = one.place([rng.uniform(-1.4, 1.4, 2) + rng.uniform(0, 1, 2) * (w, h)])[0]
        else:
            middle = _somewhere(config.size, camera, rng)
        turn = float(rng.uniform(15, 75) + 90 * rng.integers(4) + (laid[0].turn if laid else 0.0))
        shows = _random_pair(rng)
        piece = Piece(((0, 0), (0, 1)), shows, lie(2, turn, middle, 1 - manner.gap))
        grid = np.stack(np.meshgrid(np.linspace(0, 2, 9), np.linspace(0, 1, 5)), -1).reshape(-1, 2)
        body = (np.hstack([grid, np.ones((len(grid), 1))]) @ piece.lie.T)[:, :2]
        apart = all(float(np.min(np.linalg.norm(p.table_corners().mean(0) - body, axis=1))) > 1.2 for p in found)
        if apart and not _occupied(laid, body, _STRAY_TOUCHING if rng.random() < 0.5 else _STRAY_APART):
            found.append(piece)
    return found


def _random_pair(rng: np.random.Generator) -> tuple[Square, Square]:
    domino = DOMINOES[rng.integers(len(DOMINOES))]
    return domino.a, domino.b


def clutter(
    canvas: Canvas,
    laid: Sequence[Spread],
    loose: Sequence[Piece],
    config: SceneConfig,
    manner: Manner,
    rng: np.random.Generator,
) -> None:
    """Things about the table that are no tiles, and dominoes face down; none on another."""
    taken = [(piece.table_corners().mean(axis=0), _STRAY_ROOM) for piece in loose]
    amount = float(rng.gamma(0.8, 0.4)) if config.clutter is None else config.clutter
    weights = np.array([weight for _, _, weight in props.PROPS])
    for _ in range(int(rng.poisson(3 * amount))):
        down = rng.random() < 0.2
        prop, radius, _ = props.PROPS[rng.choice(len(props.PROPS), p=weights / weights.sum())]
        room = 1.2 if down else radius
        for _ in range(_TRIES):
            middle = _somewhere(config.size, canvas.camera, rng)
            clear = all(float(np.hypot(*(middle - at))) > room + around for at, around in taken)
            if clear and not _occupied(laid, _outline(middle, room), _PROP_APART):
                taken.append((middle, room))
                if down:
                    props.back(canvas, middle, rng, manner.thickness)
                else:
                    prop(canvas, middle, rng)
                break


def cut_neighbour(
    laid: Sequence[Spread], camera: Camera, config: SceneConfig, rng: np.random.Generator
) -> Spread | None:
    """Another player's kingdom that the frame cuts, or None where there is no room."""
    kingdom = laid[0].kingdom.rotated(int(rng.integers(4)))
    reach = float(np.hypot(kingdom.width, kingdom.height)) / 2
    for _ in range(_TRIES):
        spot = rng.uniform(0, 1, 2)
        spot[rng.integers(2)] = rng.choice((-0.02, 1.02))
        pixel = np.array([spot[0] * config.size[0], spot[1] * config.size[1], 1.0])
        back = np.linalg.inv(camera.plane()) @ pixel
        middle = back[:2] / back[2]
        one = Spread(kingdom, (float(middle[0]), float(middle[1])), float(rng.uniform(0, 360)))
        clear = all(
            float(np.hypot(*(np.asarray(s.middle) - middle)))
            > reach + float(np.hypot(s.kingdom.width, s.kingdom.height)) / 2 + 0.3
            for s in laid
        )
        if clear:
            return one
    return None
