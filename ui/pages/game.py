"""The page of a game: who plays, every kingdom, the podium. What is entered is a draft until it is saved."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from store import NotFound, SavedDraft, SavedDynasty, SavedGame
from ui import podium, text, thumbnails
from ui.drafts import store
from ui.game_steps import kingdoms_step, players_step, sit
from ui.guard import action
from ui.language import _
from ui.session import GAMES, go, page
from ui.style import message
from ui.values import STEPS, GameDraft, seats_for

#: The name of a saved game in the address of the page.
PARAMETER: Final = "game"
_STEP_WORDS: Final = {"players": _("1. Players"), "kingdoms": _("2. Kingdoms"), "result": _("3. Result")}
_NOTE_LETTERS: Final = 2_000


def render() -> None:
    """Draw the page."""
    st.title(text.GAME_TITLE)
    here = GAMES.current()
    GAMES.show_notices()
    if here is not None:
        st.query_params.pop(PARAMETER, None)
        _entering(here.value, here.id, f"{here.id} {here.epoch}")
        return
    saved = GAMES.finished() or st.query_params.get(PARAMETER)
    if saved is not None:
        st.query_params[PARAMETER] = saved
        _saved(saved)
    else:
        _start()


def _start() -> None:
    """Nothing is being entered: begin a game, or go on with one."""
    st.markdown(_("Photograph the kingdom of every player. The winner, the tie-break and the Dynasty follow."))
    last = store().games.page(1, 1).games
    with st.container(horizontal=True):
        st.button(_("New game"), type="primary", on_click=action(lambda: GAMES.begin(GameDraft())), key="new game")
        if last:
            st.button(_("Same players again"), on_click=action(lambda: _again(store().games.open(last[0].id))))
    drafts = store().drafts.all(kind=GAMES.kind)
    if drafts:
        st.subheader(_("Not finished yet"))
    for draft in drafts:
        _unfinished(draft)


def _unfinished(saved: SavedDraft) -> None:
    draft = GameDraft.from_json(saved.document)
    done = sum(seat.kingdom is not None for seat in draft.seats)
    words = _("{done} of {all} kingdoms").format(done=done, all=len(draft.seats))
    with st.container(border=True):
        st.markdown(f"{', '.join(text.short(name) for name in draft.names)}: {words}")
        with st.container(horizontal=True):
            st.button(_("Go on"), key=f"go on {saved.id}", on_click=action(lambda: GAMES.open(saved.id)))
            st.button(_("Discard"), key=f"discard {saved.id}", on_click=action(lambda: GAMES.discard(saved.id)))


def _entering(draft: GameDraft, draft_id: str, key: str) -> None:
    dynasty = _dynasty(draft)
    if dynasty is not None:
        words = _("Game {n} of the Dynasty {name}").format(n=dynasty.next_slot or 3, name=dynasty.name)
        st.html(message("open", words))
    with st.container(horizontal=True, gap="small"):
        for step in STEPS:
            st.button(
                _STEP_WORDS[step],
                key=f"step {step} {key}",
                type="primary" if step == draft.step else "secondary",
                disabled=step == "result" and not draft.complete,
                on_click=action(lambda step=step: GAMES.change(replace(GAMES.value(), step=step))),
            )
    if draft.step == "players":
        players_step(draft, key, dynasty)
        _next(_("On to the kingdoms"), "kingdoms", key)
    elif draft.step == "kingdoms" or not draft.complete:
        kingdoms_step(draft, key)
        _onward(key)
    else:
        _result(draft, draft_id, key)
    st.divider()
    with st.container(horizontal=True):
        st.button(_("Leave it for now"), key="leave game", on_click=action(GAMES.close))
        st.button(
            _("Discard this game"),
            icon=":material/delete:",
            key="discard game",
            on_click=action(lambda: GAMES.discard(draft_id)),
        )


def _next(words: str, step: str, key: str) -> None:
    def go_on() -> None:
        draft = GAMES.value()
        # A set-up that no edition has is named here, before anybody takes a photo.
        _checked = draft.rules
        GAMES.change(replace(draft, step=step))

    st.button(words, type="primary", key=f"next {step} {key}", on_click=action(go_on))


def _onward(key: str) -> None:
    """The next thing to do with the kingdoms: the next one without a photo, or the result."""
    draft = GAMES.value()
    if draft.complete:
        _next(_("On to the result"), "result", key)
        return
    free = next(number for number, seat in enumerate(draft.seats) if seat.kingdom is None)
    if draft.seats[draft.seat].kingdom is not None:
        words = _("On to the kingdom of {name}").format(name=text.short(draft.names[free]))
        st.button(words, type="primary", key=f"onward {key}", on_click=action(partial(sit, free)))


def _dynasty(draft: GameDraft) -> SavedDynasty | None:
    if draft.dynasty is None:
        return None
    try:
        return store().dynasties.open(draft.dynasty)
    except NotFound:
        return None


def _result(draft: GameDraft, draft_id: str, key: str) -> None:
    order = podium.ranked(draft.names, draft.kingdoms, draft.rules)
    podium.podium(order, draft.names, [seat.colour for seat in draft.seats])
    podium.one_box(draft.names, draft.kingdoms, draft.rules)
    widget = f"note {key}"
    st.text_area(
        _("A note on this game"),
        draft.note,
        key=widget,
        max_chars=_NOTE_LETTERS,
        height=80,
        on_change=action(lambda: GAMES.change(replace(GAMES.value(), note=st.session_state[widget] or ""))),
    )
    st.button(_("Save the game"), type="primary", key=f"save {key}", on_click=action(lambda: _save(draft_id)))


def _save(draft_id: str) -> None:
    if GAMES.conflict():
        return
    draft = GAMES.value()
    records = store()
    photos = {seat.kingdom.source.photo for seat in draft.seats if seat.kingdom and seat.kingdom.source}
    game = records.drafts.finish(draft_id, draft.entry(thumbnails.made_of(photos)), GAMES.version())
    st.query_params[PARAMETER] = game.id
    GAMES.close()


def _saved(game_id: str) -> None:
    """A game that was saved: its podium, and the ways on."""
    try:
        game = store().games.open(game_id)
    except NotFound as error:
        st.html(message("bad", str(error)))
        st.button(_("On to the games"), on_click=_to_the_games)
        return
    names = [seat.player.name for seat in game.seats]
    st.html(message("good", _("The game is saved.")))
    podium.podium(game.ranking, names, [seat.colour for seat in game.seats])
    with st.container(horizontal=True):
        st.button(_("Same players again"), type="primary", on_click=action(lambda: _again(game)), key="again")
        if page("dynasty") is not None:
            st.button(_("Dynasties"), icon=":material/trophy:", key="dynasties", on_click=lambda: go("dynasty"))
        st.button(_("Another game"), key="another", on_click=_to_the_games)


def _to_the_games() -> None:
    st.query_params.pop(PARAMETER, None)


def _again(game: SavedGame) -> None:
    """Begin the next game of the same players, of the same Dynasty while that has a free slot."""
    dynasty = None
    if game.dynasty is not None:
        saved = store().dynasties.open(game.dynasty.id)
        dynasty = saved.id if saved.next_slot and not saved.abandoned else None
    seats = seats_for([seat.player.name for seat in game.seats], [seat.colour for seat in game.seats])
    rules = game.rules
    GAMES.begin(
        GameDraft(seats, rules.edition.value, rules.size, rules.middle_kingdom, rules.harmony, dynasty, step="kingdoms")
    )
