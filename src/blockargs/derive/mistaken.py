"""What is given as a constructor by mistake: how it is named, and what was meant."""

from __future__ import annotations

import functools
from types import CoroutineType, ModuleType
from typing import Any

from .._text import quoted
from ..errors import UnsupportedAnnotationError
from .site import class_of_alias, innermost, shown, unsupported


def subject_of(obj: Any) -> str:
    """Return how errors name *obj*: ``function 'steps.head'``."""
    inner = innermost(obj)
    module = getattr(inner, "__module__", None)
    name = getattr(inner, "__qualname__", type(obj).__qualname__)
    return f"{'class' if isinstance(inner, type) else 'function'} '{f'{module}.' if module else ''}{name}'"


def is_annotation(obj: Any) -> bool:
    """Tell whether *obj* only says which values there are: ``Any``, ``Literal[1]``, ``Annotated[head, "x"]``."""
    if isinstance(obj, type):
        return obj is Any
    if type(obj).__module__ not in ("typing", "typing_extensions"):
        return False
    cls = class_of_alias(obj)
    return cls is None or cls.__module__ in ("typing", "collections.abc")


def no_constructor(obj: Any) -> UnsupportedAnnotationError:
    """Return the error for what is given as a constructor and is none, with what was meant."""
    what, cure = quoted(obj), f"give its class, or let '{type(obj).__name__}' have a __call__"
    if is_annotation(obj):
        return unsupported(f"a constructor is a function or class, not the annotation {shown(obj)}", _GIVEN_BY_ITSELF)
    for kinds, name, hint in _MISTAKEN:
        if isinstance(obj, kinds):
            what, cure = name.format(quoted(obj.__name__ if isinstance(obj, ModuleType) else obj)), hint
            break
    return unsupported(f"a constructor is a function or class, not {what}", cure)


_GIVEN_BY_ITSELF = "give the function or class itself; arg_type_of gives the type of an annotation"
# what is given by mistake, how it is named, and what was meant; the first that matches wins
_MISTAKEN: tuple[tuple[Any, str, str], ...] = (
    (str, "the text {}", "give the function or class itself, not its name"),
    (ModuleType, "the module {}", "give a function or class out of it"),
    (type(None), "None", "give the function itself, without the () that call it"),
    (CoroutineType, "{}", "give the function itself, without the () that call it"),
    ((int, float, bytes), "{}", "give a function or a class"),
    ((classmethod, property), "the {} in the body of a class", "give it out of the finished class: Frame.from_rows"),
    (
        (functools.partialmethod, functools.singledispatchmethod, functools.cached_property),
        "the {} in the body of a class",
        "give it out of an instance, such as Frame().head",
    ),
    ((list, tuple, set, dict), "{}", "give one after another, or all to register_blocks"),
)


BOUND = frozenset(("self", "cls", "cls_or_self"))  # what a method is given by being bound


def is_unbound(obj: Any, first: str) -> bool:
    """Tell whether *obj* is a function out of the body of a class, whose *first* parameter, one of `BOUND`, nobody has filled."""
    inner = innermost(obj)
    if isinstance(inner, type):
        return False
    body = str(getattr(inner, "__qualname__", "")).rpartition(".")[0]
    return first == "cls_or_self" or bool(body and not body.endswith("<locals>"))


def unbound(obj: Any) -> UnsupportedAnnotationError:
    """Return the error for a method that is not bound."""
    made = getattr(obj, "__partialmethod__", None) or getattr(obj, "_partialmethod", None)  # the older is the latter
    method = innermost(obj if made is None else made.func)
    name = getattr(method, "__qualname__", type(method).__name__)
    cure = "give it out of an instance, such as Frame().head, or make it a @staticmethod"
    message = f"a constructor is a function or class, not the unbound method {quoted(name)}"
    return UnsupportedAnnotationError.of(message, hint=cure, subject=subject_of(method))
