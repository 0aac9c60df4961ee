"""Commands for people who look blocks up: table, list, show."""

from __future__ import annotations

import json

import click

from .._text import did_you_mean, listing, quoted
from ..node import pretty, thawed
from ..registry import Registry
from ..spec import MISSING, Block
from ..spelling import spell
from ..tables import MetadataTable, argument_metadata, block_metadata
from .source import SOURCE_HELP, block_at, output_option, registry_at, source_argument, width, write, yaml_option
from .streams import Command, tell

GLANCE = ("id", "name", "category", "description")  # what fits a terminal
COMPLETE = ("json", "csv")


@click.command("table", cls=Command)
@source_argument
@click.option(
    "--format", "format_", default="terminal", help="terminal, json, csv, markdown, html or a tabulate format."
)
@click.option("--fields", help="Columns, separated by commas, or 'all'.")
@click.option("--arguments", is_flag=True, help="One row an argument instead of one row a block.")
@click.option("--category", help="Only blocks of this category.")
@click.option("--package", help="Only blocks of this package.")
@click.option("--sort", help="Sort by this column.")
@output_option
@yaml_option
def table_command(
    *,
    source: str | None,
    format_: str,
    fields: str | None,
    arguments: bool,
    category: str | None,
    package: str | None,
    sort: str | None,
    output: str | None,
    yaml: str,
) -> None:
    """Print a table of the blocks at SOURCE.

    SOURCE is a folder, a YAML file, an installed package or module:attribute;
    by default the bundled blocks. json and csv are complete.
    """
    blocks = _chosen(registry_at(source, yaml), category, package)
    if arguments:
        table = argument_metadata(blocks)
        if fields is not None and fields != "all":
            columns = _columns(fields)
            table = MetadataTable(columns, tuple({c: row[c] for c in columns} for row in _with_columns(table, columns)))
    else:
        default = "all" if format_ in COMPLETE else GLANCE
        table = block_metadata(blocks, default if fields is None else fields if fields == "all" else _columns(fields))
    if sort is not None:
        table = table.sorted_by(sort)
    write(table.render(format_, width=width()), output)


@click.command("list", cls=Command)
@source_argument
@yaml_option
def list_command(*, source: str | None, yaml: str) -> None:
    """Print the uids of the blocks at SOURCE, one a line."""
    for uid in sorted(registry_at(source, yaml)):
        tell(uid)


@click.command("show", cls=Command)
@click.argument("uid")
@click.option("--in", "source", help=SOURCE_HELP)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@yaml_option
def show_command(*, uid: str, source: str | None, as_json: bool, yaml: str) -> None:
    """Print all that is known of the block UID.

    UID may be module:callable: then what would be derived is shown, and
    nothing is registered.
    """
    block = block_at(uid, source, yaml)
    if as_json:
        record = block_metadata(block, (*block_metadata(()).columns, "inputs", "output", "constructor")).records()[0]
        record["input_schema"] = block.input_schema()
        record["output_schema"] = None if block.output_schema is None else block.output_schema.plain(errors=False)
        tell(json.dumps(record, indent=2, ensure_ascii=False))
    else:
        tell(_page(block))


def _chosen(registry: Registry, category: str | None, package: str | None) -> list[Block]:
    """Return the blocks of *category* and *package*; where there are none, why is said on stderr."""
    blocks = list(registry.values())
    asked = (("category", category, _category), ("package", package, _package))
    found = blocks
    for what, wanted, of in asked:
        if wanted is None:
            continue
        there = sorted({of(b) for b in blocks})
        if wanted not in there:
            hint = did_you_mean(wanted, there) or f"there are {listing(there)}"
            click.echo(f"blockargs: no block has the {what} {quoted(wanted)}; {hint}", err=True)
        found = [b for b in found if of(b) == wanted]
    return found


def _category(block: Block) -> str:
    return block.category


def _package(block: Block) -> str:
    return block.package or "local"


def _columns(fields: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in fields.split(",") if name.strip())


def _with_columns(table: MetadataTable, columns: tuple[str, ...]) -> MetadataTable:
    for name in columns:
        table.column(name)  # says which columns there are when one is wrong
    return table


def _page(block: Block) -> str:
    """Return *block* as a page of text."""
    parts = [f"{block.name} ({block.uid})"]
    facts = {
        "category": block.category,
        "package": block.package,
        "keywords": ", ".join(block.keywords),
        "inputs": ", ".join(block.inputs),
        "output": block.output,
        "link": block.link,
    }
    parts.append("\n".join(f"{key}: {value}" for key, value in facts.items() if value))
    parts += [text for text in (block.description, block.details) if text]
    if block.arguments:
        parts.append("Arguments\n" + "\n".join(_argument_lines(block)))
    if block.guidance:
        parts.append(f"Guidance for the model\n{_indented(block.guidance)}")
    if block.examples:
        lines = "\n".join(json.dumps(thawed(e), ensure_ascii=False) for e in block.examples)
        parts.append(f"Worked configurations\n{_indented(lines)}")
    parts.append(f"Schema\n{_indented(pretty(block.input_schema()))}")
    if block.output_schema is not None:
        parts.append(f"Output schema\n{_indented(pretty(block.output_schema.plain(errors=False)))}")
    return "\n\n".join(part for part in parts if part)


def _argument_lines(block: Block) -> list[str]:
    lines = []
    for name, arg in block.arguments.items():
        kind = "any" if arg.type is None else spell(arg.type)
        if arg.hidden:
            need = "hidden"
        elif arg.required:
            need = "required"
        else:
            need = "optional" if arg.default is MISSING else f"default {quoted(thawed(arg.default))}"
        lines.append(f"  {name}: {kind}, {need}")
        if arg.description:
            lines.append(f"      {' '.join(arg.description.split())}")
        if arg.example is not None:
            lines.append(f"      for example {json.dumps(thawed(arg.example), ensure_ascii=False)}")
    return lines


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.splitlines())
