"""`decode_calls`: every call of a reply, be it text or what a provider's SDK returns.

The objects of the SDKs are read by their fields, as objects or as dicts; no
SDK is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from .choose import meant_target, unknown_tool
from .decode import Decoded, arguments_outcome, decode_all, decoded
from .envelopes import MISSING
from .settle import meant_name, wrong_tool
from .targets import Given, Offer, offer_of

MAX_CALLS = 1000
_CUT = frozenset({"length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_context_window_exceeded"})


@dataclass(frozen=True, slots=True)
class SentCall:
    """One call of a provider's response.

    Attributes:
        name: The tool.
        arguments: Text, a mapping, or nothing.
        id: The provider's id, ``""`` without.
    """

    name: str
    arguments: Any
    id: str = ""


def get(thing: Any, *names: str) -> Any:
    """Return the first of the fields *names* that *thing* has, as a dict or as an object; else ``None``."""
    if type(thing) is dict or isinstance(thing, Mapping):  # nearly everything is a dict, and the class is asked at once
        read: Callable[[str], Any] = thing.get
    elif thing is None or isinstance(thing, str | bytes | int | float | list | tuple):
        return None
    else:
        read = partial(_attribute, thing)
    for name in names:
        if (found := read(name)) is not None:
            return found
    return None


def _attribute(thing: Any, name: str, missing: Any = None) -> Any:
    try:
        return getattr(thing, name, missing)
    except Exception:  # noqa: BLE001 - a stranger's object may raise anything
        return missing


def _list(thing: Any) -> list[Any]:
    return list(thing)[:MAX_CALLS] if isinstance(thing, list | tuple) else []


def _sent(holder: Any, name_keys: tuple[str, ...], argument_keys: tuple[str, ...], ids: Any) -> SentCall | None:
    name = get(holder, *name_keys)
    if not isinstance(name, str):
        return None
    return SentCall(name, get(holder, *argument_keys), next((i for i in ids if isinstance(i, str)), ""))


def _function(call: Any) -> SentCall | None:
    """OpenAI chat, Mistral, Ollama: ``{id, function: {name, arguments}}``."""
    function = get(call, "function")
    return None if function is None else _sent(function, ("name",), ("arguments",), (get(call, "id"),))


def _item(call: Any) -> SentCall | None:
    """OpenAI Responses: ``{type: function_call, name, arguments, call_id}``."""
    if get(call, "type") != "function_call":
        return None
    return _sent(call, ("name",), ("arguments",), (get(call, "call_id"), get(call, "id")))


def _tool_use(call: Any) -> SentCall | None:
    """Anthropic: ``{type: tool_use, id, name, input}``."""
    return _sent(call, ("name",), ("input",), (get(call, "id"),)) if get(call, "type") == "tool_use" else None


def _bedrock_use(call: Any) -> SentCall | None:
    """Bedrock: ``{toolUse: {toolUseId, name, input}}``."""
    use = get(call, "toolUse")
    return None if use is None else _sent(use, ("name",), ("input",), (get(use, "toolUseId"),))


def _part(call: Any) -> SentCall | None:
    """Gemini: ``{functionCall: {name, args}}``."""
    part = get(call, "functionCall", "function_call")
    return None if part is None else _sent(part, ("name",), ("args", "arguments"), (get(part, "id"),))


def _request(call: Any) -> SentCall | None:
    """MCP: ``{method: tools/call, params: {name, arguments}}``."""
    if get(call, "method") != "tools/call":
        return None
    request_id = get(call, "id")
    return _sent(get(call, "params"), ("name",), ("arguments",), (None if request_id is None else str(request_id),))


def _bare(call: Any) -> SentCall | None:
    """A call without a wrapper: ``{name, arguments}``, ``{name, args}``."""
    if isinstance(call, Mapping):
        has_arguments = any(key in call for key in _ARGUMENTS)
    else:
        has_arguments = any(_attribute(call, key, MISSING) is not MISSING for key in _ARGUMENTS)
    if not has_arguments:
        return None
    return _sent(call, ("name",), _ARGUMENTS, (get(call, "id", "call_id", "tool_call_id"),))


_ARGUMENTS = ("arguments", "args", "input")


CALLS: tuple[Callable[[Any], SentCall | None], ...] = (
    _function,
    _item,
    _tool_use,
    _bedrock_use,
    _part,
    _request,
    _bare,
)


def sent_call(thing: Any) -> SentCall | None:
    """Return the call that *thing* is, in the form of any provider."""
    for row in CALLS:
        if (found := row(thing)) is not None:
            return found
    return None


def _parts(reply: Any) -> Iterator[Any]:
    """Yield what may be a call, or text, in a whole response."""
    choices = _list(get(reply, "choices"))
    if choices:
        message = get(choices[0], "message")
        yield from _message(message)
    elif (message := get(reply, "message")) is not None and not isinstance(message, str):
        yield from _message(message)
    elif isinstance(get(reply, "output"), list | tuple):
        for item in _list(get(reply, "output")):
            yield from _message(item) if get(item, "type") == "message" else [item]
    elif (output := get(reply, "output")) is not None:
        yield from _message(get(output, "message"))
    elif candidates := _list(get(reply, "candidates")):
        yield from _list(get(get(candidates[0], "content"), "parts"))
    elif _list(get(reply, "parts")):
        yield from _list(get(reply, "parts"))
    else:
        yield from _message(reply)


def _message(message: Any) -> Iterator[Any]:
    content = get(message, "content")
    if isinstance(content, str):
        yield content
    else:
        yield from _list(content)
    yield from _list(get(message, "tool_calls", "toolCalls"))
    if (single := get(message, "function_call")) is not None:
        yield single


def _is_cut(reply: Any) -> bool:
    first = next(iter(_list(get(reply, "choices")) or _list(get(reply, "candidates"))), None)
    reasons = [
        get(first, "finish_reason", "finishReason"),
        get(reply, "stop_reason", "stopReason", "done_reason", "finish_reason"),
        get(get(reply, "incomplete_details"), "reason"),
    ]
    return any(str(getattr(reason, "value", reason)) in _CUT for reason in reasons if reason is not None)


def decode_calls(
    reply: Any,
    blocks: Given,
    strict: bool = False,  # noqa: FBT001, FBT002 - as the design spells it
    *,
    tag: str = "tool",
    complete: bool = True,
) -> list[Decoded]:
    """Return every call of *reply*, in order.

    Args:
        reply: Text that may hold several calls, or what an SDK returns: a whole response, a message, a list
            of calls, or one call; of OpenAI (chat and Responses), Anthropic, Gemini, Bedrock, Mistral, Ollama, MCP.
        blocks: A block, a type, or what to choose from; as `decode_reply` takes them.
        strict: Whether every repair is refused.
        tag: The key that names the tool beside its arguments, in text.
        complete: Whether the reply ended by itself; a provider's response tells that itself.

    Returns:
        One `Decoded` a call. When there is no call at all, one that says so.

    Raises:
        InvalidArgTypeError: A schema is no valid type.
        InvalidToolsetError: There is no block, or two have one name.
        BlockArgsError: Something in *blocks* is neither a block nor a type, or there is no block of this uid.
    """
    offer = offer_of(blocks, tag)
    if isinstance(reply, bytes | bytearray):
        reply = bytes(reply).decode("utf-8", "replace")
    if isinstance(reply, str):
        return decode_all(reply, offer, strict=strict, complete=complete)
    complete = complete and not _is_cut(reply)
    things = _list(reply) if isinstance(reply, list | tuple) else [reply]
    found = [_sent_decoded(call, offer, strict=strict, complete=complete) for call in _calls_of(things)]
    if found:
        return found
    text = "\n".join(_texts(things))
    return decode_all(text, offer, strict=strict, complete=complete)


def _calls_of(things: list[Any]) -> Iterator[SentCall]:
    for thing in things:
        if (call := sent_call(thing)) is not None:
            yield call
            continue
        for part in _parts(thing):
            if not isinstance(part, str) and (call := sent_call(part)) is not None:
                yield call


def _texts(things: list[Any]) -> Iterator[str]:
    for thing in things:
        for part in [thing] if isinstance(thing, str) else _parts(thing):
            text = part if isinstance(part, str) else get(part, "text")
            if isinstance(text, str) and get(part, "thought") is not True:
                yield text


def _sent_decoded(call: SentCall, offer: Offer, *, strict: bool, complete: bool) -> Decoded:
    """Return what one call of a provider means; its name is given, its arguments are the arguments channel."""
    target, _ = meant_target(call.name, offer)  # the style is the provider's: names come back as it allows them
    if target is None:
        only = offer.only
        wrong = wrong_tool(call.name, only) if only is not None else unknown_tool(call.name, offer, "$")
        return decoded(replace(wrong, call_id=call.id), "", strict=strict)
    given, tag = call.arguments, target.shape.tag
    word = meant_name(call.name, target)[0]
    if tag is not None and word in target.words and (given is None or isinstance(given, Mapping)):
        given = {tag: word, **(given or {})}
    outcome = arguments_outcome(given, target, complete=complete)
    return decoded(replace(outcome, name=call.name, call_id=call.id), target.uid, strict=strict)
