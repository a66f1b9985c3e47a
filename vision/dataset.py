"""The pictures that squares are learnt from and measured on, with the folds applied before anything is cut.

Every example is a *canvas*: the square itself, ``SQUARE`` pixels wide, in the middle of ``CANVAS`` pixels, so
that a crop can be jittered as a fitted grid would jitter it. What is really around a square on a table is kept;
what is missing (a crop of a single tile has no surroundings) is filled by ``surround``. Changing light and
geometry at random is the business of ``vision.training``; nothing here needs PyTorch.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from engine import Kingdom
from vision.classify import CASTLE_CLASS, CLASSES, EMPTY_CLASS
from vision.data import DATA_DIR, Split, board_labels, photo_labels, tile_files
from vision.photo import load_photo
from vision.rectify import cut_squares, grid_quads, ring_quads

Pixels = npt.NDArray[np.uint8]

SQUARE = 64
CANVAS = 104
RIM = (CANVAS - SQUARE) // 2
CANVAS_MARGIN = RIM / SQUARE

# How far a neighbour may be shifted from its place, in canvas pixels, and how far it may reach over bare table.
NEIGHBOUR_SHIFT = 3
NEIGHBOUR_REACH = 9
# How often a place around a square is taken by another tile: lonely, usual and crowded squares.
NEIGHBOUR_SHARES = (0.25, 0.75, 1.0)

BOARD_SQUARES = 5
BOARD_CORNERS = ((0.0, 0.0), (500.0, 0.0), (500.0, 500.0), (0.0, 500.0))

# A fold's model is calibrated on one board game held back inside its own training folds.
CALIBRATION_GAMES = {1: "h", 2: "h", 3: "d"}

# The dominoes whose photograph shows the second half of ``dominoes.csv`` on the left.
PRINTED_REVERSED = frozenset((*range(19, 36), 40, 45))

TERRAIN_LETTERS = {"wheat": "w", "forest": "f", "lake": "l", "grassland": "g", "swamp": "s", "mine": "m"}

# Squares of the ring around a photographed kingdom that do not show table alone, as file@index.
TABLE_EXCEPTIONS: frozenset[str] = frozenset()

# Which sides of a canvas show what really lay there: left, top, right, bottom.
NOTHING = (False, False, False, False)
EVERYTHING = (True, True, True, True)

_TEST_DATA = Path(__file__).resolve().parent.parent / "tests" / "data"
CORNERS_FILE = _TEST_DATA / "corners.json"
CORRECTIONS_FILE = _TEST_DATA / "tile_corrections.csv"
DROP = "drop"


@dataclass(frozen=True, eq=False)
class Canvases:
    """Examples of one source: pictures, classes, names for reports, and which sides are real."""

    source: str
    pictures: Pixels
    classes: npt.NDArray[np.int64]
    names: tuple[str, ...]
    context: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.classes)

    def crops(self) -> Pixels:
        """The canvases as the app would cut them: the square with its usual margin, no jitter."""
        quads = np.array([[[RIM, RIM], [CANVAS - RIM, RIM], [CANVAS - RIM, CANVAS - RIM], [RIM, CANVAS - RIM]]])
        return np.concatenate([cut_squares(picture, quads) for picture in self.pictures])


def class_of(symbol: str) -> int:
    """The column of a notation symbol."""
    return CLASSES.index(symbol)


def class_of_folder(name: str) -> int:
    """The class of a folder of ``tiles/``, such as ``wheat1``, ``castle`` or ``empty``."""
    if name == "castle":
        return CASTLE_CLASS
    if name == "empty":
        return EMPTY_CLASS
    letter, crowns = TERRAIN_LETTERS[name[:-1]], name[-1]
    return class_of(letter if crowns == "0" else letter + crowns)


def tile_corrections() -> dict[str, str]:
    """The corrected class of wrongly labelled files of ``tiles/``; ``drop`` for those to leave out."""
    with CORRECTIONS_FILE.open(encoding="utf-8", newline="") as stream:
        return {row["file"]: row["new"] for row in csv.DictReader(stream)}


def tiles(split: Split = "train", corrected: bool = True) -> Canvases:
    """The single-square crops; they belong to every training set."""
    corrections = tile_corrections() if corrected else {}
    pictures: list[Pixels] = []
    classes, names = [], []
    for folder in sorted(path.name for path in (DATA_DIR / "tiles").iterdir() if path.is_dir()):
        for path in tile_files(folder, split):
            name = f"{folder}/{path.name}"
            label = corrections.get(name, folder)
            if label == DROP:
                continue
            picture = _read(path)
            # The terrain crops keep a seam of table around the tile, the empty ones show only table.
            pictures.append(_canvas_of_tile(picture, whole=label == "empty"))
            classes.append(class_of_folder(label))
            names.append(name)
    return canvases("tiles", pictures, classes, names, [NOTHING] * len(names))


def dominoes() -> Canvases:
    """The halves of the 48 dominoes and the starting tiles; they belong to every training set."""
    with (DATA_DIR / "dominoes.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    pictures, classes, names, context = [], [], [], []
    for row in rows:
        path = DATA_DIR / "dominoes" / f"{int(row['number']):02d}.jpg"
        picture = _read(path)
        height, width = picture.shape[:2]
        quads = grid_quads(((0, 0), (width, 0), (width, height), (0, height)), 1, 2)
        cut = cut_squares(picture, quads, CANVAS, CANVAS_MARGIN)
        for side, half in enumerate(_printed_halves(row)):
            pictures.append(cut[side])
            classes.append(class_of(half))
            names.append(f"{path.name}#{side}")
            context.append((side == 1, False, side == 0, False))
    for path in sorted((DATA_DIR / "dominoes").glob("castle*.jpg")):
        pictures.append(_canvas_of_tile(_read(path)))
        classes.append(CASTLE_CLASS)
        names.append(path.name)
        context.append(NOTHING)
    return canvases("dominoes", pictures, classes, names, context)


def boards(folds: Sequence[int], games: Sequence[str] | None = None, without: Sequence[str] = ()) -> Canvases:
    """The squares of the boards of some folds, optionally of some games only, or without some."""
    pictures: list[Pixels] = []
    classes, names = [], []
    for file, label in board_labels().items():
        game = label["game"]
        if label["fold"] not in folds or game in without or (games is not None and game not in games):
            continue
        kingdom = Kingdom.from_notation(label["notation"])
        image = load_photo(DATA_DIR / "boards" / file).image
        quads = grid_quads(BOARD_CORNERS, BOARD_SQUARES, BOARD_SQUARES)
        pictures.extend(cut_squares(image, quads, CANVAS, CANVAS_MARGIN))
        for index in range(BOARD_SQUARES**2):
            row, column = divmod(index, BOARD_SQUARES)
            classes.append(class_of(kingdom.cell(row, column).symbol))
            names.append(f"{file}@{row},{column}")
    return canvases("boards", pictures, classes, names, [EVERYTHING] * len(names))


def photo_quads() -> dict[str, npt.NDArray[np.float64]]:
    """The labelled quadrilaterals of every square of the photos, crooked dominoes included."""
    quads: dict[str, npt.NDArray[np.float64]] = {}
    for file, label in sorted(json.loads(CORNERS_FILE.read_text("utf-8")).items()):
        rows, columns = label["shape"]
        grid = grid_quads(label["corners"], rows, columns)
        for cell, corners in label.get("squares", {}).items():
            row, column = (int(part) for part in cell.split(","))
            grid[row * columns + column] = corners
        quads[file] = grid
    return quads


def photos(folds: Sequence[int]) -> Canvases:
    """The squares of the photos of some folds, cut by the labelled corners."""
    labels = photo_labels()
    pictures: list[Pixels] = []
    classes, names = [], []
    for file, quads in photo_quads().items():
        if labels[file]["fold"] not in folds:
            continue
        kingdom = Kingdom.from_notation(labels[file]["notation"])
        image = load_photo(DATA_DIR / "photos" / file).image
        pictures.extend(cut_squares(image, quads, CANVAS, CANVAS_MARGIN))
        for index in range(len(quads)):
            row, column = divmod(index, kingdom.width)
            classes.append(class_of(kingdom.cell(row, column).symbol))
            names.append(f"{file}@{row},{column}")
    return canvases("photos", pictures, classes, names, [EVERYTHING] * len(names))


def tables(folds: Sequence[int]) -> Canvases:
    """Squares of bare table in the ring around the kingdoms of the photos of some folds."""
    labels = photo_labels()
    pictures: list[Pixels] = []
    names = []
    for file, label in sorted(json.loads(CORNERS_FILE.read_text("utf-8")).items()):
        if labels[file]["fold"] not in folds:
            continue
        rows, columns = label["shape"]
        image = load_photo(DATA_DIR / "photos" / file).image
        height, width = image.shape[:2]
        ring = ring_quads(label["corners"], rows, columns)
        inside = (ring >= 0).all(axis=(1, 2)) & (ring <= (width, height)).all(axis=(1, 2))
        cut = cut_squares(image, ring[inside], CANVAS, CANVAS_MARGIN)
        for index, picture in zip(np.flatnonzero(inside), cut, strict=True):
            if f"{file}@{index}" in TABLE_EXCEPTIONS:
                continue
            pictures.append(picture)
            names.append(f"{file}@ring{index}")
    return canvases("tables", pictures, [EMPTY_CLASS] * len(names), names, [EVERYTHING] * len(names))


def joined(parts: Sequence[Canvases]) -> Canvases:
    """Several sources as one."""
    return Canvases(
        "+".join(part.source for part in parts),
        np.concatenate([part.pictures for part in parts]),
        np.concatenate([part.classes for part in parts]),
        tuple(name for part in parts for name in part.names),
        np.concatenate([part.context for part in parts]),
    )


def surround(pictures: Pixels, examples: Canvases, chosen: npt.NDArray[np.int64], rng: np.random.Generator) -> None:
    """Give the chosen examples that lack surroundings random neighbours, in place in ``pictures``.

    ``pictures`` holds copies of the chosen canvases. Neighbours are other single tiles, or table.
    """
    loose = np.flatnonzero(~examples.context.any(axis=1))
    tables_ = loose[examples.classes[loose] == EMPTY_CLASS]
    tiles_ = loose[examples.classes[loose] != EMPTY_CLASS]
    for picture, index in zip(pictures, chosen, strict=True):
        real = examples.context[index]
        if real.all():
            continue
        _surround_one(picture, real, examples, index, tables_, tiles_, rng)


def fingerprint() -> str:
    """A hash over the names and sizes of the data files and over the labels the project keeps itself."""
    digest = hashlib.sha256()
    for path in sorted(path for path in DATA_DIR.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(DATA_DIR).as_posix()} {path.stat().st_size}\n".encode())
    for path in (CORNERS_FILE, CORRECTIONS_FILE):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _surround_one(
    picture: Pixels,
    real: npt.NDArray[np.bool_],
    examples: Canvases,
    index: int,
    table_indices: npt.NDArray[np.int64],
    tile_indices: npt.NDArray[np.int64],
    rng: np.random.Generator,
) -> None:
    before = picture.copy()
    bare = examples.classes[index] == EMPTY_CLASS
    if not bare and rng.random() < 0.7:
        picture[:] = examples.pictures[table_indices[rng.integers(len(table_indices))]]
    share = NEIGHBOUR_SHARES[rng.integers(len(NEIGHBOUR_SHARES))]
    reach = NEIGHBOUR_REACH if bare else NEIGHBOUR_SHIFT
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            if (row, column) == (0, 0) or rng.random() >= share:
                continue
            neighbour = examples.pictures[tile_indices[rng.integers(len(tile_indices))]][RIM:-RIM, RIM:-RIM]
            shift = rng.integers(-NEIGHBOUR_SHIFT, reach + 1, 2)
            # A positive shift is towards the middle.
            top = RIM + row * SQUARE + (-row * shift[0] if row else shift[0] % (NEIGHBOUR_SHIFT + 1))
            left = RIM + column * SQUARE + (-column * shift[1] if column else shift[1] % (NEIGHBOUR_SHIFT + 1))
            _paste(picture, np.rot90(neighbour, int(rng.integers(4))), int(top), int(left))
    if bare:
        return
    picture[RIM:-RIM, RIM:-RIM] = before[RIM:-RIM, RIM:-RIM]
    sides = (np.s_[:, :RIM], np.s_[:RIM, :], np.s_[:, -RIM:], np.s_[-RIM:, :])
    for side, is_real in zip(sides, real, strict=True):
        if is_real:
            picture[side] = before[side]


def _paste(picture: Pixels, patch: Pixels, top: int, left: int) -> None:
    """Lay a patch over a picture, cutting off what reaches beyond its edge."""
    height, width = picture.shape[:2]
    bottom, right = min(top + patch.shape[0], height), min(left + patch.shape[1], width)
    start_row, start_column = max(top, 0), max(left, 0)
    if bottom > start_row and right > start_column:
        picture[start_row:bottom, start_column:right] = patch[
            start_row - top : bottom - top, start_column - left : right - left
        ]


def _canvas_of_tile(picture: Pixels, whole: bool = False) -> Pixels:
    """A crop of one tile as a canvas; with ``whole`` it fills the canvas instead of the square alone."""
    side = CANVAS if whole else SQUARE
    method = cv2.INTER_AREA if min(picture.shape[:2]) > side else cv2.INTER_LINEAR
    square = cv2.resize(picture, (side, side), interpolation=method)
    rim = 0 if whole else RIM
    return np.asarray(cv2.copyMakeBorder(square, rim, rim, rim, rim, cv2.BORDER_REPLICATE), np.uint8)


def _read(path: Path) -> Pixels:
    """A small picture of the data folder; those were never turned by a phone."""
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8)


def _printed_halves(row: dict[str, str]) -> tuple[str, str]:
    """The symbols of a domino's halves, left and right in its photograph."""
    first, second = (TERRAIN_LETTERS[row[f"terrain_{half}"]] + row[f"crowns_{half}"].replace("0", "") for half in "ab")
    return (second, first) if int(row["number"]) in PRINTED_REVERSED else (first, second)


def canvases(
    source: str,
    pictures: Sequence[Pixels],
    classes: Sequence[int],
    names: Sequence[str],
    context: Sequence[tuple[bool, bool, bool, bool]],
) -> Canvases:
    shape = (len(names), CANVAS, CANVAS, 3)
    stacked = np.stack(pictures) if len(pictures) else np.zeros(shape, np.uint8)
    return Canvases(
        source,
        stacked,
        np.asarray(classes, np.int64),
        tuple(names),
        np.asarray(context, bool).reshape(len(names), 4),
    )
