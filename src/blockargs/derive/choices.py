"""Fixed sets of values: ``Literal`` and the enums."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable
from typing import Any, Literal, get_args, get_origin

from .._text import quoted
from ..node import ArgType, json_key
from ..sentences import not_in_enum
from ..types import arg_array, arg_const, arg_enum, arg_literal
from .codec import Change, Codec, is_instance, misfit
from .site import Site, shown, unsupported


def is_literal(annotation: Any) -> bool:
    """Tell whether *annotation* is ``Literal[…]``."""
    return get_origin(annotation) is Literal


def literal_codec(annotation: Any, _: Site) -> Codec:
    """Return the codec of a ``Literal``; one value alone is a const, which can tag a union."""
    values = get_args(annotation)
    wire = {}
    for value in values:
        shown_value = value.value if isinstance(value, enum.Enum) else value
        if not is_scalar(shown_value):
            raise unsupported(
                f"{quoted(value)} in {shown(annotation)} is no JSON value", "use texts, numbers or booleans"
            )
        wire[json_key(shown_value)] = (shown_value, value)
    keys = {(type(v), v) for v in values}
    type_ = arg_const(next(iter(wire.values()))[0]) if len(wire) == 1 else _choice([w for w, _ in wire.values()])
    plain = all(type(v) is str or type(v) is bool or v is None for v in values)
    table = {key: value for key, (_, value) in wire.items()}
    return Codec(
        type_,
        None if plain else _looked_up(table),
        None if plain else _value_of_enum,
        lambda value: _hashable(value) and (type(value), value) in keys,
    )


def is_enum(annotation: Any) -> bool:
    """Tell whether *annotation* is an Enum class."""
    return isinstance(annotation, enum.EnumMeta)


def enum_codec(cls: Any, _: Site) -> Codec:
    """Return the codec of an Enum: its values where they are JSON scalars, else its names; a Flag is a list of names."""
    members = list(cls)
    if not members:
        raise unsupported(f"the enum {shown(cls)} has no members", "give it members, or use str")
    if issubclass(cls, enum.Flag):
        return _flag_codec(cls, members)
    if all(is_scalar(m.value) for m in members):
        wire: dict[Any, tuple[Any, Any]] = {json_key(m.value): (m.value, m) for m in members}
    else:
        wire = {m.name: (m.name, m) for m in members}
    table = {key: member for key, (_, member) in wire.items()}
    back = {member.name: value for value, member in wire.values()}
    return Codec(
        _choice([value for value, _ in wire.values()]),
        _looked_up(table),
        lambda value: back[value.name] if isinstance(value, cls) else value,
        is_instance(cls),
    )


def is_scalar(value: Any) -> bool:
    """Tell whether *value* is a text, a finite number, a bool or ``None``."""
    if value is None or isinstance(value, str | int):
        return True
    return isinstance(value, float) and math.isfinite(value)


def _flag_codec(cls: Any, members: list[Any]) -> Codec:
    names = {m.name: m for m in members}

    def decode(value: Any) -> Any:
        out = cls(0)
        for name in value:
            out |= names[name]
        return out

    def encode(value: Any) -> Any:
        return [m.name for m in members if m in value] if isinstance(value, cls) else value

    return Codec(arg_array(arg_enum(list(names)), unique_items=True), decode, encode, is_instance(cls))


def _choice(values: Iterable[Any]) -> ArgType:
    plain = [_bare(v) for v in values]
    return arg_enum(plain) if all(isinstance(v, str) for v in plain) else arg_literal(plain)


def _bare(value: Any) -> Any:
    """Return a text or number without the subclass it may be of."""
    for kind in (bool, str, int, float):
        if isinstance(value, kind):
            return kind(value) if type(value) is not kind else value
    return value


def _looked_up(table: dict[Any, Any]) -> Change:
    """Return the change from a JSON scalar to what stands for it."""

    def decode(value: Any) -> Any:
        try:
            return table[json_key(value)]
        except (KeyError, TypeError):
            code, message = not_in_enum(value, [k[1] if isinstance(k, tuple) else k for k in table])
            raise misfit(message, code=code) from None

    return decode


def _value_of_enum(value: Any) -> Any:
    return value.value if isinstance(value, enum.Enum) else value


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
