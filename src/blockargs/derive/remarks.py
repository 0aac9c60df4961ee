"""What stands beside a type in ``Annotated``, or in a pydantic ``Field``: texts, bounds, names."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, get_origin

from ..spec import MISSING, BlockArg, new_block_arg

Arg = new_block_arg  # `Annotated[int, Arg("Rows to keep", example=5)]`

BOUNDS = ("gt", "ge", "lt", "le", "multiple_of", "min_length", "max_length", "pattern")


@dataclass(frozen=True, slots=True)
class Remarks:
    """What an author says of one parameter or field beside its type; it may stand in ``Annotated`` itself.

    Attributes:
        arg: Texts, example, a type that replaces the derived one, visibility, aliases.
        alias: The name on the wire, where it is not the Python name.
        bounds: ``("ge", 1)`` and the like, in their order.
        checks: Tests of the Python value: a predicate, and how it is called.
        discriminator: The field that tells the variants of a union apart.
        default: The default inside a ``Field``.
        factory: What makes the default instead.
        adapter: Whether pydantic must see the value too (its validators stand there).
        encoded: Whether pydantic decodes the bytes from text by itself.
        refusal: Why the annotation cannot be expressed, and the cure; empty where it can.
        unread: What is said of the JSON Schema that pydantic writes, and not looked at here.
    """

    arg: BlockArg = field(default_factory=BlockArg)
    alias: str | None = None
    bounds: tuple[tuple[str, Any], ...] = ()
    checks: tuple[tuple[Callable[[Any], Any], str], ...] = ()
    discriminator: str | None = None
    default: Any = MISSING
    factory: Callable[[], Any] | None = None
    adapter: bool = False
    encoded: bool = False
    refusal: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


NONE = Remarks()


def peeled(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the type in ``Annotated`` (also behind an alias), and all metadata around it, inner first."""
    metadata: tuple[Any, ...] = ()
    while True:
        if get_origin(annotation) is Annotated:
            metadata = (*annotation.__metadata__, *metadata)
            annotation = annotation.__origin__
        elif type(annotation).__name__ == "TypeAliasType" and get_origin(annotation.__value__) is Annotated:
            annotation = annotation.__value__
        else:
            return annotation, metadata


def remarks_of(metadata: Iterable[Any]) -> Remarks:
    """Return what *metadata* says, later words over earlier ones."""
    found = NONE
    for one in metadata:
        found = _with(found, one)
    return found


def is_field_info(value: Any) -> bool:
    """Tell whether *value* is what pydantic's ``Field(…)`` returns."""
    fields = sys.modules.get("pydantic.fields")
    return fields is not None and isinstance(value, fields.FieldInfo)


def _with(found: Remarks, one: Any) -> Remarks:
    if isinstance(one, str):
        return replace(found, arg=found.arg.with_(description=one))
    if isinstance(one, BlockArg):
        return replace(found, arg=merged(found.arg, one))
    if isinstance(one, Remarks):
        return _joined(found, one)
    if is_field_info(one):
        return _with_field(found, one)
    module = (one if isinstance(one, type) else type(one)).__module__.partition(".")[0]
    if isinstance(one, type):
        refusal = OTHER_FORM.get(one.__name__, ()) if module == "pydantic" else ()
        return replace(found, refusal=found.refusal or refusal)
    text = getattr(one, "documentation", None)
    if isinstance(text, str) and module in ("typing", "typing_extensions", "annotated_types"):
        return replace(found, arg=found.arg.with_(description=text))  # Doc
    if module == "annotated_types":
        return _with_annotated_type(found, one)
    if module == "pydantic":
        return _with_pydantic(found, one)
    return found


def _joined(old: Remarks, new: Remarks) -> Remarks:
    """Return *old* with everything that *new* says laid over it."""
    return Remarks(
        arg=merged(old.arg, new.arg),
        alias=new.alias or old.alias,
        bounds=(*old.bounds, *new.bounds),
        checks=(*old.checks, *new.checks),
        discriminator=new.discriminator or old.discriminator,
        default=old.default if new.default is MISSING else new.default,
        factory=new.factory or old.factory,
        adapter=old.adapter or new.adapter,
        encoded=old.encoded or new.encoded,
        refusal=old.refusal or new.refusal,
        unread=(*old.unread, *new.unread),
    )


def merged(old: BlockArg, new: BlockArg) -> BlockArg:
    """Return *old* with everything that *new* says laid over it."""
    said: dict[str, Any] = {}
    for name in ("description", "example", "type", "required", "error", "header"):
        if (value := getattr(new, name)) is not None:
            said[name] = value
    if new.default is not MISSING:
        said["default"] = new.default
    if new.hidden:
        said["hidden"] = True
    if new.aliases:
        said["aliases"] = tuple(dict.fromkeys((*old.aliases, *new.aliases)))
    return old.with_(**said) if said else old


