"""Types that point back at themselves: everything else stays inline, these get a ``$ref``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..keywords import rebuilt
from ..node import ArgType
from .choices import is_literal, literal_codec
from .codec import Codec
from .fields import fields_of
from .remarks import peeled
from .site import Open, Site, Work, unsupported

_ANYTHING_BUT_NULL = {"type": ["string", "number", "boolean", "object", "array"]}


def recursive(key: Any, name: str, site: Site, make: Callable[[], Codec], cls: Any = None) -> Codec:
    """Return the codec that *make* gives; where it meets *key* again, that is a pointer to it.

    Args:
        key: What stands for the annotation.
        name: What its definition is called, where that is free.
        site: Where the annotation stands.
        make: Compiles it.
        cls: The record class it is, if it is one.
    """
    work = site.work
    if (outer := work.open.get(key)) is not None:
        return _pointer(outer, key, work, cls, site)
    work.count += 1
    here = work.open[key] = Open(f"{name}..{work.count}")
    try:
        codec = make()
    finally:
        del work.open[key]
        work.pointing.discard(key)
    if not here.used:
        return codec
    if _is_only(codec.type, here.token, codec.type.get("$defs", {})):
        raise unsupported(
            f"{name} is defined by itself alone", "leave it out where it stands for itself: it adds no value"
        )
    here.codec = codec
    body = {k: v for k, v in codec.type.items() if k != "$defs"}
    defs = {**codec.type.get("$defs", {}), here.token: body}
    work.bodies[here.token] = ArgType({**body, "$defs": defs})
    final, number = name, 1
    while final in defs:
        number += 1
        final = f"{name}_{number}"
    defs = {final if n == here.token else n: repointed(d, here.token, final) for n, d in defs.items()}
    return Codec(ArgType({"$ref": f"#/$defs/{final}", "$defs": defs}), codec.decode, codec.encode, codec.holds)


def _is_only(node: Any, token: str, defs: Mapping[str, Any]) -> bool:
    """Tell whether *node* leads to the definition *token* at once: by itself, or by one of its variants."""
    todo, seen = [node], {token}
    while todo:
        one = todo.pop()
        if not isinstance(one, Mapping):
            continue
        name = str(one.get("$ref", "")).removeprefix("#/$defs/")
        if name == token:
            return True
        if name in defs and name not in seen:
            seen.add(name)
            todo.append(defs[name])
        todo += [*one.get("anyOf", ()), *one.get("oneOf", ())]
    return False


def _pointer(outer: Open, key: Any, work: Work, cls: Any, site: Site) -> Codec:
    """Return the codec of what is still being made; until then its definition is a stand-in."""
    outer.used = True
    work.pointing.add(key)
    standin = _ANYTHING_BUT_NULL if cls is None else _tags(cls, site)
    return Codec(
        ArgType({"$ref": f"#/$defs/{outer.token}", "$defs": {outer.token: standin}}),
        lambda value: _made(outer).to_python(value),
        lambda value: _made(outer).to_json(value),
        lambda value: _made(outer).holds(value),
    )


def _made(outer: Open) -> Codec:
    assert outer.codec is not None  # noqa: S101 - set when the type is done, long before a value comes
    return outer.codec


def _tags(cls: Any, site: Site) -> dict[str, Any]:
    """Return a stand-in for a record class: the fields that could tag it."""
    fields: dict[str, Any] = {}
    for one in fields_of(cls, site):
        literal, _ = peeled(one.site.resolved(one.annotation))
        if not one.has_default and is_literal(literal):
            fields[one.init_name] = literal_codec(literal, site).type
    return {"type": "object", "properties": fields, **({"required": list(fields)} if fields else {})}


def completed(node: ArgType, work: Work) -> ArgType:
    """Return *node* with the stand-ins in it replaced by what they stood for."""
    defs: Mapping[str, Any] = node.get("$defs", {})
    found: dict[str, Any] = {}
    todo = [name for name in defs if name in work.bodies]
    while todo:
        for name, body in work.bodies[todo.pop()]["$defs"].items():
            if name in work.bodies and name not in found:
                todo.append(name)
                body = work.bodies[name]["$defs"][name]  # noqa: PLW2901 - itself, where a stand-in may stand
            found.setdefault(name, body)
    return ArgType({**node, "$defs": {**defs, **found}}) if found else node


def repointed(node: Any, old: str, new: str) -> Any:
    """Return *node* with each ``$ref`` to the definition *old* pointing at *new*."""
    if not isinstance(node, Mapping):
        return node
    out = rebuilt(node, lambda child, _: repointed(child, old, new))
    if out.get("$ref") == f"#/$defs/{old}":
        out["$ref"] = f"#/$defs/{new}"
    return ArgType(out, required=node.required, error=node.error) if isinstance(node, ArgType) else out
