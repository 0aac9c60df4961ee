"""The argument types: ``arg_string()`` and its brothers.

Each returns a JSON Schema node (draft 2020-12) that is checked here and now.
All take the keywords ``description``, ``required`` (whether a record needs it
as a field; ``None`` counts as yes) and ``error`` (the author's text, shown
besides the reason when a value does not fit).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from ._text import quoted
from .errors import InvalidArgTypeError, InvalidEnumError, Problem, UnnamedFieldError, at
from .imported import arg_schema, with_description
from .keywords import followed, types_of
from .node import ArgType, json_key, same_type
from .validate import problems_in, schema_problems

__all__ = [
    "ArgType",
    "arg_any",
    "arg_array",
    "arg_boolean",
    "arg_column",
    "arg_const",
    "arg_enum",
    "arg_integer",
    "arg_json_array",
    "arg_json_object",
    "arg_literal",
    "arg_map",
    "arg_nullable",
    "arg_number",
    "arg_object",
    "arg_schema",
    "arg_string",
    "arg_tuple",
    "arg_union",
    "same_type",
]

NULL = ArgType({"type": "null"})
# keywords beside `type` that may refuse null, so that null needs a branch of its own
_MAY_REFUSE_NULL = frozenset({"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$dynamicRef", "const"})


def arg_string(
    *,
    min_length: int | None = None,
    max_length: int | None = None,
    pattern: str | None = None,
    format: str | None = None,  # noqa: A002 - the keyword's name in JSON Schema
    default: str | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a text.

    Args:
        min_length: Fewest characters (code points).
        max_length: Most characters.
        pattern: Regular expression that must match somewhere in the text.
        format: ``date``, ``time``, ``date-time``, ``duration``, ``email``, ``uuid``,
            ``uri``, ``ipv4``, ``ipv6`` and ``regex`` are checked; any other is a remark.
        default: Shown as the value used when it is left out.
        description: What it is for.
        required: Whether a record needs it.
        error: The author's failure text.

    Raises:
        InvalidArgTypeError: A bound cannot be, or the default does not fit.
    """
    bounds = {
        "minLength": _count(min_length, "min_length"),
        "maxLength": _count(max_length, "max_length"),
        "pattern": _text(pattern, "pattern"),
        "format": _text(format, "format"),
    }
    _in_order(bounds, "minLength", "maxLength")
    return _made(
        {"type": "string", "description": description, **bounds, "default": default}, required=required, error=error
    )


