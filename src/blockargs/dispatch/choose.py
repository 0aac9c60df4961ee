"""Which block a call means, and with what arguments: nothing is called here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._text import did_you_mean, listing, quoted
from ..errors import InvalidArgumentsError, InvalidCallError, Note, Problem
from ..registry.checks import found_by, owned
from ..reply import Decoded, decode_arguments, decode_calls, decode_reply
from ..reply.decode import decode_json
from ..reply.parse import ends_early
from ..reply.quick import read_json
from ..reply.responses import SentCall, sent_call
from ..types import arg_any
from ..validate import validator_of
from ..validate.scan import is_json
from .ended import caught
from .failures import failed, not_loaded, refused
from .names import name_of
from .offered import Offered
from .prepared import Parts, Prepared
from .run import Call, ToolRun
from .turns import turn_of

if TYPE_CHECKING:
    from ..dialects import ToolExport


BARE = frozenset({"name", "arguments"})  # the keys of a call in its plainest form
_OF_TEXT = frozenset({"envelope"})  # repairs of text; a value goes as given
accepts_json = validator_of(arg_any()).accepts  # subclasses of Python's own too


@dataclass(frozen=True, slots=True)
class Reading:
    """How calls are read.

    Attributes:
        strict: Whether every repair is refused.
        export: The export that the model was given: its rewrites are undone.
        complete: Whether the text of the reply ended by itself; a call knows that of itself.
    """

    strict: bool = False
    export: ToolExport | None = None
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Chosen:
    """A call that may be made.

    Attributes:
        prepared: The block.
        call: The call, with decoded arguments.
        notes: What was repaired.
        parts: The arguments in Python, for the first attempt; ``None`` where there is nothing to call.
    """

    prepared: Prepared
    call: Call
    notes: tuple[Note, ...] = ()
    parts: Parts | None = None


def chosen(offered: Offered, thing: Any, how: Reading) -> Chosen | ToolRun:
    """Return the one call that *thing* is, or the run that says why it is none.

    Raises:
        InvalidCallError: *thing* is neither text nor a call.
    """
    if isinstance(thing, list | tuple):
        if len(thing) > 1:
            return _refusal("ambiguous", f"the reply is a list of {len(thing)}", "make exactly one call")
        return _listed(offered, thing[0], how) if thing else _refusal("no_json", "the reply holds no call")
    found = _meant(offered, thing, how)
    if found is None:
        raise InvalidCallError(
            (Problem(code="call_invalid", path="$", message=f"{quoted(thing)} is no call", hint=_CALL),)
        )
    return found


def _listed(offered: Offered, thing: Any, how: Reading) -> Chosen | ToolRun:
    """Return the call that *thing* of a list of calls is, or the run that says why it is none."""
    found = _meant(offered, thing, how)
    return _refusal("no_json", f"{quoted(thing)} is no call") if found is None else found


_CALL = "pass text, {'name': …, 'arguments': …} or a provider's call object"


def _meant(offered: Offered, thing: Any, how: Reading) -> Chosen | ToolRun | None:
    """Return the one call that *thing* is, or the run that says why not; ``None`` where it is nothing of the kind."""
    if isinstance(thing, str | bytes | bytearray):
        return from_text(offered, _text(thing), how)
    if type(thing) is dict and thing.keys() == BARE and offered.tag not in BARE and type(thing["name"]) is str:
        return from_given(offered, SentCall(**thing), how)  # the plainest form, of which there is one reading
    if isinstance(thing, Mapping) and (tagged := _tagged(offered, thing)) is not None:
        return from_given(offered, tagged, how)
    if (given := sent_call(thing)) is not None:
        return from_given(offered, given, how)
    turn = turn_of(thing)
    if turn is None:
        return _inferred(offered, thing, how) if isinstance(thing, Mapping) else None
    if len(turn.calls) > 1:
        names = listing(call.name for call in turn.calls)
        return _refusal("ambiguous", f"the reply calls {names}", "make exactly one call")
    how = replace(how, complete=not turn.ending)
    return from_given(offered, turn.calls[0], how) if turn.calls else from_text(offered, turn.text, how)


def _text(given: str | bytes | bytearray) -> str:
    return given if isinstance(given, str) else bytes(given).decode("utf-8", "replace")


def all_chosen(offered: Offered, reply: Any, how: Reading) -> list[Chosen] | list[ToolRun]:
    """Return the calls of *reply*; where one is wrong, a run for each that says why none is made."""
    found = each_chosen(offered, reply, how)
    calls = [one for one in found if isinstance(one, Chosen)]
    return calls if len(calls) == len(found) else [waiting(one) if isinstance(one, Chosen) else one for one in found]


def each_chosen(offered: Offered, reply: Any, how: Reading) -> list[Chosen | ToolRun]:
    """Return each call of *reply*, or the run that says what is wrong with it; never nothing."""
    if isinstance(reply, list | tuple):
        return [_listed(offered, one, how) for one in reply] or [_refusal("no_json", "the reply holds no call")]
    if isinstance(reply, str | bytes | bytearray):
        return _calls_in(offered, _text(reply), how)
    turn = turn_of(reply)
    if turn is None:
        return [chosen(offered, reply, how)]
    how = replace(how, complete=not turn.ending)
    return [from_given(offered, call, how) for call in turn.calls] or _calls_in(offered, turn.text, how)


def _calls_in(offered: Offered, text: str, how: Reading) -> list[Chosen | ToolRun]:
    """Return each call that *text* holds."""
    if not offered.blocks:
        return [from_text(offered, text, how)]
    found = decode_calls(text, offered.blocks, strict=how.strict, tag=offered.tag, complete=how.complete)
    return [from_decoded(offered, one) for one in found]


def _refusal(code: str, message: str, hint: str = "") -> ToolRun:
    """Return the run of a reply that is no call."""
    return refused(Call("", ""), [Problem(code=code, path="$", message=message, hint=hint)])


def waiting(found: Chosen) -> ToolRun:
    """Return the run of a valid call that is not made, because another of the same reply is wrong."""
    text = f"The call of {quoted(found.call.name)} is valid, but another call of the same reply is not; nothing was applied."
    return ToolRun(ok=False, call=found.call, text=text, content=text, code="not_made", notes=found.notes)


def from_text(offered: Offered, text: str, how: Reading) -> Chosen | ToolRun:
    """Return the one call that *text* holds somewhere, or the run that says why there is none."""
    if not offered.blocks:
        return _refusal("no_json", "there is no tool that could be called")
    return from_decoded(
        offered, decode_reply(text, offered.blocks, strict=how.strict, tag=offered.tag, complete=how.complete)
    )


def from_decoded(offered: Offered, decoded: Decoded, given: SentCall | None = None) -> Chosen | ToolRun:
    """Return the call that was *decoded*, once its block's own validators agree."""
    prepared = offered.prepared.get(decoded.uid)
    name = name_of(prepared.block) if prepared is not None else ""
    value = decoded.value if decoded.ok else None
    call = Call(decoded.uid, name or decoded.name, value, decoded.call_id or None)
    if given is not None:
        call = Call(decoded.uid, given.name, value, given.id or None)
    notes = tuple(decoded.notes)
    if prepared is None or not decoded.ok:
        return refused(call, decoded.problems, notes)
    if given is None and not decoded.name and not value:
        hint = f'to call {name}, send {{"{offered.tag}": "{name}"}}'
        return _refusal("no_json", "the reply names no tool and holds no arguments", hint)
    return agreed(Chosen(prepared, call, notes))


