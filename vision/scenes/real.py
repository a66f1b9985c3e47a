"""Real tiles as a source: the photographed dominoes and the crops of the data folder. For training and measuring.

Pictures composed from this source stay out of the repository.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from engine import CASTLE, DOMINOES, Kingdom, Mark, Square
from vision.data import DATA_DIR, Split, board_labels, data_available, tile_files
from vision.dataset import PRINTED_REVERSED, tile_corrections

from .config import CastleColour
from .errors import SceneError
from .texture import Array, Picture, to_picture

Kind = Square | Mark

# How much of a domino picture is the table around it: left and right, top and bottom, as a share.
_DOMINO_INSET = (0.018, 0.036)
_DOMINO_SIDE = 256
# Crops of single squares are framed loosely; this share of each side is cut away.
_TILE_INSET = 0.08
_BOARD_INSET = 0.04
_TILE_SIDE = 64
_BOARD_SIDE = 96
# The crops of a class that differ most in colour are left out: glare, wrong labels.
_OUTLIERS = 0.04
# How far a picture is moved towards its class's usual colours, per channel of Lab.
_PULL = 0.75
_BOARD_CELL = 100
_CASTLE_FILES: dict[CastleColour, tuple[str, ...]] = {
    "blue": ("castle_b.jpg", "castle_b_-_kopi.jpg"),
    "green": ("castle_g.jpg", "castle_g_-_kopi.jpg"),
    "pink": ("castle_r.jpg", "castle_r_-_kopi.jpg"),
    "yellow": ("castle_y.jpg", "castle_y_-_kopi.jpg"),
}


@dataclass(frozen=True)
class RealTiles:
    """The real dominoes and crops.

    `split` keeps the files whose names hash to measuring apart from training; `exclude` names folds whose
    boards are left out (with "measure", only the boards of those folds are taken); `extra` adds crops of
    whole photos, by square or castle, chosen by the caller; `boards` False leaves all boards out. `alone` are the
    shares of scenes laid of the photographed dominoes alone and of crops alone; the others mix them.
    """

    split: Split = "all"
    exclude: Collection[int] = ()
    extra: Mapping[Kind, Sequence[Picture]] = field(default_factory=dict)
    boards: bool = True
    alone: tuple[float, float] = (0.5, 0.2)
    _kept: dict[Kind, list[Picture]] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not data_available():
            raise SceneError(f"expected the real photographs in {DATA_DIR}, found none; use OwnArt() instead")

    def deal(self, rng: np.random.Generator) -> RealDeal:
        """One scene's tiles: of dominoes, of crops or of both.

        The photographed dominoes belong to every training set, so scenes for measuring are laid of crops alone.
        """
        if self.split == "measure":
            return RealDeal(self, 1.0)
        draw, (dominoes, crops) = rng.random(), self.alone
        share = 0.0 if draw < dominoes else 1.0 if draw < dominoes + crops else rng.uniform(0.1, 0.7)
        return RealDeal(self, share)

    def table(self, rng: np.random.Generator) -> Picture | None:
        """A crop that shows no tile, enlarged by the caller."""
        return self._empties[rng.integers(len(self._empties))]

    @functools.cached_property
    def _empties(self) -> list[Picture]:
        return [_read(path) for path in tile_files("empty", self.split)]

    def crops(self, kind: Kind) -> list[Picture]:
        """All crops of one class, in a fixed order, pulled to the usual colours of the class."""
        if kind not in self._kept:
            tiles = _without_outliers([_read_square(path) for path in _tile_paths(kind, self.split)])
            if isinstance(kind, Square):
                usual = _usual_colours(kind)
                tiles = [_pull(picture, usual) for picture in tiles]
            boards = [picture for of, picture in self._board_crops if of == kind]
            self._kept[kind] = [*tiles, *boards, *self.extra.get(kind, ())]
        return self._kept[kind]

    @functools.cached_property
    def _board_crops(self) -> list[tuple[Kind, Picture]]:
        if not self.boards:
            return []
        crops: list[tuple[Kind, Picture]] = []
        for name, label in board_labels().items():
            if (label["fold"] in self.exclude) != (self.split == "measure"):
                continue
            board = _read(DATA_DIR / "boards" / name)
            kingdom = Kingdom.from_notation(label["notation"])
            standing = label["castle"] == "standing"
            castle = next(at for at, kind in _cells(kingdom) if kind is CASTLE)
            for (r, c), kind in _cells(kingdom):
                # The standing castle hides its own tile and parts of the squares around it.
                near = max(abs(r - castle[0]), abs(c - castle[1])) <= 1
                if kind is Mark.EMPTY or (standing and near):
                    continue
                cell = board[r * _BOARD_CELL : (r + 1) * _BOARD_CELL, c * _BOARD_CELL : (c + 1) * _BOARD_CELL]
                if cell.shape[:2] == (_BOARD_CELL, _BOARD_CELL):
                    crops.append((kind, cv2.resize(_inset(cell, _BOARD_INSET), (_BOARD_SIDE, _BOARD_SIDE))))
        return crops


@dataclass(frozen=True)
class RealDeal:
    """The real tiles of one scene; this share of them are crops instead of photographed dominoes."""

    source: RealTiles
    crop_share: float

    def domino(self, a: Square, b: Square, side: int, rng: np.random.Generator) -> Picture:
        """A domino with its true seam, or two crops side by side."""
        numbers = _faces().get((a, b), ())
        if not numbers or rng.random() < self.crop_share:
            return np.hstack([self.square(a, side, rng), self.square(b, side, rng)])
        number = numbers[rng.integers(len(numbers))]
        picture = _domino(abs(number), side)
        return picture if number > 0 else np.ascontiguousarray(picture[::-1, ::-1])

    def square(self, square: Square, side: int, rng: np.random.Generator) -> Picture:
        """A crop, turned any of four ways."""
        crops = self.source.crops(square)
        return _resized(np.rot90(crops[rng.integers(len(crops))], int(rng.integers(4))), side)

    def castle(self, colour: CastleColour, side: int, rng: np.random.Generator) -> Picture:
        """A starting tile of this colour, or of any colour where it comes from the crops."""
        if rng.random() < max(self.crop_share, 0.3):
            crops = self.source.crops(CASTLE)
            return _resized(np.rot90(crops[rng.integers(len(crops))], int(rng.integers(4))), side)
        names = _CASTLE_FILES[colour]
        return _resized(np.rot90(_castle(names[rng.integers(len(names))]), int(rng.integers(4))), side)


@functools.lru_cache(maxsize=1)
def _faces() -> dict[tuple[Square, Square], tuple[int, ...]]:
    """The dominoes that show a on the left and b on the right; negative numbers are turned half round."""
    faces: dict[tuple[Square, Square], list[int]] = {}
    for domino in DOMINOES:
        left, right = domino.a, domino.b
        if domino.number in PRINTED_REVERSED:
            left, right = right, left
        faces.setdefault((left, right), []).append(domino.number)
        faces.setdefault((right, left), []).append(-domino.number)
    return {pair: tuple(numbers) for pair, numbers in faces.items()}


@functools.lru_cache(maxsize=512)
def _domino(number: int, side: int) -> Picture:
    """The photographed domino in the usual colours of its squares, as printed."""
    if side != _DOMINO_SIDE:
        size = (2 * side, side)
        return cv2.resize(_domino(number, _DOMINO_SIDE), size, interpolation=cv2.INTER_AREA)
    picture = _read(DATA_DIR / "dominoes" / f"{number:02d}.jpg")
    height, width = picture.shape[:2]
    x, y = round(width * _DOMINO_INSET[0]), round(height * _DOMINO_INSET[1])
    picture = cv2.resize(picture[y : height - y, x : width - x], (2 * side, side), interpolation=cv2.INTER_AREA)
    domino = DOMINOES[number - 1]
    kinds = (domino.b, domino.a) if number in PRINTED_REVERSED else (domino.a, domino.b)
    for half, square in enumerate(kinds):
        part = picture[:, half * side : (half + 1) * side]
        part[:] = _pull(part, _usual_colours(square), 1.0)
    return picture


@functools.lru_cache(maxsize=8)
def _castle(name: str) -> Picture:
    return cv2.resize(_read(DATA_DIR / "dominoes" / name), (_DOMINO_SIDE,) * 2, interpolation=cv2.INTER_AREA)


@functools.cache
def _usual_colours(square: Square) -> Array:
    """Mean and deviation in Lab of a class over the many cameras of `tiles/`: the median of its crops."""
    return np.median([_statistics(_read_square(path)) for path in _tile_paths(square, "train")], axis=0)


def _statistics(picture: Picture) -> Array:
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float32)
    return np.stack([lab.mean(axis=0), lab.std(axis=0)])


def _pull(picture: Picture, usual: Array, share: float = _PULL) -> Picture:
    """The picture with its mean and contrast moved towards the usual ones of its class."""
    mean, deviation = _statistics(picture)
    wanted = mean + share * (usual[0] - mean)
    stretch = 1 + share * (np.clip(usual[1] / np.maximum(deviation, 1.0), 0.75, 1.5) - 1)
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float32)
    return cv2.cvtColor(to_picture((lab - mean) * stretch + wanted), cv2.COLOR_LAB2BGR)


def _without_outliers(pictures: list[Picture]) -> list[Picture]:
    means = np.array([_statistics(picture)[0] for picture in pictures])
    distance = np.linalg.norm(means - np.median(means, axis=0), axis=1)
    limit = np.quantile(distance, 1 - _OUTLIERS)
    return [picture for picture, d in zip(pictures, distance, strict=True) if d <= limit]


def _tile_paths(kind: Kind, split: Split) -> list[str]:
    """The crops of a class whose label stood the check."""
    name = "castle" if isinstance(kind, Mark) else f"{kind.terrain.value}{kind.crowns}"
    doubtful = tile_corrections()
    return [str(path) for path in tile_files(name, split) if f"{name}/{path.name}" not in doubtful]


@functools.cache
def _read_square(path: str) -> Picture:
    return cv2.resize(_inset(_read(Path(path)), _TILE_INSET), (_TILE_SIDE, _TILE_SIDE), interpolation=cv2.INTER_AREA)


def _read(path: Path) -> Picture:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise SceneError(f"expected a picture in {path}, found none that can be read")
    return picture


def _inset(picture: Picture, share: float) -> Picture:
    height, width = picture.shape[:2]
    y, x = round(height * share), round(width * share)
    return picture[y : height - y, x : width - x]


def _resized(picture: Picture, side: int) -> Picture:
    smaller = side < picture.shape[0]
    method = cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    return cv2.resize(np.ascontiguousarray(picture), (side, side), interpolation=method)


def _cells(kingdom: Kingdom) -> list[tuple[tuple[int, int], Kind]]:
    return [((r, c), kingdom.cell(r, c)) for r in range(kingdom.height) for c in range(kingdom.width)]
