"""One block in one dialect: rewritten, described, counted; made once and kept with the block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import Note, Problem
from ..keywords import Schema
from ..node import thawed
from ..spec import MISSING, Block
from .count import counted, over_in_tool
from .describe import described
from .dialect import Dialect, RefusedError, Rewrite, Tool
from .marks import MARK, stripped
from .rewrites.roots import root_object
from .undo import way_of
from .ways import Way
from .written import OwnSchema

_OF_ROOTS = (root_object,)
UNCOUNTED = frozenset({"tools", "description"})  # limits for which no schema has to be walked


class Rendering:
    """A block as a dialect shows it.

    Attributes:
        description: What the model reads.
        examples: Worked arguments in wire form, where they have a field of their own.
        notes: What was changed.
        problems: Why it cannot be offered; empty when it can.
    """

    __slots__ = ("_block", "_count", "_marked", "_plain", "_schema", "_way", "description", "dialect", "examples", "notes", "problems")  # fmt: skip

    def __init__(self, block: Block, dialect: Dialect) -> None:
        self.dialect = dialect
        self.notes: tuple[Note, ...] = ()
        self.problems: tuple[Problem, ...] = ()
        self.description = ""
        self.examples: tuple[Mapping[str, Any], ...] = ()
        self._block = block
        self._way: Way | bool | None = False  # False: not asked for yet
        self._count: dict[str, int] | None = None
        # each is None where it is the block's own schema, which a listing as text never makes
        self._marked: Schema | None = None
        self._plain: Schema | None = None
        self._schema: Schema | None = None
        self._rewrite(block)

    def _rewrite(self, block: Block) -> None:
        told: tuple[str, ...] = ()
        rewrites = self.dialect.rewrites
        if block.schema is None and rewrites[:1] == _OF_ROOTS:  # a root that is made of arguments is an object
            rewrites = rewrites[1:]
        if rewrites:
            told = self._rewritten(block.type, rewrites)
        notation = self.dialect.notation
        if notation is not None and not self.problems:
            self._schema = notation(self.plain)
        if self.problems:
            return
        limits = self.dialect.limits
        if limits and any(limit.what not in UNCOUNTED for limit in limits):
            problems, more = over_in_tool(self.count, limits, block.uid, self.dialect.key)
            self.problems += tuple(problems)
            self.notes += tuple(more)
        self._describe(block, told)

    def _rewritten(self, own: Schema, rewrites: Iterable[Rewrite]) -> tuple[str, ...]:
        """Take what *rewrites* make of the block's *own* schema, and return the rules that it could not say."""
        schema = own
        try:
            for rewrite in rewrites:
                schema, notes = rewrite(schema, "$")
                self.notes += tuple(notes)
        except RefusedError as reason:
            self.problems += (reason.problem,)
        if schema is own:
            return ()
        self._marked = schema
        self._plain = self._schema = stripped(schema)
        told: tuple[str, ...] = schema[MARK].get("told", ()) if MARK in schema else ()
        return told

    def _describe(self, block: Block, told: tuple[str, ...]) -> None:
        words: tuple[Mapping[str, Any], ...] = ()
        if self.dialect.examples == "arguments":
            for arg in block.arguments.values():
                if arg.example is not None:
                    self._schema = self._plain = with_examples(self.plain, block)
                    break
        elif self.dialect.examples == "field":
            self.examples = self._worked(block)
        else:
            words = self._worked(block)
        self.description, notes = described(block, told, words, self.dialect.most("description"))
        if notes:
            self.notes += tuple(notes)

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
                note = Note(rule="example_left_out", path="$", before=thawed(example), after=None, message=message)
                self.notes += (note,)
                continue
            out.append(self.forth(shown))
        return tuple(out)

    @property
    def way(self) -> Way | None:
        """How values come back; ``None`` where they are written as the block has them."""
        if self._way is False:
            self._way = None if self._marked is None else way_of(self._marked, self._block.type)
        return self._way  # type: ignore[return-value] # False was just replaced

    def forth(self, value: Any) -> Any:
        """Return arguments of the block as they are written on the wire."""
        return value if self.way is None else self.way.forth(thawed(value))

    @property
    def plain(self) -> Schema:
        """The rewritten schema as JSON Schema, whatever the dialect's notation."""
        return self._block.type if self._plain is None else self._plain

    @property
    def schema(self) -> Schema:
        """The schema of its arguments, in the dialect's notation."""
        return self.plain if self._schema is None else self._schema

    @property
    def count(self) -> dict[str, int]:
        """How much the schema holds."""
        if self._count is None:
            self._count = counted(self.plain)
        return self._count

    def tool(self, name: str, *, deferred: bool = False, as_text: bool = False) -> Tool:
        """Return the tool called *name*; *as_text* when its schema will only be written."""
        own = self._schema is None and self._plain is None and self._block.schema is None
        return Tool(
            name=name,
            description=self.description,
            schema=OwnSchema(self._block) if own and as_text else self.schema,
            examples=self.examples,
            strict=self.dialect.strict,
            deferred=deferred,
            block=self._block,
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
    key = dialect.key
    kept = block.remembered("renderings", _none_yet)
    made = kept.get(key)
    if made is None or made.dialect is not dialect:
        made = kept[key] = Rendering(block, dialect)
    return made


def _none_yet(_: Block) -> dict[str, Rendering]:
    return {}
