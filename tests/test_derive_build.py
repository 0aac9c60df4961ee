"""From a typed, documented constructor to its arguments and its block."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Generator, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple

import pytest

from blockargs import Audio, Context, Image, Progress, Resource, Text, ToolContent
from blockargs.derive import (
    Arg,
    accepts_python,
    arg_type_of,
    decode,
    derive_args,
    derive_block,
    encode,
    overridden,
    register_type,
    settled,
)
from blockargs.derive.output import EXPLICIT
from blockargs.errors import (
    BlockArgsError,
    InvalidArgTypeError,
    InvalidArgumentsError,
    InvalidBlockError,
    Problem,
    UnknownBlockArgError,
    UnknownOptionError,
    UnsupportedAnnotationError,
)
from blockargs.spec import MISSING, BlockArg, new_block_arg, new_block_args
from blockargs.types import arg_array, arg_integer, arg_string
from blockargs.validate import problems_in


def head(n: int = 5, direction: Literal["head", "tail"] = "head", *, frame: str, fill: float | None = None):
    """Keep rows.

    Of every frame.

    Args:
        n: How many.
        direction: From where.
        frame: Of which.
    """


def test_a_typed_documented_function_is_enough():
    """Name, description, arguments with description, type, default and requiredness come out of it."""
    block = derive_block(head)

    assert (block.uid, block.name, block.package) == ("head", "head", __name__.partition(".")[0])
    assert block.description == "Keep rows.\n\nOf every frame."
    assert block.constructor is head
    assert block.arguments == new_block_args(
        n=new_block_arg("How many.", type=arg_integer(), required=False, default=5),
        direction=new_block_arg("From where.", type="enum(head|tail)", required=False, default="head"),
        frame=new_block_arg("Of which.", type=arg_string(), required=True),
        fill=new_block_arg(type="number | null", required=False, default=None),
    )


def test_a_default_says_optional_and_none_says_nullable():
    """Two facts; a whole schema replaces both (checks: requiredness)."""

    def f(a: int, b: float = 1.5, c: str | None = None): ...

    derived = derive_block(f).input_schema()
    whole = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "number"}, "c": {"type": ["string", "null"]}},
        "required": ["a", "b", "c"],
    }
    block = derive_block(f, input_schema=whole)

    assert derived["required"] == ["a"]
    assert derived["properties"]["b"] == {"type": "number", "default": 1.5}
    assert derived["properties"]["c"] == {"type": ["string", "null"]}
    assert block.input_schema() == whole
    assert [a.required for a in block.arguments.values()] == [True, True, True]
    assert block.binding.bind({"a": 1.0, "b": 2, "c": None}, {})[1] == {"a": 1, "b": 2.0, "c": None}


def audit(message: str, ctx: Context, progress: Progress) -> str:
    progress.report(1)
    return f"{message} {ctx.request_id}"


def test_helpers_are_not_shown_and_filled_in():
    """The schema has only the message (checks: injected helpers)."""
    block = derive_block(audit)
    args, kwargs = block.binding.bind({"message": "m"}, {Context: Context("r7")})

    assert list(block.input_schema()["properties"]) == ["message"]
    assert audit(*args, **kwargs) == "m r7"


@dataclass
class Weather:
    temperature: int
    condition: str


def report() -> Weather:
    return Weather(16, "cloudy")


def test_a_return_annotation_is_the_output_schema():
    """A closed object, all required; the value is written by the same rules (checks: output)."""
    block = derive_block(report)

    assert block.output_schema == {
        "type": "object",
        "properties": {"temperature": {"type": "integer"}, "condition": {"type": "string"}},
        "required": ["temperature", "condition"],
        "additionalProperties": False,
    }
    assert block.binding.encode(report()) == {"temperature": 16, "condition": "cloudy"}


def test_a_result_that_breaks_its_promise_comes_out_as_it_is():
    """So that the check of the output names it; never a crash, never a bent value."""
    block = derive_block(report)

    assert [p.path for p in problems_in(block.binding.encode(Weather("x", "cloudy")), block.output_schema)] == [
        "$.temperature"
    ]
    assert problems_in(block.binding.encode("sunny"), block.output_schema) != []
    assert problems_in(block.binding.encode(None), block.output_schema) != []


def returns_nothing() -> None: ...
def returns_something(): ...
def returns_unknown() -> Nowhere: ...  # noqa: F821 - that is the point
def returns_opaque() -> slice: ...
async def awaits() -> list[date]: ...
def hands_on() -> Awaitable[int]: ...
def runs() -> Iterator[int]:
    yield 1


def generates() -> Generator[date, None, None]:
    yield date(2024, 1, 31)


async def streams() -> AsyncIterator[str]:
    yield "a"


@pytest.mark.parametrize(
    ("function", "schema"),
    [
        (returns_nothing, None),
        (returns_something, None),
        (returns_unknown, None),
        (returns_opaque, None),
        (Weather, None),
        (awaits, {"type": "array", "items": {"type": "string", "format": "date"}}),
        (hands_on, {"type": "integer"}),
        (runs, {"type": "array", "items": {"type": "integer"}}),
        (generates, {"type": "array", "items": {"type": "string", "format": "date"}}),
        (streams, {"type": "array", "items": {"type": "string"}}),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_what_a_call_gives_in_the_end_is_its_output(function, schema):
    """None has none, nor has a class; coroutines are waited for, generators run through."""
    assert derive_block(function).output_schema == schema


class Fur(Enum):
    DARK = "black"


class Place(NamedTuple):
    lat: float


def test_without_a_return_annotation_a_result_is_written_by_what_it_is():
    """JSON stays, members, dates and instances are written, what has no rule is refused."""
    binding = derive_block(returns_something).binding

    value = {"a": [Fur.DARK, date(2024, 1, 31), None], "b": (Weather(1, "x"), Place(0.5)), "c": {1}}
    assert binding.encode(value) == {
        "a": ["black", "2024-01-31", None],
        "b": [{"temperature": 1, "condition": "x"}, {"lat": 0.5}],
        "c": [1],
    }
    with pytest.raises(UnsupportedAnnotationError):
        binding.encode([slice(1)])


def test_a_generator_is_written_as_the_list_it_runs_through():
    """By its annotation, or without one."""
    assert derive_block(generates).binding.encode(generates()) == ["2024-01-31"]
    assert derive_block(returns_something).binding.encode(runs()) == [1]


def test_a_naive_datetime_is_not_written():
    """Without a zone it is no point in time: the error says so."""
    with pytest.raises(InvalidArgumentsError) as caught:
        encode(datetime, datetime(2024, 1, 31))  # noqa: DTZ001 - that is the point

    assert "has no time zone" in str(caught.value)


def test_overrides_are_laid_over_the_derivation():
    """A text describes, a type types, an argument merges, None hides."""
    args = derive_args(head, n="Rows", direction=None, frame=arg_string(min_length=1), fill=new_block_arg("With", 0.5))

    assert args["n"] == BlockArg("How many.", None, arg_integer(), required=False, default=5).with_(description="Rows")
    assert args["direction"].hidden
    assert args["frame"].type == {"type": "string", "minLength": 1}
    assert args["frame"].description == "Of which."
    assert (args["fill"].description, args["fill"].example) == ("With", 0.5)


def test_an_override_of_no_parameter_is_refused():
    """With the nearest name."""
    with pytest.raises(UnknownBlockArgError) as caught:
        derive_args(head, directoin="x")

    assert caught.value.problems[0].hint == "did you mean 'direction'?"
    with pytest.raises(UnknownBlockArgError) as caught:
        derive_args(returns_nothing, x="x")
    assert "there are none" in str(caught.value)


def test_fields_of_the_block_replace_the_derivation():
    """uid, name, arguments, output_schema, lists of every kind."""
    block = derive_block(
        head,
        uid="first-rows",
        description="D",
        arguments={"n": "Rows"},
        output_schema={"type": "object"},
        keywords=["top"],
        inputs=["data"],
        tells=[ValueError],
    )

    assert (block.uid, block.name, block.description) == ("first-rows", "first rows", "D")
    assert block.arguments == new_block_args(n=new_block_arg("Rows", required=False, default=5))
    assert block.output_schema == {"type": "object"}
    assert (block.keywords, block.inputs, block.tells) == (["top"], ("data",), (ValueError,))
    assert derive_block(report, output_schema=None).output_schema is None


def test_examples_of_the_arguments_make_one_configuration():
    """Unless the block has its own."""

    def f(a: Annotated[int, Arg("A", example=3)], b: Annotated[str, Arg(example="x")] = "y"): ...

    assert derive_block(f).examples == [{"a": 3, "b": "x"}]
    assert derive_block(f, examples=[{"a": 4}]).examples == [{"a": 4}]


def test_everything_beside_a_type_is_taken():
    """Texts, example, aliases, header, tightened requiredness, the author's failure text."""

    def f(
        a: Annotated[int, "first", Arg(error="count", aliases=("x",)), Arg("last", aliases=["y"], header="A")] = 1,
        b: Annotated[int, Arg(required=True)] = 2,
        c: Annotated[slice, Arg(hidden=True)] = slice(1),
    ): ...

    args = derive_block(f).arguments

    assert args["a"] == BlockArg(
        "last", None, args["a"].type, required=False, default=1, error="count", aliases=("x", "y"), header="A"
    )
    assert args["b"].required is True
    assert (args["c"].hidden, args["c"].type, args["c"].default) == (True, None, MISSING)
    assert derive_block(f).input_schema()["required"] == ["b"]


