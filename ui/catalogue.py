"""Collects all wording of the app in one catalogue: `python -m ui.catalogue` writes `ui/locale/kingdomino.pot`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ui.language import DOMAIN, LOCALE

CATALOGUE: Final = LOCALE / f"{DOMAIN}.pot"
_SOURCES: Final = Path(__file__).resolve().parent
_HEADER: Final = (
    "# The wording of the Kingdomino companion. Made by `python -m ui.catalogue`; do not edit.\n"
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
    '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
)

#: A message and, where it has one, its plural.
Message = tuple[str, str | None]


def messages(source: str) -> Iterator[tuple[int, Message]]:
    """Line and text of every message in a module."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        words = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if node.func.id == "_" and len(words) == 1:
            yield node.lineno, (words[0], None)
        elif node.func.id == "ngettext" and len(words) == 2:
            yield node.lineno, (words[0], words[1])
        elif node.func.id in ("_", "ngettext"):
            raise ValueError(f"line {node.lineno}: a message is a plain text, so that it can be collected")


def catalogue(folder: Path = _SOURCES) -> str:
    """The catalogue of all modules below a folder, in the order of the messages."""
    places: dict[Message, list[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        if path.name == "language.py":
            continue
        for _line, message in messages(path.read_text("utf-8")):
            name = path.relative_to(folder.parent).as_posix()
            found = places.setdefault(message, [])
            if name not in found:
                found.append(name)
    return _HEADER + "".join(_entry(message, places[message]) for message in sorted(places, key=_order))


def _order(message: Message) -> tuple[str, str]:
    return message[0], message[1] or ""


def _entry(message: Message, places: list[str]) -> str:
    one, several = message
    lines = [f"\n#: {' '.join(places)}", f"msgid {_quoted(one)}"]
    lines += ['msgstr ""'] if several is None else [f"msgid_plural {_quoted(several)}", 'msgstr[0] ""', 'msgstr[1] ""']
    return "\n".join(lines) + "\n"


def _quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


if __name__ == "__main__":
    CATALOGUE.write_text(catalogue(), "utf-8")
    print(f"{CATALOGUE.name}: {catalogue().count('msgid ') - 1} messages", file=sys.stderr)
