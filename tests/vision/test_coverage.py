"""Whether a tile lies on a cell: all opinions on it and on its neighbours, weighed by a trained network."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.damage import DAMAGES, damage
from vision.classify import CLASSES, EMPTY_CLASS
from vision.coverage import COVERAGE, FEATURES, Coverage, Read, features
from vision.extent import CellScores
from vision.lattice import Cell
from vision.models import MODELS_DIR, ModelError, read_model

SIDE = 5
# The window has a ring of bare table around nine tiles.
CELLS: list[Cell] = [(x, y) for y in range(SIDE) for x in range(SIDE)]
TILES = [(x, y) for y in (1, 2, 3) for x in (1, 2, 3)]
MIDDLE = CELLS.index((2, 2))


def plane(tile: float, bare: float) -> np.ndarray:
    values = np.full((SIDE, SIDE), bare)
    values[1:4, 1:4] = tile
    return values


def scores() -> CellScores:
    """Nine tiles that the maps see clearly."""
    return CellScores(
        origin=(0, 0),
        tile=plane(0.99, 0.01),
        rim_tile=plane(0.97, 0.05),
        castle=plane(0.02, 0.02),
        visible=plane(1.0, 1.0),
        middle=plane(0.8, 0.02),
        corners=plane(0.8, 0.3),
        strange=plane(0.0, -0.6),
        shift=np.zeros((SIDE, SIDE, 2)),
        astray=plane(0.03, 0.0),
        turned=plane(1.0, 20.0),
    )


def read(bare: dict[Cell, float] | None = None) -> Read:
    """What the square reader says: wheat on the tiles, table elsewhere, but for the cells given."""
    likely = np.full((len(CELLS), len(CLASSES)), 1e-5)
    for index, cell in enumerate(CELLS):
        table = (bare or {}).get(cell, 0.001 if cell in TILES else 0.999)
        likely[index, EMPTY_CLASS] = table
        likely[index, CLASSES.index("w")] = 1 - table
    return Read(likely, likely, np.full(len(CELLS), 60.0))


def with_middle(name: str, value: float) -> CellScores:
    values = getattr(scores(), name).copy()
    values[2, 2] = value
    return replace(scores(), **{name: values})


@pytest.fixture(scope="module")
def coverage() -> Coverage:
    return Coverage.load()


def test_every_feature_has_a_name() -> None:
    assert features(scores(), CELLS, read()).shape == (len(CELLS), len(FEATURES))


def test_neighbours_are_told_least_likely_first_and_cells_not_asked_are_bare() -> None:
    corner, first = CELLS.index((1, 1)), FEATURES.index("neighbour 1")
    seen = features(scores(), CELLS, read())
    assert (np.diff(seen[:, first : first + 4], axis=1) >= 0).all()
    assert seen[MIDDLE, FEATURES.index("likely neighbours")] == 4
    assert seen[corner, FEATURES.index("likely neighbours")] == 2
    assert (seen[0, first : first + 2] == -COVERAGE.most_odds).all()


def test_clear_tiles_are_covered_and_clear_table_is_not(coverage: Coverage) -> None:
    odds = coverage.odds(scores(), CELLS, read())
    assert [cell for cell, value in zip(CELLS, odds, strict=True) if value > 0] == sorted(TILES, key=lambda c: c[::-1])


def test_a_gap_that_looks_and_reads_like_the_table_is_bare_though_the_maps_take_it_for_a_tile(
    coverage: Coverage,
) -> None:
    marked = with_middle("strange", -2.0)
    assert coverage.odds(marked, CELLS, read({(2, 2): 0.9999}))[MIDDLE] < 0
    # If it looks unlike the table and is read as a tile, it is one.
    assert coverage.odds(scores(), CELLS, read())[MIDDLE] > 0


def test_a_tile_that_the_maps_hardly_see_is_covered_where_it_is_read_surely(coverage: Coverage) -> None:
    faint = with_middle("middle", 0.3)
    assert coverage.odds(faint, CELLS, read())[MIDDLE] > coverage.odds(faint, CELLS, read({(2, 2): 0.9}))[MIDDLE]


def test_it_learnt_from_the_networks_that_ship() -> None:
    _, entry = read_model("coverage")
    networks = ("locator", "classifier", "company", "kingdom")
    assert entry["networks"] == [read_model(name)[1]["version"] for name in networks]


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_network_is_refused_with_advice(tmp_path: Path, how: str) -> None:
    for name in ("manifest.json", "coverage.npz"):
        shutil.copy(MODELS_DIR / name, tmp_path / name)
    damage(tmp_path / "coverage.npz", how)
    with pytest.raises(ModelError, match=r"coverage\.npz.*vision\.training extent"):
        Coverage.load(directory=tmp_path)
