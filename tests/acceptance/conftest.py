"""The folder of foreign cases, which BLOCKARGS_CASES names."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import cases_dir

__all__ = ["cases_dir"]


@pytest.fixture(scope="session")
def cases() -> Path:
    """Return the folder of foreign cases; fail when it cannot be read."""
    return cases_dir()
