"""Where the cases for trials are: data that is not part of the project.

Run as ``BLOCKARGS_CASES=… python -m pytest tests/acceptance``.
"""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "BLOCKARGS_CASES"


def cases_dir() -> Path:
    """Return the folder of cases; unset or unreadable is a failure, never a skip."""
    given = os.environ.get(VARIABLE)
    if not given:
        raise RuntimeError(f"set {VARIABLE} to the folder of cases")
    folder = Path(given)
    if not (folder / "README.md").is_file():
        raise RuntimeError(f"{VARIABLE} is {given}, where no cases can be read")
    return folder
