"""From JSON arguments to the call of a constructor, and from its result to JSON."""

from __future__ import annotations

import copy
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn, get_args, get_origin

from .._text import quoted
from ..errors import InvalidArgumentsError, Problem, UnsupportedAnnotationError, at
from ..node import FrozenDict
from ..spec import MISSING, BlockArgs
from ..validate import problems_in
from ..validate.budget import begun, over
from .classes import is_row
from .codec import Change, Codec, Misfit, misfit
from .containers import is_unpacked, table_codec
from .hints import UNTYPED, codec_of, fitted, under
from .mistaken import subject_of
from .models import keywords_check, told_beside
from .output import encode_any, output_of
from .refusals import misfit_of, refused
from .scalars import real, whole
from .signature import Parameter, parameters_of

MUTABLE = (list, dict, set, bytearray)
Kwargs = dict[str, Any]
# most constructors lack these, so what they lack is one object for all
_NONE: frozenset[str] = frozenset()
_NO_KEYS: Mapping[str, Any] = FrozenDict()


@dataclass(frozen=True, slots=True)
class Binding:
    """How JSON arguments become a call, made once for a constructor.

    Attributes:
        constructor: What is called.
        helpers: Parameter → class of the helper that is injected.
        codecs: Name for callers → codec.
        steps: Name for callers → keyword, and the change from JSON to Python, where there is either to do.
        fillers: Name for callers, keyword, default: passed where the argument is left out.
        positional: The parameters that go by place, where `spreads`.
        rest: The ``*xs``.
        table: The ``**k``.
        spreads: Whether anything goes by place, or out of a table.
        named: The names that a key of the table must not be, where `spreads`.
        timed: Whether a change may look at a pattern, whose time is counted for each call.
        check: Refuses keywords that the constructor would refuse.
        output: The codec of what the constructor returns.
    """

    constructor: Any
    helpers: Mapping[str, type[Any]]
    codecs: Mapping[str, Codec]
    steps: Mapping[str, tuple[str, Change | None]]
    fillers: tuple[tuple[str, str, Callable[[], Any]], ...]
    positional: tuple[Parameter, ...]
    rest: Parameter | None
    table: Parameter | None
    spreads: bool
    named: frozenset[str]
    timed: bool
    check: Change | None
    output: Codec | None

    def bind(self, arguments: Mapping[str, Any], helpers: Mapping[type[Any], Any], /) -> tuple[list[Any], Kwargs]:
        """Return the positional and keyword arguments of the call; arguments that fit their types are expected.

        Args:
            arguments: JSON by name for callers; a value that already is what its annotation says passes.
            helpers: Class → what is injected; where it is missing, an inert one is.

        Raises:
            InvalidArgumentsError: A value cannot become what its annotation promises, or a key
                of the ``**k`` table is the name of a parameter.
        """
        if not (self.timed and begun()):
            return self._bound(arguments, helpers)
        try:
            return self._bound(arguments, helpers)
        finally:
            over()

    def _bound(self, arguments: Mapping[str, Any], helpers: Mapping[type[Any], Any]) -> tuple[list[Any], Kwargs]:
        kwargs: Kwargs = {}
        steps = self.steps
        wrong: dict[str, Misfit] = {}
        for name, value in arguments.items():
            keyword, change = steps.get(name) or (name, None)
            if change is None:
                kwargs[keyword] = value
                continue
            try:
                kwargs[keyword] = change(value)
            except Exception as reason:  # noqa: BLE001 - what already is Python fails here as it likes
                kwargs[keyword] = value
                wrong |= self._unless_ready(name, value, reason)
        if wrong:
            self._refuse_all(wrong, kwargs)
        for name, keyword, default in self.fillers:
            if name not in arguments:
                kwargs[keyword] = default()
        for keyword, cls in self.helpers.items():
            kwargs[keyword] = helpers[cls] if cls in helpers else cls()
        if self.check is not None:
            self._refuse(self.check, kwargs)
        return self._spread(kwargs) if self.spreads else ([], kwargs)

    def ready(self, arguments: Mapping[str, Any], /) -> set[str]:
        """Return the names whose value already is what the annotation says (a date, an Enum member), not JSON."""
        codecs = self.codecs
        return {
            n for n, value in arguments.items() if n in codecs and codecs[n].is_ready(value) and problems_in(value, {})
        }

    def encode(self, value: Any, /) -> Any:
        """Return what the constructor gave as JSON: by its return annotation, else by what it is.

        What the annotation does not promise comes out as it is, for the check of the output to name.
        """
        try:
            return encode_any(value) if self.output is None else self.output.to_json(value)
        except (Misfit, RecursionError) as reason:
            fault = reason if isinstance(reason, Misfit) else misfit("it is nested too deeply to be written")
            raise fault.error(f"the result of {subject_of(self.constructor)}") from None

    def _unless_ready(self, name: str, value: Any, reason: Exception) -> dict[str, Misfit]:
        """Return what is wrong with *value* by keyword; nothing when it is no JSON, but what the annotation says."""
        codec = self.codecs[name]
        problems = problems_in(value, codec.type)
        if problems and codec.is_ready(value):
            return {}
        if problems and not isinstance(reason, Misfit):
            found = Misfit.of(problems)
        else:
            found = misfit_of(reason, refused(value))
        return {self.steps[name][0]: found.under(name)}

    def _refuse_all(self, wrong: Mapping[str, Misfit], kwargs: Kwargs) -> NoReturn:
        """Tell what is *wrong* with some keywords, and what the constructor would refuse of the others."""
        faults = [fault for found in wrong.values() for fault in found.faults]
        if self.check is not None:
            faults += told_beside(self.check, kwargs, wrong)
        reason = Misfit(*faults)
        raise reason.error(subject_of(self.constructor)) from reason.cause

    def _refuse(self, check: Change, kwargs: Kwargs) -> None:
        try:
            check(kwargs)
        except Misfit as reason:
            raise reason.error(subject_of(self.constructor)) from reason.cause

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
                default = parameter.default
                args.append(copy.deepcopy(default) if isinstance(default, MUTABLE) else default)
        args += rest
        if self.table is not None and self.table.name in kwargs:
            self._lay_out(self.table, kwargs)
        return args, kwargs

    def _lay_out(self, table: Parameter, kwargs: Kwargs) -> None:
        """Make each key of the ``**k`` table a keyword of its own."""
        keys = kwargs.pop(table.name)
        problems = [
            Problem(
                code="key_collides",
                path=at(at("$", table.wire_name), key),
                message=f"the key {quoted(key)} is the name of a parameter",
                hint=f"give it beside {quoted(table.wire_name)}, not in it",
            )
            for key in keys
            if key in self.named or key in kwargs
        ]
        if problems:
            raise InvalidArgumentsError(problems, subject_of(self.constructor))
        kwargs.update(keys)


