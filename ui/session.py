"""What the pages of one tab share: the drafts they work on and the way from one page to another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from ui.drafts import PASSING, Drafts
from ui.edits import EditDraft
from ui.turns import TurnsDraft
from ui.values import GameDraft, ScoreDraft

if TYPE_CHECKING:
    from streamlit.navigation.page import StreamlitPage

SCORES: Final = Drafts(PASSING, ScoreDraft.from_json)
GAMES: Final = Drafts("game", GameDraft.from_json)
TURNS: Final = Drafts("turns", TurnsDraft.from_json)
EDITS: Final = Drafts("edit", EditDraft.from_json)
_PAGES: Final = "pages"


def register(pages: dict[str, StreamlitPage]) -> None:
    """Make the pages known by name to each other."""
    st.session_state[_PAGES] = pages


def page(name: str) -> StreamlitPage | None:
    """A page by its name; None where a page is shown by itself."""
    found: StreamlitPage | None = st.session_state.get(_PAGES, {}).get(name)
    return found


def go(name: str) -> None:
    """Go to another page, or stay where there is none."""
    there = page(name)
    if there is None:
        st.rerun()
    else:
        st.switch_page(there)
