"""A kingdom with everything around it: where it comes from, its photo, the board to correct it on.

Pages that let a person enter a kingdom are made of the parts here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from engine import Kingdom
from ui import photos, text
from ui.editor import Editor
from ui.entry import MAX_TYPED, tidied
from ui.guard import action
from ui.language import _
from ui.panel import Panel, kingdom_panel
from ui.style import message
from ui.values import KingdomEntry

_CUT: Final = _("The edge of the photo cuts this kingdom. What lies outside the photo is not counted.")


def kingdom_input(
    key: str,
    on_photo: Callable[[bytes], None],
    on_entry: Callable[[KingdomEntry], None],
    *,
    label: str,
    size: int = 5,
) -> None:
    """Let a person enter a kingdom: by a photo, square by square, or by typing it."""
    photos.photo_input(key, label, on_photo)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            _("Build it by hand"),
            icon=":material/grid_on:",
            on_click=action(lambda: on_entry(KingdomEntry(Editor.by_hand(size)))),
            key=f"{key} by hand",
        )
        with st.popover(_("Type it"), icon=":material/keyboard:", key=f"{key} typing"):
            _typed(key, on_entry)


def _typed(key: str, on_entry: Callable[[KingdomEntry], None]) -> None:
    def take() -> None:
        kingdom = Kingdom.from_notation(tidied(st.session_state[f"{key} typed"] or ""))
        on_entry(KingdomEntry(Editor.of_kingdom(kingdom)))

    st.text_input(text.NOTATION_LABEL, placeholder=text.NOTATION_PLACEHOLDER, max_chars=MAX_TYPED, key=f"{key} typed")
    st.button(_("Take this kingdom"), on_click=action(take), key=f"{key} take typed")


def kingdom_view(panel: Panel, on_corners: Callable[[], None]) -> None:
    """The photo with the grid beside the kingdom in the same orientation; `on_corners` starts marking corners."""
    entry, photo = panel.get(), panel.photo
    if photo is None or entry.index >= len(photo.recognitions):
        kingdom_panel(panel)
        return
    recognition = photo.recognitions[entry.index]
    seen, read = st.columns([5, 6], gap="large")
    with seen:
        rows, columns = recognition.quads.shape[:2]
        words = _("Your photo with the squares that were found: {rows} rows of {columns}.")
        st.image(photo.overlays[entry.index], alt=words.format(rows=rows, columns=columns), width="stretch")
        percent = min(99, round(100 * recognition.confidence))
        st.caption(_("The chance that every square was read right: {percent} %.").format(percent=percent))
        for note in (recognition.note, _CUT if recognition.cut else ""):
            if note:
                st.html(message("open", note))
        st.button(
            _("Wrong squares? Mark the corners"),
            icon=":material/crop_free:",
            key=f"{panel.key} recorner",
            on_click=action(on_corners),
        )
    with read:
        kingdom_panel(panel)
