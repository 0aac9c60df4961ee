"""`decode_calls`: every call of a reply, be it text or what a provider's SDK returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .choose import meant_target, unknown_tool
from .decode import Decoded, arguments_outcome, decode_all, decoded
from .responses import Response, SentCall, anything_in, listed, sent_call
from .settle import meant_name, wrong_tool
from .targets import Given, Offer, offer_of


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
    found = [_response(thing) for thing in (listed(reply) if isinstance(reply, list | tuple) else [reply])]
    calls = [call for response in found for call in response.calls]
    if calls:
        return [_sent_decoded(call, offer, strict=strict, complete=complete and call.complete) for call in calls]
    text = "\n".join(text for response in found for text in response.texts)
    return decode_all(text, offer, strict=strict, complete=complete and not any(r.ending for r in found))


def _response(thing: Any) -> Response:
    return Response("", (thing,)) if sent_call(thing) is not None else anything_in(thing)


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
