"""The rule that a complete run skips nothing, tried in runs of pytest of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SKIPPED = """
import pytest

@pytest.mark.{mark}
def test_that_skips():
    pytest.skip("nothing here")
"""


def run_pytest(folder: Path, source: str, *, complete: bool, **environment: str) -> str:
    """What pytest prints for one test file under this project's conftest."""
    (folder / "tests").mkdir()
    (folder / "tests" / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (folder / "tests" / "test_sample.py").write_text(source)
    (folder / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    variables["KINGDOMINO_REQUIRE_ALL"] = "1" if complete else "0"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--override-ini=xfail_strict=false"],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
    )
    return run.stdout + run.stderr


@pytest.mark.parametrize("mark", ["data", "browser", "database"])
def test_a_skipped_test_that_needs_something_fails_a_complete_run(tmp_path: Path, mark: str) -> None:
    printed = run_pytest(tmp_path, SKIPPED.format(mark=mark), complete=True)
    assert "1 failed" in printed
    assert f"A {mark} test was skipped" in printed


def test_a_test_that_skips_for_another_reason_may_do_so_in_a_complete_run(tmp_path: Path) -> None:
    assert "1 skipped" in run_pytest(tmp_path, SKIPPED.format(mark="slow"), complete=True)


def test_a_skipped_data_test_passes_an_ordinary_run(tmp_path: Path) -> None:
    assert "1 skipped" in run_pytest(tmp_path, SKIPPED.format(mark="data"), complete=False)


def test_a_file_that_skips_itself_fails_a_complete_run(tmp_path: Path) -> None:
    source = 'import pytest\npytest.skip("not today", allow_module_level=True)\n'
    printed = run_pytest(tmp_path, source, complete=True)
    assert "1 error" in printed
    assert "skipped itself" in printed


@pytest.mark.parametrize("complete, outcome", [(False, "1 skipped"), (True, "1 error")])
def test_data_tests_say_that_the_data_folder_is_missing(tmp_path: Path, complete: bool, outcome: str) -> None:
    source = "import pytest\n\n@pytest.mark.data\ndef test_data():\n    assert True\n"
    empty = tmp_path / "empty"
    empty.mkdir()
    printed = run_pytest(tmp_path, source, complete=complete, KINGDOMINO_DATA=str(empty))
    assert outcome in printed
    assert "labelled photographs is not here" in printed
