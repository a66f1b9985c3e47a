"""The data folder: where the real photographs and labels lie, and how their labels are read.

This is the only place that names the folder. What is done with the pictures lives with those who use them.
"""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import Any, Literal

Split = Literal["train", "measure", "all"]

_REPOSITORY = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("KINGDOMINO_DATA", str(_REPOSITORY.parent / "shared" / "data")))

# Of the files that belong to no fold, these hundredths are kept for measuring.
MEASURE_PERCENT = 15


def data_available() -> bool:
    """Whether the real photographs are on this machine."""
    return (DATA_DIR / "photos.json").is_file() and (DATA_DIR / "tiles").is_dir()


def photo_labels() -> dict[str, dict[str, Any]]:
    """The labels of the whole-table photos, by file name, sorted."""
    return _labels("photos.json")


def board_labels() -> dict[str, dict[str, Any]]:
    """The labels of the 500 px boards, by file name, sorted."""
    return _labels("boards.json")


def tile_files(name: str, split: Split = "all") -> list[Path]:
    """The crops of one class of `tiles/` ("wheat0", "castle", "empty"), sorted, of one split."""
    files = sorted((DATA_DIR / "tiles" / name).glob("*.jpg"))
    return [path for path in files if in_split(f"{name}/{path.name}", split)]


def in_split(name: str, split: Split) -> bool:
    """Whether a file of this name belongs to the split; decided by a hash of its name alone."""
    if split == "all":
        return True
    measured = zlib.crc32(name.encode()) % 100 < MEASURE_PERCENT
    return measured == (split == "measure")


def _labels(file: str) -> dict[str, dict[str, Any]]:
    loaded: dict[str, dict[str, Any]] = json.loads((DATA_DIR / file).read_text(encoding="utf-8"))
    return dict(sorted(loaded.items()))
