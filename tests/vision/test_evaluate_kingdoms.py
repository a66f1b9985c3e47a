"""Judging read kingdoms: fewest differences over turns and shifts, what is counted, and the table."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from engine import Kingdom
from tests.vision.fakes import corners_of, fake_models, picture_of
from vision.evaluate_kingdoms import COLUMNS, Judged, csv_text, differences, judge, measures, page, repairs
from vision.photo import Photo
from vision.recognize import Recognition, recognize

TRUTH = Kingdom.from_notation("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")


def read(kingdom: Kingdom) -> Recognition:
    photo = Photo.from_image(picture_of(kingdom))
    return recognize(photo, corners_of(kingdom), (kingdom.height, kingdom.width), models=fake_models())[0]


def judged(kingdom: Kingdom | None, truth: Kingdom = TRUTH) -> Judged:
    return judge("photos", "a.jpg", "photographer A", "k", truth, read(kingdom) if kingdom else None, True)


@pytest.mark.parametrize("turns", range(4))
def test_turned_readings_are_right(turns: int) -> None:
    assert differences(TRUTH.rotated(turns), TRUTH) == ()
    assert judged(TRUTH.rotated(turns)).right


def test_mirrored_readings_are_wrong() -> None:
    assert differences(TRUTH.mirrored(), TRUTH)


def test_wrong_squares_are_told_by_kind() -> None:
    wrong = TRUTH.replaced(0, 0, TRUTH.cell(1, 0)).replaced(0, 1, TRUTH.cell(2, 1))
    kinds = {difference.cell: difference.kind for difference in differences(wrong, TRUTH)}
    assert kinds == {(0, 0): "crowns", (0, 1): "terrain"}


def test_a_missing_row_is_a_wrong_extent_and_nothing_else() -> None:
    short = Kingdom(TRUTH.rows[:4])
    found = differences(short, TRUTH)
    assert len(found) == 5
    assert {difference.kind for difference in found} == {"extent"}
    assert {difference.cell for difference in found} == {(4, column) for column in range(5)}


def test_a_kingdom_that_was_not_found_is_not_right_and_shows_no_square() -> None:
    lost = judged(None)
    assert not lost.right and not lost.right_after_check and not lost.score_right
    assert lost.missed == 0 and lost.points_off == -47


def test_right_after_fixing_the_squares_to_check() -> None:
    # Forest for lake in one corner, so that only this square differs.
    wrong = replace(judged(TRUTH), differences=differences(TRUTH.replaced(4, 4, TRUTH.cell(4, 3)), TRUTH))
    assert not wrong.right and not wrong.right_after_check and wrong.missed == 1
    marked = replace(wrong, check=((0, 0), (4, 4)))
    assert marked.right_after_check and marked.missed == 0 and marked.needless == 1
    late = replace(wrong, check=((0, 0), (0, 1), (0, 2), (4, 4)))
    assert not late.right_after_check


def test_repairs_and_breaks_are_both_counted() -> None:
    right = judged(TRUTH)
    wrong = TRUTH.replaced(4, 3, TRUTH.cell(4, 4))
    repaired = replace(right, plain=wrong)
    broken = replace(right, read=wrong, plain=TRUTH, differences=differences(wrong, TRUTH))
    assert repairs([right, repaired, broken]) == [("photos", "1 of 3", "1 of 3", "1 / 1")]


def test_the_table_has_a_line_for_every_kingdom() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text([judged(TRUTH), judged(None)]))))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["status"] for row in rows] == ["right", "not found"]
    assert rows[0]["truth"] == rows[0]["read"] == TRUTH.notation
    assert rows[1]["points_off"] == "-47"


def test_measures_count_and_the_page_shows_what_is_wrong() -> None:
    everything = [judged(TRUTH), judged(None)]
    first = measures(everything)[0]
    assert first.name == "photos: entirely right" and first.found == "1 of 2 (50.0%)"
    text = page(everything)
    assert "| photos | a.jpg | not found |" in text
    assert "1 of 2 (50.0%)" in text


def test_the_scenes_that_count_have_their_hands_and_those_without_stand_beside_them() -> None:
    first, second = (replace(judged(TRUTH), source="scenes", photo=name) for name in ("1", "2"))
    hand = replace(judged(None), source="hands", photo="2")
    counted, without = (row for row in measures([first, second, hand]) if row.name.startswith("scenes"))
    assert (counted.found, counted.bar) == ("1 of 2 (50.0%)", "92%")
    assert (without.found, without.bar) == ("2 of 2 (100.0%)", "–")
