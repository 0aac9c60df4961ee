"""Registries of blocks: what goes in is checked first, and stored whole or not at all.

Names are loaded when they are first asked for: what checks and builds blocks is
needed only by who registers or creates one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .construction import binding, constructor_of
    from .default import (
        block,
        create_block,
        default_registry,
        get_block,
        list_blocks,
        register_block,
        register_blocks,
        tool,
        unregister_blocks,
    )
    from .sources import Blocks, blocks_in, discover_blocks, load_registry
    from .store import Registry

__all__ = [
    "Blocks",
    "Registry",
    "binding",
    "block",
    "blocks_in",
    "constructor_of",
    "create_block",
    "default_registry",
    "discover_blocks",
    "get_block",
    "list_blocks",
    "load_registry",
    "register_block",
    "register_blocks",
    "tool",
    "unregister_blocks",
]

# module -> the names that live there; what is in no row lives in `default`
_HOMES = {
    "construction": "binding constructor_of",
    "sources": "Blocks blocks_in discover_blocks load_registry",
    "store": "Registry",
}


def __getattr__(name: str) -> Any:
    """Import the module where *name* lives, and keep what was found."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = next((module for module, names in _HOMES.items() if name in names.split()), "default")
    found = globals()[name] = getattr(import_module(f".{home}", __name__), name)
    return found
