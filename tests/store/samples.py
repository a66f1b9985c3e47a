"""Games, readings and photos to store."""

from __future__ import annotations

import base64
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from engine import Rules, random_playout
from store import COLOURS, Correction, GameEntry, Reading, SeatEntry, Store, Turn

NAMES = ("Ada", "Bob", "Cleo", "Dan")
START = datetime(2025, 3, 1, 19, 30, tzinfo=UTC)

# A kingdom worth 47 points, and four others with their points in 5×5 without bonuses.
KINGDOM = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"
SMALL = {"Cf1f": 2, "Cw1w": 2, "Cw1ww": 3, "Cll": 0}

# The smallest JPEG and PNG that viewers take: one grey pixel each.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////"
    "////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z"
)
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==")


def photo(number: int) -> bytes:
    """A JPEG unlike that of any other number: a comment in it differs."""
    comment = f"photo {number}".encode()
    return JPEG[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + JPEG[2:]


def game(
    names: Sequence[str] = NAMES[:3],
    kingdoms: Sequence[str] | None = None,
    *,
    day: int = 0,
    rules: Rules | None = None,
    note: str = "",
    dynasty: str | None = None,
    seed: int = 0,
) -> GameEntry:
    """A finished game, played at random unless the kingdoms are given."""
    rules = rules or Rules(players=len(names))
    if kingdoms is None:
        kingdoms = [each.notation for each in random_playout(rules, random.Random(seed)).kingdoms]
    seats = tuple(
        SeatEntry(name, Reading(kingdom), colour)
        for name, kingdom, colour in zip(names, kingdoms, COLOURS, strict=False)
    )
    return GameEntry(rules, seats, START + timedelta(days=day), note, dynasty)


def full_game(store: Store, *, day: int = 0, number: int = 0, dynasty: str | None = None) -> GameEntry:
    """A game with everything that can be kept of it."""
    rules = Rules(size=7, players=2, edition="new", middle_kingdom=True, harmony=True)  # type: ignore[arg-type]
    reading = Reading(
        kingdom=KINGDOM,
        recognised=KINGDOM.replace("m3", "m2"),
        corrections=(Correction(4, 3, "m2", "m3"), Correction(0, 0, "?", "l1")),
        model_version="squares-2025.03",
        photo=store.photos.add(photo(number)),
        thumbnail=store.photos.add(PNG),
        corners=((10.5, -3), (400, 8), (390, 402.25), (0, 400)),
    )
    turns = (
        Turn(Reading("Cf1f", photo=store.photos.add(photo(number + 1))), START + timedelta(minutes=1)),
        Turn(Reading("Cf1f", recognised="Cf1?", model_version="squares-2025.03"), None, discarded=48),
    )
    seats = (SeatEntry("Ada", reading, "blue", turns), SeatEntry("Bob", Reading("Cf1?"), None))
    return GameEntry(rules, seats, START + timedelta(days=day), "Rainy.\nThe cat won.", dynasty)
