"""``Union`` and ``Optional``: which variant a value is meant to be."""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args, get_origin

from .._text import quoted
from ..keywords import fixed_values, followed, kind_of, tag_of, tells_apart, types_of
from ..node import ArgType, json_key
from ..types import arg_nullable, arg_union
from ..validate import Validator, validator_of
from .codec import Change, Codec, Misfit, misfit
from .recursion import completed
from .site import Site, Work, shown

ALL_KINDS = frozenset({"null", "boolean", "string", "integer", "number", "array", "object"})
_NARROW = ("enum", "const", "format", "pattern")  # a text with one of these is more than any text


def is_union(annotation: Any) -> bool:
    """Tell whether *annotation* is ``Union[…]`` or ``A | B``."""
    return get_origin(annotation) in (typing.Union, types.UnionType)


def union_codec(annotation: Any, site: Site) -> Codec:
    """Return the codec of a union, tagged by a field of fixed values where every variant has one."""
    return joined(annotation, site, None)


def joined(annotation: Any, site: Site, discriminator: str | None) -> Codec:
    """Return the codec of the union *annotation*, tagged by *discriminator* where that is given."""
    args = get_args(annotation)
    members = [site.codec(a) for a in args if a is not type(None)]
    null = type(None) in args
    if len(members) == 1:
        return _nullable(members[0]) if null else members[0]
    tag = _tag_of(members, discriminator)
    if tag is not None:
        codec = _tagged(members, tag)
    else:
        names = [shown(a) for a in args if a is not type(None)]
        codec = Codec(
            arg_union(*(m.type for m in members)),
            _fitting(members, names, site.work),
            _encoded(members),
            _any_holds(members),
        )
    return _nullable(codec) if null else codec


def _nullable(inner: Codec) -> Codec:
    decode, encode, holds = inner.decode, inner.encode, inner.holds
    return Codec(
        arg_nullable(inner.type),
        None if decode is None else lambda value: None if value is None else decode(value),
        None if encode is None else lambda value: None if value is None else encode(value),
        lambda value: value is None or holds(value),
    )


def kinds_of(node: ArgType, passed: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the JSON kinds that values of *node* can have; what was *passed* on the way adds none."""
    if (ref := node.get("$ref")) in passed:
        return frozenset()
    passed = (*passed, ref) if ref is not None else passed
    body = followed(node, node)
    if kinds := types_of(body):
        return frozenset(kinds) | ({"integer"} if "number" in kinds else frozenset())
    for key in ("anyOf", "oneOf"):
        if key in body:
            rest = {k: v for k, v in node.items() if k == "$defs"}
            return frozenset().union(*(_kinds_of_branch(b, rest, passed) for b in body[key]))
    return ALL_KINDS


def _kinds_of_branch(branch: Any, rest: Mapping[str, Any], passed: tuple[str, ...]) -> frozenset[str]:
    if isinstance(branch, bool):
        return ALL_KINDS if branch else frozenset()
    return kinds_of(ArgType({**rest, **branch}), passed)


def _kind(value: Any) -> str:
    """Return the JSON type that *value* has as Python has it: 5.0 is no integer yet."""
    return "number" if isinstance(value, float) else kind_of(value)


def _tag_of(members: list[Codec], discriminator: str | None) -> str | None:
    """Return the field that tells *members* apart: fixed values in each, none twice."""
    bodies = [followed(m.type, m.type) for m in members]
    if len(bodies) < 2 or any(b.get("type") != "object" for b in bodies):  # noqa: PLR2004 - a choice
        return None
    if discriminator is not None:
        values = [fixed_values(b, discriminator) for b in bodies]
        if all(values) and tells_apart(values):
            return discriminator
    return tag_of(bodies)


def _tagged(members: list[Codec], tag: str) -> Codec:
    table: dict[Any, Codec] = {}
    types_: list[ArgType] = []
    for member in members:
        body = followed(member.type, member.type)
        table |= dict.fromkeys(map(json_key, fixed_values(body, tag)), member)
        types_.append(_with_required(member.type, body, tag))

    def decode(value: Any) -> Any:
        return table[json_key(value[tag])].to_python(value)

    return Codec(arg_union(*types_, tag=tag), decode, _encoded(members), _any_holds(members))


def _with_required(node: ArgType, body: Any, tag: str) -> ArgType:
    """Return *node* with *tag* required: it alone says which variant is meant."""
    if tag in body.get("required", ()):
        return node
    needed = [name for name in body["properties"] if name in (*body.get("required", ()), tag)]
    rest = {k: v for k, v in body.items() if k != "required"}
    out: dict[str, Any] = {}
    for key, value in rest.items():
        if key == "additionalProperties":
            out["required"] = needed
        out[key] = value
    out.setdefault("required", needed)
    return ArgType({**out, **({"$defs": node["$defs"]} if "$defs" in node else {})})


def _fitting(members: list[Codec], names: list[str], work: Work) -> Change | None:
    if all(m.decode is None for m in members):
        return None

    @functools.cache
    def validators(index: int) -> Validator:
        return validator_of(completed(members[index].type, work))

    @functools.cache
    def by_kind() -> dict[str, list[int]]:  # only at the first value: a member that is recursive is known by then
        kinds = [kinds_of(completed(m.type, work)) for m in members]
        return {kind: [i for i, own in enumerate(kinds) if kind in own] for kind in ALL_KINDS}

    def decode(value: Any) -> Any:
        known = by_kind()
        candidates = known[_kind(value)] or known["integer" if isinstance(value, float) else "null"]
        if len(candidates) > 1:
            candidates = [i for i in candidates if validators(i).accepts(value)]
        if len(candidates) == 1:
            return members[candidates[0]].to_python(value)
        return _chosen(value, [members[i] for i in candidates], [names[i] for i in candidates] or names)

    return decode


def _chosen(value: Any, fitting: list[Codec], names: list[str]) -> Any:
    """Return *value* as the one that it is meant to be, where several fit."""
    if isinstance(value, bool | str | int | float):
        kind = _kind(value)  # what asks for more comes first, then what asks for just this kind of value
        return _first(sorted(fitting, key=lambda m: (not _is_narrow(m.type), kind not in types_of(m.type))), value)
    made = [m.to_python(value) for m in fitting]
    if made and all(type(m) is type(made[0]) and m == made[0] for m in made):
        return made[0]
    which = " and ".join(names)
    fits = "fits none of" if not fitting else "fits more than one of"
    raise misfit(f"{quoted(value)} {fits} {which}", "give the variants a field that tells them apart", code="ambiguous")


def _first(fitting: list[Codec], value: Any) -> Any:
    """Return what the first of *fitting* makes of *value*; one that refuses leaves it to the next."""
    refusal: Misfit | None = None
    for member in fitting:
        try:
            return member.to_python(value)
        except Misfit as reason:
            refusal = refusal or reason
    raise refusal or misfit(f"{quoted(value)} fits none of the variants", code="ambiguous")


def _is_narrow(node: ArgType) -> bool:
    return any(key in node for key in _NARROW)


def _encoded(members: list[Codec]) -> Change | None:
    if all(m.encode is None for m in members):
        return None

    def encode(value: Any) -> Any:
        for member in members:
            if member.holds(value):
                return member.to_json(value)
        return value

    return encode


def _any_holds(members: Iterable[Codec]) -> Callable[[Any], bool]:
    listed = list(members)
    return lambda value: any(m.holds(value) for m in listed)
