"""The score card of a game as a picture to share: players in their order, their kingdoms, what each terrain gave."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import streamlit
from PIL import Image, ImageDraw, ImageFont

from engine import CASTLE, EMPTY, Cell, Kingdom, Score, Square, Terrain
from store import SavedGame
from ui import text
from ui.language import _
from ui.podium import SHADES
from vision.scenes import CASTLE_COLOURS, OwnArt

# All lengths in pixels of the picture.
_WIDTH: Final = 1080
_MARGIN: Final = 48
_HEAD: Final = 150
_ROW: Final = 372
_FOOT: Final = 66
_BOARD: Final = 320
_LARGEST_SQUARE: Final = 64
_PAPER: Final = (250, 246, 236)
_INK: Final = (40, 34, 28)
_FAINT: Final = (122, 112, 100)
_GOLD: Final = (140, 96, 0)
_FRAME: Final = (226, 217, 199)
_ART: Final = OwnArt(variants=1)
_SEED: Final = 9
_FONTS: Final = Path(streamlit.__file__).parent / "static" / "static" / "media"


def score_card(game: SavedGame) -> bytes:
    """The card of a game as PNG."""
    standings = game.ranking.standings
    height = _HEAD + _ROW * len(standings) + _FOOT
    picture = Image.new("RGB", (_WIDTH, height), _PAPER)
    draw = ImageDraw.Draw(picture)
    _write(draw, (_MARGIN, 34), text.APP_NAME, 54, bold=True)
    line = f"{game.played_at:%Y-%m-%d} · {game.rules.size}×{game.rules.size}"
    if game.dynasty is not None:
        line += _(" · game {n} of the Dynasty {name}").format(n=game.dynasty.slot, name=game.dynasty.name)
    _write(draw, (_MARGIN, 98), line, 30, _FAINT)
    for number, standing in enumerate(standings):
        seat = game.seats[standing.player]
        top = _HEAD + number * _ROW
        if standing.place == 1:
            draw.rounded_rectangle((20, top, _WIDTH - 20, top + _ROW - 14), 24, (252, 240, 205))
        _board(picture, seat.kingdom, seat.colour, (_MARGIN, top + 18))
        _player(draw, (_MARGIN + _BOARD + 40, top + 24), standing.place, seat.player.name, seat.colour, standing.score)
    _write(draw, (_MARGIN, height - 50), game.ranking.decided, 26, _FAINT)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def _player(
    draw: ImageDraw.ImageDraw, at: tuple[int, int], place: int, name: str, colour: str | None, score: Score
) -> None:
    left, top = at
    if colour in SHADES:
        draw.ellipse((left, top + 14, left + 28, top + 42), SHADES[colour], _INK, 2)
    _write(draw, (left + 40, top), f"{place}.  {name}", 44, _GOLD if place == 1 else _INK, bold=True)
    _write(draw, (left, top + 56), text.points_count(score.total), 56, bold=True)
    lines = [
        f"{text.terrain_name(terrain)} {points}"
        for terrain in Terrain
        if (points := sum(each.points for each in score.territories if each.terrain is terrain))
    ]
    lines += [f"{bonus.name} {bonus.points}" for bonus in (score.middle_kingdom, score.harmony) if bonus.points]
    for number, line in enumerate(lines):
        column, row = divmod(number, 4)
        _write(draw, (left + 300 * column, top + 138 + 40 * row), line, 30, most=290)


def _write(
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    words: str,
    size: int,
    colour: tuple[int, int, int] = _INK,
    *,
    bold: bool = False,
    most: int | None = None,
) -> None:
    """Write a line; one that is too long for its place ends in dots."""
    font = _font(size, bold)
    line = " ".join(words.split())
    room = most or _WIDTH - _MARGIN - at[0]
    if font.getlength(line) > room:
        while line and font.getlength(line + "…") > room:
            line = line[:-1]
        line = line.rstrip() + "…"
    draw.text(at, line, colour, font)


@lru_cache(maxsize=32)
def _font(size: int, bold: bool) -> Any:
    """The font of the pages; where it cannot be used, the one that Pillow brings along."""
    try:
        font = ImageFont.truetype(next(_FONTS.glob("SourceSansVF-Upright*")), size)
        font.set_variation_by_name("Bold" if bold else "Regular")
        return font
    except (OSError, StopIteration, ValueError):
        return ImageFont.load_default(size)


def _board(picture: Image.Image, kingdom: Kingdom, colour: str | None, at: tuple[int, int]) -> None:
    """Paint a kingdom into a square of the card."""
    side = min(_LARGEST_SQUARE, _BOARD // max(kingdom.height, kingdom.width))
    left = at[0] + (_BOARD - side * kingdom.width) // 2
    top = at[1] + (_BOARD - side * kingdom.height) // 2
    draw = ImageDraw.Draw(picture)
    for (row, column), cell in kingdom:
        x, y = left + column * side, top + row * side
        if cell is EMPTY:
            draw.rectangle((x + 2, y + 2, x + side - 3, y + side - 3), None, _FRAME, 2)
            continue
        painted = _painted(cell, colour or CASTLE_COLOURS[0], side)
        if painted is None:
            draw.rectangle((x, y, x + side - 1, y + side - 1), _FRAME, _FAINT, 1)
            _write(draw, (x + side // 3, y + side // 6), "?", side // 2, _FAINT)
        else:
            picture.paste(painted, (x, y))
            draw.rectangle((x, y, x + side - 1, y + side - 1), None, _INK, 1)


@lru_cache(maxsize=256)
def _painted(cell: Cell, colour: str, side: int) -> Image.Image | None:
    """A square in the project's own art; None for one that was not read or that no domino has."""
    dice = np.random.default_rng(_SEED)
    if cell is CASTLE:
        painted = _ART.castle(colour, _LARGEST_SQUARE, dice)  # type: ignore[arg-type]
    elif isinstance(cell, Square) and cell.exists:
        painted = _ART.square(cell, _LARGEST_SQUARE, dice)
    else:
        return None
    smaller = cv2.resize(painted, (side, side), interpolation=cv2.INTER_AREA)
    return Image.fromarray(cv2.cvtColor(smaller, cv2.COLOR_BGR2RGB))
