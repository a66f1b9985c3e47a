"""The composer: how many scenes of 512 px one core composes in a second, with either source of tiles."""

from __future__ import annotations

import time

import cv2

from benchmarks.report import Row
from vision.data import data_available
from vision.scenes import OwnArt, RealTiles, TileSource, random_scene

_SIDE = 512
_BAR = 20.0
# Textures and tiles are painted once and kept; scenes are counted from then on.
_WARM_UP = 150
_SCENES = 200
_QUICK_SCENES = 20
_FIRST_SEED = 10_000


def run(quick: bool) -> list[Row]:
    """Measure both sources, the real one where the photographs are at hand."""
    sources: list[tuple[str, TileSource]] = [("own art", OwnArt())]
    if data_available():
        sources.append(("real tiles", RealTiles()))
    count = _QUICK_SCENES if quick else _SCENES
    note = f"{count} scenes, seconds of one core"
    return [
        Row(f"scenes, {name}", rate(source, count), "/s", bar=_BAR, note=note, higher_is_better=True)
        for name, source in sources
    ]


def rate(source: TileSource, count: int) -> float:
    """Scenes a second of processor time, on one thread."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        for seed in range(_WARM_UP):
            random_scene(seed, source, size=_SIDE)
        start = time.process_time()
        for seed in range(_FIRST_SEED, _FIRST_SEED + count):
            random_scene(seed, source, size=_SIDE)
        return count / (time.process_time() - start)
    finally:
        cv2.setNumThreads(threads)
