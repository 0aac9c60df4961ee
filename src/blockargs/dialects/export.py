"""`ToolExport`: blocks as the tools of one request, and the way back of what the model answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from .._text import did_you_mean, quoted
from ..errors import Note, Problem, UnknownBlockError, UnknownDialectError
from ..node import ArgType
from ..spec import Block
from .count import Size, over_in_request, summed
from .describe import line_of
from .dialect import Dialect
from .names import wire_names
from .render import UNCOUNTED, Rendering, rendering
from .ways import Undoing, Way, read_json
from .written import as_bytes

if TYPE_CHECKING:
    from ..reply import Decoded

Detail = Literal["full", "lean"]
DETAILS: tuple[Detail, ...] = get_args(Detail)


class ToolExport:
    """Blocks as the tools of one request.

    Attributes:
        dialect: The form they are in.
        detail: ``"full"``, or ``"lean"`` for a catalogue of names and single lines.
        refused: Blocks that were left out, by uid, and why.
        problems: The same in one list, and what all tools together have too much of.
    """

    __slots__ = (
        "_blocks",
        "_deferred",
        "_given",
        "_json",
        "_renderings",
        "_wire",
        "detail",
        "dialect",
        "problems",
        "refused",
    )

    def __init__(
        self, blocks: Sequence[Block], dialect: Dialect, detail: Detail = "full", deferred: frozenset[str] = frozenset()
    ) -> None:
        """Render *blocks*; one that cannot be is left out and spoils no other."""
        self.dialect = dialect
        self.detail = detail
        self.refused: dict[str, list[Problem]] = {}
        self.problems: list[Problem] = []
        self._json: bytes | None = None
        self._deferred = deferred
        self._given = tuple(blocks)
        self._renderings = {block.uid: rendering(block, dialect) for block in blocks}
        self._blocks = {block.uid: block for block in blocks}
        self._refuse_broken()
        self._refuse_doubles(blocks)
        given = {uid: block.wire_name or uid for uid, block in self._blocks.items() if uid not in self.refused}
        aliases = wire_names(given.values(), dialect.names)
        self._wire = {aliases[name]: uid for uid, name in given.items()}
        if detail == "full":
            self._weigh()

    def _refuse_broken(self) -> None:
        for uid, made in self._renderings.items():
            if made.problems:
                self._refuse(uid, made.problems)

    def _refuse(self, uid: str, problems: Iterable[Problem]) -> None:
        named = [
            p if f"'{uid}'" in p.message else replace(p, message=f"block '{uid}' in {self.dialect.key}: {p.message}")
            for p in problems
        ]
        self.refused.setdefault(uid, []).extend(named)
        self.problems += named

    def _refuse_doubles(self, blocks: Sequence[Block]) -> None:
        """Two blocks of one name: neither is guessed to be meant."""
        if len({block.wire_name or block.uid for block in blocks}) == len(blocks):
            return
        by_name: dict[str, list[Block]] = {}
        for block in {id(b): b for b in blocks}.values():
            by_name.setdefault(block.wire_name or block.uid, []).append(block)
        for name, same in by_name.items():
            if len(same) > 1:
                origins = " and ".join(f"'{b.uid}'{f' ({b.source})' if b.source else ''}" for b in same)
                message = f"the name {quoted(name)} is that of {len(same)} blocks: {origins}"
                hint = "give one another wire_name or uid"
                problem = Problem(code="name_taken", path="$", message=message, hint=hint)
                for uid in dict.fromkeys(b.uid for b in same):
                    self.refused.setdefault(uid, []).append(problem)
                self.problems.append(problem)

    def _weigh(self) -> None:
        limits = self.dialect.limits
        total = {"tools": len(self._wire)}
        if any(limit.what not in UNCOUNTED for limit in limits):
            total = summed(self._renderings[uid].count for uid in self._wire.values())
        self.problems += over_in_request(total, limits, self.dialect.key)

    @property
    def names(self) -> dict[str, str]:
        """Wire name -> uid, for each tool."""
        return dict(self._wire)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """One entry a block, in the provider's element form: a fresh copy."""
        return [_copied(one) for one in self.elements()]

    def elements(self) -> list[dict[str, Any]]:
        """Return `tools` without copying what is in them, for reading: the schemas are the export's own."""
        return self._elements(as_text=False)

    def _elements(self, *, as_text: bool) -> list[dict[str, Any]]:
        if self.detail == "lean":
            return [{"name": wire, "description": line_of(self._blocks[uid])} for wire, uid in self._wire.items()]
        element = self.dialect.element
        return [
            element(self._renderings[uid].tool(wire, deferred=uid in self._deferred, as_text=as_text))
            for wire, uid in self._wire.items()
        ]

    def request(self) -> dict[str, Any]:
        """Return the fragment of the request body that holds the tools: a fresh copy."""
        return self.dialect.request(self.tools)

    def json(self) -> bytes:
        """Return `request` as JSON, in UTF-8, made once."""
        if self._json is None:
            tools = self._elements(as_text=True)
            self._json = as_bytes(self.dialect.request(tools), tools)
        return self._json

    @property
    def notes(self) -> list[Note]:
        """What was changed, block by block, each message beginning with the block's uid."""
        return [replace(n, message=f"block '{uid}': {n.message}") for uid in self._blocks for n in self.notes_of(uid)]

    def notes_of(self, uid: str) -> list[Note]:
        """Return what was changed of the block *uid*."""
        found = list(self._rendering(uid).notes)
        wire = next((w for w, u in self._wire.items() if u == uid), uid)
        original = self._blocks[uid].wire_name or uid
        if wire != original and uid not in self.refused:
            message = f"it is called {quoted(wire)} on the wire"
            found.append(Note(rule="tool_renamed", path="$", before=original, after=wire, message=message))
        return found

    @property
    def size(self) -> Size:
        """What the export holds: bytes, properties, enum values, depth, tools."""
        total = summed(self._renderings[uid].count for uid in self._wire.values()) if self.detail == "full" else {}
        total = total or dict.fromkeys(("properties", "enum_values", "depth", "optional", "unions", "text"), 0)
        held = {k: total[k] for k in ("properties", "enum_values", "depth", "optional", "unions", "text")}
        return Size(tools=len(self._wire), bytes=len(self.json()), **held)

    def encode(self, uid: str, arguments: Mapping[str, Any]) -> Any:
        """Return arguments of the block *uid* as the model writes them in this dialect: for a history, or an example.

        Raises:
            UnknownBlockError: The export has no such block.
        """
        return self._rendering(uid).forth(arguments)

    def decode(self, wire_name: str, arguments: Any, *, strict: bool = False) -> Decoded:
        """Return the call of the tool *wire_name*, with every rewrite of the export undone.

        Args:
            wire_name: The tool's name as the model gave it.
            arguments: What the model sent: a value, or text.
            strict: Whether every repair is refused.
        """
        from ..reply import Decoded, decode_arguments  # noqa: PLC0415 - who only exports does not pay for it

        uid = self._wire.get(wire_name) if isinstance(wire_name, str) else None
        if uid is None:
            message = f"there is no tool {quoted(wire_name)}"
            hint = did_you_mean(wire_name, self._wire)
            problem = Problem(code="unknown_tool", path="$", message=message, hint=hint)
            return Decoded(ok=False, problems=(problem,))
        block, made = self._blocks[uid], self._renderings[uid]
        if made.way is None or _is_blank(arguments):
            return replace(decode_arguments(arguments, block, strict=strict), uid=uid)
        return replace(self._led_back(made, made.way, block, arguments, strict=strict), uid=uid)

    def _led_back(self, made: Rendering, way: Way, block: Block, arguments: Any, *, strict: bool) -> Decoded:
        """Undo the rewrites as the value stands; where that gives no call, repair it by the schema that was sent."""
        from ..reply import decode_arguments  # noqa: PLC0415 - as above

        first = None
        if isinstance(value := _read(arguments), Mapping):
            first = self._undone(way, block, value, (), strict=strict)
            if first.ok or strict:
                return first
        read = decode_arguments(arguments, ArgType(made.plain), strict=strict)
        if not read.ok:
            return first or read
        second = self._undone(way, block, read.value, read.notes, strict=strict)
        return second if second.ok or first is None else first

    def _undone(self, way: Way, block: Block, value: Any, notes: Sequence[Note], *, strict: bool) -> Decoded:
        from ..reply import Decoded, decode_arguments  # noqa: PLC0415 - as above

        undoing = Undoing(list(notes))
        value = way.back(value, "$", undoing)
        if undoing.problems:
            return Decoded(ok=False, problems=tuple(undoing.problems), notes=tuple(undoing.notes))
        decoded = decode_arguments(value, block, strict=strict)
        return replace(decoded, notes=(*undoing.notes, *decoded.notes))

    def _rendering(self, uid: str) -> Rendering:
        found = self._renderings.get(uid) if isinstance(uid, str) else None
        if found is None:
            message = f"the export has no block {quoted(uid)}"
            hint = did_you_mean(uid, self._renderings)
            raise UnknownBlockError((Problem(code="block_unknown", path="$", message=message, hint=hint),))
        return found

    def __len__(self) -> int:
        """Count the tools."""
        return len(self._wire)

    def __repr__(self) -> str:
        """Show dialect and number of tools."""
        return f"<ToolExport {self.dialect.key}: {len(self)} tools>"

    def __copy__(self) -> Self:
        """Return itself: it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return itself: it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Be made again when it is unpickled: renderings hold functions.

        Raises:
            TypeError: The dialect is no row of the table: its name would lead to another.
        """
        name, strict = self.dialect.name, self.dialect.strict
        if _named(name, strict=strict) is not self.dialect:
            message = f"an export in a dialect of your own cannot be pickled; {quoted(name)} would not lead back to it"
            raise TypeError(f"{message}: pickle the blocks, and export them again")
        return _remade, (self._given, name, strict, self.detail, self._deferred)


