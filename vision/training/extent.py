"""Training the judge of a kingdom's extent: ``python -m vision.training extent``.

Cells of composed scenes are looked at as ``vision.locate`` looks at them, with the networks that ship; whether a tile
lies on them is learnt by the network of ``vision.coverage``. The tiles are those of training; no photograph takes part.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from vision.blobs import find_blobs
from vision.classify import Classifier
from vision.coverage import COVERAGE, FEATURES, MODEL, Coverage, Read, features
from vision.evaluate_locate import SCENE_SIZES
from vision.extent import EXTENT
from vision.kingdom_grid import likely_cells, own_quads
from vision.lattice import Floats, side_lengths
from vision.layers import file_of
from vision.locator import Locator
from vision.looks import Pyramid
from vision.models import read_model, write_model
from vision.patches import find_patches, first_look
from vision.rectify import cut_squares
from vision.scenes import OwnArt, RealTiles, Scene, SceneConfig, TileSource, random_scene
from vision.straighten import looked_at_carefully, straightened
from vision.training.layers import FitConfig, fit
from vision.training.parts import Arrays, Parts, in_parts, joined

CACHE_DIR = Path(__file__).resolve().parent.parent.parent / ".cache" / "training" / "extent"
SEED = 6_000_000
SCENES = 2_000
# Scenes are looked at and kept in parts of so many; the last parts, so many of them, are only measured on.
PART = 250
HELD_BACK = 2
OWN_ART_SHARE = 0.2
# How often a scene shows 1, 2, 3 or 4 kingdoms.
KINGDOM_COUNTS = (0.8, 0.1, 0.05, 0.05)
# Loose dominoes lie beside more of these kingdoms than beside others: they are what is hardest to tell from them.
STRAY_SHARE = 0.6
# A cell counts as covered when the corners of a kingdom's tile are nearer to its own than the first share of a square;
# when no such tile's middle is nearer than the second share it counts as bare. Others lie on a grid that does not fit
# and are left out.
NEAR, FAR = 0.3, 0.7
# A loose domino covers only the cells of its own grid, whose corners are nearer to its own than this: it is none of a
# kingdom that it happens to lie beside.
SAME_GRID = 0.15
FIT = FitConfig(hidden=(32, 32), dropout=0.1, weight_decay=0.05, learning_rate=3e-3, epochs=25, batch=512, seed=SEED)


@dataclass(frozen=True)
class Networks:
    """What the judge listens to."""

    locator: Locator
    classifier: Classifier


def main(arguments: Sequence[str] | None = None) -> None:
    """Look at scenes, learn from them, and write the network."""
    parser = argparse.ArgumentParser(prog="python -m vision.training extent", description=__doc__)
    parser.add_argument("--threads", type=int, default=2, help="threads of the fit (default: 2)")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    parts = cells_of_scenes()
    learnt, asked = joined(parts[:-HELD_BACK]), joined(parts[-HELD_BACK:])
    coverage = fitted(learnt)
    said, truth = coverage.layers.outputs(asked["seen"])[:, 0] > 0, asked["covered"]
    accuracy = {
        "on": "cells of scenes held back, with training tiles",
        "covered": f"{(said & truth).sum()} of {truth.sum()}",
        "bare": f"{(~said & ~truth).sum()} of {(~truth).sum()}",
    }
    content = coverage.layers.to_bytes()
    entry = {
        "version": hashlib.sha256(content).hexdigest()[:12],
        "features": list(FEATURES),
        "networks": _versions(),
        "seed": SEED,
        "scenes": SCENES,
        "cells": len(learnt["covered"]),
        "accuracy": accuracy,
    }
    write_model(MODEL, {file_of(MODEL): content}, entry)
    for name, value in accuracy.items():
        print(f"{name}: {value}")


def fitted(cells: Arrays, config: FitConfig = FIT) -> Coverage:
    """The network that tells covered cells from bare ones best."""
    truth = torch.from_numpy(cells["covered"].astype(np.float32))

    def loss(odds: Tensor, chosen: Tensor) -> Tensor:
        return functional.binary_cross_entropy_with_logits(odds[:, 0], truth[chosen])

    return Coverage(fit(cells["seen"], 1, loss, config, "coverage"))


def cells_of_scenes() -> list[Arrays]:
    """What is seen of the cells of all scenes, and which of them are covered, in parts."""
    return in_parts(Parts(CACHE_DIR, _recipe(), range(SEED, SEED + SCENES), PART), cells_of, "looking at scenes")


def _recipe() -> str:
    """A name for what decides what is seen: the networks, and how they are asked."""
    told = (_versions(), COVERAGE, EXTENT, FEATURES, KINGDOM_COUNTS, OWN_ART_SHARE, STRAY_SHARE, NEAR, FAR, SAME_GRID)
    return hashlib.sha256(repr(told).encode()).hexdigest()[:12]


def _versions() -> list[str]:
    """The versions of the networks that are listened to."""
    return [str(read_model(name)[1]["version"]) for name in ("locator", "classifier", "company", "kingdom")]


def cells_of(seed: int) -> Arrays:
    """What is seen of the cells around the kingdoms of one scene, and which of them are covered."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    size = SCENE_SIZES[rng.integers(len(SCENE_SIZES))]
    source: TileSource = OwnArt() if rng.random() < OWN_ART_SHARE else _tiles()
    count = 1 + int(rng.choice(len(KINGDOM_COUNTS), p=KINGDOM_COUNTS))
    config = SceneConfig(size=size, stray_share=STRAY_SHARE)
    scene = random_scene(rng, source, n_kingdoms=count, config=config)
    networks = _networks()
    pyramid = Pyramid(scene.image)
    seen, covered = [np.zeros((0, len(FEATURES)), np.float32)], [np.zeros(0, bool)]
    first = first_look(pyramid, networks.locator)
    for patch in find_patches(pyramid, networks.locator, first, find_blobs(first)):
        straight = straightened(pyramid, networks.locator, patch)
        if straight is None:
            continue
        straight = looked_at_carefully(pyramid, networks.locator, straight)
        cells = likely_cells(straight.scores)
        if not cells:
            continue
        quads = own_quads(straight.matrix, straight.scores, cells)
        glance = networks.classifier.at_a_glance(cut_squares(scene.image, quads), quads)
        read = Read(glance.probabilities, networks.classifier.read_together(glance), side_lengths(quads))
        truth = covered_cells(scene, quads)
        known = truth >= 0
        seen.append(features(straight.scores, cells, read)[known].astype(np.float32))
        covered.append(truth[known] == 1)
    return {"seen": np.concatenate(seen), "covered": np.concatenate(covered)}


