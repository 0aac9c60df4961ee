"""A registry entry: a constructor and everything that is known about it."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, ClassVar, Final, Protocol, Self, TypeVar

from ..errors import InvalidBlockError, Note, Problem, at
from ..node import ArgType, FrozenDict, FrozenList, frozen
from ..validate import Validator, validator_of
from .arguments import BlockArgs

UID_LETTERS: Final = "A-Za-z0-9_.-"
UID_LENGTH: Final = 128
UID: Final = re.compile(f"[{UID_LETTERS}]{{1,{UID_LENGTH}}}")  # matched whole
KINDS: Final = ("block", "tool")
# what never changes may be the same in all blocks that say nothing there
_NO_ITEMS: Final[FrozenList] = FrozenList()
_NO_KEYS: Final = FrozenDict()


@dataclass(frozen=True, slots=True)
class ConstructorRef:
    """The name of a constructor, imported when it is needed: ``package.module:name``."""

    text: str

    def load(self) -> Callable[..., Any]:
        """Import and return the constructor.

        Raises:
            ImportError: The module or what it needs is not installed.
            AttributeError: The module has no such name.
            TypeError: What is there cannot be called.
        """
        module, _, name = self.text.partition(":")
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        if not callable(found):
            raise TypeError(f"{self.text} is {type(found).__name__}, which cannot be called")
        return found  # type: ignore[no-any-return]  # what is kept there is what *make* gave  # callable() told it

    def __str__(self) -> str:
        """Return the reference as it is written in YAML."""
        return self.text


class BoundCall(Protocol):
    """How JSON arguments become a call of a constructor, and its result JSON again."""

    @property
    def helpers(self) -> Mapping[str, type[Any]]:
        """Parameter → class of the injected helper."""

    def bind(
        self, arguments: Mapping[str, Any], helpers: Mapping[type[Any], Any], /
    ) -> tuple[list[Any], dict[str, Any]]:
        """Return the positional and keyword arguments of the call."""

    def ready(self, arguments: Mapping[str, Any], /) -> set[str]:
        """Return the names whose value already is what the annotation says (a date, an Enum member), not JSON."""

    def encode(self, value: Any, /) -> Any:
        """Return the constructor's result as JSON."""


# returns problems with paths into the arguments; None or nothing means all is well
SemanticValidator = Callable[[Mapping[str, Any]], Iterable[Problem] | None]


Kept = TypeVar("Kept")
_NOTHING: Final = object()  # nothing is remembered yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A registry entry: a constructor and everything that is known about it.

    Attributes:
        uid: Its key, 1 to 128 of ``[A-Za-z0-9_.-]``.
        constructor: What builds the block; a `ConstructorRef` is imported on demand; ``None``
            where only metadata is known.
        name: For display.
        description: One short text for everybody.
        details: A long text for people.
        link: Where to read more.
        guidance: A text for the model: do, don't, pitfalls.
        keywords: For searching.
        category: One of the suggested categories, or another.
        icon: A name of Bootstrap Icons.
        arguments: The documented arguments, with requiredness and defaults settled.
        examples: Complete worked configurations.
        package: Where it comes from.
        inputs: Names of the inputs it is called with.
        output: What calling it gives, in a word.
        schema: A whole input schema that replaces the one made of `arguments`.
        output_schema: The JSON Schema of what the constructor returns, or ``None``.
        validators: Checks of complete arguments beyond their types.
        wire_name: The name a model sees, where it is not the uid.
        kind: ``"block"`` builds something; ``"tool"`` does something, and is never called to check.
        tells: Exception classes whose text may be told to the model.
        timeout: Seconds one call may take, or ``None``.
        annotations: MCP hints: ``title``, ``read_only``, ``destructive``, ``idempotent``, ``open_world``.
        source: Where it was declared, ``registry/rows.yml:7``; for its author only.
        binding: How JSON becomes a call, where that is known.
        notes: What was changed when it was made.
    """

    _no_schema: ClassVar[str] = "take its type: block.type"

    uid: str
    constructor: Callable[..., Any] | None = None
    name: str = ""
    description: str | None = None
    details: str | None = None
    link: str | None = None
    guidance: str | None = None
    keywords: Sequence[str] = field(default_factory=lambda: _NO_ITEMS)
    category: str = "uncategorized"
    icon: str | None = None
    arguments: BlockArgs = field(default_factory=BlockArgs)
    examples: Sequence[Mapping[str, Any]] = field(default_factory=lambda: _NO_ITEMS)
    package: str | None = None
    inputs: tuple[str, ...] = ()
    output: str | None = None
    schema: ArgType | None = None
    output_schema: ArgType | None = None
    validators: tuple[SemanticValidator, ...] = ()
    wire_name: str | None = None
    kind: str = "block"
    tells: tuple[type[BaseException], ...] = ()
    timeout: float | None = None
    annotations: Mapping[str, Any] = field(default_factory=lambda: _NO_KEYS)
    source: str = field(default="", compare=False)
    binding: BoundCall | None = field(default=None, compare=False, repr=False)
    notes: tuple[Note, ...] = field(default=(), compare=False, repr=False)
    _cache: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Freeze what is frozen no deeper than its name."""
        for key in ("keywords", "examples", "annotations"):
            try:
                object.__setattr__(self, key, frozen(getattr(self, key)))
            except RecursionError:
                message = "it is nested too deeply, or contains itself"
                raise InvalidBlockError.of(message, path=at("$", key), code="too_deep") from None

    def __hash__(self) -> int:
        """Hash by uid."""
        return hash(self.uid)

    def __copy__(self) -> Self:
        """Return itself: it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return itself: it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle all but what is made of it, which holds functions and is made again on demand."""
        # no __getstate__: Python up to 3.11.3 puts its own in place of that of a frozen slotted dataclass
        kept = {f.name: getattr(self, f.name) for f in fields(self) if f.init and f.name != "binding"}
        return partial(type(self), **kept), ()

    def with_(self, **changes: Any) -> Self:
        """Return a copy with *changes*."""
        return replace(self, **changes)

    @property
    def type(self) -> ArgType:
        """The type of all its arguments together: the root of its schema."""
        return self.remembered("type", _type_of)

    def remembered(self, key: str, make: Callable[[Block], Kept]) -> Kept:
        """Return what *make* makes of this block, made when it is first asked for and kept as long as the block.

        A block never changes, so what depends on it alone need not be made twice. All threads
        get the same; a copy with changes, or one that was pickled, starts with nothing.

        Args:
            key: What is kept; each room that keeps something has a name of its own for it.
            make: Gets the block.
        """
        found: Any = self._cache.get(key, _NOTHING)
        kept: Kept = self._cache.setdefault(key, make(self)) if found is _NOTHING else found
        return kept

    @property
    def aliases(self) -> dict[str, str]:
        """Other names of its arguments: alias to name."""
        return {alias: name for name, arg in self.arguments.items() for alias in arg.aliases}

    def input_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of its arguments as an ordinary dict: root object, closed."""
        return self.type.plain(errors=False)

    def validator(self) -> Validator:
        """Return the compiled check of its arguments, made once."""
        return validator_of(self.type)

    def load(self) -> Callable[..., Any] | None:
        """Return its constructor, imported where only its name was known; ``None`` without one."""
        return self.constructor.load() if isinstance(self.constructor, ConstructorRef) else self.constructor


def _type_of(block: Block) -> ArgType:
    return block.schema if block.schema is not None else block.arguments.type()
