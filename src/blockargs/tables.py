"""Metadata of blocks as tables: one row a block, or one row an argument."""

from __future__ import annotations

import csv
import functools
import inspect
import io
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, MappingView, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, overload

from ._text import did_you_mean, listing, one_line, quoted, unhumped
from .categories import category_icon
from .errors import InvalidBlockArgError, InvalidOptionError, MissingBlockMetadataWarning
from .node import thawed
from .registry import Registry, blocks_in
from .registry.objects import ORIGINS
from .spec import MISSING, Block, BlockArg
from .spelling import spell

Row = dict[str, Any]
NO_DESCRIPTION = "No description available."
NARROW = 8  # a column narrower than that says nothing

# field -> what a row shows of a block; the first twelve are "all", in this order
FIELDS: Mapping[str, Callable[[Block], Any]] = {
    "id": lambda b: b.uid or None,
    "name": lambda b: b.name,
    "description": lambda b: b.description or NO_DESCRIPTION,
    "details": lambda b: b.details,
    "link": lambda b: b.link,
    "guidance": lambda b: b.guidance,
    "keywords": lambda b: list(b.keywords),
    "category": lambda b: b.category,
    "icon": lambda b: b.icon or category_icon(b.category),
    "arguments": lambda b: {k: _argument_record(v) for k, v in b.arguments.items()},
    "examples": lambda b: thawed(b.examples),
    "package": lambda b: b.package or "local",
    "inputs": lambda b: list(b.inputs),
    "output": lambda b: b.output,
    "constructor": lambda b: _constructor_name(b.constructor),
}
ALL = tuple(FIELDS)[:12]
ARGUMENT_FIELDS = ("block", "argument", "type", "required", "default", "description", "example")


