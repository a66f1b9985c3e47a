"""Loading photographs: from bytes or a file to one upright BGR picture.

This is the only place where file formats, size limits, EXIF orientation, channel order and bit depth are
dealt with. Everything after it sees ``Photo.image``: uint8, three channels in OpenCV's order (BGR), upright.
Finding the kingdom in the picture is ``vision.locate``.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pillow_heif
from PIL import Image, UnidentifiedImageError

from engine import KingdominoError

Pixels = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]


class PhotoError(KingdominoError):
    """A file cannot be used as a photograph; the message says what is wrong and what to do."""


@dataclass(frozen=True)
class PhotoLimits:
    """What is accepted. Bytes and pixels are checked from the header, before anything is decoded."""

    max_bytes: int = 30_000_000
    max_pixels: int = 80_000_000
    # A castle and one domino need about this much to be seen at all.
    min_side: int = 64
    # Larger photographs are decoded at a fraction of their size: squares keep far more detail than is used.
    working_pixels: int = 24_000_000


LIMITS = PhotoLimits()

# Pillow's names of the formats that are read. The MPO files of some phones open as JPEG.
FORMATS = ("JPEG", "PNG", "WEBP", "HEIF", "AVIF")

ADVICE = "Please use a JPEG, PNG, WebP or HEIC photo."

EXIF_ORIENTATION = 0x0112

# Bytes of a JPEG file.
_MARKER, _START_OF_SCAN, _END_OF_IMAGE = 0xFF, 0xDA, b"\xff\xd9"

# What stands behind transparent pixels: a plain grey table.
TABLE_GREY = (128, 128, 128)

pillow_heif.register_heif_opener()


@dataclass(frozen=True, eq=False)
class Photo:
    """An upright photograph.

    ``width`` and ``height`` are those of the whole photograph in pixels after EXIF. ``image`` is smaller than
    that by the factor ``scale`` when the photograph is very large; otherwise ``scale`` is 1.
    """

    image: Pixels
    width: int
    height: int
    scale: float = 1.0
    format: str = "array"

    @classmethod
    def from_image(cls, image: Pixels) -> Photo:
        """A photo of a BGR array that is already upright."""
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
            raise PhotoError(
                f"expected an upright BGR picture as uint8 of shape (height, width, 3), "
                f"got {image.dtype} of shape {image.shape}"
            )
        return cls(image, image.shape[1], image.shape[0])

    def to_photo(self, points: npt.ArrayLike) -> Points:
        """Points of ``image`` in pixels of the whole photograph."""
        return np.asarray(points, dtype=np.float64) / self.scale

    def to_image(self, points: npt.ArrayLike) -> Points:
        """Points of the whole photograph in pixels of ``image``."""
        return np.asarray(points, dtype=np.float64) * self.scale


def load_photo(source: bytes | bytearray | memoryview | str | Path, limits: PhotoLimits = LIMITS) -> Photo:
    """Decode a photograph, upright and in BGR, or raise PhotoError with a sentence for the person."""
    data = _read(source, limits)
    with warnings.catch_warnings():
        # Pillow warns of what our own limits refuse anyway.
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        opened = _open(data)
        with opened:
            _check_size(opened.width, opened.height, limits)
            return _decode(opened, data, limits)


def _read(source: bytes | bytearray | memoryview | str | Path, limits: PhotoLimits) -> bytes:
    """The bytes of the source, never more than the limit."""
    if isinstance(source, (str, Path)):
        path = Path(source)
        try:
            size = path.stat().st_size
            if size <= limits.max_bytes:
                data = path.read_bytes()
        except OSError as error:
            raise PhotoError(f"The photo {path.name} cannot be read: {error.strerror or error}.") from error
    else:
        size = memoryview(source).nbytes
        if size <= limits.max_bytes:
            data = bytes(source)
    if size > limits.max_bytes:
        raise PhotoError(
            f"The photo has {size / 1e6:.1f} MB, more than the {limits.max_bytes / 1e6:.0f} MB allowed. "
            "Please save it smaller, or as a JPEG."
        )
    if size == 0:
        raise PhotoError(f"The file is empty (0 bytes); perhaps the upload was interrupted. {ADVICE}")
    return data


def _open(data: bytes) -> Image.Image:
    """The picture with its header read and nothing decoded."""
    try:
        return Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError as error:
        raise PhotoError(f"The photo has far too many pixels. {_smaller()}") from error
    except UnidentifiedImageError as error:
        raise PhotoError(f"The file is {_guess(data)}, not a photo that can be read. {ADVICE}") from error
    except Exception as error:  # A decoder may raise anything on broken data.
        raise PhotoError(f"The photo's header is damaged, so it cannot be opened. {ADVICE}") from error


def _guess(data: bytes) -> str:
    """What a file that is no photo seems to be, in words."""
    signatures = {
        b"%PDF": "a PDF document",
        b"GIF8": "a GIF picture",
        b"BM": "a BMP picture",
        b"II*\x00": "a TIFF picture or raw photo",
        b"MM\x00*": "a TIFF picture or raw photo",
        b"PK\x03\x04": "a ZIP archive or office document",
        b"<svg": "an SVG drawing",
        b"<?xml": "an XML document",
        b"<!DOCTYPE": "a web page",
        b"<html": "a web page",
    }
    start = data[:64].lstrip()
    for signature, words in signatures.items():
        if start.startswith(signature):
            return words
    damaged = {b"\xff\xd8": "a damaged JPEG", b"\x89PNG": "a damaged PNG", b"RIFF": "a damaged WebP"}
    for signature, words in damaged.items():
        if start.startswith(signature):
            return words
    if data[4:8] == b"ftyp":
        return "a damaged HEIC photo or a video"
    return "of an unknown kind"


def _smaller() -> str:
    return f"At most {LIMITS.max_pixels / 1e6:.0f} megapixels are allowed; please save it smaller."


def _check_size(width: int, height: int, limits: PhotoLimits) -> None:
    if width * height > limits.max_pixels:
        raise PhotoError(f"The photo has {width}×{height} pixels ({width * height / 1e6:.0f} MP). {_smaller()}")
    if min(width, height) < limits.min_side:
        raise PhotoError(
            f"The picture has only {width}×{height} pixels; the shorter side needs at least "
            f"{limits.min_side}. Please use the original photo."
        )


def _decode(opened: Image.Image, data: bytes, limits: PhotoLimits) -> Photo:
    full = opened.size
    kind = opened.format or "unknown"
    try:
        orientation = _orientation(opened)
        shrink = _shrink(full, limits)
        if kind in ("JPEG", "MPO") and opened.mode in ("RGB", "L"):
            image = _decode_jpeg(data, shrink)
        else:
            picture = opened.reduce(shrink) if shrink > 1 and not _is_deep(opened) else opened
            image = _to_bgr(picture)
        image = _upright(image, orientation)
    except MemoryError as error:
        raise PhotoError(f"There is not enough memory for a photo of {full[0]}×{full[1]} pixels.") from error
    except Exception as error:  # A decoder may raise anything on broken data.
        raise PhotoError(
            f"The {kind} photo is damaged or cut short, so it cannot be decoded. "
            "Please copy or upload it again, or take a new one."
        ) from error
    width, height = full if orientation < 5 else (full[1], full[0])
    return Photo(image, width, height, image.shape[1] / width, kind)


def _decode_jpeg(data: bytes, shrink: int) -> Pixels:
    """A JPEG, whole or at a half, a quarter or an eighth of its size, straight to BGR.

    OpenCV needs a third of the time and of the memory that Pillow does, but fills up what is missing of a file that
    was cut short, so that is looked for first.
    """
    if not _jpeg_is_whole(data):
        raise ValueError("no end of the picture")
    mode = {
        1: cv2.IMREAD_COLOR,
        2: cv2.IMREAD_REDUCED_COLOR_2,
        4: cv2.IMREAD_REDUCED_COLOR_4,
        8: cv2.IMREAD_REDUCED_COLOR_8,
    }[shrink]
    image = cv2.imdecode(np.frombuffer(data, np.uint8), mode | cv2.IMREAD_IGNORE_ORIENTATION)
    if image is None:
        raise ValueError("not decodable")
    return np.asarray(image, np.uint8)


def _jpeg_is_whole(data: bytes) -> bool:
    """Whether the picture's data, which follow its header, come to their end marker."""
    position = 2
    while position + 4 <= len(data) and data[position] == _MARKER:
        if data[position + 1] == _START_OF_SCAN:
            return data.find(_END_OF_IMAGE, position) >= 0
        if data[position + 1] == _MARKER:
            position += 1
            continue
        position += 2 + int.from_bytes(data[position + 2 : position + 4], "big")
    return False


