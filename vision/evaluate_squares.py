"""Measuring how squares are read, on real photographs and on drawn scenes.

Every square of a real photograph is read by the model of the fold that never saw its photographer or game, cut
by the labelled grid, without help from the rules of dominoes. The tables go to ``docs/results``; the pictures
of them are drawn by ``vision.evaluate_pictures``. Whole kingdoms are measured elsewhere.
"""

from __future__ import annotations

import csv
import io
import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from engine import Kingdom
from vision import dataset
from vision.classify import CLASSES, Classifier
from vision.data import board_labels, photo_labels
from vision.dataset import Canvases
from vision.evaluate_pictures import confusion_picture, crops_picture, reliability_picture
from vision.models import FOLDS
from vision.photo import load_photo
from vision.rectify import cut_squares, grid_quads
from vision.scene_squares import readable_squares
from vision.scenes import OwnArt, SceneConfig, random_scene
from vision.scenes.samples import LIGHT

Pixels = npt.NDArray[np.uint8]

_REPOSITORY = Path(__file__).resolve().parent.parent
RESULTS_DIR = _REPOSITORY / "docs" / "results"
SAMPLES_DIR = _REPOSITORY / "sample_photos"

SURE = 0.99
LEAST_CONFIDENT = 0.03
# Fresh scenes with our own art: how many, their dice, and a frame in which squares are large enough to read.
DRAWN_SCENES = 300
DRAWN_SEED = 990_001
DRAWN_FRAME = (900, 700)
DRAWN_SIDE = 18.0
HARDEST = 24
TIMED_SQUARES = 49
TIMED_RUNS = 15
TIMED_THREADS = 2
# Drawn squares: of the sample photos, and of fresh scenes, lit and photographed as the samples are or in all ways there
# are (by harshness); those each by itself, and the same read with the squares of their kingdom.
SAMPLES = "samples"
DRAWN = {"drawn scenes in the light of the samples": LIGHT, "drawn scenes in any light": 1.0}
TOGETHER = ", squares of a kingdom read together"


@dataclass(frozen=True)
class Reading:
    """One square: where it is, what it shows, what was read and how surely."""

    source: str
    file: str
    cell: str
    group: str
    castle: str
    truth: str
    read: str
    confidence: float

    @property
    def right(self) -> bool:
        """Whether terrain and crowns are both right."""
        return self.truth == self.read


@dataclass(frozen=True)
class Row:
    """One line of the table of results."""

    measure: str
    found: str
    bar: str
    aim: str


def read_photographs(load: Callable[[int], Classifier] = Classifier.load) -> list[Reading]:
    """Every square of the boards and photos, read by the model that never saw its group."""
    board_info, photo_info = board_labels(), photo_labels()
    readings: list[Reading] = []
    for fold in FOLDS:
        classifier = load(fold)
        for file, row in _read(classifier, dataset.boards((fold,))):
            info = board_info[file]
            readings.append(Reading("boards", file, row[0], f"game {info['game']}", info["castle"], *row[1:]))
        for file, row in _read(classifier, dataset.photos((fold,))):
            info = photo_info[file]
            readings.append(Reading("photos", file, row[0], f"photographer {info['group']}", "", *row[1:]))
    return readings


def read_drawn(classifier: Classifier, scenes: int = DRAWN_SCENES) -> tuple[list[Reading], list[Pixels]]:
    """Squares of the sample photos, and of fresh scenes with the project's own art, and their crops.

    The squares of fresh scenes are read twice: each by itself, and with the others of its kingdom, as the app does.
    """
    readings: list[Reading] = []
    crops: list[Pixels] = []
    for path in sorted(SAMPLES_DIR.glob("*.json")):
        sidecar = json.loads(path.read_text("utf-8"))
        picture = next(file for file in sorted(SAMPLES_DIR.glob(f"{path.stem}.*")) if file != path)
        image = load_photo(picture).image
        for label in sidecar["kingdoms"]:
            kingdom = Kingdom.from_notation(label["notation"])
            quads = grid_quads(label["corners"], kingdom.height, kingdom.width)
            symbols = [cell.symbol for row in kingdom.rows for cell in row]
            cut = cut_squares(image, quads)
            crops.extend(cut)
            readings += _drawn_readings(SAMPLES, picture.name, symbols, classifier.probabilities(cut))
    for source, harshness in DRAWN.items():
        config = SceneConfig(size=DRAWN_FRAME, harshness=harshness)
        rng = np.random.default_rng(DRAWN_SEED)
        for number in tqdm(range(scenes), desc=source, unit="scene"):
            scene = random_scene(rng, OwnArt(), n_kingdoms=1, config=config)
            for truth in scene.kingdoms:
                quads, symbols = readable_squares(scene, truth, rng, DRAWN_SIDE)
                if symbols:
                    cut = cut_squares(scene.image, quads)
                    name = f"{number:03d}"
                    crops.extend(cut)
                    readings += _drawn_readings(source, name, symbols, classifier.probabilities(cut))
                    crops.extend(cut)
                    together = classifier.probabilities_together(cut, quads)
                    readings += _drawn_readings(source + TOGETHER, name, symbols, together)
    return readings, crops


