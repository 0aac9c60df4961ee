"""The message that brings a result or a failure to the model, in the form of each provider."""

from __future__ import annotations

import pytest

from blockargs import Problem
from blockargs.dispatch import Audio, Call, Image, Resource, Text, ToolRun, joined_messages
from blockargs.errors import InvalidToolsetError, Note, UnknownDialectError

CALL = Call("count", "count", {"n": 2}, "call_1")
DATA = ToolRun(True, CALL, text='{"n": 2}', content={"n": 2}, structured={"n": 2})
WRONG = ToolRun(False, CALL, text="no such table", content="no such table", code="no_table", details={"table": "t"})
PNG = Image(b"x", "image/png")
SHOWN = "[image image/png, 1 bytes; this channel carries text only]"
PICTURE = ToolRun(True, CALL, text=f"See:\n{SHOWN}", explicit=(Text("See:"), PNG))


@pytest.mark.parametrize(
    ("dialect", "result", "failure"),
    [
        (
            "openai",
            {"role": "tool", "tool_call_id": "call_1", "content": '{"n": 2}'},
            {"role": "tool", "tool_call_id": "call_1", "content": "no such table"},
        ),
        (
            "openai-responses",
            {"type": "function_call_output", "call_id": "call_1", "output": '{"n": 2}'},
            {"type": "function_call_output", "call_id": "call_1", "output": "no such table"},
        ),
        (
            "anthropic",
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "call_1", "content": [{"type": "text", "text": '{"n": 2}'}]}
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "call_1",
                        "content": [{"type": "text", "text": "no such table"}],
                        "is_error": True,
                    }
                ],
            },
        ),
        (
            "gemini",
            {
                "role": "user",
                "parts": [{"functionResponse": {"id": "call_1", "name": "count", "response": {"output": {"n": 2}}}}],
            },
            {
                "role": "user",
                "parts": [
                    {"functionResponse": {"id": "call_1", "name": "count", "response": {"error": "no such table"}}}
                ],
            },
        ),
        (
            "bedrock",
            {
                "role": "user",
                "content": [
                    {"toolResult": {"toolUseId": "call_1", "content": [{"text": '{"n": 2}'}], "status": "success"}}
                ],
            },
            {
                "role": "user",
                "content": [
                    {"toolResult": {"toolUseId": "call_1", "content": [{"text": "no such table"}], "status": "error"}}
                ],
            },
        ),
        (
            "mistral",
            {"role": "tool", "tool_call_id": "call_1", "name": "count", "content": '{"n": 2}'},
            {"role": "tool", "tool_call_id": "call_1", "name": "count", "content": "no such table"},
        ),
        (
            "ollama",
            {"role": "tool", "tool_name": "count", "content": '{"n": 2}'},
            {"role": "tool", "tool_name": "count", "content": "no such table"},
        ),
        (
            "llama-cpp",
            {"role": "tool", "tool_call_id": "call_1", "name": "count", "content": '{"n": 2}'},
            {"role": "tool", "tool_call_id": "call_1", "name": "count", "content": "no such table"},
        ),
        (
            "mcp",
            {
                "content": [{"type": "text", "text": '{"n": 2}'}],
                "isError": False,
                "structuredContent": {"n": 2},
            },
            {
                "content": [{"type": "text", "text": "no such table"}],
                "isError": True,
                "_meta": {"blockargs/code": "no_table", "blockargs/details": {"table": "t"}},
            },
        ),
    ],
)
def test_a_result_and_a_failure_take_the_providers_form(dialect, result, failure):
    """
    `run.to_message(dialect)` is the provider's own message, and a failure is marked where the provider can.
    """
    assert (DATA.to_message(dialect), WRONG.to_message(dialect)) == (result, failure)


def test_both_gemini_forms_are_answered_alike():
    """
    Which schema form was offered makes no difference to the answer.
    """
    assert DATA.to_message("gemini-json") == DATA.to_message("gemini")


@pytest.mark.parametrize(
    ("dialect", "inside"),
    [
        ("openai", lambda m: m["content"]),
        ("mistral", lambda m: m["content"]),
        ("llama-cpp", lambda m: m["content"]),
    ],
)
def test_a_channel_of_text_names_the_picture_it_cannot_carry(dialect, inside):
    """
    Nothing is lost in silence: the model learns that there is a picture.
    """
    assert inside(PICTURE.to_message(dialect)) == f"See:\n{SHOWN}"


@pytest.mark.parametrize(
    ("dialect", "carried"),
    [
        ("openai-responses", {"type": "input_image", "image_url": "data:image/png;base64,eA=="}),
        ("anthropic", {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "eA=="}}),
        ("gemini", {"inlineData": {"mimeType": "image/png", "data": "eA=="}}),
        ("bedrock", {"image": {"format": "png", "source": {"bytes": b"x"}}}),
        ("ollama", ["eA=="]),
        ("mcp", {"type": "image", "data": "eA==", "mimeType": "image/png"}),
    ],
)
def test_a_picture_goes_where_the_provider_takes_pictures(dialect, carried):
    """
    A provider that reads images gets the image itself.
    """
    message = PICTURE.to_message(dialect)
    places = {
        "openai-responses": lambda: message["output"][1],
        "anthropic": lambda: message["content"][0]["content"][1],
        "gemini": lambda: message["parts"][0]["functionResponse"]["parts"][0],
        "bedrock": lambda: message["content"][0]["toolResult"]["content"][1],
        "ollama": lambda: message["images"],
        "mcp": lambda: message["content"][1],
    }

    assert places[dialect]() == carried


