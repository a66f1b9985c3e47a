"""Training the reader of whole kingdoms: scenes become batches, a run goes on where it stopped, and a fit learns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.kingdoms import side_by_side
from vision.classify import CLASSES, EMPTY_CLASS

pytestmark = [pytest.mark.training, pytest.mark.usefixtures("one_thread")]

WHEAT, GRASS = CLASSES.index("w"), CLASSES.index("g")
YELLOW, GREEN = (40, 200, 220), (60, 170, 110)


def scene(seed: int, cells: int = 12) -> dict[str, np.ndarray]:
    """Plain wheat and grassland under a lamp of any colour, so that one square alone does not tell which it is."""
    rng = np.random.default_rng(seed)
    classes = rng.permutation([WHEAT, GRASS] * (cells // 2))
    colours = np.array([YELLOW if code == WHEAT else GREEN for code in classes]) * rng.uniform(0.4, 1.1, 3)
    crops = np.clip(colours[:, None, None] + rng.normal(0, 6, (cells, 48, 48, 3)), 0, 255).astype(np.uint8)
    read = np.full((cells, 3, len(CLASSES)), 1e-4)
    read[..., [WHEAT, GRASS]] = 0.5
    return {
        "crops": crops,
        "quads": side_by_side(cells, columns=4).astype(np.float32),
        "read": read,
        "classes": classes,
        "doubtful": np.ones(cells, bool),
        "scene": np.full(cells, seed),
    }


def test_lessons_are_taken_apart_by_scene() -> None:
    from vision.training.kingdom_training import scenes_of
    from vision.training.parts import joined

    scenes = [scene(3), scene(4, 6), scene(9, 8)]
    again = scenes_of(joined(scenes))
    assert [len(one["classes"]) for one in again] == [12, 6, 8]
    assert all(np.array_equal(one["crops"], other["crops"]) for one, other in zip(scenes, again, strict=True))


def test_a_batch_has_a_row_for_each_cell_and_none_for_what_is_not_there() -> None:
    from vision.training.kingdom_training import FIT, batch_of

    unknown = scene(4, 6)
    unknown["classes"][2] = -1
    sure = scene(5, 8)
    sure["doubtful"][:] = False
    sure["read"][:4, 0, WHEAT] = 0.9995
    batch = batch_of([scene(3), unknown, sure], FIT, None)
    assert batch.pixels.shape == (12 + 6 + 8, 3, 48, 48)
    assert batch.there.sum(dim=1).tolist() == [12, 6, 8]
    assert (batch.weights[~batch.there] == 0).all()
    assert batch.weights[1, :6].tolist() == [1, 1, 0, 1, 1, 1]
    assert np.allclose(batch.weights[2, :8], [FIT.sure] * 4 + [1] * 4)


def test_a_disturbed_scene_keeps_some_cells_and_what_they_show() -> None:
    from vision.training.kingdom_training import FIT, batch_of

    config = replace(FIT, left_out=0.9)
    counts = set()
    for seed in range(12):
        batch = batch_of([scene(3)], config, np.random.default_rng(seed))
        counts.add(len(batch.pixels))
        assert len(batch.pixels) == batch.there.sum() >= 1
        # Wheat stays the redder of the two, whatever the light.
        ratios = (batch.pixels[:, 2] / batch.pixels[:, 1]).mean(dim=(1, 2)).numpy()
        wheat = (batch.classes[batch.there] == WHEAT).numpy()
        if wheat.any() and (~wheat).any():
            assert ratios[wheat].min() > ratios[~wheat].max()
    assert len(counts) > 4


def test_every_crop_turns_with_its_place() -> None:
    from vision.training.kingdom_training import _from_another_side

    cells = scene(3)
    crops = np.zeros((12, 48, 48, 3), np.uint8)
    # Each corner of each crop has a colour of its own.
    for cell in range(12):
        for corner, at in enumerate([(0, 0), (0, -1), (-1, -1), (-1, 0)]):
            crops[(cell, *at)] = (cell + 1, corner + 1, 7)
    views = set()
    for seed in range(40):
        turned, quads = _from_another_side(crops, cells["quads"], np.random.default_rng(seed))
        pictured = [turned[:, row, column, :2] for row, column in [(0, 0), (0, -1), (-1, -1), (-1, 0)]]
        found = {tuple(code): tuple(quads[n, k]) for k, codes in enumerate(pictured) for n, code in enumerate(codes)}
        sides = {code: (abs(x), y) for code, (x, y) in found.items()}
        assert sides == {(n + 1, k + 1): tuple(cells["quads"][n, k]) for n in range(12) for k in range(4)}
        views.add((tuple(turned[0, 0, 0]), float(quads[..., 0].sum()) < 0))
    assert len(views) == 8


def test_a_crop_that_is_moved_shows_the_same_square() -> None:
    from vision.training.kingdom_training import FIT, _moved

    crops = scene(3)["crops"]
    crops[:, 16:32, 16:32] = 255
    moved = _moved(crops, FIT, np.random.default_rng(2))
    assert not np.array_equal(moved, crops)
    assert (moved[:, 22:26, 22:26] > 240).all()
    assert np.abs(moved.mean(axis=(1, 2)) - crops.mean(axis=(1, 2))).max() < 4


def test_a_fit_learns_what_only_the_whole_kingdom_tells_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    from vision.kingdom_reader import KingdomReader
    from vision.training import kingdom_training
    from vision.training.kingdom import accuracy_of
    from vision.training.kingdom_net import attention_of
    from vision.training.kingdom_training import FIT, FitConfig, Run, fit
    from vision.training.square_net import to_onnx

    config: FitConfig = replace(FIT, epochs=6, batch=4, averaging=20)
    scenes = [scene(seed) for seed in range(60)]
    whole = fit(scenes, config)
    run = Run(config, tmp_path / "run.pt", "recipe")
    with kingdom_training.tqdm(disable=True) as bar:
        for _ in range(3):
            run.train_epoch(scenes, bar)
            run.save()
    resumed = fit(scenes, config, tmp_path / "run.pt", "recipe")
    for ours, theirs in zip(whole.state_dict().values(), resumed.state_dict().values(), strict=True):
        assert np.allclose(ours, theirs, atol=1e-6)
    # A checkpoint of another recipe is not continued.
    assert Run(config, tmp_path / "run.pt", "recipe").epoch == 6
    assert Run(config, tmp_path / "run.pt", "another").epoch == 0

    reader = KingdomReader(to_onnx(whole.looks, 48), attention_of(whole))
    unseen = [scene(seed) for seed in range(1000, 1020)]
    right = {name: int(text.split()[0]) for name, text in accuracy_of(reader, unseen).items()}
    assert right["read alone"] <= 120
    assert right["read in company"] >= 228
    assert EMPTY_CLASS not in unseen[0]["classes"]
