"""Photos: kept once under their SHA-256, and only when they tell nothing but the picture."""

from __future__ import annotations

import hashlib
import io

import pytest
from PIL import Image

from store import LIMITS, NotFound, Store, StoreError
from store.photos import check_photo
from tests.store.samples import JPEG, PNG, photo


def encoded(kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (8, 6), (200, 150, 20)).save(stream, kind, **options)
    return stream.getvalue()


def with_exif() -> Image.Exif:
    exif = Image.Exif()
    exif[0x0110] = "a camera"
    exif.get_ifd(0x8825)[1] = "N"
    return exif


@pytest.mark.parametrize("kind, media_type", [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("WEBP", "image/webp")])
def test_a_photo_comes_back_byte_for_byte(store: Store, kind: str, media_type: str) -> None:
    data = encoded(kind)
    name = store.photos.add(data)
    assert name == hashlib.sha256(data).hexdigest()
    saved = store.photos.open(name)
    assert (saved.data, saved.media_type, saved.size) == (data, media_type, len(data))


def test_a_photo_added_twice_is_kept_once(store: Store) -> None:
    assert store.photos.add(JPEG) == store.photos.add(JPEG)
    assert store.exports.json().count(b'"data"') == 1


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_that_tells_where_it_was_taken_is_refused(kind: str) -> None:
    with pytest.raises(StoreError, match="re-encoded"):
        check_photo(encoded(kind, exif=with_exif()))


def test_other_tell_tale_parts_are_refused_too() -> None:
    xmp = b"http://ns.adobe.com/xap/1.0/\x00<x:xmpmeta/>"
    segment = b"\xff\xe1" + (len(xmp) + 2).to_bytes(2, "big") + xmp
    appended = encoded("JPEG") + encoded("JPEG", exif=with_exif())
    for data in (JPEG[:2] + segment + JPEG[2:], appended, encoded("JPEG", exif=with_exif(), progressive=True)):
        with pytest.raises(StoreError, match="re-encoded"):
            check_photo(data)


def test_a_colour_profile_is_no_secret() -> None:
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert check_photo(encoded("JPEG", icc_profile=profile)) == "image/jpeg"


@pytest.mark.parametrize(
    "data", [b"", b"GIF89a", b"<svg onload='x'/>", b"\xff\xd8\xff", b"\xff\xd8\xff\xe0\x00\x00" * 3, "text", None]
)
def test_what_is_no_photo_is_refused(data: bytes) -> None:
    with pytest.raises(StoreError):
        check_photo(data)


def test_damaged_photos_never_raise_anything_else() -> None:
    for data in (JPEG, PNG, encoded("WEBP")):
        for length in range(len(data)):
            try:
                check_photo(data[:length])
            except StoreError:
                continue


def test_a_photo_too_large_is_refused() -> None:
    with pytest.raises(StoreError, match="at most 12 MB, not 12.0"):
        check_photo(JPEG + bytes(LIMITS.photo))


@pytest.mark.parametrize("name", ["", "0" * 64, "../../etc/passwd", "\x00" * 64])
def test_an_unknown_photo_is_not_found(store: Store, name: str) -> None:
    with pytest.raises(NotFound):
        store.photos.open(name)


def test_photos_of_the_tests_differ() -> None:
    assert photo(1) != photo(2)
    assert check_photo(photo(1)) == "image/jpeg"
    Image.open(io.BytesIO(photo(1))).load()
