"""`ArgType`: a JSON Schema node that is a dict and never changes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import count
from json.encoder import encode_basestring
from typing import Any, NoReturn, Self, SupportsIndex

from .errors import InvalidArgTypeError
from .keywords import MAX_DEPTH, SCALARS, WITH_PARTS, children, definition_in, definition_ref, json_key, rebuilt

__all__ = ["ArgType", "FrozenDict", "FrozenList", "compact", "frozen", "json_key", "pretty", "same_type", "thawed"]


class FrozenList(list[Any]):
    """A list that never changes, in an `ArgType` or a block: equal to any list of the same items."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this never changes; build a new one")

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = remove = clear = sort = reverse = _refuse
    pop = _refuse

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """Pickle as the list it is."""
        return FrozenList, (list(self),)

    def __copy__(self) -> FrozenList:
        """Return itself: it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> FrozenList:
        """Return itself: it never changes."""
        return self


class FrozenDict(dict[str, Any]):
    """A dict that never changes, and is no schema: a default, the table of properties, an example."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this never changes; build a new one")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> Self:
        """Return itself: it never changes."""
        return self

    def copy(self) -> Self:
        """Return itself: it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return itself: it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the dict it is."""
        return type(self), (dict(self),)


class ArgType(FrozenDict):
    """A JSON Schema (draft 2020-12) node made by an ``arg_*()`` constructor.

    It *is* a dict, so ``json.dumps`` takes it, and it equals the plain dict of
    the same node. It never changes; a changed copy comes from ``|``.

    Neither ``ArgType(…)`` nor ``|`` looks at what the keywords say; the ``arg_*()``
    constructors and `arg_schema` do. A value that is compared with a malformed type
    is answered by an `InvalidArgTypeError`.

    Attributes:
        required: Whether a record needs it as a field; ``None`` counts as yes.
        error: The author's text, shown besides the reason when a value does not fit.
    """

    __slots__ = ("_depth", "_hash", "_validator", "error", "required")

    required: bool | None
    error: str | None
    _depth: int
    _hash: int | None
    _validator: Any  # of the floor below, which does not know this class

    def __init__(
        self,
        node: Mapping[str, Any] | Iterable[tuple[str, Any]] = (),
        /,
        *,
        required: bool | None = None,
        error: str | None = None,
    ) -> None:
        """Freeze *node* all the way down; definitions of its parts move up to it.

        Raises:
            InvalidArgTypeError: Types are nested deeper than 100 levels.
        """
        plain = dict(node)
        set_ = object.__setattr__
        if WITH_PARTS.isdisjoint(plain):
            dict.__init__(self, {key: frozen(value) for key, value in plain.items()})
            set_(self, "_depth", 0)
        else:
            set_(self, "_depth", self._fill(plain))
        set_(self, "required", required)
        set_(self, "error", error)
        set_(self, "_hash", None)
        set_(self, "_validator", None)  # filled by `validate`, which lies below

    def _fill(self, plain: dict[str, Any]) -> int:
        """Take the keywords of *plain*, whose parts become types, and return how deep they are nested."""
        try:
            dict.__init__(self, _frozen_node(_with_definitions_on_top(plain)))
            parts = [child for _, child in children(self) if isinstance(child, ArgType)]
            depth = 1 + max((part._depth for part in parts), default=-1)  # noqa: SLF001 - its own class
        except RecursionError:
            depth = MAX_DEPTH + 1
        if depth > MAX_DEPTH:
            message = f"types are nested deeper than {MAX_DEPTH} levels"
            raise InvalidArgTypeError.of(message, hint="use fewer levels", code="too_deep")
        return depth

    @classmethod
    def of_frozen(
        cls, node: Mapping[str, Any], depth: int, *, required: bool | None = None, error: str | None = None
    ) -> ArgType:
        """Return the type of *node*, all of whose values are frozen and without definitions of their own.

        Args:
            node: Its keywords.
            depth: How deep types are nested in it.
            required: The attribute.
            error: The attribute.
        """
        made = cls.__new__(cls)
        dict.__init__(made, node)
        set_ = object.__setattr__
        set_(made, "_depth", depth)
        set_(made, "required", required)
        set_(made, "error", error)
        set_(made, "_hash", None)
        set_(made, "_validator", None)
        return made

    @property
    def depth(self) -> int:
        """How deep types are nested in it: 0 for one without parts."""
        return self._depth

    def __delattr__(self, name: str) -> None:
        """Refuse: a type keeps its attributes."""
        self._refuse()

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse every change but the validator that is cached once."""
        if name != "_validator":
            self._refuse()
        object.__setattr__(self, name, value)

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none, a frozen one has
        """Hash by the node alone, as ``==`` compares."""
        if self._hash is None:
            object.__setattr__(self, "_hash", hash(_hashable(self)))
        return self._hash or 0

    def __or__(self, other: Mapping[str, Any]) -> ArgType:  # type: ignore[override]  # a node again, not any dict
        """Return this node with the keywords of *other* laid over it; attributes stay."""
        if not isinstance(other, Mapping):
            return NotImplemented
        return ArgType({**self, **other}, required=self.required, error=self.error)

    def __ror__(self, other: Mapping[str, Any]) -> ArgType:  # type: ignore[override]  # a node again, not any dict
        """Return *other* with this node's keywords laid over it; attributes stay."""
        if not isinstance(other, Mapping):
            return NotImplemented
        return ArgType({**other, **self}, required=self.required, error=self.error)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the node and its attributes."""
        return _restored, (dict(self), self.required, self.error)

    def with_(self, *, required: bool | None = None, error: str | None = None) -> ArgType:
        """Return the same node with these attributes; ``None`` keeps what is there."""
        return ArgType(
            self,
            required=self.required if required is None else required,
            error=self.error if error is None else error,
        )

    def plain(self, *, errors: bool = True) -> dict[str, Any]:
        """Return an ordinary dict of ordinary lists and dicts, for writers.

        Args:
            errors: Whether the authors' failure texts are written, as ``x-error``.
        """
        out: dict[str, Any] = {key: _plain(value, errors=errors) for key, value in self.items()}
        if errors and self.error is not None:
            out["x-error"] = self.error
        return out


def same_type(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Tell whether *a* and *b* are the same node with the same attributes, all the way down."""
    return json_key(a) == json_key(b) and _attributes(a) == _attributes(b)


