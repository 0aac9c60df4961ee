"""One documented argument, a block's set of them, and the block itself."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, Final, Protocol, Self

from ._text import did_you_mean, quoted
from .errors import (
    BlockArgsError,
    InvalidArgTypeError,
    InvalidBlockArgError,
    InvalidBlockArgTypeError,
    Note,
    Problem,
    UnnamedBlockArgsError,
    at,
)
from .node import ArgType, FrozenList, frozen, thawed
from .spelling import parse_type
from .types import arg_any, arg_object, arg_schema
from .validate import Validator, problems_in, validator_of


class Missing(Enum):
    """The type of `MISSING`."""

    MISSING = "missing"

    def __repr__(self) -> str:
        """Show the name that one writes."""
        return "MISSING"


MISSING: Final = Missing.MISSING  # "there is no default", where None would be a default


@dataclass(frozen=True, slots=True)
class BlockArg:
    """One documented argument of a block constructor.

    Attributes:
        description: What it is, for people and models.
        example: One worked value (JSON), or ``None`` for none.
        type: Its argument type; ``None`` takes any JSON.
        required: Whether a call must give it; ``None`` until the signature says.
        default: The value used when it is left out; `MISSING` for none.
        error: The author's text, shown besides the reason when a value does not fit.
        hidden: Never shown to a model; needs a default.
        aliases: Other names a model may use for it.
        header: Name of the ``Mcp-Param-…`` header that repeats it over HTTP (``x-mcp-header``).
    """

    description: str | None = None
    example: Any = None
    type: ArgType | None = None
    required: bool | None = field(default=None, kw_only=True)
    default: Any = field(default=MISSING, kw_only=True)
    error: str | None = field(default=None, kw_only=True)
    hidden: bool = field(default=False, kw_only=True)
    aliases: tuple[str, ...] = field(default=(), kw_only=True)
    header: str | None = field(default=None, kw_only=True)

    def with_(self, **changes: Any) -> BlockArg:
        """Return a copy with *changes*."""
        return replace(self, **changes)

    def node(self) -> ArgType:
        """Return the argument's type as it stands in the schema: with description and default."""
        base = arg_any() if self.type is None else self.type
        out: dict[str, Any] = {k: base[k] for k in ("type",) if k in base}
        if (text := self.description or base.get("description")) is not None:
            out["description"] = text
        out |= {k: v for k, v in base.items() if k not in ("type", "description")}
        if self.default is not MISSING and self.default is not None and not problems_in(self.default, base):
            out["default"] = self.default
        if self.header is not None:
            out["x-mcp-header"] = self.header
        return ArgType(out, required=self.required is True, error=self.error if self.error is not None else base.error)


def new_block_arg(
    description: str | None = None,
    example: Any = None,
    type: Mapping[str, Any] | str | None = None,  # noqa: A002 - the model system's word
    *,
    required: bool | None = None,
    default: Any = MISSING,
    error: str | None = None,
    hidden: bool = False,
    aliases: Iterable[str] = (),
    header: str | None = None,
) -> BlockArg:
    """Describe one argument.

    Args:
        description: What it is, for people and models.
        example: One worked value (JSON); ``None`` means none.
        type: An ``arg_*()`` type, a JSON Schema node, or the short spelling (``"integer[]"``).
        required: Whether a call must give it; by default the signature decides.
        default: The value used when it is left out.
        error: Text shown besides the reason when a value does not fit.
        hidden: Never shown to a model; needs a default.
        aliases: Other names a model may use for it.
        header: Name of its ``x-mcp-header``.

    Raises:
        InvalidBlockArgError: One of these is of the wrong kind; every fault is listed.
        InvalidBlockArgTypeError: *type* is no valid type.
    """
    words = (aliases,) if isinstance(aliases, str) else tuple(aliases) if isinstance(aliases, Iterable) else (aliases,)
    wrong: list[Problem] = []

    def expect(ok: bool, key: str, value: object, wanted: str) -> None:  # noqa: FBT001 - a local word
        if not ok:
            message = f"{quoted(value)} is no {wanted}"
            wrong.append(Problem(code="block_arg_invalid", path=at("$", key), message=message))

    expect(description is None or isinstance(description, str), "description", description, "text")
    expect(required is None or isinstance(required, bool), "required", required, "bool")
    expect(error is None or isinstance(error, str), "error", error, "text")
    expect(isinstance(hidden, bool), "hidden", hidden, "bool")
    expect(header is None or isinstance(header, str), "header", header, "text")
    for word in words:
        expect(isinstance(word, str) and word != "", "aliases", word, "name")
    if wrong:
        raise InvalidBlockArgError(wrong)
    return BlockArg(
        description,
        frozen(example),
        _as_type(type),
        required=required,
        default=default if default is MISSING else frozen(default),
        error=error,
        hidden=hidden,
        aliases=words,
        header=header,
    )


