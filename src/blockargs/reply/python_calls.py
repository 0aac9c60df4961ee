"""Calls written as Python: ``get_weather(city="Oslo")``; literals only, read as a syntax tree and never run."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from .._text import quoted
from ..errors import Problem, at
from ..keywords import MAX_DEPTH
from .leaves import Num, Raw
from .names import fold
from .targets import Offer

MAX_BRACKETS = 20_000  # opening brackets of a text that are looked at
MAX_LENGTH = 200_000  # characters of one call
MAX_LINE = 300  # characters of a line before a call that are looked at
_BACKWARDS = re.compile(r"[\w.\\-]*+").match
_LETTER = re.compile(r"[A-Za-z_]").search
_CALLED = re.compile(r"(?<![\w\\-])([\w\\-]{1,128}+)\(").finditer
# the tokens that matter for finding the closing bracket: strings, brackets
_TOKEN = re.compile(
    r'''(?s)"""(?:[^"\\]|\\.|"(?!""))*+"""|\'\'\'(?:[^'\\]|\\.|'(?!''))*+\'\'\'|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'|[()\[\]{}]'''
)
_STRING = re.compile(
    r'''(?s)[a-zA-Z]{0,2}(?:"""(?:[^"\\]|\\.|"(?!""))*+"""|\'\'\'(?:[^'\\]|\\.|'(?!''))*+\'\'\'|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')\Z'''
).match
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z").match
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_DEFINES = ("def", "class", "function", "fn")
# on the line before a name: it is defined there, or part of a comment
_NO_CALL = re.compile(r"(?:\bdef|\bclass|\bfunction|\bfn)\s+\Z|^[ \t>*-]*(?:#|//)|\s(?:#|//)\s").search


class AdjacentError(ValueError):
    """Two texts stand side by side: a comma may be lost, and Python would join them."""


@dataclass(frozen=True, slots=True)
class PythonCall:
    """One call: where it stands, its name, its keyword arguments, and why it is none.

    Attributes:
        weak: Whether it may be a mere mention in prose.
    """

    start: int
    end: int
    name: str
    tree: dict[str, Any] | None
    problem: Problem | None = None
    weak: bool = False


def python_calls(text: str, offer: Offer) -> list[PythonCall]:
    """Return the Python calls of *offer*'s tools in *text*; of any tool, when the whole text is one call."""
    names = {fold(n) for t in offer.targets for n in (*t.names, *t.words)}
    found = list(_known(text, names, offer))
    if found:
        return found
    whole = text.strip().strip("`").strip()
    named = re.match(r"(?:python\s+)?([A-Za-z_][\w.\\-]{0,127})\s*\(", whole)
    if named is None or (stop := _balanced(whole, named.end() - 1)) != len(whole):
        return []
    start = text.index(whole)
    call = _read(whole[named.end() - 1 : stop], named[1], start, start + len(whole))
    return [call] if call.problem is None else []


def quoted_calls(value: Any, offer: Offer) -> str:
    """Return the Python calls that the JSON text *value* is, or the texts of a list, one a line; ``""`` without."""
    lines = value if isinstance(value, list) else [value]
    if not lines or not all(type(line) is str and line.rstrip().endswith(")") for line in lines):
        return ""
    for line in lines:
        calls = python_calls(line, offer)
        if len(calls) != 1 or calls[0].problem or line[calls[0].start : calls[0].end] != line.strip():
            return ""
    return "\n".join(lines)


def _known(text: str, names: set[str], offer: Offer) -> Iterator[PythonCall]:
    position = calls = 0
    for _ in range(MAX_BRACKETS if names else 0):
        bracket = text.find("(", position)
        if bracket < 0:
            return
        position = bracket + 1
        start = _word_before(text, bracket)
        name = text[start:bracket].replace("\\_", "_")
        if not name:
            continue
        if fold(name) not in names:
            name = name.rpartition(".")[2]  # a module or a client before it
        if fold(name) not in names or _is_none(_line_before(text, start)):
            continue
        stop = _balanced(text, bracket)
        if stop is None:
            message = f"the reply ends inside a call of {quoted(name)}"
            problem = Problem(code="truncated", path="$", message=message, hint="send it again, complete and shorter")
            yield PythonCall(start, len(text), name, None, problem, weak=True)
            return
        call = _read(text[bracket:stop], name, start, stop)
        if call.problem is not None or (not call.tree and any(t.shape.required for t in offer.targets)):
            call = replace(call, weak=True)
        yield call
        position = stop
        calls += 1
    if calls and (rest := text.find("(", position)) >= 0 and any(fold(n[1]) in names for n in _CALLED(text, position)):
        message = "the reply holds too many calls; the rest of them is not read"
        problem = Problem(code="too_big", path="$", message=message, hint="send fewer calls in one reply")
        yield PythonCall(max(_word_before(text, rest), position), len(text), "", None, problem)


def _word_before(text: str, bracket: int) -> int:
    """Return where the name right before *bracket* begins; *bracket* itself where there is none."""
    found = _BACKWARDS(text[max(0, bracket - 128) : bracket][::-1])
    letter = _LETTER(text, bracket - (found.end() if found else 0), bracket)
    return letter.start() if letter else bracket


def _line_before(text: str, position: int) -> str:
    """Return what stands on the line of *position* before it, its last characters."""
    begin = max(text.rfind("\n", max(0, position - MAX_LINE), position) + 1, position - MAX_LINE, 0)
    return text[begin:position]


def _is_none(line: str) -> bool:
    """Tell whether *line*, which stands before a name, says that it is defined there, or part of a comment."""
    if "#" in line or "//" in line or line.rstrip().endswith(_DEFINES):
        return _NO_CALL(line) is not None
    return False


def _balanced(text: str, start: int) -> int | None:
    """Return where the bracket at *start* is closed."""
    expected: list[str] = []
    for token in _TOKEN.finditer(text, start, min(len(text), start + MAX_LENGTH)):
        c = token[0]
        if c in _CLOSING:
            expected.append(_CLOSING[c])
            if len(expected) > MAX_DEPTH:
                return None
        elif len(c) == 1:
            if not expected or expected.pop() != c:
                return None
            if not expected:
                return token.end()
    return None


def _read(arguments: str, name: str, start: int, end: int) -> PythonCall:
    source = f"f{arguments.replace(chr(92) + '_', '_')}".replace("\r\n", "\n").replace("\r", "\n")

    def wrong(code: str, message: str, path: str = "$") -> PythonCall:
        problem = Problem(code=code, path=path, message=message, hint="send the arguments as one JSON object")
        return PythonCall(start, end, name, None, problem)

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return wrong("bad_call", f"the call of {quoted(name)} cannot be read")
    if not isinstance(tree, ast.Call) or tree.args:
        return wrong("positional_argument", f"the call of {quoted(name)} gives arguments without their names")
    lines = [f"{line}\n" for line in source.split("\n")]  # as Python tells lines apart
    out: dict[str, Any] = {}
    for keyword in tree.keywords:
        if keyword.arg is None or keyword.arg in out:
            return wrong("bad_call", f"the call of {quoted(name)} unpacks or repeats arguments")
        try:
            out[keyword.arg] = _literal(keyword.value, lines)
        except AdjacentError:
            message = "two texts stand side by side, and may be one text or two"
            return wrong("adjacent_texts", message, at("$", keyword.arg))
        except (ValueError, RecursionError):
            return wrong("not_literal", "the value is computed, not written out", at("$", keyword.arg))
    return PythonCall(start, end, name, out)


def _literal(node: ast.expr, lines: list[str]) -> Any:
    """Return the JSON that a literal writes.

    Raises:
        AdjacentError: It is two texts side by side.
        ValueError: It is no literal.
    """
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool | str)):
        if isinstance(node.value, str) and not _is_one_text(node, lines):
            raise AdjacentError
        return node.value
    if isinstance(node, ast.List | ast.Tuple):
        return [_literal(item, lines) for item in node.elts]
    if isinstance(node, ast.Dict):
        out: dict[str, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str) or key.value in out:
                raise ValueError(key)
            out[key.value] = _literal(value, lines)
        return out
    if isinstance(node, ast.Name) and node.id in _JSON_WORDS:
        return _JSON_WORDS[node.id]
    signed = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(number, ast.Constant) and type(number.value) in (int, float) and (signed or number is node):
        written = _segment(number, lines)
        text = f"-{written}" if signed else written
        return Num(text) if _NUMBER(text) else Raw(text)
    raise ValueError(node)


def _is_one_text(node: ast.Constant, lines: list[str]) -> bool:
    """Tell whether *node* was written as one text; Python joins texts that stand side by side."""
    return _STRING(_segment(node, lines)) is not None


_JSON_WORDS = {"true": True, "false": False, "null": None}


def _segment(node: ast.Constant, lines: list[str]) -> str:
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    if first == last:
        line = lines[first]
        if line.isascii():
            return line[node.col_offset : node.end_col_offset]
        return line.encode()[node.col_offset : node.end_col_offset].decode()
    begin, end = lines[first].encode()[node.col_offset :], lines[last].encode()[: node.end_col_offset]
    return "".join([begin.decode(), *lines[first + 1 : last], end.decode()])
