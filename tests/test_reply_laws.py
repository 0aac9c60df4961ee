"""Laws of decoding: JSON stays JSON, what fits is never touched, nothing raises."""

from __future__ import annotations

import json

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from blockargs.reply import decode_arguments, decode_calls, decode_reply
from blockargs.reply.align import aligned
from blockargs.reply.leaves import holds, plain
from blockargs.reply.parse import parse, parse_at
from blockargs.reply.shape import shape_of
from blockargs.types import arg_integer, arg_object, arg_string
from blockargs.validate.scan import is_json
from damage import damages, outcome
from strategies import arg_types, json_values, values_for, values_near

TYPE = arg_object(city=arg_string(), days=arg_integer(required=False))
PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        ":",
        ",",
        "\\",
        "\n",
        "//",
        "/*",
        "#",
        "```",
        "<think>",
        '"city"',
        "city",
        "12",
        "1e9",
        "true",
        "None",
        "...",
        "“",
        "</",
        "city(",
        "=",
        "�",
        "\x00",
        "{{",
        '{"city": "x"',
        "<function=city>",
        "5 km",
    ]
)
records = arg_types(max_leaves=5).filter(lambda t: t.get("type") == "object" and t.get("properties"))


def like_two_members(value):
    """Tell whether a key somewhere in *value* holds a colon and a comma, as two members whose quotes were lost do."""
    if isinstance(value, dict):
        return any(":" in key and "," in key for key in value) or like_two_members([*value.values()])
    return isinstance(value, list) and any(map(like_two_members, value))


@given(json_values(), st.sampled_from([None, 2]), st.booleans())
@example({"a: 1, b": 2}, None, False)
@example([{"c": {":,": []}}], 2, True)
def test_the_tolerant_parser_reads_json_as_json(value, indent, ascii_only):
    """
    On valid JSON the tolerant parser gives what json.loads gives, and has nothing to note.

    A key that may as well be two members is refused: where it is asked, the whole text is no JSON.
    """
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    parsed = parse_at(text, 0, json_first=False) if text[0] in "{[" else parse(text)

    assert ([p.code for p in parsed.problems], parsed.notes) == (["bad_key"] * like_two_members(value), ())
    assert parsed.problems or plain(parsed.value) == json.loads(text)


@given(st.data())
def test_a_value_that_fits_is_never_touched(data):
    """
    What is valid arrives as it was sent, without a note, as text and as value, strict or not.

    In a text `1e30` is refused where an integer is wanted: its digits are not there.
    """
    arg_type = data.draw(arg_types(max_leaves=5))
    value = data.draw(values_for(arg_type))
    text = decode_arguments(json.dumps(value), arg_type, strict=True)
    given = text if isinstance(value, str) else decode_arguments(value, arg_type, strict=True)

    assert (given.ok, given.value, given.notes) == (True, value, ())
    assert (text.ok, text.value, text.notes) == (True, value, ()) or {p.code for p in text.problems} == {"inexact"}


@given(st.data())
def test_arguments_are_judged_alike_as_text_and_as_a_value(data):
    """
    Whole numbers are read the same way in a text and in a value, with the same notes and the same problems.
    """
    fields = data.draw(st.dictionaries(st.sampled_from("abc"), arg_types(max_leaves=3), min_size=1))
    value = data.draw(st.dictionaries(st.sampled_from("abcd"), json_values(max_leaves=4), min_size=1))
    value |= {name: data.draw(values_near(field)) for name, field in fields.items() if data.draw(st.booleans())}
    arg_type = arg_object(fields)
    assume(is_json(value) and not holds(value, float) and value.keys() & fields.keys())

    assert decode_arguments(json.dumps(value), arg_type) == decode_arguments(value, arg_type)


@given(st.data())
def test_alignment_of_what_fits_is_the_identity(data):
    """
    align(x) == x for every valid x.
    """
    arg_type = data.draw(arg_types(max_leaves=5))
    value = data.draw(values_for(arg_type))
    after, log = aligned(value, shape_of(arg_type))

    assert (after, log.notes, log.problems) == (value, (), ())


@settings(max_examples=60)
@given(st.data())
def test_damage_never_changes_a_call(data):
    """
    A character lost or doubled, or the end cut off: the call is restored or refused.
    """
    arg_type = data.draw(records)
    value = data.draw(values_for(arg_type))
    for _, damaged in damages(json.dumps(value), every=4):
        decoded = decode_arguments(damaged, arg_type)
        assert outcome(decoded, value) != "changed" or not decoded.notes


@example(["[" * 2000]).via("depth")
@example(['{"a":' * 2000]).via("depth")
@given(st.lists(PIECES | st.text(max_size=4), max_size=30))
def test_no_text_raises(pieces):
    """
    Whatever comes, I get a value that fits or problems, never an exception.
    """
    text = "".join(pieces)
    for decoded in (decode_arguments(text, TYPE), decode_reply(text, TYPE), *decode_calls(text, [TYPE])):
        assert decoded.ok is (not decoded.problems)
        assert not decoded.ok or decode_arguments(decoded.value, TYPE, strict=True).ok


@given(json_values())
def test_no_value_raises(value):
    """
    Whatever an SDK hands over as arguments is judged, not trusted.
    """
    decoded = decode_arguments(value, TYPE)

    assert decoded.ok is (not decoded.problems)


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"city":', "(", "[{", "{'a':("])
def test_depth_ends_in_a_problem(opening):
    """
    A bomb of brackets is refused at once, whatever the host's own depth.
    """
    decoded = decode_arguments(opening * 50_000, TYPE)

    assert not decoded.ok
