"""The photos that ship are what their sidecars say."""

from __future__ import annotations

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from engine import Kingdom, Square, verify
from vision.scenes.samples import QUALITY, SAMPLE_DIR, SAMPLES, Sample, write_samples

BYTES_ALLOWED = 8_000_000
GREY_LEVELS_ALLOWED = 1.0
KINGDOMS = {"two_kingdoms": 2, "four_kingdoms": 4}


def upright(data: bytes) -> np.ndarray:
    return np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data))))


def sidecar(sample: Sample) -> dict:
    return json.loads((SAMPLE_DIR / f"{sample.name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_every_sample_is_rendered_again_from_its_seed(sample: Sample) -> None:
    scene = sample.render()
    data = scene.jpeg(QUALITY, sample.exif_orientation)
    shipped = (SAMPLE_DIR / f"{sample.name}.jpg").read_bytes()
    difference = np.abs(upright(data).astype(int) - upright(shipped).astype(int))
    assert difference.mean() < GREY_LEVELS_ALLOWED
    again, kept = json.loads(scene.sidecar_text()), sidecar(sample)
    assert [k["notation"] for k in again["kingdoms"]] == [k["notation"] for k in kept["kingdoms"]]
    for one, other in zip(again["kingdoms"], kept["kingdoms"], strict=True):
        assert np.allclose(one["corners"], other["corners"], atol=0.05)
    assert (again["scene"], again["seed"]) == (kept["scene"], kept["seed"])
    # Glare may wash a crown out a little, but nothing may stand before one.
    hidden = [t.kingdom.cell(*cell) for t in scene.kingdoms for cell in t.hidden if not t.cut]
    crowned = [cell.symbol for cell in hidden if isinstance(cell, Square) and cell.crowns]
    assert sample.name == "candlelight" or not crowned


def test_samples_are_written_byte_for_byte_alike(tmp_path: Path) -> None:
    def written(folder: Path) -> dict[str, bytes]:
        write_samples(folder, SAMPLES[:2])
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}

    first = written(tmp_path / "first")
    assert len(first) == 4
    assert first == written(tmp_path / "second")


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_every_sidecar_holds_the_kingdoms_of_the_sample(sample: Sample) -> None:
    kept = sidecar(sample)
    assert set(kept) == {"kingdoms", "scene", "seed"}
    assert len(kept["kingdoms"]) == KINGDOMS.get(sample.name, 1)
    given = [{Kingdom.from_notation(n).rotated(q).notation for q in range(4)} for n in sample.notations]
    for kingdom in kept["kingdoms"]:
        assert set(kingdom) == {"notation", "size", "corners"}
        assert any(kingdom["notation"] in turned for turned in given)
    height, width = upright((SAMPLE_DIR / f"{sample.name}.jpg").read_bytes()).shape[:2]
    corners = np.array([kingdom["corners"] for kingdom in kept["kingdoms"]], np.float32)
    assert corners.min() > 0
    assert corners[..., 0].max() < width
    assert corners[..., 1].max() < height
    for quad in corners:
        assert cv2.isContourConvex(quad.reshape(-1, 1, 2))


def test_the_samples_cover_what_they_are_named_for() -> None:
    verdicts = {
        s.name: [verify(Kingdom.from_notation(n)) for n in s.notations] for s in SAMPLES
    }  # fmt: skip
    assert [name for name, found in verdicts.items() if not all(v.legal for v in found)] == ["illegal"]
    assert all(v.tileable for found in verdicts.values() for v in found)
    by_name = {s.name: s for s in SAMPLES}
    assert Kingdom.from_notation(by_name["complete_5x5"].notations[0]).castle == (2, 2)
    assert 0 in Kingdom.from_notation(by_name["castle_at_edge"].notations[0]).castle
    assert "." in by_name["incomplete_5x5"].notations[0]
    assert sidecar(by_name["seven_7x7"])["kingdoms"][0]["size"] == 7
    stored = Image.open(SAMPLE_DIR / "exif_rotated.jpg")
    assert stored.getexif()[0x0112] == 6
    assert stored.size == (1600, 1200)


def test_the_samples_are_small_and_nothing_else_lies_beside_them() -> None:
    files = sorted(path.name for path in SAMPLE_DIR.iterdir())
    wanted = [f"{s.name}.{kind}" for s in SAMPLES for kind in ("jpg", "json")]
    assert files == sorted([*wanted, "README.md"])
    assert sum(path.stat().st_size for path in SAMPLE_DIR.iterdir()) < BYTES_ALLOWED
    readme = (SAMPLE_DIR / "README.md").read_text(encoding="utf-8")
    assert "rendered" in readme
    assert all(f"`{s.name}.jpg`" in readme for s in SAMPLES)
