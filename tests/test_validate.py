"""Values against types: every problem, its path and its cure; and the same verdict whichever way it is reached."""

from __future__ import annotations

import enum
import math
from collections import ChainMap, OrderedDict
from datetime import date
from decimal import Decimal
from pathlib import Path
from time import perf_counter

import jsonschema
import jsonschema_rs
import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import oracle
from blockargs.errors import InvalidArgTypeError, Problem
from blockargs.node import ArgType, FrozenDict, FrozenList
from blockargs.types import (
    arg_any,
    arg_array,
    arg_boolean,
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
from blockargs.validate import MAX_DEPTH, MAX_PROBLEMS, Validator, problems_in, schema_problems, validator_of
from strategies import (
    Level,
    Real,
    Row,
    Rows,
    Text,
    Whole,
    Word,
    arg_types,
    json_values,
    schemas,
    tricky_values,
    values_for,
    values_near,
)

CASES = sorted((Path(__file__).parent / "cases" / "types").glob("*.yaml"))
law = settings(
    max_examples=200,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
TREE = arg_schema(
    {
        "anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#"}}],
    }
)


def codes(value, node):
    return [(p.code, p.path) for p in problems_in(value, node)]


def nested(levels, inner=None):
    for _ in range(levels):
        inner = [] if inner is None else [inner]
    return inner


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
@given(schemas(), st.lists(json_values(max_leaves=4), min_size=4, max_size=4))
def test_a_second_judge_agrees(node, values):
    """
    jsonschema-rs, written by others in another language, says the same where its rules are ours.
    """
    assume(not schema_problems(node))
    text = str([node, values])
    assume(not any(w in text for w in ("pattern", "format", "multipleOf", "Pattern", "00000000000", "e+", "e-")))
    judge = jsonschema_rs.Draft202012Validator(node)

    assert [problems_in(v, node) == [] for v in values] == [judge.is_valid(v) for v in values]


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


@pytest.mark.parametrize("value", [Level.FIVE, Whole(5), 5.0, Real(5.0)])
def test_members_of_enumerations_and_subclasses_count_as_what_json_writes(value):
    """
    A subclass of int or float is the number that json.dumps would write.
    """
    assert problems_in(value, arg_integer(minimum=5, maximum=5)) == []
    assert codes(value, arg_integer(minimum=6)) == [("too_small", "$")]


def test_subclasses_of_texts_lists_and_objects_count_as_their_base():
    """
    So is a subclass of str, list or dict, as a value and as a key.
    """
    node = arg_object(op=arg_enum(["head"]), rows=arg_array(arg_any()))
    value = OrderedDict({Text("op"): Word.HEAD, "rows": Rows([Row(a=1), FrozenDict(a=FrozenList([1]))])})

    assert problems_in(value, node) == []
    assert codes(Row(op=Word.HEAD, rows=Rows(), more=1), node) == [("unknown_key", "$.more")]


