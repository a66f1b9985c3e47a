"""A kingdom drawn as one SVG picture with a description. What the squares look like is in `ui.icons`.

Streamlit takes drawings out of the HTML it is given, so a picture travels as an image with its own text.
Such an image does not know the colours of the page: what stands outside the squares is a grey that light and
dark pages both show well.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from html import escape
from typing import Final

from engine import EMPTY, Cell, Kingdom, Position
from ui.icons import CROWN, GREY, SIDE, drawing

# Room for the numbers of rows and columns, in the units of the drawing.
_MARGIN: Final = 24
# Room for half an outline on the other two sides.
_EDGE: Final = 4
# In units of the page's type size.
_LARGEST_SQUARE: Final = 6.2
_LARGEST_BOARD: Final = 31.0
_MARKED: Final = "#d3122f"
_NOTED: Final = "#1f8f4d"
_OUTLINE: Final = "#1d1a16"
_NAMESPACE: Final = 'xmlns="http://www.w3.org/2000/svg"'


def image(
    kingdom: Kingdom,
    label: str,
    *,
    dominoes: Iterable[Sequence[Position]] = (),
    marked: Collection[Position] = (),
    chosen: Collection[Position] = (),
    noted: Collection[Position] = (),
) -> str:
    """Return the kingdom as an HTML image.

    Dominoes are outlined, marked squares crossed in red, noted ones ticked in green; where squares are chosen, the
    others are dim.
    Rows and columns are numbered from 1, as in every sentence about a square.
    """
    width, height = kingdom.width * SIDE, kingdom.height * SIDE
    joined = {cell: frozenset(cells) for cells in dominoes for cell in cells}
    view = f"{-_MARGIN} {-_MARGIN} {width + _MARGIN + _EDGE} {height + _MARGIN + _EDGE}"
    parts = [f'<svg viewBox="{view}" {_NAMESPACE}>', *_numbers(kingdom)]
    for (row, column), cell in kingdom:
        dim = ' opacity=".3"' if chosen and (row, column) not in chosen else ""
        parts.append(f'<g transform="translate({column * SIDE} {row * SIDE})"{dim}>{drawing(cell)}</g>')
    parts.append(_outlines(kingdom, joined))
    parts += [_tick(position) for position in sorted(noted)]
    parts += [_cross(position) for position in sorted(marked)]
    # Few squares are drawn no larger than needed, many share the room there is.
    side = min(_LARGEST_SQUARE, _LARGEST_BOARD / max(kingdom.width, kingdom.height))
    style = f"max-width:{side * (width + _MARGIN + _EDGE) / SIDE:.2f}rem"
    return _html_image("".join(parts) + "</svg>", label, f'class="kd-board" style="{style}"')


@lru_cache
def icon(cell: Cell) -> str:
    """Return one square as a small HTML image for use beside words that say the same."""
    return _html_image(f'<svg viewBox="0 0 {SIDE} {SIDE}" {_NAMESPACE}>{drawing(cell)}</svg>', "", 'class="kd-icon"')


def crown(label: str) -> str:
    """A crown as a small HTML image, for whoever won."""
    return _html_image(f'<svg viewBox="-11 -9 22 16" {_NAMESPACE}>{CROWN}</svg>', label, 'class="kd-crown"')


def _html_image(svg: str, label: str, attributes: str) -> str:
    data = b64encode(svg.encode()).decode()
    return f'<img {attributes} alt="{escape(label)}" src="data:image/svg+xml;base64,{data}">'


def _numbers(kingdom: Kingdom) -> list[str]:
    style = f'font-size="15" fill="{GREY}" text-anchor="middle" font-family="sans-serif"'
    middles = [(index + 1, index * SIDE + SIDE / 2) for index in range(max(kingdom.width, kingdom.height))]
    across = [f'<text x="{x:g}" y="-7" {style}>{number}</text>' for number, x in middles[: kingdom.width]]
    down = [f'<text x="-12" y="{y + 5:g}" {style}>{number}</text>' for number, y in middles[: kingdom.height]]
    return across + down


def _outlines(kingdom: Kingdom, joined: dict[Position, frozenset[Position]]) -> str:
    """Edges of every square that is there; the edge inside a domino is left out."""
    edges = set()
    for (row, column), cell in kingdom:
        if cell is EMPTY:
            continue
        here = joined.get((row, column), frozenset())
        left, top = column * SIDE, row * SIDE
        for neighbour, edge in (
            ((row - 1, column), f"M{left} {top}h{SIDE}"),
            ((row + 1, column), f"M{left} {top + SIDE}h{SIDE}"),
            ((row, column - 1), f"M{left} {top}v{SIDE}"),
            ((row, column + 1), f"M{left + SIDE} {top}v{SIDE}"),
        ):
            if neighbour not in here:
                edges.add(edge)
    path = "".join(sorted(edges))
    return f'<path d="{path}" fill="none" stroke="{_OUTLINE}" stroke-width="3" stroke-linecap="round"/>'


def _cross(position: Position) -> str:
    """A red frame and a small cross in the corner: seen without colour too."""
    return _framed(position, _MARKED, "m-4-4l8 8m0-8l-8 8")


def _tick(position: Position) -> str:
    """A green frame and a small tick in the corner."""
    return _framed(position, _NOTED, "m-5 0l3.5 4l6.5-8")


def _framed(position: Position, colour: str, sign: str) -> str:
    row, column = position
    left, top, inset = column * SIDE, row * SIDE, 3.5
    x, y = left + SIDE - 15, top + SIDE - 15
    white = 'stroke="#fff" stroke-linecap="round"'
    return (
        f'<rect x="{left + inset}" y="{top + inset}" width="{SIDE - 2 * inset}" height="{SIDE - 2 * inset}" '
        f'rx="5" fill="none" stroke="{colour}" stroke-width="5"/>'
        f'<circle cx="{x}" cy="{y}" r="10" fill="{colour}" stroke-width="1.5" {white}/>'
        f'<path d="M{x} {y}{sign}" fill="none" stroke-width="2.6" {white}/>'
    )
