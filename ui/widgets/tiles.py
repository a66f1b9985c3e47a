"""Squares to tap: the board of a kingdom, the choice of what a square shows, and tools. No rules live here.

Every tap counts once and in its order, however fast they come; how is said in `tiles.js`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import streamlit as st

from engine import CASTLE, CELLS, EMPTY, SQUARES, Cell, Kingdom, Position, Square, Terrain
from ui import text
from ui.icons import drawing
from ui.language import _

_HERE: Final = Path(__file__).resolve().parent
_PLACEHOLDER: Final = "/*DRAWINGS*/{}"
_ALL_EDGES: Final = "tblr"
_SCRIPT: Final = (_HERE / "tiles.js").read_text("utf-8")
_DRAWINGS: Final = json.dumps({cell.symbol: drawing(cell) for cell in CELLS})
_NAME: Final = "kingdomino_tiles"

_STYLE: Final = (_HERE / "tiles.css").read_text("utf-8")
# One script for both, so that they share what it remembers.
_CODE: Final = _SCRIPT.replace(_PLACEHOLDER, _DRAWINGS)

_tiles = st.components.v2.component(
    _NAME, html='<div class="scroll"><div class="grid" role="grid"></div></div>', css=_STYLE, js=_CODE
)
_tools = st.components.v2.component(f"{_NAME}_tools", html='<div class="tools"></div>', css=_STYLE, js=_CODE)

#: The squares to choose from: a column for each terrain, a row for each number of crowns, only pairs that exist.
CHOICES: Final[tuple[tuple[Cell | None, ...], ...]] = (
    *(
        tuple(Square(terrain, crowns) if Square(terrain, crowns) in SQUARES else None for terrain in Terrain)
        for crowns in range(3)
    ),
    (CASTLE, EMPTY, None, None, None, Square(Terrain.MINE, 3)),
)
_CHOICE_OF: Final = {cell.symbol: cell for row in CHOICES for cell in row if cell is not None}


@dataclass(frozen=True, slots=True)
class Tap:
    """A tap: on a square of the board, on what this square is to show, or on the tool for a step."""

    number: int
    square: Position | None = None
    choice: Cell | None = None
    step: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A button beside a board: the step it stands for, its words, the name of its icon."""

    step: str
    label: str
    icon: str = ""
    disabled: bool = False


def board(
    kingdom: Kingdom,
    key: str,
    on_tap: Callable[[Tap], None],
    *,
    dominoes: Iterable[Sequence[Position]] = (),
    wrong: Collection[Position] = (),
    doubtful: Collection[Position] = (),
    chosen: Collection[Position] = (),
    opened: Position | None = None,
) -> None:
    """Show a kingdom whose squares can be tapped; `on_tap` gets every tap on it and on its choices once, in order."""
    joined = {cell: frozenset(cells) for cells in dominoes for cell in cells}
    rows: list[list[dict[str, Any]]] = [[] for _row in kingdom.rows]
    for position, cell in kingdom:
        marks = [
            name
            for name, holds in (
                ("wrong", position in wrong),
                ("doubtful", position in doubtful),
                ("dim", bool(chosen) and position not in chosen),
                ("open", position == opened),
            )
            if holds
        ]
        words = text.square_label(position, cell, wrong="wrong" in marks, doubtful="doubtful" in marks)
        edges = "" if cell is EMPTY else _edges(position, joined.get(position, frozenset()))
        rows[position[0]].append({"symbol": cell.symbol, "label": words, "marks": marks, "edges": edges})
    taken = f"{key} taken"

    def tapped() -> None:
        for tap in taps_of(st.session_state[key].taps):
            # What was sent again, because the answer took its time, is not done again.
            if tap.number > st.session_state.get(taken, 0):
                st.session_state[taken] = tap.number
                on_tap(tap)

    data = {
        "kind": "board",
        "board": key,
        "taken": st.session_state.get(taken, 0),
        "numbers": True,
        "label": _("The kingdom, square by square"),
        "cells": rows,
    }
    _tiles(data=data, key=key, on_taps_change=tapped)


def picker(current: Cell, square: Position, board_key: str) -> None:
    """Show everything that a square of a board can be; the board hears which one was tapped."""
    cells = [
        [
            cell
            and {
                "symbol": cell.symbol,
                "label": text.cell_words(cell),
                "marks": ["open"] if cell == current else [],
                "edges": _ALL_EDGES,
            }
            for cell in row
        ]
        for row in CHOICES
    ]
    data = {
        "kind": "picker",
        "board": board_key,
        "square": square,
        "numbers": False,
        "label": _("What the square shows"),
        "cells": cells,
    }
    _tiles(data=data, key=f"{board_key} choices")


def tools(buttons: Sequence[Tool], key: str, board_key: str) -> None:
    """Show buttons that belong to a board, which hears which one was tapped."""
    shown = [{"name": each.step, "label": each.label, "icon": each.icon, "disabled": each.disabled} for each in buttons]
    _tools(data={"kind": "tools", "board": board_key, "tools": shown}, key=key)


def taps_of(value: object) -> list[Tap]:
    """The taps that a browser sends, in the order in which they were made; anything else in it is left out."""
    found = []
    for each in value if isinstance(value, list) else ():
        match each:
            case [int(number), "open", int(row), int(column)]:
                found.append(Tap(number, (row, column)))
            case [int(number), "put", int(row), int(column), str(symbol)] if symbol in _CHOICE_OF:
                found.append(Tap(number, (row, column), _CHOICE_OF[symbol]))
            case [int(number), "step", str(step)]:
                found.append(Tap(number, step=step))
    return sorted(found, key=lambda tap: tap.number)


def _edges(position: Position, domino: frozenset[Position]) -> str:
    """The sides of a square that get a line: all but the one inside its domino."""
    row, column = position
    sides = {"t": (row - 1, column), "b": (row + 1, column), "l": (row, column - 1), "r": (row, column + 1)}
    return "".join(side for side, neighbour in sides.items() if neighbour not in domino)
