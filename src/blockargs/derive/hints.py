"""From an annotation to its codec: the list of rules, the first that matches wins."""

from __future__ import annotations

import dataclasses
import re
import threading
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

from .._text import quoted
from ..errors import (
    InvalidArgTypeError,
    InvalidArgumentsError,
    InvalidBlockArgTypeError,
    UnsupportedAnnotationError,
    at,
)
from ..imported import arg_schema, with_description
from ..inject import HELPERS
from ..node import ArgType
from ..spelling import parse_type
from ..types import arg_any
from ..validate import problems_in
from ..validate.budget import begun, over
from ..validate.scan import is_utf8
from . import choices, containers, models, records, scalars, unions
from .agree import laid_over
from .bounds import bounded
from .classes import meaning_of, with_variables
from .codec import Change, Codec, Misfit, is_instance, misfit
from .recursion import recursive
from .refusals import refused, refusing
from .remarks import Remarks, remarks_of
from .rules import Rule, only
from .site import MAX_DEPTH, Site, misplaced, shown, unsupported, unwritable

MAX_CACHED = 4096  # codecs that are kept; past it all are forgotten


@dataclass(frozen=True, slots=True)
class _Cached:
    codec: Codec
    annotation: Any  # kept, so that the ids in its key stay its own


_cache: dict[Any, _Cached] = {}
_own: tuple[Rule, ...] = ()
_lock = threading.Lock()


def codec_of(annotation: Any, site: Site | None = None) -> Codec:
    """Return what *annotation* means at *site*.

    Raises:
        UnsupportedAnnotationError: It cannot be expressed as an argument type.
    """
    if not _own and (found := _plain(annotation)) is not None:
        return found
    site = site or Site()
    if site.variables:
        annotation = with_variables(annotation, site.variables)
    key = _key(annotation)
    cached = None if key is None else _cache.get(key)
    # inside of what is being read, what recurs is read anew: the order of reading shows nowhere
    if cached is not None and not (site.work.open and "$defs" in cached.codec.type):
        return cached.codec
    known = _own
    codec = _compiled(annotation, site)
    if key is not None and not site.work.pointing:
        with _lock:
            if known is _own:  # else it may hold what was meant before a class was registered
                if len(_cache) >= MAX_CACHED:
                    _cache.clear()
                _cache[key] = _Cached(codec, annotation)
    return codec


def _plain(annotation: Any) -> Codec | None:
    try:
        return scalars.PLAIN.get(annotation)
    except TypeError:  # not hashable
        return None


def _key(annotation: Any, depth: int = 0) -> Any:
    """Return a key under which equal annotations are the same in every respect; ``None`` for what depends on its place."""
    if depth > MAX_DEPTH:
        return None
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation
    if annotation is None or annotation is ...:
        return (annotation,)
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, beside = _key(annotation.__origin__, depth + 1), annotation.__metadata__
        # remarks of a field are made anew at each reading, so that they are met just once
        fresh = inner is None or any(isinstance(one, Remarks) for one in beside)
        return None if fresh else (origin, inner, tuple(map(id, beside)))
    if choices.is_literal(annotation):
        return (origin, tuple((type(v), v) for v in get_args(annotation)))
    if origin is None:
        return None
    parts = tuple(_key(a, depth + 1) for a in get_args(annotation))
    return None if None in parts else (origin, parts)


def _compiled(annotation: Any, site: Site) -> Codec:
    site.work.depth += 1
    try:
        if site.work.depth > MAX_DEPTH:
            raise unsupported(f"it is nested deeper than {MAX_DEPTH} levels", "flatten it")
        for rule in (*_own, *RULES):
            if rule.matches(annotation):
                return rule.codec(annotation, site)
    finally:
        site.work.depth -= 1
    raise unsupported(f"{shown(annotation)} cannot be expressed as JSON", _cure(annotation))


