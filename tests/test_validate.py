"""Values against types: every problem, its path and its cure; and the same verdict whichever way it is reached."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracle
from blockargs.errors import InvalidArgTypeError, Problem
from blockargs.node import ArgType
from blockargs.types import (
    arg_any,
    arg_array,
    arg_const,
    arg_enum,
    arg_integer,
    arg_literal,
    arg_map,
    arg_nullable,
    arg_number,
    arg_object,
    arg_schema,
    arg_string,
    arg_union,
)
from blockargs.validate import Validator, problems_in, schema_problems, validator_of
from strategies import (
    arg_types,
    json_values,
    schemas,
    tricky_values,
    values_for,
    values_near,
)

CASES = sorted((Path(__file__).parent / "cases" / "types").glob("*.yaml"))
law = settings(max_examples=200)


def test_a_value_of_a_fixed_set_may_be_wrong_all_the_same():
    """
    What is one of the values, and breaks another rule, is told by that rule.
    """
    assert codes("ab", {"enum": ["ab", "c"], "maxLength": 1}) == [("too_long", "$")]


def test_a_condition_without_its_other_half_says_nothing_there():
    """
    Where only `then` is given, a value that is not meant by the condition is told what else is wrong with it.
    """
    node = {"if": {"type": "integer"}, "then": {"minimum": 3}, "maxLength": 1}

    assert (codes(2, node), codes("ab", node)) == ([("too_small", "$")], [("too_long", "$")])


def test_what_is_asked_of_a_node_is_worked_out_once():
    """
    A second refusal of a deep value, behind references too, works nothing out again.
    """
    tree = {"type": "object", "properties": {"n": {"type": "integer"}, "kids": {"items": {"$ref": "#/$defs/tree"}}}}
    validator = validator_of(arg_schema({"$ref": "#/$defs/tree", "$defs": {"tree": tree}}))
    value = {"n": 1, "kids": [{"n": "x", "kids": [{"n": "y"}]}]}
    first = validator.problems(value)
    plans = dict(validator._plans)

    assert validator.problems(value) == first
    assert [p.path for p in first] == ["$.kids[0].n", "$.kids[0].kids[0].n"]
    assert {k: id(plan) for k, plan in validator._plans.items()} == {k: id(plan) for k, plan in plans.items()} != {}


def codes(value, node):
    return [(p.code, p.path) for p in problems_in(value, node)]


@pytest.mark.parametrize("file", CASES, ids=lambda f: f.stem)
def test_what_fits_fits_and_what_does_not_is_explained(file):
    """
    A type says which values fit, and of each other one every reason: code, path, message, cure.
    """
    case = yaml.safe_load(file.read_text(encoding="utf-8"))
    found = [(row["value"], problems_in(row["value"], case["type"])) for row in case["refuses"]]

    assert [v for v in case["fits"] if problems_in(v, case["type"])] == []
    assert found == [(row["value"], [Problem(**p) for p in row["problems"]]) for row in case["refuses"]]


@pytest.mark.parametrize("file", CASES, ids=lambda f: f.stem)
def test_jsonschema_gives_the_verdicts_of_the_cases(file):
    """
    The verdicts written in the cases are those of JSON Schema, not ours alone.
    """
    case = yaml.safe_load(file.read_text(encoding="utf-8"))

    assert [v for v in case["fits"] if not oracle.fits(v, case["type"])] == []
    assert [row["value"] for row in case["refuses"] if oracle.fits(row["value"], case["type"])] == []


@law
@given(st.data())
def test_a_value_drawn_from_a_type_fits(data):
    """
    What was made to fit a type fits it.
    """
    node = data.draw(arg_types())
    value = data.draw(values_for(node))

    assert problems_in(value, node) == []
    assert validator_of(node).accepts(value)


@law
@given(st.data())
def test_both_paths_and_jsonschema_agree_on_types(data):
    """
    Accepting, explaining and jsonschema give one verdict, on values that nearly fit and on almost-JSON.
    """
    node = data.draw(arg_types())
    value = data.draw(values_near(node) | tricky_values())

    verdict = oracle.fits(value, node)

    assert validator_of(node).accepts(value) is verdict
    assert (problems_in(value, node) == []) is verdict


@law
@given(schemas(), st.lists(json_values(max_leaves=4) | tricky_values(max_leaves=3), min_size=4, max_size=4))
def test_both_paths_and_jsonschema_agree_on_any_schema(node, values):
    """
    So they do on schemas that strangers wrote.
    """
    assume(not schema_problems(node))
    validator = Validator(node)

    verdicts = [oracle.fits(v, node) for v in values]

    assert [validator.accepts(v) for v in values] == verdicts
    assert [validator.problems(v) == [] for v in values] == verdicts


@law
@given(st.data())
def test_what_is_refused_as_it_stands_is_refused_inside(data):
    """
    A problem of a value is the problem of the list and the record that hold it, at the longer path.
    """
    node = data.draw(arg_types(recursive=False))
    value = data.draw(values_near(node))
    alone = problems_in(value, node, "$.rows[0]")

    assert problems_in({"rows": [value]}, arg_object(rows=arg_array(node))) == alone


def test_the_text_of_an_author_is_an_attribute_too():
    """
    `error` of a type is shown first in the hint of what is wrong there, not elsewhere.
    """
    node = arg_object(country=arg_string(pattern="^[A-Z]{2}$", error="use an ISO country code"), n=arg_integer())

    hints = [p.hint for p in problems_in({"country": "x", "n": "1"}, node)]

    assert hints == ["use an ISO country code", "write 1 without quotes"]
    assert problems_in("x", node["properties"]["country"])[0].hint == "use an ISO country code"


def test_equal_plain_nodes_with_other_texts_are_not_confused():
    """
    Validators of plain nodes are remembered by their content, and by the authors' texts inside.
    """
    one, two, none = arg_string(error="one"), arg_string(error="two"), arg_string()
    nodes = [{"properties": {"a": a, "b": b}} for a, b in ((one, none), (two, none), (none, one), (one, none))]

    hints = [problems_in({"a": 5}, node)[0].hint.partition(";")[0] for node in nodes]

    assert hints == ["one", "two", "write 5 in quotes", "one"]
    assert validator_of({"const": 1}) is validator_of({"const": 1.0})
    assert validator_of({"const": 1}) is not validator_of({"const": True})


def test_a_plain_node_that_is_changed_is_compiled_anew():
    """
    A plain dict may change between two questions.
    """
    node = {"type": "integer"}
    before = problems_in("a", node)
    node["type"] = "string"

    assert (len(before), problems_in("a", node)) == (1, [])


@pytest.mark.parametrize(
    "node",
    [
        {"type": "str"},
        {"pattern": "("},
        {"$ref": "#/$defs/none"},
        {"items": [{}]},
        {"const": object()},
        {"properties": {"a": {"minimum": "5"}}},
    ],
)
def test_a_node_that_is_no_type_is_an_error_of_its_own(node):
    """
    Asking a malformed type is the caller's error, not a problem of the value.
    """
    with pytest.raises(InvalidArgTypeError) as caught:
        problems_in(1, node)

    assert caught.value.problems == tuple(schema_problems(node))


@pytest.mark.parametrize("node", [{"pattern": "("}, {"$ref": "#/$defs/none"}, {"items": 5}, {"required": 5}])
def test_a_type_built_around_the_checks_is_an_error_too(node):
    """
    So it is when the malformed node calls itself an ArgType.
    """
    with pytest.raises(InvalidArgTypeError):
        problems_in(1, ArgType(node))


def test_a_validator_is_made_once():
    """
    A type keeps its validator.
    """
    node = arg_integer()

    assert validator_of(node) is validator_of(node)
    assert validator_of(node).node is node


@pytest.mark.parametrize("value", [10**400, -(10**400), 10**5000], ids=["positive", "negative", "longer than text"])
def test_big_integers_stay_exact(value):
    """
    Whole numbers of any size are compared and divided exactly, and can be shown.
    """
    assert problems_in(value, arg_number(multiple_of=0.1)) == []
    assert problems_in(value, arg_integer(multiple_of=2)) == []
    assert codes(value + 1, arg_integer(multiple_of=2)) == [("not_multiple", "$")]
    assert codes(value, arg_integer(minimum=-5, maximum=5)) == [("too_large" if value > 0 else "too_small", "$")]


def test_hints_for_text_that_holds_what_was_wanted():
    """
    Text that holds a number, a word of JSON or a whole list says how to write it; other text does not.
    """
    hints = {v: problems_in(v, arg_nullable(arg_number()))[0].hint for v in ("1.50", "-2", "null", "1e5", "x")}

    assert hints == {
        "1.50": "write 1.50 without quotes",
        "-2": "write -2 without quotes",
        "null": "write null without quotes",
        "1e5": "",
        "x": "",
    }


def test_variants_are_named_in_few_words():
    """
    Variants of a union are named by what they are.
    """
    node = arg_union(
        arg_array(arg_enum(["a"])), arg_array(arg_any()), arg_const(1), arg_literal([True, "x"]), arg_map(arg_integer())
    )
    nested_union = {"anyOf": [{"oneOf": [{"type": "string"}, {"type": "null"}]}, {"minimum": 5}, False]}

    assert problems_in(None, node)[0].message == "null is not a list of words, a list, 1, one of true, 'x' or an object"
    assert problems_in(1, nested_union)[0].message == "1 is not a string or null, a value of another form or nothing"


def test_what_is_missing_is_described():
    """
    The hint of a missing key says what to give.
    """
    fields = {
        "a": {"required": ["k"]},
        "b": {"title": "A colour"},
        "c": {"type": "array", "items": {"type": "string"}},
        "d": {},
    }
    hints = [p.hint for p in problems_in({}, {"properties": fields, "required": list(fields)})]

    assert hints == ["give an object with 'k'", "give A colour", "give a list of strings", ""]


def test_references_beside_other_keywords_are_followed():
    """
    A `$ref` and the keywords beside it both count, also for what is said.
    """
    node = arg_schema({"properties": {"a": {"$ref": "#/$defs/n", "maximum": 5}}, "$defs": {"n": {"type": "integer"}}})

    assert codes({"a": "x"}, node) == [("wrong_type", "$.a")]
    assert codes({"a": 6}, node) == [("too_large", "$.a")]
    assert problems_in({"a": 5}, node) == []


def test_variants_behind_references_are_told_apart():
    """
    A tag is found where the variants are references, also to variants that take anything or nothing.
    """
    node = arg_schema(
        {
            "anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, False],
            "$defs": {
                "a": {"properties": {"t": {"const": "a"}, "x": {"type": "integer"}}, "required": ["t"]},
                "b": {"properties": {"t": {"const": "b"}}, "required": ["t"]},
            },
        }
    )

    assert codes({"t": "a", "x": "y"}, node) == [("wrong_type", "$.x")]
    assert codes({"t": "c"}, node) == [("not_in_enum", "$.t")]


def test_a_discriminator_that_no_variant_has_is_ignored():
    """
    A tag that is named and not there cannot decide.
    """
    node = arg_schema(
        {
            "oneOf": [{"type": "object", "required": ["a"]}, {"type": "string"}],
            "discriminator": {"propertyName": "kind"},
        }
    )

    assert codes({}, node) == [("missing_key", "$.a")]


def test_tags_may_repeat_and_be_of_any_kind():
    """
    Two variants with one tag are told apart by the rest; a tag may be a number.
    """
    part = {"type": "object", "required": ["v"]}
    node = {
        "oneOf": [
            {**part, "properties": {"v": {"const": 1}, "x": {"type": "integer"}}},
            {**part, "properties": {"v": {"const": 1}, "x": {"type": "string"}}},
            {**part, "properties": {"v": {"const": 2}}},
        ]
    }

    assert problems_in({"v": 1.0, "x": 5}, node) == []
    assert codes({"v": 1, "x": None}, node) == [("no_variant", "$")]
    assert codes({"v": 3}, node) == [("not_in_enum", "$.v")]
    assert codes({"v": 1}, node) == [("several_variants", "$")]


def test_only_what_does_not_fit_is_told():
    """
    Of several things that a type asks, those that a value keeps are not spoken of.
    """
    number, items = arg_number(minimum=9, multiple_of=2), {"contains": {"type": "integer"}, "maxItems": 1}

    assert [(p.code, p.path) for p in problems_in(4, number)] == [("too_small", "$")]
    assert [(p.code, p.path) for p in problems_in(11, number)] == [("not_multiple", "$")]
    assert [(p.code, p.path) for p in problems_in("2024-01-01", arg_string(format="date", max_length=5))] == [
        ("too_long", "$")
    ]
    assert [(p.code, p.path) for p in problems_in([1, 2], arg_schema(items))] == [("too_many_items", "$")]


def test_a_choice_that_is_made_is_not_spoken_of():
    """
    Where just one variant fits, only what stands beside the union is told.
    """
    node = arg_schema({"oneOf": [{"type": "integer"}, {"type": "string"}], "minimum": 9})

    assert [(p.code, p.path) for p in problems_in(7, node)] == [("too_small", "$")]


def test_a_node_that_is_a_bool_is_a_type():
    """
    True takes any JSON, false none; what is no JSON is no more than that.
    """
    assert codes((1,), True) == [("not_json", "$")]
    assert codes(5, False) == [("not_allowed", "$")]
    assert problems_in(5, True) == []


def test_jsonschema_takes_the_types_as_schemas():
    """
    What is compared with jsonschema here is a schema for it too.
    """
    for file in CASES:
        jsonschema.Draft202012Validator.check_schema(yaml.safe_load(file.read_text(encoding="utf-8"))["type"])
