"""What all tests share: a clean registry, how hypothesis runs, the folder of foreign cases."""

from __future__ import annotations

import ast
import os
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
# what the optional packages are called when they are imported; a bare run has none of them
EXTRAS = frozenset(
    "altair annotated_types anthropic attrs attr duckdb google json_repair jsonschema_rs mcp narwhals openai pandas "
    "polars pyarrow pydantic starlette sybil uvicorn".split()
)

os.environ.update(NO_PROXY="*", no_proxy="*")  # all that tests ask for is on this machine

# no limit in seconds, and none on how often a drawn value is drawn again: neither is a fault of the product
settings.register_profile(
    "blockargs",
    deadline=None,
    database=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.data_too_large,
        HealthCheck.large_base_example,
    ],
)
settings.load_profile("blockargs")


DOORS = frozenset({"blockargs.blocks", "blockargs.mcp_server"})


@cache
def imported(file: Path) -> frozenset[str]:
    """Return the modules that *file* imports at its top level, those of its helpers beside the tests too."""
    found: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    helpers = [helper for name in found if (helper := HERE / f"{name}.py").is_file() and helper != file]
    return frozenset(found.union(*map(imported, helpers)))


def needs_extras(file: Path) -> bool:
    """Tell whether *file* imports an optional package, or a door of ours that does."""
    names = imported(file)
    return bool({name.partition(".")[0] for name in names} & EXTRAS or names & DOORS)


# BLOCKARGS_BARE=1: nothing but the core, pytest and hypothesis is installed, so leave out what says it needs more
collect_ignore = (
    [str(f) for f in sorted(HERE.rglob("test_*.py")) if needs_extras(f)] if "BLOCKARGS_BARE" in os.environ else []
)


def cases_dir() -> Path:
    """Return the folder of foreign cases that BLOCKARGS_CASES names; fail, never skip, when it cannot be read."""
    name = os.environ.get("BLOCKARGS_CASES")
    if not name:
        raise RuntimeError("BLOCKARGS_CASES is not set: it names the folder of cases that these tests read")
    if not any(Path(name).iterdir()):
        raise RuntimeError("BLOCKARGS_CASES names an empty folder")
    return Path(name)


@pytest.fixture
def registry():
    """Return an empty registry."""
    from blockargs import Registry

    return Registry()


@pytest.fixture
def run(capsys):
    """Run a command line; give its exit code, stdout and stderr."""
    from blockargs.cli import main

    def run_(*args):
        code = main([str(a) for a in args])
        out, err = capsys.readouterr()
        return code, out, err

    return run_


@pytest.fixture(autouse=True)
def _clean_default_registry():
    """Leave the default registry as it was: empty."""
    yield
    if loaded := sys.modules.get("blockargs.registry"):
        loaded.unregister_blocks()
