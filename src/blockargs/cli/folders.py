"""The folders in which a client has to find the modules of blocks, since it starts the server elsewhere."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterable
from pathlib import Path

from ..derive import innermost
from ..spec import Block, ConstructorRef


def folders_of(source: str | None, blocks: Iterable[Block]) -> list[str]:
    """Return the folders, of the working one and those of PYTHONPATH, where modules of *source* and *blocks* lie."""
    modules = {_module_of(block.constructor) for block in blocks}
    if source is not None and not Path(source).exists():
        modules.add(source.partition(":")[0])
    passing = [Path.cwd(), *(Path(p).absolute() for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p)]
    places = {place for module in modules for place in _places(module.partition(".")[0])}
    return [str(folder) for folder in dict.fromkeys(passing) if folder.resolve() in places]


def _module_of(constructor: object) -> str:
    if isinstance(constructor, ConstructorRef):
        return constructor.text.partition(":")[0]
    return "" if constructor is None else str(getattr(innermost(constructor), "__module__", ""))


def _places(module: str) -> list[Path]:
    """Return the folders that hold the top-level *module*."""
    try:
        spec = importlib.util.find_spec(module) if module else None
    except (ImportError, ValueError):  # one that nobody can find, or that was made by hand
        return []
    if spec is None:
        return []
    found = spec.submodule_search_locations or [spec.origin or ""]
    return [Path(one).resolve().parent for one in found]
