"""Kingdoms and texts for Hypothesis: any grid that can be held, and positions that play can reach."""

from __future__ import annotations

from hypothesis import strategies as st

from engine import CASTLE, CELLS, EMPTY, SQUARES, UNREAD, Cell, Kingdom, Placement, Rules, Square
from tests.engine import reference

# What a kingdom read from a photo holds when no square was left unread.
READ_CELLS: tuple[Cell, ...] = (*SQUARES, EMPTY)
# Few kinds of squares, so that dominoes of the box really fit on them.
FEW_KINDS: tuple[tuple[Cell, ...], ...] = tuple(
    tuple(Kingdom.from_notation(text).rows[0])
    for text in ("w", "wf", "wf.", "wff1.", "wfl", "sgs1g2", "wfw1f1l.", "wfwfg2s1m3")
)


@st.composite
def grids(draw: st.DrawFn, cells: tuple[Cell, ...] = CELLS, most: int = 15) -> Kingdom:
    """Any grid of these cells with at most `most` rows and columns."""
    height, width = draw(st.integers(1, most)), draw(st.integers(1, most))
    row = st.lists(st.sampled_from(cells), min_size=width, max_size=width).map(tuple)
    return Kingdom(tuple(draw(st.lists(row, min_size=height, max_size=height))))


@st.composite
def castled_grids(draw: st.DrawFn, most: int = 15) -> Kingdom:
    """A grid with exactly one castle, whatever else lies in it."""
    kingdom = draw(grids((*SQUARES, EMPTY, EMPTY, UNREAD), most))
    row, column = draw(st.integers(0, kingdom.height - 1)), draw(st.integers(0, kingdom.width - 1))
    return kingdom.replaced(row, column, CASTLE)


@st.composite
def small_grids(draw: st.DrawFn) -> Kingdom:
    """A grid small enough to list all its cuttings, nearly always with one castle."""
    height, width = draw(st.sampled_from([(h, w) for h in range(1, 5) for w in range(1, 5)] + [(1, 7), (6, 2)]))
    cells = draw(st.sampled_from((*FEW_KINDS, READ_CELLS)))
    row = st.lists(st.sampled_from(cells), min_size=width, max_size=width).map(tuple)
    kingdom = Kingdom(tuple(draw(st.lists(row, min_size=height, max_size=height))))
    for _ in range(draw(st.sampled_from((1, 1, 1, 1, 1, 1, 1, 1, 0, 2)))):
        kingdom = kingdom.replaced(draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1)), CASTLE)
    return kingdom


@st.composite
def built(draw: st.DrawFn, size: int = 5, most: int | None = None) -> tuple[Kingdom, list[Placement]]:
    """A kingdom built by the rules from distinct dominoes, and how; at most `most` dominoes."""
    rng = draw(st.randoms(use_true_random=False))
    steps = draw(st.integers(0, most if most is not None else size * size // 2))
    return reference.build(rng, size, steps)


@st.composite
def altered(draw: st.DrawFn, size: int = 5, most: int | None = None) -> Kingdom:
    """A kingdom built by the rules, then one or two of its squares misread, moved or taken away."""
    kingdom, _ = draw(built(size, most))
    for _ in range(draw(st.integers(1, 2))):
        squares = [position for position, cell in kingdom if isinstance(cell, Square)]
        if squares:
            kingdom = kingdom.replaced(*draw(st.sampled_from(squares)), draw(st.sampled_from(READ_CELLS)))
    return kingdom


#: All set-ups that an edition has.
SETUPS = (
    Rules(size=5, players=2),
    Rules(size=7, players=2),
    Rules(size=7, players=2, edition="new"),  # type: ignore[arg-type]
    Rules(size=5, players=3),
    Rules(size=5, players=3, edition="new"),  # type: ignore[arg-type]
    Rules(size=5, players=4),
    Rules(size=5, players=4, edition="new"),  # type: ignore[arg-type]
)
