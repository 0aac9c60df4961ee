"""What was probably meant: options with a list of values, sources, blocks."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from .._text import did_you_mean, listing, quoted
from ..errors import BlockArgsError, UnknownBlockError, UnknownSourceError
from ..registry import Registry
from ..spec import Block
from .streams import near_file

# what a module of blocks calls its registry
_REGISTRY = re.compile(r"^(\w+)(?:\s*:[^=\n]+)?\s*=\s*(?:\w+\.)*Registry\(", re.MULTILINE)
MOST_READ = 1 << 20  # bytes of a module that are searched for a registry


class Choice(click.Choice):  # type: ignore[type-arg] # generic in later versions only
    """One of some values; of a wrong one the nearest is told."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return *value*, or refuse it."""
        if value not in self.choices:
            there = [str(c) for c in self.choices]
            hint = did_you_mean(str(value), there) or f"there are {listing(there)}"
            self.fail(f"{quoted(value)} is none of its values; {hint}", param, ctx)
        return super().convert(value, param, ctx)


class ExistingFile(click.Path):
    """A file that is read; of one that is not there the nearest is told."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return *value*, or refuse it."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as wrong:
            near = "" if Path(value).exists() else near_file(value)
            self.fail(f"{wrong.message.rstrip('.')}{near and f'; {near}'}", param, ctx)


def refuse_python_file(source: str | None) -> None:
    """Tell how a Python file is named: it is no YAML."""
    path = Path(source or "")
    if path.suffix != ".py" or not path.is_file():
        return
    module = ".".join(path.with_suffix("").parts)
    where = f"; run it in the folder {quoted(str(path.parent))}" if path.is_absolute() else ""
    module = path.stem if path.is_absolute() else module
    raise click.UsageError(f"{quoted(source)} is a Python file: {_python_hint(module, path)}{where}")


def hinted(error: BlockArgsError, source: str | None, names: Iterable[str] = ()) -> BlockArgsError:
    """Return *error*, of a *source* that is not there, with its cure where it has none; *names* might be meant too."""
    if source is None or not source or [p.code for p in error.problems] != ["source_unknown"]:
        return error
    problem = error.problems[0]
    hint = problem.hint or _source_hint(source, error.__cause__, names)
    return type(error)((replace(problem, hint=hint),), error.subject)


def block_named(registry: Registry, uid: str) -> Block:
    """Return the block of *registry*; when it has no such block, the nearest is told, or all are."""
    try:
        return registry[uid]
    except UnknownBlockError as error:
        problem = error.problems[0]
        hint = problem.hint or module_hint(uid.replace(":", ".")) or f"there are {listing(sorted(registry))}"
        raise UnknownBlockError((replace(problem, hint=hint),)) from None


def refuse_unknown_module(module: str) -> None:
    """Tell that there is no *module*; one that is there may still fail when it is imported."""
    try:
        there = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError as reason:
        there = not _is_within(module, reason.name)
    except ValueError:  # no name of a module
        there = False
    except (Exception, SystemExit):  # noqa: BLE001 - a package above it may fail in any way
        there = True
    if not there:
        stem = module.removesuffix(".py").replace("/", ".")
        hint = did_you_mean(module, [stem] if stem != module else _modules_here())
        raise UnknownSourceError.of(f"there is no module {quoted(module)}", hint=hint or _modules_listed())


def module_hint(module: str) -> str:
    """Return how blocks of *module*, if it lies in the working folder, are named."""
    stem = Path(*module.split("."))
    for file in (stem.with_suffix(".py"), stem / "__init__.py"):
        if module and file.is_file():
            return _python_hint(module, file)
    return ""


def _python_hint(module: str, file: Path) -> str:
    with file.open("rb") as stream:
        found = _REGISTRY.findall(stream.read(MOST_READ).decode("utf-8", "replace"))
    names = listing((f"{module}:{name}" for name in found or ["NAME"]), last="or")
    return f"name what it holds, as {names}; `blockargs collect {module}` writes what is decorated in it"


def _source_hint(source: str, cause: BaseException | None, names: Iterable[str]) -> str:
    if isinstance(cause, AttributeError) and isinstance(cause.obj, ModuleType):
        return _attribute_hint(cause.obj, cause.name or "")
    module, colon, _ = source.partition(":")
    if cause is not None and not (isinstance(cause, ModuleNotFoundError) and _is_within(module, cause.name)):
        return ""  # it is there, and fails
    if colon:
        return did_you_mean(module, _modules_here()) or _modules_listed()
    return module_hint(source.rstrip("/").replace("/", ".")) or _path_hint(source, names)


def _is_within(module: str, package: str | None) -> bool:
    return f"{module}.".startswith(f"{package}.")


def _attribute_hint(module: ModuleType, name: str) -> str:
    public = {key: value for key, value in vars(module).items() if not key.startswith("_")}
    holders = [key for key, value in public.items() if isinstance(value, Registry | Block)]
    return did_you_mean(name, public) or (f"it holds {listing(holders)}" if holders else "")


def _path_hint(source: str, names: Iterable[str]) -> str:
    path = Path(source)
    parent = path.parent
    here = parent.iterdir() if parent.is_dir() else ()
    files = [str(one) for one in here if one.is_dir() or one.suffix in (".yml", ".yaml", ".py")]
    modules = _modules_here() if str(parent) == "." else []
    return did_you_mean(source, [n for n in (*names, "blockargs", *files, *modules) if n != str(path)])


def _modules_listed() -> str:
    there = _modules_here()
    return f"the modules here are {listing(there)}" if there else "run it in the folder of the module"


def _modules_here() -> list[str]:
    here = Path.cwd()
    return sorted({f.stem for f in here.glob("*.py")} | {f.parent.name for f in here.glob("*/__init__.py")})
