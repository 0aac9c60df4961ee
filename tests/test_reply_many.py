"""Replies with very much in them: everything is read, or it is said what is not."""

from __future__ import annotations

import json

import pytest

from blockargs.derive import derive_block
from blockargs.reply import decode_arguments, decode_calls, decode_reply
from blockargs.reply.candidates import MAX_CALLS
from blockargs.reply.names import distance
from blockargs.types import arg_array, arg_const, arg_integer, arg_map, arg_object, arg_string, arg_tuple, arg_union


def look_up(city: str) -> str:
    """Look up a city.

    Args:
        city: Which one.
    """
    return city


LOOK_UP = derive_block(look_up)
CITIES = [f"city {i}" for i in range(300)]
FORMS = {
    "json": lambda city: json.dumps({"name": "look_up", "arguments": {"city": city}}),
    "lines": lambda city: json.dumps({"tool": "look_up", "city": city}) + "\n",
    "bare": lambda city: json.dumps({"city": city}) + " and ",
    "python": lambda city: f"look_up(city={city!r})",
    "tags": lambda city: f"<function=look_up><parameter=city>{city}</parameter></function>",
    "tool_call": lambda city: f'<tool_call>{{"name": "look_up", "arguments": {{"city": "{city}"}}}}</tool_call>\n',
}


@pytest.mark.parametrize("form", FORMS)
def test_none_of_many_calls_is_lost(form):
    """
    Three hundred calls in a row are three hundred calls, in whatever form they are written.
    """
    decoded = decode_calls("".join(map(FORMS[form], CITIES)), [LOOK_UP])

    assert [one.value for one in decoded] == [{"city": city} for city in CITIES]


@pytest.mark.parametrize("call", ['{"city": "x"}', 'look_up(city="x")'])
def test_calls_past_the_limit_are_not_lost_in_silence(call):
    """
    Of more calls than are read the last one says that there are more.
    """
    decoded = decode_calls(call * (MAX_CALLS + 50), [LOOK_UP])

    assert [one.value for one in decoded[:-1]] == [{"city": "x"}] * MAX_CALLS
    assert [p.code for p in decoded[-1].problems] == ["too_big"]


def test_a_call_behind_much_else_is_told():
    """
    Where a call stands before and perhaps one behind a flood of other objects, neither is made without a word.
    """
    call, flood = '{"city": "Oslo"} ', '{"zz": 1} ' * 250
    codes = [[p.code for p in one.problems] for one in decode_calls(f"{call}{flood}{call}", [LOOK_UP])]

    assert codes == [[], ["too_big"]]
    assert [one.value for one in decode_calls(f"{call}{flood}", [LOOK_UP])] == [{"city": "Oslo"}]
    assert [p.code for p in decode_reply(f"{call}{flood}{call}", LOOK_UP).problems] == ["ambiguous"]


NUMBERS = arg_array(arg_integer())
A, B = arg_object(a=NUMBERS), arg_object(b=NUMBERS)
TAGGED = arg_union(
    arg_object(kind=arg_const("one"), a=NUMBERS), arg_object(kind=arg_const("two"), b=NUMBERS), tag="kind"
)
WORDS = arg_union(
    arg_object(kind=arg_const("one"), b=NUMBERS),
    arg_object(kind=arg_const("two"), b=arg_array(arg_string())),
    tag="kind",
)
DENSE = {
    "a union": (arg_union(A, B), {"b": list(range(900))}),
    "a list of unions": (arg_array(arg_union(A, B)), [{"b": [i, -i]} for i in range(900)]),
    "a union of lists": (arg_union(arg_array(A), arg_array(B)), [{"b": [i]} for i in range(900)]),
    "tagged": (arg_array(TAGGED), [{"kind": "two", "b": [i, 2]} for i in range(900)]),
    "a map": (arg_map(arg_union(A, B)), {f"k{i}": {"b": [i]} for i in range(900)}),
    "records": (arg_array(arg_object(s=arg_string(), n=arg_integer())), [{"s": f"x{i}", "n": i} for i in range(900)]),
}


