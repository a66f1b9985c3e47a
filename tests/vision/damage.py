"""Model files as a bad disk or a curious hand would leave them."""

from __future__ import annotations

import shutil
from pathlib import Path

from vision.models import MANIFEST, MODELS_DIR

DAMAGES = ("truncated", "altered", "missing")


def copy_readers(folder: Path) -> None:
    """Copy the square readers, the shipped one and those of the folds, with what they need, to be damaged."""
    needed = [path for name in ("company.*", "kingdom.*", "classifier*") for path in sorted(MODELS_DIR.rglob(name))]
    for path in (MODELS_DIR / MANIFEST, *needed):
        copy = folder / path.relative_to(MODELS_DIR)
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(path, copy)


def damage(path: Path, how: str) -> None:
    """Cut a file in half, change one bit of it, or take it away."""
    content = bytearray(path.read_bytes())
    if how == "missing":
        path.unlink()
    elif how == "truncated":
        path.write_bytes(content[: len(content) // 2])
    else:
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
