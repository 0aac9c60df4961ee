"""The documented arguments of a block, by name."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from json.encoder import encode_basestring
from typing import Any

from .._text import quoted
from ..errors import BlockArgsError, Problem, UnnamedBlockArgsError, at
from ..keywords import MAX_DEPTH
from ..node import ArgType, FrozenDict, FrozenList, compact, thawed
from ..types import arg_object
from .argument import BlockArg, as_block_arg


class BlockArgs(Mapping[str, BlockArg]):
    """The ordered mapping of argument name to `BlockArg`; it never changes."""

    __slots__ = ("_args",)
    _no_schema = "take the type of the block, or of one argument: arguments[name].type"

    def __init__(self, args: Mapping[str, BlockArg] | None = None) -> None:
        """Take *args* as they are; `new_block_args` is the checked way in."""
        self._args: dict[str, BlockArg] = dict(args or {})

    def __getitem__(self, name: str) -> BlockArg:
        """Return the argument called *name*."""
        return self._args[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, in their order."""
        return iter(self._args)

    def __len__(self) -> int:
        """Count the arguments."""
        return len(self._args)

    def items(self) -> ItemsView[str, BlockArg]:
        """Return name and argument of each."""
        return self._args.items()

    def values(self) -> ValuesView[BlockArg]:
        """Return the arguments."""
        return self._args.values()

    def __repr__(self) -> str:
        """Show the arguments as one would write them."""
        return f"new_block_args({', '.join(f'{k}={v!r}' for k, v in self._args.items())})"

    def __or__(self, other: Mapping[str, BlockArg]) -> BlockArgs:
        """Return these arguments with those of *other* laid over them."""
        return BlockArgs({**self._args, **other})

    def __hash__(self) -> int:
        """Hash by names alone, which is enough: examples need not be hashable."""
        return hash(tuple(self._args))

    def shown(self) -> BlockArgs:
        """Return the arguments that are not hidden."""
        return BlockArgs({k: v for k, v in self._args.items() if not v.hidden})

    def example(self) -> dict[str, Any]:
        """Return the one configuration that the arguments' own examples make; empty without any."""
        return {k: thawed(v.example) for k, v in self._args.items() if v.example is not None and not v.hidden}

    def type(self, *, extra: bool | ArgType = False) -> ArgType:
        """Return the record type of all shown arguments: the root of a block's schema."""
        nodes = {name: arg.node() for name, arg in self._args.items() if not arg.hidden}
        depth = 1 + max((node.depth for node in nodes.values()), default=-1)
        if not isinstance(extra, bool) or depth > MAX_DEPTH or any("$defs" in node for node in nodes.values()):
            return arg_object(nodes, extra=extra)
        # the parts are types already, so the record of them need not be made from nothing
        root: dict[str, Any] = {"type": "object", "properties": FrozenDict(nodes)}
        if needed := [name for name, node in nodes.items() if node.required]:
            root["required"] = FrozenList(needed)
        root["additionalProperties"] = extra
        return ArgType.of_frozen(root, depth)

    def text(self) -> str:
        """Return `type` as compact JSON, without making it: a listing of many blocks needs no more."""
        fields: list[str] = []
        needed: list[str] = []
        for name, arg in self._args.items():
            kind = arg.type
            if kind is not None and kind.depth and ("$defs" in kind or kind.depth >= MAX_DEPTH):
                return compact(self.type())
            if not arg.hidden:
                key = encode_basestring(name)
                fields.append(f"{key}:{arg.text()}")
                if arg.required is True:
                    needed.append(key)
        required = f'"required":[{",".join(needed)}],' if needed else ""
        return f'{{"type":"object","properties":{{{",".join(fields)}}},{required}"additionalProperties":false}}'


def new_block_args(*given: Any, **named: Any) -> BlockArgs:
    """Collect arguments by name.

    >>> new_block_args(n="Rows to keep") == new_block_args(n=new_block_arg("Rows to keep"))
    True

    Args:
        *given: At most one mapping, or iterable of ``(name, argument)`` pairs.
        **named: Further arguments; a bare text is a description.

    Raises:
        UnnamedBlockArgsError: A text stands where a name is needed, a name is empty, or comes twice.
        InvalidBlockArgError: Something describes no argument.
    """
    pairs: list[tuple[Any, Any]] = []
    problems: list[Problem] = []
    for one in given:
        if isinstance(one, Mapping):
            pairs += one.items()
        elif isinstance(one, Iterable) and not isinstance(one, str | bytes) and _are_pairs(listed := list(one)):
            pairs += listed
        else:
            problems.append(_unnamed("$", f"{quoted(one)} has no name", "write new_block_args(name=…)"))
    pairs += named.items()
    args: dict[str, BlockArg] = {}
    faults: list[BlockArgsError] = []
    for name, arg in pairs:
        if not isinstance(name, str) or not name:
            problems.append(
                _unnamed("$", f"{quoted(name)} is no name of an argument", "name it as the parameter is named")
            )
        elif name in args:
            problems.append(_unnamed(at("$", name), f"argument {quoted(name)} is described twice", "keep one"))
        else:
            try:
                args[name] = as_block_arg(arg, name)
            except BlockArgsError as fault:
                args[name] = BlockArg()
                faults.append(fault)
    if problems:
        raise UnnamedBlockArgsError([*problems, *(p for fault in faults for p in fault.problems)])
    if faults:
        raise type(faults[0])([p for fault in faults for p in fault.problems], faults[0].subject)
    return BlockArgs(args)


def as_block_args(given: BlockArgs | Mapping[str, Any] | None) -> BlockArgs:
    """Return *given* as `BlockArgs`; ``None`` is the empty set."""
    if isinstance(given, BlockArgs):
        return given
    return new_block_args() if given is None else new_block_args(given)


def _are_pairs(items: list[Any]) -> bool:
    return all(isinstance(i, tuple) and len(i) == 2 for i in items)  # noqa: PLR2004 - name, argument


def _unnamed(path: str, message: str, hint: str) -> Problem:
    return Problem(code="block_args_unnamed", path=path, message=message, hint=hint)