def _as_type(given: object) -> ArgType | None:
    try:
        if given is None or isinstance(given, ArgType):
            return given
        if isinstance(given, str):
            return parse_type(given)
        if isinstance(given, Mapping):
            return arg_schema(given)
    except InvalidArgTypeError as reason:
        raise InvalidBlockArgTypeError(reason.problems, reason.subject) from None
    message = f"{quoted(given)} is no argument type"
    hint = "use arg_string() and its brothers, a JSON Schema node, or the short spelling"
    raise InvalidBlockArgTypeError((Problem(code="arg_type_invalid", path="$.type", message=message, hint=hint),))


_ARG_KEYS = tuple(f.name for f in fields(BlockArg))


def as_block_arg(given: object, name: str = "") -> BlockArg:
    """Return *given* as a `BlockArg`.

    A text is a description, a type is a type, a mapping has the keys of
    `new_block_arg`, ``None`` hides the argument.

    Raises:
        InvalidBlockArgError: It is none of these, or the mapping has another key.
    """
    if isinstance(given, BlockArg):
        return given
    if isinstance(given, str):
        return BlockArg(given)
    if given is None:
        return BlockArg(hidden=True)
    path = at("$", name) if name else "$"
    if isinstance(given, ArgType):
        return BlockArg(type=given)
    if isinstance(given, Mapping):
        unknown = [k for k in given if k not in _ARG_KEYS]
        if unknown:
            problems = [
                Problem(
                    code="block_arg_invalid",
                    path=at(path, str(key)),
                    message=f"{quoted(key)} is no field of an argument",
                    hint=did_you_mean(str(key), _ARG_KEYS),
                )
                for key in unknown
            ]
            raise InvalidBlockArgError(problems)
        return new_block_arg(**given)
    message = f"{quoted(given)} describes no argument"
    hint = "write its description, or new_block_arg(…)"
    raise InvalidBlockArgError((Problem(code="block_arg_invalid", path=path, message=message, hint=hint),))


