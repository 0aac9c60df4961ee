"""One parse tree to the arguments of one tool: as it stands, out of its envelope, or unwrapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from .._text import listing, quoted
from ..errors import Note, Problem, at
from ..keywords import MAX_TEXT, REMARKS
from .align import aligned
from .envelopes import MISSING, Call, call_in, carries, lone_name
from .leaves import plain, sure
from .marks import Open
from .names import fold
from .normal import normal
from .parse import Parsed, parse, truncated
from .shape import Shape
from .targets import Target
from .texts import json_text
from .unions import meant_word

NOTHING_SAID = frozenset({"", "null", "None"})  # texts that are no arguments


@dataclass(frozen=True, slots=True)
class Outcome:
    """Arguments, or why there are none.

    Attributes:
        value: JSON; ``None`` when there are problems.
        notes: The repairs.
        problems: What is wrong.
        name: The tool's name as written.
        call_id: The call's id.
    """

    value: Any = None
    notes: tuple[Note, ...] = ()
    problems: tuple[Problem, ...] = ()
    name: str = ""
    call_id: str = ""

    @property
    def ok(self) -> bool:
        """Whether the arguments are valid."""
        return not self.problems

    def after(self, notes: tuple[Note, ...], name: str | None = None) -> Outcome:
        """Return it with *notes* before its own, and with the tool's *name* as written if one is given."""
        written = self.name if name is None else name
        return Outcome(self.value, (*notes, *self.notes), self.problems, written, self.call_id)


def refused(code: str, path: str, message: str, hint: str = "") -> Outcome:
    """Return the outcome of one problem."""
    return Outcome(problems=(Problem(code=code, path=path, message=message, hint=hint),))


def too_big(text: str) -> Outcome | None:
    """Return the refusal of a *text* that is longer than what is read."""
    if len(text) <= MAX_TEXT:
        return None
    message = f"the reply is {len(text)} characters long; at most {MAX_TEXT} are read"
    return refused("too_big", "$", message, "send a shorter reply")


def settled(parsed: Parsed, target: Target) -> Outcome:
    """Return the arguments of *target* that *parsed* is, with the notes of its text."""
    if parsed.problem is not None:
        return _unreadable(parsed, target)
    found, base = _chosen(parsed.value, target, fitted)
    path = base if base != "$" else ""
    if parsed.notes:
        found = found.after(_beneath(parsed.notes, path))
    if parsed.opened and not _ends_one_way(parsed.value, found.name, target):
        return replace(found, value=None, problems=(truncated("$"),))
    if any(note.rule == "extra_closer" for note in parsed.notes) and not _closed_one_way(parsed.value, target.shape):
        message = "a bracket too many closes an object, and nothing says which bracket it is"
        return Outcome(None, found.notes, (Problem(code="mismatched_bracket", path="$", message=message),), found.name)
    if parsed.opened and (left := [o for o in parsed.opened if not _complete(o, parsed.value, path, target)]):
        missing = tuple(p for p in found.problems if p.code != "missing_key")
        ends = tuple(truncated(_under(o.path, path)) for o in left)
        return replace(found, value=None, problems=(*ends, *missing))
    if parsed.opened:
        closed = Note(rule="missing_brace", path="$", before=None, after="}", message="closed the object at the end")
        found = replace(found, notes=(*found.notes, closed))
    if parsed.faults and found.ok:
        return replace(found, value=None, problems=tuple(_moved(p, path) for p in parsed.faults))
    return found


def _unreadable(parsed: Parsed, target: Target) -> Outcome:
    call = call_in(parsed.value)
    inside = "" if call is None or not call.keys.isdisjoint(target.declared) else call.path
    problems = [p for p in (*parsed.faults, parsed.problem) if p is not None]
    name = "" if call is None else call.name
    return Outcome(notes=_beneath(parsed.notes, inside), problems=tuple(_moved(p, inside) for p in problems), name=name)


def _under(path: str, base: str) -> str:
    """Return *path* as it is seen from *base*, the place of the arguments."""
    return (
        f"${path.removeprefix(base)}" if base and (path == base or path.startswith((f"{base}.", f"{base}["))) else path
    )


def _moved(problem: Problem, base: str) -> Problem:
    return replace(problem, path=_under(problem.path, base)) if base else problem


def _beneath(notes: tuple[Note, ...], base: str) -> tuple[Note, ...]:
    return tuple(replace(n, path=_under(n.path, base)) for n in notes) if base else notes


def _complete(opened: Open, tree: Any, base: str, target: Target) -> bool:
    """Tell whether an object that is not closed can lack nothing more."""
    if opened.value is tree and base:
        return True  # a call whose name and arguments are there
    shape = target.shape if opened.value is tree else opened.shape
    if shape is None or not shape.closed:
        return bool(base) and opened.value is not tree and base.startswith(opened.path) and opened.path != base
    there = {fold(key) for key in opened.value}
    return bool(shape.fields) and all(fold(name) in there for name in shape.fields)


