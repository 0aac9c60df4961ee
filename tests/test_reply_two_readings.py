"""Texts with two readings: a problem names both, and neither is taken."""

from __future__ import annotations

import json

import pytest

from blockargs.reply import decode_arguments, decode_reply
from blockargs.types import (
    arg_array,
    arg_boolean,
    arg_enum,
    arg_integer,
    arg_map,
    arg_nullable,
    arg_number,
    arg_object,
    arg_string,
    arg_tuple,
    arg_union,
)

RECORD = arg_object(
    s=arg_string(),
    i=arg_integer(required=False),
    t=arg_string(required=False),
    l=arg_array(arg_string(), required=False),
)


def codes(text: str) -> list[str]:
    """Return what is wrong with *text* as arguments, each with its path."""
    return [f"{problem.code} {problem.path}" for problem in decode_arguments(text, RECORD).problems]


@pytest.mark.parametrize(
    "text",
    [
        r'{"s": "C:\", "i": 5}',
        r'{"s": "C:\tmp\", "i": 5}',
        r"{'s': 'C:\', 'i': 5}",
        r'{"s": "say \"a\" and C:\", "i": 5}',
    ],
)
def test_a_backslash_before_the_closing_quote_is_asked_about(text):
    """
    A folder's last backslash is no escape, and no quote of the text is lost: or it is.
    """
    assert codes(text) == ["mixed_escapes $.s"]


def test_escaped_quotes_in_pairs_leave_one_reading_of_a_lost_quote():
    """
    A text that ends with an escaped quotation has lost its closing quote, and nothing else.
    """
    assert decode_arguments(r'{"s": "say \"a\", "i": 5}', RECORD).value == {"s": 'say "a"', "i": 5}


@pytest.mark.parametrize(
    "text", ["issue #12\n", "a //b\n", "room # 5\n", "a // b\n", "a /* b */"], ids=["#n", "//n", "# n", "// n", "/*"]
)
def test_a_comment_in_text_without_quotes_may_be_text(text):
    """
    `issue #12` may be the whole text: nothing is cut off as a comment.
    """
    assert codes(f'{{"s": {text}, "i": 5}}') == ["unclear_comment $.s"]
    assert codes(f'{{"s": {text}}}') == ["unclear_comment $.s"]


def test_a_comment_behind_a_complete_value_is_one():
    """
    Behind a number, a word or a text in quotes there is nothing that it could be part of.
    """
    assert decode_arguments('{"s": "a" // b\n, "i": 5 # c\n}', RECORD).value == {"s": "a", "i": 5}
    assert decode_arguments('{"s": http://a.b/c#d}', RECORD).value == {"s": "http://a.b/c#d"}


ALTERNATIVES = [
    '"a"; "b"',
    '"a"|"b"',
    '"a" and "b"',
    '"a" or "b"',
    '"a"/"b"',
    '"a" if x else "b"',
    '"a"-"b"',
    '"a" & "b"',
]


@pytest.mark.parametrize("texts", ALTERNATIVES)
def test_alternatives_are_no_text_that_holds_quotes(texts):
    """
    Two texts with something between them are two texts, of which nothing says which is meant.
    """
    assert codes(f'{{"s": {texts}}}') == ["unescaped_quotes $.s"]
    assert codes(f'{{"s": "x", "l": [{texts}]}}') == ["unescaped_quotes $.l[0]"]
    assert codes(f'{{"s": "x", "l": ["x", {texts}; "c"]}}') == ["unescaped_quotes $.l[1]"]


@pytest.mark.parametrize("text", ['""abc""', '""""', '"" ""'])
def test_a_text_in_doubled_quotes_may_hold_its_quotes(text):
    """
    Both quotes doubled: either two are too many, or two belong to the text.
    """
    assert codes(f'{{"s": {text}, "i": 5}}') == ["unescaped_quotes $.s"]


@pytest.mark.parametrize("lists", ['["a], ["", "b"]', '["a"], ["b, "", "c"]', '["a], [ "", "b"], ["c"]'])
def test_a_doubled_quote_where_an_empty_text_could_stand_is_not_left_out(lists):
    """
    Before it a quote may be lost, and the two be an empty text; elsewhere one of two is too many.
    """
    rows = arg_object(rows=arg_array(arg_array(arg_string())))

    assert [p.code for p in decode_arguments(f'{{"rows": [{lists}]}}', rows).problems] == ["unescaped_quotes"]
    assert decode_arguments('{"rows": [["a""], ["b"]]}', rows).value == {"rows": [["a"], ["b"]]}


@pytest.mark.parametrize("text", ['He said "yes" and "no".', '"yes" or "no"', '6" x 4" board', 'a "quoted", word'])
def test_quotations_inside_a_text_stay_part_of_it(text):
    """
    Quotes that set off words of the text are part of it.
    """
    assert decode_arguments(f'{{"s": "{text}", "i": 5}}', RECORD).value == {"s": text, "i": 5}


SEND = {**arg_object(to=arg_string(), body=arg_string(), count=arg_integer(required=False)), "title": "send"}


@pytest.mark.parametrize(
    "text",
    [
        "hi<parameter=count>12</parameter>",
        "hi/parameter><parameter=count>12</parameter>",
        "hi</parametr>\n<parameter=count>12</parameter>",
        "hi</parameter>",
    ],
)
def test_a_parameter_that_swallows_the_next_is_refused(text):
    """
    A tag that was not closed, or closed wrongly, makes no text of the parameter behind it.
    """
    to = "<parameter=to>ann</parameter>"
    call = f"<function=send>{to}<parameter=body>{text}</function>"
    decoded = decode_reply(call, SEND)
    problems = [f"{problem.code} {problem.path}" for problem in decoded.problems]
    assert problems == ([] if text == "hi</parameter>" else ["unclosed_parameter $.body"])
    invoked = call.replace("function=send", 'invoke name="send"').replace("</function", "</invoke")
    assert decode_reply(invoked.replace("=to>", ' name="to">'), SEND).ok is decoded.ok


