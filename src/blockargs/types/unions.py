"""The types of what fits one of several types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._text import quoted
from ..errors import InvalidArgTypeError, Problem, at
from ..imported import with_description
from ..keywords import fixed_values, followed, types_of
from ..node import ArgType, json_key
from ..validate import problems_in
from .making import made, type_of

NULL = ArgType({"type": "null"})
# keywords beside `type` that may refuse null, so that null needs a branch of its own
_MAY_REFUSE_NULL = frozenset({"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$dynamicRef", "const"})
_BESIDE_CONST = _MAY_REFUSE_NULL - {"const"} | {"enum"}


def arg_union(
    *types: Mapping[str, Any],
    tag: str | None = None,
    default: Any = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of what fits one of *types*.

    Args:
        *types: The variants; equal ones count once, and null makes the rest nullable.
        tag: Name of a field that every variant has as a required `arg_const` (or `arg_enum`,
            `arg_literal` where it has several values), no value twice: it alone decides which
            variant a value is meant to be.
        default: Shown as the value used when it is left out.
        description: What it is for.
        required: Whether a record needs it.
        error: The author's failure text.

    Raises:
        InvalidArgTypeError: There is no variant, one is no type, a variant lacks the tag,
            two have the same tag, or the default does not fit.
    """
    given = [type_of(t, f"types[{i}]") for i, t in enumerate(types)]
    variants = list({json_key(t): t for t in given}.values())
    null = NULL in variants
    variants = [v for v in variants if v != NULL]
    if not variants:
        raise InvalidArgTypeError("a union needs at least one type other than null")
    if tag is not None:
        node = _tagged(variants, tag)
    elif len(variants) == 1:
        node = variants[0]
    else:
        node = ArgType({"anyOf": variants})
    if null:
        node = _nullable(node)
    if description is not None:
        node = with_description(node, description)
    return made(
        {**node, "default": default} if default is not None else node,
        required=required,
        error=node.error if error is None else error,
    )


def arg_nullable(
    type: Mapping[str, Any],  # noqa: A002 - the word of the field
    *,
    default: Any = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of what fits *type*, or null.

    >>> arg_nullable(arg_enum(["a"]))
    {'type': ['string', 'null'], 'enum': ['a', None]}

    Raises:
        InvalidArgTypeError: *type* is no type, or the default does not fit.
    """
    inner = type_of(type, "type")
    node = _nullable(inner)
    if description is not None:
        node = with_description(node, description)
    return made(
        {**node, "default": default} if default is not None else node,
        required=inner.required if required is None else required,
        error=inner.error if error is None else error,
    )


def _nullable(node: ArgType) -> ArgType:
    refuses = "type" in node and "null" not in types_of(node)  # no need to ask a validator
    if not refuses and not problems_in(None, node):
        return node
    if "type" in node and not _MAY_REFUSE_NULL & node.keys():
        changed: dict[str, Any] = {**node, "type": [*(k for k in types_of(node) if k != "null"), "null"]}
        if "enum" in node:
            changed["enum"] = [*node["enum"], None]
    elif "type" in node and "const" in node and not (_BESIDE_CONST & node.keys()):
        rest = {k: v for k, v in node.items() if k not in ("type", "const")}
        changed = {"type": [*types_of(node), "null"], **rest, "enum": [node["const"], None]}
    elif set(node) <= {"enum", "description", "default"}:
        changed = {**node, "enum": [*node["enum"], None]}
    elif set(node) <= {"anyOf", "description", "default"}:
        changed = {**node, "anyOf": [*node["anyOf"], NULL]}
    else:
        outer = {k: v for k, v in node.items() if k in ("description", "default", "$defs")}
        changed = {**outer, "anyOf": [ArgType({k: v for k, v in node.items() if k not in outer}), NULL]}
    return ArgType(changed, required=node.required, error=node.error)


def _tagged(variants: list[ArgType], tag: str) -> ArgType:
    problems: list[Problem] = []
    seen: dict[Any, int] = {}
    for index, variant in enumerate(variants):
        path = at("$.oneOf", index)
        values = _tags_of(variant, tag)
        if not values:
            message = f"has no required const field {quoted(tag)}"
            problems.append(
                Problem(code="arg_type_invalid", path=path, message=message, hint="add arg_const() under it")
            )
        for value in values:
            if (key := json_key(value)) in seen:
                message = f"has the tag {quoted(value)} of variant {seen[key]}"
                problems.append(Problem(code="arg_type_invalid", path=path, message=message))
            seen.setdefault(key, index)
    if problems:
        raise InvalidArgTypeError(problems, f"union tagged by {quoted(tag)}")
    return ArgType({"oneOf": variants, "discriminator": {"propertyName": tag}})


def _tags_of(variant: ArgType, tag: str) -> list[Any]:
    """Return the values of the required field *tag*: of a const one, of an enum several; else none."""
    body = followed(variant, variant)
    return fixed_values(body, tag) if isinstance(body, Mapping) and tag in body.get("required", ()) else []
