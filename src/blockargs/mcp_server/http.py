"""MCP over streamable HTTP: an ASGI application without sessions, and a server for it.

Requests stand alone, so that several processes can serve the same blocks behind
a balancer. What a browser could be tricked into sending is refused: only known
hosts and origins are served.
"""

from __future__ import annotations

import hmac
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from mcp.server.transport_security import TransportSecuritySettings

from .._text import quoted
from ..errors import InvalidOptionError
from ..keywords import MAX_TEXT
from .bodies import Bodies
from .options import HttpOptions, ListenOptions, OfferOptions
from .server import server_of

if TYPE_CHECKING:
    import uvicorn

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
GRACE = 5  # seconds that running calls have when the server is told to stop
MIN_TOKEN = 16  # characters; shorter ones are guessed
_TOKEN = re.compile(r"[!-~]*")
_NAME = r"(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])"  # of a host
_SCHEME = r"[a-z][a-z0-9+.-]*://"
# where a request goes to and where it comes from: once each, and of a form that cannot mislead
_PLACES = (
    (b"host", re.compile(rf"{_NAME}(?::\d{{1,5}})?".encode(), re.IGNORECASE), 421),
    (b"origin", re.compile(rf"null|{_SCHEME}{_NAME}(?::\d{{1,5}})?".encode(), re.IGNORECASE), 403),
)
_HOSTS = re.compile(rf"{_NAME}(?::(?:\d{{1,5}}|\*))?", re.IGNORECASE)
_ORIGINS = re.compile(rf"{_SCHEME}{_NAME}(?::(?:\d{{1,5}}|\*))?", re.IGNORECASE)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

access_log = logging.getLogger("blockargs.access")


def http_app(
    blocks: Any = None,
    *,
    name: str = "blockargs",
    version: str | None = None,
    host: str = "127.0.0.1",
    hosts: Iterable[str] = (),
    origins: Iterable[str] = (),
    token: str | None = None,
    max_body: int = MAX_TEXT,
    path: str = PATH,
    **options: Unpack[OfferOptions],
) -> App:
    """Return an ASGI application that serves *blocks* over streamable HTTP.

    Args:
        blocks: A `Registry`, a `Toolset`, a block, or several; the default registry when left out.
            A server that `build_server` made is served as it is.
        name: What the server calls itself.
        version: Its version.
        host: The address it will listen on; it and the loopback names are the hosts served.
        hosts: Further ``Host`` headers served, as ``"tools.example.org"`` or ``"tools.example.org:*"``.
        origins: ``Origin`` headers served besides those of the loopback, as ``"https://tools.example.org"``.
        token: The bearer token that each request must show.
        max_body: Bytes of one request; a larger one is answered with 413.
        path: Where it is served.
        **options: See `build_server`.

    Raises:
        InvalidOptionError: The token is too short, or cannot be sent, a host or an origin is none, or an
            option of `build_server` cannot be as given.
    """
    if token is not None:
        if len(token) < MIN_TOKEN:
            message = f"a token of {len(token)} characters is guessed"
            raise _refused("token", message, f"take at least {MIN_TOKEN}, at random")
        _check_characters(token)
    server = server_of(blocks, name=name, version=version, announce=False, **options)
    app: App = server.streamable_http_app(
        streamable_http_path=path,
        stateless_http=True,
        max_request_body_size=max_body,
        transport_security=_security(host, hosts, origins),
        host=host,
    )
    return Guard(Bodies(app, max_body), token)


def serve_http(blocks: Any = None, host: str = "127.0.0.1", port: int = 8000, **options: Unpack[ListenOptions]) -> None:
    """Serve *blocks* over HTTP until told to stop; running calls may end first.

    Args:
        blocks: See `http_app`.
        host: The address to listen on; beyond the loopback a token is asked for.
        port: The port; 0 takes a free one. The address is told on standard error.
        **options: See `http_server`.

    Raises:
        InvalidOptionError: *host* is reachable from elsewhere and there is no token.
    """
    with suppress(KeyboardInterrupt):
        http_server(blocks, host, port, **options).run()


def http_server(
    blocks: Any = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    token: str | None = None,
    access: bool = True,
    **options: Unpack[HttpOptions],
) -> uvicorn.Server:
    """Return the server that `serve_http` runs: a host may run it itself, and stop it.

    While it runs, the automatic drain of sse-starlette is off for the whole process, because it would
    cut the answers of running calls; when the last such server has ended, it is as it was.

    Args:
        blocks: See `http_app`.
        host: See `serve_http`.
        port: See `serve_http`.
        token: The bearer token that each request must show.
        access: Whether each request is logged, to standard error unless the logger ``blockargs.access``
            has a handler: method, path, status and time, never arguments.
        **options: See `http_app`.

    Raises:
        InvalidOptionError: *host* is reachable from elsewhere and there is no token.
    """
    if token is None and not _is_loopback(host):
        raise _refused(
            "host", f"{quoted(host)} is reachable from elsewhere", "give a token too, or listen on 127.0.0.1"
        )
    import uvicorn  # noqa: PLC0415 - served over another server, the application does without it

    from .listening import ListeningServer  # noqa: PLC0415 - as above

    config = uvicorn.Config(
        http_app(blocks, host=host, token=token, **options),
        host=host,
        port=port,
        access_log=False,
        log_level="warning",
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE,
    )
    return ListeningServer(config, path=options.get("path", PATH), access=access)


