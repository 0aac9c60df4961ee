"""Running a call: chosen, decoded, injected, called exactly once, and told in the model's words."""

from __future__ import annotations

import functools
import logging
from collections import OrderedDict
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from blockargs import (
    Block,
    Cancellation,
    CancelledCall,
    Context,
    InvalidArgumentsError,
    Logger,
    Problem,
    Progress,
    ToolContent,
    ToolFailure,
    ToolRejected,
    Toolset,
    arg_integer,
    derive_block,
    new_block_arg,
    register_type,
)
from blockargs.dispatch import Call, Effect, Image
from blockargs.spec import ConstructorRef


class Recorder:
    """A tool that remembers how it was called."""

    def __init__(self, *answers):
        self.calls: list = []
        self.answers = list(answers)

    def __call__(self, city: str, days: int = 1):
        """Tell the weather."""
        self.calls.append((city, days))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer


def weather(*answers, **block):
    """Return a recorder and the toolset that offers it as `get_weather`."""
    options = {
        k: block.pop(k) for k in list(block) if k in ("retries", "validators", "tells", "before", "after", "strict")
    }
    recorder = Recorder(*(answers or ("sunny",)))
    return recorder, Toolset(derive_block(recorder, uid="get_weather", kind="tool", **block), **options)


GOOD = {"name": "get_weather", "arguments": {"city": "PAR", "days": 2}}


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
    assert "nothing was applied" in run.text.lower()
    assert all(str(p) in run.text for p in run.problems)
    assert recorder.calls == []


def test_an_unknown_tool_names_the_near_ones():
    """
    The text has a did-you-mean, or the list of tools.
    """
    _, toolset = weather()

    assert "did you mean 'get_weather'?" in toolset.run({"name": "get_wether", "arguments": {}}).text
    assert "the tools are 'get_weather'" in toolset.run({"name": "zzz", "arguments": {}}).text


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


@pytest.mark.parametrize("thing", [3, None, object(), [1]])
def test_what_is_no_call_at_all_is_the_hosts_mistake(thing):
    """
    A host that passes something else gets a TypeError that says what to pass.
    """
    with pytest.raises(TypeError, match="is no call; pass text"):
        weather()[1].run(thing)


def test_arguments_that_are_no_json_are_refused():
    """
    A dict with things that JSON has no form for is refused, not guessed at.
    """
    recorder, toolset = weather()

    assert toolset.run({"city": object()}).code == "no_json"
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

    assert called == []
    assert not run.ok
    assert "open_door" in run.text
    assert "shut_door" in run.text


# ------------------------------------------------------------------ failures


def failing(**known):
    return ToolFailure("missing_key", "key is required", {"key": ""}, **known)


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


def test_our_own_errors_are_told_without_the_file_they_are_about():
    """
    A problem that a constructor raises reaches the model with its path, not with its source.
    """
    problem = Problem(code="too_far", path="$.days", message="9 days is too far", hint="ask for at most 7")
    _, toolset = weather(InvalidArgumentsError([problem], "block 'x' (/home/joe/blocks.yml:7)"))

    run = toolset.run(GOOD)

    assert (run.text, run.code, run.problems) == (
        "$.days: 9 days is too far; ask for at most 7",
        "arguments_invalid",
        (problem,),
    )


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
    assert (run.ok, run.attempts) == (False, 0)
    assert "no constructor" in run.text


def test_a_constructor_is_imported_when_it_is_first_called(caplog):
    """
    A constructor that is only named is loaded on demand; one that is not there is a failure, not a crash.
    """
    fill, gone = (Block(uid=name, constructor=ConstructorRef(f"textwrap:{name}")) for name in ("fill", "gone"))
    toolset = Toolset([fill, gone])

    told = toolset.run({"name": "gone", "arguments": {}})
    assert (told.ok, told.attempts, "cannot be loaded" in told.text) == (False, 0, True)
    assert toolset.run({"name": "fill", "arguments": {}}).code == "tool_error"  # it needs a text
    assert toolset.run({"name": "fill", "arguments": {}}).attempts == 1


