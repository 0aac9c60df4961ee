"""From JSON arguments to a call: what the function gets."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, TypedDict, Unpack

import pytest
from annotated_types import Gt

from blockargs import Context, Progress
from blockargs.derive import Arg, binding_of, derive_block
from blockargs.errors import InvalidArgumentsError
from blockargs.spec import BlockArgs, new_block_args
from blockargs.types import arg_any, arg_array, arg_string


def called(function, arguments, helpers=None):
    """Return what *function* gives when it is called with JSON."""
    args, kwargs = derive_block(function).binding.bind(arguments, helpers or {})
    return function(*args, **kwargs)


def steps(a: int, b: str = "b", /, c: int = 3, *xs: float, d: bool = True, **k: list[int]):
    return [a, b, c, xs, d, k]


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        ({"a": 1}, [1, "b", 3, (), True, {}]),
        ({"a": 1.0, "c": 4}, [1, "b", 4, (), True, {}]),
        ({"c": 4, "b": "x", "a": 1}, [1, "x", 4, (), True, {}]),
        ({"a": 1, "xs": [1, 2]}, [1, "b", 3, (1.0, 2.0), True, {}]),
        ({"a": 1, "xs": []}, [1, "b", 3, (), True, {}]),
        ({"a": 1, "k": {"z": [1.0]}, "d": False}, [1, "b", 3, (), False, {"z": [1]}]),
        ({"a": 1, "k": {"a": [1], "b": []}}, [1, "b", 3, (), True, {"a": [1], "b": []}]),
    ],
)
def test_arguments_go_where_the_signature_wants_them(arguments, result):
    """Places are filled in order, a gap with its default; a table is spread."""
    assert called(steps, arguments) == result


def test_a_key_of_the_table_that_is_a_parameter_is_refused():
    """Nothing is replaced silently, and no TypeError comes out: the path is that of the key."""
    with pytest.raises(InvalidArgumentsError) as caught:
        called(steps, {"a": 1, "k": {"d": [1], "z": [1]}})

    assert [(p.code, p.path) for p in caught.value.problems] == [("key_collides", "$.k.d")]


def test_a_table_may_have_documented_names():
    """On a constructor with **k, documented names beyond the signature go into it."""

    def plot(kind: str, **style: Any):
        return [kind, style]

    arguments = new_block_args(kind="Which", color=arg_string())
    args, kwargs = binding_of(plot, arguments).bind({"kind": "bar", "color": "red", "style": {"width": 2}}, {})

    assert plot(*args, **kwargs) == ["bar", {"color": "red", "width": 2}]


def test_a_mutable_default_is_fresh_at_each_call():
    """What one call does to it, the next does not see."""

    def grow(xs: list[int] = [1], table: dict = {}, seen: set[int] = {2}):
        xs.append(9)
        table["a"] = 1
        return [xs, table, seen]

    assert called(grow, {}) == called(grow, {}) == [[1, 9], {"a": 1}, {2}]


def test_a_default_that_cannot_be_copied_is_passed_on():
    """It is the author's own object."""

    class Single:
        def __deepcopy__(self, memo):
            raise TypeError("only one")

    one = Single()

    def use(xs: list = [one]):
        return xs

    assert called(use, {})[0] is one


def test_a_default_is_passed_as_the_object_it_is():
    """Defaults are compared with the sentinel by identity, whatever their == does."""

    class Odd:
        __hash__ = object.__hash__

        def __eq__(self, other):
            raise ValueError("ambiguous")

    odd = Odd()

    def weigh(x: int, w: object = odd, /, y: object = odd):
        return [x, w is odd, y is odd]

    assert called(weigh, {"x": 1}) == [1, True, True]
    assert called(weigh, {"x": 1, "y": 2}) == [1, True, False]
    assert derive_block(weigh).input_schema()["required"] == ["x"]


def test_helpers_are_filled_in_and_inert_by_default():
    """Given ones are passed, missing ones do nothing; they may stand anywhere."""

    def audit(ctx: Context, /, message: str, *, progress: Progress | None = None):
        return [ctx.request_id, message, type(progress)]

    assert called(audit, {"message": "m"}) == [None, "m", Progress]
    assert called(audit, {"message": "m"}, {Context: Context("r1")}) == ["r1", "m", Progress]


class Fur(Enum):
    DARK = "black"


@dataclass
class Point:
    x: int


class Options(TypedDict, total=False):
    day: date


def keep(
    fur: Fur, day: date, at: list[Point], raw: bytes = b"", n: Annotated[date | None, Gt(date(2020, 1, 1))] = None
):
    return [fur, day, at, raw, n]


