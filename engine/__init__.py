"""The rules of Kingdomino: squares, dominoes, kingdoms, placements, scores, verdicts, games, Dynasties.

Standard library only. Everything a caller needs is exported here.
"""

from engine.dominoes import DOMINOES, FACES, Domino, Face, domino, face_of
from engine.errors import ActionError, KingdominoError, NotationError, PlacementError, RulesError
from engine.game import Game, random_playout
from engine.kingdom import Kingdom, Position
from engine.placement import LegalPlacements, Placement, can_place, explain, legal_placements
from engine.rules import Edition, Rules
from engine.scoring import Bonus, BonusState, Ranking, Score, Standing, Territory, ranking, score, territories
from engine.squares import CASTLE, CELLS, EMPTY, SQUARE_COUNTS, SQUARES, UNREAD, Cell, Mark, Square, Terrain

__all__ = [
    "CASTLE",
    "CELLS",
    "DOMINOES",
    "EMPTY",
    "FACES",
    "SQUARES",
    "SQUARE_COUNTS",
    "UNREAD",
    "ActionError",
    "Bonus",
    "BonusState",
    "Cell",
    "Domino",
    "Edition",
    "Face",
    "Game",
    "KingdominoError",
    "Kingdom",
    "LegalPlacements",
    "Mark",
    "NotationError",
    "Placement",
    "PlacementError",
    "Position",
    "Ranking",
    "Rules",
    "RulesError",
    "Score",
    "Square",
    "Standing",
    "Terrain",
    "Territory",
    "can_place",
    "domino",
    "explain",
    "face_of",
    "legal_placements",
    "random_playout",
    "ranking",
    "score",
    "territories",
]