def _cure(annotation: Any) -> str:
    if get_origin(annotation) is type or annotation is type:
        return "take its name as a text"
    if callable(annotation) and not isinstance(annotation, type):
        return "give it a type that JSON can hold, or Annotated[…, Arg(type=…)]"
    return "use register_type for its class, Annotated[…, Arg(type=…)], or a dataclass"


# ------------------------------------------------------------------ the rules that need the others


def _record(annotation: Any, site: Site) -> Codec:
    key = annotation if isinstance(annotation, type) else _key(annotation) or (id(annotation),)
    cls = get_origin(annotation) or annotation
    return recursive(key, _name_of(annotation), site, lambda: records.record_codec(annotation, site), cls)


def _name_of(annotation: Any) -> str:
    # pydantic makes a class of G[int], and calls it that
    args = get_args(annotation) or getattr(annotation, "__pydantic_generic_metadata__", {}).get("args", ())
    name = getattr(annotation, "__name__", None) or getattr(get_origin(annotation), "__name__", "Type")
    words = [str(name).partition("[")[0], *(getattr(a, "__name__", "") for a in args if args)]
    return "_".join(w for w in words if w and w.isidentifier()) or "Type"


def _annotated(annotation: Any, site: Site) -> Codec:
    remarks = remarks_of(annotation.__metadata__)
    tag = remarks.discriminator
    inner: Any = annotation.__origin__
    if remarks.arg.type is not None:
        return _given(inner, remarks.arg.type, site)
    codec = unions.joined(inner, site, tag) if tag and unions.is_union(inner) else site.codec(inner)
    if remarks.refusal:
        raise unsupported(*remarks.refusal)
    if remarks.encoded:
        codec = Codec(codec.type, None, codec.encode, codec.holds)
    if remarks.bounds or remarks.checks:
        codec = bounded(codec, remarks)
    if remarks.adapter:
        codec = models.validated_by_pydantic(codec, annotation)
    if remarks.arg.description is not None:
        if not is_utf8(remarks.arg.description):
            raise unwritable(remarks.arg.description)
        codec = Codec(with_description(codec.type, remarks.arg.description), codec.decode, codec.encode, codec.holds)
    if remarks.arg.error is not None:
        codec = Codec(codec.type.with_(error=remarks.arg.error), codec.decode, codec.encode, codec.holds)
    return codec


def _given(inner: Any, node: ArgType, site: Site) -> Codec:
    """Return the codec of *inner* under a type that its author gives; where it has none, values stay JSON."""
    try:
        codec = site.codec(inner)
    except UnsupportedAnnotationError:
        holds = is_instance(inner) if isinstance(inner, type) else lambda _: False
        return Codec(node, None, None, holds)
    if problems := laid_over(node, codec.type, shown(inner)):
        raise InvalidBlockArgTypeError(problems)
    return Codec(node, under(node, codec), codec.encode, codec.holds)


def under(node: ArgType, codec: Codec) -> Change | None:
    """Return the decoding for values that fit *node*, which their author gave for *codec*'s own type."""
    return codec.decode if node == codec.type or codec.decode is None else fitted(codec)


def fitted(codec: Codec) -> Change | None:
    """Return the decoding for values that were not checked against this very type: they must fit it too."""
    if not codec.type and codec.decode is None:
        return None

    def decode(value: Any) -> Any:
        if problems := problems_in(value, codec.type):
            raise Misfit.of(problems)
        return codec.to_python(value)

    return decode


def _text(annotation: Any, site: Site) -> Codec:
    name = annotation if isinstance(annotation, str) else annotation.__forward_arg__
    meant = site.read(name)
    if isinstance(meant, type):
        return site.codec(meant)
    # an expression such as "list[Rec]" means another object at each reading, but the same thing in the same place
    key = (id(meant),) if name.isidentifier() else (name, id(site.namespaces), id(site.variables))
    title = "_".join(re.findall(r"\w+", name)) if name.isascii() else "Type"
    return recursive(key, title, site, lambda: site.codec(meant))


