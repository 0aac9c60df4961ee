"""`blocks_from_tools`: tool lists of others become blocks without constructor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .._text import listing, quoted
from ..errors import BlockArgsError, InvalidDeclarationError, Note, Problem, at
from ..imported import arg_schema
from ..node import ArgType, json_key
from ..spec import MISSING, UID_LENGTH, UID_LETTERS, Block, BlockArg, BlockArgs
from ..validate import problems_in
from .mcp import HINTS
from .names import evenly, wire_names
from .typewords import WORDS, plain_words

UIDS = evenly(UID_LETTERS, UID_LENGTH)
_NOTHING = {"type": "object", "properties": {}}
_FRAMES = ("function", "toolSpec")  # what OpenAI and Bedrock put around a tool
_LISTS = ("functionDeclarations", "function_declarations", "tools")  # one element that holds several tools
# what a tool says -> the keys that it is found under
_KEYS: dict[str, tuple[str, ...]] = {
    "name": ("name",),
    "description": ("description",),
    "schema": ("parameters", "parametersJsonSchema", "parameters_json_schema", "input_schema", "inputSchema"),
    "output": ("output_schema", "outputSchema", "responseJsonSchema", "response_json_schema"),
    "title": ("title",),
    "annotations": ("annotations",),
    "icons": ("icons",),
    "examples": ("input_examples",),
}
_READ = frozenset({"type", *_FRAMES}).union(*_KEYS.values())
_DATED = re.compile(r"_[0-9]{8}\Z")  # a tool that Anthropic defines: "web_search_20250305"
# elements of Gemini and Bedrock beside the tools: what the provider runs itself, and where it caches
_BESIDE = frozenset(
    "googleSearch google_search googleSearchRetrieval google_search_retrieval codeExecution code_execution "
    "urlContext url_context googleMaps google_maps enterpriseWebSearch enterprise_web_search computerUse computer_use "
    "fileSearch file_search retrieval cachePoint systemTool".split()
)


@dataclass(slots=True)
class _Found:
    """One tool, whatever form it came in."""

    name: Any
    description: Any
    schema: Any
    output: Any
    title: Any
    annotations: Any
    icons: Any
    examples: Any
    notes: list[Note] = field(default_factory=list)

    def note(self, rule: str, before: Any, message: str, after: Any = None) -> None:
        self.notes.append(Note(rule=rule, path="$", before=before, after=after, message=message))

    def leave_out(self, given: dict[str, Any]) -> None:
        """Say that no block holds what was *given*."""
        if given:
            self.note("not_kept", given, f"{listing(given)} {'is' if len(given) == 1 else 'are'} left out")


def blocks_from_tools(tools: Iterable[Any] | Mapping[str, Any]) -> list[Block]:
    """Return the tools of OpenAI, Anthropic, Gemini, Bedrock, MCP and function documents as blocks.

    What a tool leaves open stays open. Type words of Python (``dict``, ``float``, ``tuple``) are
    translated, each with a note in `Block.notes`. A name that no uid may have is cleaned, and kept as
    the block's `wire_name`. The same name twice gives two blocks: a registry refuses the second.
    What no block can hold (``strict``, a worked example that does not fit) is left out, and noted;
    so is what stands beside the tools, such as ``{"type": "web_search"}`` and ``{"cachePoint": …}``, with
    the block before it, or else the first.

    Args:
        tools: A list of tools in any of these forms, or an object that holds one under ``tools``.

    Raises:
        InvalidDeclarationError: Some of them are no tools, or have no valid schema, or two; or none is
            a tool. Each is named.
    """
    try:
        return _blocks(_listed(tools))
    except RecursionError:
        raise _invalid("$", "the tools are nested too deeply, or contain themselves", "") from None


def _blocks(tools: list[Any]) -> list[Block]:
    problems: list[Problem] = []
    found: list[tuple[_Found, ArgType, ArgType | None]] = []
    beside: list[tuple[int, Mapping[str, Any]]] = []  # by how many tools stand before
    for index, tool in enumerate(tools):
        path = f"$[{index}]"
        if _is_beside(tool):
            beside.append((len(found), tool))
            continue
        try:
            one = _found(tool, path)
            schema = _type(one.schema, path, one)
            output = None if one.output is None else _type(one.output, path, one)
            found.append((one, schema, output))
        except BlockArgsError as reason:
            problems += reason.problems
    if beside and not found and not problems:
        message = f"{_words(beside[0][1])}, and there is no other tool"
        problems += _invalid("$", message, "pass tools that a model calls with arguments").problems
    if problems:
        raise InvalidDeclarationError(problems, "tools")
    for before, tool in beside:
        found[max(before - 1, 0)][0].note("not_a_tool", dict(tool), f"{_words(tool)}; it is left out")
    uids = wire_names((one.name for one, *_ in found), UIDS)
    return [_block(one, uids[one.name], schema, output) for one, schema, output in found]


def _words(tool: Mapping[str, Any]) -> str:
    return f"{quoted(dict(tool))} is no function that a model calls with arguments"


def _listed(tools: Any) -> list[Any]:
    """Return the single tools in *tools*: Gemini puts several declarations into one, Bedrock has a frame."""
    if isinstance(tools, Mapping):
        for key in ("tools", "toolConfig"):
            if key in tools and not _has_schema(tools):
                return _listed(tools[key])
        tools = [tools]
    if isinstance(tools, str | bytes) or not isinstance(tools, Iterable):
        message = f"{quoted(tools)} is no list of tools"
        raise InvalidDeclarationError((Problem(code="tool_invalid", path="$", message=message),))
    out: list[Any] = []
    for tool in tools:
        inner = next((k for k in _LISTS if isinstance(tool, Mapping) and tool.get(k) is not None), None)
        if inner is None or _has_schema(tool):
            out.append(tool)
            continue
        out += _listed(tool[inner])
        if rest := {k: v for k, v in tool.items() if k != inner and v is not None}:
            out.append(_Beside(rest))
    return out


class _Beside(dict[str, Any]):
    """What an element that holds tools says besides them."""


def _has_schema(tool: Mapping[str, Any]) -> bool:
    return any(tool.get(k) is not None for k in (*_FRAMES, *_KEYS["schema"]))


def _is_beside(tool: Any) -> bool:
    """Tell whether *tool* is none of the functions that a model calls with arguments, though it stands with them."""
    if not isinstance(tool, Mapping) or _has_schema(tool):
        return False
    if isinstance(tool, _Beside) or (tool and tool.keys() <= _BESIDE):
        return True
    kind = tool.get("type")
    if not isinstance(kind, str) or kind == "function" or kind.lower() in WORDS:
        return False
    return kind == "custom" or tool.get("name") is None or _DATED.search(kind) is not None


def _found(tool: Any, path: str) -> _Found:
    """Read one tool: its own keys, and those of the frame around it."""
    if not isinstance(tool, Mapping):
        raise _invalid(path, f"{quoted(tool)} is no tool", "a tool is an object with a name and a schema")
    levels = [*(tool[k] for k in _FRAMES if isinstance(tool.get(k), Mapping)), tool]
    notes: list[Note] = []
    one = _Found(**{what: _said(levels, what, keys, path, notes) for what, keys in _KEYS.items()}, notes=notes)
    if "toolSpec" in tool and isinstance(one.schema, Mapping) and "json" in one.schema:
        one.schema = one.schema["json"]
    if not isinstance(one.name, str) or not one.name:
        raise _invalid(path, f"{quoted(one.name)} is no name of a tool", "write its name as text")
    if one.description is not None and not isinstance(one.description, str):
        raise _invalid(path, f"the description of {quoted(one.name)} is {quoted(one.description)}, not text", "")
    if one.annotations is not None and not isinstance(one.annotations, Mapping):
        message = f"the annotations of {quoted(one.name)} are {quoted(one.annotations)}, not an object"
        raise _invalid(path, message, "write {'readOnlyHint': true}")
    one.leave_out({str(k): v for level in levels for k, v in level.items() if k not in _READ and v is not None})
    return one


def _said(levels: list[Mapping[str, Any]], what: str, keys: tuple[str, ...], path: str, notes: list[Note]) -> Any:
    """Return what a tool says under one of *keys*; of two that differ the inner one counts, but not of two schemas."""
    given = [(key, level[key]) for level in levels for key in keys if level.get(key) is not None]
    if not given:
        return None
    first, value = given[0]
    for key, other in given[1:]:
        if _same(other, value):
            continue
        message = f"the tool has more than one {what}, under {listing(dict.fromkeys((first, key)))}, and they differ"
        if what == "schema":
            raise _invalid(path, message, "keep one")
        told = f"{message}: this one is left out"
        notes.append(Note(rule="said_twice", path="$", before=other, after=value, message=told))
    return value


def _same(a: Any, b: Any) -> bool:
    """Tell whether *a* and *b* are the same JSON: 1 is not true."""
    try:
        return bool(json_key(a) == json_key(b))
    except TypeError:  # something in them is no JSON
        return bool(a == b)


def _invalid(path: str, message: str, hint: str) -> InvalidDeclarationError:
    return InvalidDeclarationError((Problem(code="tool_invalid", path=path, message=message, hint=hint),))


def _type(schema: Any, path: str, one: _Found) -> ArgType:
    if schema is None:
        schema = _NOTHING
    if not isinstance(schema, Mapping):
        raise _invalid(path, f"the schema of {quoted(one.name)} is {quoted(schema)}, not an object", "")
    plain, notes = plain_words(schema)
    one.notes += notes
    try:
        return arg_schema(plain)
    except BlockArgsError as reason:
        told = (replace(p.under(path), message=f"tool {quoted(one.name)}: {p.message}") for p in reason.problems)
        raise InvalidDeclarationError(told) from None


def _block(one: _Found, uid: str, schema: ArgType, output: ArgType | None) -> Block:
    annotations = _annotations(one)
    examples = _examples(one, schema)
    title = one.title or annotations.get("title")
    if uid != one.name:
        message = f"the name {quoted(one.name)} is no uid, which is {quoted(uid)}; it stays the wire name"
        one.note("name_cleaned", one.name, message, uid)
    return Block(
        uid=uid,
        name=title if isinstance(title, str) else one.name,
        description=one.description,
        arguments=_arguments(schema),
        examples=examples,
        schema=schema,
        output_schema=output,
        wire_name=one.name if uid != one.name else None,
        kind="tool",
        annotations=annotations,
        notes=tuple(one.notes),
    )


def _annotations(one: _Found) -> dict[str, Any]:
    """Return the hints of MCP in our words; what is no hint is noted."""
    given = {k: v for k, v in (one.annotations or {}).items() if v is not None}
    kept: dict[str, Any] = {"title": given.pop("title")} if isinstance(given.get("title"), str) else {}
    kept |= {word: given.pop(wire) for word, wire in HINTS.items() if isinstance(given.get(wire), bool)}
    if isinstance(one.icons, list) and all(isinstance(icon, Mapping) for icon in one.icons):
        kept["icons"] = one.icons
    elif one.icons is not None:
        given["icons"] = one.icons
    if one.title is not None and not isinstance(one.title, str):
        given["title"] = one.title
    one.leave_out(given)
    return {k: v for k, v in kept.items() if v not in ("", [])}


def _examples(one: _Found, schema: ArgType) -> list[dict[str, Any]]:
    """Return the worked examples that fit *schema*: with another one, the provider would refuse the tool."""
    if one.examples is None:
        return []
    if not isinstance(one.examples, list | tuple):
        one.note("example_left_out", one.examples, f"the examples are {quoted(one.examples)}, not a list; left out")
        return []
    kept = []
    for index, example in enumerate(one.examples):
        if problems := problems_in(example, schema, at("$", index)):
            one.note("example_left_out", example, f"a worked example does not fit, and is left out: {problems[0]}")
        else:
            kept.append(dict(example))
    return kept


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
