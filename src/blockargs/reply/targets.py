"""What a reply may mean: the type of one tool's arguments, or the blocks to choose from."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from .._text import folded, plural
from ..errors import InvalidToolsetError
from ..imported import arg_schema
from ..keywords import walk
from ..node import ArgType
from ..spec import Block
from ..validate import Validator, validator_of
from .shape import Shape, anchors_of, shape_of
from .unions import words_of

_KEPT = 256  # compiled types that are remembered
# what stands for the arguments of a call: a `Block`, its argument type or a JSON Schema, or else a uid, a typed
# callable or class, a `Registry`, or an iterable of blocks in any of these forms
Given = Any


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """One tool's arguments, ready to be read.

    Attributes:
        uid: The block's uid, ``""`` for a bare type.
        names: The names a call may use for it exactly; empty when it has none.
        validator: What decides whether arguments are valid.
        shape: What alignment needs.
        anchors: Every declared property name.
        folds: The declared names and aliases of its own properties, free of style.
        whole: Whether an integer is wanted somewhere.
        words: Of a tagged union of tools: their names.
    """

    uid: str
    names: tuple[str, ...]
    validator: Validator
    shape: Shape
    anchors: frozenset[str]
    folds: frozenset[str]
    whole: bool
    words: Mapping[str, Shape]

    @property
    def declared(self) -> Mapping[str, Shape]:
        """Its own properties."""
        return self.shape.fields


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """The targets that a reply chooses from.

    Attributes:
        targets: At least one.
        tag: The key that names the tool beside its arguments.
        by_name: Exact name -> target.
        folds: The declared names of all of them.
        anchors: Every declared name of all of them.
    """

    targets: tuple[Target, ...]
    tag: str
    by_name: Mapping[str, Target]
    folds: frozenset[str]
    anchors: frozenset[str]

    @property
    def only(self) -> Target | None:
        """The one target, if there is no choice."""
        return self.targets[0] if len(self.targets) == 1 else None


def target_of(given: Given) -> Target:
    """Return the target that a block, in any form, or an argument type or a JSON Schema is; made once.

    Raises:
        InvalidArgTypeError: It is no valid type.
        InvalidToolsetError: It is no block, or several.
        BlockArgsError: It is neither a block nor a type.
    """
    if isinstance(given, Block):
        return given.remembered("target", _block_target)
    if isinstance(given, ArgType):
        return _kept(("type", id(given)), given, given)
    if not _is_schema(given):
        blocks = _blocks_in(given)
        if len(blocks) != 1:
            raise InvalidToolsetError(f"arguments are those of one block, and there are {plural(len(blocks), 'block')}")
        return target_of(blocks[0])
    try:
        plain: Any = given  # it refuses what it cannot write
        key = ("schema", marshal.dumps(plain, 2))
    except ValueError:
        return _type_target(arg_schema(given))
    return _kept(key, given, None)


def _is_schema(given: Given) -> bool:
    """Tell whether *given* is a JSON Schema: a mapping, but none of blocks, as a registry is, an empty one too."""
    if not isinstance(given, Mapping) or any(isinstance(value, Block) for value in given.values()):
        return False
    return isinstance(given, dict) or not isinstance(given, _registry())


@cache
def _registry() -> type:
    from ..registry import Registry  # noqa: PLC0415 - a dict is none, and most types are dicts

    return Registry


def _blocks_in(given: Given) -> list[Block]:
    from ..registry import blocks_in  # noqa: PLC0415 - who gives blocks or types as they are needs none of it

    return blocks_in(given)


_remembered: dict[Any, tuple[Target, Any]] = {}


def _kept(key: Any, given: Mapping[str, Any], hold: Any) -> Target:
    """Return the target remembered under *key*; *hold* is kept alive with it, so that its id stays its own."""
    found = _remembered.get(key)
    if found is None:
        if len(_remembered) >= _KEPT:
            _remembered.clear()
        found = _remembered[key] = (_type_target(given if isinstance(given, ArgType) else arg_schema(given)), hold)
    return found[0]


def _block_target(block: Block) -> Target:
    names = tuple(dict.fromkeys(n for n in (block.wire_name, block.uid) if n))
    shown = {alias: name for alias, name in block.aliases.items() if name in block.type.get("properties", {})}
    return _made(block.type, block.uid, names, block.validator(), shown)


def _type_target(node: ArgType) -> Target:
    title = node.get("title")
    return _made(node, "", (title,) if isinstance(title, str) and title else (), validator_of(node), {})


def _made(node: ArgType, uid: str, names: tuple[str, ...], validator: Validator, aliases: dict[str, str]) -> Target:
    shape = shape_of(node)
    shape.aliases = aliases
    return Target(
        uid=uid,
        names=names,
        validator=validator,
        shape=shape,
        anchors=anchors_of(shape).union(aliases),
        folds=frozenset(folded(n) for n in (*shape.fields, *aliases)),
        whole=any("integer" in str(part.get("type")) for _, part in walk(node)),
        words=words_of(shape, shape.tag) if shape.tag is not None else {},
    )


def offer_of(given: Given, tag: str) -> Offer:
    """Return what *given* lets a reply choose from.

    Raises:
        InvalidArgTypeError: It is no valid type.
        InvalidToolsetError: There is nothing to choose from, or two blocks have one name.
        BlockArgsError: Something in it is neither a block nor a type.
    """
    return _offer(tuple(_targets_in(given)), tag)


def _targets_in(given: Given) -> Iterator[Target]:
    if isinstance(given, Block) or _is_schema(given):
        yield target_of(given)
    elif callable(given) or isinstance(given, Mapping | str | bytes) or not isinstance(given, Iterable):
        yield from map(target_of, _blocks_in(given))
    else:  # of blocks and types, as they come
        for one in given:
            yield from _targets_in(one)


def _offer(targets: tuple[Target, ...], tag: str) -> Offer:
    if not targets:
        raise InvalidToolsetError("there is no block to choose; pass at least one")
    by_name: dict[str, Target] = {}
    for target in targets:
        for name in target.names:
            if by_name.setdefault(name, target) is not target:
                raise InvalidToolsetError(f"two blocks are called '{name}'")
    folds = frozenset().union(*(t.folds for t in targets))
    return Offer(targets, tag, by_name, folds, frozenset().union(*(t.anchors for t in targets)))
