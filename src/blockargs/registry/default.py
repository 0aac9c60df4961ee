"""The one default registry, and the functions that act on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Unpack, overload

from ..spec import Block
from .store import Decorated, Registrable, Registry, a_registry

if TYPE_CHECKING:
    from ..spec.options import BlockOptions

_DEFAULT = Registry()


def default_registry() -> Registry:
    """Return the registry that the module-level functions act on; it starts empty."""
    return _DEFAULT


def register_block(
    constructor: Callable[..., Any] | Block,
    /,
    *,
    overwrite: bool = False,
    construct: bool = True,
    **given: Unpack[BlockOptions],
) -> Block:
    """Register *constructor* in the default registry; see `Registry.register`."""
    return _DEFAULT.register(constructor, overwrite=overwrite, construct=construct, **given)


def register_blocks(blocks: Iterable[Registrable], *, overwrite: bool = False, construct: bool = True) -> list[Block]:
    """Register all of *blocks* in the default registry, or none; see `Registry.register_all`."""
    return _DEFAULT.register_all(blocks, overwrite=overwrite, construct=construct)


def unregister_blocks(uids: str | Iterable[str] | None = None) -> list[str]:
    """Remove the blocks of *uids*, or all, from the default registry; see `Registry.unregister`."""
    return _DEFAULT.unregister(uids)


def list_blocks() -> list[str]:
    """Return the uids of the default registry, sorted."""
    return sorted(_DEFAULT)


def get_block(uid: str) -> Block:
    """Return the block called *uid* of the default registry.

    Raises:
        UnknownBlockError: There is none.
    """
    return _DEFAULT[uid]


def create_block(uid: str, /, **arguments: Any) -> Any:
    """Build the block called *uid* of the default registry; see `Registry.create`."""
    return _DEFAULT.create(uid, **arguments)


@overload
def block(constructor: Decorated, /) -> Decorated: ...
@overload
def block(
    constructor: None = None,
    /,
    *,
    registry: Registry | None = None,
    overwrite: bool = False,
    construct: bool = True,
    **given: Unpack[BlockOptions],
) -> Callable[[Decorated], Decorated]: ...
def block(constructor: Any = None, /, *, registry: Registry | None = None, **given: Any) -> Any:
    """Register the decorated constructor, and return that very object.

    >>> @block
    ... def new_top_block(n: int = 5):
    ...     '''Keep the first rows.'''
    >>> list_blocks()
    ['top_block']
    >>> unregister_blocks()
    ['top_block']

    Args:
        constructor: The function or class, when used without parentheses.
        registry: Where to register it; by default the default registry.
        **given: What replaces the derivation; see `Registry.register`.
    """
    where = _DEFAULT if registry is None else a_registry(registry, "registry")
    return where.block(**given) if constructor is None else where.block(constructor)


@overload
def tool(constructor: Decorated, /) -> Decorated: ...
@overload
def tool(
    constructor: None = None,
    /,
    *,
    registry: Registry | None = None,
    overwrite: bool = False,
    construct: bool = True,
    **given: Unpack[BlockOptions],
) -> Callable[[Decorated], Decorated]: ...
def tool(constructor: Any = None, /, *, registry: Registry | None = None, **given: Any) -> Any:
    """Register a function that *does* something: like `block`, but it is never called at registration."""
    where = _DEFAULT if registry is None else a_registry(registry, "registry")
    return where.tool(**given) if constructor is None else where.tool(constructor)
