"""The network of ``vision.kingdom_reader`` in PyTorch: a look at each cell, then cells that look at each other.

Only the architecture and its export live here; what it learns from is in ``kingdom``.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.attention import HEADS, PLACES, Attention
from vision.classify import CLASSES
from vision.kingdom_reader import KNOWN
from vision.training.square_net import EMBEDDING, SquareNet

WIDTH = EMBEDDING
LAYERS = 3
DROPOUT = 0.1


class Layer(nn.Module):
    """Cells hear each other, then think."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.after = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.query, self.key, self.value, self.mix = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.places = nn.Parameter(torch.zeros(HEADS, PLACES))
        self.widen, self.narrow = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, values: Tensor, places: Tensor, there: Tensor) -> Tensor:
        """Cells (scenes, n, width), their places (scenes, n, n) and which are there at all (scenes, n)."""
        scenes, count, _ = values.shape
        level = self.before(values)
        asks, offers, says = (
            part(level).reshape(scenes, count, HEADS, -1).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        bias = self.places[:, places].transpose(0, 1).masked_fill(~there[:, None, None, :], -1e4)
        heard = functional.scaled_dot_product_attention(asks, offers, says, attn_mask=bias.to(asks.dtype))
        values = values + self.dropout(self.mix(heard.transpose(1, 2).reshape(scenes, count, WIDTH)))
        thought = functional.relu(self.widen(self.after(values)))
        return values + self.dropout(self.narrow(thought))


class KingdomNet(nn.Module):
    """Both parts, and a head that reads each cell from its looks alone, so that looks are learnt well."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = SquareNet(wide=96, deep=1)
        self.alone = nn.Linear(WIDTH, len(CLASSES))
        self.enter = nn.Linear(WIDTH + KNOWN, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.last = nn.LayerNorm(WIDTH)
        self.leave = nn.Linear(WIDTH, len(CLASSES))
        # It starts by saying nothing.
        nn.init.zeros_(self.leave.weight)
        nn.init.zeros_(self.leave.bias)

    def together(self, looks: Tensor, known: Tensor, places: Tensor, there: Tensor) -> Tensor:
        """What is to be added to the log of what was read (scenes, n, classes)."""
        values = self.enter(torch.cat([looks, known], dim=-1))
        for layer in self.layers:
            values = layer(values, places, there)
        return self.leave(self.last(values))


def attention_of(net: KingdomNet) -> Attention:
    """The second part as plain arrays."""
    parts = {"enter": net.enter, "last": net.last, "leave": net.leave}
    for number, layer in enumerate(net.layers):
        for name in ("before", "after", "query", "key", "value", "mix", "widen", "narrow"):
            parts[f"layer_{number}_{name}"] = getattr(layer, name)
    arrays = {}
    for name, part in parts.items():
        arrays[f"{name}_weight"] = part.weight.detach().numpy()
        arrays[f"{name}_bias"] = part.bias.detach().numpy()
    for number, layer in enumerate(net.layers):
        arrays[f"layer_{number}_places"] = layer.places.detach().numpy()
    return Attention(arrays)
