"""The page of the Dynasties: three games by the same players each, with running totals and a chart."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING, Final

import streamlit as st

from store import GameLine, SavedDynasty
from ui import board, text
from ui.drafts import store
from ui.guard import action, show_problem
from ui.language import _
from ui.podium import SHADES, name_html
from ui.session import GAMES, go
from ui.style import message
from ui.values import PLAYERS, GameDraft, seats_for

if TYPE_CHECKING:
    import altair

_NAME_LETTERS: Final = 80
_CHART_HEIGHT: Final = 260
#: Colours of lines for players who never chose a castle.
_OTHER_SHADES: Final = ("#8a5bb8", "#c26a2e", "#4aa3a0", "#777777")


def render() -> None:
    """Draw the page."""
    st.title(text.DYNASTY_TITLE)
    show_problem()
    st.markdown(
        _(
            "Three games in a row by the same players; the highest sum of points wins. The next game can wait as long "
            "as you like."
        )
    )
    dynasties = store().dynasties.all(abandoned=True)
    with st.expander(_("Begin a Dynasty"), expanded=not dynasties):
        _begin()
    for dynasty in dynasties:
        if not dynasty.abandoned:
            _shown(dynasty)
    abandoned = [dynasty for dynasty in dynasties if dynasty.abandoned]
    if abandoned:
        with st.expander(_("Abandoned Dynasties")):
            for dynasty in abandoned:
                _shown(dynasty)


def _begin() -> None:
    known = [player.name for player in store().players.all()]
    st.text_input(_("Name of the Dynasty"), max_chars=_NAME_LETTERS, key="dynasty name")
    count = st.radio(_("How many players?"), PLAYERS, horizontal=True, key="dynasty count")
    keys = [f"dynasty player {number}" for number in range(count)]
    for number, key in enumerate(keys, start=1):
        st.selectbox(
            _("Player {n}").format(n=number),
            known,
            index=None,
            placeholder=_("Type or choose a name"),
            accept_new_options=True,
            key=key,
        )

    def begin() -> None:
        names = [st.session_state[key] or "" for key in keys]
        store().dynasties.create(st.session_state["dynasty name"] or "", names)
        for key in ("dynasty name", *keys):
            st.session_state.pop(key, None)

    st.button(_("Begin the Dynasty"), type="primary", on_click=action(begin), key="begin dynasty")


def _shown(dynasty: SavedDynasty) -> None:
    state = dynasty.dynasty
    with st.container(border=True):
        st.html(f'<h3 class="kd-name"><bdi>{escape(dynasty.name)}</bdi></h3>')
        st.html(message("good" if state.complete else "open", state.decided))
        st.html(_slots(dynasty))
        st.html(_totals(dynasty))
        if state.games:
            st.altair_chart(_chart(dynasty), width="stretch")
        with st.container(horizontal=True):
            if dynasty.abandoned:
                st.button(_("Resume it"), key=f"resume {dynasty.id}", on_click=action(lambda: _resume(dynasty.id)))
            else:
                if dynasty.next_slot is not None:
                    words = _("Play game {n}").format(n=dynasty.next_slot)
                    st.button(words, type="primary", key=f"play {dynasty.id}", on_click=action(partial(_play, dynasty)))
                if not state.complete:
                    st.button(
                        _("Abandon it"), key=f"abandon {dynasty.id}", on_click=action(lambda: _abandon(dynasty.id))
                    )


def _play(dynasty: SavedDynasty) -> None:
    """Begin the next game of a Dynasty, under the rules of the game before."""
    last = next((line for line in reversed(dynasty.slots) if line is not None), None)
    seats = seats_for([player.name for player in dynasty.players], [player.colour for player in dynasty.players])
    draft = GameDraft(seats, dynasty=dynasty.id)
    if last is not None:
        rules = last.rules
        draft = GameDraft(
            seats, rules.edition.value, rules.size, rules.middle_kingdom, rules.harmony, dynasty.id, step="kingdoms"
        )
    GAMES.begin(draft)
    go("game")


def _abandon(dynasty_id: str) -> None:
    store().dynasties.abandon(dynasty_id)


def _resume(dynasty_id: str) -> None:
    store().dynasties.resume(dynasty_id)


def _slots(dynasty: SavedDynasty) -> str:
    items = "".join(_slot(number, line) for number, line in enumerate(dynasty.slots, start=1))
    return f'<ol class="kd-slots">{items}</ol>'


def _slot(number: int, line: GameLine | None) -> str:
    title = escape(_("Game {n}").format(n=number))
    if line is None:
        return f'<li class="kd-free"><h4>{title}</h4><p>{escape(_("not played yet"))}</p></li>'
    seats = sorted(line.seats, key=lambda seat: seat.place)
    lines = "".join(
        f"<p>{board.crown(_('winner')) if seat.place == 1 else ''}{name_html(seat.name, seat.colour)} {seat.total}</p>"
        for seat in seats
    )
    return f"<li><h4>{title}, {line.played_at:%Y-%m-%d}</h4>{lines}</li>"


def _totals(dynasty: SavedDynasty) -> str:
    colours = {player.name: player.colour for player in dynasty.players}
    rows = "".join(
        f"<tr><td>{standing.place}.</td><td>{name_html(standing.name, colours.get(standing.name))}</td>"
        f'<td class="kd-number">{standing.total}</td></tr>'
        for standing in dynasty.dynasty.standings
    )
    head = f"<tr><th></th><th>{escape(_('Player'))}</th><th class='kd-number'>{escape(_('Points so far'))}</th></tr>"
    return f'<table class="kd-table"><thead>{head}</thead><tbody>{rows}</tbody></table>'


def _chart(dynasty: SavedDynasty) -> altair.Chart:
    """The sums after each game, a line a player; shapes differ as well as colours."""
    # The library takes a second to load, which only those pay who look at a chart.
    import altair as alt

    names = [player.name for player in dynasty.players]
    shades = [SHADES.get(player.colour or "", _OTHER_SHADES[n]) for n, player in enumerate(dynasty.players)]
    game, points, player = _("Game"), _("Points"), _("Player")
    rows = [{game: 0, points: 0, player: name} for name in names]
    for number, sums in enumerate(dynasty.dynasty.running_totals, start=1):
        rows += [{game: number, points: total, player: name} for name, total in sums.items()]
    scale = alt.Scale(domain=names, range=shades)
    return (
        alt.Chart(alt.Data(values=rows), height=_CHART_HEIGHT, description=_("Points after each game"))
        .mark_line(point=alt.OverlayMarkDef(size=90))
        .encode(
            x=alt.X(f"{game}:Q", axis=alt.Axis(values=[0, 1, 2, 3], format="d"), scale=alt.Scale(domain=[0, 3])),
            y=alt.Y(f"{points}:Q"),
            color=alt.Color(f"{player}:N", scale=scale, legend=alt.Legend(orient="bottom", columns=2, labelLimit=160)),
            shape=alt.Shape(f"{player}:N", scale=alt.Scale(domain=names)),
        )
    )
