"""What can be taken as a schema: the meta-schema's rules, references, patterns, bounds."""

from __future__ import annotations

import math
import socket

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blockargs.errors import Problem
from blockargs.validate import schema_problems
from strategies import json_values, schemas

law = settings(max_examples=300)
LATEST = "https://json-schema.org/draft/2020-12/schema"
SEVEN = "http://json-schema.org/draft-07/schema#"
KEYWORDS = sorted(
    "type enum const minimum maximum multipleOf minLength maxItems minContains uniqueItems pattern format required "
    "dependentRequired properties patternProperties additionalProperties items prefixItems contains propertyNames "
    "allOf anyOf not if dependentSchemas $defs $anchor $id $comment title default examples readOnly contentSchema".split()
)


def found(node):
    return [(p.code, p.path) for p in schema_problems(node)]


def deep(levels, key="items"):
    node = {}
    for _ in range(levels):
        node = {key: node}
    return node


@law
@given(schemas())
def test_schemas_of_strangers_are_taken(node):
    """
    Whatever is valid by the meta-schema, and has no empty enum, is taken, unless its references run in a circle.
    """
    jsonschema.Draft202012Validator.check_schema(node)

    assert {p.code for p in schema_problems(node)} <= {"ref_circular"}


@law
@given(schemas(max_leaves=3), st.sampled_from(KEYWORDS), json_values(max_leaves=2))
def test_the_meta_schema_gives_the_same_verdict(node, keyword, value):
    """
    A keyword with any value at all is refused where the meta-schema refuses it, and where it cannot work.

    An empty enum is valid by the meta-schema, but nothing fits it, and no provider takes it.
    """
    changed = {
        "properties": {"a": {**(node if isinstance(node, dict) else {}), keyword: value}, "b": {"$ref": "#/$defs/a"}}
    }
    changed["$defs"] = {"a": {}, "b": {}}
    valid = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA).is_valid(changed)

    codes = {p.code for p in schema_problems(changed)}

    if valid and not (keyword == "enum" and value == []):
        assert codes <= {"ref_circular", "ref_unresolved", "pattern_invalid", "id_nested"}
    else:
        assert codes & {"keyword_invalid", "type_unknown", "pattern_invalid"}


