"""Random light, colour, geometry and blemishes for squares, a batch at a time in PyTorch.

The ranges stand for what tables, lamps and phones do to a tile, and for how far a fitted grid may be off.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from vision.dataset import CANVAS, CASTLE_CLASS, SQUARE
from vision.rectify import CROP

# Values in the sheet of noise that pictures take their grain from.
GRAIN = 400_000
# How often haze and glare have the blue of the sky.
SKY_SHARE = 0.35


@dataclass(frozen=True)
class AugmentConfig:
    """Strengths; shares are of the pictures of a batch, sizes are shares of the square."""

    shift: float = 0.055
    shift_limit: float = 0.15
    scale: float = 0.055
    rotation_degrees: float = 3.5
    corner: float = 0.025
    exposure: float = 0.28
    gamma: float = 0.22
    contrast: float = 0.14
    channel: float = 0.10
    cast_share: float = 0.35
    saturation: tuple[float, float] = (0.5, 1.35)
    hue_degrees: float = 7.0
    # Castles come in four colours, and standing ones were photographed in one only.
    castle_hue_share: float = 0.4
    shade_share: float = 0.5
    shade: float = 0.55
    haze_share: float = 0.25
    haze: float = 0.5
    glare_share: float = 0.40
    occlusion_share: float = 0.2
    occlusion: float = 0.4
    blur_share: float = 0.45
    blur_sigma: tuple[float, float] = (0.4, 2.0)
    noise: float = 0.035


MILD = AugmentConfig(
    shift=0.04,
    scale=0.04,
    rotation_degrees=2.0,
    corner=0.015,
    exposure=0.2,
    gamma=0.12,
    contrast=0.1,
    channel=0.08,
    cast_share=0.2,
    saturation=(0.7, 1.3),
    hue_degrees=4.0,
    castle_hue_share=0.0,
    shade_share=0.3,
    shade=0.35,
    haze_share=0.1,
    haze=0.3,
    glare_share=0.1,
    occlusion_share=0.0,
    blur_share=0.3,
    blur_sigma=(0.4, 1.2),
    noise=0.02,
)


class Augment:
    """Turns canvases into crops as a camera and a fitted grid might have delivered them."""

    def __init__(self, config: AugmentConfig, generator: torch.Generator) -> None:
        self.config = config
        self.generator = generator
        self.strength = torch.ones(0)
        axis = (torch.arange(CROP.size) + 0.5) / CROP.size * 2 - 1
        rows, columns = torch.meshgrid(axis, axis, indexing="ij")
        # Crop coordinates run from -1 to 1 over the crop, border included.
        self.plane = torch.stack([columns, rows], dim=-1)
        self.grain = torch.randn(GRAIN, generator=generator)

    def __call__(self, canvases: Tensor, classes: Tensor, strength: Tensor | None = None) -> Tensor:
        """Crops (n, 3, 64, 64), 0 to 255 float, of uint8 canvases (n, CANVAS, CANVAS, 3).

        ``strength`` between 0 and 1 weakens colour and light for each picture, not the geometry.
        """
        self.strength = torch.ones(len(canvases)) if strength is None else strength
        crops = self._framed(canvases) / 255
        crops = self._coloured(crops, classes)
        crops = self._lit(crops)
        crops = self._covered(crops)
        crops = self._blurred(crops)
        return self._grained(crops).clamp_(0, 1).mul_(255).round_()

    def _uniform(self, n: int, low: float, high: float) -> Tensor:
        return torch.rand(n, generator=self.generator) * (high - low) + low

    def _normal(self, *shape: int) -> Tensor:
        return torch.randn(shape, generator=self.generator)

    def _happens(self, n: int, share: float) -> Tensor:
        return (torch.rand(n, generator=self.generator) < share).float()

    def _some(self, n: int, share: float) -> Tensor:
        return torch.nonzero(torch.rand(n, generator=self.generator) < share * self.strength)[:, 0]

    def _framed(self, canvases: Tensor) -> Tensor:
        """Cut a crop from each canvas: any of four orientations, shifted, scaled, turned and tilted a little."""
        config, n = self.config, len(canvases)
        turns = torch.randint(0, 4, (n,), generator=self.generator)
        angle = turns * (math.pi / 2) + self._normal(n) * math.radians(config.rotation_degrees)
        scale = torch.exp(self._normal(n, 2) * config.scale * 0.5 + self._normal(n, 1) * config.scale)
        shift = (self._normal(n, 2) * config.shift).clamp(-config.shift_limit, config.shift_limit)
        tilt = self._normal(n, 2) * config.corner
        cosine, sine = torch.cos(angle), torch.sin(angle)
        half = SQUARE * (0.5 + CROP.margin)
        # From the crop, which runs from -1 to 1, to canvas pixels; a tilt changes the scale across the crop.
        middle = torch.tensor(CANVAS / 2 - 0.5)
        to_canvas = torch.zeros(n, 3, 3)
        to_canvas[:, 0, 0], to_canvas[:, 0, 1] = half * cosine * scale[:, 0], -half * sine * scale[:, 1]
        to_canvas[:, 1, 0], to_canvas[:, 1, 1] = half * sine * scale[:, 0], half * cosine * scale[:, 1]
        to_canvas[:, :2, 2] = shift * SQUARE
        to_canvas[:, 2, :2], to_canvas[:, 2, 2] = tilt, 1
        to_canvas[:, :2] += middle * to_canvas[:, 2:]
        step, start = 2 / CROP.size, 1 / CROP.size - 1
        from_pixels = torch.tensor([[step, 0, start], [0, step, start], [0, 0, 1]])
        matrices = (to_canvas @ from_pixels).double().numpy()
        crops = np.empty((n, CROP.size, CROP.size, 3), np.uint8)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        for crop, canvas, matrix in zip(crops, canvases.numpy(), matrices, strict=True):
            cv2.warpPerspective(
                canvas, matrix, (CROP.size, CROP.size), dst=crop, flags=flags, borderMode=cv2.BORDER_REPLICATE
            )
        return torch.from_numpy(crops).permute(0, 3, 1, 2).to(torch.float32, memory_format=torch.contiguous_format)

    def _coloured(self, crops: Tensor, classes: Tensor) -> Tensor:
        """Hue, saturation, the colour of the lamp, exposure, contrast and gamma."""
        config, n = self.config, len(crops)
        strength = self.strength[:, None]
        saturation = (1 + self.strength * (self._uniform(n, *config.saturation) - 1))[:, None, None]
        matrix = torch.eye(3) * saturation + (1 - saturation) / 3
        matrix = matrix @ self._hue_turns(classes)
        gains = torch.exp(self._normal(n, 3) * config.channel * strength)
        # Lamps run from candle (little blue) to open shade (much blue).
        warmth = self._uniform(n, -0.5, 1.0) * self._happens(n, config.cast_share) * self.strength
        gains = gains * torch.exp(torch.stack([-0.75 * warmth, -0.15 * warmth, 0.15 * warmth], dim=1))
        exposure = torch.exp(self._normal(n, 1) * config.exposure * strength)
        contrast = torch.exp(self._normal(n, 1) * config.contrast * strength)
        matrix = matrix * (gains * exposure * contrast)[:, :, None]
        flat = crops.flatten(2)
        offset = (matrix @ flat.mean(2, keepdim=True)).mean(1, keepdim=True) * (1 / contrast - 1)[:, :, None]
        coloured = torch.baddbmm(offset, matrix, flat).clamp_(1e-4, 1.4)
        gamma = torch.exp(self._normal(n, 1, 1) * config.gamma * strength[:, None])
        return coloured.log_().mul_(gamma).exp_().reshape(crops.shape)

    def _hue_turns(self, classes: Tensor) -> Tensor:
        """Matrices that turn colours about the grey axis; castles often by any angle."""
        config, n = self.config, len(classes)
        angle = self._normal(n) * math.radians(config.hue_degrees) * self.strength
        castle = (classes == CASTLE_CLASS).float() * self._happens(n, config.castle_hue_share)
        angle = angle + castle * self._uniform(n, -math.pi, math.pi)
        third, root = 1 / 3, math.sqrt(1 / 3)
        cosine, sine = torch.cos(angle), torch.sin(angle)
        same = cosine + third * (1 - cosine)
        up, down = third * (1 - cosine) - root * sine, third * (1 - cosine) + root * sine
        rows = ([same, up, down], [down, same, up], [up, down, same])
        return torch.stack([torch.stack(row, 1) for row in rows], 1)

    def _lit(self, crops: Tensor) -> Tensor:
        """A shadow's edge, haze over all, and a spot of glare in the colour of its light."""
        config, n = self.config, len(crops)
        shade = torch.zeros(n, 1, CROP.size, CROP.size)
        shaded = self._some(n, config.shade_share)
        shade[shaded] = self._uniform(len(shaded), 0, config.shade)[:, None, None, None] * self._ramp(len(shaded))
        light = torch.stack([self._uniform(n, 0.75, 1.0), self._uniform(n, 0.85, 1.0), self._uniform(n, 0.7, 1.0)], 1)
        # Sky light in a window is blue, a lamp is warm.
        sky = self._happens(n, SKY_SHARE)[:, None]
        light = light * (1 - sky) + sky * torch.tensor([[1.0, 0.7, 0.5]])
        haze = self._amount(n, config.haze_share, config.haze) * self.strength[:, None, None, None]
        glare = torch.zeros(n, 1, CROP.size, CROP.size)
        glaring = self._some(n, config.glare_share)
        glare[glaring] = self._uniform(len(glaring), 0, 0.95)[:, None, None, None] * self._spot(len(glaring))
        dimmed = 1 - 0.6 * glare
        kept = (1 - shade) * (1 - haze) * dimmed
        added = haze * self._uniform(n, 0.4, 1.0)[:, None, None, None] * dimmed + glare
        return torch.addcmul(crops * kept, added, light[:, :, None, None])

    def _amount(self, n: int, share: float, most: float) -> Tensor:
        return (self._happens(n, share) * self._uniform(n, 0, most))[:, None, None, None]

    def _ramp(self, n: int) -> Tensor:
        """A soft edge from 0 to 1 in a random direction: the border of a shadow."""
        angle = self._uniform(n, 0, 2 * math.pi)
        direction = torch.stack([torch.cos(angle), torch.sin(angle)], 1)
        distance = (self.plane * direction[:, None, None, :]).sum(-1) + self._uniform(n, -1, 1)[:, None, None]
        steep = torch.exp(self._uniform(n, 0, 3))[:, None, None]
        return torch.sigmoid(distance * steep)[:, None]

    def _spot(self, n: int) -> Tensor:
        """A stretched soft spot anywhere in the crop, from a reflex to a sheen over all of it."""
        centre = self._uniform(2 * n, -1.1, 1.1).reshape(n, 1, 1, 2)
        sizes = torch.exp(self._uniform(2 * n, math.log(0.12), math.log(1.2))).reshape(n, 1, 1, 2)
        angle = self._uniform(n, 0, math.pi)[:, None, None]
        offset = self.plane - centre
        cosine, sine = torch.cos(angle), torch.sin(angle)
        u = (offset[..., 0] * cosine + offset[..., 1] * sine) / sizes[..., 0]
        v = (offset[..., 1] * cosine - offset[..., 0] * sine) / sizes[..., 1]
        return torch.exp(-(u * u + v * v))[:, None]

    def _covered(self, crops: Tensor) -> Tensor:
        """Something plain reaches in from one side: a finger, a castle's wall, the edge of a sheet."""
        chosen = self._some(len(crops), self.config.occlusion_share)
        n = len(chosen)
        angle = self._uniform(n, 0, 2 * math.pi)
        direction = torch.stack([torch.cos(angle), torch.sin(angle)], 1)
        along = (self.plane * direction[:, None, None, :]).sum(-1)
        across = self.plane[..., 0] * -direction[:, 1, None, None] + self.plane[..., 1] * direction[:, 0, None, None]
        # The border of the crop does not count as covered.
        depth = 2 * self._uniform(n, 0.05, self.config.occlusion)[:, None, None] + CROP.margin
        width = self._uniform(n, 0.15, 1.2)[:, None, None]
        place = self._uniform(n, -0.7, 0.7)[:, None, None]
        reach = along.abs().amax((1, 2), keepdim=True) if n else along
        inside = ((along > reach - depth) & ((across - place).abs() < width))[:, None]
        colour = torch.rand((n, 3), generator=self.generator) * self._uniform(n, 0.2, 1.0)[:, None]
        crops[chosen] = torch.where(inside, colour[:, :, None, None], crops[chosen])
        return crops

    def _blurred(self, crops: Tensor) -> Tensor:
        """Blur a share of the batch, in a few groups of one strength and kind each."""
        count = int(len(crops) * self.config.blur_share)
        groups = 4
        for group in range(groups):
            part = slice(group * count // groups, (group + 1) * count // groups)
            sigma = float(torch.exp(self._uniform(1, *(math.log(s) for s in self.config.blur_sigma))))
            kernel = self._kernel(sigma, motion=group == 0)
            size = kernel.shape[-1]
            weights = kernel.expand(3, 1, size, size).contiguous()
            padded = F.pad(crops[part], (size // 2,) * 4, mode="replicate")
            soft = self.strength[part, None, None, None]
            crops[part] = crops[part].lerp(F.conv2d(padded, weights, groups=3), soft)
        # The order of a batch is random, so the first ones are as good as any.
        return crops

    def _grained(self, crops: Tensor) -> Tensor:
        """Sensor noise: windows at random places of one large sheet of grain."""
        n, size = len(crops), crops[0].numel()
        sigma = self._uniform(n, 0, self.config.noise) * self.strength
        starts = torch.randint(0, len(self.grain) - size, (n,), generator=self.generator)
        for crop, start, strength in zip(crops, starts.tolist(), sigma.tolist(), strict=True):
            crop.view(-1).add_(self.grain[start : start + size], alpha=strength)
        return crops

    def _kernel(self, sigma: float, motion: bool) -> Tensor:
        radius = max(1, math.ceil(2.5 * sigma))
        axis = torch.arange(-radius, radius + 1).float()
        rows, columns = torch.meshgrid(axis, axis, indexing="ij")
        if motion:
            angle = float(self._uniform(1, 0, math.pi))
            along = columns * math.cos(angle) + rows * math.sin(angle)
            across = rows * math.cos(angle) - columns * math.sin(angle)
            kernel = torch.exp(-0.5 * ((along / (1.4 * sigma)) ** 2 + (across / 0.4) ** 2))
        else:
            kernel = torch.exp(-0.5 * (rows**2 + columns**2) / sigma**2)
        return kernel / kernel.sum()
