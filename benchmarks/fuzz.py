"""Damaged files by the thousand: `python -m benchmarks.fuzz`. Not part of `make bench`, because it takes long.

Uploads go through the code that the app uses (keeping a photo, then reading it), imports through the store. A damaged
file may be read or refused with an error of ours; any other error, a file left behind or growing memory is a failure.
"""

from __future__ import annotations

import argparse
import gc
import io
import json
import random
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
from PIL import Image
from tqdm import tqdm

from engine import Kingdom, KingdominoError, Rules
from store import GameEntry, Reading, SeatEntry, Turn, open_store
from tests.store.fuzz import mutated as mutated_import
from ui import reading
from vision.evaluate_squares import SAMPLES_DIR
from vision.photo import load_photo
from vision.recognize import recognize

UPLOADS, IMPORTS = 10_000, 2_000
SEED = 8
#: The longer side of the pictures that are damaged: large enough to be read, small enough for thousands.
_SIDE = 640
_NAMES = ("complete_5x5", "illegal", "turned_45", "two_kingdoms")
#: What the process may have grown by from a tenth of the way to the end.
MOST_GROWTH = 96 * 2**20


@dataclass
class Outcome:
    """What became of the damaged files."""

    files: int = 0
    read: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    #: Errors that are not ours, with the number of the file that can be made again from the seed.
    failures: list[str] = field(default_factory=list)
    left_behind: list[str] = field(default_factory=list)
    grown: int = 0
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether only our own errors came, memory stayed flat and nothing was left behind."""
        return not self.failures and not self.left_behind and self.grown <= MOST_GROWTH


def pictures() -> list[bytes]:
    """Good files of every kind that the app takes, to be damaged."""
    files = []
    for name in _NAMES:
        image = load_photo(SAMPLES_DIR / f"{name}.jpg").image
        scale = _SIDE / max(image.shape[:2])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        files.append(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes())
        files.append(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes())
        files.append(cv2.imencode(".webp", small, [cv2.IMWRITE_WEBP_QUALITY, 80])[1].tobytes())
        files.append(cv2.imencode(".png", cv2.resize(small, None, fx=0.5, fy=0.5))[1].tobytes())
    files.append((SAMPLES_DIR / "exif_rotated.jpg").read_bytes())
    files += _modern(small)
    return files


def _modern(image: np.ndarray) -> list[bytes]:
    """The same picture as HEIC and AVIF, as far as they can be written here."""
    pillow_heif.register_heif_opener()
    picture = Image.fromarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
    files = []
    for kind in ("HEIF", "AVIF"):
        out = io.BytesIO()
        try:
            picture.save(out, kind)
        except (OSError, KeyError, ValueError, RuntimeError):
            continue
        files.append(out.getvalue())
    return files


def mutated_upload(files: Sequence[bytes], rng: random.Random) -> bytes:
    """One of the files with bytes flipped, cut off, or pieces of another one in it."""
    data = bytearray(rng.choice(files))
    for _ in range(rng.randint(1, 3)):
        way = rng.randrange(6)
        if way == 0:
            for _ in range(rng.randint(1, 20)):
                data[rng.randrange(len(data))] = rng.randrange(256)
        elif way == 1:
            # The first bytes say what a file is and how large its picture is.
            for _ in range(rng.randint(1, 4)):
                data[rng.randrange(min(200, len(data)))] = rng.randrange(256)
        elif way == 2:
            del data[rng.randrange(1, len(data)) :]
        elif way == 3:
            other = rng.choice(files)
            start, at = rng.randrange(len(other)), rng.randrange(len(data))
            data[at:at] = other[start : start + rng.randint(1, 2_000)]
        elif way == 4:
            other = rng.choice(files)
            half, rest = rng.randrange(len(data)), rng.randrange(len(other))
            data[half:] = other[rest:]
        else:
            start = rng.randrange(len(data))
            del data[start : start + rng.randint(1, 500)]
        if len(data) < 2:
            data += b"\xff\xd8"
    return bytes(data)


def upload(data: bytes) -> None:
    """What the app does with a photo: keep it as a picture alone, then read the kingdoms on it."""
    recognize(reading.kept(data))


def fuzz_uploads(
    count: int, seed: int = SEED, read: Callable[[bytes], object] = upload, *, shown: bool = False
) -> Outcome:
    """Send damaged photos through loading and recognition."""
    files = pictures()
    # What is loaded once, such as the networks, is no growth.
    for data in files:
        _tried(Outcome(), 0, lambda data=data: read(data))  # type: ignore[misc]
    return _fuzzed(count, seed, lambda rng: mutated_upload(files, rng), lambda data: read(data), "uploads", shown=shown)


def exported(folder: Path) -> bytes:
    """A good export with everything in it: games with turns and photos, a Dynasty, drafts."""
    with open_store(folder / "source.sqlite") as store:
        photo = store.photos.add(cv2.imencode(".jpg", np.full((24, 24, 3), 99, np.uint8))[1].tobytes())
        first = Reading("Cff", "Cff", photo=photo, thumbnail=photo)
        turns = (Turn(first), Turn(Reading("Cff/w../w..")), Turn(Reading("Cff/w../w.."), discarded=48))
        seats = (SeatEntry("Anna", Reading("Cff/w../w.."), "pink", turns), SeatEntry("Ben", Reading("Cl1l")))
        dynasty = store.dynasties.create("Winter", ["Anna", "Ben"])
        for number in range(3):
            store.games.add(GameEntry(Rules(players=2), seats, note=f"n{number}", dynasty=dynasty.id))
        store.drafts.start({"kingdom": Kingdom.lone_castle().notation})
        return store.exports.json()


def fuzz_imports(count: int, seed: int = SEED, *, shown: bool = False) -> Outcome:
    """Import damaged files into one store; a refused one must change nothing."""
    with tempfile.TemporaryDirectory() as folder:
        good = exported(Path(folder))
        with open_store(Path(folder) / "records.sqlite") as store:
            store.imports.json(good)

            def bring(data: bytes) -> None:
                before = store.exports.json() if len(data) % 50 == 0 else None
                try:
                    store.imports.json(data)
                except KingdominoError:
                    if before is not None and _records(store.exports.json()) != _records(before):
                        raise AssertionError("a refused file has changed the records") from None
                    raise
                # What was let in is read back by every list, then taken out again.
                store.games.page()
                store.statistics.all()
                store.erase()
                store.imports.json(good)

            return _fuzzed(count, seed, lambda rng: mutated_import(good, rng), bring, "imports", shown=shown)


def _records(data: bytes) -> dict[str, object]:
    document: dict[str, object] = json.loads(data)
    del document["exported_at"]
    return document


def _fuzzed(
    count: int,
    seed: int,
    make: Callable[[random.Random], bytes],
    use: Callable[[bytes], object],
    name: str,
    *,
    shown: bool,
) -> Outcome:
    outcome = Outcome()
    begun = time.perf_counter()
    settled = 0
    with _watched(outcome):
        for number in tqdm(range(count), desc=name, disable=not shown, mininterval=5):
            # Each file has dice of its own, so that one that failed can be made again alone.
            data = make(random.Random(f"{seed} {number}"))
            _tried(outcome, number, lambda data=data: use(data))  # type: ignore[misc]
            if number == count // 10:
                gc.collect()
                settled = _memory()
        gc.collect()
        outcome.grown = _memory() - settled
    outcome.seconds = time.perf_counter() - begun
    return outcome


def _tried(outcome: Outcome, number: int, use: Callable[[], object]) -> None:
    outcome.files += 1
    try:
        use()
        outcome.read += 1
    except KingdominoError as error:
        outcome.refused[type(error).__name__] += 1
    except Exception as error:  # noqa: BLE001 - every other error is what is looked for.
        outcome.failures.append(f"file {number}: {type(error).__name__}: {error}")


def _memory() -> int:
    """The bytes that this process holds; without /proc, those that Python knows of."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        if not tracemalloc.is_tracing():
            tracemalloc.start()
        return tracemalloc.get_traced_memory()[0]
    return pages * 4096


