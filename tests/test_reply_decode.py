"""Decoding against blocks: names, tags, aliases, sets of tools, limits."""

from __future__ import annotations

import sys
from types import MappingProxyType

import pytest

from blockargs import Registry, register_block
from blockargs.errors import InvalidBlockArgError, InvalidToolsetError, UnknownBlockError
from blockargs.node import FrozenList
from blockargs.reply import Decoded, decode_arguments, decode_calls, decode_reply
from blockargs.spec import new_block_arg
from blockargs.types import (
    arg_array,
    arg_boolean,
    arg_enum,
    arg_integer,
    arg_json_object,
    arg_literal,
    arg_map,
    arg_nullable,
    arg_number,
    arg_object,
    arg_schema,
    arg_string,
)
from replied import MEETING, WEATHER, block, rules


def test_a_damaged_call_among_prose_is_found_and_every_repair_is_told():
    """
    Fence, prose, comma, tool name, key and number are repaired, each with path, before and after.
    """
    reply = 'Sure!\n```json\n{"tool":"get_weather","City":"PAR","days":"2",}\n```\nHope it helps'
    decoded = decode_reply(reply, [WEATHER, MEETING])

    assert (decoded.ok, decoded.uid, decoded.value) == (True, "get-weather", {"city": "PAR", "days": 2})
    assert [(n.rule, n.path, n.before, n.after) for n in decoded.notes] == [
        ("fence", "$", "```", None),
        ("prose", "$", "Sure! Hope it helps", None),
        ("tool_name", "$.tool", "get_weather", "get-weather"),
        ("trailing_comma", "$", ",", None),
        ("key_style", "$.city", "City", "city"),
        ("to_integer", "$.days", "2", 2),
    ]


def test_an_alias_is_read_as_its_argument():
    """
    Another name that the author foresaw is read, and told.
    """
    decoded = decode_arguments('{"town": "Oslo"}', WEATHER)

    assert (decoded.value, rules(decoded)) == ({"city": "Oslo"}, [("key_alias", "$.city")])


def test_a_hidden_argument_is_unknown():
    """
    What is hidden from the model cannot be set by it.
    """
    secret = new_block_arg("", type=arg_integer(), default=1, hidden=True, aliases=["s"])
    decoded = decode_arguments({"secret": 2, "s": 3}, block("a", secret=secret))

    assert {(p.code, p.path) for p in decoded.problems} == {("unknown_key", "$.secret"), ("unknown_key", "$.s")}


def test_several_calls_in_one_text():
    """
    decode_calls gives every call of a reply, in order, whatever form each has.
    """
    reply = '[get_weather(city="A"), book_meeting(attendees=["b"], minutes=5)]\n{"tool": "get-weather", "city": "C"}'
    found = decode_calls(reply, [WEATHER, MEETING])

    assert [(d.uid, d.value) for d in found] == [
        ("get-weather", {"city": "A"}),
        ("book-meeting", {"attendees": ["b"], "minutes": 5}),
        ("get-weather", {"city": "C"}),
    ]


@pytest.mark.parametrize(
    "reply",
    [
        '[{"name": "get-weather", "arguments": {"city": "A"}}, {"name": "get-weather", "arguments": {"city": "B"}}]',
        (
            '{"tool_calls": [{"function": {"name": "get-weather", "arguments": "{\\"city\\": \\"A\\"}"}},'
            ' {"function": {"name": "get-weather", "arguments": {"city": "B"}}}]}'
        ),
        (
            '<tool_call>{"name": "get-weather", "arguments": {"city": "A"}}</tool_call>\n'
            '<tool_call>{"name": "get-weather", "arguments": {"city": "B"}}</tool_call>'
        ),
        (
            '<invoke name="get-weather"><parameter name="city">A</parameter></invoke>'
            '<invoke name="get-weather"><parameter name="city">B</parameter></invoke>'
        ),
    ],
    ids=["list", "tool_calls", "tags", "invoke"],
)
def test_two_calls_are_two_for_decode_calls_and_none_for_decode_reply(reply):
    """
    One reply with two different calls means both, or, where one is asked for, neither.
    """
    assert [d.value for d in decode_calls(reply, WEATHER)] == [{"city": "A"}, {"city": "B"}]
    assert [p.code for p in decode_reply(reply, WEATHER).problems] == ["ambiguous"]


