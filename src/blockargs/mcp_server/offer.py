"""What is offered: the tools of a toolset, or four that lead to all its blocks; remade when a registry changes."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Unpack

from .._text import did_you_mean, quoted
from ..dialects import export_tools
from ..dispatch import Toolset
from ..errors import BlockArgsError, InvalidOptionError
from ..registry import Registry, default_registry
from ..spec import Block
from .lean import LEAN_ABOVE, known_block, lean_blocks
from .options import ToolsetOptions
from .wire import WireTool

KINDS = ("all", "lean")
_log = logging.getLogger("blockargs.mcp_server")


@dataclass(frozen=True, slots=True)
class Offer:
    """What is offered at one moment.

    Attributes:
        toolset: The blocks.
        own: The toolset of the tools that are listed: the same, or the four lean ones.
        tools: The listed tools by wire name, in the order of their names.
        names: Their names, sorted.
        by_uid: The blocks by uid.
        first_pages: The first page of the listing as it was sent, by revision.
    """

    toolset: Toolset
    own: Toolset
    tools: Mapping[str, WireTool]
    names: tuple[str, ...]
    by_uid: Mapping[str, Block]
    first_pages: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def lean(self) -> bool:
        """Whether four tools stand for all blocks."""
        return self.own is not self.toolset

    def tool_of(self, name: str) -> WireTool:
        """Return the block that *name* means, listed or not, as a tool of that name."""
        return WireTool(known_block(self.toolset, name), {"name": name})


class Catalogue:
    """The offer, now; a registry is looked at again when it has changed.

    Attributes:
        live: Whether it can change.
    """

    def __init__(
        self,
        source: Any,
        *,
        tools: str | None = None,
        icons: str | None = None,
        **options: Unpack[ToolsetOptions],
    ) -> None:
        """Take a `Toolset`, or blocks in any form with the options of a `Toolset`.

        Raises:
            InvalidOptionError: An option cannot be as given.
            InvalidToolsetError: The blocks cannot be offered together, or not with these options.
        """
        if tools not in (None, *KINDS):
            raise _refused(
                "tools", tools, "give 'all' or 'lean'" + (f"; {m}" if (m := did_you_mean(str(tools), KINDS)) else "")
            )
        if icons is not None and not (icons.startswith(("https://", "data:")) and "{icon}" in icons):
            raise _refused("icons", icons, "give an https address that holds {icon}")
        if isinstance(source, Toolset) and options:
            raise _refused("toolset", list(options), "give these options to the Toolset itself")
        self._source = default_registry() if source is None else source
        self._tools, self._icons, self._options = tools, icons, options
        self.live = isinstance(self._source, Registry)
        self._lock = threading.Lock()
        self._made_of = self.version
        self._offer = self._make()

    @property
    def version(self) -> int:
        """A number that grows with each change of the registry; 0 where nothing can change."""
        return self._source.version if isinstance(self._source, Registry) else 0

    def now(self) -> Offer:
        """Return what is offered now."""
        if self._made_of != self.version:
            with self._lock:
                if (version := self.version) != self._made_of:  # else another thread was first
                    try:
                        self._offer = self._make()
                    except BlockArgsError:  # what was good stays on offer
                        _log.exception("the changed registry cannot be offered; the offer is as it was")
                    self._made_of = version
        return self._offer

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """Return the schema of the listed tool called *name*, or ``None``."""
        tool = self.now().tools.get(name)
        return None if tool is None else tool.entry["inputSchema"]

    def _make(self) -> Offer:
        source = self._source
        toolset = source if isinstance(source, Toolset) else Toolset(source, **self._options)
        lean = self._tools == "lean" or (self._tools is None and len(toolset.blocks) > LEAN_ABOVE)
        own = Toolset(lean_blocks(lambda: self.now().toolset)) if lean else toolset
        by_uid = {block.uid: block for block in toolset.blocks}
        tools = self._entries(own)
        return Offer(toolset, own, tools, tuple(tools), by_uid)

    def _entries(self, toolset: Toolset) -> dict[str, WireTool]:
        export = export_tools(list(toolset.blocks), "mcp")
        for problem in export.problems:
            _log.warning("a block is not offered: %s", problem)
        names = {block.uid: name for name, block in toolset.names.items()}
        blocks = {block.uid: block for block in toolset.blocks}
        made: dict[str, WireTool] = {}
        for entry in export.elements():
            block = blocks[export.names[entry["name"]]]
            name = names[block.uid]
            made[name] = WireTool(block, {**entry, "name": name, **self._extra(block)})
        return dict(sorted(made.items()))

    def _extra(self, block: Block) -> dict[str, Any]:
        """Return what only this door knows to say: outputs of any kind, and where icons are."""
        extra: dict[str, Any] = {}
        if block.output_schema is not None:
            extra["outputSchema"] = block.output_schema
        if self._icons is not None and block.icon:
            extra["icons"] = [{"src": self._icons.replace("{icon}", block.icon)}]
        return extra


def _refused(option: str, value: Any, hint: str) -> InvalidOptionError:
    return InvalidOptionError.of(f"{option}={quoted(value)} cannot be served", hint=hint, path=f"$.{option}")
