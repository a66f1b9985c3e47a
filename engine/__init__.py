"""The rules of Kingdomino: squares, dominoes, kingdoms, placements, scores, verdicts, games, Dynasties.

Standard library only. Everything a caller needs is exported here.
"""

from engine.actions import Action, Choose, Discard, Place
from engine.dominoes import DOMINOES, FACES, Domino, Face, domino, face_of
from engine.errors import ActionError, KingdominoError, NotationError, PlacementError, RulesError
from engine.game import Event, Game, Slot, random_playout
from engine.kingdom import Kingdom, Position
from engine.legal import LegalActions
from engine.placement import LegalPlacements, Placement, can_place, explain, legal_placements
from engine.rules import Edition, Rules
from engine.scoring import Bonus, BonusState, Ranking, Score, Standing, Territory, ranking, score, territories
from engine.setup import Setup
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
    "Action",
    "ActionError",
    "Bonus",
    "BonusState",
    "Cell",
    "Choose",
    "Discard",
    "Domino",
    "Edition",
    "Event",
    "Face",
    "Game",
    "KingdominoError",
    "Kingdom",
    "LegalActions",
    "LegalPlacements",
    "Mark",
    "NotationError",
    "Place",
    "Placement",
    "PlacementError",
    "Position",
    "Ranking",
    "Rules",
    "RulesError",
    "Score",
    "Setup",
    "Slot",
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
