"""The corners of the derivation: odd metadata, odd objects, values that almost fit."""

from __future__ import annotations

import enum
import functools
from collections.abc import Hashable
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Annotated, Any, Literal, NamedTuple, Self, TypedDict, TypeVar, Union

import attrs
import pytest
import typing_extensions
from annotated_types import Ge, Gt, Len, Predicate, doc
from pydantic import BaseModel, Field
from typing_extensions import TypeAliasType

from blockargs.derive import (
    Arg,
    accepts_python,
    arg_type_of,
    decode,
    derive_args,
    derive_block,
    encode,
    parameters_of,
    register_type,
)
from blockargs.errors import InvalidArgumentsError, InvalidBlockArgTypeError, UnsupportedAnnotationError
from blockargs.validate import problems_in

T = TypeVar("T")
Old = typing_extensions.TypeVar("Old", default=int)
Count = TypeAliasType("Count", Annotated[int, Arg("How many", example=3), Ge(1)])


def refused(annotation, value):
    """Return path and message of each problem."""
    with pytest.raises(InvalidArgumentsError) as caught:
        decode(annotation, value)
    return [(p.path, p.message) for p in caught.value.problems]


class Empty(enum.Enum):
    """Nothing yet."""


class Fur(enum.Enum):
    DARK = "black"


@dataclass
class Link:
    name: str
    next: Self | None = None


class Options(TypedDict):
    day: date


Named = NamedTuple("Named", [("x", "int"), ("y", "Fur")])
Made = attrs.make_class("Made", ["x"])


def test_an_alias_of_an_annotated_type_says_what_stands_in_it():
    """Text, example and bounds reach the argument."""

    def f(n: Count, m: Annotated[Count, "Other"]): ...

    args = derive_args(f)

    assert (args["n"].description, args["n"].example) == ("How many", 3)
    assert args["n"].type["minimum"] == 1
    assert args["m"].description == "Other"


def test_odd_metadata_does_no_harm():
    """What nobody knows says nothing; what has no hash is no obstacle."""
    assert arg_type_of(Annotated[int, ["unknown"], {"a": 1}]) == {"type": "integer"}
    assert arg_type_of(Annotated[int, doc("D")])["description"] == "D"
    assert derive_args(lambda x=1: x)["x"].type is None
    assert arg_type_of(Annotated[int, Arg(default=3)]) == {"type": "integer"}


def test_a_test_that_fails_is_not_passed():
    """A predicate that raises refuses; one without a name says so."""
    assert refused(Annotated[Any, Predicate(lambda v: v > 1)], "a") == [
        ("$", "'a' must pass the test that its author wrote")
    ]
    assert decode(Annotated[Any, Predicate(lambda v: v > 1)], 2) == 2


def test_bounds_reach_values_that_are_python_already():
    """A date below the bound is none of the promised ones."""
    late = Annotated[date, Gt(date(2020, 1, 1))]

    assert accepts_python(late, date(2021, 1, 1))
    assert not accepts_python(late, date(2019, 1, 1))
    assert not accepts_python(Annotated[list[date], Len(2)], [date(2021, 1, 1)])
    assert accepts_python(Annotated[date | None, Gt(date(2020, 1, 1))], None)


def test_forward_references_of_functional_classes_are_read():
    """NamedTuple("Named", [("x", "int")]) and Self in a field."""
    assert decode(Named, {"x": 1.0, "y": "black"}) == (1, Fur.DARK)
    assert decode(Link, {"name": "a", "next": {"name": "b"}}) == Link("a", Link("b"))
    assert arg_type_of(Made)["properties"] == {"x": {}}
    assert encode(Made, decode(Made, {"x": [1]})) == {"x": [1]}


def test_type_variables_have_defaults():
    """And those of a function are names in its annotations."""

    def f(x: Inner): ...  # noqa: F821 - made below

    f.__type_params__ = (TypeVar("Inner", bound=int),)

    assert arg_type_of(Old) == {"type": "integer"}
    assert derive_args(f)["x"].type == {"type": "integer"}


def test_hashable_is_any_scalar():
    """As pandas means it for the names of columns."""
    assert arg_type_of(Hashable)["type"] == ["string", "number", "boolean", "null"]
    assert decode(dict[Hashable, int], {"a": 1}) == {"a": 1}
    assert [decode(Hashable, v) for v in ("a", 1, None)] == ["a", 1, None]


def test_an_enum_without_members_is_refused():
    """No value could be given."""
    with pytest.raises(UnsupportedAnnotationError):
        arg_type_of(Empty)


