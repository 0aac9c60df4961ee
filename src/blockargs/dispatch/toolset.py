"""`Toolset`: blocks offered together, and the calls a model makes of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from ..spec import Block
from .run import Call, ToolRun

Before = Callable[[Call], Any]
After = Callable[[ToolRun], Any]


class Toolset:
    """Blocks offered together: one schema for all, and one way to run what a model answered.

    Everything about a block is prepared once, when the toolset is made; later changes of a
    registry do not reach it. A toolset never changes and may be used from several threads.

    Attributes:
        blocks: The blocks, in the order given, each with its wire name.
        tag: The key that names the block in `schema()`.
    """

    blocks: tuple[Block, ...]
    tag: str

    def __init__(
        self,
        blocks: Any,
        *,
        validators: Mapping[str, Any] | None = None,
        tag: str = "tool",
        naming: str = "snake",
        retries: int = 0,
        strict: bool = False,
        timeout: float | None = None,
        before: Before | Iterable[Before] = (),
        after: After | Iterable[After] = (),
        tells: Iterable[type[BaseException]] = (),
        effects: Mapping[type, Any] | None = None,
    ) -> None:
        """Take a `Registry`, a `Block`, a uid, a typed callable or class, or an iterable of these."""

    @property
    def names(self) -> Mapping[str, Block]:
        """Wire name to block, in the order given."""

    def get(self, name: str) -> Block | None:
        """Return the block that *name* means: a wire name or uid, exact first, else one that differs in style only."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of a call of any of the blocks, discriminated by the tag."""

    def run(
        self,
        call: Any,
        *,
        helpers: Mapping[type[Any], Any] | None = None,
        timeout: float | None = None,
        strict: bool | None = None,
    ) -> ToolRun:
        """Choose one block, decode and check its arguments, and call its constructor exactly once.

        Args:
            call: Text that holds one call, ``{"name": …, "arguments": …}``, or a provider's call object.
            helpers: What is injected, by class: ``{Context: context, Progress: progress, …}``;
                what is not given is inert.
            timeout: Seconds at most; can only shorten what the block or the toolset allows.
            strict: Whether repairs are refused; by default as the toolset was made.
        """

    async def run_async(
        self,
        call: Any,
        *,
        helpers: Mapping[type[Any], Any] | None = None,
        timeout: float | None = None,
        strict: bool | None = None,
    ) -> ToolRun:
        """Do what `run` does, without blocking: an async constructor is awaited, another runs in a thread of its own."""

    def run_all(self, reply: Any, **options: Any) -> list[ToolRun]:
        """Run every call of *reply*, in order; none runs until all are valid."""

    async def run_all_async(self, reply: Any, **options: Any) -> list[ToolRun]:
        """Run every call of *reply*, in order; none runs until all are valid."""

    def check(self, call: Any, *, strict: bool | None = None) -> ToolRun:
        """Decode, validate and (for a block, never for a tool) construct; hand nothing out."""

    def ask(self, send: Callable[[list[Any]], Any], messages: Any, *, attempts: int = 2, **options: Any) -> Any:
        """Send *messages* until the answer is a valid call, at most *attempts* times, then run it."""
