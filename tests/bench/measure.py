"""What blockargs costs beside its neighbours, in one run: ``python tests/bench/measure.py [--peers] [--out FILE]``.

Prints a Markdown table: what was measured, what blockargs needs, what the
neighbour needs in the same run, their ratio, the goal, and whether it holds.
Without ``--peers`` only what the tests install is compared; with it, mcp,
fastmcp, openai-agents and pydantic-ai are asked too (peers.sh installs them).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clock import process

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    what: str
    ours: str
    theirs: str
    ratio: str
    goal: str
    holds: bool

    def __str__(self) -> str:
        cells = [self.what, self.ours, self.theirs, self.ratio, self.goal, "yes" if self.holds else "**no**"]
        return f"| {' | '.join(cells)} |"


def ms(seconds: float) -> str:
    """Return *seconds* in the unit a person would use."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def beside(what: str, ours: float, name: str, theirs: float, goal: str, holds: bool) -> Row:
    """Return the row of a time beside another."""
    return Row(what, ms(ours), f"{name} {ms(theirs)}", f"{ours / theirs:.3g}", goal, holds)


def alone(what: str, shown: str, goal: str, holds: bool) -> Row:
    """Return the row of a figure that is compared with nothing."""
    return Row(what, shown, "", "", goal, holds)


def starting() -> Iterator[Row]:
    """What a process pays for importing, and for the first table."""
    bare = process("-c", "pass")
    package = process("-c", "import blockargs")
    yield beside("`import blockargs`, whole process", package, "bare Python", bare, "≤ 45 ms", package <= 0.045)
    one = process("-c", "from blockargs import register_block")
    yield beside("`from blockargs import register_block`", one, "bare Python", bare, "≤ 60 ms", one <= 0.060)
    table = process("-m", "blockargs", "table")
    yield beside("`blockargs table`, bundled registry", table, "bare Python", bare, "≤ 180 ms", table <= 0.180)


def asked(peer: str, n: int) -> dict[str, Any]:
    """Return what `peer.py` measures in a process of its own: the best of three."""
    runs = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, str(HERE / "peer.py"), peer, str(n)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{peer}: {done.stderr.strip().splitlines()[-1]}")
        runs.append(json.loads(done.stdout))
    least = {key: min(run[key] for run in runs) for key in runs[0]}
    return {**least, "refused": runs[0]["refused"], "names_path": runs[0]["names_path"]}


def registering(peers: list[str]) -> Iterator[Row]:
    """A thousand functions: registered, listed, called, refused; and how that grows."""
    ours = asked("blockargs", 1000)
    theirs = {peer: asked(peer, 1000) for peer in peers}
    yield alone("register 1,000 functions", ms(ours["register_s"]), "≤ 0.28 s", ours["register_s"] <= 0.28)
    yield alone("… a correct call of scalars", ms(ours["call_us"] / 1e6), "≤ 10 µs", ours["call_us"] <= 10)
    yield alone("… a wrong flat call", ms(ours["refuse_us"] / 1e6), "≤ 60 µs", ours["refuse_us"] <= 60)
    named = ours["names_path"]
    yield alone("… wrong calls whose path is named", f"{named:.0%}", "100%", named == 1)
    yield alone("… listed again", ms(ours["list_again_ms"] / 1e3), "≤ 0.5 ms", ours["list_again_ms"] <= 0.5)
    yield alone("… bytes a tool", f"{ours['bytes_a_tool']:.0f}", "≤ 800", ours["bytes_a_tool"] <= 800)
    for peer, them in theirs.items():
        sixth = 6 if peer in ("mcp", "fastmcp") else 1
        goal = f"≤ 1/{sixth}" if sixth > 1 else ""
        register = ours["register_s"] / them["register_s"]
        yield beside(
            "register 1,000 functions", ours["register_s"], peer, them["register_s"], goal, register <= 1 / sixth
        )
        call = ours["call_us"] / them["call_us"]
        twelfth = 12 if peer == "mcp" else 1
        goal = f"≤ 1/{twelfth}" if twelfth > 1 else ""
        yield beside(
            "… a correct call of scalars", ours["call_us"] / 1e6, peer, them["call_us"] / 1e6, goal, call <= 1 / twelfth
        )
        yield beside("… a wrong flat call", ours["refuse_us"] / 1e6, peer, them["refuse_us"] / 1e6, "", holds=True)
        first = ours["list_first_ms"] / them["list_first_ms"]
        goal = "≤ 1" if peer == "mcp" else ""
        yield beside(
            "… listed first",
            ours["list_first_ms"] / 1e3,
            peer,
            them["list_first_ms"] / 1e3,
            goal,
            first <= 1 or not goal,
        )
        memory = ours["memory_mb"] / max(them["memory_mb"], 0.1)
        shown = f"{ours['memory_mb']:.1f} MB", f"{peer} {them['memory_mb']:.1f} MB", f"{memory:.2g}"
        yield Row("… memory", *shown, "≤ 1/6" if peer == "mcp" else "", memory <= 1 / 6 or peer != "mcp")
        said = f"{them['names_path']:.0%} of {them['refused']:.0%} refused"
        yield Row(
            "… wrong calls whose path is named", f"{ours['names_path']:.0%}", f"{peer} {said}", "", "", holds=True
        )


def growth() -> Iterator[Row]:
    """From 100 to 10,000 blocks: what one block costs."""
    done = subprocess.run([sys.executable, str(HERE / "growth.py")], capture_output=True, text=True, check=True)
    for what, seconds in json.loads(done.stdout).items():
        few, many = seconds["few"], seconds["many"]
        yield beside(f"{what}, a block of 10,000", many, "of 100", few, "≤ 1.2", many / few <= 1.2)


def main() -> None:
    """Measure everything and print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--peers", action="store_true", help="ask mcp, fastmcp, openai-agents and pydantic-ai too")
    options.add_argument("--only", help="measure only the part whose name holds this")
    options.add_argument("--out", type=Path, help="write the table here as well")
    given = options.parse_args()
    from parts import documents, refusals, replies, validators

    peers = ["mcp", "fastmcp", "openai-agents", "pydantic-ai"] if given.peers else []
    parts = {
        "starting": starting,
        "validators": validators,
        "refusals": refusals,
        "registering": lambda: registering(peers),
        "growth": growth,
        "documents": documents,
        "replies": replies,
    }
    lines = ["| what | blockargs | beside | ratio | goal | holds |", "|---|---|---|---|---|---|"]
    print(*lines, sep="\n")
    for name, part in parts.items():
        if given.only and given.only not in name:
            continue
        for row in part():
            lines.append(str(row))
            print(row, flush=True)
    if given.out:
        given.out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
