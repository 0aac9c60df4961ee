"""32 threads register, unregister and list, 10,000 times in all: none may see half a block.

Run it with ``python tests/full/threads.py``; it exits 1 when one did.
"""

from __future__ import annotations

import sys
import threading
import time

from blockargs import Registry, arg_integer, new_block_arg, new_block_args
from blockargs.errors import UnknownBlockError

THREADS = 32
TIMES = 10_000


def head(n: int = 5) -> int:
    """Keep rows."""
    return n


def broken_in(registry: Registry) -> list[str]:
    """Return what was seen of *registry* that is not a whole block."""
    found = []
    for uid, block in registry.items():
        whole = block.examples == [{"n": 3}] and list(block.input_schema()["properties"]) == ["n"]
        if not whole or block.uid != uid:
            found.append(repr(block))
    for uid in registry:
        try:
            if registry[uid].uid != uid:
                found.append(uid)
        except UnknownBlockError:
            pass  # unregistered meanwhile, as a whole
    return found


def main() -> int:
    """Run the threads, and say what they saw."""
    registry = Registry()
    arguments = new_block_args(n=new_block_arg("Rows.", 3, arg_integer()))
    seen: list[str] = []

    def work(number: int) -> None:
        for turn in range(TIMES // THREADS + 1):
            uid = f"b{number}_{turn % 4}"
            registry.register(head, uid=uid, arguments=arguments, overwrite=True, construct=False)
            seen.extend(broken_in(registry))
            if turn % 2:
                registry.unregister(uid)

    started = time.perf_counter()
    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    turns = THREADS * (TIMES // THREADS + 1)
    print(f"{turns} turns in {time.perf_counter() - started:.1f} s: {len(seen)} half-registered blocks seen")
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
