"""The one way in: from a photograph to the kingdoms on it, each with its score, its verdict and honest doubt.

The app, the command line, the tests and the measurements all call ``recognize``. The rooms it goes through are
``vision.photo``, ``vision.locate``, ``vision.rectify``, ``vision.classify`` and ``vision.decode``; the rules come
from ``engine``. ``decode_game`` reads the kingdoms of one game again together.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from engine import Kingdom, Position, Rules, Score, Verdict, score, verify
from vision.castle_colour import CastleColour, castle_colour
from vision.config import DECODE, RECOGNIZE, TRUST
from vision.decode import Decoding, decode, decode_cut
from vision.kingdom_grid import Lattice, LocateModels
from vision.lattice import side_lengths
from vision.locate import LocateError, lattices_from_corners, locate
from vision.photo import Photo, load_photo
from vision.rectify import cut_squares, ring_quads
from vision.together import decode_together
from vision.trust import calibrated, squares_to_check

Floats = npt.NDArray[np.float64]
Progress = Callable[[str], None]
Source = Photo | bytes | bytearray | memoryview | str | Path

# The stages that are timed, in their order, and what is said while they run.
STAGES = {
    "load": "opening the photo",
    "locate": "looking for the kingdom",
    "classify": "reading the squares",
    "decode": "putting the dominoes together",
    "verify": "checking the rules",
}

SMALL = "The squares are hardly {pixels} pixels wide in this photo, so some may be misread. Look at each, or go nearer."
UNCLEAR = "The tiles are hard to make out in this photo. Look at each square, or take another one with more light."
LEFT_OUT = "Something beside the kingdom was taken for bare table, because no domino of the box fits there."

_models: dict[int | None, LocateModels] = {}
_loading = threading.Lock()
# OpenCV's networks keep their state between two calls, so only one thread may ask them at a time.
_asking = threading.Lock()


@dataclass(frozen=True, eq=False)
class Recognition:
    """A kingdom read from a photograph.

    ``kingdom`` is trimmed; ``corners`` (4, 2) are its outer corners and ``quads`` (rows, columns, 4, 2) its squares, in
    pixels of the upright photo. ``squares`` has the confidence of each of its squares, ``confidence`` is the
    probability that all of it is right. ``check`` names the squares worth a look, most doubtful first,
    ``overruled`` those that would have been read otherwise if the box had allowed it. ``note`` is a sentence where
    there is something to say, empty otherwise. ``probabilities`` (…, 18) are those of the whole ``lattice``, whose
    square ``origin`` is the first one of the kingdom. ``castle_colour`` is None where it was not told for sure.
    """

    kingdom: Kingdom
    rules: Rules
    verdict: Verdict
    corners: Floats
    quads: Floats
    squares: Floats
    confidence: float
    check: tuple[Position, ...]
    overruled: tuple[Position, ...]
    cut: bool
    note: str
    lattice: Lattice
    probabilities: Floats
    origin: Position
    decoding: Decoding
    seconds: Mapping[str, float]
    model: str
    castle_colour: CastleColour | None = None

    @property
    def score(self) -> Score:
        """The score of the kingdom."""
        return score(self.kingdom, self.rules)

    @property
    def judgement(self) -> str:
        """The verdict in one word: legal, illegal, untileable or unknown."""
        if self.verdict.tileable is False:
            return "untileable"
        return {True: "legal", False: "illegal", None: "unknown"}[self.verdict.legal]


def load_models(fold: int | None = None) -> LocateModels:
    """The shipped networks, or those of a fold; loaded once in a process."""
    with _loading:
        if fold not in _models:
            _models[fold] = LocateModels.load(fold)
        return _models[fold]


def recognize(
    photo: Source,
    corners: npt.ArrayLike | None = None,
    shape: tuple[int, int] | None = None,
    size: int | None = None,
    progress: Progress | None = None,
    *,
    models: LocateModels | None = None,
) -> list[Recognition]:
    """The kingdoms of a photo, largest first, those cut by its edge last.

    ``corners``, four (x, y) in pixels of the upright photo in any order, and ``shape``, rows and columns (5×5 unless
    said), come from a person and replace the search. ``size`` is 5 or 7 where it is known. Raises a
    KingdominoError with a sentence for the person when the photo cannot be used or shows no kingdom.
    """
    clock = _Clock(progress)
    with clock.stage("load"):
        loaded = photo if isinstance(photo, Photo) else load_photo(photo)
    models = models or load_models()
    with clock.stage("locate"):
        if corners is None:
            with _asking:
                lattices = [[lattice] for lattice in locate(loaded.image, models, progress)]
        else:
            given = lattices_from_corners(loaded.to_image(corners), shape or RECOGNIZE.usual_shape)
            lattices = [given]
    found = [_read(loaded, choices, models, size, clock) for choices in lattices]
    if corners is None:
        # A grid on which nothing but a castle is left after reading was seen by chance.
        found = [recognition for recognition in found if recognition.kingdom.squares]
        if not found:
            raise LocateError("no_kingdom")
    return [replace(recognition, seconds=clock.seconds) for recognition in found]


def decode_game(recognitions: Sequence[Recognition], rules: Rules | None = None) -> list[Recognition]:
    """Read the kingdoms of one game again, together: a domino of the one box lies in one kingdom only.

    Only the kept probabilities are used; the photos are not needed. Kingdoms cut by the edge of their photo stay
    as they are, because their dominoes are not all seen.
    """
    clock = _Clock(None)
    size = rules.size if rules else None
    whole = [found for found in recognitions if not found.cut]
    with clock.stage("decode"):
        decodings = iter(decode_together([found.probabilities for found in whole], [size] * len(whole)))
    results = []
    for found in recognitions:
        decoding = found.decoding if found.cut else next(decodings)
        again = _recognition(found.lattice, found.probabilities, decoding, rules, size, clock, found.model)
        results.append(replace(again, seconds=found.seconds, castle_colour=found.castle_colour))
    return results


class _Clock:
    """Seconds by stage; a stage that is entered several times adds up."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._seconds = dict.fromkeys(STAGES, 0.0)

    @property
    def seconds(self) -> dict[str, float]:
        return dict(self._seconds)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        if self._progress:
            self._progress(STAGES[name])
        start = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[name] += time.perf_counter() - start


