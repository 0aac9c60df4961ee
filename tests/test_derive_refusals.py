"""Whatever a value is, and whatever the code of a class raises: a problem at its path, never a raw exception."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, NamedTuple

import pytest
from pydantic import AfterValidator, BaseModel, field_validator

from blockargs import Registry, ToolFailure, Toolset, new_block_arg
from blockargs.derive import Arg, binding_of, decode, derive_block, register_type
from blockargs.errors import InvalidArgumentsError, Problem
from blockargs.spec import BlockArgs, new_block_args
from blockargs.types import arg_integer, arg_string


def problems(function, arguments, documented=None):
    """Return the problems of a call as (path, message)."""
    block = derive_block(function) if documented is None else derive_block(function, arguments=documented)
    with pytest.raises(InvalidArgumentsError) as caught:
        block.binding.bind(arguments, {})
    return [(p.path, p.message) for p in caught.value.problems]


def rows(n: int, day: date | None = None, tag: str = "", *xs: int, **k: date):
    return [n, day, tag, xs, k]


UNTYPED = {"n": "Rows", "day": "From", "tag": "Text", "xs": "Numbers", "k": "Days"}


def test_an_argument_without_a_type_is_held_to_its_annotation():
    """What fits arrives as promised, what already is Python passes, anything else is a problem at its path."""
    bind = derive_block(rows, arguments=UNTYPED).binding.bind
    given = {"n": 2.0, "day": "2024-01-31", "xs": [1.0], "k": {"a": "2024-01-31"}}

    args, kwargs = bind(given, {})
    assert rows(*args, **kwargs) == [2, date(2024, 1, 31), "", (1,), {"a": date(2024, 1, 31)}]
    assert bind({"n": 1, "day": date(2024, 1, 31)}, {})[1] == {"n": 1, "day": date(2024, 1, 31)}
    wrong = {"n": 2.7, "day": "soon", "tag": 5, "xs": [1, "x"], "k": {"a": 5}}
    assert [path for path, _ in problems(rows, wrong, UNTYPED)] == ["$.n", "$.day", "$.tag", "$.xs[1]", "$.k.a"]
    assert problems(rows, {"n": True}, UNTYPED) == [("$.n", "true is a boolean, not an integer")]


def test_a_toolset_never_fails_by_an_untyped_argument():
    """The model is told what is wrong; the constructor is not called."""
    registry = Registry()
    registry.register(lambda n: n, uid="free", arguments={"n": "Anything"})
    registry.register(rows, uid="rows", arguments={"n": "Rows"})

    run = Toolset(registry).run({"name": "rows", "arguments": {"n": "x"}})
    free = Toolset(registry).run({"name": "free", "arguments": {"n": "x"}})

    assert (run.ok, [p.path for p in run.problems]) == (False, ["$.n"])
    assert (free.ok, free.outcome) == (True, "x")


def test_an_undocumented_parameter_passes_unchecked():
    """It is decoded where it fits, else it is passed on as it is; what is spread at the call must fit."""
    bind = binding_of(rows, BlockArgs()).bind

    assert bind({"n": 2.0, "day": "2024-01-31"}, {}) == ([], {"n": 2, "day": date(2024, 1, 31)})
    assert bind({"n": 2.7, "day": "soon", "tag": 5}, {}) == ([], {"n": 2.7, "day": "soon", "tag": 5})
    with pytest.raises(InvalidArgumentsError) as caught:
        bind({"n": 1, "xs": 5, "k": [1]}, {})
    assert [p.path for p in caught.value.problems] == ["$.xs", "$.k"]


def test_a_hidden_argument_that_the_host_gives_is_checked():
    """It is in no schema, so nothing else does."""

    def use(x: int, a: Annotated[int, Arg(hidden=True)] = 1, b: Annotated[date, Arg(hidden=True)] = date.min): ...

    written = {"a": new_block_arg(type=arg_integer(maximum=5), hidden=True), "b": new_block_arg(hidden=True)}
    assert [path for path, _ in problems(use, {"x": 1, "a": 2.7, "b": "soon"})] == ["$.a", "$.b"]
    assert [path for path, _ in problems(use, {"x": 1, "a": 6, "b": 5}, written)] == ["$.a", "$.b"]
    for block in (derive_block(use), derive_block(use, arguments=written)):
        decoded = block.binding.bind({"x": 1, "a": 2.0, "b": date(2024, 1, 31)}, {})[1]
        assert decoded == {"x": 1, "a": 2, "b": date(2024, 1, 31)}


def test_a_type_that_its_author_gives_for_a_text_is_taken_as_written():
    """Nothing is converted, so nothing is held to the annotation."""

    def use(tag: str): ...

    assert binding_of(use, new_block_args(tag=arg_integer())).bind({"tag": 5}, {})[1] == {"tag": 5}


class Broken(Exception):
    """Raised by what is no refusal."""


class Mute(ValueError):
    def __str__(self):
        raise RuntimeError("no words")


@dataclass
class Point:
    x: int

    def __post_init__(self):
        if self.x == 7:
            raise RAISED[0]


RAISED: list[Exception] = []


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        (ValueError("7 is unlucky\nreally"), "Point refuses it: 7 is unlucky"),
        (ValueError(), "Point refuses it: ValueError"),
        (AssertionError("not 7"), "Point refuses it: not 7"),
        (ZeroDivisionError("division by zero"), "Point refuses it: ZeroDivisionError"),
        (KeyError("seven"), "Point refuses it: KeyError"),
        (TypeError("no int"), "Point refuses it: TypeError"),
        (Broken(), "Point refuses it: Broken"),
        (Mute(), "Point refuses it: Mute"),
        (ValueError("x" * 10**6), f"Point refuses it: {'x' * 499}…"),
        (FileNotFoundError(2, "No such file", "/home/me/x.csv"), "Point refuses it: FileNotFoundError"),
        (OSError("cannot open /home/me/x.csv"), "Point refuses it: OSError"),
        (ValueError("see C:\\Users\\me\\x, ~/x/y or and/or"), "Point refuses it: see …, … or and/or"),
        (ToolFailure("unlucky", "take another"), "take another"),
    ],
)
def test_whatever_a_class_raises_is_a_problem_at_its_path(raised, message):
    """A refusal says so itself; of anything else the class alone is told. No path of the host leaves. It stays the cause."""
    RAISED[:] = [raised]

    def use(at: list[Point]): ...

    with pytest.raises(InvalidArgumentsError) as caught:
        derive_block(use).binding.bind({"at": [{"x": 1}, {"x": 7}]}, {})
    assert [(p.path, p.message) for p in caught.value.problems] == [("$.at[1]", message)]
    assert caught.value.__cause__ is raised
    with pytest.raises(InvalidArgumentsError) as caught:
        decode(Point, {"x": 7})
    assert caught.value.__cause__ is raised


class Even:
    def __init__(self, n):
        self.n = n


def even(n):
    if n == 1:
        return {}["one"]
    if n == 3:
        raise InvalidArgumentsError([Problem(code="odd", path="$.n", message="3 is odd", hint="take 4")])
    return Even(n // (n - 5))


class Pair(NamedTuple):
    left: Even
    right: re.Pattern[str]


class Model(BaseModel):
    n: Annotated[int, AfterValidator(lambda n: {2: 4}[n])]
    m: int = 0

    @field_validator("m")
    @classmethod
    def known(cls, m: int) -> int:
        return len(m)


def test_what_is_registered_or_validated_may_raise_anything():
    """Decoders, validators of pydantic and patterns that Python does not know: each is told at its path."""
    register_type(Even, arg_integer(), even, lambda one: one.n)

    def use(a: list[Even], b: Pair, c: list[Model], d: Annotated[int, AfterValidator(lambda n: n.real.x)]): ...

    given = {"a": [1, 2, 3, 5], "b": [1, r"(?|a|b)"], "c": [{"n": 1}], "d": 1}
    assert derive_block(use).validator().accepts({**given, "b": {"left": 1, "right": r"(?|a|b)"}})
    given["b"] = {"left": 1, "right": r"(?|a|b)"}
    found = problems(use, given)
    assert [path for path, _ in found] == ["$.a[0]", "$.a[2].n", "$.a[3]", "$.b.left", "$.b.right", "$.c[0]", "$.d"]
    told = [message.partition(":")[2] for _, message in found if "refuse" in message]
    assert told == [" KeyError", " ZeroDivisionError", " KeyError", " KeyError", " AttributeError"]


def test_a_pattern_is_refused_where_pythons_own_re_cannot_read_it():
    """The format is wider than what arrives."""

    def use(p: re.Pattern): ...

    message = "'(?|a|b)' is no regular expression of Python: unknown extension ?| at position 1"
    assert problems(use, {"p": "(?|a|b)"}) == [("$.p", message)]


def test_what_cannot_be_decoded_at_all_is_told_by_its_type():
    """A binding that is given unchecked arguments names what does not fit, whatever the decoder stumbles over."""
    assert problems(rows, {"n": [5]}) == [("$.n", "[5] is a list, not an integer")]
    assert problems(rows, {"n": {}, "day": "0000-01-01"})[1][0] == "$.day"


def test_a_decoder_that_fails_beside_its_code_is_a_problem_as_well():
    """Values that are equal in no way a set or a table can ask for are named by the argument."""

    class Odd:
        __hash__ = None

    def use(table): ...

    register_type(Odd, arg_string(), lambda _: Odd(), lambda _: "odd")
    use.__annotations__["table"] = dict[Odd, int]
    ((path, message),) = problems(use, {"table": {"a": 1}})
    assert path == "$.table"
    assert message == '{"a": 1} is refused: TypeError'


@pytest.mark.parametrize(
    ("annotation", "value", "path"),
    [
        (float, 10**400, "$"),
        (dict[str, float], {"a": 10**400}, "$.a"),
        (set[Any], [1, True], "$[1]"),
        (set, [5, 0, False], "$[2]"),
        (frozenset[int | bool], [1, 2, True], "$[2]"),
        (set[date], [["x"]], "$[0]"),
        (set, [[1]], "$"),
    ],
)
def test_what_would_arrive_as_something_else_is_a_problem(annotation, value, path):
    """No number too large for a float is left an int, and no member of a set is lost."""

    def use(x): ...

    use.__annotations__["x"] = annotation
    assert [p for p, _ in problems(use, {"x": value})] == ["$.x" + path[1:]]
    with pytest.raises(InvalidArgumentsError):
        decode(annotation, value)
