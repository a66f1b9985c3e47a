"""What every test shares: the marks, and the rule that a complete run skips nothing.

A test marked ``data``, ``browser`` or ``database`` needs something a machine may lack and is then skipped
with the reason. With KINGDOMINO_REQUIRE_ALL=1, which .ci/run sets, such a skip is a failure: a run that
leaves out the photographs, the browser or the database server must not look like a run that passed them.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Generator

import pytest
from hypothesis import settings

# A busy machine is slow now and then; speed is measured by `make bench`, not by property tests.
settings.register_profile("kingdomino", deadline=None)
settings.load_profile("kingdomino")

REQUIRED_MARKS = ("data", "browser", "database")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def requires_all() -> bool:
    return os.environ.get("KINGDOMINO_REQUIRE_ALL") == "1"


def installed_browser() -> str | None:
    """The path of a Chromium on this machine, or None."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def missing_data() -> str | None:
    """Why the data tests cannot run here, or None when they can."""
    from vision.data import data_available

    if data_available():
        return None
    return "the folder with the labelled photographs is not here (KINGDOMINO_DATA names it)"


def missing_browser() -> str | None:
    """Why the browser tests cannot run here, or None when they can."""
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed"
    return None if installed_browser() else "no Chromium is installed"


def missing_training() -> str | None:
    """Why the training tests cannot run here, or None when they can."""
    return None if importlib.util.find_spec("torch") else "PyTorch (requirements-train.txt) is not installed"


NEEDS = {"data": missing_data, "browser": missing_browser, "training": missing_training}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip, with the reason, each marked test whose need is not met on this machine."""
    for mark, missing in NEEDS.items():
        marked = [item for item in items if item.get_closest_marker(mark)]
        reason = missing() if marked else None
        if reason:
            for item in marked:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In a complete run, a skipped test that carries one of the required marks has failed."""
    report = yield
    mark = next((name for name in REQUIRED_MARKS if item.get_closest_marker(name)), None)
    if requires_all() and mark and report.skipped:
        report.outcome = "failed"
        report.longrepr = f"A {mark} test was skipped, but this run must be complete: {_reason(report.longrepr)}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """In a complete run, a file that skips itself has failed too, for its marks were never seen."""
    report = yield
    if requires_all() and report.skipped and "torch" not in _reason(report.longrepr):
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} skipped itself in a complete run: {_reason(report.longrepr)}"
    return report


def _reason(longrepr: object) -> str:
    """The words of a skip, which pytest reports as (file, line, reason)."""
    return str(longrepr[2]) if isinstance(longrepr, tuple) else str(longrepr)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser that the tests marked ``browser`` drive."""
    path = installed_browser()
    if path is None:
        pytest.skip("no Chromium is installed")
    return path
