"""Where the locating network's pictures come from: composed scenes, real photos and boards of the training folds."""

from __future__ import annotations

import functools
import json
import multiprocessing
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from engine import CASTLE, EMPTY, Kingdom
from vision.data import DATA_DIR, board_labels, photo_labels
from vision.dataset import CORNERS_FILE
from vision.photo import load_photo
from vision.rectify import grid_quads
from vision.scenes import OwnArt, RealTiles, Scene, TileSource, random_scene
from vision.scenes.tables import VARIANTS, WEIGHTS, texture
from vision.training.locator_data import Stored, save_shard
from vision.training.locator_targets import Labelled, Pixels, square_sizes

# Photos are kept at this longer side, and cut this many squares around the labelled kingdom: further out there
# may be tiles without labels.
PHOTO_SIDE = 720
PHOTO_MARGIN = 0.8
# Pasted boards: how many, side of the picture, their extent as a share of it, and how far their corners wander.
PASTED = 400
PASTE_SIDE = 512
PASTE_EXTENT = (0.3, 0.95)
PASTE_LEAN = 0.08
# Scenes: pictures in a shard, their sizes, the share with our own art, and the seed of the first.
SHARD = 50
SCENE_SIZES = ((640, 480), (480, 640), (576, 576), (720, 540))
OWN_ART_SHARE = 0.2
SCENE_SEED = 1_000_000
# How often a scene shows 0, 1, 2, 3 or 4 kingdoms: several are harder to keep apart than one is to find.
KINGDOM_COUNTS = (0.05, 0.60, 0.14, 0.09, 0.12)


