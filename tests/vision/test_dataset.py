"""The examples: folds are kept apart before anything is cut, labels are what they should be."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from vision import dataset
from vision.classify import CLASSES
from vision.data import board_labels, photo_labels
from vision.dataset import CANVAS, CANVAS_MARGIN, RIM, SQUARE
from vision.models import FOLDS

FOLDERS = {
    *(["wheat0", "wheat1", "forest0", "forest1", "lake0", "lake1", "grassland0", "grassland1", "grassland2"]),
    *(["swamp0", "swamp1", "swamp2", "mine0", "mine1", "mine2", "mine3", "castle", "empty"]),
}


def test_each_folder_name_has_a_class_of_its_own() -> None:
    assert {dataset.class_of_folder(name) for name in FOLDERS} == set(range(len(CLASSES)))
    assert CLASSES[dataset.class_of_folder("mine3")] == "m3"
    assert CLASSES[dataset.class_of_folder("wheat0")] == "w"


def test_corrections_name_a_file_once_and_change_its_label() -> None:
    with dataset.CORRECTIONS_FILE.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert rows
    assert len({row["file"] for row in rows}) == len(rows)
    for row in rows:
        assert row["file"].split("/")[0] == row["old"]
        assert row["old"] in FOLDERS and row["new"] in FOLDERS | {dataset.DROP}
        assert row["new"] != row["old"]


def test_the_square_lies_in_the_middle_of_its_canvas() -> None:
    assert SQUARE + 2 * RIM == CANVAS
    assert pytest.approx(RIM / SQUARE) == CANVAS_MARGIN


def test_the_ring_goes_around_the_grid_once() -> None:
    ring = dataset.ring_quads([[100, 100], [300, 100], [300, 400], [100, 400]], rows=3, columns=2)
    assert len(ring) == 2 * (3 + 2) + 4
    assert np.allclose(ring[0], [[0, 0], [100, 0], [100, 100], [0, 100]], atol=1e-3)
    centres = ring.mean(axis=1)
    inside = (centres > 100).all(axis=1) & (centres[:, 0] < 300) & (centres[:, 1] < 400)
    assert not inside.any()
    steps = np.linalg.norm(np.roll(centres, -1, axis=0) - centres, axis=1)
    assert np.allclose(steps, 100, atol=1e-3)


@pytest.mark.data
@pytest.mark.parametrize("fold", FOLDS)
def test_squares_of_a_fold_come_from_its_photographs_only(fold: int) -> None:
    boards, photos = dataset.boards((fold,)), dataset.photos((fold,))
    assert {board_labels()[name.split("@")[0]]["fold"] for name in boards.names} == {fold}
    assert {photo_labels()[name.split("@")[0]]["fold"] for name in photos.names} == {fold}
    tables = dataset.tables((fold,))
    assert {photo_labels()[name.split("@")[0]]["fold"] for name in tables.names} == {fold}


@pytest.mark.data
def test_the_labelled_squares_are_all_there() -> None:
    boards, photos = dataset.boards(FOLDS), dataset.photos(FOLDS)
    assert len(boards) == 1400
    empty = int((photos.classes == dataset.EMPTY_CLASS).sum())
    assert (len(photos) - empty, empty) == (820, 246)


@pytest.mark.data
def test_the_game_a_fold_is_calibrated_on_is_not_of_that_fold() -> None:
    folds = {label["game"]: label["fold"] for label in board_labels().values()}
    for fold, game in dataset.CALIBRATION_GAMES.items():
        assert folds[game] != fold
        assert len(dataset.boards(FOLDS, without=(game,))) + len(dataset.boards(FOLDS, games=(game,))) == 1400


@pytest.mark.data
def test_a_corrected_tile_changes_class_and_a_dropped_one_is_gone() -> None:
    before = dataset.tiles("all", corrected=False)
    after = dataset.tiles("all", corrected=True)
    was, now = (dict(zip(part.names, part.classes, strict=True)) for part in (before, after))
    corrections = dataset.tile_corrections()
    for name, new in corrections.items():
        assert was[name] == dataset.class_of_folder(name.split("/")[0])
        assert (name not in now) if new == dataset.DROP else now[name] == dataset.class_of_folder(new)
    assert {name for name in was if name not in now} == {n for n, new in corrections.items() if new == dataset.DROP}


@pytest.mark.data
def test_the_printed_order_of_a_domino_agrees_with_its_colours() -> None:
    halves = dataset.dominoes()
    inner = halves.pictures[:, RIM:-RIM, RIM:-RIM].reshape(len(halves), -1, 3).mean(axis=1)
    blue_minus_red = inner[:, 0] - inner[:, 2]
    symbols = np.array([CLASSES[index] for index in halves.classes])
    lake, wheat = np.isin(symbols, ("l",)), np.isin(symbols, ("w",))
    assert blue_minus_red[lake].min() > 0 > blue_minus_red[wheat].max()


@pytest.mark.data
def test_surroundings_leave_the_square_itself_alone() -> None:
    examples = dataset.joined([dataset.tiles("measure"), dataset.dominoes()])
    rng = np.random.default_rng(1)
    chosen = rng.permutation(len(examples))[:200]
    pictures = examples.pictures[chosen]
    before = pictures.copy()
    dataset.surround(pictures, examples, chosen, rng)
    tiles = examples.classes[chosen] != dataset.EMPTY_CLASS
    inner = np.s_[:, RIM:-RIM, RIM:-RIM]
    assert np.array_equal(pictures[tiles][inner], before[tiles][inner])
    assert (pictures[tiles] != before[tiles]).any(axis=(1, 2, 3)).mean() > 0.9


@pytest.mark.data
@pytest.mark.training
@pytest.mark.slow
def test_a_fold_trains_on_nothing_of_its_own_photographs() -> None:
    from vision.training.square_training import real_sources

    for fold in FOLDS:
        used = {name.split("@")[0] for source in real_sources(fold) for name in source.names}
        own = {file for labels in (board_labels(), photo_labels()) for file in labels if labels[file]["fold"] == fold}
        assert used.isdisjoint(own)
        game = dataset.CALIBRATION_GAMES[fold]
        held_back = {file for file, label in board_labels().items() if label["game"] == game}
        assert used.isdisjoint(held_back)
