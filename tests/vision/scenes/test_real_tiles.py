"""The real source keeps its splits apart. Needs the data folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine import CASTLE, DOMINOES, SQUARES
from vision.data import board_labels, in_split, tile_files
from vision.scenes import RealTiles, random_scene
from vision.scenes.__main__ import main

pytestmark = pytest.mark.data

CLASSES = [*(f"{s.terrain.value}{s.crowns}" for s in SQUARES), "castle", "empty"]


def test_training_and_measuring_share_no_file_and_leave_none_out() -> None:
    total = measured = 0
    for name in CLASSES:
        every, train, measure = (set(tile_files(name, split)) for split in ("all", "train", "measure"))
        assert train.isdisjoint(measure)
        assert train | measure == every
        assert train
        assert measure
        total += len(every)
        measured += len(measure)
    assert 0.12 < measured / total < 0.18


def test_the_split_depends_on_the_name_alone() -> None:
    assert in_split("wheat0/0001.jpg", "train") != in_split("wheat0/0001.jpg", "measure")
    assert in_split("wheat0/0001.jpg", "all")


def test_boards_of_an_excluded_fold_are_left_out_of_training_and_taken_for_measuring() -> None:
    boards = {fold: sum(label["fold"] == fold for label in board_labels().values()) for fold in (1, 2, 3)}
    wheat = SQUARES[0]
    everything = len(RealTiles(split="train").crops(wheat))
    without = [len(RealTiles(split="train", exclude=(fold,)).crops(wheat)) for fold in (1, 2, 3)]
    bare = len(RealTiles(split="train", boards=False).crops(wheat))
    assert all(boards.values())
    assert all(bare < count < everything for count in without)
    assert sum(everything - count for count in without) == everything - bare
    kept_out = RealTiles(split="measure", exclude=(1,))
    only_tiles = RealTiles(split="measure", exclude=(1,), boards=False)
    assert len(kept_out.crops(wheat)) - len(only_tiles.crops(wheat)) == everything - without[0]


def test_crops_given_by_the_caller_are_taken_as_well() -> None:
    marked = np.full((50, 50, 3), 77, np.uint8)
    source = RealTiles(split="measure", extra={CASTLE: [marked]})
    assert any(picture is marked for picture in source.crops(CASTLE))


def test_every_domino_and_castle_is_there_in_both_directions() -> None:
    deal = RealTiles().deal(np.random.default_rng(0))
    dice = np.random.default_rng(1)
    for domino in DOMINOES:
        for a, b in ((domino.a, domino.b), (domino.b, domino.a)):
            assert deal.domino(a, b, 32, dice).shape == (32, 64, 3)
    assert deal.castle("green", 32, dice).shape == (32, 32, 3)


def test_printed_halves_are_the_ones_asked_for() -> None:
    """Each half of a photographed domino is nearest in colour to the crops of its own terrain."""
    from vision.scenes.real import RealDeal

    source = RealTiles()
    dice = np.random.default_rng(2)
    deal = RealDeal(source, crop_share=0.0)
    means = {s: np.mean([p.reshape(-1, 3).mean(axis=0) for p in source.crops(s)], axis=0) for s in SQUARES}
    right = total = 0
    for domino in DOMINOES:
        if domino.a.terrain is domino.b.terrain:
            continue
        picture = deal.domino(domino.a, domino.b, 64, dice).astype(float)
        halves = [picture[8:56, 8:56], picture[8:56, 72:120]]
        straight = sum(float(np.linalg.norm(h.reshape(-1, 3).mean(axis=0) - means[s]))
                       for h, s in zip(halves, (domino.a, domino.b), strict=True))  # fmt: skip
        crossed = sum(float(np.linalg.norm(h.reshape(-1, 3).mean(axis=0) - means[s]))
                      for h, s in zip(halves, (domino.b, domino.a), strict=True))  # fmt: skip
        right += straight < crossed
        total += 1
    assert right == total


def test_scenes_for_measuring_show_no_photographed_domino(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(number: int, side: int) -> None:
        raise AssertionError(f"domino {number} belongs to every training set")

    monkeypatch.setattr("vision.scenes.real._domino", refuse)
    monkeypatch.setattr("vision.scenes.real._castle", refuse)
    for seed in range(8):
        random_scene(seed, RealTiles(split="measure"), n_kingdoms=1, size=128)


def test_scenes_with_real_tiles_are_reproducible() -> None:
    first = random_scene(21, RealTiles(), size=256)
    again = random_scene(21, RealTiles(), size=256)
    assert first.image.tobytes() == again.image.tobytes()


def test_a_sheet_of_real_tiles_is_written_elsewhere(tmp_path: Path) -> None:
    out = tmp_path / "sheet.jpg"
    assert main(["sheet", "--source", "real", str(out)]) == 0
    assert out.stat().st_size > 100_000
