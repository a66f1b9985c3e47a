"""Random light, colour, geometry and blemishes for squares, a batch at a time in PyTorch.

The ranges stand for what tables, lamps and phones do to a tile, and for how far a fitted grid may be off.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from vision.dataset import CANVAS, CASTLE_CLASS, SQUARE
from vision.rectify import CROP


@dataclass(frozen=True)
class AugmentConfig:
    """Strengths; shares are of the pictures of a batch, sizes are shares of the square."""

    shift: float = 0.055
    shift_limit: float = 0.15
    scale: float = 0.055
    rotation_degrees: float = 3.5
    corner: float = 0.025
    exposure: float = 0.33
    gamma: float = 0.22
    contrast: float = 0.18
    channel: float = 0.10
    cast_share: float = 0.35
    saturation: tuple[float, float] = (0.45, 1.5)
    hue_degrees: float = 7.0
    # Castles come in four colours, and standing ones were photographed in one only.
    castle_hue_share: float = 0.5
    shade_share: float = 0.5
    shade: float = 0.55
    haze_share: float = 0.25
    haze: float = 0.5
    glare_share: float = 0.35
    occlusion_share: float = 0.15
    occlusion: float = 0.22
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
        axis = (torch.arange(CROP.size) + 0.5) / CROP.size * 2 - 1
        rows, columns = torch.meshgrid(axis, axis, indexing="ij")
        # Crop coordinates run from -1 to 1 over the crop, border included.
        self.plane = torch.stack([columns, rows], dim=-1)

    def __call__(self, canvases: Tensor, classes: Tensor) -> Tensor:
        """Crops (n, 3, 64, 64), 0 to 255 float, of uint8 canvases (n, CANVAS, CANVAS, 3)."""
        pictures = canvases.permute(0, 3, 1, 2).float() / 255
        crops = self._framed(pictures)
        crops = self._coloured(crops, classes)
        crops = self._lit(crops)
        crops = self._covered(crops)
        crops = self._blurred(crops)
        sigma = self._uniform(len(crops), 0, self.config.noise)[:, None, None, None]
        crops = crops + sigma * torch.randn(crops.shape, generator=self.generator)
        return (crops.clamp(0, 1) * 255).round()

    def _uniform(self, n: int, low: float, high: float) -> Tensor:
        return torch.rand(n, generator=self.generator) * (high - low) + low

    def _normal(self, *shape: int) -> Tensor:
        return torch.randn(shape, generator=self.generator)

    def _happens(self, n: int, share: float) -> Tensor:
        return (torch.rand(n, generator=self.generator) < share).float()

    def _framed(self, pictures: Tensor) -> Tensor:
        config, n = self.config, len(pictures)
        turns = torch.randint(0, 4, (n,), generator=self.generator)
        angle = turns * (math.pi / 2) + self._normal(n) * math.radians(config.rotation_degrees)
        half = SQUARE / CANVAS * (1 + 2 * CROP.margin)
        scale = half * torch.exp(self._normal(n, 2) * config.scale * 0.5 + self._normal(n, 1) * config.scale)
        shift = (self._normal(n, 2) * config.shift).clamp(-config.shift_limit, config.shift_limit)
        shift = shift * (2 * SQUARE / CANVAS)
        plane = self.plane.expand(n, -1, -1, -1)
        # A slight perspective: the scale changes linearly across the crop.
        tilt = self._normal(n, 2) * config.corner
        depth = 1 + (plane * tilt[:, None, None, :]).sum(-1, keepdim=True)
        points = plane * scale[:, None, None, :] / depth
        cosine, sine = torch.cos(angle)[:, None, None], torch.sin(angle)[:, None, None]
        x = points[..., 0] * cosine - points[..., 1] * sine + shift[:, 0, None, None]
        y = points[..., 0] * sine + points[..., 1] * cosine + shift[:, 1, None, None]
        grid = torch.stack([x, y], dim=-1)
        return F.grid_sample(pictures, grid, mode="bilinear", padding_mode="border", align_corners=False)

    def _coloured(self, crops: Tensor, classes: Tensor) -> Tensor:
        config, n = self.config, len(crops)
        crops = self._hue_turned(crops, classes)
        grey = crops.mean(1, keepdim=True)
        saturation = self._uniform(n, *config.saturation)[:, None, None, None]
        crops = grey + (crops - grey) * saturation
        gains = torch.exp(self._normal(n, 3) * config.channel)
        # Lamps run from candle (little blue) to open shade (much blue).
        warmth = self._uniform(n, -0.5, 1.0) * self._happens(n, config.cast_share)
        gains = gains * torch.exp(torch.stack([-0.75 * warmth, -0.15 * warmth, 0.15 * warmth], dim=1))
        exposure = torch.exp(self._normal(n, 1) * config.exposure)
        crops = crops.clamp(0, 1) * (gains * exposure)[:, :, None, None]
        gamma = torch.exp(self._normal(n) * config.gamma)[:, None, None, None]
        crops = crops.clamp(1e-4, 1.6) ** gamma
        contrast = torch.exp(self._normal(n) * config.contrast)[:, None, None, None]
        mean = crops.mean((1, 2, 3), keepdim=True)
        return mean + (crops - mean) * contrast

    def _hue_turned(self, crops: Tensor, classes: Tensor) -> Tensor:
        """Turn the colours about the grey axis; castles often by any angle."""
        config, n = self.config, len(crops)
        angle = self._normal(n) * math.radians(config.hue_degrees)
        castle = (classes == CASTLE_CLASS).float() * self._happens(n, config.castle_hue_share)
        angle = angle + castle * self._uniform(n, -math.pi, math.pi)
        third, root = 1 / 3, math.sqrt(1 / 3)
        cosine, sine = torch.cos(angle), torch.sin(angle)
        same = cosine + third * (1 - cosine)
        up, down = third * (1 - cosine) - root * sine, third * (1 - cosine) + root * sine
        matrix = torch.stack(
            [torch.stack([same, up, down], 1), torch.stack([down, same, up], 1), torch.stack([up, down, same], 1)], 1
        )
        return torch.einsum("nij,njhw->nihw", matrix, crops)

    def _lit(self, crops: Tensor) -> Tensor:
        config, n = self.config, len(crops)
        crops = crops * (1 - self._ramp(n) * self._amount(n, config.shade_share, config.shade))
        light = torch.stack([self._uniform(n, 0.75, 1.0), self._uniform(n, 0.85, 1.0), self._uniform(n, 0.7, 1.0)], 1)
        # Sky light in a window is blue, a lamp is warm.
        sky = self._happens(n, 0.25)[:, None]
        light = light * (1 - sky) + sky * torch.tensor([[1.0, 0.7, 0.5]])
        light = light[:, :, None, None]
        haze = self._amount(n, config.haze_share, config.haze)
        crops = crops * (1 - haze) + haze * light * self._uniform(n, 0.4, 1.0)[:, None, None, None]
        glare = self._amount(n, config.glare_share, 0.95) * self._spot(n)
        return crops.clamp(0, 1.3) * (1 - 0.6 * glare) + glare * light

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
        config, n = self.config, len(crops)
        angle = self._uniform(n, 0, 2 * math.pi)
        direction = torch.stack([torch.cos(angle), torch.sin(angle)], 1)
        along = (self.plane * direction[:, None, None, :]).sum(-1)
        across = self.plane[..., 0] * -direction[:, 1, None, None] + self.plane[..., 1] * direction[:, 0, None, None]
        depth = self._uniform(n, 0.05, config.occlusion)[:, None, None] * 2
        width = self._uniform(n, 0.15, 1.2)[:, None, None]
        place = self._uniform(n, -0.7, 0.7)[:, None, None]
        reach = along.abs().amax((1, 2), keepdim=True)
        inside = (along > reach - depth - 0.15) & ((across - place).abs() < width)
        inside = inside.float() * self._happens(n, config.occlusion_share)[:, None, None]
        colour = torch.rand((n, 3), generator=self.generator)
        colour = colour * self._uniform(n, 0.2, 1.0)[:, None]
        return crops * (1 - inside[:, None]) + colour[:, :, None, None] * inside[:, None]

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
            crops[part] = F.conv2d(padded, weights, groups=3)
        # The order of a batch is random, so the first ones are as good as any.
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
