"""One block, ready to be called: what can be worked out once is worked out here."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..errors import Problem
from ..keywords import types_of, walk
from ..registry import binding, constructor_of
from ..spec import Block
from ..validate import Validator, validator_of
from .validators import Check, checks_of

_PLAIN = frozenset({str, int, bool, type(None)})
_PLAIN_OR_FLOAT = _PLAIN | {float}


class Prepared:
    """A block and everything a call of it needs.

    Attributes:
        block: The block, with its wire name.
        checks: Semantic validators: the block's own, then the toolset's.
        tells: Classes of exceptions whose text a model may read.
        limit: Seconds one call may take, or ``None``.
        builds: Whether it builds an object, rather than doing something.
        output: The type of its result, or ``None``.
        helpers: Classes of what is injected; known once it is loaded.
        is_async: Whether it is an async function; known once it is loaded.
        direct: Whether a call needs nothing but arguments; known once it is loaded.
    """

    __slots__ = (
        "_accepts",
        "_bind",
        "_constructor",
        "_encode",
        "_output_validator",
        "_plain",
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
        self._accepts: Callable[[Any], bool] | None = None
        self._plain = _PLAIN
        self.checks: tuple[Check, ...] = checks_of([*block.validators, *validators])
        self.tells = (*block.tells, *tells)
        self.limit = block.timeout if block.timeout is not None else limit
        self.builds = block.kind == "block"
        self.output = block.output_schema
        self._output_validator: Validator | None = None
        self._constructor: Callable[..., Any] | None = None
        self._bind: Any = None
        self._encode: Any = None
        self.helpers: tuple[type[Any], ...] = ()
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
        self.helpers = tuple(how.helpers.values())
        wrap, self.is_async = _kind_of(constructor)
        self._constructor = constructor if wrap is None else wrap(constructor)
        self.direct = not (self.checks or self.helpers or self.is_async or self.limit is not None)

    def plainly(self, arguments: dict[str, Any]) -> bool:
        """Tell whether *arguments* fit as they are, and hold nothing but scalars that need no decoding."""
        accepts = self._accepts
        if accepts is None:
            accepts = self._accepts = self.block.validator().accepts
            self._plain = _PLAIN if _counts(self.block) else _PLAIN_OR_FLOAT
        plain = self._plain
        for value in arguments.values():
            if type(value) not in plain:
                return False
        return accepts(arguments)

    def bound(self, arguments: Mapping[str, Any], helpers: Mapping[type[Any], Any]) -> Callable[[], Any]:
        """Return the call of the constructor, without arguments of its own; `load` comes first."""
        positional, named = self._bind(arguments, helpers)
        constructor: Any = self._constructor
        return lambda: constructor(*positional, **named)

    def called(self, arguments: Mapping[str, Any]) -> Any:
        """Call the constructor here and now, without helpers; `load` comes first."""
        positional, named = self._bind(arguments, {})
        return self._constructor(*positional, **named)  # type: ignore[misc]

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


def _counts(block: Block) -> bool:
    """Tell whether *block*'s type holds an integer: there 5.0 must become 5."""
    return any("integer" in types_of(node) or "enum" in node or "const" in node for _, node in walk(block.type))


Wrap = Callable[[Callable[..., Any]], Callable[..., Any]]


def _kind_of(constructor: Callable[..., Any]) -> tuple[Wrap | None, bool]:
    """Return what makes one call of *constructor* give its whole result, and whether that is awaited."""
    function: Any = constructor
    while isinstance(function, functools.partial):
        function = function.func
    if not inspect.isroutine(function) and not inspect.isclass(function):
        function = getattr(function, "__call__", None)  # noqa: B004 - the method itself is asked
    if inspect.isasyncgenfunction(function):
        return _all_of_async, True
    if inspect.isgeneratorfunction(function):
        return _all_of, False
    return None, inspect.iscoroutinefunction(function)


def _all_of(generator: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **kwargs: list(generator(*args, **kwargs))


def _all_of_async(generator: Callable[..., Any]) -> Callable[..., Any]:
    async def whole(*args: Any, **kwargs: Any) -> list[Any]:
        return [item async for item in generator(*args, **kwargs)]

    return whole
