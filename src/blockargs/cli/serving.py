"""The command that serves blocks to assistants: serve."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from .._text import did_you_mean, listing, quoted
from ..registry import Registry
from .folders import folders_of
from .nearest import Choice, ExistingFile
from .source import registry_at, source_argument, yaml_option
from .streams import aside

# options that mean nothing over stdio
OVER_HTTP = ("--host", "--port", "--token-file", "--allow-host", "--allow-origin")


@click.command("serve")
@source_argument
@click.option("--transport", type=Choice(["stdio", "http"]), default="stdio", show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Beyond the loopback a token is asked for.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option(
    "--tools", type=Choice(["all", "lean"]), help="lean: find, describe and call; by default for many blocks."
)
@click.option("--strict", is_flag=True, help="Refuse every repair.")
@click.option("--token-file", type=ExistingFile(), help="The bearer token that HTTP clients must send.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="A Host to serve too, like tools.example.org:*.")
@click.option("--allow-origin", multiple=True, metavar="ORIGIN", help="An Origin to serve too.")
@click.option("--name", default="blockargs", show_default=True, help="What the server calls itself.")
@click.option("--page-size", type=click.IntRange(1), help="Tools in one page of the list; by default 1000.")
@click.option("--print-config", metavar="CLIENT", help="Print what CLIENT's settings need, and serve nothing.")
@yaml_option
def serve_command(
    *,
    source: str | None,
    transport: str,
    host: str,
    port: int,
    tools: str | None,
    strict: bool,
    token_file: str | None,
    allow_host: tuple[str, ...],
    allow_origin: tuple[str, ...],
    name: str,
    page_size: int | None,
    print_config: str | None,
    yaml: str,
) -> None:
    """Serve the blocks at SOURCE over the Model Context Protocol.

    CLIENT is one of claude-code, claude-desktop, cursor, gemini-cli and vscode.
    """
    if transport == "stdio" and (idle := [option for option in OVER_HTTP if option in _given()]):
        raise click.UsageError(f"{listing(idle)}: only a server over HTTP has it; add --transport http")
    if print_config is not None:
        _refuse_unknown_client(print_config)
    with aside():
        registry = registry_at(source, yaml)
    if print_config is not None:
        click.echo(_config(print_config, source, registry, name, _url(host, port) if transport == "http" else None))
        return
    options: dict[str, Any] = {"name": name, "version": version("blockargs"), "strict": strict}
    options |= {k: v for k, v in {"tools": tools, "page_size": page_size}.items() if v is not None}
    from ..mcp_server import read_token, serve_http, serve_stdio  # noqa: PLC0415 - needs the extra

    with contextlib.suppress(KeyboardInterrupt):
        if transport == "stdio":
            if None in (sys.stdin, sys.stdout):
                raise click.UsageError("a client speaks over standard input and output, and one of them is closed")
            serve_stdio(registry, **options)
            return
        token = read_token(token_file) if token_file else None
        _refuse_taken(host, port)
        with aside():
            serve_http(registry, host, port, token=token, hosts=allow_host, origins=allow_origin, **options)


def _refuse_unknown_client(client: str) -> None:
    from ..mcp_server import CLIENTS  # noqa: PLC0415 - beside its only use

    if client not in CLIENTS:
        hint = did_you_mean(client, CLIENTS) or f"there are {listing(sorted(CLIENTS))}"
        raise click.BadParameter(f"{quoted(client)} is no client; {hint}", param_hint="--print-config")


def _refuse_taken(host: str, port: int) -> None:
    """Tell that nobody can listen there, before anything is served."""
    try:
        family, kind, number, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, number) as tried:
            # a port that was left a moment ago is free; elsewhere the option would allow two servers on one port
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, os.name == "posix")
            tried.bind(place)
            tried.listen()
    except OSError as reason:
        cure = "check --host" if isinstance(reason, socket.gaierror) else "choose another --port; 0 takes a free one"
        message = f"nothing can listen on port {port} of {quoted(host)}: {reason.strerror}; {cure}"
        raise click.UsageError(message) from None


def _config(client: str, source: str | None, registry: Registry, name: str, url: str | None) -> str:
    """Return the settings with whole paths: a client starts the server from a folder of its own."""
    from ..mcp_server import client_config  # noqa: PLC0415 - beside its only use

    given = _given()
    words = [shutil.which("blockargs") or "blockargs", "serve"]
    if source is not None:
        words.append(str(Path(source).resolve()) if Path(source).exists() else source)
    for option, value in given.items():
        words += [option] if value is True else [option, str(value)]
    folders = folders_of(source, registry.values())
    env = {"PYTHONPATH": os.pathsep.join(folders)} if folders else {}
    token = "${BLOCKARGS_TOKEN}" if "--token-file" in given else None  # its place: a secret is never printed
    return client_config(client, words, name=name, env=env, url=url, token=token)


def _given() -> dict[str, Any]:
    """Return the options that were written on the command line, but for the one that asks for the settings."""
    ctx = click.get_current_context()
    found: dict[str, Any] = {}
    for option in ctx.command.params:
        said = ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if said and isinstance(option, click.Option) and option.name != "print_config":
            value = ctx.params[option.name or ""]
            found[option.opts[0]] = Path(value).resolve() if isinstance(option.type, click.Path) else value
    return found


def _url(host: str, port: int) -> str:
    """Return where clients reach the server over HTTP."""
    if port == 0:
        raise click.BadParameter("which port is free is known only when it serves; name one", param_hint="--port")
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/mcp"
