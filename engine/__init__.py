"""The rules of Kingdomino: squares, dominoes, kingdoms, placements, scores, verdicts, games, Dynasties.

Standard library only. Everything a caller needs is exported here.
"""

from engine.actions import Action, Choose, Discard, Place
from engine.compare import AddedDomino, Change, Comparison, compare
from engine.dominoes import DOMINOES, FACES, Domino, Face, domino, face_of
from engine.dynasty import Dynasty, DynastyStanding, GameRecord
from engine.errors import ActionError, KingdominoError, NotationError, PlacementError, RulesError
from engine.game import Event, Game, Slot, random_playout
from engine.kingdom import Kingdom, Position
from engine.legal import LegalActions
from engine.placement import LegalPlacements, Placement, can_place, explain, legal_placements
from engine.rules import Edition, Rules
from engine.scoring import (
    Bonus,
    BonusState,
    Ranking,
    Score,
    Standing,
    Tally,
    Territory,
    places,
    ranking,
    score,
    tally,
    territories,
)
from engine.setup import Setup
from engine.squares import CASTLE, CELLS, EMPTY, SQUARE_COUNTS, SQUARES, UNREAD, Cell, Mark, Square, Terrain
from engine.status import Problem, problems
from engine.verify import Verdict, VerifiedDomino, unconnected, verify, verify_game

__all__ = [
    "Action",
    "ActionError",
    "AddedDomino",
    "Bonus",
    "BonusState",
    "CASTLE",
    "CELLS",
    "Cell",
    "Change",
    "Choose",
    "Comparison",
    "DOMINOES",
    "Discard",
    "Domino",
    "EMPTY",
    "Dynasty",
    "DynastyStanding",
    "Edition",
    "Event",
    "FACES",
    "Face",
    "Game",
    "GameRecord",
    "Kingdom",
    "KingdominoError",
    "LegalActions",
    "LegalPlacements",
    "Mark",
    "NotationError",
    "Place",
    "Placement",
    "PlacementError",
    "Position",
    "Problem",
    "Ranking",
    "Rules",
    "RulesError",
    "SQUARES",
    "SQUARE_COUNTS",
    "Score",
    "Setup",
    "Slot",
    "Square",
    "Standing",
    "Tally",
    "Terrain",
    "Territory",
    "UNREAD",
    "Verdict",
    "VerifiedDomino",
    "can_place",
    "compare",
    "domino",
    "explain",
    "face_of",
    "legal_placements",
    "places",
    "problems",
    "random_playout",
    "ranking",
    "score",
    "tally",
    "territories",
    "unconnected",
    "verify",
    "verify_game",
]
