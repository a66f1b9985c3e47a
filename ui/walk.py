"""Walking through the states of a kingdom: one at a time, with its photo and what happened since the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from engine import Kingdom, KingdominoError, Rules, score
from store import NotFound
from ui import board, text
from ui.drafts import store
from ui.guard import action
from ui.language import _
from ui.style import message
from ui.turns import Step, step


@dataclass(frozen=True, slots=True)
class Stop:
    """One state on the way."""

    kingdom: Kingdom
    photo: str | None = None
    taken_at: datetime | None = None
    discarded: int | None = None


def walk(key: str, stops: Sequence[Stop], rules: Rules) -> None:
    """Show one state and the way to its neighbours; at first the last one."""
    widget = f"{key} at"
    at = min(st.session_state.get(widget, len(stops)), len(stops) - 1)

    def move(to: int) -> None:
        st.session_state[widget] = to

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            _("Previous"),
            icon=":material/chevron_left:",
            disabled=at == 0,
            key=f"{key} previous",
            on_click=action(lambda: move(at - 1)),
        )
        st.markdown(_("State {n} of {all}").format(n=at + 1, all=len(stops)))
        st.button(
            _("Next"),
            icon=":material/chevron_right:",
            disabled=at == len(stops) - 1,
            key=f"{key} next",
            on_click=action(lambda: move(at + 1)),
        )
    here = stops[at]
    if here.taken_at is not None:
        st.caption(f"{here.taken_at:%Y-%m-%d %H:%M} UTC")
    seen, drawn = st.columns([5, 6], gap="large") if here.photo else (None, st.container())
    if seen is not None and here.photo is not None:
        with seen:
            _photo(here.photo, at)
    with drawn:
        show_step(stops[at - 1].kingdom if at else None, here.kingdom, rules, here.discarded)


def show_step(before: Kingdom | None, after: Kingdom, rules: Rules, discarded: int | None = None) -> Step | None:
    """Say and draw what happened between two states; None, after a sentence, if that cannot be told."""
    try:
        found = step(before, after, rules, discarded)
    except KingdominoError as error:
        st.html(message("bad", str(error)))
        st.html(board.image(after, text.board_label(after, score(after, rules).total)))
        return None
    st.html(message(found.tone, found.headline, found.details))
    st.html(
        board.image(
            found.kingdom,
            text.board_label(found.kingdom, score(found.kingdom, rules).total),
            dominoes=[added.cells for added in found.comparison.added],
            marked=set(found.wrong),
            noted=set(found.good) - set(found.wrong),
        )
    )
    return found


def _photo(photo: str, at: int) -> None:
    try:
        data = store().photos.open(photo).data
    except NotFound as error:
        st.html(message("open", str(error)))
        return
    st.image(data, alt=_("The photo of state {n}").format(n=at + 1), width="stretch")
