"""Which declared property a written key means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .fits import fits
from .leaves import Bad
from .log import PROPERTY, Align, Log
from .names import MIN_TYPO, fold, one_typo, same_style
from .shape import Shape

MAX_TYPOS = 100  # keys of one object that are compared letter by letter


class Meant:
    """The keys of one object, compared with the declared names of its shape."""

    __slots__ = ("_align", "_left", "_missing", "_shape", "_value")

    def __init__(self, value: Mapping[str, Any], shape: Shape, align: Align) -> None:
        self._align = align
        self._value = value
        self._shape = shape
        self._missing: frozenset[str] | None = None
        self._left = MAX_TYPOS

    def target(self, key: str, item: Any) -> tuple[str, str]:
        """Return the declared name that *key* means and the rule that tells so, else *key* and ``""``.

        An alias and another style are read where the key would be an error, or
        its property is missing though required; a typo only in the latter case.
        """
        shape = self._shape
        alias = shape.aliases.get(key)
        name = alias if alias is not None or _begins_otherwise(key, shape.initials) else same_style(key, shape.by_fold)
        if name is not None and name in shape.fields:
            wanted = name in shape.required and name not in self._value
            if alias is not None or shape.closed or wanted:
                return name, "key_alias" if alias is not None else "key_style"
        if self._missing is None:
            self._missing = shape.required - self._value.keys()
        if not self._missing or isinstance(item, Bad) or self._left <= 0:
            return key, ""
        self._left -= 1
        name = one_typo(key, shape.fields)
        return (
            (name, "key_typo") if name in self._missing and _fits(item, shape.fields[name], self._align) else (key, "")
        )


def may_mean(key: str, shape: Shape) -> bool:
    """Tell cheaply whether *key* may mean a declared name that it is not."""
    if key not in shape.aliases and _begins_otherwise(key, shape.initials):
        return False
    return key in shape.aliases or len(fold(key)) >= MIN_TYPO or fold(key) in shape.by_fold


def _begins_otherwise(key: str, initials: frozenset[str]) -> bool:
    """Tell cheaply that *key* has another style-free spelling than any declared name."""
    return key.isascii() and key.lstrip("_-. ")[:1].lower() not in initials


def _fits(item: Any, shape: Shape, align: Align) -> bool:
    trial = Log()
    new = align(item, shape, "$", PROPERTY, trial)
    return not trial.problems and fits(new, shape, trial.fitting)
