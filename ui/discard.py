"""The question whether a domino may be discarded: choose it from the 48 and see every place it could be laid."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from engine import DOMINOES, Kingdom, Rules, score
from ui import board, dominoes, text
from ui.guard import action, guarded
from ui.language import _
from ui.style import message
from ui.turns import Room, room_for
from ui.widgets.dominoes import domino_picker


@st.fragment
@guarded
def discard_part(key: str, kingdom: Kingdom, rules: Rules, on_discard: Callable[[int], None]) -> None:
    """Draw the dominoes and the answer; `on_discard` gets the number of a domino that may be discarded and is."""
    chosen, again = f"{key} domino", f"{key} again"

    def choose(number: int | None) -> None:
        st.session_state[chosen] = number
        st.session_state[again] = True
        st.session_state.pop(f"{key} place", None)

    def write_down() -> None:
        on_discard(st.session_state[chosen])
        choose(None)
        # The states stand outside this part of the page.
        st.rerun()

    number = st.session_state.get(chosen)
    if number is None:
        with st.expander(_("Choose the domino"), expanded=again in st.session_state, key=f"{key} dominoes"):
            domino_picker(None, f"{key} picker", action(choose))
        return
    room = room_for(kingdom, DOMINOES[number - 1], rules)
    st.html(f"<p>{dominoes.image(number)}</p>")
    st.markdown(text.plain(dominoes.label(room.domino)))
    st.html(message("bad" if room.placements else "good", room.headline, room.details))
    if room.placements:
        _places(key, room)
    else:
        st.button(_("Write the discard down"), type="primary", key=f"{key} write down", on_click=action(write_down))
    st.button(_("Another domino"), key=f"{key} another", on_click=action(lambda: choose(None)))


def _places(key: str, room: Room) -> None:
    """All places on one board, or one of them with the domino on it."""
    places = [None, *range(len(room.placements))]
    number = st.selectbox(
        _("Show on the board"),
        places,
        format_func=lambda each: (
            _("All {n} places").format(n=len(room.placements))
            if each is None
            else text.places(room.placements[each].cells).capitalize()
        ),
        key=f"{key} place",
    )
    shown = room.kingdom if number is None else room.laid(number)
    cells = room.cells if number is None else set(room.placements[number].cells)
    st.html(
        board.image(
            shown,
            text.board_label(shown, score(shown, room.rules).total),
            dominoes=[] if number is None else [room.placements[number].cells],
            noted=cells,
        )
    )
