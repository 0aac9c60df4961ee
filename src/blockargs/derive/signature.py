"""The parameters of a constructor, whatever kind of callable it is."""

from __future__ import annotations

import functools
import inspect
import typing
import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args, get_origin

from .._text import first_line, quoted, unhumped
from ..errors import Problem, UnsupportedAnnotationError, at
from ..inject import HELPERS
from ..spec import MISSING
from ..validate.scan import is_utf8
from .annotations import annotations_in, signature_of
from .classes import by_its_class, called, constructed, own_variables, place_of
from .fields import Field, annotation_of, field_default, fields_of, record_kind
from .mistaken import BOUND, is_annotation, is_unbound, no_constructor, subject_of, unbound
from .remarks import NONE, Remarks, is_field_info, peeled, remarks_of
from .site import Site, innermost, is_plain_function, misplaced, site_of, unsupported

EMPTY = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a constructor.

    Attributes:
        name: Its name in Python.
        kind: ``positional_only``, ``positional_or_keyword``, ``var_positional``,
            ``keyword_only`` or ``var_keyword``.
        has_default: Whether a call can do without it.
        default: What is used then; ``MISSING`` where there is none, or only a call can tell.
        annotation: Its type, with names resolved; ``MISSING`` where there is none. A text is an
            annotation that could not be read.
        wire_name: Its name for callers.
        helper: The class of the injected helper that it asks for.
        remarks: What stands beside its type.
        given: Whether a call must be given the default, because Python would use another object.
        site: Where the annotation stands.
        attribute: The attribute that holds it, where it stands for a field.
    """

    name: str
    kind: str = "positional_or_keyword"
    has_default: bool = False
    default: Any = MISSING
    annotation: Any = MISSING
    wire_name: str = ""
    helper: type[Any] | None = None
    remarks: Remarks = field(default=NONE, repr=False, compare=False)
    given: bool = field(default=False, repr=False, compare=False)
    site: Site = field(default_factory=Site, repr=False, compare=False)
    attribute: str = field(default="", repr=False, compare=False)

    @property
    def documented(self) -> str:
        """Its name in docstrings."""
        return self.attribute or self.name

    @property
    def variadic(self) -> bool:
        """Whether it is ``*xs`` or ``**k``."""
        return self.kind in ("var_positional", "var_keyword")

    @property
    def by_place(self) -> bool:
        """Whether a call can give it without its name."""
        return self.kind in ("positional_only", "positional_or_keyword")

    @property
    def optional(self) -> bool:
        """Whether a call can leave it out."""
        return self.has_default or self.variadic


def parameters_of(obj: Any) -> tuple[Parameter, ...]:
    """Return the parameters of *obj*, in their order; an injected helper has its class in ``helper``.

    Args:
        obj: A function, class, dataclass, TypedDict, NamedTuple, attrs class, pydantic model,
            ``functools.partial``, bound method or callable object.

    Raises:
        UnsupportedAnnotationError: *obj* cannot be called, its signature cannot be read, two
            parameters ask for the same helper, or two have the same name for callers.
    """
    if not is_plain_function(obj):
        return _checked(obj, _read_from(obj))
    known = _known.get(obj)
    if known is not None:
        code, defaults, keywords, hints, found = known
        same = code is obj.__code__ and defaults is obj.__defaults__ and keywords is obj.__kwdefaults__
        if same and hints is annotations_in(obj):
            return found
    found = _checked(obj, _of_function(obj))
    if not any(isinstance(p.annotation, str) for p in found):
        if len(_known) >= REMEMBERED:
            _known.clear()
        _known[obj] = obj.__code__, obj.__defaults__, obj.__kwdefaults__, annotations_in(obj), found
    return found


REMEMBERED = 256  # plain functions; a registry asks for one several times while it takes it, and hardly later
_known: weakref.WeakKeyDictionary[Any, tuple[Any, Any, Any, Any, tuple[Parameter, ...]]] = weakref.WeakKeyDictionary()


def uid_of(obj: Any) -> str:
    """Return the uid that *obj* gets by its name: ``HeadBlock`` → ``head_block``, ``new_head`` → ``head``."""
    inner = innermost(obj)
    name = getattr(inner, "__name__", type(obj).__name__).partition("[")[0]  # pydantic's Page[int] is a class
    if name == "__call__":
        name = type(obj).__name__
        inner = type(obj)
    return _snake(name) if isinstance(inner, type) else name.removeprefix("new_") or name


def _snake(name: str) -> str:
    return unhumped(name, "_").lower()


def _keeps_init(model: Any) -> bool:
    """Tell whether a pydantic model is built by its fields: its author wrote no ``__init__``."""
    return bool(model.__init__.__module__.partition(".")[0] == "pydantic")


def _of_field(one: Field, kind: str = "keyword_only") -> Parameter:
    try:
        annotation = annotation_of(one)
        remarks = one.remarks if annotation is MISSING else _said_beside(annotation)
    except UnsupportedAnnotationError:
        annotation, remarks = _text_of(one.annotation), one.remarks
    return Parameter(
        name=one.init_name,
        kind=kind,
        has_default=one.has_default,
        default=one.default,
        annotation=annotation,
        wire_name=one.init_name,
        helper=helper_in(annotation),
        remarks=remarks,
        site=one.site,
        attribute=one.name,
    )


def _read_from(obj: Any) -> Iterator[Parameter]:
    if not callable(obj) or is_annotation(obj):
        raise no_constructor(obj)
    cls = constructed(obj)
    kind = record_kind(cls)
    fields = [] if kind is None else fields_of(cls, Site(variables=own_variables(obj)))
    by_fields = (kind == "model" and _keeps_init(cls)) or kind == "typed_dict"
    if by_fields and not isinstance(obj, functools.partial):
        return map(_of_field, fields)
    return _of_signature(obj, {f.init_name: f for f in fields})


def _of_signature(obj: Any, fields: Mapping[str, Field]) -> Iterator[Parameter]:
    try:
        signature = signature_of(called(obj))
    except Exception as reason:  # noqa: BLE001 - a stranger's attributes may raise anything
        cure = "wrap it in a function with typed parameters"
        raise unsupported(f"its signature cannot be read: {first_line(reason)}", cure) from None
    site = place_of(obj)
    dispatched = by_its_class(obj)
    for one in signature.parameters.values():
        if dispatched and one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD:
            one, dispatched = one.replace(kind=inspect.Parameter.POSITIONAL_ONLY), False  # noqa: PLW2901 - the same one
        if (known := fields.get(one.name)) is not None and _is_the_field(one, known, site):
            yield _of_field(replace(known, **_default_of(one)), _KINDS[one.kind])
        else:
            raw = MISSING if one.annotation is EMPTY else one.annotation
            default = MISSING if one.default is EMPTY else one.default
            yield from _of_parameter(one.name, _KINDS[one.kind], raw, default, site)


_KINDS = {
    inspect.Parameter.POSITIONAL_ONLY: "positional_only",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional_or_keyword",
    inspect.Parameter.VAR_POSITIONAL: "var_positional",
    inspect.Parameter.KEYWORD_ONLY: "keyword_only",
    inspect.Parameter.VAR_KEYWORD: "var_keyword",
}


def _of_function(function: Any) -> Iterator[Parameter]:
    """Yield the parameters of a plain function, read from its code: ten times as fast as a signature."""
    code = function.__code__
    names, places, only = code.co_varnames, code.co_argcount, code.co_posonlyargcount
    hints, site = annotations_in(function), site_of(function)
    defaults, keywords = function.__defaults__ or (), function.__kwdefaults__ or {}
    first = places - len(defaults)
    for index in range(places):
        name = names[index]
        kind = "positional_only" if index < only else "positional_or_keyword"
        default = defaults[index - first] if index >= first else MISSING
        yield from _of_parameter(name, kind, hints.get(name, MISSING), default, site)
    last = places + code.co_kwonlyargcount
    rest = last
    if code.co_flags & inspect.CO_VARARGS:
        yield from _of_parameter(names[rest], "var_positional", hints.get(names[rest], MISSING), MISSING, site)
        rest += 1
    for name in names[places:last]:
        yield from _of_parameter(name, "keyword_only", hints.get(name, MISSING), keywords.get(name, MISSING), site)
    if code.co_flags & inspect.CO_VARKEYWORDS:
        yield from _of_parameter(names[rest], "var_keyword", hints.get(names[rest], MISSING), MISSING, site)


def _is_the_field(one: inspect.Parameter, known: Field, site: Site) -> bool:
    """Tell whether a parameter stands for the field of its name; in an ``__init__`` of the author's it need not."""
    hint, wanted = one.annotation, known.annotation
    if hint is wanted or hint == wanted or (hint is EMPTY and (wanted is MISSING or known.inferred)):
        return True
    read = [_read(raw, MISSING, place)[0] for raw, place in ((hint, site), (wanted, known.site))]
    return bool(peeled(read[0])[0] == peeled(read[1])[0])


