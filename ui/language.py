"""The language of the app: `_()` and `ngettext()` from the gettext catalogues in `ui/locale`.

The wording in the code is the English one and the key of every catalogue. `python -m ui.catalogue` collects it in
`ui/locale/kingdomino.pot`; a language is a folder such as `de/LC_MESSAGES` with `kingdomino.mo` beside it.
What the engine, the store and the reading of photographs say comes from there and is English.
"""

from __future__ import annotations

import gettext as _gettext
import os
from pathlib import Path
from typing import Final

DOMAIN: Final = "kingdomino"
LOCALE: Final = Path(__file__).resolve().parent / "locale"
#: Names a language other than English, such as `de`.
VARIABLE: Final = "KINGDOMINO_LANGUAGE"


def translation(language: str | None, folder: Path = LOCALE) -> _gettext.NullTranslations:
    """The catalogue of a language; English where there is none."""
    return _gettext.translation(DOMAIN, folder, languages=[language] if language else [], fallback=True)


_chosen = translation(os.environ.get(VARIABLE))


def _(message: str) -> str:
    """The message in the language of the app."""
    return _chosen.gettext(message)


def ngettext(one: str, several: str, number: int) -> str:
    """The message in the form that goes with the number, with the number filled in for `{n}`."""
    return _chosen.ngettext(one, several, number).format(n=number)
