"""The page that scores the kingdoms of one photo, or one built by hand, without a game around it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import streamlit as st

from engine import EMPTY
from ui import photos, text
from ui.drafts import store
from ui.guard import action
from ui.language import _
from ui.panel import Panel
from ui.reading import Source
from ui.session import GAMES, SCORES, go, page
from ui.style import message
from ui.values import GameDraft, KingdomEntry, ScoreDraft, seats_for
from ui.view import kingdom_input, kingdom_view

#: Which kingdom's corners are being marked, if any.
_CORNERS: Final = "score marks corners of"


def render() -> None:
    """Draw the page."""
    st.title(text.SCORE_TITLE)
    here = SCORES.current()
    SCORES.show_notices()
    if here is None:
        _start()
        return
    key = f"{here.id} {here.epoch}"
    marking = st.session_state.get(_CORNERS)
    if marking is not None and marking < len(here.value.kingdoms):
        _mark_again(here.value, marking, key)
    elif here.value.kingdoms:
        _kingdoms(here.value, key)
    elif here.value.source is not None:
        _not_found(here.value.source, key)
    _leave()


def _start() -> None:
    st.markdown(
        _(
            "Photograph a finished kingdom. You see how it was read, what each territory is worth, and whether it "
            "could have been built by the rules."
        )
    )
    kingdom_input("score", _take, _begin, label=_("Take or choose a photo"))
    last = store().drafts.all(kind=SCORES.kind)[:1]
    if last:
        st.button(
            _("Go on with the last kingdom"),
            icon=":material/history:",
            on_click=action(lambda: SCORES.open(last[0].id)),
            key="score go on",
        )
    typed = page("typed")
    if typed is not None:
        st.page_link(typed, label=_("More about typing kingdoms, with examples"), icon=":material/keyboard:")


def _begin(entry: KingdomEntry) -> None:
    SCORES.begin(ScoreDraft((entry,)))


def _take(data: bytes) -> None:
    """Keep and read a new photo, in a draft of its own."""
    source = photos.keep(data)
    found = photos.look(source)
    st.session_state.pop(_CORNERS, None)
    before = SCORES.current()
    if before is not None:
        SCORES.discard(before.id, silently=True)
    SCORES.begin(ScoreDraft(photos.entries(source, found), source))
    st.rerun()


def _not_found(source: Source, key: str) -> None:
    """The photo on which no kingdom was found: the person shows where it is."""
    found = photos.look(source)
    st.html(message("bad", found.error or _("No kingdom was found.")))

    def take(kingdoms: tuple[KingdomEntry, ...]) -> None:
        SCORES.change(replace(SCORES.value(), kingdoms=kingdoms, source=kingdoms[0].source))

    photos.mark_corners(f"score {key}", source, found, take)


def _mark_again(value: ScoreDraft, number: int, key: str) -> None:
    """A kingdom whose grid was found wrongly: the person shows where it is."""
    source = value.kingdoms[number].source
    if source is None:
        return

    def take(kingdoms: tuple[KingdomEntry, ...]) -> None:
        st.session_state.pop(_CORNERS, None)
        SCORES.change(SCORES.value().with_kingdom(number, kingdoms[0]))

    photos.mark_corners(f"score {key} {number}", source, photos.look(source), take)
    st.button(_("Back to the kingdom"), on_click=lambda: st.session_state.pop(_CORNERS, None))


def _kingdoms(value: ScoreDraft, key: str) -> None:
    _options(value, key)
    if len(value.kingdoms) == 1:
        _kingdom(value, 0, key)
        return
    names = [_("Kingdom {n}").format(n=number) for number in range(1, len(value.kingdoms) + 1)]
    for number, tab in enumerate(st.tabs(names)):
        with tab:
            _kingdom(value, number, key)


def _options(value: ScoreDraft, key: str) -> None:
    sizes: list[int | None] = list(text.SIZES)

    def changed(name: str, widget: str) -> None:
        SCORES.change(replace(SCORES.value(), **{name: st.session_state[widget]}))

    # What is worth a look on a small screen is the kingdom and its points, so there this is folded away.
    folded = st.expander(_("Size and bonuses"), expanded=not photos.on_a_phone(), key=f"options {key}")
    with folded, st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
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
    panel = Panel(
        key=f"score {key} {number}",
        get=lambda: SCORES.value().kingdoms[number],
        put=lambda entry: SCORES.change(SCORES.value().with_kingdom(number, entry)),
        look=lambda entry: SCORES.change(SCORES.value().with_kingdom(number, entry), save=False),
        size=value.size,
        middle_kingdom=value.middle_kingdom,
        harmony=value.harmony,
        photo=photos.photo_of(value.kingdoms[number]),
        stale=SCORES.unasked,
    )
    kingdom_view(panel, lambda: st.session_state.update({_CORNERS: number}))


def _leave() -> None:
    """The ways on: another photo, a game, nothing."""
    st.divider()
    with st.expander(_("Another photo"), key="score another"):
        photos.photo_input("score again", _("Take or choose another photo"), _take)
    with st.container(horizontal=True):
        kingdoms = SCORES.value().kingdoms
        if 2 <= len(kingdoms) <= 4:
            st.button(
                _("Make a game of these kingdoms"),
                type="primary",
                icon=":material/groups:",
                key="score game",
                on_click=action(_make_game),
            )
        st.button(_("Start over"), on_click=action(_start_over), icon=":material/delete:", key="score discard")


def _make_game() -> None:
    kingdoms = SCORES.value().kingdoms
    seats = seats_for([""] * len(kingdoms))
    GAMES.begin(GameDraft(tuple(replace(seat, kingdom=each) for seat, each in zip(seats, kingdoms, strict=True))))
    go("game")


def _start_over() -> None:
    st.session_state.pop(_CORNERS, None)
    here = SCORES.current()
    if here is None:
        return
    value = here.value
    empty = all(cell is EMPTY for entry in value.kingdoms for _position, cell in entry.kingdom)
    SCORES.discard(here.id, silently=empty and value.source is None)
