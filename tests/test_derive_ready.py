"""Values that already are what the annotation says: which pass, and which only look so."""

from __future__ import annotations

import collections
import dataclasses
import decimal
import numbers
from collections import abc
from collections.abc import Collection, Iterable, Mapping, MutableSequence, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypedDict

import attrs
import pytest
from pydantic import BaseModel

from blockargs.derive import accepts_python, derive_block, encode
from blockargs.errors import InvalidArgumentsError
from blockargs.registry import Registry

NAN = float("nan")
TABLE = MappingProxyType({"a": 1})


@pytest.mark.parametrize(
    ("annotation", "value", "passes"),
    [
        (list[str], ("a",), False),
        (list, ("a",), False),
        (MutableSequence[str], ("a",), False),
        (MutableSequence[str], collections.deque("a"), True),
        (Sequence[str], ("a",), True),
        (Sequence, ("a",), True),
        (Sequence[str], (1,), False),
        (Sequence[str], "a", False),
        (Iterable[str], {"a"}, True),
        (Iterable[str], iter("a"), False),
        (Collection[str], {"a": 1}, False),
        (collections.deque[str], ("a",), False),
        (tuple[str, ...], ["a"], False),
        (tuple[str, ...], ("a",), True),
        (tuple, ["a"], False),
        (dict[str, int], TABLE, False),
        (dict, TABLE, False),
        (Mapping[str, int], TABLE, True),
        (Mapping, TABLE, True),
        (collections.OrderedDict[str, int], {"a": 1}, False),
        (collections.Counter[str], {"a": 1}, False),
        (collections.Counter[str], collections.Counter("a"), True),
        (set[str], frozenset("a"), False),
        (frozenset[str], {"a"}, False),
        (abc.Set[str], {"a"}, True),
        (abc.MutableSet[str], frozenset("a"), False),
        (numbers.Integral, True, False),
        (numbers.Real, 5, True),
    ],
    ids=str,
)
def test_a_container_passes_only_where_the_annotation_says_it(annotation, value, passes):
    """A tuple is a Sequence, but no list; a frozenset is no set; a table that cannot change is no dict."""
    assert accepts_python(annotation, value) is passes


@dataclasses.dataclass
class Spot:
    x: float


@attrs.define
class Mark:
    x: float


class Model(BaseModel):
    x: Any


class Pair(NamedTuple):
    x: float


class Keys(TypedDict):
    x: float


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (float, NAN),
        (float | str, NAN),
        (list[float], [NAN]),
        (list, [[NAN]]),
        (dict[str, float], {"a": -NAN}),
        (dict, {"a": (NAN,)}),
        (set, {float("inf")}),
        (tuple[Any, ...], (1, NAN)),
        (Any, [{"a": NAN}]),
        (object, Spot(NAN)),
        (Spot, Spot(NAN)),
        (list[Spot], [Spot(1.0), Spot([NAN])]),
        (Mark, Mark(NAN)),
        (Model, Model(x=Spot(NAN))),
        (Pair, Pair(NAN)),
        (Keys, {"x": NAN}),
        (decimal.Decimal, decimal.Decimal("sNaN")),
        (numbers.Real, NAN),
    ],
    ids=str,
)
def test_a_nan_never_passes(annotation, value):
    """Neither alone, nor in a list, a table or the field of a record, however deep."""
    assert not accepts_python(annotation, value)


@pytest.mark.parametrize("made", [Spot(1.0), Mark(2.5), Model(x=b"x"), Pair(1), [Spot(1)], {"a": decimal.Decimal(1)}])
def test_what_is_finite_passes(made):
    """Fields are looked at for NaN alone: a class may keep what it was not given."""
    assert accepts_python(Any, made)
    assert accepts_python(type(made), made)


class Odd:
    """Raises wherever it is looked at."""

    __dataclass_fields__ = ("x",)

    @property
    def x(self):
        raise KeyError("no")


def test_what_cannot_be_asked_does_not_pass():
    """A circle is looked through once; what raises when it is looked at is refused, nothing else happens."""
    circle: list[Any] = [1.0]
    circle.append(circle)

    assert accepts_python(Any, circle)
    assert accepts_python(list[Any], circle)
    assert not accepts_python(Tree, deep := Tree([]).hung(2000)) or deep.children
    assert not accepts_python(Any, Odd())


@dataclasses.dataclass
class Tree:
    children: list[Tree]

    def hung(self, levels):
        """Return itself beneath so many others."""
        top = self
        for _ in range(levels):
            top = Tree([top])
        return top


def paint(tags: list[str], spot: Spot | None = None, ratio: float = 1.0):
    return [tags, spot, ratio]


@pytest.mark.parametrize("given", [{"tags": ("a",)}, {"tags": [], "spot": Spot(NAN)}, {"tags": [], "ratio": NAN}])
def test_create_refuses_what_only_looks_right(given):
    """The registry asks the same question; what is right passes as it is."""
    registry = Registry()
    registry.register(paint)

    with pytest.raises(InvalidArgumentsError) as caught:
        registry.create("paint", **given)
    assert [p.path for p in caught.value.problems] == [f"$.{list(given)[-1]}"]
    spot = Spot(1.0)
    assert registry.create("paint", tags=["a"], spot=spot)[1] is spot


def test_what_a_sequence_was_given_is_written_as_a_list():
    """Whatever passes can be written; a list is also written from a tuple that a function returns."""
    assert encode(Collection[int], frozenset({1})) == [1]
    assert encode(Sequence[int], (1, 2)) == encode(list[int], (1, 2)) == [1, 2]
    assert derive_block(paint).binding.ready({"tags": ("a",)}) == set()
