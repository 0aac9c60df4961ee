"""jsonschema as the judge of our verdicts, with checkers written apart from ours."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import jsonschema
import regex
from referencing import Registry

from blockargs.formats import has_format

Draft = jsonschema.Draft202012Validator


def as_json(value, depth=0):
    """Return *value* as plain JSON; raise ValueError where it is none or too deep."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.encode().decode()  # UnicodeEncodeError is a ValueError
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(value, list | dict):
        if depth >= 100:
            raise ValueError("too deep")
        if isinstance(value, list):
            return [as_json(v, depth + 1) for v in value]
        if all(isinstance(k, str) for k in value):
            return {as_json(k): as_json(v, depth + 1) for k, v in value.items()}
    raise ValueError(f"no JSON: {value!r}")


def _pattern(validator, pattern, value, schema):
    if isinstance(value, str) and not regex.search(pattern, value):
        yield jsonschema.ValidationError("pattern")


def _multiple_of(validator, factor, value, schema):
    if isinstance(value, int | float) and not isinstance(value, bool):
        with localcontext() as context:
            context.prec = 5000
            if Decimal(str(value)) % Decimal(str(factor)):
                yield jsonschema.ValidationError("multipleOf")


def _format(validator, name, value, schema):
    if isinstance(value, str) and not has_format(value, name):
        yield jsonschema.ValidationError("format")


def _is_integer(checker, value):
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return whole and not isinstance(value, bool)


Oracle = jsonschema.validators.extend(
    Draft,
    {"pattern": _pattern, "multipleOf": _multiple_of, "format": _format},
    type_checker=Draft.TYPE_CHECKER.redefine("integer", _is_integer),
)


def fits(value, schema):
    """Tell whether *value* is JSON and fits *schema*, as jsonschema sees it."""
    try:
        plain = as_json(value)
    except ValueError:
        return False
    return Oracle(schema, registry=Registry()).is_valid(plain)
