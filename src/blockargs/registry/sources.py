"""Where registries come from: folders, YAML files, installed packages, modules, entry points."""

from __future__ import annotations

import errno
import importlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from .._text import listing, quoted
from ..errors import (
    BlockArgsError,
    InvalidBlockArgError,
    InvalidDeclarationError,
    InvalidOptionError,
    PluginWarning,
    Problem,
    UnknownSourceError,
)
from ..keywords import MAX_TEXT
from ..spec import Block
from .default import default_registry
from .store import Registry, a_registry

# what blocks can be given as, wherever they are taken
Blocks: TypeAlias = Registry | Block | str | Callable[..., Any] | Iterable["Blocks"]
ENTRY_POINTS = "blockargs.blocks"
FOLDERS = ("declarations", "registry")  # where an installed package keeps its declarations


def load_registry(
    source: Path | Blocks | None = None,
    *,
    into: Registry | None = None,
    yaml: str = "1.2",
) -> Registry:
    """Return a registry of the blocks that *source* declares.

    Reading declarations imports no constructor.

    Args:
        source: A folder of YAML files (folders in it are not read), one YAML file, the name of an installed package
            that ships a folder ``declarations`` or ``registry``, or ``"module:attribute"``
            that holds blocks. ``None`` is the bundled blocks.
        into: A registry to load into, where blocks of the same uid are replaced; by
            default a new one.
        yaml: ``"1.1"`` reads unquoted yes/no as booleans. Files that R's generator wrote
            are recognised.

    Raises:
        InvalidDeclarationError: A declaration is wrong; every problem of every file is
            named with its line. Nothing is registered.
        UnknownSourceError: There is nothing at *source*.
        InvalidOptionError: *yaml* is neither, or *into* is no registry.
    """
    registry = Registry() if into is None else a_registry(into, "into")
    blocks = list(_blocks_at(source, yaml))
    _refuse_twice(blocks)
    registry.register_all(blocks, overwrite=into is not None, construct=False)
    return registry


def discover_blocks(*, into: Registry | None = None, group: str = ENTRY_POINTS) -> list[str]:
    """Load what installed packages offer under the entry points *group*.

    An entry point names a module or package whose decorated blocks are taken, a function
    that registers its blocks in the registry it is given (an empty one, so that a failure
    leaves nothing behind), or blocks in any form that `blocks_in` takes. One that is broken
    is a `PluginWarning` that names its distribution; the others are loaded.

    Returns:
        The uids that were registered, sorted.

    Raises:
        InvalidOptionError: *into* is no registry, or *group* is no text.
    """
    if not isinstance(group, str):
        raise InvalidOptionError.of(f"a group of entry points is a text, not {quoted(group)}", path="$.group")
    from importlib.metadata import entry_points  # noqa: PLC0415 - 20 ms that a bare import need not pay

    registry = default_registry() if into is None else a_registry(into, "into")
    found: set[str] = set()
    for entry in sorted(entry_points(group=group), key=lambda e: (e.name, e.value)):
        try:
            found |= _plugged(entry.load(), registry)
        except (Exception, SystemExit) as reason:  # noqa: BLE001 - a stranger's package may fail in any way
            owner = entry.dist.name if entry.dist is not None else "unknown"
            message = (
                f"entry point {quoted(entry.name)} of {quoted(owner)} was left out: {type(reason).__name__}: {reason}"
            )
            warnings.warn(PluginWarning(message), stacklevel=2)
    return sorted(found)


def blocks_in(blocks: Blocks | None = None) -> list[Block]:
    """Return the blocks that *blocks* means.

    Args:
        blocks: A `Registry`, a `Block`, a uid of the default registry, a typed callable
            or class, or an iterable of these; ``None`` is the default registry.

    Raises:
        UnknownBlockError: A uid that is not there.
        BlockArgsError: A callable that cannot be derived, or something that is no block.
    """
    try:
        return _listed(default_registry() if blocks is None else blocks)
    except RecursionError:
        raise InvalidBlockArgError("the blocks are nested too deeply, or contain themselves") from None


