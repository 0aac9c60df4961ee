"""`blocks_from_tools`: tool lists of others become blocks without constructor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .._text import quoted
from ..errors import BlockArgsError, InvalidDeclarationError, Note, Problem
from ..imported import arg_schema
from ..node import ArgType
from ..spec import MISSING, UID_LENGTH, UID_LETTERS, Block, BlockArg, BlockArgs
from .mcp import HINTS
from .names import evenly, wire_names
from .typewords import plain_words

UIDS = evenly(UID_LETTERS, UID_LENGTH)
_NOTHING = {"type": "object", "properties": {}}


@dataclass(slots=True)
class _Found:
    """One tool, whatever form it came in."""

    name: Any
    description: Any = None
    schema: Any = None
    output: Any = None
    title: Any = None
    annotations: dict[str, Any] = field(default_factory=dict)
    examples: Any = None


def blocks_from_tools(tools: Iterable[Any] | Mapping[str, Any]) -> list[Block]:
    """Return the tools of OpenAI, Anthropic, Gemini, Bedrock, MCP and function documents as blocks.

    What a tool leaves open stays open. Type words of Python (``dict``, ``float``, ``tuple``) are
    translated, each with a note in `Block.notes`. A name that no uid may have is cleaned, and kept as
    the block's `wire_name`. The same name twice gives two blocks: a registry refuses the second.

    Args:
        tools: A list of tools in any of these forms, or an object that holds one under ``tools``.

    Raises:
        InvalidDeclarationError: Some of them are no tools, or have no valid schema; each is named.
    """
    listed = _listed(tools)
    problems: list[Problem] = []
    found: list[tuple[_Found, ArgType, ArgType | None, list[Note]]] = []
    for index, tool in enumerate(listed):
        path = f"$[{index}]"
        try:
            one = _found(tool, path)
            schema, notes = _type(one.schema, path, one.name)
            output = None if one.output is None else _type(one.output, path, one.name)[0]
            found.append((one, schema, output, notes))
        except BlockArgsError as reason:
            problems += reason.problems
    if problems:
        raise InvalidDeclarationError(problems, "tools")
    uids = wire_names((one.name for one, *_ in found), UIDS)
    return [_block(one, uids[one.name], schema, output, notes) for one, schema, output, notes in found]


def _listed(tools: Any) -> list[Any]:
    """Return the single tools in *tools*: Gemini puts several declarations into one, Bedrock has a frame."""
    if isinstance(tools, Mapping):
        for key in ("tools", "toolConfig", "functionDeclarations", "function_declarations"):
            if key in tools:
                return _listed(tools[key])
        tools = [tools]
    if isinstance(tools, str | bytes) or not isinstance(tools, Iterable):
        message = f"{quoted(tools)} is no list of tools"
        raise InvalidDeclarationError((Problem(code="tool_invalid", path="$", message=message),))
    out: list[Any] = []
    for tool in tools:
        inner = next((k for k in ("functionDeclarations", "function_declarations") if _has(tool, k)), None)
        out += _listed(tool[inner]) if inner else [tool]
    return out


def _has(tool: Any, key: str) -> bool:
    return isinstance(tool, Mapping) and key in tool


def _found(tool: Any, path: str) -> _Found:
    if not isinstance(tool, Mapping):
        raise _invalid(path, f"{quoted(tool)} is no tool", "a tool is an object with a name and a schema")
    one = next(reader(tool) for fits, reader in _FORMS if fits(tool))
    if not isinstance(one.name, str) or not one.name:
        raise _invalid(path, f"{quoted(one.name)} is no name of a tool", "write its name as text")
    if one.description is not None and not isinstance(one.description, str):
        raise _invalid(path, f"the description of {quoted(one.name)} is {quoted(one.description)}, not text", "")
    return one


def _invalid(path: str, message: str, hint: str) -> InvalidDeclarationError:
    return InvalidDeclarationError((Problem(code="tool_invalid", path=path, message=message, hint=hint),))


def _openai(tool: Mapping[str, Any]) -> _Found:
    inner = tool["function"] if isinstance(tool["function"], Mapping) else {}
    return _plain(inner)


def _plain(tool: Mapping[str, Any]) -> _Found:
    schema = next(
        (tool[k] for k in ("parameters", "parametersJsonSchema", "parameters_json_schema") if k in tool), None
    )
    output = tool.get("output_schema", tool.get("responseJsonSchema"))
    return _Found(tool.get("name"), tool.get("description"), schema, output)


def _anthropic(tool: Mapping[str, Any]) -> _Found:
    return _Found(tool.get("name"), tool.get("description"), tool["input_schema"], examples=tool.get("input_examples"))


def _bedrock(tool: Mapping[str, Any]) -> _Found:
    spec = tool["toolSpec"] if isinstance(tool["toolSpec"], Mapping) else {}
    schema = spec.get("inputSchema")
    return _Found(
        spec.get("name"), spec.get("description"), schema.get("json") if isinstance(schema, Mapping) else None
    )


def _mcp(tool: Mapping[str, Any]) -> _Found:
    given = tool.get("annotations") or {}
    hints = {word: given[wire] for word, wire in HINTS.items() if isinstance(given.get(wire), bool)}
    title = tool.get("title") or given.get("title")
    if given.get("title"):
        hints = {"title": given["title"], **hints}
    if tool.get("icons"):
        hints["icons"] = tool["icons"]
    return _Found(
        tool.get("name"), tool.get("description"), tool["inputSchema"], tool.get("outputSchema"), title, hints
    )


# what a form is known by -> how it is read; the first that fits
_FORMS: tuple[tuple[Callable[[Mapping[str, Any]], bool], Callable[[Mapping[str, Any]], _Found]], ...] = (
    (lambda t: "function" in t, _openai),
    (lambda t: "toolSpec" in t, _bedrock),
    (lambda t: "input_schema" in t, _anthropic),
    (lambda t: "inputSchema" in t, _mcp),
    (lambda _: True, _plain),
)


def _type(schema: Any, path: str, name: str) -> tuple[ArgType, list[Note]]:
    if schema is None:
        schema = _NOTHING
    if not isinstance(schema, Mapping):
        raise _invalid(path, f"the schema of {quoted(name)} is {quoted(schema)}, not an object", "")
    plain, notes = plain_words(schema)
    try:
        return arg_schema(plain), notes
    except BlockArgsError as reason:
        told = (replace(p.under(path), message=f"tool {quoted(name)}: {p.message}") for p in reason.problems)
        raise InvalidDeclarationError(told) from None


def _block(one: _Found, uid: str, schema: ArgType, output: ArgType | None, notes: list[Note]) -> Block:
    if uid != one.name:
        message = f"the name {quoted(one.name)} is no uid, which is {quoted(uid)}; it stays the wire name"
        notes = [*notes, Note(rule="name_cleaned", path="$", before=one.name, after=uid, message=message)]
    examples = [e for e in one.examples or () if isinstance(e, Mapping)] if isinstance(one.examples, list) else []
    return Block(
        uid=uid,
        name=one.title if isinstance(one.title, str) else one.name,
        description=one.description,
        arguments=_arguments(schema),
        examples=[dict(e) for e in examples],
        schema=schema,
        output_schema=output,
        wire_name=one.name if uid != one.name else None,
        kind="tool",
        annotations=one.annotations,
        notes=tuple(notes),
    )


def _arguments(schema: ArgType) -> BlockArgs:
    """Return the properties of *schema* as documented arguments."""
    needed = schema.get("required", ())
    defs = schema.get("$defs")
    out = {}
    for name, node in schema.get("properties", {}).items():
        if not isinstance(node, Mapping):
            out[name] = BlockArg(required=name in needed)
            continue
        kept = {k: v for k, v in node.items() if k not in ("description", "default")}
        kind = ArgType({**kept, "$defs": defs} if defs else kept) if kept else None
        examples = node.get("examples")
        out[name] = BlockArg(
            node.get("description"),
            examples[0] if isinstance(examples, list) and examples else None,
            kind,
            required=name in needed,
            default=node.get("default", MISSING),
        )
    return BlockArgs(out)