# what stands in a signature for a default that is made anew at each call, or that only the class knows
_LIBRARIES = frozenset({"dataclasses", "attr", "pydantic", "pydantic_core"})


def _default_of(one: inspect.Parameter) -> dict[str, Any]:
    """Return what the signature says of the default of a parameter that stands for a field; the field knows the rest."""
    if one.default is EMPTY:
        return {"has_default": False, "default": MISSING}
    if type(one.default).__module__.partition(".")[0] in _LIBRARIES:
        return {}
    return {"has_default": True, "default": one.default}


def _of_parameter(name: str, kind: str, raw: Any, default: Any, site: Site) -> Iterator[Parameter]:
    if type(raw) is type and raw not in HELPERS and not is_field_info(default):
        yield Parameter(name, kind, default is not MISSING, default, raw, name, None, NONE, False, site)
        return
    annotation, remarks = _read(raw, default, site)
    if kind == "var_keyword" and _is_unpacked(annotation):
        yield from _unpacked(get_args(annotation)[0], site)
        return
    has_default, given = default is not MISSING, False
    if is_field_info(default):
        (has_default, default), given = field_default(remarks), True
    elif remarks.default is not MISSING and not has_default:
        default, has_default, given = remarks.default, True, True
    yield Parameter(
        name=name,
        kind=kind,
        has_default=has_default,
        default=default,
        annotation=annotation,
        wire_name=remarks.alias or name,
        helper=helper_in(annotation),
        remarks=remarks,
        given=given,
        site=site,
    )