def _listed(blocks: Any) -> list[Block]:
    if isinstance(blocks, Registry):
        return list(blocks.values())
    if isinstance(blocks, Block):
        return [blocks]
    if isinstance(blocks, str):
        return [default_registry()[blocks]]
    if callable(blocks):
        return [_of_callable(blocks)]
    if isinstance(blocks, Iterable) and not isinstance(blocks, bytes):
        listed = blocks.values() if hasattr(blocks, "values") and hasattr(blocks, "keys") else blocks
        return [found for one in listed for found in _listed(one)]
    raise InvalidBlockArgError(f"{quoted(blocks)} is no block, registry, uid or constructor")


def _of_callable(constructor: Any) -> Block:
    """Return the block registered for *constructor*, or what is derived from it."""
    for known in default_registry().values():
        if known.constructor is constructor:
            return known
    from ..derive import derive_block  # noqa: PLC0415 - declarations alone need none of it

    return derive_block(constructor)


def _blocks_at(source: Any, yaml: str) -> Iterator[Block]:
    if source is None:
        yield from _read_folder(_bundled(), yaml)
    elif not isinstance(source, str | Path):
        yield from blocks_in(source)
    elif not str(source):
        raise _nothing(source)
    elif _is(path := Path(source), Path.is_dir):
        yield from _read_folder(path, yaml)
    elif _is(path, Path.is_file):
        yield from _read_files([path], path.parent, yaml)
    elif isinstance(source, str) and ":" in source and _is_dotted(source.replace(":", ".", 1)):
        yield from _blocks_of(_attribute(source), source)
    elif isinstance(source, str) and _is_dotted(source):
        yield from _read_folder(_package_folder(source), yaml)
    else:
        raise _nothing(source)


def _is(path: Path, kind: Callable[[Path], bool]) -> bool:
    """Tell whether *path* is of that *kind*; a text far too long for a path is none."""
    try:
        return kind(path)
    except OSError as reason:
        if reason.errno == errno.ENAMETOOLONG:
            return False
        raise _closed(path, reason) from None


def _closed(path: Path, reason: OSError) -> UnknownSourceError:
    """Return what to say of a *path* at which something may stand, but cannot be looked at."""
    return UnknownSourceError(f"{quoted(path.name)} cannot be read: {reason.strerror or type(reason).__name__}")


def _is_dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _nothing(source: Any) -> UnknownSourceError:
    return UnknownSourceError(
        f"there is no folder, YAML file, installed package or module:attribute {quoted(str(source))}"
    )


def _attribute(source: str) -> Any:
    module, _, name = source.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except BlockArgsError:
        raise  # the module's own blocks are at fault, and say so
    except (Exception, SystemExit) as reason:
        raise UnknownSourceError(f"{quoted(source)} cannot be loaded: {type(reason).__name__}: {reason}") from reason
    return found


def _blocks_of(found: Any, source: str) -> list[Block]:
    """Return the blocks that an attribute holds; a text there is no uid, and is not shown."""
    members = found.values() if isinstance(found, Mapping) else found
    listed = isinstance(members, Iterable) and not isinstance(members, Block | str | bytes | type)
    one_by_one = list(members) if listed else [members]
    if all(isinstance(one, Block | Registry) or callable(one) for one in one_by_one):
        return blocks_in(one_by_one)
    raise UnknownSourceError.of(
        f"{quoted(source)} holds no blocks", hint="name a registry, a constructor, or a list of these"
    )


def _bundled() -> Path:
    """Return the folder of the bundled declarations: in the wheel, or beside the sources of a checkout."""
    package = Path(__file__).parents[1]
    packaged = package / "declarations"
    return packaged if packaged.is_dir() else package.parents[1] / "registry"  # an editable install


def _package_folder(name: str) -> Path:
    from importlib.resources import files  # noqa: PLC0415 - a bare import need not pay for it
    from importlib.util import find_spec  # noqa: PLC0415 - as above

    if name == "blockargs":
        return _bundled()
    try:
        spec = find_spec(name)
        if spec is None or spec.submodule_search_locations is None:  # a module has no folder of its own
            raise _nothing(name)
        root = files(name)
    except (ImportError, TypeError, ValueError):
        raise _nothing(name) from None
    for folder in FOLDERS:
        place = Path(str(root.joinpath(folder)))
        if place.is_dir():
            return place
    raise UnknownSourceError(f"package {quoted(name)} has no folder {listing(FOLDERS, last='or')}")


