"""Every test of pages has records of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ui import drafts


@pytest.fixture(autouse=True)
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A database of its own for each test."""
    path = tmp_path / "records.sqlite"
    monkeypatch.setenv("KINGDOMINO_DATABASE_URL", f"sqlite:///{path}")
    yield path
    drafts._opened.clear()