def test_values_that_are_python_already_pass():
    """create() takes members, dates and instances as well as their JSON; they are named as ready."""
    given = {"fur": Fur.DARK, "day": date(2024, 1, 31), "at": [Point(1)], "raw": b"x"}
    json = {"fur": "black", "day": "2024-01-31", "at": [{"x": 1.0}], "raw": "eA=="}

    assert called(keep, given)[:4] == called(keep, json)[:4] == [Fur.DARK, date(2024, 1, 31), [Point(1)], b"x"]
    assert derive_block(keep).binding.ready(given) == {"fur", "day", "at", "raw"}
    assert derive_block(keep).binding.ready(json) == set()
    assert derive_block(keep).binding.ready({"n": date(2019, 1, 1), "day": "x", "other": 1}) == set()


def test_json_that_cannot_become_python_is_named_with_its_path():
    """All arguments are looked at; each problem has the path of the value itself."""
    with pytest.raises(InvalidArgumentsError) as caught:
        called(keep, {"fur": "black", "day": "0000-01-01", "at": [], "raw": "??", "n": "2019-01-01"})

    assert [(p.path, p.code) for p in caught.value.problems] == [
        ("$.day", "refused"),
        ("$.raw", "wrong_encoding"),
        ("$.n", "too_small"),
    ]


def test_no_more_is_told_than_one_answer_holds():
    """Of a long list or table that is all wrong, the first fifty."""

    def use(days: list[date], table: dict[str, date]): ...

    with pytest.raises(InvalidArgumentsError) as caught:
        called(use, {"days": ["0000-01-01"] * 99, "table": {f"k{i}": "0000-01-01" for i in range(99)}})

    paths = [p.path for p in caught.value.problems]
    assert paths == [f"$.days[{i}]" for i in range(50)] + [f"$.table.k{i}" for i in range(50)]


def test_every_place_and_key_that_is_wrong_is_told():
    """Of a tuple and of a record, however deep."""

    def use(at: tuple[date, int, date], table: dict[str, tuple[date, date]]): ...

    with pytest.raises(InvalidArgumentsError) as caught:
        called(use, {"at": ["0000-01-01", 1, "0000-01-01"], "table": {"a": ["0000-01-01", "2024-01-01"]}})

    assert [p.path for p in caught.value.problems] == ["$.at[0]", "$.at[2]", "$.table.a[0]"]


def test_unpacked_keywords_are_passed_by_name():
    """Each is decoded by its own annotation."""

    def search(query: str, **options: Unpack[Options]):
        return [query, options]

    assert called(search, {"query": "q", "day": "2024-01-31"}) == ["q", {"day": date(2024, 1, 31)}]


def test_unpacked_places_have_a_type_each():
    """*xs: *tuple[int, date] takes one of each."""

    def pair(*xs: *tuple[int, date]):
        return xs

    assert called(pair, {"xs": [1.0, "2024-01-31"]}) == (1, date(2024, 1, 31))


def test_types_of_the_author_are_taken_as_written():
    """A value of the declared type that the annotation cannot take is refused; an unknown annotation takes it raw."""

    class Frame:
        pass

    def use(day: date, frame: Frame, rows: list[Point] | None = None):
        return [day, frame, rows]

    arguments = new_block_args(day=arg_any(), frame=arg_any(), rows=arg_array(arg_any()))
    binding = binding_of(use, arguments)

    assert use(**binding.bind({"day": "2024-01-31", "frame": 7}, {})[1]) == [date(2024, 1, 31), 7, None]
    with pytest.raises(InvalidArgumentsError) as caught:
        binding.bind({"day": 5, "frame": 7, "rows": [{"x": "a"}]}, {})
    assert [p.path for p in caught.value.problems] == ["$.day", "$.rows[0].x"]


def test_a_hidden_argument_keeps_its_default():
    """It is not in the schema; the host may still give it."""

    def use(x: float, a: Annotated[float, Arg(hidden=True)] = 1):
        return [x, a]

    assert called(use, {"x": 2}) == [2.0, 1]
    assert called(use, {"x": 2, "a": 5}) == [2.0, 5.0]
    assert list(derive_block(use).input_schema()["properties"]) == ["x"]


def test_a_call_by_partial_and_method_is_bound():
    """The inner function is called with what was bound before."""

    class Counter:
        def add(self, n: int, /, step: int = 1):
            return n + step

    assert called(functools.partial(steps, 1, d=False), {"c": 4.0}) == [1, "b", 4, (), False, {}]
    assert called(Counter().add, {"n": 2.0}) == 3


def test_without_a_derivation_the_signature_is_enough():
    """binding_of serves declarations that were written by hand."""
    binding = binding_of(keep, BlockArgs())

    assert binding.bind({"fur": "black", "unknown": 1}, {})[1] == {"fur": Fur.DARK, "unknown": 1}
    assert binding.codecs.keys() == {"fur", "day", "at", "raw", "n"}
