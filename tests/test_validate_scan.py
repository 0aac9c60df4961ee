"""What is JSON at all, and what is told of that which is not."""

from __future__ import annotations

import enum
import math
from collections import ChainMap, OrderedDict
from datetime import date
from decimal import Decimal

import pytest

from blockargs.errors import Problem
from blockargs.node import FrozenDict, FrozenList
from blockargs.types import (
    arg_any,
    arg_array,
    arg_enum,
    arg_integer,
    arg_map,
    arg_number,
    arg_object,
    arg_string,
)
from blockargs.validate import problems_in, validator_of
from strategies import (
    Level,
    Real,
    Row,
    Rows,
    Text,
    Whole,
    Word,
)


def codes(value, node):
    return [(p.code, p.path) for p in problems_in(value, node)]


@pytest.mark.parametrize("value", [Level.FIVE, Whole(5), 5.0, Real(5.0)])
def test_members_of_enumerations_and_subclasses_count_as_what_json_writes(value):
    """
    A subclass of int or float is the number that json.dumps would write.
    """
    assert problems_in(value, arg_integer(minimum=5, maximum=5)) == []
    assert codes(value, arg_integer(minimum=6)) == [("too_small", "$")]


def test_subclasses_of_texts_lists_and_objects_count_as_their_base():
    """
    So is a subclass of str, list or dict, as a value and as a key.
    """
    node = arg_object(op=arg_enum(["head"]), rows=arg_array(arg_any()))
    value = OrderedDict({Text("op"): Word.HEAD, "rows": Rows([Row(a=1), FrozenDict(a=FrozenList([1]))])})

    assert problems_in(value, node) == []
    assert codes(Row(op=Word.HEAD, rows=Rows(), more=1), node) == [("unknown_key", "$.more")]


@pytest.mark.parametrize(
    ("value", "message", "hint"),
    [
        ((1, 2), "(1, 2) is a tuple, not JSON", "use a list"),
        ({1}, "{1} is a set, not JSON", "use a list"),
        (type("Pair", (tuple,), {})((1,)), "(1,) is a Pair, not JSON", "use a list"),
        (b"ab", "b'ab' is a bytes, not JSON", "decode it to a string"),
        (Decimal("1.5"), "Decimal('1.5') is a Decimal, not JSON", "use an int or a float, or write it as a string"),
        (1j, "1j is a complex, not JSON", "use an int or a float, or write it as a string"),
        (
            date(2024, 1, 31),
            "datetime.date(2024, 1, 31) is a date, not JSON",
            "write it as a string: value.isoformat()",
        ),
        (ChainMap({}), "ChainMap({}) is a ChainMap, not JSON", "use a dict"),
        (enum.Enum("Side", "LEFT"), "<enum 'Side'> is an EnumType, not JSON", ""),
        (math.nan, "'nan' is no number of JSON", "use null, or leave it out"),
        (-math.inf, "'-inf' is no number of JSON", "use null, or leave it out"),
        ("\ud800", "'\\ud800' holds half a character (a lone surrogate)", "write the whole character"),
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_is_not_json_is_named(value, message, hint):
    """
    What JSON cannot write is refused wherever it stands, with what to use instead.
    """
    wrong = Problem(code="not_json", path="$.a[1]", message=message, hint=hint)

    assert problems_in({"a": [0, value]}, arg_any()) == [wrong]
    assert not validator_of(arg_any()).accepts([value])


def test_what_is_not_json_does_not_hide_other_problems():
    """
    Beside what is no JSON everything else is still told, as if it had been put right.
    """
    node = arg_object(n=arg_integer(), xs=arg_array(arg_string()), t=arg_string(), f=arg_number())

    assert codes({"n": "5", "xs": ("a", 1), "t": math.nan, "f": {1}, 7: 8}, node) == [
        ("not_json", "$.xs"),
        ("not_json", "$.t"),
        ("not_json", "$.f"),
        ("not_json", "$['7']"),
        ("wrong_type", "$.n"),
        ("wrong_type", "$.xs[1]"),
    ]


def test_a_mapping_of_a_strangers_class_is_no_object():
    """
    A mapping that is no dict is not JSON, and the cure is a dict.
    """
    strange = type("Strange", (ChainMap,), {})()

    assert problems_in(strange, arg_any())[0].hint == "use a dict"


@pytest.mark.parametrize(
    ("key", "path", "message"),
    [
        (1, "$['1']", "key 1 is a number, not a string"),
        (True, "$.true", "key true is a boolean, not a string"),
        (None, "$.null", "key null is null, not a string"),
        ((1, 2), "$['[1, 2]']", "key [1, 2] is a tuple, not a string"),
        ("\udfff", "$['\\\\udfff']", "'\\udfff' holds half a character (a lone surrogate)"),
    ],
)
def test_keys_are_texts(key, path, message):
    """
    A key that is no text, or half a character, is refused at its own path.
    """
    (problem,) = problems_in({key: 1}, arg_any())

    assert (problem.code, problem.path, problem.message) == ("not_json", path, message)
    assert not validator_of(arg_map(arg_integer())).accepts({key: 1})
