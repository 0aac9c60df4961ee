"""A call that fails: what the model is told, what stays with the host, and what is tried again."""

from __future__ import annotations

import logging

import pytest

from blockargs import (
    Block,
    CancelledCall,
    ToolFailure,
    ToolRejected,
    Toolset,
    derive_block,
)
from blockargs.spec import ConstructorRef
from dispatched import GOOD, Recorder, failing, weather


def test_a_declared_failure_is_told_in_its_own_words():
    """
    The text is exactly the message; code and details are readable from the run, and go to MCP's meta.
    """
    _, toolset = weather(failing(retryable=True))

    run = toolset.run(GOOD)

    assert (run.ok, run.text, run.structured, run.code, run.details) == (
        False,
        "key is required",
        None,
        "missing_key",
        {"key": ""},
    )
    assert (run.outcome.code, run.outcome.details, run.outcome.retryable) == ("missing_key", {"key": ""}, True)
    assert run.to_message("mcp") == {
        "content": [{"type": "text", "text": "key is required"}],
        "isError": True,
        "_meta": {"blockargs/code": "missing_key", "blockargs/details": {"key": ""}},
    }


@pytest.mark.parametrize(("retries", "retryable", "times"), [(2, True, 3), (2, False, 1), (0, True, 1)])
def test_only_a_retryable_failure_is_tried_again(retries, retryable, times):
    """
    With `retries=2` a retryable failure is called three times, another once; validation is not repeated.
    """
    checked: list = []
    recorder, toolset = weather(
        failing(retryable=retryable), retries=retries, validators={"get_weather": checked.append}
    )

    run = toolset.run(GOOD)

    assert (len(recorder.calls), run.attempts, run.ok, len(checked)) == (times, times, False, 1)


def test_a_retry_that_succeeds_is_a_success():
    """
    The second attempt's result is the result.
    """
    recorder, toolset = weather(failing(retryable=True), "sunny", retries=1)

    run = toolset.run(GOOD)

    assert (run.ok, run.text, run.attempts, len(recorder.calls)) == (True, "sunny", 2, 2)


def test_every_attempt_gets_the_arguments_as_they_were():
    """
    A constructor that changes its list does not change what the next attempt, or the run, sees.
    """
    seen: list = []

    def sort(values: list[int]) -> str:
        seen.append(list(values))
        values.clear()
        raise failing(retryable=True)

    run = Toolset(sort, retries=1).run({"name": "sort", "arguments": {"values": [2, 1]}})

    assert (seen, run.call.arguments) == ([[2, 1], [2, 1]], {"values": [2, 1]})


def test_a_rejected_call_is_never_tried_again():
    """
    `ToolRejected` ends it, whatever `retries` says.
    """
    recorder, toolset = weather(ToolRejected("Not on Sundays."), retries=5)

    run = toolset.run(GOOD)

    assert (run.ok, run.text, run.code, len(recorder.calls)) == (
        False,
        "Tool call rejected. Not on Sundays.",
        "tool_rejected",
        1,
    )


@pytest.mark.parametrize("failure", [failing(), ToolRejected("no")])
def test_a_failure_may_also_be_returned(failure):
    """
    `return ToolFailure(…)` means what raising it means.
    """

    class Returns(Recorder):
        def __call__(self, city: str, days: int = 1):
            return failure

    run = Toolset(derive_block(Returns(), uid="get_weather")).run(GOOD)

    assert (run.ok, run.text, run.outcome) == (False, str(failure), failure)


