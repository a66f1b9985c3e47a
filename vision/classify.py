"""Reading one square: which of the 18 classes a crop shows, and how sure that is.

A small convolutional network (ONNX, run by OpenCV) turns a crop into an embedding; a linear head turns that into
calibrated probabilities. Squares of one kingdom are read together, because they tell about each other
(``vision.company``, ``vision.kingdom_reader``). The reader that ships asks the readers of the folds about doubtful
squares too, and takes the mean: they learnt from other examples and err elsewhere. Cutting the crops is
``vision.rectify``, training is ``vision.training``, and making one kingdom of many squares is ``vision.decode``.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from engine import CASTLE, EMPTY, SQUARES
from vision.company import Company, Seen, log_of
from vision.kingdom_reader import KingdomReader
from vision.models import FOLDS, MODELS_DIR, load_model
from vision.networks import PictureNet, softmax
from vision.rectify import CROP

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

# The symbols of the classes, in the order of the columns of every probability array.
CLASSES: tuple[str, ...] = (*(square.symbol for square in SQUARES), CASTLE.symbol, EMPTY.symbol)
CASTLE_CLASS, EMPTY_CLASS = CLASSES.index(CASTLE.symbol), CLASSES.index(EMPTY.symbol)


@dataclass(frozen=True)
class ReadingConfig:
    """How crops are run through the network."""

    # A square whose best class is less likely than this at first sight is compared with the others of its kingdom. With
    # 0.999 in place of 0.995 302 of the scenes named below were right instead of 298, and of the squares read with 0.99
    # or more 7 were wrong instead of 24 (the networks that compare were others then).
    compared: float = 0.999
    # One that is less likely than this is looked at from all four sides, ...
    second_look: float = 0.995
    # ... and, where so many tiles or more of one kingdom are seen together, in the light in which they have this mean
    # colour (BGR), that of tiles in composed scenes. No channel becomes darker or lighter by more than the factor.
    usual_colour: tuple[float, float, float] = (78.0, 121.0, 126.0)
    fewest_tiles: int = 5
    most_relit: float = 3.0
    # How much the reader of whole kingdoms counts beside the company. Of 351 composed scenes of tiles not trained on,
    # what four readers said in the end, mixed by this share, was right of all cells in 313 with 0.5, 317 with 0.75 and
    # 315 with 1; of 261 drawn ones in 242, 241 and 241.
    whole_kingdom: float = 0.75
    # A square whose best class is less likely than this after all that is shown to the other readers too.
    ask_others: float = 0.99
    # Crops per pass, so that many crops do not need much memory.
    batch: int = 64


READING = ReadingConfig()


@dataclass(frozen=True, eq=False)
class Head:
    """A multinomial logistic regression over embeddings, softened by a temperature."""

    weights: Floats
    bias: Floats
    temperature: float

    def logits(self, embeddings: npt.NDArray[np.floating[Any]]) -> Floats:
        """Uncalibrated logits of shape (n, classes)."""
        return np.asarray(embeddings, np.float64) @ self.weights + self.bias

    def to_bytes(self) -> bytes:
        """The head as an .npz file of plain arrays."""
        stream = io.BytesIO()
        np.savez(stream, weights=self.weights, bias=self.bias, temperature=np.array(self.temperature, np.float64))
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Head:
        """Read what ``to_bytes`` wrote; pickled content is refused."""
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return cls(arrays["weights"], arrays["bias"], float(arrays["temperature"]))


@dataclass(frozen=True, eq=False)
class Glance:
    """Crops at first sight: as the network's input (n, side, side, 3), their embeddings and class probabilities.

    ``quads`` (n, 4, 2) are their corners in the photo, where they are known; squares are read together by them.
    """

    pictures: Pixels
    embeddings: npt.NDArray[np.float32]
    probabilities: Floats
    quads: Floats | None = None

    @property
    def doubtful(self) -> Ints:
        """Which of them are worth a second look."""
        return np.flatnonzero(self.probabilities.max(axis=1) < READING.second_look)

    @property
    def compared(self) -> Ints:
        """Which of them are worth comparing with the others."""
        return np.flatnonzero(self.probabilities.max(axis=1) < READING.compared)


@dataclass(frozen=True, eq=False)
class Together:
    """The two networks that compare the squares of a kingdom."""

    company: Company
    kingdom: KingdomReader

    def corrected(self, seen: Seen, asked: Ints, looks: Singles | None = None) -> Floats:
        """What both say of the squares asked for: the mean of the logarithms of their probabilities."""
        share = READING.whole_kingdom
        said = (1 - share) * log_of(self.company.corrected(seen, asked))
        return softmax(said + share * log_of(self.kingdom.corrected(seen, asked, looks)))


class Classifier:
    """A network and its head, ready to read squares, and the readers whose opinion it asks when in doubt.

    Not to be shared by threads.
    """

    def __init__(self, network: bytes, head: Head, version: str = "unsaved") -> None:
        self.head = head
        self.version = version
        self.together: Together | None = None
        self.others: tuple[Classifier, ...] = ()
        self._net = PictureNet(network, READING.batch)

    @classmethod
    def load(
        cls,
        fold: int | None = None,
        directory: Path = MODELS_DIR,
        in_company: bool = True,
        together: Together | None = None,
    ) -> Classifier:
        """The shipped classifier, or the one of a fold, which never saw the photographs of that fold.

        Without ``in_company`` it is the bare reader: squares of one kingdom are not compared with each other, and no
        other reader is asked. ``together`` is what compares them, if it is loaded already.
        """
        classifier = load_model("classifier", fold, directory, ("classes", CLASSES), cls._from_files)
        if in_company:
            together = together or Together(Company.load(directory), KingdomReader.load(directory))
            classifier.together = together
            # The reader of a fold is alone: the others have seen the photographs that it has not.
            classifier.others = () if fold else tuple(cls.load(o, directory, together=together) for o in FOLDS)
        return classifier

    @classmethod
    def _from_files(cls, name: str, files: dict[str, bytes], version: str) -> Classifier:
        return cls(files[f"{name}.onnx"], Head.from_bytes(files[f"{name}_head.npz"]), version)

    def at_a_glance(self, crops: Pixels | Sequence[npt.NDArray[Any]], quads: Floats | None = None) -> Glance:
        """Crops by one look only: quick, and less exact. ``quads`` are needed where they are then read together."""
        if len(crops) == 0:
            side = CROP.size
            nothing = np.zeros((0, len(CLASSES)))
            return Glance(np.zeros((0, side, side, 3), np.uint8), np.zeros((0, 0), np.float32), nothing, quads)
        pictures = _as_inputs(crops)
        embeddings = self.embeddings(pictures)
        return Glance(pictures, embeddings, self._calibrated(self.head.logits(embeddings)), quads)

    def probabilities(self, crops: Pixels | Sequence[npt.NDArray[Any]]) -> Floats:
        """The probability of each class for each crop, shape (n, 18), rows summing to 1.

        Crops are uint8 BGR pictures of any size, framed as ``cut_squares`` frames them. Each is read by itself.
        """
        glance = self.at_a_glance(crops)
        read, doubtful = glance.probabilities.copy(), glance.doubtful
        if len(doubtful):
            read[doubtful] = self._from_all_sides(glance.pictures[doubtful], read[doubtful])
        return self._with_others(read, lambda other, asked: other.probabilities(glance.pictures[asked]))

    def probabilities_together(self, crops: Pixels | Sequence[npt.NDArray[Any]], quads: Floats) -> Floats:
        """The same for crops of one kingdom and its surroundings, as ``read_thoroughly`` reads them."""
        return self.read_thoroughly(self.at_a_glance(crops, quads))

    def read_thoroughly(self, glance: Glance) -> Floats:
        """As ``read_together``, with the mean of what this and the other readers say about those still in doubt."""
        looks = self._looks(glance)

        # Another reader glances at the whole kingdom with its own eyes and looks closely at the squares in doubt here.
        def opinion(other: Classifier, asked: Ints) -> Floats:
            return other.read_together(other.at_a_glance(glance.pictures, glance.quads), asked, looks)[asked]

        return self._with_others(self.read_together(glance, looks=looks), opinion)

    def _looks(self, glance: Glance) -> Singles | None:
        """What the crops look like to the reader of whole kingdoms, where it is asked."""
        if self.together is None or len(glance.compared) == 0:
            return None
        return self.together.kingdom.looks(glance.pictures)

    def _with_others(self, read: Floats, opinion: Callable[[Classifier, Ints], Floats]) -> Floats:
        """What was read, with the mean of all opinions about the squares that are still in doubt."""
        asked = np.flatnonzero(read.max(axis=1) < READING.ask_others)
        if len(asked) == 0 or not self.others:
            return read
        heard = read.copy()
        heard[asked] = np.mean([read[asked], *(opinion(other, asked) for other in self.others)], axis=0)
        return heard

    def read_together(self, glance: Glance, asked: Ints | None = None, looks: Singles | None = None) -> Floats:
        """What crops of one kingdom show: doubtful ones are looked at again, and all but the sure ones are compared.

        Where only some are asked for, no other is looked at again. ``looks`` are ``KingdomReader.looks``, if they are
        known already.
        """
        doubtful, compared = glance.doubtful, glance.compared
        if asked is not None:
            doubtful, compared = np.intersect1d(doubtful, asked), np.intersect1d(compared, asked)
        if len(compared) == 0:
            return glance.probabilities
        seen = self.seen_together(glance, doubtful)
        read = seen.read.copy()
        if self.together is not None and seen.tiles >= READING.fewest_tiles:
            read[compared] = self.together.corrected(seen, compared, looks)
        return read

    def seen_together(self, glance: Glance, doubtful: Ints) -> Seen:
        """Crops of one kingdom with what is seen of the doubtful ones from all sides and in the usual light."""
        if glance.quads is None:
            raise ValueError("expected the corners of squares that are read together")
        pictures = glance.pictures[doubtful]
        read, raw, relit = glance.probabilities.copy(), glance.probabilities.copy(), glance.probabilities.copy()
        tiles = glance.pictures[glance.probabilities.argmax(axis=1) != EMPTY_CLASS]
        if len(doubtful):
            raw[doubtful] = relit[doubtful] = self._from_all_sides(pictures, read[doubtful])
            if len(tiles) >= READING.fewest_tiles:
                relit[doubtful] = self._from_all_sides(_in_usual_light(tiles, pictures))
            read[doubtful] = (raw[doubtful] + relit[doubtful]) / 2
        return Seen(glance.pictures, glance.quads, glance.embeddings, len(tiles), read, raw, relit)

    def _from_all_sides(self, pictures: Pixels, upright: Floats | None = None) -> Floats:
        """The mean of what is read of pictures turned all four ways; what is read of them as they are may be known."""
        first = self._calibrated(self.logits(pictures)) if upright is None else upright
        turned = [np.rot90(pictures, turns, axes=(1, 2)) for turns in (1, 2, 3)]
        return np.asarray(np.mean([first, *(self._calibrated(self.logits(view)) for view in turned)], axis=0))

    def _calibrated(self, logits: Floats) -> Floats:
        return softmax(logits / self.head.temperature)

    def logits(self, pictures: Pixels) -> Floats:
        """Uncalibrated logits of pictures of the network's input size, each seen once."""
        return self.head.logits(self.embeddings(pictures))

    def embeddings(self, pictures: Pixels) -> npt.NDArray[np.float32]:
        """The network's output for pictures of its input size."""
        return self._net.outputs(pictures)