@contextmanager
def _watched(outcome: Outcome) -> Iterator[None]:
    """Note files that come to lie in the folder for temporary ones or in the present one."""
    before = tempfile.tempdir
    here = set(Path.cwd().iterdir())
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder
        try:
            yield
        finally:
            tempfile.tempdir = before
        left = [*Path(folder).rglob("*"), *(set(Path.cwd().iterdir()) - here)]
        outcome.left_behind += [path.name for path in left]


def told(name: str, outcome: Outcome) -> str:
    """An outcome in a few lines."""
    refused = ", ".join(f"{kind} {count}" for kind, count in outcome.refused.most_common())
    lines = [
        f"{name}: {outcome.files} files in {outcome.seconds:.0f} s: {outcome.read} taken, "
        f"{sum(outcome.refused.values())} refused ({refused}), {len(outcome.failures)} failures, "
        f"{len(outcome.left_behind)} files left behind, memory {outcome.grown / 2**20:+.1f} MB: "
        f"{'passed' if outcome.passed else 'FAILED'}",
        *outcome.failures[:20],
        *outcome.left_behind[:20],
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit code is 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("--uploads", type=int, default=UPLOADS, help=f"how many damaged photos (default {UPLOADS})")
    parser.add_argument("--imports", type=int, default=IMPORTS, help=f"how many damaged imports (default {IMPORTS})")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    passed = True
    for name, count, fuzz in (("imports", options.imports, fuzz_imports), ("uploads", options.uploads, fuzz_uploads)):
        if count:
            outcome = fuzz(count, options.seed, shown=True)
            print(told(name, outcome), flush=True)
            passed &= outcome.passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
