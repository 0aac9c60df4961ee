"""What the text right before a candidate says of it: the tool that it calls, and whether it is called at all."""

from __future__ import annotations

import re

from .envelopes import CARRIERS
from .names import fold
from .targets import Offer

MAX_BEFORE = 300  # characters before a candidate that are looked at
_NAME = r"[A-Za-z_][\w.\\-]{0,127}"
_FENCE = re.compile(r"(?:```|~~~)([\w.-]*)[ \t]*\s*\Z")
_MARKS = "`*\"'"
# ``name({``, ``name(**{``, ``name(arguments={``
_CALLED = re.compile(rf"({_NAME})\(\s*(?:\*\*|[A-Za-z_]\w{{0,60}}\s*=)?\s*\Z")
# an entry of a call's header, whatever stands between it and the object: ``to=functions.name <|message|>``
_ADDRESSED = re.compile(rf"\bto=({_NAME})[^{{}}]{{0,150}}\Z")
_LISTED = re.compile(rf"({_NAME})(?::\d+)?(?:\[CALL_ID\]\w*)?\[ARGS\]\Z")
_INDEXED = re.compile(rf"({_NAME})(?::\d+)?<[|\uff5c][^<>]{{0,40}}arg[^<>]{{0,40}}[|\uff5c]>\Z")
_TAGGED = re.compile(rf"(?:<[|\uff5c/]?([^<>|\uff5c]{{1,60}})[|\uff5c]?>|\[(TOOL_CALLS)\])\s*({_NAME})(?::\d+)?\Z")
_ANNOUNCED = re.compile(rf"\bcall:\s*({_NAME})\Z")
_IN_TAGS = re.compile(
    rf"(?i)<(tool|function|action|name|(?:tool|function|action)[_-]?name)>\s*({_NAME})\s*</\1>\s*(?:<[\w-]{{1,40}}>\s*)*\Z"
)
_TAG_ITSELF = re.compile(rf"<({_NAME})>\Z")
# ``Tool: name`` and, on the same line or the next ones, ``Arguments:``
_LABELLED = re.compile(
    r"(?im)^[ \t>*_#-]*(?:tool|function|action|command|method)(?:[ _-]?(?:name|call|used|to[ ]use))?[ \t*_]*[:=][ \t*_`\"']*"
    rf"({_NAME})[*_`\"']*(?:[\s,;|>*_#-]*(?:(?:tool|function|action)?[ _-]*(?:with[ ])?"
    r"(?:arguments?|args|inputs?|parameters?|params|kwargs|payload|body|data|json))[*_`]*[ \t]*[:=][ \t*_`]*)?\s*\Z"
)
_LINE = re.compile(rf"[ \t>*@/#-]*({_NAME})\s*[:=(]?\s*\Z").match
_AFTER_VERB = re.compile(
    rf"(?i)\b(?:call|calls|calling|use|using|invoke|invoking|run|running|execute|executing)\s+(?:the\s+)?"
    rf"(?:tool\s+|function\s+)?[`*\"']*({_NAME})[`*\"']*(?:\s+(?:tool|function))?"
    r"(?:\s+(?:with|on|for)(?:\s+(?:the\s+)?(?:arguments?|args|inputs?|parameters?|params|following))*)?\s*:?\s*\Z"
)
_AFTER_NAME = f" \t\n:=({_MARKS}"
_MANY_WORDS = re.compile(r"[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)+\Z").match  # an identifier, and no word of prose
_SNAKE_OR_CAMEL = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+\Z|[a-z]+[a-z0-9]*(?:[A-Z][a-z0-9]*)+\Z").match
_CALLS = re.compile(r"(?i)tool|func|call|invoke|action|python")
_METHODS = frozenset({"run", "invoke", "call", "execute", "__call__"})
_EXTENSIONS = frozenset({"json", "yaml", "yml", "txt", "py", "js", "ts", "md", "toml"})
# what stands in a call's place and names no tool: who speaks, how the object is written, what holds it
_NO_NAMES = CARRIERS | frozenset(
    "json jsonc json5 javascript js python py yaml xml text txt plaintext bash sh code user assistant system tool model "
    "final commentary analysis none null true false".split()
)
_NO_NAME_WORDS = _NO_NAMES | frozenset(
    "function functions call calls tools output outputs result results answer response reply start end begin use used "
    "name object message block content the this structured schema example mcp action actions a an of to".split()
)
_NEGATED = re.compile(
    r"(?i)(?:\b(?:not|never|cannot|avoid|without|instead\s+of|rather\s+than|unlike|no(?=\s+(?:need|call))|dont)\b|n['’]t\b)"  # noqa: RUF001 - both are written
    r"(?:\s+(?:to|be|ever|actually|even|yet|need|needs|have|going|want|should|try|the|an?|tool|function|this|that|with|"
    r"use|call|run|make|invoke|execute|send|do|using|calling|running|making|invoking|executing|sending))*[\s:*`\"'(]*\Z"
)

