"""The page that checks a kingdom turn by turn: what was added, whether it was legal, whether a discard is."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from engine import Kingdom, KingdominoError
from store import SavedDraft, clean_name
from ui import photos, text
from ui.discard import discard_part
from ui.drafts import store
from ui.editor import SIDES, Editor
from ui.guard import action
from ui.language import _, ngettext
from ui.panel import Panel
from ui.reading import Source
from ui.session import TURNS
from ui.style import message
from ui.turns import NAME_LETTERS, SIZES, TurnsDraft, best_of
from ui.values import KingdomEntry
from ui.view import kingdom_input, kingdom_view
from ui.walk import Stop, show_step, walk

#: Whether the corners of the new reading are being marked again.
_CORNERS: Final = "turns marks corners"
#: The kingdom that the comparison on the page is about.
_COMPARED: Final = "turns compared"
#: Room beyond the last state when the next one is laid by hand: a domino reaches two squares.
_REACH: Final = 2


def render() -> None:
    """Draw the page."""
    st.title(text.TURNS_TITLE)
    here = TURNS.current()
    TURNS.show_notices()
    if here is None:
        _start()
        return
    key = f"{here.id} {here.epoch}"
    value = here.value
    if value.name:
        st.html(message("open", _("The kingdom of {name}").format(name=value.name)))
    if value.next is not None:
        _reading(value, value.next, key)
    elif value.source is not None:
        _photo(value, value.source, key)
    else:
        _waiting(value, key)
    st.divider()
    with st.container(horizontal=True):
        st.button(_("Leave it for now"), key="leave turns", on_click=action(TURNS.close))
        st.button(
            _("Discard this sequence"),
            icon=":material/delete:",
            key="discard turns",
            on_click=action(lambda: TURNS.discard(here.id, silently=not value.states)),
        )


def _start() -> None:
    st.markdown(
        _(
            "Photograph a kingdom after each turn. You see which domino was added and whether it was laid by the "
            "rules, and you can ask whether a domino may be discarded."
        )
    )
    size = st.radio(
        text.SIZE_LABEL, SIZES, format_func=lambda each: f"{each}×{each}", horizontal=True, key="turns size"
    )
    name = st.text_input(_("Whose kingdom is it? (may stay empty)"), max_chars=NAME_LETTERS, key="turns name")

    def begin() -> None:
        TURNS.begin(TurnsDraft(size=size, name=clean_name(name, _("The name of a player")) if name else ""))

    st.button(_("Begin"), type="primary", on_click=action(begin), key="begin turns")
    drafts = store().drafts.all(kind=TURNS.kind)
    if drafts:
        st.subheader(_("Kingdoms you have begun"))
    for draft in drafts:
        _begun(draft)


def _begun(saved: SavedDraft) -> None:
    try:
        draft = TurnsDraft.from_json(saved.document)
    except KingdominoError as error:
        st.html(message("bad", str(error)))
        return
    states = ngettext("{n} state", "{n} states", len(draft.states))
    with st.container(border=True):
        name = text.plain(draft.name or _("A kingdom"))
        st.markdown(f"{name}: {states}, {saved.changed_at:%Y-%m-%d %H:%M}")
        with st.container(horizontal=True):
            st.button(_("Go on"), key=f"go on {saved.id}", on_click=action(lambda: TURNS.open(saved.id)))
            st.button(_("Discard"), key=f"discard {saved.id}", on_click=action(lambda: TURNS.discard(saved.id)))


def _waiting(value: TurnsDraft, key: str) -> None:
    """Between two turns: the states so far, the next photo, the question about a discard."""
    if value.states:
        stops = [Stop(each.kingdom, each.photo, each.taken_at, each.discarded) for each in value.states]
        walk(f"turns {key} {len(stops)}", stops, value.rules)
        st.button(
            _("Correct the last state"),
            icon=":material/edit:",
            key=f"reopen {key}",
            on_click=action(lambda: TURNS.change(TURNS.value().reopened())),
        )
    else:
        st.html(message("open", _("So far there is only the castle. Show the kingdom after its first turn.")))
    st.subheader(_("After the next turn"))
    kingdom_input(
        f"turns {key} {len(value.states)}",
        _take,
        _enter,
        label=_("Take or choose a photo of the kingdom"),
        size=value.size,
    )
    st.button(
        _("Lay it by hand on the last state"),
        icon=":material/grid_on:",
        key=f"lay {key}",
        on_click=action(lambda: _enter(KingdomEntry(Editor.of_kingdom(_roomy(TURNS.value().last))))),
    )
    st.subheader(_("Somebody wants to discard a domino"))
    discard_part(f"turns {key} {len(value.states)}", value.last, value.rules, _discard)


def _roomy(kingdom: Kingdom) -> Kingdom:
    return kingdom.padded(**dict.fromkeys(SIDES, _REACH))


def _discard(number: int) -> None:
    TURNS.change(TURNS.value().discarded(number))


def _enter(entry: KingdomEntry) -> None:
    st.session_state.pop(_CORNERS, None)
    TURNS.change(replace(TURNS.value(), next=entry, source=None))


def _take(data: bytes) -> None:
    """Keep a photo before it is read: a reading that is cut short is taken up again."""
    TURNS.change(replace(TURNS.value(), source=photos.keep(data)))
    st.rerun()


def _photo(value: TurnsDraft, source: Source, key: str) -> None:
    """A photo that was not read yet, or on which no kingdom was found.

    Of several kingdoms the one that can best be the next state is taken.
    """
    found = photos.look(source)
    if not found.error:
        _enter(best_of(photos.entries(source, found), value))
        st.rerun()
    st.html(message("bad", found.error))
    _corners(source, key)
    st.button(
        _("Go on without this photo"),
        key=f"without {key}",
        on_click=action(lambda: TURNS.change(replace(TURNS.value(), source=None))),
    )


def _corners(source: Source, key: str) -> None:
    photos.mark_corners(f"turns {key}", source, photos.look(source), lambda kingdoms: _enter(kingdoms[0]))


def _reading(value: TurnsDraft, entry: KingdomEntry, key: str) -> None:
    """The new reading: what it means, and the board to correct it on."""
    if st.session_state.get(_CORNERS) and entry.source is not None:
        _corners(entry.source, key)
        st.button(_("Back to the kingdom"), on_click=lambda: st.session_state.pop(_CORNERS, None))
        return
    st.session_state[_COMPARED] = entry.kingdom.notation
    st.subheader(_("What happened in this turn"))
    show_step(value.last, entry.kingdom.trimmed(), value.rules)
    with st.container(horizontal=True):
        st.button(
            _("Keep this state"),
            type="primary",
            key=f"keep {key}",
            on_click=action(lambda: TURNS.change(TURNS.value().kept())),
        )
        st.button(
            _("Discard this reading"),
            key=f"drop {key}",
            on_click=action(lambda: TURNS.change(replace(TURNS.value(), next=None, source=None))),
        )
    st.subheader(_("Was it read right?"))
    _which(entry, key)

    def get() -> KingdomEntry:
        return TURNS.value().next or entry

    def put(changed: KingdomEntry, *, save: bool = True) -> None:
        TURNS.change(replace(TURNS.value(), next=changed), save=save)

    panel = Panel(
        key=f"turns {key} {len(value.states)}",
        get=get,
        put=put,
        look=lambda changed: put(changed, save=False),
        size=value.size,
        photo=photos.photo_of(entry),
        # The comparison stands outside the panel, so a corrected square draws the whole page again.
        stale=lambda: TURNS.unasked() or get().kingdom.notation != st.session_state.get(_COMPARED),
    )
    kingdom_view(panel, lambda: st.session_state.update({_CORNERS: True}))


def _which(entry: KingdomEntry, key: str) -> None:
    """Of several kingdoms on the photo, which one it is."""
    photo = photos.photo_of(entry)
    if photo is None or entry.source is None or len(photo.recognitions) < 2:
        return
    source, widget = entry.source, f"turns which {key}"
    st.selectbox(
        _("Which kingdom of the photo is it?"),
        range(len(photo.recognitions)),
        index=entry.index,
        format_func=lambda number: _("Kingdom {n}").format(n=number + 1),
        key=widget,
        on_change=action(lambda: _enter(photos.entries(source, photo)[st.session_state[widget]])),
        width=280,
    )
