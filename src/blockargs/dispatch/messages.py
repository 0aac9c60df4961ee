"""The message that brings a result, or a failure, to the model: one row a provider."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .._text import did_you_mean, listing, quoted
from ..errors import InvalidToolsetError, Problem, UnknownDialectError
from .characters import whole
from .content import Audio, Image, Part, Text
from .run import META, ToolRun


@dataclass(frozen=True, slots=True)
class Reply:
    """What a row needs: the run, and how the provider calls the call."""

    run: ToolRun
    id: str | None
    name: str


def message_of(run: ToolRun, dialect: str, *, call_id: str | None = None, name: str | None = None) -> dict[str, Any]:
    """Return the message of *run* in *dialect*; `ToolRun.to_message` explains it.

    Raises:
        UnknownDialectError: There is no such dialect.
        InvalidToolsetError: The dialect needs a call id and there is none.
    """
    row = MESSAGES[known_dialect(dialect)]
    given = run.call.id if call_id is None else call_id
    if given is None and dialect in NEEDS_ID:
        raise InvalidToolsetError(f"a result for '{dialect}' needs the id of its call; pass call_id=…")
    if not isinstance(given, str | None):
        raise InvalidToolsetError(f"call_id={given!r} is no id; give the text that the provider sent")
    made: dict[str, Any] = whole(row(Reply(run, given, run.call.name if name is None else name)))
    return made


def known_dialect(name: Any) -> str:
    """Return *name*, which is that of a dialect.

    Raises:
        UnknownDialectError: There is no such dialect.
    """
    if isinstance(name, str) and name in MESSAGES:
        return name
    message = f"{quoted(name)} is no dialect; there are {listing(MESSAGES)}"
    hint = did_you_mean(name, MESSAGES)
    raise UnknownDialectError((Problem(code="dialect_unknown", path="$", message=message, hint=hint),))


def _openai(reply: Reply) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": reply.id, "content": _words(reply.run)}


def _responses(reply: Reply) -> dict[str, Any]:
    parts = reply.run.parts
    plain = all(isinstance(p, Text) for p in parts)
    output = _words(reply.run) if plain else [_responses_part(p) for p in parts]
    return {"type": "function_call_output", "call_id": reply.id, "output": output}


def _responses_part(part: Part) -> dict[str, Any]:
    if isinstance(part, Image):
        return {"type": "input_image", "image_url": f"data:{part.mime_type};base64,{part.data}"}
    return {"type": "input_text", "text": part.words()}


def _anthropic(reply: Reply) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": reply.id}
    if content := [_anthropic_part(p) for p in reply.run.parts if not (isinstance(p, Text) and not p.text)]:
        block["content"] = content  # the API refuses empty text
    if reply.run.is_error:
        block["is_error"] = True
    return {"role": "user", "content": [block]}


ANTHROPIC_IMAGES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})


def _anthropic_part(part: Part) -> dict[str, Any]:
    if isinstance(part, Image) and part.mime_type in ANTHROPIC_IMAGES:
        source = {"type": "base64", "media_type": part.mime_type, "data": part.data}
        return {"type": "image", "source": source}
    return {"type": "text", "text": part.words()}


def _gemini(reply: Reply) -> dict[str, Any]:
    run = reply.run
    if run.is_error:
        response: dict[str, Any] = {"error": _words(run)}
    else:
        response = {"output": run.structured if run.structured is not None else _words(run)}
    answer: dict[str, Any] = {} if reply.id is None else {"id": reply.id}
    answer |= {"name": reply.name, "response": response}
    if pictures := [p for p in run.parts if isinstance(p, Image | Audio)]:
        answer["parts"] = [{"inlineData": {"mimeType": p.mime_type, "data": p.data}} for p in pictures]
    return {"role": "user", "parts": [{"functionResponse": answer}]}


def _bedrock(reply: Reply) -> dict[str, Any]:
    run = reply.run
    content = [_bedrock_part(p) for p in run.parts]
    status = "error" if run.is_error else "success"
    return {"role": "user", "content": [{"toolResult": {"toolUseId": reply.id, "content": content, "status": status}}]}


BEDROCK_IMAGES = frozenset({"png", "jpeg", "gif", "webp"})


def _bedrock_part(part: Part) -> dict[str, Any]:
    if isinstance(part, Image) and (kind := part.mime_type.partition("/")[2]) in BEDROCK_IMAGES:
        return {"image": {"format": kind, "source": {"bytes": b64decode(part.data)}}}  # the SDK encodes them itself
    return {"text": part.words()}


def _mistral(reply: Reply) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": reply.id, "name": reply.name, "content": _words(reply.run)}


def _ollama(reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "tool", "tool_name": reply.name, "content": _words(reply.run)}
    if images := [p.data for p in reply.run.parts if isinstance(p, Image)]:
        message["images"] = images
    return message


def _llama_cpp(reply: Reply) -> dict[str, Any]:
    message = {"role": "tool", "tool_call_id": reply.id, "name": reply.name, "content": _words(reply.run)}
    return {key: value for key, value in message.items() if value is not None}


def _mcp(reply: Reply) -> dict[str, Any]:
    run = reply.run
    result: dict[str, Any] = {"content": [p.record() for p in run.parts], "isError": run.is_error}
    if run.structured is not None and not run.is_error:
        result["structuredContent"] = run.structured
    if meta := meta_of(run):
        result["_meta"] = meta
    return result


def meta_of(run: ToolRun) -> dict[str, Any]:
    """Return what MCP's ``_meta`` says of *run* to programs: its own facts, a failure, problems and repairs."""
    meta = {key: value for key, value in run.meta.items() if value is not None}
    if run.code:
        meta[f"{META}code"] = run.code
    if run.details is not None:
        meta[f"{META}details"] = run.details
    if run.problems:
        meta[f"{META}problems"] = [p.record() for p in run.problems]
    if run.notes:
        meta[f"{META}repairs"] = [n.record() for n in run.notes]
    return meta


