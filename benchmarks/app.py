"""The app in a real browser: how soon it is there after its start, and how soon a tap is answered.

Measured where a person sits: from the tap to the changed page, through the browser, the server and the records.
"""

from __future__ import annotations

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.report import Row

_ROOT: Final = Path(__file__).resolve().parent.parent
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
_KINGDOM: Final = "l1ff1ff/lg2ggf/w1wggC/s2ww1ww/s1wwm3m1"
_BOARD: Final = 'button[data-at="0,0"]'
_PATIENCE: Final = 60_000
_STARTS, _TAPS = 5, 20

# Resolves with the milliseconds from a click until a condition on the page holds.
_TIMED: Final = """([selector, wanted]) => new Promise((done) => {
    const all = (root) => [...root.querySelectorAll('*')].flatMap((part) =>
        part.shadowRoot ? [part, ...all(part.shadowRoot)] : [part]);
    const find = () => all(document).find((part) => part.matches(selector));
    const holds = () => wanted.kind === 'points'
        ? document.querySelector('.kd-points')?.innerText.trim() === wanted.words
        : all(document).some((part) => part.getAttribute('aria-label') === wanted.words);
    const start = performance.now();
    const look = () => holds() ? done(performance.now() - start) : requestAnimationFrame(look);
    find().click();
    look();
})"""


def run(quick: bool) -> list[Row]:
    """Measure in the browser; without one there is nothing to measure."""
    browser = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        raise SystemExit("The benchmark of the app needs Chromium, which is not installed.")
    from playwright.sync_api import sync_playwright

    starts: list[float] = []
    opened: list[float] = []
    changed: list[float] = []
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        for number in range(1 if quick else _STARTS):
            with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as (address, began):
                page = running.new_page(viewport={"width": 390, "height": 844})
                page.set_default_timeout(_PATIENCE)
                starts.append(_ready(page, address, began))
                if number == 0:
                    opened, changed = _taps(page, 3 if quick else _TAPS)
                page.close()
        running.close()
    return [
        Row("page ready after start", statistics.median(starts), "s", bar=4.0, note=f"median of {len(starts)} starts"),
        Row("tap on a square to its choices", _milliseconds(opened), "ms", bar=300.0, note=_spread(opened)),
        Row("tap on a choice to the new score", _milliseconds(changed), "ms", bar=300.0, note=_spread(changed)),
    ]


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, float]]:
    """The app as `make app` starts it, on a free port, with records of its own, and the moment it was started."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "app.py",
        "--server.port",
        str(port),
        "--server.headless",
        "true",
    ]
    surroundings = {**os.environ, "KINGDOMINO_DATABASE_URL": f"sqlite:///{folder / 'records.sqlite'}"}
    began = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=_ROOT, env=surroundings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield f"http://127.0.0.1:{port}", began
    finally:
        process.terminate()
        process.wait(timeout=10)


def _ready(page: Any, address: str, began: float) -> float:
    """Seconds from the start of the server until the first page can be used."""
    from playwright.sync_api import Error

    port = int(address.rsplit(":", 1)[1])
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.02)
    while True:
        try:
            page.goto(address)
            break
        except Error:
            time.sleep(0.05)
    page.get_by_role("button", name="Build it by hand").wait_for()
    return time.perf_counter() - began


def _taps(page: Any, count: int) -> tuple[list[float], list[float]]:
    """Milliseconds from a tap to the open square, and from a choice to the changed score."""
    page.get_by_role("button", name="Type it").first.click()
    field = page.get_by_label("Kingdom", exact=True)
    field.fill(_KINGDOM)
    field.press("Enter")
    page.get_by_role("button", name="Take this kingdom").click()
    page.locator(_BOARD).wait_for()
    opened, changed = [], []
    for _number in range(count):
        opened.append(page.evaluate(_TIMED, [_BOARD, {"kind": "label", "words": "What the square shows"}]))
        for symbol, points in (("l", 45), ("l1", 47)):
            wanted = {"kind": "points", "words": f"{points} points"}
            changed.append(page.evaluate(_TIMED, [f'.picker button[data-symbol="{symbol}"]', wanted]))
        page.get_by_role("button", name="Close this square").click()
        page.get_by_role("grid", name="What the square shows").wait_for(state="hidden")
    return opened, changed


def _milliseconds(times: list[float]) -> float:
    return statistics.median(times)


def _spread(times: list[float]) -> str:
    return f"{len(times)} taps, slowest {max(times):.0f} ms"