_MADE_WORDS = ("ran", "run", "called", "used", "invoked", "executed", "made", "sent")
_MADE = rf"(?:{'|'.join(_MADE_WORDS)})"
_ON_THE_WAY = r"(?:\s+(?:the|an?|tool|function|call|to|of|with))*[\s:*`\"'(]*\Z"
# the words before an object report a call that was made
_REPORTED = re.compile(
    rf"(?i)\b(?:already|previously|earlier)\s+(?:(?:i|we|you)\s+)?(?:have\s+|had\s+)?{_MADE}\b{_ON_THE_WAY}"
)
# as these do, where the words behind it tell what came of it
_MADE_ONE = re.compile(
    rf"(?i)\b(?:i|we|you)(?:\s+have|\s+had|['’]ve)?(?:\s+just)?\s+{_MADE}\b{_ON_THE_WAY}"  # noqa: RUF001 - both are written
)
_CAME_OF_IT = re.compile(
    r"(?i)[`*\"')]*,?\s+(?:and|but|which)\s+(?:(?:it|that|this|i|we|then|have|has|had)\s+){0,3}(?:got|received|returned|gave|failed)\b"
).match


_DENIALS = ("not", "n't", "n’t", "no ", "never", "avoid", "without", "instead", "rather", "unlike")  # noqa: RUF001 - as above


def name_before(before: str, offer: Offer, *, at_start: bool) -> tuple[str, int] | None:
    """Return the tool's name that stands in a call's place at the end of *before*, and where it begins there.

    Args:
        before: What stands before a candidate, its last characters at most.
        offer: What is offered; an offered name is known in more places than another one.
        at_start: Whether *before* is all that there is before.
    """
    text = before.rstrip()
    if ("`" in text or "~" in text) and (fence := _FENCE.search(text)) is not None:
        info = fence[1]
        if info and (is_name(info, offer) or (_SNAKE_OR_CAMEL(info) and _is_told(info))):
            return info, fence.start(1)
        text = text[: fence.start()].rstrip()
    if not text or text[-1] == "}":  # no form of a call has a brace between the name and the object
        return None
    found = _in_a_form(text, offer) or _in_words(text, offer, at_start=at_start)
    if found is None or found[0] in offer.by_name:
        return found
    return found[0].removeprefix("functions."), found[1]


