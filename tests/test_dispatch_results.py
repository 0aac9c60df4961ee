"""What a constructor returned, as the model reads it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from pathlib import PurePosixPath
from typing import NamedTuple
from uuid import UUID

import pytest

from blockargs import (
    ToolContent,
    ToolFailure,
    Toolset,
    derive_block,
)
from blockargs.dispatch import Audio, Effect, Image, Resource, Text
from dispatched import GOOD, Head, reporting, weather


@dataclass
class Weather:
    temperature: int
    condition: str


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


class Tone(StrEnum):
    LOW = "low"


class Mode(str, Enum):
    FAST = "fast"


class Label(str):
    """A label."""

    __slots__ = ()

    def __new__(cls, text: str):
        return super().__new__(cls, text)


@pytest.mark.parametrize("kind", ["block", "tool"])
@pytest.mark.parametrize(
    ("result", "text"),
    [
        ("plain", "plain"),
        (Label("own"), "own"),
        (Tone.LOW, "low"),
        (Mode.FAST, "fast"),
        ((1, 2), "[1, 2]"),
        ({3}, "[3]"),
        (frozenset({3}), "[3]"),
        (Decimal("1.50"), "1.50"),
        (date(2026, 1, 2), "2026-01-02"),
        (timedelta(hours=2), "PT2H"),
        (b"abc", "YWJj"),
        (PurePosixPath("a/b"), "a/b"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ([date(2026, 1, 2)], '["2026-01-02"]'),
        (5, "5"),
    ],
)
def test_what_is_a_value_is_told_whatever_the_kind_of_block(kind, result, text):
    """
    A function without a return annotation loses nothing: what Python has for values is told as JSON.
    """

    def make():
        return result

    run = Toolset(derive_block(make, kind=kind)).run({"name": "make", "arguments": {}})

    assert (run.ok, run.text, run.outcome) == (True, text, result)
    assert type(run.content) in (str, list, int)


class Pair(NamedTuple):
    a: int
    b: int


@pytest.mark.parametrize("result", [Head(3), Pair(1, 2), object()])
def test_an_object_that_a_function_builds_stays_with_the_host(result):
    """
    Instances of other classes are not told, only that they were built.
    """

    def make():
        return result

    assert Toolset(make).run({"name": "make", "arguments": {}}).text == "Built 'make' with {}."


def test_what_a_class_builds_stays_with_the_host():
    """
    A class among the blocks builds an object, even where it is a kind of text.
    """
    run = Toolset(Label).run({"name": "label", "arguments": {"text": "x"}})

    assert (run.text, run.outcome) == ('Built \'label\' with {"text": "x"}.', "x")


PICTURE = Image(b"x", "image/png")


@pytest.mark.parametrize("kind", ["block", "tool"])
@pytest.mark.parametrize(
    ("result", "parts"),
    [
        (PICTURE, (PICTURE,)),
        (Text("a"), (Text("a"),)),
        (Audio(b"x", "audio/wav"), (Audio(b"x", "audio/wav"),)),
        (Resource("data:x", "t"), (Resource("data:x", "t"),)),
        ([PICTURE, Text("a")], (PICTURE, Text("a"))),
        (("Look:", PICTURE), (Text("Look:"), PICTURE)),
    ],
)
def test_parts_are_content_without_a_ToolContent_around_them(kind, result, parts):
    """
    One part, or a list of parts and texts with a part in it, is taken as content.
    """

    def show():
        return result

    run = Toolset(derive_block(show, kind=kind)).run({"name": "show", "arguments": {}})

    assert (run.ok, run.parts, run.structured, run.outcome) == (True, parts, None, result)


def test_a_list_of_texts_and_other_things_is_a_list():
    """
    Without a part among them, or with what is none, a list is JSON, or nothing that can be sent.
    """
    assert reporting(["a", "b"]).content == ["a", "b"]
    assert reporting([PICTURE, 5]).parts != (PICTURE,)


HALF = "a\ud800b"
WHOLE = "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize(
    ("result", "annotation", "content"),
    [
        (HALF, None, WHOLE),
        (HALF, str, WHOLE),
        ([HALF], None, [WHOLE]),
        ({HALF: HALF}, dict[str, str], {WHOLE: WHOLE}),
        ("\ud83d\ude00", None, "\N{GRINNING FACE}"),
        (ToolContent("x", structured={"n": HALF}, meta={"m": HALF}), None, {"n": WHOLE}),
    ],
)
def test_half_a_character_is_replaced_and_the_host_is_told(result, annotation, content, caplog):
    """
    No message holds a lone surrogate: U+FFFD stands for it, in texts and in JSON alike.
    """
    run = reporting(result, annotation)

    assert (run.ok, run.content) == (True, content)
    assert "holds half a character" in caplog.text
    for dialect in ("mcp", "anthropic", "gemini", "openai"):
        assert sendable(run.to_message(dialect, call_id=HALF))


def sendable(message) -> bool:
    """Tell whether *message* can be written as UTF-8, which raises where it cannot."""
    return bool(json.dumps(message, ensure_ascii=False).encode())


@pytest.mark.parametrize("make", [lambda: Text(HALF), lambda: ToolContent(HALF), lambda: Resource(HALF, HALF)])
def test_half_a_character_in_a_part_is_replaced_where_the_part_is_made(make, caplog):
    """
    A part holds what goes out.
    """
    run = reporting(make())

    assert (run.text, sendable(run.to_message("mcp"))) == (WHOLE, True)
    assert "holds half a character" in caplog.text


def test_half_a_character_in_a_failure_is_replaced_too():
    """
    So it is in the text, and in the details, of a failure, and in the name of a key that came from a model.
    """
    run = weather(ToolFailure("odd", HALF, {"x": (HALF,)}))[1].run(GOOD)
    wrong = weather()[1].run({"name": "get_weather", "arguments": {"city": "PAR", HALF: 1}})

    assert (run.text, run.details) == (WHOLE, {"x": [WHOLE]})
    assert sendable([one.to_message(d, call_id="c") for one in (run, wrong) for d in ("mcp", "openai")])
    assert not wrong.ok


def test_structured_content_that_is_far_too_deep_ends_in_a_run():
    """
    However deep it is, nothing but a run comes back.
    """
    deep = [HALF]
    for _ in range(5000):
        deep = [deep]

    assert not reporting(ToolContent("x", structured=deep)).ok
