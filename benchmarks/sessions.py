"""Many people at once: sessions of the real app that score photos at the same time, over the app's own connection.

Each session speaks to the server as a browser does: it opens the page, uploads a photo and waits until the points are
shown. Every photo is another file, so that each is read and none is remembered.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from benchmarks.report import Row
from engine import Kingdom, score
from vision.evaluate_squares import SAMPLES_DIR
from vision.models import ModelError
from vision.photo import load_photo
from vision.recognize import load_models

_ROOT = Path(__file__).resolve().parent.parent
_SESSIONS, _QUICK_SESSIONS = 20, 4
_PHOTOS, _QUICK_PHOTOS = 3, 1
#: Samples with one kingdom, so that the points of the page are those of the label.
_SAMPLES = ("complete_5x5", "incomplete_5x5", "illegal", "castle_at_edge", "seven_7x7", "oblique", "turned_45")
_CORES = 2
_START_SECONDS = 90.0
_ANSWER_SECONDS = 180.0
_QUALITIES = range(70, 100)
_SUCCESS = ForwardMsg.ScriptFinishedStatus.Value("FINISHED_SUCCESSFULLY")
_POINTS = re.compile(r'kd-points"><strong>(\d+)')


class SessionError(Exception):
    """A session was answered with an error, or not at all."""


@dataclass
class _Score:
    """What one session has seen."""

    seconds: list[float] = field(default_factory=list)
    right: int = 0
    errors: list[str] = field(default_factory=list)


def run(quick: bool) -> list[Row]:
    """Start the app on two cores and let the sessions score; without trained models nothing is measured."""
    try:
        load_models()
    except ModelError as error:
        print(f"Sessions are not measured: {error}", file=sys.stderr)
        return []
    sessions, photos = (_QUICK_SESSIONS, _QUICK_PHOTOS) if quick else (_SESSIONS, _PHOTOS)
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as address:
        scores, seconds = _all_at_once(address, sessions, photos)
    times = sorted(itertools.chain.from_iterable(each.seconds for each in scores))
    errors = [line for each in scores for line in each.errors]
    for line in errors[:5]:
        print(line, file=sys.stderr)
    done = len(times)
    note = f"{sessions} sessions, {photos} photos each, {_CORES} cores"
    return [
        Row("sessions at once: errors", len(errors), "errors", 0, note=note),
        Row("photos scored", done, f"of {sessions * photos}", sessions * photos, higher_is_better=True),
        Row("points as on the label", sum(each.right for each in scores), f"of {sessions * photos}", note="rendered"),
        Row("throughput", done / seconds, "photos/s", note=note, higher_is_better=True),
        Row("upload to points, median", statistics.median(times) if times else 0.0, "s", note=note),
        Row("upload to points, p95", times[round(0.95 * (done - 1))] if times else 0.0, "s", note=note),
    ]


class _server:
    """The app in a process of its own, on two cores, with records of its own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> str:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self._port)]
        # The sessions here have no cookies to show; everything else is as the app runs.
        options = ["--server.headless", "true", "--server.enableXsrfProtection", "false"]
        surroundings = {**os.environ, "KINGDOMINO_DATABASE_URL": f"sqlite:///{self._folder / 'records.sqlite'}"}
        with (self._folder / "log.txt").open("w") as log:
            self._process = subprocess.Popen(
                command + options, cwd=_ROOT, env=surroundings, stdout=log, stderr=subprocess.STDOUT
            )
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(self._process.pid, sorted(os.sched_getaffinity(0))[:_CORES])
        end = time.monotonic() + _START_SECONDS
        address = f"127.0.0.1:{self._port}"
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"http://{address}/_stcore/health", timeout=2):
                    return address
            except OSError:
                time.sleep(0.2)
        self.__exit__()
        raise SessionError("the app did not start")

    def __exit__(self, *_error: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=20)


def _all_at_once(address: str, sessions: int, photos: int) -> tuple[list[_Score], float]:
    """Let all sessions open the page, then score at the same moment; return what they saw and the seconds."""
    files = [[_photo(number, turn) for turn in range(photos)] for number in range(sessions)]
    scores = [_Score() for _ in range(sessions)]
    start = threading.Barrier(sessions + 1)
    threads = [
        threading.Thread(target=_session, args=(address, files[number], scores[number], start), daemon=True)
        for number in range(sessions)
    ]
    for thread in threads:
        thread.start()
    start.wait(_ANSWER_SECONDS)
    begun = time.perf_counter()
    for thread in threads:
        thread.join()
    return scores, time.perf_counter() - begun