def _in_a_form(text: str, offer: Offer) -> tuple[str, int] | None:
    """Return the name that the form of a call gives: any identifier in its place is one."""
    last = text[-1]
    if last in "(*=" and (found := _CALLED.search(text)):
        return _told(_method_of(found[1], offer), found.start(1))
    marked = _LISTED if text.endswith("[ARGS]") else _INDEXED if text.endswith(("|>", "\uff5c>")) else None
    if marked is not None and (found := marked.search(text)):
        return _told(found[1], found.start(1))
    if "to=" in text and (found := _ADDRESSED.search(text)):
        return _told(found[1], found.start(1))
    if last == ">":
        if "</" in text and (found := _IN_TAGS.search(text)):
            return _told(found[2], found.start(2))
        found = _TAG_ITSELF.search(text)
        is_one = found is not None and (is_name(found[1], offer) or _SNAKE_OR_CAMEL(found[1]))
        return _told(found[1], found.start(1)) if found is not None and is_one else None
    if "call:" in text and (found := _ANNOUNCED.search(text)):
        return _told(found[1], found.start(1))
    in_marks = ">" in text or "]" in text
    if (
        in_marks
        and (found := _TAGGED.search(text))
        and (found[2] or _CALLS.search(found[1]) or _SNAKE_OR_CAMEL(found[3]))
    ):
        return _told(found[3], found.start(3))
    if (":" in text or "=" in text) and (found := _LABELLED.search(text)):
        return _told(found[1], found.start(1))
    return None


def _in_words(text: str, offer: Offer, *, at_start: bool) -> tuple[str, int] | None:
    """Return the name that stands in words: an offered one, or what can only be a name."""
    last = _last_word(text)
    if last[0] and is_name(last[0], offer):
        return last
    if (found := _AFTER_VERB.search(text)) and (is_name(found[1], offer) or _SNAKE_OR_CAMEL(found[1])):
        return _told(found[1], found.start(1))
    begin = text.rfind("\n") + 1
    line = _LINE(text.rstrip(_MARKS), begin) if len(text) - begin <= MAX_BEFORE // 2 else None
    if line is None or line[1] in offer.anchors:
        return None
    alone = line.end() == line.end(1)
    may_be = _MANY_WORDS(line[1]) if alone or (at_start and not begin) else None
    if (may_be or _SNAKE_OR_CAMEL(line[1])) and line[1].rpartition(".")[2] not in _EXTENSIONS:
        return _told(line[1], line.start(1))
    return None


def _last_word(text: str) -> tuple[str, int]:
    """Return the last word of *text* without what stands around a name, and where it begins."""
    end = text.rstrip(_AFTER_NAME)
    word = end.rpartition("\n")[2].rpartition(" ")[2]
    for mark in "`*]>:@/\"'":
        word = word.rpartition(mark)[2]
    return word, len(end) - len(word)


def _told(name: str, start: int) -> tuple[str, int] | None:
    return (name.replace("\\_", "_"), start) if _is_told(name) else None


def _is_told(name: str) -> bool:
    """Tell whether *name* is more than a word for how an object is written, or for what holds it."""
    words = re.split(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])", name)
    return fold(name) not in _NO_NAMES and not all(word.lower() in _NO_NAME_WORDS for word in words if word)


def _method_of(written: str, offer: Offer) -> str:
    """Return the offered tool that a method like ``name.run`` belongs to, or that a client like ``tools.`` has."""
    holder, _, last = written.replace("\\_", "_").rpartition(".")
    if holder and is_name(last, offer):
        return last
    return holder if holder and last in _METHODS and is_name(holder, offer) else written


def is_name(written: str, offer: Offer) -> bool:
    """Tell whether *written* is a tool's name, in any style."""
    key = fold(written.replace("\\_", "_").removeprefix("functions."))
    return any(fold(n) == key for t in offer.targets for n in (*t.names, *t.words))


def is_denied(before: str) -> bool:
    """Tell whether the words at the end of *before* say that what follows is not called."""
    words = before[-80:].lower()
    for denial in _DENIALS:
        if denial in words:
            return _NEGATED.search(before, max(0, len(before) - 80)) is not None
    return False


def is_reported(before: str, after: str) -> bool:
    """Tell whether the words around an object, at the end of *before* and the start of *after*, report a call made before."""
    words = before[-80:].lower()
    if not any(made in words for made in _MADE_WORDS):
        return False
    begin = max(0, len(before) - 80)
    if _REPORTED.search(before, begin) is not None:
        return True
    return _CAME_OF_IT(after) is not None and _MADE_ONE.search(before, begin) is not None