class BlockArgs(Mapping[str, BlockArg]):
    """The ordered mapping of argument name to `BlockArg`; it never changes."""

    __slots__ = ("_args",)

    def __init__(self, args: Mapping[str, BlockArg] | None = None) -> None:
        """Take *args* as they are; `new_block_args` is the checked way in."""
        self._args: dict[str, BlockArg] = dict(args or {})

    def __getitem__(self, name: str) -> BlockArg:
        """Return the argument called *name*."""
        return self._args[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, in their order."""
        return iter(self._args)

    def __len__(self) -> int:
        """Count the arguments."""
        return len(self._args)

    def __repr__(self) -> str:
        """Show the arguments as one would write them."""
        return f"new_block_args({', '.join(f'{k}={v!r}' for k, v in self._args.items())})"

    def __or__(self, other: Mapping[str, BlockArg]) -> BlockArgs:
        """Return these arguments with those of *other* laid over them."""
        return BlockArgs({**self._args, **other})

    def __hash__(self) -> int:
        """Hash by names alone, which is enough: examples need not be hashable."""
        return hash(tuple(self._args))

    def shown(self) -> BlockArgs:
        """Return the arguments that are not hidden."""
        return BlockArgs({k: v for k, v in self._args.items() if not v.hidden})

    def example(self) -> dict[str, Any]:
        """Return the one configuration that the arguments' own examples make; empty without any."""
        return {k: thawed(v.example) for k, v in self._args.items() if v.example is not None and not v.hidden}

    def type(self, *, extra: bool | ArgType = False) -> ArgType:
        """Return the record type of all shown arguments: the root of a block's schema."""
        return arg_object({k: v.node() for k, v in self.shown().items()}, extra=extra)


def new_block_args(*given: Any, **named: Any) -> BlockArgs:
    """Collect arguments by name.

    >>> new_block_args(n="Rows to keep") == new_block_args(n=new_block_arg("Rows to keep"))
    True

    Args:
        *given: At most one mapping, or iterable of ``(name, argument)`` pairs.
        **named: Further arguments; a bare text is a description.

    Raises:
        UnnamedBlockArgsError: A text stands where a name is needed, a name is empty, or comes twice.
        InvalidBlockArgError: Something describes no argument.
    """
    pairs: list[tuple[Any, Any]] = []
    problems: list[Problem] = []
    for one in given:
        if isinstance(one, Mapping):
            pairs += one.items()
        elif isinstance(one, Iterable) and not isinstance(one, str | bytes) and _are_pairs(listed := list(one)):
            pairs += listed
        else:
            problems.append(_unnamed("$", f"{quoted(one)} has no name", "write new_block_args(name=…)"))
    pairs += named.items()
    args: dict[str, BlockArg] = {}
    faults: list[BlockArgsError] = []
    for name, arg in pairs:
        if not isinstance(name, str) or not name:
            problems.append(
                _unnamed("$", f"{quoted(name)} is no name of an argument", "name it as the parameter is named")
            )
        elif name in args:
            problems.append(_unnamed(at("$", name), f"argument {quoted(name)} is described twice", "keep one"))
        else:
            try:
                args[name] = as_block_arg(arg, name)
            except BlockArgsError as fault:
                args[name] = BlockArg()
                faults.append(_beneath(fault, name))
    if problems:
        raise UnnamedBlockArgsError([*problems, *(p for fault in faults for p in fault.problems)])
    if faults:
        raise type(faults[0])([p for fault in faults for p in fault.problems], faults[0].subject)
    return BlockArgs(args)


def as_block_args(given: BlockArgs | Mapping[str, Any] | None) -> BlockArgs:
    """Return *given* as `BlockArgs`; ``None`` is the empty set."""
    if isinstance(given, BlockArgs):
        return given
    return new_block_args() if given is None else new_block_args(given)


def _are_pairs(items: list[Any]) -> bool:
    return all(isinstance(i, tuple) and len(i) == 2 for i in items)  # noqa: PLR2004 - name, argument


def _unnamed(path: str, message: str, hint: str) -> Problem:
    return Problem(code="block_args_unnamed", path=path, message=message, hint=hint)


def _beneath(fault: BlockArgsError, name: str) -> BlockArgsError:
    """Return *fault* with its paths starting at argument *name*."""
    here = at("$", name)
    moved = [
        p if p.path.startswith(here) else replace(p, path=f"{here}{p.path.removeprefix('$')}") for p in fault.problems
    ]
    return type(fault)(moved, fault.subject)


def block_arg_description(x: BlockArg | str) -> str | None:
    """Return the description of an argument; a bare text is its own."""
    return _arg(x).description


def block_arg_example(x: BlockArg | str) -> Any:
    """Return the worked example of an argument, ``None`` for none."""
    return thawed(_arg(x).example)


def block_arg_type(x: BlockArg | str) -> ArgType | None:
    """Return the type of an argument, ``None`` for none."""
    return _arg(x).type


def _arg(x: object) -> BlockArg:
    if isinstance(x, BlockArg | str):
        return as_block_arg(x)
    raise InvalidBlockArgError(f"{quoted(x)} is no block argument")


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
        return found  # type: ignore[no-any-return]

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

    uid: str
    constructor: Callable[..., Any] | None = None
    name: str = ""
    description: str | None = None
    details: str | None = None
    link: str | None = None
    guidance: str | None = None
    keywords: list[str] = field(default_factory=FrozenList)
    category: str = "uncategorized"
    icon: str | None = None
    arguments: BlockArgs = field(default_factory=BlockArgs)
    examples: list[dict[str, Any]] = field(default_factory=FrozenList)
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
    annotations: Mapping[str, Any] = field(default_factory=dict)
    source: str = field(default="", compare=False)
    binding: BoundCall | None = field(default=None, compare=False, repr=False)
    notes: tuple[Note, ...] = field(default=(), compare=False, repr=False)
    _cache: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __hash__(self) -> int:
        """Hash by uid."""
        return hash(self.uid)

    def with_(self, **changes: Any) -> Self:
        """Return a copy with *changes*."""
        return replace(self, **changes)

    @property
    def type(self) -> ArgType:
        """The type of all its arguments together: the root of its schema."""
        if "type" not in self._cache:
            self._cache["type"] = self.schema if self.schema is not None else self.arguments.type()
        found: ArgType = self._cache["type"]
        return found

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
