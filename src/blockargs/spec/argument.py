"""One documented argument of a block constructor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from json.encoder import encode_basestring
from typing import Any, ClassVar, Final

from .._text import did_you_mean, quoted
from ..errors import BlockArgsError, InvalidArgTypeError, InvalidBlockArgError, InvalidBlockArgTypeError, Problem, at
from ..node import ArgType, compact, frozen, thawed
from ..types import arg_any, arg_schema
from ..types.making import as_written, cure_of
from ..validate import problems_in


class Missing(Enum):
    """The type of `MISSING`."""

    MISSING = "missing"

    def __repr__(self) -> str:
        """Show the name that one writes."""
        return "MISSING"


MISSING: Final = Missing.MISSING  # "there is no default", where None would be a default


@dataclass(frozen=True, slots=True)
class BlockArg:
    """One documented argument of a block constructor.

    Attributes:
        description: What it is, for people and models.
        example: One worked value (JSON), or ``None`` for none.
        type: Its argument type; ``None`` takes any JSON.
        required: Whether a call must give it; ``None`` until the signature says.
        default: The value used when it is left out; `MISSING` for none.
        error: The author's text, shown besides the reason when a value does not fit.
        hidden: Never shown to a model; needs a default.
        aliases: Other names a model may use for it.
        header: Name of the ``Mcp-Param-…`` header that repeats it over HTTP (``x-mcp-header``).
    """

    _no_schema: ClassVar[str] = "take its type: argument.type"

    description: str | None = None
    example: Any = None
    type: ArgType | None = None
    required: bool | None = field(default=None, kw_only=True)
    default: Any = field(default=MISSING, kw_only=True)
    error: str | None = field(default=None, kw_only=True)
    hidden: bool = field(default=False, kw_only=True)
    aliases: tuple[str, ...] = field(default=(), kw_only=True)
    header: str | None = field(default=None, kw_only=True)

    def with_(self, **changes: Any) -> BlockArg:
        """Return a copy with *changes*."""
        return replace(self, **changes)

    def node(self) -> ArgType:
        """Return the argument's type as it stands in the schema: with description and default."""
        base = _ANY if self.type is None else self.type
        required, error = self.required is True, base.error if self.error is None else self.error
        text = self.description or base.get("description")
        out: dict[str, Any] = {}
        if "type" in base:
            out["type"] = base["type"]
        if text is not None:
            out["description"] = text
        for key, value in base.items():
            out.setdefault(key, value)
        if self._shows_default(base):
            out["default"] = frozen(self.default)
        if self.header is not None:
            out["x-mcp-header"] = self.header
        return ArgType.of_frozen(out, base.depth, required=required, error=error)

    def text(self) -> str:
        """Return `node` as compact JSON, without making it: a listing of many blocks needs no more."""
        base, text, default = self.type, self.description, self.default
        if base is None:
            base = _ANY
        if not text:
            text = base.get("description")
        if text is None or self.header is not None or "default" in base:
            return compact(self.node())
        _, before, after = _HALVED.get(id(base)) or _halved(base)
        if default is not MISSING and self._shows_default(base):
            return f'{before}"description":{encode_basestring(text)}{after},"default":{compact(default)}}}'
        return f'{before}"description":{encode_basestring(text)}{after}}}'

    def _shows_default(self, base: ArgType) -> bool:
        default = self.default
        return default is not MISSING and default is not None and not problems_in(default, base)


_ANY = arg_any()
_HALVED: dict[int, tuple[ArgType, str, str]] = {}
MOST_HALVED = 1024  # types; past it all are forgotten


def _halved(base: ArgType) -> tuple[ArgType, str, str]:
    """Return what stands before and after the description where *base* is written: few types serve many arguments."""
    kind = f'{{"type":{compact(base["type"])},' if "type" in base else "{"
    others = {k: v for k, v in base.items() if k not in ("type", "description")}
    rest = compact(others)[1:-1] if others else ""
    if len(_HALVED) >= MOST_HALVED:
        _HALVED.clear()
    found = _HALVED[id(base)] = base, kind, f",{rest}" if rest else ""
    return found