def test_all_annotations_that_cannot_be_expressed_are_named_at_once():
    """Function, parameter and cure of each; a type beside it is the cure."""

    def f(a: complex, b: int, c: list[slice], d: Annotated[slice, Arg(type=arg_array(arg_integer()))]): ...

    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(f)

    assert [p.path for p in caught.value.problems] == ["$.a", "$.c"]
    assert "test_all_annotations" in caught.value.subject
    assert derive_args(f, a=arg_integer(), c=arg_string())["d"].type == arg_array(arg_integer())


def test_defaults_that_are_no_json_make_optional_and_are_not_shown():
    """Members and dates are written as JSON; an object of its own is not."""

    def f(a: Fur = Fur.DARK, b: date = date(2024, 1, 31), c: object = object(), d: float = float("nan"), e=...): ...

    args = derive_args(f)

    assert [a.default for a in args.values()] == ["black", "2024-01-31", MISSING, MISSING, MISSING]
    assert [a.required for a in args.values()] == [False] * 5


def test_settled_fills_in_what_the_author_left_open():
    """What he said stays; names beyond the signature are optional."""

    def f(a: int, b: int = 2, **k): ...

    args = settled(new_block_args(a="A", b=new_block_arg(default=7, required=True), c="C"), f)

    assert [(a.required, a.default) for a in args.values()] == [(True, MISSING), (True, 7), (False, MISSING)]


