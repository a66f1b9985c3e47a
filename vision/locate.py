"""Finding the kingdoms of a photograph: from its pixels to one grid per kingdom, with its extent.

The way: a look at the whole photo marks tiles; where they are small, a closer look; marked squares are joined to
grids (``vision.lattice``); each grid is looked at again straightened, which sharpens it; the maps and the square
classifier decide which cells are tiles (``vision.extent``). Reading the squares is ``vision.classify``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from engine import KingdominoError
from vision.blobs import Blob, find_blobs
from vision.extent import EXTENT, connected
from vision.kingdom_grid import LOCATE, Lattice, LocateModels, glanced_at, read_carefully
from vision.lattice import Floats, Patch, clockwise, lie_on, project, turned_upright
from vision.looks import Pixels, Pyramid
from vision.patches import find_patches, first_look, other_patches
from vision.rectify import grid_quads
from vision.straighten import NOTHING, Straight, looked_at_carefully, straightened

Progress = Callable[[str], None]


# Why no kingdom is found, for programs and in words.
REASONS = {
    "no_tiles": "No Kingdomino tiles were seen. Photograph the kingdom from above, filling most of the picture,"
    " or mark its four corners by hand.",
    "no_kingdom": "Tiles were seen, but no kingdom with a castle. Show the whole kingdom with its castle, or mark"
    " its four corners by hand.",
    "too_small": "The tiles are too small in this picture to be read. Go nearer, or use the photo in its original"
    " size.",
    "too_blurred": "Something like tiles was seen, but too blurred, too dark or too hidden to find their edges."
    " Hold still and use more light, or mark the four corners of the kingdom by hand.",
    "bad_corners": "The four corners do not enclose a kingdom. Mark the corners of the smallest rectangle around it,"
    " each once.",
    "bad_shape": "A kingdom has 1 to 7 rows and 1 to 7 columns.",
}


class LocateError(KingdominoError):
    """No kingdom was found; ``reason`` is a key of ``REASONS``, the message is for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(REASONS[reason])
        self.reason = reason


def locate(image: Pixels, models: LocateModels, progress: Progress | None = None) -> list[Lattice]:
    """The kingdoms of a BGR image, largest first, cut ones last; LocateError says why there is none."""
    tell = progress or (lambda stage: None)
    pyramid = Pyramid(image)
    tell("looking for tiles")
    first = first_look(pyramid, models.locator)
    blobs = find_blobs(first)
    if not blobs:
        raise LocateError("no_tiles")
    tell("joining squares")
    patches = find_patches(pyramid, models.locator, first, blobs)
    if not patches:
        raise LocateError(_why(blobs))
    tell("finding the kingdom's edges")
    search = _Search(pyramid, models)
    search.try_patches(patches[: LOCATE.most_patches])
    for blob in _unexplained(search.found, blobs):
        search.look_again(blob)
    doubtful = [lattice for lattice in best_of(search.found) if not lattice.clear]
    for lattice in doubtful[: LOCATE.most_left]:
        search.look_again(_spot(lattice, blobs[0].scale))
    found = best_of([read_carefully(pyramid, models, lattice) for lattice in best_of(search.found)])
    found = [lattice for lattice in found if lattice.clear or _fills(found, lattice, blobs)]
    found = of_one_box(found)
    if not found:
        small = any(patch.step < LOCATE.readable for patch in patches)
        raise LocateError("too_small" if small else "no_kingdom")
    return sorted(found, key=lambda lattice: (lattice.cut, -lattice.area))


@dataclass
class _Search:
    """The kingdoms that grids of a photo lead to, several for the same tiles where the first ones are in doubt."""

    pyramid: Pyramid
    models: LocateModels
    found: list[Lattice] = field(default_factory=list)
    tries: int = 0

    def try_patches(self, patches: Sequence[Patch]) -> None:
        """Look at grids straightened; what kingdoms found leave over of them is looked at again."""
        # Only kingdoms of the same look spare a grid: those of other looks are in doubt, or it would not be taken.
        before = len(self.found)
        waiting = [(patch, NOTHING) for patch in patches]
        while waiting and self.tries < LOCATE.most_tries:
            patch, taken = waiting.pop(0)
            known = self.found[before:]
            if patch.step < LOCATE.readable or any(
                lattice.score > LOCATE.sure_score and _covers(lattice, patch) for lattice in known
            ):
                continue
            self.tries += 1
            straight = straightened(self.pyramid, self.models.locator, patch, taken)
            if straight is None:
                continue
            if not any(_same_grid(lattice, straight) for lattice in known):
                self._keep(looked_at_carefully(self.pyramid, self.models.locator, straight, taken))
            # Kingdoms that happen to lie in line are joined to one grid: another one is in what is left of it.
            clear = [lattice.quads[lattice.present] for lattice in self.found[before:] if lattice.clear]
            covered = np.concatenate([NOTHING, *clear])
            left = left_over(patch, covered)
            if left is not None and len(covered) > len(taken):
                waiting.append((left, covered))

    def look_again(self, blob: Blob) -> None:
        """Try what further looks at a spot of tiles show, until it is explained."""
        for others in other_patches(self.pyramid, self.models.locator, blob):
            self.try_patches(others[: LOCATE.most_others])
            if self.tries >= LOCATE.most_tries or _explained(self.found, blob):
                break

    def _keep(self, straight: Straight) -> None:
        lattice = glanced_at(self.pyramid, self.models, straight)
        if lattice is not None:
            self.found.append(lattice)


def _spot(lattice: Lattice, scale: float) -> Blob:
    """The place of a kingdom, with a square around it, as a spot of tiles."""
    tiles = lattice.quads[lattice.present]
    (left, top), (right, bottom) = tiles.min((0, 1)) - lattice.square_size, tiles.max((0, 1)) + lattice.square_size
    return Blob((left, top, right, bottom), lattice.covered_area / scale**2, scale)


