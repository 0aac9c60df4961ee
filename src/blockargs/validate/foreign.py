"""Types with keywords that are not ours: jsonschema decides, in our terms.

The only room that imports jsonschema. What a value is, formats, patterns,
multiples and equality are checked by our own functions, so that its verdict is
ours wherever both know a keyword; nothing is ever fetched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from .._text import one_line
from ..errors import at
from ..sentences import Told
from .budget import step
from .equal import plain
from .rules import is_number, simple_rule
from .scan import is_json

if TYPE_CHECKING:
    from .explain import Walk

# keyword of jsonschema's error -> our code; any other is `not_conforming`
_CODES = {
    "type": "wrong_type",
    "enum": "not_in_enum",
    "const": "not_const",
    "required": "missing_key",
    "additionalProperties": "unknown_key",
    "unevaluatedProperties": "unknown_key",
    "unevaluatedItems": "too_many_items",
    "minimum": "too_small",
    "exclusiveMinimum": "too_small",
    "maximum": "too_large",
    "exclusiveMaximum": "too_large",
    "minLength": "too_short",
    "maxLength": "too_long",
    "minItems": "too_few_items",
    "maxItems": "too_many_items",
    "minProperties": "too_few_keys",
    "maxProperties": "too_many_keys",
    "uniqueItems": "not_unique",
    "multipleOf": "not_multiple",
    "pattern": "pattern_mismatch",
    "format": "wrong_format",
    "anyOf": "no_variant",
    "oneOf": "no_variant",
    "not": "not_allowed",
}
_STEP = 20  # how many of our steps one of jsonschema takes
_OURS = ("enum", "const", "uniqueItems", "multipleOf", "pattern", "format")


class Foreign:
    """A type that jsonschema decides."""

    __slots__ = ("_validator",)

    def __init__(self, node: Mapping[str, Any]) -> None:
        from referencing import Registry  # noqa: PLC0415 - seldom needed

        # a registry of our own: the one that jsonschema takes by default fetches
        self._validator = _validator_class()(plain(node), registry=Registry())

    def accepts(self, value: Any) -> bool:
        """Tell whether *value* is JSON and fits."""
        return is_json(value) and self._validator.is_valid(value)

    def explain(self, walk: Walk, value: Any, path: str) -> None:
        """Add what is wrong with plain JSON *value*."""
        for error in self._validator.iter_errors(value):
            where = path
            for key in error.absolute_path:
                where = at(where, key)
            code = _CODES.get(str(error.validator), "not_conforming")
            walk.add(where, partial(_told, code, error.message))


def _told(code: str, message: str) -> Told:
    return code, one_line(message, 200)


@cache
def _validator_class() -> Any:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - loads many modules
    from jsonschema.validators import extend  # noqa: PLC0415 - as above

    def whole(_checker: Any, value: Any) -> bool:
        return type(value) is int or (type(value) is float and value.is_integer())

    types = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": whole, "number": lambda _, value: is_number(value)}
    )
    rules = {keyword: _as_theirs(keyword) for keyword in _OURS}
    return extend(  # type: ignore[no-untyped-call]  # its stubs say nothing of it
        Draft202012Validator, {**rules, "$ref": _counted(Draft202012Validator)}, type_checker=types
    )


def _as_theirs(keyword: str) -> Any:
    """Return our rule of *keyword* as jsonschema calls its own."""

    def check(_validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
        from jsonschema import ValidationError  # noqa: PLC0415 - as above

        if not simple_rule(keyword, schema)(value):
            yield ValidationError(f"{value!r} does not fit {keyword} {asked!r}")

    return check


def _counted(base: Any) -> Any:
    follow = base.VALIDATORS["$ref"]

    def ref(validator: Any, asked: Any, value: Any, schema: Any) -> Iterator[Any]:
        step(_STEP)
        yield from follow(validator, asked, value, schema) or ()

    return ref
