"""The wording of the app, in one place. What is wrong with a kingdom, the engine says itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from engine import (
    CASTLE,
    EMPTY,
    UNREAD,
    Cell,
    Kingdom,
    Mark,
    Position,
    Problem,
    Square,
    Terrain,
    Territory,
    Verdict,
    VerifiedDomino,
)
from ui.language import _, ngettext

# Up to so many squares, a sentence names them all.
_FEW: Final = 4

APP_NAME: Final = _("Kingdomino companion")
SCORE_TITLE: Final = _("Score a kingdom")
GAME_TITLE: Final = _("Play a game")
DYNASTY_TITLE: Final = _("Dynasty")
RULES_TITLE: Final = _("Rules")
TYPED_TITLE: Final = _("Type a kingdom")
TURNS_TITLE: Final = _("Verify a turn")
HISTORY_TITLE: Final = _("History")
STATISTICS_TITLE: Final = _("Statistics")
TRANSFER_TITLE: Final = _("Export and import")
PHONE_TITLE: Final = _("On your phone")
TYPED_INTRO: Final = _(
    "Type or paste a kingdom, or start from an example. You see it drawn, what each territory is worth, and "
    "whether it could have been built by the rules."
)
EXAMPLES_LABEL: Final = _("Examples")
NOTATION_LABEL: Final = _("Kingdom")
NOTATION_PLACEHOLDER: Final = "wwf1/wCl/ssl1"
SHOW_BUTTON: Final = _("Score it")
SIZE_LABEL: Final = _("Size of the kingdom")
SIZE_HELP: Final = _("Automatic means 5×5, or 7×7 if the kingdom is larger than 5×5.")
SIZES: Final[dict[int | None, str]] = {None: _("Automatic"), 5: "5×5", 7: "7×7"}
OPTIONS_LABEL: Final = _("Bonuses you play with")
MIDDLE_KINGDOM: Final = _("Middle Kingdom")
MIDDLE_KINGDOM_HELP: Final = _("10 points if the castle is in the centre of the kingdom.")
HARMONY: Final = _("Harmony")
HARMONY_HELP: Final = _("5 points if every square of the kingdom is covered.")
LEGEND_TITLE: Final = _("How to write a kingdom")
LEGEND: Final = _(
    "Write the squares row by row, from top to bottom. A stroke / or a new line starts the next row. "
    "A number behind a letter counts the crowns on that square: s2 is a swamp with two crowns."
)
NOTHING_YET: Final = _("Type a kingdom, or choose an example, and it appears here.")
SHOW_TERRITORY_LABEL: Final = _("Show on the board")
WHOLE_KINGDOM: Final = _("The whole kingdom")
COPY_LABEL: Final = _("The kingdom in one line, to copy")
LAYING_TITLE: Final = _("The dominoes, in an order they could have been laid")
CUTTING_TITLE: Final = _("The dominoes it can be cut into")
TOTAL: Final = _("Total")
NOT_BY_THE_RULES: Final = _(", not laid by the rules")
SCORE_HEADING: Final = _("Territory by territory")
VERDICT_HEADING: Final = _("Was it built by the rules?")
UNEXPECTED: Final = _(
    "Something went wrong in the program, not with what you entered. The terminal that runs the app shows "
    "the details. Reload the page to go on."
)
NOTICE: Final = _(
    "An unofficial companion made by players. Kingdomino is a trademark of its publisher; no artwork of the "
    "game is used. Queendomino, Age of Giants, The Court and Origins are not supported."
)


def too_long(length: int, limit: int) -> str:
    """For a text that cannot be one kingdom."""
    return _(
        "That is a text of {length} characters; a kingdom takes at most {limit}. Please enter one kingdom at a time."
    ).format(length=f"{length:,}", limit=f"{limit:,}")


def terrain_name(terrain: Terrain) -> str:
    """The terrain as the first word of a line."""
    return _TERRAINS[terrain].capitalize()


def terrain_word(terrain: Terrain) -> str:
    """The terrain inside a sentence."""
    return _TERRAINS[terrain]


def squares_count(number: int) -> str:
    """So many squares."""
    return ngettext("{n} square", "{n} squares", number)


def crowns_count(number: int) -> str:
    """So many crowns."""
    return ngettext("{n} crown", "{n} crowns", number)


def points_count(number: int) -> str:
    """So many points."""
    return ngettext("{n} point", "{n} points", number)


def points_noun(points: int) -> str:
    """The word beside a number of points."""
    return ngettext("point", "points", points)


def territory_sum(territory: Territory) -> str:
    """How a territory's points come about."""
    return f"{squares_count(territory.squares)} × {crowns_count(territory.crowns)}"


