"""Training the reading in company: ``python -m vision.training company``.

Kingdoms of composed scenes, laid with training tiles and with our own art, are cut as a located grid cuts them, with
the cells around them. Their dominoes lie in each other's places, so that nothing can be learnt about which terrains
lie beside each other in a kingdom built by the rules: that is never evidence. The square readers, the shipped one and
those of the folds in turn, read them; what is doubtful is learnt from, with the truth of the scene. No board and no
photo is shown, so one network serves all readers.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from engine.rules import SIZES
from vision.classify import CLASSES, EMPTY_CLASS, READING, Classifier
from vision.company import COMPANY, KINDS, MODEL, Company, features, log_of
from vision.dataset import class_of
from vision.evaluate_locate import SCENE_SIZES
from vision.lattice import side_lengths
from vision.layers import file_of
from vision.models import FOLDS, write_model
from vision.rectify import cut_squares
from vision.scene_squares import MOST_COVERED, covered
from vision.scenes import (
    KingdomTruth,
    OwnArt,
    RealTiles,
    Scene,
    SceneConfig,
    TileSource,
    compose,
    random_kingdoms,
    shuffled,
)
from vision.training.layers import FitConfig
from vision.training.layers import fit as fit_layers
from vision.training.parts import Arrays, Parts, in_parts, joined

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Pixels = npt.NDArray[np.uint8]

CACHE_DIR = Path(__file__).resolve().parent.parent.parent / ".cache" / "training" / "company"


@dataclass(frozen=True)
class CompanyTraining:
    """A run; measured on two cores, one of them half busy: 0.23 seconds a scene, fitting a minute."""

    seed: int = 6_400_000
    scenes: int = 8_000
    # So many of the readers read each scene; they take turns.
    readers: int = 2
    # Scenes are read and kept in parts of so many; the last parts, so many of them, are only measured on.
    part: int = 250
    held_back: int = 2
    own_art_share: float = 0.2
    large_share: float = 0.4
    # How far a fitted grid has a square and each of its corners off its place (spread, in squares).
    shift: float = 0.03
    corner: float = 0.012


TRAINING = CompanyTraining()
FIT = FitConfig(
    hidden=(192, 128), dropout=0.3, weight_decay=0.3, learning_rate=2e-3, epochs=40, batch=256, seed=TRAINING.seed
)
# The shipped reader and those of the folds.
READERS = (None, *FOLDS)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the lessons, learn from them, and write the network."""
    parser = argparse.ArgumentParser(prog="python -m vision.training company", description=__doc__)
    parser.add_argument("--threads", type=int, default=2, help="threads of the fit (default: 2)")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    parts = lessons()
    learnt, asked = joined(parts[: -TRAINING.held_back]), joined(parts[-TRAINING.held_back :])
    company = fit(learnt)
    after = company.corrections(asked["seen"], asked["read"])
    accuracy = {
        "on": "doubtful squares of scenes held back, with training tiles",
        "read alone": right_of(asked["read"], asked["classes"]),
        "read in company": right_of(after, asked["classes"]),
    }
    entry = {
        "version": hashlib.sha256(company.layers.to_bytes()).hexdigest()[:12],
        "kinds": list(KINDS),
        "classes": list(CLASSES),
        "features": learnt["seen"].shape[1],
        "readers": [reader_of(fold).version for fold in READERS],
        "seed": TRAINING.seed,
        "scenes": TRAINING.scenes,
        "squares": len(learnt["classes"]),
        "accuracy": accuracy,
    }
    write_model(MODEL, {file_of(MODEL): company.layers.to_bytes()}, entry)
    for name, value in accuracy.items():
        print(f"{name}: {value}")


def right_of(read: Floats, classes: Ints) -> str:
    """How many tiles, with terrain and crowns, and how many cells of bare table are read right, k of n."""
    tile = classes != EMPTY_CLASS
    found = read.argmax(axis=1) == classes
    return f"{found[tile].sum()} of {tile.sum()} tiles, {found[~tile].sum()} of {(~tile).sum()} bare"


def lessons() -> list[Arrays]:
    """Doubtful squares of all scenes, in parts: what the network looks at, what was read, and the right class."""
    seeds = range(TRAINING.seed, TRAINING.seed + TRAINING.scenes)
    return in_parts(Parts(CACHE_DIR, _recipe(), seeds, TRAINING.part), lessons_of, "reading scenes")


