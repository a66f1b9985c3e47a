"""The wording of the app, in one place. What is wrong with a kingdom, the engine says itself."""

from __future__ import annotations

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

# Up to so many squares, a sentence names them all.
_FEW: Final = 4

APP_NAME: Final = "Kingdomino companion"
SCORE_TITLE: Final = "Score a kingdom"
SCORE_INTRO: Final = (
    "Type or paste a kingdom, or start from an example. You see it drawn, what each territory is worth, and "
    "whether it could have been built by the rules."
)
EXAMPLES_LABEL: Final = "Examples"
NOTATION_LABEL: Final = "Kingdom"
NOTATION_PLACEHOLDER: Final = "wwf1/wCl/ssl1"
SHOW_BUTTON: Final = "Score it"
SIZE_LABEL: Final = "Size of the kingdom"
SIZE_HELP: Final = "Automatic means 5×5, or 7×7 if the kingdom is larger than 5×5."
SIZES: Final[dict[int | None, str]] = {None: "Automatic", 5: "5×5", 7: "7×7"}
OPTIONS_LABEL: Final = "Bonuses you play with"
MIDDLE_KINGDOM: Final = "Middle Kingdom"
MIDDLE_KINGDOM_HELP: Final = "10 points if the castle is in the centre of the kingdom."
HARMONY: Final = "Harmony"
HARMONY_HELP: Final = "5 points if every square of the kingdom is covered."
LEGEND_TITLE: Final = "How to write a kingdom"
LEGEND: Final = (
    "Write the squares row by row, from top to bottom. A stroke / or a new line starts the next row. "
    "A number behind a letter counts the crowns on that square: s2 is a swamp with two crowns."
)
NOTHING_YET: Final = "Type a kingdom, or choose an example, and it appears here."
SHOW_TERRITORY_LABEL: Final = "Show on the board"
WHOLE_KINGDOM: Final = "The whole kingdom"
COPY_LABEL: Final = "The kingdom in one line, to copy"
LAYING_TITLE: Final = "The dominoes, in an order they could have been laid"
CUTTING_TITLE: Final = "The dominoes it can be cut into"
TOTAL: Final = "Total"
NOT_BY_THE_RULES: Final = ", not laid by the rules"
SCORE_HEADING: Final = "Territory by territory"
VERDICT_HEADING: Final = "Was it built by the rules?"
UNEXPECTED: Final = (
    "Something went wrong in the program, not with what you entered. The terminal that runs the app shows "
    "the details. Reload the page to go on."
)
NOTICE: Final = (
    "An unofficial companion made by players. Kingdomino is a trademark of its publisher; no artwork of the "
    "game is used. Queendomino, Age of Giants, The Court and Origins are not supported."
)


def too_long(length: int, limit: int) -> str:
    """For a text that cannot be one kingdom."""
    return (
        f"That is a text of {length:,} characters; a kingdom takes at most {limit:,}. "
        "Please enter one kingdom at a time."
    )


def terrain_name(terrain: Terrain) -> str:
    """The terrain as the first word of a line."""
    return terrain.value.capitalize()


def counted(number: int, noun: str) -> str:
    """A number with its noun in the right form."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def points_noun(points: int) -> str:
    """The word beside a number of points."""
    return "point" if points == 1 else "points"


def territory_sum(territory: Territory) -> str:
    """How a territory's points come about."""
    return f"{counted(territory.squares, 'square')} × {counted(territory.crowns, 'crown')}"


def territory_choice(territory: Territory | None) -> str:
    """A territory in a list to choose from; none stands for all of them."""
    if territory is None:
        return WHOLE_KINGDOM
    return f"{terrain_name(territory.terrain)}: {territory_sum(territory)} = {territory.points}"


def board_label(kingdom: Kingdom, points: int) -> str:
    """What the picture of a kingdom shows, for people who hear the page."""
    rows = (
        f"Row {number}: {', '.join(cell_words(cell) for cell in row)}."
        for number, row in enumerate(kingdom.rows, start=1)
    )
    return f"A kingdom worth {counted(points, 'point')}. {' '.join(rows)}"


def place(position: Position) -> str:
    """A square of the board, counted as on its edge."""
    return f"row {position[0] + 1}, column {position[1] + 1}"


def problem_line(problem: Problem) -> str:
    """A problem in the engine's words, with its squares where they are few enough to read."""
    if not 0 < len(problem.cells) <= _FEW:
        return problem.text
    *others, last = (place(cell) for cell in problem.cells)
    return f"{problem.text} See {'; '.join(others)} and {last}." if others else f"{problem.text} See {last}."


def domino_line(kingdom: Kingdom, domino: VerifiedDomino) -> str:
    """One domino of a cutting: its number or numbers, and where its halves lie."""
    *others, last = (str(number) for number in domino.numbers)
    number = f"No. {', '.join(others)} or {last}" if others else f"No. {last}"
    halves = " – ".join(f"{cell_words(kingdom.cell(*cell))} ({place(cell)})" for cell in domino.cells)
    return f"{number}: {halves}" + (NOT_BY_THE_RULES if domino.legal is False else "")


def cell_words(cell: Cell) -> str:
    """What a square shows."""
    return cell.words if isinstance(cell, Square) else _MARK_WORDS[cell]


_MARK_WORDS: Final[dict[Mark, str]] = {CASTLE: "castle", EMPTY: "empty", UNREAD: "not read"}


def verdict_headline(verdict: Verdict) -> str:
    """The verdict in one sentence; the engine's reason goes with it."""
    if verdict.legal:
        return "Yes, it could have been built by the rules."
    if verdict.legal is None:
        return "That cannot be told."
    if not verdict.exact:
        return "No way to build it was found in the time allowed."
    if verdict.tileable is False:
        return "No, the dominoes of one box cannot make it."
    return "No, not every domino was laid by the rules."
