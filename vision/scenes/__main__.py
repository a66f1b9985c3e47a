"""`python -m vision.scenes samples` renders the photos that ship; `... sheet OUT` a contact sheet of random scenes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np

from engine import KingdominoError

from .art import OwnArt
from .errors import SceneError
from .real import RealTiles
from .rolled import random_scene
from .samples import SAMPLE_DIR, write_samples
from .sources import TileSource
from .texture import Picture

_COLUMNS, _ROWS = 6, 4
_SIDE = 512
_SHOWN = 320
_BORDER = 4
_REPOSITORY = SAMPLE_DIR.parent


def contact_sheet(source: TileSource, seed: int = 0) -> Picture:
    """24 random scenes side by side."""
    thumbs = []
    for number in range(_COLUMNS * _ROWS):
        scene = random_scene(seed + number, source, size=_SIDE)
        small = cv2.resize(scene.image, (_SHOWN, _SHOWN), interpolation=cv2.INTER_AREA)
        thumbs.append(cv2.copyMakeBorder(small, *(_BORDER,) * 4, cv2.BORDER_CONSTANT, value=(255, 255, 255)))
    return np.vstack([np.hstack(thumbs[r * _COLUMNS : (r + 1) * _COLUMNS]) for r in range(_ROWS)])


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m vision.scenes", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    samples = commands.add_parser("samples", help="render the photos that ship, from their seeds")
    samples.add_argument("out", nargs="?", type=Path, default=SAMPLE_DIR)
    sheet = commands.add_parser("sheet", help="24 random scenes on one picture")
    sheet.add_argument("out", type=Path)
    sheet.add_argument("--source", choices=("own", "real"), default="own")
    sheet.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    try:
        if options.command == "samples":
            for path in write_samples(options.out):
                print(path.name, f"{path.stat().st_size / 1e6:.2f} MB")
        else:
            _write_sheet(options.out, options.source, options.seed)
    except KingdominoError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _write_sheet(out: Path, source: str, seed: int) -> None:
    if source == "real" and out.resolve().is_relative_to(_REPOSITORY):
        raise SceneError(f"expected a file outside the project for pictures with real tiles, got {out}")
    picture = contact_sheet(RealTiles() if source == "real" else OwnArt(), seed)
    if not cv2.imwrite(str(out), picture):
        raise SceneError(f"expected a picture file that can be written, got {out}")
    print(out)


if __name__ == "__main__":
    sys.exit(main())
