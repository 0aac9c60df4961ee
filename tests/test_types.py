"""The `arg_*` constructors: what they build, and what they refuse here and now."""

from __future__ import annotations

import math

import jsonschema
import pytest
from hypothesis import given, settings

from blockargs.errors import InvalidArgTypeError, InvalidEnumError, UnnamedFieldError
from blockargs.node import ArgType, same_type
from blockargs.types import (
    arg_any,
    arg_array,
    arg_boolean,
    arg_column,
    arg_const,
    arg_enum,
    arg_integer,
    arg_json_array,
    arg_json_object,
    arg_literal,
    arg_map,
    arg_nullable,
    arg_number,
    arg_object,
    arg_schema,
    arg_string,
    arg_tuple,
    arg_union,
)
from blockargs.validate import problems_in, schema_problems
from strategies import Level, Text, Whole, Word, arg_types

S, N = {"type": "string"}, {"type": "integer"}
RED = arg_object(kind=arg_const("red"), level=arg_integer())
BLUE = arg_object(kind=arg_const("blue"))
TREE = arg_schema({"type": "object", "properties": {"kid": {"$ref": "#"}}})


@pytest.mark.parametrize(
    ("made", "node"),
    [
        (arg_string(), S),
        (
            arg_string(min_length=1, max_length=2, pattern="^a", format="date-x", description="d", default="a"),
            {"type": "string", "description": "d", "minLength": 1, "maxLength": 2, "pattern": "^a", "format": "date-x", "default": "a"},
        ),
        (arg_number(minimum=0, exclusive_maximum=1.5), {"type": "number", "minimum": 0, "exclusiveMaximum": 1.5}),
        (
            arg_integer(exclusive_minimum=0, maximum=9, multiple_of=3, default=3),
            {"type": "integer", "maximum": 9, "exclusiveMinimum": 0, "multipleOf": 3, "default": 3},
        ),
        (arg_boolean(default=False), {"type": "boolean", "default": False}),
        (arg_enum(["a"]), {"type": "string", "enum": ["a"]}),
        (arg_enum(w for w in ("a", "b")), {"type": "string", "enum": ["a", "b"]}),
        (arg_literal([1, 2]), {"type": "integer", "enum": [1, 2]}),
        (arg_literal([1, 2.5]), {"type": "number", "enum": [1, 2.5]}),
        (arg_literal(["a", None]), {"type": ["string", "null"], "enum": ["a", None]}),
        (arg_literal([None]), {"type": "null", "enum": [None]}),
        (arg_literal([1, "a", True]), {"enum": [1, "a", True]}),
        (arg_const("a", description="d"), {"type": "string", "const": "a", "description": "d"}),
        (arg_const(None), {"type": "null", "const": None}),
        (arg_const([1]), {"const": [1]}),
        (arg_array(arg_string(), min_items=1, max_items=2, unique_items=True), {"type": "array", "items": S, "minItems": 1, "maxItems": 2, "uniqueItems": True}),
        (arg_array(S, unique_items=False, default=[]), {"type": "array", "items": S, "default": []}),
        (arg_json_array(), {"type": "array", "items": {}}),
        (arg_tuple(), {"type": "array", "items": False, "minItems": 0, "maxItems": 0}),
        (arg_tuple(S, N), {"type": "array", "prefixItems": [S, N], "items": False, "minItems": 2, "maxItems": 2}),
        (arg_object(), {"type": "object", "properties": {}, "additionalProperties": False}),
        (arg_object(x=S, y=arg_integer(required=False)), {"type": "object", "properties": {"x": S, "y": N}, "required": ["x"], "additionalProperties": False}),
        (arg_object({"description": S, "self": S}, b=S), {"type": "object", "properties": {"description": S, "self": S, "b": S}, "required": ["description", "self", "b"], "additionalProperties": False}),
        (arg_object(extra=True), {"type": "object", "properties": {}, "additionalProperties": True}),
        (arg_object(extra=S), {"type": "object", "properties": {}, "additionalProperties": S}),
        (arg_json_object(), {"type": "object", "additionalProperties": True}),
        (arg_map(S), {"type": "object", "additionalProperties": S}),
        (arg_any(default=5), {"default": 5}),
        (arg_column(), {"type": "string", "x-column": True}),
        (arg_column("left", default="a"), {"type": "string", "x-column": "left", "default": "a"}),
        (arg_union(S, N), {"anyOf": [S, N]}),
        (arg_union(S, S), S),
        (arg_union(S, {"type": "null"}), {"type": ["string", "null"]}),
        (arg_union(S, N, {"type": "null"}), {"anyOf": [S, N, {"type": "null"}]}),
        (arg_union(S, N, description="d", default=1), {"description": "d", "anyOf": [S, N], "default": 1}),
        (arg_union(RED, BLUE, tag="kind"), {"oneOf": [RED, BLUE], "discriminator": {"propertyName": "kind"}}),
        (arg_nullable(S), {"type": ["string", "null"]}),
        (arg_nullable(arg_nullable(S)), {"type": ["string", "null"]}),
        (arg_nullable(arg_any()), {}),
        (arg_nullable(arg_enum(["a"]), description="d", default="a"), {"type": ["string", "null"], "description": "d", "enum": ["a", None], "default": "a"}),
        (arg_nullable(arg_literal([1, "a"])), {"enum": [1, "a", None]}),
        (arg_nullable(arg_const(5)), {"type": ["integer", "null"], "enum": [5, None]}),
        (arg_nullable(arg_const([1])), {"anyOf": [{"const": [1]}, {"type": "null"}]}),
        (arg_nullable(arg_union(S, N)), {"anyOf": [S, N, {"type": "null"}]}),
        (arg_nullable(arg_object(a=S)), {"type": ["object", "null"], "properties": {"a": S}, "required": ["a"], "additionalProperties": False}),
        (arg_nullable(arg_schema({"type": ["string", "integer"], "const": "a"})), {"type": ["string", "integer", "null"], "enum": ["a", None]}),
        (
            arg_nullable(arg_schema({"type": "string", "not": {"type": "null"}, "description": "d"})),
            {"description": "d", "anyOf": [{"type": "string", "not": {"type": "null"}}, {"type": "null"}]},
        ),
        (
            arg_nullable(arg_schema({"type": "string", "const": "a", "enum": ["a", "b"]})),
            {"anyOf": [{"type": "string", "const": "a", "enum": ["a", "b"]}, {"type": "null"}]},
        ),
    ],
    ids=lambda v: str(dict(v))[:60],
)  # fmt: skip
def test_what_a_constructor_builds(made, node):
    """
    Each constructor builds one canonical node, which is valid and equal to its plain dict.
    """
    assert type(made) is ArgType
    assert made == node
    assert schema_problems(made) == []
    jsonschema.Draft202012Validator.check_schema(node)


