"""`ask`: one selection of a model, put right where it must be, then run exactly once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from ..errors import AttemptsExhaustedError, InvalidToolsetError
from .choose import Chosen, Reading, from_given, from_text, waiting
from .conversation import Attempt, Conversation, Slot, Talk, addressable, conversation, spoken
from .execute import executed
from .messages import joined_messages, message_of
from .offered import Offered
from .options import Helpers
from .run import ToolRun
from .steps import perform
from .turns import Turn


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked: of whom, how often, and what a call gets."""

    offered: Offered
    attempts: int
    dialect: str
    helpers: Helpers
    timeout: float | None
    how: Reading

    def read(self, turn: Turn) -> Sequence[Slot]:
        """Return the calls of *turn*, and what is wrong with them."""
        how = replace(self.how, complete=not turn.ending)
        if turn.calls:
            return [from_given(self.offered, call, how) for call in turn.calls]
        return [from_text(self.offered, turn.text, how)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came of asking a model.

    Attributes:
        attempts: Every attempt, with what was repaired and what was wrong.
        runs: A run for each call of the answer; where none became valid, they say what was wrong.
        messages: The conversation with the answer and, where it can be told, the results.
        error: What was wrong at the end, with all attempts; ``None`` when the answer was valid.
    """

    attempts: tuple[Attempt, ...]
    runs: tuple[ToolRun, ...]
    messages: tuple[Any, ...] = ()
    error: AttemptsExhaustedError | None = None

    @property
    def ok(self) -> bool:
        """Whether every call was made and succeeded."""
        return self.error is None and all(run.ok for run in self.runs)

    @property
    def run(self) -> ToolRun:
        """The run: the first that failed, else the first."""
        return next((run for run in self.runs if not run.ok), self.runs[0])

    def result(self) -> Any:
        """Return what the constructor returned.

        Raises:
            AttemptsExhaustedError: No answer was valid.
            BaseException: What the constructor itself raised.
        """
        if self.error is not None:
            raise self.error
        if isinstance(fault := self.run.outcome, BaseException) and not self.run.ok:
            raise fault
        return self.run.outcome


def ask(how: Asking, send: Callable[[list[Any]], Any], messages: Any) -> Report:
    """Ask, then run; `Toolset.ask` explains it."""
    talk = talked(conversation(how.read, messages, how.attempts, how.dialect), send)
    runs = [perform(executed(how.offered, slot, how.helpers, how.timeout)) for slot in _made(talk)]
    return _report(talk, runs)


async def ask_async(how: Asking, send: Callable[[list[Any]], Any], messages: Any) -> Report:
    """Ask, then run; `Toolset.ask_async` explains it."""
    from .loop import perform_async  # noqa: PLC0415 - asyncio is loaded for what is async only

    talk = await talked_async(conversation(how.read, messages, how.attempts, how.dialect), send)
    runs = [await perform_async(executed(how.offered, slot, how.helpers, how.timeout)) for slot in _made(talk)]
    return _report(talk, runs)


def talked(steps: Conversation, send: Callable[[list[Any]], Any]) -> Talk:
    """Carry a conversation out with *send*."""
    messages = next(steps)
    _sendable(send)
    while True:
        response = send(messages)
        try:
            messages = steps.send(response)
        except StopIteration as end:
            return cast("Talk", end.value)


async def talked_async(steps: Conversation, send: Callable[[list[Any]], Any]) -> Talk:
    """Carry a conversation out with *send*, whose answer is awaited where it can be."""
    messages = next(steps)
    _sendable(send)
    while True:
        response = send(messages)
        if inspect.isawaitable(response):
            response = await response
        try:
            messages = steps.send(response)
        except StopIteration as end:
            return cast("Talk", end.value)


def _sendable(send: object) -> None:
    if not callable(send):
        raise InvalidToolsetError(f"send={send!r} cannot be called; give a function of the messages")


def _made(talk: Talk) -> list[Chosen]:
    """Return the calls that are made: all, or none while one is wrong."""
    return [] if talk.wrong else [slot for slot in talk.slots if isinstance(slot, Chosen)]


def _report(talk: Talk, runs: list[ToolRun]) -> Report:
    if talk.wrong:
        told = tuple(slot if isinstance(slot, ToolRun) else waiting(cast("Chosen", slot)) for slot in talk.slots)
        return Report(attempts=talk.attempts, runs=told, messages=talk.messages, error=talk.error("the model"))
    return Report(attempts=talk.attempts, runs=tuple(runs), messages=(*talk.messages, *_results(talk, runs)))


def _results(talk: Talk, runs: Sequence[ToolRun]) -> list[Any]:
    """Return the messages that bring the results to the model.

    A call of the last turn is answered on its own channel; one that was kept of an
    earlier turn has been answered there already, so its result is told as the user.
    """
    turn, run_of = talk.turn, {id(slot): run for slot, run in zip(talk.slots, runs, strict=True)}
    on_channel = []
    if addressable(turn):
        for call, slot in zip(turn.calls, talk.fresh, strict=True):
            run = run_of.pop(id(slot))
            on_channel.append(message_of(run, turn.dialect, call_id=call.id or None, name=call.name))
    told = [spoken("user", f"Result of '{run.call.name}': {run.text}", turn.dialect) for run in run_of.values()]
    return [*(joined_messages(on_channel, turn.dialect) if on_channel else ()), *told]
