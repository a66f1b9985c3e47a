"""The page of statistics: what each player's games add up to, always with the number of games behind a figure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final

import altair as alt
import streamlit as st

from engine import Terrain
from store import PlayerStatistics
from ui import text
from ui.drafts import store
from ui.guard import show_problem
from ui.icons import GROUND
from ui.language import _, ngettext
from ui.podium import SHADES, name_html
from ui.style import message

_HEIGHT: Final = 260
#: Of so many games the dots of a plot can still be told apart.
_MOST_DOTS: Final = 300
_NEUTRAL: Final = "#8a5bb8"
_SIZES: Final[dict[int | None, str]] = {None: _("All games"), 5: "5×5", 7: "7×7"}
_BONUSES: Final = "#c2304a"


def render() -> None:
    """Draw the page."""
    st.title(text.STATISTICS_TITLE)
    show_problem()
    size = st.radio(
        _("Which games?"), list(_SIZES), format_func=_SIZES.__getitem__, horizontal=True, key="statistics size"
    )
    everybody = store().statistics.all(size=size)
    if not everybody:
        st.html(message("open", _("There is no game yet.")))
        return
    st.html(_table(everybody))
    st.caption(_("n is the number of games. A mean of few games says little."))
    st.altair_chart(_means(everybody), width="stretch")
    st.subheader(_("One player"))
    chosen = st.selectbox(
        _("Player"),
        range(len(everybody)),
        format_func=lambda number: everybody[number].player.name,
        key=f"statistics player {size}",
    )
    _player(everybody[chosen])


def _table(everybody: Sequence[PlayerStatistics]) -> str:
    heads = (_("n"), _("Won"), _("Shared"), _("Mean"), _("Best"))
    head = "".join(f'<th class="kd-number">{escape(each)}</th>' for each in heads)
    rows = "".join(
        f"<tr><td>{name_html(each.player.name, each.player.colour)}</td>"
        + "".join(f'<td class="kd-number">{escape(figure)}</td>' for figure in _figures(each))
        + "</tr>"
        for each in everybody
    )
    return (
        f'<table class="kd-table"><thead><tr><th>{escape(_("Player"))}</th>{head}</tr></thead><tbody>{rows}</tbody>'
        "</table>"
    )


def _figures(each: PlayerStatistics) -> tuple[str, ...]:
    mean = "–" if each.mean is None else f"{each.mean:.1f}"
    best = "–" if each.best is None else str(each.best.total)
    return str(each.games), str(each.wins), str(each.shared_wins), mean, best


def _player(chosen: PlayerStatistics) -> None:
    games = ngettext("{n} game", "{n} games", chosen.games)
    if chosen.best is not None:
        words = _("Best: {points} on {day} (n = {n}).")
        st.markdown(
            words.format(points=text.points_count(chosen.best.total), day=f"{chosen.best.played_at:%Y-%m-%d}", n=games)
        )
    st.markdown(f"**{_('Points by game, n = {n}').format(n=chosen.games)}**")
    if chosen.games > _MOST_DOTS:
        st.caption(_("The last {n} games are shown.").format(n=_MOST_DOTS))
    st.altair_chart(_course(chosen), width="stretch")
    st.markdown(f"**{_('Mean points of a game by terrain, n = {n}').format(n=chosen.games)}**")
    st.altair_chart(_by_terrain(chosen), width="stretch")
    st.markdown(f"**{_('Against each other')}**")
    if chosen.head_to_head:
        st.html(_against(chosen))
    else:
        st.html(message("open", _("Nobody has played against this player.")))


def _against(chosen: PlayerStatistics) -> str:
    heads = (_("n"), _("Ahead"), _("Level"), _("Behind"))
    head = "".join(f'<th class="kd-number">{escape(each)}</th>' for each in heads)
    rows = "".join(
        f"<tr><td>{name_html(each.opponent.name, each.opponent.colour)}</td>"
        + "".join(
            f'<td class="kd-number">{figure}</td>' for figure in (each.games, each.ahead, each.level, each.behind)
        )
        + "</tr>"
        for each in chosen.head_to_head
    )
    return (
        f'<table class="kd-table"><thead><tr><th>{escape(_("Against"))}</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _means(everybody: Sequence[PlayerStatistics]) -> alt.Chart:
    """The mean of every player, with its n beside the name."""
    rows: list[dict[str, Any]] = [
        {"player": f"{each.player.name} (n = {each.games})", "mean": each.mean, "n": each.games} for each in everybody
    ]
    return (
        alt.Chart(alt.Data(values=rows), height=alt.Step(34), description=_("Mean points of every player"))
        .mark_bar(color=_NEUTRAL)
        .encode(
            x=alt.X("mean:Q", title=_("Mean points of a game")),
            y=alt.Y("player:N", sort=None, title=None, axis=alt.Axis(labelLimit=170)),
            tooltip=[alt.Tooltip("player:N", title=_("Player")), alt.Tooltip("mean:Q", format=".1f"), "n:Q"],
        )
    )


def _course(chosen: PlayerStatistics) -> alt.LayerChart:
    """The points of each game in the order of play, with the mean of all."""
    shown = list(enumerate(chosen.played, start=1))[-_MOST_DOTS:]
    rows = [
        {"game": number, "points": game.total, "day": f"{game.played_at:%Y-%m-%d}", "place": game.place}
        for number, game in shown
    ]
    colour = SHADES.get(chosen.player.colour or "", _NEUTRAL)
    data = alt.Data(values=rows)
    first, last = shown[0][0], shown[-1][0]
    game = alt.X(
        "game:Q",
        title=_("Game"),
        axis=alt.Axis(format="d", tickMinStep=1),
        scale=alt.Scale(domain=[first - 1, last + 1]),
    )
    dots = (
        alt.Chart(data, height=_HEIGHT, description=_("Points by game"))
        .mark_line(point=alt.OverlayMarkDef(size=70, color=colour), color=colour)
        .encode(
            x=game,
            y=alt.Y("points:Q", title=_("Points")),
            tooltip=[
                alt.Tooltip("day:N", title=_("Day")),
                alt.Tooltip("points:Q", title=_("Points")),
                alt.Tooltip("place:Q", title=_("Place")),
            ],
        )
    )
    mean = alt.Chart(alt.Data(values=[{"mean": chosen.mean}])).mark_rule(strokeDash=[6, 4]).encode(y="mean:Q")
    return dots + mean


def _by_terrain(chosen: PlayerStatistics) -> alt.Chart:
    """The mean points of each terrain and of the bonuses; the terrain is written, not only coloured."""
    names = {terrain: text.terrain_name(terrain) for terrain in Terrain}
    bonuses = _("Bonuses")
    sums = {names[terrain]: points for terrain, points in chosen.by_terrain.items()} | {bonuses: chosen.bonus}
    rows = [{"terrain": name, "points": points / max(1, chosen.games)} for name, points in sums.items()]
    colours = alt.Scale(domain=list(sums), range=[*(GROUND[terrain] for terrain in names), _BONUSES])
    return (
        alt.Chart(alt.Data(values=rows), height=_HEIGHT, description=_("Mean points of a game by terrain"))
        .mark_bar(stroke="#1d1a16", strokeWidth=1)
        .encode(
            x=alt.X("terrain:N", sort=None, title=None, axis=alt.Axis(labelAngle=-40, labelOverlap=False)),
            y=alt.Y("points:Q", title=_("Mean points of a game")),
            color=alt.Color("terrain:N", scale=colours, legend=None),
            tooltip=["terrain:N", alt.Tooltip("points:Q", format=".1f")],
        )
    )
