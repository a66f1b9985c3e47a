"""`python -m vision`: read the kingdoms of photos from the command line, for people or, with --json, for scripts."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TextIO

import cv2
from tqdm import tqdm

from engine import KingdominoError, Rules
from engine.cli import as_text, drawing, guarded, wants_colour
from engine.rules import SIZES
from vision.photo import load_photo
from vision.recognize import Recognition, decode_game, recognize

# Fewer photos than this are read in this process; starting others takes longer than it saves.
_FEW = 4
SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".mpo"})
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")


@dataclass(frozen=True, eq=False)
class Outcome:
    """How one photo went: its kingdoms, or the sentence why there is none."""

    name: str
    recognitions: tuple[Recognition, ...] = ()
    error: str | None = None
    seconds: dict[str, float] = field(default_factory=dict)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.shape and not options.corners:
        parser.error("--shape belongs to --corners; without them the kingdom is looked for")
    photos = photos_of(options.photo)
    several = len(photos) > 1 or Path(options.photo[0]).is_dir()
    if options.overlay and not several and options.overlay.suffix.lower() not in PICTURE_SUFFIXES:
        parser.error(f"--overlay names a picture ({', '.join(PICTURE_SUFFIXES)}), not {options.overlay.name}")
    return guarded(partial(_run, options, photos, several))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m vision", description="Read, score and verify the Kingdomino kingdoms of photos."
    )
    parser.add_argument("photo", nargs="+", metavar="PHOTO", help="a photo, or a folder of photos")
    parser.add_argument("--json", action="store_true", help="print one JSON object a photo")
    parser.add_argument("--size", type=int, choices=SIZES, help="side of a full kingdom (default: by its width)")
    parser.add_argument(
        "--corners",
        nargs=4,
        type=_point,
        metavar="X,Y",
        help="the four corners of the smallest rectangle around the kingdom, in pixels, in any order",
    )
    parser.add_argument("--shape", type=_shape, metavar="RxC", help="rows and columns between the corners (5x5)")
    parser.add_argument("--game", action="store_true", help="the photos show the kingdoms of one game")
    parser.add_argument(
        "--overlay", type=Path, metavar="OUT", help="save the photo with what was read; a folder for several photos"
    )
    return parser


def _point(text: str) -> tuple[float, float]:
    x, y = text.split(",")
    return float(x), float(y)


def _shape(text: str) -> tuple[int, int]:
    rows, columns = text.lower().replace("×", "x").split("x")
    return int(rows), int(columns)


_point.__name__, _shape.__name__ = "point x,y", "shape rows×columns"


def _run(options: argparse.Namespace, photos: Sequence[Path], several: bool) -> int:
    read = partial(outcome, corners=options.corners, shape=options.shape, size=options.size)
    outcomes = _outcomes(photos, read)
    if options.game:
        outcomes = iter(_one_game(list(outcomes), options.size))
    complete = bool(photos)
    targets = _targets(photos, options.overlay) if several else [options.overlay]
    for number, found in enumerate(outcomes):
        complete &= bool(found.recognitions)
        if options.overlay and found.recognitions:
            complete &= _save_overlay(photos[number], found, targets[number])
        if options.json:
            _print_json(found)
        else:
            _print_text(found, number, several, sys.stdout)
    if not photos:
        print("There is no photo in this folder.", file=sys.stderr)
    return 0 if complete else 1


def photos_of(names: Sequence[str]) -> list[Path]:
    """The photos that are meant: files as they are, folders by the images directly in them, by name."""
    photos: list[Path] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            photos += sorted(file for file in path.iterdir() if file.suffix.lower() in SUFFIXES and file.is_file())
        else:
            photos.append(path)
    return photos


def outcome(
    path: Path,
    corners: Sequence[tuple[float, float]] | None = None,
    shape: tuple[int, int] | None = None,
    size: int | None = None,
) -> Outcome:
    """Read one photo; whatever is wrong with it becomes a sentence."""
    try:
        found = recognize(path, corners, shape, size)
    except KingdominoError as error:
        return Outcome(str(path), error=str(error))
    return Outcome(str(path), tuple(found), seconds=dict(found[0].seconds) if found else {})


def _outcomes(photos: Sequence[Path], read: partial[Outcome]) -> Iterator[Outcome]:
    """The outcomes in the order of the photos; many photos are read on all cores, with a progress bar."""
    workers = min(os.cpu_count() or 1, len(photos))
    bar = partial(tqdm, total=len(photos), unit="photo", file=sys.stderr, disable=len(photos) < 2)
    if len(photos) < _FEW or workers < 2:
        yield from bar(map(read, photos))
        return
    # A fresh interpreter each: OpenCV's threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_one_thread) as pool:
        yield from bar(pool.map(read, photos))


def _one_thread() -> None:
    cv2.setNumThreads(1)


def _one_game(outcomes: Sequence[Outcome], size: int | None) -> list[Outcome]:
    """All kingdoms of all photos, read again as those of one game."""
    everything = [recognition for found in outcomes for recognition in found.recognitions]
    again = iter(decode_game(everything, Rules(size=size) if size else None))
    return [
        Outcome(found.name, tuple(next(again) for _ in found.recognitions), found.error, found.seconds)
        for found in outcomes
    ]


def _print_json(found: Outcome) -> None:
    from vision.report import photo_as_json

    print(json.dumps(photo_as_json(found.name, found.recognitions, found.seconds, found.error)), flush=True)


def _print_text(found: Outcome, number: int, several: bool, stream: TextIO) -> None:
    if number:
        print(file=stream)
    if several:
        print(f"{found.name}\n", file=stream)
    if found.error:
        print(f"{found.name}: {found.error}", file=sys.stderr)
    for place, recognition in enumerate(found.recognitions):
        if place:
            print(file=stream)
        print(as_lines(recognition, colour=wants_colour(stream)), file=stream, flush=True)


def as_lines(recognition: Recognition, *, colour: bool = False) -> str:
    """Everything about a recognized kingdom as lines for people."""
    lines = [as_text(recognition.kingdom, recognition.rules, colour=colour)]
    if recognition.cut:
        lines.append("The edge of the photo cuts this kingdom; what is outside was not counted.")
    if recognition.note:
        lines.append(recognition.note)
    lines.append(f"Certainty that all squares are right: {recognition.confidence:.0%}.")
    if recognition.check:
        lines += ["Worth a look, marked with !, most doubtful first:", ""]
        lines += [*drawing(recognition.kingdom, recognition.check, colour=colour), ""]
        for row, column in recognition.check:
            overruled = " (the dominoes of the box ruled out what it looked like)"
            doubt = overruled if (row, column) in recognition.overruled else ""
            text = f"{recognition.squares[row, column]:.0%} sure"
            lines.append(f"- row {row + 1}, column {column + 1}: {text}{doubt}")
    return "\n".join(lines)


def _targets(photos: Sequence[Path], folder: Path | None) -> list[Path]:
    """Where the pictures of several photos go; photos of the same name get their number in front."""
    if folder is None:
        return []
    names = [path.stem for path in photos]
    return [
        folder / (f"{name}.jpg" if names.count(name) == 1 else f"{number}_{name}.jpg")
        for number, name in enumerate(names, start=1)
    ]


def _save_overlay(path: Path, found: Outcome, target: Path) -> bool:
    """Save the photo with what was read drawn on it; return whether that worked."""
    from vision.annotate import annotated

    picture = annotated(load_photo(path), found.recognitions)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(cv2.imencode(target.suffix, picture)[1].tobytes())
    except OSError as error:
        print(f"The picture {target} cannot be saved: {error.strerror or error}.", file=sys.stderr)
        return False
    return True
