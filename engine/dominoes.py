"""The 48 dominoes of the box, and which of them look alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.errors import RulesError
from engine.squares import CELL_OF_SYMBOL, Square

#: What a domino shows, whichever way it lies: the codes of its two squares, the smaller first.
Face = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Domino:
    """A domino of the box: its number and its two halves in the order of the tile list."""

    number: int
    a: Square
    b: Square

    def __hash__(self) -> int:
        return self.number

    @property
    def face(self) -> Face:
        """The two squares without regard to order."""
        return face_of(self.a, self.b)

    @property
    def twins(self) -> tuple[int, ...]:
        """The numbers of all dominoes with this face, its own included."""
        return FACES[self.face]

    @property
    def crowns(self) -> int:
        """The crowns of both halves."""
        return self.a.crowns + self.b.crowns

    def __str__(self) -> str:
        return f"no. {self.number} ({self.a.words} – {self.b.words})"


def face_of(a: Square, b: Square) -> Face:
    """Return the face that two squares form."""
    return (a.code, b.code) if a.code <= b.code else (b.code, a.code)


# Halves of dominoes 1 to 48 in the order of the published tile list.
_HALVES: Final = (
    "w-w w-w f-f f-f f-f f-f l-l l-l l-l g-g g-g s-s w-f w-l w-g w-s "
    "f-l f-g f-w1 l-w1 g-w1 s-w1 m-w1 w-f1 w-f1 w-f1 w-f1 l-f1 g-f1 w-l1 w-l1 f-l1 "
    "f-l1 f-l1 f-l1 w-g1 l-g1 w-s1 g-s1 w-m1 w-g2 l-g2 w-s2 g-s2 w-m2 s-m2 s-m2 w-m3"
)


def _square(symbol: str) -> Square:
    cell = CELL_OF_SYMBOL[symbol]
    if not isinstance(cell, Square):
        raise RulesError(f"A domino's half shows a terrain, not {symbol!r}.")
    return cell


def _box() -> tuple[Domino, ...]:
    halves = (pair.split("-") for pair in _HALVES.split())
    return tuple(Domino(number, _square(a), _square(b)) for number, (a, b) in enumerate(halves, start=1))


#: The 48 dominoes, number 1 first.
DOMINOES: Final[tuple[Domino, ...]] = _box()


def _faces() -> dict[Face, tuple[int, ...]]:
    faces: dict[Face, tuple[int, ...]] = {}
    for domino in DOMINOES:
        face = face_of(domino.a, domino.b)
        faces[face] = (*faces.get(face, ()), domino.number)
    return faces


#: The 33 faces, each with the numbers of the dominoes that show it.
FACES: Final[Mapping[Face, tuple[int, ...]]] = MappingProxyType(_faces())


def domino(number: int) -> Domino:
    """Return the domino with this number."""
    if not isinstance(number, int) or not 1 <= number <= len(DOMINOES):
        raise RulesError(f"The dominoes are numbered 1 to {len(DOMINOES)}; there is no {number!r}.")
    return DOMINOES[number - 1]
