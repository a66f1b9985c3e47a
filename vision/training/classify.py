"""The command that trains the square reader: ``python -m vision.training classify``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from vision.models import FOLDS
from vision.training.square_model import make_classifier, model_name
from vision.training.square_training import use_threads


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the shipped classifier, or those of one or all folds."""
    parser = argparse.ArgumentParser(prog="python -m vision.training classify", description=__doc__)
    parser.add_argument("--fold", choices=("1", "2", "3", "all"), help="a fold, or all; without it the shipped model")
    parser.add_argument("--threads", type=int, default=2, help="threads of the network (default: 2)")
    options = parser.parse_args(arguments)
    use_threads(options.threads)
    folds = FOLDS if options.fold == "all" else (int(options.fold),) if options.fold else (None,)
    for fold in folds:
        classifier = make_classifier(fold)
        print(f"{model_name(fold)}: version {classifier.version}")