def _recipe() -> str:
    """A name for what decides the lessons: how scenes are read and compared, and by which readers."""
    readers = [reader_of(fold).version for fold in READERS]
    told = repr((readers, READING, COMPANY, SCENE_SIZES, replace(TRAINING, scenes=0)))
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def lessons_of(seed: int) -> Arrays:
    """The doubtful squares of one scene; the readers change from scene to scene."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    # From scene to scene another pair of readers, so that all pairs meet all kinds of scenes.
    turns = (0, 1 + seed // len(READERS) % (len(READERS) - 1))[: TRAINING.readers]
    scene = shuffled_scene(rng, _tiles(), TRAINING.own_art_share)
    quads, classes = cells_of(scene, scene.kingdoms[0], rng)
    crops = cut_squares(scene.image, quads)
    return joined(
        [_lessons_of(reader_of(READERS[(seed + turn) % len(READERS)]), crops, quads, classes) for turn in turns]
    )


def shuffled_scene(
    rng: np.random.Generator, tiles: TileSource, own_art_share: float, square: tuple[float, float] | None = None
) -> Scene:
    """A scene of one kingdom whose dominoes lie in each other's places, laid with these tiles or with our own art.

    With ``square`` its squares are about so many pixels wide, from the least to the most.
    """
    source: TileSource = OwnArt() if rng.random() < own_art_share else tiles
    size = SCENE_SIZES[rng.integers(len(SCENE_SIZES))]
    played = max(SIZES) if rng.random() < TRAINING.large_share else min(SIZES)
    kingdoms = [shuffled(kingdom, rng) for kingdom in random_kingdoms(1, played, rng)]
    fill = None
    if square is not None:
        wide = float(np.exp(rng.uniform(*np.log(square))))
        fill = wide * max(kingdoms[0].width, kingdoms[0].height) / max(size)
    return compose(kingdoms, source, rng, SceneConfig(size=size, fill=fill), sizes=[played])


def _lessons_of(reader: Classifier, crops: Pixels, quads: Floats, classes: Ints) -> Arrays:
    """The doubtful squares of one scene as one reader sees them."""
    glance = reader.at_a_glance(crops, quads)
    asked = glance.doubtful
    asked = asked[classes[asked] >= 0]
    seen = reader.seen_together(glance, glance.doubtful)
    looked_at = features(seen, asked).astype(np.float32)
    return {"seen": looked_at, "read": seen.read[asked], "classes": classes[asked]}


def cells_of(scene: Scene, truth: KingdomTruth, rng: np.random.Generator) -> tuple[Floats, Ints]:
    """The corners of a kingdom's cells and of those around it as a fitted grid has them, and their classes.

    The class is -1 where something else lies in a cell.
    """
    kingdom = truth.kingdom
    box = [[0, 0], [kingdom.width, 0], [kingdom.width, kingdom.height], [0, kingdom.height]]
    matrix = cv2.getPerspectiveTransform(np.array(box, np.float32), np.asarray(truth.corners, np.float32))
    tiles = [quad for other in scene.kingdoms for quad in other.quads.values()]
    tiles += [stray.quad for stray in scene.stray]
    height, width = scene.image.shape[:2]
    quads, classes = [], []
    steps = (-1, 0, 1)
    for row, column in sorted({(r + down, c + right) for r, c in truth.quads for down in steps for right in steps}):
        if (row, column) in truth.quads:
            quad = np.asarray(truth.quads[row, column], np.float64)
            index = class_of(kingdom.cell(row, column).symbol)
        else:
            unit = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]]
            quad = cv2.perspectiveTransform(np.array([unit], np.float64), matrix)[0]
            index = EMPTY_CLASS if covered(quad, tiles) <= MOST_COVERED else -1
        middle = quad.mean(axis=0)
        if (middle < 0).any() or (middle > (width, height)).any():
            continue
        side = side_lengths(quad[None])[0]
        quads.append(quad + side * (rng.normal(0, TRAINING.shift, 2) + rng.normal(0, TRAINING.corner, (4, 2))))
        classes.append(index)
    return np.array(quads).reshape(-1, 4, 2), np.array(classes, np.int64)


def fit(lessons: Arrays, config: FitConfig = FIT) -> Company:
    """The network that corrects what was read best, in the mean over the lessons."""
    read = torch.from_numpy(log_of(lessons["read"]).astype(np.float32))
    classes = torch.from_numpy(lessons["classes"])

    def loss(corrections: Tensor, chosen: Tensor) -> Tensor:
        return functional.cross_entropy(read[chosen] + corrections, classes[chosen])

    return Company(fit_layers(lessons["seen"], len(CLASSES), loss, config, "company"))


@functools.cache
def _tiles() -> TileSource:
    return RealTiles(split="train", boards=False)


@functools.cache
def reader_of(fold: int | None) -> Classifier:
    """The bare reader that ships, or that of a fold; loaded once in a process."""
    return Classifier.load(fold, in_company=False)
