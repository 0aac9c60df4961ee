"""The names a model sees: unique, legal, and found again when they come back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .._text import folded, listing, unhumped
from ..errors import InvalidToolsetError, Problem, at
from ..keywords import followed
from ..spec import UID, Block, ConstructorRef


def kebab(uid: str) -> str:
    """Return *uid* in kebab case.

    >>> [kebab(u) for u in ("GetWeather", "get_weather", "HTTPServer", "admin.reload")]
    ['get-weather', 'get-weather', 'http-server', 'admin.reload']
    """
    return unhumped(uid, "-").replace("_", "-").lower()


# a row: how a uid becomes the name a model sees
NAMINGS: dict[str, Callable[[str], str]] = {"snake": lambda uid: uid, "kebab": kebab}


def named(blocks: Iterable[Block], naming: str, tag: str) -> tuple[Block, ...]:
    """Return *blocks* with their wire names settled; one that is listed twice counts once.

    Raises:
        InvalidToolsetError: The naming is unknown, names are equal or no names, or *tag* is an argument.
    """
    if not isinstance(naming, str) or naming not in NAMINGS:
        raise InvalidToolsetError(f"naming={naming!r} is none of {listing(NAMINGS)}")
    found: dict[str, Block] = {}
    taken: dict[str, Block] = {}  # a uid too must mean one block only: callers may use it
    problems: list[Problem] = []
    for block in blocks:
        name = block.wire_name or NAMINGS[naming](block.uid)
        twins = {id(t): (n, t) for n in (name, block.uid) if (t := taken.get(n)) is not None}
        if any(twin is block or twin == block for _, twin in twins.values()):
            continue
        problems += [_clash(n, twin, block) for n, twin in twins.values()]
        if not twins:
            found[name] = taken[name] = taken[block.uid] = block
            problems += _wrong_with(block, name, tag)
    if problems:
        raise InvalidToolsetError(problems, "the blocks cannot be offered together")
    return tuple(b if name_of(b) == name else b.with_(wire_name=name) for name, b in found.items())


def name_of(block: Block) -> str:
    """Return the name a model sees of *block*."""
    return block.wire_name or block.uid


def _wrong_with(block: Block, name: str, tag: str) -> list[Problem]:
    problems: list[Problem] = []
    if not UID.fullmatch(name):
        message = f"wire name '{name}' of {origin(block)} is not 1 to 128 of A-Z, a-z, 0-9, '_', '.' and '-'"
        problems.append(Problem(code="name_invalid", path="$", message=message))
    if _takes(block, tag):
        message = f"the tag '{tag}' is an argument of '{name}' ({origin(block)})"
        hint = "choose another tag=, or rename the argument"
        problems.append(Problem(code="tag_clash", path=at("$", tag), message=message, hint=hint))
    return problems


def _clash(name: str, one: Block, other: Block) -> Problem:
    message = f"two blocks have the name '{name}': {origin(one)} and {origin(other)}"
    return Problem(code="name_taken", path="$", message=message, hint="give one of them its own wire_name=")


def _takes(block: Block, name: str) -> bool:
    """Tell whether *name* is an argument that a model sees."""
    if block.schema is not None:
        return name in properties_of(block)
    return name in block.arguments and not block.arguments[name].hidden


def properties_of(block: Block) -> Mapping[str, Any]:
    """Return the properties at the root of *block*'s schema."""
    root = block.type
    found = followed(root, root).get("properties", {})
    return found if isinstance(found, Mapping) else {}


def origin(block: Block) -> str:
    """Return where *block* comes from, for its author: file and line, or the constructor's full name."""
    where = block.source
    if not where and isinstance(block.constructor, ConstructorRef):
        where = str(block.constructor)
    elif not where and block.constructor is not None:
        made = block.constructor
        name = getattr(made, "__qualname__", None) or type(made).__qualname__
        where = f"{getattr(made, '__module__', None) or '?'}:{name}"
    where = where or block.package or ""
    return f"'{block.uid}' from {where}" if where else f"'{block.uid}'"


class Names:
    """Finds a block by the name a caller used."""

    __slots__ = ("_aliases", "_blocks", "_folded", "exact")

    def __init__(self, blocks: tuple[Block, ...]) -> None:
        """Index *blocks*, whose wire names are settled."""
        self._blocks = blocks
        self.exact: dict[str, Block] = {}
        for block in blocks:
            self.exact[name_of(block)] = self.exact[block.uid] = block
        self._folded: dict[str, list[Block]] | None = None
        self._aliases: dict[str, Block] | None = None

    def styled(self, name: str) -> Block | None:
        """Return the one block whose name differs from *name* in style only."""
        if self._folded is None:
            table: dict[str, list[Block]] = {}
            for known, block in self.exact.items():
                same = table.setdefault(folded(known), [])
                if block not in same:
                    same.append(block)
            self._folded = table
        found = self._folded.get(folded(name), [])
        return found[0] if len(found) == 1 else None

    def aliased(self, name: str) -> Block | None:
        """Return the block that an export to some provider calls *name*."""
        if self._aliases is None:
            self._aliases = self._exported()
        return self._aliases.get(name)

    def _exported(self) -> dict[str, Block]:
        from ..dialects import DIALECTS  # noqa: PLC0415 - who exports nothing does not pay for it
        from ..dialects.names import wire_names  # noqa: PLC0415 - as above

        found: dict[str, Block] = {}
        for dialect in DIALECTS.values():
            for name, alias in wire_names(map(name_of, self._blocks), dialect.names).items():
                found.setdefault(alias, self.exact[name])
        return found
