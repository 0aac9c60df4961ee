"""Commands for people who write blocks: check, collect."""

from __future__ import annotations

import time
from pathlib import Path

import click

from .._text import plural
from ..check import check_blocks, read_allowances
from ..collect import ON_ERROR, collected_yaml, drift
from ..declare.writer import save_text
from .nearest import Choice, ExistingFile, refuse_unknown_module
from .source import registry_at, see_working_folder, source_argument, yaml_option
from .streams import Command, read_text, tell

PATIENCE = 1.0  # seconds after which progress is shown


@click.command("check", cls=Command)
@source_argument
@click.option("--construct", is_flag=True, help="Call each constructor with its worked configurations.")
@click.option("--suggest", is_flag=True, help="Propose a type for each untyped argument, from its example.")
@click.option("--allow", type=ExistingFile(), help="YAML: uid to path to the reason it is right.")
@yaml_option
def check_command(*, source: str | None, construct: bool, suggest: bool, allow: str | None, yaml: str) -> int:
    """Compare the blocks at SOURCE with their constructors.

    Each problem is a line `file:line: uid: path: message`; exit code 1 when there are any.
    """
    registry = registry_at(source, yaml)
    allowances = read_allowances(read_text(allow), Path(allow).name) if allow else {}
    report = check_blocks(registry, construct=construct, suggest=suggest, allow=allowances, progress=_ProgressLine())
    for finding in report.findings:
        tell(str(finding))
    for remark in report.remarks:
        click.echo(f"note: {remark}", err=True)
    allowed = f", {len(report.allowed)} allowed" if report.allowed else ""
    click.echo(f"{plural(report.blocks, 'block')}, {plural(len(report.findings), 'problem')}{allowed}", err=True)
    return 0 if report.ok else 1


@click.command("collect", cls=Command)
@click.argument("modules", nargs=-1, required=True, metavar="MODULE…")
@click.option("--output", "-o", type=click.Path(dir_okay=False), help="Write the declarations to this file.")
@click.option(
    "--check", "only_check", is_flag=True, help="Write nothing; exit code 1 and a diff when --output is stale."
)
@click.option("--link", help="Template of links: {uid}, {module}, {name} and {package} are filled in.")
@click.option("--on-error", type=Choice(ON_ERROR), default="abort", help="Stop at the first fault, or list all.")
def collect_command(
    *, modules: tuple[str, ...], output: str | None, only_check: bool, link: str | None, on_error: str
) -> int:
    """Write the declarations of the decorated or listed constructors of modules.

    MODULE is a module whose decorated blocks are taken, or module:name for one constructor.
    """
    see_working_folder()
    for module in modules:
        refuse_unknown_module(module.partition(":")[0])
    text = collected_yaml(modules, link=link, on_error=on_error)
    if only_check:
        if output is None:
            raise click.UsageError("--check compares with a file: name it with --output")
        there = read_text(output, None) if Path(output).exists() else ""
        difference = drift(there, text, Path(output).name)
        tell(difference, nl=False)
        return 1 if difference else 0
    if output is None:
        tell(text, nl=False)
    else:
        save_text(Path(output), text)
    return 0


class _ProgressLine:
    """Says on stderr how far a long check is, about once a second."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PATIENCE

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        if now >= self._next and done < of:
            self._next = now + PATIENCE
            click.echo(f"checked {done} of {plural(of, 'block')} …", err=True)