def scene_shards(folder: Path, count: int, workers: int) -> list[Path]:
    """So many shards of composed scenes; those already there are kept. They show no board and no photo of a fold."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"scenes_{index:04d}.npz" for index in range(count)]
    missing = [path for path in paths if not path.exists()]
    if missing:
        with (
            multiprocessing.get_context("spawn").Pool(workers) as pool,
            tqdm(total=len(missing), desc="composing scenes", unit="shard") as bar,
        ):
            for _ in pool.imap_unordered(_make_shard, missing):
                bar.update(1)
    return paths


def _make_shard(path: Path) -> None:
    cv2.setNumThreads(1)
    index = int(path.stem.rsplit("_", 1)[1])
    save_shard(path, [_scene(SCENE_SEED + index * SHARD + k) for k in range(SHARD)])


def _scene(seed: int) -> Stored:
    rng = np.random.default_rng(seed)
    source = _own_art() if rng.random() < OWN_ART_SHARE else _real_tiles()
    size = SCENE_SIZES[rng.integers(len(SCENE_SIZES))]
    count = int(rng.choice(len(KINGDOM_COUNTS), p=KINGDOM_COUNTS))
    return Stored.of(labelled_scene(random_scene(rng, source, n_kingdoms=count, size=size)))


@functools.lru_cache(maxsize=1)
def _real_tiles() -> TileSource:
    return RealTiles(split="train", boards=False)


@functools.lru_cache(maxsize=1)
def _own_art() -> TileSource:
    return OwnArt()


def labelled_scene(scene: Scene) -> Labelled:
    """A scene's squares: each kingdom a group, each loose square a group of its own unless it touches another."""
    quads, castle, group = [], [], []
    for number, truth in enumerate(scene.kingdoms):
        for (row, column), quad in truth.quads.items():
            quads.append(quad)
            castle.append(truth.kingdom.cell(row, column) is CASTLE)
            group.append(number)
    # The halves of a loose domino follow each other.
    for number, stray in enumerate(scene.stray):
        quads.append(stray.quad)
        castle.append(False)
        group.append(len(scene.kingdoms) + number // 2)
    return Labelled(
        scene.image,
        np.array(quads, np.float32).reshape(-1, 4, 2),
        np.array(castle, bool),
        np.array(group, np.int32),
    )


def real_photos(excluded_fold: int | None) -> list[Stored]:
    """The labelled photos of all folds but one."""
    corners = json.loads(CORNERS_FILE.read_text(encoding="utf-8"))
    pictures = []
    for name, label in photo_labels().items():
        if label["fold"] == excluded_fold or name not in corners:
            continue
        entry = corners[name]
        rows, columns = entry["shape"]
        quads = grid_quads(entry["corners"], rows, columns)
        for cell, own in entry.get("squares", {}).items():
            row, column = map(int, cell.split(","))
            quads[row * columns + column] = own
        image = load_photo(DATA_DIR / "photos" / name).image
        pictures.append(_stored(image, quads, label["notation"]))
    return pictures


def real_boards(excluded_fold: int | None) -> list[Stored]:
    """The boards of all folds but one; their grid fills the picture."""
    pictures = []
    for name, label in board_labels().items():
        if label["fold"] == excluded_fold:
            continue
        image = load_photo(DATA_DIR / "boards" / name).image
        height, width = image.shape[:2]
        quads = grid_quads([[0, 0], [width, 0], [width, height], [0, height]], 5, 5)
        pictures.append(_stored(image, quads, label["notation"]))
    return pictures


def _stored(image: Pixels, quads: np.ndarray, notation: str) -> Stored:
    """The part of a photo around its kingdom, smaller."""
    cells = [cell for row in Kingdom.from_notation(notation).rows for cell in row]
    step = float(np.median(square_sizes(quads.astype(np.float32))))
    low = np.maximum(quads.min((0, 1)) - PHOTO_MARGIN * step, 0).astype(int)
    high = np.minimum(quads.max((0, 1)) + PHOTO_MARGIN * step, image.shape[1::-1]).astype(int)
    part = image[low[1] : high[1], low[0] : high[0]]
    scale = min(1.0, PHOTO_SIDE / max(part.shape[:2]))
    size = (round(part.shape[1] * scale), round(part.shape[0] * scale))
    ratio = np.array(size) / part.shape[1::-1]
    small = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    present = np.array([cell is not EMPTY for cell in cells])
    castle = np.array([cell is CASTLE for cell in cells])[present]
    moved = ((quads - low) * ratio).astype(np.float32)[present]
    return Stored.of(Labelled(small, moved, castle, np.zeros(len(moved), np.int32)), quality=95)


def pasted_boards(boards: list[Stored], count: int, seed: int) -> list[Stored]:
    """Boards laid at random on painted table tops."""
    rng = np.random.default_rng(seed)
    return [_pasted(boards[rng.integers(len(boards))], rng) for _ in range(count)] if boards else []


def _pasted(board: Stored, rng: np.random.Generator) -> Stored:
    side = PASTE_SIDE
    kinds = sorted(WEIGHTS)
    chances = np.array([WEIGHTS[kind] for kind in kinds])
    kind = kinds[rng.choice(len(kinds), p=chances / chances.sum())]
    table = texture(kind, int(rng.integers(VARIANTS)), side)
    table = np.rot90(table, int(rng.integers(4))).copy()
    image = board.image
    height, width = image.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    extent = rng.uniform(*PASTE_EXTENT) * side
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.1)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    lean = rng.uniform(-1, 1, (4, 2)) * PASTE_LEAN * extent
    target = (source / (width, height) - 0.5) @ turn * extent + lean
    slack = np.maximum(side / 2 - np.abs(target).max(0), 0)
    target += side / 2 + rng.uniform(-1, 1, 2) * slack
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    shadow = np.zeros((side, side), np.float32)
    cv2.fillConvexPoly(shadow, np.round(target + rng.uniform(-0.02, 0.02, 2) * extent).astype(np.int32), 1.0)
    shadow = 1 - rng.uniform(0.1, 0.6) * cv2.GaussianBlur(shadow, (0, 0), rng.uniform(1, 6))
    cover = cv2.warpPerspective(np.ones((height, width), np.float32), matrix, (side, side))[..., None]
    laid = cv2.warpPerspective(image, matrix, (side, side), flags=cv2.INTER_AREA)
    picture = np.clip(laid * cover + table * shadow[..., None] * (1 - cover), 0, 255).astype(np.uint8)
    quads = cv2.perspectiveTransform(board.quads.reshape(-1, 1, 2), matrix).reshape(-1, 4, 2)
    return Stored.of(Labelled(picture, quads.astype(np.float32), board.castle, board.group))
