"""Patches: a model that was wrong sends corrections alone, and nothing else changes."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blockargs import Toolset, arg_array, arg_integer, arg_object, arg_string, extract
from blockargs.dispatch.extract import extract_async
from blockargs.dispatch.failures import refused
from blockargs.dispatch.patches import Patch, _place, _steps_of, base_of, laid_over
from blockargs.dispatch.run import Call
from blockargs.errors import AttemptsExhaustedError, InvalidToolsetError, Problem, at
from blockargs.node import json_key
from strategies import json_values

MADE: list = []


def plan_trip(stops: list[dict[str, int]], title: str, seats: int = 1) -> str:
    """Plan a trip."""
    MADE.append((stops, title, seats))
    return f"planned {title}"


def get_weather(city: str, days: int = 1) -> str:
    """Tell the weather."""
    MADE.append((city, days))
    return f"sunny in {city}"


@pytest.fixture(autouse=True)
def _nothing_made():
    MADE.clear()


TOOLS = Toolset([plan_trip, get_weather])
STOPS = [{"km": 10}, {"km": "far"}, {"km": 30}]
WRONG = {"tool": "plan_trip", "stops": STOPS, "title": "North", "seats": 2}
WANTED = "- $.stops[1].km: 'far' is a string, not an integer"
ASKED = 'Send only the corrections, as one JSON object of paths and new values: {"$.stops[1].km": …}. '


class Model:
    """Answers with what it is given, and remembers what it was asked."""

    def __init__(self, *answers):
        self.answers = [one if isinstance(one, str | list) or "choices" in one else json.dumps(one) for one in answers]
        self.asked: list = []

    def __call__(self, messages):
        self.asked.append(json.loads(json.dumps(messages)))
        return self.answers.pop(0)


def openai(*calls):
    made = [{"id": i, "type": "function", "function": {"name": n, "arguments": json.dumps(a)}} for i, n, a in calls]
    return {"choices": [{"message": {"role": "assistant", "tool_calls": made}, "finish_reason": "tool_calls"}]}


def test_a_correction_is_laid_over_what_was_sent():
    """
    The retry names the paths and asks for these alone; the rest of the arguments is that of the first answer.
    """
    model = Model(WRONG, {"$.stops[1].km": 20})

    report = TOOLS.ask(model, "Plan it.", patch=True)

    assert MADE == [([{"km": 10}, {"km": 20}, {"km": 30}], "North", 2)]
    assert model.asked[1][-1]["content"] == (
        f"The call of 'plan_trip' was not made, and nothing was applied:\n{WANTED}\n{ASKED}All else stays as it was."
    )
    assert [(n.rule, n.path, n.before, n.after) for n in report.run.notes] == [("patched", "$.stops[1].km", "far", 20)]


def test_without_the_option_all_is_asked_for_again():
    """
    A patch is no call where none was asked for.
    """
    model = Model(WRONG, {"$.stops[1].km": 20})

    report = TOOLS.ask(model, "Plan it.")

    assert (report.ok, MADE) == (False, [])
    assert model.asked[1][-1]["content"].endswith("Correct this and send the complete arguments again.")


@pytest.mark.parametrize(
    "answer",
    [
        'Sorry! Here it is:\n```json\n{"$.stops[1].km": 20}\n```',
        '{"tool": "plan_trip", "$.stops[1].km": 20}',
        '{"name": "plan_trip", "arguments": {"$.stops[1].km": 20}}',
        "{'$.stops[1].km': '20',}",
        json.dumps(WRONG).replace('"far"', "20"),
        openai(("c2", "plan_trip", {"$.stops[1].km": 20})),
    ],
    ids=["prose", "tag", "call", "damaged", "all again", "channel"],
)
def test_a_patch_may_come_as_any_call_may(answer):
    """
    In prose, with the tool's name, in a call object, damaged; and all arguments again are as good.
    """
    assert TOOLS.ask(Model(WRONG, answer), "x", patch=True).ok
    assert MADE == [([{"km": 10}, {"km": 20}, {"km": 30}], "North", 2)]


@pytest.mark.parametrize(
    ("patch", "code", "path", "message"),
    [
        ({"$.title": "South"}, "patch_elsewhere", "$", "nothing was asked about '$.title'"),
        ({"$.stops[1]": {"km": 1}}, "patch_elsewhere", "$", "nothing was asked about '$.stops[1]'"),
        ({"$.stops[1].km": 20, "$.seats": 9}, "patch_elsewhere", "$", "nothing was asked about '$.seats'"),
        ({"$.stops[9].km": 20}, "patch_elsewhere", "$", "nothing was asked about '$.stops[9].km'"),
    ],
)
def test_a_patch_of_anything_else_changes_nothing(patch, code, path, message):
    """
    What was right may not be changed on the way: the error names it, and the old problem stands beside it.
    """
    model = Model(WRONG, patch, {"$.stops[1].km": 20})

    report = TOOLS.ask(model, "x", patch=True, attempts=3)

    first, second = report.attempts[1].problems
    assert (first.code, first.path, first.message) == (code, path, message)
    assert first.hint == "correct '$.stops[1].km'"
    assert (second.path, report.ok) == ("$.stops[1].km", True)
    assert MADE == [([{"km": 10}, {"km": 20}, {"km": 30}], "North", 2)]


def test_a_correction_that_is_wrong_too_is_told_and_the_same_failure_ends_it():
    """
    A patched value is validated like any other; twice the same failure is enough.
    """
    model = Model(WRONG, {"$.stops[1].km": "farther"}, {"$.stops[1].km": 20})

    report = TOOLS.ask(model, "x", patch=True, attempts=5)

    assert (report.ok, len(model.asked), MADE) == (False, 2, [])
    assert [p.message for p in report.error.problems] == ["'farther' is a string, not an integer"]


def test_corrections_may_come_one_after_the_other():
    """
    What is corrected stays so; only the rest is asked for again.
    """
    wrong = {**WRONG, "seats": "two"}
    model = Model(wrong, {"$.seats": 2}, {"$.stops[1].km": 20})

    report = TOOLS.ask(model, "x", patch=True, attempts=3)

    assert [[p.path for p in a.problems] for a in report.attempts] == [
        ["$.stops[1].km", "$.seats"],
        ["$.stops[1].km"],
        [],
    ]
    assert (report.ok, MADE) == (True, [([{"km": 10}, {"km": 20}, {"km": 30}], "North", 2)])


def test_missing_keys_are_added_and_unknown_ones_taken_out():
    """
    A missing key is given at its path; null takes a key out that has no place.
    """
    model = Model({"tool": "get_weather", "town": 3, "days": 2}, {"$.city": "Oslo", "$.town": None})

    report = TOOLS.ask(model, "x", patch=True)

    assert (report.ok, MADE) == (True, [("Oslo", 2)])
    assert model.asked[1][-1]["content"].endswith("All else stays as it was; null takes an unknown key out.")


def test_a_key_in_another_style_is_the_key_that_is_corrected():
    """
    The path has the declared name; the value that the model wrote under its own spelling goes.
    """
    report = TOOLS.ask(Model({"tool": "get_weather", "City": "Oslo", "DAYS": "many"}, {"$.days": 2}), "x", patch=True)

    assert (report.ok, MADE) == (True, [("Oslo", 2)])


@pytest.mark.parametrize(
    "first",
    [
        "I would rather not.",
        '{"tool": "get_forecast", "city": "Oslo"}',
        '{"tool": "get_weather", "city": "Oslo", "days": "many"',
        '{"tool": "get_weather", "city": "Oslo", "days": 1, "days": 2, "more": 1}',
        '{"tool": "plan_trip", "title": "N", "stops": "[{\\"km\\": \\"far\\"}]"}',
    ],
    ids=["no call", "another tool", "cut", "twice", "inside a text"],
)
def test_what_no_path_can_correct_is_asked_for_whole(first):
    """
    No call, another tool, a text that is not whole, a key that is there twice, a value inside a text.
    """
    model = Model(first, '{"tool": "get_weather", "city": "Oslo"}')

    report = TOOLS.ask(model, "x", patch=True)

    assert model.asked[1][-1]["content"].endswith("Correct this and send the complete arguments again.")
    assert report.run.text == "sunny in Oslo"


def test_what_is_wrong_with_all_arguments_together_is_asked_for_whole():
    """
    A problem of the call as a whole has no place in it.
    """
    tools = Toolset(get_weather, validators={"get_weather": lambda a: [("$", "no")] if a["days"] > 9 else []})
    model = Model({"city": "Oslo", "days": 10}, {"city": "Oslo", "days": 9})

    assert tools.ask(model, "x", patch=True).ok
    assert model.asked[1][-1]["content"].endswith("Correct this and send the complete arguments again.")


def test_what_a_validator_finds_is_corrected_by_its_path():
    """
    The semantic problems of valid arguments have paths too.
    """
    tools = Toolset(
        get_weather, validators={"get_weather": lambda a: [("$.days", "too long")] if a["days"] > 9 else []}
    )

    report = tools.ask(Model({"city": "Oslo", "days": 10}, {"$.days": 9}), "x", patch=True)

    assert (report.ok, MADE) == (True, [("Oslo", 9)])


def test_a_correction_whose_place_is_gone_changes_nothing():
    """
    A patch that takes away what another of its corrections is about does not apply, not even in part.
    """
    found = [("$.stops", "too many"), ("$.stops[1].km", "too far")]
    tools = Toolset(plan_trip, validators={"plan_trip": lambda a: found if a["stops"] else []})
    first = {"stops": [{"km": 1}, {"km": 2}], "title": "N"}

    report = tools.ask(Model(first, {"$.stops": [], "$.stops[1].km": 3}, {"$.stops": []}), "x", patch=True, attempts=3)

    assert [(p.code, p.path) for p in report.attempts[1].problems] == [
        ("patch_not_applied", "$.stops[1].km"),
        ("semantic", "$.stops"),
        ("semantic", "$.stops[1].km"),
    ]
    assert (report.ok, MADE) == (True, [([], "N", 1)])


@pytest.mark.parametrize(
    "answer", ["[1]", '{"$.days": 2, "city": "Oslo"}', "{}", '{"$days": 2}', '{"tool": "plan_trip", "$.days": 2}']
)
def test_what_is_no_patch_of_the_call_is_read_as_a_call(answer):
    """
    Something else than an object, keys beside paths, no path at all, the name of another tool.
    """
    report = TOOLS.ask(Model({"tool": "get_weather", "city": "Oslo", "days": "x"}, answer), "x", patch=True)

    assert (report.ok, MADE) == (False, [])
    assert "patched" not in [note.rule for attempt in report.attempts for note in attempt.notes]


def test_each_wrong_call_is_corrected_on_its_own_channel():
    """
    Two wrong calls of two tools, each patched by a call of its tool; the results go back to these calls.
    """
    first = openai(
        ("c1", "plan_trip", {"stops": [], "title": []}), ("c2", "get_weather", {"city": "Oslo", "days": "x"})
    )
    second = openai(("c3", "get_weather", {"$.days": 3}), ("c4", "plan_trip", {"$.title": "East"}))

    report = TOOLS.ask(Model(first, second), "x", patch=True)

    assert (report.ok, MADE) == (True, [([], "East", 1), ("Oslo", 3)])
    assert {m["tool_call_id"]: m["content"] for m in report.messages[-2:]} == {
        "c3": "sunny in Oslo",
        "c4": "planned East",
    }


def test_a_patch_that_may_be_for_two_calls_is_none():
    """
    Of two wrong calls of one tool nothing says which is meant.
    """
    wrong = openai(("c1", "get_weather", {"city": 1.5, "days": "x"}), ("c2", "get_weather", {"city": "B", "days": "x"}))

    report = TOOLS.ask(Model(wrong, openai(("c3", "get_weather", {"$.days": 3}))), "x", patch=True)

    assert (report.ok, MADE) == (False, [])


def test_repairs_that_are_refused_are_not_forgotten():
    """
    Where repairs are refused, what needed one is asked for whole.
    """
    model = Model('{"tool": "get_weather", "city": "Oslo", "days": "many",}', '{"tool": "get_weather", "city": "Oslo"}')

    report = TOOLS.ask(model, "x", patch=True, strict=True)

    assert model.asked[1][-1]["content"].endswith("Correct this and send the complete arguments again.")
    assert report.ok


def test_what_was_repaired_before_is_still_told():
    """
    The run has the notes of the first answer, of the patch and of the corrected arguments.
    """
    report = TOOLS.ask(
        Model('{"tool": "get_weather", "city": "Oslo", "days": "many",}', "{'$.days': 2}"), "x", patch=True
    )

    assert [note.rule for note in report.run.notes] == ["trailing_comma", "single_quotes", "patched"]


def test_a_value_is_corrected_by_a_patch_too():
    """
    `extract` asks for corrections alone, at the paths of the document that was offered; so does its awaited form.
    """
    wanted = arg_object(rows=arg_array(arg_object(n=arg_integer(), unit=arg_string())))
    first, patch = {"rows": [{"n": "x", "unit": "m"}]}, {"$.rows[0].n": 4}
    value = {"rows": [{"n": 4, "unit": "m"}]}

    assert extract(Model(first, patch), "x", wanted, patch=True) == value
    assert asyncio.run(extract_async(Model(first, openai(("c", "answer", patch))), "x", wanted, patch=True)) == value
    assert extract(Model({"value": [1, "x"]}, {"$.value[1]": 2}), "x", list[int], patch=True) == [1, 2]


def test_a_patch_of_a_value_that_changes_more_is_refused():
    """
    The error has every attempt, and the old problem.
    """
    model = Model({"value": [1, "x"]}, {"$.value[0]": 2})

    with pytest.raises(AttemptsExhaustedError) as caught:
        extract(model, "x", list[int], patch=True)

    assert [p.code for p in caught.value.problems] == ["patch_elsewhere", "wrong_type"]


def test_an_answer_that_is_no_patch_is_read_as_ever():
    """
    A whole value, and a value of which nothing was wrong, need no patch.
    """
    assert extract(Model({"value": [1, "x"]}, {"value": [3]}), "x", list[int], patch=True) == [3]
    assert extract(Model("[1, 2]"), "x", list[int], patch=True) == [1, 2]
    assert extract(Model("[1, 'x']", "[1]"), "x", list[int], patch=True) == [1]


def test_asking_without_blocking_takes_patches_too():
    """
    `ask_async` does what `ask` does.
    """
    report = asyncio.run(TOOLS.ask_async(Model(WRONG, {"$.stops[1].km": 20}), "x", patch=True))

    assert (report.ok, MADE) == (True, [([{"km": 10}, {"km": 20}, {"km": 30}], "North", 2)])


@pytest.mark.parametrize("patch", ["yes", 1, None])
def test_the_option_is_true_or_false(patch):
    """
    Anything else is an error before anybody is asked.
    """
    with pytest.raises(InvalidToolsetError, match="patch="):
        TOOLS.ask(Model(), "x", patch=patch)
    with pytest.raises(InvalidToolsetError, match="patch="):
        extract(Model(), "x", int, patch=patch)


def places(value, path="$"):
    """Yield each path in *value*, with what stands there."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        yield at(path, key), inner
        yield from places(inner, at(path, key))


