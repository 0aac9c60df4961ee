"""`arg_schema`: a hand-written schema keeps its meaning, in and out."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracle
from blockargs.errors import InvalidArgTypeError
from blockargs.node import ArgType, same_type
from blockargs.registry import Registry
from blockargs.spec import Block, new_block_arg, new_block_args
from blockargs.types import arg_array, arg_integer, arg_object, arg_schema, arg_string
from blockargs.validate import problems_in, schema_problems
from strategies import RECURSIVE, json_values, schemas

OPEN = {
    "type": "object",
    "properties": {"r": {"type": "string"}, "o": {"type": ["integer", "null"], "minimum": 0}},
    "required": ["r"],
}


@settings(max_examples=200)
@given(schemas(), st.lists(json_values(max_leaves=4), min_size=3, max_size=3))
def test_imported_and_exported_schemas_give_the_verdicts_of_the_original(node, values):
    """
    What is imported, and what is exported of it, accept exactly what the hand-written schema accepts.
    """
    assume(not schema_problems(node))
    typed = arg_schema(node)
    exported = json.loads(json.dumps(typed.plain()))

    verdicts = [oracle.fits(v, node) for v in values]

    assert [problems_in(v, typed) == [] for v in values] == verdicts
    assert [oracle.fits(v, exported) for v in values] == verdicts
    assert same_type(arg_schema(exported), typed)


@pytest.mark.parametrize(
    ("extra", "value", "fits"),
    [
        (None, {"r": "x"}, True),
        (None, {"r": "x", "o": None}, True),
        (None, {"r": "x", "o": -1}, False),
        (None, {"o": 1}, False),
        (None, {"r": "x", "extra": True}, True),
        (False, {"r": "x", "extra": True}, False),
        ({"type": "integer"}, {"r": "x", "e": "s"}, False),
        ({"type": "integer"}, {"r": "x", "e": 1}, True),
    ],
)
def test_import_keeps_the_meaning(extra, value, fits):
    """
    Null, bounds, requiredness and openness survive import and export.
    """
    node = OPEN if extra is None else {**OPEN, "additionalProperties": extra}
    typed = arg_schema(node)

    assert [problems_in(value, n) == [] for n in (node, typed, typed.plain())] == [fits] * 3
    assert typed == node


@pytest.mark.parametrize("text", ['{"type": "string", "x-unit": "cm"}', ' {"type":"string","x-unit":"cm"}\n'])
def test_json_text_is_read(text):
    """
    The schema may be JSON text; unknown keywords stay.
    """
    assert arg_schema(text) == {"type": "string", "x-unit": "cm"}


@pytest.mark.parametrize(("given_", "node"), [(True, {}), (False, {"not": {}}), ("true", {}), ("false", {"not": {}})])
def test_schemas_that_are_a_bool_are_read(given_, node):
    """
    True takes anything, false nothing.
    """
    assert arg_schema(given_) == node


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ("{", "the schema is no JSON: Expecting property name enclosed in double quotes"),
        ("", "the schema is no JSON: Expecting value"),
        ("5", "a schema is an object, not int"),
        ([], "a schema is an object, not list"),
        (None, "a schema is an object, not NoneType"),
        ('{"type": "string", "type": "integer"}', "key 'type' stands twice in one object"),
        ("[" * 100_000, "the schema is no JSON"),
        ('"' + "a" * 5_000_000 + '"', "the schema is 5000002 characters long; at most 4194304 are read"),
        ('{"minimum": NaN}', "$.minimum: nan is no finite number"),
        ('{"$ref": "http://example.com/a"}', "'http://example.com/a' leads out of the schema"),
        ('{"items": {"$ref": "#/$defs/a"}}', "'#/$defs/a' leads nowhere"),
        ({"type": "array", "items": [{"type": "string"}]}, "use prefixItems for the types of single places"),
    ],
    ids=lambda v: str(v)[:30],
)
def test_what_is_no_schema_is_refused(given_, message):
    """
    Text that is no JSON, JSON that is no schema, and references that lead out of it are one error that says why.
    """
    with pytest.raises(InvalidArgTypeError) as caught:
        arg_schema(given_)

    assert message in str(caught.value)


def test_what_the_parent_and_the_keywords_say_becomes_attributes():
    """
    `required` of a field comes from its parent's list, `error` from `x-error`.
    """
    node = arg_schema({"properties": {"a": {"x-error": "an a"}, "b": {"x-error": 5}}, "required": ["a"]})
    a, b = node["properties"].values()

    assert (a.required, a.error, dict(a)) == (True, "an a", {})
    assert (b.required, b.error, dict(b)) == (False, None, {"x-error": 5})
    assert node.plain() == {"properties": {"a": {"x-error": "an a"}, "b": {"x-error": 5}}, "required": ["a"]}


def test_the_callers_words_come_before_those_of_the_schema():
    """
    Description, requiredness and failure text may be given beside the schema.
    """
    node = arg_schema({"type": "string", "description": "old"}, description="new", required=False, error="e")

    assert same_type(node, arg_string(description="new", required=False, error="e"))
    assert list(arg_schema({"minimum": 5}, description="d")) == ["description", "minimum"]


def test_a_type_is_its_own_import():
    """
    An argument type comes back as it is, its attributes too, alone and as a part of a plain node.
    """
    inner = arg_string(error="e", required=False)
    mixed = arg_schema({"type": "array", "items": arg_object(a=inner)})

    assert same_type(arg_schema(inner), inner)
    assert same_type(mixed, arg_array(arg_object(a=inner)))


def test_a_recursive_type_can_be_a_part_of_a_plain_node():
    """
    A part brings its definitions with it, whatever the plain node calls its own.
    """
    tree = arg_schema(RECURSIVE[0])
    node = arg_object(a={"type": "array", "items": tree}, b={"items": tree, "$defs": {"tree": {"type": "string"}}})

    assert schema_problems(node) == []
    assert problems_in({"a": [{"value": 1}], "b": [{"value": 2}]}, node) == []
    assert [p.path for p in problems_in({"a": [{"value": "x"}], "b": ["x"]}, node)] == ["$.a[0].value", "$.b[0]"]


def test_a_plain_node_with_a_part_and_a_dead_reference_is_refused():
    """
    That a part has definitions does not excuse a reference that leads nowhere.
    """
    with pytest.raises(InvalidArgTypeError, match="leads nowhere"):
        arg_schema({"prefixItems": [arg_schema(RECURSIVE[0]), {"$ref": "#/$defs/none"}]})


@pytest.mark.parametrize(
    ("node", "names"),
    [
        ({"items": {"$ref": "#"}}, ["root"]),
        ({"properties": {"a": {"$ref": "#"}, "b": True}}, ["root"]),
        ({"properties": {"a": {"type": "string"}, "b": {"$ref": "#/properties/a"}}}, ["a"]),
        ({"items": {"$ref": "#n"}, "contains": {"$anchor": "n", "type": "string"}}, ["n"]),
        ({"items": {"$ref": "#/definitions/a"}, "definitions": {"a": {"type": "string"}}}, ["a"]),
        (
            {
                "prefixItems": [{"$ref": "#/definitions/a"}, {"$ref": "#/$defs/a"}],
                "definitions": {"a": {"type": "string"}},
                "$defs": {"a": {"type": "integer"}},
            },
            ["a", "a_2"],
        ),
        ({"properties": {"a": {"$defs": {"x": {"type": "string"}}}, "b": {"$ref": "#/properties/a/$defs/x"}}}, ["x"]),
        (
            {"properties": {"a": {"$defs": {"x": {"type": "string"}}}}, "$defs": {"x": {"type": "integer"}}},
            ["x", "x_2"],
        ),
        ({"items": {"$ref": "#/x-parts/"}, "x-parts": {"": {"type": "string"}}}, ["x-parts"]),
        ({"$id": "https://example.com/s", "properties": {"a": {"$ref": "#"}}}, ["root"]),
    ],
    ids=lambda v: json.dumps(v)[:40],
)
def test_every_reference_becomes_one_to_a_definition_on_top(node, names):
    """
    Wherever a reference led, the place gets a definition of its own, so that the type can be a part of another.
    """
    typed = arg_schema(node)
    record = arg_object(part=typed)

    assert list(typed["$defs"]) == names
    assert schema_problems(typed) == schema_problems(record) == []
    for value in (["x"], [1], [["x"]], {"a": "x", "b": 1}, {"b": "x"}, {"a": {"a": {}}}, ["x", 1], [1, "x"]):
        verdict = oracle.fits(value, node)
        assert (problems_in(value, typed) == []) is verdict
        assert (problems_in({"part": value}, record) == []) is verdict
        assert oracle.fits({"part": value}, record.plain()) is verdict


def test_a_schema_that_needs_no_change_stays_as_it_is():
    """
    Keys keep their order, and nothing is added.
    """
    node = {"title": "T", "$defs": {"a": {}}, "$comment": "c", "items": {"$ref": "#/$defs/a"}, "default": [1]}

    assert json.dumps(arg_schema(node)) == json.dumps(node)
    assert type(arg_schema(node)["items"]) is ArgType


def test_numbers_of_any_size_stay_exact():
    """
    Bounds beyond 64 bits are read and kept.
    """
    node = arg_schema(json.dumps({"maximum": 10**300}))

    assert node["maximum"] == 10**300
    assert problems_in(10**300 + 1, node)[0].code == "too_large"
    assert same_type(node, arg_schema({"maximum": 10**300}))
    assert arg_integer(maximum=10**300) == {"type": "integer", "maximum": 10**300}


@pytest.mark.parametrize(
    ("holder", "cure"),
    [
        (Registry(), "take the type of one of its blocks: registry[uid].type"),
        (new_block_args(), "take the type of the block, or of one argument: arguments[name].type"),
        (new_block_args(n="N"), "take the type of the block, or of one argument: arguments[name].type"),
        (Block(uid="a"), "take its type: block.type"),
        (new_block_arg("N"), "take its type: argument.type"),
    ],
    ids=["registry", "no arguments", "arguments", "block", "argument"],
)
def test_what_holds_a_schema_is_none(holder, cure):
    """An empty registry is not the schema that takes everything: where the schema is, is told."""
    for ask in (
        lambda: problems_in(5, holder),
        lambda: arg_schema(holder),
        lambda: arg_schema({"properties": {"a": holder}}),
    ):
        with pytest.raises(InvalidArgTypeError) as caught:
            ask()
        assert [p.hint for p in caught.value.problems] == [cure]
