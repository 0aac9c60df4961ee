"""Commands that take what a model answered: decode, call."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import click

from ..dispatch import Toolset
from ..errors import Note, Problem
from ..keywords import MAX_TEXT
from ..reply import decode_arguments, decode_reply
from ..reply.decode import Decoded
from .source import SOURCE_HELP, block_at, blocks_at, yaml_option


@click.command("decode")
@click.argument("name", metavar="UID|SOURCE")
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--in", "source", help=SOURCE_HELP)
@click.option("--strict", is_flag=True, help="Refuse every repair.")
@click.option(
    "--arguments", "only_arguments", is_flag=True, help="The text is the arguments of one call, not free text."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@yaml_option
def decode_command(
    *, name: str, file: Any, source: str | None, strict: bool, only_arguments: bool, as_json: bool, yaml: str
) -> int:
    """Decode the reply in FILE (by default stdin) against the block UID or the blocks at SOURCE.

    Exit code 1 when there are problems.
    """
    text = file.read(MAX_TEXT + 1).decode("utf-8", "replace")
    blocks = blocks_at(name, source, yaml)
    if only_arguments and len(blocks) != 1:
        raise click.UsageError(f"--arguments needs one block; {name} has {len(blocks)}")
    found = (
        decode_arguments(text, blocks[0], strict=strict)
        if only_arguments
        else decode_reply(text, blocks, strict=strict)
    )
    click.echo(json.dumps(_record(found), indent=2, ensure_ascii=False) if as_json else _page(found))
    return 0 if found.ok else 1


@click.command("call")
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
    text = sys.stdin.read(MAX_TEXT + 1) if arguments == "-" else arguments
    block = block_at(uid, source, yaml)
    toolset = Toolset([block], strict=strict)
    run = toolset.run({"name": block.wire_name or block.uid, "arguments": text})
    if as_json:
        record = {
            "ok": run.ok,
            "uid": block.uid,
            "content": run.content,
            "notes": [n.record() for n in run.notes],
            "problems": [p.record() for p in run.problems],
        }
        click.echo(json.dumps(record, indent=2, ensure_ascii=False, default=str))
    else:
        # a failure that is no problem of the call is told in its own words
        failed = [] if run.ok or run.problems else [f"blockargs: {run.text}"]
        for line in (*_lines(run.notes, run.problems), *failed):
            click.echo(line, err=True)
        if run.ok:
            click.echo(repr(run.outcome) if run.content is None else run.text)
    return 0 if run.ok else 1


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
