"""Where an annotation stands: which names it can use, and what is being compiled around it."""

from __future__ import annotations

import builtins
import functools
import inspect
import sys
import types
import typing
from collections import ChainMap, abc
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from .._text import did_you_mean, quoted
from ..errors import UnsupportedAnnotationError
from ..node import ArgType
from .annotations import names_around
from .codec import Codec

MAX_DEPTH = 50  # annotations inside annotations; each costs a few frames of Python's stack
_BUILTINS = {"__builtins__": builtins}
# the last place to look: what authors import under TYPE_CHECKING only; Set means two things, so it is not guessed
_STANDARD = {name: getattr(module, name) for module in (typing, abc) for name in module.__all__ if name != "Set"}


@dataclass(slots=True)
class Open:
    """A class or alias whose codec is being made: what lies inside may point back at it."""

    token: str  # its name among the definitions until it is done; no other has it
    used: bool = False
    codec: Codec | None = None


@dataclass(slots=True)
class Work:
    """What one derivation is in the middle of."""

    open: dict[Any, Open] = field(default_factory=dict)
    pointing: set[Any] = field(default_factory=set)  # keys of what is open and pointed at
    bodies: dict[str, ArgType] = field(default_factory=dict)  # token -> what it turned out to be
    count: int = 0
    depth: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """Where an annotation stands.

    Attributes:
        namespaces: Looked up in this order.
        variables: What the type variables stand for.
        owner: The class whose field it is, for ``Self``.
        work: What is being compiled around it.
    """

    namespaces: tuple[Mapping[str, Any], ...] = ()
    variables: Mapping[Any, Any] = field(default_factory=dict)
    owner: type[Any] | None = None
    work: Work = field(default_factory=Work)

    def read(self, text: str) -> Any:
        """Return what a postponed annotation means.

        Raises:
            UnsupportedAnnotationError: A name in it is unknown here, or it is no expression.
        """
        try:
            # the author's own annotation, read as typing.get_type_hints reads it
            source = f"({text},)[0]" if text.startswith("*") else text  # *xs: *tuple[int, str]
            names = ChainMap(*cast("Any", self.namespaces), _STANDARD)
            return eval(source, dict(_BUILTINS), names)  # noqa: S307 - the code of the author, who has it run anyway
        except NameError as reason:
            name = reason.name or text
            known = [n for space in self.namespaces for n in space]
            near = did_you_mean(name, known)
            cure = "import it at run time, not under TYPE_CHECKING, or define it at the top of its module"
            raise unsupported(f"the name {quoted(name)} in {quoted(text)} is not known here", near or cure) from None
        except Exception as reason:  # noqa: BLE001 - whatever the author wrote there
            message = f"{quoted(text)} cannot be read as an annotation: {type(reason).__name__}"
            raise unsupported(message, "write a type") from None

    def resolved(self, annotation: Any) -> Any:
        """Return *annotation*, where it is a text what that means, and so on until it is none.

        Raises:
            UnsupportedAnnotationError: A name in it is unknown, or it leads to texts alone: ``A = "A"``.
        """
        meant = annotation
        for _ in range(MAX_DEPTH):
            if not isinstance(meant, str | typing.ForwardRef):
                return meant
            meant = self.read(meant if isinstance(meant, str) else meant.__forward_arg__)
        raise unsupported(f"{shown(annotation)} stands for nothing but itself", "write the type that is meant")

    def codec(self, annotation: Any) -> Codec:
        """Return what *annotation* means here."""
        from .hints import codec_of  # noqa: PLC0415 - the rules ask each other through here

        return codec_of(annotation, self)

    def of_class(self, cls: type[Any], variables: Mapping[Any, Any] | None = None) -> Site:
        """Return where the annotations in the body of *cls* stand; names known here stay known."""
        spaces = (vars(cls), {cls.__name__: cls}, module_names(cls), *self.namespaces)
        return replace(self, namespaces=spaces, owner=cls, variables=self.variables if variables is None else variables)

    def of_module(self, module: str | None) -> Site:
        """Return the place where names are looked up in *module* first."""
        names = vars(sys.modules[module]) if module in sys.modules else {}
        return replace(self, namespaces=(names, *self.namespaces))


