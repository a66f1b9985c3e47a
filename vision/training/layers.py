"""Fitting the small networks of ``vision.layers``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from tqdm import tqdm

from vision.layers import Layers, standardised


@dataclass(frozen=True)
class FitConfig:
    """A fit: the hidden layers and how they learn."""

    hidden: tuple[int, ...]
    dropout: float
    weight_decay: float
    learning_rate: float
    epochs: int
    batch: int
    seed: int


def fit(
    features: npt.NDArray[np.float32],
    outputs: int,
    loss: Callable[[Tensor, Tensor], Tensor],
    config: FitConfig,
    label: str,
) -> Layers:
    """The network whose outputs lose least; ``loss`` is given outputs and the numbers of the examples they are of."""
    torch.manual_seed(config.seed)
    mean = features.mean(axis=0, dtype=np.float64)
    spread = features.std(axis=0, dtype=np.float64) + 1e-3
    seen = torch.from_numpy(standardised(features, mean, spread).astype(np.float32))
    net = _network(features.shape[1], outputs, config)
    optimizer = torch.optim.AdamW(net.parameters(), config.learning_rate, weight_decay=config.weight_decay)
    batches = -(-len(seen) // config.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, config.epochs * batches)
    for _ in tqdm(range(config.epochs), desc=label, unit="epoch"):
        for chosen in torch.randperm(len(seen)).split(config.batch):
            value = loss(net(seen[chosen]), chosen)
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            schedule.step()
    linear = [layer for layer in net if isinstance(layer, nn.Linear)]
    return Layers(
        mean,
        spread,
        tuple(layer.weight.detach().numpy().T.astype(np.float64) for layer in linear),
        tuple(layer.bias.detach().numpy().astype(np.float64) for layer in linear),
    )


def _network(inputs: int, outputs: int, config: FitConfig) -> nn.Sequential:
    layers: list[nn.Module] = []
    for width in config.hidden:
        layers += [nn.Linear(inputs, width), nn.ReLU(), nn.Dropout(config.dropout)]
        inputs = width
    last = nn.Linear(inputs, outputs)
    # It starts by saying nothing.
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    return nn.Sequential(*layers, last)