def left_over(patch: Patch, tiles: Floats) -> Patch | None:
    """The largest group of squares of a patch that do not lie on these tiles, if it is enough for a kingdom."""
    left = {cell for cell, covered in zip(patch.cells, _lie_on(tiles, patch), strict=True) if not covered}
    group = max(connected(left), key=len, default=set())
    if len(group) < LOCATE.fewest_squares:
        return None
    return replace(patch, cells={cell: patch.cells[cell] for cell in group})


def _unexplained(candidates: Sequence[Lattice], blobs: Sequence[Blob]) -> list[Blob]:
    """The spots of tiles that clear kingdoms leave over, if they are large enough for another one."""
    clear = [lattice for lattice in candidates if lattice.clear]
    square = min((lattice.square_size for lattice in clear), default=0.0)
    least = LOCATE.fewest_squares * LOCATE.worth_a_look * square**2
    left = [blob for blob in blobs if not _explained(clear, blob) and blob.area * blob.scale**2 >= least]
    return left[: LOCATE.most_left]


def _explained(candidates: Sequence[Lattice], blob: Blob) -> bool:
    """Whether clear kingdoms cover most of a spot of tiles."""
    inside = [lattice for lattice in best_of(candidates) if lattice.clear and blob.holds(*lattice.middle)]
    return sum(lattice.covered_area for lattice in inside) > LOCATE.explained * blob.area * blob.scale**2


def best_of(candidates: Sequence[Lattice]) -> list[Lattice]:
    """The candidates that explain most, none of them lying on another."""
    found: list[Lattice] = []
    for lattice in sorted(candidates, key=lambda lattice: -lattice.merit):
        if not any(_overlap(lattice, other) for other in found):
            found.append(lattice)
    return found


def of_one_box(found: Sequence[Lattice]) -> list[Lattice]:
    """The kingdoms without those whose squares are far smaller or larger than those of the most convincing one.

    One cut by the photo's edge may be much nearer to the camera, so it may be larger.
    """
    whole = [lattice for lattice in found if not lattice.cut]
    if not whole:
        return list(found)
    usual = max(whole, key=lambda lattice: lattice.conviction).square_size
    least, most = LOCATE.same_box * usual, usual / LOCATE.same_box
    return [lattice for lattice in found if lattice.square_size > least and (lattice.cut or lattice.square_size < most)]


def _why(blobs: Sequence[Blob]) -> str:
    """Why tiles were seen but no grid."""
    largest = blobs[0]
    if largest.side * largest.scale < LOCATE.readable * LOCATE.fewest_squares:
        return "too_small"
    return "too_blurred"


def _fills(found: Sequence[Lattice], lattice: Lattice, blobs: Sequence[Blob]) -> bool:
    """Whether the kingdoms found in a lattice's blob cover enough of it; a grid seen in a tile's print does not."""
    for blob in blobs:
        if blob.holds(*lattice.middle):
            inside = [other for other in found if blob.holds(*other.middle)]
            covered = sum(other.covered_area for other in inside)
            return covered > LOCATE.least_covered * blob.area * blob.scale**2
    return True


def _covers(lattice: Lattice, patch: Patch) -> bool:
    """Whether most squares of a patch lie on a kingdom already found."""
    return bool(np.mean(_lie_on(lattice.quads[lattice.present], patch)) > 0.5)


def _lie_on(tiles: Floats, patch: Patch) -> npt.NDArray[np.bool_]:
    """Which squares of a patch lie on some of the tiles, given by their corners (n, 4, 2)."""
    return lie_on(tiles, project(patch.matrix, np.array(list(patch.cells), np.float64) + 0.5))


def _same_grid(lattice: Lattice, straight: Straight) -> bool:
    """Whether a straightened grid shows the squares of a kingdom already found, and hardly any more."""
    middles, known = straight.middles, lattice.quads[lattice.present].mean(1)
    if not len(middles) or len(middles) > len(known) + 1:
        return False
    nearest = np.linalg.norm(middles[:, None] - known[None], axis=-1).min(axis=1)
    return bool(np.mean(nearest < LOCATE.same_place * lattice.square_size) > LOCATE.same_share)


def _overlap(lattice: Lattice, other: Lattice) -> bool:
    """Whether some tile of one kingdom lies on a tile of the other."""
    return bool(lie_on(other.quads[other.present], lattice.quads[lattice.present].mean(1)).any())


def lattices_from_corners(corners: npt.ArrayLike, shape: tuple[int, int] = (5, 5)) -> list[Lattice]:
    """The grids that four corners given by a person, in any order, can mean: two when rows and columns differ."""
    points = np.asarray(corners, np.float64)
    rows, columns = shape
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise LocateError("bad_corners")
    if not (1 <= rows <= EXTENT.max_side and 1 <= columns <= EXTENT.max_side):
        raise LocateError("bad_shape")
    ordered = clockwise(points)
    if not cv2.isContourConvex(ordered.astype(np.float32).reshape(-1, 1, 2)) or _crowded(ordered):
        raise LocateError("bad_corners")
    upright = np.roll(ordered, -turned_upright(ordered), axis=0)
    shapes = [(rows, columns)] if rows == columns else [(rows, columns), (columns, rows)]
    return [
        Lattice(
            corners=upright,
            shape=(height, width),
            quads=grid_quads(upright, height, width).reshape(height, width, 4, 2),
            present=np.ones((height, width), bool),
        )
        for height, width in shapes
    ]


def _crowded(corners: Floats) -> bool:
    """Whether corners are so close together that there is nothing to read between them."""
    return abs(float(cv2.contourArea(corners.astype(np.float32)))) < LOCATE.readable**2