def _alias(annotation: Any, site: Site) -> Codec:
    origin = get_origin(annotation) or annotation
    variables = {**site.variables, **dict(zip(origin.__type_params__, get_args(annotation), strict=False))}
    inner = Site(site.namespaces, variables, site.owner, site.work).of_module(origin.__module__)
    key = _key(annotation) or (origin, str(get_args(annotation)))
    return recursive(key, origin.__name__, inner, lambda: inner.codec(origin.__value__))


def _new_type(annotation: Any, site: Site) -> Codec:
    return site.codec(annotation.__supertype__)


def _variable(annotation: Any, site: Site) -> Codec:
    if annotation in site.variables:
        return site.codec(site.variables[annotation])
    return site.codec(meaning_of(annotation))


def _self(_: Any, site: Site) -> Codec:
    if site.owner is None:
        raise unsupported("Self has no class here", "name the class")
    return site.codec(site.owner)


def _qualifier(annotation: Any, site: Site) -> Codec:
    args = get_args(annotation)
    return site.codec(args[0] if args else Any)


def _pattern(annotation: Any, site: Site) -> Codec:
    if get_args(annotation) and get_args(annotation)[0] is not str:
        raise unsupported(f"{shown(annotation)} works on bytes", "use re.Pattern[str]")
    return site.codec(get_origin(annotation))


def _is_helper(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, HELPERS)


def _misplaced(helper: Any, _: Site) -> Codec:
    if helper in HELPERS:
        raise misplaced(helper)
    known = next(cls for cls in HELPERS if issubclass(helper, cls)).__name__
    message = f"the host fills in a {known}, and knows nothing of its subclass {shown(helper)}"
    raise unsupported(message, f"write {known.lower()}: {known}")


def _is_text(annotation: Any) -> bool:
    return isinstance(annotation, str | typing.ForwardRef)


def _is_alias(annotation: Any) -> bool:
    return type(get_origin(annotation) or annotation).__name__ == "TypeAliasType"


def _named(*names: str) -> Callable[[Any], bool]:
    def matches(annotation: Any) -> bool:
        meant = get_origin(annotation) or annotation
        return getattr(meant, "_name", None) in names and type(meant).__module__ in ("typing", "typing_extensions")

    return matches


def _is_pattern(annotation: Any) -> bool:
    return get_origin(annotation) is re.Pattern


# which annotations, what they mean; the first that matches wins. To understand one more, add a row
RULES: tuple[Rule, ...] = (
    Rule(lambda a: _plain(a) is not None, lambda a, _: scalars.PLAIN[a]),
    Rule(lambda a: get_origin(a) is Annotated, _annotated),
    Rule(_is_text, _text),
    Rule(unions.is_union, unions.union_codec),
    Rule(choices.is_literal, choices.literal_codec),
    Rule(choices.is_enum, choices.enum_codec),
    Rule(containers.is_sequence, containers.sequence_codec),
    Rule(containers.is_table, containers.table_codec),
    Rule(_is_helper, _misplaced),
    Rule(records.is_record, _record),
    Rule(containers.is_tuple, containers.tuple_codec),
    Rule(containers.is_set, containers.set_codec),
    Rule(containers.is_counter, containers.counter_codec),
    Rule(scalars.is_known_class, scalars.class_codec),
    Rule(_is_pattern, _pattern),
    Rule(_is_alias, _alias),
    Rule(lambda a: hasattr(a, "__supertype__"), _new_type),
    Rule(lambda a: isinstance(a, typing.TypeVar), _variable),
    Rule(lambda a: isinstance(a, dataclasses.InitVar), lambda a, site: site.codec(a.type)),
    Rule(_named("Self"), _self),
    Rule(_named("LiteralString"), lambda _, site: site.codec(str)),
    Rule(_named("Final", "Required", "NotRequired", "ReadOnly", "ClassVar"), _qualifier),
    Rule(models.is_recursive_ref, models.recursive_ref_codec),
    Rule(models.is_pydantic_type, models.pydantic_codec),
)


