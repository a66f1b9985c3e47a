"""Reading squares in company: what the other squares of a kingdom tell about a doubtful one.

One square alone does not tell whether it is wheat in a greenish light or grassland in a yellow one, nor whether dark
blue is a lake or the table. The sure squares of the same kingdom do: they lie in the same light, on the same table. A
small network (plain arrays, two hidden layers) looks at what was read of a square in itself, at how its colour and its
embedding compare with those of the squares read as each terrain, as the castle and as bare table, in all the kingdom
and close by, and corrects the reading. How it is trained is in ``vision.training.company``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.lattice import side_lengths
from vision.layers import Layers
from vision.models import MODELS_DIR
from vision.networks import softmax
from vision.readings import CELLS_OF_CLASSES

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MODEL = "company"

# Kinds of squares: the six terrains whatever their crowns, the castle, and bare table last.
_SYMBOLS = tuple(cell.symbol for cell in CELLS_OF_CLASSES)
KINDS = tuple(dict.fromkeys(symbol[0] for symbol in _SYMBOLS))
# Which kind each class belongs to (classes, kinds).
_MEMBERS = np.array([[float(symbol[0] == kind) for kind in KINDS] for symbol in _SYMBOLS])


@dataclass(frozen=True)
class CompanyConfig:
    """How squares are compared."""

    # Probabilities below this are all alike.
    least: float = 1e-6
    # A square speaks for a kind from this probability on.
    speaks: float = 0.6
    # The middle part of a crop whose colours are compared, as shares of its side.
    core: tuple[float, float] = (0.2, 0.8)
    # Added to 8-bit colours before their logarithm is taken.
    dark: float = 4.0
    # Lamps, shadows and reflections change from square to square: squares are also compared with those close by, which
    # count less the farther away they are (spreads, in squares).
    near: tuple[float, ...] = (1.0, 2.0)
    # Squares whose middles lie no farther apart than this touch at an edge.
    beside: float = 1.2
    # Sizes in the photo, in pixels, are told apart in these limits: above, the crops show no more for it.
    sizes: tuple[float, float] = (6.0, 64.0)


COMPANY = CompanyConfig()


@dataclass(frozen=True, eq=False)
class Seen:
    """The squares of one kingdom and its surroundings, as the square reader sees them.

    ``crops`` (n, side, side, 3), their corners ``quads`` (n, 4, 2) in the photo and their ``embeddings`` (n, m);
    ``tiles`` of them look like tiles; ``read`` (n, classes) as far as it is known of each by itself; ``raw`` and
    ``relit`` (n, classes) the means over all four sides, in the photo's light and in the usual one, which are asked of
    doubtful squares only.
    """

    crops: Pixels
    quads: Floats
    embeddings: npt.NDArray[np.float32]
    tiles: int
    read: Floats
    raw: Floats
    relit: Floats


@dataclass(frozen=True, eq=False)
class Company:
    """The trained network; what it says is added to the log of what was read."""

    layers: Layers

    @classmethod
    def load(cls, directory: Path = MODELS_DIR) -> Company:
        """The shipped network."""
        return cls(Layers.load(MODEL, directory, ("kinds", KINDS)))

    def corrected(self, seen: Seen, asked: Ints) -> Floats:
        """The probabilities (asked, classes) of the squares asked for."""
        return self.corrections(features(seen, asked), seen.read[asked])

    def corrections(self, looked_at: npt.NDArray[np.floating[Any]], read: Floats) -> Floats:
        """What was read (n, classes), corrected by the features that were looked at."""
        logits = log_of(read) + self.layers.outputs(looked_at)
        return softmax(logits)


def features(seen: Seen, asked: Ints) -> Floats:
    """What the network looks at, one row for each square asked for."""
    belongs = seen.read @ _MEMBERS
    speaks = np.where(belongs >= COMPANY.speaks, belongs, 0.0)
    colours, spreads = colours_of(seen.crops)
    length = np.linalg.norm(seen.embeddings, axis=1, keepdims=True)
    looks = np.asarray(seen.embeddings / np.maximum(length, 1e-6), np.float64)
    tiles = belongs.argmax(axis=1) != belongs.shape[1] - 1
    usual = colours[tiles].mean(axis=0) if tiles.any() else colours.mean(axis=0)
    share = belongs[tiles].mean(axis=0) if tiles.any() else np.zeros(belongs.shape[1])
    # Each square is compared with the others, never with itself.
    others = speaks.sum(axis=0) - speaks[asked]
    there = np.minimum(others, 1.0)
    means = _without(speaks, colours, asked) / np.maximum(others, 1e-9)[..., None]
    apart = (colours[asked][:, None] - means) * there[..., None]
    middles = _without(speaks, looks, asked)
    middles /= np.maximum(np.linalg.norm(middles, axis=2, keepdims=True), 1e-6)
    alike = (looks[asked][:, None] * middles).sum(axis=2) * there
    nearest = _nearest(looks, speaks, asked)
    count = len(asked)
    return np.concatenate(
        [
            log_of(seen.read[asked]),
            log_of(seen.raw[asked]),
            log_of(seen.relit[asked]),
            colours[asked] - usual,
            spreads[asked],
            np.tile(usual, (count, 1)),
            apart.reshape(count, 3 * len(KINDS)),
            np.log1p(others),
            there,
            alike,
            nearest,
            np.tile(share, (count, 1)),
            _close_by(seen.quads, asked, belongs, speaks, colours),
        ],
        axis=1,
    )


def _close_by(quads: Floats, asked: Ints, belongs: Floats, speaks: Floats, colours: Floats) -> Floats:
    """What lies around each square asked for: how its colour differs from that of each kind there, how much brighter
    or darker it is there than elsewhere, what touches it, and how large it is in the photo."""
    sides = side_lengths(quads)
    middles = quads.mean(axis=1)
    apart = np.linalg.norm(middles[asked][:, None] - middles[None], axis=-1)
    apart = apart / np.sqrt(np.maximum(sides[asked][:, None] * sides[None], 1e-9))
    # Nothing is close to itself.
    apart[np.arange(len(asked)), asked] = np.inf
    everywhere = (speaks.T @ colours) / np.maximum(speaks.sum(axis=0), 1e-9)[:, None]
    told = []
    for spread in COMPANY.near:
        weights = np.exp(-((apart / spread) ** 2) / 2)
        total = weights @ speaks
        means = np.einsum("an,nk,nc->akc", weights, speaks, colours, optimize=True)
        means /= np.maximum(total, 1e-9)[..., None]
        there = np.minimum(total, 1.0)
        lighter = ((means - everywhere) * total[..., None]).sum(axis=1) / np.maximum(total.sum(axis=1), 1e-9)[:, None]
        differs = (colours[asked][:, None] - means) * there[..., None]
        told += [
            differs.reshape(len(asked), 3 * len(KINDS)),
            there,
            lighter,
            np.log1p(total.sum(axis=1, keepdims=True)),
        ]
    touching = (apart < COMPANY.beside).astype(np.float64) @ belongs
    return np.concatenate([*told, touching, log_sizes(sides[asked])], axis=1)


def _without(speaks: Floats, values: Floats, asked: Ints) -> Floats:
    """The weighted sums (asked, kinds, …) of values over all squares but the one asked for."""
    total = speaks.T @ values
    return np.asarray(total[None] - speaks[asked][:, :, None] * values[asked][:, None])


def _nearest(looks: Floats, speaks: Floats, asked: Ints) -> Floats:
    """How alike the square of each kind is that looks most like the one asked for; 0 where there is none."""
    alike = looks[asked] @ looks.T
    alike[np.arange(len(asked)), asked] = 0.0
    return np.stack([(alike * (speaks[:, kind] > 0)).max(axis=1) for kind in range(speaks.shape[1])], axis=1)


def colours_of(crops: Pixels) -> tuple[Floats, Floats]:
    """The means and spreads of the logarithms of each crop's colours, in its middle."""
    low, high = (round(share * crops.shape[1]) for share in COMPANY.core)
    values = np.log(crops[:, low:high, low:high].astype(np.float32) + COMPANY.dark)
    return np.asarray(values.mean(axis=(1, 2)), np.float64), np.asarray(values.std(axis=(1, 2)), np.float64)


def log_sizes(sides: Floats) -> Floats:
    """The logarithms of squares' sizes in the photo, as far as they are told apart (n, 1)."""
    return np.asarray(np.log(np.clip(sides, *COMPANY.sizes))[:, None])


def log_of(probabilities: npt.NDArray[np.floating[Any]]) -> Floats:
    """Logarithms of probabilities, none of them endless."""
    return np.asarray(np.log(np.maximum(probabilities, COMPANY.least)), np.float64)
