"""The command that weighs the opinions on a kingdom's extent: ``python -m vision.training extent``.

Cells of composed scenes are looked at as ``vision.locate`` looks at them, and a logistic regression on what the
maps and the classifier say gives the weights of ``vision.extent.ExtentConfig``. The tiles are those of training;
no photograph takes part.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from tqdm import tqdm

from vision.blobs import find_blobs
from vision.classify import EMPTY_CLASS
from vision.evaluate_locate import SCENE_SIZES
from vision.extent import opinions
from vision.kingdom_grid import LocateModels, likely_cells, own_quads
from vision.lattice import Floats
from vision.looks import Pyramid
from vision.patches import find_patches, first_look
from vision.rectify import cut_squares
from vision.scenes import RealTiles, Scene, random_scene
from vision.straighten import looked_at_carefully, straightened

# The weights of ``ExtentConfig`` that are learnt, in the order of the opinions.
WEIGHTS = ("map_weight", "middle_weight", "corner_weight", "class_weight", "strange_weight")
SEED = 6_000_000
SCENES = 400
WORKERS = 2
# A cell counts as covered when a tile's middle is nearer to its own than this share of a square; when none is
# nearer than the second share it counts as bare. Others lie on a grid that does not fit and are left out.
NEAR, FAR = 0.3, 0.7
# The inverse strength of the penalty on the weights.
FREEDOM = 1.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the weights."""
    parser = argparse.ArgumentParser(prog="python -m vision.training extent", description=__doc__)
    parser.add_argument("--scenes", type=int, default=SCENES, help="how many scenes to learn from")
    options = parser.parse_args(arguments)
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        seeds = range(SEED, SEED + options.scenes)
        parts = list(tqdm(pool.imap(cells_of, seeds), total=options.scenes, desc="weighing the extent", unit="scene"))
    said, covered = (np.concatenate(part) for part in zip(*parts, strict=True))
    regression = LogisticRegression(C=FREEDOM, max_iter=1000).fit(said, covered)
    for name, weight in zip(WEIGHTS, regression.coef_[0], strict=True):
        print(f"{name:14} {weight:.2f}")
    print(f"{'demand':14} {-regression.intercept_[0]:.2f}")
    right = int((regression.predict(said) == covered).sum())
    print(f"{right} of {len(covered)} cells right, {int(covered.sum())} of them covered")


def cells_of(seed: int) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """What is said of the cells around the kingdoms of one scene, and which of them are covered."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    size = SCENE_SIZES[rng.integers(len(SCENE_SIZES))]
    scene = random_scene(rng, _tiles(), size=size)
    models = _models()
    pyramid = Pyramid(scene.image)
    said, covered = [np.zeros((0, len(WEIGHTS)))], [np.zeros(0, bool)]
    first = first_look(pyramid, models.locator)
    for patch in find_patches(pyramid, models.locator, first, find_blobs(first)):
        straight = straightened(pyramid, models.locator, patch)
        if straight is None:
            continue
        straight = looked_at_carefully(pyramid, models.locator, straight)
        cells = likely_cells(straight.scores)
        if not cells:
            continue
        quads = own_quads(straight.matrix, straight.scores, cells)
        bare = models.classifier.probabilities_together(cut_squares(scene.image, quads))[:, EMPTY_CLASS]
        truth = _covered(scene, quads)
        known = truth >= 0
        said.append(opinions(straight.scores, cells, bare)[known])
        covered.append(truth[known] == 1)
    return np.concatenate(said), np.concatenate(covered)


def _covered(scene: Scene, quads: Floats) -> npt.NDArray[np.int64]:
    """For each cell 1 where a tile lies, 0 where none does, -1 where the grid does not fit."""
    tiles = [quad for truth in scene.kingdoms for quad in truth.quads.values()]
    tiles += [stray.quad for stray in scene.stray]
    middles = np.array([np.asarray(tile).mean(0) for tile in tiles]).reshape(-1, 2)
    result = np.zeros(len(quads), np.int64)
    for index, quad in enumerate(quads):
        side = np.sqrt(abs(cv2.contourArea(quad.astype(np.float32)))) + 1e-6
        distance = np.linalg.norm(middles - quad.mean(0), axis=1).min(initial=np.inf) / side
        result[index] = 1 if distance < NEAR else 0 if distance > FAR else -1
    return result


@functools.cache
def _tiles() -> RealTiles:
    return RealTiles(split="train", boards=False)


@functools.cache
def _models() -> LocateModels:
    return LocateModels.load()
