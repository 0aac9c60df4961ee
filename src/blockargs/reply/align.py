"""A parse tree brought into the form that a type wants, by repairs that have one reading.

A value that fits is left as it is; what cannot be read stays, for the
validator to speak of. Nothing here decides that a value is valid.
"""

from __future__ import annotations

import math
from typing import Any

from .._text import quoted
from ..errors import at
from ..keywords import kind_of
from ..node import json_key
from .fits import fits
from .grammar import STARTS_AS_JSON
from .keys import Meant
from .leaves import Bad, Num, Raw, flat, number_of, plain
from .log import ELEMENT, PROPERTY, REFUSED, ROOT, Log
from .shape import Shape
from .texts import json_text
from .unions import align_union
from .values import ABSENT_WORDS, NOTHING, NULL_WORDS, SCALARS, integer_of, option_of, told

_SCALAR_LEAVES = frozenset({str, bool, int, float, type(None), Num})
_SEPARATORS = frozenset(",;|\n")


def aligned(tree: Any, shape: Shape, *, is_json: bool = False) -> tuple[Any, Log]:
    """Return *tree* as JSON in the form of *shape*, and what was changed or had no single reading.

    Args:
        tree: What was read.
        shape: What is wanted.
        is_json: Whether it is known to be JSON already: numbers are numbers, and every text is whole.
    """
    log = Log(is_json=is_json)
    return align(tree, shape, "$", ROOT, log), log


def align(value: Any, shape: Shape, path: str, place: str, log: Log) -> Any:
    """Return *value*, which stands at *path*, in the form of *shape*; *log* learns of every change."""
    kind = type(value)
    if kind in shape.as_is or (kind is str and value in shape.texts):
        return value
    if kind is Raw and shape.types != ("string",) and STARTS_AS_JSON(value):
        return _unclear(value, path, log)
    if kind is Bad:
        log.bad(value.problem, path)
        return REFUSED
    if shape.branches:
        return align_union(value, shape, path, place, log, align)
    if kind is dict and "object" in shape.types:
        return align_object(value, shape, path, log)
    if kind is list and "array" in shape.types:
        return _align_list(value, shape, path, log)
    if shape.anything:
        return copied(value, path, log)
    if kind in (str, Raw) and not {"object", "array"}.isdisjoint(shape.types) and not _is_text(value, shape):
        return _align_text(value, shape, path, place, log)
    return _align_scalar(value, shape, path, place, log)


def copied(value: Any, path: str, log: Log) -> Any:
    """Return *value* as JSON; *log* learns of the faults in it."""
    if isinstance(value, dict):
        return {key: copied(v, at(path, key), log) for key, v in value.items()}
    if isinstance(value, list):
        known = flat(value)
        return [copied(v, at(path, i), log) for i, v in enumerate(value)] if known is None else known
    if isinstance(value, Bad):
        log.bad(value.problem, path)
        return REFUSED
    if isinstance(value, Raw) and STARTS_AS_JSON(value):
        return _unclear(value, path, log)
    return plain(value)


def _unclear(value: Raw, path: str, log: Log) -> Any:
    message = f"{quoted(str(value))} may be one text or several values"
    log.problem("unquoted_text", path, message, "put each text in double quotes")
    return REFUSED


def _is_text(value: str, shape: Shape) -> bool:
    return "string" in shape.types and shape.accepts(str(value))


# ---------------------------------------------------------------- scalars


def _align_scalar(value: Any, shape: Shape, path: str, place: str, log: Log) -> Any:
    if shape.free and len(shape.types) == 1 and (new := _of_one_kind(value, shape, path, log)) is not NOTHING:
        return new
    given = _number(value, shape, path, log) if type(value) is Num else plain(value)
    if given is REFUSED and value is not None:
        return REFUSED
    if type(value) is not Raw and _fits(given, shape):
        return given
    if isinstance(value, list) and "contentMediaType" not in shape.node:
        return _only_member(value, shape, path, place, log, given)
    if isinstance(value, dict) and "array" in shape.types:
        return _wrapped(value, shape, path, place, log, given)
    found = list(_scalar_readings(value, shape))
    distinct = {json_key(new): (new, rule) for new, rule in reversed(found)}
    if len(distinct) == 1:
        new, rule = found[0]
        if type(value) is not Raw or rule != "to_string":  # the parser noted bare text
            _told(log, rule, path, value, new)
        return new
    if distinct:
        log.problem("ambiguous", path, f"{quoted(given)} can be read as {_either([v for v, _ in distinct.values()])}")
        return REFUSED
    return _wrapped(value, shape, path, place, log, given) if "array" in shape.types else given


