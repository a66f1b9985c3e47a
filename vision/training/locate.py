"""The command that trains the locating network: ``python -m vision.training locate``."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from vision.locator import CHANNELS, MAPS, Locator
from vision.models import FOLDS, write_model
from vision.training.locator_data import Stored, save_shard
from vision.training.locator_net import LocatorNet, export_onnx
from vision.training.locator_sources import PASTED, pasted_boards, real_boards, real_photos, scene_shards
from vision.training.locator_training import BASE, TUNING, WORKERS, Source, train

CACHE_DIR = Path(__file__).resolve().parent.parent.parent / ".cache" / "training" / "locator"

# Shards of composed scenes that all models share, and how often each kind of picture is drawn.
SCENE_SHARDS = 150
SHARES = {"scenes": 0.55, "pasted": 0.15, "photos": 0.20, "boards": 0.10}


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the shipped network, or those of one or all folds."""
    parser = argparse.ArgumentParser(prog="python -m vision.training locate", description=__doc__)
    parser.add_argument("--fold", choices=("1", "2", "3", "all"), help="a fold, or all; without it the shipped model")
    parser.add_argument("--threads", type=int, default=2, help="threads of the network (default: 2)")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    folds = FOLDS if options.fold == "all" else (int(options.fold),) if options.fold else (None,)
    for fold in folds:
        locator = make_locator(fold)
        print(f"{model_name(fold)}: version {locator.version}")


def model_name(fold: int | None) -> str:
    """The name of a model in the manifest."""
    return "locator" if fold is None else f"folds/locator_{fold}"


def make_locator(fold: int | None) -> Locator:
    """Train and write the network of a fold, or the shipped one (None)."""
    name = model_name(fold)
    scenes = Source(tuple(scene_shards(CACHE_DIR, SCENE_SHARDS, WORKERS)), SHARES["scenes"])
    base = train([scenes], CACHE_DIR / "base.pt", BASE, "locator, common base")
    sources = {"scenes": scenes, **real_sources(fold)}
    net = train(list(sources.values()), CACHE_DIR / f"{name.replace('/', '_')}.pt", TUNING, name, base)
    network = export_onnx(net)
    write_model(name, {f"{name}.onnx": network}, _entry(fold, network, net, sources))
    return Locator.load(fold)


def real_sources(fold: int | None) -> dict[str, Source]:
    """The real pictures that the network of a fold learns from: nothing of the photos and boards of that fold."""
    folder = CACHE_DIR / ("shipped" if fold is None else f"fold_{fold}")
    makers: dict[str, Callable[[], list[Stored]]] = {
        "boards": lambda: real_boards(fold),
        "photos": lambda: real_photos(fold),
        "pasted": lambda: pasted_boards(real_boards(fold), PASTED, TUNING.seed),
    }
    sources = {}
    for kind, make in makers.items():
        path = folder / f"{kind}.npz"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            save_shard(path, make())
        sources[kind] = Source((path,), SHARES[kind])
    return sources


def _entry(fold: int | None, network: bytes, net: LocatorNet, sources: dict[str, Source]) -> dict[str, object]:
    """What the manifest says about a model, beside its files."""
    return {
        "version": hashlib.sha256(network).hexdigest()[:12],
        "channels": list(CHANNELS),
        "input": f"BGR, 0 to 255, sides multiples of {MAPS.block}, beyond the photo grey {MAPS.grey}",
        "stride": MAPS.stride,
        "weights": sum(parameter.numel() for parameter in net.parameters()),
        "excluded_fold": fold,
        "training": {
            "seeds": [BASE.seed, TUNING.seed],
            "steps": [BASE.epochs * BASE.steps, TUNING.epochs * TUNING.steps],
            "batch": BASE.batch,
            "pictures": {kind: source.count for kind, source in sources.items()},
            "data": fingerprint(sources),
        },
    }


def fingerprint(sources: dict[str, Source]) -> str:
    """A hash of all the pictures and labels that were learnt from."""
    digest = hashlib.sha256()
    for source in sources.values():
        for path in source.paths:
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
