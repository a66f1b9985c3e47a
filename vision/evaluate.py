"""`python -m vision.evaluate`: measure the reading of photographs end to end and write docs/results.

Real photographs are read with the models of the fold that never saw them, rendered pictures with those that ship.
How a reading is judged and shown lives in ``vision.evaluate_kingdoms``; single squares and grids are measured by
``vision.evaluate_squares`` and ``vision.evaluate_locate``, which this command runs too.
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from engine import Kingdom, KingdominoError
from vision import evaluate_locate, evaluate_squares
from vision.annotate import annotated
from vision.data import DATA_DIR, board_labels, data_available, photo_labels
from vision.dataset import BOARD_CORNERS, CORNERS_FILE
from vision.evaluate_kingdoms import Judged, csv_text, judge, measures, page
from vision.evaluate_squares import RESULTS_DIR, SAMPLES_DIR
from vision.photo import Photo, load_photo
from vision.recognize import Recognition, decode_game, load_models, recognize
from vision.scene_squares import unseen_because
from vision.scenes import RealTiles, SceneConfig, random_scene

Floats = npt.NDArray[np.float64]

SETS = ("photos", "boards", "games", "scenes", "hands", "samples")
SCENES = 300
# Never looked at while reading was worked on.
SCENE_SEED = 8_200_000
SCENE_SIZES = evaluate_locate.SCENE_SIZES
# A grid counts as found when each corner of its box is within this share of a square.
TOLERANCE = 0.25
WORKERS = 2


@dataclass(frozen=True)
class Case:
    """A picture to be read: its set, its file or seed, and the fold whose models read it (None: the shipped)."""

    source: str
    key: str
    fold: int | None = None


@dataclass(frozen=True, eq=False)
class Truth:
    """A kingdom that is in a picture, with the outer corners of its box, and why not all its squares can be seen."""

    kingdom: Kingdom
    corners: Floats
    unseen: str = ""


@dataclass(frozen=True, eq=False)
class Read:
    """What was read from a picture, beside the truth."""

    case: Case
    truths: tuple[Truth, ...]
    found: tuple[Recognition, ...]
    error: str = ""


def cases_of(source: str, scenes: int = SCENES) -> list[Case]:
    """The pictures of a set. The games are read from the boards."""
    if source == "photos":
        return [Case(source, name, label["fold"]) for name, label in photo_labels().items()]
    if source == "boards":
        return [Case(source, name, label["fold"]) for name, label in board_labels().items()]
    if source == "samples":
        return [Case(source, path.stem) for path in sorted(SAMPLES_DIR.glob("*.json"))]
    return [Case(source, str(SCENE_SEED + number)) for number in range(scenes)]


def picture_of(case: Case) -> tuple[Photo | Path, tuple[Truth, ...]]:
    """The picture of a case, as a file where it is one, and the kingdoms that lie wholly in it."""
    if case.source == "photos":
        corners = json.loads(CORNERS_FILE.read_text(encoding="utf-8"))[case.key]["corners"]
        kingdom = Kingdom.from_notation(photo_labels()[case.key]["notation"])
        return DATA_DIR / "photos" / case.key, (Truth(kingdom, np.array(corners)),)
    if case.source == "boards":
        kingdom = Kingdom.from_notation(board_labels()[case.key]["notation"])
        return DATA_DIR / "boards" / case.key, (Truth(kingdom, np.array(BOARD_CORNERS)),)
    if case.source == "samples":
        sidecar = json.loads((SAMPLES_DIR / f"{case.key}.json").read_text(encoding="utf-8"))
        truths = [
            Truth(Kingdom.from_notation(label["notation"]), np.array(label["corners"])) for label in sidecar["kingdoms"]
        ]
        return SAMPLES_DIR / f"{case.key}.jpg", tuple(truths)
    return _scene_of(case)


def _scene_of(case: Case) -> tuple[Photo | Path, tuple[Truth, ...]]:
    """A fresh scene: without a hand, or, for "hands", as the composer throws it, nothing where that has no hand."""
    rng = np.random.default_rng(int(case.key))
    config = SceneConfig(size=SCENE_SIZES[rng.integers(len(SCENE_SIZES))])
    if case.source == "scenes":
        config = replace(config, hand_share=0.0)
    while True:
        scene = random_scene(rng, _unseen_tiles(), n_kingdoms=1, config=config)
        whole = [
            Truth(truth.kingdom, truth.corners, unseen_because(scene, truth))
            for truth in scene.kingdoms
            if not truth.cut
        ]
        if whole:
            asked = scene.hand or case.source == "scenes"
            return Photo.from_image(scene.image), tuple(whole) if asked else ()


@functools.cache
def _unseen_tiles() -> RealTiles:
    """The real tiles that are kept out of training; read once in a process."""
    return RealTiles(split="measure", boards=False)


def read_case(case: Case) -> Read:
    """Read one picture; an error of ours counts as nothing found."""
    cv2.setNumThreads(1)
    photo, truths = picture_of(case)
    if not truths:
        return Read(case, (), ())
    try:
        found = recognize(photo, models=load_models(case.fold))
    except KingdominoError as error:
        return Read(case, truths, (), str(error))
    return Read(case, truths, tuple(found))


def read_all(cases: Sequence[Case], workers: int = WORKERS) -> list[Read]:
    """Read pictures with several processes, in order, with a progress bar."""
    if not cases:
        return []
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        return list(tqdm(pool.imap(read_case, cases), total=len(cases), desc=cases[0].source, unit="photo"))


def matched(read: Read) -> list[Recognition | None]:
    """For each kingdom in the picture the recognition that lies on it, the nearest if there are several."""
    free = list(read.found)
    pairs: list[Recognition | None] = []
    for truth in read.truths:
        middle = truth.corners.mean(axis=0)
        near = [
            found
            for found in free
            if _inside(truth.corners, found.corners.mean(axis=0)) or _inside(found.corners, middle)
        ]
        best = min(near, key=lambda found: float(np.linalg.norm(found.corners.mean(0) - middle)), default=None)
        if best is not None:
            free.remove(best)
        pairs.append(best)
    return pairs


def _inside(corners: Floats, point: Floats) -> bool:
    return cv2.pointPolygonTest(corners.astype(np.float32), (float(point[0]), float(point[1])), False) >= 0


def is_located(truth: Truth, found: Recognition | None) -> bool:
    """Whether the box of a recognition lies on the true one, in any of the four turns."""
    if found is None:
        return False
    area = abs(cv2.contourArea(truth.corners.astype(np.float32)))
    side = np.sqrt(area / (truth.kingdom.height * truth.kingdom.width))
    errors = [np.linalg.norm(np.roll(found.corners, turns, axis=0) - truth.corners, axis=1).max() for turns in range(4)]
    return bool(min(errors) <= TOLERANCE * side)


def judged_of(reads: Sequence[Read]) -> list[Judged]:
    """Judge every kingdom of every picture."""
    judged = []
    for read in reads:
        pairs = matched(read)
        for number, (truth, found) in enumerate(zip(read.truths, pairs, strict=True)):
            group, kingdom = _group(read.case, truth)
            name = read.case.key if len(read.truths) == 1 else f"{read.case.key} {number + 1}"
            judged.append(
                judge(
                    read.case.source,
                    name,
                    group,
                    kingdom,
                    truth.kingdom,
                    found,
                    is_located(truth, found),
                    read.error,
                )
            )
    return judged


def _group(case: Case, truth: Truth) -> tuple[str, str]:
    """The photographer or game of a picture, or how well a scene can be seen, and its physical kingdom."""
    if case.source == "photos":
        label = photo_labels()[case.key]
        return f"photographer {label['group']}", label["kingdom"]
    if case.source == "boards":
        label = board_labels()[case.key]
        return f"game {label['game']}", label["kingdom"]
    if case.source in ("scenes", "hands"):
        return truth.unseen or "every square can be seen", case.key
    return case.source, case.key


def games_of(reads: Sequence[Read]) -> list[Read]:
    """The boards read again by game: the first photos of a game's kingdoms together, then the second ones."""
    labels = board_labels()
    rounds: dict[tuple[str, int], list[Read]] = defaultdict(list)
    seen: dict[str, int] = defaultdict(int)
    for read in reads:
        label = labels[read.case.key]
        rounds[label["game"], seen[label["kingdom"]]].append(read)
        seen[label["kingdom"]] += 1
    again: list[Read] = []
    for together in rounds.values():
        pairs = [(read, matched(read)[0]) for read in together]
        decoded = iter(decode_game([found for _, found in pairs if found is not None]))
        for read, found in pairs:
            result = () if found is None else (next(decoded),)
            again.append(Read(read.case, read.truths, result, read.error))
    return sorted(again, key=lambda read: read.case.key)


