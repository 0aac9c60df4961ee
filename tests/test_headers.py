"""`x-mcp-header`: every violation that the specification names is refused at registration."""

from __future__ import annotations

from typing import Annotated

import pytest

from blockargs import Registry
from blockargs.derive import Arg, derive_block
from blockargs.errors import BlockArgsError, Problem
from blockargs.headers import SAFE, header_problems
from blockargs.node import ArgType
from blockargs.spec import Block


def with_schema(**properties):
    """Return a block whose schema has *properties*."""
    return Block(
        uid="routed", schema=ArgType({"type": "object", "properties": properties, "additionalProperties": False})
    )


def test_text_integer_and_boolean_arguments_may_have_headers():
    """
    A header repeats a text, an integer or a boolean, also deep inside records.
    """
    inner = {"type": "object", "properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}}}
    block = with_schema(
        region={"type": "string", "x-mcp-header": "Region"},
        level={"type": "integer", "maximum": SAFE, "x-mcp-header": "X-Level"},
        dry={"type": "boolean", "x-mcp-header": "dry!run"},
        where=inner,
    )

    assert header_problems(block) == []


@pytest.mark.parametrize("name", ["", "two words", "col:on", "line\nbreak", "tab\t", "ü", "a/b", "(x)", "\x7f", "@"])
def test_a_header_is_a_token(name):
    """
    A name that HTTP does not allow, an empty one among them, is refused.
    """
    (problem,) = header_problems(with_schema(region={"type": "string", "x-mcp-header": name}))

    assert (problem.code, problem.path) == ("header_invalid", "$.region")
    assert problem.message.endswith("is no name of an HTTP header")


@pytest.mark.parametrize("name", [1, None, ["Region"], True])
def test_a_header_is_text(name):
    """
    A header that is no text is refused.
    """
    (problem,) = header_problems(with_schema(region={"type": "string", "x-mcp-header": name}))

    assert problem.message.endswith("is no text")


@pytest.mark.parametrize(
    ("node", "shown"),
    [
        ({"type": "number"}, "'number'"),
        ({"type": "array", "items": {"type": "string"}}, "'array'"),
        ({"type": "object"}, "'object'"),
        ({"type": "null"}, "'null'"),
        ({"type": ["string", "null"]}, '["string", "null"]'),
        ({}, "'any'"),
        ({"enum": ["a"]}, "'any'"),
        ({"type": "string", "$ref": "#"}, "'$ref'"),
    ],
)
def test_a_header_carries_a_plain_value_only(node, shown):
    """
    Numbers, lists, records, null, unions and references cannot be repeated by a header.
    """
    (problem,) = header_problems(with_schema(region={**node, "x-mcp-header": "Region"}))

    assert problem.message == f"a header cannot carry a value of type {shown}"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "x-mcp-header": "A"},
        {"items": {"type": "string", "x-mcp-header": "A"}},
        {"properties": {"a": {"items": {"type": "string", "x-mcp-header": "A"}}}},
        {"properties": {"a": {"anyOf": [{"type": "string", "x-mcp-header": "A"}]}}},
        {"properties": {"a": {"prefixItems": [{"type": "string", "x-mcp-header": "A"}]}}},
        {"oneOf": [{"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}]},
        {"allOf": [{"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}]},
        {"not": {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}},
        {"if": {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}},
        {"then": {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}},
        {"else": {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}},
        {"$defs": {"d": {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}}},
        {"patternProperties": {"^a": {"type": "string", "x-mcp-header": "A"}}},
        {"additionalProperties": {"type": "string", "x-mcp-header": "A"}},
    ],
)
def test_a_header_stands_where_each_call_has_one_value(schema):
    """
    Only a chain of `properties` leads to a header: no items, no alternatives, no definitions.
    """
    problems = header_problems(Block(uid="routed", schema=ArgType(schema)))

    assert problems[0].message == "header 'A' stands where not every call has one value"


def test_headers_differ_in_more_than_case():
    """
    Two arguments cannot share a header, whatever its case; the first that has it is named.
    """
    block = with_schema(a={"type": "string", "x-mcp-header": "Region"}, b={"type": "string", "x-mcp-header": "REGION"})

    assert header_problems(block) == [
        Problem(
            code="header_invalid",
            path="$.b",
            message="header 'REGION' is taken by $.a",
            hint="headers differ in more than case: choose another name",
        )
    ]


@pytest.mark.parametrize("key", ["const", "default", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])
def test_integers_beyond_doubles_are_refused(key):
    """
    What a header could not carry safely is refused: integers beyond 2**53 - 1.
    """
    (problem,) = header_problems(with_schema(a={"type": "integer", "x-mcp-header": "A", key: -SAFE - 1}))

    assert problem.message == f"{-SAFE - 1} is beyond the integers that a header carries safely"


def test_an_enum_beyond_doubles_is_refused():
    """
    Each value of an enum is looked at.
    """
    (problem,) = header_problems(with_schema(a={"type": "integer", "x-mcp-header": "A", "enum": [1, 2**60]}))

    assert problem.path == "$.a"


def test_an_argument_called_like_the_keyword_is_an_argument():
    """
    The name `x-mcp-header` among the properties, or in data, is no header.
    """
    block = with_schema(**{"x-mcp-header": {"type": "string"}, "a": {"type": "object", "default": {"x-mcp-header": 1}}})

    assert header_problems(block) == []


def test_a_hidden_argument_has_no_header():
    """
    Nobody sends a hidden argument, so a header of it would be missing from each call.
    """

    def routed(region: Annotated[str, Arg("Where.", header="Region", hidden=True)] = "eu"):
        """Run."""

    (problem,) = header_problems(derive_block(routed))

    assert (problem.path, problem.message) == ("$.region", "hidden argument 'region' has a header")


def test_registration_refuses_a_bad_header():
    """
    A block whose header breaks the rule is not registered.
    """
    registry = Registry()

    def routed(ratio: Annotated[float, Arg("How much.", header="Ratio")]):
        """Run."""

    with pytest.raises(BlockArgsError) as caught:
        registry.register(routed)

    assert [p.path for p in caught.value.problems] == ["$.ratio"]
    assert "routed" not in registry
