"""What calling a class means: which of its methods takes the arguments, and what its type variables stand for."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Mapping
from types import FunctionType, MethodType
from typing import Any, get_args, get_origin

from .annotations import annotations_in
from .site import Site, class_of_alias, site_of

Variables = Mapping[Any, Any]


def called(obj: Any) -> Any:
    """Return what has the signature that a call of *obj* has, also where its own only passes arguments on."""
    if isinstance(obj, functools.partial):
        inner = called(obj.func)
        return obj if inner is obj.func else functools.partial(inner, *obj.args, **obj.keywords)
    cls = class_of_alias(obj) or obj
    if not isinstance(cls, type) or getattr(cls, "__signature__", None) is not None:
        return cls
    maker = _maker_of(cls)
    return cls if maker is None else MethodType(maker[0], cls)


def place_of(obj: Any) -> Site:
    """Return where the annotations of the parameters of *obj* stand."""
    cls = constructed(obj)
    site = site_of(obj)
    if not isinstance(cls, type) or (maker := _maker_of(cls)) is None:
        return site
    function, base = maker
    spaces = (vars(base), {base.__name__: base}, *site_of(function).namespaces, *site.namespaces)
    return Site(spaces, variables_in(cls, own_variables(obj)).get(base, {}), cls)


def constructed(obj: Any) -> Any:
    """Return the class that *obj* builds, where it is one: also ``Class[…]``, and behind partials; else *obj*."""
    while isinstance(obj, functools.partial):
        obj = obj.func
    return class_of_alias(obj) or obj


def _maker_of(cls: type[Any]) -> tuple[FunctionType, type[Any]] | None:
    """Return the method that takes the arguments of a call of *cls*, and its class; ``None`` where none of Python does.

    It is the one that `inspect.signature` looks at. Where that passes on whatever it gets, the next one is.
    """
    # the last ones are those of `object`, which are not of Python
    method, base = next((m, b) for m, b in _methods_of(cls) if not (isinstance(m, FunctionType) and _passes_on(m)))
    return (method, base) if isinstance(method, FunctionType) else None


def _methods_of(cls: type[Any]) -> list[tuple[Any, type[Any]]]:
    """Return what gets the arguments of a call, in the order in which `inspect` prefers them."""
    meta = type(cls).__call__
    found: list[tuple[Any, type[Any]]] = [(meta, cls)] if isinstance(meta, FunctionType) else []
    known: set[str] = set()
    for base in cls.__mro__:
        for name in ("__new__", "__init__"):
            if name in vars(base) and name not in known:
                known.add(name)
                method = vars(base)[name]
                found.append((method.__func__ if isinstance(method, staticmethod) else method, base))
    return found


def _passes_on(function: FunctionType) -> bool:
    """Tell whether *function* takes anything, and says nothing of it: ``(cls, *args, **kwargs)``."""
    code = function.__code__
    if (
        code.co_argcount > 1
        or code.co_kwonlyargcount
        or not code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    ):
        return False
    variadic = code.co_varnames[code.co_argcount :]
    said = [hint for name, hint in annotations_in(function).items() if name in variadic]
    return "__wrapped__" not in vars(function) and all(hint in (Any, object, "Any", "object") for hint in said)


# ------------------------------------------------------------------ type variables


def own_variables(annotation: Any) -> dict[Any, Any]:
    """Return what the type variables of a class stand for in ``Class[…]``, also behind partials."""
    while isinstance(annotation, functools.partial):
        annotation = annotation.func
    parameters = getattr(class_of_alias(annotation), "__parameters__", ())
    return {p: _filled(a, {}) for p, a in zip(parameters, get_args(annotation), strict=False)}


def variables_in(cls: type[Any], own: Variables) -> dict[type[Any], Variables]:
    """Return what the type variables stand for in the body of *cls*, given its *own*, and of each class above it."""
    found: dict[type[Any], Variables] = {cls: own}
    for base in vars(cls).get("__orig_bases__", cls.__bases__):
        origin = class_of_alias(base) or base
        if isinstance(origin, type) and origin is not typing.Generic:
            parameters = getattr(origin, "__parameters__", ())
            inner = {p: _filled(a, own) for p, a in zip(parameters, get_args(base), strict=False)}
            for above, variables in variables_in(origin, inner).items():
                found[above] = found.get(above) or variables
    return found


def _filled(argument: Any, own: Variables) -> Any:
    """Return a type argument without type variables in it: one that nobody fills stands for all that it may be."""
    if isinstance(argument, typing.TypeVar):
        return own.get(argument, meaning_of(argument))
    free = (
        () if isinstance(argument, type) and get_origin(argument) is None else getattr(argument, "__parameters__", ())
    )
    return argument[tuple(own.get(p, meaning_of(p)) for p in free)] if free else argument


def meaning_of(variable: Any) -> Any:
    """Return what a type variable that nobody fills stands for: its default, its bound, one of its constraints."""
    default = getattr(variable, "__default__", None)
    if default is not None and type(default).__name__ != "NoDefaultType":
        return default
    if (bound := getattr(variable, "__bound__", None)) is not None:
        return bound
    constraints = getattr(variable, "__constraints__", ())
    return typing.Union[constraints] if constraints else Any  # noqa: UP007 - made at run time
