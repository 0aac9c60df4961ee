"""`Validator`: one type, ready to be asked; `problems_in`, the function most callers want."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ..errors import InvalidArgTypeError, Problem
from ..keywords import json_key, walk
from . import budget
from .accept import accept_path
from .rules import Accept, ForeignKeyword
from .scan import is_json, plain_json
from .schema import cure_of_no_schema, schema_problems

if TYPE_CHECKING:
    from .explain import Plan, Walk

# what a type that nobody checked makes us stumble over: `ArgType({"minLength": "q"})`
_STUMBLES = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)
_UNDECIDED = (TimeoutError, RecursionError, *_STUMBLES)  # then the explanation says what is wrong
_KEPT = 512  # validators of plain nodes that are remembered


class Validator:
    """A type that values are compared with.

    Attributes:
        node: The type.
        accepts: Tells whether a value is JSON and fits.
    """

    __slots__ = ("_accept", "_checks", "_foreign", "_plans", "accepts", "node")

    accepts: Accept

    def __init__(self, node: Mapping[str, Any]) -> None:
        """Compile *node*.

        Raises:
            InvalidArgTypeError: It is no valid type.
        """
        self.node = node
        self._checks: dict[int, tuple[Any, Accept]] = {}
        self._plans: dict[int, Plan] = {}
        self._foreign: Any = None
        try:
            self._accept = accept_path(node)
        except ForeignKeyword:
            from .foreign import Foreign  # noqa: PLC0415 - loads jsonschema

            self._foreign = Foreign(node)
            self._accept = self._foreign.accepts
        except _UNDECIDED as reason:
            raise _no_type(node, reason) from None
        self.accepts = _verdict(self._accept, self._explained)

    def problems(self, value: Any, path: str = "$") -> list[Problem]:
        """Return every problem of *value*, none when it fits; see `problems_in`."""
        try:
            if self._accept(value):
                return []
        except _UNDECIDED:
            pass
        return self._explained(value, path)

    def fits(self, value: Any) -> bool:
        """Tell of *value*, which is known to be JSON of plain classes, whether it fits: it is not scanned again."""
        try:
            return self._accept(value)
        except _UNDECIDED:
            return self.accepts(value)

    def further(
        self,
        value: Any,
        told: Sequence[Problem],
        places: Iterable[str],
        *,
        misfit: bool = False,
        scanned: bool = False,
    ) -> list[Problem]:
        """Return the problems *told* already, and those of *value* that lie outside *places*; none when it fits.

        Args:
            value: The value at the root.
            told: What was said of it before.
            places: Where nothing more is to be said.
            misfit: Whether it is known not to fit.
            scanned: Whether it is known to be JSON of plain classes, and need not be scanned for that again.
        """
        try:
            if not misfit and not told and self._accept(value):
                return []
        except _UNDECIDED:
            pass
        return self._explained(value, "$", told, places, scanned=scanned)

    def _explained(
        self,
        value: Any,
        path: str,
        told: Sequence[Problem] = (),
        places: Iterable[str] = (),
        *,
        scanned: bool = False,
    ) -> list[Problem]:
        walked = _explainer()(self.node, self._checks, told, places, self._plans)
        new = budget.begun()
        try:
            self._walk(walked, value, path, scanned=scanned)
        except TimeoutError:
            walked.slow(path)
        except RecursionError:
            walked.add(path, lambda: _TOO_DEEP)
        except _STUMBLES as reason:
            raise _no_type(self.node, reason) from reason
        finally:
            if new:
                budget.over()
        return walked.listed(path)

    def _walk(self, walked: Walk, value: Any, path: str, *, scanned: bool) -> None:
        """Add to *walked* what is wrong with *value*."""
        known: list[Problem] = []
        plain = value if scanned else plain_json(value, path, known)
        if known:
            walked.take(known)
            if any(p.code != "not_json" for p in known):
                return
        elif plain is not value and self._accept(plain):
            return
        if self._foreign is not None:
            self._foreign.explain(walked, plain, path)
        else:
            walked.look(self.node, plain, path, refused=True)


_TOO_DEEP = ("too_deep", "something does not fit, too deep inside to say what", "use fewer levels")


@cache
def _explainer() -> type[Walk]:
    from .explain import Walk  # noqa: PLC0415 - only a value that does not fit needs it

    return Walk


def _verdict(fits: Accept, explained: Callable[[Any, str], list[Problem]]) -> Accept:
    def accepts(value: Any) -> bool:
        try:
            if fits(value):
                return True
            if is_json(value):
                return False
        except _UNDECIDED:
            pass
        return not explained(value, "$")

    return accepts


_remembered: dict[Any, Validator] = {}


def validator_of(node: Mapping[str, Any]) -> Validator:
    """Return the validator of *node*, made once.

    Raises:
        InvalidArgTypeError: *node* is no valid type.
    """
    made: Validator | None = getattr(node, "_validator", None)
    if made is not None:
        return made
    if hasattr(type(node), "_validator"):
        made = Validator(node)
        node._validator = made  # type: ignore[attr-defined]  # noqa: SLF001 - the slot is there for this
        return made
    return _of_plain(node)


def _of_plain(node: Mapping[str, Any]) -> Validator:
    if cure_of_no_schema(node):  # an empty registry is not the schema {}
        raise InvalidArgTypeError(schema_problems(node), "argument type")
    try:
        key = (json_key(node), _authors_texts(node))
        made = _remembered.get(key)
    except (TypeError, RecursionError) as reason:  # no JSON, or too deep
        raise _no_type(node, reason) from None
    if made is None:
        if problems := schema_problems(node):
            raise InvalidArgTypeError(problems, "argument type")
        if len(_remembered) >= _KEPT:
            _remembered.clear()
        made = _remembered[key] = Validator(node)
    return made


def _authors_texts(node: Any) -> tuple[Any, ...]:
    """Return the failure texts that are attributes inside *node*, which its JSON does not show."""
    parts = ((pointer, getattr(part, "error", None)) for pointer, part in walk(node))
    return tuple(place for place in parts if place[1] is not None)


def _no_type(node: Any, reason: Exception) -> InvalidArgTypeError:
    problems = schema_problems(node)
    if not problems:
        message = f"the type cannot be used: {type(reason).__name__}"
        problems = [Problem(code="arg_type_invalid", path="$", message=message)]
    return InvalidArgTypeError(problems, "argument type")


def problems_in(value: Any, arg_type: Mapping[str, Any], path: str = "$") -> list[Problem]:
    """Return everything that is wrong with *value* as an *arg_type*; nothing when it fits.

    There are at most 50 problems, the last of which then counts the rest. Each
    has the JSONPath of the very key (an unknown key is ``$.dry_run``, a missing
    one ``$.days``), a message with the value in quotes and what was expected,
    and a hint where there is a cure; the author's text of the type, if any,
    comes first in the hint. Of a tagged union only the chosen variant is spoken
    of. Codes: ``wrong_type, not_in_enum, not_const, unknown_key, missing_key,
    too_small, too_large, not_multiple, too_short, too_long, pattern_mismatch,
    wrong_format, too_few_items, too_many_items, missing_item, not_unique,
    too_few_keys, too_many_keys, no_variant, several_variants, not_allowed,
    not_json, too_deep, too_big, too_slow, more_problems``, and
    ``not_conforming`` where jsonschema alone knows the keyword.

    Args:
        value: JSON as Python has it; a tuple, a set, NaN or a key that is no string is a problem.
        arg_type: An `ArgType`, or a plain JSON Schema node.
        path: Where *value* stands.

    Raises:
        InvalidArgTypeError: *arg_type* is no valid type.
    """
    return validator_of(arg_type).problems(value, path)
