"""What a provider's client returned: the calls in it, its text, and the turn that goes back into the messages."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..reply.calls import SentCall, sent_call


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of a model.

    Attributes:
        dialect: Whose form it has; ``""`` for plain text.
        calls: Its calls, in order.
        text: What it says besides, joined.
        messages: The answer as it goes back into the list of messages.
        cut: Whether the provider says that the answer was cut for its length.
    """

    dialect: str
    calls: tuple[SentCall, ...] = ()
    text: str = ""
    messages: tuple[Any, ...] = field(default=())
    cut: bool = False


def plain(thing: Any) -> Any:
    """Return an SDK's object as dicts and lists; what already is plain comes back as it is."""
    if isinstance(thing, Mapping | list | tuple | str | int | float | bool | None):
        return thing
    try:
        return _dumped(thing)
    except Exception:  # noqa: BLE001 - a stranger's object may raise anything
        return thing


def _dumped(thing: Any) -> Any:
    if callable(dump := getattr(thing, "model_dump", None)):  # pydantic, whose classes all SDKs use
        return dump(mode="json", by_alias=True, exclude_none=True)
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        return dataclasses.asdict(thing)
    if hasattr(thing, "__dict__"):
        return {k: _all_plain(v) for k, v in vars(thing).items() if not k.startswith("_")}
    return thing


def _all_plain(thing: Any) -> Any:
    if isinstance(thing, list | tuple):
        return [_all_plain(one) for one in thing]
    return plain(thing)


def turn_of(response: Any) -> Turn | None:
    """Return the turn that *response* is; ``None`` when it is no provider's response."""
    found = plain(response)
    if isinstance(found, Mapping):
        for row in TURNS:
            if (turn := row(found)) is not None:
                return turn
    return None


def _items(found: Any, kind: str = "") -> list[Mapping[str, Any]]:
    """Return the objects in the list *found*, or those of its ``type`` *kind*."""
    listed = found if isinstance(found, list | tuple) else ()
    return [item for item in listed if isinstance(item, Mapping) and kind in ("", item.get("type"))]


def _calls(items: Any) -> tuple[SentCall, ...]:
    return tuple(call for item in _items(items) if (call := sent_call(item)) is not None)


def _texts(items: Any) -> str:
    if isinstance(items, str):
        return items
    found = [item.get("text") for item in _items(items)]
    return "\n".join(text for text in found if isinstance(text, str))


def _chat(found: Mapping[str, Any]) -> Turn | None:
    choices = _items(found.get("choices"))
    if not choices or not isinstance(message := choices[0].get("message"), Mapping):
        return None
    calls, text = _calls(message.get("tool_calls")), _texts(message.get("content"))
    return Turn("openai", calls, text, (dict(message),), choices[0].get("finish_reason") == "length")


def _responses(found: Mapping[str, Any]) -> Turn | None:
    output = found.get("output")
    if not isinstance(output, list):
        return None
    calls = _calls(_items(output, "function_call"))
    text = "\n".join(_texts(item.get("content")) for item in _items(output, "message"))
    return Turn("openai-responses", calls, text, tuple(output), found.get("status") == "incomplete")


def _anthropic(found: Mapping[str, Any]) -> Turn | None:
    content = found.get("content")
    if found.get("role") != "assistant" or not isinstance(content, list):
        return None
    calls, text = _calls(_items(content, "tool_use")), _texts(_items(content, "text"))
    message = {"role": "assistant", "content": content}
    return Turn("anthropic", calls, text, (message,), found.get("stop_reason") == "max_tokens")


def _gemini(found: Mapping[str, Any]) -> Turn | None:
    candidates = _items(found.get("candidates"))
    if not candidates:
        return None
    content = candidates[0].get("content")
    if not isinstance(content, Mapping):
        content = {"role": "model", "parts": []}
    said = [part for part in _items(content.get("parts")) if not part.get("thought")]
    cut = candidates[0].get("finishReason") == "MAX_TOKENS"
    return Turn("gemini", _calls(said), _texts(said), (content,), cut)


def _bedrock(found: Mapping[str, Any]) -> Turn | None:
    output = found.get("output")
    if not isinstance(output, Mapping) or not isinstance(message := output.get("message"), Mapping):
        return None
    content = message.get("content")
    cut = found.get("stopReason") == "max_tokens"
    return Turn("bedrock", _calls(content), _texts(content), (dict(message),), cut)


def _ollama(found: Mapping[str, Any]) -> Turn | None:
    message = found.get("message")
    if not isinstance(message, Mapping) or message.get("role") != "assistant":
        return None
    calls, text = _calls(message.get("tool_calls")), _texts(message.get("content"))
    return Turn("ollama", calls, text, (dict(message),), found.get("done_reason") == "length")


# how the answer of each provider looks; the first that fits
TURNS: tuple[Callable[[Mapping[str, Any]], Turn | None], ...] = (
    _chat,
    _responses,
    _anthropic,
    _gemini,
    _bedrock,
    _ollama,
)
