"""A kingdom to look at and to put right: the board, the square that is open, the score and the verdict.

The same part serves every page that shows a kingdom somebody may correct. It runs by itself, so that a tap does not
draw the whole page again, and it only shows and changes a `KingdomEntry`; what a change means is in `ui.editor`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import streamlit as st

from engine import Cell, Position
from ui import report, text
from ui.editor import SIDES, Editor, Side
from ui.entry import Assessment, assess
from ui.guard import action, guarded
from ui.language import _, ngettext
from ui.reading import PhotoReading, guesses
from ui.style import message
from ui.values import KingdomEntry
from ui.widgets import tiles
from ui.widgets.tiles import Tool

_CROP_WIDTH: Final = 128


@dataclass(frozen=True)
class Panel:
    """What the panel shows, and how it gets and gives back the kingdom; `look` keeps what is no change."""

    key: str
    get: Callable[[], KingdomEntry]
    put: Callable[[KingdomEntry], None]
    look: Callable[[KingdomEntry], None]
    size: int | None = None
    middle_kingdom: bool = False
    harmony: bool = False
    photo: PhotoReading | None = None
    #: Whether the whole page must be drawn again, because there is something to ask.
    stale: Callable[[], bool] = lambda: False

    def edit(self, editor: Editor) -> None:
        """Take over a changed editor."""
        self.put(replace(self.get(), editor=editor))

    def tapped(self, tap: tiles.Tap) -> None:
        """Do what a tap on the board, on its choices or on a tool means."""
        editor = self.get().editor
        if tap.step in _STEPS:
            self.edit(_STEPS[tap.step](editor))
        elif tap.square is not None and tap.choice is not None:
            self.edit(editor.put(tap.square, tap.choice))
        elif tap.square is not None:
            self.show(editor.select(tap.square))

    def show(self, editor: Editor) -> None:
        """Take over an editor with another square open."""
        self.look(replace(self.get(), editor=editor))


@st.fragment
@guarded
def kingdom_panel(panel: Panel) -> None:
    """Draw the panel."""
    if panel.stale():
        st.rerun()
    entry = panel.get()
    editor = entry.editor
    found = assess(editor.kingdom.notation, panel.size, panel.middle_kingdom, panel.harmony)
    report.points(found)
    # Each part has a place of its own: what comes and goes does not move, and so remake, what a finger is on.
    place = st.container()
    # The steps stand right below the board, where nothing that comes and goes moves them from under a finger.
    _steps(panel, editor)
    with st.container():
        _doubt(panel, editor)
    with st.container():
        if editor.selected is not None:
            _square(panel, entry, editor.selected, found.score.total)
    _edges(panel)
    territory = report.chosen_territory(found, panel.key)
    with place:
        _board(panel, editor, found, territory.cells if territory else ())
    st.subheader(text.SCORE_HEADING)
    st.html(report.score_table(found))
    st.subheader(text.VERDICT_HEADING)
    report.verdict(found)
    report.notation(found)


def _add(side: Side, editor: Editor) -> Editor:
    return editor.add(side)


def _remove(side: Side, editor: Editor) -> Editor:
    return editor.remove(side)


def _board(panel: Panel, editor: Editor, found: Assessment, chosen: tuple[Position, ...]) -> None:
    tiles.board(
        editor.kingdom,
        f"{panel.key} board",
        action(panel.tapped),
        dominoes=[domino.cells for domino in found.verdict.dominoes],
        wrong=report.marked(found),
        doubtful=editor.doubtful,
        chosen=chosen,
        opened=editor.selected,
    )


def _doubt(panel: Panel, editor: Editor) -> None:
    """How many squares are worth a look, and the way through them."""
    waiting = editor.doubtful
    if not waiting:
        if editor.selected is None:
            st.caption(_("Tap a square to put it right."))
        return
    sentence = ngettext(
        "{n} square is worth a look: it has a dashed frame.",
        "{n} squares are worth a look: they have a dashed frame.",
        len(waiting),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(message("open", sentence))
        st.button(
            _("Look at the next one") if editor.selected in waiting else _("Look at them"),
            key=f"{panel.key} doubt",
            on_click=action(lambda: panel.show(panel.get().editor.select_doubtful())),
        )


def _steps(panel: Panel, editor: Editor) -> None:
    steps = [
        Tool("undo", _("Undo"), "undo", disabled=not editor.past),
        Tool("redo", _("Redo"), "redo", disabled=not editor.future),
        Tool("turn", _("Turn"), "rotate_right"),
    ]
    if editor.read is not None:
        steps.append(
            Tool("reset", _("Back to what was read"), "restart_alt", disabled=editor.reset() is editor),
        )
    tiles.tools(steps, f"{panel.key} steps", f"{panel.key} board")


def _edges(panel: Panel) -> None:
    with st.expander(_("Rows and columns"), key=f"{panel.key} edges"):
        edges = [
            Tool(f"{change} {side}", words)
            for side in SIDES
            for change, words in zip(("add", "remove"), _SIDE_WORDS[side], strict=True)
        ]
        tiles.tools(edges, f"{panel.key} sides", f"{panel.key} board")


_SIDE_WORDS: Final[dict[Side, tuple[str, str]]] = {
    "top": (_("Add a row on top"), _("Remove the top row")),
    "bottom": (_("Add a row at the bottom"), _("Remove the bottom row")),
    "left": (_("Add a column on the left"), _("Remove the left column")),
    "right": (_("Add a column on the right"), _("Remove the right column")),
}
#: What the tools do, by the name of their step.
_STEPS: Final[dict[str, Callable[[Editor], Editor]]] = {
    "undo": Editor.undo,
    "redo": Editor.redo,
    "turn": Editor.rotate,
    "reset": Editor.reset,
    **{f"add {side}": partial(_add, side) for side in SIDES},
    **{f"remove {side}": partial(_remove, side) for side in SIDES},
}


def _square(panel: Panel, entry: KingdomEntry, position: Position, points: int) -> None:
    """The open square: its piece of the photo, the best guesses, and everything it could be."""
    cell = entry.kingdom.cell(*position)

    def put(chosen: Cell) -> None:
        panel.edit(panel.get().editor.put(position, chosen))

    with st.container(border=True, key=f"{panel.key} square"):
        words = _("**{place}: {square}** (the kingdom: {points})")
        place = text.place(position)
        st.markdown(
            words.format(place=place.capitalize(), square=text.cell_words(cell), points=text.points_count(points))
        )
        crop, best = _seen(panel, entry, position)
        if crop is not None:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.image(crop, alt=_("The photo at {place}").format(place=place), width=_CROP_WIDTH)
                with st.container(gap="small", width="stretch"):
                    for number, (guess, sure) in enumerate(best):
                        label = _("{square} ({percent} %)")
                        st.button(
                            label.format(square=text.cell_words(guess).capitalize(), percent=round(100 * sure)),
                            key=f"{panel.key} guess {number}",
                            type="primary" if guess == cell else "secondary",
                            width="stretch",
                            on_click=action(partial(put, guess)),
                        )
        tiles.picker(cell, position, f"{panel.key} board")
        st.button(
            _("Close this square"),
            key=f"{panel.key} close",
            on_click=action(lambda: panel.show(panel.get().editor.select(None))),
        )


def _seen(panel: Panel, entry: KingdomEntry, position: Position) -> tuple[bytes | None, tuple[tuple[Cell, float], ...]]:
    """The piece of the photo under a square and what it most probably shows."""
    source = entry.editor.source(position)
    photo = panel.photo
    if source is None or photo is None or entry.index >= len(photo.recognitions):
        return None, ()
    recognition = photo.recognitions[entry.index]
    if entry.editor.read is None or recognition.lattice.shape != entry.editor.read.shape:
        return None, ()
    return photo.crops[entry.index].get(source), guesses(recognition, source)
