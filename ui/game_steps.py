"""The steps of entering a game: who plays under which rules, and the kingdom of each player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from engine import KingdominoError
from store import COLOURS, SavedDynasty, clean_name
from ui import photos, reading, text
from ui.drafts import store
from ui.editor import Editor
from ui.guard import action
from ui.language import _
from ui.panel import Panel
from ui.reading import Source
from ui.session import GAMES
from ui.style import message
from ui.values import PLAYERS, GameDraft, KingdomEntry
from ui.view import kingdom_input, kingdom_view

_EDITIONS: Final = {"classic": _("Classic edition"), "new": _("New edition")}
_SIZES: Final = {5: "5×5", 7: _("7×7 (Mighty Duel)")}
#: Whether the corners of the open kingdom are being marked again.
_CORNERS: Final = "game marks corners"
#: What reading the kingdoms together has changed, to be told once.
_MENDED: Final = "game read together"


def players_step(draft: GameDraft, key: str, dynasty: SavedDynasty | None) -> None:
    """Who plays, and under which rules."""
    fixed = dynasty is not None
    _choice(
        _("How many players?"),
        list(PLAYERS),
        len(draft.seats),
        f"players {key}",
        lambda draft, count: draft.with_players(count),
        disabled=fixed,
    )
    known = [player.name for player in store().players.all()]
    for number, seat in enumerate(draft.seats):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _name(seat.name, number, key, known, disabled=fixed)
            _colour(seat.colour, number, key)
    st.subheader(_("Rules you play by"))
    _choice(
        _("Edition"),
        list(_EDITIONS),
        draft.edition,
        f"edition {key}",
        lambda draft, edition: draft.with_edition(edition),
        words=_EDITIONS.__getitem__,
    )
    if len(draft.seats) == 2:
        _choice(
            text.SIZE_LABEL,
            list(_SIZES),
            draft.size,
            f"size {key}",
            lambda draft, size: replace(draft, size=size),
            words=_SIZES.__getitem__,
            disabled=draft.edition == "new",
        )
    with st.container(horizontal=True, gap="medium"):
        _toggle(text.MIDDLE_KINGDOM, text.MIDDLE_KINGDOM_HELP, draft.middle_kingdom, "middle_kingdom", key)
        _toggle(text.HARMONY, text.HARMONY_HELP, draft.harmony, "harmony", key)


def _choice(
    label: str,
    options: list[Any],
    value: Any,
    key: str,
    change: Callable[[GameDraft, Any], GameDraft],
    *,
    words: Callable[[Any], str] = str,
    disabled: bool = False,
) -> None:
    st.radio(
        label,
        options,
        index=options.index(value),
        format_func=words,
        horizontal=True,
        key=key,
        disabled=disabled,
        on_change=action(lambda: GAMES.change(change(GAMES.value(), st.session_state[key]))),
    )


def _toggle(label: str, words: str, value: bool, name: str, key: str) -> None:
    widget = f"{name} {key}"
    st.toggle(
        label,
        value,
        help=words,
        key=widget,
        on_change=action(lambda: GAMES.change(replace(GAMES.value(), **{name: st.session_state[widget]}))),
    )


def _name(name: str, number: int, key: str, known: list[str], *, disabled: bool) -> None:
    widget = f"name {number} {key}"
    options = [name, *known] if name and name not in known else known

    def changed() -> None:
        entered = st.session_state[widget]
        draft = GAMES.value()
        cleaned = clean_name(entered, _("The name of a player")) if entered else ""
        draft = draft.with_seat(number, name=cleaned)
        # Who played before gets the castle they had, if nobody else here has it.
        colour = next((player.colour for player in store().players.all() if player.name == cleaned), None)
        taken = {seat.colour for other, seat in enumerate(draft.seats) if other != number and seat.name}
        if colour and colour not in taken:
            draft = draft.with_colour(number, colour)
        GAMES.change(draft)

    st.selectbox(
        _("Player {n}").format(n=number + 1),
        options,
        index=options.index(name) if name else None,
        key=widget,
        placeholder=_("Type or choose a name"),
        accept_new_options=True,
        disabled=disabled,
        on_change=action(changed),
    )


def _colour(colour: str, number: int, key: str) -> None:
    # The colour is part of the key, because choosing one may change another player's.
    widget = f"colour {number} {colour} {key}"
    st.selectbox(
        _("Castle of player {n}").format(n=number + 1),
        COLOURS,
        index=COLOURS.index(colour),
        format_func=lambda each: text.COLOUR_NAMES[each].capitalize(),
        key=widget,
        width=150,
        on_change=action(lambda: GAMES.change(GAMES.value().with_colour(number, st.session_state[widget]))),
    )


def kingdoms_step(draft: GameDraft, key: str) -> None:
    """The kingdom of each player, one at a time."""
    draft = _read_together(draft)
    with st.container(horizontal=True, gap="small"):
        for number, name in enumerate(draft.names):
            done = draft.seats[number].kingdom is not None
            st.button(
                text.short(name),
                icon=":material/check:" if done else ":material/photo_camera:",
                type="primary" if number == draft.seat else "secondary",
                key=f"seat {number} {key}",
                on_click=action(partial(sit, number)),
            )
    with st.container():
        for line in st.session_state.pop(_MENDED, ()):
            st.html(message("open", line))
    entry = draft.seats[draft.seat].kingdom
    if draft.source is not None:
        _mark(draft.source, f"game {key}", not_found=True)
    elif entry is None:
        kingdom_input(
            f"game {key} {draft.seat}",
            _take,
            _enter,
            label=_("A photo of this kingdom, or of all of them at once"),
            size=draft.size,
        )
    elif st.session_state.get(_CORNERS) and entry.source is not None:
        _mark(entry.source, f"game {key} {draft.seat}", not_found=False)
    else:
        _kingdom(draft, entry, key)


def sit(number: int) -> None:
    """Open the kingdom of a player."""
    st.session_state.pop(_CORNERS, None)
    GAMES.change(replace(GAMES.value(), seat=number))


def _enter(entry: KingdomEntry) -> None:
    draft = GAMES.value()
    GAMES.change(replace(draft.with_seat(draft.seat, kingdom=entry), source=None))


def _take(data: bytes) -> None:
    """Keep and read a photo: one kingdom goes to the seat it was taken for, several to the players of their castles."""
    source = photos.keep(data)
    found = photos.look(source)
    draft = GAMES.value()
    if found.error:
        GAMES.change(replace(draft, source=source))
    else:
        GAMES.change(draft.with_found(draft.seat, photos.entries(source, found)))
    st.rerun()


def _mark(source: Source, key: str, *, not_found: bool) -> None:
    found = photos.look(source)
    if not_found:
        st.html(message("bad", found.error or _("No kingdom was found.")))

    def take(kingdoms: tuple[KingdomEntry, ...]) -> None:
        st.session_state.pop(_CORNERS, None)
        _enter(kingdoms[0])

    def back() -> None:
        st.session_state.pop(_CORNERS, None)
        if not_found:
            GAMES.change(replace(GAMES.value(), source=None))

    photos.mark_corners(key, source, found, take)
    words = _("Go on without this photo") if not_found else _("Back to the kingdom")
    st.button(words, key=f"{key} back", on_click=action(back))


def _kingdom(draft: GameDraft, entry: KingdomEntry, key: str) -> None:
    number = draft.seat

    def get() -> KingdomEntry:
        held = GAMES.value().seats[number].kingdom
        return held if held is not None else entry

    def put(changed: KingdomEntry, *, save: bool = True) -> None:
        GAMES.change(GAMES.value().with_seat(number, kingdom=changed), save=save)

    panel = Panel(
        key=f"game {key} {number}",
        get=get,
        put=put,
        look=lambda changed: put(changed, save=False),
        size=draft.size,
        middle_kingdom=draft.middle_kingdom,
        harmony=draft.harmony,
        photo=photos.photo_of(entry),
        stale=GAMES.unasked,
    )
    with st.container():
        _suggest(draft, entry, key)
    _belongs(draft, key)
    kingdom_view(panel, lambda: st.session_state.update({_CORNERS: True}))
    with st.expander(_("Another photo"), key=f"another {key} {number}"):
        kingdom_input(
            f"game again {key} {number}", _take, _enter, label=_("Take or choose another photo"), size=draft.size
        )


def _exchange(one: int, other: int) -> None:
    GAMES.change(replace(GAMES.value().swapped(one, other), seat=other))


def _suggest(draft: GameDraft, entry: KingdomEntry, key: str) -> None:
    """Ask about a castle in the colour of another player; the kingdom stays where it is until somebody answers."""
    here, other = draft.seat, draft.suggested(draft.seat)
    if other is None or entry.colour is None:
        return
    question = _("This castle looks {colour}, the colour of {name}. Is it the kingdom of {name}?")
    detail = _("The two kingdoms are exchanged then.") if draft.seats[other].kingdom is not None else ""
    words = question.format(colour=text.COLOUR_NAMES[entry.colour], name=draft.names[other])
    st.html(message("open", words, (detail,) if detail else ()))
    with st.container(horizontal=True):
        st.button(
            _("Yes, it belongs to {name}").format(name=text.short(draft.names[other])),
            key=f"suggested {here} {other} {key}",
            on_click=action(partial(_exchange, here, other)),
        )
        st.button(
            _("No, it belongs to {name}").format(name=text.short(draft.names[here])),
            key=f"not suggested {here} {other} {key}",
            on_click=action(lambda: GAMES.change(GAMES.value().without_suggestion(here))),
        )


def _belongs(draft: GameDraft, key: str) -> None:
    """Whose kingdom this is; choosing another player exchanges two kingdoms."""
    with st.popover(_("The kingdom of another player?"), icon=":material/swap_horiz:", key=f"whose {draft.seat} {key}"):
        for number, name in enumerate(draft.names):
            if number != draft.seat:
                words = _("It belongs to {name}").format(name=text.short(name))
                st.button(
                    words,
                    key=f"whose {draft.seat} {number} {key}",
                    on_click=action(partial(_exchange, draft.seat, number)),
                )


def _read_together(draft: GameDraft) -> GameDraft:
    """Read all kingdoms again as parts of one box, once each player has one; corrected ones stay as they are."""
    if not draft.complete:
        return draft
    seats, found = [], []
    for number, seat in enumerate(draft.seats):
        entry = seat.kingdom
        if entry is None or entry.source is None or entry.editor.read is None:
            continue
        photo = photos.look(entry.source)
        if entry.index < len(photo.recognitions):
            seats.append(number)
            found.append(photo.recognitions[entry.index])
    if len(found) < 2:
        return draft
    try:
        with st.spinner(_("Reading the kingdoms together, as parts of one box …")):
            again = reading.together(found, draft.rules)
    except KingdominoError:
        return draft
    changed, lines = draft, []
    for number, recognition in zip(seats, again, strict=True):
        entry = draft.seats[number].kingdom
        read = reading.as_read(recognition)
        if entry is None or entry.editor.touched or entry.editor.read == read:
            continue
        if entry.editor.read is not None and entry.editor.read.kingdom != read.kingdom:
            words = _("{name}: read once more together with the other kingdoms, some squares have changed.")
            lines.append(words.format(name=draft.names[number]))
        changed = changed.with_seat(number, kingdom=replace(entry, editor=Editor.of_reading(read)))
    if changed is not draft:
        GAMES.change(changed)
        st.session_state[_MENDED] = lines
    return changed
