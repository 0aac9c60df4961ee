"""Measure one library in this process, on the functions of the corpus: ``python peer.py NAME N`` prints JSON.

Each library is asked the same: register all functions, list them as MCP would,
make right calls, make wrong calls. A library is a row of `PEERS`.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clock import best, once, resident
from corpus import Subject, functions

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Peer:
    """How a library is asked; `call` and `list_bytes` may be async."""

    register: Callable[[list[Subject]], Any]
    list_bytes: Callable[[Any], Any]
    call: Callable[[Any, str, dict[str, Any]], Any]  # raises, or returns text with "error", for a wrong call


def tools_as_bytes(tools: list[dict[str, Any]]) -> bytes:
    return json.dumps({"tools": tools}, separators=(",", ":")).encode()


def blockargs() -> Peer:
    from blockargs import Registry, Toolset, export_tools

    def register(subjects: list[Subject]) -> Any:
        registry = Registry()
        for subject in subjects:
            registry.register(subject.function, examples=[subject.right])
        return registry, Toolset(registry)

    def call(made: Any, name: str, arguments: dict[str, Any]) -> Any:
        run = made[1].run({"name": name, "arguments": arguments})
        return run if run.ok else f"error: {'; '.join(map(str, run.problems))}"

    return Peer(register, lambda made: export_tools(made[0], "mcp").json(), call)


def mcp() -> Peer:
    from mcp.server import MCPServer
    from mcp_types import ListToolsResult

    def register(subjects: list[Subject]) -> Any:
        server = MCPServer("bench")
        for subject in subjects:
            server.add_tool(subject.function)
        return server

    async def list_bytes(server: Any) -> bytes:
        return (
            ListToolsResult(tools=await server.list_tools()).model_dump_json(by_alias=True, exclude_none=True).encode()
        )

    return Peer(register, list_bytes, lambda server, name, arguments: server.call_tool(name, arguments))


def fastmcp() -> Peer:
    from fastmcp import FastMCP
    from mcp_types import ListToolsResult

    def register(subjects: list[Subject]) -> Any:
        server = FastMCP("bench")
        for subject in subjects:
            server.tool(subject.function)
        return server

    async def list_bytes(server: Any) -> bytes:
        tools = [tool.to_mcp_tool(name=tool.name) for tool in await server.list_tools()]
        return ListToolsResult(tools=tools).model_dump_json(by_alias=True, exclude_none=True).encode()

    return Peer(register, list_bytes, lambda server, name, arguments: server.call_tool(name, arguments))


def openai_agents() -> Peer:
    from agents import function_tool
    from agents.tool_context import ToolContext

    def register(subjects: list[Subject]) -> Any:
        return {s.name: function_tool(s.function, strict_mode=False) for s in subjects}

    def list_bytes(made: Any) -> bytes:
        shape = [
            {"name": t.name, "description": t.description, "inputSchema": t.params_json_schema} for t in made.values()
        ]
        return tools_as_bytes(shape)

    async def call(made: Any, name: str, arguments: dict[str, Any]) -> Any:
        text = json.dumps(arguments)
        context = ToolContext(context=None, tool_name=name, tool_call_id="c", tool_arguments=text)
        return await made[name].on_invoke_tool(context, text)

    return Peer(register, list_bytes, call)


def pydantic_ai() -> Peer:
    from pydantic_ai import Tool

    def register(subjects: list[Subject]) -> Any:
        return {s.name: Tool(s.function, takes_ctx=False) for s in subjects}

    def list_bytes(made: Any) -> bytes:
        schemas = {name: tool.function_schema for name, tool in made.items()}
        shape = [{"name": n, "description": s.description, "inputSchema": s.json_schema} for n, s in schemas.items()]
        return tools_as_bytes(shape)

    async def call(made: Any, name: str, arguments: dict[str, Any]) -> Any:
        schema = made[name].function_schema
        return await schema.call(schema.validator.validate_python(arguments), None)

    return Peer(register, list_bytes, call)


PEERS = {
    "blockargs": blockargs,
    "mcp": mcp,
    "fastmcp": fastmcp,
    "openai-agents": openai_agents,
    "pydantic-ai": pydantic_ai,
}


def scalars(n: int, label: str, ratio: float = 0.5, strict: bool = False) -> str:
    """Make a call of scalars.

    Args:
        n: How many.
        label: What it is called.
        ratio: A part of one.
        strict: Whether to be strict.
    """
    return label


def measured(name: str, n: int) -> dict[str, Any]:
    """Return what library *name* needs for *n* functions."""
    peer = PEERS[name]()
    subjects = functions(n)
    right = {"n": 5, "label": "x", "ratio": 0.5, "strict": True}
    flat = Subject(scalars, right, {**right, "ratio": "half"}, "$.ratio")
    loop = asyncio.new_event_loop()

    def settled(given: Any) -> Any:
        return loop.run_until_complete(given) if inspect.isawaitable(given) else given

    small = peer.register([flat])  # what is loaded at first use is loaded now
    before = resident()
    seconds, made = once(lambda: peer.register(subjects))
    out: dict[str, Any] = {"register_s": seconds, "memory_mb": resident() - before}
    first, listed = once(lambda: settled(peer.list_bytes(made)))
    out |= {"list_first_ms": first * 1e3, "bytes_a_tool": len(listed) / n}
    out["list_again_ms"] = best(lambda: settled(peer.list_bytes(made))) * 1e3

    async def calls(asked: Any, name_: str, arguments: dict[str, Any], count: int) -> None:
        for _ in range(count):
            if inspect.isawaitable(given := peer.call(asked, name_, arguments)):
                await given

    def timed(asked: Any, name_: str, arguments: dict[str, Any]) -> float:
        return (
            min(once(lambda: loop.run_until_complete(calls(asked, name_, arguments, 300)))[0] for _ in range(7))
            / 300
            * 1e6
        )

    out["call_us"] = timed(small, "scalars", right)

    def told(asked: Any, subject: Subject) -> str:
        try:
            answer = settled(peer.call(asked, subject.name, subject.wrong))
        except Exception as refused:
            return str(refused)
        return answer if isinstance(answer, str) and "rror" in answer else ""

    out["refuse_us"] = best(lambda: told(small, flat)) * 1e6
    texts = [(told(made, s), s.path) for s in subjects[:300]]
    out["refused"] = sum(bool(text) for text, _ in texts) / len(texts)
    out["names_path"] = sum(
        path[2:] in text or path[2:].replace("[", ".").replace("]", "") in text for text, path in texts
    ) / len(texts)
    return out


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1], int(sys.argv[2]))))