def _read(
    photo: Photo, choices: Sequence[Lattice], models: LocateModels, size: int | None, clock: _Clock
) -> Recognition:
    """The kingdom on the likeliest of the lattices that are meant."""
    best: tuple[Lattice, Floats, Decoding] | None = None
    for lattice in choices:
        with clock.stage("classify"):
            probabilities = _probabilities(photo, lattice, models)
        with clock.stage("decode"):
            decoding = (decode_cut if lattice.cut else decode)(probabilities, size)
        if best is None or _likeliness(decoding) > _likeliness(best[2]):
            best = (lattice, probabilities, decoding)
    if best is None:
        raise AssertionError("there is always a lattice to read")
    lattice, probabilities, decoding = best
    in_photo = replace(lattice, corners=photo.to_photo(lattice.corners), quads=photo.to_photo(lattice.quads))
    model = f"{models.locator.version} {models.classifier.version}"
    found = _recognition(in_photo, probabilities, decoding, None, size, clock, model)
    castle = decoding.kingdom.castle
    return found if castle is None else replace(found, castle_colour=castle_colour(photo.image, lattice.quads[castle]))


def _likeliness(decoding: Decoding) -> float:
    """How well a lattice was read; one that no box can build has to be much likelier."""
    return decoding.log_probability - (0.0 if decoding.tileable else DECODE.surrender)


