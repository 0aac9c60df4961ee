"""Lists, tuples, sets and tables."""

from __future__ import annotations

import collections
import functools
import typing
from collections import abc
from collections.abc import Callable
from typing import Any, get_args, get_origin

from .._text import quoted
from ..node import ArgType
from ..types import arg_array, arg_json_array, arg_json_object, arg_map, arg_tuple
from .classes import is_row
from .codec import Change, Codec, Gathered, Misfit, is_instance, misfit
from .fields import PLAIN_FACTORIES, fields_of, record_kind
from .remarks import peeled
from .site import Site, shown, unsupported

# origin -> what the function gets. To understand one more list-like class, add a row
SEQUENCES: dict[Any, Callable[[Any], Any]] = {
    list: list,
    abc.Sequence: list,
    abc.MutableSequence: list,
    abc.Iterable: list,
    abc.Collection: list,
    abc.Reversible: list,
    abc.Container: list,
    collections.deque: collections.deque,
}
SETS: dict[Any, Callable[[Any], Any]] = {
    set: set,
    abc.MutableSet: set,
    abc.Set: frozenset,
    frozenset: frozenset,
}
TABLES: dict[Any, Callable[[Any], Any]] = {
    dict: dict,
    abc.Mapping: dict,
    abc.MutableMapping: dict,
    collections.OrderedDict: collections.OrderedDict,
    collections.defaultdict: collections.defaultdict,
}
_ANYTHING = (Any, object)
_NO_LISTS = (str, bytes, bytearray, memoryview, abc.Mapping)  # collections too, but nobody means them by Sequence[T]


def origin_of(annotation: Any) -> Any:
    """Return the class that a generic alias is made from, or the class itself."""
    return get_origin(annotation) or annotation


def _known(rows: dict[Any, Any]) -> Callable[[Any], bool]:
    def matches(annotation: Any) -> bool:
        try:
            return origin_of(annotation) in rows
        except TypeError:  # not hashable, so none of these
            return False

    return matches


is_sequence, is_set, is_table = _known(SEQUENCES), _known(SETS), _known(TABLES)


def is_tuple(annotation: Any) -> bool:
    """Tell whether *annotation* is a tuple, fixed or variadic."""
    return origin_of(annotation) is tuple


def sequence_codec(annotation: Any, site: Site) -> Codec:
    """Return the codec of a list of members of one type."""
    origin = origin_of(annotation)
    make = SEQUENCES[origin]
    item = site.codec((get_args(annotation) or (Any,))[0])
    is_one = _is_list_like(origin)
    # what a function returns as a list may be a tuple: on the wire they are the same
    written = (lambda value: isinstance(value, list | tuple)) if origin is list else is_one
    return Codec(
        arg_array(item.type), _many(item.decode, make), _listed(written, item.encode), _all_hold(is_one, item.holds)
    )


def _is_list_like(origin: Any) -> Callable[[Any], bool]:
    """Return the test for what *origin* promises: a tuple is a Sequence, but no list. What runs out is never asked."""
    if origin in (list, collections.deque):
        return is_instance(origin)
    return lambda value: (
        isinstance(value, origin) and isinstance(value, abc.Collection) and not isinstance(value, _NO_LISTS)
    )


def set_codec(annotation: Any, site: Site) -> Codec:
    """Return the codec of a set: a list without repeats; written in order where its members have one."""
    origin = origin_of(annotation)
    make = SETS[origin]
    args = get_args(annotation)
    item = site.codec(args[0]) if args else None
    node = arg_array(item.type if item else ArgType({}), unique_items=True)
    decode = _many(item.decode if item else None, list)

    def hashed(value: Any) -> Any:
        members = decode(value)
        try:
            made = make(members)
        except TypeError:
            raise misfit("a member cannot be part of a set", "give texts, numbers or booleans") from None
        if len(made) < len(members):
            raise _repeated(members, list(value))
        return made

    def encode(value: Any) -> Any:
        if not isinstance(value, set | frozenset):
            return value
        members = [item.to_json(v) if item else v for v in value]
        try:
            return sorted(members)
        except TypeError:
            return members

    return Codec(node, hashed, encode, _all_hold(is_instance(origin), item.holds if item else None))


