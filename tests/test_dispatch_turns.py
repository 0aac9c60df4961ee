"""Calls and answers as the providers' clients return them: read as they come, dicts or objects."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from blockargs import Toolset, decode_calls, derive_block, export_tools, extract
from blockargs.dispatch.turns import Turn, plain, turn_of
from blockargs.errors import AttemptsExhaustedError
from blockargs.reply.responses import SentCall as Given

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
            Turn(
                "openai",
                (Given("f", "{}", "c", complete=False),),
                "",
                ({"role": "assistant", "tool_calls": [CALL]},),
                "length",
            ),
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
                (Given("f", "{}", "c", complete=False),),
                "so",
                ({"type": "message", "content": [{"text": "so"}]}, FC),
                "fault",
            ),
        ),
        (
            {"role": "assistant", "content": [{"type": "text", "text": "so"}, USE], "stop_reason": "max_tokens"},
            Turn(
                "anthropic",
                (Given("f", {}, "c", complete=False),),
                "so",
                ({"role": "assistant", "content": [{"type": "text", "text": "so"}, USE]},),
                "length",
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
                (Given("f", {}, complete=False),),
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
                "length",
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
                (Given("f", {}, "c", complete=False),),
                "",
                ({"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]},),
                "length",
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
                (Given("f", {}, complete=False),),
                "so",
                ({"role": "assistant", "content": "so", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]},),
                "length",
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


NOW = {"city": "Oslo"}


def chat(reason, arguments='{"city": "Oslo"'):
    """Return what OpenAI's chat completions and Mistral answer."""
    call = {"id": "c", "function": {"name": "now", "arguments": arguments}}
    return {"choices": [{"message": {"role": "assistant", "tool_calls": [call]}, "finish_reason": reason}]}


def responses(reason, arguments='{"city": "Oslo"'):
    call = {"type": "function_call", "call_id": "c", "name": "now", "arguments": arguments}
    details = {"reason": reason} if reason in ("max_output_tokens", "content_filter") else None
    return {"output": [call], "status": "incomplete" if details else reason, "incomplete_details": details}


def anthropic(reason, arguments=NOW):
    use = {"type": "tool_use", "id": "c", "name": "now", "input": arguments}
    return {"role": "assistant", "content": [use], "stop_reason": reason}


