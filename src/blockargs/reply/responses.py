"""How the providers' responses look: the texts and calls in one, what goes back into the messages, how it ended.

The objects of the SDKs are read by their fields, as objects or as dicts; no
SDK is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from .envelopes import MISSING

MAX_CALLS = 1000


@dataclass(frozen=True, slots=True)
class SentCall:
    """One call of a provider's response.

    Attributes:
        name: The tool.
        arguments: Text, a mapping, or nothing.
        id: The provider's id, ``""`` without.
        complete: Whether the model came to its end; false where the response ended in it, before the model did.
    """

    name: str
    arguments: Any
    id: str = ""
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Response:
    """One response of a model.

    Attributes:
        dialect: Whose form it has; ``""`` where that cannot be told.
        parts: Its texts, and what may be calls, in the order in which they were written.
        messages: The response as it goes back into the list of messages.
        ending: Why it ended before the model had said all, a key of `ENDINGS`; ``""`` where the model ended it.
    """

    dialect: str
    parts: tuple[Any, ...]
    messages: tuple[Any, ...] = ()
    ending: str = ""

    @property
    def calls(self) -> list[SentCall]:
        """Its calls; of one that the response ended in it is not known whether it is whole."""
        found = [None if isinstance(part, str) else sent_call(part) for part in self.parts]
        if self.ending and found and found[-1] is not None:
            found[-1] = replace(found[-1], complete=False)
        return [call for call in found if call is not None]

    @property
    def texts(self) -> list[str]:
        """What it says besides; thoughts are none of it."""
        found = (part if isinstance(part, str) else get(part, "text") for part in self.parts)
        return [text for text in found if isinstance(text, str)]


# why a response ended before the model had said all -> what the providers call it
ENDINGS: Mapping[str, frozenset[str]] = {
    "length": frozenset(
        "length model_length max_tokens max_output_tokens MAX_TOKENS model_context_window_exceeded".split()
    ),
    "filter": frozenset(
        "content_filter content_filtered guardrail_intervened refusal SAFETY RECITATION LANGUAGE BLOCKLIST "
        "PROHIBITED_CONTENT SPII MODEL_ARMOR ESCALATION".split()
    ),
    "fault": frozenset(
        "error failed cancelled incomplete in_progress queued abort malformed_model_output malformed_tool_use OTHER "
        "MALFORMED_FUNCTION_CALL MALFORMED_RESPONSE UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS "
        "MISSING_THOUGHT_SIGNATURE".split()
    ),
}
_KINDS = {reason: kind for kind, reasons in ENDINGS.items() for reason in reasons}
_UNFINISHED = frozenset({"in_progress", "incomplete"})  # the status of one item


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


def listed(thing: Any) -> list[Any]:
    """Return the members of *thing*, as many as are read; none where it is no list."""
    return list(thing)[:MAX_CALLS] if isinstance(thing, list | tuple) else []


def _record(thing: Any) -> Any:
    """Return *thing* where it may have fields, else ``None``."""
    return None if isinstance(thing, str | bytes | int | float | list | tuple) else thing


# ---------------------------------------------------------------- one call


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
    found = _sent(call, ("name",), ("arguments",), (get(call, "call_id"), get(call, "id")))
    is_cut = found is not None and get(call, "status") in _UNFINISHED
    return replace(found, complete=False) if found is not None and is_cut else found


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
    if not has_arguments or get(call, "type") in _MADE:
        return None
    return _sent(call, ("name",), _ARGUMENTS, (get(call, "id", "call_id", "tool_call_id"),))


_ARGUMENTS = ("arguments", "args", "input")
_MADE = ("server_tool_use", "mcp_tool_use", "mcp_call")  # calls that the provider makes itself


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


# ---------------------------------------------------------------- a whole response


def _said(message: Any) -> Iterator[Any]:
    """Yield what may be a call, or text, in one message: first the content, as it is written."""
    content = get(message, "content")
    if isinstance(content, str):
        yield content
    else:
        yield from _unthought(content)
    yield from listed(get(message, "tool_calls", "toolCalls"))
    if (single := get(message, "function_call")) is not None:
        yield single


def _unthought(parts: Any) -> list[Any]:
    return [part for part in listed(parts) if get(part, "thought") is not True]


def _of_message(dialect: str, message: Any) -> Response:
    return Response(dialect, tuple(_said(message)), (message,))


def _chat(found: Any) -> Response | None:
    """OpenAI chat, Mistral: ``{choices: [{message, finish_reason}]}``."""
    choices = listed(get(found, "choices"))
    message = _record(get(choices[0], "message")) if choices else None
    return None if message is None else _of_message("openai", message)


def _items(found: Any) -> Response | None:
    """OpenAI Responses: ``{output: [{type: message, content}, {type: function_call, …}]}``."""
    output = get(found, "output")
    if not isinstance(output, list | tuple):
        return None
    parts: list[Any] = []
    for item in listed(output):
        kind = get(item, "type")
        parts += _said(item) if kind == "message" else [item] if kind == "function_call" else ()
    return Response("openai-responses", tuple(parts), tuple(output))


def _anthropic(found: Any) -> Response | None:
    """Anthropic: ``{role: assistant, content: [{type: text}, {type: tool_use}], stop_reason}``; the role may lack."""
    content, role = get(found, "content"), get(found, "role")
    if not isinstance(content, list | tuple) or get(found, "tool_calls"):
        return None
    if role != "assistant" and (role is not None or not any(get(p, "type") == "tool_use" for p in listed(content))):
        return None
    parts = tuple(part for part in listed(content) if get(part, "type") in ("text", "tool_use"))
    return Response("anthropic", parts, ({"role": "assistant", "content": content},))


def _gemini(found: Any) -> Response | None:
    """Gemini: ``{candidates: [{content: {parts: [{text}, {functionCall}]}, finishReason}]}``."""
    candidates = listed(get(found, "candidates"))
    if not candidates and any(_part(part) is not None for part in listed(get(found, "parts"))):
        candidates = [{"content": found}]  # the content alone
    if not candidates or _record(candidates[0]) is None:
        return None
    content = _record(get(candidates[0], "content"))
    if content is None:
        content = {"role": "model", "parts": []}
    return Response("gemini", tuple(_unthought(get(content, "parts"))), (content,))


def _bedrock(found: Any) -> Response | None:
    """Bedrock: ``{output: {message: {content: [{text}, {toolUse}]}}, stopReason}``."""
    message = _record(get(get(found, "output"), "message"))
    return None if message is None else _of_message("bedrock", message)


def _ollama(found: Any) -> Response | None:
    """Ollama: ``{message: {role: assistant, content, tool_calls}, done_reason}``."""
    message = _record(get(found, "message"))
    return _of_message("ollama", message) if get(message, "role") == "assistant" else None


# how the response of each provider looks; the first that fits
RESPONSES: tuple[Callable[[Any], Response | None], ...] = (_chat, _items, _anthropic, _gemini, _bedrock, _ollama)


def response_of(thing: Any) -> Response | None:
    """Return the response that *thing* is, as dicts or as objects; ``None`` when it has no provider's form."""
    for row in RESPONSES:
        if (found := row(thing)) is not None:
            return replace(found, ending=ending_of(thing))
    return None


def anything_in(thing: Any) -> Response:
    """Return *thing* as a response, whatever it is: a message alone, its parts, or text."""
    if (found := response_of(thing)) is not None:
        return found
    if isinstance(thing, str):
        parts: tuple[Any, ...] = (thing,)
    elif (message := _record(get(thing, "message"))) is not None:
        parts = tuple(_said(message))
    else:
        parts = tuple(_unthought(get(thing, "parts"))) or tuple(_said(thing))
    return Response("", parts, ending=ending_of(thing))


def ending_of(found: Any) -> str:
    """Return why the response *found* ended before the model had said all, ``""`` where the model ended it."""
    first = next(iter(listed(get(found, "choices")) or listed(get(found, "candidates"))), None)
    reasons = (
        get(first, "finish_reason", "finishReason"),
        get(found, "stop_reason", "stopReason", "done_reason", "finish_reason"),
        get(get(found, "incomplete_details"), "reason"),
        get(found, "status"),
    )
    kinds = (_KINDS.get(str(getattr(reason, "value", reason))) for reason in reasons)
    return next((kind for kind in kinds if kind), "")
