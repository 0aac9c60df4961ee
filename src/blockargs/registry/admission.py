"""What a block must be before a registry takes it: every fault is found, none is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._text import did_you_mean, listing, quoted
from ..errors import (
    BlockArgsError,
    InvalidBlockArgError,
    InvalidBlockArgTypeError,
    InvalidBlockError,
    InvalidExampleError,
    InvalidIconError,
    NonconformingExampleError,
    Note,
    Problem,
    UnknownBlockArgError,
    UnknownExampleError,
    at,
)
from ..headers import header_problems
from ..node import ArgType, json_key, thawed
from ..spec import MISSING, Block, BlockArg, ConstructorRef
from ..spec.metadata import icon_problems, metadata_problems
from ..validate import problems_in, schema_problems, validator_of
from ..validate.scan import is_json

if TYPE_CHECKING:
    from ..derive import Parameter

    Parameters = tuple[Parameter, ...]

REMEMBERED = 256  # types that are known to be sound
_SOUND: dict[int, ArgType] = {}


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem, and the class of error that it makes."""

    error: type[BlockArgsError]
    problem: Problem


def faults_of(block: Block, *, construct: bool, built: set[type] | None = None) -> list[Fault]:
    """Return everything that keeps *block* out of a registry, in the order of the checks.

    Args:
        block: The block, complete.
        construct: Whether to call the constructor with each complete worked configuration.
        built: Gets the classes of what it built.
    """
    parameters = _parameters(block)
    faults: list[Fault] = [
        *_metadata(block),
        *_names(block, parameters),
        *_arguments(block, parameters),
        *_types(block),
    ]
    if not any(f.error is InvalidBlockArgTypeError for f in faults):
        faults += _examples(block, parameters)
        if construct and not faults:
            faults += _constructions(block, parameters, set() if built is None else built)
    return faults


def refusal(block: Block, faults: list[Fault]) -> BlockArgsError:
    """Return the one error for *faults*: the class of the first, the problems of all."""
    where = f" ({block.source})" if block.source else ""
    subject = f"block {quoted(block.uid)}{where} was not registered"
    return faults[0].error([f.problem for f in faults], subject)


def with_closed_root(block: Block) -> Block:
    """Return *block* with the root of a hand-written schema closed, and a note of it.

    A constructor takes just its parameters, unless it has a ``**k``; a block
    without constructor stays as open as its schema was written.
    """
    schema = block.schema
    if schema is None or block.constructor is None or schema.get("additionalProperties") is False:
        return block
    parameters = _parameters(block)
    if parameters is None or any(p.kind == "var_keyword" for p in parameters):
        return block
    note = Note(
        rule="close_root",
        path="$",
        before=thawed(schema.get("additionalProperties", True)),
        after=False,
        message="the constructor takes no further arguments, so the root of the schema was closed",
    )
    return block.with_(schema=schema | {"additionalProperties": False}, notes=(*block.notes, note))


def _parameters(block: Block) -> Parameters | None:
    """Return the constructor's parameters; ``None`` where they are not known without importing it."""
    if block.constructor is None or isinstance(block.constructor, ConstructorRef):
        return None
    from ..derive import parameters_of  # noqa: PLC0415 - declarations alone need none of it

    return parameters_of(block.constructor)


def _metadata(block: Block) -> Iterator[Fault]:
    yield from (Fault(InvalidBlockError, problem) for problem in metadata_problems(block))
    yield from (Fault(InvalidIconError, problem) for problem in icon_problems(block))


def _names(block: Block, parameters: Parameters | None) -> Iterator[Fault]:
    """Check that documented names are parameters, and that a whole schema names just them."""
    if parameters is None:
        return
    named = [p for p in parameters if p.helper is None]
    wire = [p.wire_name for p in named if p.kind != "var_keyword"]
    anything = any(p.kind == "var_keyword" for p in named)
    known = {p.wire_name for p in named} | {p.name for p in named}
    if not anything and block.schema is None:
        for name in block.arguments:
            if name not in known:
                yield Fault(UnknownBlockArgError, _unknown(name, wire))
    if block.schema is not None:
        properties = block.schema.get("properties", {})
        surplus = [] if anything else [n for n in properties if n not in known]
        missing = [p.wire_name for p in named if not p.has_default and not p.variadic and p.wire_name not in properties]
        if surplus or missing:
            parts = [f"has no place for {listing(surplus)}"] * bool(surplus)
            parts += [f"needs {listing(missing)}, which the schema lacks"] * bool(missing)
            message = f"the constructor {' and '.join(parts)}"
            yield Fault(UnknownBlockArgError, Problem(code="block_arg_unknown", path="$", message=message))


