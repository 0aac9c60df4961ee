"""Hooks before and after a call: they approve, reject and withhold."""

from __future__ import annotations

import pytest

from blockargs import (
    ToolRejected,
    Toolset,
)
from dispatched import GOOD, Head, hook_answering, weather


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


class Falsehood:
    """Like numpy's False: it is false, and not False itself."""

    def __bool__(self):
        return False


@pytest.mark.parametrize("answer", [False, 0, "", [], Falsehood()])
def test_whatever_is_false_rejects(answer):
    """
    A hook that answers with anything false has not approved the call.
    """
    recorder, toolset = weather(before=hook_answering(answer))

    assert (toolset.run(GOOD).code, recorder.calls) == ("tool_rejected", [])


@pytest.mark.parametrize("answer", [None, True])
def test_none_and_true_let_a_call_go_on(answer):
    """
    A hook that only looks returns nothing.
    """
    assert weather(before=hook_answering(answer))[1].run(GOOD).ok


@pytest.mark.parametrize("answer", [1, "no", object(), {"approved": False}])
def test_an_answer_that_nobody_understands_keeps_the_call_from_being_made(answer, caplog):
    """
    What is neither None, True nor false is a fault of the host: nothing is called, and the log says why.
    """
    recorder, toolset = weather(before=hook_answering(answer))

    assert (toolset.run(GOOD).code, recorder.calls) == ("tool_error", [])
    assert "return None, True or False" in caplog.text


def test_what_hooks_do_to_what_they_see_reaches_nobody():
    """
    Hooks before and after, and those of effects, get copies: the caller's call, the run and its result stay as they are.
    """

    def spoil(run):
        for thing in (run.call.arguments, run.content["rows"], run.structured, run.meta):
            thing.clear()

    given = {"city": "PAR", "days": 2}
    _, toolset = weather({"rows": [1]}, after=[spoil, spoil])

    run = toolset.run({"name": "get_weather", "arguments": given})

    assert (given, run.call.arguments) == ({"city": "PAR", "days": 2}, {"city": "PAR", "days": 2})
    assert (run.content, run.structured, run.call.arguments is given) == ({"rows": [1]}, {"rows": [1]}, False)


def test_what_a_hook_of_effects_does_to_the_call_reaches_nobody():
    """
    The hook of an effect sees the call, and cannot change it.
    """
    given = {"n": 3}
    toolset = Toolset(Head, effects={Head: lambda head, call: call.arguments.clear() or "kept"})

    run = toolset.run({"name": "head", "arguments": given})

    assert (run.text, given, run.call.arguments) == ("kept", {"n": 3}, {"n": 3})