def _drawn_readings(
    source: str, file: str, symbols: Sequence[str], probabilities: npt.NDArray[np.float64]
) -> list[Reading]:
    return [
        Reading(source, file, str(index), source, "", symbol, CLASSES[likely.argmax()], float(likely.max()))
        for index, (symbol, likely) in enumerate(zip(symbols, probabilities, strict=True))
    ]


def _read(classifier: Classifier, squares: Canvases) -> list[tuple[str, tuple[str, str, str, float]]]:
    probabilities = classifier.probabilities(squares.crops())
    rows = []
    for name, truth, likely in zip(squares.names, squares.classes, probabilities, strict=True):
        file, cell = name.split("@")
        rows.append((file, (cell, CLASSES[truth], CLASSES[likely.argmax()], float(likely.max()))))
    return rows


def summary(readings: Sequence[Reading]) -> list[Row]:
    """The measures that have a bar."""
    boards = [reading for reading in readings if reading.source == "boards"]
    photos = [reading for reading in readings if reading.source == "photos"]
    files = sorted({reading.file for reading in boards})
    whole = [all(reading.right for reading in boards if reading.file == file) for file in files]
    crowned = [reading for reading in boards if crowns(reading.truth)]
    crowns_right = [crowns(reading.truth) == crowns(reading.read) for reading in crowned]
    tiles = [reading.right for reading in photos if reading.truth != "."]
    bare = [reading.right for reading in photos if reading.truth == "."]
    sure = [reading for reading in readings if reading.confidence >= SURE]
    doubtful = sorted(readings, key=lambda reading: reading.confidence)
    doubtful = doubtful[: round(LEAST_CONFIDENT * len(readings))]
    wrong = sum(not reading.right for reading in readings)
    caught = sum(not reading.right for reading in doubtful)
    return [
        Row("boards: squares right", _share([r.right for r in boards]), "1,393", "1,398"),
        Row("boards: all 25 squares right", _share(whole), "50", "54"),
        Row("boards: crowns right on squares that bear some", _share(crowns_right), "99%", "99.8%"),
        Row("photos: squares with a tile right", _share(tiles), "98%", "99.7%"),
        Row("photos: empty squares right", _share(bare), "98%", "99.7%"),
        Row(
            f"boards and photos: confidence at least {SURE}",
            f"{len(sure)} of {len(readings)} ({len(sure) / max(1, len(readings)):.1%})",
            "90%",
            "97%",
        ),
        Row("wrong among those", f"{sum(not r.right for r in sure)} of {len(sure)}", "1 in 700", "none"),
        Row("wrong squares that are among the least confident 3%", f"{caught} of {wrong}", "80%", "all"),
    ]


def drawn_summary(readings: Sequence[Reading]) -> list[Row]:
    """The measures on the project's own art: tiles and bare table apart."""
    rows = []
    for source in (SAMPLES, *(source + together for source in DRAWN for together in ("", TOGETHER))):
        # The bar is for all the light there is; what is read in calm light is told beside it.
        calm = DRAWN.get(source.removesuffix(TOGETHER), 1.0) < 1.0
        bar, aim = ("–", "–") if calm else ("99.8%", "100%")
        for kind, bare in (("squares with a tile right", False), ("empty squares right", True)):
            right = [r.right for r in readings if r.source == source and (r.truth == ".") == bare]
            rows.append(Row(f"{source}, our own art: {kind}", _share(right), bar, aim))
    return rows


def breakdown(readings: Sequence[Reading]) -> list[tuple[str, str]]:
    """Squares right by photographer, game, and castle flat or standing."""
    rows = []
    for group in sorted({reading.group for reading in readings}):
        rows.append((group, _share([r.right for r in readings if r.group == group])))
    for castle in ("flat", "standing"):
        chosen = [r for r in readings if r.castle == castle]
        rows.append((f"boards, castle {castle}", _share([r.right for r in chosen])))
        rows.append((f"boards, the castle itself, {castle}", _share([r.right for r in chosen if r.truth == "C"])))
    return rows


def crowns(symbol: str) -> int:
    """The crowns in a notation symbol."""
    return int(symbol[1]) if len(symbol) > 1 else 0


