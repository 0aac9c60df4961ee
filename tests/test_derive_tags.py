"""Unions whose variants are told apart by a field of fixed values, one or several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, Field

from blockargs.derive import arg_type_of, decode
from blockargs.errors import InvalidArgTypeError
from blockargs.reply import decode_arguments
from blockargs.types import arg_const, arg_enum, arg_integer, arg_object, arg_schema, arg_string, arg_union
from blockargs.validate import problems_in


@dataclass
class Bar:
    kind: Literal["bar", "column"]
    width: int


@dataclass
class Line:
    kind: Literal["line"]
    dash: str


@dataclass
class Defaulted:
    width: int
    kind: Literal["bar", "column"] = "bar"


@dataclass
class DefaultedLine:
    dash: str
    kind: Literal["line"] = "line"


class Model(BaseModel):
    kind: Literal["bar", "column"] = "bar"
    width: int


class LineModel(BaseModel):
    kind: Literal["line"] = "line"
    dash: str


@dataclass
class Sided:
    size: Literal["s", "m"]
    kind: Literal["sided"]
    width: int


@dataclass
class Sized:
    size: Literal["l"]
    kind: Literal["sized"]
    dash: str


@dataclass
class Branch:
    kind: Literal["and", "or"]
    parts: list[Branch | Leaf]


@dataclass
class Leaf:
    kind: Annotated[Literal["leaf"], "what it is"]
    width: int


@pytest.mark.parametrize(
    "annotation",
    [Bar | Line, Defaulted | DefaultedLine, Annotated[Model | LineModel, Field(discriminator="kind")]],
)
def test_problems_speak_of_the_variant_that_is_meant(annotation):
    """A tag of several values decides as one of one value does, also where it has a default."""
    node = arg_type_of(annotation)

    assert node["discriminator"] == {"propertyName": "kind"}
    assert all("kind" in variant["required"] for variant in node["oneOf"])
    assert [str(p) for p in problems_in({"kind": "column", "width": None}, node)] == ["$.width: null is not an integer"]
    assert [p.path for p in problems_in({"kind": "pie", "width": 1}, node)] == ["$.kind"]
    assert decode(annotation, {"kind": "column", "width": 1}).kind == "column"
    assert decode(annotation, {"kind": "line", "dash": "x"}).dash == "x"


def test_a_const_is_the_tag_before_an_enum():
    """Both tell the variants apart; a field with one value each is there to do so."""
    assert arg_type_of(Sized | Sided)["discriminator"] == {"propertyName": "kind"}


def test_a_record_that_holds_itself_is_tagged_as_well():
    """The tag is known before the record is done."""
    node = arg_type_of(Branch)
    value = {"kind": "or", "parts": [{"kind": "and", "parts": [{"kind": "leaf", "width": "1"}]}]}

    assert [(p.code, p.path) for p in problems_in(value, node)] == [("wrong_type", "$.parts[0].parts[0].width")]
    value["parts"][0]["parts"][0]["width"] = 1
    assert decode(Branch, value) == Branch("or", [Branch("and", [Leaf("leaf", 1)])])


def test_a_union_may_be_tagged_by_an_enum():
    """Every value stands in one variant only; one that stands in two is named."""
    left = arg_object(side=arg_enum(["left", "middle"]), x=arg_integer())
    right = arg_object(side=arg_const("right"))

    assert problems_in({"side": "middle", "x": 1}, arg_union(left, right, tag="side")) == []
    with pytest.raises(InvalidArgTypeError) as caught:
        arg_union(left, right, arg_object(side=arg_enum(["right", "middle"])), tag="side")
    assert [str(p) for p in caught.value.problems] == [
        "$.oneOf[2]: has the tag 'right' of variant 1",
        "$.oneOf[2]: has the tag 'middle' of variant 0",
    ]


@dataclass
class Asked:
    mode: Literal["fast", "slow"]
    kind: Literal["asked"]
    n: int


@dataclass
class Told:
    mode: Literal["loud"]
    kind: Literal["told"]
    n: int


def test_every_room_knows_a_variant_by_the_same_field():
    """What derives, what validates and what repairs a reply speak of one tag."""
    node = arg_type_of(Asked | Told)
    untagged = arg_schema({"anyOf": [dict(variant) for variant in node["oneOf"]]})
    value = {"mode": "loud", "kind": "asked", "n": 1}

    assert node["discriminator"] == {"propertyName": "kind"}
    assert [str(p) for p in problems_in(value, node)] == ["$.mode: 'loud' is not one of 'fast', 'slow'"]
    for one in (node, untagged):
        assert (
            decode_arguments(value, one).problems == tuple(problems_in(value, one)) == tuple(problems_in(value, node))
        )
        assert decode_arguments({"mode": "fast", "n": 1}, one).value == {"mode": "fast", "kind": "asked", "n": 1}


def test_a_list_may_be_a_constant():
    """A field of fixed lists tells variants apart as well."""
    a, b = (arg_object(at=arg_schema({"const": [n]}), x=t) for n, t in ((1, arg_integer()), (2, arg_string())))
    node = arg_union(a, b, tag="at")

    assert problems_in({"at": [2], "x": "y"}, node) == []
    assert [p.path for p in problems_in({"at": [1], "x": "y"}, node)] == ["$.x"]
