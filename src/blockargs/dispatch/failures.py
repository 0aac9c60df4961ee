"""What the model is told when a call fails, and what stays with the host."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable
from typing import Any

from .._text import without_paths
from ..errors import BlockArgsError, MissingDependencyError, Note, Problem, ToolFailure, ToolRejected, UnknownBlockError
from ..inject import CancelledCall
from ..reply import retry_message
from ..validate.scan import is_json
from .characters import whole, whole_text
from .ended import Ended
from .run import META, Call, ToolRun
from .steps import TimedOut

LOG = logging.getLogger("blockargs")
MOST_TOLD = 2000  # characters of an exception's own text that a model reads
WITHOUT = "block_without_constructor"  # of the problem of a block that is metadata only
# codes of problems with the reply as a whole, not with one of the arguments
WHOLE = frozenset({"ambiguous", "no_json", "unknown_tool", "wrong_tool", "too_big"})


def refused(call: Call, problems: Iterable[Problem], notes: Iterable[Note] = ()) -> ToolRun:
    """Return the run of a *call* whose block or arguments are wrong: nothing was called."""
    found = tuple(problems)
    code = "arguments_invalid"
    if found and (not call.uid or (found[0].code in WHOLE and found[0].path == "$")):
        code = found[0].code
    text = retry_message(found, tool=call.name)
    return ToolRun(ok=False, call=call, text=text, content=text, code=code, problems=found, notes=tuple(notes))


def failed(call: Call, fault: BaseException, *, tells: tuple[type[BaseException], ...] = (), **known: Any) -> ToolRun:
    """Return the run of a *call* that ended in *fault*.

    A declared failure, and what is of one of the classes *tells*, is told in its own
    words, a `BlockArgsError` without paths of files; of anything else the model learns
    only that it happened, and the host's log has the traceback.
    """
    if isinstance(fault, Ended):
        fault = fault.fault
    if isinstance(fault, ToolFailure):
        return _run(call, fault, fault.message, fault.code, details=_json_ready(fault.details), **known)
    if isinstance(fault, ToolRejected):
        return _run(call, fault, str(fault), fault.code, **known)
    if isinstance(fault, TimedOut):
        text = f"The call did not end within {fault.limit:g} seconds, and nobody waits for it any more."
        LOG.warning("%s: %s", call.uid, text)
        return _run(call, fault, text, "timed_out", **known)
    if isinstance(fault, CancelledCall):
        return _run(call, fault, "The call was cancelled.", "cancelled", **known)
    if not isinstance(fault, tells):
        return _opaque(call, fault, **known)
    if isinstance(fault, BlockArgsError):
        return _spelled_out(call, fault, **known)
    return _run(call, fault, told_words(fault), "tool_error", **known)


def not_loaded(call: Call, fault: BaseException, **known: Any) -> ToolRun:
    """Return the run of a *call* whose constructor cannot be had.

    That there is none, or what has to be installed, is told; what else its module
    says of itself is for the host.
    """
    if isinstance(fault, MissingDependencyError | UnknownBlockError) and _is_told(fault):
        return _spelled_out(call, fault, **known)
    return _opaque(call, fault, **known)


def _is_told(fault: BlockArgsError) -> bool:
    return isinstance(fault, MissingDependencyError) or [p.code for p in fault.problems] == [WITHOUT]


def _spelled_out(call: Call, fault: BlockArgsError, **known: Any) -> ToolRun:
    # plain ones: a problem of a declaration would tell the file it stands in
    problems = tuple(
        Problem(code=p.code, path=p.path, message=without_paths(p.message), hint=without_paths(p.hint))
        for p in fault.problems
    )
    text = "\n".join(str(p) for p in problems) or fault.code  # never its subject: that names files
    return _run(call, fault, text, fault.code, problems=problems, **known)


def told_words(fault: BaseException) -> str:
    """Return the text of *fault* that may be told: without the file an operating system names."""
    if isinstance(fault, OSError) and fault.strerror:
        return fault.strerror
    words = fault.args[0] if isinstance(fault, KeyError) and fault.args else fault
    try:
        text = str(words).strip()
    except Exception:  # noqa: BLE001 - a stranger's __str__ may raise anything
        text = ""
    shown = text or f"The tool failed: {type(fault).__name__}."
    return shown if len(shown) <= MOST_TOLD else f"{shown[:MOST_TOLD]}…"


def _opaque(call: Call, fault: BaseException, **known: Any) -> ToolRun:
    number = _logged(call, fault)
    text = f"The tool failed; nothing more can be said (error {number})."
    return _run(call, fault, text, "tool_error", meta={f"{META}error_id": number}, **known)


def _logged(call: Call, fault: BaseException) -> str:
    """Leave the traceback of *fault* with the host; return the number under which it is found."""
    number = os.urandom(4).hex()
    LOG.error("%s failed (error %s)", call.uid or "a call", number, exc_info=fault)
    return number


def withheld(run: ToolRun, fault: BaseException) -> ToolRun:
    """Return *run* without its result: a hook after the call rejected it, or could not look at it."""
    known: dict[str, Any] = {"notes": run.notes, "attempts": run.attempts}
    if isinstance(fault, ToolRejected):
        return failed(run.call, fault, **known)
    if isinstance(fault, Ended):
        fault = fault.fault
    number = _logged(run.call, fault)
    text = f"The result of the call cannot be shown (error {number})."
    return _run(run.call, fault, text, "tool_error", meta={f"{META}error_id": number}, **known)


def _run(call: Call, fault: BaseException, text: str, code: str, **known: Any) -> ToolRun:
    shown = whole_text(text)
    return ToolRun(ok=False, call=call, outcome=fault, text=shown, content=shown, code=code, **known)


def _json_ready(details: Any) -> Any:
    try:
        ready = whole(json.loads(json.dumps(details, allow_nan=False)))
    except (TypeError, ValueError, RecursionError):
        ready = ...
    if ready is ... or not is_json(ready):
        LOG.warning("details of a ToolFailure are no JSON and are not passed on")
        return None
    return ready
