"""What is being entered, as plain values: seats, colours, kingdoms of a photo, drafts and back."""

from __future__ import annotations

import json

import pytest

from engine import CASTLE, Kingdom, KingdominoError, RulesError
from store import COLOURS
from ui.editor import Editor, Read
from ui.reading import Source
from ui.values import GameDraft, KingdomEntry, ScoreDraft, seats_for

PHOTO = "a" * 64


def read(notation: str, index: int = 0, colour: str | None = None) -> KingdomEntry:
    kingdom = Kingdom.from_notation(notation)
    editor = Editor.of_reading(Read(kingdom, (0, 0), (kingdom.height, kingdom.width)))
    return KingdomEntry(editor, Source(PHOTO), index, "1.0", colour)


def shown(draft: GameDraft) -> list[int | None]:
    """Which kingdom of the photo lies at each seat."""
    return [None if seat.kingdom is None else seat.kingdom.index for seat in draft.seats]


def test_each_seat_has_a_colour_of_its_own() -> None:
    seats = seats_for(["A", "B", "C", "D"], [None, "pink", "pink", None])
    assert sorted(seat.colour for seat in seats) == sorted(COLOURS)
    assert seats[1].colour == "pink"


def test_choosing_a_taken_colour_exchanges_it() -> None:
    draft = GameDraft(seats_for(["A", "B", "C"]))
    changed = draft.with_colour(0, draft.seats[2].colour)
    assert [seat.colour for seat in changed.seats] == [draft.seats[n].colour for n in (2, 1, 0)]


def test_more_players_get_new_colours_and_fewer_keep_theirs() -> None:
    draft = GameDraft(seats_for(["A", "B"])).with_players(4)
    assert len({seat.colour for seat in draft.seats}) == 4
    assert draft.with_players(2).names == ("A", "B")


def test_the_mighty_duel_ends_when_a_third_player_comes() -> None:
    draft = GameDraft(seats_for(["A", "B"]), size=7)
    assert draft.rules.size == 7
    assert draft.with_players(3).rules.size == 5


def test_a_set_up_that_no_edition_has_is_refused() -> None:
    with pytest.raises(RulesError):
        _ = GameDraft(seats_for(["A", "B"]), edition="new", size=5).rules


@pytest.mark.parametrize(
    "taken, seat, found, expected",
    [
        ([], 0, 1, {0: 0}),
        ([], 2, 1, {2: 0}),
        ([0], 1, 2, {1: 0, 2: 1}),
        ([], 1, 3, {0: 0, 1: 1, 2: 2}),
        ([0, 1], 2, 2, {2: 0}),
    ],
    ids=["one", "for the last", "for free seats", "the whole table", "no free seat"],
)
def test_kingdoms_of_a_photo_go_to_its_seat_and_to_free_ones(
    taken: list[int], seat: int, found: int, expected: dict[int, int]
) -> None:
    draft = GameDraft(seats_for(["A", "B", "C"]))
    old = read("Cw")
    for number in taken:
        draft = draft.with_seat(number, kingdom=old)
    changed = draft.with_found(seat, [read("Cf1f", number) for number in range(found)])
    for number, each in enumerate(changed.seats):
        if number in expected:
            assert each.kingdom is not None and each.kingdom is not old
            assert each.kingdom.index == expected[number]
        else:
            assert each.kingdom is (old if number in taken else None)


#: Four players in the order pink, yellow, green, blue.
FOUR = seats_for(["A", "B", "C", "D"], COLOURS)


@pytest.mark.parametrize(
    ("castles", "seats"),
    [
        (["blue", "green", "yellow", "pink"], [3, 2, 1, 0]),
        (["blue", None, None, "pink"], [3, 1, 2, 0]),
        # Two castles that look the same name nobody.
        (["blue", "blue", "pink", None], [2, 0, 1, 3]),
        # With fewer kingdoms than players, those without a colour go to the seat of the photo first.
        (["yellow", None], [1, 0, None, None]),
        ([None, None], [0, 1, None, None]),
        # A single kingdom stays where it was photographed for.
        (["blue"], [0, None, None, None]),
    ],
)
def test_kingdoms_of_a_photo_go_to_the_players_of_their_castles(
    castles: list[str | None], seats: list[int | None]
) -> None:
    found = [read("Cf1f", number, colour) for number, colour in enumerate(castles)]
    assert shown(GameDraft(FOUR).with_found(0, found)) == seats


def test_a_castle_does_not_push_out_a_kingdom_that_is_there() -> None:
    draft = GameDraft(FOUR).with_seat(3, kingdom=read("Cf1f", 9))
    changed = draft.with_found(0, [read("Cf1f", 0, "blue"), read("Cf1f", 1, "green")])
    assert shown(changed) == [0, None, 1, 9]