@pytest.mark.parametrize(
    ("node", "problem"),
    [
        (
            "text",
            Problem(
                code="keyword_invalid",
                path="$",
                message="'text' is no schema",
                hint="a schema is an object or a boolean",
            ),
        ),
        (
            {"type": "str"},
            Problem(code="type_unknown", path="$.type", message="'str' is no type of JSON", hint="write 'string'"),
        ),
        (
            {"type": "integr"},
            Problem(
                code="type_unknown",
                path="$.type",
                message="'integr' is no type of JSON",
                hint="did you mean 'integer'?",
            ),
        ),
        (
            {"type": 5},
            Problem(
                code="type_unknown",
                path="$.type",
                message="5 is no type of JSON",
                hint="the types are string, number, integer, boolean, array, object, null",
            ),
        ),
        ({"type": []}, Problem(code="type_unknown", path="$.type", message="the list of types is empty")),
        ({"type": ["null", "null"]}, Problem(code="type_unknown", path="$.type", message="a type is listed twice")),
        (
            {"items": [{}]},
            Problem(
                code="keyword_invalid",
                path="$.items",
                message="a list of schemas does not stand here",
                hint="use prefixItems for the types of single places",
            ),
        ),
        ({"not": 5}, Problem(code="keyword_invalid", path="$.not", message="5 is no schema")),
        (
            {"anyOf": [5]},
            Problem(
                code="keyword_invalid",
                path="$.anyOf[0]",
                message="5 is no schema",
                hint="a schema is an object or a boolean",
            ),
        ),
        ({"anyOf": []}, Problem(code="keyword_invalid", path="$.anyOf", message="[] is no list of schemas")),
        (
            {"properties": []},
            Problem(code="keyword_invalid", path="$.properties", message="[] is no object of schemas"),
        ),
        (
            {"properties": {1: {}}},
            Problem(code="keyword_invalid", path="$.properties", message="key 1 is not a string"),
        ),
        ({"minimum": "5"}, Problem(code="keyword_invalid", path="$.minimum", message="'5' is no finite number")),
        ({"minimum": math.nan}, Problem(code="keyword_invalid", path="$.minimum", message="nan is no finite number")),
        ({"multipleOf": 0}, Problem(code="keyword_invalid", path="$.multipleOf", message="0 is not above 0")),
        (
            {"minLength": -1},
            Problem(code="keyword_invalid", path="$.minLength", message="-1 is no whole number from 0"),
        ),
        (
            {"maxItems": 1.5},
            Problem(code="keyword_invalid", path="$.maxItems", message="1.5 is no whole number from 0"),
        ),
        ({"title": 5}, Problem(code="keyword_invalid", path="$.title", message="5 is no string")),
        (
            {"enum": []},
            Problem(code="keyword_invalid", path="$.enum", message="an enum needs at least one value"),
        ),
        ({"enum": "a"}, Problem(code="keyword_invalid", path="$.enum", message="'a' is no list")),
        (
            {"enum": [(1,)]},
            Problem(code="keyword_invalid", path="$.enum", message="(1,) is a tuple, not JSON (at $[0])"),
        ),
        (
            {"uniqueItems": 1},
            Problem(code="keyword_invalid", path="$.uniqueItems", message="1 is neither true nor false"),
        ),
        ({"required": "a"}, Problem(code="keyword_invalid", path="$.required", message="'a' is no list of names")),
        ({"required": [1]}, Problem(code="keyword_invalid", path="$.required", message="1 is no string")),
        (
            {"required": ["a", "a"]},
            Problem(code="keyword_invalid", path="$.required", message="a name is listed twice"),
        ),
        (
            {"dependentRequired": {"a": "b"}},
            Problem(code="keyword_invalid", path="$.dependentRequired", message="'b' is no list of names"),
        ),
        (
            {"dependentRequired": []},
            Problem(code="keyword_invalid", path="$.dependentRequired", message="[] is no object of lists of names"),
        ),
        (
            {"$anchor": "1"},
            Problem(code="keyword_invalid", path="$['$anchor']", message="'1' is no name for an anchor"),
        ),
        ({"$id": "a#b"}, Problem(code="keyword_invalid", path="$['$id']", message="'a#b' has a fragment")),
        (
            {"pattern": "("},
            Problem(
                code="pattern_invalid",
                path="$.pattern",
                message="'(' is no regular expression: missing ) at position 1",
            ),
        ),
        ({"pattern": 5}, Problem(code="pattern_invalid", path="$.pattern", message="5 is no string")),
        (
            {"patternProperties": {"[": {}}},
            Problem(
                code="pattern_invalid",
                path="$.patternProperties",
                message="'[' is no regular expression: unterminated character set at position 1",
            ),
        ),
        (
            {"x-mark": {1, 2}},
            Problem(code="not_json", path="$['x-mark']", message="{1, 2} is a set, not JSON", hint="use a list"),
        ),
        ({5: 1}, Problem(code="not_json", path="$", message="key 5 is not a string", hint="keys are strings")),
        (
            {"$ref": "https://example.com/a.json"},
            Problem(
                code="ref_not_local",
                path="$['$ref']",
                message="'https://example.com/a.json' leads out of the schema",
                hint="put what it names into $defs",
            ),
        ),
        (
            {"properties": {"a": {"$ref": "#/$defs/addres"}}, "$defs": {"address": {}}},
            Problem(
                code="ref_unresolved",
                path="$.properties.a['$ref']",
                message="'#/$defs/addres' leads nowhere",
                hint="did you mean '#/$defs/address'?",
            ),
        ),
        (
            {"properties": {"a": {"$id": "urn:x", "items": {"$ref": "#/$defs/b"}}}, "$defs": {"b": {}}},
            Problem(
                code="id_nested",
                path="$.properties.a['$id']",
                message="a nested $id changes what each $ref below it means",
                hint="leave it out",
            ),
        ),
        (
            {"$schema": "http://json-schema.org/draft-03/schema#"},
            Problem(
                code="draft_unsupported",
                path="$['$schema']",
                message="'http://json-schema.org/draft-03/schema#' is not supported",
                hint=f"use '{LATEST}'",
            ),
        ),
        (
            {"$schema": SEVEN, "properties": {"a": {"dependencies": {}}}},
            Problem(
                code="draft_unsupported",
                path="$.properties.a.dependencies",
                message="draft 2020-12 does not know 'dependencies'",
                hint="use dependentRequired or dependentSchemas",
            ),
        ),
        (
            {"$schema": SEVEN, "definitions": {"a": {}}, "$ref": "#/definitions/a", "minimum": 5},
            Problem(
                code="draft_unsupported",
                path="$",
                message="keywords beside $ref count in draft 2020-12, and did not in the draft that is named",
                hint="leave out $schema, or the keywords beside $ref",
            ),
        ),
    ],
    ids=lambda v: v.code if isinstance(v, Problem) else str(v)[:40],
)
def test_what_keeps_a_schema_from_being_taken(node, problem):
    """
    Each fault of a schema has its path, the value in quotes, and the cure where there is one.
    """
    assert schema_problems(node) == [problem]


def test_all_faults_are_listed():
    """
    A schema with several faults is told them all at once.
    """
    node = {"type": "strin", "properties": {"a": {"minimum": "1"}, "b": {"pattern": "*"}}, "required": "a"}

    assert found(node) == [
        ("type_unknown", "$.type"),
        ("keyword_invalid", "$.required"),
        ("keyword_invalid", "$.properties.a.minimum"),
        ("pattern_invalid", "$.properties.b.pattern"),
    ]


