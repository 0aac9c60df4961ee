"""Rules of clients that are no dialect: what they do with the tools of an MCP server."""

# ruff: noqa: ARG001 - all rules have one signature
from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .._text import quoted
from ..errors import Note, Problem
from ..keywords import walk
from ..spec import Block
from .anthropic import ARGUMENTS
from .anthropic import NAMES as CLAUDE
from .describe import described
from .limits import CLAUDE_CODE_DESCRIPTION, CURSOR_NAME, GEMINI_CLI_NAME, VSCODE_TOOLS

Found = tuple[str, Problem | Note]  # uid, what there is to say


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A client and what it asks of a server's tools.

    Attributes:
        name: ``"cursor"``.
        rule: Yields what is wrong, or changed by the client, for wire name -> block and a server's name.
    """

    name: str
    rule: Callable[[Mapping[str, Block], str], Iterator[Found]] = field(repr=False)


def _cursor(tools: Mapping[str, Block], server: str) -> Iterator[Found]:
    for wire, block in tools.items():
        if not re.fullmatch(r"[A-Za-z0-9_]+", wire):
            message = f"Cursor hides the tool {quoted(wire)}: a name has letters, digits and '_' only"
            yield block.uid, _problem("client_name", message, "give it a wire_name of those")
        if len(server) + len(wire) > CURSOR_NAME:
            message = f"Cursor hides the tool {quoted(wire)}: with the server's name it has {len(server) + len(wire)} characters of {CURSOR_NAME}"
            yield block.uid, _problem("client_name_long", message, "shorten the server's or the tool's name")
        if "__" in wire:
            message = f"Cursor takes '__' in {quoted(wire)} for the end of the server's name"
            yield block.uid, _problem("client_name", message, "use one '_'")


def _claude_code(tools: Mapping[str, Block], server: str) -> Iterator[Found]:
    for wire, block in tools.items():
        joined = f"mcp__{server}__{wire}"
        if not CLAUDE.legal(joined):
            message = f"Claude Code leaves the tool out in silence: {quoted(joined)} does not match {CLAUDE.pattern}"
            yield (
                block.uid,
                _problem("client_name", message, "shorten it, or give it a wire_name of letters, digits, '_' and '-'"),
            )
        for name in block.type.get("properties", {}):
            if not ARGUMENTS.legal(name):
                message = f"Claude Code leaves the tool out in silence: argument {quoted(name)} does not match {ARGUMENTS.pattern}"
                yield block.uid, _problem("client_argument_name", message, "rename the argument")
        text, _ = described(block, (), (), None)
        size = len(text.encode("utf-8", "replace"))
        if size > CLAUDE_CODE_DESCRIPTION:
            message = f"Claude Code cuts the description of {size} bytes after {CLAUDE_CODE_DESCRIPTION}"
            yield (
                block.uid,
                Note(
                    rule="client_description_cut", path="$", before=size, after=CLAUDE_CODE_DESCRIPTION, message=message
                ),
            )


def _vscode(tools: Mapping[str, Block], server: str) -> Iterator[Found]:
    if len(tools) > VSCODE_TOOLS:
        message = f"VS Code takes {VSCODE_TOOLS} tools in one request, and there are {len(tools)}"
        yield "", _problem("client_too_many_tools", message, "offer fewer blocks, or search and offer what was found")
    for block in tools.values():
        for pointer, node in walk(block.type):
            kinds = node.get("type")
            if (kinds == "array" or (isinstance(kinds, list) and "array" in kinds)) and "items" not in node:
                where = "/".join(map(str, pointer))
                message = f"VS Code refuses the whole request: the list at {where} has no items"
                yield block.uid, _problem("client_array_items", message, "say what its items are")


def _gemini_cli(tools: Mapping[str, Block], server: str) -> Iterator[Found]:
    seen: dict[str, str] = {}
    for wire, block in tools.items():
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", f"mcp_{server}_{wire}")
        if len(name) > GEMINI_CLI_NAME:
            name = f"{name[:30]}...{name[-30:]}"
            message = f"Gemini CLI calls {quoted(wire)} {quoted(name)}"
            yield block.uid, Note(rule="client_name_cut", path="$", before=wire, after=name, message=message)
        if name in seen:
            message = f"Gemini CLI calls {quoted(wire)} and {quoted(seen[name])} alike: {quoted(name)}"
            yield block.uid, _problem("client_name", message, "let the names differ at their beginning or end")
        seen.setdefault(name, wire)


def _problem(code: str, message: str, hint: str) -> Problem:
    return Problem(code=code, path="$", message=message, hint=hint)


CLIENTS: dict[str, Client] = {
    client.name: client
    for client in (
        Client(name="claude-code", rule=_claude_code),
        Client(name="cursor", rule=_cursor),
        Client(name="gemini-cli", rule=_gemini_cli),
        Client(name="vscode", rule=_vscode),
    )
}


# a client that `mcp_server.client_config` knows, and whose rules for tools nobody has told
UNRULED = ("claude-desktop",)


def said_by(client: Client, tools: Mapping[str, Block], server: str) -> dict[str, list[Any]]:
    """Return what *client* has to say, by uid; under ``""`` what is about all tools together."""
    found: dict[str, list[Any]] = {}
    for uid, one in client.rule(tools, server):
        found.setdefault(uid, []).append(one)
    return found
