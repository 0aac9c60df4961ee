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
        return _bound_dispatch(obj) or cls
    maker = _maker_of(cls)
    return cls if maker is None else MethodType(maker[0], cls)


def by_its_class(obj: Any) -> bool:
    """Tell whether the class of the first argument decides what is called, so that it goes by place: `singledispatch`."""
    while isinstance(obj, functools.partial):
        obj = obj.func
    return isinstance(obj, FunctionType) and "register" in vars(obj) and hasattr(obj, "__wrapped__")


def _bound_dispatch(obj: Any) -> Any:
    """Return the method that a `singledispatchmethod` was made of, as *obj* is bound; ``None`` for what is none."""
    if not by_its_class(obj) or not obj.__closure__:
        return None
    kept = dict(zip(obj.__code__.co_freevars, (cell.cell_contents for cell in obj.__closure__), strict=True))
    if not {"obj", "cls"} <= kept.keys():  # a plain singledispatch is bound to nothing
        return None
    return obj.__wrapped__.__get__(kept["obj"], kept["cls"])


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
    return _assigned(parameters, get_args(annotation), {})


def variables_in(cls: type[Any], own: Variables) -> dict[type[Any], Variables]:
    """Return what the type variables stand for in the body of *cls*, given its *own*, and of each class above it."""
    found: dict[type[Any], Variables] = {cls: own}
    for base in vars(cls).get("__orig_bases__", cls.__bases__):
        origin = class_of_alias(base) or base
        if isinstance(origin, type) and origin is not typing.Generic:
            parameters = getattr(origin, "__parameters__", ())
            inner = _assigned(parameters, get_args(base), own)
            for above, variables in variables_in(origin, inner).items():
                found[above] = found.get(above) or variables
    return found


def _assigned(parameters: tuple[Any, ...], given: tuple[Any, ...], own: Variables) -> dict[Any, Any]:
    """Return what each of *parameters* stands for: ``*Ts`` for a tuple of all that the others leave."""
    arguments = [one for argument in given for one in _unpacked(argument, own)]
    row = next((i for i, p in enumerate(parameters) if isinstance(p, typing.TypeVarTuple)), None)
    if row is None or not arguments:
        return dict(zip(parameters, arguments, strict=False))
    rest = len(parameters) - row - 1
    end = len(arguments) - rest
    several = {} if any(is_row(one) for one in arguments[row:end]) else {parameters[row]: tuple(arguments[row:end])}
    before = dict(zip(parameters[:row], arguments[:row], strict=False))
    return {**before, **several, **dict(zip(parameters[row + 1 :], arguments[end:], strict=False))}


def is_row(annotation: Any) -> bool:
    """Tell whether *annotation* is ``*Ts``."""
    return get_origin(annotation) is typing.Unpack and isinstance(get_args(annotation)[0], typing.TypeVarTuple)


def _unpacked(argument: Any, own: Variables) -> tuple[Any, ...]:
    if not is_row(argument):
        return (_filled(argument, own),)
    known: tuple[Any, ...] | None = own.get(get_args(argument)[0])
    return (argument,) if known is None else known


def with_variables(annotation: Any, own: Variables) -> Any:
    """Return *annotation* with its type variables replaced by what they stand for, where that is known."""
    free = getattr(annotation, "__parameters__", ())
    if not free or isinstance(annotation, type):
        return annotation
    filled: list[Any] = []
    for variable in free:
        if isinstance(variable, typing.TypeVarTuple):
            filled += own.get(variable, (typing.Unpack[variable],))
        else:
            filled.append(own.get(variable, variable))
    return annotation[tuple(filled)]


def _filled(argument: Any, own: Variables) -> Any:
    """Return a type argument without type variables in it: one that nobody fills stands for all that it may be."""
    if isinstance(argument, typing.TypeVar):
        return own.get(argument, meaning_of(argument))
    free = (
        () if isinstance(argument, type) and get_origin(argument) is None else getattr(argument, "__parameters__", ())
    )
    meant = {p: own.get(p, meaning_of(p)) for p in free if not isinstance(p, typing.TypeVarTuple)}
    return with_variables(argument, {**own, **meant}) if free else argument


def meaning_of(variable: Any) -> Any:
    """Return what a type variable that nobody fills stands for: its default, its bound, one of its constraints."""
    default = getattr(variable, "__default__", None)
    if default is not None and type(default).__name__ != "NoDefaultType":
        return default
    if (bound := getattr(variable, "__bound__", None)) is not None:
        return bound
    constraints = getattr(variable, "__constraints__", ())
    return typing.Union[constraints] if constraints else Any  # noqa: UP007 - made at run time
