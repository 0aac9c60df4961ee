"""Values for a union: told from the branches that they are not, and brought to the one that they are."""

from __future__ import annotations

import pytest

from blockargs.imported import arg_schema
from blockargs.reply import decode_arguments
from blockargs.types import arg_array, arg_integer, arg_object, arg_string, arg_union

A, B = arg_object(a=arg_array(arg_integer())), arg_object(b=arg_array(arg_integer()))
RECORDS = arg_union(arg_union(A, B), arg_object(c=arg_string()))
EITHER = arg_union(arg_union(A, B), arg_array(arg_union(A, B)))


@pytest.mark.parametrize(
    ("union", "given", "value"),
    [
        (RECORDS, {"a": [1, "2"]}, {"a": [1, 2]}),
        (RECORDS, {"B": ["3"]}, {"b": [3]}),
        (EITHER, {"b": [3]}, {"b": [3]}),
        (EITHER, [{"a": ["1"]}, {"b": [2]}], [{"a": [1]}, {"b": [2]}]),
        (EITHER, [{"b": ["1"]}], [{"b": [1]}]),
        (EITHER, [], []),
    ],
)
def test_a_record_and_a_list_of_records_are_told_apart(union, given, value):
    """
    In a union of unions a value is brought to the one branch that has a place for its keys.
    """
    decoded = decode_arguments({"x": given}, arg_object(x=union))

    assert (decoded.ok, decoded.value) == (True, {"x": value})


@pytest.mark.parametrize("given", [[{"a": [1]}, {"c": [1]}], {"c": [1]}, [[1]], {"a": [1], "A": [2]}])
def test_what_is_of_no_branch_is_a_problem(given):
    """
    A key without a place, a list in a list, one key twice with two values.
    """
    assert not decode_arguments({"x": given}, arg_object(x=EITHER)).ok


@pytest.mark.parametrize(
    ("node", "value"),
    [
        ({"anyOf": [{"type": ["string", "null"]}, {"type": "null"}]}, {"x": None}),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, {"x": None}),
        ({"oneOf": [{"type": ["string", "null"]}, {"type": "null"}]}, {}),
        ({"oneOf": [{}, {"const": None}]}, {}),
        ({"type": "string", "anyOf": [{"type": "string"}, {"type": "null"}]}, {}),
    ],
    ids=["any", "one", "one, twice", "one, anything", "beside a type"],
)
def test_null_is_given_where_it_is_valid_and_left_out_where_not(node, value):
    """
    An optional argument is null where its type takes null; where null fits twice, or not at all, it is left out.
    """
    decoded = decode_arguments({"x": None}, arg_schema({"type": "object", "properties": {"x": node}}))

    assert (decoded.ok, decoded.value) == (True, value)


@pytest.mark.parametrize("given", ["red", "RED", 5, None])
def test_a_fixed_text_is_taken_as_it_is_and_another_style_is_noted(given):
    """
    The words of an enum are valid as they are, in a union with null too.
    """
    node = {"anyOf": [{"enum": ["red", "5"]}, {"type": "null"}]}
    decoded = decode_arguments({"x": given}, arg_schema({"type": "object", "properties": {"x": node}}))
    wanted = {"red": ("red", []), "RED": ("red", ["enum_style"]), 5: ("5", ["to_string"]), None: (None, [])}[given]

    assert (decoded.value, [note.rule for note in decoded.notes]) == ({"x": wanted[0]}, wanted[1])


def test_a_text_inside_json_is_read_as_it_was_written():
    """
    A record that stands in a text is brought to its branch like any other, and so is what comes after it.
    """
    wanted = arg_object(x=RECORDS, y=RECORDS, z=arg_string())
    decoded = decode_arguments({"x": '{"a": [1, "2"]}', "y": {"b": ["1"]}, "z": "s"}, wanted)

    assert (decoded.ok, decoded.value) == (True, {"x": {"a": [1, 2]}, "y": {"b": [1]}, "z": "s"})


def test_a_union_of_unions_stays_quick():
    """
    Branches that contain the union again are each tried once for a value.
    """
    leaf = {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
        "additionalProperties": False,
    }
    inner = {"$ref": "#/$defs/rule"}
    both = [
        {"type": "object", "properties": {k: inner}, "required": [k], "additionalProperties": False}
        for k in ("all", "any")
    ] + [{"type": "object", "properties": {"all": inner, "any": inner}, "additionalProperties": False}]
    schema = {
        "$defs": {"rule": {"anyOf": [leaf, *both]}},
        "type": "object",
        "properties": {"rule": inner},
        "required": ["rule"],
    }
    value = {"n": "1"}
    for _ in range(30):
        value = {"all": value}
    decoded = decode_arguments({"rule": value}, schema)
    wrong = decode_arguments({"rule": {"all": [value]}}, schema)

    assert decoded.ok or decoded.problems[0].code == "ambiguous"
    assert not wrong.ok


def test_a_recursive_type_with_a_constant_list():
    """
    Constants inside a type that contains itself are compared as a whole.
    """
    rule = {
        "type": "object",
        "properties": {"at": {"const": [1, 2]}, "next": {"anyOf": [{"$ref": "#/$defs/r"}, {"type": "string"}]}},
    }
    schema = {"$defs": {"r": rule}, **rule, "required": ["at"]}
    decoded = decode_arguments({"AT": [1, 2], "next": {"at": [1, 2], "next": {"at": [1, 2]}}}, schema)

    assert decoded.value == {"at": [1, 2], "next": {"at": [1, 2], "next": {"at": [1, 2]}}}


def test_a_recursive_list_beside_a_repair():
    """
    A list of lists without end keeps its form while another argument is repaired.
    """
    nested = {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#/$defs/t"}}]}
    schema = {
        "$defs": {"t": nested},
        "type": "object",
        "properties": {"t": {"$ref": "#/$defs/t"}, "n": {"type": "integer"}},
    }
    decoded = decode_arguments({"t": [1, [2.0, []]], "n": "1"}, schema)

    assert repr(decoded.value) == "{'t': [1, [2, []]], 'n': 1}"


def test_a_choice_between_a_boolean_and_a_word():
    """
    Where a word is possible too, "true" is not taken for the boolean.
    """
    schema = {"type": "object", "properties": {"u": {"enum": [True, "auto"]}}, "required": ["u"]}

    assert decode_arguments({"u": "Auto"}, schema).value == {"u": "auto"}
    assert [p.path for p in decode_arguments({"u": "true"}, schema).problems] == ["$.u"]


def test_a_key_that_a_pattern_takes_has_its_place():
    """
    A record that takes keys by a pattern is not told by its declared keys alone.
    """
    sizes = {"type": "object", "patternProperties": {"^s_": {"type": "integer"}}, "additionalProperties": False}
    names = {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": False}
    wanted = arg_schema({"type": "object", "properties": {"x": {"anyOf": [sizes, names]}}})

    assert decode_arguments({"x": {"s_a": 1}}, wanted).value == {"x": {"s_a": 1}}
    assert decode_arguments({"x": {"s_a": "1"}}, wanted).ok is False
    assert decode_arguments({"x": {"name": 1}}, wanted).value == {"x": {"name": "1"}}
