"""SOURCE, --output and the width of the terminal: what the commands share."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from .._text import listing
from ..errors import BlockArgsError, UnknownSourceError
from ..registry import Registry, load_registry
from ..registry.sources import blocks_in
from ..spec import Block
from .nearest import Choice, block_named, hinted, refuse_python_file
from .streams import tell

SOURCE_HELP = "A folder, a YAML file, an installed package or module:attribute; by default the bundled blocks."


def source_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give *command* the optional argument SOURCE."""
    return click.argument("source", required=False)(command)


def yaml_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give *command* the option ``--yaml``."""
    option = click.option("--yaml", type=Choice(["1.1", "1.2"]), default="1.2", help="1.1 reads yes/no as booleans.")
    return option(command)


def output_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give *command* the option ``--output``."""
    return click.option("--output", "-o", type=click.Path(dir_okay=False), help="Write to this file.")(command)


def registry_at(source: str | None, yaml: str = "1.2", *, names: Iterable[str] = ()) -> Registry:
    """Return the registry at SOURCE; modules of the working folder can be named, and *names* could be meant."""
    see_working_folder()
    refuse_python_file(source)
    try:
        return load_registry(source, yaml=yaml)
    except BlockArgsError as error:
        raise hinted(error, source, names) from error.__cause__


def block_at(name: str, source: str | None, yaml: str = "1.2") -> Block:
    """Return the block called *name* at SOURCE, or what ``module:callable`` derives."""
    if source is None and ":" in name:
        found = registry_at(name, yaml)
        if len(found) != 1:
            message = f"{name} holds {len(found)} blocks"
            hint = f"name one of {listing(found)}, with --in {name}" if found else ""
            raise UnknownSourceError.of(message, hint=hint)
        return next(iter(found.values()))
    return block_named(registry_at(source, yaml), name)


def blocks_at(name: str | None, source: str | None = None, yaml: str = "1.2") -> list[Block]:
    """Return the blocks that ``UID|SOURCE`` means: a uid at *source*, else a bundled uid, else a source."""
    if source is not None:
        registry = registry_at(source, yaml)
        return list(registry.values()) if name is None else [block_named(registry, name)]
    bundled = load_registry()
    if name is not None and name in bundled:
        return [bundled[name]]
    return blocks_in(registry_at(name, yaml, names=bundled))


def write(text: str, output: str | None) -> None:
    """Print *text*, or write it to the file *output*; it ends in one new line."""
    whole = text if text.endswith("\n") else f"{text}\n"
    if output is None:
        tell(whole, nl=False)
    else:
        Path(output).write_text(whole, encoding="utf-8")


def width() -> int:
    """Return the columns of the terminal; 100 where there is none."""
    return shutil.get_terminal_size((100, 24)).columns


def see_working_folder() -> None:
    """Let ``module:attribute`` name a module beside the user, after everything installed."""
    here = os.getcwd()  # noqa: PTH109 - a text for sys.path
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)
