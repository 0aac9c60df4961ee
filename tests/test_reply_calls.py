"""Calls as they come out of the providers' SDKs: objects, models, dicts."""

from __future__ import annotations

from enum import Enum
from types import SimpleNamespace as Thing

import pytest

from blockargs.reply import decode_calls
from blockargs.spec import Block, new_block_arg, new_block_args
from blockargs.types import arg_const, arg_integer, arg_object, arg_string, arg_union

CITY = new_block_arg("Where.", type=arg_string(), required=True)
WEATHER = Block(uid="weather.now", arguments=new_block_args(city=CITY), wire_name="weather_now")
CLOCK = Block(uid="clock")
BLOCKS = [WEATHER, CLOCK]


def thing(value):
    """Return *value* with its dicts as objects with attributes, as an SDK has them."""
    if isinstance(value, dict):
        return Thing(**{k: v if k in ("input", "args", "arguments") else thing(v) for k, v in value.items()})
    return [thing(v) for v in value] if isinstance(value, list) else value


FUNCTION = {"id": "c1", "type": "function", "function": {"name": "weather_now", "arguments": '{"city": "Oslo"}'}}
RESPONSES = {
    "openai": {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [FUNCTION]}}]},
    "openai-legacy": {"choices": [{"message": {"function_call": FUNCTION["function"]}}]},
    "responses": {
        "output": [
            {"type": "reasoning", "summary": []},
            {"type": "function_call", "name": "weather_now", "arguments": '{"city": "Oslo"}', "call_id": "c1"},
        ]
    },
    "anthropic": {
        "content": [
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "c1", "name": "weather_now", "input": {"city": "Oslo"}},
        ],
        "stop_reason": "tool_use",
    },
    "gemini": {
        "candidates": [
            {
                "content": {
                    "parts": [
                        {"text": "so", "thought": True},
                        {"function_call": {"id": "c1", "name": "weather_now", "args": {"city": "Oslo"}}},
                    ]
                },
                "finish_reason": "STOP",
            }
        ]
    },
    "gemini-content": {"parts": [{"functionCall": {"id": "c1", "name": "weather_now", "args": {"city": "Oslo"}}}]},
    "bedrock": {
        "output": {
            "message": {"content": [{"toolUse": {"toolUseId": "c1", "name": "weather_now", "input": {"city": "Oslo"}}}]}
        },
        "stopReason": "tool_use",
    },
    "ollama": {
        "message": {
            "content": "",
            "tool_calls": [{"function": {"name": "weather_now", "arguments": {"city": "Oslo"}}}],
        },
        "done_reason": "stop",
    },
    "mcp": {"method": "tools/call", "id": "c1", "params": {"name": "weather_now", "arguments": {"city": "Oslo"}}},
    "message": {"role": "assistant", "content": None, "tool_calls": [FUNCTION]},
    "one call": FUNCTION,
    "bare call": {"name": "weather_now", "arguments": {"city": "Oslo"}, "id": "c1"},
    "list of calls": [FUNCTION],
}


@pytest.mark.parametrize("as_sdk", [dict, thing], ids=["dict", "object"])
@pytest.mark.parametrize("name", RESPONSES)
def test_a_providers_response_is_taken_as_it_comes(name, as_sdk):
    """
    I hand over what the client returned, and get the call with its id.
    """
    response = RESPONSES[name] if as_sdk is dict or isinstance(RESPONSES[name], list) else thing(RESPONSES[name])
    (decoded,) = decode_calls(response, BLOCKS)

    assert (decoded.ok, decoded.uid, decoded.name, decoded.value) == (
        True,
        "weather.now",
        "weather_now",
        {"city": "Oslo"},
    )
    assert decoded.notes == ()
    assert decoded.call_id == ("" if name in ("openai-legacy", "ollama") else "c1")


