"""Small pictures of kept photos: made when a game is saved, shown in lists."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Final

from engine import Kingdom, KingdominoError
from ui import board, reading, text
from ui.drafts import store
from ui.language import _

# Photos whose small picture is remembered: a few pages of a history.
_REMEMBERED: Final = 256
# Larger photos are made smaller before a list shows them.
_SMALL_BYTES: Final = 80_000


def made_of(photos: Iterable[str]) -> dict[str, str]:
    """Keep a small version of each photo; the ids of both."""
    records = store()
    return {photo: records.photos.add(reading.small(records.photos.open(photo).data)) for photo in photos}


def image(photo: str | None, notation: str, points: int, name: str) -> str:
    """The photo of a kingdom as HTML, or else its drawing."""
    if photo is not None:
        data = _encoded(store().where, photo)
        if data:
            words = _("The kingdom of {name}").format(name=name)
            return f'<img class="kd-thumbnail" alt="{escape(words)}" src="data:image/jpeg;base64,{data}">'
    kingdom = Kingdom.from_notation(notation)
    return board.image(kingdom, text.board_label(kingdom, points))


@lru_cache(maxsize=_REMEMBERED)
def _encoded(_where: str, photo: str) -> str:
    """The bytes of a small photo; nothing if it is not there or cannot be shown."""
    try:
        data = store().photos.open(photo).data
        return b64encode(data if len(data) <= _SMALL_BYTES else reading.small(data)).decode()
    except KingdominoError:
        return ""
