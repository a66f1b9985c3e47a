"""What the benchmarks call a first call, and the store it is asked of: nothing flatters what is remembered."""

from __future__ import annotations

import random

import pytest

from benchmarks.fresh import first_call
from benchmarks.store import export_document
from engine import Kingdom


def test_every_run_is_the_first_of_its_process() -> None:
    # A process that had run the call before would find its mark and fail.
    timed = first_call("import sys", "assert not hasattr(sys, 'mark'); sys.mark = True", runs=2)
    assert 0 <= timed.processor < 1 and 0 <= timed.seconds < 10


def test_what_is_prepared_is_not_timed() -> None:
    timed = first_call("import time; time.sleep(0.5)", "pass", runs=1)
    assert timed.seconds < 0.4


def test_the_environment_reaches_the_process() -> None:
    first_call("import os", "assert os.environ['KINGDOM'] == 'C'", runs=1, environment={"KINGDOM": "C"})


def test_a_call_that_fails_is_no_measurement() -> None:
    with pytest.raises(AssertionError, match="no such kingdom"):
        first_call("", "raise SystemExit('no such kingdom')", runs=1)


def test_no_kingdom_of_the_measured_store_is_stored_twice_in_any_symmetry() -> None:
    games = export_document(50, random.Random(1))["games"]
    kingdoms = [Kingdom.from_notation(seat["reading"]["kingdom"]) for game in games for seat in game["seats"]]
    different = {min(image.notation for image in kingdom.symmetries()) for kingdom in kingdoms}
    assert len(different) == len(kingdoms) == 200
