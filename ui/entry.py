"""From what a person types to a kingdom and all that the engine says of it. No rules live here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine import Kingdom, NotationError, Problem, Rules, Score, Verdict, problems, score, verify
from ui import text

#: Longer texts are refused unread; the largest grid with blanks between its squares is shorter.
MAX_TYPED: Final = 2_000
_REMEMBERED: Final = 512
#: Problems of the kingdom as a whole: marking every square would hide those that are wrong by themselves.
OF_THE_WHOLE: Final = frozenset({"too_wide", "too_tall", "odd_squares"})


@dataclass(frozen=True, slots=True)
class Assessment:
    """A kingdom and what the engine says of it under the given rules."""

    kingdom: Kingdom
    rules: Rules
    score: Score
    verdict: Verdict
    problems: tuple[Problem, ...]


def tidied(typed: str) -> str:
    """The notation in what a person typed: rows may stand on lines of their own, blanks do not count."""
    if len(typed) > MAX_TYPED:
        raise NotationError(text.too_long(len(typed), MAX_TYPED))
    rows = ("".join(line.split()).strip("/") for line in typed.splitlines())
    return "/".join(row for row in rows if row)


@lru_cache(maxsize=_REMEMBERED)
def assess(notation: str, size: int | None, middle_kingdom: bool, harmony: bool) -> Assessment:
    """Score and verify a kingdom; without a size, the engine's assumption holds."""
    kingdom = Kingdom.from_notation(notation)
    rules = Rules(size=size or kingdom.default_size(), middle_kingdom=middle_kingdom, harmony=harmony)
    verdict = verify(kingdom, rules)
    return Assessment(
        kingdom=kingdom,
        rules=rules,
        score=score(kingdom, rules),
        verdict=verdict,
        problems=problems(kingdom, rules, verdict),
    )
