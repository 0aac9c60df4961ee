"""The types of lists and of objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._text import quoted
from ..errors import UnnamedFieldError
from ..node import ArgType
from ..validate.scan import is_utf8
from .bounds import count, flag, in_order
from .making import made, type_of
from .scalars import arg_any


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
        "minItems": count(min_items, "min_items"),
        "maxItems": count(max_items, "max_items"),
        "uniqueItems": flag(unique_items, "unique_items") or None,
    }
    in_order(bounds, "minItems", "maxItems")
    node = {"type": "array", "description": description, "items": type_of(items, "items"), **bounds, "default": default}
    return made(node, required=required, error=error)


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
    places = [type_of(t, f"types[{i}]") for i, t in enumerate(types)]
    node: dict[str, Any] = {"type": "array", "description": description}
    if places:
        node["prefixItems"] = places
    node |= {"items": False, "minItems": len(places), "maxItems": len(places), "default": default}
    return made(node, required=required, error=error)


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
        raise UnnamedFieldError(f"fields are a mapping of name to type, not {quoted(fields)}")
    for name in fields or ():
        if not name or not is_utf8(name):
            raise UnnamedFieldError(f"{quoted(name)} is no name for a field")
        if name in kwfields:
            raise UnnamedFieldError(f"field {quoted(name)} is given twice")
    types = {name: type_of(node, name) for name, node in {**(fields or {}), **kwfields}.items()}
    node: dict[str, Any] = {"type": "object", "description": description, "properties": types}
    if needed := [name for name, node_ in types.items() if node_.required is not False]:
        node["required"] = needed
    node["additionalProperties"] = extra if isinstance(extra, bool) else type_of(extra, "extra")
    return made({**node, "default": default}, required=required, error=error)


def arg_json_object(
    *,
    default: dict[str, Any] | None = None,
    description: str | None = None,
    required: bool | None = None,
    error: str | None = None,
) -> ArgType:
    """Return the type of any JSON object."""
    node = {"type": "object", "description": description, "additionalProperties": True, "default": default}
    return made(node, required=required, error=error)


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
    inner = type_of(values, "values")
    node = {"type": "object", "description": description, "additionalProperties": inner, "default": default}
    return made(node, required=required, error=error)
