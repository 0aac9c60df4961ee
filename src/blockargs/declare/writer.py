"""Blocks to YAML: one canonical form, written all at once or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from .._text import quoted
from ..errors import InvalidDeclarationError, Problem, at
from ..node import ArgType, json_key, thawed
from ..spec import MISSING, Block, BlockArg, ConstructorRef
from ..spelling import spell
from ..validate import problems_in
from .emit import Unwritable, lines_of
from .entry import ARGUMENT_KEYS, METADATA, SCHEMAS
from .loader import MAX_DEPTH

MODELINE: Final = "# yaml-language-server: $schema=block.schema.json"
_SAID_ANYWAY: Final = {"category": "uncategorized", "kind": "block"}  # what an entry without the key means
_TOO_DEEP: Final = f"lists and mappings are nested deeper than the {MAX_DEPTH} levels that are read"
Entry = dict[str, Any]


def write_declarations(blocks: Iterable[Block], *, header: str = "") -> str:
    """Return *blocks* as canonical YAML, which reads back as the same blocks.

    The order of keys is fixed, types have their short spelling where it says all, texts of several
    lines stand line by line. A constructor is written as ``package.module:name`` where it can be
    imported by that name. What only code can say (validators, ``tells``) and a default that is no
    JSON are not written.

    Args:
        blocks: What to write, in this order.
        header: Lines of comment below the first line, which names the format for editors.

    Raises:
        InvalidDeclarationError: Two blocks have one uid, or something is no JSON.
    """
    problems: list[Problem] = []
    seen: set[str] = set()
    parts = ["\n".join([MODELINE, *(f"# {line}".rstrip() for line in header.splitlines())])]
    for block in blocks:
        if block.uid in seen:
            problems.append(_unwritable(block, "$", "the uid stands twice"))
        seen.add(block.uid)
        written, faults = _written(block)
        problems += faults
        parts.append("\n".join([*_heading(block.uid), *written]))
    if problems:
        raise InvalidDeclarationError(problems)
    return "\n\n".join(parts) + "\n"


def _written(block: Block) -> tuple[list[str], list[Problem]]:
    """Return the lines of a block's entry, and what of it YAML cannot hold."""
    lines: list[str] = []
    problems: list[Problem] = []
    try:
        entry = entry_of(block)
    except RecursionError:
        return [], [_unwritable(block, "$", _TOO_DEEP)]
    for key, value in entry.items():
        if _levels(value) + 2 > MAX_DEPTH:  # the file and the entry are the first two
            problems.append(_unwritable(block, at("$", key), _TOO_DEEP))
            continue
        try:
            lines += lines_of(key, value, 2)
        except Unwritable as reason:
            problems.append(_unwritable(block, at("$", key), f"YAML cannot hold {reason}"))
    return lines, problems


def _levels(value: Any) -> int:
    """Return how many lists and mappings stand inside each other."""
    deepest, stack = 0, [(value, 1)]
    while stack:
        current, level = stack.pop()
        if isinstance(current, dict | list):
            deepest = max(deepest, level)
            stack += [(part, level + 1) for part in (current.values() if isinstance(current, dict) else current)]
    return deepest


def _heading(uid: str) -> list[str]:
    return [lines_of(uid, "", 0)[0].removesuffix(' ""')]


def _unwritable(block: Block, path: str, message: str) -> Problem:
    return Problem(code=InvalidDeclarationError.code, path=path, message=f"block {quoted(block.uid)}: {message}")


def entry_of(block: Block) -> Entry:
    """Return what is declared of *block*, by key, in the order it is written; keys without news are left out."""
    found: Entry = {key: getattr(block, key) for key in METADATA}
    found["uid"] = block.uid if block.uid.startswith("new_") and block.uid != "new_" else None
    found["constructor"] = reference_to(block.constructor)
    found["inputs"] = list(block.inputs)
    found |= {key: getattr(block, field) for key, field in SCHEMAS.items()}
    found = {key: value for key, value in found.items() if _is_news(key, value)}
    if block.arguments:
        found["arguments"] = {name: _argument(arg) for name, arg in block.arguments.items()}
    own = block.arguments.example()
    if block.examples and not _same(block.examples, [own]):
        found["examples"] = block.examples
    return {key: _plain(value) for key, value in found.items()}


def _same(a: list[Any], b: list[Any]) -> bool:
    try:
        return bool(json_key(a) == json_key(b))
    except TypeError:  # something in them is no JSON
        return False


def _is_news(key: str, value: Any) -> bool:
    if isinstance(value, ArgType):
        return True
    return value is not None and value not in ([], {}) and value != _SAID_ANYWAY.get(key)


def _plain(value: Any) -> Any:
    return value.plain() if isinstance(value, ArgType) else thawed(value)


def reference_to(constructor: object) -> str | None:
    """Return ``package.module:name`` where *constructor* can be imported by that name."""
    if isinstance(constructor, ConstructorRef):
        return constructor.text
    module = getattr(constructor, "__module__", None)
    name = getattr(constructor, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or "<" in name or module == "__main__":
        return None
    return f"{module}:{name}"


def _argument(arg: BlockArg) -> Entry | str:
    """Return one argument; one of which only the description is known is that text."""
    spelled = "" if arg.type is None else spell(arg.type)
    found: Entry = {
        "description": arg.description,
        "example": arg.example,
        "type": arg.type if spelled == "schema" else spelled or None,
        "required": True if arg.required else None,
        "error": arg.error,
        "hidden": True if arg.hidden else None,
        "aliases": list(arg.aliases) or None,
        "header": arg.header,
    }
    given = {key: _plain(value) for key, value in found.items() if value is not None}
    if arg.default is not MISSING and not problems_in(arg.default, {}):
        given["default"] = thawed(arg.default)
    if given.keys() == {"description"}:
        return str(arg.description)
    return {key: given[key] for key in ARGUMENT_KEYS if key in given}


def save_declarations(path: str | os.PathLike[str], blocks: Iterable[Block], header: str = "") -> None:
    """Write *blocks* to the file *path*: whoever reads it, whenever, finds the old text or the new one, whole.

    Raises:
        InvalidDeclarationError: As for `write_declarations`; the file is as it was.
        OSError: The folder cannot be written to; the file is as it was.
    """
    save_text(path, write_declarations(blocks, header=header))


def save_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace the content of the file *path* by *text*, at one moment."""
    place = Path(os.path.realpath(path))  # a link stays a link
    part = place.with_name(f".{place.name}.{os.urandom(8).hex()}.tmp")
    try:
        with part.open("xb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            part.chmod(place.stat().st_mode & 0o777)
        part.replace(place)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _keep_name(place.parent)


def _keep_name(folder: Path) -> None:
    """Have the disk remember the names in *folder*, where the system can."""
    with contextlib.suppress(OSError):  # some systems open no folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
