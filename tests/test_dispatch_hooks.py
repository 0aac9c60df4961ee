"""Hooks before and after a call: they approve, reject and withhold."""

from __future__ import annotations

import pytest

from blockargs import (
    ToolRejected,
)
from dispatched import GOOD, hook_answering, weather


def test_hooks_see_the_call_before_and_the_run_after():
    """
    `before` gets the call, `after` the run; neither can change what is called.
    """
    seen: list = []

    def before(call):
        seen.append(call)
        call.arguments["city"] = "NOWHERE"

    recorder, toolset = weather(before=before, after=[seen.append, lambda run: None])
    run = toolset.run(GOOD)

    assert [seen[0].uid, seen[1]] == ["get_weather", run]
    assert recorder.calls == [("PAR", 2)]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (ToolRejected("Ask Joe first."), "Tool call rejected. Ask Joe first."),
        (False, "Tool call rejected. It was not approved."),
    ],
)
def test_a_hook_before_can_reject(answer, text):
    """
    Raising ToolRejected, or returning False, keeps the call from being made; hooks after it see the rejection.
    """
    seen: list = []
    recorder, toolset = weather(before=hook_answering(answer), after=seen.append)

    run = toolset.run(GOOD)

    assert (run.ok, run.code, run.text, recorder.calls) == (False, "tool_rejected", text, [])
    assert seen == [run]


def test_a_broken_hook_before_keeps_the_call_from_being_made(caplog):
    """
    What could not be approved is not called.
    """
    recorder, toolset = weather(before=hook_answering(RuntimeError("secret")))

    run = toolset.run(GOOD)

    assert (run.ok, run.code, recorder.calls) == (False, "tool_error", [])
    assert "secret" not in run.text
    assert "secret" in caplog.text


def test_a_hook_after_can_withhold_the_result(caplog):
    """
    A result that is rejected, or that a hook could not look at, does not go out.
    """
    for fault, text in (
        (ToolRejected("It names people."), "Tool call rejected. It names people."),
        (RuntimeError("x"), "The result of the call cannot be shown"),
    ):
        recorder, toolset = weather("Joe lives here", after=hook_answering(fault))
        run = toolset.run(GOOD)
        assert run.text.startswith(text)
        assert (run.ok, run.structured, len(recorder.calls)) == (False, None, 1)
        assert "Joe" not in str(run.record())
