"""Which of the offered tools a reply calls: by name, by tag, or as the only one that it fits."""

from __future__ import annotations

from blockargs.reply import decode_arguments, decode_reply
from blockargs.spec import new_block_arg
from blockargs.types import (
    arg_json_object,
    arg_object,
    arg_string,
)
from replied import MEETING, WEATHER, block, rules

BY_NAME = new_block_arg("", type=arg_string(), required=True)
PORT = new_block_arg("Where to.", type=arg_string())


def test_the_only_tool_that_takes_the_arguments_is_meant():
    """
    Arguments without a tool go to the one tool whose arguments they can be.
    """
    decoded = decode_reply('{"attendees": ["a"], "minutes": 30}', [WEATHER, MEETING])

    assert (decoded.uid, rules(decoded)) == ("book-meeting", [("tool_inferred", "$.tool")])


def test_arguments_of_two_tools_go_to_neither():
    """
    Two tools that take the same arguments: the problem names both, at the tag.
    """
    decoded = decode_reply('{"name": "x"}', [block("a", name=BY_NAME), block("b", name=BY_NAME)], tag="which")

    assert [(p.code, str(p)) for p in decoded.problems] == [
        ("ambiguous", "$.which: the arguments fit 'a' or 'b'; say which is meant in 'which'")
    ]


def test_a_tool_that_is_not_offered_is_refused_by_name():
    """
    A call of another tool is told with the tools that there are.
    """
    by_call = decode_reply('{"name": "get_wether", "arguments": {}}', [WEATHER, MEETING])
    by_tag = decode_reply('{"tool": "fly", "city": "x"}', [WEATHER, MEETING])
    by_name = decode_reply('{"name": "fly", "arguments": {}}', [WEATHER, MEETING])
    by_line = decode_reply('Action: fly\nAction Input: {"city": "x"}', [WEATHER, MEETING])

    assert by_call.uid == "get-weather"
    assert [(p.code, p.path) for p in (*by_tag.problems, *by_name.problems, *by_line.problems)] == [
        ("unknown_tool", "$.tool"),
        ("unknown_tool", "$.name"),
        ("unknown_tool", "$"),
    ]
    assert "'get-weather' and 'book-meeting'" in by_tag.problems[0].hint


def test_arguments_that_fit_no_tool_are_told_at_the_tag():
    """
    Without a tool and without fitting arguments there is one problem, where the tool's name is missing.
    """
    decoded = decode_reply('{"city": 5.5, "minutes": true}', [WEATHER, MEETING])

    assert [(p.code, p.path) for p in decoded.problems] == [("missing_key", "$.tool")]


def test_uid_and_wire_name_are_both_names():
    """
    A block is called by its uid and by the name it shows to models.
    """
    named = WEATHER.with_(wire_name="Weather.now")
    names = ["get-weather", "Weather.now", "weather_now", "getWeather", "functions.Weather.now"]
    called = [decode_reply(f'{{"name": "{n}", "arguments": {{"city": "x"}}}}', [named, block("other")]) for n in names]

    assert [d.uid for d in called] == ["get-weather"] * 5
    assert [len(d.notes) for d in called] == [1, 1, 2, 2, 1]


def test_a_tag_that_is_an_argument_stays_an_argument():
    """
    Where a tool declares the very key of the tag, the key is its argument.
    """
    hammer = block("hit", tool=new_block_arg("", type=arg_string(), required=True))
    decoded = decode_reply('{"tool": "hammer"}', [hammer, block("rest")])

    assert (decoded.uid, decoded.value) == ("hit", {"tool": "hammer"})


def test_a_tag_beside_one_block_is_taken_off():
    """
    Also a single tool may be named beside its arguments.
    """
    decoded = decode_reply('{"tool": "get-weather", "city": "x"}', WEATHER)
    other = decode_reply('{"tool": "fly", "city": "x"}', WEATHER)

    assert (decoded.value, decoded.name) == ({"city": "x"}, "get-weather")
    assert [p.path for p in other.problems] == ["$.tool"]


def test_a_tag_among_wrong_arguments_is_still_taken_off():
    """
    What stands beside the arguments to name the tool is no argument, though others are wrong.
    """
    decoded = decode_arguments('{"Tool": "get-weather", "city": "PAR", "days": "two"}', WEATHER)

    assert [(p.code, p.path) for p in decoded.problems] == [("wrong_type", "$.days")]


def test_a_name_in_the_style_of_two_names_of_one_block():
    """
    Uid and wire name of one block may be two styles of one name.
    """
    named = WEATHER.with_(uid="get.weather", wire_name="get-weather")
    decoded = decode_reply('{"name": "getWeather", "arguments": {"city": "x"}}', [named, block("b")])

    assert decoded.uid == "get.weather"


def test_a_call_whose_keys_a_tool_declares():
    """
    Where a tool declares the keys of a call, an unknown name is no refusal of its arguments.
    """
    log = block("log", name=BY_NAME, arguments=new_block_arg("", type=arg_json_object(), required=True))
    decoded = decode_reply('{"name": "x", "arguments": {}}', [log, WEATHER])
    lone = decode_reply('{"get_weather": {"city": "x"}}', [log, WEATHER])

    assert (decoded.uid, decoded.value) == ("log", {"name": "x", "arguments": {}})
    assert (lone.uid, lone.value) == ("get-weather", {"city": "x"})


def test_a_tag_among_tools_one_of_which_declares_it():
    """
    The tag names a tool unless that very tool has an argument of this name.
    """
    hammer = block("hit", tool=new_block_arg("", type=arg_string(), required=True))

    assert decode_reply('{"tool": "get-weather", "city": "x"}', [hammer, WEATHER]).uid == "get-weather"
    assert decode_reply('{"tool": "hit"}', [hammer, WEATHER]).value == {"tool": "hit"}


def test_a_broken_object_among_several_tools_is_told():
    """
    What cannot be parsed is told as such, also when no tool is named.
    """
    decoded = decode_reply('{"city": "x", "days": [1,, 2]}', [WEATHER, MEETING])

    assert [(p.code, p.path) for p in decoded.problems] == [("missing_value", "$.days[1]")]


def test_a_tagged_call_may_lack_its_last_brace():
    """
    The tag beside the arguments does not count as an argument.
    """
    decoded = decode_reply('{"tool": "get-weather", "city": "x", "days": 2\n', [WEATHER, MEETING])

    assert (decoded.ok, decoded.value) == (True, {"city": "x", "days": 2})


def test_an_open_tool_takes_whatever_object_comes():
    """
    A tool of any arguments at all takes an object without known keys.
    """
    anything = block("any").with_(schema=arg_object({}, extra=True))

    assert decode_reply('So: {"x": 1}.', anything).value == {"x": 1}
    assert decode_reply("So: {}.", anything).value == {}


def test_a_list_of_one_among_several_tools():
    """
    A list around the one object of arguments is taken off, whichever tool it is for.
    """
    assert decode_reply('[{"city": "x"}]', [MEETING, WEATHER]).value == {"city": "x"}


def test_another_tool_as_the_only_key_runs_none():
    """
    A lone key that names no offered tool is an unknown tool, never a wrapper of the one that would fit.
    """
    sail, moor = block("sail", port=PORT), block("moor", berth=PORT)
    other = decode_reply('{"delete_port": {"port": "Hull"}}', [sail, moor])
    wrapped = decode_reply('{"parameters": {"port": "Hull"}}', [sail, moor])

    assert [(p.code, p.path) for p in other.problems] == [("unknown_tool", "$.delete_port")]
    assert (wrapped.uid, wrapped.value) == ("sail", {"port": "Hull"})
