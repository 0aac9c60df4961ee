"""What a user pastes into the settings of his MCP client."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .._text import did_you_mean, listing, quoted
from ..errors import InvalidOptionError

Env = dict[str, str]


def client_config(
    client: str,
    command: str | Sequence[str] = ("blockargs", "serve"),
    *,
    name: str = "blockargs",
    env: Mapping[str, str] | None = None,
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
        env: What the command finds in its environment, over stdio: ``{"PYTHONPATH": "/project"}``.
        url: Where it serves HTTP instead: ``"http://127.0.0.1:8000/mcp"``.
        token: The bearer token for *url*, or how the client finds it: ``"${BLOCKARGS_TOKEN}"``.

    Raises:
        InvalidOptionError: The client is unknown.
    """
    row = CLIENTS.get(client)
    if row is None:
        message = f"{quoted(client)} is none of the clients {listing(CLIENTS)}"
        raise InvalidOptionError.of(message, hint=did_you_mean(client, CLIENTS), path="$.client")
    words = shlex.split(command) if isinstance(command, str) else list(command)
    return row(name, words, dict(env or {}), url, token)


def _claude_code(name: str, words: list[str], env: Env, url: str | None, token: str | None) -> str:
    if url is None:
        # an --env takes all words up to the next option, so the name must not follow it
        known = [word for key, value in env.items() for word in ("--env", f"{key}={value}")]
        return shlex.join(["claude", "mcp", "add", *known, "--transport", "stdio", name, "--", *words])
    header = ["--header", f"Authorization: Bearer {token}"] if token else []
    return shlex.join(["claude", "mcp", "add", "--transport", "http", name, url, *header])


def _claude_desktop(name: str, words: list[str], env: Env, url: str | None, token: str | None) -> str:
    if url is not None:  # it starts servers itself; mcp-remote is the bridge to HTTP
        words = ["npx", "-y", "mcp-remote", url]
        words += ["--header", f"Authorization: Bearer {token}"] if token else []
        env = {}
    return _json({"mcpServers": {name: _started(words, env)}})


def _cursor(name: str, words: list[str], env: Env, url: str | None, token: str | None) -> str:
    return _json({"mcpServers": {name: _started(words, env) if url is None else _reached(url, token)}})


def _gemini_cli(name: str, words: list[str], env: Env, url: str | None, token: str | None) -> str:
    if url is None:
        return _json({"mcpServers": {name: _started(words, env)}})
    entry = _reached(url, token)
    return _json({"mcpServers": {name: {"httpUrl": entry.pop("url"), **entry}}})  # there "url" means the older SSE


def _vscode(name: str, words: list[str], env: Env, url: str | None, token: str | None) -> str:
    entry = {"type": "stdio", **_started(words, env)} if url is None else {"type": "http", **_reached(url, token)}
    return _json({"servers": {name: entry}})


def _started(words: list[str], env: Env) -> dict[str, Any]:
    entry = {"command": words[0], "args": words[1:]}
    return {**entry, "env": env} if env else entry


def _reached(url: str, token: str | None) -> dict[str, Any]:
    return {"url": url, "headers": {"Authorization": f"Bearer {token}"}} if token else {"url": url}


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


# a row: how one client is told
CLIENTS: Mapping[str, Callable[[str, list[str], Env, str | None, str | None], str]] = {
    "claude-code": _claude_code,
    "claude-desktop": _claude_desktop,
    "cursor": _cursor,
    "gemini-cli": _gemini_cli,
    "vscode": _vscode,
}
