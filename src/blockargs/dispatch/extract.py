"""`extract`: one typed value out of a model's answer, by the stages of a call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..derive import arg_type_of, decode
from ..errors import InvalidArgumentsError, Note, Problem, at
from ..imported import arg_schema
from ..keywords import followed, types_of
from ..node import ArgType
from ..registry import Registry
from ..registry.checks import Check, violations
from ..reply import decode_arguments, decode_reply
from ..spec import Block
from ..types import arg_object
from .ask import talked, talked_async
from .conversation import Slot, Talk, conversation
from .failures import refused
from .options import flag
from .run import Call
from .turns import Turn
from .validators import validators_of

WRAPPER = "value"  # the field that holds what is no object itself


@dataclass(frozen=True, slots=True)
class Answer:
    """A valid answer.

    Attributes:
        call: The JSON that was read, as a call of the answer's block.
        value: What it means in Python.
        notes: What was repaired.
    """

    call: Call
    value: Any
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked for.

    Attributes:
        type: Its type.
        block: A block whose arguments are the answer: what a provider is offered.
        wrapped: Whether the answer is the field `WRAPPER` of the arguments, since a root must be an object.
        decode: JSON to Python.
        checks: Semantic validators.
        strict: Whether repairs are refused.
    """

    type: ArgType
    block: Block
    wrapped: bool
    decode: Callable[[Any], Any]
    checks: tuple[Check, ...] = ()
    strict: bool = False

    def read(self, turn: Turn) -> Sequence[Slot]:
        """Return the answer in *turn*, or what is wrong with it."""
        uid = self.block.uid
        if len(turn.calls) > 1:
            message = f"the answer was given {len(turn.calls)} times"
            return [refused(Call(uid, uid), [Problem(code="ambiguous", path="$", message=message)])]
        if turn.calls:
            given = turn.calls[0]
            call_id, name = given.id or None, given.name
            arguments = {} if given.arguments is None else given.arguments
            decoded, wrapped = self._decoded(arguments, decode_arguments, complete=given.complete)
        else:
            call_id, name = None, uid
            decoded, wrapped = self._decoded(turn.text, decode_reply, complete=not turn.ending)
        call, notes = Call(uid, name, decoded.value if decoded.ok else None, call_id), tuple(decoded.notes)
        if not decoded.ok:
            return [refused(call, decoded.problems, notes)]
        value = decoded.value[WRAPPER] if wrapped else decoded.value
        return [self._meant(call, value, notes, at("$", WRAPPER) if wrapped else "$")]

    def _decoded(self, given: Any, by: Callable[..., Any], *, complete: bool) -> tuple[Any, bool]:
        """Return the decoded document, and whether the value is wrapped in it; bare values are taken too."""
        how: dict[str, Any] = {"strict": self.strict, "complete": complete}
        decoded = by(given, self.block.type, **how)
        if decoded.ok or not self.wrapped:
            return decoded, self.wrapped
        bare = decode_arguments(given, self.type, **how)
        if not bare.ok and by is decode_reply:
            bare = decode_reply(given, self.type, **how)
        return (bare, False) if bare.ok else (decoded, True)

    def _meant(self, call: Call, value: Any, notes: tuple[Note, ...], root: str) -> Slot:
        problems = [problem for check in self.checks for problem in violations(check, value)]
        meaning = None
        if not problems:
            try:
                meaning = self.decode(value)
            except InvalidArgumentsError as fault:
                problems = list(fault.problems)
        if problems:
            return refused(call, [problem.under(root) for problem in problems], notes)
        return Answer(call, meaning, notes)


def answer_block(type_or_annotation: Any, *, name: str = "answer", description: str | None = None) -> Block:
    """Return a block without constructor whose arguments are the value: export it where a provider is asked for it.

    >>> answer_block(list[int]).input_schema()["required"]
    ['value']

    Args:
        type_or_annotation: An `ArgType`, a JSON Schema node, or a Python annotation. What is no object is
            wrapped in one field, and unwrapped by `extract`.
        name: What the provider's tool is called.
        description: What the model reads of it.

    Raises:
        InvalidArgTypeError: The schema node is none.
        UnsupportedAnnotationError: The annotation cannot be expressed.
    """
    wanted = _type_of(type_or_annotation)
    schema = arg_object({WRAPPER: wanted}) if _needs_wrapping(wanted) else wanted
    return Block(uid=name, name=name, description=description, schema=schema, kind="tool")


def extract(
    send: Callable[[list[Any]], Any],
    messages: Any,
    type_or_annotation: Any,
    *,
    attempts: int = 2,
    validators: Check | Iterable[Check] = (),
    dialect: str = "",
    strict: bool = False,
) -> Any:
    """Ask a model for one value until it is valid, at most *attempts* times, and return it.

    Args:
        send: Takes the messages; returns text, or the response of a provider's client.
        messages: The conversation so far, in the provider's form; a text is one user message.
        type_or_annotation: An `ArgType` or JSON Schema node gives JSON, a Python annotation what it says.
        attempts: How often the model is asked at most.
        validators: Checks of the JSON value beyond its type, as of a `Toolset`.
        dialect: The provider's dialect, where the response does not show it.
        strict: Whether repairs are refused.

    Raises:
        AttemptsExhaustedError: No answer was valid; it has every attempt.
        InvalidToolsetError: *attempts* is below 1, or a validator cannot be called, or is async.
        InvalidArgTypeError: The schema node is none.
        UnsupportedAnnotationError: The annotation cannot be expressed.
        UnknownDialectError: There is no such dialect.
        InvalidCallError: *send* returned neither text nor a response.
        BaseException: What *send* itself raises.
    """
    wanted = wanted_of(type_or_annotation, validators, strict=strict)
    return _value(talked(conversation(wanted.read, messages, attempts, dialect), send))


async def extract_async(
    send: Callable[[list[Any]], Any],
    messages: Any,
    type_or_annotation: Any,
    *,
    attempts: int = 2,
    validators: Check | Iterable[Check] = (),
    dialect: str = "",
    strict: bool = False,
) -> Any:
    """Do what `extract` does without blocking; what *send* returns is awaited where it can be."""
    wanted = wanted_of(type_or_annotation, validators, strict=strict)
    return _value(await talked_async(conversation(wanted.read, messages, attempts, dialect), send))


def wanted_of(type_or_annotation: Any, validators: Any = (), *, strict: bool = False) -> Wanted:
    """Return what is asked for, ready to be read."""
    flag("strict", strict)
    block = answer_block(type_or_annotation)
    wanted = _type_of(type_or_annotation)
    json_only = isinstance(type_or_annotation, Mapping)
    return Wanted(
        type=wanted,
        block=block,
        wrapped=_needs_wrapping(wanted),
        decode=(lambda value: value) if json_only else (lambda value: decode(type_or_annotation, value)),
        checks=validators_of(validators),
        strict=strict,
    )


def _type_of(given: Any) -> ArgType:
    if isinstance(given, ArgType):
        return given
    is_schema = isinstance(given, Mapping) and not isinstance(given, Registry)  # an empty one would allow everything
    return arg_schema(given) if is_schema else arg_type_of(given)


def _needs_wrapping(wanted: ArgType) -> bool:
    return types_of(followed(wanted, wanted)) != ("object",)


def _value(talk: Talk) -> Any:
    if talk.wrong:
        raise talk.error("the value")
    return cast("Answer", talk.slots[0]).value
