"""The call itself: approve, inject, call exactly once (again only where declared), tell, report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from threading import TIMEOUT_MAX, Event
from typing import Any

from ..errors import ToolFailure, ToolRejected
from ..inject import Cancellation, Context, Logger, Progress
from ..registry.checks import owned
from .choose import Chosen
from .effects import hook_for
from .ended import called
from .failures import LOG, failed, not_loaded, withheld
from .offered import Offered
from .options import Helpers
from .results import delivered
from .run import Call, ToolRun
from .steps import CAUGHT, Step, Steps, TimedOut


def executed(offered: Offered, found: Chosen, helpers: Helpers, timeout: float | None) -> Steps:
    """Approve and make the call *found*; return its run."""
    if offered.before or offered.after:  # what hooks see, and the run, is not the caller's own
        found = replace(found, call=replace(found.call, arguments=owned(found.call.arguments)))
    call = found.call
    try:
        for hook in offered.before:
            seen = replace(call, arguments=owned(call.arguments))
            answer = yield Step(partial(hook, seen), "a hook before the call")
            _approved(answer)
    except CAUGHT as fault:
        run = failed(call, fault, notes=found.notes)
    else:
        run = yield from _called(offered, found, helpers, timeout)
    return (yield from _after(offered, run))


def _after(offered: Offered, run: ToolRun) -> Steps:
    for hook in offered.after:
        try:
            yield Step(partial(hook, _own(run)), "a hook after the call")
        except CAUGHT as fault:
            run = withheld(run, fault)
    return run


def _approved(answer: Any) -> None:
    """Let a call go on after what a hook before it answered: None or True.

    Raises:
        ToolRejected: The answer is false, or as good as that: 0, an empty text, numpy's False.
        TypeError: It is something else, so that nobody knows what it means.
    """
    if answer is None or answer is True:
        return
    if not answer:
        raise ToolRejected("It was not approved.")
    raise TypeError(f"a hook before the call returned {type(answer).__name__}; return None, True or False")


def _own(run: ToolRun) -> ToolRun:
    """Return a copy of *run* for a hook, which may change all that is JSON in it."""
    call = replace(run.call, arguments=owned(run.call.arguments))
    json_parts = {name: owned(getattr(run, name)) for name in ("content", "structured", "details")}
    return replace(run, call=call, meta=owned(run.meta), **json_parts)


def _called(offered: Offered, found: Chosen, helpers: Helpers, timeout: float | None) -> Steps:
    call, prepared = found.call, found.prepared
    attempt = 0
    injected = _Injected(helpers, call, [limit for limit in (timeout, prepared.limit) if limit is not None])
    try:
        called(prepared.load)
    except CAUGHT as fault:
        return not_loaded(call, fault, notes=found.notes)
    try:
        while True:
            step = _step(found, injected, again=attempt > 0)
            attempt += 1
            try:
                outcome = yield step
                break
            except ToolFailure as fault:
                if not fault.retryable or attempt > offered.retries:
                    raise
                LOG.info("%s: attempt %d failed and is made again: %s", call.uid, attempt, fault.code)
    except TimedOut:
        return failed(call, TimedOut(injected.limit), notes=found.notes, attempts=attempt)
    except CAUGHT as fault:
        return failed(call, fault, tells=prepared.tells, notes=found.notes, attempts=attempt)
    return delivered(outcome, call, prepared, offered.effects, found.notes, attempt)


def _step(found: Chosen, injected: _Injected, *, again: bool = False) -> Step:
    """Return the call of the constructor; once more, with arguments that nobody has touched."""
    call, prepared = found.call, found.prepared
    parts = found.parts
    if again or parts is None:
        parts = called(partial(prepared.bind, owned(call.arguments)))
    limit = injected.left()
    made = prepared.ready(parts, injected.filled(prepared.helpers.values()))
    return Step(made, f"'{call.uid}'", limit, prepared.is_async, injected.stop)


def finished(offered: Offered, found: Chosen, started: Any) -> Steps:
    """Wait for what a constructor *started* that nobody knew to be async; return its run."""
    try:
        outcome = yield Step(lambda: started, f"'{found.call.uid}'")
    except CAUGHT as fault:
        return failed(found.call, fault, tells=found.prepared.tells, notes=found.notes, attempts=1)
    return delivered(outcome, found.call, found.prepared, offered.effects, found.notes)


def tried(offered: Offered, found: Chosen) -> Steps:
    """Construct where that only builds, and let the object go; return a run without it."""
    call, prepared = found.call, found.prepared
    injected = _Injected({}, call, [] if prepared.limit is None else [prepared.limit])
    known: dict[str, Any] = {"notes": found.notes}
    try:
        if not prepared.builds or found.parts is None or prepared.is_async:
            text = f"The call of '{call.name}' is valid; nothing was called."
            return ToolRun(ok=True, call=call, text=text, content={"ok": True, "effect": text}, **known)
        outcome = yield _step(found, injected)
    except CAUGHT as fault:
        return failed(call, fault, tells=prepared.tells, attempts=1, **known)
    run = delivered(outcome, call, prepared, offered.effects, found.notes)
    if not run.ok:
        return replace(run, outcome=None)
    said = run.content if hook_for(offered.effects, outcome) else {"effect": f"It would build '{call.uid}'."}
    text = (
        f"The call of '{call.name}' is valid; nothing was applied. {run.text if 'preview' in said else said['effect']}"
    )
    return ToolRun(ok=True, call=call, text=text, content={"ok": True, **said}, attempts=1, **known)


class _Injected:
    """The helpers of one call: the host's, or inert ones; all know when nobody waits any more."""

    __slots__ = ("_call", "_given", "_last", "_until", "limit", "stop")

    def __init__(self, given: Helpers, call: Call, limits: list[float]) -> None:
        """Take what the host has *given*; the nearest end of all holds."""
        self._given, self._call = given, call
        now = time.monotonic()
        context = given.get(Context)
        if context is not None and context.deadline is not None:
            limits = [*limits, context.deadline - now]
        self.limit = max(min(limits, default=0.0), 0.0)
        self._until = now + self.limit if limits else None
        self.stop = Event()
        self._last = -1.0

    def left(self) -> float | None:
        """Return the seconds left for the call, ``None`` where there is no end.

        Raises:
            TimedOut: None are left.
        """
        if self._until is None:
            return None
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimedOut(self.limit)
        return min(left, TIMEOUT_MAX)

    def filled(self, wanted: Iterable[type[Any]]) -> dict[type[Any], Any]:
        """Return one helper of each class that is *wanted*, fresh for each attempt."""
        return {cls: _MAKERS[cls](self) for cls in wanted}

    def context(self) -> Context:
        given = self._given.get(Context)
        if given is None:
            given = Context(request_id=self._call.id, logger=self.logger())
        return replace(given, deadline=self._until)

    def progress(self) -> Progress:
        given = self._given.get(Progress)
        if given is None or given.send is None:
            return Progress()
        send = given.send

        def onwards(progress: float, total: float | None, message: str | None) -> None:
            if progress > self._last:  # a second attempt starts again; the caller sees an increase only
                self._last = progress
                send(progress, total, message)

        return Progress(onwards)

    def cancellation(self) -> Cancellation:
        given = self._given.get(Cancellation)
        if given is None:
            return Cancellation(self.stop.is_set)
        return Cancellation(lambda: self.stop.is_set() or given.cancelled)

    def logger(self) -> Logger:
        given = self._given.get(Logger)
        return Logger() if given is None else given


_MAKERS: dict[type[Any], Callable[[_Injected], Any]] = {
    Context: _Injected.context,
    Progress: _Injected.progress,
    Cancellation: _Injected.cancellation,
    Logger: _Injected.logger,
}
