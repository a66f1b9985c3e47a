"""The page with the rules, as the program plays them, and what it does not support. The words are in docs/rules.md."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import streamlit as st

from ui import text
from ui.language import _
from ui.style import message

_RULES: Final = Path(__file__).resolve().parent.parent.parent / "docs" / "rules.md"


def render() -> None:
    """Draw the page."""
    st.title(text.RULES_TITLE)
    st.html(
        message(
            "open",
            _("Not supported: Queendomino, Age of Giants, The Court and Kingdomino Origins."),
            (
                _("They have other tiles or other scoring. A photo of them would be scored wrongly, so please do not."),
                _("From one photo nobody can tell the number of a twin, the order of play, or what was discarded."),
            ),
        )
    )
    with st.container(key="rules text"):
        st.markdown(_rules())


@st.cache_data(show_spinner=False)
def _rules() -> str:
    """The text behind its title, which the page has itself."""
    _title, words = _RULES.read_text("utf-8").split("\n", maxsplit=1)
    return words.strip()