def binding_of(constructor: Any, arguments: BlockArgs) -> Binding:
    """Return how JSON becomes a call of *constructor*, given its documented *arguments*.

    A parameter whose annotation cannot be expressed takes its value as it comes.
    """
    return made_binding(constructor, parameters_of(constructor), arguments, {}, output_of(constructor))


_AT_ONCE = (None, whole, real)  # changes that look at nothing but a number


def made_binding(
    constructor: Any,
    parameters: tuple[Parameter, ...],
    arguments: BlockArgs,
    known: Mapping[str, Codec],
    output: Codec | None,
) -> Binding:
    """Return the binding over *parameters*, with the codecs that are *known* already."""
    kinds = {p.kind: p for p in parameters}
    shown = [p for p in parameters if p.helper is None]
    codecs = {p.wire_name: known[p.name] if p.name in known else codec_or_any(p) for p in shown}

    def change_of(one: Parameter) -> Change | None:
        return _change(one, codecs[one.wire_name], arguments, known)

    spreads = not kinds.keys().isdisjoint(("var_positional", "var_keyword", "positional_only"))
    by_place: tuple[Parameter, ...] = ()
    by_name = _NONE
    if spreads:
        by_place = tuple(p for p in parameters if p.kind in ("positional_only", "positional_or_keyword"))
        by_name = frozenset(p.name for p in parameters if p.kind in ("positional_or_keyword", "keyword_only"))
    steps = {p.wire_name: (p.name, change) for p in shown if (change := change_of(p)) or p.name != p.wire_name}
    return Binding(
        constructor=constructor,
        helpers={p.name: p.helper for p in parameters if p.helper is not None} or _NO_KEYS,
        codecs=codecs,
        steps=steps or _NO_KEYS,
        fillers=tuple((p.wire_name, p.name, filler) for p in shown if (filler := _filler(p)) is not None),
        positional=by_place,
        rest=kinds.get("var_positional"),
        table=kinds.get("var_keyword"),
        spreads=spreads,
        named=by_name,
        timed=any(change not in _AT_ONCE for _, change in steps.values()),
        check=keywords_check(constructor),
        output=output,
    )


