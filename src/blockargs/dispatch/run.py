"""`ToolRun`: one call of a block, and everything that came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import Note, Problem
from .content import Part, Text

META = "blockargs/"  # prefix of our own keys in MCP's `_meta`


@dataclass(frozen=True, slots=True)
class Call:
    """Which block is called, with what.

    Attributes:
        uid: The block's uid; ``""`` when no block could be chosen.
        name: The name the caller used: what a result must repeat where a provider asks for it.
        arguments: JSON, decoded and repaired; ``None`` when they could not be read.
        id: The provider's id of the call, or ``None``.
    """

    uid: str
    name: str
    arguments: dict[str, Any] | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class ToolRun:
    """What came of one call; nothing is ever raised for what a model did wrong.

    Attributes:
        ok: Whether the constructor ran and its result can be sent.
        call: Which block, with what arguments.
        outcome: What the constructor returned, or the exception it failed with
            (`ToolFailure`, `ToolRejected`, …); ``None`` when it did not run. For the host only.
        text: What the model reads, for a result and for a failure alike.
        content: The result as JSON; the text where it is no JSON.
        structured: The result as JSON where it has a declared type, or is an object or a list; else ``None``.
        code: Kind of failure, ``""`` for none: ``"arguments_invalid"``, ``"unknown_tool"``,
            ``"ambiguous"``, ``"tool_rejected"``, ``"timed_out"``, ``"cancelled"``, ``"invalid_output"``,
            ``"tool_error"``, or the code of a `ToolFailure`.
        details: The details of a `ToolFailure`, else ``None``.
        problems: What was wrong with the call or its output.
        notes: What was repaired on the way.
        attempts: How often the constructor was called.
        explicit: The parts of a `ToolContent`; ``()`` otherwise. Read `parts`.
        meta: Facts for the client program, never shown to the model.
    """

    ok: bool
    call: Call
    outcome: Any = None
    text: str = ""
    content: Any = None
    structured: Any = None
    code: str = ""
    details: Any = None
    problems: tuple[Problem, ...] = ()
    notes: tuple[Note, ...] = ()
    attempts: int = 0
    explicit: tuple[Part, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_error(self) -> bool:
        """Whether the result is marked as an error: the contrary of `ok`."""
        return not self.ok

    @property
    def parts(self) -> tuple[Part, ...]:
        """What is sent, in parts; each has `record()`, as MCP writes it."""
        return self.explicit or (Text(self.text),)

    @property
    def uid(self) -> str:
        """The uid of the block that was called; ``""`` when none could be chosen."""
        return self.call.uid

    def to_message(self, dialect: str, *, call_id: str | None = None, name: str | None = None) -> dict[str, Any]:
        """Return the message that tells the model of the result, or of the failure.

        It is one more entry of the list of messages (``openai``, ``anthropic``, ``bedrock``,
        ``mistral``, ``ollama``), of the input (``openai-responses``), of the contents
        (``gemini``), or a ``CallToolResult`` (``mcp``). Parts that the provider's
        channel cannot carry are named in its text. `joined_messages` makes one of several.

        Args:
            dialect: A dialect's name.
            call_id: The provider's id of the call; by default the one the call came with.
            name: The name the model called; by default the one the call came with.

        Raises:
            UnknownDialectError: There is no such dialect.
            InvalidToolsetError: The dialect needs a call id and there is none, or it is no text.
        """
        from .messages import message_of  # noqa: PLC0415 - it needs this class

        return message_of(self, dialect, call_id=call_id, name=name)

    def record(self) -> dict[str, Any]:
        """Return the run as a JSON-ready dict, for logs and command lines."""
        return {
            "ok": self.ok,
            "uid": self.call.uid,
            "name": self.call.name,
            "arguments": self.call.arguments,
            "code": self.code,
            "text": self.text,
            "content": self.content,
            "problems": [p.record() for p in self.problems],
            "notes": [n.record() for n in self.notes],
            "attempts": self.attempts,
        }