def _as_inputs(crops: Pixels | Sequence[npt.NDArray[Any]]) -> Pixels:
    return np.stack([_as_input(crop) for crop in crops])


def _as_input(crop: npt.NDArray[Any]) -> Pixels:
    """A crop as three channels of the network's input size; grey is spread, alpha is dropped."""
    picture = np.asarray(crop)
    if picture.dtype != np.uint8:
        raise ValueError(f"expected a crop of 8-bit pixels, got {picture.dtype}")
    if picture.ndim not in (2, 3) or picture.size == 0 or (picture.ndim == 3 and picture.shape[2] not in (1, 3, 4)):
        raise ValueError(f"expected a crop of 1, 3 or 4 channels, got an array of shape {picture.shape}")
    if picture.ndim == 2 or picture.shape[2] == 1:
        picture = cv2.cvtColor(np.ascontiguousarray(picture.reshape(picture.shape[:2])), cv2.COLOR_GRAY2BGR)
    elif picture.shape[2] == 4:
        picture = picture[:, :, :3]
    if picture.shape[:2] == (CROP.size, CROP.size):
        return np.asarray(picture, np.uint8)
    smaller = min(picture.shape[:2]) > CROP.size
    method = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (CROP.size, CROP.size), interpolation=method), np.uint8)


def _in_usual_light(tiles: Pixels, pictures: Pixels) -> Pixels:
    """Pictures as they would be if the tiles seen with them had the usual colour."""
    gains = np.array(READING.usual_colour) / np.maximum(tiles.mean(axis=(0, 1, 2)), 1.0)
    gains = np.clip(gains, 1 / READING.most_relit, READING.most_relit)
    return np.clip(pictures * gains, 0, 255).astype(np.uint8)