# ------------------------------------------------------------------ validators


def too_long(arguments):
    if arguments["days"] > 7:
        yield "$.days", "more than a week is a guess"


@pytest.mark.parametrize(
    ("check", "problems"),
    [
        (too_long, [("$.days", "more than a week is a guess")]),
        (lambda a: [Problem(code="mine", path="$.days", message="m")], [("$.days", "m")]),
        (lambda a: Problem(code="mine", path="$.days", message="m"), [("$.days", "m")]),
        (lambda a: ("days", "too many"), [("$.days", "too many")]),
        (lambda a: ("[0].x", "odd"), [("$[0].x", "odd")]),
        (lambda a: {"days": "too many", "$.city": "too far"}, [("$.days", "too many"), ("$.city", "too far")]),
        (lambda a: "The days do not fit the city.", [("$", "The days do not fit the city.")]),
        (lambda a: ("The days are odd.", "The city too."), [("$", "The days are odd."), ("$", "The city too.")]),
        (lambda a: False, [("$", "the arguments are refused")]),
        ([too_long, lambda a: "and so on"], [("$.days", "more than a week is a guess"), ("$", "and so on")]),
    ],
)
def test_a_validator_may_say_it_as_it_likes(check, problems):
    """
    Problems, pairs, a mapping, sentences or False: all become problems with a path, and nothing is called.
    """
    recorder, toolset = weather(validators={"get_weather": check})

    run = toolset.run({"name": "get_weather", "arguments": {"city": "PAR", "days": 9}})

    assert [(p.path, p.message) for p in run.problems] == problems
    assert (run.code, recorder.calls) == ("arguments_invalid", [])


@pytest.mark.parametrize("answer", [None, True, "", [], (), {}])
def test_a_validator_that_finds_nothing_lets_the_call_through(answer):
    """
    None, True and nothing at all mean that all is well.
    """
    assert weather(validators={"get_weather": lambda a: answer})[1].run(GOOD).ok


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        (ValueError("too many"), ("semantic", "$", "too many")),
        (ValueError(), ("semantic", "$", "the arguments are refused")),
        (ToolFailure("too_many", "too many"), ("too_many", "$", "too many")),
        (InvalidArgumentsError([Problem(code="c", path="$.days", message="m")]), ("c", "$.days", "m")),
    ],
)
def test_a_validator_may_also_raise(fault, problem):
    """
    ValueError, ToolFailure and our own errors are problems, so that a parser can be a validator.
    """

    def check(arguments):
        raise fault

    recorder, toolset = weather(validators={"get_weather": check})
    run = toolset.run(GOOD)

    assert [(p.code, p.path, p.message) for p in run.problems] == [problem]
    assert recorder.calls == []


@pytest.mark.parametrize("check", [lambda a: 1 / 0, lambda a: 3])
def test_a_broken_validator_refuses_and_tells_the_host(check, caplog):
    """
    A check that fails itself lets nothing through; why is for the host's log.
    """
    recorder, toolset = weather(validators={"get_weather": check})

    run = toolset.run(GOOD)

    assert (run.ok, run.code, recorder.calls) == (False, "tool_error", [])
    assert "Traceback" in caplog.text


def test_validators_come_from_the_block_and_from_the_toolset():
    """
    The block's own run first; by wire name or uid both are found; what they change is a copy.
    """
    order: list = []

    def spoil(arguments):
        order.append("block")
        arguments["days"] = 99

    recorder = Recorder("sunny")
    block = derive_block(recorder, uid="get_weather", wire_name="weather", validators=[spoil])
    toolset = Toolset(
        block, validators={"weather": lambda a: order.append(a["days"]), "get_weather": lambda a: order.append("uid")}
    )

    assert toolset.run({"name": "weather", "arguments": {"city": "PAR", "days": 2}}).ok
    assert (order, recorder.calls) == (["block", 2, "uid"], [("PAR", 2)])


# ------------------------------------------------------------------ hooks


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
    recorder, toolset = weather(before=Recorder_hook(answer), after=seen.append)

    run = toolset.run(GOOD)

    assert (run.ok, run.code, run.text, recorder.calls) == (False, "tool_rejected", text, [])
    assert seen == [run]