@given(json_values(max_leaves=12))
def test_every_path_that_is_told_leads_back(value):
    """
    Whatever the keys are, the path of a value leads to it.
    """
    for path, inner in places(value):
        holder, key = _place(value, path)
        assert holder[key] is inner


@given(json_values(max_leaves=12), json_values(), st.data())
def test_a_patch_changes_nothing_but_what_it_names(value, new, data):
    """
    With the old value put back where the new one is, the arguments are what they were.
    """
    base = {"a": value}
    path, old = data.draw(st.sampled_from(list(places(base))))
    run = refused(Call("b", "b"), [Problem(code="wrong_type", path=path, message="wrong")], (), base)

    there = laid_over(run.call, run, base_of(run), Patch({path: new}, "", ()))
    wrong = refused(Call("b", "b"), run.problems, (), there.arguments)
    back = laid_over(wrong.call, wrong, base_of(wrong), Patch({path: old}, "", ()))

    assert [(n.path, n.before, n.after) for n in (*there.notes, *back.notes)] == [(path, old, new), (path, new, old)]
    assert json_key(back.arguments) == json_key(base)


@given(st.text("$.[]'\\\"0a é", max_size=12))
def test_a_path_of_a_model_is_read_or_refused(text):
    """
    Whatever a model writes for a path never raises, and what is read is written back as it is.
    """
    steps = _steps_of("$" + text)
    path = "$"
    for step in steps or ():
        path = at(path, step)

    assert steps is None or _steps_of(path) == steps
