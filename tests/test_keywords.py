"""Where schemas sit inside a schema, and what a local reference points to."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from hypothesis import given, settings

from blockargs.keywords import (
    REMARKS,
    children,
    definition_in,
    definition_ref,
    followed,
    is_local,
    kind_of,
    rebuilt,
    tag_of,
    target,
    types_of,
    walk,
)
from strategies import schemas

NODE = {
    "type": "object",
    "properties": {"items": {"type": "string"}, "properties": {"type": "object"}},
    "items": True,
    "anyOf": [{"minimum": 1}, False],
    "additionalProperties": {"not": {}},
    "enum": [{"items": {}}],
    "default": {"items": {}},
    "not": 5,
    "allOf": 5,
    "$defs": 5,
}


def test_arguments_named_like_keywords_are_not_taken_for_them():
    """
    An argument called `items` is a property, and a schema inside a default is a value.
    """
    assert list(children(NODE)) == [
        (("properties", "items"), {"type": "string"}),
        (("properties", "properties"), {"type": "object"}),
        (("items",), True),
        (("anyOf", 0), {"minimum": 1}),
        (("anyOf", 1), False),
        (("additionalProperties",), {"not": {}}),
    ]


def test_a_schema_is_walked_parents_first():
    """
    Every object schema inside comes with its place, each parent before its parts.
    """
    assert [pointer for pointer, _ in walk(NODE)] == [
        (),
        ("properties", "items"),
        ("properties", "properties"),
        ("anyOf", 0),
        ("additionalProperties",),
        ("additionalProperties", "not"),
    ]
    assert list(walk(True)) == []


@settings(max_examples=100)
@given(schemas())
def test_rebuilding_without_a_change_is_a_copy(node):
    """
    A rebuilt schema whose parts stay is equal to the old one.
    """
    if isinstance(node, dict):
        assert rebuilt(node, lambda child, pointer: child) == node


def test_rebuilding_changes_the_parts_alone():
    """
    The change is asked for each part with its place, and for nothing else.
    """
    out = rebuilt(NODE, lambda child, pointer: "/".join(map(str, pointer)))

    assert out == {
        **NODE,
        "properties": {"items": "properties/items", "properties": "properties/properties"},
        "items": "items",
        "anyOf": ["anyOf/0", "anyOf/1"],
        "additionalProperties": "additionalProperties",
    }


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("#", "root"),
        ("#/$defs/a", 1),
        ("#/$defs/b~1c", 2),
        ("#/$defs/d%20e~0", 3),
        ("#/anyOf/0", 4),
        ("#name", 5),
        ("#/$defs/", 6),
    ],
)
def test_a_local_reference_leads_to_its_place(ref, found):
    """
    Pointers are read as JSON Pointer in a URI; names as anchors.
    """
    root = {
        "title": "root",
        "$defs": {
            "a": {"title": 1},
            "b/c": {"title": 2},
            "d e~": {"title": 3},
            "f": {"title": 5, "$anchor": "name"},
            "": {"title": 6},
        },
        "anyOf": [{"title": 4}],
    }

    assert target(root, ref)["title"] == found


@pytest.mark.parametrize("ref", ["http://x", "other", "#none", "#/none", "#/anyOf/1", "#/anyOf/x", "#/title/0"])
def test_a_reference_that_leads_nowhere_is_a_lookup_error(ref):
    """
    Whatever is not there, or not in this document, is a LookupError.
    """
    with pytest.raises(LookupError):
        target({"anyOf": [{}], "title": "t"}, ref)


def test_a_local_reference_is_told_apart():
    """
    Local is what begins with a hash.
    """
    assert is_local("#/a")
    assert not is_local("a#/b")


@pytest.mark.parametrize("name", ["tree", "a/b", "a~b", "two words", "50%", "é", "", "#", "a?b"])
def test_names_of_definitions_survive_a_reference(name):
    """
    A name with any letters comes back from the reference to it, which leads to its definition.
    """
    ref = definition_ref(name)

    assert definition_in(ref) == name
    assert target({"$defs": {name: {"title": "here"}}}, ref) == {"title": "here"}


@pytest.mark.parametrize("ref", ["#", "#/$defs", "#/$defs/a/items", "#/definitions/a", "#a"])
def test_other_references_name_no_definition(ref):
    """
    Only a reference straight to a definition names one.
    """
    assert definition_in(ref) is None


def test_following_ends_where_the_chain_ends():
    """
    Keywords beside a reference are laid over what it leads to; loops and dead ends stand where they are.
    """
    root = {
        "$defs": {
            "a": {"$ref": "#/$defs/b", "title": "a"},
            "b": {"type": "string", "title": "b"},
            "loop": {"$ref": "#/$defs/loop"},
            "yes": True,
        }
    }

    assert followed(root, {"$ref": "#/$defs/a", "minLength": 1}) == {"type": "string", "title": "a", "minLength": 1}
    assert followed(root, {"$ref": "#/$defs/b"}) == {"type": "string", "title": "b"}
    assert followed(root, {"$ref": "#/$defs/loop"}) == {"$ref": "#/$defs/loop"}
    assert followed(root, {"$ref": "#/$defs/none"}) == {"$ref": "#/$defs/none"}
    assert followed(root, {"$ref": "#/$defs/yes", "title": "t"}) is True
    assert followed(root, False) is False


@pytest.mark.parametrize(
    ("node", "kinds"),
    [
        ({"type": "string"}, ("string",)),
        ({"type": ["string", "null"]}, ("string", "null")),
        ({}, ()),
        ({"type": 5}, ()),
    ],
)
def test_types_of_a_node(node, kinds):
    """
    A type is one name or a list of names.
    """
    assert types_of(node) == kinds


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "boolean"),
        (5, "integer"),
        (5.0, "integer"),
        (0.5, "number"),
        (float("inf"), "number"),
        ("x", "string"),
        ([1], "array"),
        ((1,), "array"),
        ({"a": 1}, "object"),
        (MappingProxyType({}), "object"),
        (b"x", ""),
    ],
)
def test_the_kind_of_a_value(value, kind):
    """
    A value has one narrowest JSON type: a whole number is an integer, a bool is no number, bytes are no JSON.
    """
    assert kind_of(value) == kind


def test_remarks_are_not_questions():
    """
    Keywords that say nothing about values are known as such.
    """
    assert {"title", "description", "default", "examples", "discriminator"} <= REMARKS


def record(**fields):
    return {"properties": {name: {"enum": values} for name, values in fields.items()}}


@pytest.mark.parametrize(
    ("records", "named", "repeats", "tag"),
    [
        ([], None, True, None),
        ([{}, {}], None, True, None),
        ([True, record(a=[1])], None, True, None),
        ([record(a=[1]), record(a=[2])], None, False, "a"),
        ([record(a=[1, 2], b=["x"], c=[5]), record(a=[3], b=["y"], c=[6])], None, False, "b"),  # the fewest, the first
        ([record(a=["x"]), record(a=["x"])], None, False, None),
        ([record(a=["x"]), record(a=["x"])], None, True, "a"),
        ([record(a=["x", "y"]), record(a=["x"])], None, True, None),
        ([record(a=[1], b=[1, 2]), record(a=[1], b=[3])], None, True, "b"),  # what tells apart comes first
        ([record(a=[1]), record(a=[True])], None, False, "a"),
        ([record(a=[1], b=[1]), record(a=[2])], {"propertyName": "b"}, False, "b"),
        ([record(a=[1]), record(a=[2])], {"propertyName": "kind"}, False, None),
    ],
)
def test_the_tag_of_a_union_is_what_tells_its_records_apart(records, named, repeats, tag):
    """
    One rule for all rooms: what is named, else the field of the fewest fixed values, none of which stands twice.
    """
    assert tag_of(records, named, repeats=repeats) == tag
