"""Golden results: every kingdom of the photos that ship is read entirely right, by the models that ship."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine import Kingdom
from vision.recognize import Recognition, recognize

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample_photos"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.json"))
# The outer corners may lie this share of a square beside the drawn ones: tiles lie a little crooked.
NEAR = 0.3


def truths(name: str) -> list[dict]:
    return json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))["kingdoms"]


def whole(name: str) -> list[Recognition]:
    """The kingdoms read from a sample that its edge does not cut."""
    return [one for one in recognize(SAMPLES / f"{name}.jpg") if not one.cut]


def test_there_are_samples() -> None:
    assert len(NAMES) >= 12


@pytest.mark.parametrize("name", NAMES)
def test_every_kingdom_of_a_sample_is_read_right(name: str) -> None:
    found = whole(name)
    expected = truths(name)
    assert sorted(one.kingdom.notation for one in found) == sorted(truth["notation"] for truth in expected)
    for truth in expected:
        corners = np.array(truth["corners"])
        nearest = min(found, key=lambda one: float(np.abs(one.corners.mean(0) - corners.mean(0)).sum()))
        assert nearest.kingdom == Kingdom.from_notation(truth["notation"])
        side = np.linalg.norm(corners[1] - corners[0]) / nearest.kingdom.width
        assert np.abs(nearest.corners - corners).max() <= NEAR * side


def test_an_illegal_sample_is_called_illegal_and_the_others_legal() -> None:
    verdicts = {name: {one.judgement for one in whole(name)} for name in NAMES}
    assert verdicts.pop("illegal") == {"illegal"}
    assert set().union(*verdicts.values()) == {"legal"}


def test_a_photo_is_read_the_same_from_run_to_run() -> None:
    one, other = (recognize(SAMPLES / "oblique.jpg")[0] for _ in range(2))
    assert one.kingdom == other.kingdom and one.check == other.check
    assert np.array_equal(one.probabilities, other.probabilities)
    assert np.array_equal(one.corners, other.corners)


@pytest.mark.slow
def test_the_command_reads_many_photos_on_all_cores_in_order() -> None:
    names = NAMES[:5]
    command = [sys.executable, "-m", "vision", "--json", *(str(SAMPLES / f"{name}.jpg") for name in names)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    values = [json.loads(line) for line in done.stdout.splitlines()]
    assert [Path(value["photo"]).stem for value in values] == names
    for name, value in zip(names, values, strict=True):
        kingdoms = {kingdom["notation"] for kingdom in value["kingdoms"] if not kingdom["cut"]}
        assert kingdoms == {truth["notation"] for truth in truths(name)}