# ------------------------------------------------------------------ public


def register_type(
    cls: Any,
    to_type: ArgType | Mapping[str, Any] | str,
    decode: Callable[[Any], Any],
    encode: Callable[[Any], Any],
) -> None:
    """Teach the derivation one class of yours (or one annotation); the newest registration wins.

    Args:
        cls: The class, as it stands in annotations. Its subclasses are not meant.
        to_type: The argument type of its JSON: an ``arg_*()``, a JSON Schema, or the short spelling.
        decode: JSON that fits → an instance; what it raises becomes a problem.
        encode: An instance → JSON.

    Raises:
        InvalidArgTypeError: *to_type* is no valid type, *cls* no annotation, *decode* or *encode* cannot be called.
    """
    if cls is None or isinstance(cls, str | bytes | int | float | list | tuple | dict | set):
        raise InvalidArgTypeError.of(
            f"{quoted(cls)} is no class", hint="give the class as it stands in annotations", path="$.cls"
        )
    for name, change in (("decode", decode), ("encode", encode)):
        if not callable(change):
            hint = "give a function of one value"
            raise InvalidArgTypeError.of(f"{quoted(change)} cannot be called", hint=hint, path=at("$", name))
    global _own  # noqa: PLW0603 - the one table that users extend
    node = parse_type(to_type) if isinstance(to_type, str) else arg_schema(to_type)
    if isinstance(cls, type):
        codec = Codec(node, _unless(cls, refusing(decode, refused)), only(cls, encode), is_instance(cls))
    else:
        codec = Codec(node, refusing(decode, refused), encode, lambda _: False)
    rule = Rule(lambda given: given is cls or (type(given) is type(cls) and given == cls), lambda *_: codec)
    with _lock:
        _own = (rule, *_own)
        _cache.clear()


def _unless(cls: type[Any], decode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: value if isinstance(value, cls) else decode(value)


def arg_type_of(annotation: Any) -> ArgType:
    """Return the argument type of any annotation.

    >>> arg_type_of(list[int])
    {'type': 'array', 'items': {'type': 'integer'}}

    Raises:
        UnsupportedAnnotationError: It cannot be expressed.
    """
    return codec_of(annotation).type


def decode(annotation: Any, value: Any) -> Any:
    """Return JSON *value* as *annotation* promises it; what already is that stays.

    >>> decode(tuple[int, float], [1, 2])
    (1, 2.0)

    Raises:
        InvalidArgumentsError: *value* does not fit; every problem is named.
        UnsupportedAnnotationError: *annotation* cannot be expressed.
    """
    codec = codec_of(annotation)
    problems = problems_in(value, codec.type)
    if problems:
        if codec.is_ready(value):
            return value
        raise InvalidArgumentsError(problems)
    new = begun()
    try:
        return codec.to_python(value)
    except Misfit as reason:
        raise reason.error() from reason.cause
    finally:
        if new:
            over()


def encode(annotation: Any, value: Any) -> Any:
    """Return Python *value* as JSON, the inverse of `decode`.

    Raises:
        InvalidArgumentsError: *value* is not what *annotation* says, so what comes out does not fit.
        UnsupportedAnnotationError: *annotation* cannot be expressed.
    """
    codec = codec_of(annotation)
    try:
        out = codec.to_json(value)
    except Misfit as reason:
        raise reason.error() from None
    except RecursionError:
        raise misfit("it is nested too deeply to be written, or contains itself", "use fewer levels").error() from None
    if problems := problems_in(out, codec.type):
        raise InvalidArgumentsError(problems)
    return out


def accepts_python(annotation: Any, value: Any) -> bool:
    """Tell whether Python *value* already is what *annotation* says."""
    return codec_of(annotation).is_ready(value)


UNTYPED = Codec(arg_any(), None, None, lambda _: True)
