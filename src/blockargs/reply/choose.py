"""Which of the offered tools a candidate calls: by its name, by its tag, or as the only one that it fits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .._text import did_you_mean, listing, quoted
from ..errors import Note, at
from .candidates import Candidate
from .envelopes import MISSING, call_in, carries, lone_name
from .names import fold
from .parse import Parsed
from .settle import Outcome, meant_name, names_exactly, refused, settled, wrong_tool
from .targets import Offer, Target
from .unions import meant_word

_ABOUT = {
    "markup": "read the call from its tags",
    "python_call": "read a call written as Python",
    "action": "took the tool's name from the line before",
    "name_line": "took the tool's name from the text before",
}


def chosen(place: Candidate, offer: Offer) -> tuple[str, Outcome]:
    """Return the uid of the tool that *place* calls, and its arguments."""
    found = _named(place, offer) if place.name else _plain(place.parsed, offer)
    if place.rule in _ABOUT:
        note = Note(rule=place.rule, path="$", before=place.name, after=None, message=_ABOUT[place.rule])
        found = found[0], found[1].after((note,))
    return found


def _named(place: Candidate, offer: Offer) -> tuple[str, Outcome]:
    """Return the call whose name stands beside the arguments."""
    target, rule = meant_target(place.name, offer)
    only = offer.only
    if target is None:
        outcome = wrong_tool(place.name, only) if only is not None else unknown_tool(place.name, offer, "$")
        return (only.uid if only else ""), outcome
    parsed = place.parsed
    word = meant_name(place.name, target)[0]
    if target.shape.tag is not None and word in target.words and isinstance(parsed.value, dict):
        parsed = replace(parsed, value={target.shape.tag: word, **parsed.value})
    outcome = settled(parsed, target)
    return target.uid, outcome.after(_renamed(place.name, rule, target, "$"), place.name)


def _renamed(written: str, rule: str, target: Target, path: str) -> tuple[Note, ...]:
    if not rule:
        return ()
    meant = meant_name(written, target)[0]
    message = f"read the tool name {quoted(written)} as '{meant}'"
    return (Note(rule="tool_name", path=path, before=written, after=meant, message=message),)


def meant_target(name: str, offer: Offer) -> tuple[Target | None, str]:
    """Return the target that *name* means, and the rule that tells so."""
    if (exact := offer.by_name.get(name)) is not None:
        return exact, ""
    only = offer.only
    if only is not None:
        meant, rule = meant_name(name, only)
        return (only if meant is not None else None), rule
    last = name.removeprefix("functions.")
    if (exact := offer.by_name.get(last)) is not None:
        return exact, "name_style"
    distinct = {fold(n) for t in offer.targets for n in t.names}
    word, rule = meant_word(last, dict(offer.by_name))
    if word is None and fold(last) in distinct:
        # uid and wire name of one block may be two styles of one name
        same = [t for t in offer.targets if any(fold(n) == fold(last) for n in t.names)]
        return (same[0], "name_style") if len(same) == 1 else (None, "")
    return (offer.by_name[word] if word is not None else None), rule


def unknown_tool(name: str, offer: Offer, path: str) -> Outcome:
    """Return the outcome of a call of a tool that is not offered."""
    names = [t.names[0] for t in offer.targets if t.names]
    hint = did_you_mean(name, names) or f"the tools are {listing(names)}"
    return replace(refused("unknown_tool", path, f"there is no tool {quoted(name)}", hint), name=name)


def _plain(parsed: Parsed, offer: Offer) -> tuple[str, Outcome]:
    """Return the call of a tree that has no name beside it."""
    tree = parsed.value
    only = offer.only
    if only is not None:
        is_call = (call := call_in(tree)) is not None and call.keys.isdisjoint(only.declared)
        flat = _tagged(tree, offer, (only,)) if only.names and not is_call else None
        if flat is not None and not names_exactly(flat[0], only) and meant_name(flat[0], only)[0] is None:
            flat = None
        return only.uid, (settled(parsed, only) if flat is None else _flat(parsed, offer, only, flat))
    call = call_in(tree)
    if call is None and (bare := lone_name(tree)) is not None and meant_target(bare.name, offer)[0] is not None:
        call = bare
    if call is not None and call.name:
        target, _ = meant_target(call.name, offer)
        if target is not None and call.keys.isdisjoint(target.declared):
            return target.uid, settled(parsed, target)
        if target is None and not any(not call.keys.isdisjoint(t.declared) for t in offer.targets):
            return "", unknown_tool(call.name, offer, call.named_at)
    if (flat := _tagged(tree, offer, offer.targets)) is not None:
        target, _ = meant_target(flat[0], offer)
        if target is None:
            return "", unknown_tool(flat[0], offer, at("$", offer.tag))
        return target.uid, _flat(parsed, offer, target, flat)
    return _inferred(parsed, offer)


def _tagged(tree: Any, offer: Offer, targets: tuple[Target, ...]) -> tuple[str, str] | None:
    """Return the tool's name that stands under the tag, and the tag as written."""
    if not isinstance(tree, dict):
        return None
    key = offer.tag if offer.tag in tree else next((k for k in tree if fold(k) == fold(offer.tag)), None)
    if key is None or not isinstance(tree[key], str):
        return None
    if any(key in t.declared for t in targets):
        named, _ = meant_target(tree[key], offer)
        if named is None or key in named.declared:
            return None
    return tree[key], key


