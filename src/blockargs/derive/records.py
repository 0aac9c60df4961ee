"""Records: each field by its own codec, and the class around them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, get_origin

from ..errors import BlockArgsError, InvalidBlockArgTypeError, UnsupportedAnnotationError, at
from ..spec import MISSING, BlockArg
from ..types import arg_any, arg_object
from ..validate import problems_in
from ..validate.scan import is_utf8
from .classes import own_variables
from .codec import Change, Codec, Gathered, Misfit, is_instance
from .docstrings import docs_of_class
from .fields import Field, annotation_of, fields_of, record_kind
from .models import extra_codec, is_root_model, root_codec, told_beside, validated
from .refusals import refusing
from .remarks import peeled, remarks_of
from .site import Site, shown, unsupported, unwritable


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A field with its codec, and with all that is said of it."""

    field: Field
    codec: Codec
    arg: BlockArg


def is_record(annotation: Any) -> bool:
    """Tell whether *annotation* is a record class, with or without type arguments."""
    return record_kind(get_origin(annotation) or annotation) is not None


def record_codec(annotation: Any, site: Site) -> Codec:
    """Return the codec of a record class: a JSON object with a key for each field."""
    cls = get_origin(annotation) or annotation
    kind = record_kind(cls)
    inner = replace(site, variables=own_variables(annotation))
    if kind == "model" and is_root_model(cls):
        return root_codec(cls, inner.of_class(cls))
    docs = docs_of_class(cls)
    members = [m for f in fields_of(cls, inner) if (m := _member(f, docs.arguments.get(f.name))) is not None]
    rest = extra_codec(cls, inner) if kind == "model" else None
    node = arg_object(
        {m.field.init_name: m.arg.node() for m in members},
        extra=False if rest is None else rest.type or True,
        description=docs.summary or None,
    )
    if kind == "typed_dict":
        return Codec(node, _decoder(members, None, dict), _keys_encoded(members), _keys_hold(members))
    make = validated(cls) if kind == "model" else built(cls)
    decode = _decoder(members, rest, make, asks_each=kind == "model")
    return Codec(node, decode, _encoder(cls, members, rest), is_instance(cls))


def _member(one: Field, text: str | None) -> Member | None:
    """Return *one* with its codec; ``None`` when it is hidden."""
    try:
        annotation = annotation_of(one)
        said = one.remarks.arg if annotation is MISSING else remarks_of(peeled(annotation)[1]).arg
        codec = _field_codec(one, annotation, said)
        if (said.aliases and not one.remarks.arg.aliases) or said.header is not None:
            raise unsupported("a field has neither aliases nor a header", "only the arguments of a block have them")
        if said.hidden and not one.has_default:
            raise unsupported("it is hidden, but has no default", "give it one")
    except (UnsupportedAnnotationError, InvalidBlockArgTypeError) as reason:
        raise beneath(reason, one.init_name) from None
    if said.hidden:
        return None
    text = said.description if said.description is not None else text
    if text is not None and not is_utf8(text):
        raise beneath(unwritable(text), one.init_name)
    arg = BlockArg(
        text,
        None,
        said.type or codec.type,
        required=not one.has_default or said.required is True,
        default=default_as_json(codec, one.default) if one.has_default else MISSING,
        error=said.error,
    )
    return Member(one, codec, arg)


def _field_codec(one: Field, annotation: Any, said: BlockArg) -> Codec:
    if annotation is MISSING:
        return Codec(arg_any(), None, None, lambda _: True)
    try:
        return one.site.codec(annotation)
    except UnsupportedAnnotationError:
        if said.type is None and not said.hidden:
            raise
        return Codec(said.type or arg_any(), None, None, lambda _: True)


def beneath(reason: BlockArgsError, name: str) -> BlockArgsError:
    """Return *reason* with its paths one level further down, under *name*."""
    return type(reason)([p.under(at("$", name)) for p in reason.problems], reason.subject)


def default_as_json(codec: Codec, default: Any) -> Any:
    """Return *default* as JSON; ``MISSING`` where it is none."""
    if default is MISSING or default is None or type(default) in (bool, int):
        return default
    if type(default) is str:
        return default if is_utf8(default) else MISSING
    if type(default) is float:
        return default if math.isfinite(default) else MISSING
    try:
        value = codec.to_json(default)
    except Exception:  # noqa: BLE001 - a default that cannot be written is not shown
        return MISSING
    return MISSING if problems_in(value, {}) else value


def built(cls: Any) -> Change:
    """Return the change from keywords to an instance of *cls*; what it raises is a misfit."""
    return refusing(lambda kwargs: cls(**kwargs), lambda _: f"{shown(cls)} refuses it")


def _decoder(members: list[Member], rest: Codec | None, make: Change, *, asks_each: bool = False) -> Change:
    """Return the change from JSON to keywords, and on to what *make* makes of them.

    Args:
        members: The fields.
        rest: The codec of further keys.
        make: Gets the keywords.
        asks_each: Whether *make* only asks validators, so that those of the other fields can be asked as well.
    """
    table = {m.field.init_name: m.codec.decode for m in members}
    others = rest.decode if rest is not None else None

    def decode(value: Any) -> Any:
        out = {}
        wrong = Gathered()
        for name, one in value.items():
            change = table.get(name, others)
            try:
                out[name] = one if change is None else change(one)
            except Misfit as reason:
                out[name] = one
                wrong.add(name, reason)
        if wrong.faults and asks_each:
            wrong.faults += told_beside(make, out, {str(f.path[-1]) for f in wrong.faults})
        wrong.tell()
        return make(out)

    return decode


def _encoder(cls: Any, members: list[Member], rest: Codec | None) -> Change:
    parts = [(m.field.init_name, m.field.name, m.codec.encode) for m in members if m.field.stored]

    def encode(value: Any) -> Any:
        if not isinstance(value, cls):
            return value
        out = {}
        for wire, name, change in parts:
            one = getattr(value, name)
            out[wire] = one if change is None else change(one)
        if rest is not None:
            out |= {k: rest.to_json(v) for k, v in value.model_extra.items()}
        return out

    return encode


def _keys_encoded(members: list[Member]) -> Change:
    table = {m.field.init_name: m.codec.encode for m in members}

    def encode(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        return {k: v if (change := table.get(k)) is None else change(v) for k, v in value.items()}

    return encode


def _keys_hold(members: list[Member]) -> Callable[[Any], bool]:
    table = {m.field.init_name: m.codec.holds for m in members}
    needed = {m.field.init_name for m in members if not m.field.has_default}

    def holds(value: Any) -> bool:
        return (
            isinstance(value, dict)
            and needed <= value.keys()
            and all(name in table and table[name](one) for name, one in value.items())
        )

    return holds
