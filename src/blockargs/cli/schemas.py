"""Commands for people who offer blocks to a model: schema, lint."""

from __future__ import annotations

import json
from typing import Literal

import click

from .._text import plural
from ..dialects import DIALECTS, export_tools, lint_tools
from ..dialects.clients import CLIENTS
from .nearest import Choice
from .source import SOURCE_HELP, blocks_at, output_option, registry_at, source_argument, write, yaml_option
from .streams import Command, tell


@click.command("schema", cls=Command)
@click.argument("name", metavar="UID|SOURCE", required=False)
@click.option("--in", "source", help=SOURCE_HELP)
@click.option("--dialect", default="mcp", type=Choice(sorted(DIALECTS)), show_default=True)
@click.option("--strict", is_flag=True, help="The provider's strict form.")
@click.option("--detail", type=Choice(["full", "lean"]), default="full", help="lean: name and one line.")
@output_option
@yaml_option
def schema_command(
    *,
    name: str | None,
    source: str | None,
    dialect: str,
    strict: bool,
    detail: Literal["full", "lean"],
    output: str | None,
    yaml: str,
) -> int:
    """Print the tool schemas of UID|SOURCE as the fragment of a request body.

    Exit code 1 when a block had to be left out; why is said on stderr.
    """
    export = export_tools(blocks_at(name, source, yaml), dialect, strict=strict, detail=detail)
    write(json.dumps(export.request(), indent=2, ensure_ascii=False), output)
    for problem in export.problems:
        click.echo(f"blockargs: {problem}", err=True)
    return 1 if export.problems else 0


@click.command("lint", cls=Command)
@source_argument
@click.option("--dialect", "dialects", multiple=True, type=Choice(sorted(DIALECTS)), help="By default all.")
@click.option("--client", "clients", multiple=True, type=Choice(sorted(CLIENTS)))
@click.option(
    "--server", default="blockargs", show_default=True, help="The server's name, which clients join to names."
)
@click.option("--strict", is_flag=True, help="The providers' strict forms.")
@click.option("--json", "as_json", is_flag=True, help="Print every note and problem as JSON.")
@yaml_option
def lint_command(
    *,
    source: str | None,
    dialects: tuple[str, ...],
    clients: tuple[str, ...],
    server: str,
    strict: bool,
    as_json: bool,
    yaml: str,
) -> int:
    """Tell which blocks at SOURCE which provider would refuse, before anything is sent."""
    report = lint_tools(
        registry_at(source, yaml), dialects=dialects or "all", clients=clients, server=server, strict=strict
    )
    if as_json:
        tell(json.dumps(report.records(), indent=2, ensure_ascii=False))
    else:
        tell(report.render())
    click.echo(plural(len(report.problems), "problem"), err=True)
    return 1 if report.problems else 0