def gemini(reason, arguments=NOW):
    part = {"functionCall": {"name": "now", "args": arguments}}
    return {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": reason}]}


def bedrock(reason, arguments=NOW):
    use = {"toolUse": {"toolUseId": "c", "name": "now", "input": arguments}}
    return {"output": {"message": {"role": "assistant", "content": [use]}}, "stopReason": reason}


def ollama(reason, arguments=NOW):
    call = {"function": {"name": "now", "arguments": arguments}}
    return {"message": {"role": "assistant", "content": "", "tool_calls": [call]}, "done_reason": reason}


TOO_EARLY = {
    chat: "length content_filter model_length error",
    responses: "max_output_tokens content_filter failed cancelled in_progress",
    anthropic: "max_tokens model_context_window_exceeded refusal",
    gemini: "MAX_TOKENS SAFETY RECITATION LANGUAGE OTHER BLOCKLIST PROHIBITED_CONTENT SPII MALFORMED_FUNCTION_CALL "
    "UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MALFORMED_RESPONSE MISSING_THOUGHT_SIGNATURE ESCALATION",
    bedrock: "max_tokens model_context_window_exceeded guardrail_intervened content_filtered malformed_model_output "
    "malformed_tool_use",
    ollama: "length",
}
IN_TIME = {
    chat: "stop tool_calls function_call",
    responses: "completed",
    anthropic: "end_turn tool_use stop_sequence pause_turn",
    gemini: "STOP FINISH_REASON_UNSPECIFIED",
    bedrock: "end_turn tool_use stop_sequence",
    ollama: "stop",
}


def each(table):
    return [
        pytest.param(form, reason, id=f"{form.__name__}-{reason}") for form in table for reason in table[form].split()
    ]


def now_tools(calls):
    """Return a toolset that notes its *calls*."""

    def now(city: str):
        calls.append(city)

    return Toolset(derive_block(now, kind="tool"))


@pytest.mark.parametrize(("form", "reason"), each(TOO_EARLY))
def test_a_call_that_the_response_ended_in_is_never_made(form, reason):
    """
    Where the provider ended the reply before the model did, what is missing at its end is not guessed:
    decoding says so, and nothing is called by any way of running it.
    """
    calls: list = []
    toolset = now_tools(calls)
    response = form(reason)
    runs = [*toolset.run_all(response), toolset.run(response), toolset.ask(lambda _: response, "x").runs[0]]

    assert [[p.code for p in d.problems] for d in decode_calls(response, toolset.blocks)] == [["truncated"]]
    assert [[p.code for p in run.problems] for run in runs] == [["truncated"]] * 3
    with pytest.raises(AttemptsExhaustedError):
        extract(lambda _: response, "x", dict[str, str])
    assert calls == []


@pytest.mark.parametrize(("form", "reason"), each(IN_TIME))
def test_a_call_that_the_model_ended_is_made(form, reason):
    """
    An ordinary end, under any of its names, changes nothing.
    """
    calls: list = []
    toolset = now_tools(calls)
    response = form(reason)

    assert [d.value for d in decode_calls(response, toolset.blocks)] == [NOW]
    assert [run.ok for run in toolset.run_all(response)] == [True]
    assert calls == ["Oslo"]


@pytest.mark.parametrize(
    ("response", "made"),
    [
        (chat("length", '{"city": "Oslo"}'), True),  # its own text shows that it is whole
        (chat("length", ""), False),  # it ended before the first letter
        (ollama("length", None), False),
        ({"role": "assistant", "content": [*anthropic("")["content"], {"type": "text", "text": "and"}], "stop_reason": "max_tokens"}, True),
        ({"output": [responses("completed")["output"][0] | {"status": "incomplete"}], "status": "completed"}, False),
    ],
)  # fmt: skip
def test_a_call_before_the_end_of_a_cut_response_is_whole(response, made):
    """
    Only what the response ended in may be cut: arguments whose text is complete JSON, and calls that
    something else follows, are as the model meant them.
    """
    calls: list = []
    toolset = now_tools(calls)

    assert [d.ok for d in decode_calls(response, toolset.blocks)] == [made]
    assert [run.ok for run in toolset.run_all(response)] == [made]
    assert calls == ["Oslo"] * made


def test_a_cut_call_by_the_names_of_an_export_is_not_made_either():
    """
    What an export rewrote is led back only where the arguments are whole.
    """
    calls: list = []
    toolset = now_tools(calls)
    export = export_tools(toolset.blocks, "openai", strict=True)
    cut = '{"city": "Oslo"'

    assert [run.ok for run in toolset.run_all(chat("length", cut), export=export)] == [False]
    assert [run.ok for run in toolset.run_all(chat("length", cut + "}"), export=export)] == [True]
    assert calls == ["Oslo"]


def test_why_an_answer_ended_too_early_is_told():
    """
    The model is asked for a shorter answer, another one, or the same again.
    """
    toolset = now_tools([])
    told = []
    for reason in ("content_filter", "error"):
        asked: list = []
        toolset.ask(
            lambda messages, asked=asked, reason=reason: asked.append(messages) or chat(reason), "x", attempts=2
        )
        told.append(asked[1][-1]["content"].rpartition("\n")[2])

    assert told == [
        "The answer was stopped before its end by a filter: send one that passes it.",
        "The answer broke off before its end: send it again.",
    ]


def test_what_the_provider_calls_itself_is_no_call_of_mine():
    """
    A search that the provider made itself stands in its response, and is not made again.
    """
    made = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}}
    response = {"role": "assistant", "content": [made, *anthropic("")["content"]], "stop_reason": "tool_use"}
    toolset = now_tools([])

    assert [d.value for d in decode_calls(response, toolset.blocks)] == [NOW]
    assert [p.code for p in decode_calls(made, toolset.blocks)[0].problems] == ["no_json"]
