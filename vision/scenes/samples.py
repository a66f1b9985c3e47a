"""The photos that ship: a dozen scenes with the project's own art, each from its seed. Rendered, not photographed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from engine import Kingdom

from .art import OwnArt
from .compose import compose
from .config import SceneConfig
from .truth import Scene

SAMPLE_DIR = Path(__file__).resolve().parents[2] / "sample_photos"
QUALITY = 90

# How harsh the light and the camera of the samples are, of a composer's whole breadth of 1.
LIGHT = 0.3

# A calm photo by daylight, from which each sample departs in what it is about.
_CALM = SceneConfig(
    size=(1600, 1200),
    rotation=3.0,
    tilt=12.0,
    fill=0.82,
    gap=0.022,
    crooked=0.5,
    clutter=0.0,
    strays=0,
    cut_neighbour=False,
    edge=False,
    kings_share=0.0,
    hand_share=0.0,
    castle="flat",
    table="wood",
    warmth=0.1,
    exposure=1.0,
    glare=0.0,
    shadow=0.0,
    blur=0.0,
    noise=1.5,
    jpeg=100,
    shrink_share=0.0,
    harshness=LIGHT,
)


@dataclass(frozen=True)
class Sample:
    """One photo that ships."""

    name: str
    seed: int
    notations: tuple[str, ...]
    config: SceneConfig
    scene: str
    exif_orientation: int = 1

    def render(self) -> Scene:
        """The photo and its truth, always the same."""
        kingdoms = [Kingdom.from_notation(notation) for notation in self.notations]
        scene = compose(kingdoms, OwnArt(), np.random.default_rng(self.seed), self.config)
        return replace(scene, name=self.scene, seed=self.seed)


SAMPLES: tuple[Sample, ...] = (
    Sample(
        "complete_5x5", 24, ("wg2ggl/wwggg2/f1f1Cgg1/f1fff1l/lffll",),
        replace(_CALM, tilt=30.0, castle="standing", castle_colour="pink"), "complete 5x5, castle in the middle",
    ),
    Sample(
        "castle_at_edge", 2, ("gfl1lf1/gfl1ll1/Cfl1lw/s2f1www/gf1ww1s",),
        replace(_CALM, table="stone", tilt=8.0, rotation=-4.0, castle_colour="yellow"),
        "castle at the edge, stone counter",
    ),
    Sample(
        "incomplete_5x5", 3, (".lll1w/wCgff1/s1g2ggl/swggg1/swf1.l",),
        replace(_CALM, table="cloth", castle="standing", castle_colour="blue", tilt=22.0), "incomplete 5x5 on cloth",
    ),
    Sample(
        "seven_7x7", 4, ("gg1wwfww/w1wwfff1s/sw1wf1fgf/s2sww1wCl1/wm2m2mm3ll/wm1wfl1l1w/wm2sfll1w",),
        replace(_CALM, size=(1600, 1600), fill=0.9, castle_colour="green"), "complete 7x7",
    ),
    Sample(
        "illegal", 35, ("fl1ff1l/fffgw/f1fCs1l/ww1w1ss/wg2ls2w",),
        replace(_CALM, table="carpet", tilt=15.0, castle_colour="yellow"), "a domino that touches nothing of its kind",
    ),
    Sample(
        "oblique", 43, ("ww1mm2m1/wwm3sw/gw1Clw/wwfll1/wfl1l1w",),
        replace(_CALM, tilt=52.0, rotation=17.0, castle="standing", castle_colour="blue"), "seen from the side",
    ),
    Sample(
        "turned_45", 7, ("f1wwll/fff1Cw/ffggg2/f1gggg2/f1llg1l",),
        replace(_CALM, rotation=44.0, tilt=10.0, fill=0.92, table="patterned", castle_colour="green"),
        "turned by 44 degrees",
    ),
    Sample(
        "candlelight", 25, ("mw1ww1l/m1wsfl/m3wf1ff/m2wwff1/sgCl1l",),
        replace(_CALM, warmth=0.75, exposure=0.62, glare=190.0, shadow=0.35, noise=5.0, tilt=24.0, castle="standing",
                castle_colour="pink"), "dim warm light with glare",
    ),
    Sample(
        "busy_table", 24, ("wfwwl1/g2s2wl1l1/gs1Cff/g1llgf1/gww1w1w",),
        replace(_CALM, fill=0.6, clutter=4.0, strays=5, cut_neighbour=True, kings_share=1.0, castle="standing",
                castle_colour="yellow", rotation=12.0), "busy table, loose dominoes, a second kingdom cut off",
    ),
    Sample(
        "exif_rotated", 10, ("lw1g2sm2/l1flsm2/wf1Cs2m3/l1llww/flllg1",),
        replace(_CALM, size=(1200, 1600), table="mat", fill=0.86, castle_colour="pink"),
        "upright photo stored lying", 6,
    ),
    Sample(
        "two_kingdoms", 24, ("f1ffff/wwf1ff1/Cwg1l1w/w1w1ssw/mws2m2m3", "fw1w1gg2/m2swl1l/ss1Cff/gggf1f/wlfff"),
        replace(_CALM, size=(1800, 1100), fill=0.9, castle="standing"), "two kingdoms in one photo",
    ),
    Sample(
        "four_kingdoms", 31,
        ("f1wlss/fCg2ws2/l1wg1gs1/lwm3m2s/lwwww", "wwl1m1w/l1ll1lw1/Cffg1g/f1ffwg/wgggg",
         "m2wCs1w/fffss/gffw1w/l1ff1ww/llfw1f", "wg2mw1l/s2gCww1/sllf1g/m2ll1ff1/.wlf1."),
        replace(_CALM, size=(1700, 1700), fill=0.94), "four kingdoms of one game in one photo",
    ),
)  # fmt: skip


def write_samples(folder: Path = SAMPLE_DIR, samples: Sequence[Sample] = SAMPLES) -> list[Path]:
    """Write every photo and its sidecar; the paths of the photos."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for sample in samples:
        scene = sample.render()
        path = folder / f"{sample.name}.jpg"
        path.write_bytes(scene.jpeg(QUALITY, sample.exif_orientation))
        path.with_suffix(".json").write_text(scene.sidecar_text(), encoding="utf-8")
        written.append(path)
    return written
