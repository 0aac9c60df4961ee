"""`Dialect`: the form of tool schema one provider accepts, as a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..errors import Note, Problem
from ..keywords import Schema
from ..spec import Block
from .limits import Limits, What
from .names import NameRule

# one change of a schema: pure, it never touches what it is given, and it tells what it did
Rewrite = Callable[[Schema, str], tuple[Schema, list[Note]]]


# not frozen: one is made for each writing of each block, which that would slow down
@dataclass(slots=True, kw_only=True)
class Tool:
    """One block as a dialect shows it, before the provider's element is put around it.

    Attributes:
        name: Its name on the wire.
        description: What the model reads about it; may be empty.
        schema: The schema of its arguments, rewritten.
        examples: Complete worked arguments in wire form, where the dialect has a field for them.
        strict: Whether the provider is asked to hold the model to the schema.
        deferred: Whether the model is told of it only when it searches for tools.
        block: Where it comes from.
    """

    name: str
    description: str
    schema: Schema
    examples: Sequence[Mapping[str, Any]] = ()
    strict: bool = False
    deferred: bool = False
    block: Block


def written(tool: Tool, schema_key: str, **first: Any) -> dict[str, Any]:
    """Return name, description where there is one, and schema of *tool*: what every element holds, after *first*."""
    out: dict[str, Any] = {**first, "name": tool.name}
    if tool.description:
        out["description"] = tool.description
    out[schema_key] = tool.schema
    return out


def tools_request(tools: list[Any]) -> dict[str, Any]:
    """Return the part of a request that holds the *tools*, as most write it."""
    return {"tools": tools}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The form of tool schema that one provider accepts.

    Attributes:
        name: ``"openai"``.
        strict: Whether this is the form that holds the model to the schema.
        limits: What one tool and one request may hold, with the date each figure was read.
        names: Which tool names are legal.
        rewrites: What is changed on the way to its schemas, in this order.
        notation: The last step, where the provider does not write JSON Schema; no meaning changes here.
        element: How one tool is written.
        request: The fragment of the request body that holds the tools; ``{"tools": […]}`` unless said otherwise.
        defers: Whether a tool can be kept back until the model searches for it.
        examples: Whether worked examples have a ``"field"`` of their own, stand with their
            ``"arguments"``, or are told in ``"words"``.
    """

    name: str
    strict: bool = False
    limits: Limits
    names: NameRule
    rewrites: tuple[Rewrite, ...] = ()
    notation: Callable[[Schema], Schema] | None = None
    element: Callable[[Tool], dict[str, Any]] = field(repr=False)
    request: Callable[[list[Any]], dict[str, Any]] = field(default=tools_request, repr=False)
    defers: bool = False
    examples: Literal["field", "arguments", "words"] = "words"

    @property
    def key(self) -> str:
        """The dialect with its form: ``"openai"`` or ``"openai strict"``."""
        return f"{self.name} strict" if self.strict else self.name

    def most(self, what: What) -> int | None:
        """Return how much of *what* the dialect takes; ``None`` where no limit is known."""
        for limit in self.limits:
            if limit.what == what:
                return limit.most
        return None

    def __str__(self) -> str:
        """Return the key."""
        return self.key


class RefusedError(Exception):
    """A schema that the dialect has no form for; caught where one block is rendered."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem
