"""What a bound outside of the schema says: the code and the sentence of the schema's own, and no text hangs it."""

from __future__ import annotations

import math
import re
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from time import process_time
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Gt, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Predicate
from pydantic import BaseModel, ConfigDict, Field, HttpUrl, TypeAdapter
from pydantic_core import PydanticCustomError

from blockargs.derive import accepts_python, arg_type_of, decode, derive_block
from blockargs.derive.refusals import misfit_of
from blockargs.errors import InvalidArgumentsError, UnsupportedAnnotationError
from blockargs.types import arg_array, arg_number, arg_object, arg_string
from blockargs.validate import problems_in


def told(annotation, value):
    """Return the problems of *value* as (code, message, hint)."""
    with pytest.raises(InvalidArgumentsError) as caught:
        decode(annotation, value)
    return [(p.code, p.message, p.hint) for p in caught.value.problems]


@pytest.mark.parametrize("text", ["a" * 40 + "!", "a" * 20_000 + "!"])
def test_a_pattern_outside_of_the_schema_has_a_time_limit(text):
    """A hostile text is refused as too slow, as where the schema holds the pattern."""
    hostile = Annotated[Path, Field(pattern=r"^(a|aa)+$")]
    start = process_time()

    assert "pattern" not in arg_type_of(Annotated[date, Field(pattern=r"^(a|aa)+$")])
    assert told(hostile, text) == told(Annotated[str, Field(pattern=r"^(a|aa)+$")], text)
    assert told(hostile, text) == [("too_slow", "the check took more than 50 ms", "send a shorter value")]
    assert not accepts_python(hostile, Path(text))
    assert process_time() - start < 5


def test_many_slow_texts_share_one_budget():
    """A list of them takes no longer than a second, and the next value has its own time."""
    hostile = Annotated[Path, Field(pattern=r"^(a|aa)+$")]
    block = derive_block(_takes(list[hostile]))
    start = process_time()

    with pytest.raises(InvalidArgumentsError) as caught:
        block.binding.bind({"x": ["a" * 40 + "!"] * 40 + ["aa"]}, {})

    assert {p.code for p in caught.value.problems} == {"too_slow"}
    assert process_time() - start < 5
    assert block.binding.bind({"x": ["aa"]}, {})[1] == {"x": [Path("aa")]}


def _takes(annotation):
    def f(x): ...

    f.__annotations__["x"] = annotation
    return f


def test_a_pattern_that_is_none_is_refused_when_it_is_read():
    """Not by refusing every value."""
    with pytest.raises(UnsupportedAnnotationError) as caught:
        arg_type_of(Annotated[Path, Field(pattern="(")])

    assert caught.value.problems[0].message.startswith("'(' is no regular expression: ")


def test_the_flags_of_a_compiled_pattern_are_kept():
    """In the schema and outside of it."""
    word = Annotated[str, Field(pattern=re.compile("^ab.$", re.IGNORECASE | re.DOTALL))]

    assert arg_type_of(word)["pattern"] == "(?is:^ab.$)"
    assert decode(word, "AB\n") == "AB\n"
    assert decode(Annotated[Path, Field(pattern=re.compile("x", re.IGNORECASE))], "X") == Path("X")


SAME = [
    (Annotated[Decimal, Gt(Decimal(3))], "3", arg_number(exclusive_minimum=3), 3),
    (Annotated[Decimal, Ge(3)], "2", arg_number(minimum=3), 2),
    (Annotated[Decimal, Lt(3)], "4", arg_number(exclusive_maximum=3), 4),
    (Annotated[Decimal, Le(3)], "4", arg_number(maximum=3), 4),
    (Annotated[Decimal, MultipleOf(2)], "3", arg_number(multiple_of=2), 3),
    (Annotated[Path, Field(pattern="^x")], "abc", arg_string(pattern="^x"), "abc"),
    (Annotated[bytes, Len(3)], "YQ==", arg_string(min_length=3), "a"),
    (Annotated[frozenset[int] | int, Len(2)], [1], arg_array(arg_number(), min_items=2), [1]),
    (Annotated[Any, Len(0, 1)], {"a": 1, "b": 2}, arg_object(extra=True) | {"maxProperties": 1}, {"a": 1, "b": 2}),
]


@pytest.mark.parametrize(("annotation", "value", "node", "plain"), SAME)
def test_one_fault_has_one_code_and_one_sentence(annotation, value, node, plain):
    """A bound speaks alike, whether the schema holds it or not."""
    (outside,) = told(annotation, value)
    (inside,) = problems_in(plain, node)

    def without_value(message):
        return re.sub(r"^\S.*? (?=is|has|does)", "", message)

    assert (outside[0], without_value(outside[1])) == (inside.code, without_value(inside.message))


def test_a_test_of_the_author_refuses():
    """It has words of its own, so it has no code of a bound."""
    assert told(Annotated[date, Predicate(lambda d: d.year > 2000)], "1999-01-01") == [
        ("refused", "'1999-01-01' must pass the test that its author wrote", "")
    ]
    assert told(Annotated[date, Ge(date(2020, 1, 31))], "1999-01-01") == [
        ("too_small", "'1999-01-01' is below the minimum 2020-01-31", "")
    ]


class Fur(Enum):
    DARK = "dark"


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    n: int


def raise_own(value):
    raise PydanticCustomError("too_blue", "it is too blue")