def _repeated(members: list[Any], given: list[Any]) -> Misfit:
    """Return what is wrong with what a set takes for a member before it: 1 and true are equal in Python."""
    seen: dict[Any, int] = {}
    places = ((seen.setdefault(one, index), index) for index, one in enumerate(members))
    first, again = next((first, index) for first, index in places if first != index)
    message = f"{quoted(given[again])} stands for the same as {quoted(given[first])} in a set"
    return misfit(message, "keep one", code="not_unique").under(again)


def tuple_codec(annotation: Any, site: Site) -> Codec:
    """Return the codec of a tuple: of fixed length with a type for each place, or of any length."""
    args = get_args(annotation)
    if annotation in (tuple, typing.Tuple) or (len(args) == 1 and is_row(args[0])):  # noqa: UP006 - met as well
        return Codec(arg_json_array(), tuple, _listed(_is_row, None), is_instance(tuple))
    if len(args) == 2 and args[1] is ...:  # noqa: PLR2004 - tuple[T, ...]
        item = site.codec(args[0])
        return Codec(
            arg_array(item.type),
            _many(item.decode, tuple),
            _listed(_is_row, item.encode),
            _all_hold(is_instance(tuple), item.holds),
        )
    if any(a is ... or is_unpacked(a) for a in args):
        raise unsupported(f"{shown(annotation)} has no fixed length", "write tuple[T, ...] or a list")
    places = [site.codec(a) for a in args]
    return Codec(arg_tuple(*(p.type for p in places)), _each(places), _each_back(places), _each_holds(places))


def is_unpacked(annotation: Any) -> bool:
    """Tell whether *annotation* is ``*tuple[…]`` or ``Unpack[…]``."""
    return getattr(annotation, "__unpacked__", False) or get_origin(annotation) is typing.Unpack


def table_codec(annotation: Any, site: Site) -> Codec:
    """Return the codec of a table; its keys are whatever is written as text."""
    origin = origin_of(annotation)
    make = TABLES[origin]
    args = get_args(annotation)
    if origin is collections.defaultdict:
        make = functools.partial(collections.defaultdict, _factory(annotation, args[1] if args else None, site))
    if not args:
        return Codec(arg_json_object(), _to(make), _copied, is_instance(origin))
    key = _key_codec(annotation, args[0], site)
    value = site.codec(args[1])
    node = arg_map(value.type)
    names = {k: v for k, v in key.type.items() if k != "type"}
    if names:
        node = node | {"propertyNames": names}
    if key.decode is None and value.decode is None:
        decode: Change = _to(make)
    else:
        decode = _entries(key, value, make)
    return Codec(node, decode, _entries_back(key, value), _entries_hold(origin, key, value))


def _factory(annotation: Any, value: Any, site: Site) -> Callable[[], Any]:
    """Return what makes the missing value of a defaultdict: the class of its values, called without arguments."""
    inner, _ = peeled(site.resolved(value))
    if inner in PLAIN_FACTORIES or (record_kind(inner) and all(f.has_default for f in fields_of(inner, site))):
        made: Callable[[], Any] = inner
        return made
    for matches, nothing in ((is_sequence, list), (is_set, list), (is_table, dict), (is_counter, dict)):
        if matches(inner):
            codec, empty = site.codec(inner), nothing  # of this row
            return lambda: codec.to_python(empty())
    message = f"what {shown(annotation)} holds for a missing key is not known"
    raise unsupported(message, "use dict, or values that can be made without arguments: int, str, list …")


def counter_codec(annotation: Any, site: Site) -> Codec:
    """Return the codec of a `collections.Counter`."""
    args = get_args(annotation) or (str,)
    inner = table_codec(dict[args[0], int], site)  # type: ignore[valid-type]  # built at run time
    plain, holds = inner.to_python, inner.holds
    return Codec(
        inner.type,
        lambda value: collections.Counter(plain(value)),
        inner.encode,
        lambda value: isinstance(value, collections.Counter) and holds(value),
    )


