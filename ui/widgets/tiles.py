"""Squares to tap: the board of a kingdom and the choice of what a square shows. No rules and no state live here."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
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

_tiles = st.components.v2.component(
    _NAME,
    html='<div class="scroll"><div class="grid" role="grid"></div></div>',
    css=(_HERE / "tiles.css").read_text("utf-8"),
    js=_SCRIPT.replace(_PLACEHOLDER, _DRAWINGS),
)

#: The squares to choose from: a column for each terrain, a row for each number of crowns, only pairs that exist.
CHOICES: Final[tuple[tuple[Cell | None, ...], ...]] = (
    *(
        tuple(Square(terrain, crowns) if Square(terrain, crowns) in SQUARES else None for terrain in Terrain)
        for crowns in range(3)
    ),
    (CASTLE, EMPTY, None, None, None, Square(Terrain.MINE, 3)),
)


def board(
    kingdom: Kingdom,
    key: str,
    on_tap: Callable[[Position], None],
    *,
    dominoes: Iterable[Sequence[Position]] = (),
    wrong: Collection[Position] = (),
    doubtful: Collection[Position] = (),
    chosen: Collection[Position] = (),
    opened: Position | None = None,
) -> None:
    """Show a kingdom whose squares can be tapped; `on_tap` gets the square."""
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
    _show({"kind": "board", "numbers": True, "label": _("The kingdom, square by square"), "cells": rows}, key, on_tap)


def picker(current: Cell, key: str, on_choice: Callable[[Cell], None]) -> None:
    """Show every square there is; `on_choice` gets the one that was tapped."""
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

    def tapped(position: Position) -> None:
        cell = CHOICES[position[0]][position[1]]
        if cell is not None:
            on_choice(cell)

    _show({"kind": "picker", "numbers": False, "label": _("What the square shows"), "cells": cells}, key, tapped)


def _show(data: dict[str, Any], key: str, on_tap: Callable[[Position], None]) -> None:
    def tapped() -> None:
        value = st.session_state[key].tapped
        if isinstance(value, list | tuple) and len(value) == 2:
            row, column = (int(part) for part in value)
            if 0 <= row < len(data["cells"]) and 0 <= column < len(data["cells"][0]):
                on_tap((row, column))

    _tiles(data=data, key=key, on_tapped_change=tapped)


def _edges(position: Position, domino: frozenset[Position]) -> str:
    """The sides of a square that get a line: all but the one inside its domino."""
    row, column = position
    sides = {"t": (row - 1, column), "b": (row + 1, column), "l": (row, column - 1), "r": (row, column + 1)}
    return "".join(side for side, neighbour in sides.items() if neighbour not in domino)