@pytest.mark.parametrize(
    "make",
    [
        arg_string, arg_number, arg_integer, arg_boolean, arg_json_array, arg_json_object, arg_any, arg_column, arg_object,
        arg_tuple, lambda **k: arg_enum(["a"], **k), lambda **k: arg_literal([1], **k), lambda **k: arg_const(1, **k),
        lambda **k: arg_array(S, **k), lambda **k: arg_map(S, **k), lambda **k: arg_union(S, N, **k),
        lambda **k: arg_union(S, {"type": "null"}, **k), lambda **k: arg_union(RED, BLUE, tag="kind", **k),
        lambda **k: arg_nullable(S, **k), lambda **k: arg_schema(S, **k),
    ],
)  # fmt: skip
def test_all_types_take_a_description_requiredness_and_a_failure_text(make):
    """
    Description stands in the node, `required` and `error` beside it; what is no text or bool is refused.
    """
    made = make(description="d", required=False, error="e")

    assert (made["description"], made.required, made.error) == ("d", False, "e")
    assert (make().required, make().error, "description" in make()) == (None, None, False)
    for wrong in ({"required": 1}, {"error": 5}, {"error": "\ud800"}, {"description": "\ud800"}, {"description": 5}):
        with pytest.raises(InvalidArgTypeError):
            make(**wrong)


def test_a_nullable_type_keeps_the_attributes_of_its_type():
    """
    Null beside a type changes neither whether it is needed nor what is said when it does not fit.
    """
    inner = arg_string(required=False, error="e")

    assert same_type(arg_nullable(inner), ArgType({"type": ["string", "null"]}, required=False, error="e"))
    assert arg_nullable(inner, required=True, error="f").required is True
    assert arg_union(inner, {"type": "null"}).error == "e"


