"""The door to the Model Context Protocol: blocks served as tools, over stdio and HTTP.

It needs the extra ``blockargs[mcp]``; only `client_config` does without.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..errors import MissingDependencyError, Problem

if TYPE_CHECKING:
    from .clients import CLIENTS, client_config
    from .http import http_app, http_server, read_token, serve_http
    from .lean import LEAN_ABOVE
    from .server import build_server
    from .stdio import run_stdio, serve_stdio
    from .wire import wire_tool

_HOMES = {
    "CLIENTS": "clients",
    "LEAN_ABOVE": "lean",
    "build_server": "server",
    "client_config": "clients",
    "http_app": "http",
    "http_server": "http",
    "read_token": "http",
    "run_stdio": "stdio",
    "serve_http": "http",
    "serve_stdio": "stdio",
    "wire_tool": "wire",
}
__all__ = [
    "CLIENTS",
    "LEAN_ABOVE",
    "build_server",
    "client_config",
    "http_app",
    "http_server",
    "read_token",
    "run_stdio",
    "serve_http",
    "serve_stdio",
    "wire_tool",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for: the SDK takes most of a second."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f".{_HOMES[name]}", __name__), name)
    except ModuleNotFoundError as reason:
        problem = Problem(
            code=MissingDependencyError.code,
            path="$",
            message=f"the MCP server needs the package '{(reason.name or 'mcp').partition('.')[0]}'",
            hint="pip install 'blockargs[mcp]'",
        )
        raise MissingDependencyError((problem,)) from reason


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
