"""The page of all games: listed, opened, edited, deleted, brought back."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import Final

import streamlit as st

from engine import Kingdom, KingdominoError, score
from store import GameLine, NotFound, SavedDraft, SavedGame
from ui import board, card, podium, text, thumbnails
from ui.drafts import store
from ui.edits import EditDraft
from ui.guard import action
from ui.history_edit import editing
from ui.language import _, ngettext
from ui.podium import name_html
from ui.session import EDITS
from ui.style import message
from ui.walk import Stop, walk

#: The names of the open game and of the page of the list in the address.
PARAMETER: Final = "game"
_PAGE: Final = "page"
_PER_PAGE: Final = 10
#: The game that was deleted in this tab last.
_DELETED: Final = "history deleted"


def render() -> None:
    """Draw the page."""
    st.title(text.HISTORY_TITLE)
    here = EDITS.current()
    EDITS.show_notices()
    with st.container():
        _offer_undo()
    if here is not None:
        editing(here.value, here.id, f"{here.id} {here.epoch}", _opened)
        return
    game = st.query_params.get(PARAMETER)
    if game is not None:
        _open(game)
    else:
        _list()


def _opened(game_id: str | None) -> None:
    if game_id is None:
        st.query_params.pop(PARAMETER, None)
    else:
        st.query_params[PARAMETER] = game_id


def _unfinished() -> None:
    """Edits that were begun and left."""
    for saved in store().drafts.all(kind=EDITS.kind):
        with st.container(border=True):
            st.markdown(_("An edit is not finished: {game}.").format(game=_edited(saved)))
            with st.container(horizontal=True):
                st.button(_("Go on"), key=f"go on {saved.id}", on_click=action(partial(EDITS.open, saved.id)))
                st.button(_("Discard"), key=f"discard {saved.id}", on_click=action(partial(EDITS.discard, saved.id)))


def _edited(saved: SavedDraft) -> str:
    """The game that an edit is about, or else when it was left."""
    try:
        game = store().games.open(EditDraft.from_json(saved.document).game)
    except KingdominoError:
        return f"{saved.changed_at:%Y-%m-%d %H:%M}"
    names = ", ".join(text.short(seat.player.name) for seat in game.seats)
    return f"{game.played_at:%Y-%m-%d}, {names}"


def _list() -> None:
    _unfinished()
    players = {player.id: player.name for player in store().players.all(forgotten=True)}
    chosen: list[str] = []
    if players:
        chosen = st.multiselect(
            _("Only games in which all of these played"),
            list(players),
            format_func=players.__getitem__,
            key="history players",
            placeholder=_("Everybody"),
        )
    asked = st.query_params.get(_PAGE, "1")
    found = store().games.page(int(asked) if asked.isdecimal() else 1, _PER_PAGE, players=chosen)
    if not found.total:
        st.html(message("open", _("There is no game yet.") if not chosen else _("They have not played together yet.")))
    else:
        st.caption(ngettext("{n} game", "{n} games", found.total))
    for line in found.games:
        _line(line)
    if found.pages > 1:
        with st.container(horizontal=True, vertical_alignment="center"):
            _turn(_("Newer"), found.page - 1, found.page == 1)
            st.markdown(_("Page {n} of {all}").format(n=found.page, all=found.pages))
            _turn(_("Older"), found.page + 1, found.page == found.pages)
    deleted = store().games.deleted()
    if deleted:
        with st.expander(_("Deleted games")):
            for line in deleted:
                _gone(line)


def _turn(words: str, page: int, disabled: bool) -> None:
    st.button(
        words, disabled=disabled, key=f"history {words}", on_click=lambda: st.query_params.update({_PAGE: str(page)})
    )


def _line(line: GameLine) -> None:
    with st.container(border=True):
        st.html(_summary(line))
        with st.container(horizontal=True):
            st.button(_("Open"), key=f"open {line.id}", on_click=lambda: _opened(line.id))
            st.button(_("Edit"), icon=":material/edit:", key=f"edit {line.id}", on_click=action(lambda: _edit(line.id)))
            st.button(
                _("Delete"),
                icon=":material/delete:",
                key=f"delete {line.id}",
                on_click=action(lambda: _delete(line.id)),
            )


def _summary(line: GameLine, *, pictures: bool = True) -> str:
    """A game of the list: day, note, every player with points, the winners with a crown."""
    dynasty = (
        _(" · game {n} of the Dynasty {name}").format(n=line.dynasty.slot, name=line.dynasty.name)
        if line.dynasty
        else ""
    )
    size = f"{line.rules.size}×{line.rules.size}"
    head = f"<p><strong>{line.played_at:%Y-%m-%d}</strong> · {size}<bdi>{escape(dynasty)}</bdi></p>"
    note = f'<p class="kd-name"><bdi>{escape(line.note)}</bdi></p>' if line.note else ""
    seats = "".join(
        f"<li>{thumbnails.image(seat.thumbnail, seat.kingdom, seat.total, seat.name) if pictures else ''}"
        f"{board.crown(_('winner')) if seat.place == 1 else ''}{name_html(seat.name, seat.colour)}<br>"
        f"<strong>{seat.total}</strong> {escape(text.points_noun(seat.total))}</li>"
        for seat in line.seats
    )
    return f'{head}{note}<ul class="kd-hands">{seats}</ul>'


def _gone(line: GameLine) -> None:
    st.html(_summary(line, pictures=False))
    st.button(_("Bring it back"), key=f"restore {line.id}", on_click=action(lambda: _restore(line.id)))


def _edit(game_id: str) -> None:
    EDITS.begin(EditDraft.of(store().games.open(game_id)), edits=game_id)


def _delete(game_id: str) -> None:
    store().games.delete(game_id)
    _opened(None)
    st.session_state[_DELETED] = game_id


def _restore(game_id: str) -> None:
    store().games.restore(game_id)
    if st.session_state.get(_DELETED) == game_id:
        del st.session_state[_DELETED]


def _offer_undo() -> None:
    deleted = st.session_state.get(_DELETED)
    if deleted is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html(message("open", _("The game was deleted.")))
        st.button(_("Undo: bring the game back"), key="undo delete", on_click=action(lambda: _restore(deleted)))


def _open(game_id: str) -> None:
    st.button(_("All games"), icon=":material/arrow_back:", key="history back", on_click=lambda: _opened(None))
    try:
        game = store().games.open(game_id)
    except NotFound as error:
        st.html(message("bad", str(error)))
        return
    if game.deleted_at is not None:
        st.html(message("open", _("This game was deleted.")))
        st.button(_("Bring it back"), key=f"restore {game.id}", on_click=action(lambda: _restore(game.id)))
    names = [seat.player.name for seat in game.seats]
    st.markdown(f"**{game.played_at:%Y-%m-%d %H:%M}** UTC")
    if game.note:
        st.html(f'<p class="kd-name"><bdi>{escape(game.note)}</bdi></p>')
    podium.podium(game.ranking, names, [seat.colour for seat in game.seats])
    if game.deleted_at is None:
        with st.container(horizontal=True):
            st.button(_("Edit"), icon=":material/edit:", key="edit open", on_click=action(lambda: _edit(game.id)))
            st.button(
                _("Delete"), icon=":material/delete:", key="delete open", on_click=action(lambda: _delete(game.id))
            )
            st.download_button(
                _("Score card"),
                data=lambda: card.score_card(game),
                file_name=f"kingdomino-{game.played_at:%Y-%m-%d}.png",
                mime="image/png",
                icon=":material/image:",
                key="card open",
                on_click="ignore",
            )
    for number, tab in enumerate(st.tabs([text.short(name) for name in names])):
        with tab:
            _seat(game, number)


def _seat(game: SavedGame, number: int) -> None:
    seat = game.seats[number]
    points = score(seat.kingdom, game.rules).total
    seen, drawn = st.columns([5, 6], gap="large") if seat.reading.photo else (None, st.container())
    if seen is not None and seat.reading.photo is not None:
        with seen:
            try:
                photo = store().photos.open(seat.reading.photo).data
                st.image(photo, alt=_("The kingdom of {name}").format(name=seat.player.name), width="stretch")
            except NotFound as error:
                st.html(message("open", str(error)))
    with drawn:
        st.html(board.image(seat.kingdom, text.board_label(seat.kingdom, points)))
        st.code(seat.reading.kingdom, language=None, wrap_lines=True)
    if seat.turns:
        st.subheader(_("Turn by turn"))
        stops = [
            Stop(Kingdom.from_notation(turn.reading.kingdom), turn.reading.photo, turn.taken_at, turn.discarded)
            for turn in seat.turns
        ]
        walk(f"history {game.id} {number}", stops, game.rules)
