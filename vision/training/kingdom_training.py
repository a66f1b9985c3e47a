"""Fitting the network of ``vision.kingdom_reader``: scenes in a random order, disturbed a little, and the loop.

A run is decided by its seed alone: every epoch draws its own random numbers from it, so a run that was stopped goes on
from its last finished epoch as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional
from tqdm import tqdm

from vision.attention import places_of
from vision.classify import READING
from vision.company import log_of
from vision.kingdom_reader import known_of
from vision.readings import CELLS_OF_CLASSES
from vision.training.kingdom_net import KingdomNet
from vision.training.parts import Arrays
from vision.training.square_training import fast_bfloat16
from vision.training.steps import follow, kept_state, save_state, set_rate, share_of_rate

Pixels = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]

CLASSES = len(CELLS_OF_CLASSES)
# Where the colours are among what is known of a cell (those of the photo; differences do not change with the light).
_COLOURS = slice(3 * CLASSES, 3 * CLASSES + 3)


@dataclass(frozen=True)
class FitConfig:
    """A run."""

    seed: int = 6_400_000
    epochs: int = 9
    # Scenes at a time.
    batch: int = 12
    learning_rate: float = 2e-3
    weight_decay: float = 0.05
    warm_up: float = 0.06
    # The weights that are kept are a running mean over about this many steps.
    averaging: int = 300
    # How much squares count that no reader doubts, and how much reading each cell from its looks alone counts.
    sure: float = 0.1
    alone: float = 0.5
    label_smoothing: float = 0.02
    # The light changes by so much (spreads of the logarithm, of all colours and of each), and up to this share of the
    # cells is left out.
    exposure: float = 0.12
    channel: float = 0.06
    left_out: float = 0.2
    # Every crop is moved a little on its own, as a grid that fits elsewhere would cut it (spreads: in sides, of the
    # logarithm of its scale, in degrees).
    shift: float = 0.02
    zoom: float = 0.02
    turn: float = 1.5
    gradient_limit: float = 2.0


FIT = FitConfig()


@dataclass(frozen=True, eq=False)
class Batch:
    """Some scenes: pixels of all their cells, and where each cell has its row in arrays padded to equal length."""

    pixels: Tensor
    known: Tensor
    places: Tensor
    there: Tensor
    read: Tensor
    classes: Tensor
    weights: Tensor


def scenes_of(lessons: Arrays) -> list[Arrays]:
    """Lessons taken apart by scene."""
    starts = np.flatnonzero(np.r_[True, np.diff(lessons["scene"]) != 0])
    ends = np.r_[starts[1:], len(lessons["scene"])]
    return [{name: values[a:b] for name, values in lessons.items()} for a, b in zip(starts, ends, strict=True)]


def compared(read: npt.NDArray[np.floating[Any]], doubtful: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which squares the network is asked about: those that were looked at twice, and all others that are not sure."""
    return doubtful | (read.max(axis=1) < READING.compared)


def batch_of(scenes: Sequence[Arrays], config: FitConfig, rng: np.random.Generator | None) -> Batch:
    """Scenes as the network takes them; disturbed where there are dice."""
    most = max(len(scene["classes"]) for scene in scenes)
    shape = (len(scenes), most)
    pixels: list[npt.NDArray[np.float32]] = []
    rows = []
    for scene in scenes:
        crops, quads, read, classes = (scene[name] for name in ("crops", "quads", "read", "classes"))
        doubtful = scene["doubtful"]
        gains = np.ones(3)
        if rng is not None:
            kept = rng.random(len(classes)) >= rng.uniform(0, config.left_out)
            kept[rng.integers(len(classes))] = True
            crops, quads, read, classes, doubtful = (values[kept] for values in (crops, quads, read, classes, doubtful))
            crops, quads = _from_another_side(_moved(crops, config, rng), quads, rng)
            gains = np.exp(rng.normal(0, config.exposure) + rng.normal(0, config.channel, 3))
        told = known_of(crops, quads, *(read[:, way] for way in range(3)))
        told[:, _COLOURS] += np.log(gains)
        pixels.append(np.clip(crops.astype(np.float32) * gains.astype(np.float32), 0, 255))
        weights = np.where(classes < 0, 0.0, np.where(compared(read[:, 0], doubtful), 1.0, config.sure))
        rows.append((told, places_of(quads), log_of(read[:, 0]), np.maximum(classes, 0), weights))
    known = np.zeros((*shape, rows[0][0].shape[1]), np.float32)
    places = np.zeros((*shape, most), np.int64)
    logs = np.zeros((*shape, CLASSES), np.float32)
    truth, weight = np.zeros(shape, np.int64), np.zeros(shape, np.float32)
    there = np.zeros(shape, bool)
    for number, (told, where, log, classes, weights) in enumerate(rows):
        count = len(classes)
        known[number, :count], places[number, :count, :count], logs[number, :count] = told, where, log
        truth[number, :count], weight[number, :count], there[number, :count] = classes, weights, True
    planes = torch.from_numpy(np.ascontiguousarray(np.concatenate(pixels).transpose(0, 3, 1, 2)))
    arrays = (known, places, there, logs, truth, weight)
    return Batch(planes, *(torch.from_numpy(values) for values in arrays))


