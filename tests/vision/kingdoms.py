"""Random kingdoms cut from one box, and noisy probabilities of their squares, for the tests of decoding."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import numpy.typing as npt

from engine import CASTLE, DOMINOES, EMPTY, Cell, Domino, Kingdom
from vision.readings import CASTLE_CLASS, CELLS_OF_CLASSES, CLASS_COUNT

Floats = npt.NDArray[np.float64]
CLASS_OF = {cell: number for number, cell in enumerate(CELLS_OF_CLASSES)}


def random_kingdom(
    rng: random.Random, size: int = 5, dominoes: list[Domino] | None = None, count: int | None = None
) -> Kingdom:
    """A kingdom with dominoes laid anywhere around a castle; connections are not looked at.

    Without a count all squares are covered. The dominoes used are taken off the given list.
    """
    box = list(DOMINOES) if dominoes is None else dominoes
    rng.shuffle(box)
    while True:
        castle = (rng.randrange(size), rng.randrange(size))
        if size % 2 and sum(castle) % 2:
            continue
        cuts = _cut(size, castle, rng)
        if cuts is not None:
            break
    rng.shuffle(cuts)
    grid: list[list[Cell]] = [[EMPTY] * size for _ in range(size)]
    grid[castle[0]][castle[1]] = CASTLE
    for first, second in cuts[:count]:
        domino = box.pop()
        halves = [domino.a, domino.b]
        rng.shuffle(halves)
        grid[first[0]][first[1]], grid[second[0]][second[1]] = halves
    return Kingdom(tuple(tuple(row) for row in grid))


def _cut(
    size: int, castle: tuple[int, int], rng: random.Random
) -> list[tuple[tuple[int, int], tuple[int, int]]] | None:
    """A random cutting of a square grid without its castle into pairs of neighbours."""
    free = {(r, c) for r in range(size) for c in range(size)} - {castle}
    cuts = []
    while free:
        options = {
            cell: [
                other
                for other in (
                    (cell[0], cell[1] + 1),
                    (cell[0] + 1, cell[1]),
                    (cell[0], cell[1] - 1),
                    (cell[0] - 1, cell[1]),
                )
                if other in free
            ]
            for cell in sorted(free)
        }
        fewest = min(len(others) for others in options.values())
        if fewest == 0:
            return None
        cell = rng.choice([cell for cell, others in options.items() if len(others) == fewest])
        other = rng.choice(options[cell])
        cuts.append((cell, other))
        free -= {cell, other}
    return cuts


def one_hot(kingdom: Kingdom, sure: float = 0.999) -> Floats:
    """Probabilities of someone who sees every square rightly and is that sure of it."""
    rest = (1 - sure) / (CLASS_COUNT - 1)
    grid = np.full((kingdom.height, kingdom.width, CLASS_COUNT), rest)
    for (r, c), cell in kingdom:
        grid[r, c, CLASS_OF[cell]] = sure
    return grid


def noisy(kingdom: Kingdom, rng: np.random.Generator, strength: float, noise: float) -> Floats:
    """Probabilities from the truth plus noise; the larger the strength against the noise, the better."""
    logits = rng.normal(0, noise, (kingdom.height, kingdom.width, CLASS_COUNT))
    for (r, c), cell in kingdom:
        logits[r, c, CLASS_OF[cell]] += strength
    exponents = np.exp(logits - logits.max(axis=2, keepdims=True))
    return np.asarray(exponents / exponents.sum(axis=2, keepdims=True))


def random_board(rng: np.random.Generator, height: int, width: int, classes: int) -> Floats:
    """Probabilities that leave each square a few classes, the common ones and the castle more often."""
    grid = np.zeros((height, width, CLASS_COUNT))
    likely = np.ones(CLASS_COUNT)
    likely[[0, 2, 4, 6]] = 4
    likely[CASTLE_CLASS] = 3
    for r, c in product(range(height), range(width)):
        chosen = rng.choice(CLASS_COUNT, classes, replace=False, p=likely / likely.sum())
        grid[r, c, chosen] = rng.dirichlet(np.ones(classes))
    return grid


def side_by_side(count: int, side: float = 60.0, columns: int = 7) -> npt.NDArray[np.float64]:
    """The corners of so many squares laid row by row: (count, 4, 2)."""
    places = np.array([divmod(index, columns)[::-1] for index in range(count)], np.float64).reshape(-1, 1, 2)
    return (places + np.array([[0, 0], [1, 0], [1, 1], [0, 1]])) * side
