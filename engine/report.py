"""All that is known of a kingdom as one plain object: the output of `python -m engine --json`.

The keys and their meaning are those of docs/formats.md. How a kingdom is shown to people lives in `cli`.
"""

from __future__ import annotations

from typing import Any, Final

from engine.kingdom import Kingdom
from engine.rules import Rules
from engine.scoring import Score, Territory, score
from engine.status import Problem, problems
from engine.verify import Verdict, VerifiedDomino, verify

#: The keys of the object in their order.
KEYS: Final = (
    "notation",
    "size",
    "points",
    "total",
    "territories",
    "middle_kingdom",
    "harmony",
    "problems",
    "tileable",
    "legal",
    "exact",
    "dominoes",
    "error",
)


def as_json(
    kingdom: Kingdom, rules: Rules | None = None, *, scored: Score | None = None, verdict: Verdict | None = None
) -> dict[str, Any]:
    """Return score, problems and verdict of a kingdom; pass score and verdict if they are known already."""
    rules = rules or Rules(size=kingdom.default_size())
    scored = scored or score(kingdom, rules)
    verdict = verdict or verify(kingdom, rules)
    return {
        "notation": kingdom.notation,
        "size": rules.size,
        "points": scored.points,
        "total": scored.total,
        "territories": [_territory(territory) for territory in scored.territories],
        "middle_kingdom": scored.middle_kingdom.holds,
        "harmony": scored.harmony.holds,
        "problems": [_problem(problem) for problem in problems(kingdom, rules, verdict)],
        "tileable": verdict.tileable,
        "legal": verdict.legal,
        "exact": verdict.exact,
        "dominoes": [_domino(domino) for domino in verdict.dominoes],
        "error": None,
    }


def error_as_json(notation: str, error: str) -> dict[str, Any]:
    """Return the object for a text that is no kingdom: everything but the text and the error is null."""
    return {**dict.fromkeys(KEYS), "notation": notation, "error": error}


def _territory(territory: Territory) -> dict[str, Any]:
    return {
        "terrain": territory.terrain.value,
        "squares": territory.squares,
        "crowns": territory.crowns,
        "points": territory.points,
        "cells": [list(cell) for cell in territory.cells],
    }


def _problem(problem: Problem) -> dict[str, Any]:
    return {"code": problem.code, "cells": [list(cell) for cell in problem.cells], "text": problem.text}


def _domino(domino: VerifiedDomino) -> dict[str, Any]:
    return {
        "numbers": list(domino.numbers),
        "cells": [list(cell) for cell in domino.cells],
        "legal": domino.legal,
    }