@pytest.mark.parametrize(
    ("value", "message", "hint"),
    [
        ((1, 2), "(1, 2) is a tuple, not JSON", "use a list"),
        ({1}, "{1} is a set, not JSON", "use a list"),
        (type("Pair", (tuple,), {})((1,)), "(1,) is a Pair, not JSON", "use a list"),
        (b"ab", "b'ab' is a bytes, not JSON", "decode it to a string"),
        (Decimal("1.5"), "Decimal('1.5') is a Decimal, not JSON", "use an int or a float, or write it as a string"),
        (1j, "1j is a complex, not JSON", "use an int or a float, or write it as a string"),
        (
            date(2024, 1, 31),
            "datetime.date(2024, 1, 31) is a date, not JSON",
            "write it as a string: value.isoformat()",
        ),
        (ChainMap({}), "ChainMap({}) is a ChainMap, not JSON", "use a dict"),
        (enum.Enum("Side", "LEFT"), "<enum 'Side'> is an EnumType, not JSON", ""),
        (math.nan, "'nan' is no number of JSON", "use null, or leave it out"),
        (-math.inf, "'-inf' is no number of JSON", "use null, or leave it out"),
        ("\ud800", "'\\ud800' holds half a character (a lone surrogate)", "write the whole character"),
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_is_not_json_is_named(value, message, hint):
    """
    What JSON cannot write is refused wherever it stands, with what to use instead.
    """
    wrong = Problem(code="not_json", path="$.a[1]", message=message, hint=hint)

    assert problems_in({"a": [0, value]}, arg_any()) == [wrong]
    assert not validator_of(arg_any()).accepts([value])


def test_what_is_not_json_does_not_hide_other_problems():
    """
    Beside what is no JSON everything else is still told, as if it had been put right.
    """
    node = arg_object(n=arg_integer(), xs=arg_array(arg_string()), t=arg_string(), f=arg_number())

    assert codes({"n": "5", "xs": ("a", 1), "t": math.nan, "f": {1}, 7: 8}, node) == [
        ("not_json", "$.xs"),
        ("not_json", "$.t"),
        ("not_json", "$.f"),
        ("not_json", "$['7']"),
        ("wrong_type", "$.n"),
        ("wrong_type", "$.xs[1]"),
    ]


def test_a_mapping_of_a_strangers_class_is_no_object():
    """
    A mapping that is no dict is not JSON, and the cure is a dict.
    """
    strange = type("Strange", (ChainMap,), {})()

    assert problems_in(strange, arg_any())[0].hint == "use a dict"


@pytest.mark.parametrize(
    ("key", "path", "message"),
    [
        (1, "$['1']", "key 1 is a number, not a string"),
        (True, "$.true", "key true is a boolean, not a string"),
        (None, "$.null", "key null is null, not a string"),
        ((1, 2), "$['[1, 2]']", "key [1, 2] is a tuple, not a string"),
        ("\udfff", "$['\\\\udfff']", "'\\udfff' holds half a character (a lone surrogate)"),
    ],
)
def test_keys_are_texts(key, path, message):
    """
    A key that is no text, or half a character, is refused at its own path.
    """
    (problem,) = problems_in({key: 1}, arg_any())

    assert (problem.code, problem.path, problem.message) == ("not_json", path, message)
    assert not validator_of(arg_map(arg_integer())).accepts({key: 1})


@pytest.mark.parametrize("node", [arg_any(), TREE, arg_array(arg_any())], ids=["any", "recursive", "list"])
def test_a_hundred_levels_are_taken_and_one_more_is_not(node):
    """
    Values are taken to 100 levels, whatever the type; deeper ones are a problem, never an overflow.
    """
    assert problems_in(nested(MAX_DEPTH), node) == []
    assert [p.code for p in problems_in(nested(MAX_DEPTH + 1), node)] == ["too_deep"]
    assert [p.code for p in problems_in(nested(100_000), node)] == ["too_deep"]
    assert not validator_of(node).accepts(nested(MAX_DEPTH + 1))


def test_a_scalar_in_the_deepest_list_is_taken():
    """
    It is lists and objects that are counted, not what lies in them.
    """
    assert problems_in(nested(MAX_DEPTH, "x"), arg_any()) == []
    assert [p.code for p in problems_in(nested(MAX_DEPTH, math.nan), arg_any())] == ["not_json"]


def test_a_value_that_contains_itself_is_refused():
    """
    A list inside itself is no JSON, and is told so in bounded time.
    """
    loop = []
    loop.extend([loop, loop])

    assert codes(loop, arg_any()) == [("not_json", "$[0]"), ("not_json", "$[1]")]
    assert not validator_of(TREE).accepts(loop)


def test_a_bomb_of_shared_lists_is_refused_in_bounded_time():
    """
    A few lists that stand in one another many times cannot keep the check busy.
    """
    bomb = []
    for _ in range(60):
        bomb = [bomb, bomb]

    assert [p.code for p in problems_in(bomb, arg_any())] == ["too_big"]


def test_a_list_that_stands_many_times_in_a_value_is_taken():
    """
    Sharing alone is no fault: the value is what it would be when written out.
    """
    row = ["x"]

    assert problems_in([row] * 20_000, arg_any()) == []
    assert validator_of(TREE).accepts([[None]] * 20_000)
    assert [p.code for p in problems_in([row] * 20_000, TREE)] == ["wrong_type"] * 49 + ["more_problems"]


def test_fifty_problems_are_listed_and_the_last_counts_the_rest():
    """
    A thousand wrong items make 50 problems, the last of which counts those not shown.
    """
    problems = problems_in(["x"] * 1000, arg_array(arg_integer()), "$.ids")

    assert len(problems) == MAX_PROBLEMS
    assert problems[48].path == "$.ids[48]"
    assert problems[49] == Problem(code="more_problems", path="$.ids", message="951 more problems")
    assert len(problems_in(["x"] * 50, arg_array(arg_integer()))) == MAX_PROBLEMS
    assert problems_in([()] * 51, arg_any())[49].message == "2 more problems"


def test_the_text_of_an_author_is_an_attribute_too():
    """
    `error` of a type is shown first in the hint of what is wrong there, not elsewhere.
    """
    node = arg_object(country=arg_string(pattern="^[A-Z]{2}$", error="use an ISO country code"), n=arg_integer())

    hints = [p.hint for p in problems_in({"country": "x", "n": "1"}, node)]

    assert hints == ["use an ISO country code", "write 1 without quotes"]
    assert problems_in("x", node["properties"]["country"])[0].hint == "use an ISO country code"


def test_a_pattern_that_never_ends_is_a_problem():
    """
    A pattern gets 50 ms for a text; past that the value is refused as too slow, in any part of a type.
    """
    pattern, evil = "^(a|a)*$", "a" * 2000 + "!"
    start = perf_counter()

    assert codes(evil, arg_string(pattern=pattern)) == [("too_slow", "$")]
    assert codes([evil], arg_schema({"items": {"not": {"pattern": pattern}}})) == [("too_slow", "$[0]")]
    assert codes({evil: 1}, arg_schema({"patternProperties": {pattern: {}}})) == [("too_slow", f"$['{evil}']")]
    assert not Validator({"pattern": pattern}).accepts(evil)
    assert perf_counter() - start < 5


@pytest.mark.parametrize("pattern", ["^(a+)+$", "a*a*a*a*a*a*b", "^(a|ab|b)*c$", "(.*)*x"])
def test_harmful_patterns_end(pattern):
    """
    Whatever the pattern, the value is refused in bounded time.
    """
    start = perf_counter()
    problems = problems_in("a" * 5000 + "!", arg_string(pattern=pattern))

    assert {p.code for p in problems} <= {"too_slow", "pattern_mismatch"}
    assert problems
    assert perf_counter() - start < 2


def test_many_slow_texts_have_one_budget():
    """
    A thousand texts that each take the time of one do not take a thousand times as long.
    """
    start = perf_counter()

    problems = problems_in(["a" * 2000 + "!"] * 1000, arg_array(arg_string(pattern="^(a|a)*$")))

    assert {p.code for p in problems} == {"too_slow", "more_problems"}
    assert perf_counter() - start < 10


def test_a_type_that_asks_twice_at_each_level_ends():
    """
    A recursive type that doubles the work at each level is stopped by count.
    """
    part = {"type": "array", "items": {"$ref": "#/$defs/t"}}
    node = arg_schema({"$ref": "#/$defs/t", "$defs": {"t": {"anyOf": [part, {**part, "minItems": 0}, {"const": 1}]}}})

    assert "too_slow" in {p.code for p in problems_in(nested(60, "x"), node)}


def test_a_reference_that_bites_its_tail_is_a_problem_not_an_overflow():
    """
    A type that was built by hand around all checks still cannot overflow the stack.
    """
    assert [p.code for p in problems_in(1, ArgType({"$ref": "#"}))] == ["too_slow"]
    assert [p.code for p in problems_in(1, ArgType({"allOf": [{"$ref": "#"}]}))] == ["too_deep"]


@pytest.mark.parametrize(
    ("node", "good", "bad", "code", "path"),
    [
        (
            {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
            {"a": 1},
            {"b": 1},
            "unknown_key",
            "$",
        ),
        ({"prefixItems": [{}], "unevaluatedItems": False}, [1], [1, 2], "too_many_items", "$"),
        (
            {"properties": {"a": {"enum": [1]}}, "unevaluatedProperties": True},
            {"a": 1.0},
            {"a": True},
            "not_in_enum",
            "$.a",
        ),
        ({"multipleOf": 0.1, "unevaluatedItems": True}, 0.3, 0.35, "not_multiple", "$"),
        ({"multipleOf": 0.5, "unevaluatedItems": True}, 10**400, 0.3, "not_multiple", "$"),
        ({"format": "date", "unevaluatedItems": True}, "2024-01-31", "2024-02-31", "wrong_format", "$"),
        ({"pattern": "^a$", "unevaluatedItems": True}, "a", "b", "pattern_mismatch", "$"),
        ({"uniqueItems": True, "unevaluatedItems": {}}, [1, True], [1, 1.0], "not_unique", "$"),
        ({"type": "integer", "unevaluatedItems": {}}, 5.0, True, "wrong_type", "$"),
        ({"type": "number", "unevaluatedItems": {}}, 5, True, "wrong_type", "$"),
        ({"contains": {"const": 1}, "unevaluatedItems": {}}, [1], [2], "not_conforming", "$"),
        (
            {"$dynamicAnchor": "t", "type": "object", "properties": {"kid": {"$dynamicRef": "#t"}}},
            {"kid": {}},
            {"kid": {"kid": 5}},
            "wrong_type",
            "$.kid.kid",
        ),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {"minimum": 5}}, "unevaluatedItems": {}},
            5,
            4,
            "too_small",
            "$",
        ),
    ],
)
def test_jsonschema_decides_where_a_keyword_is_not_ours(node, good, bad, code, path):
    """
    A type with `unevaluated…` or `$dynamicRef` is decided by jsonschema, by our rules of equality, formats and numbers.
    """
    typed = arg_schema(node)

    assert problems_in(good, typed) == []
    assert codes(bad, typed) == [(code, path)]
    assert validator_of(typed).accepts(good)
    assert not validator_of(typed).accepts(bad)


