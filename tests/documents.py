"""What the documents show, and what really comes out.

A document is run from top to bottom in an empty folder. ``>>>`` examples and
``$ blockargs …`` lines of ```console blocks are followed by what they print; a
block after the comment ``<!-- saved as: NAME -->`` is a file of that folder.

``python tests/documents.py README.md docs/*.md`` writes all output anew; read the
difference before you commit it.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

FILE = re.compile(r"^<!-- saved as: (?P<name>\S+) -->$(?=\n```\w*\n(?P<text>.*?)^```$)", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
BY_THE_CLOCK = re.compile(r"checked \d+ of \d+ blocks? …")  # how far a long check is: said once a second
PYTHON = re.compile(r"^```python\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def saved(match: re.Match[str], folder: Path) -> None:
    """Write the file that the document shows."""
    file = folder / match["name"]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(match["text"], encoding="utf-8")
    importlib.invalidate_caches()  # a folder that changed twice in one tick of its clock looks unchanged


def ran(text: str, folder: Path) -> str:
    """Return the console session *text* as it goes now: each command with what it prints."""
    session: list[str] = []
    for line in text.splitlines():
        if not line.startswith("$ "):
            continue
        session.append(line)
        program = f"{shlex.quote(sys.executable)} -m blockargs"
        command = re.sub(r"\bblockargs\b", lambda _, program=program: program, line.removeprefix("$ "), count=1)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=600,
            check=False,
        )
        session += [row.rstrip() for row in done.stdout.splitlines() if not BY_THE_CLOCK.fullmatch(row)]
    return "".join(f"{line}\n" for line in session)


def evaluated(text: str, names: dict[str, Any]) -> str:
    """Return the Python block *text* with what its examples print now."""
    if ">>>" not in text:
        exec(compile(text, "<document>", "exec", dont_inherit=True), names)
        return text
    pieces = [
        piece if isinstance(piece, str) else _shown(piece, names) for piece in doctest.DocTestParser().parse(text)
    ]
    return f"{''.join(pieces).rstrip()}\n\n"


def _shown(example: doctest.Example, names: dict[str, Any]) -> str:
    first, *rest = example.source.rstrip("\n").split("\n")
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(example.source, "<document>", "single", dont_inherit=True), names)
    except Exception as error:
        out.write("Traceback (most recent call last):\n    ...\n")
        out.write("".join(traceback.format_exception_only(error)))
    printed = out.getvalue().replace("\n\n", "\n<BLANKLINE>\n")
    return "\n".join([f">>> {first}", *(f"... {line}".rstrip() for line in rest), printed])


def rewritten(document: str) -> str:
    """Return *document* with every example and every console session as it goes now."""
    found = [m for pattern in (FILE, CONSOLE, PYTHON) for m in pattern.finditer(document)]
    parts: list[str] = []
    done = 0
    names: dict[str, Any] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        sys.path.insert(0, folder)
        for step in sorted(found, key=re.Match.start):
            if step.re is FILE:
                saved(step, Path(folder))
                continue
            new = ran(step["text"], Path(folder)) if step.re is CONSOLE else evaluated(step["text"], names)
            parts += [document[done : step.start("text")], new]
            done = step.end("text")
        sys.path.remove(folder)
    return "".join([*parts, document[done:]])


if __name__ == "__main__":
    for given in sys.argv[1:]:
        path = Path(given).resolve()
        path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")

        from blockargs import unregister_blocks

        unregister_blocks()
