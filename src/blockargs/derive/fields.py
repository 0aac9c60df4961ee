"""The fields of record classes: dataclass, TypedDict, NamedTuple, attrs class, pydantic model."""

from __future__ import annotations

import dataclasses
import sys
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from ..spec import MISSING
from .annotations import annotations_in
from .attrs_validators import said_by
from .classes import variables_in
from .remarks import NONE, Remarks, alias_names, is_field_info, peeled, remarks_of
from .site import Site

PLAIN_FACTORIES: tuple[Any, ...] = (list, dict, set, frozenset, tuple, str, int, float, bool)


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One field of a record class.

    Attributes:
        name: The attribute that holds it.
        init_name: The keyword that its constructor takes.
        annotation: Its type as written; ``MISSING`` where there is none.
        site: Where the annotation stands.
        has_default: Whether the constructor can do without.
        default: What is used then; ``MISSING`` where that is only known at the call.
        remarks: What is said of it apart from its annotation, in a ``Field`` or in metadata.
        stored: Whether an instance keeps it.
        inferred: Whether its author wrote no type, and a validator tells it.
    """

    name: str
    init_name: str
    annotation: Any
    site: Site
    has_default: bool
    default: Any = MISSING
    remarks: Remarks = NONE
    stored: bool = True
    inferred: bool = False


def annotation_of(one: Field) -> Any:
    """Return the annotation of *one* with its names resolved, and with what is said apart from it beside its type.

    Raises:
        UnsupportedAnnotationError: A name in it is unknown.
    """
    annotation = one.site.resolved(one.annotation)
    return annotation if annotation is MISSING or one.remarks is NONE else typing.Annotated[annotation, one.remarks]


def record_kind(cls: Any) -> str | None:
    """Return which kind of record class *cls* is; ``None`` when it is none."""
    if not isinstance(cls, type):
        return None
    if is_model(cls):
        return "model"
    if dataclasses.is_dataclass(cls):
        return "dataclass"
    if "__attrs_attrs__" in cls.__dict__:
        return "attrs"
    if issubclass(cls, dict) and hasattr(cls, "__total__") and hasattr(cls, "__required_keys__"):
        return "typed_dict"
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return "named_tuple"
    return None


def is_model(cls: type[Any]) -> bool:
    """Tell whether *cls* is a pydantic model (version 2)."""
    pydantic = sys.modules.get("pydantic")
    return pydantic is not None and hasattr(pydantic, "RootModel") and issubclass(cls, pydantic.BaseModel)


def fields_of(cls: type[Any], site: Site) -> list[Field]:
    """Return the fields that *cls* is made from, in their order.

    Args:
        cls: A class that `record_kind` knows.
        site: Where the class was found; its own names come first.
    """
    return list(_READERS[record_kind(cls) or ""](cls, site))


def _of_dataclass(cls: type[Any], site: Site) -> Iterator[Field]:
    sites = _sites(cls, site)
    stored: Mapping[str, Any] = cls.__dataclass_fields__
    pydantic_fields: Mapping[str, Any] = getattr(cls, "__pydantic_fields__", {})
    for field in stored.values():
        kind = field._field_type.name  # noqa: SLF001 - the only sign of an InitVar; dataclasses.fields leaves them out
        if not field.init or kind == "_FIELD_CLASSVAR":
            continue
        factory = None if field.default_factory is dataclasses.MISSING else field.default_factory
        has_default = field.default is not dataclasses.MISSING or factory is not None
        default = _made(factory) if factory is not None else _or_missing(field.default)
        info = pydantic_fields.get(field.name, default if is_field_info(default) else None)
        remarks = NONE if info is None else _said(info)
        if is_field_info(default):
            has_default, default = field_default(remarks)
        if isinstance(text := field.metadata.get("description"), str) and remarks.arg.description is None:
            remarks = dataclasses.replace(remarks, arg=remarks.arg.with_(description=text))
        if info is not None and field.name in pydantic_fields:
            remarks = _reachable(info, remarks, getattr(cls, "__pydantic_config__", {}))
        annotation = field.type.type if isinstance(field.type, dataclasses.InitVar) else field.type
        yield Field(
            field.name,
            remarks.alias if field.name in pydantic_fields and remarks.alias else field.name,
            annotation,
            sites(field.name),
            has_default,
            default,
            remarks,
            kind != "_FIELD_INITVAR",
        )


def _of_attrs(cls: type[Any], site: Site) -> Iterator[Field]:
    sites = _sites(cls, site)
    attrs: Any = sys.modules["attr"]
    hints: Mapping[str, Any] = annotations_in(cls.__init__)
    for attribute in cls.__attrs_attrs__:
        if not attribute.init:
            continue
        factory = isinstance(attribute.default, attrs.Factory)
        has_default = attribute.default is not attrs.NOTHING
        default = (
            _made(attribute.default.factory) if factory and not attribute.default.takes_self else attribute.default
        )
        init_name = attribute.alias or attribute.name.lstrip("_")
        annotation = hints.get(init_name, MISSING) if attribute.converter else attribute.type
        text = attribute.metadata.get("description")
        remarks = remarks_of((text,)) if isinstance(text, str) else NONE
        if not attribute.converter:  # else it looks at what the converter made
            annotation, remarks = _validated(annotation, remarks, attribute.validator)
        shown = MISSING if not has_default or isinstance(default, attrs.Factory) else default
        annotation = MISSING if annotation is None else annotation
        inferred = attribute.type is None and annotation is not MISSING
        place = sites(attribute.name)
        yield Field(attribute.name, init_name, annotation, place, has_default, shown, remarks, inferred=inferred)


def _validated(annotation: Any, remarks: Remarks, validator: Any) -> tuple[Any, Remarks]:
    """Return *annotation* and *remarks* with what a *validator* of attrs says."""
    said = said_by(validator)
    types = [one for one in said.pop("type", ()) if not isinstance(one, tuple)]
    if annotation is None and (types or "one_of" in said):
        annotation = types[0] if types else Any
    if annotation is None or not said:
        return annotation, remarks
    bounds = tuple((name, bound) for name, found in said.items() for bound in found)
    return annotation, dataclasses.replace(remarks, bounds=bounds)


def _of_typed_dict(cls: type[Any], site: Site) -> Iterator[Field]:
    # the annotations of all its bases are its own, so their type variables are as well
    above = variables_in(cls, site.variables).values()
    inner = site.of_class(cls, {p: a for own in reversed(list(above)) for p, a in own.items()})
    needed: frozenset[str] = cls.__required_keys__
    for name, annotation in annotations_in(cls).items():
        place = inner
        if isinstance(annotation, typing.ForwardRef):
            place = inner.of_module(_module_of(annotation))
            annotation = place.read(annotation.__forward_arg__)  # noqa: PLW2901 - the same annotation, read
        required, annotation = _qualified(annotation, name in needed)  # noqa: PLW2901 - without its qualifiers
        yield Field(name, name, annotation, place, not required)


def _of_named_tuple(cls: type[Any], site: Site) -> Iterator[Field]:
    sites = _sites(cls, site)
    hints: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        hints |= annotations_in(base)
    defaults: Mapping[str, Any] = cls._field_defaults
    for name in cls._fields:
        yield Field(name, name, hints.get(name, MISSING), sites(name), name in defaults, defaults.get(name, MISSING))


def _of_model(cls: Any, site: Site) -> Iterator[Field]:
    sites = _sites(cls, site)
    for name, info in cls.model_fields.items():
        remarks = _reachable(info, _said(info), cls.model_config)
        has_default, default = field_default(remarks)
        by_name = cls.model_config.get("validate_by_alias") is False
        wire = name if by_name or remarks.alias is None else remarks.alias
        annotation = MISSING if info.annotation is None and not has_default else info.annotation
        yield Field(name, wire, annotation, sites(name), has_default, default, remarks)


def _said(info: Any) -> Remarks:
    """Return what the ``Field`` *info* of a class says; the class itself runs the validators in it, once."""
    return dataclasses.replace(remarks_of((info,)), adapter=False)


def _reachable(info: Any, remarks: Remarks, config: Mapping[str, Any]) -> Remarks:
    """Return *remarks*, which refuse the field where pydantic looks for it in nested data alone."""
    alias = info.validation_alias
    if alias is None or any(alias_names(alias)) or config.get("validate_by_alias") is False:
        return remarks
    if config.get("validate_by_name") or config.get("populate_by_name"):
        return remarks
    cure = "give it a plain alias, or the model validate_by_name=True"
    return dataclasses.replace(remarks, refusal=(f"its alias {alias!r} is a path into nested data", cure))


def field_default(remarks: Remarks) -> tuple[bool, Any]:
    """Return whether a ``Field`` has a default, and which: ``MISSING`` where only a call can tell."""
    if remarks.factory is not None:
        return True, _made(remarks.factory)
    return remarks.default is not MISSING, remarks.default


def _made(factory: Any) -> Any:
    """Return the default that *factory* makes, where it is a plain one: nothing of the author's is called."""
    return factory() if factory in PLAIN_FACTORIES else MISSING


