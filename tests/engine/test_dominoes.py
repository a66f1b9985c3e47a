"""The 48 dominoes against every total of the rule book, and against the list of the data folder."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from engine import DOMINOES, FACES, SQUARE_COUNTS, Domino, RulesError, Square, Terrain, domino, face_of

TWINS = [range(1, 3), range(3, 7), range(7, 10), range(10, 12), range(24, 28), range(30, 32), range(32, 36)]
TWINS.append(range(46, 48))


def test_there_are_48_dominoes_numbered_from_1() -> None:
    assert [domino.number for domino in DOMINOES] == list(range(1, 49))


def test_the_halves_of_all_dominoes_are_the_squares_of_the_box() -> None:
    halves = Counter(half for domino in DOMINOES for half in (domino.a, domino.b))
    assert halves == SQUARE_COUNTS
    assert sum(halves.values()) == 96


def test_all_dominoes_together_show_39_crowns() -> None:
    assert sum(domino.crowns for domino in DOMINOES) == 39


def test_no_domino_has_crowns_on_its_first_half() -> None:
    assert not any(domino.a.crowns for domino in DOMINOES)


def test_the_lowest_numbers_have_no_crown_and_the_highest_has_three() -> None:
    assert [domino.number for domino in DOMINOES if not domino.crowns] == list(range(1, 19))
    assert [domino.number for domino in DOMINOES if domino.crowns == 3] == [48]


def test_there_are_33_faces() -> None:
    assert len(FACES) == 33
    assert sorted(number for numbers in FACES.values() for number in numbers) == list(range(1, 49))


def test_twins_are_known_as_such() -> None:
    twins = [numbers for numbers in FACES.values() if len(numbers) > 1]
    assert sorted(twins) == [tuple(group) for group in TWINS]


@pytest.mark.parametrize("group", TWINS, ids=lambda group: f"{group[0]}-{group[-1]}")
def test_a_twin_names_all_dominoes_of_its_face(group: range) -> None:
    for number in group:
        assert domino(number).twins == tuple(group)


def test_a_domino_without_a_twin_names_only_itself() -> None:
    assert domino(48).twins == (48,)
    assert sum(domino.twins == (domino.number,) for domino in DOMINOES) == 48 - sum(len(group) for group in TWINS)


def test_a_face_does_not_depend_on_which_way_the_domino_lies() -> None:
    for each in DOMINOES:
        assert face_of(each.a, each.b) == face_of(each.b, each.a) == each.face


def test_known_dominoes_show_what_the_list_says() -> None:
    assert domino(1) == Domino(1, Square(Terrain.WHEAT), Square(Terrain.WHEAT))
    assert domino(23) == Domino(23, Square(Terrain.MINE), Square(Terrain.WHEAT, 1))
    assert domino(48) == Domino(48, Square(Terrain.WHEAT), Square(Terrain.MINE, 3))


@pytest.mark.parametrize("number", [0, 49, -1, "1", None, 1.5])
def test_a_number_that_no_domino_has_is_refused(number: object) -> None:
    with pytest.raises(RulesError, match="numbered 1 to 48"):
        domino(number)  # type: ignore[arg-type]


def test_a_domino_is_told_in_plain_words() -> None:
    assert str(domino(48)) == "no. 48 (wheat – mine with 3 crowns)"


@pytest.mark.parametrize("each", DOMINOES, ids=lambda each: str(each.number))
def test_the_repr_of_a_domino_evaluates_back(each: Domino) -> None:
    assert eval(repr(each)) == each


@pytest.mark.data
def test_the_dominoes_are_those_of_the_published_list() -> None:
    from vision.data import DATA_DIR

    with (DATA_DIR / "dominoes.csv").open(encoding="utf-8", newline="") as lines:
        listed = tuple(
            Domino(
                int(line["number"]),
                Square(Terrain(line["terrain_a"]), int(line["crowns_a"])),
                Square(Terrain(line["terrain_b"]), int(line["crowns_b"])),
            )
            for line in csv.DictReader(lines)
        )
    assert listed == DOMINOES