def test_what_is_not_json_is_refused_where_jsonschema_decides():
    """
    The scan comes first there too, and what counts as its base is taken.
    """
    node = arg_schema({"unevaluatedItems": {"type": "string"}})

    assert codes([(1,)], node) == [("not_json", "$[0]"), ("too_many_items", "$")]
    assert codes(Rows([Word.HEAD, Whole(1)]), node) == [("too_many_items", "$")]
    assert problems_in(Rows([Word.HEAD]), node) == []


def test_jsonschema_is_stopped_where_it_decides():
    """
    Slow patterns, doubled work and deep values end there in problems too.
    """
    part = {"type": "array", "items": {"$ref": "#/$defs/t"}}
    twice = {"$ref": "#/$defs/t", "$defs": {"t": {"anyOf": [part, part], "unevaluatedItems": True}}}
    slow = arg_schema({"pattern": "^(a|a)*$", "unevaluatedItems": True})

    assert [p.code for p in problems_in("a" * 2000 + "!", slow)] == ["too_slow"]
    assert [p.code for p in problems_in(nested(90, "x"), arg_schema(twice))] in (["too_deep"], ["too_slow"])


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


def test_more_plain_nodes_than_are_remembered():
    """
    Memory does not grow with every schema that was ever asked.
    """
    assert [problems_in(n, {"const": n}) for n in range(1100)] == [[]] * 1100


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