@dataclass(frozen=True, slots=True)
class MetadataTable(Sequence[Row]):
    """Rows of metadata: a sequence of dicts that can be rendered.

    Attributes:
        columns: The names of the columns, in order; there also when there are no rows.
        rows: One dict a row.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> MetadataTable: ...
    def __getitem__(self, index: int | slice) -> Row | MetadataTable:
        """Return a row; of a slice, a table."""
        if isinstance(index, slice):
            return MetadataTable(self.columns, self.rows[index])
        return self.rows[index]

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        """Iterate over the rows."""
        return iter(self.rows)

    def __str__(self) -> str:
        """Render for a terminal of 100 columns."""
        return self.render("terminal")

    def _repr_html_(self) -> str:
        """Render for notebooks."""
        return self.render("html")

    def records(self) -> list[Row]:
        """Return the rows as JSON-ready dicts."""
        found: list[Row] = json.loads(json.dumps(list(self.rows), default=str))
        return found

    def column(self, name: str) -> list[Any]:
        """Return one column.

        Raises:
            InvalidOptionError: There is no such column.
        """
        _known([name], self.columns)
        return [row[name] for row in self.rows]

    def sorted_by(self, name: str) -> MetadataTable:
        """Return the table sorted by column *name*; empty cells come last."""
        _known([name], self.columns)
        rows = sorted(self.rows, key=lambda row: (row[name] is None, _cell(name, row[name])))
        return MetadataTable(self.columns, tuple(rows))

    def render(self, format: str = "terminal", *, width: int = 100) -> str:  # noqa: A002 - the word of the field
        """Return the table as text.

        Args:
            format: ``terminal`` (cells cut so that it fits *width*), ``json`` and ``csv``
                (complete), ``markdown``, ``html``, or any format of tabulate.
            width: Columns of the terminal.

        Raises:
            InvalidOptionError: There is no such format.
        """
        if format in _WRITERS:
            return _WRITERS[format](self, width)
        import tabulate  # noqa: PLC0415 - 60 ms that only rendering needs

        formats = sorted({*_WRITERS, *tabulate.tabulate_formats} - {"unsafehtml"})
        if format not in formats:
            raise _field_error("format", format, formats)
        return _tabulated(self, format, _flat)


def block_metadata(blocks: object = None, fields: str | Iterable[str] = "all") -> MetadataTable:
    """Return one row a block.

    Args:
        blocks: A `Registry`, a uid of the default registry, a `Block`, a constructed object,
            or an iterable of these; ``None`` is the default registry. What can be iterated
            but is neither a collection nor all blocks is an object like any other.
        fields: Names of columns in the order wanted, or ``"all"``: id, name, description,
            details, link, guidance, keywords, category, icon, arguments, examples, package.
            On request also inputs, output and constructor.

    Returns:
        The table. What a block does not say is shown by a default; an object of no
        registered block gives a complete row of defaults and one
        `MissingBlockMetadataWarning`.

    Raises:
        InvalidOptionError: There is no such field.
        UnknownBlockError: There is no such uid.
    """
    if isinstance(fields, str):
        columns = ALL if fields == "all" else (fields,)
    elif isinstance(fields, Iterable):
        columns = tuple(fields)
    else:
        raise _field_error("field", fields, FIELDS)
    _known(columns, FIELDS)
    rows = [{name: FIELDS[name](block) for name in columns} for block in _listed(blocks)]
    return MetadataTable(columns, tuple(rows))


def argument_metadata(blocks: object = None) -> MetadataTable:
    """Return one row an argument: block, argument, type, required, default, description, example.

    Args:
        blocks: As in `block_metadata`.

    Raises:
        UnknownBlockError: There is no such uid.
    """
    rows = [_argument_row(block, name, arg) for block in _listed(blocks) for name, arg in block.arguments.items()]
    return MetadataTable(ARGUMENT_FIELDS, tuple(rows))


def _argument_row(block: Block, name: str, arg: BlockArg) -> Row:
    return {
        "block": block.uid or None,
        "argument": name,
        "type": "any" if arg.type is None else spell(arg.type),
        "required": bool(arg.required),
        "default": None if arg.default is MISSING else thawed(arg.default),
        "description": arg.description,
        "example": thawed(arg.example),
    }


def _argument_record(arg: BlockArg) -> Row:
    """Return one argument as a dict, without what it does not say."""
    record: Row = {
        "description": arg.description,
        "example": thawed(arg.example),
        "type": None if arg.type is None else arg.type.plain(),
        "required": bool(arg.required),
    }
    if arg.default is not MISSING:
        record["default"] = thawed(arg.default)
    return record


def _constructor_name(constructor: Any) -> str | None:
    if constructor is None:
        return None
    name = getattr(constructor, "__qualname__", None)
    return f"{constructor.__module__}:{name}" if name and isinstance(name, str) else str(constructor)


def _listed(given: object) -> list[Block]:
    try:
        return _blocks(given)
    except RecursionError:
        raise InvalidBlockArgError("the blocks are nested too deeply, or contain themselves") from None


def _blocks(given: Any) -> list[Block]:
    if given is None or isinstance(given, Registry | Block | str | type):
        return blocks_in(given)
    if (known := ORIGINS.block_of(given)) is not None:
        return [known]
    if isinstance(given, Mapping):
        given = given.values()
    if (isinstance(given, _COLLECTIONS) and not isinstance(given, bytes | bytearray)) or _holds_blocks(given):
        return [found for one in given for found in _blocks(one)]
    if isinstance(given, functools.partial) or inspect.isroutine(given):
        return blocks_in(given)
    return [_orphan(given)]


# what holds other things, and is no thing of its own
_COLLECTIONS = (Sequence, AbstractSet, MappingView, Iterator)


def _holds_blocks(given: Any) -> bool:
    """Tell whether *given* is an iterable of blocks: a data frame, which can be iterated as well, is an object."""
    try:
        members = iter(given)
        return all(isinstance(one, Block | Registry) or ORIGINS.block_of(one) is not None for one in members)
    except Exception:  # noqa: BLE001 - a stranger's object may raise anything when it is looked at
        return False


def _orphan(obj: Any) -> Block:
    """Return the default record of an object that no registered block built."""
    cls = type(obj)
    words = unhumped(cls.__name__, " ").replace("_", " ")
    message = f"nothing is known of an object of class {quoted(cls.__name__)}: no registered block builds it"
    warnings.warn(MissingBlockMetadataWarning(message), stacklevel=5)
    return Block(uid="", name=" ".join(words.lower().split()), package="local")


def _known(names: Iterable[str], there: Iterable[str]) -> None:
    for name in names:
        if not isinstance(name, str) or name not in there:
            raise _field_error("field", name, there)


def _field_error(what: str, name: object, there: Iterable[str]) -> InvalidOptionError:
    near = did_you_mean(name, there)
    hint = near or f"there are {listing(there, most=50)}"
    return InvalidOptionError.of(f"{quoted(name)} is no {what}", hint=hint, code=f"{what}_unknown")


WORDS = ("keywords", "inputs")  # columns of words, shown as a list in a sentence


def _cell(column: str, value: Any) -> str:
    """Return *value* as the text of a cell, never reformatted: a text as it is, anything else as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if column in WORDS:
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _flat(column: str, value: Any) -> str:
    """Return the cell on one line; a control character could steer the terminal, so it goes."""
    return "".join(c for c in " ".join(_cell(column, value).split()) if c.isprintable())


