"""Names and notes as they may be stored: any letters, tidied, without control characters. Nothing is escaped here."""

from __future__ import annotations

import unicodedata
from typing import Final

from store.errors import StoreError
from store.limits import LIMITS

#: The colours of the four castles.
COLOURS: Final = ("pink", "yellow", "green", "blue")
_REFUSED: Final = {"Cc": "a control character", "Cs": "half a character"}
_INVISIBLE: Final = {"Cc", "Cf", "Zs", "Zl", "Zp", "Mn", "Me"}
# Composing letters makes a text at most four times shorter; one longer than that is refused unread.
_SHRINKING: Final = 4


def clean_name(value: object, what: str = "A name") -> str:
    """Return a name on one line: outer blanks gone, inner blanks single, letters in their composed form."""
    tidied = " ".join(_checked(value, what, LIMITS.name, allowed="").split())
    if not any(unicodedata.category(letter) not in _INVISIBLE for letter in tidied):
        raise StoreError(f"{what} needs at least one letter that can be seen.")
    return tidied


def clean_note(value: object, what: str = "A note") -> str:
    """Return a text that may have several lines."""
    if isinstance(value, str):
        value = value.replace("\r\n", "\n")
    return _checked(value, what, LIMITS.note, allowed="\n\t")


def clean_label(value: object, what: str) -> str:
    """Return a short technical text such as the version of a model."""
    return _checked(value, what, LIMITS.model_version, allowed="")


def clean_colour(value: object) -> str | None:
    """Return the colour of a castle, or None where it is not known."""
    if value is not None and value not in COLOURS:
        raise StoreError(f"A castle is {', '.join(COLOURS[:-1])} or {COLOURS[-1]}, not {str(value)[:40]!r}.")
    return None if value is None else str(value)


def name_key(name: str) -> str:
    """Return what is equal for two spellings of one name: capitals do not count."""
    return unicodedata.normalize("NFC", name.casefold())


def _checked(value: object, what: str, limit: int, allowed: str) -> str:
    if not isinstance(value, str):
        raise StoreError(f"{what} is a text, not {type(value).__name__}.")
    if len(value) > _SHRINKING * limit:
        raise StoreError(f"{what} has at most {limit:,} letters, not {len(value):,}.")
    tidied = unicodedata.normalize("NFC", value.strip())
    for letter in tidied:
        refused = _REFUSED.get(unicodedata.category(letter))
        if refused and letter not in allowed:
            raise StoreError(f"{what} cannot hold {refused} ({letter!r}).")
    if len(tidied) > limit:
        raise StoreError(f"{what} has at most {limit:,} letters, not {len(tidied):,}.")
    return tidied