def _moved(crops: Pixels, config: FitConfig, rng: np.random.Generator) -> Pixels:
    """Crops as they would look if each had been cut a little off its place."""
    count, side = crops.shape[:2]
    shifts = rng.normal(0, config.shift * side, (count, 2))
    zooms: npt.NDArray[np.float64] = np.exp(rng.normal(0, config.zoom, (count,)))
    turns = rng.normal(0, config.turn, (count,))
    middle = ((side - 1) / 2,) * 2
    moved = np.empty_like(crops)
    for number, crop in enumerate(crops):
        matrix = cv2.getRotationMatrix2D(middle, float(turns[number]), float(zooms[number]))
        matrix[:, 2] += shifts[number]
        moved[number] = cv2.warpAffine(crop, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return moved


def _from_another_side(crops: Pixels, quads: Singles, rng: np.random.Generator) -> tuple[Pixels, Singles]:
    """A kingdom seen from any of four sides, and as often in a mirror."""
    if rng.random() < 0.5:
        crops, quads = crops[:, :, ::-1], np.ascontiguousarray(quads[:, [1, 0, 3, 2]] * np.array([-1, 1], np.float32))
    turns = int(rng.integers(4))
    return np.rot90(crops, turns, axes=(1, 2)), np.roll(quads, -turns, axis=1)


def outputs_of(net: KingdomNet, batch: Batch) -> tuple[Tensor, Tensor]:
    """The logits of each cell, corrected (scenes, n, classes), and from its looks alone (cells, classes)."""
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast_bfloat16()):
        looks = net.looks(batch.pixels.contiguous(memory_format=torch.channels_last))
        alone = net.alone(looks)
        padded = torch.zeros(*batch.there.shape, looks.shape[1], dtype=looks.dtype)
        padded[batch.there] = looks
        said = net.together(padded, batch.known, batch.places, batch.there)
    return batch.read + said.float(), alone.float()


class Run:
    """The state of a fit: network, running mean of its weights, optimiser, epoch."""

    def __init__(self, config: FitConfig, checkpoint: Path | None, recipe: str = "") -> None:
        self.config, self.checkpoint, self.recipe = config, checkpoint, f"{recipe} {config}"
        torch.manual_seed(config.seed)
        self.net, self.averaged = KingdomNet(), KingdomNet()
        self.averaged.load_state_dict(self.net.state_dict())
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
        )
        self.epoch = 0
        state = kept_state(checkpoint, self.recipe) if checkpoint is not None else {}
        if state:
            self.net.load_state_dict(state["net"])
            self.averaged.load_state_dict(state["averaged"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.epoch = state["epoch"]

    def save(self) -> None:
        """Keep the state of the last finished epoch."""
        if self.checkpoint is not None:
            parts = {name: getattr(self, name).state_dict() for name in ("net", "averaged", "optimizer")}
            save_state(self.checkpoint, {"recipe": self.recipe, "epoch": self.epoch, **parts})

    def train_epoch(self, scenes: Sequence[Arrays], bar: tqdm[object]) -> None:
        """One epoch over all scenes in a fresh order."""
        config = self.config
        rng = np.random.default_rng([config.seed, self.epoch])
        torch.manual_seed(int(rng.integers(2**62)))
        self.net.train()
        steps = -(-len(scenes) // config.batch)
        recent = 0.0
        for step, batch in enumerate(_batches(scenes, config, rng)):
            progress = (self.epoch + step / steps) / config.epochs
            set_rate(self.optimizer, config.learning_rate * share_of_rate(progress, config.warm_up))
            loss = loss_of(self.net, batch, config)
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), config.gradient_limit)
            self.optimizer.step()
            # Early on the mean is short, so that it is not held back by the first weights.
            rate = max(1 / config.averaging, 1 / (10 + self.epoch * steps + step))
            follow(self.averaged.state_dict(), self.net.state_dict(), rate)
            recent = float(loss.detach()) if not recent else 0.98 * recent + 0.02 * float(loss.detach())
            bar.set_postfix(loss=f"{recent:.3f}", refresh=False)
            bar.update()
        self.epoch += 1


def loss_of(net: KingdomNet, batch: Batch, config: FitConfig) -> Tensor:
    """How badly cells are read, together and each from its looks alone."""
    logits, alone = outputs_of(net, batch)
    weights, classes = batch.weights[batch.there], batch.classes[batch.there]
    together = functional.cross_entropy(logits[batch.there], classes, reduction="none")
    apart = functional.cross_entropy(alone, classes, reduction="none", label_smoothing=config.label_smoothing)
    evenly = (weights > 0).float() * (1 + weights)
    return (together * weights).sum() / weights.sum() + config.alone * (apart * evenly).sum() / evenly.sum()


def _batches(scenes: Sequence[Arrays], config: FitConfig, rng: np.random.Generator) -> Iterator[Batch]:
    order = rng.permutation(len(scenes))
    for start in range(0, len(order), config.batch):
        yield batch_of([scenes[index] for index in order[start : start + config.batch]], config, rng)


def fit(
    scenes: Sequence[Arrays], config: FitConfig = FIT, checkpoint: Path | None = None, recipe: str = ""
) -> KingdomNet:
    """The network that reads doubtful squares best, in the mean over the scenes."""
    run = Run(config, checkpoint, recipe)
    steps = -(-len(scenes) // config.batch)
    with tqdm(total=config.epochs * steps, initial=run.epoch * steps, desc="kingdom", unit="step") as bar:
        while run.epoch < config.epochs:
            run.train_epoch(scenes, bar)
            run.save()
    return run.averaged.eval()
