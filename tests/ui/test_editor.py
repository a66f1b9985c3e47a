"""Correcting a kingdom: every step can be taken back, and a square keeps its place in the photo."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import CASTLE, CELLS, EMPTY, Kingdom, KingdominoError, NotationError, Position
from ui.editor import MAX_STEPS, SIDES, Editor, Read

KINGDOM = Kingdom.from_notation("wf1C/l.s2")
#: The photo's grid has a row above and a column on the left that turned out to be table.
READ = Read(KINGDOM, origin=(1, 1), shape=(4, 5), doubtful=((1, 2), (2, 3)))

STEPS = st.lists(
    st.one_of(
        st.sampled_from(["rotate", "undo", "redo", "reset"]).map(lambda name: (name,)),
        st.tuples(st.sampled_from(["add", "remove"]), st.sampled_from(SIDES)),
        st.tuples(st.just("put"), st.tuples(st.integers(0, 6), st.integers(0, 6)), st.sampled_from(CELLS)),
    ),
    max_size=25,
)


def taken(editor: Editor, steps: list[tuple[object, ...]]) -> Editor:
    for name, *details in steps:
        editor = getattr(editor, str(name))(*details)
    return editor


def test_it_begins_with_what_was_read() -> None:
    editor = Editor.of_reading(READ)
    assert editor.kingdom == KINGDOM
    assert editor.source((0, 0)) == (1, 1)
    assert editor.doubtful == ((0, 1), (1, 2))
    assert not editor.touched


def test_a_put_square_changes_the_kingdom_and_is_no_longer_doubtful() -> None:
    editor = Editor.of_reading(READ).put((0, 1), CASTLE)
    assert editor.kingdom.notation == "wCC/l.s2"
    assert editor.doubtful == ((1, 2),)


def test_putting_what_was_read_confirms_it() -> None:
    editor = Editor.of_reading(READ).put((0, 1), KINGDOM.cell(0, 1))
    assert editor.kingdom == KINGDOM
    assert editor.doubtful == ((1, 2),)
    assert editor.undo().doubtful == ((0, 1), (1, 2))


def test_the_doubtful_squares_are_walked_through_and_round() -> None:
    editor = Editor.of_reading(READ)
    seen = []
    for _ in range(3):
        editor = editor.select_doubtful()
        seen.append(editor.selected)
    assert seen == [(0, 1), (1, 2), (0, 1)]
    assert Editor.by_hand().select_doubtful().selected is None


def test_opening_a_square_again_closes_it_and_one_outside_is_ignored() -> None:
    editor = Editor.of_reading(READ).select((0, 1))
    assert editor.selected == (0, 1)
    assert editor.select((0, 1)).selected is None
    assert editor.select((9, 9)).selected is None
    assert editor.put((9, 9), CASTLE) is editor


@pytest.mark.parametrize("turns", [1, 2, 3, 4])
def test_a_square_keeps_its_place_in_the_photo_when_turned(turns: int) -> None:
    editor = Editor.of_reading(READ)
    before = {editor.source(position): cell for position, cell in editor.kingdom}
    for _ in range(turns):
        editor = editor.rotate()
    assert {editor.source(position): cell for position, cell in editor.kingdom} == before
    assert editor.kingdom == KINGDOM.rotated(turns)


def test_an_added_row_shows_the_photo_where_there_is_one() -> None:
    editor = Editor.of_reading(READ).add("top").add("left")
    assert editor.kingdom.notation == "..../.wf1C/.l.s2"
    assert editor.source((0, 0)) == (0, 0)
    assert editor.add("top").source((0, 0)) is None


def test_a_removed_row_comes_back_by_undo() -> None:
    editor = Editor.of_reading(READ).remove("top")
    assert editor.kingdom.notation == "l.s2"
    assert editor.remove("top") is editor
    assert editor.undo().kingdom == KINGDOM


def test_rows_and_columns_end_at_the_largest_kingdom() -> None:
    editor = Editor.by_hand(15)
    assert all(editor.add(side) is editor for side in SIDES)


def test_the_open_square_moves_with_its_square() -> None:
    editor = Editor.of_reading(READ).select((0, 2))
    assert editor.rotate().selected == (2, 1)
    assert editor.add("top").selected == (1, 2)
    assert editor.remove("right").selected is None


def test_back_to_what_was_read_can_be_undone() -> None:
    editor = Editor.of_reading(READ).rotate().put((0, 0), EMPTY)
    again = editor.reset()
    assert again.kingdom == KINGDOM
    assert again.undo().kingdom == editor.kingdom
    assert again.reset() is again
    assert Editor.by_hand().reset().kingdom == Editor.by_hand().kingdom


def test_corrections_are_those_of_the_kingdom_as_it_was_read() -> None:
    editor = Editor.of_reading(READ).rotate().add("top").rotate()
    place = next(p for p, _ in editor.kingdom if editor.source(p) == (1, 2))
    ((where, was, now),) = editor.put(place, CASTLE).corrections()
    assert (where, was.symbol, now) == ((0, 1), "f1", CASTLE)
    assert Editor.by_hand().put((0, 0), CASTLE).corrections() == ()


def test_a_new_step_ends_what_could_be_redone() -> None:
    editor = Editor.by_hand().put((0, 0), CASTLE).undo()
    assert editor.future
    assert not editor.put((1, 1), CASTLE).future


def test_steps_are_kept_up_to_a_limit() -> None:
    editor = Editor.by_hand()
    for number in range(MAX_STEPS + 50):
        editor = editor.put((0, 0), CASTLE if number % 2 else EMPTY)
    assert len(editor.past) == MAX_STEPS


@given(STEPS)
def test_everything_can_be_undone_and_redone(steps: list[tuple[object, ...]]) -> None:
    start = Editor.of_reading(READ)
    end = taken(start, steps)
    back = end
    while back.past:
        back = back.undo()
    assert back.kingdom == start.kingdom
    forth = back
    while forth.future:
        forth = forth.redo()
    last = end
    while last.future:
        last = last.redo()
    assert forth.now == last.now


@given(STEPS)
def test_a_draft_gives_back_the_same_editor(steps: list[tuple[object, ...]]) -> None:
    editor = taken(Editor.of_reading(READ), steps)
    again = Editor.from_json(json.loads(json.dumps(editor.as_json())))
    assert (again.now, again.past, again.future, again.read) == (editor.now, editor.past, editor.future, editor.read)


@given(STEPS)
def test_no_two_squares_show_the_same_piece_of_the_photo(steps: list[tuple[object, ...]]) -> None:
    editor = taken(Editor.of_reading(READ), steps)
    sources: list[Position] = [s for p, _ in editor.kingdom if (s := editor.source(p)) is not None]
    assert len(set(sources)) == len(sources)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"steps": [], "at": 0},
        {"steps": [["x", 0, 0, 0, []]], "at": 0},
        {"steps": 5, "at": 0},
        {"steps": [[1]], "at": 0},
    ],
)
def test_broken_drafts_are_refused_with_our_own_error(data: dict[str, object]) -> None:
    with pytest.raises(KingdominoError):
        Editor.from_json(data)
    assert issubclass(NotationError, KingdominoError)
