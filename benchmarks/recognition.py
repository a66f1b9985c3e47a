"""How fast photos are read: decoding alone, a large photo from bytes to verdict, the first answer of a new process."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from benchmarks.report import Row
from engine import CASTLE, DOMINOES, EMPTY, Cell, Kingdom
from vision.decode import decode
from vision.evaluate_squares import SAMPLES_DIR
from vision.models import ModelError
from vision.photo import load_photo
from vision.readings import CELLS_OF_CLASSES, CLASS_COUNT
from vision.recognize import load_models, recognize

_ROOT = Path(__file__).resolve().parent.parent
_SAMPLE = SAMPLES_DIR / "complete_5x5.jpg"
_LARGE = (4000, 3000)
_THREADS = 2
# Probabilities for decoding: about one square in twenty of a kingdom is doubtful.
_STRENGTH, _NOISE = 11.0, 2.2


def run(quick: bool) -> list[Row]:
    """Measure; without trained models only decoding is."""
    runs = 5 if quick else 40
    rows = [
        Row("decode alone, 5×5, median", _decoding(5, runs), "ms", 60, 15),
        Row("decode alone, 7×7, median", _decoding(7, runs), "ms", 200, 50),
    ]
    try:
        load_models()
    except ModelError as error:
        print(f"Photos are not measured: {error}", file=sys.stderr)
        return rows
    rows.append(Row("12-megapixel photo, bytes to verdict", _large_photo(3 if quick else 9), "s", 1.2, 0.5))
    rows.append(Row("first answer in a new process", _first_answer(1 if quick else 5), "s", 3.0, 1.5))
    return rows


def _decoding(size: int, runs: int) -> float:
    """The median milliseconds of processor time to decode full kingdoms from noisy probabilities."""
    dice, rng = random.Random(size), np.random.default_rng(size)
    grids = [_noisy(_full_kingdom(size, dice), rng) for _ in range(runs)]
    times = []
    for grid in grids:
        start = time.process_time()
        decode(grid)
        times.append(time.process_time() - start)
    return 1000 * statistics.median(times)


def _full_kingdom(size: int, dice: random.Random) -> Kingdom:
    """Dominoes laid in rows around a castle in the last corner."""
    rows: list[list[Cell]] = [[EMPTY] * size for _ in range(size)]
    places = [(r, c) for r in range(size) for c in (range(size) if r % 2 == 0 else reversed(range(size)))]
    dominoes = dice.sample(DOMINOES, (size * size - 1) // 2)
    for number, domino in enumerate(dominoes):
        for (r, c), half in zip(places[2 * number : 2 * number + 2], (domino.a, domino.b), strict=True):
            rows[r][c] = half
    r, c = places[-1]
    rows[r][c] = CASTLE
    return Kingdom(tuple(tuple(row) for row in rows))


def _noisy(kingdom: Kingdom, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    logits = rng.normal(0, _NOISE, (kingdom.height, kingdom.width, CLASS_COUNT))
    for (r, c), cell in kingdom:
        logits[r, c, CELLS_OF_CLASSES.index(cell)] += _STRENGTH
    exponents = np.exp(logits - logits.max(axis=2, keepdims=True))
    return np.asarray(exponents / exponents.sum(axis=2, keepdims=True))


def _large_photo(runs: int) -> float:
    """The median seconds from the bytes of a large JPEG to the verdict, on two threads, models loaded."""
    picture = cv2.resize(load_photo(_SAMPLE).image, _LARGE, interpolation=cv2.INTER_CUBIC)
    content = cv2.imencode(".jpg", picture)[1].tobytes()
    before = cv2.getNumThreads()
    cv2.setNumThreads(_THREADS)
    try:
        recognize(content)
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            recognize(content)
            times.append(time.perf_counter() - start)
    finally:
        cv2.setNumThreads(before)
    return statistics.median(times)


def _first_answer(runs: int) -> float:
    """The median seconds of the command line for one photo, interpreter and imports included."""
    command = [sys.executable, "-m", "vision", "--json", str(_SAMPLE)]
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, cwd=_ROOT, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times)
