"""What is entered is checked when it is made, so that nothing wrong gets as far as the database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from engine import Edition, Rules
from store import Correction, GameEntry, Reading, SeatEntry, StoreError, Turn
from tests.store.samples import KINGDOM, game


@pytest.mark.parametrize("notation", ["", "X", "w0", "w/ff", "w" * 10_000, None, 5])
def test_a_reading_needs_a_kingdom(notation: object) -> None:
    with pytest.raises(StoreError):
        Reading(notation)  # type: ignore[arg-type]
    with pytest.raises(StoreError):
        Reading(KINGDOM, recognised=notation or "w0")  # type: ignore[arg-type]


@pytest.mark.parametrize("photo", ["", "x" * 64, "A" * 64, "0" * 63, 7])
def test_a_photo_is_named_by_64_hexadecimal_letters(photo: object) -> None:
    for field in ("photo", "thumbnail"):
        with pytest.raises(StoreError, match="SHA-256"):
            Reading(KINGDOM, **{field: photo})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "corners",
    [
        (),
        5,
        "abcd",
        [[1, 2]] * 3,
        [[1, 2]] * 5,
        [[1, 2, 3]] * 4,
        [[1, float("nan")]] * 4,
        [[1, 2e6]] * 4,
        [[1, "x"]] * 4,
    ],
)
def test_corners_are_four_points(corners: object) -> None:
    with pytest.raises(StoreError, match="four pairs"):
        Reading(KINGDOM, corners=corners)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "row, column, was, now",
    [(-1, 0, "w", "f"), (0, 15, "w", "f"), (0, 0, "w0", "f"), (0, 0, "w", ""), (True, 0, "w", "f"), (0, 0, [], "f")],
)
def test_a_correction_names_a_square_and_two_symbols(row: int, column: int, was: str, now: str) -> None:
    with pytest.raises(StoreError):
        Correction(row, column, was, now)


def test_there_is_an_end_to_corrections_and_turns() -> None:
    with pytest.raises(StoreError, match="at most 500 corrections"):
        Reading(KINGDOM, corrections=(Correction(0, 0, "w", "f"),) * 501)
    with pytest.raises(StoreError, match="at most 200 turns"):
        SeatEntry("Ada", Reading(KINGDOM), turns=(Turn(Reading(KINGDOM)),) * 201)


@pytest.mark.parametrize("number", [0, 49, True, "3"])
def test_a_discarded_domino_is_one_of_the_48(number: object) -> None:
    with pytest.raises(StoreError, match="from 1 to 48"):
        Turn(Reading(KINGDOM), discarded=number)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "names", [("Ada",), ("Ada", "Bob", "Cleo", "Dan", "Eve"), ("Ada", "ADA"), ("Straße", "STRASSE")]
)
def test_a_game_has_two_to_four_players_of_different_names(names: tuple[str, ...]) -> None:
    seats = tuple(SeatEntry(name, Reading(KINGDOM)) for name in names)
    with pytest.raises(StoreError):
        GameEntry(Rules(), seats)


def test_a_set_up_that_no_edition_has_is_refused() -> None:
    with pytest.raises(StoreError, match="7×7"):
        game(("Ada", "Bob"), rules=Rules(edition=Edition.NEW), kingdoms=["C", "C"])
    with pytest.raises(StoreError, match="for 2 players"):
        game(("Ada", "Bob", "Cleo"), rules=Rules(size=7), kingdoms=["C", "C", "C"])


def test_two_players_do_not_have_the_same_castle() -> None:
    seats = tuple(SeatEntry(name, Reading(KINGDOM), "pink") for name in ("Ada", "Bob"))
    with pytest.raises(StoreError, match="another colour"):
        GameEntry(Rules(), seats)


def test_the_number_of_players_follows_from_the_seats() -> None:
    entry = game(("Ada", "Bob", "Cleo"), rules=Rules(), kingdoms=["C", "C", "C"])
    assert entry.rules.players == 3
    assert replace(entry, seats=entry.seats[:2]).rules.players == 2


def test_a_moment_needs_a_zone_and_is_kept_in_utc() -> None:
    east = datetime(2025, 1, 1, 1, 0, tzinfo=timezone(timedelta(hours=2)))
    assert replace(game(), played_at=east).played_at == datetime(2024, 12, 31, 23, 0, tzinfo=UTC)
    with pytest.raises(StoreError, match="time zone"):
        replace(game(), played_at=datetime(2025, 1, 1))
    with pytest.raises(StoreError, match="calendar"):
        replace(game(), played_at=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=2))))
