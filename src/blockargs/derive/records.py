"""Records: each field by its own codec, and the class around them."""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from ..errors import UnsupportedAnnotationError
from ..node import ArgType
from ..spec import MISSING, BlockArg
from ..types import arg_any, arg_object
from .codec import Change, Codec, Misfit, is_instance
from .docstrings import docs_of_class
from .fields import Field, fields_of, record_kind
from .models import Adapter, model_adapter, root_of
from .remarks import merged, peeled, remarks_of
from .rules import refusing
from .site import Site, shown, unsupported


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A field with its codec."""

    field: Field
    codec: Codec
    arg: BlockArg


def is_record(annotation: Any) -> bool:
    """Tell whether *annotation* is a record class, with or without type arguments."""
    return record_kind(get_origin(annotation) or annotation) is not None


def record_codec(annotation: Any, site: Site) -> Codec:
    """Return the codec of a record class."""
    cls = get_origin(annotation) or annotation
    kind = record_kind(cls)
    variables = _variables(cls, get_args(annotation), site)
    inner = Site(site.namespaces, variables, site.owner, site.work)
    if kind == "model" and (root := root_of(cls)) is not None:
        return model_adapter(cls).around(inner.of_class(cls).codec(root))
    docs = docs_of_class(cls)
    members = [m for f in fields_of(cls, inner) if (m := _member(f, docs.arguments.get(f.name))) is not None]
    extra = model_adapter(cls).extra(inner) if kind == "model" else False
    node = arg_object(
        {m.field.init_name: m.arg.node() for m in members}, extra=extra, description=docs.summary or None
    )
    return _around(cls, kind or "", members, node, extra)


def _member(one: Field, text: str | None) -> Member | None:
    annotation, metadata = (one.annotation, ()) if one.annotation is MISSING else peeled_text(one)
    remarks = remarks_of(metadata)
    said = merged(remarks.arg, one.remarks.arg)
    if said.description is None and text:
        said = said.with_(description=text)
    if said.aliases and one.remarks is not None and (said.header or said.aliases) and not one.remarks.arg.aliases:
        raise unsupported(f"field '{one.name}' has aliases", "only arguments of a block have them")
    if said.hidden and not one.has_default:
        raise unsupported(f"field '{one.name}' is hidden, but has no default", "give it one")
    try:
        codec = _field_codec(one, annotation, said)
    except UnsupportedAnnotationError as reason:
        raise _in_field(reason, one.init_name) from None
    if said.hidden:
        return None
    default = _shown_default(one, codec)
    required = not one.has_default or said.required is True
    # the codec's node holds the bounds and texts of the annotation already
    arg = said.with_(type=said.type or codec.type, required=required, default=default, example=None)
    return Member(one, codec, arg)


def peeled_text(one: Field) -> tuple[Any, tuple[Any, ...]]:
    """Return the annotation of *one*, read where it is a text, and its metadata."""
    annotation = one.annotation
    while isinstance(annotation, str | typing.ForwardRef):
        annotation = one.site.read(annotation if isinstance(annotation, str) else annotation.__forward_arg__)
    return annotation, peeled(annotation)[1]


def _field_codec(one: Field, annotation: Any, said: BlockArg) -> Codec:
    from .bounds import bounded  # noqa: PLC0415 - beside the one use

    if annotation is MISSING:
        return Codec(arg_any(), None, None, lambda _: True)
    if one.remarks.discriminator is not None:
        codec = one.site.codec(typing.Annotated[annotation, _Discriminated(one.remarks.discriminator)])
    elif said.type is not None:
        try:
            codec = one.site.codec(annotation)
        except UnsupportedAnnotationError:
            codec = Codec(said.type, None, None, lambda _: True)
    else:
        codec = one.site.codec(annotation)
    return bounded(codec, one.remarks)


@dataclass(frozen=True, slots=True)
class _Discriminated:
    """Stands in ``Annotated`` for what a pydantic field says of its union."""

    discriminator: str


def _in_field(reason: UnsupportedAnnotationError, name: str) -> UnsupportedAnnotationError:
    misfits = [Misfit(p.message, p.hint, code=p.code) for p in reason.problems]
    problems = [
        type(p)(code=p.code, path=m.under(name).problems()[0].path + p.path.removeprefix("$"), message=p.message, hint=p.hint)
        for p, m in zip(reason.problems, misfits, strict=True)
    ]
    return UnsupportedAnnotationError(problems, reason.subject)


def _shown_default(one: Field, codec: Codec) -> Any:
    return default_as_json(codec, one.default) if one.has_default else MISSING


def default_as_json(codec: Codec, default: Any) -> Any:
    """Return *default* as JSON; ``MISSING`` where it is none."""
    from .. import validate  # noqa: PLC0415 - beside the one use

    if default is MISSING or default is None or type(default) in (str, bool, int):
        return default
    try:
        value = codec.to_json(default)
        return value if not validate.problems_in(value, {}) else MISSING
    except Exception:  # noqa: BLE001 - a default that cannot be written is not shown
        return MISSING


def _variables(cls: Any, args: tuple[Any, ...], site: Site) -> Mapping[Any, Any]:
    parameters = getattr(cls, "__parameters__", ())
    return {**site.variables, **dict(zip(parameters, args, strict=False))}


def _around(cls: Any, kind: str, members: list[Member], node: ArgType, extra: Any) -> Codec:
    if kind == "typed_dict":
        return Codec(node, _decoder(members, dict, extra), _keys_encoded(members), _keys_hold(members))
    if kind == "model":
        make = model_adapter(cls).validated
    else:
        make = refusing_call(cls)
    return Codec(node, _decoder(members, make, extra), _encoder(cls, members), is_instance(cls))


def refusing_call(cls: Any) -> Change:
    """Return the change from keywords to an instance of *cls*; its refusals are misfits."""
    adapter = Adapter(cls)

    def build(kwargs: dict[str, Any]) -> Any:
        try:
            return cls(**kwargs)
        except (ValueError, AssertionError) as reason:
            raise adapter.misfit(reason) from None

    return build


def _decoder(members: list[Member], make: Change, extra: Any) -> Change:
    table = {m.field.init_name: m.codec.decode for m in members}
    extras = extra.decode if isinstance(extra, Codec) else None

    def decode(value: Any) -> Any:
        out = {}
        for name, one in value.items():
            change = table.get(name, extras)
            try:
                out[name] = one if change is None else change(one)
            except Misfit as misfit:
                raise misfit.under(name) from None
        return make(out)

    return decode


def _encoder(cls: Any, members: list[Member]) -> Change:
    parts = [(m.field.init_name, m.field.name, m.codec.encode) for m in members if m.field.stored]

    def encode(value: Any) -> Any:
        if not isinstance(value, cls):
            return value
        out = {}
        for wire, name, change in parts:
            one = getattr(value, name)
            out[wire] = one if change is None else change(one)
        out.update(getattr(value, "__pydantic_extra__", None) or {})
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


__all__ = ["Member", "default_as_json", "is_record", "record_codec", "refusing", "refusing_call", "shown"]
