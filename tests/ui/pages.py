"""A page without a browser, and what it shows."""

from __future__ import annotations

import itertools
import json
import re
from html import unescape
from typing import Any

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
    """Press the button with these words, one of Streamlit's or a tool beside a board."""
    button = next((button for button in app.button if button.label == label), None)
    if button is not None:
        return button.click().run()
    step, board = next(
        (tool["name"], shown["board"])
        for _id, shown in _own_parts(app)
        for tool in shown.get("tools", ())
        if tool["label"] == label and not tool["disabled"]
    )
    return tap(app, [next(_NUMBERS), "step", step], board=board)


def tap(app: AppTest, *taps: object, board: str | None = None) -> AppTest:
    """Let the browser send taps on a board, the first one of the page if none is named."""
    part = next(
        part for part, shown in _own_parts(app) if shown.get("kind") == "board" and board in (None, shown["board"])
    )
    states = app._tree.get_widget_states()
    states.widgets.add(
        id=f"$$STREAMLIT_INTERNAL_KEY_{part}__events",
        json_trigger_value=json.dumps([{"event": "taps", "value": list(taps)}]),
    )
    return app._run(states)


# Larger than those that tests give themselves.
_NUMBERS = itertools.count(1_000)


def _own_parts(app: AppTest) -> list[tuple[str, dict[str, Any]]]:
    """The parts of the page that are our own: their ids and what they were given to show."""
    return [(each.proto.id, json.loads(each.proto.json)) for each in app.get("bidi_component") if each.proto.json]
