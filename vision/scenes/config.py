"""What a scene may vary, and by how much: one frozen config.

Every probability and range of the composer stands here. A value of None leaves the choice to the dice;
a fixed value directs the scene, so that samples and tests can ask for "oblique" or "four kingdoms".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Range = tuple[float, float]
Castle = Literal["flat", "standing"]
CastleColour = Literal["pink", "yellow", "green", "blue"]

CASTLE_COLOURS: tuple[CastleColour, ...] = ("pink", "yellow", "green", "blue")


@dataclass(frozen=True)
class SceneConfig:
    """How one scene is laid, lit and photographed. Lengths are in squares, angles in degrees."""

    # The frame, in pixels (width, height).
    size: tuple[int, int] = (512, 512)

    # The camera. The fill is the kingdom's longer extent over the frame's; above 1 it overflows.
    rotation: float | None = None
    tilt: float | None = None
    fill: float | None = None
    # Share of the scenes that look straight down, ordinarily, and strongly obliquely, with their tilts.
    tilt_shares: tuple[float, float, float] = (0.50, 0.38, 0.12)
    tilt_ranges: tuple[Range, Range, Range] = ((0.0, 14.0), (10.0, 40.0), (40.0, 64.0))
    # Share of the scenes laid square to the frame, and how far off square they then are.
    square_share: float = 0.45
    square_spread: float = 9.0
    # Shares of far, ordinary and overflowing kingdoms, with their fills.
    fill_shares: tuple[float, float, float] = (0.10, 0.76, 0.14)
    fill_ranges: tuple[Range, Range, Range] = ((0.10, 0.35), (0.35, 0.97), (0.97, 1.30))
    # No square is smaller than this share of the frame, unless the fill is asked for.
    least_square: float = 0.018
    # Field of view along the frame, from a telephoto crop to a phone's wide lens.
    field_of_view: Range = (28.0, 74.0)
    # How askew the phone is held, and how often it looks from another side of the table.
    roll_spread: float = 3.0
    sideways_share: float = 0.25
    # How far an overflowing kingdom may be pushed off the middle, in frames.
    overflow_shift: float = 0.12

    # How the tiles lie.
    gap: float | None = None
    max_gap: float = 0.08
    crooked: float | None = None
    max_crooked: float = 4.0
    thickness: Range = (0.03, 0.10)

    # What stands and lies about.
    castle: Castle | None = None
    castle_colour: CastleColour | None = None
    standing_share: float = 0.4
    kings_share: float = 0.12
    king_on_board_share: float = 0.35
    clutter: float | None = None
    strays: int | None = None
    stray_share: float = 0.35
    max_strays: int = 5
    cut_neighbour: bool | None = None
    cut_neighbour_share: float = 0.10
    hand_share: float = 0.04

    # The table: a kind of `tables.KINDS`, or None for any.
    table: str | None = None
    real_table_share: float = 0.45
    dyed_share: float = 0.6
    # Whether a second surface lies beyond a straight edge.
    edge: bool | None = None
    edge_share: float = 0.15

    # Light and camera.
    warmth: float | None = None
    exposure: float | None = None
    glare: float | None = None
    glare_share: float = 0.4
    shadow: float | None = None
    shadow_share: float = 0.4
    blur: float | None = None
    blur_share: float = 0.5
    noise: float | None = None
    jpeg: int | None = None
    # Share of scenes that went through a small picture on the way, as screenshots and messengers do.
    shrink_share: float = 0.18
    # 1 is the whole breadth of lights and cameras; samples use less.
    harshness: float = 1.0

    # A square counts as partly hidden from this covered share on.
    hidden_from: float = 0.25