def _ends_one_way(tree: Any, name: str, target: Target) -> bool:
    """Tell whether a lost closing brace can only be that of the outermost object.

    Were it one further in, the last members of an inner object would be
    members of the object around it.
    """
    shape: Shape | None = target.shape
    if name and isinstance(call := call_in(tree), Call):
        tree = call.arguments
    while isinstance(tree, dict) and tree:
        key, inner = next(reversed(tree.items()))
        if not isinstance(inner, dict) or not inner:
            return True
        if len(inner) > 1 and _may_hold(shape, tree, next(reversed(inner))):
            return False
        tree, shape = inner, _part(shape, key)
    return True


def _closed_one_way(tree: Any, shape: Shape | None) -> bool:
    """Tell whether a closing brace too many can only be the last one.

    Were it one further in, the last members of an object would be members
    of an object that stands before them.
    """
    while isinstance(tree, dict) and tree:
        members = list(tree.items())
        last = members[-1][0]
        for key, member in members[:-1]:
            inner, wanted = member, _part(shape, key)
            while isinstance(inner, dict):
                if _may_hold(wanted, inner, last):
                    return False
                if not inner:
                    break
                key, below = next(reversed(inner.items()))  # noqa: PLW2901 - down the end of the member
                inner, wanted = below, _part(wanted, key)
        tree, shape = members[-1][1], _part(shape, last)
    return True


def _part(shape: Shape | None, key: str) -> Shape | None:
    if shape is None:
        return None
    names = [key] if key in shape.fields else shape.by_fold.get(fold(key), ())
    return shape.fields[names[0]] if names else shape.extra


def _may_hold(shape: Shape | None, holder: dict[str, Any], key: str) -> bool:
    if shape is None or not shape.closed:
        return key not in holder
    return any(name not in holder for name in shape.by_fold.get(fold(key), ()))


# ---------------------------------------------------------------- what a tree may be


def json_arguments(tree: dict[str, Any], target: Target, *, scanned: bool, is_json: bool) -> Outcome:
    """Return the arguments of *target* that the JSON *tree* is, which does not fit as it stands.

    Args:
        tree: What was read; its numbers may be `Num`.
        target: What is wanted.
        scanned: Whether every text in it is known to be whole, and nothing too deep.
        is_json: Whether that is so and its numbers are numbers.
    """
    return _chosen(tree, target, partial(_repaired, misfit=True, scanned=scanned, is_json=is_json))[0]


def _chosen(tree: Any, target: Target, read: Callable[[Any, Target], Outcome]) -> tuple[Outcome, str]:
    """Return the best outcome of *tree*, and where in it the arguments stand; *read* reads the whole of it as such."""
    call = call_of(tree, target)
    if call is not None and names_exactly(call.name, target):
        return _undone(call, target, "")
    first = read(tree, target)
    if first.ok:
        return first, "$"
    if call is not None:
        meant, rule = meant_name(call.name, target)
        if meant is None:
            return wrong_tool(call.name, target), "$"
        return _undone(call, target, rule)
    for rule, inner, path in _unwrappings(tree, target):
        found = fitted(inner, target)
        if found.ok:
            note = Note(rule=rule, path="$", before=plain(tree), after=found.value, message=_UNWRAPPED[rule])
            return found.after((note,)), path
        if rule != "bare_fields":  # nobody means the wrapper's own keys: speak of what is inside
            return found, path
    return first, "$"


def call_of(tree: Any, target: Target) -> Call | None:
    """Return the call that *tree* is, when none of its keys is an argument of *target*."""
    if isinstance(tree, dict) and not target.declared.keys().isdisjoint(tree):
        return None  # the keys of a call are those of the whole object
    call = call_in(tree)
    if call is None and (bare := lone_name(tree)) is not None:
        known = names_exactly(bare.name, target) if bare.arguments is MISSING else meant_name(bare.name, target)[0]
        call = bare if known and (target.names or target.words) else None
    return call


def names_exactly(name: str, target: Target) -> bool:
    """Tell whether *name* is a name of *target*, or of one of its tools, letter by letter."""
    return name in target.names or name in target.words


def meant_name(name: str, target: Target) -> tuple[str | None, str]:
    """Return the name of *target*, or of one of its tools, that *name* means, and the rule that tells so."""
    words: dict[str, Any] = {**dict.fromkeys(target.names), **target.words}
    if not words:
        return name, ""
    last = name.removeprefix("functions.")
    return meant_word(last, words)


def wrong_tool(name: str, target: Target) -> Outcome:
    """Return the outcome of a call that names another tool."""
    names = [*target.names, *target.words]
    wanted = listing(names[:1] if target.names else names, last="or")
    return replace(
        refused("wrong_tool", "$", f"the call names {quoted(name)}, not {wanted}", f"call {wanted}"), name=name
    )


