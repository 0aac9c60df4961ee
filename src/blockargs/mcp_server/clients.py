"""What a user pastes into the settings of his MCP client."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._text import did_you_mean, listing
from ..errors import BlockArgsError, Problem


def client_config(
    client: str,
    command: str | Sequence[str] = ("blockargs", "serve"),
    *,
    name: str = "blockargs",
    url: str | None = None,
    token: str | None = None,
) -> str:
    """Return the snippet that plugs the server into *client*.

    >>> print(client_config("claude-code", "blockargs serve registry"))
    claude mcp add --transport stdio blockargs -- blockargs serve registry

    Args:
        client: A name of `CLIENTS`.
        command: The command that starts the server over stdio: one text, or its words.
        name: What the client calls the server.
        url: Where it serves HTTP instead: ``"http://127.0.0.1:8000/mcp"``.
        token: The bearer token for *url*, or how the client finds it: ``"${BLOCKARGS_TOKEN}"``.

    Raises:
        BlockArgsError: The client is unknown.
    """
    row = CLIENTS.get(client)
    if row is None:
        problem = Problem(
            code="client_unknown",
            path="$",
            message=f"'{client}' is none of the clients {listing(CLIENTS)}",
            hint=did_you_mean(client, CLIENTS),
        )
        raise BlockArgsError((problem,))
    words = shlex.split(command) if isinstance(command, str) else list(command)
    return row(name, words, url, token)


def _claude_code(name: str, words: list[str], url: str | None, token: str | None) -> str:
    if url is None:
        return shlex.join(["claude", "mcp", "add", "--transport", "stdio", name, "--", *words])
    header = ["--header", f"Authorization: Bearer {token}"] if token else []
    return shlex.join(["claude", "mcp", "add", "--transport", "http", name, url, *header])


def _claude_desktop(name: str, words: list[str], url: str | None, token: str | None) -> str:
    if url is not None:  # it starts servers itself; mcp-remote is the bridge to HTTP
        words = ["npx", "-y", "mcp-remote", url]
        words += ["--header", f"Authorization: Bearer {token}"] if token else []
    return _json({"mcpServers": {name: _started(words)}})


def _cursor(name: str, words: list[str], url: str | None, token: str | None) -> str:
    return _json({"mcpServers": {name: _started(words) if url is None else _reached(url, token)}})


def _vscode(name: str, words: list[str], url: str | None, token: str | None) -> str:
    entry = {"type": "stdio", **_started(words)} if url is None else {"type": "http", **_reached(url, token)}
    return _json({"servers": {name: entry}})


def _started(words: list[str]) -> dict[str, Any]:
    return {"command": words[0], "args": words[1:]}


def _reached(url: str, token: str | None) -> dict[str, Any]:
    return {"url": url, "headers": {"Authorization": f"Bearer {token}"}} if token else {"url": url}


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


# a row: how one client is told
CLIENTS: Mapping[str, Callable[[str, list[str], str | None, str | None], str]] = {
    "claude-code": _claude_code,
    "claude-desktop": _claude_desktop,
    "cursor": _cursor,
    "vscode": _vscode,
}