def _is_deep(picture: Image.Image) -> bool:
    """Whether it has one channel of more than eight bits."""
    return picture.mode.startswith("I;16") or picture.mode in ("I", "F")


def _orientation(opened: Image.Image) -> int:
    """The EXIF orientation, 1 to 8; 1 when there is none or it is nonsense."""
    value = opened.getexif().get(EXIF_ORIENTATION, 1)
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _shrink(size: tuple[int, int], limits: PhotoLimits) -> int:
    """The power of two by which a picture of this size is shrunk."""
    factor = 1
    while size[0] * size[1] > limits.working_pixels * factor * factor:
        factor *= 2
    return factor


def _to_bgr(picture: Image.Image) -> Pixels:
    """Any Pillow mode as BGR bytes: 16-bit keeps its upper half, transparency lies on grey."""
    if _is_deep(picture):
        return cv2.cvtColor(_grey_bytes(picture), cv2.COLOR_GRAY2BGR)  # type: ignore[return-value]
    if picture.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in picture.info:
        with_alpha = picture.convert("RGBA")
        if with_alpha.getchannel("A").getextrema() == (255, 255):
            picture = with_alpha.convert("RGB")
        else:
            table = Image.new("RGBA", with_alpha.size, (*TABLE_GREY, 255))
            picture = Image.alpha_composite(table, with_alpha).convert("RGB")
    elif picture.mode != "RGB":
        picture = picture.convert("RGB")
    return cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2BGR)  # type: ignore[return-value]


def _grey_bytes(picture: Image.Image) -> Pixels:
    """One deep channel as bytes. Values above 255 are taken as 16-bit, others as bytes."""
    deep = np.asarray(picture)
    if picture.mode.startswith("I;16"):
        return (deep >> 8).astype(np.uint8)
    top = float(deep.max(initial=0.0))
    return np.clip(deep / 257.0 if top > 255 else deep, 0, 255).astype(np.uint8)


def _upright(image: Pixels, orientation: int) -> Pixels:
    """Turn and mirror as the EXIF orientation says."""
    if orientation in (2, 4, 5, 7):
        image = cv2.flip(image, 1)  # type: ignore[assignment]
    turn = {
        3: cv2.ROTATE_180,
        4: cv2.ROTATE_180,
        5: cv2.ROTATE_90_COUNTERCLOCKWISE,
        6: cv2.ROTATE_90_CLOCKWISE,
        7: cv2.ROTATE_90_CLOCKWISE,
        8: cv2.ROTATE_90_COUNTERCLOCKWISE,
    }.get(orientation)
    return image if turn is None else cv2.rotate(image, turn)  # type: ignore[return-value]
