"""Scenes: kingdoms rendered as photographs whose truth is known. See docs/scenes.md."""

from .art import OwnArt
from .compose import compose
from .config import CASTLE_COLOURS, CastleColour, SceneConfig
from .errors import SceneError
from .real import RealTiles
from .rolled import mistaken, random_kingdoms, random_scene, shuffled
from .sources import Tiles, TileSource
from .truth import KingdomTruth, Scene, Stray

__all__ = [
    "CASTLE_COLOURS",
    "CastleColour",
    "KingdomTruth",
    "OwnArt",
    "RealTiles",
    "Scene",
    "SceneConfig",
    "SceneError",
    "Stray",
    "TileSource",
    "Tiles",
    "compose",
    "mistaken",
    "random_kingdoms",
    "random_scene",
    "shuffled",
]