def covered_cells(scene: Scene, quads: Floats) -> npt.NDArray[np.int64]:
    """For each cell 1 where a tile of its grid lies, 0 where none does, -1 where the grid does not fit."""
    laid = np.array([quad for truth in scene.kingdoms for quad in truth.quads.values()], np.float64).reshape(-1, 4, 2)
    loose = np.array([stray.quad for stray in scene.stray], np.float64).reshape(-1, 4, 2)
    result = np.zeros(len(quads), np.int64)
    for index, (quad, side) in enumerate(zip(quads, side_lengths(quads) + 1e-6, strict=True)):
        if _corners_apart(quad, laid) < NEAR * side or _corners_apart(quad, loose) < SAME_GRID * side:
            result[index] = 1
        elif np.linalg.norm(laid.mean(axis=1) - quad.mean(axis=0), axis=1).min(initial=np.inf) <= FAR * side:
            result[index] = -1
    return result


def _corners_apart(quad: Floats, others: Floats) -> float:
    """How far the corners of a square are from those of the nearest of others, whichever way round."""
    turned = np.stack([np.roll(others, turns, axis=1) for turns in range(4)])
    return float(np.linalg.norm(turned - quad, axis=-1).max(axis=2).min(initial=np.inf))


@functools.cache
def _tiles() -> TileSource:
    return RealTiles(split="train", boards=False)


@functools.cache
def _networks() -> Networks:
    return Networks(Locator.load(), Classifier.load())
