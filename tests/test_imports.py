"""The import column of the table in docs/design.md, checked on the source of every module."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

ENGINE = {"engine"}
VISION = ENGINE | {"vision", "cv2", "numpy", "scipy", "sklearn", "PIL", "pillow_heif", "tqdm"}
TRAINING = VISION | {"torch", "matplotlib", "onnx"}
STORE = ENGINE | {"store", "sqlalchemy", "alembic"}
UI = VISION | STORE | {"ui", "streamlit", "altair", "segno"}

# The longest matching prefix decides which row of the table a module belongs to.
ROOMS = {
    "engine": ENGINE,
    "vision": VISION,
    "vision/training": TRAINING,
    "store": STORE,
    "ui": UI,
    "app.py": UI,
}


def room_of(path: Path) -> str:
    """The row of the table that a module, given relative to the project, belongs to."""
    places = [room for room in ROOMS if path == Path(room) or Path(room) in path.parents]
    return max(places, key=len)


def modules() -> list[Path]:
    """Every Python module of the program, relative to the project."""
    found = [ROOT / "app.py"] if (ROOT / "app.py").exists() else []
    for room in ("engine", "vision", "store", "ui"):
        found += (ROOT / room).rglob("*.py")
    return sorted(path.relative_to(ROOT) for path in found)


def imported(source: str, path: Path) -> Iterator[tuple[int, str]]:
    """Line and absolute name of everything a module imports, anywhere in it, by statement or call."""
    package = path.parent.parts
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            stem = ".".join((*base, *filter(None, [node.module])))
            for alias in node.names:
                yield node.lineno, f"{stem}.{alias.name}" if stem else alias.name
        elif isinstance(node, ast.Call) and _called(node) in {"import_module", "__import__"} and node.args:
            if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
                yield node.lineno, node.args[0].value
            else:
                yield node.lineno, "<a name worked out at run time>"


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def breaches(source: str, path: Path) -> list[str]:
    """What a module imports against the table, one line each."""
    room = room_of(path)
    allowed = ROOMS[room] | set(sys.stdlib_module_names)
    found = []
    for line, name in imported(source, path):
        if name.split(".")[0] not in allowed:
            found.append(f"{path}:{line} imports {name}, which {room} may not")
        elif room != "vision/training" and f"{name}.".startswith("vision.training."):
            found.append(f"{path}:{line} imports {name}, which only vision/training may")
    return found


@pytest.mark.parametrize("path", modules(), ids=str)
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    assert breaches((ROOT / path).read_text(encoding="utf-8"), path) == []


@pytest.mark.parametrize(
    "path, source",
    [
        ("engine/score.py", "import numpy"),
        ("engine/score.py", "from vision import recognize"),
        ("engine/score.py", "def f():\n    import sqlalchemy.orm"),
        ("engine/score.py", "import importlib\nimportlib.import_module('numpy')"),
        ("engine/score.py", "import importlib\nname = 'numpy'\nimportlib.import_module(name)"),
        ("vision/locate.py", "import torch"),
        ("vision/locate.py", "import matplotlib.pyplot as plt"),
        ("vision/locate.py", "import streamlit"),
        ("vision/locate.py", "from store import Game"),
        ("vision/locate.py", "from . import training"),
        ("vision/locate.py", "from .training.nets import Net"),
        ("vision/locate.py", "from vision.training import nets"),
        ("vision/scenes/art.py", "from ..training import nets"),
        ("store/games.py", "import vision"),
        ("store/games.py", "import cv2"),
        ("ui/board.py", "import torch"),
        ("app.py", "import vision.training.nets"),
    ],
)
def test_an_import_against_the_table_is_noticed(path: str, source: str) -> None:
    assert len(breaches(source, Path(path))) == 1


@pytest.mark.parametrize(
    "path, source",
    [
        ("engine/score.py", "from __future__ import annotations\nimport re\nfrom .kingdom import Kingdom"),
        (
            "vision/locate.py",
            "import cv2, numpy\nfrom scipy import ndimage\nfrom engine import Kingdom",
        ),
        ("vision/training/nets.py", "import torch\nfrom vision.scenes import compose\nfrom . import data"),
        ("store/games.py", "from sqlalchemy.orm import Session\nfrom engine import Kingdom"),
        (
            "ui/pages/score.py",
            "import streamlit\nfrom ..board import draw\nimport vision, store, engine",
        ),
        ("app.py", "import streamlit as st\nfrom ui.pages import score"),
    ],
)
def test_an_import_by_the_table_is_allowed(path: str, source: str) -> None:
    assert breaches(source, Path(path)) == []


def test_every_room_of_the_program_is_looked_at() -> None:
    seen = {room_of(path).split("/")[0] for path in modules()}
    assert seen >= {room for room in ("engine", "vision", "ui", "app.py") if (ROOT / room).exists()}