def test_text_without_a_call_is_one_refusal():
    """
    decode_calls never returns nothing.
    """
    assert [p.code for d in decode_calls("Which city?", [WEATHER]) for p in d.problems] == ["no_json"]


def test_a_cut_reply_is_not_completed():
    """
    When the provider says that the reply was cut, a missing brace is not put.
    """
    text = '{"city": "Oslo", "days": 2\n'

    assert decode_arguments(text, WEATHER).ok
    assert [p.code for p in decode_arguments(text, WEATHER, complete=False).problems] == ["truncated"]
    assert decode_arguments('{"city": "Oslo"}', WEATHER, complete=False).ok


def test_a_reply_past_the_size_limit_is_refused():
    """
    At most 4 MiB are read.
    """
    text = '{"city": "' + "x" * 4 * 1024 * 1024 + '"}'

    assert [p.code for p in decode_arguments(text, WEATHER).problems] == ["too_big"]
    assert [p.code for p in decode_reply(text, WEATHER).problems] == ["too_big"]


def test_problems_are_at_most_fifty():
    """
    A reply full of faults does not flood the next request.
    """
    table = block("t", xs=new_block_arg("", type=arg_array(arg_integer()), required=True))
    decoded = decode_arguments({"xs": ["a"] * 1000}, table)

    assert len(decoded.problems) == 50


def test_problems_past_the_limit_are_counted_whoever_found_them():
    """
    Fifty problems are listed, those of reading before those of checking, and the last counts the rest of both.
    """
    text = '{"ids": [' + ", ".join(["1e30"] * 40 + ['"x"'] * 40) + "]}"
    problems = decode_arguments(text, arg_object(ids=arg_array(arg_integer()))).problems

    assert [p.code for p in problems] == ["inexact"] * 40 + ["wrong_type"] * 9 + ["more_problems"]
    assert (problems[-1].path, problems[-1].message) == ("$", "31 more problems")


@pytest.mark.parametrize("text", [r'{"n": 5, "s": "\ud800"}', '{"n": 5, "s": "\ud800"}'])
def test_half_a_character_in_a_reply_is_told(text):
    """
    A text that nobody can write on is refused, however it came into the reply.
    """
    decoded = decode_arguments(text, arg_object(n=arg_integer(), s=arg_string()))

    assert [(p.code, p.path) for p in decoded.problems] == [("not_json", "$.s")]


def test_a_slow_pattern_beside_a_wrong_argument_is_told():
    """
    A pattern that never ends is one problem of the reply, and the others are told too.
    """
    wanted = arg_object(code=arg_string(pattern="^(a|a)*$"), n=arg_integer())
    decoded = decode_arguments({"code": "a" * 2000 + "!", "n": "many"}, wanted)

    assert [(p.code, p.path) for p in decoded.problems] == [("too_slow", "$.code"), ("wrong_type", "$.n")]


def test_a_number_that_is_no_choice_is_told():
    """
    Digits in a text are a choice only where they write one of them.
    """
    wanted = arg_object(size=arg_literal([1, 2]))

    assert decode_arguments({"size": "2"}, wanted).value == {"size": 2}
    assert [(p.code, p.path) for p in decode_arguments({"size": "4"}, wanted).problems] == [("wrong_type", "$.size")]


def test_repairs_past_the_limit_are_counted():
    """
    The last note of a reply that needs hundreds of repairs counts the rest.
    """
    table = block("t", xs=new_block_arg("", type=arg_array(arg_integer()), required=True))
    numbers = decode_arguments({"xs": ["1"] * 1000}, table)
    objects = arg_object(xs=arg_array(arg_object(n=arg_integer())))
    texts = decode_arguments({"xs": ['{"n": 1}'] * 300}, objects)
    quotes = decode_arguments("{'xs': [" + ", ".join(["1, // one\n"] * 100) + "]}", table)

    assert (len(numbers.notes), numbers.notes[-1].message) == (200, "and 801 more repairs")
    assert (len(texts.notes), texts.notes[-1].message) == (200, "and 101 more repairs")
    assert not quotes.ok


def test_bytes_are_read_as_text():
    """
    What a transport hands over as bytes is read as UTF-8.
    """
    assert decode_arguments(b'{"city": "Oslo"}', WEATHER).value == {"city": "Oslo"}
    assert decode_calls(b'{"city": "Oslo"}', WEATHER)[0].value == {"city": "Oslo"}


