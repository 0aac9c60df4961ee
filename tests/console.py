"""The commands in the documents, and what they print.

A document is run from top to bottom in an empty folder. ```console blocks hold
``$ blockargs …`` lines, each followed by what it prints; a block after the
comment ``<!-- saved as: NAME -->`` is a file of that folder.

``python tests/console.py README.md docs/*.md`` writes the output anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FILE = re.compile(r"^<!-- saved as: (?P<name>\S+) -->$(?=\n```\w*\n(?P<text>.*?)^```$)", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def saved(match: re.Match[str], folder: Path) -> None:
    """Write the file that the document shows."""
    file = folder / match["name"]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(match["text"], encoding="utf-8")


def ran(text: str, folder: Path) -> str:
    """Return the console session *text* as it goes now: each command with what it prints."""
    session: list[str] = []
    for line in text.splitlines():
        if not line.startswith("$ "):
            continue
        session.append(line)
        command = re.sub(r"\bblockargs\b", f"{sys.executable} -m blockargs", line.removeprefix("$ "), count=1)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        session += [row.rstrip() for row in done.stdout.splitlines()]
    return "".join(f"{line}\n" for line in session)


def rewritten(document: str) -> str:
    """Return *document* with every console session as it goes now."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        steps = sorted([*FILE.finditer(document), *CONSOLE.finditer(document)], key=lambda m: m.start())
        parts: list[str] = []
        done = 0
        for step in steps:
            if step.re is FILE:
                saved(step, folder)
                continue
            parts += [document[done : step.start("text")], ran(step["text"], folder)]
            done = step.end("text")
    return "".join([*parts, document[done:]])


if __name__ == "__main__":
    for given in sys.argv[1:]:
        path = Path(given)
        path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")
