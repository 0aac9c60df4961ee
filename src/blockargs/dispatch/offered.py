"""`Offered`: what a toolset knows of its blocks and of how they are called; everything in this room looks here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..spec import Block
from .effects import EffectHook
from .names import Names
from .prepared import Prepared


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """Blocks offered together, each ready to be called.

    Attributes:
        blocks: The blocks, in the order given, each with its wire name.
        tag: The key that names a block beside its arguments.
        names: Wire name to block, in the order given.
        lookup: Finds a block by the name that a caller used.
        prepared: Uid to what a call of the block needs.
        before: Hooks that see a call.
        after: Hooks that see what came of it.
        effects: By class of a result: the hook that tells its effect.
        retries: How often a failed call is made again.
    """

    blocks: tuple[Block, ...]
    tag: str
    names: Mapping[str, Block]
    lookup: Names
    prepared: Mapping[str, Prepared]
    before: tuple[Callable[..., Any], ...] = ()
    after: tuple[Callable[..., Any], ...] = ()
    effects: Mapping[type, EffectHook]
    retries: int = 0

    def get(self, name: str) -> Block | None:
        """Return the block that *name* means: exactly, as some provider's export calls it, or but for its style."""
        return self.lookup.exact.get(name) or self.lookup.aliased(name) or self.lookup.styled(name)
