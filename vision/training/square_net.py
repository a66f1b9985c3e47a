"""The network that reads a square: from 64×64 pixels to an embedding.

Only the architecture and its export live here; how it is trained is in ``square_training``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch
from torch import Tensor, nn

from vision.classify import CLASSES
from vision.rectify import CROP

EMBEDDING = 128
# Opset 13 is run by every OpenCV since 4.5.
ONNX_OPSET = 13


def _block(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class SquareNet(nn.Module):
    """Convolutions, each with normalisation, then a global mean: 0.36 million weights as the square reader has it."""

    def __init__(self, wide: int = 112, deep: int = 2) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _block(3, 16, stride=2),
            _block(16, 32),
            _block(32, 64, stride=2),
            _block(64, 64),
            _block(64, wide, stride=2),
            *(_block(wide, wide) for _ in range(deep)),
            _block(wide, EMBEDDING, kernel=1),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
        )

    def forward(self, pixels: Tensor) -> Tensor:
        """Embeddings (n, 128) of BGR pixels (n, 3, side, side) between 0 and 255."""
        return self.features(pixels * (1 / 64) - 2)


class SquareReader(nn.Module):
    """The network with the linear layer it is trained with; that layer is replaced by the calibrated head."""

    def __init__(self) -> None:
        super().__init__()
        self.net = SquareNet()
        self.dropout = nn.Dropout(0.1)
        self.last = nn.Linear(EMBEDDING, len(CLASSES))

    def forward(self, pixels: Tensor) -> Tensor:
        """Logits (n, 18)."""
        return self.last(self.dropout(self.net(pixels)))


def to_onnx(net: nn.Module, side: int = CROP.size) -> bytes:
    """A network of crops as an ONNX file that OpenCV reads, for any number of pictures at once."""
    sample = torch.zeros(1, 3, side, side)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        torch.onnx.export(
            net.eval().to(memory_format=torch.contiguous_format),
            (sample,),
            str(path),
            input_names=["pixels"],
            output_names=["embedding"],
            dynamic_axes={"pixels": {0: "n"}, "embedding": {0: "n"}},
            opset_version=ONNX_OPSET,
            dynamo=False,
        )
        return path.read_bytes()
