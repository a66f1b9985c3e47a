"""Loading photographs: every format upright and in BGR, and every bad file refused with a sentence."""

from __future__ import annotations

import io
import resource
import struct
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

from engine import KingdominoError
from vision.photo import LIMITS, Photo, PhotoError, PhotoLimits, load_photo

WIDTH, HEIGHT = 160, 120
# Top left red, top right green, bottom left blue, bottom right white, as RGB.
QUARTERS = {"red": (200, 30, 30), "green": (30, 180, 40), "blue": (30, 40, 190), "white": (240, 240, 240)}


def picture(mode: str = "RGB") -> Image.Image:
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    half_h, half_w = HEIGHT // 2, WIDTH // 2
    pixels[:half_h, :half_w] = QUARTERS["red"]
    pixels[:half_h, half_w:] = QUARTERS["green"]
    pixels[half_h:, :half_w] = QUARTERS["blue"]
    pixels[half_h:, half_w:] = QUARTERS["white"]
    return Image.fromarray(pixels).convert(mode)


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def quarter_colours(photo: Photo) -> list[tuple[int, ...]]:
    """The colours at the centres of the four quarters, row by row, as RGB."""
    h, w = photo.image.shape[:2]
    spots = [(h // 4, w // 4), (h // 4, 3 * w // 4), (3 * h // 4, w // 4), (3 * h // 4, 3 * w // 4)]
    return [tuple(int(v) for v in photo.image[spot][::-1]) for spot in spots]


def assert_quarters(photo: Photo, expected: list[tuple[int, ...]], tolerance: int) -> None:
    for got, want in zip(quarter_colours(photo), expected, strict=True):
        assert max(abs(g - w) for g, w in zip(got, want, strict=True)) <= tolerance, (got, want)


def huge_png(width: int, height: int) -> bytes:
    """A PNG of one colour with the given size in its header; tiny as a file, huge when decoded."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(10_000_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("kind", "options", "tolerance"),
    [
        ("JPEG", {"quality": 95}, 12),
        ("JPEG", {"quality": 95, "progressive": True}, 12),
        ("PNG", {}, 0),
        ("WEBP", {"lossless": True}, 0),
        ("WEBP", {"quality": 95}, 14),
        ("HEIF", {"quality": 95}, 14),
    ],
)
def test_every_format_gives_the_same_bgr_picture(kind: str, options: dict[str, object], tolerance: int) -> None:
    photo = load_photo(encoded(picture(), kind, **options))
    assert (photo.width, photo.height, photo.scale) == (WIDTH, HEIGHT, 1.0)
    assert photo.image.dtype == np.uint8
    assert photo.image.shape == (HEIGHT, WIDTH, 3)
    assert_quarters(photo, list(QUARTERS.values()), tolerance)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(kind: str, orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encoded(picture(), kind, exif=exif, **({} if kind == "PNG" else {"quality": 95}))
    truth = ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGB")
    photo = load_photo(data)
    assert (photo.width, photo.height) == truth.size
    np.testing.assert_array_equal(photo.image[:, :, ::-1], np.asarray(truth))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_heic_orientation_is_applied_once(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = encoded(picture(), "HEIF", exif=exif.tobytes(), quality=95)
    assert (b"irot" in data or b"imir" in data) == (orientation != 1)
    jpeg = encoded(picture(), "JPEG", exif=exif, quality=95)
    assert_quarters(load_photo(data), quarter_colours(load_photo(jpeg)), 16)


def test_nonsense_orientation_is_ignored() -> None:
    exif = Image.Exif()
    exif[0x0112] = 77
    assert_quarters(load_photo(encoded(picture(), "PNG", exif=exif)), list(QUARTERS.values()), 0)


@pytest.mark.parametrize("mode", ["L", "1", "LA"])
def test_grey_pictures_have_three_equal_channels(mode: str) -> None:
    photo = load_photo(encoded(picture(mode), "PNG"))
    assert photo.image.shape == (HEIGHT, WIDTH, 3)
    assert np.ptp(photo.image.astype(int), axis=2).max() == 0
    assert photo.image[-10, -10].min() > photo.image[10, 10].max()


@pytest.mark.parametrize(("mode", "kind"), [("P", "PNG"), ("RGBA", "PNG"), ("RGBA", "WEBP"), ("CMYK", "JPEG")])
def test_palette_alpha_and_cmyk_keep_their_colours(mode: str, kind: str) -> None:
    options = {"lossless": True} if kind == "WEBP" else {}
    assert_quarters(load_photo(encoded(picture(mode), kind, **options)), list(QUARTERS.values()), 45)


def test_transparent_pixels_lie_on_a_grey_table() -> None:
    image = picture("RGBA")
    image.putalpha(Image.fromarray(np.repeat([[0], [255]], HEIGHT // 2, 0).astype(np.uint8).repeat(WIDTH, 1)))
    grey = (128, 128, 128)
    assert_quarters(load_photo(encoded(image, "PNG")), [grey, grey, QUARTERS["blue"], QUARTERS["white"]], 0)


def test_sixteen_bit_grey_keeps_its_upper_byte() -> None:
    ramp = np.linspace(0, 65535, WIDTH).astype(np.uint16)[None, :].repeat(HEIGHT, 0)
    photo = load_photo(encoded(Image.fromarray(ramp), "PNG"))
    np.testing.assert_array_equal(photo.image[:, :, 1], (ramp >> 8).astype(np.uint8))


def test_sixteen_bit_colour_keeps_its_upper_byte() -> None:
    import cv2

    deep = np.asarray(picture())[:, :, ::-1].astype(np.uint16) * 257
    data = cv2.imencode(".png", deep)[1].tobytes()
    assert_quarters(load_photo(data), list(QUARTERS.values()), 1)


def test_a_path_and_its_bytes_give_the_same_photo(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpeg"
    path.write_bytes(encoded(picture(), "JPEG"))
    from_path, from_bytes = load_photo(path), load_photo(path.read_bytes())
    np.testing.assert_array_equal(from_path.image, from_bytes.image)
    np.testing.assert_array_equal(load_photo(str(path)).image, from_bytes.image)


def test_an_array_can_be_a_photo_only_in_bgr_bytes() -> None:
    assert Photo.from_image(np.zeros((100, 200, 3), np.uint8)).width == 200
    with pytest.raises(PhotoError, match="BGR"):
        Photo.from_image(np.zeros((100, 200), np.uint8))


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_a_very_large_photo_is_decoded_smaller_and_says_so(kind: str) -> None:
    limits = PhotoLimits(working_pixels=WIDTH * HEIGHT // 3)
    photo = load_photo(encoded(picture(), kind), limits)
    assert (photo.width, photo.height) == (WIDTH, HEIGHT)
    assert photo.image.shape == (HEIGHT // 2, WIDTH // 2, 3)
    assert photo.scale == 0.5
    np.testing.assert_allclose(photo.to_photo(photo.to_image([[30.0, 40.0]])), [[30.0, 40.0]])
    assert_quarters(photo, list(QUARTERS.values()), 12)


BAD_FILES = {
    "zero bytes": (lambda: b"", "empty"),
    "random bytes": (lambda: np.random.default_rng(5).bytes(200_000), "unknown kind"),
    "PDF named jpg": (lambda: b"%PDF-1.7\n" + b"x" * 1000, "PDF"),
    "GIF": (lambda: encoded(picture(), "GIF"), "GIF"),
    "one pixel": (lambda: encoded(Image.new("RGB", (1, 1)), "PNG"), "only 1×1"),
    "strip": (lambda: encoded(Image.new("RGB", (20_000, 10)), "PNG"), "only 20000×10"),
    "just too many pixels": (lambda: huge_png(10_001, 8_000), "80 MP"),
    "decompression bomb": (lambda: huge_png(60_000, 60_000), "too many pixels"),
    "too many bytes": (lambda: b"\xff\xd8" + bytes(LIMITS.max_bytes), "30 MB allowed"),
    "truncated JPEG": (lambda: encoded(picture(), "JPEG")[:-400], "cut short"),
    "truncated PNG": (lambda: encoded(picture(), "PNG")[:-100], "cut short"),
    "truncated WebP": (lambda: encoded(picture(), "WEBP", lossless=True)[:-40], "damaged"),
    "truncated HEIC": (lambda: encoded(picture(), "HEIF")[:-200], "damaged"),
    "half a HEIC header": (lambda: encoded(picture(), "HEIF")[:120], "damaged"),
    "JPEG header only": (lambda: encoded(picture(), "JPEG")[:30], "damaged"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_refused_at_once_in_words_and_without_memory(name: str) -> None:
    make, words = BAD_FILES[name]
    data = make()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    with pytest.raises(PhotoError, match=words) as caught:
        load_photo(data)
    assert time.perf_counter() - start < 1.0
    # ru_maxrss is in kilobytes on Linux: decoding a bomb would add gigabytes.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60_000
    assert isinstance(caught.value, KingdominoError)
    assert str(caught.value).endswith(".")


def test_a_missing_file_is_our_own_error(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match=r"nowhere\.jpg cannot be read"):
        load_photo(tmp_path / "nowhere.jpg")
    with pytest.raises(PhotoError, match="cannot be read"):
        load_photo(tmp_path)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_a_file_cut_anywhere_or_with_flipped_bytes_never_escapes_our_errors(kind: str) -> None:
    data = encoded(picture(), kind)
    rng = np.random.default_rng(11)
    for _ in range(40):
        broken = bytearray(data[: int(rng.integers(1, len(data) + 1))])
        for position in rng.integers(0, len(broken), 3):
            broken[position] = int(rng.integers(0, 256))
        try:
            photo = load_photo(bytes(broken))
        except PhotoError:
            continue
        assert photo.image.ndim == 3
