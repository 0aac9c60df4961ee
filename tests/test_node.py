"""`ArgType`: a dict that never changes, keeps its attributes, and whose parts can be joined."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from blockargs.errors import InvalidArgTypeError
from blockargs.node import ArgType, FrozenDict, FrozenList, frozen, json_key, pretty, same_type, thawed
from blockargs.types import (
    arg_array,
    arg_const,
    arg_integer,
    arg_map,
    arg_object,
    arg_schema,
    arg_string,
    arg_tuple,
    arg_union,
)
from blockargs.validate import problems_in, schema_problems
from strategies import RECURSIVE, arg_types, json_values, values_near

law = settings(max_examples=100)
DEEP = arg_object(
    {"a": arg_string(error="a text", required=False), "b": arg_array(arg_object(c=arg_integer(error="a number")))},
    required=False,
    error="a record",
)
TREE = RECURSIVE[0]
OTHER_TREE = json.loads(json.dumps(TREE).replace("integer", "string"))


def parts(node):
    """Return everything inside *node* that could be changed."""
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return [node, *(p for child in inner for p in parts(child))] if isinstance(node, dict | list) else []


@law
@given(arg_types())
def test_copies_and_pickles_keep_the_attributes(node):
    """
    A type survives copy, deepcopy, pickle and `|`, with `required` and `error`, all the way down.
    """
    twins = [copy.copy(node), copy.deepcopy(node), pickle.loads(pickle.dumps(node)), node | {}, node.with_(), {} | node]

    assert all(same_type(twin, node) and type(twin) is ArgType for twin in twins)
    assert {hash(twin) for twin in twins} == {hash(node)}


@law
@given(arg_types())
def test_a_type_is_its_json(node):
    """
    A type is a dict that json writes, equal to the plain dict of the same node.
    """
    assert json.loads(json.dumps(node)) == node
    assert node.plain(errors=False) == node
    assert not any(isinstance(p, ArgType | FrozenDict | FrozenList) for p in parts(node.plain()))


@pytest.mark.parametrize(
    "change",
    [
        lambda n: n.__setitem__("a", 1),
        lambda n: n.__delitem__("type"),
        lambda n: n.__ior__({"a": 1}),
        lambda n: n.update(a=1),
        lambda n: n.pop("type"),
        lambda n: n.popitem(),
        lambda n: n.setdefault("a", 1),
        lambda n: n.clear(),
        lambda n: setattr(n, "required", True),
        lambda n: setattr(n, "other", True),
        lambda n: delattr(n, "error"),
    ],
)
def test_a_type_never_changes(change):
    """
    Every way to change a type is refused.
    """
    node = copy.deepcopy(DEEP)

    with pytest.raises((TypeError, AttributeError)):
        change(node)

    assert same_type(node, DEEP)


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.append(1),
        lambda x: x.extend([1]),
        lambda x: x.insert(0, 1),
        lambda x: x.remove("a"),
        lambda x: x.pop(),
        lambda x: x.clear(),
        lambda x: x.sort(),
        lambda x: x.reverse(),
        lambda x: x.__setitem__(0, 1),
        lambda x: x.__delitem__(0),
        lambda x: x.__iadd__([1]),
        lambda x: x.__imul__(2),
    ],
)
def test_lists_inside_a_type_never_change(change):
    """
    So is every way to change a list inside it.
    """
    needed = DEEP["required"]

    with pytest.raises(TypeError):
        change(needed)

    assert needed == ["b"]


@law
@given(arg_types())
def test_nothing_inside_a_type_can_change(node):
    """
    All the way down there is no ordinary dict or list.
    """
    assert {type(p) for p in parts(node)} <= {ArgType, FrozenDict, FrozenList}


def test_frozen_values_are_copied_as_themselves():
    """
    What never changes needs no copy; thawing gives a fresh ordinary one.
    """
    value = frozen({"a": [1, {"b": (2,)}]})

    assert copy.copy(value) is value
    assert copy.deepcopy(value["a"]) is value["a"]
    assert copy.copy(value["a"]) is value["a"]
    assert value.copy() is value
    assert pickle.loads(pickle.dumps(value)) == value == {"a": [1, {"b": [2]}]}
    assert [type(p) for p in parts(thawed(value))] == [dict, list, dict, list]
    assert type(pickle.loads(pickle.dumps(value))["a"]) is FrozenList


def test_laying_over_keeps_the_attributes_of_the_type():
    """
    `|` gives a type with the keywords of the right side over those of the left, and the type's attributes.
    """
    node = arg_string(error="e", required=False)

    assert same_type(node | {"minLength": 1}, arg_string(min_length=1, error="e", required=False))
    assert same_type({"minLength": 1, "type": "x"} | node, arg_string(min_length=1, error="e", required=False))
    with pytest.raises(TypeError):
        node | 5
    with pytest.raises(TypeError):
        5 | node


def test_equality_is_of_the_node_and_same_type_of_the_attributes_too():
    """
    Two types are equal when their nodes are; `same_type` also compares what JSON does not show, and 1 with true.
    """
    plain, told = arg_object(a=arg_string()), arg_object(a=arg_string(error="e"))

    assert plain == told
    assert hash(plain) == hash(told)
    assert not same_type(plain, told)
    assert not same_type(arg_const(1), arg_const(True) | {"type": "integer"})
    assert same_type(plain, ArgType(reversed(plain.items())))


def test_the_authors_texts_are_written_as_a_keyword():
    """
    Writers get `x-error` at its place, or not, as they ask.
    """
    node = arg_object(a=arg_array(arg_string(error="a text")), error="a record")

    assert node.plain()["properties"]["a"]["items"] == {"type": "string", "x-error": "a text"}
    assert node.plain()["x-error"] == "a record"
    assert node.plain(errors=False) == node


def test_types_are_nested_a_hundred_levels_and_no_deeper():
    """
    A type deeper than 100 levels is refused where it is built.
    """
    node = arg_integer()
    for _ in range(100):
        node = arg_array(node)

    assert problems_in([], node) == []
    with pytest.raises(InvalidArgTypeError) as caught:
        arg_array(node)
    assert caught.value.problems[0].code == "too_deep"


def test_a_plain_node_too_deep_for_the_stack_is_refused():
    """
    So is a plain dict of any depth.
    """
    node = {}
    for _ in range(20_000):
        node = {"items": node}

    with pytest.raises(InvalidArgTypeError):
        ArgType(node)


def test_definitions_of_parts_move_to_the_top():
    """
    A recursive type keeps its meaning as a part: its definitions stand where its references find them.
    """
    node = arg_object(one=arg_schema(TREE), many=arg_array(arg_schema(TREE)))

    assert list(node["$defs"]) == ["tree"]
    assert node["properties"]["one"] == {"$ref": "#/$defs/tree"}
    assert node["properties"]["many"]["items"] == {"$ref": "#/$defs/tree"}
    assert schema_problems(node) == []


def test_different_definitions_of_one_name_are_told_apart():
    """
    Two types that call different things `tree` stay what they were.
    """
    node = arg_object(a=arg_schema(TREE), b=arg_schema(OTHER_TREE), c=arg_schema(OTHER_TREE), d=arg_schema(TREE))

    assert list(node["$defs"]) == ["tree", "tree_2"]
    assert [node["properties"][k]["$ref"] for k in "abcd"] == [
        "#/$defs/tree",
        "#/$defs/tree_2",
        "#/$defs/tree_2",
        "#/$defs/tree",
    ]
    assert problems_in({k: {"value": v} for k, v in zip("abcd", [1, "x", "y", 2], strict=True)}, node) == []


def test_equal_definitions_that_refer_to_different_ones_are_told_apart():
    """
    A definition whose text is equal means something else where what it refers to differs.
    """

    def pair(leaf):
        tree = {"type": "object", "properties": {"leaf": {"$ref": "#/$defs/leaf"}, "kid": {"$ref": "#/$defs/tree"}}}
        return arg_schema({"$ref": "#/$defs/tree", "$defs": {"tree": tree, "leaf": leaf}})

    node = arg_tuple(pair({"type": "integer"}), pair({"type": "string"}))

    assert problems_in([{"kid": {"leaf": 1}}, {"kid": {"leaf": "x"}}], node) == []
    assert [p.path for p in problems_in([{"kid": {"leaf": "x"}}, {"leaf": 1}], node)] == ["$[0].kid.leaf", "$[1].leaf"]


@pytest.mark.parametrize("name", ["a/b", "two words", "tree~", "50%", "tree_2"])
def test_definitions_with_any_name_can_be_joined(name):
    """
    Names that a reference must escape, or that look numbered, are renamed rightly too.
    """

    def list_of(leaf):
        node = {"type": "array", "items": {"anyOf": [leaf, {"$ref": ref}]}}
        return arg_schema({"$ref": ref, "$defs": {name: node, "tree": {"$ref": ref}}})

    ref = "#/$defs/" + name.replace("~", "~0").replace("/", "~1").replace("%", "%25").replace(" ", "%20")
    node = arg_tuple(list_of({"type": "integer"}), list_of({"type": "string"}), list_of({"type": "null"}))

    assert schema_problems(node) == []
    assert problems_in([[[1]], [["x"]], [[None]]], node) == []
    assert [p.path for p in problems_in([["x"], [None], [1]], node)] == ["$[0][0]", "$[1][0]", "$[2][0]"]


def test_definitions_inside_definitions_move_to_the_top():
    """
    A definition that is a recursive type itself gives up its own definitions.
    """
    node = ArgType({"$ref": "#/$defs/list", "$defs": {"list": arg_array(arg_schema(TREE)), "tree": arg_integer()}})

    assert set(node["$defs"]) == {"list", "tree", "tree_2"}
    assert problems_in([{"value": 1, "kids": []}], node) == []
    assert [p.path for p in problems_in([{"value": "x"}], node)] == ["$[0].value"]


def test_plain_parts_bring_their_definitions_too():
    """
    A plain node with definitions of its own, as a part, is taken as it would be alone.
    """
    node = ArgType({"prefixItems": [TREE, OTHER_TREE]})

    assert list(node["$defs"]) == ["tree", "tree_2"]
    assert problems_in([{"value": 1}, {"value": "x"}], node) == []
    assert [p.path for p in problems_in([{"value": "x"}, {"value": 1}], node)] == ["$[0].value", "$[1].value"]


def test_the_address_of_a_part_does_not_hide_its_definitions():
    """
    A schema with an `$id` can be a part as well.
    """
    node = arg_map(arg_schema({"$id": "https://example.com/tree", **TREE}))

    assert oracle.fits({"a": {"value": 1, "kids": [{"value": 2}]}}, node)
    assert not oracle.fits({"a": {"value": 1, "kids": [{}]}}, node)


@settings(max_examples=40)
@given(st.data())
def test_joined_types_mean_what_they_meant_alone(data):
    """
    In a record, a list, a union and a table a type gives the verdicts it gave alone, whatever stands beside it.
    """
    first, second = data.draw(arg_types(max_leaves=4)), data.draw(arg_types(max_leaves=4))
    trees = [arg_schema(TREE), arg_schema(OTHER_TREE)]
    joined = arg_object(t=trees[0], u=trees[1], a=arg_array(first), b=arg_map(second), c=arg_union(first, second))
    a, b = data.draw(values_near(first)), data.draw(values_near(second))
    value = {"t": {"value": 1}, "u": {"value": "x"}, "a": [a], "b": {"k": b}, "c": a}
    alone = [problems_in(a, first) == [], problems_in(b, second) == []]

    problems = [p.path.split("[")[0].split(".")[1] for p in problems_in(value, joined)]

    assert ["a" not in problems, "b" not in problems] == alone
    assert ("c" in problems) is not (alone[0] or problems_in(a, second) == [])
    assert schema_problems(joined) == []


@law
@given(json_values(), json_values())
def test_keys_are_equal_for_equal_json(a, b):
    """
    The key of a value is that of no other value; numbers are equal as numbers, true is not 1.
    """

    def equal(x, y):
        if isinstance(x, bool) or isinstance(y, bool) or type(x) is not type(y):
            numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (x, y))
            return x is y if not numbers else x == y
        if isinstance(x, dict):
            return x.keys() == y.keys() and all(equal(x[k], y[k]) for k in x)
        return len(x) == len(y) and all(map(equal, x, y)) if isinstance(x, list) else x == y

    assert (json_key(a) == json_key(b)) is equal(a, b)
    assert json_key(["bool", 1]) != json_key(True)
    assert json_key(a) == json_key(json.loads(json.dumps(a)))


def test_a_type_put_together_of_frozen_parts_is_the_same_type():
    """
    What is put together of finished parts is the type that would be made of them anew.
    """
    made = ArgType.of_frozen({"type": "array", "items": DEEP}, DEEP.depth + 1, required=False, error="e")

    assert same_type(made, arg_array(DEEP, required=False, error="e"))
    assert (made.depth, arg_array(DEEP).depth, arg_string().depth) == (4, 4, 0)
    assert hash(made) == hash(arg_array(DEEP))


def test_a_node_is_shown_indented():
    """
    People read a node as indented JSON with its own letters.
    """
    assert pretty(arg_string(description="Größe")) == '{\n  "type": "string",\n  "description": "Größe"\n}'
