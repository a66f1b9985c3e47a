"""All 48 dominoes to choose one from by a tap. What a tap means is decided by the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import streamlit as st

from engine import DOMINOES
from ui import dominoes
from ui.language import _

_HERE: Final = Path(__file__).resolve().parent
_PLACEHOLDER: Final = "/*PICTURES*/{}"
_NAME: Final = "kingdomino_dominoes"


@lru_cache(maxsize=1)
def _component() -> Any:
    """The part of the page; the pictures are painted when it is needed first and are part of its script."""
    script = (_HERE / "dominoes.js").read_text("utf-8")
    pictures = json.dumps({domino.number: dominoes.address(domino.number) for domino in DOMINOES})
    return st.components.v2.component(
        _NAME,
        html='<div class="dominoes" role="listbox"></div>',
        css=(_HERE / "dominoes.css").read_text("utf-8"),
        js=script.replace(_PLACEHOLDER, pictures),
    )


def domino_picker(chosen: int | None, key: str, on_choice: Callable[[int], None]) -> None:
    """Show the 48 dominoes; `on_choice` gets the number of the one that was tapped."""

    def tapped() -> None:
        number = st.session_state[key].tapped
        if isinstance(number, int) and 1 <= number <= len(DOMINOES):
            on_choice(number)

    data = {
        "label": _("The 48 dominoes"),
        "chosen": chosen,
        "dominoes": [{"number": each.number, "label": dominoes.label(each)} for each in DOMINOES],
    }
    _component()(data=data, key=key, on_tapped_change=tapped)
