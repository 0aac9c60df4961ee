"""Tool schemas in the form of each provider, checked before anything is sent."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from .._text import did_you_mean, listing, quoted
from ..errors import InvalidOptionError, Problem, UnknownBlockError, UnknownDialectError
from ..registry import Blocks, blocks_in
from ..spec import Block
from . import (
    anthropic,
    bedrock,
    gemini,
    gemini_json,
    llama_cpp,
    mcp,
    mistral,
    ollama,
    openai,
    openai_responses,
)
from .clients import CLIENTS
from .count import Size
from .dialect import Dialect, Rewrite, Tool
from .export import DETAILS, Detail, ToolExport
from .foreign import blocks_from_tools
from .lint import LintReport, LintRow, client_named, rows_of, rows_of_client

__all__ = [
    "DIALECTS",
    "STRICT",
    "Dialect",
    "LintReport",
    "LintRow",
    "Rewrite",
    "Size",
    "Tool",
    "ToolExport",
    "blocks_from_tools",
    "dialect_named",
    "export_tools",
    "lint_tools",
]

_ALL = tuple(
    dialect
    for provider in (openai, openai_responses, anthropic, gemini, gemini_json, bedrock, mistral, ollama, llama_cpp, mcp)
    for dialect in provider.DIALECTS
)
DIALECTS: dict[str, Dialect] = {d.name: d for d in _ALL if not d.strict}
STRICT: dict[str, Dialect] = {d.name: d for d in _ALL if d.strict}

_KEPT = 8  # exports that are kept with their first block


def dialect_named(name: str | Dialect, *, strict: bool = False) -> Dialect:
    """Return the dialect called *name*.

    Raises:
        UnknownDialectError: There is none, or it has no strict form.
        InvalidOptionError: *strict* is neither True nor False.
    """
    _check_strict(strict)
    if isinstance(name, Dialect):
        return name
    if not isinstance(name, str) or name not in DIALECTS:
        message = f"{quoted(name)} is no dialect; there are {listing(DIALECTS)}"
        hint = did_you_mean(name, DIALECTS)
        raise UnknownDialectError((Problem(code="dialect_unknown", path="$", message=message, hint=hint),))
    if not strict:
        return DIALECTS[name]
    if name not in STRICT:
        message = f"{quoted(name)} has no strict form; {listing(STRICT)} have one"
        raise UnknownDialectError(
            (Problem(code="dialect_not_strict", path="$", message=message, hint="leave strict out"),)
        )
    return STRICT[name]


def export_tools(
    blocks: Blocks,
    dialect: str | Dialect = "openai",
    strict: bool = False,  # noqa: FBT001, FBT002 - fixed shape
    detail: Detail = "full",
    *,
    defer: bool | Iterable[str] = False,
) -> ToolExport:
    """Return *blocks* as the tools of one request, in the form that a provider accepts.

    >>> from blockargs import derive_block
    >>> def head(n: int = 5) -> str: ...
    >>> export_tools(derive_block(head), "anthropic").tools[0]["input_schema"]["properties"]
    {'n': {'type': 'integer', 'default': 5}}

    Args:
        blocks: A registry, a block, a uid, a typed callable, or an iterable of these.
        dialect: ``"openai"``, ``"openai-responses"``, ``"anthropic"``, ``"gemini"``, ``"gemini-json"``,
            ``"bedrock"``, ``"mistral"``, ``"ollama"``, ``"llama-cpp"`` or ``"mcp"``; or a `Dialect`.
        strict: Whether the provider shall hold the model to the schema, where it can.
        detail: ``"lean"`` gives name and one line each: a catalogue for a prompt.
        defer: Whether all tools, or those of these uids, are kept back until the model searches for
            tools; ``"anthropic"`` and ``"openai-responses"`` know it.

    Raises:
        UnknownDialectError: There is no such dialect, or it has no strict form, or cannot defer.
        InvalidOptionError: There is no such detail, *strict* is neither True nor False, or *defer* is
            neither yes, no nor uids.
        UnknownBlockError: *defer* names a block that is not exported.
    """
    chosen = dialect_named(dialect, strict=strict)
    if detail not in DETAILS:
        message = f"{quoted(detail)} is no detail; there are {listing(DETAILS)}"
        hint = did_you_mean(detail, DETAILS)
        raise InvalidOptionError.of(message, hint=hint, path="$.detail")
    listed = blocks_in(blocks)
    if not defer:
        return exported(listed, chosen, detail)
    if not chosen.defers:
        able = listing(d.name for d in DIALECTS.values() if d.defers)
        message = f"{quoted(chosen.name)} cannot keep tools back; {able} can"
        raise UnknownDialectError(
            (Problem(code="dialect_not_deferring", path="$", message=message, hint="leave defer out"),)
        )
    return ToolExport(listed, chosen, detail, _kept_back(defer, frozenset(b.uid for b in listed)))


def _kept_back(defer: Any, uids: frozenset[str]) -> frozenset[str]:
    """Return those of *uids* that *defer* means."""
    if defer is True:
        return uids
    names = list(_one_by_one(defer))
    for uid in names:
        if not isinstance(uid, str):
            message = f"{quoted(uid)} is no uid"
            raise InvalidOptionError.of(message, hint="pass True, a uid, or a list of uids", path="$.defer")
        if uid not in uids:
            message = f"{quoted(uid)} is none of the blocks that are exported"
            problem = Problem(code="block_unknown", path="$.defer", message=message, hint=did_you_mean(uid, uids))
            raise UnknownBlockError((problem,))
    return frozenset(names)


def exported(blocks: list[Block], dialect: Dialect, detail: Detail = "full") -> ToolExport:
    """Return the export of exactly these blocks: the same one again while nothing changed."""
    if not blocks:
        return ToolExport(blocks, dialect, detail)
    # blocks never change, so the same blocks give the same export; it lives as long as its first block
    return blocks[0].remembered("exports", _Kept).export(blocks, dialect, detail)


def lint_tools(
    blocks: Blocks,
    dialects: str | Dialect | Iterable[str | Dialect] = "all",
    clients: str | Iterable[str] = (),
    server: str = "blockargs",
    strict: bool = False,  # noqa: FBT001, FBT002 - fixed shape
) -> LintReport:
    """Return what each provider and client would make of *blocks*, before anything is sent.

    Args:
        blocks: A registry, a block, a uid, a typed callable, or an iterable of these.
        dialects: ``"all"``, one dialect, or several.
        clients: Of ``"claude-code"``, ``"cursor"``, ``"gemini-cli"``, ``"vscode"``; ``"all"`` for each.
        server: The name of the MCP server, which clients join to the tools' names.
        strict: Whether the strict form is meant, of the dialects that have one.

    Raises:
        UnknownDialectError: There is no such dialect.
        InvalidOptionError: There is no such client, or no rule of it is known, *server* is no text, or
            *strict* is neither True nor False.
    """
    listed = blocks_in(blocks)
    names = DIALECTS if dialects == "all" else _one_by_one(dialects)
    _check_strict(strict)
    chosen = [dialect_named(d, strict=strict and isinstance(d, str) and d in STRICT) for d in names]
    named = [client_named(c) for c in (CLIENTS if clients == "all" else _one_by_one(clients))]
    if not isinstance(server, str):
        raise InvalidOptionError.of(f"{quoted(server)} is no name of a server", hint="pass a text", path="$.server")
    rows = [row for d in chosen for row in rows_of(exported(listed, d), listed)]
    if named:
        served = exported(listed, DIALECTS["mcp"])
        rows += [row for c in named for row in rows_of_client(c, served, listed, server)]
    return LintReport(rows)


def _check_strict(strict: object) -> None:
    if not isinstance(strict, bool):
        message = f"strict={quoted(strict)} is neither True nor False"
        raise InvalidOptionError.of(message, hint="pass one of them", path="$.strict")


def _one_by_one(given: Any) -> Iterable[Any]:
    """Return the names in *given*; what is no list is one, whatever it is."""
    return [given] if isinstance(given, str | Dialect) or not isinstance(given, Iterable) else given


class _Kept:
    """The last few exports that begin with one block; threads may ask at the same time."""

    __slots__ = ("_change", "_made")

    def __init__(self, _: Block) -> None:
        self._change = threading.Lock()
        self._made: dict[tuple[Any, ...], tuple[list[Block], ToolExport]] = {}

    def export(self, blocks: list[Block], dialect: Dialect, detail: Detail) -> ToolExport:
        key = (id(dialect), detail, *map(id, blocks))
        found = self._made.get(key)
        if found is None:
            # the blocks are held, so that no other can get their ids
            made = blocks, ToolExport(blocks, dialect, detail)
            with self._change:
                found = self._made.setdefault(key, made)
                while len(self._made) > _KEPT:
                    del self._made[next(iter(self._made))]
        return found[1]
