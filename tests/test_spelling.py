"""The short spelling of types: what is read, what is refused and how, what comes back."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from blockargs.errors import InvalidArgTypeError, Problem
from blockargs.node import json_key
from blockargs.spelling import parse_type, spell
from blockargs.types import (
    arg_any,
    arg_array,
    arg_column,
    arg_const,
    arg_enum,
    arg_integer,
    arg_literal,
    arg_map,
    arg_number,
    arg_object,
    arg_schema,
    arg_string,
    arg_union,
)
from strategies import arg_types

FILES = sorted((Path(__file__).parent / "cases" / "spelling").glob("*.yaml"))


def cases(key):
    return [
        pytest.param(case, id=f"{file.stem}: {case['spelling']}")
        for file in FILES
        for case in yaml.safe_load(file.read_text(encoding="utf-8"))[key]
    ]


def refused(text, **where):
    with pytest.raises(InvalidArgTypeError) as caught:
        parse_type(text, **where)
    (problem,) = caught.value.problems
    return problem


@pytest.mark.parametrize("case", cases("reads"))
def test_a_spelling_is_read_as_its_node(case):
    """Each spelling has one meaning, and one canonical spelling that means the same."""
    node = parse_type(case["spelling"])

    assert json_key(node) == json_key(case["node"])
    assert spell(node) == case.get("canonical", case["spelling"])
    assert parse_type(spell(node)) == node


@pytest.mark.parametrize("case", cases("refuses"))
def test_a_malformed_spelling_is_refused_where_it_is_wrong(case):
    """The one problem tells what stands at which column of the text, and in which field."""
    problem = refused(case["spelling"])

    where = f" ({case['path']})" if "path" in case else ""
    assert problem.message == f"{case['says']}, at column {case['column']} of '{case['spelling']}'{where}"
    assert case.get("hint", problem.hint) == problem.hint


def test_a_refusal_names_parameter_function_and_file():
    """Where the spelling belongs to a documented parameter, the problem leads there."""
    problem = refused("object{filter: object{dir: date}}", path="query", function="search", file="tools.py")

    assert problem == Problem(
        code="arg_type_invalid",
        path="$.query.filter.dir",
        message="'date' is no type, at column 28 of 'object{filter: object{dir: date}}' (query.filter.dir of search() in tools.py)",
        hint=problem.hint,
    )


def test_braces_in_a_spelling_are_told_as_they_are():
    """Nothing of the text is taken for a placeholder."""
    assert refused("enum({0}|%s)").message.startswith(
        "'{' stands among the values of enum, at column 6 of 'enum({0}|%s)'"
    )


def test_a_long_spelling_is_shown_around_the_fault():
    """Of a long text only what stands near the fault is shown."""
    text = "object{" + ", ".join(f"field_{i}: string" for i in range(400)) + ", last: nosuch}"
    problem = refused(text)

    assert len(problem.message) < 600
    assert "last: nosuch" in problem.message
    assert problem.path == "$.last"


def test_control_characters_are_shown_escaped():
    """A text that is not to be seen is shown as escapes."""
    assert refused("integer\n\x00").message == "'\x00' is left over, at column 9 of 'integer\\n\\x00'"


def test_the_end_of_a_long_text_is_cut_in_front():
    """A fault near the beginning shows the beginning."""
    assert refused("nosuch" + " " * 500).message.endswith(" …'")


@pytest.mark.parametrize("text", [5, None, b"string", ["string"]])
def test_only_a_text_is_a_spelling(text):
    """Something else is refused, and named."""
    assert "a spelling is a text, not" in refused(text).message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x" * 10_001, "the spelling is 10001 characters long; at most 10000 are read"),
        ("integer" + "[]" * 100, "the type is nested deeper than 100 levels, at column 208"),
        ("array[" * 100 + "any" + "]" * 100, "the type is nested deeper than 100 levels, at column 704"),
        ("(" * 5_000, "the type is nested deeper than 100 levels, at column 101"),
        ("object{a:" * 1_000, "the type is nested deeper than 100 levels, at column 907"),
        ("array[" * 99 + "any | string[]" + "]" * 99, "the type is nested deeper than 100 levels, at column 707"),
        (f"literal({'1' * 1_001})", "a number of 1001 digits is too long, at column 9"),
    ],
    ids=lambda given: given[:30],
)
def test_what_is_too_large_is_refused(text, says):
    """Length, depth and digits are bounded."""
    assert refused(text).message.startswith(says)


def test_the_largest_that_is_read():
    """One hundred levels, ten thousand characters and a thousand digits are read."""
    deep = parse_type("array[" * 99 + "any" + "]" * 99)
    long = parse_type("enum(" + "x" * 9_994 + ")")
    many = parse_type(f"literal({'1' * 1_000})")

    assert [parse_type(spell(t)) == t for t in (deep, long, many)] == [True, True, True]
    assert parse_type("(" * 50 + "any" + ")" * 50) == {}


def test_a_spelling_is_read_once():
    """The same text gives the same type, so that its validator is made once."""
    assert parse_type("object{a: integer[]}") is parse_type("object{a: integer[]}")


@pytest.mark.parametrize(
    ("node", "shown"),
    [
        (arg_integer(minimum=1), "integer"),
        (arg_string(description="x", default="y"), "string"),
        (arg_array(arg_string(error="a text")), "string[]"),
        (arg_object(a=arg_number(maximum=3, required=False)), "object{a?: number}"),
        (arg_object(), "schema"),
        (arg_object(a=arg_object()), "object{a: schema}"),
        (arg_map(arg_object()), "map[schema]"),
        (arg_const("a"), "enum(a)"),
        (arg_const([1]), "schema"),
        (arg_schema({"type": "array"}), "json_array"),
        (arg_schema({"type": "object"}), "json_object"),
        (arg_schema({"type": "object", "properties": {"a": {}}}), "object{a?: any}"),
        (arg_schema({"type": ["null", "string", "integer"]}), "string | integer | null"),
        (arg_schema({"anyOf": [{"type": "string"}, {"not": {}}]}), "string | schema"),
        (arg_schema({"type": "array", "items": {"$ref": "#"}}), "schema[]"),
        (arg_schema({"allOf": [{"type": "string"}]}), "schema"),
        (arg_literal([10**1_000]), "schema"),
        (arg_array(arg_any(), min_items=1), "json_array"),
        (arg_schema({"minLength": 2}), "any"),
        ({"anyOf": []}, "schema"),
        ({"enum": []}, "schema"),
        (arg_array(arg_union(arg_column("left"), arg_integer()), max_items=3), "array[column(left) | integer]"),
        (
            arg_union(arg_object(t=arg_const("a")), arg_object(t=arg_const("b"), n=arg_integer()), tag="t"),
            "object{t: enum(a)} | object{t: enum(b), n: integer}",
        ),
    ],
)
def test_what_the_spelling_cannot_say_is_shown_without_it(node, shown):
    """For tables bounds are left out; exactly spelled such a type is `schema`."""
    assert (spell(node), spell(node, exact=False)) == ("schema", shown)


def test_a_type_too_deep_to_spell_is_schema():
    """Where no spelling would be read back there is none."""
    node = {"type": "string"}
    for _ in range(3_000):
        node = {"type": "array", "items": node}

    assert spell(node) == "schema"
    assert spell(arg_enum(["x" * 10_000])) == "schema"


@given(arg_types())
def test_what_is_spelled_is_read_back(node):
    """The spelling of any type says all of it, or is `schema`."""
    text = spell(node)

    assert text == "schema" or json_key(parse_type(text)) == json_key(node)


WORDS = st.text(min_size=1, max_size=8)


@given(
    st.lists(WORDS, min_size=1, max_size=4, unique=True), st.dictionaries(WORDS, st.booleans(), min_size=1, max_size=3)
)
def test_words_and_names_of_any_signs_are_spelled(words, names):
    """Every choice of texts and every name of a field has a spelling."""
    node = arg_object({name: arg_enum(words, required=needed) for name, needed in names.items()})

    assert spell(node) != "schema"
    assert parse_type(spell(node)) == node


@settings(max_examples=400)
@given(
    st.lists(
        st.sampled_from(
            "string integer any null enum literal object array map tuple column ( ) [ ] { } [] | , : ? a 'b' \"c\" 1 \\ é \n".split(
                " "
            )
        )
        | st.text(max_size=3),
        max_size=14,
    ).map("".join)
)
def test_any_text_is_a_type_or_a_problem(text):
    """No text ends in another error; what is read has a spelling that means the same."""
    with contextlib.suppress(InvalidArgTypeError):
        node = parse_type(text)
        assert parse_type(spell(node)) == node
