"""The page that scores a kingdom somebody types: drawn, counted territory by territory, and judged."""

from __future__ import annotations

from html import escape
from typing import Final

import streamlit as st

from engine import CASTLE, EMPTY, UNREAD, Cell, NotationError, Square, Terrain
from ui import board, report, text
from ui.entry import Assessment, assess, tidied
from ui.style import message

#: Kingdoms to start from, by the name on their button.
EXAMPLES: Final[dict[str, str]] = {
    "Finished 5×5": "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1",
    "Castle in the middle": "l1llll/fg2ll1f/wgClf1/s2gw1ll/sm2mm2s",
    "With gaps": "ws1sw1w1/gs1s2wf/lCf1w./ll1fw1m/.ffsm2",
    "7×7 duel": "l1fwwl1lf/ffm1Cll1f/l1l1lllff/wwf1g2l1ws1/g2g1g1gwww/m2glff1ws2/ss2wf1sw1w",
    "With a mistake": "sg2ll1f/m2g1lgw1/m2mClf/sw1wl1f/lw1wwf",
}
_KINGDOM: Final = "kingdom"
_LEGEND: Final[tuple[Cell, ...]] = (*(Square(terrain) for terrain in Terrain), CASTLE, EMPTY, UNREAD)


def render() -> None:
    """Draw the page."""
    st.title(text.TYPED_TITLE)
    st.markdown(text.TYPED_INTRO)
    entered, drawn = st.columns([5, 6], gap="large")
    with entered:
        typed = _entry()
        size, middle_kingdom, harmony = _options()
        _legend()
    with drawn:
        found = _assessed(typed, size, middle_kingdom, harmony)
        if found is None:
            return
        _kingdom(found)
    counted, judged = st.columns([5, 6], gap="large")
    with counted:
        st.subheader(text.SCORE_HEADING)
        st.html(report.score_table(found))
    with judged:
        st.subheader(text.VERDICT_HEADING)
        report.verdict(found)
        report.notation(found)


def _entry() -> str:
    """The text field, filled by hand or by an example."""
    st.session_state.setdefault(_KINGDOM, next(iter(EXAMPLES.values())))
    st.caption(text.EXAMPLES_LABEL)
    with st.container(horizontal=True, gap="small"):
        for name, notation in EXAMPLES.items():
            st.button(name, on_click=_choose, args=(notation,))
    typed = st.text_area(text.NOTATION_LABEL, key=_KINGDOM, height=110, placeholder=text.NOTATION_PLACEHOLDER)
    # Leaving the field is what sends it; the button gives a person something to leave it for.
    st.button(text.SHOW_BUTTON, type="primary")
    return typed or ""


def _choose(notation: str) -> None:
    st.session_state[_KINGDOM] = notation


def _options() -> tuple[int | None, bool, bool]:
    size = st.radio(
        text.SIZE_LABEL,
        list(text.SIZES),
        format_func=text.SIZES.__getitem__,
        horizontal=True,
        help=text.SIZE_HELP,
    )
    st.caption(text.OPTIONS_LABEL)
    with st.container(horizontal=True, gap="medium"):
        middle_kingdom = st.toggle(text.MIDDLE_KINGDOM, help=text.MIDDLE_KINGDOM_HELP)
        harmony = st.toggle(text.HARMONY, help=text.HARMONY_HELP)
    return size, middle_kingdom, harmony


def _legend() -> None:
    with st.expander(text.LEGEND_TITLE):
        items = "".join(
            f"<li>{board.icon(cell)}<code>{cell.symbol}</code> {escape(text.cell_words(cell))}</li>" for cell in _LEGEND
        )
        st.html(f'<p>{escape(text.LEGEND)}</p><ul class="kd-legend">{items}</ul>')


def _assessed(typed: str, size: int | None, middle_kingdom: bool, harmony: bool) -> Assessment | None:
    """What the engine says of the text; None, after a sentence on the page, when it is no kingdom."""
    if not typed.strip():
        st.html(message("open", text.NOTHING_YET))
        return None
    try:
        return assess(tidied(typed), size, middle_kingdom, harmony)
    except NotationError as error:
        st.html(message("bad", str(error)))
        return None


def _kingdom(found: Assessment) -> None:
    """The points, the picture, and the choice of a territory to show in it."""
    report.points(found)
    picture = st.empty()
    chosen = report.chosen_territory(found, "typed")
    picture.html(
        board.image(
            found.kingdom,
            text.board_label(found.kingdom, found.score.total),
            dominoes=[domino.cells for domino in found.verdict.dominoes],
            marked=report.marked(found),
            chosen=chosen.cells if chosen else (),
        )
    )