def from_given(offered: Offered, given: SentCall, how: Reading) -> Chosen | ToolRun:
    """Return the call that a provider named: its arguments go as given."""
    if not given.complete and (problem := _cut(given, how)) is not None:
        return refused(Call("", given.name, None, given.id or None), [problem])
    if how.export is not None and given.name in how.export.names:
        return from_decoded(offered, how.export.decode(given.name, given.arguments, strict=how.strict), given)
    prepared, notes = _named(offered, given.name, how)
    if prepared is None:
        return refused(Call("", given.name, None, given.id or None), [unknown(offered, given.name)])
    if given.arguments is None:
        given = replace(given, arguments={})
    arguments = given.arguments
    plainly = type(arguments) is dict and prepared.keeps_its_form(arguments)
    if plainly and prepared.fits(arguments):
        return agreed(Chosen(prepared, Call(prepared.block.uid, given.name, arguments, given.id or None), notes))
    return brought(prepared, given, notes, strict=how.strict, misfit=plainly)


def brought(
    prepared: Prepared, given: SentCall, notes: tuple[Note, ...] = (), *, strict: bool, misfit: bool
) -> Chosen | ToolRun:
    """Return the call of *prepared* that the arguments *given* are brought to; a *misfit* is known not to fit as it is."""
    block, arguments = prepared.block, given.arguments
    call = Call(block.uid, given.name, None, given.id or None)
    is_text = isinstance(arguments, str | bytes)
    if not is_text and is_json(arguments):
        decoded = decode_json(arguments, block, strict=strict, misfit=misfit)
    elif is_text or accepts_json(arguments):
        decoded = decode_arguments(arguments, block, strict=strict, complete=given.complete)
    else:
        return refused(call, block.validator().problems(arguments), notes)
    if decoded.notes and isinstance(arguments, Mapping) and any(note.rule in _OF_TEXT for note in decoded.notes):
        return refused(call, block.validator().problems(arguments), notes)
    notes = (*notes, *decoded.notes)
    if not decoded.ok:
        return refused(call, decoded.problems, notes)
    return agreed(Chosen(prepared, replace(call, arguments=decoded.value), notes))


