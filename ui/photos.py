"""Taking a photo into the app: the choice of where it comes from, keeping it, reading it with its stages shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import streamlit as st

from engine import KingdominoError
from ui import drafts, reading
from ui.editor import Editor
from ui.guard import action
from ui.language import _
from ui.reading import PhotoReading, Source
from ui.style import message
from ui.values import KingdomEntry
from ui.widgets.corners import corners_on
from vision.photo import LIMITS, PhotoError

SAMPLES: Final = Path(__file__).resolve().parent.parent / "sample_photos"
#: The samples by file name, in the order in which they are offered.
SAMPLE_NAMES: Final[dict[str, str]] = {
    "complete_5x5": _("Complete 5×5"),
    "incomplete_5x5": _("With gaps"),
    "illegal": _("With a mistake"),
    "castle_at_edge": _("Castle at the edge"),
    "seven_7x7": _("7×7 duel"),
    "two_kingdoms": _("Two kingdoms"),
    "four_kingdoms": _("Four kingdoms"),
    "oblique": _("Seen from the side"),
    "turned_45": _("Turned"),
    "candlelight": _("Candlelight"),
    "busy_table": _("Busy table"),
    "exif_rotated": _("Held upright"),
}
#: Names the photo of this tab that is being read.
_PENDING: Final = "photo being read"
_KINDS: Final = ["jpg", "jpeg", "png", "webp", "heic", "heif", "avif"]
_THUMBNAIL: Final = 240
#: Rows and columns a kingdom can have on a photo.
_SIDES: Final = range(1, 8)
_USUAL: Final = 5


def photo_input(key: str, label: str, on_photo: Callable[[bytes], None], *, samples: bool = True) -> None:
    """Let a person choose a photo; `on_photo` gets its bytes while the page is drawn."""
    # What is going on with the photo is said on top, where a person looks, and moves nothing that can be tapped.
    stages = st.container()
    st.html(f'<ul class="kd-advice"><li>{_ADVICE[0]}</li><li>{_ADVICE[1]}</li></ul>')
    # A new key empties the field, so that each file is taken once.
    turn = st.session_state.setdefault(f"{key} turn", 0)
    uploaded = st.file_uploader(
        label, type=_KINDS, key=f"{key} file {turn}", max_upload_size=LIMITS.max_bytes // 1_000_000
    )
    if not on_a_phone():
        with st.expander(_("Use the camera of this computer"), key=f"{key} camera"):
            if st.toggle(_("Switch the camera on"), key=f"{key} camera on {turn}"):
                uploaded = st.camera_input(_("Take a picture"), key=f"{key} camera {turn}") or uploaded
    pending = f"{key} pending"
    if samples:
        _samples(key, pending)
    if uploaded is not None:
        st.session_state[f"{key} turn"] = turn + 1
        st.session_state[pending] = uploaded.getvalue()
    # A tap while a photo is being read ends this run of the page; the next one begins with the photo again.
    waiting = st.session_state.get(pending)
    if waiting is not None:
        st.session_state[_PENDING] = pending
        try:
            with stages:
                on_photo(waiting)
        except KingdominoError as error:
            # What is wrong with a photo is said beside the field for the next one.
            st.session_state.pop(pending, None)
            stages.html(message("bad", str(error)))
        except Exception:
            st.session_state.pop(pending, None)
            raise


_ADVICE: Final = (
    _("Hold the phone above the middle of the kingdom; all of it must be in the picture, with some table around it."),
    _("Good light, no shadow of the phone, and nothing lying on the tiles: then most squares are read right at once."),
)


def _samples(key: str, pending: str) -> None:
    def take(name: str) -> None:
        st.session_state[pending] = (SAMPLES / f"{name}.jpg").read_bytes()

    with st.expander(_("Try it with a sample"), key=f"{key} samples"), st.container(horizontal=True, gap="small"):
        for name, words in SAMPLE_NAMES.items():
            with st.container(width=132, gap="small"):
                st.image(_thumbnail(name), alt="", width="stretch")
                st.button(words, key=f"{key} sample {name}", width="stretch", on_click=action(partial(take, name)))


@st.cache_data(show_spinner=False)
def _thumbnail(name: str) -> bytes:
    # Decoded at a quarter of its size, which is far quicker; OpenCV sets the picture upright.
    image = cv2.imread(str(SAMPLES / f"{name}.jpg"), cv2.IMREAD_REDUCED_COLOR_4)
    if image is None:
        raise PhotoError(_("The sample {name} cannot be read.").format(name=name))
    side = min(image.shape[:2])
    top, left = (image.shape[0] - side) // 2, (image.shape[1] - side) // 2
    square = image[top : top + side, left : left + side]
    return reading.encoded(np.asarray(cv2.resize(square, (_THUMBNAIL, _THUMBNAIL), interpolation=cv2.INTER_AREA)))


def on_a_phone() -> bool:
    """Whether the browser says that it runs on a phone."""
    return "Mobi" in (st.context.headers.get("User-Agent") or "")


def keep(data: bytes) -> Source:
    """Keep a photo without anything but the picture, and name it."""
    return Source(drafts.store().photos.add(reading.kept(data)))


def look(source: Source) -> PhotoReading:
    """What is on a photo; the stages are shown while it is read for the first time."""
    if reading.known(source):
        _no_longer_pending()
        return reading.read(source, lambda: b"")
    with st.status(_("Reading the photo …"), expanded=True) as status:
        try:
            found = reading.read(source, lambda: drafts.store().photos.open(source.photo).data, _stage)
        except KingdominoError:
            status.update(label=_("The photo cannot be used."), state="error")
            raise
        if found.error:
            status.update(label=_("No kingdom was found."), state="error", expanded=False)
        else:
            status.update(label=_("Done."), state="complete", expanded=False)
    _no_longer_pending()
    return found


def _no_longer_pending() -> None:
    name = st.session_state.pop(_PENDING, None)
    if name is not None:
        st.session_state.pop(name, None)


def _stage(words: str) -> None:
    st.write(words.capitalize() + " …")


def entries(source: Source, found: PhotoReading) -> tuple[KingdomEntry, ...]:
    """The kingdoms of a photo, ready to be corrected."""
    return tuple(
        KingdomEntry(Editor.of_reading(reading.as_read(each)), source, number, each.model, each.castle_colour)
        for number, each in enumerate(found.recognitions)
    )


def photo_of(entry: KingdomEntry) -> PhotoReading | None:
    """The photo of a kingdom, if it has one that can still be read."""
    if entry.source is None:
        return None
    try:
        return look(entry.source)
    except KingdominoError as error:
        st.html(message("open", _("The photo cannot be shown."), (str(error),)))
        return None


def mark_corners(
    key: str, source: Source, found: PhotoReading, on_read: Callable[[tuple[KingdomEntry, ...]], None]
) -> None:
    """Let a person mark the corners of the kingdom and say how many rows and columns it has.

    `on_read` gets what was read there, ready to be corrected; then the page is drawn again.
    """
    st.html(
        message(
            "open",
            _("Tap the four outer corners of the kingdom, in any order. You can drag the marks afterwards."),
            (_("Gaps count: take the smallest rectangle around the whole kingdom."),),
        )
    )
    asked = f"{key} asked"
    corners = corners_on(found.picture, found.size, f"{key} corners", source.corners)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rows = st.selectbox(_("Rows"), _SIDES, index=_SIDES.index(_USUAL), key=f"{key} rows", width=110)
        columns = st.selectbox(_("Columns"), _SIDES, index=_SIDES.index(_USUAL), key=f"{key} columns", width=110)
        st.button(
            _("Read the kingdom"),
            type="primary",
            disabled=corners is None,
            key=f"{key} read",
            on_click=lambda: st.session_state.update({asked: True}),
        )
    if st.session_state.get(asked) and corners is not None:
        given = Source(source.photo, corners, (rows, columns))
        # A tap while it is being read begins the reading again; once read, the wish is fulfilled.
        again = look(given)
        st.session_state.pop(asked, None)
        if again.error:
            st.html(message("bad", again.error))
            return
        on_read(entries(given, again))
        st.rerun()
