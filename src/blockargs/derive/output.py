"""What a constructor returns, as JSON."""

from __future__ import annotations

import types
from collections import abc
from collections.abc import Mapping
from typing import Any, Final, get_args, get_origin

from ..errors import UnsupportedAnnotationError
from ..types import arg_array
from .annotations import annotations_in
from .codec import Codec
from .hints import codec_of
from .site import Site, innermost, site_of

# what a call gives only when it is waited for or run through, and which of its arguments that is
_AWAITED: dict[Any, int] = {abc.Awaitable: 0, abc.Coroutine: 2}
EXPLICIT: Final = "__explicit_content__"  # the attribute of a class whose objects go out as they are
_RUN_THROUGH = (abc.Iterator, abc.Generator, abc.AsyncIterator, abc.AsyncGenerator, abc.AsyncIterable)


def output_of(constructor: Any) -> Codec | None:
    """Return the codec of what *constructor* returns.

    ``None`` where that is unknown: without a return annotation, for ``-> None``, for a class
    (which builds an object that the host keeps), and for an annotation that JSON cannot express.
    """
    function = innermost(constructor)
    if isinstance(function, type):
        return None
    annotation = annotations_in(function).get("return")
    if annotation is None:
        return None
    site = site_of(constructor)
    try:
        annotation = _awaited(site.resolved(annotation))
        return None if annotation is None or _is_explicit(annotation) else _result_codec(annotation, site)
    except UnsupportedAnnotationError:
        return None


def _awaited(annotation: Any) -> Any:
    """Return what is there once the call is over: the value of a coroutine, the list a generator runs through."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin in _AWAITED and args:
        return _awaited(args[_AWAITED[origin]])
    if origin in _RUN_THROUGH and args:
        return abc.Iterator[args[0]]  # type: ignore[valid-type]  # built at run time
    return annotation


def _result_codec(annotation: Any, site: Site) -> Codec:
    """Return the codec of a result; one that is run through is written as a list."""
    if get_origin(annotation) is not abc.Iterator:
        return codec_of(annotation, site)
    item = codec_of(get_args(annotation)[0], site)

    def encode(value: Any) -> Any:
        runs = isinstance(value, abc.Iterable) and not isinstance(value, str)
        return [item.to_json(v) for v in value] if runs else value

    return Codec(arg_array(item.type), None, encode, lambda _: False)


def _is_explicit(annotation: Any) -> bool:
    """Tell whether *annotation* is, or may be, content that says itself how it is shown: it has no schema."""
    return any(getattr(one, EXPLICIT, False) is True for one in (annotation, *get_args(annotation)))


def encode_any(value: Any) -> Any:
    """Return *value* as JSON by what it is, where no annotation says it.

    Raises:
        UnsupportedAnnotationError: There is no rule for its class.
    """
    if value is None or isinstance(value, bool | str | int | float):
        return value
    if isinstance(value, Mapping):
        return {k: encode_any(v) for k, v in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return codec_of(type(value)).to_json(value)
    if isinstance(value, list | tuple | set | frozenset | types.GeneratorType):
        return [encode_any(v) for v in value]
    if hasattr(value, "__index__"):  # a whole number of another library
        return value.__index__()
    return codec_of(type(value)).to_json(value)