def test_an_unsupported_annotation_does_not_hinder_written_arguments():
    """arguments= is taken as written."""

    def f(a: slice = slice(2)): ...

    assert derive_block(f, arguments={"a": "A slice"}).arguments["a"] == BlockArg("A slice", required=False)


@pytest.fixture
def version():
    """A class of the user's own, taught to the derivation."""

    class Version:
        def __init__(self, text):
            self.parts = tuple(map(int, text.split(".")))

        def __eq__(self, other):
            return self.parts == other.parts

    register_type(Version, "string", Version, lambda v: ".".join(map(str, v.parts)))
    return Version


def test_a_class_of_ones_own_can_be_taught(version):
    """Type, JSON to Python, Python to JSON; a ValueError of the reader is a problem."""
    made = decode(list[version], ["1.2"])

    assert arg_type_of(version | None) == {"type": ["string", "null"]}
    assert made == [version("1.2")]
    assert encode(list[version], made) == ["1.2"]
    assert decode(version, made[0]) is made[0]
    assert accepts_python(version, made[0])
    assert not accepts_python(version, "1.2")
    with pytest.raises(InvalidArgumentsError) as caught:
        decode(list[version], ["1.2", "x"])
    assert caught.value.problems[0].path == "$[1]"


def test_the_newest_registration_wins(version):
    """Also over what is built in, and for a single annotation."""
    register_type(version, arg_integer(), lambda n: version(str(n)), lambda v: v.parts[0])
    Percent = Annotated[float, "%"]
    register_type(Percent, {"type": "string", "pattern": "%$"}, lambda t: float(t[:-1]) / 100, lambda v: f"{v:%}")

    assert decode(version, 3) == version("3")
    assert decode(Percent, "50%") == 0.5
    assert encode(Percent, 0.5) == "50.000000%"
    assert not accepts_python(Percent, 0.5)
    with pytest.raises(InvalidArgTypeError):
        register_type(version, {"type": 5}, version, str)


