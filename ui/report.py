"""What the engine says of a kingdom, as parts of a page: points, territories, bonuses, verdict, dominoes."""

from __future__ import annotations

from html import escape

import streamlit as st

from engine import Bonus, Position, Square, Territory
from ui import board, text
from ui.entry import OF_THE_WHOLE, Assessment
from ui.style import Tone, message


def points(found: Assessment) -> None:
    """The total in large figures."""
    total = found.score.total
    st.html(f'<p class="kd-points"><strong>{total}</strong> {escape(text.points_noun(total))}</p>')


def marked(found: Assessment) -> set[Position]:
    """The squares that are wrong by themselves."""
    return {cell for problem in found.problems if problem.code not in OF_THE_WHOLE for cell in problem.cells}


def chosen_territory(found: Assessment, key: str) -> Territory | None:
    """The territory a person wants to see, or None for all of them."""
    territories = (None, *found.score.territories)
    number = st.selectbox(
        text.SHOW_TERRITORY_LABEL,
        range(len(territories)),
        format_func=lambda number: text.territory_choice(territories[number]),
        key=f"{key} territory of {found.kingdom.notation}",
    )
    return territories[number]


def score_table(found: Assessment) -> str:
    """Each territory and each bonus with its reason, and the total."""
    bonuses = (found.score.middle_kingdom, found.score.harmony)
    rows = [_territory_row(territory) for territory in found.score.territories]
    rows += [_bonus_row(bonus) for bonus in bonuses if bonus.agreed]
    return (
        f'<table class="kd-table"><tbody>{"".join(rows)}</tbody><tfoot><tr>'
        f'<th colspan="3" scope="row">{escape(text.TOTAL)}</th><th class="kd-number">{found.score.total}</th>'
        "</tr></tfoot></table>"
    )


def verdict(found: Assessment) -> None:
    """Whether it was built by the rules, every problem in a sentence, and the dominoes."""
    judged = found.verdict
    tone: Tone = "open" if judged.legal is None else "good" if judged.legal else "bad"
    details = tuple(text.problem_line(problem) for problem in found.problems)
    if not judged.legal and (not details or not judged.exact):
        details = (judged.reason, *details)
    st.html(message(tone, text.verdict_headline(judged), details))
    if judged.dominoes:
        with st.expander(text.CUTTING_TITLE if judged.legal is None else text.LAYING_TITLE):
            lines = (text.domino_line(found.kingdom, domino) for domino in judged.dominoes)
            st.html('<ol class="kd-list">' + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ol>")


def notation(found: Assessment) -> None:
    """The kingdom in one line, with a button to copy it."""
    st.caption(text.COPY_LABEL)
    st.code(found.kingdom.notation, language=None, wrap_lines=True)


def _territory_row(territory: Territory) -> str:
    muted = "" if territory.points else ' class="kd-nothing"'
    return (
        f'<tr{muted}><td class="kd-picture">{board.icon(Square(territory.terrain))}</td>'
        f"<td>{escape(text.terrain_name(territory.terrain))}</td>"
        f'<td class="kd-why">{escape(text.territory_sum(territory))}</td>'
        f'<td class="kd-number">{territory.points}</td></tr>'
    )


def _bonus_row(bonus: Bonus) -> str:
    return (
        f'<tr><td colspan="2">{escape(bonus.name)}</td><td class="kd-why">{escape(bonus.reason)}</td>'
        f'<td class="kd-number">{bonus.points}</td></tr>'
    )
