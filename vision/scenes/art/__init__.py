"""The project's own tiles, drawn in code, as a source for the composer."""

from .own import OwnArt

__all__ = ["OwnArt"]
