"""Training the small networks: examples are kept in parts, cells are cut with their truth, and a fit learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.classify import CLASSES, EMPTY_CLASS
from vision.rectify import grid_quads
from vision.scenes import OwnArt, SceneConfig, random_scene

pytestmark = [pytest.mark.training, pytest.mark.usefixtures("one_thread")]


def squares_of(seed: int) -> dict[str, np.ndarray]:
    """Made in another process."""
    return {"seed": np.array([seed]), "square": np.array([seed**2])}


def test_a_stopped_run_makes_only_the_parts_that_are_missing(tmp_path: Path) -> None:
    from vision.training.parts import Parts, in_parts, joined

    parts = Parts(tmp_path, "recipe", range(10, 17), 3)
    whole = in_parts(parts, squares_of, "squares")
    assert [part["seed"].tolist() for part in whole] == [[10, 11, 12], [13, 14, 15], [16]]
    assert joined(whole)["square"].tolist() == [seed**2 for seed in range(10, 17)]
    (tmp_path / "recipe_13.npz").unlink()
    np.savez(tmp_path / "recipe_10.npz", seed=np.array([0]), square=np.array([-1]))
    again = in_parts(parts, squares_of, "squares")
    assert again[0]["square"].tolist() == [-1]
    assert again[1]["square"].tolist() == [169, 196, 225]
    assert not list(tmp_path.glob("*.part*"))


def test_cells_around_a_kingdom_are_cut_with_their_truth() -> None:
    from vision.training.company import cells_of

    rng = np.random.default_rng(8)
    scene = random_scene(rng, OwnArt(), n_kingdoms=1, size=(900, 700))
    truth = scene.kingdoms[0]
    quads, classes = cells_of(scene, truth, rng)
    assert quads.shape == (len(classes), 4, 2)
    tiles = sorted(CLASSES[index] for index in classes if index not in (-1, EMPTY_CLASS))
    assert tiles == sorted(truth.kingdom.cell(row, column).symbol for row, column in truth.quads)
    # Every cell that touches a tile is asked, also at a corner, so there is bare table on all sides.
    assert (classes == EMPTY_CLASS).sum() >= 10


def test_a_loose_domino_covers_no_cell_of_the_kingdom_it_lies_beside() -> None:
    from vision.training.extent import covered_cells

    beside = 0
    for seed in range(20):
        config = SceneConfig(size=(600, 500), stray_share=1.0)
        scene = random_scene(np.random.default_rng(seed), OwnArt(), n_kingdoms=1, config=config)
        truth = scene.kingdoms[0]
        shape = truth.kingdom.height, truth.kingdom.width
        quads = np.asarray(grid_quads(truth.corners, *shape), np.float64)
        covered = covered_cells(scene, quads).reshape(shape)
        tiles = np.zeros(shape, int)
        tiles[tuple(np.array(list(truth.quads)).T)] = 1
        assert (covered == tiles).all()
        middles = np.array([stray.quad.mean(axis=0) for stray in scene.stray])
        apart = np.linalg.norm(quads.mean(axis=1)[:, None] - middles, axis=-1)
        beside += int((apart.min(axis=1) < 0.3 * np.sqrt(truth.area / len(quads))).sum())
        # On its own grid it is a tile as any other.
        assert (covered_cells(scene, np.array([stray.quad for stray in scene.stray], np.float64)) == 1).all()
    assert beside


def test_a_judge_learns_which_cells_are_covered() -> None:
    from vision.training.extent import fitted

    rng = np.random.default_rng(4)
    seen = rng.normal(0, 1, (20_000, 3)).astype(np.float32)
    covered = seen[:, 0] * seen[:, 1] > 0
    said = fitted({"seen": seen, "covered": covered}).layers.outputs(seen)[:, 0] > 0
    # No weighing of single opinions could tell these.
    assert (said == covered).mean() > 0.9