def _with_annotated_type(found: Remarks, one: Any) -> Remarks:
    if (test := getattr(one, "func", None)) is not None:  # Predicate
        name = getattr(test, "__name__", "")
        words = f"must pass {name}" if name.isidentifier() else "must pass the test that its author wrote"
        return replace(found, checks=(*found.checks, (test, words)))
    if hasattr(one, "__iter__"):  # Interval, Len
        return _with_all(found, one)
    bounds = tuple((name, value) for name in BOUNDS if (value := getattr(one, name, None)) is not None)
    return replace(found, bounds=(*found.bounds, *bounds)) if bounds else found


def _with_pydantic(found: Remarks, one: Any) -> Remarks:
    if hasattr(one, "__iter__"):  # StringConstraints
        return _with_all(found, one)
    if isinstance(name := getattr(one, "discriminator", None), str):
        return replace(found, discriminator=name)
    facts = {k: v for k, v in getattr(one, "__dict__", {}).items() if v is not None}
    bounds = tuple((k, source_of(v)) for k, v in facts.items() if k in BOUNDS)
    name = type(one).__name__
    changes = name in _VALIDATORS or bool(facts.keys() & _CHANGES)
    refusal = found.refusal or OTHER_FORM.get(name, ())
    return replace(
        found,
        bounds=(*found.bounds, *bounds),
        adapter=found.adapter or changes,
        encoded=found.encoded or name == "EncodedBytes",
        refusal=refusal,
        unread=(*found.unread, name) if name in _OF_ITS_SCHEMA else found.unread,
    )


# what changes the JSON Schema that pydantic writes, and nothing else
_OF_ITS_SCHEMA = frozenset({"WithJsonSchema", "SkipJsonSchema", "Examples"})
# what pydantic runs on a value, so that it must see it
_VALIDATORS = frozenset(
    "BeforeValidator AfterValidator PlainValidator WrapValidator PathType UuidVersion EncodedStr EncodedBytes".split()
)
# what asks for another form on the wire than the type says: why it is refused, and the cure
OTHER_FORM: dict[str, tuple[str, str]] = {
    "Json": ("pydantic.Json asks for JSON inside of a text", "write the type itself: arguments are JSON already"),
    "ImportString": ("pydantic.ImportString imports whatever a caller names", "take a text, and look it up in a table"),
}
_CHANGES = frozenset({"strip_whitespace", "to_upper", "to_lower", "max_digits", "decimal_places"})


def _with_all(found: Remarks, several: Iterable[Any]) -> Remarks:
    for one in several:
        found = _with(found, one)
    return found


def _with_field(found: Remarks, info: Any) -> Remarks:
    aliases = list(alias_names(info.alias if info.validation_alias is None else info.validation_alias))
    default = MISSING if info.default is ... or type(info.default).__name__ == "PydanticUndefinedType" else info.default
    arg = found.arg
    if info.description is not None:
        arg = arg.with_(description=info.description)
    if info.examples:
        arg = arg.with_(example=info.examples[0])
    if len(aliases) > 1:
        arg = arg.with_(aliases=tuple(dict.fromkeys((*arg.aliases, *aliases[1:]))))
    out = replace(
        found,
        arg=arg,
        alias=aliases[0] if aliases else found.alias,
        default=default if default is not MISSING else found.default,
        factory=info.default_factory or found.factory,
        unread=found.unread if info.json_schema_extra is None else (*found.unread, "json_schema_extra"),
    )
    if info.discriminator is not None:
        out = (
            _with(out, info.discriminator)
            if not isinstance(info.discriminator, str)
            else replace(out, discriminator=info.discriminator)
        )
    return _with_all(out, info.metadata)


def alias_names(alias: Any) -> Iterator[str]:
    """Yield the plain names in a pydantic alias; a path that leads into nested data is none."""
    if isinstance(alias, str):
        yield alias
    elif alias is not None:
        path = getattr(alias, "path", ())
        for one in path if len(path) == 1 else getattr(alias, "choices", ()):
            yield from () if isinstance(one, int) else alias_names(one)


def source_of(value: Any) -> Any:
    """Return a bound as the schema says it: of a compiled pattern the text, with its flags."""
    if not isinstance(value, re.Pattern):
        return value
    flags = "".join(letter for flag, letter in _FLAGS if value.flags & flag)
    return f"(?{flags}:{value.pattern})" if flags else value.pattern


_FLAGS = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"), (re.VERBOSE, "x"))
