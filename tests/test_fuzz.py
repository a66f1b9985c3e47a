"""Damaged photos and damaged imports, a few of the thousands that `python -m benchmarks.fuzz` sends through."""

from __future__ import annotations

import random
import tempfile

import pytest

from benchmarks.fuzz import fuzz_imports, fuzz_uploads, mutated_upload, pictures, told
from engine import KingdominoError

pytestmark = pytest.mark.slow
FEW = 40


def test_damaged_photos_are_read_or_refused_and_nothing_else() -> None:
    outcome = fuzz_uploads(FEW, seed=80)
    assert outcome.passed, told("uploads", outcome)
    assert outcome.files == FEW
    assert outcome.refused["PhotoError"] > 0


def test_damaged_imports_are_taken_or_refused_and_nothing_else() -> None:
    outcome = fuzz_imports(FEW, seed=80)
    assert outcome.passed, told("imports", outcome)
    assert outcome.refused["StoreError"] > 0


def test_a_foreign_error_and_a_file_left_behind_are_noticed() -> None:
    def careless(data: bytes) -> None:
        tempfile.mkstemp()
        if len(data) % 2:
            raise KingdominoError("refused")
        raise ValueError("not ours")

    outcome = fuzz_uploads(6, read=careless)
    assert not outcome.passed
    assert outcome.failures and all("ValueError" in line for line in outcome.failures)
    assert len(outcome.left_behind) == 6
    assert "FAILED" in told("uploads", outcome)


def test_the_same_seed_damages_the_same_way_and_every_kind_of_file_is_among_them() -> None:
    files = pictures()
    assert mutated_upload(files, random.Random(1)) == mutated_upload(files, random.Random(1))
    starts = {data[:4] for data in files}
    assert {b"\xff\xd8\xff\xe0", b"RIFF", b"\x89PNG"} <= starts
    assert any(data[4:8] == b"ftyp" for data in files)
