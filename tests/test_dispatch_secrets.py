"""What a model and a client never learn: values that are not sent, and what foreign code said of the host."""

from __future__ import annotations

import json
from typing import Any

import pytest

from blockargs import (
    Block,
    InvalidArgumentsError,
    Problem,
    Registry,
    ToolContent,
    ToolFailure,
    ToolRejected,
    Toolset,
    UnknownSourceError,
    load_registry,
    read_declarations,
)
from blockargs.dispatch.messages import MESSAGES
from blockargs.spec import ConstructorRef
from dispatched import GOOD, reporting, weather

SECRET = "hunter2-/home/bob"


class Guarded:
    """Its `repr` tells what nobody may know."""

    def __repr__(self):
        return f"<Guarded {SECRET}>"


def told(run) -> str:
    """Return all that goes out for *run*, in every dialect, and the record for logs."""
    messages = [run.to_message(dialect, call_id="c") for dialect in MESSAGES]
    return json.dumps([run.record(), messages], default=repr)


NESTED = {
    "type": "object",
    "properties": {"a b": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/row"}}]}},
    "$defs": {"row": {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False}},
}
PAIR = {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "boolean"}}


@pytest.mark.parametrize(
    ("result", "declared", "told_of_it"),
    [
        (Guarded(), {"type": "integer"}, [("$", "an integer is expected")]),
        (SECRET, {"type": "integer"}, [("$", "an integer is expected")]),
        ({"a b": [{"n": SECRET}]}, NESTED, [("$['a b'][0].n", "an integer is expected")]),
        ({"a b": [{SECRET: 1, f"{SECRET}2": 1}]}, NESTED, [("$['a b'][0]", "an object with 'n' is expected")]),
        ([SECRET, SECRET], PAIR, [("$[0]", "an integer is expected"), ("$[1]", "a boolean is expected")]),
        ({SECRET: SECRET}, {"additionalProperties": {"type": "integer"}}, None),
        (
            {"n": SECRET},
            {"allOf": [True, {"properties": {"n": {"type": "integer"}}}]},
            [("$.n", "an integer is expected")],
        ),
        ({"x": SECRET}, {"properties": {"x": False}}, [("$.x", "nothing is expected")]),
        (Guarded(), None, [("$", "JSON is expected")]),
        ({"x": {SECRET: Guarded()}}, None, [("$", "JSON is expected")]),
        (ToolContent("x", structured={"x": Guarded()}), None, [("$", "JSON is expected")]),
        (ToolContent("x", meta={"x": Guarded()}), None, [("$", "JSON is expected")]),
    ],
)
def test_of_an_invalid_output_only_the_place_and_the_expected_type_are_told(result, declared, told_of_it, caplog):
    """
    An invalid output is an error and is never sent: no part of it stands in a message; the host's log has it whole.
    """
    run = reporting(result, **({} if declared is None else {"output_schema": declared}))

    assert (run.ok, run.code, SECRET in told(run)) == (False, "invalid_output", False)
    assert told_of_it in (None, [(p.path, p.message) for p in run.problems])
    assert SECRET in caplog.text


def register_one_that_fails() -> None:
    """Register a block whose constructor tells a secret."""

    def one(a: int = 1) -> None:
        raise ValueError(SECRET)

    Registry().register(one, description="One.", examples=[{"a": 1}])


PROBLEM = Problem(code="too_far", path="$.days", message="9 days is too far", hint="ask for at most 7")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (lambda: load_registry("/home/bob/x.yml"), "source_unknown"),
        (lambda: load_registry("nowhere_at_all:attr"), "source_unknown"),
        (register_one_that_fails, "block_example_invalid"),
        (lambda: Registry().create("/home/bob/x"), "block_unknown"),
        (lambda: read_declarations("head: {nme: x}", file="/home/bob/x.yml"), "block_declaration_invalid"),
    ],
)
def test_an_error_of_this_package_out_of_a_constructor_is_told_without_paths(body, code):
    """
    What a constructor says with an error of this package is meant for callers; where files of the host lie is not.
    """

    def work() -> Any:
        body()

    run = Toolset(work).run({"name": "work", "arguments": {}})

    assert (run.code, "/home" in told(run)) == (code, False)
    assert run.text == "\n".join(str(p) for p in run.problems) != ""


def test_a_problem_that_a_constructor_raises_is_told_as_it_is():
    """
    A problem reaches the model with its path and its cure, but never what it is about: that names files.
    """
    fault = InvalidArgumentsError([PROBLEM], "block 'x' (/etc/blocks.yml:7)")

    run = weather(fault)[1].run(GOOD)

    assert (run.text, run.code, run.problems) == (str(PROBLEM), "arguments_invalid", (PROBLEM,))


@pytest.mark.parametrize("fault", [UnknownSourceError(SECRET), RuntimeError(SECRET), OSError(2, "gone", SECRET)])
def test_a_validator_that_fails_in_another_way_is_opaque(fault, caplog):
    """
    Of what a validator raises only a ValueError, a ToolFailure, a ToolRejected and an InvalidArgumentsError are told.
    """

    def check(arguments):
        raise fault

    run = weather(validators={"get_weather": check})[1].run(GOOD)

    assert (run.code, SECRET in told(run), SECRET in caplog.text) == ("tool_error", False, True)


def test_a_validator_may_reject_the_call():
    """
    `ToolRejected` in a validator is a rejection, no fault of the arguments.
    """

    def check(arguments):
        raise ToolRejected("Not on Sundays.")

    run = weather(validators={"get_weather": check})[1].run(GOOD)

    assert (run.code, run.text) == ("tool_rejected", "Tool call rejected. Not on Sundays.")


def test_a_constructor_that_is_not_there_is_opaque_for_the_model(caplog):
    """
    Which module lacks which name is for the host.
    """
    run = Toolset(Block(uid="gone", constructor=ConstructorRef("textwrap:hunter2"))).run({"name": "gone"})

    assert (run.code, run.attempts, "hunter2" in told(run)) == ("tool_error", 0, False)
    assert "textwrap:hunter2" in caplog.text


def test_a_package_that_is_not_installed_is_told():
    """
    What has to be installed is no secret, and the cure.
    """
    run = Toolset(Block(uid="far", constructor=ConstructorRef("no_such_package:x"))).run({"name": "far"})

    assert (run.code, run.attempts) == ("block_dependency_missing", 0)
    assert run.text == "$: it needs 'no_such_package', which is not installed; install the package that brings it"


def test_what_a_hook_before_raises_is_opaque_unless_it_is_declared():
    """
    A hook's own errors of this package are the host's affair; a ToolFailure is told.
    """

    def hook(fault):
        def raising(call):
            raise fault

        return raising

    assert weather(before=hook(UnknownSourceError(SECRET)))[1].run(GOOD).code == "tool_error"
    assert weather(before=hook(ToolFailure("closed", "Closed.")))[1].run(GOOD).text == "Closed."