def _flat(parsed: Parsed, offer: Offer, target: Target, flat: tuple[str, str]) -> Outcome:
    """Return the call whose tag stands among its arguments."""
    written, key = flat
    rest = {k: v for k, v in parsed.value.items() if k != key}
    opened = tuple(replace(o, value=rest) if o.value is parsed.value else o for o in parsed.opened)
    outcome = settled(replace(parsed, value=rest, opened=opened), target)
    _, rule = meant_target(written, offer)
    notes = _renamed(written, rule, target, at("$", offer.tag))
    return outcome.after(notes, written)


def _inferred(parsed: Parsed, offer: Offer) -> tuple[str, Outcome]:
    """Return the call of the one tool whose arguments these can be."""
    fitting: list[tuple[Target, Outcome]] = []
    for target in offer.targets:
        outcome = settled(parsed, target) if _may_be(parsed.value, target) else None
        if outcome is not None and outcome.ok:
            fitting.append((target, outcome))
    untouched = [one for one in fitting if not one[1].notes]
    if len(untouched) == 1:
        fitting = untouched
    path = at("$", offer.tag)
    if len(fitting) == 1:
        target, outcome = fitting[0]
        name = target.names[0] if target.names else ""
        message = f"only '{name}' takes these arguments"
        note = Note(rule="tool_inferred", path=path, before=None, after=name, message=message)
        return target.uid, outcome.after((note,))
    if parsed.problem is not None:
        return "", Outcome(problems=(parsed.problem,), notes=parsed.notes)
    bare = lone_name(parsed.value)
    if not fitting and bare is not None and bare.arguments is not MISSING and _names_another(bare.name, offer):
        return "", unknown_tool(bare.name, offer, bare.path)
    names = listing([t.names[0] for t in ([t for t, _ in fitting] or offer.targets) if t.names], last="or")
    if fitting:
        return "", refused("ambiguous", path, f"the arguments fit {names}", f"say which is meant in '{offer.tag}'")
    message = f"the reply names no tool, and its arguments fit none of {names}"
    return "", refused("missing_key", path, message, f"name the tool in '{offer.tag}'")


def _names_another(key: str, offer: Offer) -> bool:
    """Tell whether a lone *key* can only be the name of a tool that is not offered."""
    return not carries(key) and not any(fold(key) in target.folds for target in offer.targets)


def _may_be(tree: Any, target: Target) -> bool:
    """Tell cheaply whether *tree* can be arguments of *target*, or hold them."""
    if not isinstance(tree, dict) or not tree or not target.declared:
        return True
    return any(fold(key) in target.folds or isinstance(value, dict) for key, value in tree.items())
