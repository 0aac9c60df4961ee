"""What no block can hold is refused where it is derived, and what does not fit is told in words."""

from __future__ import annotations

import datetime as dt
import functools
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Callable, Generic, Literal, NewType, TypedDict, TypeVar, Unpack

import pytest
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field
from pydantic.dataclasses import dataclass as pydantic_dataclass

from blockargs import Context, Registry, Toolset, export_tools
from blockargs.derive import arg_type_of, decode, derive_block, register_type
from blockargs.errors import BlockArgsError, InvalidArgTypeError, InvalidArgumentsError, UnsupportedAnnotationError

NESTED = AliasPath("x", "y")


class Pathed(BaseModel):
    c: int = Field(3, validation_alias=NESTED)


@pydantic_dataclass
class PathedToo:
    c: int = Field(3, validation_alias=AliasChoices(AliasPath("x", 0), NESTED))


class ByName(Pathed):
    model_config = ConfigDict(validate_by_name=True)


class Plainly(BaseModel):
    one: int = Field(3, validation_alias=AliasPath("x"))
    two: int = Field(3, validation_alias=AliasChoices(NESTED, "d1", AliasPath("d2")))


@pytest.mark.parametrize("cls", [Pathed, PathedToo])
def test_a_field_that_pydantic_looks_for_in_nested_data_alone_is_refused(cls):
    """What a caller gives under its name would be dropped without a word."""
    for ask in (lambda: derive_block(cls), lambda: arg_type_of(cls), lambda: decode(cls, {"c": 5})):
        with pytest.raises(UnsupportedAnnotationError) as caught:
            ask()
        (problem,) = caught.value.problems
        assert problem.path == "$.c"
        assert "is a path into nested data" in problem.message
        assert problem.hint == "give it a plain alias, or the model validate_by_name=True"


def test_a_plain_name_beside_such_a_path_is_its_name():
    """The first one stands in the schema; a model may use the others too."""
    assert decode(ByName, {"c": 5}).c == 5
    assert list(arg_type_of(Plainly)["properties"]) == ["x", "d1"]
    registry = Registry()
    registry.register(Plainly, uid="plainly")
    run = Toolset(registry).run({"name": "plainly", "arguments": {"x": 1, "d2": 2}})
    assert (run.outcome.one, run.outcome.two) == (1, 2)


HALF = "half \ud800"


def half_described(a: int): ...


half_described.__doc__ = f"Say {HALF}.\n\nArgs:\n    a: An {HALF}.\n"


def half_done(a: int): ...


half_done.__doc__ = HALF


def half_said(a: Annotated[int, HALF]): ...


@dataclass
class Half:
    a: Annotated[list[Annotated[int, HALF]], "Whole."]


@dataclass
class HalfDocumented:
    """A record.

    Attributes:
        a: placeholder
    """

    a: int


HalfDocumented.__doc__ = (HalfDocumented.__doc__ or "").replace("placeholder", HALF)


def whole(a: int): ...


@pytest.mark.parametrize(
    ("make", "paths"),
    [
        (lambda: derive_block(half_described), ["$.a"]),
        (lambda: derive_block(half_done), ["$.description"]),
        (lambda: derive_block(whole, description=HALF, arguments={"a": "Whole."}), ["$.description"]),
        (lambda: derive_block(whole, arguments={"a": HALF}), ["$.arguments.a"]),
        (lambda: derive_block(half_said), ["$.a"]),
        (lambda: derive_block(functools.partial(half_said)), ["$.a"]),
        (lambda: arg_type_of(Half), ["$.a"]),
        (lambda: arg_type_of(HalfDocumented), ["$.a"]),
    ],
)
def test_half_a_character_is_refused_where_a_block_is_derived(make, paths):
    """It cannot be written as UTF-8, so no provider would get it; registering says the same."""
    with pytest.raises(BlockArgsError) as caught:
        make()
    assert [p.path for p in caught.value.problems][: len(paths)] == paths