PYDANTIC = [
    (Annotated[int, Field(gt=5)], 5, "too_small", "5 is not above 5"),
    (Annotated[int, Field(ge=5)], 1, "too_small", "1 is below the minimum 5"),
    (Annotated[int, Field(lt=5)], 5, "too_large", "5 is not below 5"),
    (Annotated[int, Field(le=5)], 6, "too_large", "6 is above the maximum 5"),
    (Annotated[int, Field(multiple_of=5)], 6, "not_multiple", "6 is no multiple of 5"),
    (Annotated[str, Field(min_length=2)], "a", "too_short", "'a' has 1 character, at least 2 are needed"),
    (Annotated[str, Field(max_length=2)], "abc", "too_long", "'abc' has 3 characters, at most 2 are allowed"),
    (Annotated[HttpUrl, Field(max_length=3)], "http://a.b", "too_long", None),
    (Annotated[str, Field(pattern="^x")], "abc", "pattern_mismatch", "'abc' does not match the pattern '^x'"),
    (Annotated[list, Field(min_length=2)], [1], "too_few_items", "[1] has 1 item, at least 2 are needed"),
    (Annotated[dict, Field(max_length=0)], {"a": 1}, "too_many_keys", '{"a": 1} has 1 key, at most 0 are allowed'),
    (Literal["a"], "b", "not_in_enum", "Input should be 'a'"),
    (Fur, "b", "not_in_enum", "Input should be 'dark'"),
    (Closed, {}, "missing_key", "the required key 'n' is missing"),
    (Closed, {"n": 1, "m": 2}, "unknown_key", "'m' is no known key"),
    (str, 5, "wrong_type", "Input should be a valid string"),
    (int, "x", "wrong_type", "Input should be a valid integer, unable to parse string as an integer"),
    (HttpUrl, "x", "wrong_format", "Input should be a valid URL, relative URL without a base"),
    (Annotated[Decimal, Field(max_digits=2)], "123", "refused", "Decimal input should have no more than 2 digits in total"),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "value", "code", "message"), PYDANTIC)
def test_what_pydantic_refuses_has_our_code(annotation, value, code, message):
    """Also our sentence, where the words of pydantic hold no more."""
    with pytest.raises(ValueError) as caught:
        TypeAdapter(annotation).validate_python(value)

    (problem,) = misfit_of(caught.value, "").problems()

    assert (problem.code, message or problem.message) == (code, problem.message)


def test_the_code_of_an_author_stays():
    """A validator that names its own kind of fault is heard."""
    from pydantic import AfterValidator

    assert told(Annotated[int, AfterValidator(raise_own)], 5) == [("too_blue", "it is too blue", "")]


def test_every_kind_of_pydantic_has_a_code_of_ours():
    """None of its own names leaves: the vocabulary of problems is ours."""
    from typing import get_args

    from pydantic_core.core_schema import ErrorType

    from blockargs.derive import refusals

    tabled = {*refusals._BOUNDS, *refusals._SIZES, *refusals._SENTENCES}
    codes = Counter(
        refusals._told({"type": kind, "url": "", "loc": ("a",), "input": 1}, "text")[0]
        for kind in get_args(ErrorType)
        if kind not in tabled
    )

    assert tabled <= set(get_args(ErrorType))
    assert set(codes) == {"not_in_enum", "missing_key", "wrong_type", "wrong_format", "refused"}


NO_BOUNDS = [
    (str, MinLen(-1), "min_length is a whole number from 0, not -1"),
    (str, MinLen(1.5), "min_length is a whole number from 0, not 1.5"),
    (list[int], MaxLen(True), "max_length is a whole number from 0, not true"),
    (bytes, MinLen(-1), "min_length is a whole number from 0, not -1"),
    (str, Len(5, 1), "minLength 5 is above maxLength 1"),
    (int, Field(ge=5, le=1), "minimum 5 is above maximum 1"),
    (int | str, Field(ge=5, le=1), "minimum 5 is above maximum 1"),
    (int, MultipleOf(0), "multipleOf is above 0, not 0"),
    (int, MultipleOf(-2), "multipleOf is above 0, not -2"),
    (Decimal, MultipleOf(Decimal(0)), "multiple_of is above 0, not Decimal('0')"),
    (timedelta, MultipleOf("x"), "multiple_of is above 0, not 'x'"),
    (int, Ge("x"), "ge is something that values are compared with, not 'x'"),
    (float, Lt(math.nan), "lt is something that values are compared with, not nan"),
    (str, Field(pattern="("), "'(' is no regular expression"),
    (Path, Field(pattern="("), "'(' is no regular expression"),
]


@pytest.mark.parametrize(("annotation", "bound", "message"), NO_BOUNDS)
def test_a_bound_that_cannot_be_is_refused_when_deriving(annotation, bound, message):
    """As the constructor of a type refuses it: no such schema goes out, and no value stumbles over it."""

    def use(a): ...

    use.__annotations__["a"] = Annotated[annotation, bound]
    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(use)
    (problem,) = caught.value.problems
    assert problem.path == "$.a"
    assert problem.message.startswith(message), problem.message
    assert problem.hint


def test_a_bound_that_nothing_reaches_stays():
    """An infinite bound is one, and so is a day for days."""
    assert decode(Annotated[float, Lt(math.inf), Ge(-math.inf)], 5) == 5.0
    assert decode(Annotated[date, Ge(date(2024, 1, 1))], "2024-01-31") == date(2024, 1, 31)
