"""Training the reader of whole kingdoms: ``python -m vision.training kingdom``.

Kingdoms of composed scenes with shuffled dominoes are cut and read as for ``company``, by one of the square readers in
turn; every cell is learnt from, the doubtful ones above all. No board and no photo is shown, so one network serves all
readers. The loop is in ``kingdom_training``.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.attention import Attention
from vision.classify import CLASSES, READING
from vision.company import COMPANY, Seen
from vision.evaluate_locate import SCENE_SIZES
from vision.kingdom_reader import ATTENTION_FILE, KINGDOM, LOOKS_FILE, MODEL, KingdomReader, small_crops
from vision.models import write_model
from vision.rectify import cut_squares
from vision.scenes import RealTiles, TileSource
from vision.training import company
from vision.training.company import READERS, cells_of, reader_of, right_of, shuffled_scene
from vision.training.kingdom_net import attention_of
from vision.training.kingdom_training import FIT, compared, fit, scenes_of
from vision.training.parts import Arrays, Parts, in_parts
from vision.training.square_net import to_onnx

CACHE_DIR = Path(__file__).resolve().parent.parent.parent / ".cache" / "training" / "kingdom"


@dataclass(frozen=True)
class KingdomTraining:
    """A run; measured on two cores: reading the scenes about 35 minutes, fitting 55."""

    seed: int = 6_400_000
    scenes: int = 12_000
    # So many more are of small squares, in pixels from the least to the most: where they are small they are misread.
    small_seed: int = 6_600_000
    small_scenes: int = 6_000
    small: tuple[float, float] = (18.0, 48.0)
    # Scenes are read and kept in parts of so many; the last parts of the first, so many of them, are only measured on.
    part: int = 250
    held_back: int = 2
    own_art_share: float = 0.25
    # Scenes laid of dominoes alone and of crops alone: crops are of more cameras and lights.
    tiles_alone: tuple[float, float] = (0.25, 0.5)


TRAINING = KingdomTraining()


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the lessons, learn from them, and write the network."""
    parser = argparse.ArgumentParser(prog="python -m vision.training kingdom", description=__doc__)
    parser.add_argument("--threads", type=int, default=2, help="threads of the fit (default: 2)")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    parts, small = lessons(), small_lessons()
    learnt, kept = [*parts[: -TRAINING.held_back], *small], parts[-TRAINING.held_back :]
    scenes = [scene for part in learnt for scene in scenes_of(part)]
    net = fit(scenes, FIT, CACHE_DIR / "kingdom.pt", _recipe())
    network, attention = to_onnx(net.looks, KINGDOM.side), attention_of(net)
    files = {LOOKS_FILE: network, ATTENTION_FILE: attention.to_bytes()}
    reader = KingdomReader(network, Attention.from_bytes(files[ATTENTION_FILE]))
    accuracy = {
        "on": "compared squares of scenes held back, with training tiles",
        **accuracy_of(reader, [scene for part in kept for scene in scenes_of(part)]),
    }
    entry = {
        "version": hashlib.sha256(b"".join(files.values())).hexdigest()[:12],
        "classes": list(CLASSES),
        "weights": sum(weight.numel() for weight in net.parameters()),
        "readers": [reader_of(fold).version for fold in READERS],
        "seed": TRAINING.seed,
        "scenes": len(scenes),
        "squares": sum(len(scene["classes"]) for scene in scenes),
        "accuracy": accuracy,
    }
    write_model(MODEL, files, entry)
    for name, value in accuracy.items():
        print(f"{name}: {value}")


def accuracy_of(reader: KingdomReader, scenes: Sequence[Arrays]) -> dict[str, str]:
    """Squares that are compared, right as they were read alone and with the whole kingdom in view."""
    before, after, classes = [], [], []
    for scene in scenes:
        asked = np.flatnonzero(compared(scene["read"][:, 0], scene["doubtful"]) & (scene["classes"] >= 0))
        read, raw, relit = (scene["read"][:, way].astype(np.float64) for way in range(3))
        embeddings = np.zeros((len(read), 0), np.float32)
        seen = Seen(scene["crops"], scene["quads"], embeddings, len(scene["classes"]), read, raw, relit)
        before.append(read[asked])
        after.append(reader.corrected(seen, asked))
        classes.append(scene["classes"][asked])
    truth = np.concatenate(classes)
    return {
        "read alone": right_of(np.concatenate(before), truth),
        "read in company": right_of(np.concatenate(after), truth),
    }


def lessons() -> list[Arrays]:
    """The cells of all scenes, in parts: how they look, where they lie, what was read, and the right class."""
    seeds = range(TRAINING.seed, TRAINING.seed + TRAINING.scenes)
    return in_parts(Parts(CACHE_DIR, _recipe(), seeds, TRAINING.part), lessons_of, "reading scenes")


def small_lessons() -> list[Arrays]:
    """The same of scenes with small squares."""
    seeds = range(TRAINING.small_seed, TRAINING.small_seed + TRAINING.small_scenes)
    return in_parts(Parts(CACHE_DIR, _recipe(), seeds, TRAINING.part), small_lessons_of, "reading small squares")


def _recipe() -> str:
    """A name for what decides the lessons: how scenes are laid, cut, read and looked at, and by which readers."""
    readers = [reader_of(fold).version for fold in READERS]
    runs = [replace(company.TRAINING, scenes=0), replace(TRAINING, scenes=0, small_scenes=0)]
    told = repr((readers, READING, COMPANY, KINGDOM, SCENE_SIZES, runs))
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def small_lessons_of(seed: int) -> Arrays:
    """The same of a scene with small squares."""
    return lessons_of(seed, TRAINING.small)


def lessons_of(seed: int, square: tuple[float, float] | None = None) -> Arrays:
    """The cells of one scene as one of the readers sees them, each reader in its turn, and what they show."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    reader = reader_of(READERS[seed % len(READERS)])
    scene = shuffled_scene(rng, _tiles(), TRAINING.own_art_share, square)
    quads, classes = cells_of(scene, scene.kingdoms[0], rng)
    glance = reader.at_a_glance(cut_squares(scene.image, quads), quads)
    seen = reader.seen_together(glance, glance.doubtful)
    doubtful = np.zeros(len(classes), bool)
    doubtful[glance.doubtful] = True
    return {
        "crops": small_crops(seen.crops),
        "quads": quads.astype(np.float32),
        "read": np.stack([seen.read, seen.raw, seen.relit], axis=1).astype(np.float32),
        "classes": classes,
        "doubtful": doubtful,
        "scene": np.full(len(classes), seed),
    }


@cache
def _tiles() -> TileSource:
    return RealTiles(split="train", boards=False, alone=TRAINING.tiles_alone)