def test_whole_characters_outside_of_ascii_are_taken():
    """Only half of one is refused."""

    def use(a: Annotated[int, "Größe 😀"]): ...

    assert "Größe 😀" in export_tools(derive_block(use), "openai").json().decode("utf-8")


Unnamed = TypedDict("Unnamed", {"": int})
HalfNamed = TypedDict("HalfNamed", {"\ud800": int})


@pytest.mark.parametrize("cls", [Unnamed, HalfNamed])
def test_an_argument_has_a_name(cls):
    """An empty one, or half a character, is none."""
    with pytest.raises(UnsupportedAnnotationError, match="is no name for an argument; name it by a text"):
        Registry().register(cls)


class Given(TypedDict):
    a: int


class MyContext(Context): ...


Kelvin = NewType("Kelvin", int)
T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, size: int): ...


def test_what_cannot_be_is_named_as_its_author_knows_it():
    """A name that is there twice, and a subclass of what the host fills in."""

    def twice(a, **k: Unpack[Given]): ...

    def asks(ctx: MyContext): ...

    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(twice)
    assert "'a' is a parameter, and a key of the TypedDict that ** unpacks as well" in str(caught.value)
    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(asks)
    assert str(caught.value).endswith(
        "$.ctx: the host fills in a Context, and knows nothing of its subclass MyContext; write context: Context"
    )


@pytest.mark.parametrize(
    ("annotation", "name"),
    [
        (Any, "Any"),
        (Literal[1], "Literal[1]"),
        (Annotated[Box, "x"], "Annotated["),
        (int | None, "int | None"),
        (Callable[[int], int], "Callable[[int], int]"),
        (Kelvin, "Kelvin"),
        (T, "~T"),
    ],
)
def test_an_annotation_is_no_constructor(annotation, name):
    """It says which values there are, and makes none."""
    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(annotation)
    assert name in caught.value.problems[0].message
    assert list(derive_block(Box[int]).arguments) == ["size"]


class Own: ...


@pytest.mark.parametrize(
    ("given", "path", "message"),
    [
        ((3, "string", str, str), "$.cls", "3 is no class"),
        ((None, "string", str, str), "$.cls", "null is no class"),
        ((Own, "string", 5, str), "$.decode", "5 cannot be called"),
        ((Own, "string", str, None), "$.encode", "null cannot be called"),
    ],
)
def test_what_is_registered_for_a_class_is_checked(given, path, message):
    """Else each value would fail, far from the mistake."""
    with pytest.raises(InvalidArgTypeError) as caught:
        register_type(*given)
    assert [(p.path, p.message) for p in caught.value.problems] == [(path, message)]


OFFSET = "add Z or an offset such as +01:00"


@pytest.mark.parametrize(
    ("cls", "text", "message", "hint"),
    [
        (
            dt.timedelta,
            "soon",
            "'soon' is not an ISO 8601 duration such as PT5M",
            "write an ISO 8601 duration of weeks, days, hours … such as P1DT2H30M",
        ),
        (
            Decimal,
            "much",
            "'much' is not a decimal number such as 12.50",
            'write a decimal number in quotes, such as "19.90"',
        ),
        (dt.time, "noon", "'noon' is not a time such as 14:30:00", "write a time such as 14:30:00"),
        (
            dt.datetime,
            "2024-01-31T12:30:00",
            "'2024-01-31T12:30:00' is not a date and time with its offset",
            OFFSET,
        ),
        (
            dt.datetime,
            "31 January",
            "'31 January' is not a date and time with its offset",
            "write it like '2024-01-31T12:30:00Z'",
        ),
    ],
)
def test_what_does_not_fit_is_told_in_words(cls, text, message, hint):
    """Nobody has to read a regular expression of ours."""
    with pytest.raises(InvalidArgumentsError) as caught:
        decode(cls, text)
    assert [(p.message, p.hint) for p in caught.value.problems] == [(message, hint)]
