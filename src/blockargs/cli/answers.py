"""Commands that take what a model answered: decode, call."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import click

from ..dispatch import Toolset
from ..dispatch.run import META, ToolRun
from ..errors import MissingDependencyError, Note, Problem, UnknownBlockError
from ..reply import decode_arguments, decode_reply
from ..reply.decode import Decoded
from .source import SOURCE_HELP, block_at, blocks_at, yaml_option
from .streams import Command, read_text, tell


@click.command("decode", cls=Command)
@click.argument("name", metavar="UID|SOURCE")
@click.argument("file", default="-")
@click.option("--in", "source", help=SOURCE_HELP)
@click.option("--strict", is_flag=True, help="Refuse every repair.")
@click.option(
    "--arguments", "only_arguments", is_flag=True, help="The text is the arguments of one call, not free text."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@yaml_option
def decode_command(
    *, name: str, file: str, source: str | None, strict: bool, only_arguments: bool, as_json: bool, yaml: str
) -> int:
    """Decode the reply in FILE (by default stdin) against the block UID or the blocks at SOURCE.

    Exit code 1 when there are problems.
    """
    text = read_text(file)
    blocks = blocks_at(name, source, yaml)
    if only_arguments and len(blocks) != 1:
        raise click.UsageError(f"--arguments needs one block; {name} has {len(blocks)}")
    found = (
        decode_arguments(text, blocks[0], strict=strict)
        if only_arguments
        else decode_reply(text, blocks, strict=strict)
    )
    tell(json.dumps(_record(found), indent=2, ensure_ascii=False) if as_json else _page(found))
    return 0 if found.ok else 1


@click.command("call", cls=Command)
@click.argument("uid")
@click.argument("arguments", required=False, default="{}")
@click.option("--in", "source", help=SOURCE_HELP)
@click.option("--strict", is_flag=True, help="Refuse every repair.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole run as JSON.")
@yaml_option
def call_command(*, uid: str, arguments: str, source: str | None, strict: bool, as_json: bool, yaml: str) -> int:
    """Construct the block UID with ARGUMENTS (JSON, or - for stdin) and print the result.

    Exit code 1 when the call was refused or failed; then nothing was applied.
    """
    text = read_text("-") if arguments == "-" else arguments
    block = block_at(uid, source, yaml)
    toolset = Toolset([block], strict=strict)
    run = toolset.run({"name": block.wire_name or block.uid, "arguments": text})
    _refuse_what_cannot_run(run)
    if as_json:
        tell(json.dumps(_run_record(run), indent=2, ensure_ascii=False, default=str))
    else:
        # a failure that is no problem of the call is told in its own words
        failed = [] if run.ok or run.problems else [f"blockargs: {run.text}"]
        for line in (*_lines(run.notes, run.problems), *failed):
            click.echo(line, err=True)
        if run.ok:
            tell(repr(run.outcome) if run.content is None else run.text)
    return 0 if run.ok else 1


def _refuse_what_cannot_run(run: ToolRun) -> None:
    """Tell that an extra is missing, or that there is no constructor: neither is the fault of the call."""
    if isinstance(run.outcome, MissingDependencyError) or (
        run.attempts == 0 and isinstance(run.outcome, UnknownBlockError)
    ):
        raise run.outcome


def _run_record(run: ToolRun) -> dict[str, Any]:
    """Return all of *run*, and what only the host may know: which exception ended it."""
    fault = run.outcome if isinstance(run.outcome, BaseException) and not run.ok else None
    return {
        **run.record(),
        "details": run.details,
        "exception": None if fault is None else _class_name(type(fault)),
        "error_id": run.meta.get(f"{META}error_id"),
    }


def _class_name(cls: type) -> str:
    """Return ``KeyError`` or ``package.module.Class``."""
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def _record(found: Decoded) -> dict[str, Any]:
    return {
        "ok": found.ok,
        "uid": found.uid,
        "value": found.value,
        "notes": [n.record() for n in found.notes],
        "problems": [p.record() for p in found.problems],
    }


def _page(found: Decoded) -> str:
    head = [f"{found.uid}:"] if found.uid else []
    value = [json.dumps(found.value, indent=2, ensure_ascii=False)] if found.ok else []
    return "\n".join([*head, *value, *_lines(found.notes, found.problems)])


def _lines(notes: Iterable[Note], problems: Iterable[Problem]) -> list[str]:
    return [*(f"note: {n}" for n in notes), *(f"problem: {p}" for p in problems)]