def _attributes(node: Any) -> list[Any]:
    """Return the attributes in *node*, each with its place: the order of keys is no part of a type."""
    found: list[Any] = []
    stack: list[tuple[tuple[str | int, ...], Any]] = [((), node)]
    while stack:
        pointer, current = stack.pop()
        if isinstance(current, ArgType):
            found.append((pointer, current.required, current.error))
        if isinstance(current, Mapping):
            stack.extend(((*pointer, *step), child) for step, child in children(current))
    return sorted(found, key=lambda row: [str(step) for step in row[0]])


def _restored(node: dict[str, Any], required: bool | None, error: str | None) -> ArgType:  # noqa: FBT001 - pickle passes by position
    return ArgType(node, required=required, error=error)


def _frozen_node(node: dict[str, Any]) -> dict[str, Any]:
    parts = rebuilt(node, lambda child, _: child if isinstance(child, ArgType | bool) else _as_type(child))
    return {key: frozen(value) for key, value in parts.items()}


def _as_type(child: Any) -> Any:
    return ArgType(child) if isinstance(child, Mapping) else child


def frozen(value: Any) -> Any:
    """Return JSON *value* as it cannot change: equal to what was given, all the way down."""
    if type(value) in SCALARS or isinstance(value, FrozenDict | FrozenList | str):
        return value
    if isinstance(value, Mapping):
        return FrozenDict({k: v if type(v) in SCALARS else frozen(v) for k, v in value.items()})
    if isinstance(value, list | tuple):
        return FrozenList([v if type(v) in SCALARS else frozen(v) for v in value])
    return value