def inexact(value, arg_type) -> list[str]:
    """Return what is wrong with *value* as JSON text."""
    return [f"{problem.code} {problem.path}" for problem in decode_arguments(json.dumps(value), arg_type).problems]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"n": 1e30}, "$.n"),
        ({"n": 1, "u": 1e30}, "$.u"),
        ({"n": 1, "l": [1, "a", 1e30]}, "$.l[2]"),
        ({"n": 1, "m": {"a": 1, "b": 2.0**60}}, "$.m.b"),
        ({"n": 1, "p": [1, -1e30]}, "$.p[1]"),
        ({"n": 1, "r": {"k": 1e30}}, "$.r.k"),
        ({"n": 1, "q": [1, 1e30]}, "$.q[1]"),
    ],
)
def test_a_float_too_large_to_be_exact_is_no_integer_anywhere(value, place):
    """
    A text that writes 1e30 where an integer is wanted is asked for the digits, in a union or a list too.

    As a value it is valid, and stands for the whole number that it is.
    """
    arg_type = arg_object(
        n=arg_integer(),
        u=arg_union(arg_integer(), arg_boolean(), required=False),
        l=arg_array(arg_union(arg_integer(), arg_string()), required=False),
        m=arg_map(arg_integer(), required=False),
        p=arg_tuple(arg_integer(), arg_integer(), required=False),
        r=arg_union(arg_object(k=arg_integer()), arg_boolean(), required=False),
        q=arg_union(arg_array(arg_integer()), arg_boolean(), required=False),
    )
    assert inexact(value, arg_type) == [f"inexact {place}"]
    decoded = decode_arguments(value, arg_type, strict=True)
    assert (decoded.ok, decoded.value) == (True, value)
    assert "e+" not in json.dumps(decoded.value)


def test_a_float_that_is_given_as_a_value_stays_whole_beside_a_repair():
    """
    1e30 is the same integer where something else in the call is put right; one more in a JSON text inside is refused.
    """
    arg_type = arg_object(
        n=arg_integer(),
        s=arg_integer(),
        l=arg_array(arg_union(arg_integer(), arg_boolean()), required=False),
        k=arg_array(arg_integer(), required=False),
    )
    decoded = decode_arguments({"n": 1e30, "s": "5", "l": [1e20], "k": [1, 2]}, arg_type)
    assert decoded.value == {"n": int(1e30), "s": 5, "l": [10**20], "k": [1, 2]}
    assert {type(one) for one in (decoded.value["n"], *decoded.value["l"])} == {int}
    problems = decode_arguments({"n": 1e30, "s": 5, "l": "[1, 1e20]"}, arg_type).problems
    assert [f"{p.code} {p.path}" for p in problems] == ["inexact $.l[1]"]


@pytest.mark.parametrize("kinds", [["integer"], ["integer", "string"], ["integer", "boolean"]])
def test_a_written_float_is_no_integer_beside_other_types_either(kinds):
    """
    A node that lists an integer among its types is asked for the digits too.
    """
    schema = {"type": "object", "properties": {"n": {"type": kinds}}, "required": ["n"]}
    problems = decode_arguments('{"n": 1e30}', schema).problems
    assert [f"{p.code} {p.path}" for p in problems] == ["inexact $.n"]


def test_a_written_float_that_can_be_no_integer_at_all_is_the_text_it_was():
    """
    Where 1e30 is too large for the integers that are wanted, the text beside them is meant.
    """
    schema = {"properties": {"n": {"type": ["integer", "string"], "maximum": 5}}}
    assert decode_arguments('{"n": 1e30}', schema).value == {"n": "1e30"}


def test_a_large_float_stays_one_where_numbers_are_wanted():
    """
    A choice between an integer and a number takes 1e30 as the number it is; whole digits stay exact.
    """
    either = arg_object(u=arg_union(arg_integer(), arg_number()))
    assert decode_arguments({"u": 1e30}, either).value == {"u": 1e30}
    whole = arg_object(u=arg_union(arg_integer(), arg_boolean()))
    assert decode_arguments('{"u": 9007199254740993.0}', whole).value == {"u": 9007199254740993}


@pytest.mark.parametrize("written", ["null", "None", "undefined", '"null"', '"None"', "NULL", '" none "'])
def test_null_is_null_however_it_is_written(written):
    """
    An optional argument that may be null is null, with quotes and without: its default is another value.
    """
    for arg_type in (arg_integer(), arg_array(arg_string()), arg_enum(["a", "b"]), arg_map(arg_string())):
        nullable = arg_object(n=arg_nullable(arg_type, required=False))
        assert decode_arguments(f'{{"n": {written}}}', nullable).value == {"n": None}
        assert decode_arguments(f'{{"n": {written}}}', arg_object(n=arg_type.with_(required=False))).value == {}


def test_an_empty_text_for_an_optional_map_is_left_out():
    """
    "" says nothing; "undefined" in quotes says neither null nor nothing.
    """
    nullable = arg_object(n=arg_nullable(arg_map(arg_string()), required=False))
    assert decode_arguments('{"n": ""}', nullable).value == {}
    assert not decode_arguments('{"n": "undefined"}', nullable).ok
    assert decode_arguments('{"t": "null"}', arg_object(t=arg_nullable(arg_string()))).value == {"t": "null"}
