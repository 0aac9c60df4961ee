"""What a constructor says that its block does not show: told beside the block, so that nothing is lost in silence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .._text import quoted
from ..errors import InvalidArgTypeError, Note, at
from ..node import thawed
from ..spec import MISSING, BlockArg, BlockArgs
from ..validate import validator_of
from .classes import constructed
from .codec import Codec
from .fields import record_kind
from .remarks import NONE
from .scalars import PLAIN
from .signature import Parameter
from .site import is_plain_function

DEFAULT_MISFIT = "default_misfit"
UNREAD = "json_schema_unread"
_OF_CLASS = {cls: PLAIN[cls].type for cls in (str, int, float, bool)}
_AT_ONCE = {str: ("string",), int: ("integer", "number"), float: ("number",), bool: ("boolean",)}
_FREE, _CHOICE = frozenset({"type", "description"}), frozenset({"type", "description", "enum"})


def notes_of(
    obj: Any, parameters: Iterable[Parameter], arguments: BlockArgs, codecs: Mapping[str, Codec]
) -> Iterator[Note]:
    """Yield a note for each default that does not fit its type, and for each word on a JSON Schema that is not read.

    None is no note: it says that nothing is given.
    """
    if (
        not is_plain_function(obj)
        and record_kind(cls := constructed(obj)) == "model"
        and cls.model_config.get("json_schema_extra") is not None
    ):
        yield _unread("$", ("json_schema_extra",))
    known = dict(arguments.items())
    for one in parameters:
        if one.remarks is not NONE and one.remarks.unread:
            yield _unread(at("$", one.wire_name), one.remarks.unread)
        if not one.has_default or one.default is None or (arg := known.get(one.wire_name)) is None:
            continue
        if arg.type is _OF_CLASS.get(cls := type(arg.default)) and (cls is not str or arg.default.isascii()):
            continue  # most defaults, seen at once
        if (reason := _misfit(one, arg, codecs.get(one.name))) is not None:
            shown = arg.default if arg.default is not MISSING else one.default
            before = thawed(arg.default) if arg.default is not MISSING else quoted(one.default)
            message = f"the default {quoted(shown)} is not shown: {reason}"
            yield Note(rule=DEFAULT_MISFIT, path=at("$", one.wire_name), before=before, after=None, message=message)


def _misfit(one: Parameter, arg: BlockArg, codec: Codec | None) -> str | None:
    """Return what is wrong with the default of *arg*; ``None`` for nothing."""
    default, node = arg.default, arg.type
    if default is None or node is None:
        return None
    if default is MISSING:
        if type(one.default) is str:
            return "it cannot be written as UTF-8"
        return None if codec is None or _is_promised(codec, one.default) else "it is not what the annotation says"
    if node.get("type") in _AT_ONCE.get(type(default), ()) and _plainly_fits(default, node):
        return None
    try:
        check = validator_of(node)
    except InvalidArgTypeError:
        return None  # a malformed type is told by the registration, with its own path
    value = thawed(default)
    return None if check.accepts(value) else check.problems(value)[0].told()


def _plainly_fits(default: Any, node: Mapping[str, Any]) -> bool:
    """Tell whether *default*, of the right type, fits: seen at once, without a validator, as it does for most."""
    if isinstance(default, str) and not default.isascii():
        return False
    keys = node.keys()
    return keys <= _FREE or (keys <= _CHOICE and isinstance(default, str) and default in node["enum"])


def _is_promised(codec: Codec, default: Any) -> bool:
    """Tell whether *default*, which is no JSON, is what the annotation says, or only stands for nothing."""
    if default is MISSING or default is None or type(default) is object:
        return True
    try:
        return bool(codec.holds(default))
    except Exception:  # noqa: BLE001 - a stranger's object may raise anything when it is looked at
        return True


def _unread(path: str, words: tuple[str, ...]) -> Note:
    what = ", ".join(dict.fromkeys(words))
    message = f"{what} of pydantic is not read: the type says what is taken"
    return Note(rule=UNREAD, path=path, before=what, after=None, message=message)
