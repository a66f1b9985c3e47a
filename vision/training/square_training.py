"""Training the square reader: which examples, how often, and the loop that survives a kill.

A run is decided by its seed and its fold alone: every epoch draws its own random numbers from them, so a run
that was stopped goes on from its last finished epoch as if nothing had happened. Fitting the head and writing
the model is in ``square_model``.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from tqdm import tqdm

from engine import SQUARES, Mark, Square
from vision import dataset
from vision.classify import CLASSES
from vision.data import board_labels
from vision.dataset import CALIBRATION_GAMES, RIM, Canvases
from vision.models import FOLDS
from vision.scene_squares import painted_tables, scene_squares
from vision.scenes import OwnArt, RealTiles, TileSource
from vision.training.parts import Arrays, Parts, in_parts, joined
from vision.training.square_augment import Augment, AugmentConfig
from vision.training.square_net import SquareReader
from vision.training.steps import follow, kept_state, save_state, set_rate, share_of_rate

CACHE_DIR = Path(__file__).resolve().parent.parent.parent / ".cache" / "training"


@dataclass(frozen=True)
class TrainingConfig:
    """A run. Measured on two cores: about six seconds an epoch."""

    seed: int = 20
    epochs: int = 84
    samples: int = 10_240
    batch: int = 128
    learning_rate: float = 4e-3
    weight_decay: float = 0.03
    label_smoothing: float = 0.04
    # The weights that are kept are a running mean over about this many steps.
    averaging: int = 300
    # A share of the canvases is compressed like a poor photograph.
    jpeg_share: float = 0.25
    jpeg_quality: tuple[int, int] = (20, 90)
    # Rare classes are drawn more often: 0 as they come, 1 all alike.
    balance: float = 0.6


TRAINING = TrainingConfig()
# Share of a run in which the learning rate rises.
WARM_UP = 0.06


def training_of(fold: int | None) -> TrainingConfig:
    """The run of a fold, or of the shipped model: each starts elsewhere, so that they err elsewhere."""
    return replace(TRAINING, seed=TRAINING.seed + (*FOLDS, None).index(fold))


# Composed scenes have been lit and blurred already.
SCENE_STRENGTH = 0.5
SCENES = {"scenes": 2_600, "drawn": 1_400}
SCENE_DICE = {"scenes": 6, "drawn": 5}
SCENES_OF_A_PART = 200
PAINTED_TABLES = 4_000

# Castles look different flat and standing, and table is of endless kinds: both need more examples.
EMPHASIS = {"C": 2.2, ".": 2.0}

# How much of an epoch each source gives; a source that is not there leaves its share to the others.
SHARES = {
    "tiles": 0.26,
    "dominoes": 0.04,
    "boards": 0.15,
    "photos": 0.07,
    "tables": 0.03,
    "painted": 0.05,
    "scenes": 0.24,
    "drawn": 0.16,
}


def training_sources(fold: int | None) -> list[Canvases]:
    """What the model of a fold, or the shipped one (None), is trained on."""
    rng = np.random.default_rng([TRAINING.seed, PAINTED_TABLES])
    painted = painted_tables(PAINTED_TABLES, rng, "painted")
    return [*real_sources(fold), painted, _composed("scenes", fold), _composed("drawn", None)]


def real_sources(fold: int | None) -> list[Canvases]:
    """The photographed squares among them."""
    folds = tuple(other for other in FOLDS if other != fold)
    without = () if fold is None else (CALIBRATION_GAMES[fold],)
    return [
        dataset.tiles("train"),
        dataset.dominoes(),
        dataset.boards(folds, without=without),
        dataset.photos(folds),
        dataset.tables(folds),
    ]


def loose_tiles(sources: list[Canvases]) -> dict[Square | Mark, list[npt.NDArray[np.uint8]]]:
    """The photographed terrain squares of boards with a flat castle and of photos, as tiles for the composer."""
    boards = board_labels()
    tiles: dict[Square | Mark, list[npt.NDArray[np.uint8]]] = {}
    for source in sources:
        if source.source not in ("boards", "photos"):
            continue
        for name, index, picture in zip(source.names, source.classes, source.pictures, strict=True):
            # Near a standing castle tiles are hidden in part.
            if index < len(SQUARES) and boards.get(name.split("@")[0], {}).get("castle") != "standing":
                tiles.setdefault(SQUARES[index], []).append(picture[RIM:-RIM, RIM:-RIM])
    return tiles


def _composed(name: str, fold: int | None) -> Canvases:
    """Squares of composed scenes, kept so that a run that goes on need not compose them again."""
    seeds = range(SCENES[name])
    parts = Parts(CACHE_DIR / "squares", f"{name}_{fold or 0}_{_scenes_recipe()}", seeds, SCENES_OF_A_PART)
    arrays = joined(in_parts(parts, functools.partial(_squares_of, name, fold), name))
    pictures, classes = arrays["pictures"], arrays["classes"]
    names = tuple(f"{name}{index}" for index in range(len(classes)))
    return Canvases(name, pictures, classes, names, np.ones((len(classes), 4), bool))


def _scenes_recipe() -> str:
    return hashlib.sha256(recipe(TRAINING).encode()).hexdigest()[:12]


def _squares_of(name: str, fold: int | None, seed: int) -> Arrays:
    """Squares of one scene."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([TRAINING.seed, SCENE_DICE[name], fold or 0, seed])
    pictures, classes = scene_squares(_art(name, fold), rng)
    shape = (len(pictures), dataset.CANVAS, dataset.CANVAS, 3)
    return {"pictures": np.array(pictures, np.uint8).reshape(shape), "classes": np.array(classes, np.int64)}


