"""What an argument type wants, made ready for reading a reply: one `Shape` a node, references followed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from .._text import folded
from ..keywords import REMARKS, SCALARS, followed, kind_of, tag_of, types_of, walk
from ..node import ArgType
from ..validate import Validator, validator_of

# a type that the other keywords speak about, for nodes that do not name one
_IMPLIED = (
    ("properties", "object"),
    ("additionalProperties", "object"),
    ("items", "array"),
    ("prefixItems", "array"),
    ("pattern", "string"),
    ("format", "string"),
)

_AS_IS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}
# most nodes are leaves: what they all lack is one object for all
_NO_FIELDS: Mapping[str, Any] = MappingProxyType({})
_NONE: frozenset[Any] = frozenset()


class Shape:
    """One node of a type, as alignment needs it.

    Attributes:
        node: The node, with its ``$ref`` followed.
        types: The JSON types it wants, without null.
        nullable: Whether null is one of its types.
        recursive: Whether the whole type may contain itself.
        free: Whether the kind of a value alone decides.
        as_is: The classes whose values are valid, if they are JSON, and need no look.
        texts: The texts that are valid as they are, where only some are.
        fields: Its declared properties; of a union, those of every branch.
        required: Which of them must be there.
        extra: The shape of further values; ``None`` where none are allowed.
        element: The shape of its items, ``None`` where nothing is said.
        prefix: The shapes of its first items.
        options: The values of its enum or const, ``None`` without.
        branches: The shapes of a union that is more than "or null".
        tag: The property that tells the branches apart.
        by_fold: Style-free spelling -> the declared names that have it.
        initials: What such spellings begin with.
        aliases: Other names of its properties.
    """

    __slots__ = (
        "_numbers",
        "_root",
        "_validator",
        "_whole",
        "_words",
        "aliases",
        "as_is",
        "branches",
        "by_fold",
        "element",
        "extra",
        "fields",
        "free",
        "initials",
        "node",
        "nullable",
        "options",
        "prefix",
        "recursive",
        "required",
        "tag",
        "texts",
        "types",
    )

    def __init__(self, node: Mapping[str, Any], root: Mapping[str, Any], *, recursive: bool = False) -> None:
        """Start empty: `_filled` follows, so that a recursive type can point to itself."""
        self.node = node
        self._root = root
        self._validator: Validator | None = None
        self._whole: bool | None = None
        self._words: dict[str, str] | None = None
        self._numbers: tuple[int | float, ...] | None = None
        self.recursive = recursive
        self.types: tuple[str, ...] = ()
        self.nullable = False
        self.free = False
        self.as_is: tuple[type, ...] = ()
        self.texts: frozenset[str] = _NONE
        self.fields: Mapping[str, Shape] = _NO_FIELDS
        self.required: frozenset[str] = _NONE
        self.extra: Shape | None = None
        self.element: Shape | None = None
        self.prefix: tuple[Shape, ...] = ()
        self.options: tuple[Any, ...] | None = None
        self.branches: tuple[Shape, ...] = ()
        self.tag: str | None = None
        self.by_fold: Mapping[str, list[str]] = _NO_FIELDS
        self.initials: frozenset[str] = _NONE
        self.aliases: Mapping[str, str] = _NO_FIELDS

    @property
    def closed(self) -> bool:
        """Whether an object has no other keys than the declared ones."""
        return self.extra is None

    @property
    def takes_object(self) -> bool:
        """Whether an object may be valid here."""
        return self.anything or "object" in self.types or any(b.takes_object for b in self.branches)

    @property
    def holds_no_list(self) -> bool:
        """Whether it is known that no list is valid here."""
        return bool(self.types) and "array" not in self.types

    @property
    def anything(self) -> bool:
        """Whether the node says nothing about what is valid."""
        return not self.types and not self.branches and self.options is None and not self.nullable

    @property
    def whole(self) -> bool:
        """Whether an integer is wanted here or somewhere inside, and no other number would do there."""
        if self._whole is None:
            self._whole = any("integer" in s.types and "number" not in s.types for s in shapes_in(self))
        return self._whole

    @property
    def words(self) -> Mapping[str, str]:
        """The texts of its enum or const -> how they are without style."""
        if self._words is None:
            self._words = {option: folded(option) for option in self.options or () if isinstance(option, str)}
        return self._words

    @property
    def numbers(self) -> tuple[int | float, ...]:
        """The numbers of its enum or const."""
        if self._numbers is None:
            self._numbers = tuple(n for n in self.options or () if isinstance(n, int | float) and type(n) is not bool)
        return self._numbers

    def accepts(self, value: Any) -> bool:
        """Tell whether *value* is JSON and valid here."""
        # a scalar of Python's own classes needs no look at what it holds
        return self.fits(value) if type(value) in SCALARS else self._asked().accepts(value)

    def fits(self, value: Any) -> bool:
        """Tell whether *value*, which is known to be JSON, is valid here."""
        return self._asked().fits(value)

    def _asked(self) -> Validator:
        if self._validator is None:
            node: Mapping[str, Any] = self.node
            if "$defs" in self._root and "$defs" not in node:
                node = ArgType({**node, "$defs": self._root["$defs"]})
            self._validator = validator_of(node)
        return self._validator


def shape_of(root: Mapping[str, Any]) -> Shape:
    """Return the shape of *root*, a whole type."""
    recursive = any("$ref" in part for _, part in walk(root))
    return _Shapes(root, recursive=recursive).of(root)


@lru_cache(maxsize=256)
def _leaf(named: tuple[str, ...], media: tuple[tuple[str, str], ...], *, recursive: bool) -> Shape:
    """Return the shape of all nodes that say their type and nothing that decides about their values."""
    shape = Shape(
        ArgType({"type": named[0] if len(named) == 1 else list(named), **dict(media)}), {}, recursive=recursive
    )
    shape.types = tuple(t for t in named if t != "null")
    shape.nullable = "null" in named
    shape.free = True
    shape.as_is = _classes(shape.types, nullable=shape.nullable)
    shape.extra = _anything(recursive=recursive)
    return shape


@lru_cache(maxsize=2)
def _anything(*, recursive: bool) -> Shape:
    """Return the shape of a node that says nothing: what is in such a value may be anything too."""
    shape = Shape({}, {}, recursive=recursive)
    shape.extra = shape
    return shape


def _media(node: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((k, v) for k, v in node.items() if k == "contentMediaType" and isinstance(v, str))


class _Shapes:
    """The shapes of one type, each node's made once, so that a type may contain itself."""

    __slots__ = ("_made", "_recursive", "_root")

    def __init__(self, root: Mapping[str, Any], *, recursive: bool) -> None:
        self._root = root
        self._recursive = recursive
        self._made: dict[int, Shape] = {}

    def of(self, node: Any) -> Shape:
        """Return the shape of *node*."""
        if (made := self._made.get(id(node))) is not None:
            return made
        found = followed(self._root, node)
        if not isinstance(found, Mapping):
            found = {} if found is not False else {"not": {}}
        if (kinds := types_of(found)) and REMARKS.issuperset(found.keys() - {"type"}):
            shape = self._made[id(node)] = _leaf(kinds, _media(found), recursive=self._recursive)
            return shape
        merged = _merged(found, self._root)
        inner = _only_branch(merged, self._root)
        shape = self._made[id(node)] = Shape(found, self._root, recursive=self._recursive)
        self._fill(shape, merged if inner is None else {**merged, **inner}, union=inner is None)
        shape.nullable = shape.nullable or (inner is not None)
        _decide_at_a_glance(shape, merged, inner)
        return shape

    def _fill(self, shape: Shape, node: Mapping[str, Any], *, union: bool) -> None:
        if "const" in node:
            shape.options = (node["const"],)
        elif isinstance(node.get("enum"), list | tuple):
            shape.options = tuple(node["enum"])
        named = types_of(node) or tuple(dict.fromkeys(_implied(node, shape.options)))
        shape.types = tuple(t for t in named if t != "null")
        shape.nullable = "null" in named
        if union and (branches := _branches(node)):
            shape.branches = tuple(self.of(b) for b in branches)
        fields = {name: self.of(child) for name, child in node.get("properties", {}).items()}
        shape.required = frozenset(needed) if (needed := node.get("required")) else _NONE
        extra = node.get("additionalProperties", True)
        shape.extra = None if extra is False else self.of(extra)
        if (items := node.get("items")) is not None:
            shape.element = self.of(items)
        shape.prefix = tuple(self.of(child) for child in node.get("prefixItems", ()))
        shape.tag = _tag(node, shape.branches)
        for branch in shape.branches:
            fields = {**branch.fields, **fields}
        if fields:
            shape.fields = fields
            by_fold: dict[str, list[str]] = {}
            for name in fields:
                by_fold.setdefault(folded(name), []).append(name)
            shape.by_fold, shape.initials = by_fold, frozenset(name[:1] for name in by_fold)


