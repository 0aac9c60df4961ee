"""Laws over generated annotations: agreement with pydantic, and writing as the inverse of reading.

Where pydantic takes other JSON than the derived schema, that is intended:

- records are closed here, and a model that ignores further keys counts as closed: what a caller
  gives is never dropped;
- a NamedTuple is an object with the names of its fields, not a list that only its author can read;
- a ``datetime`` has a zone, a ``Decimal`` is written as text (no digit is lost), a ``timedelta`` is an
  ISO 8601 duration without years and months, ``bytes`` are base64; pydantic's schemas also allow numbers,
  naive times and UTF-8 there;
- ``time`` goes without seconds too;
- ``WithJsonSchema`` and ``json_schema_extra`` change what pydantic writes and not what it takes: they are not
  read, and noted;
- a set's members are unique in its list; pydantic's validation drops repeats silently, its schema does not;
- a union's tag is required also where its field has a default: it alone decides;
- keys that are no texts have a form (``dict[int, str]``: ``"12"``), which pydantic's schema leaves out.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

import jsonschema
import pydantic
from annotated_types import Ge, Le, Len, MaxLen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typing_extensions import NotRequired, TypedDict

from blockargs.derive import accepts_python, arg_type_of, decode, encode
from blockargs.validate import problems_in


class Fur(enum.Enum):
    GINGER = "ginger"
    DARK = "black"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Point:
    x: int
    y: float = 0.5


@dataclass
class Shape:
    at: Point
    tags: list[str] = field(default_factory=list)
    fur: Fur | None = None


class Options(TypedDict):
    depth: int
    lang: NotRequired[Literal["de", "en"]]


class Model(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")
    n: Annotated[int, Ge(1)]
    when: date = date(2024, 1, 31)


class Pair(NamedTuple):
    left: int
    right: str = "r"


small = st.integers(-5, 5)
# annotation -> its Python values
SHARED = {  # where pydantic's schema says the same
    str: st.text(max_size=4),
    int: small,
    float: st.floats(-9, 9, allow_nan=False).map(lambda v: v + 0.0),
    bool: st.booleans(),
    Literal["a", "b"]: st.sampled_from(["a", "b"]),
    Literal[1, "x", True]: st.sampled_from([1, "x", True]),
    Fur: st.sampled_from(Fur),
    Level: st.sampled_from(Level),
    date: st.dates(),
    UUID: st.uuids(),
    Annotated[int, Ge(0), Le(3)]: st.integers(0, 3),
    Annotated[str, MaxLen(2)]: st.text(max_size=2),
    Point: st.builds(Point, small, st.sampled_from([0.5, 2.0])),
    Options: st.fixed_dictionaries({"depth": small}, optional={"lang": st.sampled_from(["de", "en"])}),
    Model: st.builds(Model, n=st.integers(1, 5), when=st.dates()),
    Shape: st.builds(
        Shape, st.builds(Point, small), st.lists(st.text(max_size=2), max_size=2), st.none() | st.sampled_from(Fur)
    ),
}
OWN = {  # where it does not
    datetime: st.datetimes(timezones=st.just(UTC)),
    time: st.times(),
    timedelta: st.timedeltas(timedelta(days=-900), timedelta(days=900)),
    Decimal: st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-9, max_value=9),
    bytes: st.binary(max_size=4),
    Pair: st.builds(Pair, small, st.text(max_size=2)),
}


def containers(inner):
    """Return annotations around one, each with its values."""
    annotation, values = inner
    lists = st.lists(values, max_size=3)
    return st.sampled_from(
        [
            (list[annotation], lists),
            (Sequence[annotation], lists),
            (tuple[annotation, ...], lists.map(tuple)),
            (tuple[annotation, int], st.tuples(values, small)),
            (dict[str, annotation], st.dictionaries(st.text(max_size=2), values, max_size=2)),
            (Mapping[str, annotation], st.dictionaries(st.text(max_size=2), values, max_size=2)),
            (deque[annotation], lists.map(deque)),
            (annotation | None, st.none() | values),
            (Annotated[list[annotation], Len(1, 2)], st.lists(values, min_size=1, max_size=2)),
        ]
    )


def annotations(rows):
    """Return annotations up to three levels deep, each with its values."""
    plain = st.sampled_from(list(rows.items()))
    once = plain.flatmap(containers)
    return (
        plain
        | once
        | once.flatmap(containers)
        | st.sampled_from(
            [
                (set[int], st.sets(small)),
                (frozenset[Fur], st.frozensets(st.sampled_from(Fur))),
                (int | str, small | st.text(max_size=2)),
                (int | list[str], small | st.lists(st.text(max_size=2), max_size=2)),
                (bool | Fur | None, st.none() | st.booleans() | st.sampled_from(Fur)),
            ]
        )
    )


scalars = (
    st.none()
    | st.booleans()
    | small
    | st.sampled_from([0.5, 2.0])
    | st.sampled_from(["", "a", "de", "ginger", "black", "2024-01-31", "x", "123e4567-e89b-12d3-a456-426614174000"])
)
keys = st.sampled_from(["x", "y", "n", "when", "depth", "lang", "at", "tags", "fur", "z"])
json_values = st.recursive(
    scalars, lambda v: st.lists(v, max_size=3) | st.dictionaries(keys, v, max_size=3), max_leaves=6
)


def said_by_pydantic(annotation):
    """Return the check of pydantic's own schema, with records closed as ours are."""

    def closed(node: Any) -> Any:
        if isinstance(node, dict):
            out = {k: closed(v) for k, v in node.items()}
            if out.get("type") == "object" and "properties" in out:
                out.setdefault("additionalProperties", False)
            return out
        return [closed(v) for v in node] if isinstance(node, list) else node

    schema = closed(pydantic.TypeAdapter(annotation).json_schema(mode="validation"))
    checker = jsonschema.FormatChecker(["date", "uuid"])
    return jsonschema.Draft202012Validator(schema, format_checker=checker).is_valid


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(annotations(SHARED), st.data())
def test_the_derived_schema_takes_what_pydantic_takes(pair, data):
    """On generated annotations, values made for them and values made for none get the same verdict."""
    annotation, values = pair
    takes = said_by_pydantic(annotation)
    node = arg_type_of(annotation)

    made = encode(annotation, data.draw(values))
    for value in (made, data.draw(json_values), data.draw(st.lists(json_values, max_size=2))):
        assert (not problems_in(value, node)) == takes(value), (annotation, value)


@settings(max_examples=300, suppress_health_check=list(HealthCheck))
@given(annotations({**SHARED, **OWN}), st.data())
def test_reading_is_the_inverse_of_writing(pair, data):
    """What is written fits the type; read again it is equal and of the same class."""
    annotation, values = pair
    value = data.draw(values)

    written = encode(annotation, value)
    back = decode(annotation, written)
    assert problems_in(written, arg_type_of(annotation)) == []
    assert back == value
    assert accepts_python(annotation, back)
    assert encode(annotation, back) == written


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(annotations({**SHARED, **OWN}), json_values)
def test_any_json_is_read_or_refused(pair, value):
    """No value ends in anything but a Python value that the annotation promises, or problems."""
    annotation, _ = pair
    try:
        made = decode(annotation, value)
    except ValueError as reason:
        assert reason.problems  # noqa: PT017 - either outcome is right
    else:
        assert accepts_python(annotation, made)
