"""How slow this machine is: limits on time hold for one machine, and are stretched for a slower one."""

from __future__ import annotations

import json
import time

USUAL = 0.02  # seconds of processor time that `_work` takes on the machine whose limits the programs here name


def _work() -> None:
    record = {"texts": ["abc def"] * 50, "numbers": list(range(50))}
    for _ in range(300):
        text = json.dumps(record, indent=1)
        sum(text.count(c) for c in "aeiou" if c in text)
        sorted(text.split(), key=len)


def slowness() -> float:
    """Return how many times longer than usual the same work takes here, and at least 1."""
    found = []
    for _ in range(5):
        start = time.process_time()
        _work()
        found.append(time.process_time() - start)
    return max(min(found) / USUAL, 1.0)
