"""The tolerant parser by itself: one value out of a whole text."""

from __future__ import annotations

import json

import pytest

from blockargs.reply.leaves import LEXEMES, Num, Raw, Unlined, number_of, plain, too_deep
from blockargs.reply.parse import parse, parse_at


def test_numbers_and_bare_text_stay_as_they_were_written():
    """
    The parse keeps every digit, so that a later step can tell 1.10 from 1.1 and 02139 from 2139.
    """
    value = parse('{"a": 1.10, "b": 02139, "c": 5 km}').value

    assert value == {"a": "1.10", "b": "02139", "c": "5 km"}
    assert [type(v) for v in value.values()] == [Num, Raw, Raw]


def test_no_line_is_counted_where_very_many_candidates_are_no_json():
    """
    An error of JSON tells its line by looking through all before it; a text of which nobody asks that has one line.
    """
    text = Unlined("\n\n{'a': 1}\n{")
    with pytest.raises(json.JSONDecodeError) as caught:
        LEXEMES.raw_decode(text, 2)

    assert (caught.value.lineno, caught.value.pos) == (1, 3)
    assert (text.count("{"), text.count("{", 3), text.rfind("{"), text.rfind("{", 0, 5)) == (2, 1, 11, 2)
    assert type(text[2:]) is str


def test_what_follows_the_value_is_a_problem():
    """
    A whole text is one value; comments and a byte order mark around it are noted.
    """
    assert [p.code for p in parse('{"a": 1} x').problems] == ["unexpected_text"]
    assert [n.rule for n in parse('\ufeff{"a": 1} // done').notes] == ["byte_order_mark", "comment"]


@pytest.mark.parametrize("text", ["[" * 101 + "]" * 101, "[" * 5000, "[" * 100_000 + "]" * 100_000, "['a'," * 200])
def test_depth_is_limited(text):
    """
    More than 100 levels are refused, well formed or not.
    """
    assert [p.code for p in parse(text).problems] == ["too_deep"]


def test_an_unclosed_object_is_told_inner_ones_first():
    """
    Every object that the text does not close is a problem.
    """
    assert [p.path for p in parse('{"a": {"b": "x"').problems] == ["$.a", "$"]


def test_notes_past_fifty_are_counted():
    """
    A text full of oddities does not drown what matters.
    """
    notes = parse("[" + ", ".join(["'a'", "True"] * 100) + "]").notes

    assert (len(notes), notes[-1].rule, notes[-1].message) == (50, "more", "and 150 more repairs of the text")


@pytest.mark.parametrize(
    ("text", "number"),
    [("5", 5), ("-0", 0), ("5.0", 5.0), ("12345678901234567890.0", 12345678901234567890), ("1" * 5000, float("inf"))],
)
def test_a_written_number_is_exact(text, number):
    """
    Whole numbers keep all digits; what no program should be made to compute is infinite.
    """
    assert repr(number_of(text)) == repr(number)


def test_depth_is_counted_without_recursion():
    """
    A value that contains itself has no end, and is found too deep all the same.
    """
    loop = []
    loop += [loop, loop]

    assert too_deep(loop, 100)
    assert not too_deep([[1], {"a": []}], 3)
    assert too_deep([[1], {"a": []}], 2)


def test_a_value_inside_a_text_is_read_where_it_begins():
    """
    Reading at a place stops where the value stops.
    """
    parsed = parse_at('x {"a": [1]} y', 2)

    assert (plain(parsed.value), parsed.end) == ({"a": [1]}, 12)


@pytest.mark.parametrize(
    "after", ["", "\n```", "</call>", " }", ' , "b": 1}', ", 'b': 1}", ", b: 1}", ', b" : 1}', ", }", ",, }"]
)
def test_a_doubled_quote_is_seen_before_whatever_may_follow(after):
    """
    A text ends where a value may end: before a bracket, a key, or the end of the text.
    """
    parsed = parse_at(f'{{"a": "x""{after}', 0, None, frozenset({"a", "b"}))

    assert parsed.value["a"] == "x"