def module_names(obj: Any) -> Mapping[str, Any]:
    """Return the names of the module in which *obj* was defined."""
    module = sys.modules.get(getattr(obj, "__module__", None) or "")
    return vars(module) if module is not None else {}


def site_of(function: Any) -> Site:
    """Return where the annotations of *function* stand: its own scope, then its module."""
    function = innermost(function)
    if isinstance(function, type):
        return Site().of_class(function)
    closures = (_closure(inner) for inner in (function, names_around(function)))
    spaces: list[Mapping[str, Any]] = [closure for closure in closures if closure]
    if params := getattr(function, "__type_params__", ()):
        spaces.append({p.__name__: p for p in params})
    spaces.append(getattr(function, "__globals__", None) or module_names(function))
    return Site(tuple(spaces))


def innermost(obj: Any) -> Any:
    """Return the function or class beneath partials, bound methods, wrappers and callable objects."""
    if is_plain_function(obj):
        return obj
    seen: set[int] = set()
    while id(obj) not in seen:
        seen.add(id(obj))
        if (cls := class_of_alias(obj)) is not None:
            return cls
        if isinstance(obj, type):
            return obj
        for name in ("func", "__func__", "__wrapped__"):
            if (name != "func" or _is_partial(obj)) and (inner := _own(obj, name)) is not None:
                obj = inner
                break
        else:
            if _own(obj, "__code__") is None and not _is_builtin(obj) and callable(obj):
                obj = type(obj).__call__
    return obj


def class_of_alias(obj: Any) -> Any:
    """Return the class in ``Class[…]``; ``None`` for what is none."""
    origin = typing.get_origin(obj)
    return origin if isinstance(origin, type) and callable(obj) else None


def routine_of(obj: Any) -> Any:
    """Return the function that a call of *obj* runs, beneath partials and in callable objects; a class is its own."""
    while isinstance(obj, functools.partial):
        obj = obj.func
    return obj if isinstance(obj, type) or inspect.isroutine(obj) else _own(type(obj), "__call__")


def is_async(obj: Any) -> bool:
    """Tell whether a call of *obj* gives what must be awaited."""
    called = routine_of(obj)
    return inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called)


def is_plain_function(obj: Any) -> bool:
    """Tell whether *obj* is a function that its own code object describes: nothing wraps it."""
    if type(obj) is not types.FunctionType:
        return False
    extras = obj.__dict__
    return not extras or not ("__wrapped__" in extras or "__signature__" in extras)


def _own(obj: Any, name: str) -> Any:
    try:
        return getattr(obj, name, None)
    except Exception:  # noqa: BLE001 - a stranger's __getattr__ may raise anything
        return None


def _is_partial(obj: Any) -> bool:
    return isinstance(obj, functools.partial)


def _is_builtin(obj: Any) -> bool:
    return type(obj).__module__ == "builtins"


def _closure(function: Any) -> dict[str, Any]:
    cells = getattr(function, "__closure__", None)
    if not cells:
        return {}
    found: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not filled yet
            continue
    return found


def unsupported(message: str, hint: str = "", path: str = "$") -> UnsupportedAnnotationError:
    """Return the error for one annotation that cannot be expressed."""
    return UnsupportedAnnotationError.of(message, hint=hint, path=path)


def unwritable(text: str) -> UnsupportedAnnotationError:
    """Return the error for a description that holds half a character, which no provider would get."""
    return unsupported(f"its description {quoted(text)} cannot be written as UTF-8", "take half a character out")


def misplaced(helper: type[Any], path: str = "$") -> UnsupportedAnnotationError:
    """Return the error for an injected helper that stands inside another type, or is asked for several times."""
    name = helper.__name__
    message = f"{name} is filled in by the host, so it can only be the whole type of one parameter"
    return unsupported(message, f"write {name.lower()}: {name}", path)


def shown(annotation: Any) -> str:
    """Return *annotation* as its author writes it."""
    if isinstance(annotation, typing.ForwardRef):
        return f"'{annotation.__forward_arg__}'"
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return annotation.__qualname__
    return repr(annotation).replace("typing.", "").replace("collections.abc.", "")
