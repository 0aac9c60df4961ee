"""Every call of a reply: in order, and none while one is wrong."""

from __future__ import annotations

import pytest

from dispatched import GOOD, failing, weather

CALLS = [GOOD, {"name": "get_weather", "arguments": {"city": "LON"}}]


def test_all_calls_of_a_reply_run_in_order():
    """
    `run_all` takes a list, a response or text; a failure of one does not keep the next from running.
    """
    recorder, toolset = weather(failing(), "sunny")

    runs = toolset.run_all(CALLS)

    assert recorder.calls == [("PAR", 2), ("LON", 1)]
    assert [r.text for r in runs] == ["key is required", "sunny"]


def test_nothing_runs_until_all_calls_are_valid():
    """
    One wrong call holds the others back: they say that they were not made.
    """
    recorder, toolset = weather()

    runs = toolset.run_all([*CALLS, {"name": "get_weather", "arguments": {}}])

    assert recorder.calls == []
    assert [(r.ok, r.code) for r in runs] == [(False, "not_made")] * 2 + [(False, "arguments_invalid")]
    assert (
        runs[0].text
        == "The call of 'get_weather' is valid, but another call of the same reply is not; nothing was applied."
    )


def test_text_with_several_calls_is_taken_in_order():
    """
    Calls written one after the other are all made.
    """
    recorder, toolset = weather()

    toolset.run_all('{"tool": "get_weather", "city": "PAR"}\n{"tool": "get_weather", "city": "LON"}')

    assert recorder.calls == [("PAR", 1), ("LON", 1)]


@pytest.mark.parametrize("reply", ["Nothing to do.", [], {"role": "assistant", "content": []}])
def test_a_reply_without_calls_is_told(reply):
    """
    No call is a failure too, never an empty list.
    """
    (run,) = weather()[1].run_all(reply)

    assert (run.ok, run.code) == (False, "no_json")


def test_a_single_call_is_a_reply_as_well():
    """
    `run_all` of one call makes it.
    """
    assert [r.ok for r in weather()[1].run_all(GOOD)] == [True]
    assert [r.ok for r in weather()[1].run_all({"choices": [{"message": {"content": '{"city": "PAR"}'}}]})] == [True]
