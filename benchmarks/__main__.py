"""Runs the benchmarks and prints their tables; the exit code is 1 if a bar was missed."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys

import benchmarks
from benchmarks.report import Row, table

# Modules of the package that measure nothing themselves, or take so long that they have a command of their own.
_HELPERS = {"__main__", "fresh", "report", "fuzz"}


def names() -> list[str]:
    """Return the names of all benchmarks, in alphabetical order."""
    return sorted(module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name not in _HELPERS)


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks asked for, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure speed and print medians.")
    parser.add_argument("name", nargs="*", help=f"which benchmarks to run: {', '.join(names())} (default: all)")
    parser.add_argument("--quick", action="store_true", help="fewer runs; shows that it works, not to be quoted")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.name if name not in names()]
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(names())}")

    missed: list[Row] = []
    for name in options.name or names():
        rows: list[Row] = importlib.import_module(f"benchmarks.{name}").run(options.quick)
        print(f"\n{name}\n{table(rows)}", flush=True)
        missed += [row for row in rows if not row.passed]
    if missed:
        print(f"\n{len(missed)} bar(s) missed: {'; '.join(row.name for row in missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
