"""Who won, in what order, and what the kingdoms of one game say about their one box of dominoes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Final

import streamlit as st

from engine import Kingdom, Ranking, Rules, ranking, score, verify, verify_game
from ui import board, text
from ui.language import _
from ui.style import message

#: The colours of the castles, as seen on light and dark pages.
SHADES: Final[dict[str, str]] = {"pink": "#e0559a", "yellow": "#e8c21c", "green": "#3f9b46", "blue": "#2f74c9"}
_REMEMBERED: Final = 64


def name_html(name: str, colour: str | None) -> str:
    """A player's name as text, with the colour of the castle in front."""
    title = text.COLOUR_NAMES.get(colour or "", "")
    dot = f'<span class="kd-dot" style="background:{SHADES[colour]}" title="{escape(title)}"></span>' if title else ""  # type: ignore[index]
    return f'{dot}<bdi class="kd-name">{escape(name)}</bdi>'


def ranked(names: Sequence[str], kingdoms: Sequence[Kingdom], rules: Rules) -> Ranking:
    """The ranking of a game."""
    return ranking([score(kingdom, rules) for kingdom in kingdoms], names)


def podium(order: Ranking, names: Sequence[str], colours: Sequence[str | None]) -> None:
    """Every player with place and points, the winner first, and what decided it."""
    items = []
    for standing in order.standings:
        first = ' class="kd-first"' if standing.place == 1 else ""
        place = _("Place {n}").format(n=standing.place)
        details = _("Largest territory {squares}, {crowns}").format(
            squares=standing.score.largest_territory, crowns=text.crowns_count(standing.score.crowns)
        )
        items.append(
            f'<li{first}><span class="kd-place">{board.crown(_("winner")) if first else ""}{escape(place)}</span>'
            f"{name_html(names[standing.player], colours[standing.player])}"
            f"<p><strong>{standing.score.total}</strong> {escape(text.points_noun(standing.score.total))}</p>"
            f'<span class="kd-place">{escape(details)}</span></li>'
        )
    st.html(f'<ol class="kd-podium">{"".join(items)}</ol>')
    st.html(message("good", order.decided))


def one_box(names: Sequence[str], kingdoms: Sequence[Kingdom], rules: Rules) -> None:
    """Report dominoes that cannot lie in two kingdoms, and kingdoms that were not built by the rules."""
    notations = tuple(kingdom.notation for kingdom in kingdoms)
    shared = shared_dominoes(notations, rules)
    if shared:
        lines = tuple(
            _("{name}: {places}").format(name=names[player], places=text.places(cells)) for player, cells in shared
        )
        headline = _(
            "Together these kingdoms need more dominoes than one box has. Each could be built by itself, but then no "
            "domino is left for these squares:"
        )
        st.html(message("bad", headline, lines))
    apart = [names[number] for number, kingdom in enumerate(kingdoms) if verify(kingdom, rules).legal is False]
    if apart:
        st.html(message("open", _("Not built by the rules, but counted as they lie:"), tuple(apart)))


@lru_cache(maxsize=_REMEMBERED)
def shared_dominoes(notations: tuple[str, ...], rules: Rules) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """Squares that are left without a domino once the kingdoms share one box: the player, the squares."""
    kingdoms = [Kingdom.from_notation(notation) for notation in notations]
    alone = [verify(kingdom, rules) for kingdom in kingdoms]
    together = verify_game(kingdoms, rules)
    return tuple(
        (player, joint.uncovered)
        for player, (single, joint) in enumerate(zip(alone, together, strict=True))
        if single.tileable and joint.uncovered
    )