def _unknown(name: str, names: Iterable[str]) -> Problem:
    names = list(names)
    message = f"{quoted(name)} is no parameter of the constructor, which has {listing(names) or 'none'}"
    return Problem(code="block_arg_unknown", path=at("$", name), message=message, hint=did_you_mean(name, names))


def _arguments(block: Block, parameters: Parameters | None) -> Iterator[Fault]:
    """Check what an argument says of its own requiredness, visibility and header."""
    by_name = {p.wire_name: p for p in parameters or ()}
    for name, arg in block.arguments.items():
        parameter = by_name.get(name)
        if parameter is None and isinstance(block.constructor, ConstructorRef):
            continue  # its signature is compared when it is imported
        no_default = arg.default is MISSING if parameter is None else not (parameter.has_default or parameter.variadic)
        if arg.hidden and no_default:
            message = "is hidden, but has no default to be used instead"
            yield _arg_fault("hidden_without_default", name, message, "give the parameter a default")
        elif parameter is not None and no_default and arg.required is False:
            message = "is said to be optional, but the parameter has no default"
            yield _arg_fault(
                "required_mismatch", name, message, "give the parameter a default, or say `required: true`"
            )
        elif parameter is not None and arg.default is not MISSING:
            yield from _default_faults(name, arg, parameter)
    yield from _aliases(block)
    for problem in header_problems(block):
        yield Fault(InvalidBlockArgError, problem)


def _aliases(block: Block) -> Iterator[Fault]:
    """Check that no other name of an argument is the name, or another name, of a second one."""
    owners: dict[str, str] = {name: name for name in block.arguments}
    for name, arg in block.arguments.items():
        for alias in arg.aliases:
            if (owner := owners.setdefault(alias, name)) != name or alias == name:
                message = f"has the alias {quoted(alias)}, which is a name of {quoted(owner)}"
                yield _arg_fault("alias_taken", name, message, "choose another alias")


def _default_faults(name: str, arg: BlockArg, parameter: Parameter) -> Iterator[Fault]:
    """Check that a stated default is the constructor's: it is what a call without the argument uses."""
    real = parameter.default
    if not parameter.optional:
        message = f"has the default {quoted(thawed(arg.default))}, but the parameter has none"
        yield _arg_fault("default_mismatch", name, message, "give the parameter that default")
    elif real is not arg.default and is_json(real) and json_key(real) != json_key(arg.default):
        message = f"has the default {quoted(thawed(arg.default))}, but the parameter's is {quoted(real)}"
        yield _arg_fault("default_mismatch", name, message, "leave `default` out: the parameter's is taken")


def _arg_fault(code: str, name: str, message: str, hint: str) -> Fault:
    text = f"{quoted(name)} {message}"
    return Fault(InvalidBlockArgError, Problem(code=code, path=at("$", name), message=text, hint=hint))


def _types(block: Block) -> Iterator[Fault]:
    # beside a whole schema, arguments are slices of it, whose references lead where only the whole has something
    for name, arg in block.arguments.items() if block.schema is None else ():
        for problem in _type_problems(arg.type):
            yield Fault(InvalidBlockArgTypeError, problem.under(at("$", name)))
    for key, schema in (("schema", block.schema), ("output_schema", block.output_schema)):
        for problem in _type_problems(schema):
            yield Fault(InvalidBlockArgTypeError, problem.under(at("$", key)))
    root = block.schema.get("type") if block.schema is not None else "object"
    if block.schema is not None and root != "object" and "$ref" not in block.schema:
        message = f"the root of an input schema has type 'object', not {quoted(root)}"
        yield Fault(InvalidBlockArgTypeError, Problem(code="arg_type_invalid", path="$.schema", message=message))