def evaluate(
    sets: Sequence[str] = SETS, scenes: int = SCENES, directory: Path = RESULTS_DIR, overlays: Path | None = None
) -> list[Judged]:
    """Read and judge the sets, and write the page and the table."""
    judged: list[Judged] = []
    for source in sets:
        if source == "games":
            continue
        reads = read_all(cases_of(source, scenes))
        judged += judged_of(reads)
        if overlays:
            save_overlays(reads, overlays)
        if source == "boards" and "games" in sets:
            judged += [replace(one, source="games") for one in judged_of(games_of(reads))]
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "kingdoms.csv").write_text(csv_text(judged), encoding="utf-8")
    (directory / "kingdoms.md").write_text(page(judged), encoding="utf-8")
    return judged


def save_overlays(reads: Sequence[Read], folder: Path) -> None:
    """Save every picture with what was read on it; the wrong ones have it in their name."""
    folder.mkdir(parents=True, exist_ok=True)
    for read in reads:
        wrong = "" if all(one.right for one in judged_of([read])) else "_WRONG"
        source, _ = picture_of(read.case)
        photo = source if isinstance(source, Photo) else load_photo(source)
        name = f"{read.case.source}_{Path(read.case.key).stem}{wrong}.jpg"
        cv2.imwrite(str(folder / name), annotated(photo, read.found))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m vision.evaluate", description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"which sets, of {', '.join(SETS)} (default: all)")
    parser.add_argument("--scenes", type=int, default=SCENES, help="how many fresh scenes")
    parser.add_argument("--out", type=Path, default=RESULTS_DIR, help="folder for the page and the table")
    parser.add_argument("--overlays", type=Path, help="folder for pictures with what was read drawn on them")
    parser.add_argument("--only-kingdoms", action="store_true", help="leave out single squares and grids")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.sets if name not in SETS]
    if unknown:
        parser.error(f"there is no set {', '.join(unknown)}; there are {', '.join(SETS)}")
    sets = options.sets or list(SETS)
    if not data_available():
        print("The labelled photographs are not here, so only the sample photos are read.", file=sys.stderr)
        sets = [name for name in sets if name == "samples"]
    elif not options.only_kingdoms and not options.sets:
        evaluate_squares.main()
        evaluate_locate.main(["--out", str(options.out / "grids.md")])
    for row in measures(evaluate(sets, options.scenes, options.out, options.overlays)):
        print(f"{row.name:75} {row.found:22} bar {row.bar:10} aim {row.aim}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