def Recorder_hook(answer):
    def hook(_):
        if isinstance(answer, BaseException):
            raise answer
        return answer

    return hook


def test_a_broken_hook_before_keeps_the_call_from_being_made(caplog):
    """
    What could not be approved is not called.
    """
    recorder, toolset = weather(before=Recorder_hook(RuntimeError("secret")))

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
        recorder, toolset = weather("Joe lives here", after=Recorder_hook(fault))
        run = toolset.run(GOOD)
        assert run.text.startswith(text)
        assert (run.ok, run.structured, len(recorder.calls)) == (False, None, 1)
        assert "Joe" not in str(run.record())


# ------------------------------------------------------------------ results


@dataclass
class Weather:
    temperature: int
    condition: str


def reporting(result, annotation=None, **block):
    def report():
        return result

    if annotation is not None:
        report.__annotations__["return"] = annotation
    return Toolset(derive_block(report, kind="tool", **block)).run({"name": "report", "arguments": {}})


@pytest.mark.parametrize(
    ("result", "annotation", "text", "content", "structured"),
    [
        (
            Weather(16, "cloudy"),
            Weather,
            '{"temperature": 16, "condition": "cloudy"}',
            {"temperature": 16, "condition": "cloudy"},
            True,
        ),
        ("fine", str, "fine", "fine", True),
        ("fine", None, "fine", "fine", False),
        (16, int, "16", 16, True),
        (16, None, "16", 16, False),
        ([1, 2], list[int], "[1, 2]", [1, 2], True),
        ({"é": 1}, None, '{"é": 1}', {"é": 1}, True),
        ((1, 2), None, "[1, 2]", [1, 2], True),
        (None, None, "", None, False),
        (True, bool, "true", True, True),
        (False, None, "false", False, False),
        (2**64, int, "18446744073709551616", 2**64, True),
    ],
)
def test_results_are_text_or_json_of_their_declared_type(result, annotation, text, content, structured):
    """
    Text stays text; anything else is JSON; what has a declared type, or is an object or list, is structured too.
    """
    run = reporting(result, annotation)

    assert (run.ok, run.text, run.content, run.structured) == (True, text, content, content if structured else None)
    assert run.outcome is result


@pytest.mark.parametrize(
    ("result", "annotation"),
    [
        (Weather("x", "cloudy"), Weather),
        ({"temperature": 16}, Weather),
        ("16", int),
        (None, str),
        (float("nan"), float),
    ],
)
def test_a_result_that_breaks_its_promise_is_an_error_and_is_never_sent(result, annotation, caplog):
    """
    What does not fit the declared type does not go out: the model learns that it ran, the host learns why.
    """
    run = reporting(result, annotation)

    assert (run.ok, run.code, run.structured) == (False, "invalid_output", None)
    assert run.text == "The tool has run, but its result is not of its declared form and is not shown."
    assert "the result is not sent" in caplog.text
    assert run.problems


@pytest.mark.parametrize("result", [object(), print, {"x": object()}, [float("inf")], {1: 2}])
def test_a_result_that_has_no_json_form_is_an_error(result, caplog):
    """
    A tool that returns what cannot be written as JSON is told to its host.
    """
    assert reporting(result).code == "invalid_output"


def test_explicit_content_goes_out_as_it_is():
    """
    `ToolContent` decides text, pictures, structured JSON, error mark and meta by itself.
    """
    picture = Image(b"x", "image/png")
    run = reporting(ToolContent("Look:", picture, structured={"n": 1}, meta={"own": 1}))

    assert (run.ok, run.parts[1], run.structured, run.content, run.meta) == (
        True,
        picture,
        {"n": 1},
        {"n": 1},
        {"own": 1},
    )
    bad = reporting(ToolContent("no", is_error=True))
    assert (bad.ok, bad.code, bad.text, bad.content) == (False, "tool_error", "no", "no")


