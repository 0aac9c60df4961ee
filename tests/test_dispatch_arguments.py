"""Arguments as they reach a constructor: as it promises to take them, and shared with nobody."""

from __future__ import annotations

import functools
import json
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import pytest

from blockargs import (
    Block,
    Toolset,
    arg_any,
    arg_integer,
    arg_schema,
    derive_block,
    new_block_arg,
    new_block_args,
    register_type,
)
from blockargs.dispatch import Call
from dispatched import Head, Recorder, reporting, weather
from waiting import LONG


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
    assert [p.message for p in run.problems] == ["Span refuses it: first is above last"]
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


ARRIVES = (  # type, what is sent, what arrives
    ("number[]", [1.0, 2.5], "[1.0, 2.5]"),
    ("integer[]", [1.0, 2], "[1, 2]"),
    ("object{share: number, rows: integer}", {"share": 2.0, "rows": 3.0}, "{'share': 2.0, 'rows': 3}"),
    ("map[object{rows: integer}]", {"a": {"rows": 3.0}}, "{'a': {'rows': 3}}"),
    ("number[][]", [[0.5], [2.0, 1]], "[[0.5], [2.0, 1]]"),
)


ASKS_AN_INTEGER = (  # what may ask it of an argument, besides its own type
    {"properties": {"x": {}}, "anyOf": [{"properties": {"x": {"type": "integer"}}}, {"required": ["y"]}]},
    {"properties": {"x": {"type": "number"}}, "allOf": [{"properties": {"x": {"type": "integer"}}}]},
    {"properties": {"x": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "integer"}}},
    {"properties": {"x": {"enum": [3, "a"]}}},
    {"properties": {"x": {"const": 3}}},
)


@pytest.mark.parametrize("schema", ASKS_AN_INTEGER, ids=str)
def test_a_whole_float_arrives_alike_whatever_asks_for_an_integer(schema):
    """
    The short way of the second call is not taken where a root, a reference or a list of values may change a float.
    """
    seen: list = []
    whole = arg_schema({"type": "object", **schema})
    toolset = Toolset(Block(uid="take", constructor=lambda x: seen.append(repr(x)), schema=whole, kind="tool"))

    for call in ({"name": "take", "arguments": {"x": 3.0}},) * 2:
        assert toolset.run(call).ok
    assert toolset.run('{"name": "take", "arguments": {"x": 3.0}}').ok

    assert len(set(seen)) == 1


def test_a_value_of_any_depth_is_refused_in_words():
    """
    What is nested too deeply for anybody is refused at the second call as at the first.
    """
    deep: Any = 1.5
    for _ in range(50_000):
        deep = [deep]
    arguments = new_block_args(x={"type": arg_any(), "required": True})
    toolset = Toolset(Block(uid="take", constructor=lambda x: x, arguments=arguments, kind="tool"))
    toolset.run({"name": "take", "arguments": {"x": 1}})

    codes = [[p.code for p in toolset.run({"name": "take", "arguments": {"x": deep}}).problems] for _ in range(2)]

    assert codes == [["too_deep"], ["too_deep"]]


@pytest.mark.parametrize(("kind", "sent", "arrives"), ARRIVES)
def test_whole_floats_become_integers_where_one_is_wanted_however_deep(kind, sent, arrives):
    """
    So they do by the long way of a first call, and by the short way of the next; elsewhere they stay floats.
    """
    seen: list = []
    arguments = new_block_args(x={"type": kind, "required": True})
    toolset = Toolset(Block(uid="take", constructor=lambda x: seen.append(repr(x)), arguments=arguments, kind="tool"))

    for _ in range(2):
        toolset.run({"name": "take", "arguments": {"x": sent}})

    assert seen == [arrives, arrives]


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


@pytest.mark.parametrize("strict", [None, True, False])
@pytest.mark.parametrize(
    "arguments",
    [
        {"city": "Oslo", "days": 2},
        {"city": "Oslo", "days": "2"},
        {"city": "Oslo", "days": "many"},
        {"City": "Oslo"},
        {"days": 2.0, "city": "Oslo"},
        {"city": ["Oslo"]},
        {"city": "Oslo", "more": {"a": [1]}},
        {},
    ],
    ids=str,
)
def test_the_short_way_of_a_plain_call_says_what_the_long_one_does(arguments, strict):
    """
    A plain dict, a limit of time, a list of one call, the arguments as a text: the run is the same.
    """
    _, toolset = weather("sunny")
    call = {"name": "get_weather", "arguments": arguments}
    toolset.run({"name": "get_weather", "arguments": {"city": "first"}})

    run = toolset.run(call, strict=strict)

    assert run == toolset.run(call, strict=strict, timeout=LONG) == toolset.run([call], strict=strict)
    if strict is not True:
        assert run == toolset.run({**call, "arguments": json.dumps(arguments)}, strict=strict)
