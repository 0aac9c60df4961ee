"""From a block and its arguments to what the constructor builds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .._text import quoted
from ..derive import binding_of, is_async, parameters_of
from ..derive.output import encode_any
from ..errors import BlockArgsError, InvalidArgumentsError, MissingDependencyError, Problem, UnknownBlockError, at
from ..sentences import known_keys, missing_key, unknown_key
from ..spec import Block, BoundCall
from ..validate import problems_in
from .checks import found_by

EXTRAS: Mapping[str, str] = {  # what a bundled block may lack, and the extra that brings it
    "altair": "plot",
    "mcp": "mcp",
    "narwhals": "frames",
    "polars": "frames",
}


def constructor_of(block: Block) -> Callable[..., Any]:
    """Return *block*'s constructor, imported where only its name was known.

    Raises:
        UnknownBlockError: The block is metadata only, or its module has no such name.
        MissingDependencyError: Something that it needs is not installed.
    """
    try:
        constructor = block.load()
    except ImportError as reason:
        raise _to_install(reason, block) from reason
    except BlockArgsError:
        raise  # the blocks of its own module are at fault, and say so
    except (Exception, SystemExit) as reason:  # a stranger's module may fail in any way
        # the reason itself may hold paths of the host, and this text can reach a model
        message = f"the constructor {block.constructor} cannot be loaded: {type(reason).__name__}"
        raise UnknownBlockError(message, f"block {quoted(block.uid)}") from reason
    if constructor is None:
        raise UnknownBlockError.of(
            "it is metadata only: no constructor was declared",
            hint="add `constructor: package.module:name` to its declaration",
            subject=f"block {quoted(block.uid)}",
            code="block_without_constructor",
        )
    return constructor


def binding(block: Block) -> BoundCall:
    """Return how JSON becomes a call of *block*'s constructor, made once."""
    return block.binding if block.binding is not None else block.remembered("binding", _bound)


def _bound(block: Block) -> BoundCall:
    return binding_of(constructor_of(block), block.arguments)


def call(block: Block, arguments: Mapping[str, Any]) -> Any:
    """Call the constructor with JSON *arguments* that are known to fit; injected helpers are inert."""
    constructor = constructor_of(block)
    if is_async(constructor):
        return None
    args, kwargs = binding(block).bind(arguments, {})
    return constructor(*args, **kwargs)


def create(block: Block, arguments: Mapping[str, Any]) -> Any:
    """Build *block* from arguments that are JSON, or already what the annotations say.

    The block's own validators see them last, as JSON: each only once all fit.

    Raises:
        InvalidArgumentsError: An argument does not fit, is unknown or missing, or a validator
            of the block finds fault with them; all problems are named.
        ToolRejected: A validator of the block rejects them.
        UnknownBlockError: The block has no constructor.
        MissingDependencyError: Something that it needs is not installed.
    """
    constructor = constructor_of(block)
    bound = binding(block)
    checked = {k: v for k, v in arguments.items() if k in block.type.get("properties", {})}
    unchecked = {k: v for k, v in arguments.items() if k not in checked}
    problems = _unknown_names(block, constructor, unchecked)
    ready: set[str] = set()
    if not block.validator().accepts(checked):
        # JSON is judged by the type; only what is no JSON can already be what the annotation says (NaN is not)
        ready = {
            name
            for name in bound.ready(checked)
            if not isinstance(checked[name], float) and problems_in(checked[name], {})
        }
        left = {k: v for k, v in checked.items() if k not in ready}
        ignored = {at("$", name) for name in ready}
        problems += [p for p in block.validator().problems(left) if p.path not in ignored or p.code != "missing_key"]
    problems += _missing(block, constructor, arguments)
    if not problems and block.validators:
        problems = found_by(block.validators, {k: _json_of(v) if k in ready else v for k, v in checked.items()})
    if problems:
        raise InvalidArgumentsError(problems, f"block {quoted(block.uid)}")
    args, kwargs = bound.bind(arguments, {})
    return constructor(*args, **kwargs)


def _json_of(value: Any) -> Any:
    """Return what already is what an annotation says, a date, as JSON; as it is where no rule says how."""
    try:
        return encode_any(value)
    except Exception:  # noqa: BLE001 - an author's encoder may raise anything
        return value


def _missing(block: Block, constructor: Callable[..., Any], given: Mapping[str, Any]) -> list[Problem]:
    """Return a problem for each parameter that is not documented, not given and has no default."""
    names = [
        p.wire_name
        for p in parameters_of(constructor)
        if p.helper is None and not p.optional and p.wire_name not in given and p.wire_name not in block.arguments
    ]
    return [
        Problem(code=code, path=at("$", name), message=message)
        for name, (code, message) in zip(names, map(missing_key, names), strict=True)
    ]


def _unknown_names(block: Block, constructor: Callable[..., Any], given: Mapping[str, Any]) -> list[Problem]:
    """Return a problem for each name that is no parameter; an undocumented parameter passes."""
    parameters = [p for p in parameters_of(constructor) if p.helper is None]
    if any(p.kind == "var_keyword" for p in parameters) and not block.arguments:
        return []
    known = {p.wire_name for p in parameters}
    names = list(dict.fromkeys([*block.arguments, *known]))
    surplus = [name for name in given if name not in known]
    return [
        Problem(code=code, path=at("$", name), message=message, hint=known_keys(name, names))
        for name, (code, message) in zip(surplus, map(unknown_key, surplus), strict=True)
    ]


def _to_install(reason: ImportError, block: Block) -> MissingDependencyError:
    name = (reason.name or "").partition(".")[0]
    extra = EXTRAS.get(name)
    hint = f"pip install 'blockargs[{extra}]'" if extra else "install the package that brings it"
    # a reason without a name may hold paths of the host, and this text can reach a model
    message = f"it needs {quoted(name)}, which is not installed" if name else "its module cannot be imported"
    return MissingDependencyError.of(message, hint=hint, subject=f"block {quoted(block.uid)}")
