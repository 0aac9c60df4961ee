"""Registries of blocks: what goes in is checked first, and stored whole or not at all."""

from .admission import CATEGORIES, category_icon
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
from .sources import blocks_in, discover_blocks, load_registry
from .store import Registry

__all__ = [
    "CATEGORIES",
    "Registry",
    "binding",
    "block",
    "blocks_in",
    "category_icon",
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
