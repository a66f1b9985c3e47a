"""Training the locating network: the loop, its checkpoints and the written model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from vision.training.locator_data import draw_view, load_shard, shard_length
from vision.training.locator_net import LocatorNet, loss_parts
from vision.training.steps import kept_state, save_state, set_rate


@dataclass(frozen=True)
class TrainingConfig:
    """A run. Measured on two cores: about nine seconds an epoch."""

    seed: int = 5
    # A checkpoint is kept after each epoch of so many steps.
    epochs: int = 130
    steps: int = 100
    batch: int = 16
    learning_rate: float = 3e-3
    weight_decay: float = 1e-4
    # The weights that are kept are a running mean over about this many steps.
    averaging: int = 200
    # How much more tiles and what lies beside them count in the mask than the rest of the table.
    beside: float = 3.0


# First all models learn alike from composed scenes, then each from the real pictures of its folds as well.
BASE = TrainingConfig()
TUNING = TrainingConfig(seed=6, epochs=16, learning_rate=1.2e-3, averaging=100, beside=4.0)

# Processes that draw views.
WORKERS = 2
GRADIENT_LIMIT = 5.0
# Share of the run in which the learning rate rises.
WARM_UP = 0.06


@dataclass(frozen=True)
class Source:
    """Shards of pictures and how often they are drawn."""

    paths: tuple[Path, ...]
    share: float

    @property
    def count(self) -> int:
        """How many pictures there are."""
        return sum(shard_length(path) for path in self.paths)


class Batches(torch.utils.data.IterableDataset[tuple[Tensor, Tensor, Tensor]]):
    """Batches of random views. Each is decided by the seed and its number alone, whoever makes it."""

    def __init__(self, sources: Sequence[Source], config: TrainingConfig, first: int, last: int) -> None:
        self.sources = sources
        self.config = config
        self.first, self.last = first, last

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        offset, step = (info.id, info.num_workers) if info else (0, 1)
        pools = [[picture for path in source.paths for picture in load_shard(path)] for source in self.sources]
        shares = np.array([source.share if pool else 0.0 for source, pool in zip(self.sources, pools, strict=True)])
        for number in range(self.first + offset, self.last, step):
            rng = np.random.default_rng([self.config.seed, number])
            views = []
            for choice in rng.choice(len(pools), self.config.batch, p=shares / shares.sum()):
                views.append(draw_view(pools[choice][rng.integers(len(pools[choice]))], rng))
            yield (
                torch.from_numpy(np.stack([view.picture.transpose(2, 0, 1) for view in views])),
                torch.from_numpy(np.stack([view.maps for view in views])),
                torch.from_numpy(np.stack([view.weights for view in views])),
            )


class _Average:
    """A running mean of the weights."""

    def __init__(self, net: LocatorNet, steps: int) -> None:
        self.values = {name: value.detach().clone() for name, value in net.state_dict().items()}
        self.keep = 1 - 1 / steps

    def update(self, net: LocatorNet, step: int) -> None:
        # Early on the mean follows faster, so that the start is forgotten.
        keep = min(self.keep, (1 + step) / (10 + step))
        for name, value in net.state_dict().items():
            if value.dtype.is_floating_point:
                self.values[name].mul_(keep).add_(value.detach(), alpha=1 - keep)
            else:
                self.values[name].copy_(value)


def train(
    sources: Sequence[Source], checkpoint: Path, config: TrainingConfig, label: str, start: LocatorNet | None = None
) -> LocatorNet:
    """Train from the start given, or go on from a checkpoint of the same recipe, and give the averaged network."""
    torch.manual_seed(config.seed)
    net = LocatorNet()
    if start is not None:
        net.load_state_dict(start.state_dict())
    net = net.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), config.learning_rate, weight_decay=config.weight_decay)
    average = _Average(net, config.averaging)
    done = 0
    state = kept_state(checkpoint, repr(config))
    if state:
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        average.values = state["average"]
        done = int(state["done"])
    total = config.epochs * config.steps
    batches = torch.utils.data.DataLoader(
        Batches(sources, config, done, total),
        batch_size=None,
        num_workers=WORKERS,
        prefetch_factor=4,
        multiprocessing_context="spawn",
    )
    recent: dict[str, float] = {}
    with tqdm(total=total, initial=done, desc=label, unit="step") as bar:
        for batch in batches:
            parts = _step(net, optimizer, batch, config, done / total)
            average.update(net, done)
            done += 1
            for name, part in parts.items():
                recent[name] = 0.98 * recent.get(name, part) + 0.02 * part
            bar.set_postfix({name: f"{value:.3f}" for name, value in recent.items()}, refresh=False)
            bar.update(1)
            if done % config.steps == 0 or done == total:
                _save(checkpoint, config, net, optimizer, average, done)
    net.load_state_dict(average.values)
    return net.eval()


def _step(
    net: LocatorNet,
    optimizer: torch.optim.Optimizer,
    batch: tuple[Tensor, Tensor, Tensor],
    config: TrainingConfig,
    progress: float,
) -> dict[str, float]:
    pictures, maps, weights = batch
    net.train()
    set_rate(optimizer, config.learning_rate * _schedule(progress))
    inputs = pictures.float().contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        raw = net(inputs)
    parts = loss_parts(raw.float(), maps, weights, config.beside)
    optimizer.zero_grad()
    torch.stack(list(parts.values())).sum().backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), GRADIENT_LIMIT)
    optimizer.step()
    return {name: float(part.detach()) for name, part in parts.items()}


def _save(
    checkpoint: Path,
    config: TrainingConfig,
    net: LocatorNet,
    optimizer: torch.optim.Optimizer,
    average: _Average,
    done: int,
) -> None:
    state = {
        "recipe": repr(config),
        "net": net.state_dict(),
        "optimizer": optimizer.state_dict(),
        "average": average.values,
        "done": done,
    }
    save_state(checkpoint, state)


def _schedule(share: float) -> float:
    """The learning rate's course: a short rise, then half a cosine down to a hundredth."""
    if share < WARM_UP:
        return share / WARM_UP + 1e-3
    fall = (share - WARM_UP) / (1 - WARM_UP)
    return 0.01 + 0.99 * 0.5 * (1 + float(np.cos(np.pi * fall)))