def _decide_at_a_glance(shape: Shape, node: Mapping[str, Any], inner: Mapping[str, Any] | None) -> None:
    """Set what is valid here as it is, where *node*, or its *inner* branch beside null, says a type or texts only."""
    said = node.keys() - REMARKS
    if inner is not None:
        if said not in _ONE_UNION:  # what stands beside the union has a say too
            return
        said = inner.keys() - REMARKS
    said -= {"type"}
    if not said:
        kinds = types_of(node if inner is None else inner)
        twice_null = "oneOf" in node and ("null" in kinds or not kinds)  # then null fits both, and so neither
        shape.as_is = _classes(shape.types, nullable=shape.nullable and not twice_null)
    elif said in _ONE_ROW and shape.types == ("string",):
        shape.texts = frozenset(option for option in shape.options or () if isinstance(option, str))


_ONE_UNION = ({"anyOf"}, {"oneOf"})
_ONE_ROW = ({"enum"}, {"const"})


def _classes(types: tuple[str, ...], *, nullable: bool) -> tuple[type, ...]:
    """Return the classes of JSON that stand for *types*."""
    found = tuple(cls for kind in types for cls in _AS_IS.get(kind, ()))
    return (*found, type(None)) if nullable else found


def _branches(node: Mapping[str, Any]) -> list[Any]:
    return [*node.get("anyOf", ()), *node.get("oneOf", ())]


