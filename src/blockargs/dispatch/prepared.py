"""One block, ready to be called: what can be worked out once is worked out here."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..derive import binding_of
from ..errors import Problem
from ..keywords import types_of, walk
from ..spec import Block
from ..validate import validator_of
from .validators import Check, checks_of

_PLAIN = frozenset({str, int, bool, type(None)})
_PLAIN_OR_FLOAT = _PLAIN | {float}


class Prepared:
    """A block and everything a call of it needs.

    Attributes:
        block: The block, with its wire name.
        accepts: Whether arguments fit its type.
        plain: The Python types of arguments that need no second look once they fit.
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
        "_bind",
        "_constructor",
        "_encode",
        "_output_validator",
        "accepts",
        "block",
        "builds",
        "checks",
        "direct",
        "helpers",
        "is_async",
        "limit",
        "output",
        "plain",
        "tells",
    )

    def __init__(
        self, block: Block, *, validators: Iterable[Any], tells: tuple[type[BaseException], ...], limit: float | None
    ) -> None:
        """Prepare *block*; a constructor that is only named is not imported before its first call."""
        self.block = block
        self.accepts = block.validator().accepts
        whole = any("integer" in types_of(node) or "enum" in node or "const" in node for _, node in walk(block.type))
        self.plain = _PLAIN if whole else _PLAIN_OR_FLOAT  # 5.0 must become 5 where an integer is asked for
        self.checks: tuple[Check, ...] = checks_of([*block.validators, *validators])
        self.tells = (*block.tells, *tells)
        self.limit = block.timeout if block.timeout is not None else limit
        self.builds = block.kind == "block"
        self.output = block.output_schema
        self._output_validator = None if self.output is None else validator_of(self.output)
        self._constructor: Callable[..., Any] | None = None
        self._bind: Any = None
        self._encode: Any = None
        self.helpers: tuple[type[Any], ...] = ()
        self.is_async = self.direct = False

    def load(self) -> Callable[..., Any]:
        """Return the constructor, ready to be bound; a second time it is at hand.

        Raises:
            LookupError: The block has none.
            ImportError: What it needs is not installed.
        """
        if self._constructor is None:
            constructor = self.block.load()
            if constructor is None:
                raise LookupError(f"block '{self.block.uid}' has no constructor")
            binding = self.block.binding or binding_of(constructor, self.block.arguments)
            self._bind, self._encode = binding.bind, binding.encode
            self.helpers = tuple(binding.helpers.values())
            self.is_async = _is_async(constructor)
            self._constructor = constructor
            self.direct = not (self.checks or self.helpers or self.is_async or self.limit is not None)
        return self._constructor

    def plainly(self, arguments: dict[str, Any]) -> bool:
        """Tell whether *arguments* fit as they are, and hold nothing but scalars that need no decoding."""
        plain = self.plain
        for value in arguments.values():
            if type(value) not in plain:
                return False
        return self.accepts(arguments)

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
        found: list[Problem] = [] if self._output_validator is None else self._output_validator.problems(value)
        return found


def _is_async(constructor: Callable[..., Any]) -> bool:
    inner: Any = constructor
    while hasattr(inner, "func"):  # functools.partial
        inner = inner.func
    if inspect.iscoroutinefunction(inner):
        return True
    return not inspect.isclass(inner) and inspect.iscoroutinefunction(getattr(inner, "__call__", None))  # noqa: B004 - the method itself is asked
