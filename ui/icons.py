"""The project's own drawings of terrains, castle and crowns, as pieces of SVG.

Every terrain has a shape of its own besides its colour, because wheat and grassland look alike to many
people. A drawing fills a square of `SIDE` units whose upper left corner is at the origin. Only the drawings
live here; `ui.board` puts them together.
"""

from __future__ import annotations

from typing import Final

from engine import CASTLE, UNREAD, Cell, Square, Terrain

SIDE: Final = 64
#: Seen on a light page and on a dark one.
GREY: Final = "#85868d"

#: The colour of each terrain's ground. The shapes on it are darker or lighter by far more than the eye needs.
GROUND: Final[dict[Terrain, str]] = {
    Terrain.WHEAT: "#efc54a",
    Terrain.FOREST: "#2c6e3f",
    Terrain.LAKE: "#4a9bdc",
    Terrain.GRASSLAND: "#a9d65c",
    Terrain.SWAMP: "#9c8763",
    Terrain.MINE: "#55505c",
}

_EAR: Final = (
    '<path d="M0 27V-9" stroke="#7a4f0b" stroke-width="2.4" stroke-linecap="round"/>'
    '<path d="M0-17q5 5 0 11q-5-6 0-11zM0-4q3-7 9-8q0 7-9 11zM0-4q-3-7-9-8q0 7 9 11z'
    'M0 5q3-7 9-8q0 7-9 11zM0 5q-3-7-9-8q0 7 9 11z" fill="#a8690c" stroke="#7a4f0b" stroke-width=".8"/>'
)
_FIR: Final = (
    '<path d="M-2.2 15h4.4v7h-4.4z" fill="#4a2f17"/>'
    '<path d="M0-21l8 12h-4l8 11h-4l8 13h-32l8-13h-4l8-11h-4z" fill="#0e3b20" stroke="#a8d59a"/>'
)
_TUFT: Final = '<path d="M0 6q-1-10-8-15q2 8 3 15zM0 6q0-13 1-20q3 8 3 20zM4 6q1-9 9-13q-4 6-5 13z" fill="#3f7a1a"/>'
_REED: Final = (
    '<path d="M0 22V-8" stroke="#2f2a17" stroke-width="2" stroke-linecap="round"/>'
    '<rect x="-3.2" y="-20" width="6.4" height="15" rx="3.2" fill="#4b2c12"/>'
)

DRAWING: Final[dict[Terrain, str]] = {
    Terrain.WHEAT: (
        f'<g transform="translate(17 31) rotate(-8)">{_EAR}</g>'
        f'<g transform="translate(32 29)">{_EAR}</g>'
        f'<g transform="translate(47 31) rotate(8)">{_EAR}</g>'
    ),
    Terrain.FOREST: (
        f'<g transform="translate(20 33) scale(.86)">{_FIR}</g>'
        f'<g transform="translate(45 34) scale(.86)">{_FIR}</g>'
        f'<g transform="translate(32 41) scale(.8)">{_FIR}</g>'
    ),
    Terrain.LAKE: (
        '<g fill="none" stroke="#eaf6ff" stroke-width="3.4" stroke-linecap="round">'
        '<path d="M9 23q6-7 12 0t12 0t12 0t11-1"/><path d="M9 37q6-7 12 0t12 0t12 0t11-1"/>'
        '<path d="M9 51q6-7 12 0t12 0t12 0t11-1"/></g>'
    ),
    Terrain.GRASSLAND: (
        f'<g transform="translate(17 27)">{_TUFT}</g><g transform="translate(42 34)">{_TUFT}</g>'
        f'<g transform="translate(21 52)">{_TUFT}</g>'
        '<g fill="#fff" stroke="#6b8f2c" stroke-width=".6"><circle cx="45" cy="50" r="3"/>'
        '<circle cx="51" cy="50" r="3"/><circle cx="48" cy="46.5" r="3"/>'
        '<circle cx="48" cy="53.5" r="3"/></g>'
        '<circle cx="48" cy="50" r="2.2" fill="#f4b400"/>'
    ),
    Terrain.SWAMP: (
        '<ellipse cx="32" cy="51" rx="25" ry="8" fill="#3f5b4b"/>'
        '<ellipse cx="38" cy="52" rx="8" ry="2.2" fill="#7f9c86"/>'
        f'<g transform="translate(19 30) rotate(-6)">{_REED}</g><g transform="translate(31 32)">{_REED}</g>'
        f'<g transform="translate(44 29) rotate(7)">{_REED}</g>'
    ),
    Terrain.MINE: (
        '<path d="M4 56L22 22l9 14l9-18l20 38z" fill="#2b2730" stroke="#8d8796" stroke-width="1.4"/>'
        '<path d="M24 56V47a8 8 0 0 1 16 0v9z" fill="#0d0b10" stroke="#c89b4a" stroke-width="2.4"/>'
        '<path d="M48 47l4 4l-4 5l-4-5z" fill="#62e0d8"/><path d="M14 48l3 3l-3 4l-3-4z" fill="#f0c94c"/>'
    ),
}

_CASTLE: Final = (
    '<path d="M10 56V22h6v5h5v-5h6v8h10v-8h6v5h5v-5h6v34z" fill="#8a8fa3" stroke="#30323d" stroke-width="2"/>'
    '<path d="M26 56V46a6 6 0 0 1 12 0v10z" fill="#30323d"/>'
    '<path d="M32 30V9" stroke="#30323d" stroke-width="2.2"/><path d="M33 9l13 4.5L33 18z" fill="#c2304a"/>'
)
_UNREAD: Final = (
    '<text x="32" y="46" text-anchor="middle" font-size="40" font-weight="700" fill="#5d5d66" '
    'font-family="sans-serif">?</text>'
)
CROWN: Final = (
    '<path d="M-8 5L-9.5-5.5L-4.2-1.2L0-8L4.2-1.2L9.5-5.5L8 5z" fill="#ffd84a" stroke="#4a3200" '
    'stroke-width="1.5" stroke-linejoin="round"/>'
)
_CROWN_STEP: Final = 19.5
# Where there are crowns, the drawing makes room for them.
_BELOW_CROWNS: Final = "translate(6.4 12.8) scale(.8)"


def drawing(cell: Cell) -> str:
    """The picture of one square, without its frame."""
    if isinstance(cell, Square):
        shape = DRAWING[cell.terrain]
        if cell.crowns:
            shape = f'<g transform="{_BELOW_CROWNS}">{shape}</g>{_crowns(cell.crowns)}'
        return _ground(GROUND[cell.terrain]) + shape
    if cell is CASTLE:
        return _ground("#e6e1d3") + _CASTLE
    if cell is UNREAD:
        return _ground("#d7d7dc") + _UNREAD
    return (
        f'<rect x="3" y="3" width="{SIDE - 6}" height="{SIDE - 6}" rx="6" fill="none" stroke="{GREY}" '
        'stroke-opacity=".6" stroke-dasharray="4 5"/>'
    )


def _ground(colour: str) -> str:
    return f'<rect width="{SIDE}" height="{SIDE}" fill="{colour}"/>'


def _crowns(count: int) -> str:
    """Crowns stand on a dark band at the top, so that they can be counted on any ground."""
    if not count:
        return ""
    width = _CROWN_STEP * count + 4
    left = (SIDE - width) / 2
    crowns = "".join(
        f'<g transform="translate({left + 2 + _CROWN_STEP * (index + 0.5):g} 12)">{CROWN}</g>' for index in range(count)
    )
    band = f'<rect x="{left:g}" y="0.5" width="{width:g}" height="20" rx="6" fill="#201a10a0"/>'
    return band + crowns
