"""The part of the history in which a game is edited: its day and note, its kingdoms and photos, its turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from engine import KingdominoError
from store import GameConflict, NotFound, SavedGame, Turn
from ui import photos, text, thumbnails
from ui.drafts import store
from ui.edits import EditDraft
from ui.guard import action
from ui.language import _, ngettext
from ui.panel import Panel
from ui.reading import Source
from ui.session import EDITS, TURNS
from ui.style import message
from ui.turns import TurnsDraft
from ui.values import KingdomEntry
from ui.view import kingdom_input, kingdom_view

#: Whether the corners of the open kingdom are being marked again, and the photo on which no kingdom was found.
_CORNERS: Final = "edit marks corners"
_LOST: Final = "edit photo without kingdom"
#: The draft whose game was edited elsewhere meanwhile.
_CONFLICT: Final = "edit conflict"
_NOTE_LETTERS: Final = 2_000


def editing(draft: EditDraft, draft_id: str, key: str, on_done: Callable[[str | None], None]) -> None:
    """Draw the edit; `on_done` gets the id of the game when it is over."""
    try:
        game = store().games.open(draft.game)
    except NotFound as error:
        st.html(message("bad", str(error)))
        st.button(_("All games"), key="edit lost", on_click=action(EDITS.close))
        return
    st.subheader(_("Edit a game"))
    _facts(draft, key)
    with st.container(horizontal=True, gap="small"):
        for number, seat in enumerate(game.seats):
            st.button(
                text.short(seat.player.name),
                type="primary" if number == draft.seat else "secondary",
                key=f"edit seat {number} {key}",
                on_click=action(partial(_sit, number)),
            )
    _kingdom(draft, game, key)
    _turns(draft, game, key)
    st.divider()
    if st.session_state.get(_CONFLICT) == draft_id:
        headline = _("This game was edited on another phone or in another tab in the meantime.")
        st.html(message("bad", headline, (_("Save once more to replace that edit by yours."),)))
    with st.container(horizontal=True):
        st.button(
            _("Save the changes"),
            type="primary",
            key=f"edit save {key}",
            on_click=action(lambda: _save(draft_id, on_done)),
        )
        st.button(_("Discard the changes"), key=f"edit drop {key}", on_click=action(lambda: EDITS.discard(draft_id)))


def _facts(draft: EditDraft, key: str) -> None:
    day, note = f"edit day {key}", f"edit note {key}"

    def changed() -> None:
        chosen = st.session_state[day]
        EDITS.change(replace(EDITS.value(), day=chosen or draft.day, note=st.session_state[note] or ""))

    st.date_input(_("Played on"), draft.day, key=day, on_change=action(changed), width=220, min_value="1990-01-01")
    st.text_area(
        _("A note on this game"), draft.note, key=note, max_chars=_NOTE_LETTERS, height=80, on_change=action(changed)
    )


def _marked() -> None:
    """Corners are no longer being marked."""
    for name in (_CORNERS, _LOST):
        st.session_state.pop(name, None)


def _sit(number: int) -> None:
    _marked()
    EDITS.change(replace(EDITS.value(), seat=number))


def _enter(entry: KingdomEntry) -> None:
    _marked()
    draft = EDITS.value()
    without = draft.seats[draft.seat].without_photo and entry.source is None
    EDITS.change(draft.with_seat(draft.seat, kingdom=entry, without_photo=without))


def _take(data: bytes) -> None:
    source = photos.keep(data)
    found = photos.look(source)
    if found.error:
        st.session_state[_LOST] = source
    else:
        _enter(photos.entries(source, found)[0])
    st.rerun()


def _mark(source: Source, key: str) -> None:
    found = photos.look(source)
    if found.error:
        st.html(message("bad", found.error))
    photos.mark_corners(f"edit {key}", source, found, lambda kingdoms: _enter(kingdoms[0]))
    st.button(_("Back to the kingdom"), key=f"edit back {key}", on_click=_marked)


def _kingdom(draft: EditDraft, game: SavedGame, key: str) -> None:
    number = draft.seat
    entry = draft.kingdom(number, game)
    lost: Source | None = st.session_state.get(_LOST)
    if lost is None and st.session_state.get(_CORNERS):
        lost = entry.source
    if lost is not None:
        _mark(lost, f"{key} {number}")
        return

    def get() -> KingdomEntry:
        return EDITS.value().kingdom(number, game)

    def put(changed: KingdomEntry, *, save: bool = True) -> None:
        EDITS.change(EDITS.value().with_seat(number, kingdom=changed), save=save)

    panel = Panel(
        key=f"edit {key} {number}",
        get=get,
        put=put,
        look=lambda changed: put(changed, save=False),
        size=game.rules.size,
        middle_kingdom=game.rules.middle_kingdom,
        harmony=game.rules.harmony,
        photo=photos.photo_of(entry),
        stale=EDITS.unasked,
    )
    kingdom_view(panel, lambda: st.session_state.update({_CORNERS: True}))
    _photo(draft, game, key)


def _photo(draft: EditDraft, game: SavedGame, key: str) -> None:
    """The photo that is kept with the kingdom, and the ways to replace or remove it."""
    number = draft.seat
    edit, before = draft.seats[number], game.seats[number].reading.photo
    with st.expander(_("The photo of this kingdom"), key=f"edit photos {key} {number}"):
        new = edit.kingdom is not None and edit.kingdom.source is not None
        if new:
            st.html(message("open", _("A new photo takes the place of the old one when you save.")))
        elif before is None or edit.without_photo:
            st.html(message("open", _("This kingdom has no photo.")))
        else:
            try:
                st.image(store().photos.open(before).data, alt=_("The photo so far"), width=320)
            except NotFound as error:
                st.html(message("open", str(error)))
        if before is not None and not new:
            words = _("Keep the photo after all") if edit.without_photo else _("Remove the photo")
            st.button(
                words,
                key=f"edit photo {key} {number}",
                on_click=action(
                    lambda: EDITS.change(EDITS.value().with_seat(number, without_photo=not edit.without_photo))
                ),
            )
        kingdom_input(
            f"edit {key} {number}", _take, _enter, label=_("Take or choose another photo"), size=game.rules.size
        )


def _turns(draft: EditDraft, game: SavedGame, key: str) -> None:
    """States that were photographed turn by turn, to be kept with this kingdom."""
    sequences: dict[str | None, str] = {None: _("As they are")}
    for saved in store().drafts.all(kind=TURNS.kind):
        try:
            found = TurnsDraft.from_json(saved.document)
        except KingdominoError:
            continue
        if found.states:
            states = ngettext("{n} state", "{n} states", len(found.states))
            sequences[saved.id] = f"{found.name or _('A kingdom')}: {states}, {saved.changed_at:%Y-%m-%d %H:%M}"
    number = draft.seat
    here = ngettext("{n} state", "{n} states", len(game.seats[number].turns))
    chosen = draft.seats[number].turns
    if len(sequences) == 1:
        return
    widget = f"edit turns {key} {number}"
    options = list(sequences)
    st.selectbox(
        _("Turn by turn (so far {states})").format(states=here),
        options,
        index=options.index(chosen) if chosen in options else 0,
        format_func=sequences.__getitem__,
        key=widget,
        on_change=action(lambda: EDITS.change(EDITS.value().with_seat(number, turns=st.session_state[widget]))),
    )


def _save(draft_id: str, on_done: Callable[[str | None], None]) -> None:
    if EDITS.conflict():
        return
    draft, records = EDITS.value(), store()
    if st.session_state.pop(_CONFLICT, None) == draft_id:
        records.drafts.rebase(draft_id)
    game = records.games.open(draft.game)
    turns: dict[str, tuple[Turn, ...]] = {}
    for name in {seat.turns for seat in draft.seats if seat.turns}:
        sequence = TurnsDraft.from_json(records.drafts.open(name).document)
        small = thumbnails.made_of({each.photo for each in sequence.states if each.photo})
        turns[name] = sequence.turns(small)
    entry = draft.entry(game, thumbnails.made_of(draft.photos), turns)
    try:
        done = records.drafts.finish(draft_id, entry, EDITS.version())
    except GameConflict:
        st.session_state[_CONFLICT] = draft_id
        return
    # What is kept with the game now need not be listed as begun any more.
    for name in turns:
        records.drafts.discard(name)
    EDITS.close()
    on_done(done.id)