def _words(run: ToolRun) -> str:
    """Return *run* as a channel that carries text only shows it."""
    return "\n".join(p.words() for p in run.parts) if run.explicit else run.text


# a row: how one provider is told
MESSAGES: dict[str, Callable[[Reply], dict[str, Any]]] = {
    "openai": _openai,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "gemini-json": _gemini,
    "bedrock": _bedrock,
    "mistral": _mistral,
    "ollama": _ollama,
    "llama-cpp": _llama_cpp,
    "mcp": _mcp,
}
NEEDS_ID = frozenset({"openai", "openai-responses", "anthropic", "bedrock", "mistral"})
# where the answers to the calls of one turn must stand in one message
TOGETHER: Mapping[str, str] = {"anthropic": "content", "bedrock": "content", "gemini": "parts", "gemini-json": "parts"}


def joined_messages(messages: Iterable[dict[str, Any]], dialect: str) -> list[dict[str, Any]]:
    """Return the messages that answer one turn of several calls: one where *dialect* wants them together.

    Raises:
        UnknownDialectError: There is no such dialect.
        InvalidToolsetError: *messages* are none of *dialect*.
    """
    key = TOGETHER.get(known_dialect(dialect))
    several = isinstance(messages, Iterable) and not isinstance(messages, Mapping | str)
    given = list(messages) if several else []
    wrong = [one for one in given if not _is_message(one, key)] if several else [messages]
    if wrong:
        hint = "give a list of what to_message() returned"
        raise InvalidToolsetError(f"{quoted(wrong[0])} is no message for '{dialect}'; {hint}")
    if key is None or len(given) < 2:  # noqa: PLR2004 - one needs no joining
        return given
    return [{**given[0], key: [part for message in given for part in message[key]]}]


def _is_message(thing: Any, key: str | None) -> bool:
    return isinstance(thing, Mapping) and (key is None or isinstance(thing.get(key), list))