@pytest.mark.parametrize(
    ("annotation", "value", "said"),
    [
        (float, 10**400, "is too large for a float"),
        (dict[int, int], {"9" * 5000: 1}, "the key has too many digits"),
        (list[tuple[int, date]], [[1, "0000-01-01"]], "is refused: year"),
        (dict[str, date], {"a": "0000-01-01"}, "is refused: year"),
        (date | int, "0000-01-01", "is refused: year"),
        (date | Annotated[str, Predicate(str.isupper)], "0000-01-01", "is refused"),
        (set[Any], [[1]], "a member cannot be part of a set"),
    ],
    ids=str,
)
def test_what_only_python_can_refuse_is_refused(annotation, value, said):
    """It fits its type, but no Python value is made of it."""
    assert said in refused(annotation, value)[0][1]


def test_a_variant_that_refuses_leaves_the_value_to_the_next():
    """What asks for more is asked first."""
    assert decode(date | str, "0000-01-01") == "0000-01-01"
    assert decode(str | Fur, "black") is Fur.DARK
    assert decode(Literal[1] | float, 1) == 1
    assert decode(Literal[1] | float, 2) == 2.0
    assert type(decode(int | dict[str, int], 2.0)) is int


def test_what_a_union_does_not_hold_comes_out_as_it_is():
    """The check of the output names it."""
    assert derive_block(gives).binding.encode(object) is object
    assert derive_block(gives).binding.encode(date(2024, 1, 31)) == "2024-01-31"
    assert not accepts_python(int | None, "a")
    assert accepts_python(bool | list[int], [1])


def gives() -> date | Fur: ...
def gives_options() -> Options: ...
def gives_pair() -> tuple[date, int]: ...
def gives_when() -> datetime | None: ...
def gives_tree() -> Link: ...
def gives_many() -> list[date]: ...
def gives_set() -> set[Any]: ...
def gives_numbers() -> list[int]: ...


@pytest.mark.parametrize(
    ("function", "value", "written"),
    [
        (gives_options, {"day": date(2024, 1, 31), "more": 1}, {"day": "2024-01-31", "more": 1}),
        (gives_options, 5, 5),
        (gives_pair, (1,), (1,)),
        (gives_many, "ab", "ab"),
        (gives_many, (date(2024, 1, 31),), ["2024-01-31"]),
        (gives_set, [1], [1]),
        (gives_set, {1, 2}, [1, 2]),
        (gives_numbers, [True, 2, "x"], [True, 2, "x"]),
    ],
    ids=str,
)
def test_results_are_written_as_far_as_they_are_promised(function, value, written):
    """What is not promised is left as it is."""
    assert derive_block(function).binding.encode(value) == written


def test_results_that_cannot_be_written_say_so():
    """A naive time, a chain without an end: an error with a sentence, never a RecursionError."""
    chain = Link("a")
    chain.next = chain

    for function, value in ((gives_when, datetime(2024, 1, 31)), (gives_tree, chain)):  # noqa: DTZ001 - the point
        with pytest.raises(InvalidArgumentsError) as caught:
            derive_block(function).binding.encode(value)
        assert function.__name__ in caught.value.subject


def test_whole_numbers_of_other_libraries_are_written():
    """What has __index__ is one."""

    class Int64:
        def __index__(self):
            return 7

    assert encode(int, Int64()) == 7
    assert derive_block(gives_numbers).binding.encode([Int64()]) == [7]
    assert derive_block(lambda: 1).binding.encode([Int64()]) == [7]


def test_sets_whose_members_have_no_order_are_written_all_the_same():
    """In the order they come."""
    assert sorted(map(str, encode(set[int | str], {1, "a"}))) == ["1", "a"]


def test_values_hold_or_do_not():
    """Of exactly what the annotation says."""
    assert accepts_python(None, None)
    assert accepts_python(Any, object())
    assert accepts_python(Literal[1, "a"], "a")
    assert not accepts_python(Literal[1, "a"], True)
    assert not accepts_python(Literal[1], [])
    assert accepts_python(tuple[int, str], (1, "a"))
    assert not accepts_python(tuple[int, str], [1, "a"])
    assert accepts_python(date, date(2024, 1, 31))
    assert not accepts_python(date, datetime(2024, 1, 31))  # noqa: DTZ001 - a datetime is no date here
    assert accepts_python(Options, {"day": date(2024, 1, 31)})
    assert not accepts_python(Options, {"day": "2024-01-31"})
    assert not accepts_python(Options, {})
    assert accepts_python(dict, {1: 2})


