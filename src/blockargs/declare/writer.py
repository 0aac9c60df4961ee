"""Blocks to YAML: one canonical form, written all at once or not at all."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from .._text import listing, plural, quoted
from ..errors import InvalidDeclarationError, Problem, UnnamedConstructorWarning, at
from ..keywords import MAX_DEPTH, MAX_TEXT
from ..node import ArgType, json_key, thawed
from ..spec import ARGUMENT_KEYS, MISSING, Block, BlockArg, ConstructorRef
from ..spec.metadata import field_problem
from ..spelling import spell
from ..validate import problems_in
from .emit import Unwritable, lines_of
from .entry import METADATA, SCHEMAS, Unfit
from .loader import NOT_IN_YAML

MODELINE: Final = "# yaml-language-server: $schema=block.schema.json"
_SAID_ANYWAY: Final = {"category": "uncategorized", "kind": "block"}  # what an entry without the key means
_SHOWN: Final = 40  # characters of a file's name in that of the file that is to become it
_TOO_DEEP: Final = f"lists and mappings are nested deeper than the {MAX_DEPTH} levels that are read"
Entry = dict[str, Any]
Blocks = Mapping[str, Block] | Block | Iterable[Block]


def write_declarations(blocks: Blocks, *, header: str = "") -> str:
    """Return *blocks* as canonical YAML, which reads back as the same blocks.

    The order of keys is fixed, types have their short spelling where it says all, texts of several
    lines stand line by line. A constructor is written as ``package.module:name``; one that cannot
    be imported by a name is left out, which an `UnnamedConstructorWarning` tells. What only code can
    say (validators, ``tells``) and a default that is no JSON are not written.

    Args:
        blocks: What to write, in this order: a `Registry`, a `Block`, or an iterable of blocks.
        header: Lines of comment below the first line, which names the format for editors.

    Raises:
        InvalidDeclarationError: Something is no block, two blocks have one uid, something is no JSON or
            could not be read back, or the text is longer than the 4 MiB that are read.
    """
    return _declared(blocks, header, level=3)


def _declared(blocks: Blocks, header: str, *, level: int) -> str:
    """Return *blocks* as YAML; a warning points to the caller that many *level* s up."""
    listed = _listed(blocks)
    problems: list[Problem] = []
    seen: set[str] = set()
    parts = ["\n".join([MODELINE, *_comment(header)])]
    for block in listed:
        if block.uid in seen:
            problems.append(_unwritable(block, "$", "the uid stands twice"))
        seen.add(block.uid)
        written, faults = _written(block)
        problems += faults
        parts.append("\n".join([*_heading(block.uid), *written]))
    if problems:
        raise InvalidDeclarationError(problems)
    text = "\n\n".join(parts) + "\n"
    if (size := len(text.encode())) > MAX_TEXT:
        raise InvalidDeclarationError(
            f"{plural(len(listed), 'block')} make {size} bytes of YAML, and at most {MAX_TEXT} of one file are read; "
            "write a file for each family of blocks"
        )
    _warn_of_unnamed(listed, level + 1)
    return text


def _listed(blocks: Any) -> list[Block]:
    """Return what is to be written, one by one; all that is no block is told at once."""
    given = blocks.values() if isinstance(blocks, Mapping) else [blocks] if isinstance(blocks, Block) else blocks
    if not isinstance(given, Iterable) or isinstance(given, str | bytes):
        raise InvalidDeclarationError(f"{quoted(blocks)} is no block; pass a Registry, a Block, or a list of blocks")
    listed = list(given)
    hint = "derive_block() makes a block of a constructor"
    problems = [
        Problem(code=InvalidDeclarationError.code, path=at("$", index), message=f"{quoted(one)} is no block", hint=hint)
        for index, one in enumerate(listed)
        if not isinstance(one, Block)
    ]
    if problems:
        raise InvalidDeclarationError(problems)
    return listed


def _comment(header: str) -> Iterable[str]:
    if not isinstance(header, str) or (odd := NOT_IN_YAML.search(header)):
        shown = quoted(odd[0] if isinstance(header, str) and odd else header)
        raise InvalidDeclarationError(f"{shown} cannot stand in a header; pass lines of text")
    return (f"# {line}".rstrip() for line in header.splitlines())


def _warn_of_unnamed(blocks: Iterable[Block], level: int) -> None:
    """Warn of constructors that the text had to leave out."""
    unnamed = [b.uid for b in blocks if b.constructor is not None and reference_to(b.constructor) is None]
    if unnamed:
        message = (
            f"written without constructor: {listing(unnamed)}; what builds a block is named only where it can be "
            "imported: define it at the top of a module, by a name of its own"
        )
        warnings.warn(UnnamedConstructorWarning(message), stacklevel=level)


def _written(block: Block) -> tuple[list[str], list[Problem]]:
    """Return the lines of a block's entry, and what of it YAML cannot hold."""
    lines: list[str] = []
    problems: list[Problem] = []
    try:
        entry = entry_of(block)
    except RecursionError:
        return [], [_unwritable(block, "$", _TOO_DEEP)]
    if (problem := field_problem("uid", block.uid)) is not None:
        problems.append(_unwritable(block, "$.uid", problem.message))
    for key, value in entry.items():
        if _levels(value) + 2 > MAX_DEPTH:  # the file and the entry are the first two
            problems.append(_unwritable(block, at("$", key), _TOO_DEEP))
            continue
        try:
            lines += lines_of(key, value, 2)
            METADATA.get(key, bool)(value)  # what could not be read back
        except Unwritable as reason:
            problems.append(_unwritable(block, at("$", key), f"YAML cannot hold {reason}"))
        except Unfit as reason:
            problems.append(_unwritable(block, at("$", key), reason.message))
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


