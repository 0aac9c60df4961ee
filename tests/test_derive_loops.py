"""What leads back to itself: refused where it adds nothing, followed where it does, told where it never ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Generic, Optional, TypeVar, TypeVarTuple, Union, Unpack

import pytest
from pydantic import BaseModel

from blockargs.derive import Arg, arg_type_of, decode, derive_block, encode
from blockargs.errors import InvalidArgumentsError, UnsupportedAnnotationError

Only = Union[int, "Only"]
Maybe = Optional["Maybe"]
Ping = Union[str, "Pong"]
Pong = Union[int, "Ping"]
Far = Union[str, "Near"]
Near = Union[int, list["Near"], "Far"]
Loose = Union[Annotated[Any, Arg(type={"anyOf": [True, {"type": "string"}]})], list["Loose"]]
Text = "Text"
First = "Second"
Second = "First"
Nested = list["Nested"]
Tree = Union[int, list["Tree"]]


@pytest.mark.parametrize("name", ["Only", "Maybe", "Ping", "Far", "Text", "First"])
def test_what_stands_for_itself_alone_is_refused(name):
    """Its schema would be a reference that leads nowhere."""

    def use(a): ...

    def give(): ...

    use.__annotations__["a"] = name
    give.__annotations__["return"] = name
    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(use)
    assert [p.path for p in caught.value.problems] == ["$.a"]
    assert "itself alone" in caught.value.problems[0].message
    assert derive_block(give).output_schema is None


@dataclass
class Holder:
    text: Text
    table: dict[str, Annotated[Text, "A text."]]


def test_a_field_that_stands_for_itself_alone_is_refused():
    """The path leads to the field."""
    with pytest.raises(UnsupportedAnnotationError, match=r"\$\.text: 'Text' stands for nothing but itself"):
        arg_type_of(Holder)


def test_what_leads_back_through_a_list_is_followed():
    """Each level holds something of its own."""

    def use(a: Nested, b: Tree, c: list[Loose]): ...

    bound = derive_block(use).binding.bind({"a": [[], [[]]], "b": [1, [2.0]], "c": [1]}, {})
    assert bound[1] == {"a": [[], [[]]], "b": [1, [2]], "c": [1]}


@dataclass
class Ring:
    kid: Ring | None = None


def test_a_value_without_an_end_is_told_when_it_is_written():
    """A circle, or thousands of levels, is an error of ours, as it is when read."""
    circle = Ring()
    circle.kid = circle
    deep = None
    for _ in range(3000):
        deep = Ring(deep)
    for value in (circle, deep):
        with pytest.raises(InvalidArgumentsError, match="nested too deeply to be written, or contains itself"):
            encode(Ring, value)


T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Page(BaseModel, Generic[T]):
    value: T
    kids: list[Page[T]] = []
    back: Link[T] | None = None


class Link(BaseModel, Generic[T]):
    page: Page[T]


def test_a_generic_model_may_hold_itself():
    """pydantic writes a sign of its own for the model that it is making."""
    given = {"value": 1, "kids": [{"value": 2.0, "back": {"page": {"value": 3}}}]}
    made = decode(Page[int], given)
    assert arg_type_of(Page[int])["$ref"] == "#/$defs/Page_int"
    assert (type(made.kids[0]), made.kids[0].back.page.value) == (Page[int], 3)
    with pytest.raises(InvalidArgumentsError, match=r"\$\.kids\[0\]\.value: 'x' is a string, not an integer"):
        decode(Page[int], {"value": 1, "kids": [{"value": "x"}]})


def test_a_sign_of_pydantic_that_stands_alone_is_refused():
    """Outside of its model nobody knows what it stands for."""
    sign = type("PydanticRecursiveRef", (), {"type_ref": "shop.Page:1[int:2]"})()
    with pytest.raises(UnsupportedAnnotationError, match=r"shop\.Page points to a model that is not known here"):
        arg_type_of(list[sign])


class Row(Generic[T, Unpack[Ts]]):
    def __init__(self, first: T, *rest: Unpack[Ts]): ...


class Short(Row[int, Unpack[Ts]]): ...


@dataclass
class Cells(Generic[Unpack[Ts]]):
    cells: tuple[Unpack[Ts]]


def rest_of(obj) -> Any:
    return derive_block(obj).input_schema()["properties"]["rest"]


def test_type_variables_for_several_types_stand_for_any_list_until_they_are_filled():
    """``*Ts`` is no list of at most 0 items."""

    def plain(*rest: Unpack[Ts]): ...

    anything = {"type": "array", "items": {}}
    filled = {"type": "array", "prefixItems": [{"type": "string"}], "items": False, "minItems": 1, "maxItems": 1}
    assert rest_of(plain) == rest_of(Row) == rest_of(Short) == anything
    assert rest_of(Row[int, str]) == rest_of(Short[str]) == filled
    assert arg_type_of(Cells)["properties"]["cells"] == anything
    assert decode(Cells[int, str], {"cells": [1.0, "x"]}) == Cells((1, "x"))
