"""What was read from a photo as one plain object: the output of ``python -m vision --json``.

The keys and their meaning are those of docs/formats.md. What is said to people lives in ``vision.cli``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.report import as_json
from vision.recognize import Recognition

# Digits behind the point: pixels, probabilities, seconds.
_PIXELS, _PROBABILITY, _SECONDS = 1, 4, 4


def photo_as_json(
    name: str, recognitions: Sequence[Recognition], seconds: Mapping[str, float], error: str | None = None
) -> dict[str, Any]:
    """The object for one photo; ``error`` says why there is no kingdom."""
    return {
        "photo": name,
        "kingdoms": [kingdom_as_json(recognition) for recognition in recognitions],
        "seconds": {stage: round(value, _SECONDS) for stage, value in seconds.items()},
        "error": error,
    }


def kingdom_as_json(recognition: Recognition) -> dict[str, Any]:
    """The engine's object of a kingdom with what the photo adds to it."""
    return {
        **as_json(recognition.kingdom, recognition.rules, scored=recognition.score, verdict=recognition.verdict),
        "corners": [[round(float(value), _PIXELS) for value in corner] for corner in recognition.corners],
        "confidence": round(recognition.confidence, _PROBABILITY),
        "squares": [[round(float(value), _PROBABILITY) for value in row] for row in recognition.squares],
        "check": [list(cell) for cell in recognition.check],
        "verdict": recognition.judgement,
        "cut": recognition.cut,
    }