def _of_one_kind(value: Any, shape: Shape, path: str, log: Log) -> Any:
    """Return *value* where its kind alone decides and one kind is wanted, quickly; `NOTHING` where more is to be asked."""
    wanted, kind = shape.types[0], type(value)
    if kind is Num and wanted in ("integer", "number"):
        number = number_of(value)
        return number if type(number) is int or (wanted == "number" and math.isfinite(number)) else NOTHING
    if kind is not Num and (kind is not str or wanted == "string" or shape.nullable):
        return NOTHING
    rule, read = _READINGS.get(wanted, ("", None))
    if read is None or (new := read(value, shape)) is NOTHING:
        return NOTHING
    _told(log, rule, path, value, new)
    return new


_READINGS = {kind: (rule, read) for kind, rule, read in SCALARS}


def _told(log: Log, rule: str, path: str, value: Any, new: Any) -> None:
    if log.noting():
        log.note(rule, path, plain(value), new, told(value, new, rule))


def _either(values: list[Any]) -> str:
    return " or ".join(quoted(v) for v in values)


def _fits(value: Any, shape: Shape) -> bool:
    """Tell whether a scalar is valid; cheaply where its kind decides."""
    return not isinstance(value, dict | list) and shape.accepts(value)


def _number(value: Num, shape: Shape, path: str, log: Log) -> Any:
    """Return the number that *value* writes, whole where an integer is wanted."""
    number = number_of(value)
    if isinstance(number, int):
        return number
    if not math.isfinite(number):
        if "string" not in shape.types:
            log.problem("not_finite", path, f"{quoted(str(value))} is larger than any number can be")
            return REFUSED
        return number
    if "integer" in shape.types and "number" not in shape.types:
        whole = integer_of(value, shape)
        if whole is not NOTHING:
            return whole
        if number.is_integer() and ("string" not in shape.types or shape.accepts(number)):
            log.problem("inexact", path, f"{quoted(str(value))} cannot be read exactly", "write every digit of it")
            return REFUSED
    return number


def _scalar_readings(value: Any, shape: Shape) -> Any:
    """Yield ``(new value, rule)`` for each reading of *value* that is valid."""
    if shape.nullable and isinstance(value, str) and value.strip().casefold() in NULL_WORDS:
        yield None, "to_null"
    if shape.options is not None:
        new, rule = option_of(value, shape)
        if rule and shape.accepts(new):
            yield new, rule
            return
    for kind, rule, read in SCALARS:
        if kind in shape.types and (new := read(value, shape)) is not NOTHING and shape.accepts(new):
            yield new, rule


# ---------------------------------------------------------------- one value for a list, a list for one value


def _only_member(value: list[Any], shape: Shape, path: str, place: str, log: Log, given: Any) -> Any:
    """Return the one item of a list where a scalar is wanted; at the root, where an object is."""
    wants_object = place == ROOT and "object" in shape.types
    if len(value) != 1 or place == ELEMENT or isinstance(value[0], dict) is not wants_object:
        return given
    trial = log.trial()
    new = align(value[0], shape, path, ELEMENT, trial)
    if isinstance(value[0], list) or trial.problems or not (wants_object or shape.accepts(new)):
        return given
    log.note("list_of_one", path, given, new, "took the one item of a list")
    log.take(trial)
    return new


def _wrapped(value: Any, shape: Shape, path: str, place: str, log: Log, given: Any) -> Any:
    """Return *value* as the one item of the list that is wanted."""
    element = shape.element
    if place != PROPERTY or element is None or element.anything or shape.prefix or value is None:
        return given
    if isinstance(value, str) and not isinstance(value, Num):
        words = value.strip()
        if words.casefold() in ABSENT_WORDS or words[0] in "[{" or not _SEPARATORS.isdisjoint(words):
            return given
    trial = log.trial()
    new = align(value, element, at(path, 0), ELEMENT, trial)
    if trial.problems or not fits([new], shape, log.fitting):
        return given
    log.note("one_for_list", path, given, [new], "took one value as a list of one")
    log.take(trial)
    return [new]


