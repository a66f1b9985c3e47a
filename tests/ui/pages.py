"""A page without a browser, and what it shows."""

from __future__ import annotations

import re
from html import unescape

from streamlit.testing.v1 import AppTest

from ui import drafts

SECONDS = 30


def opened(name: str, draft: str | None = None) -> AppTest:
    """A page of `ui.pages`, as the app shows it, perhaps with a draft in its address."""
    source = (
        "import streamlit as st\n"
        f"from ui.pages import {name}\n"
        "from ui.guard import guarded\n"
        "from ui.style import CSS\n"
        "st.html(CSS)\n"
        f"guarded({name}.render)()\n"
    )
    app = AppTest.from_string(source, default_timeout=SECONDS)
    if draft is not None:
        app.query_params[drafts.PARAMETER] = draft
    return app.run()


def html(app: AppTest) -> str:
    """Everything the page draws by itself, as HTML, without the style sheet."""
    drawn = "\n".join(element.proto.body for element in app.get("html"))
    return re.sub(r"<style>.*?</style>", "", drawn, flags=re.DOTALL)


def words(app: AppTest) -> str:
    """The same as a person reads it."""
    return unescape(re.sub(r"<[^>]+>", " ", html(app)))


def points(app: AppTest) -> int:
    """The large figure of the page."""
    found = re.search(r'kd-points"><strong>(\d+)', html(app))
    assert found
    return int(found[1])


def press(app: AppTest, label: str) -> AppTest:
    """Press the button with these words."""
    return next(button for button in app.button if button.label == label).click().run()