@pytest.mark.parametrize(
    "values",
    [[], (), None, 5, "ab", {"a": 1}, ["a", "a"], [1, 2], ["a", None], ["\ud800"], [[]]],
    ids=repr,
)
def test_an_enum_is_a_list_of_distinct_texts(values):
    """
    Anything but a non-empty list of distinct texts is `arg_enum_invalid`.
    """
    with pytest.raises(InvalidEnumError) as caught:
        arg_enum(values)

    assert caught.value.code == "arg_enum_invalid"


@pytest.mark.parametrize("values", [[], None, "ab", [1, 1.0], [[1]], [math.nan], ["\ud800"], [(1,)], [{}]], ids=repr)
def test_a_literal_is_a_list_of_distinct_scalars(values):
    """
    So are literals, of any JSON scalars.
    """
    with pytest.raises(InvalidEnumError):
        arg_literal(values)


def test_members_of_enumerations_become_what_they_stand_for():
    """
    A type written with members of enumerations is the same as one written with their values, class and all.
    """
    enum, literal, const = arg_enum([Word.HEAD, Text("x")]), arg_literal([Level.FIVE, Word.HEAD]), arg_const([Whole(5)])
    default = arg_integer(default=Level.FIVE)

    assert [type(v) for v in enum["enum"]] == [str, str]
    assert [type(v) for v in literal["enum"]] == [int, str]
    assert type(const["const"][0]) is int
    assert type(default["default"]) is int
    assert arg_literal([1, True]) == {"enum": [1, True]}


@pytest.mark.parametrize(
    "make",
    [
        lambda: arg_string(min_length=-1),
        lambda: arg_string(min_length=True),
        lambda: arg_string(max_length=1.5),
        lambda: arg_string(min_length=2, max_length=1),
        lambda: arg_string(pattern="("),
        lambda: arg_string(pattern=5),
        lambda: arg_string(pattern="\ud800"),
        lambda: arg_string(format=5),
        lambda: arg_string(default="a", min_length=2),
        lambda: arg_string(default=5),
        lambda: arg_number(minimum="0"),
        lambda: arg_number(minimum=True),
        lambda: arg_number(maximum=math.nan),
        lambda: arg_number(maximum=math.inf),
        lambda: arg_number(multiple_of=0),
        lambda: arg_number(multiple_of=-1),
        lambda: arg_number(minimum=2, maximum=1),
        lambda: arg_integer(default=5.5),
        lambda: arg_boolean(default=1),
        lambda: arg_enum(["a"], default="b"),
        lambda: arg_literal([1], default=True),
        lambda: arg_const((1, 2)),
        lambda: arg_const(math.nan),
        lambda: arg_array(5),
        lambda: arg_array({"type": "strange"}),
        lambda: arg_array(S, min_items=2, max_items=1),
        lambda: arg_array(S, unique_items="yes"),
        lambda: arg_array(S, default=[1]),
        lambda: arg_array(S, default=("a",)),
        lambda: arg_tuple(S, None),
        lambda: arg_tuple(S, default=[]),
        lambda: arg_object(a=5),
        lambda: arg_object(extra=5),
        lambda: arg_object(a=S, default={}),
        lambda: arg_map("string"),
        lambda: arg_map(S, default={"a": 1}),
        lambda: arg_union(),
        lambda: arg_union({"type": "null"}),
        lambda: arg_union(S, 5),
        lambda: arg_union(S, N, default=[]),
        lambda: arg_nullable(5),
        lambda: arg_nullable(S, default=5),
        lambda: arg_any(default=object()),
        lambda: arg_column(5),
        lambda: arg_union(RED, S, tag="kind"),
        lambda: arg_union(RED, RED | {"title": "again"}, tag="kind"),
        lambda: arg_union(RED, BLUE, tag="level"),
        lambda: arg_union(RED, arg_object(kind=arg_const("blue", required=False)), tag="kind"),
        lambda: arg_union(RED, arg_schema({"properties": {"kind": True}, "required": ["kind"]}), tag="kind"),
        lambda: arg_union(RED, arg_schema({"$ref": "#/$defs/a", "$defs": {"a": True}}), tag="kind"),
    ],
)
def test_what_cannot_be_is_refused_where_it_is_written(make):
    """
    Bounds that contradict one another, defaults that do not fit, parts that are no types: refused in the constructor.
    """
    with pytest.raises(InvalidArgTypeError) as caught:
        make()

    assert caught.value.problems


