"""Declarations against constructors: what a registry says that its code does not do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ._text import did_you_mean, listing, quoted
from .categories import CATEGORIES
from .derive import DEFAULT_MISFIT, Parameter, docs_problems, parameters_of, type_conflicts
from .errors import BlockArgsError, InvalidDeclarationError, MissingDependencyError, Problem, at
from .node import thawed
from .registry import Blocks, blocks_in, constructor_of
from .registry.admission import faults_of
from .sentences import undescribed, undocumented
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
from .validate import problems_in


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
class CheckReport:
    """What a check found.

    Attributes:
        findings: What is wrong and not allowed, in the order of the blocks.
        allowed: What is wrong, but allowed with a reason.
        remarks: What could not be checked, or is no fault but unusual; a sentence each.
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
    blocks: Blocks | None = None,
    *,
    construct: bool = False,
    suggest: bool = False,
    allow: Mapping[str, Mapping[str, str]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CheckReport:
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
        if block.category not in CATEGORIES:
            remarks[f"{block.uid} has the category {quoted(block.category)}; {_suggested(block.category)}"] = None
        if progress is not None:
            progress(index + 1, len(listed))
    kept, allowed = _sorted_out(found, allow or {})
    return CheckReport(tuple(kept), tuple(allowed), tuple(remarks), len(listed))


def _suggested(category: str) -> str:
    return did_you_mean(category, CATEGORIES) or f"suggested are {listing(CATEGORIES)}"


def read_allowances(text: str, file: str = "") -> dict[str, dict[str, str]]:
    """Read an allow-list: YAML that maps uid to JSONPath to the reason.

    Raises:
        InvalidDeclarationError: It is no such YAML, or a reason is missing.
    """
    from .declare import DeclarationProblem, load_yaml  # noqa: PLC0415 - brings in the YAML library

    def wrong(message: str, uid: str = "", path: str = "$") -> Problem:
        return DeclarationProblem(code=InvalidDeclarationError.code, path=path, message=message, source=file, uid=uid)

    data = load_yaml(text, file=file) or {}
    problems: list[Problem] = []
    if not isinstance(data, Mapping):
        problems.append(wrong("an allow-list maps each uid to paths with reasons"))
        data = {}
    for uid, paths in data.items():
        if not isinstance(paths, Mapping):
            problems.append(wrong("write a path and a reason, such as `$.rows: kept for saved states`", uid))
            continue
        for path, reason in paths.items():
            if not isinstance(reason, str) or not reason.strip():
                problems.append(wrong("it is allowed without a reason", uid, path))
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
    yield from _arguments(block, suggest=suggest)
    yield from docs_problems(loaded.constructor)
    yield from type_conflicts(block.arguments, loaded.constructor)
    if block.schema is None:
        yield from _undocumented(block, parameters)


def _own_problems(block: Block, *, suggest: bool) -> list[Problem]:
    """Return what can be seen without the constructor."""
    alone = block.with_(constructor=None)
    return [*(f.problem for f in faults_of(alone, construct=False)), *_arguments(block, suggest=suggest)]


def _arguments(block: Block, *, suggest: bool) -> Iterator[Problem]:
    """Yield what an argument lacks, and a default that its own type refuses."""
    yield from _unwritten_defaults(block)
    for name, arg in block.arguments.items():
        path = at("$", name)
        yield from _misfit_default(name, arg)
        if arg.type is None and not arg.hidden:
            kind = suggested_type(arg.example) if suggest else None
            hint = f"its example says `type: {spell(kind)}`" if kind is not None else "declare its type"
            message = f"{quoted(name)} has no type, so any JSON is taken"
            yield Problem(code="untyped_argument", path=path, message=message, hint=hint)
        if not arg.description and not arg.hidden and not (arg.type is not None and "description" in arg.type):
            code, message = undescribed(name)
            yield Problem(code=code, path=path, message=message, hint="say what it is for")


def _unwritten_defaults(block: Block) -> Iterator[Problem]:
    """Yield each default of the constructor that is no JSON, and not what its annotation says either."""
    for note in block.notes:
        if note.rule == DEFAULT_MISFIT and any(
            at("$", name) == note.path and arg.default is MISSING for name, arg in block.arguments.items()
        ):
            yield Problem(
                code="default_nonconforming", path=note.path, message=note.message, hint="correct the default"
            )


def _misfit_default(name: str, arg: BlockArg) -> Iterator[Problem]:
    if arg.type is not None and arg.default is not MISSING and arg.default is not None:
        for problem in problems_in(thawed(arg.default), arg.type, at("$", name)):
            message = f"the declared default does not fit: {problem.message}"
            yield Problem(code="default_nonconforming", path=problem.path, message=message, hint=problem.hint)


def _undocumented(block: Block, parameters: Iterable[Parameter]) -> Iterator[Problem]:
    for parameter in parameters:
        if parameter.wire_name not in block.arguments and parameter.kind != "var_keyword":
            code, message = undocumented(parameter.name)
            near = did_you_mean(parameter.wire_name, block.arguments)
            hint = near or f"add it to the arguments; documented are {listing(block.arguments) or 'none'}"
            yield Problem(code=code, path=at("$", parameter.wire_name), message=message, hint=hint)


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