def _markdown_cell(column: str, value: Any) -> str:
    """Return a cell for Markdown: a pipe or a new line would make another cell or row."""
    return _flat(column, value).replace("\\", "\\\\").replace("|", "\\|")


def _tabulated(table: MetadataTable, format: str, cell: Callable[[str, Any], str]) -> str:  # noqa: A002 - as above
    import tabulate  # noqa: PLC0415 - 60 ms that only rendering needs

    rows = [[cell(c, row[c]) for c in table.columns] for row in table.rows]
    return tabulate.tabulate(rows, headers=list(table.columns), tablefmt=format, disable_numparse=True)


def _terminal(table: MetadataTable, width: int) -> str:
    """Render so that no line is wider than *width*: the widest columns give way first.

    Columns that cannot be shown at all are named below the table.
    """
    cells = {c: [_flat(c, row[c]) for row in table.rows] for c in table.columns}
    # tabulate never makes a column narrower than its header and two blanks
    natural = [max(len(c) + 2, *map(len, cells[c]), 0) for c in table.columns]
    least = [min(most, max(len(c) + 2, NARROW)) for c, most in zip(table.columns, natural, strict=True)]
    shown = max(sum(sum(least[: i + 1]) + 3 * (i + 1) + 1 <= width for i in range(len(least))), 1)
    columns, hidden, widths = table.columns[:shown], table.columns[shown:], natural[:shown]
    excess = sum(widths) + 3 * shown + 1 - width
    while excess > 0 and any(w > low for w, low in zip(widths, least[:shown], strict=True)):
        index = max((i for i in range(shown) if widths[i] > least[i]), key=lambda i: widths[i])
        widths[index] -= 1
        excess -= 1
    cut = [{c: one_line(cells[c][n], widths[i]) for i, c in enumerate(columns)} for n in range(len(table))]
    text = _tabulated(MetadataTable(columns, tuple(cut)), "rounded_outline", lambda _, value: value)
    return text if not hidden else f"{text}\nnot shown: {', '.join(hidden)}"


def _json(table: MetadataTable, _: int) -> str:
    return json.dumps(table.records(), indent=2, ensure_ascii=False)


def _csv(table: MetadataTable, _: int) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([_cell(c, row[c]) for c in table.columns] for row in table.rows)
    return out.getvalue()


# formats that are ours, or that tabulate needs help with
_WRITERS: Mapping[str, Callable[[MetadataTable, int], str]] = {
    "terminal": _terminal,
    "json": _json,
    "csv": _csv,
    "markdown": lambda table, _: _tabulated(table, "pipe", _markdown_cell),
    "pipe": lambda table, _: _tabulated(table, "pipe", _markdown_cell),
    "github": lambda table, _: _tabulated(table, "github", _markdown_cell),
    "html": lambda table, _: _tabulated(table, "html", _flat),
}
