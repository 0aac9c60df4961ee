"""A result that is not sent: the model learns where it breaks its declared form, never what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .._text import one_line
from ..errors import Problem
from ..keywords import followed
from ..validate.words import wanted
from .failures import LOG
from .run import Call, ToolRun

_STEP = re.compile(r"\.(\w+)|\['((?:[^'\\]|\\.)*)'\]|\[(\d+)\]")  # of a JSONPath: a key, a key in quotes, an index
_BRANCHES = ("anyOf", "oneOf", "allOf")
_LEVELS = 20  # of a path that are followed, and of branches within branches


def unsent(call: Call, problems: Iterable[Problem], output: Mapping[str, Any] | None, **known: Any) -> ToolRun:
    """Return the run of a *call* whose result does not fit *output*, its declared type, or is no JSON.

    The host's log has the problems whole. Those of the run hold nothing of the result:
    where it is wrong, as far as its type names the place, and what is expected there.
    """
    found = tuple(problems)
    LOG.error("%s: the result is not sent: %s", call.uid, one_line("; ".join(str(p) for p in found), 1000))
    text = "The tool has run, but its result is not of its declared form and is not shown."
    told = tuple(dict.fromkeys(_told(p, output) for p in found))
    return ToolRun(ok=False, call=call, text=text, content=text, code="invalid_output", problems=told, **known)


def _told(problem: Problem, output: Mapping[str, Any] | None) -> Problem:
    path, node = "$", output
    if output is not None:
        path, node = _place(problem.path, output)
    expected = "JSON" if node is None else wanted(node)
    return replace(problem, path=path, message=f"{expected} is expected", hint="")


def _place(path: str, output: Mapping[str, Any]) -> tuple[str, Any]:
    """Return how far *output* names the steps of *path* (a key that it does not name is the result's own), and the node there."""
    place, node = "$", followed(output, output)
    for step in list(_STEP.finditer(path))[:_LEVELS]:
        inner = _stepped(output, node, step)
        if inner is None:
            break
        place, node = place + step[0], inner
    return place, node


def _stepped(root: Mapping[str, Any], node: Any, step: re.Match[str], levels: int = _LEVELS) -> Any:
    """Return the node of the value one *step* below that of *node*; ``None`` where it is not named."""
    if not isinstance(node, Mapping) or not levels:
        return None
    if step[3] is not None:
        first = node.get("prefixItems", ())
        inner = first[int(step[3])] if int(step[3]) < len(first) else node.get("items")
    else:
        key = step[1] if step[1] is not None else re.sub(r"\\(.)", r"\1", step[2])
        inner = node.get("properties", {}).get(key)
    if inner is not None:
        return followed(root, inner)
    branches = (followed(root, branch) for word in _BRANCHES for branch in node.get(word, ()))
    return next((found for b in branches if (found := _stepped(root, b, step, levels - 1)) is not None), None)