def _read_folder(folder: Path, yaml: str) -> list[Block]:
    try:
        files = sorted(path for path in folder.iterdir() if path.name.endswith((".yml", ".yaml")))
    except OSError as reason:  # glob() would find nothing
        raise _closed(folder, reason) from None
    if not files:
        raise UnknownSourceError(f"the folder {quoted(folder.name)} holds no YAML file")
    return _read_files(files, folder.parent, yaml)


def _read_files(paths: list[Path], base: Path, yaml: str) -> list[Block]:
    """Read all of *paths*; every problem of every file is in the one error."""
    from ..declare import read_declarations  # noqa: PLC0415 - brings in the YAML library

    blocks: list[Block] = []
    problems: list[Problem] = []
    for path in paths:
        name = path.relative_to(base).as_posix()
        try:
            blocks += read_declarations(_text_of(path, name), file=name, yaml=yaml)
        except InvalidDeclarationError as error:
            problems += error.problems
    if problems:
        raise InvalidDeclarationError(problems)
    return blocks


def _text_of(path: Path, name: str) -> str:
    try:
        if not path.is_file():  # a pipe would be waited for
            raise _unreadable(_odd(path), f"{name}:1", "take it out of the folder, or give it another ending")
        with path.open("rb") as file:
            raw = file.read(MAX_TEXT + 1)
    except OSError as reason:
        raise _unreadable(f"the file cannot be read: {reason.strerror or type(reason).__name__}", f"{name}:1") from None
    if len(raw) > MAX_TEXT:
        raise _unreadable(f"the file is larger than {MAX_TEXT} bytes", f"{name}:1")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as reason:
        line = raw.count(b"\n", 0, reason.start) + 1
        raise _unreadable(f"byte {reason.start} is not UTF-8", f"{name}:{line}") from None


def _odd(path: Path) -> str:
    """Say what stands at *path*, which is no file."""
    if path.is_dir():
        return "this is a folder, not a YAML file; folders in the folder are not read"
    if path.is_symlink() and not path.exists():
        return "this is a link that leads to no file"
    return "this is no ordinary file"


def _unreadable(message: str, source: str, hint: str = "") -> InvalidDeclarationError:
    return InvalidDeclarationError((_problem(message, source, hint),))


def _problem(message: str, source: str, hint: str = "") -> Problem:
    from ..declare import DeclarationProblem  # noqa: PLC0415 - who reads no declarations need not load what reads them

    return DeclarationProblem(code=InvalidDeclarationError.code, path="$", message=message, hint=hint, source=source)


def _refuse_twice(blocks: list[Block]) -> None:
    first: dict[str, Block] = {}
    problems = []
    for block in blocks:
        there = first.setdefault(block.uid, block)
        if there is not block:
            message = f"the uid {quoted(block.uid)} is declared twice, first in {there.source or 'the same source'}"
            problems.append(_problem(message, block.source, "rename one"))
    if problems:
        raise InvalidDeclarationError(problems)


def _plugged(found: Any, registry: Registry) -> set[str]:
    """Register what an entry point names, and return the uids; blocks of before are replaced."""
    if isinstance(found, ModuleType):
        blocks = blocks_of_module(found)
    elif callable(found) and not isinstance(found, type | Block | Registry):
        offered = Registry()  # so that a hook that fails midway leaves nothing behind
        found(offered)
        blocks = list(offered.values())
    else:
        blocks = blocks_in(found)
    if not blocks:
        raise UnknownSourceError("it offers no block")
    registry.register_all(blocks, overwrite=True, construct=False)
    return {b.uid for b in blocks}


def blocks_of_module(module: ModuleType) -> list[Block]:
    """Return the blocks that *module*, or a module within it, decorated: in the default registry or one of its own."""
    from ..derive import innermost  # noqa: PLC0415 - declarations alone need none of it

    registries = {id(r): r for r in (default_registry(), *vars(module).values()) if isinstance(r, Registry)}
    within = f"{module.__name__}."
    return [
        block
        for registry in registries.values()
        for block in registry.values()
        if f"{getattr(innermost(block.constructor), '__module__', '')}.".startswith(within)
    ]