def _probabilities(photo: Photo, lattice: Lattice, models: LocateModels) -> Floats:
    """The class probabilities of every square of a lattice, shape (rows, columns, 18)."""
    if lattice.probabilities is not None:
        return lattice.probabilities
    quads = lattice.quads.reshape(-1, 4, 2)
    # The table around a kingdom is seen with it: what lies there tells how bare table looks.
    seen = np.concatenate([quads, _table_around(photo, lattice)])
    with _asking:
        read = models.classifier.probabilities_together(cut_squares(photo.image, seen), seen)
    return read[: len(quads)].reshape(*lattice.shape, -1)


def _table_around(photo: Photo, lattice: Lattice) -> Floats:
    """The cells around a lattice that lie in the photo and are not much smaller or larger than its squares."""
    height, width = photo.image.shape[:2]
    around = ring_quads(lattice.corners, *lattice.shape)
    inside = ((around >= 0) & (around <= (width, height))).all(axis=(1, 2))
    sides = side_lengths(around) / lattice.square_size
    usual = (sides > 1 / RECOGNIZE.most_unlike) & (sides < RECOGNIZE.most_unlike)
    return around[inside & usual]


def _recognition(
    lattice: Lattice,
    probabilities: Floats,
    decoding: Decoding,
    rules: Rules | None,
    size: int | None,
    clock: _Clock,
    model: str,
) -> Recognition:
    """Put everything together that is known of a kingdom; the lattice is in pixels of the photo."""
    whole = decoding.kingdom
    top, left, bottom, right = whole.bounding_box or (0, 0, 0, 0)
    kingdom = whole.trimmed()
    rules = rules or Rules(size=size or kingdom.default_size())
    with clock.stage("verify"):
        verdict = verify(kingdom, rules)
    confidence = calibrated(decoding.confidence, TRUST.calibration)
    squares = confidence[top : bottom + 1, left : right + 1]
    inside = [cell for cell in decoding.overruled if top <= cell[0] <= bottom and left <= cell[1] <= right]
    overruled = tuple((r - top, c - left) for r, c in inside)
    suspected = tuple((r - top, c - left) for r, c in decoding.suspected if top <= r <= bottom and left <= c <= right)
    # What lies outside the trimmed kingdom has no place in its notation, so it is said in words.
    note = decoding.note
    if len(overruled) < len(decoding.overruled):
        note = f"{note} {LEFT_OUT}".strip()
    note = f"{note} {_doubt(lattice)}".strip()
    return Recognition(
        kingdom=kingdom,
        rules=rules,
        verdict=verdict,
        corners=_box_corners(lattice, top, left, bottom + 1, right + 1),
        quads=lattice.quads[top : bottom + 1, left : right + 1],
        squares=squares,
        confidence=float(calibrated(np.array(decoding.whole), TRUST.calibration_whole)),
        check=squares_to_check(kingdom, squares, (*overruled, *suspected), TRUST),
        overruled=overruled,
        cut=lattice.cut,
        note=note,
        lattice=lattice,
        probabilities=probabilities,
        origin=(top, left),
        decoding=decoding,
        seconds=clock.seconds,
        model=model,
    )


def _doubt(lattice: Lattice) -> str:
    """A sentence where the whole kingdom is hard to see, not only the squares that are marked; else nothing."""
    if lattice.square_size < RECOGNIZE.small_square:
        return SMALL.format(pixels=round(lattice.square_size))
    return UNCLEAR if lattice.score < RECOGNIZE.unclear_score else ""


def _box_corners(lattice: Lattice, top: int, left: int, bottom: int, right: int) -> Floats:
    """The outer corners of some rows and columns of a lattice, clockwise from the first square's."""
    rows, columns = lattice.shape
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, lattice.corners.astype(np.float32))
    wanted = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]], np.float64)
    if (top, left, bottom, right) == (0, 0, rows, columns):
        return lattice.corners
    return np.asarray(cv2.perspectiveTransform(wanted, matrix)[0])
