"""A defaultdict makes what is missing, of the class that its annotation names."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from datetime import date
from typing import Annotated

import pytest

from blockargs.derive import decode
from blockargs.errors import UnsupportedAnnotationError


@dataclass
class Options:
    depth: int = 1


@dataclass
class Needy:
    depth: int


@pytest.mark.parametrize(
    ("annotation", "made"),
    [
        (defaultdict[str, int], 0),
        (defaultdict[str, Annotated[str, "a text"]], ""),
        (defaultdict[str, "list[str]"], []),
        (defaultdict[str, list[date]], []),
        (defaultdict[str, deque[int]], deque()),
        (defaultdict[str, set[int]], set()),
        (defaultdict[str, Counter[str]], Counter()),
        (defaultdict[str, dict[str, int]], {}),
        (defaultdict[str, defaultdict[str, int]], defaultdict(int)),
        (defaultdict[str, Options], Options(1)),
    ],
)
def test_a_missing_key_gets_an_empty_value(annotation, made):
    """Each is new, and of the class that a value would be."""
    table = decode(annotation, {})

    assert (table["a"], type(table["a"])) == (made, type(made))
    assert isinstance(made, int | str) or table["a"] is not table["b"]
    assert type(table) is defaultdict


def test_the_inner_table_of_a_table_has_its_factory():
    """All the way down."""
    table = decode(defaultdict[str, defaultdict[str, int]], {"a": {"b": 1}})

    table["a"]["c"] += 1
    table["d"]["e"] += 1
    assert table == {"a": {"b": 1, "c": 1}, "d": {"e": 1}}


@pytest.mark.parametrize("value", [None, "int | None", date, Needy, tuple[int, int]])
def test_one_whose_missing_value_is_not_known_is_refused(value):
    """A table that fails at its first missing key is not what its author means."""
    annotation = defaultdict if value is None else defaultdict[str, value]
    with pytest.raises(UnsupportedAnnotationError) as caught:
        decode(annotation, {})

    assert caught.value.problems[0].hint == "use dict, or values that can be made without arguments: int, str, list …"
