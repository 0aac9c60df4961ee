"""The server: the SDK's low-level `Server` over a `Toolset`, with our schemas and our decoding."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from typing import Any, Unpack, cast

from mcp.server import CacheHint, NotificationOptions, Server
from mcp.server.caching import CacheableMethod
from mcp.server.context import CallNext, HandlerResult
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

from mcp import MCPError, types

from .._text import did_you_mean, listing, plural
from ..dispatch import ToolRun, Toolset
from ..errors import InvalidOptionError
from ..inject import LEVELS
from .helpers import RequestContext, helpers_for
from .incoming import given_of, inner_of, written_of
from .lean import BlockCall
from .offer import Catalogue, Offer
from .options import ServerOptions, ToolsetOptions
from .paging import BadCursorError, page_after
from .resources import LISTED, PROMPT, PROMPTS, TEMPLATES, contents_of, prompt_text
from .wire import MODERN, WireTool, forms_of, sendable, wire_result

PAGE_SIZE = 1000  # tools on a page
MOST_AT_ONCE = 256  # calls that run at the same time; each may take a thread
LOOK_EVERY = 0.25  # seconds between two looks at whether a registry has changed
NOT_FOUND = -32002  # a resource, up to 2025-11-25; later revisions say INVALID_PARAMS
CACHED: tuple[CacheableMethod, ...] = (
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "tools/list",
)
# what a transport's function says unasked: a server that is made has its own
TRANSPORT = frozenset({"announce", "name", "version"})

Handler = Callable[[RequestContext, Any], Awaitable[Any]]
_log = logging.getLogger("blockargs.mcp_server")


@dataclass(slots=True)
class Connected:
    """What one connection has told; over HTTP, where requests stand alone, nothing.

    Attributes:
        level: The level below which no log lines are wanted.
        session: Where to announce a changed list, once the client is ready.
        turns: How many more calls may run now; the others wait, so that a flood makes no flood of threads.
    """

    level: str = LEVELS[0]
    session: ServerSession | None = None
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE))


@dataclass(slots=True)
class Door:
    """The handlers of one server."""

    catalogue: Catalogue
    page_size: int
    hint: CacheHint
    identity: dict[str, Any] = field(default_factory=dict)
    bus: InMemorySubscriptionBus = field(default_factory=InMemorySubscriptionBus)

    async def list_tools(self, ctx: RequestContext, params: types.PaginatedRequestParams | None) -> dict[str, Any]:
        """Answer with a page of the tools, as the client's revision writes them."""
        offer = self.catalogue.now()
        try:
            names, following = page_after(offer.names, params.cursor if params else None, self.page_size)
        except BadCursorError as reason:
            raise MCPError(types.INVALID_PARAMS, f"Invalid cursor: {reason}") from None
        tools = forms_of((offer.tools[name] for name in names), ctx.protocol_version)
        return {"tools": tools, **({"nextCursor": following} if following else {})}

    async def first_page(self, ctx: RequestContext, call_next: CallNext) -> HandlerResult:
        """Answer a plain request for the first page here: the SDK looks at all its tools anew each time."""
        known = ctx.session.client_params is not None or ctx.request is not None  # greeted, or greets nobody
        if ctx.method != "tools/list" or not known or "cursor" in (ctx.params or {}):
            return await call_next(ctx)
        offer = self.catalogue.now()
        page = offer.first_pages.get(ctx.protocol_version)
        if page is None:
            page = await self.list_tools(ctx, None)
            if ctx.protocol_version >= MODERN:
                page |= {"resultType": "complete", "ttlMs": self.hint.ttl_ms, "cacheScope": self.hint.scope}
                page["_meta"] = {types.SERVER_INFO_META_KEY: self.identity}
            offer.first_pages[ctx.protocol_version] = page
        return page

    async def call_tool(self, ctx: RequestContext, params: types.CallToolRequestParams) -> dict[str, Any]:
        """Call a block; what was wrong with the call is a result that the model can read."""
        offer = self.catalogue.now()
        tool = offer.tools.get(params.name)
        if tool is None:
            near = did_you_mean(params.name, offer.tools)
            message = f"Unknown tool: {params.name[:128]}" + (f"; {near}" if near else "")
            raise MCPError(types.INVALID_PARAMS, message)
        written = written_of(cast("Mapping[str, Any] | None", ctx.meta))
        run = await self._run(ctx, offer.own, tool, params.arguments or {}, written)
        if run.ok and isinstance(wanted := run.outcome, BlockCall):
            tool = offer.tool_of(wanted.name)
            written = inner_of(written, "arguments")
            first, run = run, await self._run(ctx, offer.toolset, tool, wanted.arguments, written)
            run = replace(run, notes=(*first.notes, *run.notes))
        return wire_result(run, tool, ctx.protocol_version)

    async def _run(
        self, ctx: RequestContext, toolset: Toolset, tool: WireTool, arguments: dict[str, Any], written: Any
    ) -> ToolRun:
        given = given_of(arguments, written, tool.block)
        connected: Connected = ctx.lifespan_context
        async with connected.turns, helpers_for(ctx, least=connected.level) as helpers:
            return await toolset.run_async({"name": tool.entry["name"], "arguments": given}, helpers=helpers)

    async def list_resources(self, _ctx: RequestContext, _params: Any) -> dict[str, Any]:
        """Answer with what can be read."""
        return {"resources": list(LISTED)}

    async def list_templates(self, _ctx: RequestContext, _params: Any) -> dict[str, Any]:
        """Answer with the addresses that hold a uid."""
        return {"resourceTemplates": list(TEMPLATES)}

    async def read_resource(self, ctx: RequestContext, params: types.ReadResourceRequestParams) -> dict[str, Any]:
        """Answer with the table, or with one block."""
        uri = str(params.uri)
        found = await asyncio.to_thread(contents_of, uri, self.catalogue.now().by_uid)
        if found is None:
            code = types.INVALID_PARAMS if ctx.protocol_version >= MODERN else NOT_FOUND
            raise MCPError(code, f"Resource not found: {uri[:256]}", {"uri": uri[:256]})
        return {"contents": found}

    async def list_prompts(self, _ctx: RequestContext, _params: Any) -> dict[str, Any]:
        """Answer with the one prompt."""
        return {"prompts": list(PROMPTS)}

    async def get_prompt(self, _ctx: RequestContext, params: types.GetPromptRequestParams) -> dict[str, Any]:
        """Answer with how to use a block."""
        if params.name != PROMPT:
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name[:128]}")
        text = prompt_text((params.arguments or {}).get("task"), lean=self.catalogue.now().lean)
        return {
            "description": PROMPTS[0]["description"],
            "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
        }

    async def set_level(self, ctx: RequestContext, params: types.SetLevelRequestParams) -> dict[str, Any]:
        """Remember below which level the connection wants no log lines."""
        if ctx.request is None:  # over HTTP there is no connection that could remember it
            ctx.lifespan_context.level = params.level
        return {}

    async def ready(self, ctx: RequestContext, _params: Any) -> None:
        """Remember where a changed list is announced."""
        ctx.lifespan_context.session = ctx.session

    @asynccontextmanager
    async def lifespan(self, _server: Server[Connected]) -> AsyncIterator[Connected]:
        """Yield the state of one connection; meanwhile look whether the list changes."""
        connected = Connected()
        watch = asyncio.get_running_loop().create_task(self._watch(connected))
        try:
            yield connected
        finally:
            watch.cancel()

    async def _watch(self, connected: Connected) -> None:
        seen = self.catalogue.version
        owed = False  # a client that is not ready yet hears of a change once it is
        while True:
            await asyncio.sleep(LOOK_EVERY)
            if (now := self.catalogue.version) != seen:
                seen, owed = now, True
                await _announced(self.bus.publish(ToolsListChanged()))
            if owed and connected.session is not None:
                owed = False
                await _announced(connected.session.send_tool_list_changed())


