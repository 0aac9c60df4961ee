"""One schema for what two schemas accept both."""

from __future__ import annotations

import pytest

from blockargs.dialects.marks import stripped
from blockargs.dialects.rewrites.merging import merged, merged_all_of, unions_alone
from blockargs.dialects.rewrites.nothing import no_booleans
from blockargs.dialects.rewrites.roots import root_without

RECORD = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
OTHER = {"properties": {"y": {"type": "string"}}, "required": ["y"]}
CLOSED = {**RECORD, "additionalProperties": False}


@pytest.mark.parametrize(
    ("a", "b", "both"),
    [
        ({"type": "number"}, {"type": "integer"}, {"type": "integer"}),
        ({"type": ["integer", "null"]}, {"type": ["number", "null", "string"]}, {"type": ["integer", "null"]}),
        ({"type": "string"}, {"type": "integer"}, None),
        ({"minimum": 1, "maximum": 9}, {"minimum": 3, "maximum": 12}, {"minimum": 3, "maximum": 9}),
        ({"uniqueItems": False}, {"uniqueItems": True}, {"uniqueItems": True}),
        ({"enum": [1, 2, "a"]}, {"enum": ["a", 2]}, {"enum": [2, "a"]}),
        ({"enum": [1]}, {"enum": [True]}, None),
        ({"const": 1}, {"enum": [1, 2]}, {"const": 1}),
        ({"const": 3}, {"enum": [1, 2]}, None),
        ({"pattern": "a"}, {"pattern": "b"}, None),
        ({"description": "far", "default": 1}, {"description": "near"}, {"description": "near", "default": 1}),
        ({"items": {"type": "number"}}, {"items": {"type": "integer"}}, {"items": {"type": "integer"}}),
        ({"items": {"type": "string"}}, {"items": {"type": "integer"}}, None),
        ({"additionalProperties": True}, {"additionalProperties": {"type": "string"}}, {"additionalProperties": {"type": "string"}}),
        ({"additionalProperties": {"type": "string"}}, {"additionalProperties": False}, {"additionalProperties": False}),
        ({"additionalProperties": False}, {"additionalProperties": {"type": "string"}}, {"additionalProperties": False}),
        (RECORD, OTHER, {**RECORD, "properties": {**RECORD["properties"], **OTHER["properties"]}, "required": ["x", "y"]}),
        (CLOSED, {"properties": {"y": {"type": "string"}}}, CLOSED),
        (CLOSED, OTHER, None),
        (CLOSED, {"required": ["z"]}, None),
        ({"properties": {"x": {"type": "string"}}}, RECORD, None),
        ({"$defs": {"a": {}}}, {"$defs": {"b": {}}}, {"$defs": {"a": {}, "b": {}}}),
    ],
)  # fmt: skip
def test_two_schemas_become_one_or_none(a, b, both):
    """What both accept is said by one schema; where no one schema says it, nothing is guessed."""
    assert merged(a, b) == both


def test_parts_that_cannot_be_merged_are_told():
    """What is left over of allOf stands in the description, and a note says so."""
    node = {"type": "object", "properties": {"a": {"allOf": [True, {"pattern": "^a"}, {"pattern": "z$"}]}}}

    out, notes = merged_all_of(node, "$")

    assert out["properties"]["a"] == {"pattern": "^a", "description": 'all of [{"pattern": "z$"}]'}
    assert [(n.rule, n.path) for n in notes] == [("all_of_merged", "$.a")]


def test_a_part_that_leads_nowhere_is_told():
    """A part that refers to itself, or is false, is left as it is and told."""
    node = {"allOf": [{"$ref": "#/$defs/A"}, False], "$defs": {"A": {"allOf": [{"$ref": "#/$defs/A"}]}}}

    out, _ = merged_all_of(node, "$.a")

    circle = 'all of [{"$ref": "#/$defs/A"}]'
    assert out == {"description": f"{circle} (all of [false])", "$defs": {"A": {"description": circle}}}


def test_a_branch_that_then_fits_nothing_is_left_out():
    """What stands beside a union decides which branches can be."""
    node = {"properties": {"a": {"type": "string", "anyOf": [{"type": "integer"}, {"minLength": 1}, False]}}}

    out, _ = unions_alone(node, "$")

    assert out["properties"]["a"] == {"anyOf": [{"type": "string", "minLength": 1}]}


def test_a_union_of_which_no_branch_fits_is_told():
    """Where no branch is left the union stands in words, and decoding judges."""
    node = {"properties": {"a": {"type": "string", "anyOf": [{"type": "integer"}]}}}

    out, notes = unions_alone(node, "$")

    assert out["properties"]["a"] == {"type": "string", "description": 'at least one of: {"type": "integer"}'}
    assert [n.rule for n in notes] == ["union_in_words"]


@pytest.mark.parametrize(
    ("branches", "fields", "required"),
    [
        # a field that only some branches speak of stays as the root has it
        ([{"properties": {"x": {"const": "a"}}, "required": ["y"]}, {"required": ["z"]}], {"x": {"type": "string"}}, []),
        # one of which all speak is narrowed
        (
            [{"properties": {"x": {"const": "a"}}}, {"properties": {"x": {"const": "b"}}}],
            {"x": {"type": "string", "enum": ["a", "b"]}},
            [],
        ),
        # one that the root and the branches cannot agree on stays as the root has it
        ([{"properties": {"x": {"type": "integer"}}}, {"properties": {"x": {"type": "null"}}}], {"x": {"type": "string"}}, []),
        # a bare schema says nothing
        ([{"properties": {"x": {}}, "required": ["x"]}, {"properties": {"x": True}}], {"x": {"type": "string"}}, []),
        # a branch that is no record takes the requirement away
        ([{"properties": {"v": {"type": "integer"}}, "required": ["v"]}, {"type": "array"}], {"x": {"type": "string"}, "v": {"type": "integer"}}, []),
        ([{"not": {"required": ["x"]}}], {"x": {"type": "string"}}, []),
    ],
)  # fmt: skip
def test_a_union_at_the_root_becomes_one_record(branches, fields, required):
    """The record takes whatever any branch takes."""
    out, _ = root_without("anyOf")({"type": "object", "properties": {"x": {"type": "string"}}, "anyOf": branches}, "$")

    assert out["properties"] == fields
    assert out.get("required", []) == required


def test_closed_branches_make_a_closed_record():
    """Where every branch is closed the one record is closed too."""
    out, _ = root_without("anyOf")({"type": "object", "anyOf": [CLOSED, CLOSED]}, "$")

    assert out["additionalProperties"] is False
    assert out["required"] == ["x"]


def test_an_enum_at_the_root_is_told():
    """Fixed values of whole objects have no keyword at the root."""
    out, notes = root_without("enum", "const")({"type": "object", "enum": [{"x": 1}]}, "$")

    assert stripped(out) == {"type": "object"}
    assert [(n.rule, n.message) for n in notes] == [("root_combinator", "'enum' is told in words")]


def test_bare_schemas_are_written_out():
    """true is any value; a branch or field of false is none; a required one stays impossible."""
    node = {
        "type": "object",
        "properties": {"a": True, "b": False, "c": False, "d": {"anyOf": [True, False]}, "e": {"items": False}},
        "required": ["c"],
        "additionalProperties": False,
    }

    out, notes = no_booleans(node, "$")

    assert out["properties"] == {"a": {}, "c": {"not": {}}, "d": {"anyOf": [{}]}, "e": {"items": False}}
    assert [(n.rule, n.path) for n in notes] == [("field_never", "$.b")]
