"""Which declared property a written key means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .leaves import Bad
from .log import Log
from .names import one_typo, same_style
from .shape import Shape


def target_of(key: str, item: Any, value: Mapping[str, Any], shape: Shape) -> tuple[str, str]:
    """Return the declared name that *key* of *value* means and the rule that tells so, else *key* and ``""``.

    An alias and another style are read where the key would be an error, or
    its property is missing though required; a typo only in the latter case.
    """
    alias = shape.aliases.get(key)
    name = alias if alias is not None else same_style(key, shape.by_fold)
    if name is not None and name in shape.fields:
        wanted = name in shape.required and name not in value
        if alias is not None or shape.closed or wanted:
            return name, "key_alias" if alias is not None else "key_style"
    name = one_typo(key, shape.fields)
    if name is None or name not in shape.required or name in value or isinstance(item, Bad):
        return key, ""
    return (name, "key_typo") if _fits(item, shape.fields[name]) else (key, "")


def _fits(item: Any, shape: Shape) -> bool:
    from .align import PROPERTY, align

    trial = Log()
    new = align(item, shape, "$", PROPERTY, trial)
    return not trial.problems and shape.accepts(new)