async def _announced(message: Awaitable[None]) -> None:
    """Send *message*; what fails is told to the host, and the next change is announced all the same."""
    try:
        await message
    except Exception:  # noqa: BLE001 - logged for the host
        _log.exception("a changed list could not be announced")


class BlockServer(Server[Connected]):
    """The SDK's server, which says of itself that its list may change."""

    announces = False

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Return what the server tells when a connection opens."""
        options = notification_options or NotificationOptions(tools_changed=self.announces)
        return super().create_initialization_options(options, experimental_capabilities, extensions)


def server_of(blocks: Any, **options: Unpack[ServerOptions]) -> Server[Any]:
    """Return *blocks* when it is a server already, else the server that `build_server` makes of it.

    Raises:
        InvalidOptionError: It is a server already, and there are options that would be lost.
    """
    if not isinstance(blocks, Server):
        return build_server(blocks, **options)
    if lost := sorted(options.keys() - TRANSPORT):
        message = f"{listing(lost)} cannot be changed of a server that is made"
        raise InvalidOptionError.of(message, hint="say it to build_server", path=f"$.{lost[0]}")
    return blocks


def build_server(
    toolset: Any,
    *,
    name: str = "blockargs",
    version: str | None = None,
    title: str | None = None,
    instructions: str | None = None,
    tools: str | None = None,
    page_size: int = PAGE_SIZE,
    icons: str | None = None,
    announce: bool = True,
    **options: Unpack[ToolsetOptions],
) -> Server[Any]:
    """Return an MCP server of the official SDK that serves the blocks of *toolset*.

    Args:
        toolset: A `Toolset`; or blocks in any form, of which one is made. A `Registry` is
            followed: what is registered later is served too, and announced.
        name: What the server calls itself.
        version: Its version; by default that of this package.
        title: Its name for display.
        instructions: What a client tells the model of the server; by default how to use blocks.
        tools: ``"all"`` offers a tool a block, ``"lean"`` four tools that list, find, describe
            and call blocks; by default lean above `LEAN_ABOVE` blocks.
        page_size: Tools on a page of the listing; 0 puts all on one.
        icons: Where the icons of blocks are, an https address that holds ``{icon}``.
        announce: Whether changes of a registry are announced to connected clients.
        **options: Options of the `Toolset` that is made of blocks: ``strict``, ``timeout`` …

    Raises:
        InvalidOptionError: An option cannot be as given.
        InvalidToolsetError: The blocks cannot be offered together, or not with these options.
    """
    catalogue = Catalogue(toolset, tools=tools, icons=icons, **options)
    door = Door(catalogue, page_size, CacheHint(ttl_ms=0 if catalogue.live else 60_000))
    announces = announce and catalogue.live
    offer = catalogue.now()
    server = BlockServer(
        name,
        version=own_version() if version is None else version,
        title=title,
        instructions=_instructions(offer) if instructions is None else instructions,
        lifespan=door.lifespan if announces else _connected,
        cache_hints=dict.fromkeys(CACHED, door.hint),
        get_tool_input_schema=catalogue.input_schema,
        on_list_tools=_guarded(door.list_tools),
        on_call_tool=_guarded(door.call_tool),
        on_list_resources=_guarded(door.list_resources),
        on_list_resource_templates=_guarded(door.list_templates),
        on_read_resource=_guarded(door.read_resource),
        on_list_prompts=_guarded(door.list_prompts),
        on_get_prompt=_guarded(door.get_prompt),
        on_subscriptions_listen=ListenHandler(door.bus) if announces else None,
    )
    server.announces = announces
    server.middleware.append(door.first_page)
    door.identity = server.server_info_stamp
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, _guarded(door.set_level))
    if announces:
        server.add_notification_handler("notifications/initialized", types.NotificationParams, door.ready)
    return server


def own_version(distribution: str = "blockargs") -> str:
    """Return the version of this package."""
    try:
        return installed_version(distribution)
    except PackageNotFoundError:  # run from a checkout that is not installed
        return "0"


@asynccontextmanager
async def _connected(_server: Server[Connected]) -> AsyncIterator[Connected]:
    yield Connected()


def _guarded(handler: Handler) -> Any:
    """Return *handler*, of whose own faults the wire learns nothing."""

    async def call(ctx: RequestContext, params: Any) -> Any:
        try:
            result = sendable(await handler(ctx, params))
            return {"resultType": "complete", **result} if ctx.protocol_version >= MODERN else result
        except MCPError:
            raise
        except Exception:  # noqa: BLE001 - logged for the host, opaque on the wire
            _log.exception("request %s (%s) failed", ctx.request_id, ctx.method)
            raise MCPError(types.INTERNAL_ERROR, "Internal server error") from None

    return call


def _instructions(offer: Offer) -> str:
    count = plural(len(offer.toolset.blocks), "block")
    if offer.lean:
        return (
            f"This server has {count}, each of which does one thing with named arguments. Find one with find_blocks, "
            "read about it with describe_block, call it with call_block."
        )
    return (
        f"This server has {count}, a tool each: it builds something from named arguments, or does something with them. "
        "A refused call did nothing; its answer names each wrong argument and the cure."
    )