@pytest.mark.parametrize("nothing", [None, "", "  ", "null", "{}", {}])
def test_nothing_is_no_arguments(nothing):
    """
    A call without arguments comes in many forms; what is required is named, not the parser.
    """
    assert decode_arguments(nothing, block("now")) == Decoded(ok=True, value={}, uid="now")
    assert [(p.code, p.path) for p in decode_arguments(nothing, WEATHER).problems] == [("missing_key", "$.city")]


def test_whole_floats_are_integers_everywhere():
    """
    5.0 arrives as 5 wherever an integer is wanted, without a note; a number keeps its form.
    """
    shape = arg_object(n=arg_integer(), xs=arg_array(arg_integer()), m=arg_map(arg_integer()), x=arg_number())
    decoded = decode_arguments('{"n": 5.0, "xs": [1.0, 2], "m": {"a": 3e0}, "x": 4.0}', shape, strict=True)

    assert repr(decoded.value) == "{'n': 5, 'xs': [1, 2], 'm': {'a': 3}, 'x': 4.0}"
    assert decoded.notes == ()


def test_a_schema_that_changes_is_read_anew():
    """
    What was compiled for a schema is not used for what the schema has become.
    """
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    first = decode_arguments({"n": "x"}, schema)
    schema["properties"]["n"] = {"type": "string"}

    assert not first.ok
    assert decode_arguments({"n": "x"}, schema).ok


def head(n: int = 5):
    """Keep the first rows."""


def tail(lines: int = 5):
    """Keep the last rows."""


def test_a_registry_is_a_set_of_blocks(registry):
    """
    A registry offers all its blocks, and so does any other mapping of blocks.
    """
    registry.register(head, uid="first-rows")
    registry.register(tail, uid="last-rows")

    for blocks in (registry, [registry], MappingProxyType(dict(registry)), dict(registry), iter(registry.values())):
        assert decode_reply('{"tool": "last-rows", "lines": 3}', blocks) == Decoded(
            ok=True, value={"lines": 3}, uid="last-rows", name="last-rows"
        )


@pytest.mark.parametrize("empty", [Registry(), [], [Registry()], None])
def test_nothing_to_choose_from_is_the_hosts_mistake(empty):
    """
    An empty registry takes no call: it is never taken for a schema that allows everything.
    """
    for decode in (decode_reply, decode_calls):
        with pytest.raises(InvalidToolsetError) as caught:
            decode('{"a": 1}', empty)
        assert str(caught.value) == "there is no block to choose; pass at least one"
    with pytest.raises(InvalidToolsetError) as caught:
        decode_arguments('{"a": 1}', empty)
    assert str(caught.value) == "arguments are those of one block, and there are 0 blocks"


def test_a_block_is_known_by_its_uid_or_its_constructor():
    """
    What stands for a block elsewhere stands for it here.
    """
    register_block(head, uid="first-rows")

    assert decode_arguments('{"n": "3"}', "first-rows").value == {"n": 3}
    assert (decode_arguments('{"n": 3}', head).uid, decode_arguments('{"n": 3}', [head]).uid) == ("first-rows",) * 2
    assert decode_reply('{"n": 3}', ["first-rows"]) == Decoded(ok=True, value={"n": 3}, uid="first-rows")
    assert [d.uid for d in decode_calls({"name": "first-rows", "arguments": {}}, head)] == ["first-rows"]


def test_what_is_neither_block_nor_type_is_told():
    """
    A mistake of the host is an error, not a problem of the model.
    """
    with pytest.raises(UnknownBlockError, match="'weather'"):
        decode_arguments("{}", "weather")
    with pytest.raises(InvalidBlockArgError, match=r"^5 is no block, registry, uid or constructor$"):
        decode_reply("{}", 5)
    with pytest.raises(InvalidToolsetError, match=r"^two blocks are called 'a'$"):
        decode_reply("{}", [block("a"), block("b").with_(wire_name="a")])
    with pytest.raises(InvalidToolsetError, match=r"^arguments are those of one block, and there are 2 blocks$"):
        decode_arguments("{}", [WEATHER, MEETING])


def test_an_open_object_keeps_unknown_keys():
    """
    Where further keys are allowed they stay, also beside a repair.
    """
    shape = arg_object({"n": arg_integer(), "free": arg_json_object(required=False)}, extra=True)
    decoded = decode_arguments('{"n": "1", "N_": 2, "free": {"a": [1.50, null]}}', shape)

    assert decoded.value == {"n": 1, "N_": 2, "free": {"a": [1.5, None]}}