@pytest.mark.parametrize("dialect", ["anthropic", "bedrock", "openai-responses"])
def test_what_a_provider_cannot_show_is_named_in_words(dialect):
    """
    Sound, and pictures of a kind the provider refuses, are named, so that no request fails for them.
    """
    odd = (Image(b"x", "image/tiff"), Audio(b"y", "audio/wav"), Resource("https://example.org", name="R"))
    message = ToolRun(True, CALL, explicit=odd).to_message(dialect)
    content = message.get("output") or message["content"][0]
    parts = content if dialect == "openai-responses" else (content.get("toolResult") or content)["content"]

    assert [p.get("text") for p in parts][1:] == [odd[1].words(), odd[2].words()]
    assert (parts[0].get("text") == odd[0].words()) == (dialect != "openai-responses")


def test_an_empty_result_is_sent_without_empty_text():
    """
    Anthropic refuses an empty text block: a result without text has no content.
    """
    message = ToolRun(True, CALL).to_message("anthropic")

    assert message["content"] == [{"type": "tool_result", "tool_use_id": "call_1"}]


@pytest.mark.parametrize("dialect", ["openai", "openai-responses", "anthropic", "bedrock", "mistral"])
def test_a_missing_call_id_is_named(dialect):
    """
    Where a provider matches results by id, a result without one is refused before it is sent.
    """
    run = ToolRun(True, Call("count", "count", {}))

    with pytest.raises(
        InvalidToolsetError, match=f"^a result for '{dialect}' needs the id of its call; pass call_id=…$"
    ):
        run.to_message(dialect)


def test_a_call_id_that_is_no_text_is_refused():
    """
    An id of another kind would only be refused by the provider.
    """
    with pytest.raises(InvalidToolsetError, match=r"^call_id=5 is no id; give the text that the provider sent$"):
        DATA.to_message("openai", call_id=5)


def test_id_and_name_may_be_given_and_may_be_missing_where_nobody_needs_them():
    """
    `call_id=` and `name=` win over what the call came with; Gemini, Ollama and llama.cpp do without an id.
    """
    bare = ToolRun(True, Call("count", "count", {}), text="2", content="2")

    assert DATA.to_message("openai", call_id="x")["tool_call_id"] == "x"
    assert DATA.to_message("ollama", name="alias")["tool_name"] == "alias"
    assert bare.to_message("llama-cpp") == {"role": "tool", "name": "count", "content": "2"}
    assert bare.to_message("gemini")["parts"] == [{"functionResponse": {"name": "count", "response": {"output": "2"}}}]


def test_an_unknown_dialect_is_refused_with_the_near_one():
    """
    A misspelt dialect names the known ones.
    """
    with pytest.raises(
        UnknownDialectError, match=r"'antropic' is no dialect; there are .*; did you mean 'anthropic'\?$"
    ):
        DATA.to_message("antropic")
    for name in ("antropic", "", None, []):
        with pytest.raises(UnknownDialectError, match="is no dialect; there are"):
            joined_messages([], name)


def test_repairs_are_told_to_an_mcp_client():
    """
    A repaired call is never reported as clean: the client finds the repairs beside the result.
    """
    note = Note(rule="text_to_integer", path="$.n", before="2", after=2, message="read '2' as 2")
    run = ToolRun(True, CALL, text="2", notes=(note,), meta={"own": 1})

    assert run.to_message("mcp")["_meta"] == {"own": 1, "blockargs/repairs": [note.record()]}


def test_results_of_one_turn_are_joined_where_the_provider_wants_them_together():
    """
    Anthropic, Bedrock and Gemini take all results of a turn in one message, OpenAI one message each.
    """
    other = ToolRun(True, Call("count", "count", {}, "call_2"), text="3", content="3")

    for dialect, key in (("anthropic", "content"), ("bedrock", "content"), ("gemini", "parts")):
        each = [run.to_message(dialect) for run in (DATA, other)]
        assert joined_messages(each, dialect) == [{"role": "user", key: each[0][key] + each[1][key]}]
    each = [run.to_message("openai") for run in (DATA, other)]
    assert joined_messages(each, "openai") == each
    assert joined_messages([], "anthropic") == []


def test_a_run_is_written_as_json_for_logs():
    """
    `run.record()` is JSON-ready, and holds nothing of the host.
    """
    problem = Problem(code="c", path="$.n", message="m", hint="h")
    run = ToolRun(False, CALL, outcome=OSError("/home"), text="t", content="t", code="c", problems=(problem,))

    assert run.is_error
    assert run.uid == "count"
    assert run.record() == {
        "ok": False,
        "uid": "count",
        "name": "count",
        "arguments": {"n": 2},
        "code": "c",
        "text": "t",
        "content": "t",
        "problems": [problem.record()],
        "notes": [],
        "attempts": 0,
    }


@pytest.mark.parametrize(
    ("given", "shown"),
    [(5, "5"), ("text", "'text'"), ({"role": "user"}, '{"role": "user"}'), ([5], "5"), ([{"role": "u"}] * 2, '{"role": "u"}')],
)  # fmt: skip
def test_what_are_no_messages_cannot_be_joined(given, shown):
    """
    A host's mistake is told as one, with what to give instead.
    """
    with pytest.raises(InvalidToolsetError) as caught:
        joined_messages(given, "anthropic")

    assert str(caught.value) == f"{shown} is no message for 'anthropic'; give a list of what to_message() returned"
