"""The page that takes everything out of the records and back in: JSON and CSV, and a score card as a picture."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Final

import streamlit as st

from store import LIMITS, ImportReport
from ui import card, text
from ui.drafts import store
from ui.guard import action, show_problem, tell
from ui.language import _, ngettext
from ui.style import message

#: What the last import or wipe has done, to be told once.
_DONE: Final = "transfer done"
_TURN: Final = "transfer turn"
#: Games whose score card can be chosen here; every other one is on the page of its game.
_CARDS: Final = 20
_LARGEST_FILE: Final = LIMITS.file // 2**20


def render() -> None:
    """Draw the page."""
    st.title(text.TRANSFER_TITLE)
    show_problem()
    done = st.session_state.pop(_DONE, None)
    if done is not None:
        st.html(message("good", *done))
    _out()
    _in()
    _card()
    _wipe()


def _out() -> None:
    st.subheader(_("Take everything with you"))
    st.markdown(
        _(
            "JSON holds all players, games, Dynasties, drafts and photos and can be imported again. "
            "CSV is for spreadsheets."
        )
    )
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        photos = st.toggle(_("With photos"), True, key="export photos")
        st.download_button(
            _("Everything as JSON"),
            data=lambda: store().exports.json(photos=photos),
            file_name=f"kingdomino-{day}.json",
            mime="application/json",
            icon=":material/download:",
            key="export json",
            on_click="ignore",
        )
        st.download_button(
            _("Games as CSV"),
            data=lambda: store().exports.csv(),
            file_name=f"kingdomino-{day}.csv",
            mime="text/csv",
            icon=":material/table:",
            key="export csv",
            on_click="ignore",
        )


def _in() -> None:
    st.subheader(_("Bring it back"))
    st.markdown(_("Choose a JSON file that this program has exported. What is there already is not added again."))
    turn = st.session_state.setdefault(_TURN, 0)
    widget = f"import {turn}"
    file = st.file_uploader(_("A file exported as JSON"), type=["json"], key=widget, max_upload_size=_LARGEST_FILE)

    def bring() -> None:
        chosen = st.session_state.get(widget)
        if chosen is None:
            tell(_("Please choose a file first."))
            return
        # A new key empties the field, so that a file is imported once.
        st.session_state[_TURN] = turn + 1
        st.session_state[_DONE] = told(store().imports.json(chosen))

    st.button(_("Import it"), disabled=file is None, type="primary", key="import it", on_click=action(bring))


def told(report: ImportReport) -> tuple[str, tuple[str, ...]]:
    """What an import has done, in words."""
    total = sum(report.added.values()) + sum(report.updated.values())
    headline = _("The file is imported.") if total else _("Everything in the file was there already.")
    lines = [
        line.format(what=_listed(counts))
        for line, counts in (
            (_("New: {what}."), report.added),
            (_("Replaced by a newer version: {what}."), report.updated),
            (_("Already there: {what}."), report.unchanged),
        )
        if sum(counts.values())
    ]
    if report.moved:
        lines.append(
            ngettext(
                "{n} game got another slot of its Dynasty, or none, because its slot was taken.",
                "{n} games got other slots of their Dynasties, or none, because their slots were taken.",
                len(report.moved),
            )
        )
    return headline, tuple(lines)


def _listed(counts: Counter[str]) -> str:
    words = {
        "players": lambda n: ngettext("{n} player", "{n} players", n),
        "games": lambda n: ngettext("{n} game", "{n} games", n),
        "dynasties": lambda n: ngettext("{n} Dynasty", "{n} Dynasties", n),
        "drafts": lambda n: ngettext("{n} draft", "{n} drafts", n),
        "photos": lambda n: ngettext("{n} photo", "{n} photos", n),
    }
    return ", ".join(words[kind](counts[kind]) for kind in words if counts[kind])


def _card() -> None:
    games = store().games.page(1, _CARDS).games
    if not games:
        return
    st.subheader(_("A score card to share"))
    number = st.selectbox(
        _("Of which game?"),
        range(len(games)),
        format_func=lambda each: f"{games[each].played_at:%Y-%m-%d}: {', '.join(s.name for s in games[each].seats)}",
        key="card game",
    )
    chosen = games[number]
    st.download_button(
        _("Score card"),
        data=lambda: card.score_card(store().games.open(chosen.id)),
        file_name=f"kingdomino-{chosen.played_at:%Y-%m-%d}.png",
        mime="image/png",
        icon=":material/image:",
        key="export card",
        on_click="ignore",
    )


def _wipe() -> None:
    with st.expander(_("Erase everything")):
        st.html(message("bad", _("This removes all players, games, Dynasties, drafts and photos, for good.")))
        sure = st.checkbox(_("I have an export, or need none"), key="erase sure")

        def erase() -> None:
            store().erase()
            st.session_state.pop("erase sure", None)
            st.session_state[_DONE] = (_("Everything is erased."),)

        st.button(
            _("Erase everything now"),
            disabled=not sure,
            icon=":material/delete_forever:",
            key="erase",
            on_click=action(erase),
        )