def _same(a: Sequence[Any], b: Sequence[Any]) -> bool:
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
    if inspect.ismethod(constructor) and not isinstance(constructor.__self__, type):
        return None  # its name says nothing of the object it belongs to
    module = getattr(constructor, "__module__", None)
    name = getattr(constructor, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or "<" in name or module == "__main__":
        return None
    return f"{module}:{name}" if _leads_somewhere(module, name) else None


def _leads_somewhere(module: str, name: str) -> bool:
    """Tell whether *name* can be called in *module*, as far as that is known without importing it."""
    found: Any = sys.modules.get(module)
    if found is None:
        return True
    for part in name.split("."):
        found = getattr(found, part, None)
    return callable(found)


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


def save_declarations(path: str | os.PathLike[str], blocks: Blocks, header: str = "") -> None:
    """Write *blocks* to the file *path*: whoever reads it, whenever, finds the old text or the new one, whole.

    Raises:
        InvalidDeclarationError: As for `write_declarations`; the file is as it was.
        OSError: The folder cannot be written to; the file is as it was.
    """
    save_text(path, _declared(blocks, header, level=3))


def save_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace the content of the file *path* by *text*, at one moment.

    Raises:
        OSError: It cannot be written; the error names *path*.
    """
    place = Path(os.path.realpath(path))  # a link stays a link
    part = place.with_name(f".{place.name[:_SHOWN]}.{os.urandom(8).hex()}.tmp")
    try:
        with part.open("xb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            part.chmod(place.stat().st_mode & 0o777)
        part.replace(place)
    except OSError as reason:
        # the file the caller knows, not the one that was to become it
        raise OSError(reason.errno, reason.strerror, os.fspath(path)) from None
    finally:
        with contextlib.suppress(OSError):  # whatever happened, nothing is left of it
            part.unlink(missing_ok=True)
    _keep_name(place.parent)


def _keep_name(folder: Path) -> None:
    """Have the disk remember the names in *folder*, where the system can."""
    with contextlib.suppress(OSError):  # some systems open no folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
