"""How steps between photos of a growing kingdom are judged."""

from __future__ import annotations

import pytest

from engine import Kingdom
from vision.data import photo_labels
from vision.evaluate_turns import SEQUENCES, Seen, csv_text, page, photos_of, steps_of


def seen(truth: str, read: str | None) -> Seen:
    return Seen("x", Kingdom.from_notation(truth), Kingdom.from_notation(read) if read else None, 5)


def test_right_readings_give_a_right_step_however_they_are_turned() -> None:
    later = Kingdom.from_notation("Cff/w../w..")
    first = Kingdom.from_notation("Cff")
    for turns in range(16):
        before, after = first.rotated(turns // 4), later.rotated(turns % 4)
        (step,) = steps_of([Seen("x", first, before, 5), Seen("y", later, after, 5)])
        assert step.right and step.right_when_checked and step.fault == ""


def test_a_wrong_reading_before_is_at_fault_and_checking_it_helps() -> None:
    (step,) = steps_of([seen("Cff", "Cfw"), seen("Cff/w../w..", "Cff/w../w..")])
    assert not step.right and step.right_when_checked
    assert step.fault == "reading"


def test_a_right_domino_in_a_wrong_place_is_wrong() -> None:
    (step,) = steps_of([seen("Cff", "Cff"), seen("Cff/w../w..", "wwCff")])
    assert not step.right
    assert step.fault == "reading"


def test_a_photo_without_a_reading_or_castle_is_a_wrong_step() -> None:
    for read in (None, "ff"):
        (step,) = steps_of([seen("Cff", "Cff"), seen("Cff/w../w..", read)])
        assert not step.right and not step.right_when_checked


def test_an_illegal_step_must_be_called_illegal() -> None:
    (step,) = steps_of([seen("Cff", "Cff"), seen("Cff/..l/..l", "Cff/..l/..l")])
    assert step.right
    assert not step.expected.legal
    (step,) = steps_of([seen("Cff", "Cff"), seen("Cff/..l/..l", "Cff/l../l..")])
    assert not step.right


def test_page_and_table_count_the_steps() -> None:
    steps = steps_of([seen("Cff", "Cff"), seen("Cff/w../w..", "Cff/w../w.."), seen("Cff/w../w..", None)])
    assert "| steps right, no reading put right | 1 of 2 |" in page(steps)
    assert csv_text(steps).count("\n") == 3


@pytest.mark.data
def test_the_labels_themselves_make_26_legal_steps() -> None:
    labels = photo_labels()
    steps = []
    for sequence in SEQUENCES:
        truths = [(name, Kingdom.from_notation(labels[name]["notation"])) for name in photos_of(sequence)]
        steps += steps_of([Seen(name, truth, truth, labels[name]["size"]) for name, truth in truths])
    assert len(steps) == 26
    assert all(step.right and step.expected.legal for step in steps)