def _align_text(value: str, shape: Shape, path: str, place: str, log: Log) -> Any:
    """Return the object or list whose JSON the text *value* is."""
    tree = json_text(value)
    if tree is not None and kind_of(tree) in shape.types:
        known, log.is_json = log.is_json, False  # in a text numbers are as they were written
        new = align(tree, shape, path, place, log)
        log.is_json = known
        log.note("json_text", path, str(value), new, f"read a text as the JSON {kind_of(tree)} it holds")
        return new
    if isinstance(tree, dict) and "string" not in shape.types:
        trial = log.trial()
        trial.is_json = False
        new = _wrapped(tree, shape, path, place, trial, REFUSED)
        if new is not REFUSED:
            log.note("json_text", path, str(value), new, "read a text as the JSON object it holds")
            log.take(trial)
            return new
    return _align_scalar(value, shape, path, place, log)


# ---------------------------------------------------------------- lists and objects


def _align_list(value: list[Any], shape: Shape, path: str, log: Log) -> list[Any]:
    first, element = len(shape.prefix), shape.element
    if element is not None and not first and (known := _as_they_are(value, element)) is not None:
        return known
    out = []
    for i, item in enumerate(value):
        wanted = shape.prefix[i] if i < first else element
        if wanted is not None and type(item) in wanted.as_is:
            out.append(item)
            continue
        here = f"{path}[{i}]"
        out.append(copied(item, here, log) if wanted is None else align(item, wanted, here, ELEMENT, log))
    return out


def _as_they_are(items: list[Any], element: Shape) -> list[Any] | None:
    """Return *items* as JSON where the kind of all of them is the one that *element* wants; else ``None``."""
    if not element.as_is:
        return None
    known = flat(items)
    return known if known is not None and set(map(type, known)).issubset(element.as_is) else None


def align_object(value: dict[str, Any], shape: Shape, path: str, log: Log) -> dict[str, Any]:
    """Return the object *value* with its keys and values in the form of *shape*."""
    out: dict[str, Any] = {}
    origin: dict[str, str] = {}
    meant: Meant | None = None  # most objects have the keys that they should have
    for key, item in value.items():
        wanted = shape.fields.get(key)
        if wanted is not None and key not in origin:
            kind = type(item)
            if kind in wanted.as_is or (kind is str and item in wanted.texts):  # nearly every member
                out[key], origin[key] = item, key
                continue
        if wanted is not None:
            name, rule = key, ""
        else:
            meant = meant or Meant(value, shape, align)
            name, rule = meant.target(key, item)
        if name not in shape.fields:
            plainly = shape.extra is None and type(item) in _SCALAR_LEAVES  # it is refused as it is
            out[key] = plain(item) if plainly else _extra(item, shape, at(path, key), log)
            continue
        here = at(path, name)
        if _left_out(item, name, shape):
            log.note("left_out", here, plain(item), None, f"read {quoted(plain(item))} as left out")
            continue
        new = align(item, shape.fields[name], here, PROPERTY, log)
        if rule and log.noting():
            log.note(rule, here, key, name, f"read the key {quoted(key)} as '{name}'")
        if name in origin and json_key(out[name]) != json_key(new):
            both = f"{quoted(origin[name])} and {quoted(key)}"
            log.problem("duplicate_key", here, f"it is given twice, as {both}, with different values", "give it once")
        out.setdefault(name, new)
        origin.setdefault(name, key)
    return out


def _extra(item: Any, shape: Shape, path: str, log: Log) -> Any:
    if shape.extra is None or "patternProperties" in shape.node:
        return copied(item, path, log)
    return align(item, shape.extra, path, ELEMENT, log)


def _left_out(item: Any, name: str, shape: Shape) -> bool:
    """Tell whether *item* says that the optional property *name* is not given."""
    if name in shape.required:
        return False
    wanted = shape.fields[name]
    if item is None:
        return not wanted.accepts(None)
    if wanted.nullable and isinstance(item, str) and item.strip():
        return False  # it is null there, as null without quotes is
    if not isinstance(item, str) or item.strip().casefold() not in ABSENT_WORDS or wanted.accepts(str(item)):
        return False
    return wanted.options is None or option_of(item, wanted)[0] is NOTHING
