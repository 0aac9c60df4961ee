"""Classes as constructors: generic ones, inherited and passed-on signatures."""

from __future__ import annotations

import functools
import sys
import types
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any, Generic, NamedTuple, Self, TypedDict, TypeVar

import attrs
import pydantic
import pytest

from blockargs import Registry
from blockargs.derive import arg_type_of, decode, derive_args, parameters_of, uid_of
from blockargs.errors import InvalidArgumentsError

T = TypeVar("T")
U = TypeVar("U", bound=str)
C = TypeVar("C", int, bool)
INT, TEXT = {"type": "integer"}, {"type": "string"}
MANY = {"type": "array", "items": INT}


class Plain(Generic[T]):
    def __init__(self, x: T, many: list[T]): ...


class OfInt(Plain[int]): ...


class Further(OfInt): ...


class Renamed(Plain[C], Generic[C]): ...


class Nested(Plain[list[T]], Generic[T]): ...


@dataclass
class Data(Generic[T]):
    x: T
    many: list[T]


@dataclass
class DataOfInt(Data[int]):
    z: str = ""


@dataclass
class SameName(Data[int], Generic[T]):
    z: T


class Row(TypedDict, Generic[T]):
    x: T


class RowOfInt(Row[int]):
    z: str


class Pair(NamedTuple, Generic[T]):
    x: T


@attrs.define
class Attrs(Generic[T]):
    x: T


@attrs.define
class AttrsOfInt(Attrs[int]): ...


class Page(pydantic.BaseModel, Generic[T]):
    x: T


@pydantic.dataclasses.dataclass
class Checked(Generic[T]):
    x: T
    n: Annotated[int, pydantic.Field(lt=5)] = 1


def types_of(constructor):
    """Return name → type of the arguments of *constructor*."""
    return {name: arg.type for name, arg in derive_args(constructor).items()}


@pytest.mark.parametrize(
    ("constructor", "types"),
    [
        (Plain[int], {"x": INT, "many": MANY}),
        (OfInt, {"x": INT, "many": MANY}),
        (Further, {"x": INT, "many": MANY}),
        (Renamed[int], {"x": INT, "many": MANY}),
        (Nested[int], {"x": MANY, "many": {"type": "array", "items": MANY}}),
        (Nested, {"x": arg_type_of(list[Any]), "many": arg_type_of(list[list[Any]])}),
        (Renamed, {"x": arg_type_of(int | bool), "many": arg_type_of(list[int | bool])}),
        (Plain[U], {"x": TEXT, "many": {"type": "array", "items": TEXT}}),
        (Data[int], {"x": INT, "many": MANY}),
        (DataOfInt, {"x": INT, "many": MANY, "z": TEXT}),
        (SameName[str], {"x": INT, "many": MANY, "z": TEXT}),
        (Row[int], {"x": INT}),
        (RowOfInt, {"x": INT, "z": TEXT}),
        (Pair[int], {"x": INT}),
        (Attrs[int], {"x": INT}),
        (AttrsOfInt, {"x": INT}),
        (Page[int], {"x": INT}),
        (Checked[int], {"x": INT, "n": {**INT, "exclusiveMaximum": 5}}),
        (functools.partial(DataOfInt, many=[]), {"x": INT, "many": MANY, "z": TEXT}),
        (functools.partial(functools.partial(Data[int], 1), many=[1]), {"many": MANY}),
    ],
)
def test_type_variables_stand_for_what_is_given(constructor, types):
    """A generic class with its types is a constructor; what a base class was given holds below it, too."""
    assert types_of(constructor) == types


@pytest.mark.parametrize("annotation", [DataOfInt, RowOfInt, AttrsOfInt, list[Data[int]], SameName[str]])
def test_the_same_holds_where_such_a_class_is_an_argument(annotation):
    """One way of reading for constructors and for arguments."""
    assert "{}" not in str(arg_type_of(annotation))


def test_a_generic_class_is_built_and_its_values_arrive():
    """The values are decoded by the types that it was given."""
    registry = Registry()
    registry.register(Data[date], uid="dates")
    registry.register(Checked[date], uid="checked")

    assert registry.create("dates", x="2024-01-31", many=["2024-02-01"]) == Data(date(2024, 1, 31), [date(2024, 2, 1)])
    assert registry.create("checked", x="2024-01-31").x == date(2024, 1, 31)
    assert decode(Data[date], {"x": "2024-01-31", "many": []}) == Data(date(2024, 1, 31), [])
    with pytest.raises(InvalidArgumentsError):
        registry.create("checked", x="2024-01-31", n=5)


