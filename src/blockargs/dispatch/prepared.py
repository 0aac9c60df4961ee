"""One block, ready to be called: what can be worked out once is worked out here."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from ..derive import is_async, routine_of
from ..errors import BlockArgsError, Problem
from ..keywords import types_of, walk
from ..registry import binding, constructor_of
from ..registry.checks import Check
from ..spec import Block
from ..validate import Validator, validator_of
from .names import properties_of
from .validators import validators_of

Parts = tuple[list[Any], dict[str, Any]]  # positional and keyword arguments of a call
NO_HELPERS: Mapping[Any, Any] = MappingProxyType({})
LOOKED_AT = 20  # levels of a value that are looked at for the short way
_PLAIN = frozenset({str, int, bool, type(None)})


class Prepared:
    """A block and everything a call of it needs.

    Attributes:
        block: The block, with its wire name.
        checks: Semantic validators: the block's own, then the toolset's.
        tells: Classes of exceptions whose text a model may read; errors of this package are among them.
        limit: Seconds one call may take, or ``None``.
        builds: Whether it builds an object, rather than doing something.
        output: The type of its result, or ``None``.
        helpers: Parameter to class of what is injected; known once it is loaded.
        is_async: Whether it is an async function; known once it is loaded.
        direct: Whether a call needs nothing but arguments; known once it is loaded.
    """

    __slots__ = (
        "_bind",
        "_constructor",
        "_encode",
        "_fits",
        "_floats",
        "_output_validator",
        "block",
        "builds",
        "checks",
        "direct",
        "helpers",
        "is_async",
        "limit",
        "output",
        "tells",
    )

    def __init__(
        self, block: Block, *, validators: Iterable[Any], tells: tuple[type[BaseException], ...], limit: float | None
    ) -> None:
        """Prepare *block*; a constructor that is only named is not imported before its first call."""
        self.block = block
        self._fits: Callable[[Any], bool] | None = None
        self._floats: frozenset[str] | None = None  # arguments that take any float as it is; asked for seldom
        self.checks: tuple[Check, ...] = validators_of([*block.validators, *validators])
        self.tells = (*block.tells, *tells, BlockArgsError)
        self.limit = block.timeout if block.timeout is not None else limit
        self.builds = block.kind == "block"
        self.output = block.output_schema
        self._output_validator: Validator | None = None
        self._constructor: Callable[..., Any] | None = None
        self._bind: Any = None
        self._encode: Any = None
        self.helpers: Mapping[str, type[Any]] = NO_HELPERS
        self.is_async = self.direct = False

    def load(self) -> None:
        """Import the constructor and work out how it is called; a second time all is at hand.

        Raises:
            BlockArgsError: The block has none, or what it needs is not installed.
        """
        if self._constructor is not None:
            return
        constructor = constructor_of(self.block)
        how = binding(self.block)
        self._bind, self._encode = how.bind, how.encode
        self.helpers = how.helpers
        wrap, self.is_async = _kind_of(constructor)
        self._constructor = constructor if wrap is None else wrap(constructor)
        self.direct = not (self.checks or self.helpers or self.is_async or self.limit is not None)

    def fits(self, arguments: dict[str, Any]) -> bool:
        """Tell whether *arguments*, which `keeps_its_form` is true of, fit."""
        fits = self._fits
        if fits is None:
            fits = self._fits = self.block.validator().fits
        return fits(arguments)

    def keeps_its_form(self, arguments: dict[str, Any]) -> bool:
        """Tell whether *arguments* hold nothing that would be written in another form; what does goes the long way."""
        for name, value in arguments.items():
            if type(value) in _PLAIN or _settled(value):
                continue
            if self._floats is None:
                self._floats = _floats_of(self.block)
            if name not in self._floats or not _settled(value, floats=True):
                return False
        return True

    def bind(self, arguments: Mapping[str, Any]) -> Parts:
        """Return what *arguments* are in Python, helpers apart; `load` comes first.

        Raises:
            InvalidArgumentsError: A value cannot become what its annotation promises.
        """
        parts: Parts = self._bind(arguments, NO_HELPERS)
        return parts

    def called(self, parts: Parts) -> Any:
        """Call the constructor with *parts*, here and now."""
        return self._constructor(*parts[0], **parts[1])  # type: ignore[misc]  # load() comes first

    def ready(self, parts: Parts, helpers: Mapping[type[Any], Any]) -> Callable[[], Any]:
        """Return the call of the constructor with *parts* and the *helpers* it asks for, without arguments of its own."""
        positional, named = parts
        named = {**named, **{name: helpers[cls] for name, cls in self.helpers.items()}}
        return lambda: self._constructor(*positional, **named)  # type: ignore[misc]  # load() comes first

    def encode(self, outcome: Any) -> Any:
        """Return *outcome* as JSON."""
        return self._encode(outcome)

    def output_problems(self, value: Any) -> list[Problem]:
        """Return where *value* does not fit the declared type of the result."""
        if self.output is None:
            return []
        if self._output_validator is None:
            self._output_validator = validator_of(self.output)
        return self._output_validator.problems(value)


def _floats_of(block: Block) -> frozenset[str]:
    """Return the arguments that take any float as it is: where an integer is asked for, 5.0 must become 5."""
    around = {key: value for key, value in block.type.items() if key not in ("properties", "$defs")}
    if _may_want_integer(around):  # a branch at the root may ask it of any argument
        return frozenset()
    return frozenset(name for name, node in properties_of(block).items() if not _may_want_integer(node))


def _may_want_integer(node: Any) -> bool:
    """Tell whether *node* of a type, or a part of it, may want an integer: so may what it refers to, and its values."""
    for _, part in walk(node):
        kinds = types_of(part)
        if "integer" in kinds or "$ref" in part or (not kinds and not part.keys().isdisjoint(("enum", "const"))):
            return True
    return False


def _settled(value: Any, levels: int = LOOKED_AT, *, floats: bool = False) -> bool:
    """Tell whether JSON *value* is written as it is, not too deep, and all of Python's own classes.

    Args:
        value: What lies in an argument.
        levels: How many levels are looked at.
        floats: Whether whole floats stay floats there; others do anywhere.
    """
    kind = type(value)
    if kind is dict or kind is list:
        if not levels:
            return False
        for one in value.values() if kind is dict else value:
            if type(one) not in _PLAIN and not _settled(one, levels - 1, floats=floats):
                return False
        return True
    return kind in _PLAIN or (kind is float and (floats or not value.is_integer()))


Wrap = Callable[[Callable[..., Any]], Callable[..., Any]]


def _kind_of(constructor: Callable[..., Any]) -> tuple[Wrap | None, bool]:
    """Return what makes one call of *constructor* give its whole result, and whether that is awaited."""
    called = routine_of(constructor)
    wrap: Wrap | None = None
    if inspect.isasyncgenfunction(called):
        wrap = _all_of_async
    elif inspect.isgeneratorfunction(called):
        wrap = _all_of
    return wrap, is_async(constructor)


def _all_of(generator: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **kwargs: list(generator(*args, **kwargs))


def _all_of_async(generator: Callable[..., Any]) -> Callable[..., Any]:
    async def whole(*args: Any, **kwargs: Any) -> list[Any]:
        return [item async for item in generator(*args, **kwargs)]

    return whole
