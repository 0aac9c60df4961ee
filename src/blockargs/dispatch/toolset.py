"""`Toolset`: blocks offered together, and the calls a model makes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..errors import InvalidArgumentsError
from ..node import ArgType
from ..registry import Blocks, blocks_in
from ..registry.checks import owned
from ..reply.responses import SentCall
from ..spec import Block
from ..types import arg_const
from .ask import Asking, Report, ask, ask_async
from .choose import BARE, Chosen, Reading, all_chosen, brought, chosen
from .effects import EffectHook
from .ended import caught
from .execute import executed, finished, tried
from .failures import failed
from .names import Names, name_of, named
from .offered import Offered
from .options import Helpers, count, exceptions, export_of, flag, helpers_of, hooks, key, mapping, seconds
from .prepared import Prepared
from .results import delivered
from .run import Call, ToolRun
from .steps import perform
from .validators import by_name, checks_of

if TYPE_CHECKING:
    from ..dialects import ToolExport

NOTHING: Mapping[type[Any], Any] = MappingProxyType({})


class Toolset:
    """Blocks offered together: one schema for all, and one way to run what a model answered.

    Everything about a block is prepared once, when the toolset is made; later changes of a
    registry do not reach it. A toolset never changes and may be used from several threads.

    Attributes:
        blocks: The blocks, in the order given, each with its wire name.
        tag: The key that names the block in `schema()`.
        names: Wire name to block, in the order given.
    """

    def __init__(
        self,
        blocks: Blocks,
        *,
        validators: Mapping[str, Any] | None = None,
        tag: str = "tool",
        naming: str = "snake",
        retries: int = 0,
        strict: bool = False,
        timeout: float | None = None,
        before: Callable[[Call], Any] | Iterable[Callable[[Call], Any]] = (),
        after: Callable[[ToolRun], Any] | Iterable[Callable[[ToolRun], Any]] = (),
        tells: type[BaseException] | Iterable[type[BaseException]] = (),
        effects: Mapping[type, EffectHook] | None = None,
    ) -> None:
        """Prepare *blocks*: a `Registry`, a `Block`, a uid, a typed callable or class, or an iterable of these.

        Args:
            blocks: What is offered.
            validators: By uid or wire name: one check of complete arguments, or several. It gets the JSON
                arguments and returns problems, ``(path, message)`` pairs, a sentence, or nothing. What it
                says, and the text of a `ValueError` that it raises, is told to the model.
            tag: The key that names the block where all share one schema.
            naming: How a uid becomes a wire name: ``"snake"`` leaves it as it is, ``"kebab"`` makes
                ``GetWeather`` and ``get_weather`` ``get-weather``. A block's own `wire_name` wins.
            retries: How often a call is made again after a `ToolFailure` that says it is retryable.
            strict: Whether every repair is refused.
            timeout: Seconds one call may take, all its attempts together; a block's own limit wins.
            before: Each sees the `Call`; `ToolRejected`, or an answer that is false, rejects it; None and True
                let it go on, anything else is an error of yours.
            after: Each sees the `ToolRun`; `ToolRejected` withholds the result.
            tells: Classes of exceptions whose text a model may read.
            effects: By class of what a constructor returns: a hook that tells effect and preview.

        Raises:
            InvalidToolsetError: Names clash, the tag is an argument's name, a validator is async, or an option
                is no such thing.
            UnknownBlockError: A uid of *blocks* is not registered.
            BlockArgsError: What is among *blocks* is no block and makes none; `derive_block` says why.
        """
        settled = named(blocks_in(blocks), naming, key("tag", tag))
        lookup = Names(settled)
        told = exceptions("tells", tells)
        limit = seconds("timeout", timeout)
        checks = by_name(mapping("validators", validators, "a block's uid and its checks"), lookup.exact)
        self._strict = flag("strict", strict)
        self._offered = Offered(
            blocks=settled,
            tag=tag,
            names=MappingProxyType({name_of(b): b for b in settled}),
            lookup=lookup,
            prepared={b.uid: Prepared(b, validators=checks.get(b.uid, ()), tells=told, limit=limit) for b in settled},
            before=checks_of(before, "hook"),
            after=checks_of(after, "hook"),
            effects=hooks("effects", effects),
            retries=count("retries", retries),
        )
        offered = self._offered
        self.blocks, self.tag, self.names = offered.blocks, offered.tag, offered.names
        # with such a tag, name and arguments may themselves be arguments
        alone = not (offered.before or offered.after or retries or offered.tag in BARE)
        self._direct = {n: offered.prepared[b.uid] for n, b in lookup.exact.items()} if alone else {}

    def __repr__(self) -> str:
        """Show the names."""
        return f"Toolset([{', '.join(self.names)}])"

    def get(self, name: str) -> Block | None:
        """Return the block that *name* means: exactly, as some provider's export calls it, or but for its style."""
        return self._offered.get(name)

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of one call of any of the blocks: the tag names the block.

        Of several blocks it is a ``oneOf`` with a ``discriminator``, of one block its variant; of none nothing fits.
        """
        if not self.blocks:
            return {"not": {}}
        variants = [_variant(block, self.tag) for block in self.blocks]
        if len(variants) == 1:
            return variants[0].plain(errors=False)
        union = ArgType({"oneOf": variants, "discriminator": {"propertyName": self.tag}})
        return union.plain(errors=False)

    def run(
        self,
        call: Any,
        *,
        helpers: Helpers = NOTHING,
        timeout: float | None = None,
        strict: bool | None = None,
        export: ToolExport | None = None,
    ) -> ToolRun:
        """Choose one block, decode and check its arguments, and call its constructor exactly once.

        The constructor is called only after full success. An async constructor is run to its end.

        Args:
            call: Text that holds one call, ``{"name": …, "arguments": …}``, a provider's call object, or
                an instance of `schema()`.
            helpers: What is injected, by class: ``{Context: context, Progress: progress}``;
                what is not given is inert.
            timeout: Seconds at most; it only shortens what the block or the toolset allows.
            strict: Whether repairs are refused; by default as the toolset was made.
            export: The export that the model was given, whose rewrites are undone.

        Raises:
            RunningLoopError: The constructor is async and an event loop is running; await `run_async`.
            InvalidToolsetError: An option is no such thing.
            InvalidCallError: *call* is neither text nor a call.
        """
        if (
            timeout is None
            and export is None
            and (helpers is NOTHING or not helpers)
            and (strict is None or type(strict) is bool)
            and type(call) is dict
            and (done := self._at_once(call, strict)) is not None
        ):
            return done
        how = self._reading(strict, export)
        asked = _asked(helpers, timeout)
        found = chosen(self._offered, call, how)
        run: ToolRun = found if isinstance(found, ToolRun) else perform(executed(self._offered, found, *asked))
        return run

    async def run_async(
        self,
        call: Any,
        *,
        helpers: Helpers = NOTHING,
        timeout: float | None = None,  # noqa: ASYNC109 - it also ends what is not async
        strict: bool | None = None,
        export: ToolExport | None = None,
    ) -> ToolRun:
        """Do what `run` does without blocking: an async constructor is awaited, another runs in a thread of its own.

        What outlives its limit is cancelled where it is async; else its result is dropped.
        """
        from .loop import perform_async  # noqa: PLC0415 - asyncio is loaded for what is async only

        how = self._reading(strict, export)
        asked = _asked(helpers, timeout)
        found = chosen(self._offered, call, how)
        run: ToolRun = (
            found if isinstance(found, ToolRun) else await perform_async(executed(self._offered, found, *asked))
        )
        return run

    def run_all(
        self,
        reply: Any,
        *,
        helpers: Helpers = NOTHING,
        timeout: float | None = None,
        strict: bool | None = None,
        export: ToolExport | None = None,
    ) -> list[ToolRun]:
        """Run every call of *reply*, in order; nothing runs until all are valid.

        Args:
            reply: Text, a provider's response, or a list of calls.
            helpers: What is injected into each.
            timeout: Seconds at most for each.
            strict: Whether repairs are refused.
            export: The export that the model was given.

        Returns:
            A run for each call. While one is wrong, the others say that they were not made.

        Raises:
            RunningLoopError: A constructor is async and an event loop is running; await `run_all_async`.
            InvalidToolsetError: An option is no such thing.
            InvalidCallError: *reply* is neither text, a response nor calls.
        """
        how = self._reading(strict, export)
        asked = _asked(helpers, timeout)
        found = all_chosen(self._offered, reply, how)
        return [one if isinstance(one, ToolRun) else perform(executed(self._offered, one, *asked)) for one in found]

    async def run_all_async(
        self,
        reply: Any,
        *,
        helpers: Helpers = NOTHING,
        timeout: float | None = None,  # noqa: ASYNC109 - it also ends what is not async
        strict: bool | None = None,
        export: ToolExport | None = None,
    ) -> list[ToolRun]:
        """Do what `run_all` does without blocking; still one call after the other."""
        from .loop import perform_async  # noqa: PLC0415 - asyncio is loaded for what is async only

        how = self._reading(strict, export)
        asked = _asked(helpers, timeout)
        found = all_chosen(self._offered, reply, how)
        return [
            one if isinstance(one, ToolRun) else await perform_async(executed(self._offered, one, *asked))
            for one in found
        ]

    def check(self, call: Any, *, strict: bool | None = None, export: ToolExport | None = None) -> ToolRun:
        """Decode and validate *call*, and construct where that only builds; hand nothing out.

        A block is constructed and let go: the run has its effect (`effects`), never the object. A tool,
        and anything async, is not called. No hook before or after a call is asked.

        Args:
            call: What `run` takes.
            strict: Whether repairs are refused.
            export: The export that the model was given.

        Raises:
            InvalidToolsetError: An option is no such thing.
            InvalidCallError: *call* is neither text nor a call.
        """
        how = self._reading(strict, export)
        found = chosen(self._offered, call, how)
        run: ToolRun = found if isinstance(found, ToolRun) else perform(tried(self._offered, found))
        return run

    def ask(
        self,
        send: Callable[[list[Any]], Any],
        messages: Any,
        *,
        attempts: int = 2,
        dialect: str = "",
        helpers: Helpers = NOTHING,
        timeout: float | None = None,
        strict: bool | None = None,
        export: ToolExport | None = None,
    ) -> Report:
        """Ask a model for a call until it is valid, at most *attempts* times, then run it.

        Args:
            send: Takes the messages; returns text, or the response of a provider's client.
            messages: The conversation so far, in the provider's form; a text is one user message.
            attempts: How often the model is asked at most.
            dialect: The provider's dialect, where the response does not show it.
            helpers: What is injected.
            timeout: Seconds at most for each call of a constructor.
            strict: Whether repairs are refused.
            export: The export that the model was given.

        Returns:
            The report, with every attempt and the runs. It stops early when the same failure comes twice.

        Raises:
            InvalidToolsetError: *attempts* is below 1, or an option is no such thing.
            UnknownDialectError: There is no such dialect.
            RunningLoopError: A constructor is async and an event loop is running; await `ask_async`.
            InvalidCallError: *send* returned neither text nor a response.
            BaseException: What *send* itself raises.
        """
        how = Asking(self._offered, attempts, dialect, *_asked(helpers, timeout), self._reading(strict, export))
        return ask(how, send, messages)

    async def ask_async(
        self,
        send: Callable[[list[Any]], Any],
        messages: Any,
        *,
        attempts: int = 2,
        dialect: str = "",
        helpers: Helpers = NOTHING,
        timeout: float | None = None,  # noqa: ASYNC109 - it also ends what is not async
        strict: bool | None = None,
        export: ToolExport | None = None,
    ) -> Report:
        """Do what `ask` does without blocking; what *send* returns is awaited where it can be."""
        how = Asking(self._offered, attempts, dialect, *_asked(helpers, timeout), self._reading(strict, export))
        return await ask_async(how, send, messages)

    def _reading(self, strict: bool | None, export: ToolExport | None) -> Reading:  # noqa: FBT001 - as the caller passed it
        return Reading(self._strict if strict is None else flag("strict", strict), export_of(export))

    def _at_once(self, call: dict[str, Any], strict: bool | None) -> ToolRun | None:  # noqa: FBT001 - as `_reading`
        """Return the run of a plain call that needs nothing but itself; ``None`` sends it the long way."""
        name, arguments = call.get("name"), call.get("arguments")
        if len(call) != 2 or type(arguments) is not dict or type(name) is not str:  # noqa: PLR2004 - name and arguments
            return None
        prepared = self._direct.get(name)
        if prepared is None or not prepared.direct or not prepared.keeps_its_form(arguments):
            return None
        if not prepared.fits(arguments):
            given = SentCall(name, arguments)
            found = brought(prepared, given, strict=self._strict if strict is None else strict, misfit=True)
            return found if isinstance(found, ToolRun) else perform(executed(self._offered, found, NOTHING, None))
        made = Call(prepared.block.uid, name, arguments)
        try:
            parts = prepared.bind(owned(arguments))
        except InvalidArgumentsError:
            return None
        except BaseException as fault:  # noqa: BLE001 - so may what makes its arguments
            return failed(made, caught(fault))
        try:
            outcome = prepared.called(parts)
        except BaseException as fault:  # noqa: BLE001 - a constructor may end in any way
            return failed(made, caught(fault), tells=prepared.tells, attempts=1)
        if hasattr(outcome, "__await__"):
            run: ToolRun = perform(finished(self._offered, Chosen(prepared, made), outcome))
            return run
        return delivered(outcome, made, prepared, self._offered.effects)


def _asked(helpers: Helpers, timeout: float | None) -> tuple[Helpers, float | None]:
    """Return what one call is given and how long it may take, once both are looked at."""
    if helpers is NOTHING and timeout is None:  # nearly every call
        return helpers, timeout
    return helpers_of(helpers), seconds("timeout", timeout, over=True)


def _variant(block: Block, tag: str) -> ArgType:
    """Return the arguments of *block* with the tag that names it, first."""
    root = block.type
    properties = {tag: arg_const(name_of(block)), **root.get("properties", {})}
    node: dict[str, Any] = {"title": name_of(block), "type": "object"}
    if text := _told(block):
        node["description"] = text
    node |= {key: value for key, value in root.items() if key not in ("type", "title", "description")}
    node |= {"properties": properties, "required": [tag, *root.get("required", ())]}
    return ArgType(node)


def _told(block: Block) -> str:
    """Return what a model reads of *block*."""
    return "\n\n".join(text for text in (block.description, block.guidance) if text)