def _is_unpacked(annotation: Any) -> bool:
    origin = get_origin(annotation)
    return origin is not None and (origin is typing.Unpack or getattr(origin, "_name", "") == "Unpack")


def _unpacked(typed_dict: Any, site: Site) -> Iterator[Parameter]:
    """Yield the keys of ``**k: Unpack[SomeTypedDict]``: each is a keyword of its own."""
    cls = get_origin(typed_dict) or typed_dict
    for one in fields_of(cls, site):
        yield _of_field(one)


def _read(raw: Any, default: Any, site: Site) -> tuple[Any, Remarks]:
    """Return the annotation with its names resolved, and all that is said beside it."""
    try:
        annotation = site.resolved(raw)
    except UnsupportedAnnotationError:
        return _text_of(raw), NONE
    if is_field_info(default):  # x: int = Field(5, ge=1) says what x: Annotated[int, Field(ge=1)] = 5 says
        annotation = typing.Annotated[Any if annotation is MISSING else annotation, default]
    return annotation, NONE if isinstance(annotation, type) else _said_beside(annotation)


def _said_beside(annotation: Any) -> Remarks:
    return remarks_of(peeled(annotation)[1])


def _text_of(raw: Any) -> str:
    """Return an annotation that could not be read as its author wrote it."""
    return raw if isinstance(raw, str) else str(raw.__forward_arg__)


def helper_in(annotation: Any) -> type[Any] | None:
    """Return the helper class that *annotation* asks for, also inside ``Annotated`` and ``Optional``."""
    inner, _ = peeled(annotation)
    if isinstance(inner, type) and inner in HELPERS:
        return inner
    args = get_args(inner)
    if type(None) in args:
        rest = [a for a in args if a is not type(None)]
        if len(rest) == 1:
            return helper_in(rest[0])
    return None


def _checked(obj: Any, parameters: Iterable[Parameter]) -> tuple[Parameter, ...]:
    """Return *parameters*, of which no two ask for the same helper or have the same name for callers."""
    try:
        found = tuple(parameters)
    except UnsupportedAnnotationError as reason:
        subject = reason.subject or (subject_of(obj) if callable(obj) else "")
        raise UnsupportedAnnotationError(reason.problems, subject) from None
    if found and found[0].name in BOUND and found[0].by_place and is_unbound(obj, found[0].name):
        raise unbound(obj)
    problems: list[Problem] = []
    helpers: dict[type[Any], str] = {}
    wires: dict[str, str] = {}
    for one in found:
        if one.helper is not None:
            if one.variadic:
                problems += misplaced(one.helper, at("$", one.name)).problems
            elif one.helper in helpers:
                message = f"'{helpers[one.helper]}' and '{one.name}' both ask for a {one.helper.__name__}"
                problems.append(_problem(one.name, message, "ask for one of each"))
            helpers.setdefault(one.helper, one.name)
        elif (name := one.wire_name) and name not in wires and (name.isascii() or is_utf8(name)):
            wires[name] = one.name
        else:
            problems.append(_name_problem(one, wires))
    if problems:
        raise UnsupportedAnnotationError(problems, subject_of(obj))
    return found


def _name_problem(one: Parameter, wires: Mapping[str, str]) -> Problem:
    """Return what is wrong with the name of *one* for callers, given those of the others."""
    name, known = one.wire_name, wires.get(one.wire_name)
    if known is None:
        return _problem(one.name, f"{quoted(name)} is no name for an argument", "name it by a text")
    if known == one.name:
        message = f"{quoted(name)} is a parameter, and a key of the TypedDict that ** unpacks as well"
        return _problem(name, message, "rename one of them")
    message = f"'{known}' and '{one.name}' are both called {quoted(name)} by callers"
    return _problem(one.name, message, "give one of them another alias")


def _problem(name: str, message: str, hint: str) -> Problem:
    return Problem(code=UnsupportedAnnotationError.code, path=at("$", name), message=message, hint=hint)
