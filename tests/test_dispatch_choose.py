"""Which call a reply means, and when it is none: nothing wrong is ever called."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from blockargs import (
    InvalidCallError,
    Toolset,
    derive_block,
    problems_in,
)
from dispatched import GOOD, Recorder, weather


@pytest.mark.parametrize(
    "call",
    [
        GOOD,
        {"tool": "get_weather", "city": "PAR", "days": 2},
        {"city": "PAR", "days": 2},
        '{"tool": "get_weather", "city": "PAR", "days": 2}',
        {"id": "c", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "PAR", "days": 2}'}},
        {"type": "tool_use", "id": "c", "name": "get_weather", "input": {"city": "PAR", "days": 2.0}},
        {"functionCall": {"name": "get_weather", "args": {"city": "PAR", "days": 2}}},
        {"toolUse": {"toolUseId": "c", "name": "get_weather", "input": {"city": "PAR", "days": 2}}},
        SimpleNamespace(name="get_weather", args={"city": "PAR", "days": 2}, id=None),
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c", "name": "get_weather", "input": {"city": "PAR", "days": 2}}],
        },
        {"choices": [{"message": {"role": "assistant", "content": '{"city": "PAR", "days": 2}'}}]},
    ],
)
def test_a_call_in_any_form_is_made_exactly_once(call):
    """
    Text, a call, a provider's call object, its whole response, or arguments alone: one call of the constructor.
    """
    recorder, toolset = weather()

    run = toolset.run(call)

    assert recorder.calls == [("PAR", 2)]
    assert (run.ok, run.uid, run.call.arguments, run.outcome, run.text) == (
        True,
        "get_weather",
        {"city": "PAR", "days": 2},
        "sunny",
        "sunny",
    )
    assert type(run.call.arguments["days"]) is int


def test_the_same_call_twice_gives_the_same_run():
    """
    The short way of a plain call and the long way of its first time tell the same.
    """
    recorder, toolset = weather()

    assert toolset.run(GOOD) == toolset.run(GOOD) == toolset.run(GOOD)
    assert len(recorder.calls) == 3


def test_a_reply_with_prose_fence_and_slips_is_repaired_and_noted():
    """
    Fence, prose, trailing comma, tool name, key and number are put right, and each is in the notes.
    """
    recorder = Recorder("sunny")
    toolset = Toolset(
        [derive_block(recorder, uid="GetWeather"), derive_block(lambda attendees, minutes: "", uid="book_meeting")],
        naming="kebab",
    )

    run = toolset.run('Sure!\n```json\n{"tool":"get-weather","City":"PAR","days":"2",}\n```\nHope it helps')

    assert (run.call.name, run.call.arguments) == ("get-weather", {"city": "PAR", "days": 2})
    assert {"$.city", "$.days"} <= {n.path for n in run.notes}
    assert recorder.calls == [("PAR", 2)]


@pytest.mark.parametrize(
    ("call", "code", "paths"),
    [
        ({"name": "get_weather", "arguments": {"city": "PAR", "zzz": 2}}, "arguments_invalid", ["$.zzz"]),
        ({"name": "get_weather", "arguments": {"days": "soon"}}, "arguments_invalid", ["$.city", "$.days"]),
        ({"name": "get_weather", "arguments": None}, "arguments_invalid", ["$.city"]),
        ({"name": "get_weather", "arguments": '{"city": "PA'}, "arguments_invalid", ["$.city"]),
        ({"name": "get_wether_now", "arguments": {}}, "unknown_tool", ["$"]),
        ("I would rather not.", "no_json", ["$"]),
    ],
)
def test_a_wrong_call_is_never_made(call, code, paths):
    """
    On any fault nothing is called; every path is named, and the model learns that nothing was applied.
    """
    recorder, toolset = weather()

    run = toolset.run(call)

    assert (run.ok, run.is_error, run.code, run.outcome, run.attempts) == (False, True, code, None, 0)
    assert sorted(p.path for p in run.problems) == paths
    first, *lines = run.text.splitlines()
    assert first.endswith("was not made, and nothing was applied:")
    assert lines[: len(run.problems)] == [f"- {p}" for p in run.problems]
    assert recorder.calls == []


def test_an_unknown_tool_names_the_near_ones():
    """
    The text has a did-you-mean, or the list of tools.
    """
    _, toolset = weather()

    told = [toolset.run({"name": name, "arguments": {}}).text.splitlines()[1] for name in ("get_wether", "zzz")]

    assert told == [
        "- $: there is no tool 'get_wether'; did you mean 'get_weather'?",
        "- $: there is no tool 'zzz'; the tools are 'get_weather'",
    ]


def test_another_style_of_the_name_is_noted_and_strict_refuses_it():
    """
    `GetWeather` reaches `get_weather` with a note; a strict toolset, or a strict call, refuses.
    """
    recorder, toolset = weather()
    call = {"name": "GetWeather", "arguments": {"city": "PAR"}}

    assert [(n.rule, n.before, n.after) for n in toolset.run(call).notes] == [
        ("tool_name", "GetWeather", "get_weather")
    ]
    assert toolset.run(call, strict=True).code == "unknown_tool"
    assert weather(strict=True)[1].run(call).code == "unknown_tool"
    assert len(recorder.calls) == 1


def test_strict_refuses_every_repair_of_arguments():
    """
    Strict means: as sent, or not at all; whole floats are no repair.
    """
    _, toolset = weather(strict=True)

    assert not toolset.run({"name": "get_weather", "arguments": {"city": "PAR", "days": "2"}}).ok
    run = toolset.run({"name": "get_weather", "arguments": {"city": "PAR", "days": 2.0}})
    assert (run.ok, run.call.arguments, run.notes) == (True, {"city": "PAR", "days": 2}, ())


def test_several_calls_are_too_many_for_run():
    """
    `run` makes one call; a response with two is told so, and `run_all` takes it.
    """
    recorder, toolset = weather()
    use = {"type": "tool_use", "name": "get_weather", "input": {"city": "PAR"}}
    response = {"role": "assistant", "content": [{**use, "id": "a"}, {**use, "id": "b"}]}

    assert toolset.run(response).code == "ambiguous"
    assert recorder.calls == []
    assert [r.call.id for r in toolset.run_all(response)] == ["a", "b"]


class Refusing:
    """An object that refuses to be looked at."""

    def __getattr__(self, name):
        raise AttributeError(name) if name.startswith("__") else RuntimeError(name)


class Undumpable:
    """An object of a client that cannot be written."""

    def model_dump(self, **_):
        raise ValueError("no")


@pytest.mark.parametrize("thing", [3, None, True, 0.5, object(), object, {1}, range(2), Refusing(), Undumpable()])
def test_what_is_no_call_at_all_is_the_hosts_mistake(thing):
    """
    A host that passes something else gets an error that says what to pass; a TypeError, as one would guess.
    """
    for door in (weather()[1].run, weather()[1].run_all, weather()[1].check):
        with pytest.raises(InvalidCallError, match="is no call; pass text") as caught:
            door(thing)
        assert isinstance(caught.value, TypeError)
        assert caught.value.problems[0].code == "call_invalid"


@pytest.mark.parametrize(
    ("things", "code"),
    [
        ([], "no_json"),
        ((), "no_json"),
        ([[]], "no_json"),
        ([[[]]], "no_json"),
        ([None], "no_json"),
        ([5], "no_json"),
        ([object()], "no_json"),
        ([{"tool_calls": []}], "no_json"),
        ([GOOD, GOOD], "ambiguous"),
        ([1, GOOD], "ambiguous"),
    ],
)
def test_a_list_that_is_not_one_call_is_told(things, code):
    """
    A list is a reply: `run` takes one call in it, and says what else is wrong.
    """
    recorder, toolset = weather()
    run = toolset.run(things)

    assert (run.ok, run.code, [p.path for p in run.problems]) == (False, code, ["$"])
    assert recorder.calls == []
    assert all(not run.ok for run in toolset.run_all([*things, None]))
    assert recorder.calls == []


def test_a_list_of_one_call_and_bytes_are_calls():
    """
    One call in a list has one reading, and bytes are the text that they spell.
    """
    recorder, toolset = weather()

    assert toolset.run([GOOD]).ok
    assert toolset.run(b'{"tool": "get_weather", "city": "PAR"}').ok
    assert toolset.run_all(bytearray(b'{"tool": "get_weather", "city": "PAR"}'))[0].ok
    assert len(recorder.calls) == 3


def test_a_name_that_cannot_be_written_is_told_in_words_that_can():
    """
    What the model reads can always be sent, whatever the name that came.
    """
    run = weather()[1].run({"name": "\ud800\n", "arguments": {}})

    assert run.text.encode().splitlines()[0] == b"The call of '\\ud800\\n' was not made, and nothing was applied:"


def test_arguments_that_are_no_json_are_refused():
    """
    A dict with things that JSON has no form for is refused, not guessed at.
    """
    recorder, toolset = weather()

    assert toolset.run({"city": object()}).code == "not_json"
    assert not toolset.run({"name": "get_weather", "arguments": {"city": object()}}).ok
    assert recorder.calls == []


def test_equal_shapes_are_not_chosen_between():
    """
    Two tools that both fit: nothing is called, and both are named.
    """
    called: list = []
    toolset = Toolset(
        [
            derive_block(
                lambda name: called.append(name), uid=uid, arguments={"name": {"type": "string", "required": True}}
            )
            for uid in ("open_door", "shut_door")
        ]
    )

    run = toolset.run('{"name": "x"}')

    assert (run.ok, called) == (False, [])
    assert [str(p) for p in run.problems] == [
        "$.tool: the arguments fit 'open_door' or 'shut_door'; say which is meant in 'tool'"
    ]


def test_a_tag_called_name_leaves_arguments_called_arguments_alone():
    """
    A call of the toolset's own schema is read as such, the second time as the first.
    """

    def count(arguments: dict[str, int], n: int = 1) -> int:
        """Count."""
        return sum(arguments.values()) * n

    toolset = Toolset(count, tag="name")
    call = {"name": "count", "arguments": {"x": 2, "n": 3}}

    assert problems_in(call, toolset.schema()) == []
    assert [toolset.run(call).outcome for _ in range(3)] == [5, 5, 5]
    assert [toolset.run({**call, "arguments": {}, "n": 4}).ok for _ in range(2)] == [True, True]
