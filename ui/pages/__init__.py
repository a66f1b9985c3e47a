"""One module for each page of the app; each has a `render()`. The list of pages is here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui import text
from ui.guard import guarded
from ui.pages import score, typed

if TYPE_CHECKING:
    from streamlit.navigation.page import StreamlitPage


def pages() -> list[StreamlitPage]:
    """All pages, in the order of the menu; other pages find them by name in the session."""
    made = {
        "score": st.Page(
            guarded(score.render),
            title=text.SCORE_TITLE,
            icon=":material/photo_camera:",
            url_path="score",
            default=True,
        ),
        "typed": st.Page(guarded(typed.render), title=text.TYPED_TITLE, icon=":material/keyboard:", url_path="type"),
    }
    st.session_state["pages"] = made
    return list(made.values())
