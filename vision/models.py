"""The trained models in ``models/``: finding them, checking them, recording them.

A model is one or more files and one entry in ``models/manifest.json``. Nothing is used before its checksum has
been compared with the entry. What the weights mean is known to ``vision.classify`` and ``vision.locate``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import cv2

from engine import KingdominoError

Made = TypeVar("Made")

MODELS_DIR = Path(__file__).resolve().parent.parent / "models"
MANIFEST = "manifest.json"
# Photographers and games are divided into three; the model of a fold never saw the photographs of that third.
FOLDS = (1, 2, 3)

REMEDY = "Restore the folder 'models' from the project's repository, or train again with '{command}'."
# What trains a model again, by the part of its name that comes first; the others come from ``make train``.
COMMANDS = {
    "folds/": "make folds",
    "company": "python -m vision.training company",
    "kingdom": "python -m vision.training kingdom",
    "coverage": "python -m vision.training extent",
    "castle_colour": "python -m vision.training castle",
}


class ModelError(KingdominoError):
    """A trained model is missing, damaged or not the one the manifest describes."""


def remedy_for(name: str) -> str:
    """What to do about a model that cannot be used."""
    command = next((command for start, command in COMMANDS.items() if name.startswith(start)), "make train")
    return REMEDY.format(command=command)


def read_model(name: str, directory: Path = MODELS_DIR) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The checked files of a model by file name, and its entry in the manifest.

    ``name`` is the key of the entry, such as ``classifier`` or ``folds/classifier_1``.
    """
    remedy = remedy_for(name)
    entry = _entry(name, directory, remedy)
    files: dict[str, bytes] = {}
    for file_name, record in entry["files"].items():
        path = directory / file_name
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ModelError(f"The model file {file_name} cannot be read ({error.strerror}). {remedy}") from error
        found = hashlib.sha256(content).hexdigest()
        if found != record["sha256"]:
            raise ModelError(
                f"The model file {file_name} is damaged or altered: expected {record['bytes']} bytes with"
                f" sha256 {record['sha256'][:12]}…, got {len(content)} bytes with {found[:12]}…. {remedy}"
            )
        files[file_name] = content
    return files, entry


def load_model(
    kind: str,
    fold: int | None,
    directory: Path,
    told: tuple[str, Sequence[str]],
    make: Callable[[str, dict[str, bytes], str], Made],
) -> Made:
    """A model of a kind, the shipped one or that of a fold, made from its name, its files and its version.

    ``told`` is the key under which its entry lists what its outputs mean, and what this program expects there.
    """
    name = kind if fold is None else f"folds/{kind}_{fold}"
    files, entry = read_model(name, directory)
    key, expected = told
    found = entry.get(key, ())
    if tuple(found) != tuple(expected):
        raise ModelError(
            f"The model '{name}' was trained for other {key}: expected {' '.join(expected)}, got {' '.join(found)}."
            f" {remedy_for(name)}"
        )
    try:
        return make(name, files, str(entry.get("version", "")))
    except (KeyError, ValueError, OSError, cv2.error) as error:
        raise ModelError(
            f"The model '{name}' cannot be used by this version of the program: {error}. {remedy_for(name)}"
        ) from error


def write_model(name: str, files: Mapping[str, bytes], entry: Mapping[str, Any], directory: Path = MODELS_DIR) -> None:
    """Write the files of a model and its entry in the manifest; other entries are kept."""
    records: dict[str, dict[str, Any]] = {}
    for file_name, content in sorted(files.items()):
        path = directory / file_name
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, content)
        records[file_name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    manifest_path = directory / MANIFEST
    manifest = json.loads(manifest_path.read_text("utf-8")) if manifest_path.exists() else {"models": {}}
    manifest["models"][name] = {"files": records, **entry}
    manifest["models"] = dict(sorted(manifest["models"].items()))
    _replace(manifest_path, (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode())


def _entry(name: str, directory: Path, remedy: str) -> dict[str, Any]:
    path = directory / MANIFEST
    try:
        entry = json.loads(path.read_text("utf-8"))["models"][name]
        for record in entry["files"].values():
            str(record["sha256"]), int(record["bytes"])
    except OSError as error:
        raise ModelError(f"The list of models {path.name} cannot be read ({error.strerror}). {remedy}") from error
    except KeyError as error:
        raise ModelError(f"The list of models {path.name} has no entry {error} for '{name}'. {remedy}") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise ModelError(f"The list of models {path.name} is not valid: {error}. {remedy}") from error
    return dict(entry)


def _replace(path: Path, content: bytes) -> None:
    """Write a file so that a kill in between leaves the old one."""
    partial = path.with_name(path.name + ".part")
    partial.write_bytes(content)
    os.replace(partial, path)
