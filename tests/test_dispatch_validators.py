"""An author's own checks of complete arguments, and the many ways to say what is wrong."""

from __future__ import annotations

import pytest

from blockargs import (
    InvalidArgumentsError,
    Problem,
    ToolFailure,
    Toolset,
    derive_block,
)
from dispatched import GOOD, Recorder, weather


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
