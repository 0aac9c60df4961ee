"""What the model is told when its call cannot be made, so that the next one can."""

from __future__ import annotations

from collections.abc import Iterable

from .._text import quoted
from ..errors import Problem

_ADVICE = (
    (frozenset({"truncated", "too_big"}), "The reply was cut off or too long: send a shorter one."),
    (frozenset({"ambiguous"}), "Send exactly one object."),
    (frozenset({"no_json"}), "Send the call as one JSON object."),
)


def retry_message(problems: Iterable[Problem], *, tool: str = "") -> str:
    """Return what to tell the model: each problem on a line, that nothing was applied, and what to send.

    Args:
        problems: What was wrong with the call; nothing else is spoken of.
        tool: The name of the tool that was called, if that is known.
    """
    listed = list(problems)
    called = f"The call of {quoted(tool)}" if tool else "The call"
    codes = {p.code for p in listed if p.code != "ambiguous" or p.path == "$"}
    advice = [text for wanted, text in _ADVICE if not wanted.isdisjoint(codes)]
    lines = [f"{called} was not made, and nothing was applied:", *(f"- {_line(p)}" for p in listed)]
    lines += [*advice, "Correct this and send the complete arguments again."]
    return "\n".join(lines)


def _line(problem: Problem) -> str:
    text = f"{problem.path}: {problem.message}"
    return f"{text}; {problem.hint}" if problem.hint else text


def fingerprint(problems: Iterable[Problem], *, tool: str = "") -> tuple[str, frozenset[tuple[str, str]]]:
    """Return a key that is equal for the same failure: the tool, the codes, the paths.

    Two attempts with one fingerprint mean that asking again will not help.
    """
    return tool, frozenset((p.code, p.path) for p in problems)
