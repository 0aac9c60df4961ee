"""`Registry`: uid to `Block`, checked on the way in."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

from .._text import did_you_mean, quoted
from ..categories import CATEGORIES
from ..errors import (
    BlockArgsError,
    DiscouragedCategoryWarning,
    DuplicateBlockError,
    InvalidBlockError,
    InvalidOptionError,
    UnknownBlockError,
)
from ..spec import Block
from .objects import ORIGINS

if TYPE_CHECKING:
    from ..spec.options import BlockOptions

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Default = TypeVar("Default")
# what can be registered together with others
Registrable = Callable[..., Any] | Block | Mapping[str, Any]


class Registry(Mapping[str, Block]):
    """Blocks by uid, in the order they were registered.

    Reading and writing are safe from any thread: a reader sees a block whole
    or not at all.
    """

    _no_schema = "take the type of one of its blocks: registry[uid].type"

    def __init__(self, blocks: Iterable[Registrable] = ()) -> None:
        """Register *blocks* (constructors or `Block` objects), all or none."""
        self._blocks: dict[str, Block] = {}
        self._lock = threading.RLock()
        self._warned: set[str] = set()
        self._version = 0
        if blocks := tuple(_several(blocks)):
            self.register_all(blocks)

    def __getitem__(self, uid: str) -> Block:
        """Return the block called *uid*.

        Raises:
            UnknownBlockError: There is none; the nearest names are told.
        """
        try:
            return self._blocks[uid]
        except (KeyError, TypeError):
            raise self._unknown(uid) from None

    def __contains__(self, uid: object) -> bool:
        """Tell whether there is a block called *uid*."""
        return isinstance(uid, str) and uid in self._blocks

    def __iter__(self) -> Iterator[str]:
        """Iterate over the uids there are now; what is registered meanwhile does not disturb."""
        with self._lock:
            return iter(tuple(self._blocks))

    def __len__(self) -> int:
        """Count the blocks."""
        return len(self._blocks)

    def __repr__(self) -> str:
        """Show how many blocks there are."""
        return f"<Registry of {len(self)} blocks>"

    def values(self) -> tuple[Block, ...]:  # type: ignore[override]  # what cannot change under the caller
        """Return the blocks there are now, at one moment."""
        with self._lock:
            return tuple(self._blocks.values())

    def items(self) -> tuple[tuple[str, Block], ...]:  # type: ignore[override]  # as above
        """Return uid and block of all there are now, at one moment."""
        with self._lock:
            return tuple(self._blocks.items())

    @overload
    def get(self, uid: str, default: None = None) -> Block | None: ...
    @overload
    def get(self, uid: str, default: Default) -> Block | Default: ...
    def get(self, uid: str, default: Any = None) -> Any:
        """Return the block called *uid*, or *default*."""
        try:
            return self._blocks.get(uid, default)
        except TypeError:  # what has no hash is no uid
            return default

    @property
    def version(self) -> int:
        """A number that grows with each change, for caches."""
        return self._version

    def register(
        self,
        constructor: Callable[..., Any] | Block,
        /,
        *,
        overwrite: bool = False,
        construct: bool = True,
        **given: Unpack[BlockOptions],
    ) -> Block:
        """Check a block, then store it; on any problem the registry is as it was.

        Args:
            constructor: A function or class; or a `Block`, as `derive_block` or
                `read_declarations` make it.
            overwrite: Whether to replace a block of the same uid.
            construct: Whether to call the constructor with each complete worked
                configuration. Tools and async constructors are never called.
            **given: What replaces the derivation: ``uid``, ``name``, ``description``,
                ``details``, ``link``, ``guidance``, ``keywords``, ``category``, ``icon``,
                ``arguments`` (the whole documented set), ``examples`` (complete worked
                configurations), ``package``, ``inputs``, ``output``, ``input_schema``,
                ``output_schema``, ``validators``, ``wire_name``, ``kind``, ``tells``,
                ``timeout``, ``annotations``.

        Returns:
            The stored block.

        Raises:
            BlockArgsError: What is wrong, every problem named. Its class and code say what
                the first is: `UnknownBlockArgError`, `NonconformingExampleError`,
                `InvalidExampleError`, `DuplicateBlockError` and so on.
        """
        block = self._made(constructor, given)
        self._admit([block], overwrite=overwrite, construct=construct)
        return block

    def register_all(
        self, blocks: Iterable[Registrable], *, overwrite: bool = False, construct: bool = True
    ) -> list[Block]:
        """Register all of *blocks*, or none.

        Args:
            blocks: Constructors, `Block` objects, or mappings of `register`'s
                arguments with the key ``constructor``.
            overwrite: Whether to replace blocks of the same uid.
            construct: Whether to call the constructors with their worked configurations.

        Raises:
            BlockArgsError: The problems of all that could not be registered.
        """
        made: list[Block] = []
        errors: list[BlockArgsError] = []
        for one in _several(blocks):
            given = dict(one) if isinstance(one, Mapping) else {"constructor": one}
            try:
                if "constructor" not in given:
                    raise InvalidBlockError(f"{quoted(one)} has no constructor")
                made.append(self._made(given.pop("constructor"), given))
            except BlockArgsError as error:
                errors.append(error)
        self._admit(made, overwrite=overwrite, construct=construct, errors=errors)
        return made

    def unregister(self, uids: str | Iterable[str] | None = None) -> list[str]:
        """Remove the blocks of *uids*, or all; what was known of their classes stays readable.

        Returns:
            The uids that were removed.

        Raises:
            UnknownBlockError: One of *uids* is not there; then none is removed.
        """
        with self._lock:
            names = list(self._blocks) if uids is None else _uids(uids)
            for uid in names:
                if uid not in self:
                    raise self._unknown(uid)
            for uid in dict.fromkeys(names):
                del self._blocks[uid]
            self._version += 1
        return list(dict.fromkeys(names))

    def create(self, uid: str, /, **arguments: Any) -> Any:
        """Build the block called *uid*.

        Args:
            uid: Which block.
            **arguments: JSON, or already what the annotations say. They are validated,
                decoded and passed on; a parameter that is not documented passes unchecked.

        Raises:
            UnknownBlockError: There is no such block, or it has no constructor.
            InvalidArgumentsError: An argument does not fit, is unknown or missing.
            MissingDependencyError: Something that it needs is not installed.
        """
        from .construction import create  # noqa: PLC0415 - who only lists blocks need not load what builds them

        block = self[uid]
        built = create(block, arguments)
        ORIGINS.built(built, block)
        return built

    @overload
    def block(self, constructor: Decorated, /) -> Decorated: ...
    @overload
    def block(
        self, /, *, overwrite: bool = False, construct: bool = True, **given: Unpack[BlockOptions]
    ) -> Callable[[Decorated], Decorated]: ...
    def block(self, constructor: Any = None, /, **given: Any) -> Any:
        """Register the decorated constructor and return that very object.

        Used as ``@registry.block`` or ``@registry.block(category="transform")``.
        Running the same definition again replaces the block quietly.
        """
        return self._decorator(constructor, given)

    @overload
    def tool(self, constructor: Decorated, /) -> Decorated: ...
    @overload
    def tool(
        self, /, *, overwrite: bool = False, construct: bool = True, **given: Unpack[BlockOptions]
    ) -> Callable[[Decorated], Decorated]: ...
    def tool(self, constructor: Any = None, /, **given: Any) -> Any:
        """Register a function that *does* something: it is never called at registration."""
        return self._decorator(constructor, {"kind": "tool", **given})

    def _decorator(self, constructor: Any, given: dict[str, Any]) -> Any:
        def decorate(target: Decorated) -> Decorated:
            construct = given.get("construct", True)
            made = self._made(target, {k: v for k, v in given.items() if k not in ("construct", "overwrite")})
            there = self._blocks.get(made.uid)
            place = _place(target)
            same = there is not None and place is not None and _place(there.constructor) == place
            self._admit([made], overwrite=given.get("overwrite", False) or same, construct=construct)
            return target

        return decorate if constructor is None else decorate(constructor)

    def _made(self, constructor: Any, given: Mapping[Any, Any]) -> Block:
        from .admission import with_closed_root  # noqa: PLC0415 - importing a registry stays cheap

        try:
            return with_closed_root(self._described(constructor, given))
        except RecursionError:
            raise InvalidBlockError("what it is described with is nested too deeply, or contains itself") from None

    def _described(self, constructor: Any, given: Mapping[Any, Any]) -> Block:
        if isinstance(constructor, Block) and not given:
            return constructor
        from ..derive import described, overridden  # noqa: PLC0415 - importing a registry stays cheap

        return overridden(constructor, given) if isinstance(constructor, Block) else described(constructor, given)

    def _admit(
        self,
        blocks: list[Block],
        *,
        overwrite: bool,
        construct: bool,
        errors: Iterable[BlockArgsError] = (),
    ) -> None:
        """Check all of *blocks*, outside the lock, then store them in one step."""
        from .admission import faults_of, refusal  # noqa: PLC0415 - importing a registry stays cheap

        found = [*errors]
        classes: list[set[type]] = []  # of each block, what its constructor is and builds
        for block in blocks:
            known = {block.constructor} if isinstance(block.constructor, type) else set()
            classes.append(known)
            if faults := faults_of(block, construct=construct and block.kind == "block", built=known):
                found.append(refusal(block, faults))
        with self._lock:
            seen: set[str] = set()
            for block in (b for b in blocks if isinstance(b.uid, str)):
                if block.uid in seen or (block.uid in self._blocks and not overwrite):
                    found.append(self._duplicate(block))
                seen.add(block.uid)
            if found:
                raise _together(found)
            for block in blocks:
                self._blocks[block.uid] = block
            self._version += 1
        for block, known in zip(blocks, classes, strict=True):
            for cls in known:
                ORIGINS.class_known(cls, block)
            self._warn_of_category(block)

    def _warn_of_category(self, block: Block) -> None:
        if block.category in CATEGORIES or block.category in self._warned:
            return
        self._warned.add(block.category)
        near = did_you_mean(block.category, CATEGORIES) or f"the suggested ones are {', '.join(CATEGORIES)}"
        message = f"block {quoted(block.uid)}: category {quoted(block.category)} is not a suggested one; {near}"
        warnings.warn(DiscouragedCategoryWarning(message), stacklevel=4)

    def _duplicate(self, block: Block) -> DuplicateBlockError:
        there = self._blocks.get(block.uid)
        origin = f" (from {there.source})" if there is not None and there.source else ""
        return DuplicateBlockError.of(
            f"the uid {quoted(block.uid)} is taken{origin}",
            hint="pass overwrite=True to replace that block, or unregister it first",
            path="$.uid",
            subject=f"block {quoted(block.uid)} was not registered",
        )

    def _unknown(self, uid: object) -> UnknownBlockError:
        names = tuple(self._blocks)
        place = f"among the {len(names)} of this registry" if names else "in this registry, which is empty"
        message = f"no block is called {quoted(uid)} {place}"
        hint = did_you_mean(uid, names)
        return UnknownBlockError.of(message, hint=hint)


def a_registry(given: Any, option: str) -> Registry:
    """Return the registry that was *given* as *option*.

    Raises:
        InvalidOptionError: It is none.
    """
    if isinstance(given, Registry):
        return given
    message = f"{option} is a Registry, not {quoted(given)}"
    raise InvalidOptionError.of(message, hint="make one with Registry()", path=f"$.{option}")


def _several(blocks: Any) -> Iterable[Any]:
    """Return the *blocks* to be registered together, one by one.

    Raises:
        InvalidBlockError: It is one of them, or none.
    """
    if isinstance(blocks, Iterable) and not isinstance(blocks, Mapping | str | bytes | type):
        return blocks
    if isinstance(blocks, Mapping) and "constructor" not in blocks:
        hint = "pass its values()"
    else:
        one = callable(blocks) or isinstance(blocks, Block | Mapping)
        hint = "put it in a list" if one else "pass functions, classes and blocks in a list"
    raise InvalidBlockError.of(f"{quoted(blocks)} is no list of constructors and blocks", hint=hint)


def _uids(given: Any) -> list[Any]:
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable):
        raise UnknownBlockError.of(f"{quoted(given)} is no uid", hint="pass one uid, or a list of them")
    return list(given)


def _together(errors: list[BlockArgsError]) -> BlockArgsError:
    """Return one error for *errors*: the class of the first, the problems of all under their subjects."""
    if len(errors) == 1:
        return errors[0]
    problems = [replace(p, message=f"{e.subject}: {p.message}") if e.subject else p for e in errors for p in e.problems]
    return type(errors[0])(problems, f"{len(errors)} blocks were not registered")


def _place(constructor: Any) -> tuple[str, str] | None:
    """Return where *constructor* was defined; reloading a module defines the same place again.

    What has no name of its own (a partial, a lambda) is defined at no place that comes again.
    """
    name = getattr(constructor, "__qualname__", None)
    return (constructor.__module__, name) if isinstance(name, str) and not name.endswith("<lambda>") else None