def test_a_generic_class_has_the_uid_of_its_class():
    """Pydantic makes a class of its own for each type, which has brackets in its name."""
    assert [uid_of(one) for one in (Data[int], Page[int], functools.partial(Data[int], 1))] == ["data", "page", "data"]


class Passing(type):
    def __call__(cls, *args, **kwargs):
        return super().__call__(*args, **kwargs)


class Asking(type):
    def __call__(cls, n: int, /):
        return super().__call__()


class Everything(type):
    def __call__(cls, *args: Any, **kwargs: object):
        return super().__call__(*args, **kwargs)


class ByMeta(metaclass=Passing):
    def __init__(self, x: int): ...


class ByTypedMeta(metaclass=Everything):
    def __new__(cls, **kwargs):
        return object.__new__(cls)

    def __init__(self, *, x: int): ...


@dataclass
class DataByMeta(metaclass=Passing):
    x: int
    many: list[int] = field(default_factory=list)


class OfMeta(metaclass=Asking):
    def __init__(self): ...


class ByInit:
    def __new__(cls, *args, **kwargs):
        return object.__new__(cls)

    def __init__(self, x: int): ...


class ByNew:
    def __new__(cls, x: int):
        return object.__new__(cls)

    def __init__(self, *args, **kwargs): ...


class Anything:
    def __init__(self, *args, **kwargs): ...


class Numbers:
    def __init__(self, *args: int): ...


class Wrapped:
    @functools.wraps(ByInit.__init__)
    def __init__(self, *args, **kwargs): ...


class Signed:
    __signature__ = __import__("inspect").signature(lambda y: y)

    def __init__(self, x: int): ...


@pytest.mark.parametrize(
    ("constructor", "names"),
    [
        (ByMeta, ["x"]),
        (ByTypedMeta, ["x"]),
        (DataByMeta, ["x", "many"]),
        (OfMeta, ["n"]),
        (ByInit, ["x"]),
        (ByNew, ["x"]),
        (functools.partial(ByInit), ["x"]),
        (Anything, ["args", "kwargs"]),
        (Numbers, ["args"]),
        (Wrapped, ["x"]),
        (Signed, ["y"]),
        (functools.partial(Anything, 1), ["args", "kwargs"]),
    ],
)
def test_what_only_passes_arguments_on_is_looked_through(constructor, names):
    """A metaclass or a __new__ that takes anything says nothing; the method that names its parameters does."""
    assert [p.name for p in parameters_of(constructor)] == names


def test_an_inherited_constructor_is_read_where_it_was_written():
    """Postponed annotations mean what they mean in the module of the base class."""
    there = types.ModuleType("there")
    sys.modules["there"] = there
    source = (
        "from __future__ import annotations\nfrom decimal import Decimal as Number\n"
        "class Base:\n    class Inner(int): ...\n    def __init__(self, x: Number, y: list[Number]): ..."
    )
    try:
        exec(source, there.__dict__)

        class Here(there.Base): ...

        assert types_of(Here)["x"] == types_of(there.Base)["x"]
        assert types_of(Here)["y"] == types_of(there.Base)["y"]
    finally:
        del sys.modules["there"]


def test_a_root_model_is_a_constructor():
    """Its one value is called root; what refuses it is told there."""

    class Numbers(pydantic.RootModel[list[int]]): ...

    registry = Registry()
    registry.register(Numbers, uid="numbers")

    assert registry.create("numbers", root=[1]) == Numbers([1])
    with pytest.raises(InvalidArgumentsError) as caught:
        registry.create("numbers", root=["x"])
    assert [p.path for p in caught.value.problems] == ["$.root[0]"]


def test_self_in_a_constructor_is_the_class():
    """Also where the constructor is inherited."""

    @dataclass
    class Node:
        x: int
        below: list[Self] = field(default_factory=list)

    assert arg_type_of(Node)["$ref"] == "#/$defs/Node"
