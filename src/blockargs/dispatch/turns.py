"""What a provider's client returned: the calls in it, its text, and the turn that goes back into the messages."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..reply.responses import SentCall, response_of


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of a model.

    Attributes:
        dialect: Whose form it has; ``""`` for plain text.
        calls: Its calls, in order.
        text: What it says besides, joined.
        messages: The answer as it goes back into the list of messages.
        ending: Why the provider ended it before the model had said all, as `reply.responses` has it; ``""`` else.
    """

    dialect: str
    calls: tuple[SentCall, ...] = ()
    text: str = ""
    messages: tuple[Any, ...] = field(default=())
    ending: str = ""


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
    thing = plain(response)
    found = response_of(thing) if isinstance(thing, Mapping) else None
    if found is None:
        return None
    return Turn(found.dialect, tuple(found.calls), "\n".join(found.texts), found.messages, found.ending)
