"""The page that scores kingdoms of one photo, or one built by hand, without a game around it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from engine import EMPTY
from ui import photos, text
from ui.drafts import Drafts
from ui.editor import Editor
from ui.guard import action, show_problem
from ui.language import _
from ui.panel import Panel, kingdom_panel
from ui.reading import PhotoReading, Source
from ui.style import message
from ui.values import GameDraft, KingdomEntry, ScoreDraft, seats_for

DRAFTS: Final = Drafts("score", ScoreDraft.from_json)
#: The key under which pages find each other.
GAMES: Final = Drafts("game", GameDraft.from_json)
_CORNERS: Final = "score marks corners"


def render() -> None:
    """Draw the page."""
    st.title(text.SCORE_TITLE)
    here = DRAFTS.current()
    show_problem()
    DRAFTS.offer_restoring()
    DRAFTS.ask_about_conflict()
    if here is None:
        _start()
    elif here.value.kingdoms and not st.session_state.get(_CORNERS):
        _kingdoms(here.value, f"{here.id} {here.epoch}")
    elif here.value.source is not None:
        _corners(here.value.source, here.id)
    else:
        _start()


def _start() -> None:
    st.markdown(
        _(
            "Photograph a finished kingdom. You see how it was read, what each territory is worth, and whether it "
            "could have been built by the rules."
        )
    )
    photos.photo_input("score", _("Take or choose a photo"), _take)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            _("Build it by hand"),
            icon=":material/grid_on:",
            on_click=action(lambda: DRAFTS.begin(ScoreDraft((KingdomEntry(Editor.by_hand()),)))),
            key="score by hand",
        )
        page = st.session_state.get("pages", {}).get("typed")
        if page is not None:
            st.page_link(page, label=_("Type it instead"), icon=":material/keyboard:")


def _take(data: bytes) -> None:
    """Keep and read a new photo, in a draft of its own."""
    source = photos.keep(data)
    found = photos.look(source)
    st.session_state.pop(_CORNERS, None)
    DRAFTS.begin(_draft_of(source, found))
    st.rerun()


def _draft_of(source: Source, found: PhotoReading) -> ScoreDraft:
    return ScoreDraft(photos.entries(source, found), source)


def _corners(source: Source, key: str) -> None:
    """The photo on which no kingdom was found, or the wrong one: the person shows where it is."""
    found = photos.look(source)
    if found.error:
        st.html(message("bad", found.error))

    def marked(given: Source) -> None:
        again = photos.look(given)
        if again.error:
            st.html(message("bad", again.error))
            return
        st.session_state.pop(_CORNERS, None)
        DRAFTS.change(replace(DRAFTS.value(), kingdoms=photos.entries(given, again), source=given))
        st.rerun()

    photos.mark_corners(f"score {key}", source, found, marked)
    _leave()


def _kingdoms(value: ScoreDraft, key: str) -> None:
    _options(value, key)
    if len(value.kingdoms) == 1:
        _kingdom(value, 0, key)
    else:
        names = [_("Kingdom {n}").format(n=number) for number in range(1, len(value.kingdoms) + 1)]
        for number, tab in enumerate(st.tabs(names)):
            with tab:
                _kingdom(value, number, key)
    _leave()


def _options(value: ScoreDraft, key: str) -> None:
    sizes: list[int | None] = list(text.SIZES)

    def changed(name: str, widget: str) -> None:
        DRAFTS.change(replace(DRAFTS.value(), **{name: st.session_state[widget]}))

    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.selectbox(
            text.SIZE_LABEL,
            sizes,
            index=sizes.index(value.size),
            format_func=text.SIZES.__getitem__,
            help=text.SIZE_HELP,
            key=f"size {key}",
            on_change=action(lambda: changed("size", f"size {key}")),
            width=180,
        )
        st.toggle(
            text.MIDDLE_KINGDOM,
            value.middle_kingdom,
            help=text.MIDDLE_KINGDOM_HELP,
            key=f"middle {key}",
            on_change=action(lambda: changed("middle_kingdom", f"middle {key}")),
        )
        st.toggle(
            text.HARMONY,
            value.harmony,
            help=text.HARMONY_HELP,
            key=f"harmony {key}",
            on_change=action(lambda: changed("harmony", f"harmony {key}")),
        )


def _kingdom(value: ScoreDraft, number: int, key: str) -> None:
    entry = value.kingdoms[number]
    photo = photos.photo_of(entry)
    panel = Panel(
        key=f"score {key} {number}",
        get=lambda: DRAFTS.value().kingdoms[number],
        put=lambda entry: DRAFTS.change(DRAFTS.value().with_kingdom(number, entry)),
        look=lambda entry: DRAFTS.change(DRAFTS.value().with_kingdom(number, entry), save=False),
        size=value.size,
        middle_kingdom=value.middle_kingdom,
        harmony=value.harmony,
        photo=photo,
        stale=DRAFTS.conflict,
    )
    if photo is None or entry.index >= len(photo.recognitions):
        kingdom_panel(panel)
        return
    seen, read = st.columns([5, 6], gap="large")
    with seen:
        recognition = photo.recognitions[entry.index]
        words = _("Your photo with the squares that were found, {rows} rows of {columns}.")
        rows, columns = recognition.quads.shape[:2]
        st.image(photo.overlays[entry.index], alt=words.format(rows=rows, columns=columns), width="stretch")
        st.caption(_sure(recognition.confidence))
        for note in (recognition.note, _CUT if recognition.cut else ""):
            if note:
                st.html(message("open", note))
        st.button(
            _("Wrong squares? Mark the corners"),
            icon=":material/crop_free:",
            key=f"recorner {key} {number}",
            on_click=lambda: st.session_state.update({_CORNERS: True}),
        )
    with read:
        kingdom_panel(panel)


_CUT: Final = _("The edge of the photo cuts this kingdom. What lies outside the photo is not counted.")


def _sure(confidence: float) -> str:
    return _("The chance that every square was read right: {percent} %.").format(
        percent=min(99, round(100 * confidence))
    )


def _leave() -> None:
    """The ways on: another photo, another kingdom, a game."""
    st.divider()
    with st.expander(_("Another photo")):
        photos.photo_input("score again", _("Take or choose another photo"), _take)
    with st.container(horizontal=True):
        kingdoms = DRAFTS.value().kingdoms
        pages = st.session_state.get("pages", {})
        if st.session_state.get(_CORNERS) and kingdoms:
            st.button(_("Back to the kingdom"), on_click=lambda: st.session_state.pop(_CORNERS, None))
        if 2 <= len(kingdoms) <= 4 and "game" in pages and st.button(_("Make a game of these kingdoms")):
            seats = seats_for([""] * len(kingdoms))
            together = tuple(replace(seat, kingdom=entry) for seat, entry in zip(seats, kingdoms, strict=True))
            GAMES.begin(GameDraft(seats=together))
            st.switch_page(pages["game"])
        st.button(_("Start over"), on_click=action(_start_over), icon=":material/delete:", key="score discard")


def _start_over() -> None:
    st.session_state.pop(_CORNERS, None)
    here = DRAFTS.current()
    if here is None:
        return
    if (
        all(cell is EMPTY for entry in here.value.kingdoms for _position, cell in entry.kingdom)
        and not here.value.source
    ):
        DRAFTS.close()
    else:
        DRAFTS.discard(here.id)
