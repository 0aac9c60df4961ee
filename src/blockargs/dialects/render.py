"""One block in one dialect: rewritten, described, counted; made once and kept with the block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import Note, Problem
from ..keywords import Schema
from ..node import thawed
from ..spec import MISSING, Block
from .count import counted, over_in_tool
from .describe import described
from .dialect import Dialect, RefusedError, Tool
from .marks import MARK, stripped
from .undo import way_of
from .ways import Way

UNCOUNTED = frozenset({"tools", "description"})  # limits for which no schema has to be walked


class Rendering:
    """A block as a dialect shows it.

    Attributes:
        schema: The schema of its arguments, in the dialect's notation.
        description: What the model reads.
        examples: Worked arguments in wire form, where they have a field of their own.
        notes: What was changed.
        problems: Why it cannot be offered; empty when it can.
    """

    __slots__ = ("_canonical", "_count", "_marked", "_plain", "_way", "description", "dialect", "examples", "notes", "problems", "schema")  # fmt: skip

    def __init__(self, block: Block, dialect: Dialect) -> None:
        self.dialect = dialect
        self.notes: list[Note] = []
        self.problems: list[Problem] = []
        self.description = ""
        self.examples: tuple[Mapping[str, Any], ...] = ()
        self._canonical = block.type
        self._way: Way | bool | None = False  # False: not asked for yet
        self._count: dict[str, int] | None = None
        self._rewrite(block)

    def _rewrite(self, block: Block) -> None:
        schema: Schema = self._canonical
        try:
            for rewrite in self.dialect.rewrites:
                schema, notes = rewrite(schema, "$")
                self.notes += notes
        except RefusedError as reason:
            self.problems.append(reason.problem)
        self._marked = schema
        told = schema[MARK].get("told", ()) if MARK in schema else ()
        # most schemas of plain dialects are the block's own: nothing to strip
        self._plain: Schema = schema if schema is self._canonical else stripped(schema)
        notation = self.dialect.notation
        self.schema = self._plain if notation is None or self.problems else notation(self._plain)
        if self.problems:
            return
        limits = self.dialect.limits
        if any(limit.what not in UNCOUNTED for limit in limits):
            problems, more = over_in_tool(self.count, limits, block.uid, self.dialect.key)
            self.problems += problems
            self.notes += more
        self._describe(block, told)

    def _describe(self, block: Block, told: tuple[str, ...]) -> None:
        if self.dialect.examples == "arguments":
            self.schema = self._plain = with_examples(self._plain, block)
            examples: tuple[Mapping[str, Any], ...] = ()
        else:
            examples = self._worked(block)
        most = self.dialect.most("description")
        words: tuple[Mapping[str, Any], ...] = ()
        if self.dialect.examples == "field":
            self.examples = examples
        else:
            words = examples
        self.description, notes = described(block, told, words, most)
        self.notes += notes

    def _worked(self, block: Block) -> tuple[Mapping[str, Any], ...]:
        """Return the worked configurations as the model would write them; one that does not fit is left out."""
        given = block.examples or ([one] if (one := block.arguments.example()) else [])
        if not given:
            return ()
        hidden = [name for name, arg in block.arguments.items() if arg.hidden]
        accepts = block.validator().accepts
        out = []
        for index, example in enumerate(given):
            shown = {k: v for k, v in example.items() if k not in hidden} if hidden else example
            if not shown and self.dialect.examples == "field":
                shown = _defaults(block)  # an empty example was seen to fail there
            if not shown or not accepts(shown):
                message = f"example {index} is no complete call, so it is not shown"
                self.notes.append(
                    Note(rule="example_left_out", path="$", before=thawed(example), after=None, message=message)
                )
                continue
            out.append(self.forth(shown))
        return tuple(out)

    @property
    def way(self) -> Way | None:
        """How values come back; ``None`` where they are written as the block has them."""
        if self._way is False:
            self._way = None if self._marked is self._canonical else way_of(self._marked, self._canonical)
        return self._way  # type: ignore[return-value] # False was just replaced

    def forth(self, value: Any) -> Any:
        """Return arguments of the block as they are written on the wire."""
        return value if self.way is None else self.way.forth(thawed(value))

    @property
    def plain(self) -> Schema:
        """The rewritten schema as JSON Schema, whatever the dialect's notation."""
        return self._plain

    @property
    def count(self) -> dict[str, int]:
        """How much the schema holds."""
        if self._count is None:
            self._count = counted(self._plain)
        return self._count

    def tool(self, name: str, block: Block, *, deferred: bool = False) -> Tool:
        """Return the tool called *name*."""
        return Tool(
            name=name,
            description=self.description,
            schema=self.schema,
            examples=self.examples,
            strict=self.dialect.strict,
            deferred=deferred,
            block=block,
        )


def with_examples(schema: Schema, block: Block) -> Schema:
    """Return *schema* with the worked example of each argument that has one."""
    fields = schema.get("properties", {})
    given = {n: a.example for n, a in block.arguments.items() if a.example is not None and _bare(fields.get(n))}
    if not given:
        return schema
    shown = {n: {**f, "examples": [given[n]]} if n in given else f for n, f in fields.items()}
    return {**schema, "properties": shown}


def _bare(field: Any) -> bool:
    return isinstance(field, Mapping) and "examples" not in field


def _defaults(block: Block) -> dict[str, Any]:
    return {
        name: thawed(arg.default)
        for name, arg in block.arguments.shown().items()
        if arg.default is not MISSING and arg.default is not None
    }


def rendering(block: Block, dialect: Dialect) -> Rendering:
    """Return *block* in *dialect*, made once."""
    cache = block._cache  # noqa: SLF001 - the block's own place for what is made of it
    key = f"dialect {dialect.key}"
    made = cache.get(key)
    if made is None or made.dialect is not dialect:
        made = cache[key] = Rendering(block, dialect)
    found: Rendering = made
    return found
