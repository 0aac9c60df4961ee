"""Calls and answers as the providers' clients return them: read as they come, dicts or objects."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from blockargs.dispatch.turns import Turn, plain, turn_of
from blockargs.reply.calls import SentCall as Given

ARGS = {"n": 1}


class Model:
    """What a pydantic class looks like."""

    def __init__(self, **fields):
        self.fields = fields

    def model_dump(self, *, mode, by_alias, exclude_none):
        assert (mode, by_alias, exclude_none) == ("json", True, True)
        return self.fields


@dataclass
class Made:
    role: str
    content: list


def test_objects_of_any_make_are_read():
    """
    Pydantic classes, dataclasses and plain objects are read by their fields; private ones are left alone.
    """
    use = [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]
    dumped = {"role": "assistant", "content": use}
    spaced = SimpleNamespace(role="assistant", content=[SimpleNamespace(**use[0])], _raw="x")

    assert [plain(t) for t in (Model(**dumped), Made(**dumped), spaced)] == [dumped] * 3
    assert [turn_of(t).calls for t in (Model(**dumped), Made(**dumped), spaced)] == [(Given("f", {}, "c"),)] * 3
    assert (turn_of(object()), turn_of(Made), turn_of(3)) == (None, None, None)


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
