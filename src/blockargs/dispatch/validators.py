"""Which checks of complete arguments a toolset runs, of which block; what they say is read by `registry.checks`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .._text import did_you_mean, listing
from ..derive import is_async
from ..errors import InvalidToolsetError
from ..registry.checks import Check
from ..spec import Block


def checks_of(given: Any, kind: str = "validator") -> tuple[Check, ...]:
    """Return *given*, one callable or several, as a tuple.

    Raises:
        InvalidToolsetError: One of them cannot be called.
    """
    several = isinstance(given, Iterable) and not callable(given) and not isinstance(given, str)
    listed = tuple(given) if several else (given,)
    for one in listed:
        if not callable(one):
            raise InvalidToolsetError(f"{kind} {one!r} cannot be called; give a function, or several")
    return listed


def validators_of(given: Any) -> tuple[Check, ...]:
    """Return *given*, one validator or several, as a tuple.

    Raises:
        InvalidToolsetError: One of them cannot be called, or is async.
    """
    listed = checks_of(given)
    for one in listed:
        if is_async(one):
            message = f"validator {one!r} is async; look at the arguments only, and ask others in a `before` hook"
            raise InvalidToolsetError(message)
    return listed


def by_name(validators: Mapping[str, Any], blocks: Mapping[str, Block]) -> dict[str, tuple[Check, ...]]:
    """Return the validators of each block, by uid.

    Raises:
        InvalidToolsetError: A key names no block.
    """
    found: dict[str, tuple[Check, ...]] = {}
    for name, given in validators.items():
        block = blocks.get(name)
        if block is None:
            wanted = did_you_mean(name, blocks) or f"the blocks are {listing(blocks)}"
            raise InvalidToolsetError(f"validators= names {name!r}, which is no block here; {wanted}")
        found[block.uid] = (*found.get(block.uid, ()), *validators_of(given))
    return found