def territory_choice(territory: Territory | None) -> str:
    """A territory in a list to choose from; none stands for all of them."""
    if territory is None:
        return WHOLE_KINGDOM
    return f"{terrain_name(territory.terrain)}: {territory_sum(territory)} = {territory.points}"


def board_label(kingdom: Kingdom, points: int) -> str:
    """What the picture of a kingdom shows, for people who hear the page."""
    rows = (
        _("Row {number}: {squares}.").format(number=number, squares=", ".join(cell_words(cell) for cell in row))
        for number, row in enumerate(kingdom.rows, start=1)
    )
    return f"{_('A kingdom worth {points}.').format(points=points_count(points))} {' '.join(rows)}"


def place(position: Position) -> str:
    """A square of the board, counted as on its edge."""
    return _("row {row}, column {column}").format(row=position[0] + 1, column=position[1] + 1)


def places(positions: Iterable[Position]) -> str:
    """Several squares of the board."""
    *others, last = (place(position) for position in positions)
    return _("{others} and {last}").format(others="; ".join(others), last=last) if others else last


def square_label(position: Position, cell: Cell, *, wrong: bool, doubtful: bool) -> str:
    """A square of a board that can be tapped, for people who hear the page."""
    words = f"{place(position).capitalize()}: {cell_words(cell)}"
    if doubtful:
        words += _(", worth a look")
    return words + _(", part of a problem") if wrong else words


def problem_line(problem: Problem) -> str:
    """A problem in the engine's words, with its squares where they are few enough to read."""
    if not 0 < len(problem.cells) <= _FEW:
        return problem.text
    return f"{problem.text} {_('See {places}.').format(places=places(problem.cells))}"


def domino_line(kingdom: Kingdom, domino: VerifiedDomino) -> str:
    """One domino of a cutting: its number or numbers, and where its halves lie."""
    *others, last = (str(number) for number in domino.numbers)
    numbers = _("{others} or {last}").format(others=", ".join(others), last=last) if others else last
    halves = " – ".join(f"{cell_words(kingdom.cell(*cell))} ({place(cell)})" for cell in domino.cells)
    line = _("No. {numbers}: {halves}").format(numbers=numbers, halves=halves)
    return line + (NOT_BY_THE_RULES if domino.legal is False else "")


def cell_words(cell: Cell) -> str:
    """What a square shows."""
    if not isinstance(cell, Square):
        return _MARK_WORDS[cell]
    if not cell.crowns:
        return _TERRAINS[cell.terrain]
    return _("{terrain} with {crowns}").format(terrain=_TERRAINS[cell.terrain], crowns=crowns_count(cell.crowns))


_MARK_WORDS: Final[dict[Mark, str]] = {CASTLE: _("castle"), EMPTY: _("empty"), UNREAD: _("not read")}
_TERRAINS: Final[dict[Terrain, str]] = {
    Terrain.WHEAT: _("wheat"),
    Terrain.FOREST: _("forest"),
    Terrain.LAKE: _("lake"),
    Terrain.GRASSLAND: _("grassland"),
    Terrain.SWAMP: _("swamp"),
    Terrain.MINE: _("mine"),
}
COLOUR_NAMES: Final[dict[str, str]] = {
    "pink": _("pink"),
    "yellow": _("yellow"),
    "green": _("green"),
    "blue": _("blue"),
}


def verdict_headline(verdict: Verdict) -> str:
    """The verdict in one sentence; the engine's reason goes with it."""
    if verdict.legal:
        return _("Yes, it could have been built by the rules.")
    if verdict.legal is None:
        return _("That cannot be told.")
    if not verdict.exact:
        return _("No way to build it was found in the time allowed.")
    if verdict.tileable is False:
        return _("No, the dominoes of one box cannot make it.")
    return _("No, not every domino was laid by the rules.")


# Every sign that Markdown could take for more than itself.
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$^=&@])")
# Keeps the words between two colons from becoming a little picture.
_JOINER: Final = "\u2060"
_SHORT: Final = 18


def plain(words: str, most: int | None = None) -> str:
    """Words of a person for a label that takes Markdown: shown as they are, cut where they are too long."""
    line = " ".join(words.split())
    if most is not None and len(line) > most:
        line = line[: most - 1].rstrip() + "…"
    return _MARKDOWN.sub(r"\\\1", line).replace(":", f"{_JOINER}:{_JOINER}")


def short(words: str) -> str:
    """The same for a small button."""
    return plain(words, _SHORT)