@pytest.mark.parametrize(
    "make",
    [
        lambda: arg_object({"": S}),
        lambda: arg_object({5: S}),
        lambda: arg_object([("a", S)]),
        lambda: arg_object({"a": S}, a=S),
        lambda: arg_object({"\ud800": S}),
    ],
)
def test_a_field_has_a_name_of_its_own(make):
    """
    A field without a name, or with one that is given twice, is `arg_object_unnamed`.
    """
    with pytest.raises(UnnamedFieldError) as caught:
        make()

    assert caught.value.code == "arg_object_unnamed"


def test_a_default_must_fit_and_is_named():
    """
    What is wrong with a default is told as it would be of any value.
    """
    with pytest.raises(InvalidArgTypeError) as caught:
        arg_object(a=arg_integer(required=False), default={"a": "5"})

    assert str(caught.value) == "default: $.a: '5' is a string, not an integer; write 5 without quotes"


def test_what_lacks_the_tag_or_repeats_it_is_named():
    """
    Every variant that the tag cannot tell apart is listed with its place.
    """
    with pytest.raises(InvalidArgTypeError) as caught:
        arg_union(RED, arg_object(), RED | {"title": "again"}, tag="kind")

    assert [str(p) for p in caught.value.problems] == [
        "$.oneOf[1]: has no required const field 'kind'; add arg_const() under it",
        "$.oneOf[2]: has the tag 'red' of variant 0",
    ]


def test_recursive_types_are_parts_like_any_other():
    """
    A type that contains itself can be nullable, a variant, a field, with its meaning.
    """
    kind = arg_schema(
        {
            "$ref": "#/$defs/t",
            "$defs": {
                "t": {
                    "type": "object",
                    "properties": {"kind": {"const": "tree"}, "kid": {"$ref": "#/$defs/t"}},
                    "required": ["kind"],
                }
            },
        }
    )
    node = arg_nullable(arg_union(kind, RED, tag="kind"))

    assert problems_in(None, arg_nullable(TREE)) == []
    assert problems_in({"kind": "tree", "kid": {"kind": "tree"}}, node) == problems_in(None, node) == []
    assert [p.path for p in problems_in({"kind": "tree", "kid": {"kind": "red"}}, node)] == ["$.kid.kind"]
    assert list(node["$defs"]) == ["t"]


@settings(max_examples=150)
@given(arg_types())
def test_null_fits_a_nullable_type_and_the_rest_is_unchanged(node):
    """
    `arg_nullable` adds null to whatever type, and nothing else.
    """
    made = arg_nullable(node)

    assert problems_in(None, made) == []
    assert arg_nullable(made) == made
    assert (made.required, made.error) == (node.required, node.error)
    for value in ("x", 5, True, [], {}, [None], {"a": 1}):
        assert (problems_in(value, made) == []) is (problems_in(value, node) == [])


@settings(max_examples=150)
@given(arg_types())
def test_every_type_is_a_valid_schema(node):
    """
    Whatever the constructors build is taken by the meta-schema and by ours, and comes back from plain JSON the same.
    """
    jsonschema.Draft202012Validator.check_schema(node)

    assert schema_problems(node) == []
    assert arg_schema(node.plain()) == node


@pytest.mark.parametrize(
    ("given", "cure"),
    [
        ("integer[]", "write parse_type('integer[]'), or build one with "),
        (int, "write arg_type_of(int), or build one with "),
        (list[int], "write arg_type_of(list[int]), or build one with "),
        (int | None, "write arg_type_of(int | None), or build one with "),
        (arg_string, "call it: arg_string(…)"),
        (5, "build one with arg_string() and its brothers"),
    ],
    ids=str,
)
def test_what_is_no_type_is_told_how_to_become_one(given, cure):
    """
    A spelling, an annotation and a constructor without its () each have a way of their own.
    """
    for make in (arg_array, arg_map, arg_nullable, lambda one: arg_object(a=one)):
        with pytest.raises(InvalidArgTypeError) as caught:
            make(given)
        assert caught.value.problems[0].hint.startswith(cure)
        assert caught.value.problems[0].message.endswith(" is no argument type")
