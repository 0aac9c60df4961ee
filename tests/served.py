"""Blocks that the tests of the MCP door serve: in memory, in a process of its own over stdio, and over HTTP.

python served.py stdio [--strict]
python served.py http [--token TOKEN]
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from blockargs import Registry, ToolFailure, Toolset
from blockargs.derive import Arg
from blockargs.dispatch import Image, ToolContent
from blockargs.errors import Problem
from blockargs.inject import Cancellation, Context, Logger, Progress
from waiting import until


@dataclass(frozen=True)
class Weather:
    """What it is like outside."""

    temperature: int
    condition: str


def new_head(
    n: Annotated[int, Arg("Rows to keep.", example=5)] = 5,
    direction: Annotated[Literal["head", "tail"], Arg("Which end.")] = "head",
) -> dict[str, Any]:
    """Keep the first or the last rows."""
    return {"n": n, "direction": direction}


def weather(city: str) -> Weather:
    """Tell the weather of a city."""
    return Weather(len(city), "cloudy")


def primes(below: int) -> list[int]:
    """List the primes below a number."""
    return [n for n in range(2, below) if all(n % d for d in range(2, n))]


def maybe(found: bool) -> str | None:
    """Return a word, or nothing."""
    return "word" if found else None


def total(values: list[float]) -> float:
    """Add numbers."""
    return sum(values)


def untyped():
    """Return a list of which no type is known."""
    return [1, 2]


def slow(seconds: float, label: str = "") -> str:
    """Block for a while, as file systems and data bases do."""
    time.sleep(seconds)
    return label or "slept"


async def waits(seconds: float) -> str:
    """Wait for a while without blocking."""
    await asyncio.sleep(seconds)
    return "waited"


def patient(folder: str, label: str, cancellation: Cancellation) -> str:
    """Work until the file `go` is in *folder*, or nobody wants the answer; files tell when it begins and ends."""
    place = Path(folder)
    (place / f"{label} begun").touch()
    try:
        until(lambda: cancellation.check() or (place / "go").exists())
    finally:
        (place / f"{label} ended").touch()
    return label


def crash(secret: str) -> str:
    """Fail in a way that nobody foresaw."""
    raise RuntimeError(f"{secret} in {Path(__file__).resolve()}")


def refuse(key: str) -> str:
    """Fail in a way that was foreseen."""
    raise ToolFailure("missing_key", f"key '{key}' is required", details={"key": key})


def told(number: int) -> int:
    """Fail with an error that may be told."""
    raise ValueError(f"{number} is odd")


def meeting(attendees: list[str], minutes: int) -> str:
    """Book a meeting."""
    return f"{len(attendees)} for {minutes}"


def positive_minutes(arguments: Any) -> list[Problem]:
    """Check that a meeting takes time."""
    if arguments["minutes"] > 0:
        return []
    return [Problem(code="too_small", path="$.minutes", message="a meeting takes time", hint="give at least 1 minute")]


def chatty(words: str) -> str:
    """Print where it should not."""
    print(words)
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()
    return words


def audit(message: str, ctx: Context, progress: Progress, logger: Logger) -> dict[str, Any]:
    """Say who asked, and how it goes on."""
    ctx.log("info", {"message": message})
    for step in range(1, 4):
        progress.report(step, 3, f"step {step}")
    logger.warning("careful")
    logger.debug("a detail")
    return {"request": ctx.request_id, "client": dict(ctx.client), "timed": ctx.deadline is not None}


def steps(count: int, progress: Progress) -> int:
    """Report each of many small steps."""
    for step in range(1, count + 1):
        progress.report(step, count)
    return count


def picture() -> ToolContent:
    """Draw."""
    return ToolContent("A dot.", Image(b"\x89PNG", "image/png"), structured={"dots": 1})


def routed(region: Annotated[str, Arg("Where to run.", header="Region")], query: str = "") -> str:
    """Run a query somewhere."""
    return f"{region}: {query}"


def threads() -> int:
    """Count the threads of this process."""
    return threading.active_count()


def shelf() -> Registry:
    """Return a registry of the blocks above."""
    registry = Registry()
    registry.register(
        new_head, name="Head", category="transform", guidance="Not for sampling.", keywords=["rows", "top"]
    )
    hints = {"read_only": True, "destructive": False, "idempotent": True, "open_world": False, "title": "The weather"}
    registry.register(weather, kind="tool", annotations=hints)
    registry.register(told, kind="tool", tells=(ValueError,))
    registry.register(meeting, kind="tool", validators=(positive_minutes,))
    registry.register(slow, kind="tool", uid="slow")
    registry.register(slow, kind="tool", uid="hasty", timeout=0.1)
    for constructor in (
        primes,
        untyped,
        maybe,
        total,
        waits,
        patient,
        crash,
        refuse,
        chatty,
        audit,
        steps,
        picture,
        routed,
        threads,
    ):
        registry.register(constructor, kind="tool")
    return registry


def main() -> None:
    """Serve the shelf as the command line says."""
    from blockargs import mcp_server

    options = sys.argv[2:]
    toolset = Toolset(shelf(), strict="--strict" in options)
    if sys.argv[1] == "stdio":
        mcp_server.serve_stdio(toolset, name="shelf", version="1")
    else:
        token = options[options.index("--token") + 1] if "--token" in options else None
        mcp_server.serve_http(toolset, port=0, token=token, name="shelf", version="1")


if __name__ == "__main__":
    main()
