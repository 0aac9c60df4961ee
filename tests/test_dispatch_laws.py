"""Laws of dispatch: whatever a model sends, nothing is raised, and nothing runs that does not fit."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

import strategies
from blockargs import Block, Toolset, new_block_args, problems_in
from blockargs.dispatch.messages import MESSAGES

CALLS: list = []


def get_weather(city: str, days: int = 1, tags: list[str] = []) -> str:
    """Tell the weather."""
    CALLS.append((city, days, tags))
    return "sunny"


def book_meeting(attendees: list[str], minutes: float) -> dict[str, float]:
    """Book a meeting."""
    CALLS.append((attendees, minutes))
    return {"minutes": minutes}


TOOLS = Toolset([get_weather, book_meeting])
SCHEMAS = {block.uid: block.input_schema() for block in TOOLS.blocks}


def checked(run):
    """A run is JSON in every form, and only what fits was called."""
    for dialect in MESSAGES:
        json.dumps(run.to_message(dialect, call_id="c", name="f"), default=repr)
    json.dumps(run.record(), default=repr)
    assert len(CALLS) == run.attempts == int(run.ok)
    if run.ok:
        assert problems_in(run.call.arguments, SCHEMAS[run.uid]) == []
    else:
        assert run.text
    CALLS.clear()


@given(
    st.sampled_from(["get_weather", "book-meeting", "nothing"]), strategies.json_values() | strategies.tricky_values()
)
def test_no_value_of_a_call_can_raise_or_slip_through(name, value):
    """
    Any JSON under `arguments` gives a run that tells what came of it.
    """
    checked(TOOLS.run({"name": name, "arguments": value}))


@given(
    st.dictionaries(
        st.sampled_from(["tool", "name", "arguments", "city", "days", "minutes", "input", "id"]),
        strategies.json_values(),
    )
)
def test_no_object_can_raise_or_slip_through(thing):
    """
    Any object that might be a call gives a run as well.
    """
    checked(TOOLS.run(thing))


@given(
    st.text()
    | st.lists(
        st.sampled_from(
            [
                '{"tool": "get_weather", ',
                '"city": ',
                '"PAR"',
                "}",
                ",",
                "[",
                "]",
                '"',
                ":",
                "```json\n",
                "\n",
                "minutes",
                "null",
            ]
        ),
        max_size=12,
    ).map("".join)
)
def test_no_text_can_raise_or_slip_through(text):
    """
    Any text gives a run, and `run_all` gives at least one.
    """
    checked(TOOLS.run(text))
    assert TOOLS.run_all(text)
    CALLS.clear()


@given(st.data())
def test_a_value_that_fits_arrives_as_it_is(data):
    """
    A value of the argument's type reaches the constructor equal, without a note, and by the short way as by the long.
    """
    kind = data.draw(strategies.arg_types())
    value = data.draw(strategies.values_for(kind))
    seen: list = []
    arguments = new_block_args(x={"type": kind, "required": True})
    toolset = Toolset(Block(uid="take", constructor=lambda x: seen.append(x), arguments=arguments, kind="tool"))

    for _ in range(2):
        run = toolset.run({"name": "take", "arguments": {"x": value}})
        assert (run.ok, run.notes) == (True, ()), run.text
        assert seen[-1] == value
    by_long, by_short = map(json.dumps, seen)
    assert by_short == by_long