def _undone(call: Call, target: Target, rule: str) -> tuple[Outcome, str]:
    """Return the arguments inside *call*."""
    meant, _ = meant_name(call.name, target)
    notes: list[Note] = []
    if rule:
        message = f"read the tool name {quoted(call.name)} as '{meant}'"
        notes.append(Note(rule="tool_name", path=call.named_at, before=call.name, after=meant, message=message))
    tree, problems, base = call.arguments, (), call.path
    if tree is MISSING or tree is None:
        tree = {}
    if isinstance(tree, str):
        parsed = arguments_text(str(tree), target)
        if parsed.problems:
            found = settled(parsed, target)
            return replace(found, name=call.name, call_id=call.id), base
        tree, notes = parsed.value, [*notes, *parsed.notes]
    if meant in target.words and target.shape.tag is not None and isinstance(tree, dict):
        tree = {target.shape.tag: meant, **tree}
    found = fitted(tree, target)
    envelope = Note(rule="envelope", path="$", before=call.name, after=None, message="took the arguments out of a call")
    whole = (envelope, *notes, *found.notes)
    return replace(found, notes=whole, problems=(*problems, *found.problems), name=call.name, call_id=call.id), base


def arguments_text(text: str, target: Target) -> Parsed:
    """Return what the text of a call's arguments reads as; empty text and null are no arguments."""
    if text.strip() in NOTHING_SAID:
        return Parsed({})
    return parse(text, target.shape, target.anchors)


# ---------------------------------------------------------------- one reading


def fitted(tree: Any, target: Target) -> Outcome:
    """Return *tree* as the arguments of *target*: as it is when it is valid, else aligned and validated again."""
    try:
        if target.validator.accepts(value := sure(tree)):
            return Outcome(normal(value, target.shape, written=True))
    except ValueError:
        pass  # bare text has no type of its own; of large numbers alignment has the digits
    return _repaired(tree, target)


def _repaired(
    tree: Any, target: Target, *, misfit: bool = False, scanned: bool = False, is_json: bool = False
) -> Outcome:
    """Return *tree* aligned, where that makes it valid; for the rest see `json_arguments`."""
    value, log = aligned(tree, target.shape, is_json=is_json)
    notes = log.listed()
    # a repair may have taken more levels of JSON out of a text than there may be
    problems = target.validator.further(
        value, log.problems, log.covered, misfit=misfit and not notes, scanned=scanned and not notes
    )
    if problems:
        return Outcome(None, notes, tuple(problems))
    return exact(value, target, notes)


def exact(value: Any, target: Target, notes: tuple[Note, ...] = ()) -> Outcome:
    """Return the outcome of the valid *value*, its whole floats as integers: of large ones alignment had the digits."""
    return Outcome(normal(value, target.shape), notes)


# ---------------------------------------------------------------- wrappers

_UNWRAPPED = {
    "wrapper": "took the arguments out of an object around them",
    "schema_echo": "took the arguments out of the properties of an echoed schema",
    "bare_fields": "put the fields into the one argument that takes them",
}


def _lone_wrapper(tree: dict[str, Any], target: Target) -> Iterator[tuple[str, Any, str]]:
    """``{arguments: {declared keys}}``, ``{$PARAMETER_NAME: {…}}``."""
    if len(tree) != 1:
        return
    key, inner = next(iter(tree.items()))
    if not carries(key) or fold(key) in target.folds:
        return
    if isinstance(inner, str):
        inner = json_text(inner)
    if isinstance(inner, dict) and any(fold(k) in target.folds for k in inner):
        yield "wrapper", inner, at("$", key)


def _schema_echo(tree: dict[str, Any], _: Target) -> Iterator[tuple[str, Any, str]]:
    """``{type: object, properties: {arguments}, required: […]}``."""
    inner = tree.get("properties")
    if isinstance(inner, dict) and _SCHEMA_KEYS.issuperset(tree):
        yield "schema_echo", inner, "$.properties"


_SCHEMA_KEYS = REMARKS | {"type", "properties", "required", "additionalProperties", "$defs"}


def _bare_fields(tree: dict[str, Any], target: Target) -> Iterator[tuple[str, Any, str]]:
    """The fields of the only (or only required) argument, without its name."""
    fields, required = target.shape.fields, target.shape.required
    names = list(fields) if len(fields) == 1 else [n for n in fields if n in required]
    if len(names) != 1 or not tree:
        return
    inner = fields[names[0]]
    if inner.fields and any(fold(k) in inner.by_fold for k in tree):
        yield "bare_fields", {names[0]: tree}, "$"


UNWRAPPINGS: tuple[Callable[[dict[str, Any], Target], Iterator[tuple[str, Any, str]]], ...] = (
    _lone_wrapper,
    _schema_echo,
    _bare_fields,
)


def _unwrappings(tree: Any, target: Target) -> Iterator[tuple[str, Any, str]]:
    if isinstance(tree, dict) and target.declared.keys().isdisjoint(tree):
        for row in UNWRAPPINGS:
            yield from row(tree, target)