def test_several_calls_keep_their_order_and_their_faults():
    """
    A wrong call beside right ones is a problem of its own.
    """
    calls = [
        FUNCTION,
        {"function": {"name": "fly", "arguments": "{}"}},
        {"function": {"name": "clock", "arguments": ""}},
    ]
    found = decode_calls({"choices": [{"message": {"tool_calls": calls}}]}, BLOCKS)

    assert [(d.uid, d.ok) for d in found] == [("weather.now", True), ("", False), ("clock", True)]
    assert found[1].problems[0].code == "unknown_tool"


def test_a_call_of_another_tool_than_the_only_one():
    """
    Arguments for another tool are not given to the one there is.
    """
    (decoded,) = decode_calls({"name": "fly", "arguments": {"city": "Oslo"}}, WEATHER)

    assert (decoded.ok, [p.code for p in decoded.problems]) == (False, ["wrong_tool"])


def test_damaged_arguments_are_repaired_on_their_channel():
    """
    The arguments text of a call is read tolerantly, or strictly on request.
    """
    call = {"function": {"name": "weather_now", "arguments": "{city: 'Oslo',}"}}
    (lenient,), (strict,) = decode_calls(call, BLOCKS), decode_calls(call, BLOCKS, strict=True)

    assert lenient.value == {"city": "Oslo"}
    assert {p.code for p in strict.problems} == {"repair_refused"}


class Reason(Enum):
    MAX_TOKENS = "MAX_TOKENS"


CUT = '{"city": "Oslo"\n'


@pytest.mark.parametrize(
    "response",
    [
        {
            "choices": [
                {
                    "finish_reason": "length",
                    "message": {"tool_calls": [{"function": {"name": "weather_now", "arguments": CUT}}]},
                }
            ]
        },
        {"stop_reason": "max_tokens", "content": [{"type": "tool_use", "name": "weather_now", "input": CUT}]},
        {"candidates": [{"finish_reason": Reason.MAX_TOKENS, "content": {"parts": [{"text": CUT}]}}]},
        {
            "incomplete_details": {"reason": "max_output_tokens"},
            "output": [{"type": "function_call", "name": "weather_now", "arguments": CUT}],
        },
    ],
)
def test_a_response_that_was_cut_is_not_completed(response):
    """
    Where the provider says that the reply was cut, nothing at its end is put right.
    """
    (decoded,) = decode_calls(response, WEATHER)

    assert [p.code for p in decoded.problems] == ["truncated"]


@pytest.mark.parametrize(
    "response",
    [
        {"choices": [{"message": {"content": 'I call {"city": "Oslo"}.'}}]},
        {"content": [{"type": "text", "text": 'I call {"city": "Oslo"}.'}]},
        {"output": [{"type": "message", "content": [{"type": "output_text", "text": '{"city": "Oslo"}'}]}]},
        {"message": {"content": '{"city": "Oslo"}'}},
        ['{"city": "Oslo"}'],
    ],
)
def test_a_response_without_calls_is_read_as_text(response):
    """
    A model that writes its call into the text is understood as well.
    """
    (decoded,) = decode_calls(response, WEATHER)

    assert decoded.value == {"city": "Oslo"}


@pytest.mark.parametrize(
    "response",
    [{}, [], 5, None, {"choices": []}, {"content": [{"type": "image"}]}, {"message": "x"}, Thing(a=1), {"function": 5}],
)
def test_what_holds_no_call_is_one_refusal(response):
    """
    An empty response, or something else altogether, is a problem and no crash.
    """
    (decoded,) = decode_calls(response, WEATHER)

    assert [p.code for p in decoded.problems] == ["no_json"]


def test_a_union_of_tools_gets_its_tag_from_the_name():
    """
    For one schema over several tools the call's name becomes the tag.
    """
    tools = arg_union(
        arg_object(tool=arg_const("weather-now"), city=arg_string()),
        arg_object(tool=arg_const("wait"), minutes=arg_integer()),
        tag="tool",
    )
    (decoded,) = decode_calls({"function": {"name": "weather_now", "arguments": {"city": "Oslo"}}}, tools)

    assert decoded.value == {"tool": "weather-now", "city": "Oslo"}
