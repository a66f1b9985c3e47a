"""The settings of recognizing, decoding and trust, in one frozen place, each with where it came from.

How squares are cut, networks run and grids fitted is configured beside that code, because training shares it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log


@dataclass(frozen=True)
class DecodeConfig:
    """How whole kingdoms are decoded from the probabilities of their squares."""

    # A class less likely than this is not considered for a square. Below it the classifier's calibration has no
    # examples to stand on: the real photographs give a few thousand squares.
    plausible: float = 1e-4
    # The same when the kingdoms of one game are decoded together: a hidden crown leaves hardly a trace in the
    # picture, and the shared box is strong evidence.
    plausible_in_game: float = 1e-6
    # A kingdom that the box can build must be at least e^-surrender as likely as the plain reading of the squares,
    # and no square in it may be less than e^-overrule as likely as what that square looks like; otherwise the
    # plain reading is kept and reported. On the 90 real photographs, read by models that had not seen them on
    # the labelled grid, no square of the true kingdom cost more than 3.5; where one to four squares were
    # exchanged for real ones that do not fit, more than nine in ten times some square cost more than 6.
    surrender: float = 15.0
    overrule: float = 6.0
    # The same for a square of a kingdom that the edge of the photo seems to cut: here a square without a partner is
    # no surprise, so only doubtful ones may be bent.
    overrule_cut: float = 1.5
    # The same as ``surrender`` for the kingdoms of one game together, over what they cost one by one: a crown that is
    # hidden altogether may cost 14, while kingdoms of two games share so many dominoes that they cost far more.
    surrender_in_game: float = 20.0
    # Other readings of a whole game that are weighed against the best one, if they are at least e^-reach as likely.
    weighed_in_game: int = 6
    reach_in_game: float = 4.6
    # How much it counts how well squares pair up (``vision.pairing``): 1 would be right if single squares were read
    # without any knowledge of the box, but the readers have met its dominoes, too.
    pairing: float = 0.5
    # Readings tried one by one, in decreasing probability, before the integer programme takes over.
    tries: int = 1500
    # Seconds for the whole decoding of one kingdom, and of one game. What is found by then is returned, marked
    # as not certainly the best.
    time_limit: float = 1.0
    time_limit_game: float = 4.0


@dataclass(frozen=True)
class TrustConfig:
    """How sure a reading is, and which squares are worth a look."""

    # Readings less likely than this share of the best one no longer change a confidence that anyone would see.
    negligible: float = 1e-4
    # Readings weighed against the best one, at most.
    weighed: int = 250
    # Where the integer programme found the best one, its likeliest changes are also weighed two at a time.
    paired: int = 40
    # A square is worth a look when its confidence is below this; bare table only when below the lower one. Of
    # 2,458 squares of real photographs above the first, read by models that had not seen them, none was wrong. In 700
    # composed scenes, 87 of them misread, these and the next number list every wrong square of 51.
    look: float = 0.99
    look_empty: float = 0.97
    # At most this many squares are listed, besides those that the rules overruled.
    most: int = 8
    # Knots (raw, measured) of the calibration curve of single squares. None: the raw values are used as they are,
    # because on the real photographs too few squares are wrong to bend them by (2 of 2,466).
    calibration: tuple[tuple[float, float], ...] = ()
    # The same for whole kingdoms.
    calibration_whole: tuple[tuple[float, float], ...] = ()

    @property
    def log_negligible(self) -> float:
        """The logarithm of the negligible share."""
        return log(self.negligible)


@dataclass(frozen=True)
class RecognizeConfig:
    """How the stages are put together."""

    # Rows and columns of a kingdom whose corners a person has marked without saying more.
    usual_shape: tuple[int, int] = (5, 5)
    # The table around is asked for in cells up to so many times smaller or larger than such a kingdom's squares.
    most_unlike: float = 2.0
    # Of squares smaller than this, in pixels of the photo, crowns are guessed rather than seen: of 17 composed kingdoms
    # with such squares 15 were misread, of 283 others 39.
    small_square: float = 24.0
    # With tiles less clear than this in the mean the grid itself is in doubt.
    unclear_score: float = 0.85


DECODE = DecodeConfig()
TRUST = TrustConfig()
RECOGNIZE = RecognizeConfig()
