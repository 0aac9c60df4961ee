"""Calls and answers as the providers' clients return them: read as they come, dicts or objects."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from blockargs.dispatch.turns import Given, Turn, call_of, turn_of

ARGS = {"n": 1}


@pytest.mark.parametrize(
    ("thing", "given"),
    [
        ({"name": "f", "arguments": ARGS}, Given("f", ARGS)),
        ({"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}, Given("f", "{}", "c")),
        ({"function": {"name": "f", "arguments": ARGS}}, Given("f", ARGS)),
        (
            {"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": "{}"},
            Given("f", "{}", "c"),
        ),
        ({"type": "tool_use", "id": "c", "name": "f", "input": ARGS}, Given("f", ARGS, "c")),
        ({"functionCall": {"name": "f", "args": ARGS, "id": "c"}}, Given("f", ARGS, "c")),
        ({"functionCall": {"name": "f"}}, Given("f", {})),
        ({"function_call": {"name": "f", "args": None}}, Given("f", None)),
        ({"toolUse": {"toolUseId": "c", "name": "f", "input": ARGS}}, Given("f", ARGS, "c")),
        ({"method": "tools/call", "params": {"name": "f", "arguments": ARGS}}, Given("f", ARGS)),
        ({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "f"}}, Given("f", {})),
        ({"name": "f", "args": ARGS, "id": "c", "type": "tool_call"}, Given("f", ARGS, "c")),
        (
            SimpleNamespace(id="c", type="function", function=SimpleNamespace(name="f", arguments="{}")),
            Given("f", "{}", "c"),
        ),
        ({"name": 3, "arguments": ARGS}, None),
        ({"n": 1}, None),
        ({"name": "joe", "age": 3}, None),
        ({"function": {"n": 1}}, None),
        ("text", None),
        (3, None),
    ],
)
def test_a_call_is_read_in_every_providers_form(thing, given):
    """
    A call goes in as it comes out of the SDK, with its id; what is no call is not taken for one.
    """
    assert call_of(thing) == given


def test_objects_of_any_make_are_read():
    """
    Dataclasses and plain objects are read by their fields, and private ones are left alone.
    """

    @dataclass
    class Made:
        name: str
        arguments: dict

    plain = SimpleNamespace(name="f", arguments={"n": 1}, _raw="x")

    assert (call_of(Made("f", ARGS)), call_of(plain)) == (Given("f", ARGS), Given("f", ARGS))
    assert call_of(object()) is None


CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
USE = {"type": "tool_use", "id": "c", "name": "f", "input": {}}
FC = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}


@pytest.mark.parametrize(
    ("response", "turn"),
    [
        (
            {"choices": [{"message": {"role": "assistant", "tool_calls": [CALL]}, "finish_reason": "length"}]},
            Turn("openai", (Given("f", "{}", "c"),), "", ({"role": "assistant", "tool_calls": [CALL]},), True),
        ),
        (
            {"choices": [{"message": {"role": "assistant", "content": "hi"}}]},
            Turn("openai", (), "hi", ({"role": "assistant", "content": "hi"},)),
        ),
        (
            {"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"text": "b"}]}}]},
            Turn("openai", (), "a\nb", ({"content": [{"type": "text", "text": "a"}, {"text": "b"}]},)),
        ),
        (
            {"output": [{"type": "message", "content": [{"text": "so"}]}, FC], "status": "incomplete"},
            Turn(
                "openai-responses",
                (Given("f", "{}", "c"),),
                "so",
                ({"type": "message", "content": [{"text": "so"}]}, FC),
                True,
            ),
        ),
        (
            {"role": "assistant", "content": [{"type": "text", "text": "so"}, USE], "stop_reason": "max_tokens"},
            Turn(
                "anthropic",
                (Given("f", {}, "c"),),
                "so",
                ({"role": "assistant", "content": [{"type": "text", "text": "so"}, USE]},),
                True,
            ),
        ),
        (
            {
                "candidates": [
                    {
                        "content": {
                            "role": "model",
                            "parts": [
                                {"text": "hmm", "thought": True},
                                {"text": "so"},
                                {"functionCall": {"name": "f", "args": {}}},
                            ],
                        },
                        "finishReason": "MAX_TOKENS",
                    }
                ]
            },
            Turn(
                "gemini",
                (Given("f", {}),),
                "so",
                (
                    {
                        "role": "model",
                        "parts": [
                            {"text": "hmm", "thought": True},
                            {"text": "so"},
                            {"functionCall": {"name": "f", "args": {}}},
                        ],
                    },
                ),
                True,
            ),
        ),
        ({"candidates": [{}]}, Turn("gemini", messages=({"role": "model", "parts": []},))),
        (
            {
                "output": {
                    "message": {
                        "role": "assistant",
                        "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}],
                    }
                },
                "stopReason": "max_tokens",
            },
            Turn(
                "bedrock",
                (Given("f", {}, "c"),),
                "",
                ({"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]},),
                True,
            ),
        ),
        (
            {
                "message": {
                    "role": "assistant",
                    "content": "so",
                    "tool_calls": [{"function": {"name": "f", "arguments": {}}}],
                },
                "done_reason": "length",
            },
            Turn(
                "ollama",
                (Given("f", {}),),
                "so",
                ({"role": "assistant", "content": "so", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]},),
                True,
            ),
        ),
        ({"choices": []}, None),
        ({"choices": ["x"]}, None),
        ({"candidates": []}, None),
        ({"output": {"text": "x"}}, None),
        ({"role": "assistant", "content": "x"}, None),
        ({"message": "x"}, None),
        ("text", None),
    ],
)
def test_an_answer_is_read_in_every_providers_form(response, turn):
    """
    The calls, the text beside them, the turn for the messages, and whether it was cut.
    """
    assert turn_of(response) == turn