def _remade(
    blocks: Sequence[Block],
    name: str,
    strict: bool,  # noqa: FBT001 - pickle passes by position
    detail: Detail,
    deferred: frozenset[str],
) -> ToolExport:
    from . import dialect_named  # noqa: PLC0415 - the table of dialects stands above

    return ToolExport(blocks, dialect_named(name, strict=strict), detail, deferred)


def _named(name: str, *, strict: bool) -> Dialect | None:
    from . import dialect_named  # noqa: PLC0415 - as above

    try:
        return dialect_named(name, strict=strict)
    except UnknownDialectError:
        return None


def _copied(value: Any) -> Any:
    """Return a plain copy, without the authors' failure texts that an argument type carries."""
    if isinstance(value, Mapping):
        return {k: _copied(v) for k, v in value.items()}
    return [_copied(v) for v in value] if isinstance(value, list | tuple) else value


def _read(arguments: Any) -> Any:
    """Return *arguments* as they stand: a value, or what sound JSON text holds."""
    if not isinstance(arguments, str | bytes):
        return arguments
    try:
        return read_json(arguments if isinstance(arguments, str) else arguments.decode())
    except ValueError:
        return None


def _is_blank(arguments: Any) -> bool:
    return arguments is None or (isinstance(arguments, str) and arguments.strip() in ("", "null"))
