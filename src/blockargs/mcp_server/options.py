"""What may be said of a server, by the function that hands it on: names that checkers and editors know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypedDict

from ..dispatch import ToolRun
from ..dispatch.effects import EffectHook
from ..dispatch.run import Call


class ToolsetOptions(TypedDict, total=False):
    """Options of the `Toolset` that is made of blocks; a `Toolset` that is given has its own already."""

    validators: Mapping[str, Any] | None
    tag: str
    naming: str
    retries: int
    strict: bool
    timeout: float | None
    before: Callable[[Call], Any] | Iterable[Callable[[Call], Any]]
    after: Callable[[ToolRun], Any] | Iterable[Callable[[ToolRun], Any]]
    tells: type[BaseException] | Iterable[type[BaseException]]
    effects: Mapping[type, EffectHook] | None


class OfferOptions(ToolsetOptions, total=False):
    """What every transport lets say of the server: see `build_server`."""

    title: str | None
    instructions: str | None
    tools: str | None
    page_size: int
    icons: str | None


class StdioOptions(OfferOptions, total=False):
    """What `serve_stdio` hands on to `build_server`."""

    announce: bool


class ServerOptions(StdioOptions, total=False):
    """All that `build_server` takes."""

    name: str
    version: str | None


class HttpOptions(OfferOptions, total=False):
    """What `http_server` hands on to `http_app`."""

    name: str
    version: str | None
    hosts: Iterable[str]
    origins: Iterable[str]
    max_body: int
    path: str


class ListenOptions(HttpOptions, total=False):
    """What `serve_http` hands on to `http_server`."""

    token: str | None
    access: bool
