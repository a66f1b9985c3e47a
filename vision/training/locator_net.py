"""The locating network and its loss, in PyTorch."""

from __future__ import annotations

import io

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.locator import CHANNELS, MAPS

# Channels at a half, a quarter, … of the input's size, and before the output.
WIDTHS = (16, 32, 48, 56, 64)
LAST_WIDTH = 48
# How much the point maps, the castle map and the grid channels count beside the mask.
POINT_WEIGHT, CASTLE_WEIGHT, GRID_WEIGHT = 6.0, 1.0, 1.0
# A castle's pixel counts so much more than another tile's.
CASTLE_BONUS = 4.0
# The contrast of the input: one unit is this many grey levels.
INPUT_UNIT = 64.0


def _conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class LocatorNet(nn.Module):
    """Down to a thirty-second of the input and back up to a quarter, with the finer maps added on the way."""

    def __init__(self) -> None:
        super().__init__()
        two, four, eight, sixteen, thirtytwo = WIDTHS
        self.stem = _conv(3, two, 5, 2)
        self.down4 = nn.Sequential(_conv(two, four, 3, 2), _Residual(four))
        self.down8 = nn.Sequential(_conv(four, eight, 3, 2), _Residual(eight))
        self.down16 = nn.Sequential(_conv(eight, sixteen, 3, 2), _Residual(sixteen))
        self.down32 = nn.Sequential(_conv(sixteen, thirtytwo, 3, 2), _Residual(thirtytwo))
        self.lift16 = nn.Conv2d(thirtytwo, sixteen, 1)
        self.lift8 = nn.Conv2d(sixteen, eight, 1)
        self.lift4 = nn.Conv2d(eight, four, 1)
        self.up16 = _conv(sixteen, sixteen)
        self.up8 = _conv(eight, eight)
        self.up4 = _conv(four, LAST_WIDTH)
        self.out = nn.Conv2d(LAST_WIDTH, len(CHANNELS), 1)
        # Points are rare: start with the belief that there are none.
        with torch.no_grad():
            self.out.bias.zero_()
            self.out.bias[1:4] = -2.0

    def forward(self, picture: Tensor) -> Tensor:
        """Raw maps of BGR pictures with values from 0 to 255."""
        x = (picture - MAPS.grey) / INPUT_UNIT
        at4 = self.down4(self.stem(x))
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        x = self.down32(at16)
        x = self.up16(at16 + _doubled(self.lift16(x)))
        x = self.up8(at8 + _doubled(self.lift8(x)))
        x = self.up4(at4 + _doubled(self.lift4(x)))
        maps: Tensor = self.out(x)
        return maps


def _doubled(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2, mode="nearest")


def loss_parts(maps: Tensor, target: Tensor, weights: Tensor, beside: float) -> dict[str, Tensor]:
    """The parts of the loss by name: mask, points, castle, grid.

    In the mask, tiles and what lies beside them count ``beside`` times as much as the rest of the table.
    """
    weight = weights[:, 0]
    near = 1 + (beside - 1) * weights[:, 1]
    mask = functional.binary_cross_entropy_with_logits(maps[:, 0], target[:, 0], weight=near)
    # Whether a tile is a castle is asked on tiles only; castles are rare, so they count more.
    on_tile = (target[:, 0] > 0.5).float()
    castle = functional.binary_cross_entropy_with_logits(
        maps[:, 3], target[:, 3], weight=on_tile * (1 + CASTLE_BONUS * target[:, 3]), reduction="sum"
    ) / on_tile.sum().clamp(min=1)
    points = torch.stack([_point_loss(maps[:, k], target[:, k], weight) for k in (1, 2)]).mean()
    # Squares too small to have points have no telling grid either.
    inside = (target[:, 0] > 0.5) & (weight > 0.5)
    error = functional.smooth_l1_loss(maps[:, 4:], target[:, 4:], reduction="none", beta=0.1).sum(1)
    grid = (error * inside).sum() / inside.sum().clamp(min=1)
    return {
        "mask": mask,
        "points": POINT_WEIGHT * points,
        "castle": CASTLE_WEIGHT * castle,
        "grid": GRID_WEIGHT * grid,
    }


def _point_loss(logits: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Cross-entropy with the spots as soft targets, stronger where network and target disagree.

    The entropy of a soft target is taken off, so that a perfect map has no loss.
    """
    entropy = functional.binary_cross_entropy(target, target, reduction="none")
    cross = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    focus = (torch.sigmoid(logits) - target).abs().detach()
    spots = target.sum().clamp(min=1)
    return ((cross - entropy) * (0.25 + focus) * weight).sum() / spots


def export_onnx(net: LocatorNet) -> bytes:
    """The network with its normalisation folded in, for inputs of any size."""
    net = net.eval()
    buffer = io.BytesIO()
    axes = {0: "batch", 2: "height", 3: "width"}
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 256, 256),),
        buffer,
        opset_version=17,
        dynamo=False,
        input_names=["picture"],
        output_names=["maps"],
        dynamic_axes={"picture": axes, "maps": axes},
    )
    return buffer.getvalue()