def _change(one: Parameter, codec: Codec, arguments: BlockArgs, known: Mapping[str, Codec]) -> Change | None:
    """Return the change from JSON for an argument: what was not checked against the annotation's type is checked here.

    Of an undocumented parameter nothing is promised: what does not fit passes. What is spread at the call must fit.
    """
    arg = arguments.get(one.wire_name)
    if arg is None:
        return fitted(codec) if one.variadic else _where_it_fits(codec)
    if arg.type is None:
        return fitted(codec)
    change = codec.decode if one.name in known else under(arg.type, codec)
    return fitted(replace(codec, type=arg.type, decode=change)) if arg.hidden else change


def _where_it_fits(codec: Codec) -> Change | None:
    if codec.decode is None:
        return None
    return lambda value: value if problems_in(value, codec.type) else codec.to_python(value)


def codec_of_parameter(one: Parameter) -> Codec:
    """Return the codec of a parameter as callers see it: ``*xs`` is a list, ``**k`` a table.

    Raises:
        UnsupportedAnnotationError: Its annotation cannot be expressed.
    """
    annotation: Any = one.annotation
    if one.kind == "var_positional" and is_row(annotation):
        known = one.site.variables.get(get_args(annotation)[0])
        return codec_of(list if known is None else tuple.__class_getitem__(known), one.site)
    if one.kind == "var_positional" and is_unpacked(annotation):
        inner = get_args(annotation)[0] if get_origin(annotation) is typing.Unpack else annotation
        return codec_of(tuple.__class_getitem__(get_args(inner)), one.site)
    if one.kind == "var_positional":
        return codec_of(list if annotation is MISSING else list[annotation], one.site)
    if one.kind == "var_keyword":
        return table_codec(dict if annotation is MISSING else dict[str, annotation], one.site)
    return UNTYPED if annotation is MISSING else codec_of(annotation, one.site)


def codec_or_any(one: Parameter) -> Codec:
    """Return the codec of a parameter; that of anything where its annotation cannot be expressed."""
    try:
        return codec_of_parameter(one)
    except UnsupportedAnnotationError:
        return UNTYPED


def _filler(one: Parameter) -> Callable[[], Any] | None:
    """Return what makes the default at each call; ``None`` where Python's own is as good."""
    default = one.default
    if one.given and one.remarks.factory is not None:
        return one.remarks.factory
    if default is MISSING or one.variadic or not (one.given or isinstance(default, MUTABLE)):
        return None
    if not isinstance(default, MUTABLE):
        return lambda: default
    try:
        copy.deepcopy(default)
    except Exception:  # noqa: BLE001 - what cannot be copied is passed on as it is
        return lambda: default
    return lambda: copy.deepcopy(default)
