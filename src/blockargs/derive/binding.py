"""From JSON arguments to the call of a constructor."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .._text import quoted
from ..errors import InvalidArgumentsError, Problem, UnsupportedAnnotationError, at
from ..spec import MISSING, BlockArgs
from .codec import Change, Codec, Misfit
from .containers import table_codec
from .fields import record_kind
from .hints import UNTYPED, codec_of, fitted
from .output import encode_any, output_of
from .signature import Parameter, parameters_of, subject_of

MUTABLE = (list, dict, set, bytearray)
Kwargs = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Binding:
    """How JSON arguments become a call, made once for a constructor.

    Attributes:
        helpers: Parameter → class of the helper that is injected.
        codecs: Name for callers → codec.
    """

    helpers: Mapping[str, type[Any]]
    codecs: Mapping[str, Codec]
    constructor: Any
    steps: Mapping[str, tuple[str, Change | None]]  # name for callers -> keyword, JSON -> Python
    fillers: tuple[tuple[str, str, Callable[[], Any]], ...]  # name for callers, keyword, default: passed where left out
    positional: tuple[Parameter, ...] = ()
    rest: Parameter | None = None
    table: Parameter | None = None
    named: frozenset[str] = frozenset()  # what a key of the table must not be
    output: Codec | None = None

    def bind(self, arguments: Mapping[str, Any], helpers: Mapping[type[Any], Any], /) -> tuple[list[Any], Kwargs]:
        """Return the positional and keyword arguments of the call; arguments that fit their types are expected.

        Args:
            arguments: JSON by name for callers; a value that already is what its annotation says passes.
            helpers: Class → what is injected; where it is missing, an inert one is.

        Raises:
            InvalidArgumentsError: A value cannot become what its annotation promises, or a key
                of the ``**k`` table is the name of a parameter.
        """
        kwargs: Kwargs = {}
        steps = self.steps
        misfits: list[Problem] | None = None
        for name, value in arguments.items():
            keyword, change = steps.get(name) or (name, None)
            if change is None:
                kwargs[keyword] = value
                continue
            try:
                kwargs[keyword] = change(value)
            except Exception as reason:  # noqa: BLE001 - what already is Python fails here as it likes
                misfits = self._passed(name, keyword, value, reason, kwargs, misfits or [])
        if misfits:
            raise InvalidArgumentsError(misfits, subject_of(self.constructor))
        for name, keyword, default in self.fillers:
            if name not in arguments:
                kwargs[keyword] = default()
        for keyword, cls in self.helpers.items():
            kwargs[keyword] = helpers[cls] if cls in helpers else cls()
        return ([], kwargs) if self.rest is None and self.table is None and not self.positional else self._spread(kwargs)

    def ready(self, arguments: Mapping[str, Any], /) -> set[str]:
        """Return the names whose value already is what the annotation says (a date, an Enum member), not JSON."""
        return {name for name, value in arguments.items() if (c := self.codecs.get(name)) is not None and c.holds(value)}

    def encode(self, value: Any, /) -> Any:
        """Return what the constructor gave as JSON: by its return annotation, else by what it is."""
        return encode_any(value) if self.output is None else self.output.to_json(value)

    def _passed(
        self, name: str, keyword: str, value: Any, reason: Exception, kwargs: Kwargs, misfits: list[Problem]
    ) -> list[Problem]:
        """Pass *value* where it already is what the annotation says; else add what is wrong to *misfits*."""
        if self.codecs[name].holds(value):
            kwargs[keyword] = value
        elif isinstance(reason, Misfit):
            misfits += reason.problems(at("$", name))
        else:
            raise reason
        return misfits

    def _spread(self, kwargs: Kwargs) -> tuple[list[Any], Kwargs]:
        """Move to the front what only goes by place; a gap before it is filled with defaults."""
        args: list[Any] = []
        rest = kwargs.pop(self.rest.name, ()) if self.rest is not None else ()
        chain = [p for p in self.positional if rest or p.kind == "positional_only"]
        while chain and not rest and chain[-1].name not in kwargs:
            chain.pop()
        for parameter in chain:
            if parameter.name in kwargs:
                args.append(kwargs.pop(parameter.name))
            elif parameter.has_default:
                args.append(_copied(parameter.default))
        args += rest
        if self.table is not None and self.table.name in kwargs:
            self._lay_out(kwargs.pop(self.table.name), kwargs)
        return args, kwargs

    def _lay_out(self, table: Mapping[str, Any], kwargs: Kwargs) -> None:
        assert self.table is not None  # noqa: S101 - asked by the caller
        problems = [
            Problem(
                code="key_collides",
                path=at(at("$", self.table.wire_name), key),
                message=f"the key {quoted(key)} is the name of a parameter",
                hint=f"give it as {quoted(key)}, beside {quoted(self.table.wire_name)}",
            )
            for key in table
            if key in self.named or key in kwargs
        ]
        if problems:
            raise InvalidArgumentsError(problems, subject_of(self.constructor))
        kwargs.update(table)


def binding_of(constructor: Any, arguments: BlockArgs) -> Binding:
    """Return how JSON becomes a call of *constructor*, given its documented *arguments*.

    A parameter whose annotation cannot be expressed takes its value as it comes.
    """
    return made_binding(constructor, parameters_of(constructor), arguments, {}, output_of(constructor))


def made_binding(
    constructor: Any,
    parameters: tuple[Parameter, ...],
    arguments: BlockArgs,
    known: Mapping[str, Codec],
    output: Codec | None,
) -> Binding:
    """Return the binding over *parameters*, with the codecs that are *known* already."""
    codecs: dict[str, Codec] = {}
    steps: dict[str, tuple[str, Change | None]] = {}
    fillers: list[tuple[str, str, Callable[[], Any]]] = []
    helpers: dict[str, type[Any]] = {}
    for one in parameters:
        if one.helper is not None:
            helpers[one.name] = one.helper
            continue
        codec = known.get(one.name) or _lenient(one)
        arg = arguments.get(one.wire_name)
        codecs[one.wire_name] = codec
        fits = arg is None or arg.type is None or known.get(one.name) is not None or arg.type == codec.type
        steps[one.wire_name] = (one.name, codec.decode if fits else fitted(codec))
        if (filler := _filler(one)) is not None:
            fillers.append((one.wire_name, one.name, filler))
    by_place = tuple(p for p in parameters if p.kind in ("positional_only", "positional_or_keyword"))
    rest = next((p for p in parameters if p.kind == "var_positional"), None)
    if rest is None and not any(p.kind == "positional_only" for p in by_place):
        by_place = ()
    return Binding(
        helpers=helpers,
        codecs=codecs,
        constructor=constructor,
        steps=steps,
        fillers=tuple(fillers),
        positional=by_place,
        rest=rest,
        table=next((p for p in parameters if p.kind == "var_keyword"), None),
        named=frozenset(p.name for p in parameters if p.kind in ("positional_or_keyword", "keyword_only")),
        output=output,
    )


def codec_of_parameter(one: Parameter) -> Codec:
    """Return the codec of a parameter as callers see it: ``*xs`` is a list, ``**k`` a table.

    Raises:
        UnsupportedAnnotationError: Its annotation cannot be expressed.
    """
    annotation = one.annotation
    if one.kind == "var_positional":
        return codec_of(list if annotation is MISSING else list[annotation], one.site)
    if one.kind == "var_keyword":
        return table_codec(dict if annotation is MISSING else dict[str, annotation], one.site)
    return UNTYPED if annotation is MISSING else codec_of(annotation, one.site)


def _lenient(one: Parameter) -> Codec:
    try:
        return codec_of_parameter(one)
    except UnsupportedAnnotationError:
        return UNTYPED


def _filler(one: Parameter) -> Callable[[], Any] | None:
    """Return what makes the default at each call; ``None`` where Python's own is as good."""
    default = one.default
    if default is MISSING or not (one.given or isinstance(default, MUTABLE)):
        return None
    if isinstance(default, MUTABLE) and record_kind(default) is None:
        try:
            copy.deepcopy(default)
        except Exception:  # noqa: BLE001 - what cannot be copied is passed on as it is
            return lambda: default
        return lambda: copy.deepcopy(default)
    return lambda: default


def _copied(default: Any) -> Any:
    return copy.deepcopy(default) if isinstance(default, MUTABLE) else default
