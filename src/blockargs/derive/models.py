"""pydantic models and types, found through `sys.modules`: whoever hands us one has imported pydantic."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Collection
from typing import Any, get_args

from .._text import first_line
from ..imported import arg_schema
from .annotations import annotations_in
from .codec import Change, Codec, Fault, Misfit, is_instance
from .fields import annotation_of, fields_of, is_model
from .refusals import refusing
from .remarks import OTHER_FORM
from .site import Site, class_of_alias, shown, unsupported


def validated(cls: Any) -> Change:
    """Return the change from decoded fields to an instance of the model *cls*; its validators run."""
    if not cls.__pydantic_complete__ and not cls.model_rebuild(raise_errors=False):
        return lambda fields: fields  # part of a generic model that holds itself: the one around it makes it
    return refusing(cls.model_validate, lambda _: f"{shown(cls)} refuses it")


def keywords_check(cls: Any) -> Change | None:
    """Return the check that a class of pydantic makes of its keywords; ``None`` for what is none.

    It builds what it is given, so that the refusal of a validator is known before the call.
    """
    inner = class_of_alias(cls) or cls
    if not isinstance(inner, type) or "pydantic" not in sys.modules:
        return None
    if is_model(inner):
        return _root_check(cls) if is_root_model(inner) else validated(cls)
    return _through(_type_adapter(cls), cls, None) if is_pydantic_dataclass(inner) else None


def is_pydantic_dataclass(cls: Any) -> bool:
    """Tell whether pydantic made *cls* a dataclass."""
    return "__pydantic_validator__" in vars(cls) and dataclasses.is_dataclass(cls)


def _root_check(cls: Any) -> Change:
    build = validated(cls)

    def check(keywords: Any) -> Any:
        try:
            return build(keywords["root"])
        except Misfit as reason:
            raise reason.under("root") from None

    return check


def told_beside(check: Change, fields: Any, told: Collection[str]) -> list[Fault]:
    """Return what *check* says of the *fields* apart from those that are *told* of already.

    The latter are still JSON, so what it says of them, or of the whole, may be due to that alone.
    """
    try:
        check(fields)
    except Misfit as reason:
        return [f for f in reason.faults if f.path and f.path[-1] not in told]
    return []


def is_root_model(cls: Any) -> bool:
    """Tell whether *cls*, a model, is a ``RootModel``: one value without a name."""
    pydantic: Any = sys.modules["pydantic"]
    return issubclass(cls, pydantic.RootModel)


def root_codec(cls: Any, site: Site) -> Codec:
    """Return the codec of a ``RootModel``."""
    (root,) = fields_of(cls, site)
    inner = root.site.codec(annotation_of(root))
    build = validated(cls)

    def encode(value: Any) -> Any:
        return inner.to_json(value.root) if isinstance(value, cls) else value

    return Codec(inner.type, lambda value: build(inner.to_python(value)), encode, is_instance(cls))


def extra_codec(cls: Any, site: Site) -> Codec | None:
    """Return the codec of the values that the model *cls* takes besides its fields; ``None`` where it takes none.

    A model that ignores further keys counts as one that takes none: what a caller gives is never dropped.
    """
    if cls.model_config.get("extra") != "allow":
        return None
    inner = site.of_class(cls)
    for base in cls.__mro__:
        hint = annotations_in(base).get("__pydantic_extra__")
        if hint is not None and not base.__module__.startswith("pydantic."):
            read = inner.read(hint) if isinstance(hint, str) else hint
            return inner.codec(get_args(read)[1])
    return inner.codec(Any)


def is_recursive_ref(annotation: Any) -> bool:
    """Tell whether *annotation* is what pydantic writes in a generic model for the model itself, while it makes it."""
    return type(annotation).__name__ == "PydanticRecursiveRef"


def recursive_ref_codec(annotation: Any, site: Site) -> Codec:
    """Return the codec of the model that *annotation* stands for: one whose fields are being read."""
    for cls in (site.owner, *site.work.open):
        if isinstance(cls, type) and is_model(cls) and _is_meant(cls, annotation.type_ref):
            return site.codec(cls)
    raise unsupported(
        f"{annotation.type_ref.partition(':')[0]} points to a model that is not known here", "name the model"
    )


def _is_meant(cls: Any, ref: str) -> bool:
    """Tell whether *ref* is of the model *cls*: pydantic writes the ids of the generic model and of its arguments."""
    made = cls.__pydantic_generic_metadata__
    outer, _, inner = ref.partition("[")
    return outer.endswith(f":{id(made['origin'] or cls)}") and all(f":{id(one)}" in inner for one in made["args"])


def is_pydantic_type(annotation: Any) -> bool:
    """Tell whether *annotation* is a class that only pydantic understands: ``SecretStr``, ``HttpUrl``."""
    return (
        isinstance(annotation, type)
        and "pydantic" in sys.modules
        and hasattr(annotation, "__get_pydantic_core_schema__")
    )


def pydantic_codec(annotation: Any, _: Site) -> Codec:
    """Return the codec of a class that pydantic understands, by pydantic's own schema."""
    if annotation.__name__ in OTHER_FORM:
        raise unsupported(*OTHER_FORM[annotation.__name__])
    adapter = _type_adapter(annotation)
    try:
        schema = adapter.json_schema()
    except Exception as reason:  # noqa: BLE001 - pydantic's errors for what has no schema
        raise unsupported(f"pydantic has no JSON Schema for {shown(annotation)}: {first_line(reason)}") from None
    node = arg_schema({k: v for k, v in schema.items() if k != "title"})
    holds = is_instance(annotation)

    def encode(value: Any) -> Any:
        return adapter.dump_python(value, mode="json") if holds(value) else value

    return Codec(node, _through(adapter, annotation, None), encode, holds)


def validated_by_pydantic(codec: Codec, annotation: Any) -> Codec:
    """Return *codec* whose decoded values pydantic sees too: validators stand beside the type."""
    return Codec(codec.type, _through(_type_adapter(annotation), annotation, codec.decode), codec.encode, codec.holds)


def _through(adapter: Any, annotation: Any, first: Change | None) -> Change:
    def decode(value: Any) -> Any:
        return adapter.validate_python(value if first is None else first(value))

    return refusing(decode, lambda _: f"{shown(annotation)} refuses it")


def _type_adapter(annotation: Any) -> Any:
    pydantic: Any = sys.modules["pydantic"]
    try:
        return pydantic.TypeAdapter(annotation)
    except Exception as reason:  # noqa: BLE001 - pydantic's errors for what it does not know
        raise unsupported(f"pydantic does not understand {shown(annotation)}: {first_line(reason)}") from None