def test_explicit_structured_content_must_keep_the_promise_too():
    """
    A declared output type holds for the structured part, unless the content is an error.
    """
    kept = {"output_schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}

    assert reporting(ToolContent("x", structured={"n": 1}), **kept).ok
    assert reporting(ToolContent("x", structured={"n": "1"}), **kept).code == "invalid_output"
    assert reporting(ToolContent("x", structured={"n": object()})).code == "invalid_output"
    assert reporting(ToolContent("x", is_error=True), **kept).code == "tool_error"


@dataclass
class Head:
    """Keep rows."""

    n: int = 5


def test_a_built_block_stays_with_the_host():
    """
    The host gets the object, the model learns what was built.
    """
    run = Toolset(Head).run({"name": "head", "arguments": {"n": 3}})

    assert (run.outcome, run.text) == (Head(3), "Built 'head' with {\"n\": 3}.")
    assert (run.content, run.structured) == ({"block": "head", "arguments": {"n": 3}}, None)


@pytest.mark.parametrize(
    "hook",
    [
        lambda head, call: Effect(effect=f"keeps {head.n}", preview=[1]),
        lambda head, call: {"effect": f"keeps {head.n}", "preview": [1]},
    ],
)
def test_a_hook_per_class_tells_effect_and_preview(hook):
    """
    `effects={Head: hook}` replaces the bare fact with effect and preview; subclasses are covered.
    """

    class Deep(Head):
        pass

    for cls in (Head, Deep):
        run = Toolset(derive_block(cls, uid="head"), effects={Head: hook}).run({"name": "head", "arguments": {"n": 3}})
        assert (run.text, run.content) == ("keeps 3\n[1]", {"effect": "keeps 3", "preview": [1]})


def test_a_hook_may_say_one_sentence_and_must_say_something():
    """
    A sentence is an effect; anything else is the host's mistake, and opaque for the model.
    """
    call = {"name": "head", "arguments": {}}

    assert Toolset(Head, effects={Head: lambda h, c: "keeps rows"}).run(call).content == {"effect": "keeps rows"}
    assert Toolset(Head, effects={Head: lambda h, c: 3}).run(call).code == "tool_error"
    assert (
        Toolset(Head, effects={Head: lambda h, c: Effect(effect="x", preview=object())}).run(call).code
        == "invalid_output"
    )


def test_a_hook_beside_a_declared_type_keeps_the_structured_result():
    """
    The hook speaks, the structured JSON stays what was promised.
    """

    def report() -> Weather:
        return Weather(16, "cloudy")

    run = Toolset(derive_block(report, kind="tool"), effects={Weather: lambda w, c: "a mild day"}).run(
        {"name": "report", "arguments": {}}
    )

    assert (run.text, run.structured) == ("a mild day", {"temperature": 16, "condition": "cloudy"})


def test_a_generator_is_run_to_its_end():
    """
    A constructor that yields gives the list of what it yields.
    """

    def count(n: int):
        yield from range(n)

    assert Toolset(derive_block(count, kind="tool")).run({"name": "count", "arguments": {"n": 3}}).content == [0, 1, 2]


# ------------------------------------------------------------------ helpers


def audit(message: str, context: Context, progress: Progress, cancellation: Cancellation, logger: Logger) -> str:
    context.log("info", message)
    logger.error("e")
    progress.report(1, 2)
    return f"{context.request_id} {context.remaining()} {cancellation.cancelled}"


def test_helpers_are_filled_in_by_annotation():
    """
    What a constructor asks for by annotation it gets; the schema has only its own arguments.
    """
    lines, steps = [], []
    given = {
        Context: Context(request_id="r1", logger=Logger(lambda *line: lines.append(line))),
        Progress: Progress(lambda *step: steps.append(step)),
        Cancellation: Cancellation(lambda: True),
        Logger: Logger(lambda *line: lines.append(line)),
    }
    toolset = Toolset(audit)

    run = toolset.run({"name": "audit", "arguments": {"message": "hi"}}, helpers=given)

    assert run.text == "r1 None True"
    assert (lines, steps) == ([("info", "hi"), ("error", "e")], [(1, 2, None)])
    assert list(toolset.schema()["properties"]) == ["tool", "message"]


def test_helpers_that_nobody_gave_are_inert():
    """
    A constructor with helpers runs without a host that listens; a context knows the provider's call id.
    """
    call = {"type": "tool_use", "id": "c7", "name": "audit", "input": {"message": "hi"}}

    assert Toolset(audit).run(call).text == "c7 None False"
    assert Toolset(audit).run(call, helpers={Progress: Progress()}).ok


def test_progress_never_goes_back_when_a_call_is_tried_again():
    """
    A second attempt starts its report anew; the caller sees only what is further on.
    """
    steps: list = []
    attempts: list = []

    def slow(progress: Progress) -> str:
        attempts.append(1)
        for step in range(len(attempts) + 1):
            progress.report(step)
        if len(attempts) == 1:
            raise ToolFailure("busy", "busy", retryable=True)
        return "done"

    Toolset(slow, retries=1).run(
        {"name": "slow", "arguments": {}}, helpers={Progress: Progress(lambda p, *_: steps.append(p))}
    )

    assert steps == [0, 1, 2]


# ------------------------------------------------------------------ several calls, checks


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


def test_a_check_constructs_and_hands_nothing_out():
    """
    `check` builds a block to see that it can be built, tells its effect, and lets it go.
    """
    built: list = []

    def head(n: int):
        """Keep rows."""
        built.append(n)
        return Head(n)

    toolset = Toolset(
        derive_block(head), effects={Head: lambda h, c: Effect(effect=f"keeps {h.n}", preview=[h.n], unchanged=True)}
    )
    run = toolset.check({"name": "head", "arguments": {"n": 3}})

    assert (run.ok, run.outcome, built) == (True, None, [3])
    assert run.content == {"ok": True, "effect": "keeps 3", "preview": [3], "unchanged": True}
    assert run.text == "The call of 'head' is valid; nothing was applied. UNCHANGED: keeps 3\n[3]"


def test_a_check_says_why_a_block_cannot_be_built():
    """
    What the constructor declares is told, as in a run.
    """

    def head(n: int):
        """Keep rows."""
        raise ToolFailure("too_few", "n must be above 0")

    run = Toolset(derive_block(head)).check({"name": "head", "arguments": {"n": 0}})
    plain = Toolset(Head).check({"name": "head", "arguments": {"n": 0}})

    assert (run.ok, run.text, run.code) == (False, "n must be above 0", "too_few")
    assert plain.content == {"ok": True, "effect": "It would build 'head'."}
    assert not Toolset(Head).check({"name": "head", "arguments": {"n": "x"}}).ok


def test_a_check_never_calls_a_tool():
    """
    What does something is not done to see whether it could be.
    """
    recorder, toolset = weather(before=Recorder_hook(ToolRejected("no")))

    run = toolset.check(GOOD)

    assert (run.ok, run.text, recorder.calls) == (True, "The call of 'get_weather' is valid; nothing was called.", [])


def test_a_check_reports_a_result_that_could_not_be_told(caplog):
    """
    A block whose effect cannot be told fails the check.
    """
    run = Toolset(Head, effects={Head: lambda h, c: 3}).check({"name": "head", "arguments": {}})

    assert (run.ok, run.outcome) == (False, None)


def test_the_call_a_run_tells_of_is_a_value():
    """
    Calls compare by what they are, so that a log can be searched.
    """
    assert Toolset(Head).run({"name": "head", "arguments": {}}).call == Call("head", "head", {})


@dataclass
class Span:
    """A span of rows."""

    first: int
    last: int

    def __post_init__(self):
        if self.first > self.last:
            raise ValueError("first is above last")


def test_what_an_annotation_refuses_is_a_problem_of_the_arguments():
    """
    A class that refuses its values is told with its path before anything is called, and holds its siblings back.
    """
    called: list = []

    def cut(span: Span, days: int = 1) -> str:
        called.append(span)
        return "done"

    toolset = Toolset(derive_block(cut, kind="tool"), validators={"cut": lambda a: None}, retries=1)
    bad = {"name": "cut", "arguments": {"span": {"first": 3, "last": 1}}}
    good = {"name": "cut", "arguments": {"span": {"first": 1, "last": 3}}}

    run = toolset.run(bad)
    assert (run.code, [p.path for p in run.problems], run.attempts) == ("arguments_invalid", ["$.span"], 0)
    assert "first is above last" in run.text
    assert [r.code for r in toolset.run_all([good, bad])] == ["not_made", "arguments_invalid"]
    assert called == []
    assert toolset.run(good).outcome == "done"
    assert called == [Span(1, 3)]


class Even(int):
    """An even number."""


def even(n):
    if n % 2:
        raise ValueError("odd")
    return Even(n)


register_type(Even, arg_integer(), even, int)


def halve(n: Even) -> int:
    return n // 2


def test_a_plain_value_that_an_annotation_refuses_is_refused_each_time():
    """
    The short way of a plain call refuses as the long way does.
    """

    toolset = Toolset(derive_block(halve, kind="tool"))

    assert [toolset.run({"name": "halve", "arguments": {"n": n}}).ok for n in (4, 3, 4, 3)] == [
        True,
        False,
        True,
        False,
    ]


def test_a_partial_and_its_kin_are_called_as_what_they_are():
    """
    Wrapping an async generator in a partial does not hide what it is.
    """

    async def count(n: int, step: int):
        for i in range(n):
            yield i * step

    toolset = Toolset(derive_block(functools.partial(count, step=2), uid="count", kind="tool"))

    assert toolset.run({"name": "count", "arguments": {"n": 3}}).content == [0, 2, 4]


def test_lists_and_records_inside_arguments_are_shared_with_nobody():
    """
    A constructor that changes what it got changes neither the caller's call nor the run.
    """

    def spoil(rows: list[dict[str, int]], extra: dict[str, list[int]]) -> str:
        rows[0]["a"] = 99
        extra["x"].append(99)
        return "spoilt"

    class Count(int):
        """A number of its own kind."""

    call = {"name": "spoil", "arguments": {"rows": [OrderedDict(a=1)], "extra": {"x": [Count(1)]}}}
    toolset = Toolset(derive_block(spoil, kind="tool"))

    for _ in range(2):
        assert toolset.run(call).call.arguments == {"rows": [{"a": 1}], "extra": {"x": [1]}}


def test_null_is_left_out_kept_or_refused_as_the_signature_says():
    """
    Null for an optional argument means left out, and is noted; a nullable one gets None; a required one refuses it.
    """
    seen: list = []

    def look(city: str, days: int = 3, note: str | None = "none") -> str:
        seen.append((city, days, note))
        return "ok"

    toolset = Toolset(derive_block(look, kind="tool"))

    run = toolset.run({"name": "look", "arguments": {"city": "PAR", "days": None, "note": None}})
    assert (seen, [n.path for n in run.notes]) == ([("PAR", 3, None)], ["$.days"])
    assert [p.path for p in toolset.run({"name": "look", "arguments": {"city": None}}).problems] == ["$.city"]
    assert len(seen) == 1


def test_an_alias_reaches_its_argument():
    """
    Another name that the author declared is read as the argument's own.
    """
    block = derive_block(
        Recorder("sunny"),
        uid="get_weather",
        arguments={"city": new_block_arg("Where", type="string", aliases=["town"])},
    )

    run = Toolset(block).run({"name": "get_weather", "arguments": {"town": "PAR"}})

    assert (run.ok, run.call.arguments) == (True, {"city": "PAR"})


def test_a_call_inside_a_call_is_not_unwrapped():
    """
    Arguments of a named call go as given: envelopes are undone in text only.
    """
    recorder, toolset = weather()

    run = toolset.run({"name": "get_weather", "arguments": {"name": "get_weather", "arguments": {"city": "PAR"}}})

    assert (run.ok, recorder.calls) == (False, [])


def test_a_number_too_long_to_write_is_a_failure_not_a_crash(caplog):
    """
    Python refuses to write numbers of more than some thousand digits; the run says that it failed.
    """
    assert reporting(10**5000).ok is False