def test_a_value_given_as_object_is_judged_as_text_is():
    """
    It makes no difference whether an SDK parsed the arguments.
    """
    assert decode_arguments({"City": "Oslo", "days": "2"}, WEATHER).value == {"city": "Oslo", "days": 2}
    assert decode_arguments({"name": "get-weather", "arguments": {"city": "x"}}, WEATHER).value == {"city": "x"}
    assert [p.code for p in decode_arguments({"city": ("x",)}, WEATHER).problems] == ["not_json"]
    assert [p.code for p in decode_arguments([[[1]]], WEATHER).problems] == ["wrong_type"]


def test_a_value_that_contains_itself_is_too_deep():
    """
    A host's own mistake ends in a problem as well.
    """
    loop = {}
    loop["city"] = loop

    assert [p.code for p in decode_arguments(loop, WEATHER).problems] == ["too_deep"]


def test_booleans_are_read_only_where_nothing_else_is_wanted():
    """
    "yes" is true for a boolean, and itself where a choice has that word.
    """
    shape = arg_object(a=arg_boolean(), b=arg_enum(["yes", "no"]), c=arg_boolean(required=False))

    assert decode_arguments({"a": "yes", "b": "YES", "c": ""}, shape).value == {"a": True, "b": "yes"}


def test_a_mapping_that_is_no_dict_is_taken():
    """
    Arguments and schemas of other mapping types are read as dicts.
    """
    schema = {"type": "object", "properties": {"n": {"enum": FrozenList([1, 2])}}}

    assert decode_arguments(MappingProxyType({"n": "2"}), schema).value == {"n": 2}


def test_many_schemas_are_forgotten_again():
    """
    What is remembered of plain schemas is bounded.
    """
    for i in range(600):
        assert decode_arguments({"n": i}, {"const": {"n": i}}).ok


def test_a_host_deep_in_its_own_calls_gets_a_problem():
    """
    Too little room on the stack ends in a problem, never in a RecursionError.
    """
    shape = arg_object(a=arg_json_object())
    text = '{"a": ' + "{'a': " * 90 + "1" + "}" * 91

    def deep(levels):
        return decode(text, shape) if levels == 0 else deep(levels - 1)

    for decode in (decode_arguments, decode_reply):
        codes = set()
        for room in range(60, 400, 20):
            depth = sys.getrecursionlimit() - stack_depth() - room
            codes |= {p.code for p in deep(depth).problems}
        assert codes == {"too_deep"}


def stack_depth():
    frame, depth = sys._getframe(), 0
    while frame:
        frame, depth = frame.f_back, depth + 1
    return depth


def test_a_list_where_a_list_is_wanted():
    """
    For a type that is a list, a list in prose is found, and damaged ones are repaired.
    """
    numbers = arg_array(arg_integer())

    assert decode_reply("I take [1, 2] of them.", numbers).value == [1, 2]
    assert decode_reply("I take ['3', 4,].", numbers).value == [3, 4]
    assert decode_arguments("", numbers).problems[0].code == "no_json"


def test_a_value_for_a_type_that_is_no_object():
    """
    A bare value is read for a bare type.
    """
    assert decode_arguments("5.0", arg_integer()).value == 5
    assert decode_arguments('"5"', arg_integer()).value == 5
    assert decode_reply('"a"', arg_enum(["A", "b"])).value == "A"
    assert decode_arguments("null", arg_nullable(arg_integer())) == Decoded(ok=True)
    assert decode_arguments(None, arg_nullable(arg_integer())) == Decoded(ok=True)


@pytest.mark.parametrize(
    "reply",
    [
        'So: {"tool": "now"}.',
        'So: {"now": {}}.',
        "So: {}.",
        'So: {"tool_calls": [{"function": {"name": "now", "arguments": {}}}]}.',
        "So: now().",
    ],
)
def test_a_call_without_arguments_inside_prose(reply):
    """
    A tool that takes nothing is called in as many ways as any other.
    """
    decoded = decode_reply(reply, [block("now"), WEATHER])

    assert (decoded.uid, decoded.value) == ("now", {})


def test_two_calls_in_an_object_inside_prose():
    """
    An object with a list of calls holds as many calls as the list.
    """
    calls = '{"tool_calls": [{"function": {"name": "now", "arguments": {}}}, {"function": {"name": "now", "arguments": ""}}]}'

    assert [d.uid for d in decode_calls(f"So: {calls}.", [block("now"), WEATHER])] == ["now", "now"]