def arg_number(
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    exclusive_minimum: float | None = None,
    exclusive_maximum: float | None = None,
    multiple_of: float | None = None,
    default: float | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a finite number; a bool is never one.

    Args:
        minimum: Smallest value.
        maximum: Largest value.
        exclusive_minimum: It must be above this.
        exclusive_maximum: It must be below this.
        multiple_of: It must be a whole multiple of this, counted in decimals.
        default: Shown as the value used when it is left out.
        description: What it is for.
        required: Whether a record needs it.
        error: The author's failure text.

    Raises:
        InvalidArgTypeError: A bound cannot be, or the default does not fit.
    """
    bounds = _range(minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of)
    return _made(
        {"type": "number", "description": description, **bounds, "default": default}, required=required, error=error
    )


def arg_integer(
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    exclusive_minimum: float | None = None,
    exclusive_maximum: float | None = None,
    multiple_of: float | None = None,
    default: int | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a whole number of any size; ``5.0`` is one, ``True`` is not.

    The bounds are those of `arg_number`.

    Raises:
        InvalidArgTypeError: A bound cannot be, or the default does not fit.
    """
    bounds = _range(minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of)
    return _made(
        {"type": "integer", "description": description, **bounds, "default": default}, required=required, error=error
    )


def arg_boolean(
    *,
    default: bool | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of ``true`` and ``false``."""
    return _made({"type": "boolean", "description": description, "default": default}, required=required, error=error)


def arg_enum(
    values: Iterable[str],
    *,
    default: str | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of one text out of a fixed set.

    >>> arg_enum(["head", "tail"])
    {'type': 'string', 'enum': ['head', 'tail']}

    Raises:
        InvalidEnumError: *values* is empty, repeats a value, or holds something other than text;
            for numbers and booleans see `arg_literal`.
    """
    words = list(values) if isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping) else None
    if not words:
        raise _wrong(InvalidEnumError, f"the values of an enum are a non-empty list of texts, not {quoted(values)}")
    for value in words:
        if not isinstance(value, str):
            raise _wrong(InvalidEnumError, f"{quoted(value)} is no text", "use arg_literal for numbers and booleans")
    if twice := _repeated(words):
        raise _wrong(InvalidEnumError, f"{quoted(twice[0])} is listed twice")
    return _made(
        {"type": "string", "description": description, "enum": words, "default": default},
        required=required,
        error=error,
    )


def arg_literal(
    values: Iterable[Any],
    *,
    default: Any = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of one JSON scalar out of a fixed set; ``1`` and ``True`` are two.

    Raises:
        InvalidEnumError: *values* is empty, repeats a value, or holds something other than
            a text, a finite number, a bool or ``None``.
    """
    scalars = list(values) if isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping) else None
    if not scalars:
        raise _wrong(InvalidEnumError, f"the values of a literal are a non-empty list of scalars, not {quoted(values)}")
    for value in scalars:
        if _kind(value) is None:
            raise _wrong(InvalidEnumError, f"{quoted(value)} is no JSON scalar")
    if twice := _repeated(scalars):
        raise _wrong(InvalidEnumError, f"{quoted(twice[0])} is listed twice")
    node = {**_kind_of_all(scalars), "description": description, "enum": scalars, "default": default}
    return _made(node, required=required, error=error)


def arg_const(
    value: Any,
    *,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of the one JSON *value*.

    Raises:
        InvalidArgTypeError: *value* is no JSON.
    """
    if problems := problems_in(value, {}):
        raise InvalidArgTypeError(problems, "const")
    kind = _kind(value)
    node = ArgType({**({"type": kind} if kind else {}), "const": value})
    return _made({**node, "description": description} if description else node, required=required, error=error)


def arg_array(
    items: Mapping[str, Any],
    *,
    min_items: int | None = None,
    max_items: int | None = None,
    unique_items: bool | None = None,
    default: list[Any] | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a list whose members are all *items*.

    Args:
        items: The type of each member.
        min_items: Fewest members.
        max_items: Most members.
        unique_items: Whether no two members may be equal.
        default: Shown as the value used when it is left out.
        description: What it is for.
        required: Whether a record needs it.
        error: The author's failure text.

    Raises:
        InvalidArgTypeError: *items* is no type, a bound cannot be, or the default does not fit.
    """
    bounds = {
        "minItems": _count(min_items, "min_items"),
        "maxItems": _count(max_items, "max_items"),
        "uniqueItems": _flag(unique_items, "unique_items") or None,
    }
    _in_order(bounds, "minItems", "maxItems")
    node = {"type": "array", "description": description, "items": _type(items, "items"), **bounds, "default": default}
    return _made(node, required=required, error=error)


def arg_json_array(
    *,
    default: list[Any] | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of any JSON list."""
    return arg_array(arg_any(), default=default, description=description, required=required, error=error)


def arg_tuple(
    *types: Mapping[str, Any],
    default: list[Any] | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a list of fixed length, with a type for each place.

    Raises:
        InvalidArgTypeError: One of *types* is no type, or the default does not fit.
    """
    places = [_type(t, f"types[{i}]") for i, t in enumerate(types)]
    node: dict[str, Any] = {"type": "array", "description": description}
    if places:
        node["prefixItems"] = places
    node |= {"items": False, "minItems": len(places), "maxItems": len(places), "default": default}
    return _made(node, required=required, error=error)


def arg_object(
    fields: Mapping[str, Mapping[str, Any]] | None = None,
    /,
    *,
    extra: bool | Mapping[str, Any] = False,
    default: dict[str, Any] | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
    **kwfields: Mapping[str, Any],
) -> ArgType:
    """Return the type of a record: named fields, each with its type.

    A field is required unless its type says ``required=False``.

    >>> arg_object(x=arg_string(), y=arg_integer(required=False))["required"]
    ['x']

    Args:
        fields: The fields, where a name is free: ``{"description": arg_string()}``.
        extra: Whether further keys are allowed, or the type of their values.
        default: Shown as the value used when it is left out.
        description: What it is for.
        required: Whether a record needs it.
        error: The author's failure text.
        **kwfields: Further fields.

    Raises:
        UnnamedFieldError: A field's name is empty or no text, or given twice.
        InvalidArgTypeError: A field is no type, or the default does not fit.
    """
    if fields is not None and not isinstance(fields, Mapping):
        raise _wrong(UnnamedFieldError, f"fields are a mapping of name to type, not {quoted(fields)}")
    for name in fields or ():
        if not isinstance(name, str) or not name:
            raise _wrong(UnnamedFieldError, f"{quoted(name)} is no name for a field")
        if name in kwfields:
            raise _wrong(UnnamedFieldError, f"field {quoted(name)} is given twice")
    types = {name: _type(node, name) for name, node in {**(fields or {}), **kwfields}.items()}
    node: dict[str, Any] = {"type": "object", "description": description, "properties": types}
    if needed := [name for name, node_ in types.items() if node_.required is not False]:
        node["required"] = needed
    node["additionalProperties"] = extra if isinstance(extra, bool) else _type(extra, "extra")
    return _made({**node, "default": default}, required=required, error=error)


def arg_json_object(
    *,
    default: dict[str, Any] | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of any JSON object."""
    node = {"type": "object", "description": description, "additionalProperties": True, "default": default}
    return _made(node, required=required, error=error)


def arg_map(
    values: Mapping[str, Any],
    *,
    default: dict[str, Any] | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a table: any text as a key, each value of the type *values*.

    Raises:
        InvalidArgTypeError: *values* is no type, or the default does not fit.
    """
    inner = _type(values, "values")
    node = {"type": "object", "description": description, "additionalProperties": inner, "default": default}
    return _made(node, required=required, error=error)


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
        tag: Name of a field that every variant has as a required `arg_const`, each with its
            own value: it alone decides which variant a value is meant to be.
        default: Shown as the value used when it is left out.
        description: What it is for.
        required: Whether a record needs it.
        error: The author's failure text.

    Raises:
        InvalidArgTypeError: There is no variant, one is no type, a variant lacks the tag,
            two have the same tag, or the default does not fit.
    """
    given = [_type(t, f"types[{i}]") for i, t in enumerate(types)]
    variants = list({json_key(t): t for t in given}.values())
    null = NULL in variants
    variants = [v for v in variants if v != NULL]
    if not variants:
        raise _wrong(InvalidArgTypeError, "a union needs at least one type other than null")
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
    return _made({**node, "default": default} if default is not None else node, required=required, error=error)


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
    inner = _type(type, "type")
    node = _nullable(inner)
    if description is not None:
        node = with_description(node, description)
    return _made(
        {**node, "default": default} if default is not None else node,
        required=inner.required if required is None else required,
        error=inner.error if error is None else error,
    )


def arg_any(
    *,
    default: Any = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of any JSON value."""
    return _made({"description": description, "default": default}, required=required, error=error)


def arg_column(
    input: str | None = None,  # noqa: A002 - an input is what a block calls the frame it is given
    *,
    default: str | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of a text that names a column of an input.

    Args:
        input: Which of the block's inputs has the column; ``None`` where there is one.
        default: Shown as the value used when it is left out.
        description: What it is for.
        required: Whether a record needs it.
        error: The author's failure text.
    """
    mark: Any = True if input is None else _text(input, "input")
    node = {"type": "string", "description": description, "x-column": mark, "default": default}
    return _made(node, required=required, error=error)


def _made(node: Mapping[str, Any], *, required: bool | None, error: str | None) -> ArgType:
    """Freeze *node* without its empty keywords, and check what its author could get wrong."""
    plain = {k: v for k, v in node.items() if v is not None or k == "const"}
    if not isinstance(plain.get("description", ""), str):
        raise _wrong(InvalidArgTypeError, f"a description is a text, not {quoted(plain['description'])}")
    if required is not None and not isinstance(required, bool):
        raise _wrong(InvalidArgTypeError, f"required is True or False, not {quoted(required)}")
    if error is not None and not isinstance(error, str):
        raise _wrong(InvalidArgTypeError, f"an error text is a text, not {quoted(error)}")
    made = ArgType(plain, required=required, error=error)
    if "default" in plain and (problems := problems_in(plain["default"], made)):
        raise InvalidArgTypeError(problems, "default")
    return made


def _type(node: object, where: str) -> ArgType:
    if isinstance(node, ArgType):
        return node
    if isinstance(node, Mapping):
        return arg_schema(node)
    raise InvalidArgTypeError(
        (
            Problem(
                code="arg_type_invalid",
                path=at("$", where),
                message=f"{quoted(node)} is no argument type",
                hint="build one with arg_string() and its brothers",
            ),
        )
    )


def _wrong(cls: type[Any], message: str, hint: str = "") -> Any:  # the class given is the class returned
    return cls((Problem(code=cls.code, path="$", message=message, hint=hint),))


def _count(value: int | None, name: str) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise _wrong(InvalidArgTypeError, f"{name} is a whole number from 0, not {quoted(value)}")
    return value


def _text(value: str | None, name: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise _wrong(InvalidArgTypeError, f"{name} is a text, not {quoted(value)}")
    if name == "pattern" and value is not None and (problems := schema_problems({"pattern": value})):
        raise InvalidArgTypeError(problems)
    return value


def _flag(value: bool | None, name: str) -> bool | None:  # noqa: FBT001 - the value that is checked
    if value is not None and not isinstance(value, bool):
        raise _wrong(InvalidArgTypeError, f"{name} is True or False, not {quoted(value)}")
    return value


def _range(
    minimum: float | None,
    maximum: float | None,
    exclusive_minimum: float | None,
    exclusive_maximum: float | None,
    multiple_of: float | None,
) -> dict[str, Any]:
    bounds = {
        "minimum": minimum,
        "maximum": maximum,
        "exclusiveMinimum": exclusive_minimum,
        "exclusiveMaximum": exclusive_maximum,
        "multipleOf": multiple_of,
    }
    for key, value in bounds.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value)):
            raise _wrong(InvalidArgTypeError, f"{key} is a finite number, not {quoted(value)}")
    if multiple_of is not None and multiple_of <= 0:
        raise _wrong(InvalidArgTypeError, f"multipleOf is above 0, not {quoted(multiple_of)}")
    _in_order(bounds, "minimum", "maximum")
    return bounds


def _finite(value: float) -> bool:
    return isinstance(value, int) or math.isfinite(value)


def _in_order(bounds: Mapping[str, Any], low: str, high: str) -> None:
    if bounds[low] is not None and bounds[high] is not None and bounds[low] > bounds[high]:
        raise _wrong(InvalidArgTypeError, f"{low} {bounds[low]} is above {high} {bounds[high]}")


def _kind(value: object) -> str | None:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float) and math.isfinite(value):
        return "integer" if value.is_integer() else "number"
    return None


def _kind_of_all(scalars: list[Any]) -> dict[str, Any]:
    kinds = {_kind(v) for v in scalars}
    null = "null" in kinds
    kinds.discard("null")
    if kinds == {"integer", "number"}:
        kinds = {"number"}
    if len(kinds) > 1:
        return {}
    kind = kinds.pop() if kinds else "null"
    return {"type": [kind, "null"] if null and kind != "null" else kind}


def _repeated(values: list[Any]) -> list[Any]:
    seen: set[Any] = set()
    return [v for v in values if (key := json_key(v)) in seen or seen.add(key)]  # type: ignore[func-returns-value]


def _nullable(node: ArgType) -> ArgType:
    refuses = "type" in node and "null" not in types_of(node)  # no need to ask a validator
    if not refuses and not problems_in(None, node):
        return node
    if "type" in node and not _MAY_REFUSE_NULL & node.keys():
        kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
        changed: dict[str, Any] = {**node, "type": [*(k for k in kinds if k != "null"), "null"]}
        if "enum" in node:
            changed["enum"] = [*node["enum"], None]
    elif "type" in node and "const" in node and not (_MAY_REFUSE_NULL - {"const"}) & node.keys():
        rest = {k: v for k, v in node.items() if k not in ("type", "const")}
        changed = {"type": [node["type"], "null"], **rest, "enum": [node["const"], None]}
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
        value = _tag_value(variant, tag)
        if value is None:
            message = f"has no required const field {quoted(tag)}"
            problems.append(
                Problem(code="arg_type_invalid", path=path, message=message, hint="add arg_const() under it")
            )
        elif (key := json_key(value)) in seen:
            message = f"has the tag {quoted(value)} of variant {seen[key]}"
            problems.append(Problem(code="arg_type_invalid", path=path, message=message))
        else:
            seen[key] = index
    if problems:
        raise InvalidArgTypeError(problems, f"union tagged by {quoted(tag)}")
    return ArgType({"oneOf": variants, "discriminator": {"propertyName": tag}})


def _tag_value(variant: ArgType, tag: str) -> Any:
    """Return the const at *tag*; ``None`` where there is none."""
    body = followed(variant, variant)
    field = body.get("properties", {}).get(tag, {})
    return field.get("const") if tag in body.get("required", ()) else None
