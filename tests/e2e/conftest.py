"""The real app in its own process, and a real browser in front of it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 60
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}

# A page on a busy machine may take its time; a page that never answers still fails.
expect.set_options(timeout=20_000)

Opener = Callable[..., Page]


class Server:
    """The app in its own process, started as `make app` starts it, on a free port, with records of its own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [sys.executable, "-m", "streamlit", "run", "app.py"]
        options = ["--server.port", str(self.port), "--server.headless", "true"]
        surroundings = {**os.environ, "KINGDOMINO_DATABASE_URL": f"sqlite:///{self._folder / 'records.sqlite'}"}
        log = self._folder / "log.txt"
        with log.open("a") as output:
            self._process = subprocess.Popen(
                command + options, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, env=surroundings
            )
        _wait_until_ready(self._process, f"{self.address}/_stcore/health", log)

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                # Open pages can keep it from ending; the tests after this one need the machine.
                self.kill()

    def kill(self) -> None:
        """End it as a power cut does."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(timeout=10)


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an app that many tests share."""
    server = Server(tmp_path_factory.mktemp("app"))
    server.start()
    yield server.address
    server.stop()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """An app of the test's own, which it may stop, kill and start again."""
    running = Server(tmp_path)
    running.start()
    yield running
    running.stop()


def _wait_until_ready(server: subprocess.Popen[bytes], health: str, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if server.poll() is not None:
            pytest.fail(f"The app stopped while starting:\n{log.read_text()}")
        try:
            with urllib.request.urlopen(health, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"The app did not answer within {START_SECONDS} seconds.")


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Inside containers Chromium cannot build its own sandbox; only our own pages are opened.
        running = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[Opener]:
    """Open the app in a window of its own: `open_page("phone", dark=True, path="game")`."""
    contexts = []
    mishaps: list[str] = []

    def opened(size: str = "desktop", *, dark: bool = False, path: str = "", at: str | None = None) -> Page:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: mishaps.append(f"script error: {error}"))
        page.on("dialog", lambda dialog: (mishaps.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(f"{at or address}/{path}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert mishaps == []
