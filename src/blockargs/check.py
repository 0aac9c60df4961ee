"""Declarations against constructors: what a registry says that its code does not do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ._text import did_you_mean, listing, quoted
from .derive import Parameter, parameters_of
from .errors import BlockArgsError, InvalidDeclarationError, MissingDependencyError, Problem, at
from .registry import blocks_in, constructor_of
from .registry.admission import faults_of
from .spec import MISSING, Block, BlockArg
from .spelling import spell
from .types import (
    ArgType,
    arg_array,
    arg_boolean,
    arg_integer,
    arg_json_array,
    arg_number,
    arg_object,
    arg_string,
    arg_union,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of one block.

    Attributes:
        uid: The block.
        source: Where it was declared, ``rows.yml:7``, or ``""``.
        problem: What is wrong.
    """

    uid: str
    source: str
    problem: Problem

    def __str__(self) -> str:
        """``rows.yml:7: head_block: $.n: …``."""
        return ": ".join(filter(None, (self.source, self.uid, str(self.problem))))


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found.

    Attributes:
        findings: What is wrong and not allowed, in the order of the blocks.
        allowed: What is wrong, but allowed with a reason.
        remarks: What could not be checked, a sentence each.
        blocks: How many blocks were checked.
    """

    findings: tuple[Finding, ...]
    allowed: tuple[Finding, ...]
    remarks: tuple[str, ...]
    blocks: int

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def check_blocks(
    blocks: Any = None,
    *,
    construct: bool = False,
    suggest: bool = False,
    allow: Mapping[str, Mapping[str, str]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Compare what *blocks* declare with what their constructors take.

    Args:
        blocks: As in `block_metadata`; ``None`` is the default registry.
        construct: Whether to call the constructors with their worked configurations.
        suggest: Whether to propose a type, made from the example, for an untyped argument.
        allow: uid to JSONPath to the reason why a finding there is right as it is; an entry
            that allows nothing is itself a finding.
        progress: Told the number of blocks done and of all.

    Returns:
        Every finding: examples and types that do not fit, untyped arguments, parameters
        without documentation, documented arguments that are no parameters, requiredness and
        defaults that differ from the signature.
    """
    listed = blocks_in(blocks)
    found: list[Finding] = []
    remarks: dict[str, None] = {}
    for index, block in enumerate(listed):
        try:
            problems = list(_problems(block, construct=construct, suggest=suggest))
        except MissingDependencyError as error:
            problems = [p for p in error.problems if construct]
            remarks[
                f"{block.uid} was not compared with its constructor: {error.problems[0].message}; {error.problems[0].hint}"
            ] = None
            problems += _own_problems(block, suggest=suggest)
        except BlockArgsError as error:
            problems = [*error.problems, *_own_problems(block, suggest=suggest)]
        found += [Finding(block.uid, block.source, p) for p in problems]
        if progress is not None:
            progress(index + 1, len(listed))
    kept, allowed = _sorted_out(found, allow or {})
    return Report(tuple(kept), tuple(allowed), tuple(remarks), len(listed))


def read_allowances(text: str, file: str = "") -> dict[str, dict[str, str]]:
    """Read an allow-list: YAML that maps uid to JSONPath to the reason.

    Raises:
        InvalidDeclarationError: It is no such YAML, or a reason is missing.
    """
    from .declare import load_yaml  # noqa: PLC0415 - brings in the YAML library

    data = load_yaml(text, file=file) or {}
    problems: list[Problem] = []
    if not isinstance(data, Mapping):
        problems.append(_allow_problem(f"{file}:1: an allow-list maps each uid to paths with reasons"))
        data = {}
    for uid, paths in data.items():
        if not isinstance(paths, Mapping):
            problems.append(
                _allow_problem(f"{file}: {uid}: write a path and a reason, such as `$.rows: kept for saved states`")
            )
            continue
        for path, reason in paths.items():
            if not isinstance(reason, str) or not reason.strip():
                problems.append(_allow_problem(f"{file}: {uid}: {path} is allowed without a reason"))
    if problems:
        raise InvalidDeclarationError(problems)
    return {uid: dict(paths) for uid, paths in data.items()}


def suggested_type(example: Any) -> ArgType | None:
    """Return the type that *example* speaks for; ``None`` where it says nothing.

    >>> suggested_type([{"column": "a", "top": 3}])["items"]["required"]
    ['column', 'top']
    """
    for kind, make in _SUGGESTIONS:
        if isinstance(example, kind):
            return make(example)
    return None


def _of_list(example: list[Any]) -> ArgType:
    items = [t for t in map(suggested_type, example) if t is not None]
    return arg_array(arg_union(*items)) if items else arg_json_array()


