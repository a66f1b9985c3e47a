"""The colour of a castle: whose kingdom a photograph shows.

A starting tile is a pavement of grey-brown stones with a crown and a rim in the player's colour. What is measured is
how far each pixel's colour lies from that of the stones around the crown, so the light of the room hardly matters.
A small linear model, trained by ``vision.training.castle``, tells the colour; where it is not sure there is no answer,
because a kingdom given to the wrong player is worse than one that nobody is suggested for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from vision.models import ModelError, read_model
from vision.networks import softmax
from vision.rectify import cut_squares

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
CastleColour = Literal["pink", "yellow", "green", "blue"]

COLOURS: tuple[CastleColour, ...] = get_args(CastleColour)
MODEL = "castle_colour"
MODEL_FILE = "castle_colour.json"


@dataclass(frozen=True)
class ColourConfig:
    """How the colour of a castle is measured, and when it is told."""

    # Side of the crop in pixels. There is no margin: what lies beside the tile has colours of its own.
    side: int = 64
    # Added to each channel, so that the noise of black pixels has no colour; about the noise of a dim phone photo.
    dark: float = 8.0
    # The stones are looked for in this ring, as shares of the side from the edge: on the eight photographed
    # starting tiles the coloured rim ends at 0.08 and the body of the crown begins at 0.2.
    stones: tuple[float, float] = (0.10, 0.20)
    # The rim, what lies between, and the middle of the crown are counted apart; distances from the edge.
    zones: tuple[float, ...] = (0.0, 0.10, 0.30)
    # Directions in which a colour can differ from the stones, and the two strengths that are counted apart. Less
    # than the first is stone: two thirds of the pixels of the ring do, on flat tiles of real kingdoms.
    directions: int = 12
    strengths: tuple[float, float] = (0.08, 0.25)
    # A ground with so much less red than green, and less blue, is no pavement, but the grass of an edition whose
    # starting tiles have no crown: 0.16 and 0.25 less on its two photos. Stones reach 0.07 on all other real pictures.
    grassy: float = 0.12
    # The least probability with which a colour is told. Of the real castles read by models that had not seen them,
    # flat or standing in a whole kingdom, none was wrong above it; see the manifest for the figures.
    sure: float = 0.8


CONFIG = ColourConfig()


@dataclass(frozen=True, eq=False)
class ColourModel:
    """Weights (kinds, features) and biases; several kinds of castles may share a colour, such as flat and standing."""

    colours: tuple[CastleColour, ...]
    weights: Floats
    biases: Floats

    def __post_init__(self) -> None:
        expected = (len(self.colours), feature_count())
        if self.weights.shape != expected or self.biases.shape != expected[:1] or set(self.colours) - set(COLOURS):
            raise ModelError(
                f"The model of castle colours does not fit: expected weights of shape {expected} for {COLOURS},"
                f" got {self.weights.shape} for {sorted(set(self.colours))}."
            )

    def probabilities(self, features: Floats) -> Floats:
        """The probability of each of ``COLOURS`` for each row of features."""
        shares = softmax(features @ self.weights.T + self.biases)
        of_kind = np.array([[colour == each for each in COLOURS] for colour in self.colours], np.float64)
        return np.asarray(shares @ of_kind)

    def tell(self, crop: Pixels) -> CastleColour | None:
        """The colour of the castle on a crop without margin; None where it is not sure."""
        chances = self.probabilities(features_of(crop)[None])[0]
        best = int(chances.argmax())
        # Seen from grass everything grey looks pink, so there only a castle that is greener still is believed.
        believed = paved(crop) or COLOURS[best] == "green"
        return COLOURS[best] if believed and chances[best] >= CONFIG.sure else None

    def as_json(self) -> bytes:
        """The model as the text of its file."""
        rows = [[round(float(value), 4) for value in row] for row in self.weights]
        biases = [round(float(value), 4) for value in self.biases]
        return (json.dumps({"colours": self.colours, "biases": biases, "weights": rows}) + "\n").encode()

    @classmethod
    def from_json(cls, content: bytes) -> ColourModel:
        """Read what ``as_json`` gave."""
        data = json.loads(content)
        return cls(tuple(data["colours"]), np.array(data["weights"], float), np.array(data["biases"], float))


@lru_cache(maxsize=1)
def load_colour_model() -> ColourModel:
    """The shipped model, checked against the manifest; loaded once in a process."""
    files, _entry = read_model(MODEL)
    return ColourModel.from_json(files[MODEL_FILE])


def castle_colour(image: Pixels, quad: npt.ArrayLike) -> CastleColour | None:
    """The colour of the castle whose square has these corners in a BGR image; None where it is not sure."""
    return load_colour_model().tell(cut_castle(image, quad))


def cut_castle(image: Pixels, quad: npt.ArrayLike) -> Pixels:
    """The crop of a castle's square; only the part of the image around it is touched."""
    corners = np.asarray(quad, np.float64)
    low = np.clip(np.floor(corners.min(axis=0)) - 1, 0, [image.shape[1] - 1, image.shape[0] - 1]).astype(int)
    high = np.maximum(np.ceil(corners.max(axis=0)).astype(int) + 1, low + 1)
    part = image[low[1] : high[1], low[0] : high[0]]
    return np.asarray(cut_squares(part, (corners - low)[None], CONFIG.side, 0.0)[0])


