"""`python -m vision`: valid JSON whatever the file, folders, games, pictures."""

from __future__ import annotations

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from engine import Kingdom
from tests.vision.fakes import corners_of, fake_models, picture_of
from vision import cli, recognize
from vision.cli import main, photos_of

KINGDOM = Kingdom.from_notation("l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1")


@pytest.fixture(autouse=True)
def _models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognize, "load_models", lambda fold=None: fake_models())


def saved(folder: Path, name: str = "kingdom.png", kingdom: Kingdom = KINGDOM) -> Path:
    path = folder / name
    path.write_bytes(cv2.imencode(".png", picture_of(kingdom))[1].tobytes())
    return path


def corner_words(kingdom: Kingdom = KINGDOM) -> list[str]:
    return ["--corners", *(f"{x},{y}" for x, y in corners_of(kingdom))]


def bad_files() -> dict[str, bytes]:
    jpeg = io.BytesIO()
    Image.new("RGB", (400, 300), "red").save(jpeg, "JPEG")
    tiny = io.BytesIO()
    Image.new("RGB", (1, 1)).save(tiny, "PNG")
    strip = io.BytesIO()
    Image.new("RGB", (20_000, 10)).save(strip, "PNG")
    heic = io.BytesIO()
    Image.new("RGB", (256, 256), "blue").save(heic, "HEIF")
    return {
        "empty.jpg": b"",
        "random.jpg": np.random.default_rng(1).bytes(5000),
        "document.jpg": b"%PDF-1.7\n1 0 obj",
        "cut.jpg": jpeg.getvalue()[: len(jpeg.getvalue()) // 2],
        "cut.heic": heic.getvalue()[: len(heic.getvalue()) // 2],
        "tiny.png": tiny.getvalue(),
        "strip.png": strip.getvalue(),
    }


@pytest.mark.parametrize("name", bad_files())
def test_json_is_valid_for_every_bad_file(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    path.write_bytes(bad_files()[name])
    assert main([str(path), "--json", *corner_words()]) == 1
    value = json.loads(capsys.readouterr().out)
    assert value["photo"] == str(path)
    assert value["kingdoms"] == []
    assert isinstance(value["error"], str) and value["error"]
    assert value["seconds"] == {}


def test_a_missing_file_is_an_error_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.jpg"), "--json"]) == 1
    assert "cannot be read" in json.loads(capsys.readouterr().out)["error"]


def test_json_of_a_photo_with_marked_corners(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(saved(tmp_path)), "--json", *corner_words()]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["error"] is None
    assert [kingdom["notation"] for kingdom in value["kingdoms"]] == [KINGDOM.notation]
    assert set(value["seconds"]) == {"load", "locate", "classify", "decode", "verify"}


def test_people_see_kingdom_score_and_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(saved(tmp_path)), *corner_words(), "--shape", "5x5"]) == 0
    text = capsys.readouterr().out
    assert KINGDOM.notation in text
    assert "47  points" in text
    assert "Built by the rules." in text
    assert "Certainty" in text


def test_doubtful_squares_are_named_to_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recognize, "load_models", lambda fold=None: fake_models(0.8))
    assert main([str(saved(tmp_path)), *corner_words()]) == 0
    text = capsys.readouterr().out
    assert "Worth a look" in text and "row " in text and "!" in text


def test_one_good_and_one_bad_photo_give_two_objects_and_exit_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = saved(tmp_path), tmp_path / "bad.jpg"
    bad.write_bytes(b"nothing")
    assert main([str(bad), str(good), "--json", *corner_words()]) == 1
    lines = capsys.readouterr().out.splitlines()
    values = [json.loads(line) for line in lines]
    assert [value["photo"] for value in values] == [str(bad), str(good)]
    assert [len(value["kingdoms"]) for value in values] == [0, 1]


def test_a_folder_stands_for_its_images_by_name(tmp_path: Path) -> None:
    for name in ("b.png", "a.png", "notes.txt"):
        saved(tmp_path, name)
    (tmp_path / "inner").mkdir()
    saved(tmp_path / "inner", "c.png")
    assert [path.name for path in photos_of([str(tmp_path)])] == ["a.png", "b.png"]


def test_an_empty_folder_is_said_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--json"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "" and "no photo" in captured.err


def test_a_game_shares_one_box(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = Kingdom.from_notation("Cwf"), Kingdom.from_notation("Cwf")
    paths = [str(saved(tmp_path, f"{n}.png", kingdom)) for n, kingdom in enumerate((first, second))]
    arguments = [*paths, "--json", *corner_words(first), "--shape", "1x3"]
    assert main([*arguments, "--game"]) == 0
    together = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    notations = [value["kingdoms"][0]["notation"] for value in together]
    assert notations.count("Cwf") == 1
    assert main(arguments) == 0
    alone = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [value["kingdoms"][0]["notation"] for value in alone] == ["Cwf", "Cwf"]


def test_overlays_go_to_a_file_or_a_folder(tmp_path: Path) -> None:
    one, other = saved(tmp_path, "one.png"), saved(tmp_path, "other.png")
    assert main([str(one), "--json", *corner_words(), "--overlay", str(tmp_path / "out.png")]) == 0
    assert cv2.imread(str(tmp_path / "out.png")) is not None
    assert main([str(one), str(other), "--json", *corner_words(), "--overlay", str(tmp_path / "all")]) == 0
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["one.jpg", "other.jpg"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["a.jpg", "--shape", "5x5"],
        ["a.jpg", "--corners", "1,2", "3,4", "5,6", "x"],
        ["a.jpg", "--corners", "1,2", "3,4", "5,6"],
        ["a.jpg", "--size", "6"],
        ["a.jpg", "--overlay", "picture.pdf"],
        [],
    ],
)
def test_wrong_options_are_refused_with_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refusal:
        main(arguments)
    assert refusal.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_photos_of_the_same_name_do_not_overwrite_each_other() -> None:
    targets = cli._targets([Path("a/x.jpg"), Path("b/x.jpg"), Path("y.png")], Path("out"))
    assert [target.name for target in targets] == ["1_x.jpg", "2_x.jpg", "y.jpg"]
