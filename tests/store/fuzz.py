"""Export files with something wrong in them."""

from __future__ import annotations

import json
import random
from typing import Any

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 10**30, 0.5, 1e308, "", " ", "x", "\x00", "\ud800", "C", "w3/?", "=1",
    "2025-01-01T00:00:00+00:00", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "A" * 100, "é" * 5_000,
    [], {}, [[]], [None], {"id": None}, "../../x", "0" * 64, "a0b1c2d3-0000-4000-8000-000000000000",
)  # fmt: skip


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Change a file in one to three places: its bytes, or its records."""
    for _ in range(rng.randint(1, 3)):
        data = rng.choice((_flip, _cut, _splice, _odd_value, _odd_value, _odd_value, _move))(data, rng)
    return data


def _flip(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 5)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _cut(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.randint(1, 200) :] or b" "


def _splice(data: bytes, rng: random.Random) -> bytes:
    start, to = rng.randrange(len(data)), rng.randrange(len(data))
    return data[:to] + data[start : start + rng.randint(1, 400)] + data[to:]


def _odd_value(data: bytes, rng: random.Random) -> bytes:
    """Put an odd value in the place of one of the values."""
    return _restructured(data, rng, lambda values: rng.choice(ODD))


def _move(data: bytes, rng: random.Random) -> bytes:
    """Put one of the values in the place of another."""
    return _restructured(data, rng, lambda values: rng.choice(values))


def _restructured(data: bytes, rng: random.Random, choose: Any) -> bytes:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return data
    places: list[tuple[Any, Any]] = []
    todo = [document]
    while todo:
        each = todo.pop()
        if isinstance(each, dict | list):
            keys = list(each) if isinstance(each, dict) else list(range(len(each)))
            places += [(each, key) for key in keys]
            todo += [each[key] for key in keys]
    if not places:
        return data
    place, key = rng.choice(places)
    chosen = choose([holder[name] for holder, name in places])
    # A copy, as a value must not come to lie within itself.
    place[key] = json.loads(json.dumps(chosen))
    return json.dumps(document).encode()