def test_an_undeclared_exception_is_opaque_for_the_model_and_whole_for_the_host(caplog):
    """
    The model learns that it failed and a number; the traceback, with that number, is in the host's log.
    """
    _, toolset = weather(RuntimeError("password=hunter2 at /home/joe/db.py"))

    with caplog.at_level(logging.ERROR, "blockargs"):
        run = toolset.run(GOOD)

    number = run.meta["blockargs/error_id"]
    assert (run.ok, run.code, run.text) == (
        False,
        "tool_error",
        f"The tool failed; nothing more can be said (error {number}).",
    )
    assert "hunter2" not in str([run.record(), run.to_message("mcp"), run.to_message("openai", call_id="c")])
    assert number in caplog.text
    assert "hunter2" in caplog.text


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (ValueError("days must be even"), "days must be even"),
        (KeyError("no row 7"), "no row 7"),
        (ValueError(), "The tool failed: ValueError."),
        (FileNotFoundError(2, "No such file or directory", "/home/joe/a.csv"), "No such file or directory"),
        (ValueError("x" * 3000), "x" * 2000 + "…"),
    ],
)
def test_what_the_author_said_may_be_told_is_told(fault, text):
    """
    Exceptions named in `tells=` speak for themselves, but never of the host's files.
    """
    for options in ({"tells": (ValueError, LookupError, OSError)}, {"tells": ValueError}):
        run = weather(fault, **options)[1].run(GOOD)
        if isinstance(fault, options["tells"]):
            assert (run.ok, run.code, run.text) == (False, "tool_error", text)


def test_a_block_tells_its_own_exceptions_too():
    """
    `tells` may stand on the block.
    """
    assert (
        Toolset(derive_block(Recorder(ValueError("odd")), uid="get_weather", tells=[ValueError])).run(GOOD).text
        == "odd"
    )


def test_an_exception_that_cannot_speak_is_told_by_its_class():
    """
    An exception whose text fails does not take the host down.
    """

    class Mute(ValueError):
        def __str__(self):
            raise RuntimeError

    assert weather(Mute(), tells=ValueError)[1].run(GOOD).text == "The tool failed: Mute."


def test_sys_exit_in_a_constructor_does_not_end_its_host():
    """
    A tool that calls `sys.exit()` fails like any other.
    """
    assert weather(SystemExit(3))[1].run(GOOD).code == "tool_error"


def test_ctrl_c_still_ends_the_host():
    """
    A keyboard interrupt is the host's own affair and passes through.
    """
    with pytest.raises(KeyboardInterrupt):
        weather(KeyboardInterrupt())[1].run(GOOD)


def test_stop_iteration_in_a_constructor_is_a_failure_like_any_other():
    """
    No exception of a constructor can confuse the dispatch.
    """
    assert weather(StopIteration("x"))[1].run(GOOD).code == "tool_error"
    assert weather(StopIteration("x"), retries=1)[1].run(GOOD).code == "tool_error"


def test_a_cancelled_call_says_so():
    """
    A constructor that stops because nobody waits is reported as cancelled, and not tried again.
    """
    run = weather(CancelledCall(), retries=3)[1].run(GOOD)

    assert (run.ok, run.code, run.text, run.attempts) == (False, "cancelled", "The call was cancelled.", 1)


def test_details_that_are_no_json_stay_with_the_host(caplog):
    """
    Details go to the client only as JSON.
    """
    _, toolset = weather(ToolFailure("odd", "odd", {"x": object()}))

    run = toolset.run(GOOD)

    assert (run.details, run.outcome.details["x"].__class__) == (None, object)
    assert "details of a ToolFailure are no JSON" in caplog.text


def test_a_block_without_constructor_can_be_checked_but_not_called():
    """
    Imported tools have no constructor: the call is refused in words.
    """
    toolset = Toolset(Block(uid="far", kind="tool"))

    assert toolset.check({"name": "far", "arguments": {}}).ok
    run = toolset.run({"name": "far", "arguments": {}})
    said = "it is metadata only: no constructor was declared; add `constructor: package.module:name` to its declaration"
    assert (run.ok, run.attempts, run.text) == (False, 0, f"$: {said}")


def test_a_constructor_is_imported_when_it_is_first_called(caplog):
    """
    A constructor that is only named is loaded on demand; one that is not there is a failure, not a crash.
    """
    fill, gone = (Block(uid=name, constructor=ConstructorRef(f"textwrap:{name}")) for name in ("fill", "gone"))
    toolset = Toolset([fill, gone])

    told = toolset.run({"name": "gone", "arguments": {}})
    assert (told.ok, told.attempts, told.code) == (False, 0, "tool_error")
    assert "cannot be loaded" in caplog.text
    assert toolset.run({"name": "fill", "arguments": {}}).code == "tool_error"  # it needs a text
    assert toolset.run({"name": "fill", "arguments": {}}).attempts == 1
