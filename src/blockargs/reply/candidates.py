"""Where in free text a call may stand: JSON, markup and Python calls, in the order of the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from .._text import QUOTED_LENGTH, quoted
from ..errors import Note, Problem
from . import grammar as g
from .beside import MAX_BEFORE, is_denied, is_name, is_reported, name_before
from .envelopes import MISSING, call_in, calls_in, lone_name
from .leaves import Num, Raw, Unlined
from .markup import MARKUP_START, markup_at
from .names import fold
from .parse import Parsed, parse_at
from .python_calls import python_calls
from .reader import CALL_KEYS
from .targets import Offer

MAX_CANDIDATES = 200  # places that are looked at though they turn out to be no call
MAX_CALLS = 20_000
MAX_AFTER = 60  # characters behind a call that are looked at for what came of it
MAX_AROUND = 2000  # characters of prose that are looked at for a note
LESS_AROUND = 300  # the same, where there are many calls
MANY = 50
SPARE = 64 * 1024  # characters that may be read twice, beside the length of the text
_START = re.compile(
    rf"""\{{(?=\s*+(?:[{g.QUOTES}}}]|//|/\*|\#|[\w$][\w$.-]{{0,80}}+\s*+(?::|=>)|[\w$][\w$ .-]{{0,80}}+[{g.QUOTES}]\s*+(?::|=>)))|\[(?=\s*+\{{)|<(?={MARKUP_START})"""
)
_LIST_START = re.compile(_START.pattern + r"|\[")
# the next quote is a closing one: the text before it has lost its opening quote
_QUOTE_LATER = re.compile(r'[^"{]{0,1000}+"\s*+[:,}\]]').match
_CLOSERS = re.compile(r"(?:\s*+[}\]])++").match
_GOES_ON = re.compile(r"""(?s)\s*+,\s*+(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|\w{1,100})\s*+:""").match
# a member right behind the brace, without a comma
_MORE = re.compile(
    r"""(?s)[ \t]*+(?:\s*+"([^"\\\n]{1,200}+)"\s*+(?::|=>)|([A-Za-z_][\w-]{0,200}+)[ \t]*+[:=][ \t]*+(?=["'\[{\d-]|true|false|null))"""
).match
# what carries nothing: blanks, brackets too many; a fence or a closing tag ends the text
_NOTHING_MORE = re.compile(r"[\s}\];]*+(?:```|~~~|</|<\||\Z)").match
_FINAL = re.compile(
    r"(?i)\b(?:final|finally|finalised|finalized|corrected|correction|correcting|revised|revision|instead|actually|"
    r"updated?|rather|amended|fixed|scratch that|on second thoughts?|better)\b"
)
_CLAUSE_END = re.compile(r"[.,:;!?\n]+|\s[-–—]+\s")  # noqa: RUF001 - dashes are what this is about
# the words say something of the object before them, or of the one after them that it is not the final one
_OF_THE_OTHER = re.compile(
    r"(?i)\b(?:was|were|originally|formerly|draft|old|older|previous|previously|earlier|first|above|before|replac\w+|"
    r"supersed\w+)\b|\b(?:of|than|unlike|over)\s*\Z"
)
_NEGATED = re.compile(r"(?i)\b(?:not|no|never|nothing|none|neither|nor|without|cannot|hardly)\b|n[^\w\s]t\b")
_ACTION = re.compile(r"(?i)action\s*:\s*[`*\"]*([\w./\\-]{1,128})[`*\"]*\s*\n\s*action[ _]input\s*:\s*(?:```\w*\s*)?\Z")
_MEMBER = re.compile(r'"([^"\\\x00-\x1f{}]{1,200}+)"\s*+:(?!:)').finditer  # a key in quotes and its colon
_NAMED = re.compile(r"(?<![\w$.-])([\w$.-]{1,200}+)[\"'`]?\s*+(?::|=>|=(?!=))").finditer  # any key and its colon
_IDENTIFIER = re.compile(r"[a-z][\w.-]*\Z").match
_TAG = re.compile(r"</?[\w:-]{1,100}>")
_FENCE = re.compile(r"(?:```|~~~)\w*")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place of the text that may be the call.

    Attributes:
        parsed: What was read there.
        start: Where it begins.
        end: Where it ends.
        name: The tool that stands beside it, ``""`` without.
        rule: What kind of place it is: ``json``, ``markup``, ``python_call``, ``action``, ``name_line``.
        weak: Whether it is only mentioned: it counts when nothing else is there.
        denied: Whether the words right before it say that it is not called.
    """

    parsed: Parsed
    start: int
    end: int
    name: str = ""
    rule: str = "json"
    weak: bool = False
    denied: bool = False


def candidates(text: str, offer: Offer) -> list[Candidate]:
    """Return the places of *text* that may be a call of *offer*, in order; none of them inside another."""
    whole = _whole(text, offer)
    if whole is not None and whole.parsed.problem is not None:
        return [whole]
    begin = whole.end if whole is not None else 0
    calls = [c for c in python_calls(text, offer) if c.start >= begin] if "(" in text else []
    found = list(_scanned(text, offer, _Taken([(c.start, c.end) for c in calls if not c.weak]), begin))
    if whole is not None:
        found.insert(0, whole)
    taken = _Taken([(c.start, c.end) for c in found])
    found += [
        Candidate(Parsed(c.tree, problem=c.problem, begun=True), c.start, c.end, c.name, "python_call", c.weak)
        for c in calls
        if taken.end_at(c.start) is None
    ]
    found.sort(key=lambda one: one.start)
    if more := _braceless(text, offer, found):
        found = sorted([*found, *more], key=lambda one: one.start)
    strong = [one if one.denied else _judged(text, one, one.start) for one in found if not one.weak]
    return strong or found[-1:]


class _Taken:
    """Places of a text that are read already, in order, none inside another."""

    def __init__(self, places: list[tuple[int, int]]) -> None:
        self._starts = [start for start, _ in places]
        self._ends = [end for _, end in places]

    def end_at(self, position: int) -> int | None:
        """Return where the place ends that *position* lies in, ``None`` where it lies in none."""
        i = bisect_right(self._starts, position) - 1
        return self._ends[i] if i >= 0 and position < self._ends[i] else None


def _judged(text: str, found: Candidate, start: int) -> Candidate:
    """Return *found*, denied where the words before *start* say so."""
    before = text[max(0, start - MAX_BEFORE) : start]
    if before and (is_denied(before) or is_reported(before, text[found.end : found.end + MAX_AFTER])):
        return replace(found, denied=True)
    return found


def _whole(text: str, offer: Offer) -> Candidate | None:
    """Return the one candidate of a text that lacks its first brace."""
    start = _text_start(text)
    if g.QUOTED_KEY(text, start) is None:
        return None
    first = g.KEY(text, start)
    if first is None or not (first[1] in offer.anchors or first[1] in CALL_KEYS):
        message = f"an object should start before {quoted(text[start : start + 40])}"
        problem = Problem(code="missing_brace", path="$", message=message, hint="send one JSON object")
        return Candidate(Parsed(None, problem=problem, begun=True), start, len(text))
    parsed = _without_brace(text, start, offer)
    return Candidate(_closed(text, parsed, offer), start, parsed.end)


def _text_start(text: str) -> int:
    """Return where the text begins after blanks and the line that opens a fence."""
    found = re.match(r"\s*+(?:(?:```|~~~)\w*\s*+)?", text)
    return found.end() if found else 0


def _braceless(text: str, offer: Offer, found: list[Candidate]) -> list[Candidate]:
    """Return the objects without their first brace that stand behind those that were *found*."""
    out: list[Candidate] = []
    stops = [*(one.start for one in found[1:]), len(text)]
    tries = MAX_CANDIDATES
    for one, stop in zip(found, stops, strict=False):
        if one.parsed.problems:
            continue  # nobody knows where it ends
        position = one.end
        for key in _MEMBER(text, position, stop):
            if key.start() < position or key[1] not in offer.anchors:
                continue
            if not (tries := tries - 1):
                return out
            parsed = _without_brace(text, key.start(), offer)
            position = max(parsed.end, key.end())
            if parsed.problem is None:
                out.append(Candidate(_closed(text, parsed, offer), key.start(), parsed.end))
    return out


def _without_brace(text: str, start: int, offer: Offer) -> Parsed:
    """Return the object at *start* that lacks its first brace; a broken one when it lacks the last one too."""
    target = offer.only
    parsed = parse_at(text, start, target.shape if target else None, offer.anchors, braced=False)
    if parsed.problem is not None:
        return parsed
    if parsed.opened:
        problem = Problem(code="no_json", path="$", message="an object has neither a first nor a last brace")
        return replace(parsed, problem=problem)
    note = Note(rule="missing_brace", path="$", before=None, after="{", message="put the first brace of the object")
    return replace(parsed, notes=(note, *parsed.notes))


def _scanned(text: str, offer: Offer, taken: _Taken, begin: int) -> Iterator[Candidate]:
    """Yield what is or may be a call, left to right from *begin*; *taken* are Python calls, in which nothing is sought.

    Where there is too much to look at the last one says so, if a call may be in the rest.
    """
    shape = offer.only.shape if offer.only else None
    search = (_LIST_START if shape is not None and "array" in shape.types else _START).search
    text = Unlined(text)
    spare = len(text) + SPARE
    calls = others = 0
    whole = position = max(begin, _text_start(text))
    is_whole = text.startswith("{", whole) and not text.startswith("{{", whole)
    start = whole if is_whole else _next(search, text, begin)
    while start >= 0:
        if calls >= MAX_CALLS or others >= MAX_CANDIDATES:
            if calls >= MAX_CALLS or (calls and _names_argument(text, start, offer)):
                yield _unread(text, start)
            return
        inside = taken.end_at(start)
        found = None if inside is not None else _read(text, start, offer)
        if inside is not None:
            position = inside
        elif found is None:
            others += 1
            position = start + 1
        elif _counts(text, found, offer, is_whole=start == whole):
            calls += 1
            yield _named(text, found, offer)
            if found.parsed.problem is not None and found.parsed.problem.code == "too_deep":
                return  # nobody means the rest of it
            position = found.end
        else:
            others += 1
            spare -= found.end - start
            position = start + 1 if spare > 0 and found.parsed.problem is not None else found.end
        start = _next(search, text, position)


def _names_argument(text: str, start: int, offer: Offer) -> bool:
    """Tell whether the name of an argument stands as a key somewhere behind *start*."""
    return any(fold(found[1]) in offer.folds for found in _NAMED(text, start))


def _unread(text: str, start: int) -> Candidate:
    """Return what stands for the rest of a text that holds too much."""
    message = f"the reply holds too many objects; what begins with {quoted(text[start : start + 40])} is not read"
    problem = Problem(code="too_big", path="$", message=message, hint="send fewer calls in one reply")
    return Candidate(Parsed(None, problem=problem, begun=True), start, len(text))


def _next(search: Callable[[str, int], re.Match[str] | None], text: str, position: int) -> int:
    found = search(text, position)
    return -1 if found is None else found.start()


def _read(text: str, start: int, offer: Offer) -> Candidate | None:
    """Return what stands at *start*, ``None`` where that is nothing."""
    if text[start] != "<":
        parsed = parse_at(text, start, offer.only.shape if offer.only else None, offer.anchors)
        parsed = _closed(text, parsed, offer)
        return Candidate(parsed, start, max(parsed.end, start + 1), weak=parsed.value == {} and parsed.problem is None)
    made = markup_at(text, start)
    if made is None:
        return None
    parsed = Parsed(made.tree, problem=made.problem, begun=True)
    return Candidate(parsed, start, max(made.end, start + 1), made.name, "markup")


def _counts(text: str, found: Candidate, offer: Offer, *, is_whole: bool) -> bool:
    """Tell whether *found* is to be decoded, rather than passed over as something else."""
    parsed = found.parsed
    if found.rule == "markup" or relevant(parsed.value, offer):
        return True
    if parsed.problem is None:
        return is_whole and not text[found.end :].strip()
    takes_any = any(not t.shape.closed for t in offer.targets)
    return is_whole or parsed.problem.code == "too_deep" or (parsed.begun and takes_any)


def _closed(text: str, parsed: Parsed, offer: Offer) -> Parsed:
    """Return *parsed* with the brackets after it; a broken one when the object was closed too early."""
    if parsed.problem is not None:
        return parsed
    closers = _CLOSERS(text, parsed.end)
    end = closers.end() if closers else parsed.end
    more = _MORE(text, end)
    if isinstance(parsed.value, dict) and (_GOES_ON(text, end) or (more and (more[1] or more[2]) in offer.anchors)):
        message = f"the object is closed before {quoted(text[end : end + 40])}"
        return replace(parsed, problem=Problem(code="mismatched_bracket", path="$", message=message))
    if _QUOTE_LATER(text, end):
        message = f"the object seems to go on after its brace: {quoted(text[end : end + 40])}"
        return replace(parsed, problem=Problem(code="mismatched_bracket", path="$", message=message))
    if closers is None or parsed.opened:
        return parsed
    shown = closers[0].strip()
    note = Note(rule="extra_closer", path="$", before=shown, after=None, message="left out brackets at the end")
    return replace(parsed, end=end, notes=(*parsed.notes, note))


def _named(text: str, found: Candidate, offer: Offer) -> Candidate:
    """Return *found* with the tool's name that stands right before it."""
    begin = max(0, found.start - MAX_BEFORE)
    before = text[begin : found.start]
    if found.rule == "markup" or not before or before.isspace():
        return found
    if action := _ACTION.search(before):
        return replace(found, name=action[1].replace("\\_", "_"), rule="action")
    name = name_before(before, offer, at_start=not begin)
    if name is None or _names_itself(found.parsed.value, offer):
        return found
    return _judged(text, replace(found, name=name[0], rule="name_line"), begin + name[1])


def _names_itself(tree: Any, offer: Offer) -> bool:
    """Tell whether *tree* names a tool, so that no name before it is that of its own."""
    if call_in(tree) is not None:
        return True
    if isinstance(tree, dict) and isinstance(named := tree.get(offer.tag), str) and is_name(named, offer):
        return True
    bare = lone_name(tree)
    return bare is not None and is_name(bare.name, offer)


def relevant(tree: Any, offer: Offer, depth: int = 0) -> bool:
    """Tell whether *tree* has a declared key, is a call, or wraps one; whether it is valid comes later."""
    if isinstance(tree, list):
        return any(relevant(one, offer, depth) for one in tree[:50] if isinstance(one, dict)) or _is_root_list(
            tree, offer
        )
    if not isinstance(tree, dict):
        return False
    if not tree:
        return any(not t.shape.required and "object" in t.shape.types for t in offer.targets)
    if any(key in offer.folds for key in map(fold, tree)) or call_in(tree) is not None:
        return True
    named = tree.get(offer.tag)
    if (isinstance(named, str) and not isinstance(named, Num)) or _is_call_alone(tree):
        return True
    if len(tree) == 1 and is_name(next(iter(tree)), offer):
        return True
    if any(not t.shape.closed and not t.shape.fields and "object" in t.shape.types for t in offer.targets):
        return True
    if len(calls_in(tree)) > 1:
        return True
    if depth >= 2:  # noqa: PLR2004 - a wrapper in a wrapper
        return False
    return any(
        relevant(inner, offer, depth + 1)
        for inner in list(tree.values())[:20]
        if isinstance(inner, dict | list) and inner
    )


def _is_call_alone(tree: dict[str, Any]) -> bool:
    """Tell whether *tree* is a call without arguments, of whatever tool: ``{tool: N}``."""
    if (bare := lone_name(tree)) is None or bare.arguments is not MISSING:
        return False
    key = bare.named_at.removeprefix("$.")
    return key not in ("name", "action") or _IDENTIFIER(bare.name) is not None


def _is_root_list(tree: list[Any], offer: Offer) -> bool:
    return any("array" in t.shape.types for t in offer.targets) and not isinstance(tree, Num | Raw)


def is_final(text: str, before: Candidate, last: Candidate) -> bool:
    """Tell whether the words between two candidates say that the second replaces the first."""
    clauses = [clause for clause in _CLAUSE_END.split(f"{text[before.end : last.start]}") if clause.strip()]
    if not clauses or _OF_THE_OTHER.search(clauses[-1]):
        return False
    begins = text[before.end : before.end + 200].lstrip(" \t*_`")[:1]
    if begins not in ("", *".,:;!?\n-–—"):  # noqa: RUF001 - as above
        clauses = clauses[1:]  # what goes on right after an object speaks of that object
    return any(_FINAL.search(clause) and not _NEGATED.search(clause) for clause in clauses)


def left_over(text: str, first: Candidate, last: Candidate) -> str:
    """Return what follows the *last* object of a text that is nothing but arguments, ``""`` where that says nothing."""
    if (
        last.parsed.problems
        or first.rule != "json"
        or first.start != _text_start(text)
        or _NOTHING_MORE(text, last.end)
    ):
        return ""
    return text[last.end :].strip()


def surroundings(text: str, found: Candidate, most: int = MAX_AROUND) -> tuple[Note, ...]:
    """Return the notes of what stands around *found*, *most* characters on either side: a fence, prose."""
    around = f"{text[max(0, found.start - most) : found.start]}\n{text[found.end : found.end + most]}"
    notes = []
    is_fenced = "```" in around or "~~~" in around
    if is_fenced:
        notes.append(
            Note(rule="fence", path="$", before="```", after=None, message="took the call out of a code fence")
        )
    bare = _FENCE.sub("", around) if is_fenced else around
    prose = " ".join((_TAG.sub("", bare) if "<" in bare else bare).split())
    if prose == "{":
        notes.append(Note(rule="doubled_brace", path="$", before="{{", after="{", message="read doubled braces as one"))
    elif prose:
        shown = prose if len(prose) <= QUOTED_LENGTH else f"{prose[:QUOTED_LENGTH]}…"
        notes.append(
            Note(rule="prose", path="$", before=shown, after=None, message="left out the text around the call")
        )
    return tuple(notes)
