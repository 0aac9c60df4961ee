"""Types that point back at themselves: a $ref only there, and values of any depth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Generic, Literal, Optional, TypeVar, Union

import pytest
from typing_extensions import TypeAliasType, TypedDict

from blockargs.derive import arg_type_of, decode, derive_block, encode
from blockargs.errors import InvalidArgumentsError
from blockargs.validate import problems_in

T = TypeVar("T")


@dataclass
class Tree:
    label: str
    kids: list[Tree] = field(default_factory=list)
    up: Tree | None = None


@dataclass
class Husband:
    wife: Wife | None = None


@dataclass
class Wife:
    husband: Husband | None = None


@dataclass
class Num:
    value: float
    kind: Literal["num"] = "num"


@dataclass
class Name:
    kind: Literal["name"]
    name: str


@dataclass
class Add:
    kind: Literal["add"]
    left: Expr
    right: Expr


Expr = Union[Name, Add]


@dataclass
class Not:
    of: Formula
    kind: Literal["not"] = "not"


Formula = Union[Num, Not]


@dataclass
class Node(Generic[T]):
    value: T
    next: Optional[Node[T]] = None


class Folder(TypedDict):
    name: str
    inner: dict[str, Folder]


Json = Union[None, bool, int, float, str, list["Json"], dict[str, "Json"]]
Nested = TypeAliasType("Nested", "list[Nested] | int")


def ref(name):
    return {"$ref": f"#/$defs/{name}"}


def test_a_class_that_holds_itself_is_a_definition():
    """Everything else stays inline; also inside lists and beside null."""
    assert arg_type_of(Tree) == {
        **ref("Tree"),
        "$defs": {
            "Tree": {
                "type": "object",
                "properties": {
                    "label": {"type": "string"},
                    "kids": {"type": "array", "items": ref("Tree"), "default": []},
                    "up": {"anyOf": [ref("Tree"), {"type": "null"}]},
                },
                "required": ["label"],
                "additionalProperties": False,
            }
        },
    }


def test_values_of_any_depth_are_read_and_written():
    """Each level becomes an instance; a fault deep inside has its path."""
    value = {
        "label": "a",
        "kids": [{"label": "b", "kids": [{"label": "c", "kids": [], "up": None}], "up": None}],
        "up": None,
    }
    made = decode(Tree, value)

    assert made.kids[0].kids[0] == Tree("c")
    assert encode(Tree, made) == value
    assert decode(Tree, made) is made
    with pytest.raises(InvalidArgumentsError) as caught:
        decode(Tree, {"label": "a", "kids": [{"label": "b", "kids": [{}]}]})
    assert caught.value.problems[0].path == "$.kids[0].kids[0].label"


def test_two_classes_that_hold_each_other():
    """The first one met is the definition."""
    assert list(arg_type_of(Husband)["$defs"]) == ["Husband"]
    assert decode(Husband, {"wife": {"husband": {}}}) == Husband(Wife(Husband()))
    assert list(arg_type_of(tuple[Husband, Wife])["$defs"]) == ["Husband", "Wife"]


def test_a_recursive_union_keeps_its_tag():
    """Each level is decided by the tag alone."""
    body = arg_type_of(Add)["$defs"]["Add"]["properties"]["left"]
    name = {"kind": "name", "name": "x"}
    value = {"kind": "add", "left": name, "right": {"kind": "add", "left": name, "right": name}}

    assert body["discriminator"] == {"propertyName": "kind"}
    assert decode(Expr, value) == Add("add", Name("name", "x"), Add("add", Name("name", "x"), Name("name", "x")))
    assert encode(Expr, decode(Expr, value)) == value


def test_a_recursive_union_whose_tags_have_defaults_is_decided_by_what_fits():
    """While a class is being read its defaults are not known: the variants differ all the same."""
    value = {"of": {"of": {"value": 1.0, "kind": "num"}, "kind": "not"}, "kind": "not"}

    assert decode(Formula, value) == Not(Not(Num(1.0)))
    assert encode(Formula, Not(Not(Num(1.0)))) == value
    with pytest.raises(InvalidArgumentsError):
        decode(Formula, {"of": {"of": 1}, "kind": "not"})


@dataclass
class Pair(Generic[T]):
    left: T
    rest: list[T]


@dataclass
class Dated(Pair[int]):
    more: Pair


def test_type_arguments_reach_the_fields_of_the_classes_above():
    """A class without its arguments takes anything."""
    fields = arg_type_of(Dated)["properties"]

    assert (fields["left"], fields["rest"]) == ({"type": "integer"}, {"type": "array", "items": {"type": "integer"}})
    assert fields["more"]["properties"]["left"] == {}
    assert arg_type_of(Pair[Pair[str]])["properties"]["left"]["properties"]["left"] == {"type": "string"}


def test_generics_typed_dicts_and_aliases_recur_as_well():
    """Type arguments are kept at each level."""
    assert decode(Node[int], {"value": 1.0, "next": {"value": 2}}) == Node(1, Node(2))
    assert list(arg_type_of(Node[int])["$defs"]) == ["Node_int"]
    assert decode(Folder, {"name": "a", "inner": {"b": {"name": "b", "inner": {}}}})["inner"]["b"]["name"] == "b"
    assert arg_type_of(Nested) == {
        **ref("Nested"),
        "$defs": {"Nested": {"anyOf": [{"type": "array", "items": ref("Nested")}, {"type": "integer"}]}},
    }
    assert decode(Nested, [1, [2.0, []]]) == [1, [2, []]]


def test_an_alias_that_names_itself_in_a_text():
    """Any JSON, written as a union."""

    def store(value: Json): ...

    block = derive_block(store)
    value = {"value": {"a": [1, 2.5, None, {"b": True}]}}

    assert problems_in(value, block.type) == []
    assert problems_in({"value": {"a": [object()]}}, block.type) != []
    assert block.binding.bind(value, {})[1] == value


def test_definitions_of_one_name_are_kept_apart():
    """Two classes that are both called Tree do not meet."""

    def other():
        @dataclass
        class Tree:
            size: int
            kid: Tree | None = None

        return Tree

    def use(a, b): ...

    use.__annotations__ = {"a": Tree, "b": other()}
    schema = derive_block(use).input_schema()

    assert list(schema["$defs"]) == ["Tree", "Tree_2"]
    assert schema["properties"] == {"a": ref("Tree"), "b": ref("Tree_2")}
    assert list(schema["$defs"]["Tree_2"]["properties"]) == ["size", "kid"]


def test_a_class_of_one_name_inside_another_is_kept_apart():
    """Also while both are being read."""

    def inner():
        @dataclass
        class Tree:
            outer: Outer  # noqa: F821 - made below
            kid: Tree | None = None

        return Tree

    @dataclass
    class Tree:
        part: inner_  # noqa: F821 - made below
        kid: Tree | None = None

    globals()["Outer"], globals()["inner_"] = Tree, inner()
    try:
        node = arg_type_of(Tree)
    finally:
        del globals()["Outer"], globals()["inner_"]
    names = list(node["$defs"])

    assert len(names) == len(set(names)) == 2
    assert {frozenset(d["properties"]) for d in node["$defs"].values()} == {
        frozenset({"part", "kid"}),
        frozenset({"outer", "kid"}),
    }
    assert not any("." in name for name in names)


def test_an_output_says_its_type_at_the_root():
    """A $ref alone is no object to some readers."""

    def grow() -> Tree: ...
    def spread() -> Annotated[Tree, "All of it."]: ...

    assert derive_block(grow).output_schema["type"] == "object"
    assert derive_block(grow).output_schema["properties"]["kids"]["items"] == ref("Tree")
    assert derive_block(spread).output_schema["description"] == "All of it."