def test_a_deep_wrapper_is_not_unwrapped():
    """
    An object far inside another is no call of its own.
    """
    assert not decode_reply('So: {"a": {"b": {"c": {"city": "x"}}}}.', WEATHER).ok


def test_a_list_of_calls_as_a_value():
    """
    A list of one call, as a client may hand over the whole message, is the call.
    """
    one = {"tool_calls": [{"function": {"name": "get-weather", "arguments": {"city": "x"}}}]}

    assert decode_arguments(one, WEATHER).value == {"city": "x"}
    assert [p.path for p in decode_arguments({"tool_calls": [5]}, WEATHER).problems] == ["$.tool_calls", "$.city"]


@pytest.mark.parametrize(
    "odd", [{"function": {}}, {"functionCall": {"a": 1}}, {"name": 5, "arguments": {}}, {"name": "x", "args": 5}]
)
def test_what_only_looks_like_a_call_is_judged_as_arguments(odd):
    """
    An object without a name, or with arguments that are none, is no call.
    """
    assert {p.code for p in decode_arguments(odd, WEATHER).problems} == {"unknown_key", "missing_key"}


def test_numbers_of_a_parsed_value_become_text_in_their_json_form():
    """
    Where an SDK has parsed the number already, its JSON form is the text; null stays an error.
    """
    shape = arg_object(s=arg_string(), x=arg_number())

    assert decode_arguments({"s": 1.5, "x": 1}, shape).value == {"s": "1.5", "x": 1}
    assert [p.path for p in decode_arguments({"s": float("inf"), "x": None}, shape).problems] == ["$.s", "$.x"]


def test_a_python_call_with_too_many_brackets():
    """
    A Python call is as limited in depth as JSON is.
    """
    assert not decode_reply(f"get_weather(city={'[' * 200}{']' * 200})", WEATHER).ok
    assert not decode_reply("get_weather(city=1 2)", WEATHER).ok
    assert decode_reply('see (this) and f(x): {"city": "x"}', WEATHER).value == {"city": "x"}


def test_an_object_of_which_nothing_is_said_is_open():
    """
    Where a type says only "object", any members are taken, in a type that contains itself as well.
    """
    part = {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/t"}}, {"type": "object"}]}
    tree = arg_schema(
        {"type": "object", "properties": {"t": {"$ref": "#/$defs/t"}, "n": {"type": "integer"}}, "$defs": {"t": part}}
    )
    decoded = decode_arguments({"t": [{"a": 1}], "n": "5"}, tree)

    assert (decoded.value, rules(decoded)) == ({"t": [{"a": 1}], "n": 5}, [("to_integer", "$.n")])


def test_a_name_of_another_level_is_an_anchor_where_nothing_is_said():
    """
    A lost colon is put after a declared name, also in an object that is not declared.
    """
    wanted = arg_object(open=arg_schema({"type": "object"}), column=arg_string())
    decoded = decode_reply('{"open": {"column" "a"}, "column": "b"}', wanted)

    assert (decoded.value, rules(decoded)) == (
        {"open": {"column": "a"}, "column": "b"},
        [("missing_colon", "$.open.column")],
    )


@pytest.mark.parametrize("value", [{1: 2}, {None: 1}, {"port": {1: 2}}, {"port": [{True: 1}]}])
def test_a_key_that_is_no_text_is_told(value):
    """
    A dict with a key that JSON cannot have is refused, not raised about.
    """
    decoded = decode_arguments(value, arg_object({"port": arg_integer()}))

    assert [p.code for p in decoded.problems] == ["not_json"]


def test_a_list_of_records_with_a_large_float_stays_one_value():
    """
    What fits as it stands is one value, even where a number in it is read by its digits.
    """
    decoded = decode_arguments('[{}, {"a": 9007199254740992.0}]', {})

    assert (decoded.value, decoded.notes) == ([{}, {"a": 9007199254740992.0}], ())


def test_calls_quoted_in_a_list_are_calls():
    """
    Python calls as the texts of a list are the calls, in order.
    """
    sail = block("sail", port=new_block_arg("Where to.", type=arg_string()))
    found = decode_calls("""["sail(port='Hull')", "sail(port='Goole')"]""", [sail])

    assert [one.value for one in found] == [{"port": "Hull"}, {"port": "Goole"}]
