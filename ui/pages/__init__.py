"""One module for each page of the app; each has a `render()`. The list of pages is here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui import text
from ui.guard import guarded
from ui.pages import dynasty, game, history, phone, rules, score, transfer, turns, typed
from ui.session import register

if TYPE_CHECKING:
    from streamlit.navigation.page import StreamlitPage


def pages() -> list[StreamlitPage]:
    """All pages, in the order of the menu; they find each other by the names here."""
    made = {
        name: st.Page(guarded(render), title=title, icon=f":material/{icon}:", url_path=name, default=name == _FIRST)
        for name, (render, title, icon) in _PAGES.items()
    }
    register(made)
    return list(made.values())


def _statistics() -> None:
    # Its charts take a second to load, which only those pay who look at them.
    from ui.pages import statistics

    statistics.render()


_FIRST = "score"
_PAGES = {
    "score": (score.render, text.SCORE_TITLE, "photo_camera"),
    "game": (game.render, text.GAME_TITLE, "groups"),
    "turns": (turns.render, text.TURNS_TITLE, "fact_check"),
    "dynasty": (dynasty.render, text.DYNASTY_TITLE, "trophy"),
    "history": (history.render, text.HISTORY_TITLE, "history"),
    "statistics": (_statistics, text.STATISTICS_TITLE, "bar_chart"),
    "transfer": (transfer.render, text.TRANSFER_TITLE, "swap_horiz"),
    "typed": (typed.render, text.TYPED_TITLE, "keyboard"),
    "rules": (rules.render, text.RULES_TITLE, "menu_book"),
    "phone": (phone.render, text.PHONE_TITLE, "smartphone"),
}
