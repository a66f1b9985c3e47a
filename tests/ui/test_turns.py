"""What happened between two states of a kingdom, in words, and where a domino could be laid."""

from __future__ import annotations

import pytest

from engine import DOMINOES, Kingdom, Rules
from store import StoreError
from ui import dominoes
from ui.editor import Editor
from ui.turns import TurnsDraft, room_for, step
from ui.values import KingdomEntry

RULES = Rules(size=5)


def kingdom(notation: str) -> Kingdom:
    return Kingdom.from_notation(notation)


def entry(notation: str) -> KingdomEntry:
    return KingdomEntry(Editor.of_kingdom(kingdom(notation)))


def test_a_legal_domino_is_named_with_all_its_numbers() -> None:
    found = step(None, kingdom("Cff"), RULES)
    assert found.tone == "good"
    assert found.headline == "By the rules: domino 3, 4, 5 or 6 was added."
    assert set(found.good) == {(0, 1), (0, 2)}
    assert found.wrong == ()


def test_an_illegal_domino_is_marked_and_the_broken_rule_is_said() -> None:
    found = step(kingdom("Cff"), kingdom("Cff/..l/..l"), RULES)
    assert found.tone == "bad"
    assert "Not by the rules" in found.headline
    assert set(found.wrong) == {(1, 2), (2, 2)}
    assert any("must touch the castle or its own terrain: lake" in line for line in found.details)


def test_a_domino_that_makes_the_kingdom_too_wide_breaks_the_frame() -> None:
    found = step(kingdom("Cffff"), kingdom("Cffffff"), RULES)
    assert any("must fit 5×5" in line for line in found.details)
    assert step(kingdom("Cffff"), kingdom("Cffffff"), Rules(size=7)).tone == "good"


@pytest.mark.parametrize(
    "before, after, words",
    [("Cff", "C", "No longer there"), ("ffC", "C", "No longer there"), ("Cff", "Cfw", "became"), ("Cff", "Cff", "")],
)
def test_what_is_no_placement_is_named_with_squares_of_the_board_that_is_shown(
    before: str, after: str, words: str
) -> None:
    found = step(kingdom(before), kingdom(after), RULES)
    assert found.tone == ("bad" if words else "open")
    assert words in " ".join(found.details)
    inside = {position for position, _ in found.kingdom}
    assert set(found.wrong) <= inside
    assert "row 0" not in " ".join(found.details)
    assert "column 0" not in " ".join(found.details)


def test_several_turns_at_once_are_said_to_be_several() -> None:
    found = step(kingdom("C"), kingdom("wwCff"), RULES)
    assert found.headline == "By the rules: 2 dominoes were added."
    assert any("several turns" in line for line in found.details)


def test_every_place_of_a_domino_lies_on_the_board_that_is_shown() -> None:
    room = room_for(Kingdom.lone_castle(), DOMINOES[0], RULES)
    assert len(room.placements) == 12
    assert "there are 12 places" in room.headline
    assert all("must be placed" in line for line in room.details)
    for number, placement in enumerate(room.placements):
        laid = room.laid(number)
        assert [laid.cell(*cell) for cell in placement.cells] == [room.domino.a, room.domino.b]
        assert laid.notation.count("C") == 1
        assert laid.height == room.kingdom.height and laid.width == room.kingdom.width


def test_a_domino_without_a_place_may_be_discarded() -> None:
    full = kingdom("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")
    room = room_for(full, DOMINOES[0], RULES)
    assert room.placements == ()
    assert "may be discarded" in room.headline
    assert room.details == ("No free pair of squares inside 5×5 touches the castle or wheat.",)


def test_states_are_kept_reopened_and_come_back_from_a_draft() -> None:
    draft = TurnsDraft(size=7, name="Anna", next=entry("Cff.")).kept()
    assert draft.last.notation == "Cff"
    assert draft.next is None
    draft = draft.discarded(48)
    assert [state.discarded for state in draft.states] == [None, 48]
    again = TurnsDraft.from_json(draft.as_json())
    assert again == draft
    opened = again.reopened()
    assert opened.next is not None and len(opened.states) == 1
    (turn,) = opened.turns({})
    assert turn.reading.kingdom == "Cff"


@pytest.mark.parametrize("data", [{}, {"size": 6, "states": [], "name": ""}, {"size": 5, "states": [{}], "name": ""}])
def test_another_document_is_refused_with_a_sentence(data: dict[str, object]) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        TurnsDraft.from_json(data)


def test_every_domino_has_a_picture_of_its_own_face_and_words() -> None:
    pictures = {number: dominoes.picture(number) for number in (1, 13, 48)}
    assert len(set(pictures.values())) == 3
    assert dominoes.picture(48) is dominoes.picture(48)
    assert 'alt="wheat – mine with 3 crowns"' in dominoes.image(48)
