"""Photos: bytes under their SHA-256. What still tells where and by whom it was taken is refused, not kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, undefer

from store.database import Database
from store.errors import NotFound, StoreError
from store.limits import LIMITS
from store.models import PhotoRow
from store.rows import now
from store.values import SavedPhoto, clean_photo_id

JPEG, PNG, WEBP = "image/jpeg", "image/png", "image/webp"
# Of the application segments of a JPEG: JFIF, the colour profile, Adobe's colour transform. All others may tell more.
_JPEG_KEPT: Final = {0xE0, 0xE2, 0xEE}
_JPEG_SCAN: Final = 0xDA
_PNG_REFUSED: Final = {b"eXIf", b"tEXt", b"zTXt", b"iTXt"}
_WEBP_REFUSED: Final = {b"EXIF", b"XMP "}
_PNG_START: Final = b"\x89PNG\r\n\x1a\n"


class Photos:
    """The photos of the store, each kept once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, data: bytes) -> str:
        """Keep a re-encoded JPEG, PNG or WebP photo and return its id; the same bytes always have the same id."""
        media_type = check_photo(data)
        with self._database.writing() as session:
            return insert_photo(session, data, media_type)

    def open(self, photo_id: str) -> SavedPhoto:
        """Return a photo with its bytes."""
        try:
            name = clean_photo_id(photo_id)
        except StoreError:
            name = None
        with self._database.reading() as session:
            row = session.get(PhotoRow, name, options=[undefer(PhotoRow.data)]) if name else None
            if row is None:
                raise NotFound("There is no such photo.")
            return SavedPhoto(row.id, row.media_type, bytes(row.data))


def insert_photo(session: Session, data: bytes, media_type: str) -> str:
    """Store checked bytes unless they are there already."""
    name = hashlib.sha256(data).hexdigest()
    row = session.get(PhotoRow, name)
    if row is None:
        row = PhotoRow(id=name, media_type=media_type, size=len(data), data=data, added_at=now())
        try:
            with session.begin_nested():
                session.add(row)
        except IntegrityError:
            # Another process was faster with the same photo.
            return name
    # Seen again just now, so it is not swept away before the game that shows it is saved.
    row.added_at = now()
    return name


def check_photo(data: bytes) -> str:
    """Return the media type of a photo; refuse other files, large ones and those that tell more than the picture."""
    if not isinstance(data, bytes) or not data:
        raise StoreError("A photo is a picture file; this one is empty.")
    if len(data) > LIMITS.photo:
        raise StoreError(f"A photo has at most {LIMITS.photo // 1_000_000} MB, not {len(data) / 1_000_000:.1f}.")
    if data.startswith(b"\xff\xd8\xff"):
        media_type, private = JPEG, _jpeg_tells(data)
    elif data.startswith(_PNG_START):
        media_type, private = PNG, any(kind in _PNG_REFUSED for kind in _png_chunks(data))
    elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        media_type, private = WEBP, any(kind in _WEBP_REFUSED for kind in _webp_chunks(data))
    else:
        raise StoreError("Photos are kept as JPEG, PNG or WebP; this is another kind of file.")
    if private:
        raise StoreError("This photo still carries data such as where it was taken; it must be re-encoded first.")
    return media_type


def _jpeg_tells(data: bytes) -> bool:
    # Cameras also append small pictures with data of their own behind the picture proper.
    if b"Exif\x00\x00" in data:
        return True
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind == _JPEG_SCAN:
            return False
        if 0xE0 <= kind <= 0xEF and kind not in _JPEG_KEPT:
            return True
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    raise StoreError("This JPEG is damaged.")


def _png_chunks(data: bytes) -> Iterator[bytes]:
    at = len(_PNG_START)
    while at + 8 <= len(data):
        yield data[at + 4 : at + 8]
        at += 12 + int.from_bytes(data[at : at + 4], "big")


def _webp_chunks(data: bytes) -> Iterator[bytes]:
    at = 12
    while at + 8 <= len(data):
        yield data[at : at + 4]
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        at += 8 + size + size % 2
