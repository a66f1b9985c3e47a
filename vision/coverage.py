"""Whether a cell of a grid is covered by a tile: what the maps, the square reader and the cells around it say together.

A small trained network (``vision.layers``) looks at all opinions on a cell, at those on its neighbours and at how
clearly the kingdom is seen as a whole. How it is trained is in ``vision.training.extent``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.extent import EXTENT, CellScores, first_odds, log_odds, opinions
from vision.lattice import Cell, Floats
from vision.layers import Layers
from vision.models import MODELS_DIR

MODEL = "coverage"

# What is said of a cell, in this order: by the maps and by how it looks (``opinions``), by the maps besides, by the
# square reader; then the first judgement of its four neighbours, least likely first, of those at its corners in the
# mean, and how many neighbours are likely tiles; then, the same for all cells, how clear the likely tiles are.
FEATURES = (
    *("tile", "middle", "corners", "class", "unlike the table"),
    *("tile to the rim", "castle", "visible", "astray", "turned"),
    *("castle read", "best terrain read", "class at a glance"),
    *("neighbour 1", "neighbour 2", "neighbour 3", "neighbour 4", "diagonal neighbours", "likely neighbours"),
    *("tiles of all", "middles of all", "judgement of all", "size", "middle to those of all"),
)


@dataclass(frozen=True)
class CoverageConfig:
    """How opinions are cut off."""

    # First judgements count no more than this; cells that were not asked are bare.
    most_odds: float = 8.0
    # What lies farther than this from its place, in squares, is astray all the same.
    most_astray: float = 0.5
    # The least that middles are taken to be marked in the mean.
    least_middle: float = 0.05
    # On tiles that it did not learn from the network is too sure: so much of its log-odds is believed.
    believed: float = 0.7


COVERAGE = CoverageConfig()

BESIDE = ((-1, 0), (1, 0), (0, -1), (0, 1))
DIAGONAL = ((-1, -1), (1, -1), (-1, 1), (1, 1))


@dataclass(frozen=True, eq=False)
class Read:
    """What the square reader says of cells: at a glance and after a careful look (n, classes); and their sides."""

    glance: Floats
    careful: Floats
    sides: Floats


@dataclass(frozen=True, eq=False)
class Coverage:
    """The trained network; it says the log-odds that a cell is covered."""

    layers: Layers

    @classmethod
    def load(cls, directory: Path = MODELS_DIR) -> Coverage:
        """The shipped network."""
        return cls(Layers.load(MODEL, directory, ("features", FEATURES)))

    def odds(self, scores: CellScores, cells: Sequence[Cell], read: Read) -> Floats:
        """The log-odds that cells of the window (x, y) are covered by tiles."""
        return COVERAGE.believed * self.layers.outputs(features(scores, cells, read))[:, 0]


def features(scores: CellScores, cells: Sequence[Cell], read: Read) -> Floats:
    """What the network looks at: one row for each cell, ``FEATURES`` long."""
    x, y = np.asarray(cells, int).reshape(-1, 2).T
    *terrain, castle, bare = read.careful.T
    said = opinions(scores, cells, bare)
    odds = np.clip(first_odds(said), -COVERAGE.most_odds, COVERAGE.most_odds)
    beside = np.sort(_around(cells, odds, BESIDE), axis=1)
    tile, middle = scores.tile[y, x], scores.middle[y, x]
    likely = odds > 0
    usual_middle = _mean(middle[likely])
    of_all = (_mean(tile[likely]), usual_middle, _median(odds[likely]), float(np.log(_median(read.sides))))
    columns = [
        *said.T,
        scores.rim_tile[y, x],
        scores.castle[y, x],
        scores.visible[y, x],
        np.minimum(scores.astray[y, x], COVERAGE.most_astray),
        scores.turned[y, x],
        castle,
        np.max(terrain, axis=0),
        log_odds(1 - read.glance[:, -1], EXTENT.class_cap),
        *beside.T,
        _around(cells, odds, DIAGONAL).mean(axis=1),
        (beside > 0).sum(axis=1),
        *(np.full(len(x), value) for value in of_all),
        middle / max(usual_middle, COVERAGE.least_middle),
    ]
    return np.stack(columns, axis=1)


def _around(cells: Sequence[Cell], odds: Floats, steps: Sequence[Cell]) -> Floats:
    """The odds of the cells at these steps from each cell (n, steps)."""
    known = {cell: float(value) for cell, value in zip(cells, odds, strict=True)}
    bare = -COVERAGE.most_odds
    return np.array([[known.get((x + right, y + down), bare) for right, down in steps] for x, y in cells])


def _mean(values: npt.NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _median(values: npt.NDArray[np.float64]) -> float:
    return float(np.median(values)) if len(values) else 0.0
