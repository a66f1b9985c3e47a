"""The errors of the whole program: one base, one family for each kind of trouble.

Every message is written for a player: what was expected, what was found, where.
"""

from __future__ import annotations


class KingdominoError(Exception):
    """Base of every error that this program raises on purpose."""


class NotationError(KingdominoError, ValueError):
    """A text, or a grid of squares, that is no kingdom."""


class RulesError(KingdominoError, ValueError):
    """A set-up that no edition of the game has."""


class PlacementError(KingdominoError, ValueError):
    """A domino laid where it cannot lie, or a question that such a kingdom cannot answer."""


class ActionError(KingdominoError, ValueError):
    """A move that the state of the game does not allow, or a saved game that does not replay."""