def _or_missing(value: Any) -> Any:
    return MISSING if value is dataclasses.MISSING else value


def _qualified(annotation: Any, required: bool) -> tuple[bool, Any]:  # noqa: FBT001 - what holds without a qualifier
    """Take ``Required``, ``NotRequired`` and ``ReadOnly`` off *annotation*, also from inside ``Annotated``."""
    inner, metadata = peeled(annotation)
    while (name := getattr(get_origin(inner), "_name", None)) in ("Required", "NotRequired", "ReadOnly"):
        required = required if name == "ReadOnly" else name == "Required"
        inner, more = peeled(get_args(inner)[0])
        metadata = (*more, *metadata)
    return required, typing.Annotated[(inner, *metadata)] if metadata else inner


def _module_of(ref: typing.ForwardRef) -> str | None:
    module = ref.__forward_module__
    return module if isinstance(module, str) else getattr(module, "__name__", None)


def _sites(cls: type[Any], site: Site) -> Any:
    """Return the function from a field's name to where its annotation stands: the class that declares it."""
    places: dict[str, Site] = {}
    variables = variables_in(cls, site.variables)
    for base in cls.__mro__:
        names = annotations_in(base)
        if names:
            place = dataclasses.replace(site.of_class(base, variables.get(base, {})), owner=cls)
            for name in names:
                places.setdefault(name, place)
    own = site.of_class(cls)
    return lambda name: places.get(name, own)


_READERS = {
    "dataclass": _of_dataclass,
    "attrs": _of_attrs,
    "typed_dict": _of_typed_dict,
    "named_tuple": _of_named_tuple,
    "model": _of_model,
}
