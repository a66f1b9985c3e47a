"""What the training loops share: how fast they learn, the running mean of the weights, and what is kept of a run."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

# The learning rate never falls below this share.
LEAST_RATE = 0.01


def share_of_rate(progress: float, warm_up: float) -> float:
    """The share of the learning rate after so much of a run: a short warm-up, then half a cosine down to nothing."""
    if progress < warm_up:
        return max(progress / warm_up, LEAST_RATE)
    falling = (progress - warm_up) / (1 - warm_up)
    return max(0.5 * (1 + math.cos(math.pi * falling)), LEAST_RATE)


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Let all weights learn at this rate."""
    for group in optimizer.param_groups:
        group["lr"] = rate


@torch.no_grad()
def follow(mean: Mapping[str, Tensor], current: Mapping[str, Tensor], rate: float) -> None:
    """Move the mean of the weights by this share towards the current ones; counters are taken over."""
    for key, value in mean.items():
        if value.is_floating_point():
            value.lerp_(current[key].contiguous(), rate)
        else:
            value.copy_(current[key])


def save_state(path: Path, state: Mapping[str, Any]) -> None:
    """Keep the state of a run, so that a kill in between leaves the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part")
    torch.save(dict(state), partial)
    os.replace(partial, path)


def kept_state(path: Path, recipe: str) -> dict[str, Any]:
    """The state that was kept of a run of this recipe; empty where there is none, or one of another recipe."""
    state: dict[str, Any] = torch.load(path, weights_only=True) if path.exists() else {}
    return state if state.get("recipe") == recipe else {}