@pytest.mark.parametrize("kind", DENSE)
@pytest.mark.parametrize("damage", ["brace", "comma", "comment"])
def test_a_damaged_text_with_very_much_in_it_is_read_whole(kind, damage):
    """
    What is read many at once is what is read one by one.
    """
    arg_type, value = DENSE[kind]
    text = json.dumps({"u": value})
    text = {"brace": text[:-1], "comma": text[:-1] + ",}", "comment": "{ /* so */" + text[1:]}[damage]

    assert decode_arguments(text, arg_object(u=arg_type)).value == {"u": value}


def test_a_key_that_comes_twice_among_many_is_told():
    """
    The same key with another value is refused, in a record of a list and in a long object.
    """
    records = '{"u": [' + ", ".join(['{"s": "x", "n": 1}'] * 9 + ['{"s": "x", "s": "y", "n": 1}'] * 5) + "],}"
    wanted = arg_object(u=arg_array(arg_object(s=arg_string(), n=arg_integer())))
    assert [(p.code, p.path) for p in decode_arguments(records, wanted).problems] == [
        ("duplicate_key", f"$.u[{i}].s") for i in range(9, 14)
    ]
    members = "{" + ", ".join(f'"k{i}": {i}' for i in (*range(9), 3, *range(10, 20))) + ",}"
    assert decode_arguments(members, arg_map(arg_integer())).value == {f"k{i}": i for i in (*range(9), *range(10, 20))}
    assert decode_arguments(members.replace('"k3": 3, "k10"', '"k0": 0, "k10"'), arg_map(arg_integer())).ok
    members = members.replace('"k3": 3, "k10"', '"k3": 4, "k10"')
    assert [(p.code, p.path) for p in decode_arguments(members, arg_map(arg_integer())).problems] == [
        ("duplicate_key", "$.k3")
    ]


@pytest.mark.parametrize(
    ("arg_type", "value", "meant"),
    [
        (arg_union(arg_tuple(A, arg_integer()), arg_tuple(B, arg_integer())), [{"b": [1]}, "5"], [{"b": [1]}, 5]),
        (arg_union(NUMBERS, arg_array(B)), [{"B": [1]}], [{"b": [1]}]),
        (arg_union(A, arg_object(banner=NUMBERS)), {"baner": [1]}, {"banner": [1]}),
        (TAGGED, {"b": ["1"]}, {"kind": "two", "b": [1]}),
        (WORDS, {"b": ["x"]}, {"kind": "two", "b": ["x"]}),
    ],
)
def test_the_branch_that_a_repair_leads_to_is_found(arg_type, value, meant):
    """
    Another style, a typo, a lost tag and a number as text lead to the one branch that takes the keys.
    """
    decoded = decode_arguments({"u": value}, arg_object(u=arg_type))
    assert (decoded.ok, decoded.value) == (True, {"u": meant}), decoded.problems


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [("linear", "linaer", 1), ("linear", "lineal", 1), ("abc", "", 3), ("north", "noth", 1), ("ab", "ba", 1),
     ("xaby", "xbay", 1), ("abcdef", "ghijkl", 3), ("inner", "outer", 3), ("flaw", "lawn", 2), ("aab", "ab", 1)],
)  # fmt: skip
def test_how_far_two_names_are_apart(one, other, apart):
    """
    Letters that are missing, added or other count one each, and so do two that changed places.
    """
    assert [min(distance(a, b, 2), 3) for a, b in ((one, other), (other, one))] == [apart, apart]


def test_notes_of_many_repairs_are_counted():
    """
    Two hundred repairs are listed, the last of them says how many more there are, in unions as elsewhere.
    """
    for element in (arg_union(A, B), B):
        decoded = decode_arguments({"u": [{"b": "5"}] * 1000}, arg_object(u=arg_array(element)))
        assert (decoded.ok, len(decoded.notes)) == (True, 200)
        assert decoded.notes[-1].message == "and 1801 more repairs"