@pytest.mark.parametrize("code", ["wrong_type", "not_in_enum"])
def test_long_values_are_cut_in_messages(code):
    """
    A message shows at most 200 characters of a value, and looks for near words only where that is cheap.
    """
    node = arg_enum(["a"]) if code == "not_in_enum" else arg_boolean()
    (problem,) = problems_in("x" * 1_000_000, node)

    assert problem.code == code
    assert len(problem.message) < 260


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


def test_many_words_are_cut():
    """
    A long list of allowed words is cut after 20.
    """
    (problem,) = problems_in("x", arg_enum([f"word{i}" for i in range(50)]))

    assert problem.message.endswith("'word19' and 30 more")


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


@pytest.mark.parametrize(
    "form",
    [
        {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#"}}]},
        {"oneOf": [{"type": "null"}, {"items": {"$ref": "#"}, "type": "array", "maxItems": 1}]},
        {"type": ["array", "null"], "items": {"$ref": "#"}},
        {"allOf": [{"type": ["array", "null"]}, {"items": {"$ref": "#"}}]},
    ],
)
def test_what_is_wrong_at_the_bottom_of_a_deep_value_is_told(form):
    """
    A wrong value under a hundred lists has its path.
    """
    (problem,) = problems_in(nested(99, ["x"]), arg_schema(form))

    assert problem.path == "$" + "[0]" * 100
    assert problem.code == "wrong_type"


def test_a_caller_deep_in_the_stack_gets_an_answer():
    """
    Where the stack is nearly used up the answer is a problem, not an overflow of ours.
    """

    def deep(levels):
        return deep(levels - 1) if levels else problems_in(nested(90, "x"), TREE)

    assert {code for levels in range(300, 900, 10) for code in answers(deep, levels)} == {"wrong_type", "too_deep"}


def test_a_type_that_is_met_deep_in_the_stack_is_an_error_of_ours():
    """
    So is a type that cannot be compiled there, as an `ArgType` and as a plain node.
    """

    def deep(levels, node):
        return deep(levels - 1, node) if levels else problems_in(5, node)

    codes_ = set()
    for levels in range(300, 900, 10):
        typed = plain = {}
        for _ in range(90):
            typed, plain = arg_array(typed), {"items": plain}
        codes_ |= set(answers(lambda n, node=typed: deep(n, node), levels))
        codes_ |= set(answers(lambda n, node=plain: deep(n, node), levels))

    assert codes_ <= {"wrong_type", "arg_type_invalid"}
    assert "arg_type_invalid" in codes_


def answers(ask, levels):
    """Return the codes that *ask* gives some levels deep in the stack, none where the test itself has no room."""
    try:
        return [p.code for p in ask(levels)]
    except InvalidArgTypeError as error:
        return [p.code for p in error.problems]
    except RecursionError as error:
        frames = []
        trace = error.__traceback__
        while trace is not None:
            frames.append(trace.tb_frame.f_code.co_filename)
            trace = trace.tb_next
        assert all(f == __file__ for f in frames), frames[-1]
        return []


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