def _type_problems(node: Any) -> list[Problem]:
    if node is None:
        return []
    if not isinstance(node, ArgType):
        message = f"{quoted(node)} is no argument type"
        hint = "build one with arg_string() and its brothers"
        return [Problem(code="arg_type_invalid", path="$", message=message, hint=hint)]
    if _SOUND.get(id(node)) is node:
        return []  # the very node that many blocks share
    problems = schema_problems(node)
    if not problems:
        if len(_SOUND) >= REMEMBERED:
            _SOUND.clear()
        _SOUND[id(node)] = node
    return problems


def _examples(block: Block, parameters: Parameters | None) -> Iterator[Fault]:
    """Check each argument's own example, and each worked configuration, against names and types."""
    for name, arg in block.arguments.items():
        if arg.example is not None and arg.type is not None:
            yield from _nonconforming(problems_in(thawed(arg.example), arg.type, at("$", name)))
    own = block.arguments.example()
    names = _example_names(block, parameters)
    for index, example in enumerate(block.examples):
        if example == own:
            continue  # the assembly of what was just checked
        where = at("$.examples", index)
        if not isinstance(example, Mapping):
            message = f"{quoted(example)} is no dict of arguments"
            problem = Problem(code="block_example_nonconforming", path=where, message=message)
            yield Fault(NonconformingExampleError, problem)
            continue
        yield from _configuration(block, thawed(example), where, names)
    if block.schema is not None:
        for index, example in enumerate(block.examples):
            yield from _nonconforming(problems_in(thawed(example), block.schema, at("$.examples", index)))


def _configuration(block: Block, example: Mapping[str, Any], where: str, names: set[str] | None) -> Iterator[Fault]:
    for key, value in example.items():
        if names is not None and key not in names:
            path = at(where, str(key))
            message = f"{quoted(key)} is no argument of the constructor, which has {listing(sorted(names)) or 'none'}"
            problem = Problem(
                code="block_example_unknown", path=path, message=message, hint=did_you_mean(str(key), names)
            )
            yield Fault(UnknownExampleError, problem)
        elif key in block.arguments and (kind := block.arguments[key].type) is not None:
            check = validator_of(kind)
            if not check.accepts(value):
                yield from _nonconforming(check.problems(value, at(where, str(key))))


def _example_names(block: Block, parameters: Parameters | None) -> set[str] | None:
    """Return the names a worked configuration may use; ``None`` where any is."""
    if parameters is None:
        if block.schema is not None:
            return (
                None if block.schema.get("additionalProperties", True) is not False else set(block.schema["properties"])
            )
        return set(block.arguments) if block.arguments else None
    if any(p.kind == "var_keyword" for p in parameters):
        return None
    return {p.wire_name for p in parameters if p.helper is None}


def _nonconforming(problems: Iterable[Problem]) -> Iterator[Fault]:
    return (Fault(NonconformingExampleError, p) for p in problems)


def _constructions(block: Block, parameters: Parameters | None, built: set[type]) -> Iterator[Fault]:
    """Call the constructor with each complete worked configuration; what it gave is of the classes *built*."""
    constructor: Callable[..., Any] | None = block.constructor
    if constructor is None or isinstance(constructor, ConstructorRef) or block.kind != "block":
        return
    from .construction import call  # noqa: PLC0415 - declarations alone call nothing

    needed = {p.wire_name for p in parameters or () if p.helper is None and not p.has_default and not p.variadic}
    configurations = block.examples or ([{}] if not needed else [])
    for index, example in enumerate(configurations):
        if not needed <= set(example):
            continue
        try:
            made = call(block, thawed(example))
        except (Exception, SystemExit) as reason:  # noqa: BLE001 - whatever the constructor raises says why
            path = at("$.examples", index) if block.examples else "$"
            message = f"the constructor refuses {quoted(thawed(example))}: {_said(reason)}"
            yield Fault(InvalidExampleError, Problem(code="block_example_invalid", path=path, message=message))
        else:
            built.add(type(made))


def _said(reason: BaseException) -> str:
    try:
        text = str(reason).strip()
    except Exception:  # noqa: BLE001 - a stranger's exception may not even have words
        text = ""
    return f"{type(reason).__name__}: {text}" if text else type(reason).__name__