@functools.cache
def _art(name: str, fold: int | None) -> TileSource:
    """What scenes are laid with. The boards' tiles are given by fold: a game held back is held back from scenes too."""
    if name == "drawn":
        return OwnArt()
    return RealTiles(split="train", boards=False, extra=loose_tiles(real_sources(fold)))


def sampling_weights(sources: list[Canvases], config: TrainingConfig = TRAINING) -> npt.NDArray[np.float64]:
    """How likely each example of the joined sources is to be drawn."""
    parts = []
    for source in sources:
        counts = np.bincount(source.classes, minlength=len(CLASSES))
        weights = counts[source.classes].astype(np.float64) ** -config.balance
        for symbol, factor in EMPHASIS.items():
            weights[source.classes == CLASSES.index(symbol)] *= factor
        parts.append(weights / weights.sum() * SHARES[source.source])
    joined = np.concatenate(parts)
    return joined / joined.sum()


def train(
    name: str, sources: list[Canvases], config: TrainingConfig = TRAINING, cache: Path = CACHE_DIR
) -> SquareReader:
    """Train a reader, or finish the training that a kill interrupted."""
    run = Run(name, config, cache)
    examples = dataset.joined(sources)
    weights = sampling_weights(sources, config)
    with tqdm(total=config.epochs, initial=run.epoch, desc=name, unit="epoch") as bar:
        while run.epoch < config.epochs:
            loss = run.train_epoch(examples, weights)
            run.save()
            bar.set_postfix(loss=f"{loss:.3f}")
            bar.update()
    return run.averaged


def recipe(config: TrainingConfig) -> str:
    """All that decides a run, as text; a checkpoint of another recipe is not continued."""
    return repr((config, AugmentConfig(), SHARES, EMPHASIS, SCENE_STRENGTH, SCENES, PAINTED_TABLES))


def forget(name: str, cache: Path = CACHE_DIR) -> None:
    """Drop the checkpoint of a finished run, so that the next one starts afresh."""
    (cache / f"{name}.pt").unlink(missing_ok=True)


class Run:
    """The state of a training run: network, running mean of its weights, optimiser, epoch."""

    def __init__(self, name: str, config: TrainingConfig, cache: Path) -> None:
        self.config = config
        self.path = cache / f"{name}.pt"
        torch.manual_seed(config.seed)
        self.reader = SquareReader().to(memory_format=torch.channels_last)
        self.averaged = SquareReader()
        self.averaged.load_state_dict(self.reader.state_dict())
        self.optimizer = torch.optim.AdamW(
            self.reader.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay
        )
        self.epoch = 0
        state = kept_state(self.path, recipe(config))
        if state:
            self.reader.load_state_dict(state["reader"])
            self.averaged.load_state_dict(state["averaged"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.epoch = state["epoch"]

    def save(self) -> None:
        """Keep the state of the last finished epoch."""
        parts = {name: getattr(self, name).state_dict() for name in ("reader", "averaged", "optimizer")}
        save_state(self.path, {"recipe": recipe(self.config), "epoch": self.epoch, **parts})

    def train_epoch(self, examples: Canvases, weights: npt.NDArray[np.float64]) -> float:
        """One epoch over freshly drawn, freshly disturbed examples; returns the mean loss."""
        config = self.config
        rng = np.random.default_rng([config.seed, self.epoch])
        generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
        torch.manual_seed(int(rng.integers(2**62)))
        augment = Augment(AugmentConfig(), generator)
        loss_of = nn.CrossEntropyLoss(label_smoothing=config.label_smoothing)
        strengths = strength_of(examples)
        steps = config.samples // config.batch
        self.reader.train()
        total = 0.0
        for step in range(steps):
            chosen = rng.choice(len(examples), config.batch, p=weights)
            canvases, classes = draw(examples, chosen, rng, config)
            progress = (self.epoch + step / steps) / config.epochs
            set_rate(self.optimizer, config.learning_rate * share_of_rate(progress, WARM_UP))
            crops = augment(canvases, classes, strengths[chosen]).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast_bfloat16()):
                logits = self.reader(crops)
            loss = loss_of(logits.float(), classes)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            # Early on the mean is short, so that it is not held back by the first weights.
            rate = max(1 / config.averaging, 1 / (10 + self.epoch * 20))
            follow(self.averaged.state_dict(), self.reader.state_dict(), rate)
            total += float(loss.detach())
        self.epoch += 1
        return total / steps


def draw(
    examples: Canvases, chosen: npt.NDArray[np.int64], rng: np.random.Generator, config: TrainingConfig = TRAINING
) -> tuple[Tensor, Tensor]:
    """The chosen canvases with surroundings and compression, and their classes."""
    pictures = examples.pictures[chosen]
    dataset.surround(pictures, examples, chosen, rng)
    for index in np.flatnonzero(rng.random(len(pictures)) < config.jpeg_share):
        quality = int(rng.integers(*config.jpeg_quality))
        coded = cv2.imencode(".jpg", pictures[index], [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        pictures[index] = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return torch.from_numpy(pictures), torch.from_numpy(examples.classes[chosen])


def use_threads(threads: int) -> None:
    """Give the network so many threads; pictures are cut in the same ones."""
    torch.set_num_threads(threads)
    cv2.setNumThreads(1)


def strength_of(examples: Canvases) -> Tensor:
    """How strongly the light of each example is changed: composed scenes less than photographs."""
    return torch.tensor([SCENE_STRENGTH if name.startswith(("scenes", "drawn")) else 1.0 for name in examples.names])


def fast_bfloat16() -> bool:
    """Whether this processor multiplies in bfloat16; elsewhere it would only be slower."""
    check = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
    return bool(check and check())