def test_decode_and_encode_refuse_what_does_not_fit():
    """Every problem is named; what already is Python passes."""
    assert decode(date, date(2024, 1, 31)) == date(2024, 1, 31)
    with pytest.raises(InvalidArgumentsError):
        encode(date, "2024-02-30")
    with pytest.raises(InvalidArgumentsError):
        encode(list[int], ["a"])


def test_annotations_are_bounded_in_depth():
    """No nesting ends in a RecursionError."""
    annotation: Any = int
    for _ in range(5000):
        annotation = list[annotation]

    with pytest.raises(BlockArgsError):
        arg_type_of(annotation)


def ranked(by: str, top: int = 3): ...


def test_a_block_takes_changes_in_the_words_of_its_derivation():
    """Arguments are settled by the signature, schemas are read, examples follow; what is no field is refused."""
    block = derive_block(ranked)

    changed = overridden(block, {"arguments": {"by": new_block_arg("Which column", "age")}, "uid": "rank"})
    assert (changed.uid, changed.arguments["by"].required, changed.examples) == ("rank", True, [{"by": "age"}])
    assert overridden(changed.with_(constructor=None), {"arguments": {}}).arguments == {}
    assert overridden(block, {"input_schema": {"type": "object"}}).schema == {"type": "object"}
    with pytest.raises(TypeError, match="did you mean 'uid'"):
        overridden(block, {"uidd": "x"})


CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            {"keywords": "one"},
            Problem(code="block_invalid", path="$.keywords", message="'one' is no list", hint="write a list"),
        ),
        (
            {"keywords": CIRCLE},
            Problem(code="too_deep", path="$.keywords", message="it is nested too deeply, or contains itself"),
        ),
        ({"inputs": 5}, Problem(code="block_invalid", path="$.inputs", message="5 is no list", hint="write a list")),
        (
            {"arguments": {}, "input_schema": {}},
            Problem(
                code="block_invalid",
                path="$",
                message="both `arguments` and `input_schema` are given, and each is the whole set",
                hint="give one",
            ),
        ),
    ],
)
def test_what_no_block_can_hold_is_refused_before_it_is_registered(given, problem):
    """A text is no list of its letters; of two whole sets of arguments none wins in silence."""
    for derived in (lambda: derive_block(ranked, **given), lambda: overridden(derive_block(ranked), given)):
        with pytest.raises(InvalidBlockError) as caught:
            derived()

        assert caught.value.problems == (problem,)


def test_every_option_that_no_block_has_is_told():
    """As the TypeError that a call raises for a wrong keyword, with the place and the nearest name of each."""
    with pytest.raises(UnknownOptionError) as caught:
        derive_block(ranked, descripton="Ranks", keywrds=["rank"])

    assert isinstance(caught.value, TypeError)
    assert caught.value.problems == (
        Problem(
            code="option_unknown",
            path="$.descripton",
            message="'descripton' is no field of a block",
            hint="did you mean 'description'?",
        ),
        Problem(
            code="option_unknown",
            path="$.keywrds",
            message="'keywrds' is no field of a block",
            hint="did you mean 'keywords'?",
        ),
    )
    assert caught.value.subject == f"function '{__name__}.ranked'"


def test_a_result_that_says_itself_how_it_is_shown_has_no_schema():
    """Alone or as one of several."""

    class Chart:
        __explicit_content__ = True

    def chart() -> Chart: ...
    def chart_or_text() -> Chart | str: ...
    def text() -> str: ...

    assert [derive_block(f).output_schema for f in (chart, chart_or_text, text)] == [None, None, {"type": "string"}]
    assert [getattr(c, EXPLICIT) for c in (Text, Image, Audio, Resource, ToolContent)] == [True] * 5