def _is_null(node: Any) -> bool:
    return isinstance(node, Mapping) and (node.get("type") == "null" or ("const" in node and node["const"] is None))


def _only_branch(node: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the one branch of a union that is only "this, or null"."""
    branches = [followed(root, b) for b in _branches(node)]
    rest = [b for b in branches if not _is_null(b)]
    if len(rest) == 1 and len(branches) == 2 and isinstance(rest[0], Mapping):  # noqa: PLR2004 - it and null
        return _merged(rest[0], root)
    return None


def _merged(node: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return *node* with the properties that its ``allOf`` adds."""
    parts = [followed(root, part) for part in node.get("allOf", ())]
    for part in parts:
        if isinstance(part, Mapping):
            properties = {**part.get("properties", {}), **node.get("properties", {})}
            needed = [*node.get("required", ()), *part.get("required", ())]
            node = {**part, **node, "properties": properties, "required": needed} if properties else {**part, **node}
    return node


def _implied(node: Mapping[str, Any], options: tuple[Any, ...] | None) -> Iterator[str]:
    if options is not None:
        # 5.0 that stands in a type stays 5.0
        yield from ("number" if isinstance(value, float) else kind_of(value) for value in options)
        return
    for keyword, kind in _IMPLIED:
        if keyword in node:
            yield kind


def _tag(node: Mapping[str, Any], branches: tuple[Shape, ...]) -> str | None:
    """Return the property that tells *branches* apart, where all that are no mere remark are records."""
    records = [b for b in branches if b.fields]
    named = node.get("discriminator")
    if named is None and (len(records) < 2 or len(records) != len([b for b in branches if b.types])):  # noqa: PLR2004 - a choice
        return None
    return tag_of(
        [{"properties": {name: {"enum": f.options or ()} for name, f in b.fields.items()}} for b in records], named
    )


def anchors_of(shape: Shape) -> frozenset[str]:
    """Return every property name declared at any level of *shape*."""
    return frozenset(name for one in shapes_in(shape) for name in one.fields)


def shapes_in(shape: Shape) -> Iterator[Shape]:
    """Yield *shape* and every shape inside it, each once."""
    seen: set[int] = set()
    stack = [shape]
    while stack:
        current = stack.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        stack += current.fields.values()
        stack += current.branches
        stack += current.prefix
        stack += [part for part in (current.element, current.extra) if part is not None]