def feature_count() -> int:
    """How many numbers describe a castle."""
    return len(CONFIG.zones) * len(CONFIG.strengths) * CONFIG.directions


def paved(crop: Pixels) -> bool:
    """Whether the ground around the crown can be stones; grass cannot."""
    _colour, (red, blue) = _seen_from_stones(crop)
    return bool(red > -CONFIG.grassy or blue > 0)


def features_of(crop: Pixels) -> Floats:
    """How often each direction and strength of colour, seen from the stones, occurs in each zone of a crop."""
    colour, _stones = _seen_from_stones(crop)
    _ring, zones = _masks(crop.shape[0])
    strength = np.hypot(colour[..., 0], colour[..., 1])
    turn = np.arctan2(colour[..., 1], colour[..., 0]) / (2 * np.pi) * CONFIG.directions
    counts = []
    for zone in zones:
        for least, most in zip(CONFIG.strengths, (*CONFIG.strengths[1:], np.inf), strict=True):
            chosen = zone & (strength > least) & (strength <= most)
            counts.append(_histogram(turn[chosen]) / np.count_nonzero(zone))
    return np.sqrt(np.concatenate(counts))


def _seen_from_stones(crop: Pixels) -> tuple[Floats, Floats]:
    """The colour of each pixel less that of the stones, and that of the stones: red and blue over green."""
    logs = np.log(crop.astype(np.float64) + CONFIG.dark)
    # In ratios brightness drops out, and the light of the room becomes a shift.
    colour = np.stack([logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]], axis=-1)
    ring, _zones = _masks(crop.shape[0])
    stones = np.median(colour[ring], axis=0)
    return colour - stones, stones


def _histogram(turns: Floats) -> Floats:
    """How many lie at each direction; what lies between two is shared by both."""
    below = np.floor(turns)
    share = turns - below
    first = below.astype(int) % CONFIG.directions
    second = (first + 1) % CONFIG.directions
    counts = np.bincount(first, 1 - share, CONFIG.directions) + np.bincount(second, share, CONFIG.directions)
    return np.asarray(counts, np.float64)


@lru_cache(maxsize=2)
def _masks(side: int) -> tuple[npt.NDArray[np.bool_], Sequence[npt.NDArray[np.bool_]]]:
    """Where the stones are looked for, and the zones from the edge inwards."""
    place = (np.arange(side) + 0.5) / side
    from_edge = np.minimum(place, 1 - place)
    depth = np.minimum(from_edge[:, None], from_edge[None, :])
    stones = (depth > CONFIG.stones[0]) & (depth < CONFIG.stones[1])
    ends = (*CONFIG.zones[1:], 1.0)
    return stones, tuple((depth >= start) & (depth < end) for start, end in zip(CONFIG.zones, ends, strict=True))