def read_token(path: str | Path) -> str:
    """Return the bearer token in the file *path*, without the blanks around it.

    Raises:
        InvalidOptionError: The file cannot be read, or holds no token.
    """
    try:
        token = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as reason:
        raise _refused(
            "token", f"the token file cannot be read: {type(reason).__name__}", "name a readable file"
        ) from None
    if len(token) < MIN_TOKEN or any(c.isspace() for c in token):
        blank = " and blanks" if any(c.isspace() for c in token) else ""
        message = f"the token file holds {len(token)} characters{blank}, which is no token"
        raise _refused("token", message, f"write one line of at least {MIN_TOKEN} characters without blanks")
    _check_characters(token)
    return token


def _check_characters(token: str) -> None:
    """Let *token* pass where every client can send it in a header.

    Raises:
        InvalidOptionError: Not every one can.
    """
    if _TOKEN.fullmatch(token) is None:
        message = "the token holds blanks, or characters beyond ASCII, which not every client can send"
        raise _refused("token", message, "take letters, digits and any of -._~+/ (RFC 6750, section 2.1)")


class Guard:
    """The outermost layer: the token, and the access log."""

    def __init__(self, app: App, token: str | None) -> None:
        """Let requests with *token* through to *app*; all of them when it is ``None``."""
        self._app = app
        self._expected = None if token is None else f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            if not self._lets_in(scope):
                await _refuse(
                    sending, 401, "a bearer token is needed", (b"www-authenticate", b'Bearer realm="blockargs"')
                )
            elif scope["method"] in ("GET", "DELETE"):  # of a session, and there is none
                await _refuse(sending, 405, "POST a message", (b"allow", b"POST"))
            elif (unclear := _unclear_place(scope)) is not None:
                await _refuse(sending, unclear, "one plain Host, and at most one plain Origin")
            else:
                await self._app(_lowered(scope), receive, sending)
        finally:
            took = (time.perf_counter() - began) * 1e3
            # the path without its query, and no body: arguments are nobody's business
            access_log.info("%s %s %d %.1f ms", scope["method"], scope["path"][:128], status, took)

    def _lets_in(self, scope: Scope) -> bool:
        if self._expected is None:
            return True
        given = [value for key, value in scope["headers"] if key == b"authorization"]
        shown = given[0] if len(given) == 1 else b""
        scheme, _, rest = shown.partition(b" ")
        return hmac.compare_digest(scheme.title() + b" " + rest.strip(), self._expected)


def _unclear_place(scope: Scope) -> int | None:
    """Return the status for a request whose ``Host`` or ``Origin`` is several, or no such thing; the SDK knows the rest."""
    for name, form, status in _PLACES:
        given = [value for key, value in scope["headers"] if key == name]
        if len(given) > 1 or not all(map(form.fullmatch, given)):
            return status
    return None


def _lowered(scope: Scope) -> Scope:
    """Return *scope* with its ``Host`` in small letters: in names of hosts their size means nothing."""
    headers = [(key, value.lower() if key == b"host" else value) for key, value in scope["headers"]]
    return {**scope, "headers": headers}


async def _refuse(send: Send, status: int, words: str, *more: tuple[bytes, bytes]) -> None:
    headers = [*more, (b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{words}\n".encode()})


def _security(host: str, hosts: Iterable[str], origins: Iterable[str]) -> TransportSecuritySettings:
    own = f"[{host}]" if ":" in host and not host.startswith("[") else host
    names = list(dict.fromkeys((*LOOPBACK, own)))
    served = [form for name in names for form in (name, f"{name}:*")]
    schemes = ("http", "https")
    pages = [form for s in schemes for name in LOOPBACK for form in (f"{s}://{name}", f"{s}://{name}:*")]
    further = _named("hosts", hosts, _HOSTS, "tools.example.org:*")
    others = _named("origins", origins, _ORIGINS, "https://tools.example.org")
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=[*served, *further], allowed_origins=[*pages, *others]
    )


def _named(option: str, given: Iterable[str], form: re.Pattern[str], example: str) -> list[str]:
    """Return what is *given* in small letters, each of the *form* that such a header has.

    Raises:
        InvalidOptionError: One is not, so that it would never be met, or a text stands where a list belongs.
    """
    listed = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
    wrong = [one for one in listed if not isinstance(one, str) or form.fullmatch(one) is None]
    if wrong or isinstance(given, str):
        shown = quoted(wrong[0] if wrong else given)
        raise _refused(option, f"{shown} is no such header, or no list of them", f"write [{quoted(example)}]")
    return [one.lower() for one in listed]


def _is_loopback(host: str) -> bool:
    return host == "localhost" or host.strip("[]") == "::1" or host.startswith("127.")


def _refused(option: str, message: str, hint: str) -> InvalidOptionError:
    return InvalidOptionError.of(message, hint=hint, path=f"$.{option}")