def test_defaults_that_cannot_be_written_are_not_shown():
    """The argument is optional all the same."""

    def f(a: datetime = datetime(2024, 1, 31), b: time = time(10), c: list[object] = [object()]): ...  # noqa: DTZ001

    args = derive_args(f)
    assert [a.required for a in args.values()] == [False] * 3
    assert [problems_in(a.default, {}) == [] for a in args.values() if a.default is args["b"].default] == [True]
    assert args["b"].default == "10:00:00"


def test_a_field_default_inside_annotated_is_a_default():
    """The function has none of its own, so it is given it."""

    def f(a: Annotated[int, Field(default=9)]):
        return a

    block = derive_block(f)

    assert block.arguments["a"].default == 9
    assert f(**block.binding.bind({}, {})[1]) == 9


def test_an_object_that_answers_everything_is_looked_through():
    """One that invents is read by its call; one that raises is refused with a reason."""

    class Inventing:
        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            return self

        def __call__(self, x: int): ...

    class Raising(Inventing):
        def __getattr__(self, name):
            raise RuntimeError(name)

    assert [p.name for p in parameters_of(Inventing())] == ["x"]
    with pytest.raises(UnsupportedAnnotationError):
        parameters_of(Raising())


def test_a_closure_that_is_not_filled_yet_is_no_obstacle():
    """Its other names are read."""

    def make():
        def f(x: Fur):
            return later

        parameters = parameters_of(f)
        later = 1
        return parameters, later

    assert make()[0][0].annotation is Fur


def test_partials_of_partials_and_wrappers_are_one_callable():
    """The innermost function gives name and docstring."""

    def search(index: str, query: str, k: int = 5):
        """Search."""

    block = derive_block(functools.partial(functools.partial(search, "docs"), k=3))

    assert (block.uid, block.description) == ("search", "Search.")
    assert block.input_schema()["required"] == ["query"]


class Car(BaseModel):
    kind: Literal["car", "van"]


class Bike(BaseModel):
    kind: Literal["bike"]


def test_a_discriminator_with_several_values_tags_the_union():
    """Each variant has values of its own: they alone decide which one is meant."""
    annotation = Annotated[Car | Bike, Field(discriminator="kind")]

    assert arg_type_of(annotation)["discriminator"] == {"propertyName": "kind"}
    assert decode(annotation, {"kind": "van"}) == Car(kind="van")


@pytest.mark.parametrize(
    ("annotation", "slot", "agrees"),
    [
        (str, "enum(a|b)", True),
        (Literal["a", "b", "c"], "enum(a|b)", True),
        (Literal["a"], "enum(a|b)", False),
        (Fur, "enum(black)", True),
        (int | str, "enum(a)", True),
        (int | None, "enum(a)", False),
        (list, "array[integer]", True),
        (list[float], "array[integer]", True),
        (list[int], "array[number]", False),
        (tuple[int, ...] | None, "array[integer]", True),
        (dict, "object{a: string}", True),
        (dict[str, int], "object{a: integer}", True),
        (dict[str, int], "object{a: string}", False),
        (Options, "object{day: string}", True),
        (Options, "object{day: string, more: string}", False),
        (Options, "object{day?: string}", False),
        (Options, "object{day: integer}", False),
        (Any, "object{a: string}", True),
        (bool, "array[string]", False),
        (Link, "object{name: string}", True),
        (list[Options], "array[object{day: string}]", True),
    ],
    ids=str,
)
def test_a_type_in_a_docstring_may_say_more_never_something_else(annotation, slot, agrees):
    """Each value that it takes, the annotation takes."""

    def f(x): ...

    f.__annotations__ = {"x": annotation}
    f.__doc__ = f"F.\n\nArgs:\n    x ({slot}): X."
    if agrees:
        assert derive_args(f)["x"].type is not None
    else:
        with pytest.raises(InvalidBlockArgTypeError):
            derive_args(f)


@dataclass
class Left:
    x: int


@dataclass
class Right:
    x: int
    y: int = 0


@dataclass
class Grown:
    kind: Literal["a", "b"]
    inner: Grown | None = None


def test_unions_of_every_make():
    """Of unions, of names in texts, with null among a variant's own values."""

    def f(x: Union["Left", "Right"]): ...

    block = derive_block(f)

    assert decode(Annotated[int | str, Ge(1)] | list[int], [1.0]) == [1]
    assert decode(Annotated[int | str, Ge(1)] | list[int], "a") == "a"
    assert decode(Hashable | list[int], None) is None
    assert decode(Left | None | list[date], None) is None
    assert block.binding.bind({"x": {"x": 1, "y": 2}}, {})[1] == {"x": Right(1, 2)}
    with pytest.raises(InvalidArgumentsError) as caught:
        block.binding.bind({"x": {"x": 1}}, {})
    assert caught.value.problems[0].message.endswith("fits more than one of 'Left' and 'Right'")
    assert decode(Grown, {"kind": "a", "inner": {"kind": "b"}}) == Grown("a", Grown("b"))