def _of_dict(example: Mapping[str, Any]) -> ArgType | None:
    fields = {k: suggested_type(v) for k, v in example.items()}
    typed = {k: t for k, t in fields.items() if t is not None}
    return arg_object(typed) if typed and len(typed) == len(fields) else None


# what an example is, and the type it speaks for; the first match wins, and a bool is an int
_SUGGESTIONS: tuple[tuple[type, Callable[[Any], ArgType | None]], ...] = (
    (bool, lambda _: arg_boolean()),
    (int, lambda _: arg_integer()),
    (float, lambda _: arg_number()),
    (str, lambda _: arg_string()),
    (list, _of_list),
    (Mapping, _of_dict),
)


def _problems(block: Block, *, construct: bool, suggest: bool) -> Iterator[Problem]:
    if block.constructor is None:
        yield from _own_problems(block, suggest=suggest)
        return
    loaded = block.with_(constructor=constructor_of(block))
    parameters = [p for p in parameters_of(loaded.constructor) if p.helper is None]
    yield from (f.problem for f in faults_of(loaded, construct=construct))
    yield from _untyped(block, suggest=suggest)
    if block.schema is None:
        yield from _undocumented(block, parameters)
    for parameter in parameters:
        if (arg := block.arguments.get(parameter.wire_name)) is not None:
            yield from _differences(parameter, arg)


def _own_problems(block: Block, *, suggest: bool) -> list[Problem]:
    """Return what can be seen without the constructor."""
    alone = block.with_(constructor=None)
    return [*(f.problem for f in faults_of(alone, construct=False)), *_untyped(block, suggest=suggest)]


def _untyped(block: Block, *, suggest: bool) -> Iterator[Problem]:
    for name, arg in block.arguments.items():
        path = at("$", name)
        if arg.type is None and not arg.hidden:
            kind = suggested_type(arg.example) if suggest else None
            hint = f"its example says `type: {spell(kind)}`" if kind is not None else "declare its type"
            message = f"{quoted(name)} has no type, so any JSON is taken"
            yield Problem(code="untyped_argument", path=path, message=message, hint=hint)
        if not arg.description and not arg.hidden and not (arg.type is not None and "description" in arg.type):
            message = f"{quoted(name)} has no description"
            yield Problem(code="missing_description", path=path, message=message, hint="say what it is for")


def _undocumented(block: Block, parameters: Iterable[Parameter]) -> Iterator[Problem]:
    for parameter in parameters:
        if parameter.wire_name not in block.arguments and parameter.kind != "var_keyword":
            message = f"parameter {quoted(parameter.name)} of the constructor is not documented"
            near = did_you_mean(parameter.wire_name, block.arguments)
            hint = near or f"add it to the arguments; documented are {listing(block.arguments) or 'none'}"
            yield Problem(code="undocumented_parameter", path=at("$", parameter.wire_name), message=message, hint=hint)


def _differences(parameter: Parameter, arg: BlockArg) -> Iterator[Problem]:
    path = at("$", parameter.wire_name)
    optional = parameter.has_default or parameter.variadic
    if not optional and not arg.required:
        message = f"{quoted(parameter.wire_name)} is declared optional, but the constructor needs it"
        yield Problem(code="required_mismatch", path=path, message=message, hint="write `required: true`")
    if arg.default is MISSING or arg.required:
        return
    if not optional or (_is_json(parameter.default) and not _same(arg.default, parameter.default)):
        real = quoted(parameter.default) if optional else "no default"
        message = f"the declared default {quoted(arg.default)} is not the constructor's: {real}"
        yield Problem(code="default_mismatch", path=path, message=message, hint="write the constructor's default")


def _is_json(value: Any) -> bool:
    return value is None or isinstance(value, str | bool | int | float | list | tuple | dict)


def _same(declared: Any, real: Any) -> bool:
    def plain(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [plain(v) for v in value]
        if isinstance(value, Mapping):
            return {k: plain(v) for k, v in value.items()}
        return (isinstance(value, bool), value)

    return bool(plain(declared) == plain(real))


def _sorted_out(found: list[Finding], allow: Mapping[str, Mapping[str, str]]) -> tuple[list[Finding], list[Finding]]:
    kept = [f for f in found if f.problem.path not in allow.get(f.uid, {})]
    allowed = [f for f in found if f.problem.path in allow.get(f.uid, {})]
    used = {(f.uid, f.problem.path) for f in allowed}
    for uid, paths in allow.items():
        for path in paths:
            if (uid, path) not in used:
                message = "the allow-list names it, but nothing is wrong there"
                kept.append(
                    Finding(
                        uid, "", Problem(code="allowance_unused", path=path, message=message, hint="take the line out")
                    )
                )
    return kept, allowed


def _allow_problem(message: str) -> Problem:
    return Problem(code=InvalidDeclarationError.code, path="$", message=message)
