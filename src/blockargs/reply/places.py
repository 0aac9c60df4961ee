"""Where in a text a call may stand: the whole of it as JSON, or each candidate in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .._text import quoted
from ..errors import Note, Problem
from ..keywords import MAX_DEPTH
from .candidates import Candidate, candidates
from .envelopes import call_in, calls_in
from .leaves import LEXEMES, sure, too_deep
from .parse import Parsed
from .python_calls import quoted_calls
from .settle import NOTHING_SAID, Outcome, refused, too_big
from .targets import Offer
from .thinking import without_escapes, without_thinking


def places_in(
    text: str, offer: Offer, *, channel: bool = False
) -> Outcome | tuple[str, list[Candidate], tuple[Note, ...]]:
    """Return the text without thinking, the places that may be calls, and the notes so far; or why there are none."""
    if big := too_big(text):
        return big
    whole = _as_json(text, offer, channel=channel)
    if whole is not None and (inner := quoted_calls(whole.parsed.value, offer)):
        return places_in(inner, offer, channel=channel)
    if whole is not None:
        calls = _spread(whole, offer)
        return (text, calls, ()) if calls else _no_call(text, offer)
    visible, notes = without_thinking(text.removeprefix("\ufeff"))
    visible, escapes = without_escapes(visible)
    notes = (*notes, *escapes)
    if text.startswith("\ufeff"):
        notes = (about("byte_order_mark", "left out a byte order mark"), *notes)
    only = offer.only.shape if offer.only is not None else None
    if visible.strip() in NOTHING_SAID and not notes and only is not None and only.takes_object and not only.required:
        return text, [Candidate(Parsed({}), 0, len(text))], ()
    places = [one for place in candidates(visible, offer) for one in _spread(place, offer)]
    if not places:
        return _no_call(text, offer)
    return visible, places, notes


def about(rule: str, message: str) -> Note:
    """Return the note of a repair that is about the reply as a whole."""
    return Note(rule=rule, path="$", before=None, after=None, message=message)


def _as_json(text: str, offer: Offer, *, channel: bool) -> Candidate | None:
    """Return the whole text as one candidate when it is JSON."""
    try:
        value = LEXEMES.decode(text)
    except ValueError:
        return None
    except RecursionError:
        value = None
        problem: Problem | None = refused(
            "too_deep", "$", f"the reply is nested deeper than {MAX_DEPTH} levels"
        ).problems[0]
        return Candidate(Parsed(None, problem=problem), 0, len(text))
    if too_deep(value, MAX_DEPTH):
        problem = refused("too_deep", "$", f"the reply is nested deeper than {MAX_DEPTH} levels").problems[0]
        return Candidate(Parsed(None, problem=problem), 0, len(text))
    wanted = offer.only.shape if offer.only else None
    is_value = isinstance(value, dict | list) or channel or (wanted is not None and "object" not in wanted.types)
    return Candidate(Parsed(value, end=len(text)), 0, len(text)) if is_value or isinstance(value, str) else None


def _spread(place: Candidate, offer: Offer) -> list[Candidate]:
    """Return each call of a list of calls as a candidate of its own; none for an empty list of calls."""
    if (
        place.parsed.problem is not None
        or place.parsed.opened
        or any("tool_calls" in t.declared for t in offer.targets)
    ):
        return [place]
    calls = calls_in(place.parsed.value)
    if len(calls) == 1 and calls[0] is place.parsed.value:
        return [place]
    if isinstance(place.parsed.value, list) and call_in(calls[0]) is None and _is_valid(place.parsed.value, offer):
        return [place]
    if len(calls) == 1 and call_in(calls[0]) is None:  # a list of one is read as its one object
        return [place]
    return [replace(place, parsed=replace(place.parsed, value=call)) for call in calls]


def _is_valid(tree: Any, offer: Offer) -> bool:
    """Tell whether *tree* is valid for the only target as it stands."""
    try:
        return offer.only is not None and offer.only.validator.accepts(sure(tree))
    except ValueError:
        return False


def _no_call(text: str, offer: Offer) -> Outcome:
    names = [name for t in offer.targets[:5] for name in t.declared]
    wanted = f"expected one JSON object with {', '.join(names[:8])}" if names else "expected one JSON object"
    message = f"{quoted(text.strip())} holds no call that can be read" if text.strip() else "the reply is empty"
    return refused("no_json", "$", f"{message}; {wanted}", "send exactly one JSON object")