def test_a_photo_of_other_players_kingdoms_opens_the_first_of_them() -> None:
    changed = GameDraft(FOUR).with_found(0, [read("Cf1f", 0, "blue"), read("Cf1f", 1, "green")])
    assert shown(changed) == [None, None, 1, 0]
    assert changed.seat == 2


def test_another_player_is_suggested_by_the_colour_of_the_castle_alone() -> None:
    draft = GameDraft(seats_for(["A", "B"], ["pink", "yellow"]))
    for colour, suggested in (("yellow", 1), ("pink", None), ("blue", None), (None, None)):
        assert draft.with_seat(0, kingdom=read("Cf1f", 0, colour)).suggested(0) == suggested
    assert draft.suggested(0) is None


def test_a_persons_word_counts_more_than_the_colour_of_a_castle() -> None:
    draft = GameDraft(seats_for(["A", "B"], ["pink", "yellow"])).with_seat(0, kingdom=read("Cf1f", 0, "yellow"))
    assert draft.without_suggestion(0).suggested(0) is None
    moved = draft.swapped(0, 1)
    assert moved.suggested(1) is None
    # Given back on purpose, it is not suggested again.
    assert moved.swapped(1, 0).suggested(0) is None


def test_drafts_saved_without_the_colour_of_a_castle_still_open() -> None:
    draft = GameDraft(FOUR).with_seat(0, kingdom=read("Cf1f", 0, "blue"))
    saved = json.loads(json.dumps(draft.as_json()))
    assert GameDraft.from_json(saved) == draft
    del saved["seats"][0]["kingdom"]["colour"]
    assert GameDraft.from_json(saved) == draft.with_seat(0, kingdom=read("Cf1f", 0))
    saved["seats"][0]["kingdom"]["colour"] = "purple"
    assert GameDraft.from_json(saved) == draft.with_seat(0, kingdom=read("Cf1f", 0))


def test_drafts_give_back_what_they_hold() -> None:
    corrected = read("Cf1f")
    corrected = KingdomEntry(corrected.editor.put((0, 1), CASTLE).rotate(), corrected.source, 1, "1.0")
    score = ScoreDraft((corrected,), Source(PHOTO, ((1, 2), (3, 4), (5, 6), (7, 8)), (5, 4)), 7, True, False)
    assert ScoreDraft.from_json(json.loads(json.dumps(score.as_json()))) == score
    game = GameDraft(seats_for(["<b>", "B"]), note="n", step="kingdoms", seat=1).with_seat(1, kingdom=corrected)
    assert GameDraft.from_json(json.loads(json.dumps(game.as_json()))) == game


@pytest.mark.parametrize("data", [{}, {"kingdoms": 5}, {"seats": [], "step": "players"}, {"seats": [{}, {}]}, []])
def test_a_broken_draft_is_refused_with_our_own_error(data: object) -> None:
    for kind in (ScoreDraft, GameDraft):
        with pytest.raises(KingdominoError):
            kind.from_json(data)  # type: ignore[arg-type]


def test_a_saved_game_keeps_what_was_read_and_what_was_put_right() -> None:
    entry = read("Cf1f.")
    entry = KingdomEntry(entry.editor.put((0, 2), CASTLE).rotate(), entry.source, 0, "1.0")
    draft = GameDraft(seats_for(["A", ""])).with_seat(0, kingdom=entry).with_seat(1, kingdom=read("C"))
    game = draft.entry({PHOTO: "b" * 64})
    seat = game.seats[0]
    assert seat.reading.recognised == "Cf1f."
    assert [(each.row, each.column, each.was, each.now) for each in seat.reading.corrections] == [(0, 2, "f", "C")]
    assert seat.reading.kingdom == "C/f1/C"
    assert (seat.reading.photo, seat.reading.thumbnail) == (PHOTO, "b" * 64)
    assert game.seats[1].player == "Player 2"


def test_a_game_without_all_kingdoms_cannot_be_saved() -> None:
    with pytest.raises(KingdominoError, match="B has no kingdom"):
        GameDraft(seats_for(["A", "B"])).with_seat(0, kingdom=read("C")).entry({})


def test_the_next_game_has_the_same_players_and_no_kingdoms() -> None:
    draft = GameDraft(seats_for(["A", "B"]), harmony=True, note="x").with_seat(0, kingdom=read("C"))
    again = draft.again()
    assert again.names == draft.names
    assert again.harmony and not again.note
    assert all(seat.kingdom is None for seat in again.seats)
