"""How long something takes, and how much memory a process grew."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def best(work: Callable[..., Any], *given: Any, seconds: float = 0.2, repeat: int = 5) -> float:
    """Return the seconds that ``work(*given)`` takes: the best mean of *repeat* rounds of about *seconds* in all."""
    start = time.perf_counter()
    work(*given)
    once = max(time.perf_counter() - start, 1e-8)
    loops = max(1, min(100_000, int(seconds / repeat / once)))
    rounds = []
    for _ in range(repeat if once < seconds else 2):
        start = time.perf_counter()
        for _ in range(loops):
            work(*given)
        rounds.append((time.perf_counter() - start) / loops)
    return min(rounds)


def once(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that *work* takes the first time, and what it gives."""
    gc.collect()
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def process(*arguments: str, rounds: int = 7) -> float:
    """Return the seconds of a whole Python process: the best of *rounds*."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found.append(time.perf_counter() - start)
    return min(found)


def resident() -> float:
    """Return the megabytes that this process holds."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
