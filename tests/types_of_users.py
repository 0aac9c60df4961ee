"""The classes and names that the cases in ``cases/derive`` are written with."""

# ruff: noqa: F401 - the cases use the names
from __future__ import annotations

import enum
import numbers
import re
import typing
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address
from pathlib import Path
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    LiteralString,
    NamedTuple,
    NewType,
    Optional,
    TypeVar,
)
from uuid import UUID

from annotated_types import Ge, Gt, Interval, Le, Len, MaxLen, MinLen, MultipleOf, Predicate

from blockargs.derive import Arg
from blockargs.types import arg_string

T = TypeVar("T")
Bound = TypeVar("Bound", bound=int)
Choice = TypeVar("Choice", int, str)
UserId = NewType("UserId", int)


class Fur(enum.Enum):
    GINGER = "ginger"
    DARK = "black"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Unit(enum.StrEnum):
    CELSIUS = "c"
    KELVIN = "k"


class Corner(enum.Enum):
    NORTH = (0, 1)
    SOUTH = (0, -1)


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


class Mixed(enum.Enum):
    WORD = "y"
    NUMBER = 1


class Opaque:
    """A class that JSON knows nothing of."""


@dataclass
class Point:
    """A place in the plane.

    Attributes:
        x: To the right.
        y: Upwards.
    """

    x: int
    y: float


@dataclass
class Box:
    w: int
    tags: list[str] = field(default_factory=list)
    sides: ClassVar[int] = 4
    area: int = field(init=False, default=0)


@dataclass
class Circle:
    r: float
    shape: Literal["circle"] = "circle"


@dataclass
class Square:
    side: float
    shape: Literal["square"] = "square"


@dataclass
class Pair(Generic[T]):
    left: T
    right: T


@dataclass
class Tree:
    label: str
    kids: list[Tree] = field(default_factory=list)


class Settings(typing.TypedDict, total=False):
    """How it runs."""

    name: typing.Required[str]
    level: Annotated[int, Ge(1)]


class Place(NamedTuple):
    lat: float
    lon: float = 0.5


@dataclass
class Late:
    """Once begun.

    Args:
        at: The day.
        seed: What chance starts from.
    """

    at: date
    seed: InitVar[int] = 3
    twice: int = field(init=False, default=0)

    def __post_init__(self, seed):
        if seed < 0:
            raise ValueError("the seed is below 0")
        self.twice = 2 * seed

    def __eq__(self, other):
        return self.at == other.at


def is_even(value):
    return value % 2 == 0


NAMES = dict(globals())
