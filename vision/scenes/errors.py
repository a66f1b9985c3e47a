"""What can go wrong when a scene is composed."""

from engine import KingdominoError


class SceneError(KingdominoError):
    """A scene cannot be composed as asked."""
