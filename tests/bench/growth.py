"""What one block costs as registries grow: ``python growth.py`` prints JSON, ratios by what was done.

The same ten thousand blocks stand in a hundred registries of a hundred, or in
one. So the memory that is touched is the same, and only the size of the
registry differs: what the processor's caches do is left out of the ratio. What is
made is kept until the end of its turn, so that the collector has the same to do.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from blockargs import Registry, Toolset, block_metadata, export_tools, find_blocks
from blockargs.spec import Block
from blockargs.tables import MetadataTable

FEW, MANY = 100, 10_000
ROUNDS = 7  # of five, all of one side were now and then disturbed


def steps(n: int) -> list[Callable[..., int]]:
    """Return *n* documented functions."""
    made = []
    for number in range(n):
        space: dict[str, Any] = {}
        source = f'def step_{number}(rows: int, label: str = "x") -> int:\n    """Do step {number}.\n\n    Args:\n        rows: How many.\n        label: What it is called.\n    """\n    return rows\n'
        exec(source, space)  # ten thousand functions are not written by hand
        made.append(space[f"step_{number}"])
    return made


def registered(functions: list[Callable[..., int]]) -> Registry:
    """Return a registry of *functions*."""
    registry = Registry()
    for function in functions:
        registry.register(function, construct=False)
    return registry


def listed(registry: Registry) -> bytes:
    """List a registry the first time."""
    return export_tools(registry, "mcp").json()


def tabulated(registry: Registry) -> MetadataTable:
    """Make the table of a registry."""
    return block_metadata(registry)


def searched(registry: Registry) -> list[Block]:
    """Ask a registry a first question."""
    return find_blocks("do step 7", registry)


def called(toolset: Toolset) -> None:
    """Call each block once."""
    for name in toolset.names:
        toolset.run({"name": name, "arguments": {"rows": 3}})


def timed(work: Callable[[Any], Any], subjects: list[Any]) -> tuple[float, list[Any]]:
    """Return the seconds that *work* takes on all of *subjects*, and what it gives."""
    gc.collect()
    start = time.perf_counter()
    results = [work(one) for one in subjects]
    return time.perf_counter() - start, results


def round_of(groups: list[list[Callable[..., int]]]) -> dict[str, float]:
    """Return the seconds of each thing that is done with a registry of each of *groups*."""
    out: dict[str, float] = {}
    out["register"], registries = timed(registered, groups)
    out["list"], _ = timed(listed, registries)
    out["table"], _ = timed(tabulated, registries)
    out["search"], _ = timed(searched, registries)
    toolsets = [Toolset(registry) for registry in registries]
    timed(called, toolsets)
    out["call"], _ = timed(called, toolsets)
    return out


def main() -> None:
    """Print the ratios: the best of several rounds, both sizes by turns."""
    functions = steps(MANY)
    few = [functions[at : at + FEW] for at in range(0, MANY, FEW)]
    round_of(few[:1])  # what is loaded at first use is loaded now
    gc.freeze()
    rounds = [(round_of(few), round_of([functions])) for _ in range(ROUNDS)]
    best = {what: [min(r[side][what] for r in rounds) for side in (0, 1)] for what in rounds[0][0]}
    json.dump({what: {"few": f / MANY, "many": m / MANY} for what, (f, m) in best.items()}, sys.stdout)


if __name__ == "__main__":
    main()
