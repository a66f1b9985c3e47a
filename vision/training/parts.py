"""Examples made of many seeds by several processes, kept in parts, so that a run that was stopped goes on."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

Arrays = Mapping[str, npt.NDArray[Any]]

WORKERS = 2
# Seeds that a process takes at a time.
CHUNK = 5


@dataclass(frozen=True)
class Parts:
    """Where parts are kept, the name of the recipe they were made by, their seeds and how many seeds a part has."""

    folder: Path
    recipe: str
    seeds: range
    size: int


def in_parts(parts: Parts, make: Callable[[int], Arrays], label: str) -> list[Arrays]:
    """The arrays made of all seeds, those of a part joined; parts already kept are not made again."""
    parts.folder.mkdir(parents=True, exist_ok=True)
    found: list[Arrays] = []
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        for start in tqdm(parts.seeds[:: parts.size], desc=label, unit="part"):
            path = parts.folder / f"{parts.recipe}_{start}.npz"
            if not path.exists():
                seeds = range(start, min(start + parts.size, parts.seeds.stop))
                arrays: dict[str, Any] = dict(joined(pool.map(make, seeds, chunksize=CHUNK)))
                partial = path.with_suffix(".part.npz")
                np.savez(partial, **arrays)
                partial.rename(path)
            with np.load(path, allow_pickle=False) as kept:
                found.append({name: kept[name] for name in kept.files})
    return found


def joined(parts: list[Arrays]) -> Arrays:
    """Several parts as one."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
