"""The composer: kingdoms, a source of tiles and dice in; a photograph and its truth out."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from engine import Kingdom

from . import props, tables
from .camera import Camera, aim
from .canvas import GLOSS_UNIT, Canvas, rim
from .config import CASTLE_COLOURS, CastleColour, SceneConfig
from .layout import Spread, spread
from .light import develop, expose
from .measure import in_photo, truth_of
from .pieces import Manner, Piece, pieces_of
from .sources import Tiles, TileSource, side_for
from .surroundings import clutter, cut_neighbour, strays
from .texture import Array, Picture, to_picture
from .truth import Scene, Stray

# A camera is aimed at no less table than this many squares.
_ROOM_TO_GROW = (2.5, 6.0)
_UNIT_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
# Textures of the table are made at this side; for large pictures at the larger one.
_TABLE_SIDE = 640
_LARGE_TABLE_SIDE = 2048
_LARGE_FROM = 900
# A painted texture spans so many squares of a kingdom.
_TABLE_SPAN = (5.0, 22.0)


def compose(
    kingdoms: Sequence[Kingdom],
    source: TileSource,
    rng: np.random.Generator,
    config: SceneConfig | None = None,
    sizes: Sequence[int] | None = None,
) -> Scene:
    """Lay the kingdoms on a table, light and photograph them.

    `sizes` are the sizes (5 or 7) the kingdoms are played on; without them the extent decides.
    """
    config = config or SceneConfig()
    kingdoms = [kingdom.trimmed() for kingdom in kingdoms]
    sizes = [_size(k) for k in kingdoms] if sizes is None else list(sizes)
    laid = list(spread(kingdoms, rng))
    seen = _seen(laid, config, rng)
    camera = aim(seen, config, rng)
    if laid and _chosen(config.cut_neighbour, config.cut_neighbour_share, rng):
        neighbour = cut_neighbour(laid, camera, config, rng)
        if neighbour is not None:
            laid.append(neighbour)
            sizes.append(_size(neighbour.kingdom))

    manner = Manner.draw(config, rng)
    unit = _unit(camera, seen)
    light = rng.uniform(0.15, 0.9) * _direction(rng)
    canvas = Canvas(
        camera,
        np.empty((config.size[1], config.size[0], 3), np.uint8),
        (light[0], light[1]),
        unit=unit,
        softness=unit * rng.uniform(0.02, 0.09),
        darkness=rng.uniform(0.35, 0.8),
    )
    _lay_table(canvas, source, config, manner, unit, rng)
    pieces = [pieces_of(s, manner, rng) for s in laid]
    loose = strays(laid, camera, config, manner, rng)
    clutter(canvas, laid, loose, config, manner, rng)
    tiles = source.deal(rng)
    castle_colours = _castle_colours(len(laid), config, rng)
    _lay_tiles(canvas, [*pieces, loose], castle_colours, tiles, manner, rng)
    canvas.cover[:] = 0
    hand = _stand(canvas, laid, pieces, castle_colours, config, rng)
    image, washed = expose(canvas.colours, canvas.gloss / np.float32(GLOSS_UNIT), config, rng)
    image = develop(image, config, rng)

    truths = [truth_of(s, p, size, canvas, washed, config) for s, p, size in zip(laid, pieces, sizes, strict=True)]
    truths.sort(key=lambda truth: (truth.cut, -truth.area))
    stray = [
        Stray(square, in_photo(camera.project(piece.table_corners(i))))
        for piece in loose
        for i, square in enumerate(piece.shows)
    ]
    return Scene(image, tuple(truths), tuple(stray), config=config, hand=hand)


def _chosen(asked: bool | None, share: float, rng: np.random.Generator) -> bool:
    drawn = bool(rng.random() < share)
    return drawn if asked is None else asked


def _size(kingdom: Kingdom) -> int:
    return 7 if max(kingdom.height, kingdom.width) > 5 else 5


def _seen(laid: Sequence[Spread], config: SceneConfig, rng: np.random.Generator) -> Array:
    """The points the camera is aimed at: the kingdoms, and for small ones the table they will grow into."""
    room = rng.uniform(*_ROOM_TO_GROW)
    if not laid:
        return _UNIT_SQUARE * room
    corners = np.vstack([s.corners for s in laid])
    low, high = corners.min(axis=0), corners.max(axis=0)
    if config.fill is not None or float(np.max(high - low)) >= room:
        return corners
    off = np.clip(rng.normal(0.0, 0.3, 2), -0.5, 0.5) * (room - (high - low))
    grown = (low + high) / 2 + off + (_UNIT_SQUARE - 0.5) * room
    return np.vstack([corners, grown])


def _direction(rng: np.random.Generator) -> Array:
    angle = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(angle), np.sin(angle)])


def _unit(camera: Camera, seen: Array) -> float:
    """Pixels a square in the middle of what is seen."""
    middle = seen.mean(axis=0)
    quad = camera.project(middle + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]))
    return float(np.sqrt(abs(cv2.contourArea(quad)) + 1e-6))


def _lay_table(
    canvas: Canvas, source: TileSource, config: SceneConfig, manner: Manner, unit: float, rng: np.random.Generator
) -> None:
    """Cover the frame with a table, painted or real."""
    texture, squares = _table(source, config, unit, rng)
    canvas.carpet(texture, squares, rng.uniform(0, 360), -manner.thickness, rng.uniform(-30, 30, 2))
    # The same texture in another dye is another table.
    if config.table is None and rng.random() < config.dyed_share:
        canvas.colours[:] = cv2.LUT(canvas.colours, _dye_table(1 + rng.normal(0, 0.14, 3)))
    if _chosen(config.edge, config.edge_share, rng):
        _lay_beside(canvas, *_table(source, config, unit, rng), manner, rng)
    canvas.gloss[:] = round(GLOSS_UNIT * rng.uniform(0.0, 0.6))


def _table(source: TileSource, config: SceneConfig, unit: float, rng: np.random.Generator) -> tuple[Picture, float]:
    """A texture and how many squares it spans."""
    width = max(config.size)
    real = source.table(rng) if config.table is None and rng.random() < config.real_table_share else None
    if real is not None:
        # Real crops are small: each covers a part of the frame, then is mirrored on.
        return real, width * rng.uniform(0.25, 1.0) / unit
    names = sorted(tables.KINDS)
    weights = np.array([tables.WEIGHTS[name] for name in names])
    kind = names[rng.choice(len(names), p=weights / weights.sum())] if config.table is None else config.table
    side = _TABLE_SIDE if width < _LARGE_FROM else _LARGE_TABLE_SIDE
    texture = tables.texture(kind, int(rng.integers(tables.VARIANTS)), side)
    squares = float(np.exp(rng.uniform(np.log(_TABLE_SPAN[0]), np.log(_TABLE_SPAN[1]))))
    return texture, max(squares, 0.5 * width / unit)


def _lay_beside(canvas: Canvas, texture: Picture, squares: float, manner: Manner, rng: np.random.Generator) -> None:
    """Another surface beyond a straight edge: the floor, the rim of a mat, a second cloth."""
    first = canvas.colours.copy()
    canvas.carpet(texture, squares, rng.uniform(0, 360), -manner.thickness, rng.uniform(-30, 30, 2))
    height, width = first.shape[:2]
    way, reach = _direction(rng), 2.0 * (height + width)
    across = np.array([-way[1], way[0]])
    start = np.array([width, height]) / 2 + way * rng.uniform(0.1, 0.5) * max(width, height)
    beyond = np.array(
        [start - across * reach, start + across * reach, start + (across + way) * reach, start + (way - across) * reach]
    )
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.round(beyond).astype(np.int32), 255, cv2.LINE_AA)
    share = mask.astype(np.float32) / 255
    canvas.colours[:] = cv2.blendLinear(canvas.colours, first, share, 1 - share)


def _dye_table(gains: npt.NDArray[np.float64]) -> Picture:
    levels = np.arange(256, dtype=np.float32)[:, None] * gains.astype(np.float32)
    return to_picture(levels).reshape(1, 256, 3)


def _lay_tiles(
    canvas: Canvas,
    groups: Sequence[Sequence[Piece]],
    colours: Sequence[CastleColour],
    tiles: Tiles,
    manner: Manner,
    rng: np.random.Generator,
) -> None:
    """Shadows first, then all sides, then all faces: faces lie in one plane and never hide each other."""
    everything = [piece for group in groups for piece in group]
    for piece in everything:
        corners = piece.table_corners()
        canvas.cast(corners, manner.thickness * 1.5, ground=-manner.thickness)
    canvas.shade()
    for piece in everything:
        canvas.slab(piece.table_corners(), -manner.thickness, 0.0, manner.side)
    for group, colour in zip(groups, [*colours, None], strict=True):
        for piece in group:
            quad = canvas.camera.project(piece.table_corners())
            pixels = float(np.sqrt(abs(cv2.contourArea(quad)) / len(piece.cells)))
            side = side_for(1.15 * pixels)
            art = _art(piece, colour, tiles, side, rng)
            art = _worn(art, piece, manner, rng)
            canvas.tile(art, piece.lie / np.array([side, side, 1.0]), quad)
            canvas.shine(quad, float(np.clip(rng.normal(0.95, manner.unevenness), 0.1, 1.4)))


def _art(piece: Piece, colour: CastleColour | None, tiles: Tiles, side: int, rng: np.random.Generator) -> Picture:
    if len(piece.shows) == 2:
        return tiles.domino(piece.shows[0], piece.shows[1], side, rng)
    if piece.shows:
        return tiles.square(piece.shows[0], side, rng)
    return tiles.castle(colour or CASTLE_COLOURS[0], side, rng)


def _worn(art: Picture, piece: Piece, manner: Manner, rng: np.random.Generator) -> Picture:
    """The tile as this copy and this light show it: a shade of its own, terrain dyes of the scene, a darker rim."""
    height, width = art.shape[:2]
    gain = np.float32(rng.normal(1.0, 0.025)) - np.float32(manner.rim) * rim(height, width)
    worn = cv2.multiply(art, cv2.merge([gain] * 3), dtype=cv2.CV_8U)
    for i, square in enumerate(piece.shows):
        half = worn[:, i * height : (i + 1) * height]
        half[:] = cv2.add(half, np.array((*manner.tints[square.terrain], 0.0)), dtype=cv2.CV_8U)
    return worn


def _castle_colours(count: int, config: SceneConfig, rng: np.random.Generator) -> list[CastleColour]:
    order = [CASTLE_COLOURS[i] for i in rng.permutation(4)]
    colours = [order[i % 4] for i in range(count)]
    if config.castle_colour is not None and colours:
        colours[0] = config.castle_colour
    return colours


def _stand(
    canvas: Canvas,
    laid: Sequence[Spread],
    pieces: Sequence[Sequence[Piece]],
    colours: Sequence[CastleColour],
    config: SceneConfig,
    rng: np.random.Generator,
) -> bool:
    """Castles, kings and a hand, over the tiles; returns whether there is a hand."""
    standing = _chosen(None if config.castle is None else config.castle == "standing", config.standing_share, rng)
    for spread_, group, colour in zip(laid, pieces, colours, strict=True):
        for piece in group:
            if standing and not piece.shows:
                middle = piece.table_corners().mean(axis=0) + rng.normal(0, 0.04, 2)
                props.castle(canvas, middle, spread_.turn, colour, rng)
        if config.king_on_board_share * config.kings_share > rng.random():
            piece = group[int(rng.integers(len(group)))]
            props.king(canvas, piece.table_corners().mean(axis=0) + rng.normal(0, 0.2, 2), rng)
    hand = bool(laid) and bool(rng.random() < config.hand_share)
    if hand:
        middle = laid[0].place(rng.uniform(0, 1, (1, 2)) * (laid[0].kingdom.width, laid[0].kingdom.height))[0]
        props.hand(canvas, middle, rng)
    return hand
