"""An author's own checks of complete arguments, and the many ways to say what is wrong."""

from __future__ import annotations

from datetime import date

import pytest

from blockargs import (
    InvalidArgumentsError,
    InvalidToolsetError,
    Problem,
    Registry,
    ToolFailure,
    ToolRejected,
    Toolset,
    arg_string,
    derive_block,
    extract,
    register_type,
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
    ValueError, ToolFailure and InvalidArgumentsError are problems and are told, so that a parser can be a validator.
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


async def asks_elsewhere(arguments):
    """Look at the arguments, some time."""


@pytest.mark.parametrize("where", ["toolset", "block", "extract"])
def test_an_async_validator_is_refused_where_it_is_given(where):
    """
    A check of arguments is made at once; one that is async would never be awaited.
    """
    options = {"toolset": {"validators": {"get_weather": asks_elsewhere}}, "block": {}, "extract": {}}[where]
    block = derive_block(Recorder(), uid="get_weather", validators=[asks_elsewhere] if where == "block" else [])

    with pytest.raises(InvalidToolsetError, match="is async; look at the arguments only"):
        extract(print, "x", int, validators=asks_elsewhere) if where == "extract" else Toolset(block, **options)


def test_a_validator_that_returns_a_coroutine_refuses_and_leaves_no_warning(caplog, recwarn):
    """
    What cannot be seen at first is told to the host when it happens; the coroutine is closed.
    """
    run = weather(validators={"get_weather": lambda a: asks_elsewhere(a)})[1].run(GOOD)

    assert (run.code, list(recwarn)) == ("tool_error", [])
    assert "a validator returned coroutine" in caplog.text


def in_order(arguments):
    if arguments["low"] > arguments["high"]:
        yield "$.low", "it is above high"


def span(low: int, high: int = 5, day: date | None = None) -> tuple:
    """Build a span."""
    return low, high, day


SPAN = derive_block(span, validators=[in_order, lambda a: a.get("day") == "2026-01-01" and "a holiday"])


@pytest.mark.parametrize("day", ["2026-01-01", date(2026, 1, 1)])
def test_building_a_block_runs_its_own_validators_as_a_call_does(day):
    """
    `create` asks them after the types, of JSON, whatever form the values came in; the problems are those of a call.
    """
    given = {"low": 9, "high": 5, "day": day}
    registry = Registry([SPAN])

    with pytest.raises(InvalidArgumentsError) as caught:
        registry.create("span", **given)

    run = Toolset(SPAN).run({"name": "span", "arguments": {**given, "day": "2026-01-01"}})
    assert caught.value.problems == run.problems
    assert [str(p) for p in run.problems] == ["$.low: it is above high", "$: a holiday"]


def test_validators_of_a_block_see_valid_arguments_only_and_change_nothing():
    """
    While a type is wrong they are not asked; what they do to the arguments is lost.
    """
    seen: list = []

    def spoil(arguments):
        seen.append(dict(arguments))
        arguments.clear()

    registry = Registry([derive_block(span, validators=[spoil])])

    with pytest.raises(InvalidArgumentsError, match=r"low"):
        registry.create("span", low="x")
    assert (registry.create("span", low=1), seen) == ((1, 5, None), [{"low": 1}])


def test_a_validator_may_reject_what_is_built():
    """
    `ToolRejected` out of a block's own validator reaches who builds it.
    """

    def closed(arguments):
        raise ToolRejected("Not on Sundays.")

    with pytest.raises(ToolRejected, match="Not on Sundays"):
        Registry([derive_block(span, validators=[closed])]).create("span", low=1)


class Opaque:
    """A class of which no rule says how it is written as JSON."""


def test_a_value_without_a_json_form_reaches_a_validator_as_it_is():
    """
    What an annotation allows and JSON cannot say is not hidden from the check.
    """
    register_type(Opaque, arg_string(), lambda text: Opaque(), lambda value: 1 / 0)
    seen: list = []
    thing = Opaque()

    def hold(thing: Opaque) -> Opaque:
        """Hold a thing."""
        return thing

    registry = Registry([derive_block(hold, validators=[lambda a: seen.append(a["thing"])])])

    assert registry.create("hold", thing=thing) is thing
    assert seen == [thing]
