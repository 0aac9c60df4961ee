"""`decode_arguments` and `decode_reply`: what a model sent, as the arguments of a block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .._text import quoted
from ..errors import Note, Problem
from ..keywords import MAX_DEPTH
from ..node import json_key
from ..spec import Block
from ..validate.scan import is_json
from .candidates import LESS_AROUND, MANY, MAX_AROUND, Candidate, is_final, left_over, surroundings
from .choose import chosen
from .leaves import LEXEMES, plain, texts_for_keys, too_deep
from .parse import Parsed, ends_early, truncated
from .places import about, places_in
from .quick import as_it_is, as_written_matters, has_half_characters, is_bare, read_json
from .settle import NOTHING_SAID, Outcome, exact, fitted, json_arguments, refused, settled, too_big
from .targets import Given, Offer, Target, offer_of, target_of
from .texts import text_of_reply

_TAG = "tool"
# what finding a call in free text takes; everything else is a repair
_FINDING = frozenset(
    {
        "prose",
        "fence",
        "thinking",
        "envelope",
        "markup",
        "name_line",
        "action",
        "python_call",
        "repeated",
        "escape_marks",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """What a reply means.

    Attributes:
        ok: Whether there is one valid reading.
        value: The arguments as JSON, without defaults: those apply at the call. ``None`` when not ok.
        problems: What is wrong.
        notes: What was repaired.
        uid: The block, ``""`` where it is not known or a bare type was given.
        name: The tool's name as the model wrote it, ``""`` without.
        call_id: The provider's id of the call, ``""`` without.
    """

    ok: bool
    value: Any = None
    problems: Sequence[Problem] = field(default=())
    notes: Sequence[Note] = field(default=())
    uid: str = ""
    name: str = ""
    call_id: str = ""


def decode_arguments(
    text_or_value: Any,
    block_or_schema: Given,
    strict: bool = False,  # noqa: FBT001, FBT002 - as the design spells it
    *,
    complete: bool = True,
) -> Decoded:
    """Return the arguments of one call, from the arguments channel of a provider.

    Text is read as JSON; what is nearly JSON, or nearly fits, is repaired where
    one reading is left, each repair a note. A value that fits is never touched:
    it, or a part of it that needs no repair, may be the very object that was given.

    Args:
        text_or_value: The text of the arguments, or the value; nothing, ``null`` and ``{}`` are no arguments.
        block_or_schema: The block (also as the uid of one in the default registry, or as a typed callable or
            class), its argument type, or a JSON Schema whose ``title`` is the tool's name.
        strict: Whether every repair is refused; the problem then names the repair.
        complete: Whether the reply ended by itself; false when the provider cut it (``finish_reason`` "length"):
            only text then shows whether the arguments are whole.

    Raises:
        InvalidArgTypeError: The schema is no valid type.
        UnknownBlockError: There is no block of this uid.
        BlockArgsError: *block_or_schema* is neither one block nor a type.
    """
    target = target_of(block_or_schema)
    return decoded(arguments_outcome(text_or_value, target, complete=complete), target.uid, strict=strict)


def decode_json(value: Any, block: Block, *, strict: bool, misfit: bool = False) -> Decoded:
    """Return what `decode_arguments` does of *value*, which is JSON of plain classes; a *misfit* is known not to fit."""
    target = target_of(block)
    fits = not misfit and target.validator.fits(value)
    outcome = exact(value, target) if fits else _misfit(value, target)
    return decoded(outcome, target.uid, strict=strict)


def arguments_outcome(given: Any, target: Target, *, complete: bool = True) -> Outcome:
    """Return the arguments of *target* that the text or value *given* of an arguments channel is."""
    if not complete and (problem := ends_early(given)) is not None:
        return Outcome(problems=(problem,))
    if isinstance(given, bytes | bytearray):
        given = text_of_reply(given)
    if not isinstance(given, str):
        return _value({} if given is None and not target.validator.accepts(None) else given, target)
    if complete and (quick := _at_once(given, target, _TAG)) is not None:
        return quick
    return guarded(lambda: _arguments(given, target, complete=complete))


def decode_reply(
    text: str | bytes | bytearray,
    blocks_or_schema: Given,
    strict: bool = False,  # noqa: FBT001, FBT002 - as the design spells it
    *,
    tag: str = _TAG,
    complete: bool = True,
) -> Decoded:
    """Return the one call that free text holds somewhere.

    It may stand in prose, a code fence, tags, a provider's call object or a
    Python call. Two different calls are a problem, unless the text says that
    the last one replaces the others.

    Args:
        text: The reply; bytes are text in UTF-8.
        blocks_or_schema: A block, a type, or what to choose from: a `Registry`, or an iterable; a block may also
            be given by its uid in the default registry, or as a typed callable or class.
        strict: Whether every repair is refused; finding the call is none.
        tag: The key that names the tool beside its arguments.
        complete: Whether the reply ended by itself.

    Raises:
        InvalidCallError: *text* is no text.
        InvalidArgTypeError: A schema is no valid type.
        InvalidToolsetError: There is no block, or two have one name.
        BlockArgsError: Something is neither a block nor a type, or there is no block of this uid.
    """
    offer, text = offer_of(blocks_or_schema, tag), text_of_reply(text)
    if offer.only is not None and (quick := _at_once(text, offer.only, tag)) is not None:
        return decoded(quick, offer.only.uid, strict=strict, allowed=_FINDING)
    uid, outcome = guarded_choice(lambda: _reply(text, offer, complete=complete))
    return decoded(outcome, uid, strict=strict, allowed=_FINDING)


def decode_all(text: str, offer: Offer, *, strict: bool, complete: bool) -> list[Decoded]:
    """Return every call that free text holds, in order; one refusal when it holds none."""
    found = places_in(text, offer)
    if isinstance(found, Outcome):
        return [decoded(found, "", strict=strict)]
    out = []
    most = LESS_AROUND if len(found[1]) > MANY else MAX_AROUND
    for one in found[1]:
        uid, outcome = guarded_choice(
            lambda one=one: _one(found[0], one, offer, found[2], complete=complete, most=most)
        )
        out.append(decoded(outcome, uid, strict=strict, allowed=_FINDING))
    return out


# ---------------------------------------------------------------- the arguments channel


def _value(value: Any, target: Target) -> Outcome:
    if isinstance(value, Mapping) and not isinstance(value, dict):
        value = dict(value)
    if target.validator.fits(value):
        return exact(value, target)
    if is_json(value):
        return _misfit(value, target)
    if target.validator.accepts(value):  # of subclasses of Python's own
        return exact(value, target)
    if too_deep(value, MAX_DEPTH):
        message = f"the value is nested deeper than {MAX_DEPTH} levels"
        return refused("too_deep", "$", message, "send a flatter value")
    if not texts_for_keys(value):
        found = tuple(p for p in target.validator.problems(value) if p.code == "not_json")
        return Outcome(problems=found) if found else refused("not_json", "$", "a key is no text", "send JSON")
    return guarded(lambda: settled(Parsed(value), target) if isinstance(value, dict) else fitted(value, target))


def _at_once(text: str, target: Target, tag: str) -> Outcome | None:
    """Return the arguments that the whole of *text* is as JSON, whatever is wrong with them; ``None`` if it is not."""
    read = read_json(text)
    if read is None:
        return None
    if (fitting := as_it_is(read[0], text, target)) is not None:
        return Outcome(fitting[0])
    if not is_bare(read[0], target, tag):
        return None
    tree = None if as_written_matters(text) else read[0]
    del read  # what is read once more need not be there twice
    return guarded(lambda: _brought(text, target, tree))


def _brought(text: str, target: Target, tree: dict[str, Any] | None) -> Outcome:
    """Return the arguments that JSON *text*, the object *tree* that does not fit as it stands, can be brought to."""
    is_json = tree is not None
    if tree is None:
        tree, _ = LEXEMES.raw_decode(text, text.index("{"))
    scanned = not has_half_characters(text)
    return json_arguments(tree, target, scanned=scanned, is_json=scanned and is_json)


def _misfit(value: Any, target: Target) -> Outcome:
    """Return the arguments that *value* can be brought to: JSON of plain classes, which does not fit as it stands."""
    return guarded(
        lambda: (
            json_arguments(value, target, scanned=True, is_json=True)
            if isinstance(value, dict)
            else fitted(value, target)
        )
    )


def _arguments(text: str, target: Target, *, complete: bool) -> Outcome:
    if big := too_big(text):
        return big
    if text.strip() in NOTHING_SAID and target.shape.takes_object:
        return fitted({}, target)
    offer = Offer((target,), _TAG, dict.fromkeys(target.names, target), target.folds, target.anchors)
    uid_outcome = _reply(text, offer, complete=complete, channel=True)
    return uid_outcome[1]


# ---------------------------------------------------------------- free text


def _reply(text: str, offer: Offer, *, complete: bool, channel: bool = False) -> tuple[str, Outcome]:
    found = places_in(text, offer, channel=channel)
    if isinstance(found, Outcome):
        return (offer.only.uid if offer.only else ""), found
    text, places, notes = found
    last = places[-1]
    if channel and (rest := left_over(text, places[0], last)):
        message = f"the arguments are over, yet the text goes on with {quoted(rest)}"
        return "", refused("unexpected_text", "$", message, "send exactly one JSON object")
    if len(places) == 1:
        return _one(text, last, offer, notes, complete=complete)
    if _same_trees(places):
        notes = (*notes, about("repeated", "the same object is there more than once"))
    elif is_final(text, places[-2], last):
        notes = (*notes, about("superseded", "took the last object, which replaces those before it"))
    else:
        outcomes = (_one(text, place, offer, notes, complete=complete) for place in reversed(places))
        meant = next(outcomes)
        if not meant[1].ok or any(repr_key(*other) != repr_key(*meant) for other in outcomes):
            message = f"the reply holds {len(places)} different objects, and nothing says which one is meant"
            return (offer.only.uid if offer.only else ""), refused("ambiguous", "$", message, "send exactly one object")
        notes = (*notes, about("repeated", "the same call is there more than once"))
    return _one(text, last, offer, notes, complete=complete)


def repr_key(uid: str, outcome: Outcome) -> Any:
    """Return a key that is equal for equal calls."""
    return uid, json_key(outcome.value)


def _same_trees(places: list[Candidate]) -> bool:
    if any(p.parsed.problem is not None or p.parsed.faults for p in places):
        return False
    return len({(p.name, json_key(plain(p.parsed.value))) for p in places}) == 1


def _one(
    text: str, place: Candidate, offer: Offer, notes: tuple[Note, ...], *, complete: bool, most: int = MAX_AROUND
) -> tuple[str, Outcome]:
    """Return the call at *place*, with the notes of what stands around it."""
    if place.denied:
        message = f"the text may say that {quoted(text[place.start : place.end])} is not to be called"
        return (offer.only.uid if offer.only else ""), refused(
            "ambiguous", "$", message, "send only what is to be done"
        )
    uid, outcome = chosen(place, offer)
    if not complete and place.parsed.opened:
        ends = tuple(truncated(one.path) for one in place.parsed.opened)
        outcome = replace(outcome, value=None, problems=ends)
    around = surroundings(text, place, most) if (place.start, place.end) != (0, len(text)) else ()
    return uid, outcome.after((*notes, *around))


# ---------------------------------------------------------------- the result


def guarded(read: Any) -> Outcome:
    """Return what *read* returns; a host's own depth of calls never ends in an exception."""
    try:
        outcome: Outcome = read()
    except RecursionError:
        return refused("too_deep", "$", "the value is nested too deeply to be read here", "send a flatter value")
    return outcome


def guarded_choice(read: Any) -> tuple[str, Outcome]:
    """Return what *read* returns, as `guarded` does."""
    try:
        found: tuple[str, Outcome] = read()
    except RecursionError:
        return "", refused("too_deep", "$", "the value is nested too deeply to be read here", "send a flatter value")
    return found


def decoded(outcome: Outcome, uid: str, *, strict: bool, allowed: frozenset[str] = frozenset()) -> Decoded:
    """Return *outcome* as callers see it; when *strict*, each repair whose rule is not *allowed* is a problem."""
    problems = outcome.problems
    repairs = [note for note in outcome.notes if note.rule not in allowed] if strict and not problems else []
    if repairs:
        problems = tuple(
            Problem(
                code="repair_refused",
                path=note.path,
                message=f"it needs a repair, and repairs are refused: {note.message}",
                hint=f"rule {note.rule}",
            )
            for note in repairs
        )
    ok = not problems
    return Decoded(
        ok=ok,
        value=outcome.value if ok else None,
        problems=problems,
        notes=outcome.notes,
        uid=uid,
        name=outcome.name,
        call_id=outcome.call_id,
    )
