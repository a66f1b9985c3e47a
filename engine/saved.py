"""A game as JSON text: its set-up and its actions. What is read is checked; nothing is trusted.

    {"format": "kingdomino game", "version": 1,
     "rules": {"size": 5, "players": 2, "edition": "classic", "middle_kingdom": false, "harmony": false},
     "names": ["Ada", "Bob"], "deck": [24 numbers], "kings": [0, 1, 1, 0],
     "actions": [{"choose": 12}, {"place": 12, "cells": [[0, 1], [0, 2]]}, {"discard": 7}]}

The deck is in the order of drawing, the kings are the owners in the order of the first choice, cells are
seen from the castle. Whether the actions are legal is found out by playing them: `Game.from_json` does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from reprlib import Repr
from typing import Final

from engine.actions import Action, Choose, Discard, Place
from engine.errors import ActionError, RulesError
from engine.kingdom import Position
from engine.rules import Rules
from engine.setup import Setup

FORMAT: Final = "kingdomino game"
VERSION: Final = 1
# The longest game has 96 actions of at most 80 letters; the rest is set-up and names.
_MAX_TEXT: Final = 20_000
_KEYS: Final = ("format", "version", "rules", "names", "deck", "kings", "actions")
_RULES_KEYS: Final = ("size", "players", "edition", "middle_kingdom", "harmony")
_SHORT: Final = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def write_game(setup: Setup, actions: Iterable[Action]) -> str:
    """Return a game as JSON text."""
    rules = setup.rules
    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "rules": {
                "size": rules.size,
                "players": rules.players,
                "edition": rules.edition.value,
                "middle_kingdom": rules.middle_kingdom,
                "harmony": rules.harmony,
            },
            "names": setup.names,
            "deck": setup.deck,
            "kings": setup.kings,
            "actions": [_written(action) for action in actions],
        }
    )


def read_game(text: str) -> tuple[Setup, tuple[Action, ...]]:
    """Read the set-up and the actions of a game; raise ActionError for anything else."""
    saved = _object(_parsed(text), _KEYS, "a saved game")
    if saved["format"] != FORMAT:
        raise _unexpected("format", repr(FORMAT), saved["format"])
    if type(saved["version"]) is not int or saved["version"] != VERSION:
        raise _unexpected("version", f"{VERSION}, the only one there is", saved["version"])
    names = _list(saved["names"], "names")
    for name in names:
        if not isinstance(name, str):
            raise _unexpected("names", "texts", name)
    deck = tuple(_integer(number, "deck") for number in _list(saved["deck"], "deck"))
    kings = tuple(_integer(player, "kings") for player in _list(saved["kings"], "kings"))
    try:
        setup = Setup(_rules(saved["rules"]), tuple(str(name) for name in names), deck, kings)
    except RulesError as error:
        raise ActionError(f"A saved game with a set-up that cannot be: {error}") from None
    return setup, tuple(_action(action) for action in _list(saved["actions"], "actions"))


def _written(action: Action) -> dict[str, object]:
    if isinstance(action, Place):
        return {"place": action.domino, "cells": action.cells}
    return {"choose" if isinstance(action, Choose) else "discard": action.domino}


def _parsed(text: str) -> object:
    if not isinstance(text, str):
        raise ActionError(f"A saved game is JSON text, not {type(text).__name__}.")
    if len(text) > _MAX_TEXT:
        raise ActionError(f"A saved game has at most {_MAX_TEXT:,} letters, this one has {len(text):,}.")
    try:
        parsed: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ActionError(f"A saved game is JSON text; this is not: {error}.") from None
    return parsed


def _unexpected(where: str, expected: str, found: object) -> ActionError:
    return ActionError(f"Saved game, {where}: expected {expected}, found {_SHORT.repr(found)}.")


def _object(value: object, keys: tuple[str, ...], where: str) -> dict[str, object]:
    if not isinstance(value, dict) or set(value) != set(keys):
        found = sorted(value) if isinstance(value, dict) else value
        raise _unexpected(where, f"an object with the keys {', '.join(keys)}", found)
    return value


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise _unexpected(where, "a list", value)
    return value


def _integer(value: object, where: str) -> int:
    if type(value) is not int:
        raise _unexpected(where, "whole numbers", value)
    return value


def _boolean(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise _unexpected(where, "true or false", value)
    return value


def _rules(value: object) -> Rules:
    saved = _object(value, _RULES_KEYS, "rules")
    edition = saved["edition"]
    if not isinstance(edition, str):
        raise _unexpected("edition", "a text", edition)
    return Rules(
        size=_integer(saved["size"], "size"),
        players=_integer(saved["players"], "players"),
        edition=edition,  # type: ignore[arg-type]
        middle_kingdom=_boolean(saved["middle_kingdom"], "middle_kingdom"),
        harmony=_boolean(saved["harmony"], "harmony"),
    )


def _action(value: object) -> Action:
    keys = tuple(value) if isinstance(value, dict) else ()
    if isinstance(value, dict):
        if keys == ("choose",):
            return Choose(_integer(value["choose"], "choose"))
        if keys == ("discard",):
            return Discard(_integer(value["discard"], "discard"))
        if set(keys) == {"place", "cells"}:
            cells = _list(value["cells"], "cells")
            if len(cells) != 2:
                raise _unexpected("cells", "two cells", cells)
            return Place(_integer(value["place"], "place"), (_cell(cells[0]), _cell(cells[1])))
    raise _unexpected("actions", '{"choose": n}, {"place": n, "cells": [a, b]} or {"discard": n}', value)


def _cell(value: object) -> Position:
    cell = _list(value, "cells")
    if len(cell) != 2:
        raise _unexpected("cells", "[row, column]", cell)
    return _integer(cell[0], "cells"), _integer(cell[1], "cells")