def is_counter(annotation: Any) -> bool:
    """Tell whether *annotation* is a Counter."""
    return origin_of(annotation) is collections.Counter


def _key_codec(annotation: Any, key: Any, site: Site) -> Codec:
    if key in _ANYTHING or key is abc.Hashable:
        return site.codec(str)
    codec = site.codec(key)
    kind = codec.type.get("type")
    if kind == "string":
        return codec
    if codec.type == {"type": "integer"}:
        return Codec(ArgType({"type": "string", "pattern": "^-?[0-9]+$"}), _whole_key, str, codec.holds)
    raise unsupported(
        f"the keys of {shown(annotation)} cannot be written as text", "use str keys, or a list of records"
    )


def _whole_key(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise misfit("the key has too many digits") from None


def _to(make: Callable[[Any], Any]) -> Change:
    return lambda value: value if type(value) is make else make(value)


def _many(decode: Change | None, make: Callable[[Any], Any]) -> Change:
    if decode is None:
        return _to(make)

    def many(value: Any) -> Any:
        try:
            out = [decode(v) for v in value]
        except Misfit:
            out = _one_by_one(decode, value)
        return out if make is list else make(out)

    return many


def _one_by_one(decode: Change, value: Any) -> list[Any]:
    """Decode once more, to name the place of each that does not fit."""
    out = []
    wrong = Gathered()
    for index, one in enumerate(value):
        try:
            out.append(decode(one))
        except Misfit as reason:
            wrong.add(index, reason)
            if wrong.is_full:
                break
    wrong.tell()
    return out


def _is_row(value: Any) -> bool:
    return isinstance(value, tuple | list)


def _listed(is_one: Callable[[Any], bool], encode: Change | None) -> Change:
    def listed(value: Any) -> Any:
        if not is_one(value):
            return value
        return list(value) if encode is None else [encode(v) for v in value]

    return listed


def _copied(value: Any) -> Any:
    return dict(value) if isinstance(value, abc.Mapping) else value


def _all_hold(is_one: Callable[[Any], bool], holds: Callable[[Any], bool] | None) -> Callable[[Any], bool]:
    return is_one if holds is None else lambda value: is_one(value) and all(map(holds, value))


def _each(places: list[Codec]) -> Change:
    def each(value: Any) -> Any:
        out = []
        wrong = Gathered()
        for index, (place, one) in enumerate(zip(places, value, strict=True)):
            try:
                out.append(place.to_python(one))
            except Misfit as reason:
                wrong.add(index, reason)
        wrong.tell()
        return tuple(out)

    return each


def _each_back(places: list[Codec]) -> Change:
    def each(value: Any) -> Any:
        if not isinstance(value, tuple | list) or len(value) != len(places):
            return value
        return [place.to_json(one) for place, one in zip(places, value, strict=True)]

    return each


def _each_holds(places: list[Codec]) -> Callable[[Any], bool]:
    def holds(value: Any) -> bool:
        return (
            isinstance(value, tuple)
            and len(value) == len(places)
            and all(place.holds(one) for place, one in zip(places, value, strict=True))
        )

    return holds


def _entries(key: Codec, value: Codec, make: Callable[[Any], Any]) -> Change:
    def entries(table: Any) -> Any:
        out = {}
        wrong = Gathered()
        for name, one in table.items():
            try:
                made = key.to_python(name)
                if made in out:
                    raise misfit(f"the key {quoted(name)} stands for the same as one before", "keep one")
                out[made] = value.to_python(one)
            except Misfit as reason:
                wrong.add(name, reason)
                if wrong.is_full:
                    break
        wrong.tell()
        return out if make is dict else make(out)

    return entries


def _entries_back(key: Codec, value: Codec) -> Change:
    def entries(table: Any) -> Any:
        if not isinstance(table, abc.Mapping):
            return table
        return {key.to_json(name): value.to_json(one) for name, one in table.items()}

    return entries


def _entries_hold(origin: Any, key: Codec, value: Codec) -> Callable[[Any], bool]:
    def holds(table: Any) -> bool:
        return isinstance(table, origin) and all(key.holds(k) and value.holds(v) for k, v in table.items())

    return holds
