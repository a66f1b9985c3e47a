"""Nothing a page does ends in a traceback: an error of ours is a sentence, any other one is logged and excused."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final, ParamSpec

import streamlit as st
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx
from streamlit.runtime.state.safe_session_state import SafeSessionState

from engine import KingdominoError
from ui import text
from ui.style import message

P = ParamSpec("P")
_PROBLEM: Final = "problem to show"
_logger: Final = logging.getLogger(__name__)


def guarded(part: Callable[P, None]) -> Callable[P, None]:
    """A page, or a part of one that runs by itself, which shows a sentence where it would have failed."""

    @wraps(part)
    def careful(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            part(*args, **kwargs)
        except KingdominoError as error:
            st.html(message("bad", str(error)))
        except Exception:
            _logger.exception("A page failed.")
            st.html(message("bad", text.UNEXPECTED))

    return careful


def action(callback: Callable[..., None]) -> Callable[..., None]:
    """What a tap does, from its beginning to its end; its sentence, if it fails, is kept for `show_problem`."""

    @wraps(callback)
    def careful(*args: Any, **kwargs: Any) -> None:
        try:
            with _undisturbed():
                callback(*args, **kwargs)
        except KingdominoError as error:
            tell(str(error))
        except Exception:
            _logger.exception("An action failed.")
            tell(text.UNEXPECTED)

    return careful


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let no later tap cut this one short: Streamlit would end it at any look into the session, half done."""
    context = get_script_run_ctx()
    state = context.session_state if context is not None else None
    if not isinstance(state, SafeSessionState):
        yield
        return
    give_way = state._yield_callback
    object.__setattr__(state, "_yield_callback", lambda: None)
    try:
        yield
    finally:
        object.__setattr__(state, "_yield_callback", give_way)


def tell(sentence: str) -> None:
    """Keep a sentence for the next time the page is drawn."""
    st.session_state[_PROBLEM] = sentence


def show_problem() -> None:
    """Show what went wrong with the last tap, once; the page below keeps its place."""
    with st.container():
        sentence = st.session_state.pop(_PROBLEM, None)
        if sentence:
            st.html(message("bad", sentence))