def _photo(session: int, turn: int) -> tuple[bytes, int]:
    """A sample as a file that no other session has, and its true points."""
    name = _SAMPLES[(session + turn) % len(_SAMPLES)]
    quality = _QUALITIES[(session + 7 * turn) % len(_QUALITIES)]
    image = load_photo(SAMPLES_DIR / f"{name}.jpg").image
    label = json.loads((SAMPLES_DIR / f"{name}.json").read_text("utf-8"))["kingdoms"][0]
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    return data, score(Kingdom.from_notation(label["notation"])).total


def _session(address: str, files: list[tuple[bytes, int]], seen: _Score, start: threading.Barrier) -> None:
    try:
        page = Page(address)
        start.wait(_ANSWER_SECONDS)
    except (OSError, SessionError, TimeoutError, threading.BrokenBarrierError) as error:
        seen.errors.append(f"opening: {error}")
        start.abort()
        return
    for data, points in files:
        begun = time.perf_counter()
        try:
            shown = page.score(data)
        except (OSError, SessionError, TimeoutError) as error:
            seen.errors.append(f"scoring: {error}")
            continue
        seen.seconds.append(time.perf_counter() - begun)
        seen.right += shown == points
    page.close()


class Page:
    """One open page, as the browser holds it: the connection, the field for photos, the address."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._socket = connect(
            f"ws://{address}/_stcore/stream",
            subprotocols=[Subprotocol("streamlit")],
            max_size=None,
            open_timeout=_ANSWER_SECONDS,
        )
        self._session = ""
        self._query = ""
        self._field = ""
        self._points: int | None = None
        self._rerun(BackMsg())

    def close(self) -> None:
        """Leave the page."""
        self._socket.close()

    def score(self, data: bytes) -> int:
        """Upload a photo and return the points that the page then shows."""
        asked = BackMsg()
        asked.file_urls_request.request_id = str(uuid.uuid4())
        asked.file_urls_request.file_names.append("photo.jpg")
        asked.file_urls_request.session_id = self._session
        self._socket.send(asked.SerializeToString())
        places = self._receive(lambda message: message.WhichOneof("type") == "file_urls_response")
        place = places.file_urls_response.file_urls[0]
        self._put(place.upload_url, data)
        chosen = BackMsg()
        widget = chosen.rerun_script.widget_states.widgets.add()
        widget.id = self._field
        uploaded = widget.file_uploader_state_value.uploaded_file_info.add()
        uploaded.name, uploaded.size, uploaded.file_id = "photo.jpg", len(data), place.file_id
        uploaded.file_urls.CopyFrom(place)
        self._rerun(chosen)
        if self._points is None:
            raise SessionError("the page shows no points")
        return self._points

    def _rerun(self, message: BackMsg) -> None:
        message.rerun_script.query_string = self._query
        self._socket.send(message.SerializeToString())
        self._receive(lambda each: each.WhichOneof("type") == "script_finished" and each.script_finished == _SUCCESS)

    def _receive(self, last: Any) -> ForwardMsg:
        """Take messages, and remember what they tell, until the one that is waited for."""
        end = time.monotonic() + _ANSWER_SECONDS
        while time.monotonic() < end:
            message = ForwardMsg()
            message.ParseFromString(bytes(self._socket.recv(timeout=_ANSWER_SECONDS, decode=False)))
            self._note(message)
            if last(message):
                return message
        raise SessionError("no answer")

    def _note(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._session = message.new_session.initialize.session_id or self._session
            # The page is drawn anew: only what it shows from here on counts.
            self._points = None
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self._element(message.delta.new_element)

    def _element(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise SessionError(f"the page shows an error: {element.exception.message}")
        if kind == "file_uploader":
            self._field = element.file_uploader.id
        elif kind == "html":
            found = _POINTS.search(element.html.body)
            if found:
                self._points = int(found[1])
            elif 'role="alert"' in element.html.body and "Something went wrong" in element.html.body:
                raise SessionError("the page excuses itself for an error")

    def _put(self, path: str, data: bytes) -> None:
        edge = uuid.uuid4().hex
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="photo.jpg"\r\n'
        body = f"{head}Content-Type: image/jpeg\r\n\r\n".encode() + data + f"\r\n--{edge}--\r\n".encode()
        request = urllib.request.Request(
            f"http://{self._address}/{path.lstrip('/')}",
            body,
            {"Content-Type": f"multipart/form-data; boundary={edge}"},
            method="PUT",
        )
        with urllib.request.urlopen(request, timeout=_ANSWER_SECONDS) as answer:
            if answer.status >= 300:
                raise SessionError(f"the upload was answered with {answer.status}")