def seconds_for_kingdom(classifier: Classifier, crops: np.ndarray) -> float:
    """The median time to read the squares of a full 7×7 kingdom, after loading."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(TIMED_THREADS)
    try:
        classifier.probabilities(crops)
        times = []
        for _ in range(TIMED_RUNS):
            start = time.perf_counter()
            classifier.probabilities(crops)
            times.append(time.perf_counter() - start)
    finally:
        cv2.setNumThreads(before)
    return statistics.median(times)


def csv_text(readings: Sequence[Reading]) -> str:
    """One line per square."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("source", "file", "cell", "group", "castle", "truth", "read", "confidence"))
    for r in readings:
        writer.writerow((r.source, r.file, r.cell, r.group, r.castle, r.truth, r.read, f"{r.confidence:.5f}"))
    return stream.getvalue()


def page(rows: Sequence[Row], readings: Sequence[Reading]) -> str:
    """The Markdown page of results."""
    lines = [
        "# Reading squares",
        "",
        "Real photographs. Each square is cut by the labelled grid and read by the model of the fold that never saw",
        "its photographer or game, without help from the rules of dominoes. Two squares of the boards have their",
        "crowns hidden behind the castle. Drawn pictures are read by the model that ships; of the drawn scenes those",
        "squares are asked that lie in the frame, are at least 18 pixels wide and are not hidden.",
        "",
        "| measure | found | bar | aim |",
        "|---|---|---|---|",
        *(f"| {row.measure} | {row.found} | {row.bar} | {row.aim} |" for row in rows),
        "",
        "| squares right | found |",
        "|---|---|",
        *(f"| {name} | {found} |" for name, found in breakdown(readings)),
        "",
        "![Confusion matrix](squares_confusion.png)",
        "",
        "![Reliability](squares_reliability.png)",
        "",
        "The drawn squares read wrong or least surely: what they show, what was read, and how surely.",
        "",
        "![Hardest drawn squares](squares_hardest.png)",
        "",
        "## Wrong squares of the real photographs",
        "",
        "| photograph | cell | shows | read as | confidence |",
        "|---|---|---|---|---|",
        *(
            f"| {r.source}/{r.file} | {r.cell} | {r.truth} | {r.read} | {r.confidence:.3f} |"
            for r in sorted(readings, key=lambda r: -r.confidence)
            if not r.right
        ),
        "",
        "Every square is in [squares.csv](squares.csv); of the drawn ones those read wrong.",
        "",
    ]
    return "\n".join(lines)


def evaluate(directory: Path = RESULTS_DIR) -> list[Row]:
    """Measure everything, write the page, the table and the pictures; returns the rows."""
    readings = read_photographs()
    rows = summary(readings)
    shipped = Classifier.load()
    drawn, pictures = read_drawn(shipped)
    rows += drawn_summary(drawn)
    crops = dataset.boards((FOLDS[0],)).crops()[:TIMED_SQUARES]
    seconds = seconds_for_kingdom(shipped, crops)
    rows.append(Row("time for 49 squares on two cores", f"{1000 * seconds:.0f} ms", "80 ms", "30 ms"))
    directory.mkdir(parents=True, exist_ok=True)
    wrong = [reading for reading in drawn if not reading.right]
    (directory / "squares.csv").write_text(csv_text([*readings, *wrong]), "utf-8")
    (directory / "squares.md").write_text(page(rows, readings), "utf-8")
    truths = [CLASSES.index(r.truth) for r in readings]
    reads = [CLASSES.index(r.read) for r in readings]
    confusion_picture(CLASSES, truths, reads).save(directory / "squares_confusion.png")
    sure, right = [r.confidence for r in readings], [r.right for r in readings]
    reliability_picture(sure, right).save(directory / "squares_reliability.png")
    crops_picture(*hardest(drawn, pictures)).save(directory / "squares_hardest.png")
    return rows


def hardest(readings: Sequence[Reading], crops: Sequence[Pixels]) -> tuple[list[Pixels], list[str]]:
    """The drawn squares that the app reads wrong or least surely, with what they show and what was read."""
    asked = [index for index, reading in enumerate(readings) if reading.source not in DRAWN]
    order = sorted(asked, key=lambda index: (readings[index].right, readings[index].confidence))
    chosen = order[:HARDEST]
    captions = [f"{readings[i].truth} as {readings[i].read} {readings[i].confidence:.2f}" for i in chosen]
    return [crops[i] for i in chosen], captions


def _share(right: Sequence[bool]) -> str:
    return f"{sum(right)} of {len(right)} ({sum(right) / max(1, len(right)):.2%})"


def main() -> None:
    """Measure and print the table."""
    for row in evaluate():
        print(f"{row.measure:55} {row.found:28} bar {row.bar:10} aim {row.aim}")


if __name__ == "__main__":
    main()