@pytest.mark.parametrize(
    "node",
    [
        True,
        False,
        {},
        {"$schema": LATEST},
        {"$schema": LATEST + "#"},
        {"$schema": SEVEN, "definitions": {"a": {}}, "items": {"$ref": "#/definitions/a", "description": "An a."}},
        {"$schema": "https://json-schema.org/draft/2019-09/schema", "items": {"$ref": "#", "minItems": 1}},
        {"$ref": "#/$defs/a~1b%20c", "$defs": {"a/b c": {}}},
        {"items": {"$ref": "#node"}, "$defs": {"a": {"$anchor": "node"}}},
        {"items": {"$ref": "#/x-parts/0"}, "x-parts": [{"items": {"$ref": "#/x-parts/0"}}]},
        {"items": {"$ref": "#/$defs/yes"}, "$defs": {"yes": True}},
        {"$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}},
        {"properties": {"$ref": {"type": "string"}, "pattern": {}, "items": {}}},
        {"properties": {"a": {"$id": "urn:a"}}, "items": {"$ref": "#"}},
        {"minLength": 2.0, "minimum": 10**400},
        {"x-error": "text", "nobody": {"knows": ["this"]}},
    ],
    ids=str,
)
def test_what_is_taken(node):
    """
    Earlier drafts are taken where no keyword changed its meaning, references wherever they lead inside.
    """
    assert schema_problems(node) == []


@pytest.mark.parametrize(
    "node",
    [
        {"$ref": "#"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        {"anyOf": [{"type": "string"}, {"$ref": "#"}]},
        {"not": {"allOf": [{"if": {"$ref": "#"}}]}},
        {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"dependentSchemas": {"k": {"$ref": "#/$defs/a"}}}}},
        {"$dynamicAnchor": "n", "$dynamicRef": "#n"},
    ],
    ids=str,
)
def test_references_that_never_step_into_the_value_are_refused(node):
    """
    A chain that only bites its own tail would never end.
    """
    assert {p.code for p in schema_problems(node)} == {"ref_circular"}


@pytest.mark.parametrize("ref", ["#/$defs/none", "#none", "#/type", "#/enum/0", "#/enum/9", "#/enum/x", "#/anyOf/0/0"])
def test_references_that_lead_to_no_schema_are_refused(ref):
    """
    A reference leads to a schema, not to a text or a number, nor past the end of a list.
    """
    node = {"type": "object", "enum": [5], "anyOf": [{}], "items": {"$ref": ref}}

    assert found(node) == [("ref_unresolved", "$.items['$ref']")]


def test_what_a_reference_leads_to_is_looked_at_too():
    """
    A part that only a reference reaches must be a schema as well.
    """
    node = {"items": {"$ref": "#/x-parts/a"}, "x-parts": {"a": {"type": "strange"}}}

    assert found(node) == [("type_unknown", "$.items['$ref'].type")]


def test_nothing_is_fetched(monkeypatch):
    """
    No reference, no `$schema`, no `$id` ever opens a connection.
    """

    def refuse(*args, **kwargs):
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    node = {"$schema": "http://example.com/s", "$id": "http://example.com/a", "items": {"$ref": "http://example.com/b"}}

    assert found(node) == [("draft_unsupported", "$['$schema']"), ("ref_not_local", "$.items['$ref']")]


@pytest.mark.parametrize("key", ["items", "not", "additionalProperties"])
def test_a_hundred_levels_of_schemas_are_taken_and_one_more_is_not(key):
    """
    Schemas are nested at most 100 levels; deeper ones are a problem, never an overflow.
    """
    assert schema_problems(deep(100, key)) == []
    assert [p.code for p in schema_problems(deep(101, key))] == ["too_deep"]
    assert [p.code for p in schema_problems(deep(50_000, key))] == ["too_deep"]


def test_schemas_that_contain_themselves_or_are_too_many_are_refused():
    """
    A dict inside itself, or one that stands in itself a million times, ends in a problem.
    """
    loop = {}
    loop["items"] = loop
    bomb = {}
    for _ in range(40):
        bomb = {"anyOf": [bomb, bomb]}

    assert [p.code for p in schema_problems(loop)] == ["too_deep"]
    assert [p.code for p in schema_problems(bomb)] == ["too_big"]
    assert [p.code for p in schema_problems({"default": loop})] == ["keyword_invalid"]


@pytest.mark.parametrize("pattern", ["(" * 5000, "a" * 20_000, "(a{1,9999}){1,9999}" * 20])
def test_monstrous_patterns_end(pattern):
    """
    A pattern that is too long, too deep or repeats too much is a problem or compiles, in bounded time.
    """
    assert {p.code for p in schema_problems({"pattern": pattern})} <= {"pattern_invalid"}