def test_what_is_no_type_is_refused():
    """A list in the place of an annotation, a class in a field that JSON does not know."""
    with pytest.raises(UnsupportedAnnotationError):
        arg_type_of([int])
    with pytest.raises(UnsupportedAnnotationError) as caught:
        arg_type_of(Sliced)
    assert caught.value.problems[0].path == "$.inner.part"


@dataclass
class Slice:
    part: slice


@dataclass
class Sliced:
    inner: Slice


def test_functional_typed_dicts_are_records():
    """Their annotations are no texts."""
    assert decode(TypedDict("Made", {"a": int}), {"a": 1.0}) == {"a": 1}


def test_annotations_that_were_never_postponed():
    """They are taken as they are."""

    def f(x): ...

    f.__annotations__ = {"x": int, "return": date}

    assert derive_block(f).output_schema == {"type": "string", "format": "date"}
    assert derive_block(f).input_schema()["properties"] == {"x": {"type": "integer"}}


def test_a_type_beside_a_plain_annotation_is_all_there_is():
    """Nothing is to be decoded."""
    assert decode(Annotated[str, Arg(type="enum(a|b)")], "a") == "a"


def test_a_call_with_too_little_is_bound_as_far_as_it_goes():
    """Whoever did not validate gets Python's own TypeError."""

    def f(a: int, b: int, /, c: list[int] = []): ...

    block = derive_block(f)

    assert block.binding.bind({"b": 2, "c": [1.0]}, {}) == ([2], {"c": [1]})
    assert block.binding.bind({}, {}) == ([], {"c": []})


def test_results_that_are_no_tables_come_out_as_they_are():
    """As everywhere."""

    def f() -> dict[str, date]: ...

    assert derive_block(f).binding.encode(5) == 5
    assert derive_block(f).binding.encode({"a": date(2024, 1, 31)}) == {"a": "2024-01-31"}


def test_what_is_remembered_is_bounded():
    """Thousands of annotations do not stay for ever."""
    from blockargs.derive import hints

    for number in range(hints.MAX_CACHED + 2):
        arg_type_of(Literal[number])

    assert len(hints._cache) <= hints.MAX_CACHED


@dataclass
class Secret:
    key: Annotated[slice, Arg(hidden=True)] = field(default_factory=lambda: slice(1))
    size: int = 1


def test_a_hidden_field_is_left_out():
    """Its default is used; the others are read."""
    assert list(arg_type_of(Secret)["properties"]) == ["size"]
    assert decode(Secret, {"size": 2}).key == slice(1)


def test_unions_that_need_no_change_and_unions_of_anything():
    """Texts and booleans stay; a variant that takes all takes what the others do not."""
    assert decode(str | bool, "a") == "a"
    assert encode(str | bool, True) is True
    assert decode(Union[int, T], 2.0) == 2
    assert decode(Union[int, T], [1]) == [1]
    assert decode(Annotated[Plane | Ship, Field(discriminator="kind")] | list[int], {"kind": "ship"}) == Ship()
    assert decode(Annotated[Plane | Ship, Field(discriminator="kind")] | list[int], [1.0]) == [1]


@dataclass
class Plane:
    kind: Literal["plane"] = "plane"


@dataclass
class Ship:
    kind: Literal["ship"] = "ship"


@dataclass
class Moody:
    x: int

    def __post_init__(self):
        MOODS.append(self.x)
        if len(MOODS) == 1:
            raise ValueError("not today")


MOODS: list[int] = []


def test_a_class_that_changes_its_mind_is_believed():
    """What it refuses once and takes when it is asked where, it takes."""
    assert decode(list[Moody], [{"x": 1}]) == [Moody(1)]


@dataclass
class Coin:
    cents: int


@dataclass
class Purse:
    coin: Coin
    weight: registered_meanwhile()  # worked out after the coin was read


def registered_meanwhile():
    register_type(Coin, "string", Coin, lambda coin: coin.cents)
    return int


def test_a_class_that_is_registered_while_annotations_are_read_is_known_from_then_on():
    """As when another thread registers it: what was understood before is not remembered."""
    before = arg_type_of(Purse)["properties"]["coin"]
    after = arg_type_of(Purse)["properties"]["coin"]

    assert (before["type"], after["type"]) == ("object", "string")
