"""Finding the wrong labels of ``tiles/``: what models trained on the other parts disagree with.

It only lists suspects, the least likely first. A person looks at each and writes the verdict into the list of
corrections that ``vision.dataset`` applies.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from vision import dataset
from vision.dataset import CLASSES, Canvases
from vision.models import FOLDS
from vision.training.square_training import TRAINING, train

PARTS = 5
# Short runs are enough to see a wrong label, and do not learn it by heart.
SHORT = replace(TRAINING, epochs=6, samples=6_400)


def disagreements(corrected: bool, seed: int = 7) -> list[tuple[str, str, str, float]]:
    """File, label, what the others say, and the probability they give the label; most suspect first."""
    everything = dataset.tiles("all", corrected=corrected)
    part_of = np.random.default_rng(seed).integers(PARTS, size=len(everything))
    helpers = [dataset.dominoes(), dataset.boards(FOLDS)]
    rows = []
    for part in range(PARTS):
        kept, asked = subset(everything, part_of != part), subset(everything, part_of == part)
        reader = train(f"labels_{part}", [kept, *helpers], SHORT).eval()
        crops = torch.from_numpy(asked.crops().transpose(0, 3, 1, 2).copy()).float()
        with torch.no_grad():
            views = [reader(torch.rot90(crops, turns, (2, 3))).softmax(1) for turns in range(4)]
        likely = torch.stack(views).mean(0).numpy()
        for name, label, row in zip(asked.names, asked.classes, likely, strict=True):
            if row.argmax() != label:
                rows.append((name, CLASSES[label], CLASSES[row.argmax()], float(row[label])))
    return sorted(rows, key=lambda row: row[3])


def subset(canvases: Canvases, chosen: np.ndarray) -> Canvases:
    """Some of the canvases, in their order."""
    return Canvases(
        canvases.source,
        canvases.pictures[chosen],
        canvases.classes[chosen],
        tuple(name for name, keep in zip(canvases.names, chosen, strict=True) if keep),
        canvases.context[chosen],
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the suspects as CSV."""
    argparse.ArgumentParser(prog="python -m vision.training labels", description=__doc__).parse_args(arguments)
    writer = csv.writer(sys.stdout)
    writer.writerow(("file", "label", "others_say", "probability_of_label"))
    for name, label, other, probability in disagreements(corrected=True):
        writer.writerow((name, label, other, f"{probability:.4f}"))