def new_block_arg(
    description: str | None = None,
    example: Any = None,
    type: Mapping[str, Any] | str | None = None,  # noqa: A002 - the model system's word
    *,
    required: bool | None = None,
    default: Any = MISSING,
    error: str | None = None,
    hidden: bool = False,
    aliases: Iterable[str] = (),
    header: str | None = None,
) -> BlockArg:
    """Describe one argument.

    Args:
        description: What it is, for people and models.
        example: One worked value (JSON); ``None`` means none.
        type: An ``arg_*()`` type, a JSON Schema node, or the short spelling (``"integer[]"``).
        required: Whether a call must give it; by default the signature decides.
        default: The value used when it is left out.
        error: Text shown besides the reason when a value does not fit.
        hidden: Never shown to a model; needs a default.
        aliases: Other names a model may use for it.
        header: Name of its ``x-mcp-header``.

    Raises:
        InvalidBlockArgError: One of these is of the wrong kind, or the default does not fit the
            type; every fault is listed.
        InvalidBlockArgTypeError: *type* is no valid type.
    """
    words = (aliases,) if isinstance(aliases, str) else tuple(aliases) if isinstance(aliases, Iterable) else (aliases,)
    wrong: list[Problem] = []

    def expect(ok: bool, key: str, value: object, wanted: str) -> None:  # noqa: FBT001 - a local word
        if not ok:
            message = f"{quoted(value)} is no {wanted}"
            wrong.append(Problem(code="block_arg_invalid", path=at("$", key), message=message))

    expect(description is None or isinstance(description, str), "description", description, "text")
    expect(required is None or isinstance(required, bool), "required", required, "bool")
    expect(error is None or isinstance(error, str), "error", error, "text")
    expect(isinstance(hidden, bool), "hidden", hidden, "bool")
    expect(header is None or isinstance(header, str), "header", header, "text")
    for word in words:
        expect(isinstance(word, str) and word != "", "aliases", word, "name")
    kept: dict[str, Any] = {}
    for key, value in (("example", example), ("default", default)):
        try:
            kept[key] = frozen(value)
        except RecursionError:
            message = "it is nested too deeply, or contains itself"
            wrong.append(Problem(code="too_deep", path=at("$", key), message=message))
    kind = _as_type(type) if not wrong else None
    if kind is not None and default is not MISSING and default is not None:
        wrong += problems_in(default, kind, "$.default")
    if wrong:
        raise InvalidBlockArgError(wrong)
    return BlockArg(
        description,
        kept["example"],
        kind,
        required=required,
        default=kept["default"],
        error=error,
        hidden=hidden,
        aliases=words,
        header=header,
    )


def _as_type(given: object) -> ArgType | None:
    try:
        if given is None or isinstance(given, ArgType):
            return given
        if isinstance(given, str):
            from ..spelling import parse_type  # noqa: PLC0415 - who writes no spelling need not load its reader

            return parse_type(given)
        if isinstance(given, Mapping):
            return arg_schema(given)
    except InvalidArgTypeError as reason:
        raise InvalidBlockArgTypeError(reason.problems, reason.subject) from None
    message = f"{as_written(given)} is no argument type"
    hint = f"{cure_of(given)}; a JSON Schema node and the short spelling are read as well"
    raise InvalidBlockArgTypeError.of(message, hint=hint, path="$.type", code="arg_type_invalid")


ARGUMENT_KEYS = tuple(f.name for f in fields(BlockArg))  # in the order in which they are written


def as_block_arg(given: object, name: str = "") -> BlockArg:
    """Return *given* as a `BlockArg`.

    A text is a description, a type is a type, a mapping has the keys of
    `new_block_arg`, ``None`` hides the argument. Problems are told where *name* stands.

    Raises:
        InvalidBlockArgError: It is none of these, or the mapping has another key.
    """
    if isinstance(given, BlockArg):
        return given
    if isinstance(given, str):
        return BlockArg(given)
    if given is None:
        return BlockArg(hidden=True)
    if isinstance(given, ArgType):
        return BlockArg(type=given)
    path = at("$", name) if name else "$"
    if not isinstance(given, Mapping):
        hint = "write its description, or new_block_arg(…)"
        raise InvalidBlockArgError.of(f"{quoted(given)} describes no argument", hint=hint, path=path)
    if unknown := [k for k in given if k not in ARGUMENT_KEYS]:
        raise InvalidBlockArgError(_unknown_key(str(key)).under(path) for key in unknown)
    try:
        return new_block_arg(**given)
    except BlockArgsError as fault:
        raise type(fault)((p.under(path) for p in fault.problems), fault.subject) from None


def _unknown_key(key: str) -> Problem:
    message = f"{quoted(key)} is no field of an argument"
    hint = did_you_mean(key, ARGUMENT_KEYS)
    return Problem(code=InvalidBlockArgError.code, path=at("$", key), message=message, hint=hint)


def block_arg_description(x: BlockArg | str) -> str | None:
    """Return the description of an argument; a bare text is its own."""
    return _arg(x).description


def block_arg_example(x: BlockArg | str) -> Any:
    """Return the worked example of an argument, ``None`` for none."""
    return thawed(_arg(x).example)


def block_arg_type(x: BlockArg | str) -> ArgType | None:
    """Return the type of an argument, ``None`` for none."""
    return _arg(x).type


def _arg(x: object) -> BlockArg:
    if isinstance(x, BlockArg | str):
        return as_block_arg(x)
    raise InvalidBlockArgError(f"{quoted(x)} is no block argument")