def thawed(value: Any) -> Any:
    """Return frozen *value* as ordinary lists and dicts: a fresh copy each time."""
    return _plain(value, errors=True)


def _plain(value: Any, *, errors: bool) -> Any:
    if type(value) in SCALARS:
        return value
    if isinstance(value, ArgType):
        return value.plain(errors=errors)
    if isinstance(value, Mapping):
        return {k: v if type(v) in SCALARS else _plain(v, errors=errors) for k, v in value.items()}
    if isinstance(value, list):
        return [v if type(v) in SCALARS else _plain(v, errors=errors) for v in value]
    return value


def _hashable(value: Any) -> Any:
    if type(value) in SCALARS:
        return value
    if isinstance(value, Mapping):
        return frozenset((k, _hashable(v)) for k, v in value.items())
    if isinstance(value, list | tuple):
        return tuple(_hashable(v) for v in value)
    return value


def _with_definitions_on_top(node: dict[str, Any]) -> dict[str, Any]:
    """Move the ``$defs`` of *node*'s parts to *node*, so that their ``$ref`` still reach them.

    Equal definitions are shared; different ones of one name get a number.
    """
    if not any("$defs" in child for _, child in children(node) if isinstance(child, Mapping)):
        return node
    defs: dict[str, Any] = {}

    def lifted(child: Any, _: Any) -> Any:
        if not isinstance(child, Mapping) or "$defs" not in child:
            return child
        names = _free_names(child["$defs"], {**own, **defs})
        for name, body in child["$defs"].items():
            defs[names[name]] = _renamed(body, names)
        # an $id there would change what its $ref mean
        return _renamed(_like(child, {k: v for k, v in child.items() if k not in ("$defs", "$id")}), names)

    own: dict[str, Any] = dict(node.get("$defs", {}))
    for name, body in list(own.items()):
        own[name] = _as_type(lifted(body, ()))
    out = rebuilt({k: v for k, v in node.items() if k != "$defs"}, lifted)
    return {**out, "$defs": {**own, **defs}}


def _free_names(group: Mapping[str, Any], taken: Mapping[str, Any]) -> dict[str, str]:
    """Return a new name for each definition of *group*: one that is free, or that stands for the very same.

    All of them change together, for equal bodies may refer to others that differ.
    """
    for number in count(1):
        names = {name: name if number == 1 else f"{name}_{number}" for name in group}
        if number > 1 and not group.keys().isdisjoint(names.values()):
            continue
        if all(
            new not in taken or same_type(taken[new], _as_type(_renamed(group[old], names)))
            for old, new in names.items()
        ):
            return names
    raise AssertionError("count() has no end")  # pragma: no cover - for the type checker


def _renamed(node: Any, names: Mapping[str, str]) -> Any:
    if not isinstance(node, Mapping) or all(old == new for old, new in names.items()):
        return node
    out = rebuilt(node, lambda child, _: _renamed(child, names))
    ref = out.get("$ref")
    if isinstance(ref, str) and (name := definition_in(ref)) is not None and name in names:
        out["$ref"] = definition_ref(names[name])
    return _like(node, out)


def _like(node: Mapping[str, Any], changed: dict[str, Any]) -> Mapping[str, Any]:
    if isinstance(node, ArgType):
        return ArgType(changed, required=node.required, error=node.error)
    return changed


def compact(value: Any) -> str:
    """Return JSON *value*, which holds no circle, as text without a blank too many."""
    if type(value) is str:
        return encode_basestring(value)
    if type(value) is bool:
        return "true" if value else "false"
    return repr(value) if type(value) is int else _COMPACT.encode(value)


_COMPACT = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))


def pretty(node: Mapping[str, Any]) -> str:
    """Return *node* as indented JSON, for people."""
    return json.dumps(node, indent=2, ensure_ascii=False)
