"""Asking until the answer is valid: what is kept, what is told, and when it is no use any more."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ..errors import AttemptsExhaustedError, InvalidCallError, InvalidToolsetError, Note, Problem
from ..reply import fingerprint
from .messages import MESSAGES, NEEDS_ID, joined_messages, known_dialect, message_of
from .run import Call, ToolRun
from .turns import Turn, plain, turn_of

KEPT = (
    "This call is valid and is kept. It will be made once the other calls of your last turn are put right; "
    "do not send it again."
)

# why an answer ended before the model had said all -> what the model is told
CUT: Mapping[str, str] = {
    "length": "The answer was cut off for its length: send a shorter one.",
    "filter": "The answer was stopped before its end by a filter: send one that passes it.",
    "fault": "The answer broke off before its end: send it again.",
}


class Valid(Protocol):
    """A call, or an answer, that nothing is wrong with."""

    @property
    def call(self) -> Call:
        """The call, with its decoded arguments."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was repaired."""


Slot = Valid | ToolRun  # a `ToolRun` says what is wrong
Read = Callable[[Turn], Sequence[Slot]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One answer of a model.

    Attributes:
        response: What `send` returned.
        calls: The calls in it, valid or not.
        problems: What was wrong; nothing for a valid answer.
        notes: What was repaired.
        retry: The messages that told the model what was wrong; none after the last attempt.
    """

    response: Any
    calls: tuple[Call, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[Note, ...] = ()
    retry: tuple[Any, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing was wrong."""
        return not self.problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """How a conversation ended.

    Attributes:
        slots: The calls of the last answer, with those that were kept of earlier ones.
        fresh: The calls of the last answer alone.
        attempts: Every attempt.
        messages: The conversation, the last answer included.
        turn: The last answer.
    """

    slots: tuple[Slot, ...]
    fresh: tuple[Slot, ...]
    attempts: tuple[Attempt, ...]
    messages: tuple[Any, ...]
    turn: Turn

    @property
    def wrong(self) -> tuple[ToolRun, ...]:
        """What is wrong at the end."""
        return wrong_of(self.slots)

    def error(self, subject: str) -> AttemptsExhaustedError:
        """Return the error that says what was wrong at the end, with every attempt."""
        problems = [problem for run in self.wrong for problem in run.problems]
        return AttemptsExhaustedError(
            problems, f"{subject}: no valid answer in {len(self.attempts)} attempts", self.attempts
        )


Conversation = Generator[list[Any], Any, Talk]


def conversation(read: Read, messages: Any, attempts: int, dialect: str) -> Conversation:
    """Yield the messages to send and take each response, until an answer is valid or it is no use any more.

    Raises:
        InvalidToolsetError: No attempt is allowed, or *messages* are none.
        UnknownDialectError: There is no such dialect.
        InvalidCallError: What came back is no answer.
    """
    if not isinstance(attempts, int) or isinstance(attempts, bool) or attempts < 1:
        raise InvalidToolsetError(f"attempts={attempts!r} asks nobody; give 1 or more")
    if dialect != "":
        known_dialect(dialect)
    history: list[Any] = opening(messages, dialect)
    slots: list[Slot] = []
    log: list[Attempt] = []
    seen: set[Any] = set()
    while True:
        response = yield list(history)
        turn = heard(response, dialect)
        fresh = list(read(turn))
        slots = merged(slots, fresh)
        wrong = wrong_of(slots)
        history += turn.messages
        attempt = Attempt(
            response=response,
            calls=tuple(one.call for one in fresh),
            problems=tuple(p for run in wrong for p in run.problems),
            notes=tuple(n for one in fresh for n in one.notes),
        )
        failure = frozenset(fingerprint(run.problems, tool=run.call.uid or run.call.name) for run in wrong)
        if not wrong or failure in seen or len(log) + 1 >= attempts:
            ended = {"attempts": (*log, attempt), "messages": tuple(history)}
            return Talk(slots=tuple(slots), fresh=tuple(fresh), turn=turn, **ended)
        seen.add(failure)
        told = retry_messages(turn, fresh, wrong)
        history += told
        log.append(replace(attempt, retry=tuple(told)))


def wrong_of(slots: Iterable[Slot]) -> tuple[ToolRun, ...]:
    """Return those of *slots* that are wrong."""
    return tuple(slot for slot in slots if isinstance(slot, ToolRun))


def heard(response: Any, dialect: str) -> Turn:
    """Return *response* as a turn.

    Raises:
        InvalidCallError: It is neither text nor a response of a provider's client.
    """
    if isinstance(response, str):
        return Turn(dialect, text=response, messages=(spoken("assistant", response, dialect),))
    if (turn := turn_of(response)) is not None:
        return replace(turn, dialect=dialect or turn.dialect)
    found = plain(response)
    if isinstance(found, Mapping | list):  # a bare call, or arguments
        try:
            text = json.dumps(found)
        except (TypeError, ValueError, RecursionError):
            raise _no_answer(f"{type(response).__name__} that is no JSON") from None
        return Turn(dialect, text=text, messages=(spoken("assistant", text, dialect),))
    raise _no_answer(type(response).__name__)


def _no_answer(kind: str) -> InvalidCallError:
    return InvalidCallError(f"send(messages) returned {kind}; return text, or the response of the provider's client")


def opening(messages: Any, dialect: str) -> list[Any]:
    """Return *messages* as a list; a text is what the user says.

    Raises:
        InvalidToolsetError: They are neither text nor several messages.
    """
    if not isinstance(messages, Iterable) or isinstance(messages, Mapping | bytes):
        raise InvalidToolsetError(f"messages={messages!r} is neither text nor a list of messages")
    return [spoken("user", messages, dialect)] if isinstance(messages, str) else list(messages)


def spoken(role: str, text: str, dialect: str) -> dict[str, Any]:
    """Return a message of plain text in the form of *dialect*."""
    if dialect.startswith("gemini"):
        return {"role": "model" if role == "assistant" else role, "parts": [{"text": text}]}
    return {"role": role, "content": [{"text": text}] if dialect == "bedrock" else text}


def merged(kept: Sequence[Slot], fresh: Sequence[Slot]) -> list[Slot]:
    """Return the calls *kept* of earlier answers with the *fresh* ones in their places.

    A fresh call takes the place of the same call, else of a wrong one of its block, else
    of a valid one of its block, else of any wrong one; what has no place is added.
    """
    slots = list(kept)
    free = set(range(len(slots)))
    for new in fresh:
        place = next((i for fits in _PLACES for i in sorted(free) if fits(slots[i], new)), None)
        if place is None:
            slots.append(new)
        else:
            slots[place] = new
            free.discard(place)
    return slots


def _same_call(old: Slot, new: Slot) -> bool:
    return not isinstance(old, ToolRun) and (old.call.uid, old.call.arguments) == (new.call.uid, new.call.arguments)


# where a fresh call goes; the first that fits
_PLACES: tuple[Callable[[Slot, Slot], bool], ...] = (
    _same_call,
    lambda old, new: isinstance(old, ToolRun) and old.call.uid == new.call.uid,
    lambda old, new: not isinstance(new, ToolRun) and old.call.uid == new.call.uid,
    lambda old, _: isinstance(old, ToolRun),
)


def retry_messages(turn: Turn, fresh: Sequence[Slot], wrong: Sequence[ToolRun]) -> list[Any]:
    """Return what is said to the model: on each failing call's own channel, or as the user where there is none."""
    if addressable(turn):
        answers = [_answer(slot, turn) for slot in fresh]
        told = [
            message_of(answer, turn.dialect, call_id=call.id or None, name=call.name)
            for answer, call in zip(answers, turn.calls, strict=True)
        ]
        return joined_messages(told, turn.dialect)
    text = "\n\n".join(retry_text(run, ending=turn.ending) for run in wrong)
    return [spoken("user", text, turn.dialect)]


def addressable(turn: Turn) -> bool:
    """Tell whether each call of *turn* can be answered on its own channel."""
    if not turn.calls or turn.dialect not in MESSAGES:
        return False
    return turn.dialect not in NEEDS_ID or all(call.id for call in turn.calls)


def _answer(slot: Slot, turn: Turn) -> ToolRun:
    if isinstance(slot, ToolRun):
        text = retry_text(slot, ending=turn.ending)
        return replace(slot, text=text, content=text)
    return ToolRun(True, slot.call, text=KEPT, content=KEPT)


def retry_text(run: ToolRun, *, ending: str = "") -> str:
    """Return what the model is told about a wrong call; where the provider ended the answer too early, that too."""
    if not ending or (ending == "length" and any(p.code == "truncated" for p in run.problems)):
        return run.text
    return f"{run.text}\n{CUT[ending]}"