def _cut(given: SentCall, how: Reading) -> Problem | None:
    """Return the problem of a call that the reply ended in, where its arguments cannot be known to be whole."""
    if (problem := ends_early(given.arguments)) is not None or how.export is None:
        return problem
    return ends_early(None) if read_json(_text(given.arguments)) is None else None  # an export repairs what it reads


def agreed(found: Chosen) -> Chosen | ToolRun:
    """Return *found* in Python's terms, or the run that says why its arguments cannot be.

    What an annotation promises beyond its type is a problem of the arguments too, and
    so is what the semantic validators find.
    """
    prepared, call, notes = found.prepared, found.call, found.notes
    parts = None
    problems: list[Problem] = []
    try:
        if prepared.block.constructor is not None:
            prepared.load()
    except BaseException as fault:  # noqa: BLE001 - an import may raise anything
        return not_loaded(call, caught(fault), notes=notes)
    try:
        if prepared.block.constructor is not None:
            parts = prepared.bind(owned(call.arguments))
        problems += found_by(prepared.checks, call.arguments or {})
    except InvalidArgumentsError as fault:
        problems += fault.problems
    except BaseException as fault:  # noqa: BLE001 - an author's check may raise anything
        return failed(call, caught(fault), notes=notes)
    return refused(call, problems, notes) if problems else replace(found, parts=parts)


def unknown(offered: Offered, name: str) -> Problem:
    """Return the problem of a name that means no block."""
    names = offered.names
    hint = did_you_mean(name, names) or f"the tools are {listing(names) or 'none'}"
    return Problem(code="unknown_tool", path="$", message=f"there is no tool {quoted(name)}", hint=hint)


def _named(offered: Offered, name: str, how: Reading) -> tuple[Prepared | None, tuple[Note, ...]]:
    names, prepared = offered.lookup, offered.prepared
    if (block := names.exact.get(name) or names.aliased(name)) is not None:
        return prepared[block.uid], ()
    if how.strict or (block := names.styled(name)) is None:
        return None, ()
    message = f"read the tool name {quoted(name)} as '{name_of(block)}'"
    return prepared[block.uid], (Note(rule="tool_name", path="$", before=name, after=name_of(block), message=message),)


def _tagged(offered: Offered, found: Mapping[str, Any]) -> SentCall | None:
    """Return the call that one variant of the toolset's schema is: the tag names the block."""
    name = found.get(offered.tag)
    if not isinstance(name, str) or offered.get(name) is None:
        return None
    return SentCall(name, {key: value for key, value in found.items() if key != offered.tag})


def _inferred(offered: Offered, found: Mapping[str, Any], how: Reading) -> Chosen | ToolRun:
    """Return the call of the one block that arguments without a name fit."""
    try:
        text = json.dumps(found, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return _refusal("not_json", f"{quoted(found)} is no JSON")
    return from_text(offered, text, how)
