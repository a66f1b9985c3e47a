"""How much the store takes, and for how long it keeps what was thrown away. No other module has such figures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits in one place."""

    #: Letters of a name of a player or a Dynasty; the engine takes as many.
    name: int = 80
    note: int = 2_000
    model_version: int = 120
    #: A game has at most 24 turns of one player (7×7); a turn may be photographed more than once.
    turns: int = 200
    #: Corrections of one kingdom, each of one square.
    corrections: int = 500
    #: Bytes of one photo. A re-encoded photo of 16 megapixels has 3 to 6 MB.
    photo: int = 12_000_000
    #: Bytes of one draft as JSON. A game of four with all its turns has well below 100 kB.
    draft: int = 1_000_000
    #: Bytes of a file to import, and so of a file that is exported.
    file: int = 512_000_000
    #: Games on one page of the history at most.
    page: int = 200
    #: How long deleted games and closed drafts can be brought back.
    kept: timedelta = timedelta(days=30)
    #: How long a photo may be in nobody's game: it may have been taken just now.
    unused_photo: timedelta = timedelta(days=2)


LIMITS: Final = Limits()
