"""First calls, timed in processes of their own, where nothing can be remembered: no score, no query, no page."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_PROGRAM: Final = """\
import time
{prepare}
clock, processor = time.perf_counter(), time.process_time()
{call}
print(time.perf_counter() - clock, time.process_time() - processor)
"""


@dataclass(frozen=True, slots=True)
class FirstCall:
    """Median seconds of a first call, by the clock and of the processor."""

    seconds: float
    processor: float

    @property
    def note(self) -> str:
        """The processor time in words; what else the machine does hardly counts in it."""
        return f"{self.processor:.2f} s of the processor"


def first_call(prepare: str, call: str, runs: int, environment: Mapping[str, str] | None = None) -> FirstCall:
    """Time a statement in new processes, each of which has run nothing but `prepare` before it."""
    program = _PROGRAM.format(prepare=prepare, call=call)
    times = [_times(program, {**os.environ, **(environment or {})}) for _ in range(runs)]
    return FirstCall(*(statistics.median(column) for column in zip(*times, strict=True)))


def _times(program: str, environment: Mapping[str, str]) -> tuple[float, float]:
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"the measured process failed: {done.stderr}")
    seconds, processor = done.stdout.splitlines()[-1].split()
    return float(seconds), float(processor)
