"""Validators of attrs: what a schema can say stands in it, the rest is left to the class."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import attrs
import pytest
from annotated_types import Ge
from attrs import validators as v

from blockargs import derive_block
from blockargs.derive import arg_type_of, decode
from blockargs.errors import InvalidArgumentsError


class Fur(Enum):
    DARK = "dark"


def type_with(annotation, validator, **options):
    """Return the type of a field of an attrs class with *validator*."""
    made = attrs.make_class("Made", {"x": attrs.field(validator=validator, **options)})
    if annotation is not None:
        made = attrs.make_class("Made", {"x": attrs.field(type=annotation, validator=validator, **options)})
    return arg_type_of(made)["properties"]["x"], made


SAID = [
    (str, v.in_(["a", "b"]), {"type": "string", "enum": ["a", "b"]}),
    (str, v.in_({"b", "a", "c"}), {"type": "string", "enum": ["a", "b", "c"]}),
    (int, v.in_([1, 2, "3", 2.5]), {"type": "integer", "enum": [1, 2]}),
    (float, v.in_((0.5, 1)), {"type": "number", "enum": [0.5, 1]}),
    (str | None, v.optional(v.in_(["a"])), {"type": ["string", "null"], "enum": ["a", None]}),
    (str | None, v.in_(["a"]), {"type": "string", "enum": ["a"]}),
    (Any, v.in_([1, True]), {"enum": [1, True]}),
    (None, v.in_(["a"]), {"type": "string", "enum": ["a"]}),
    (int, v.ge(1), {"type": "integer", "minimum": 1}),
    (int, [v.gt(1), v.le(5)], {"type": "integer", "exclusiveMinimum": 1, "maximum": 5}),
    (int, v.and_(v.ge(1), v.and_(v.lt(9), v.ge(3))), {"type": "integer", "minimum": 3, "exclusiveMaximum": 9}),
    (str, v.max_len(3), {"type": "string", "maxLength": 3}),
    (list[int], v.min_len(1), {"type": "array", "items": {"type": "integer"}, "minItems": 1}),
    (list[int], v.deep_iterable(v.ge(0), v.max_len(2)), {"type": "array", "items": {"type": "integer"}, "maxItems": 2}),
    (str | None, v.optional([v.max_len(3)]), {"type": ["string", "null"], "maxLength": 3}),
    (str, v.matches_re("a|b"), {"type": "string", "pattern": "^(?:a|b)$"}),
    (str, v.matches_re("a|b", func=re.search), {"type": "string", "pattern": "a|b"}),
    (str, v.matches_re("a|b", re.IGNORECASE, re.match), {"type": "string", "pattern": "^(?:(?i:a|b))"}),
    (None, v.instance_of(int), {"type": "integer"}),
    (None, v.optional(v.instance_of(str)), {"type": ["string", "null"]}),
    (None, [v.instance_of(int), v.ge(1)], {"type": "integer", "minimum": 1}),
    (str, v.instance_of(str), {"type": "string"}),
]


@pytest.mark.parametrize(("annotation", "validator", "node"), SAID, ids=str)
def test_what_a_validator_says_stands_in_the_schema(annotation, validator, node):
    """A model is told before it errs; as the type of a field and as an argument."""
    found, made = type_with(annotation, validator)

    assert found == node
    assert derive_block(made).input_schema()["properties"]["x"] == node


LEFT = [
    (str, v.in_("abc")),
    (str, v.in_(range(3))),
    (str, v.not_(v.in_(["a"]))),
    (str, v.or_(v.max_len(1), v.min_len(5))),
    (str, v.matches_re("(?x) a # a word")),
    (str, v.matches_re(r"\w", re.ASCII)),
    (str, v.in_([("a",)])),
    (str, v.in_([float("nan")])),
    (str, v.in_([1])),
    (str, lambda self, attribute, value: None),
]


@pytest.mark.parametrize(("annotation", "validator"), LEFT, ids=str)
def test_what_a_schema_cannot_say_is_left_to_the_class(annotation, validator):
    """No word of it stands in the type."""
    assert type_with(annotation, validator)[0] == {"type": "string"}


def test_what_has_no_exact_words_is_checked_when_a_value_is_made():
    """With the code and the sentence of a bound; what the class itself refuses is told as its refusal."""
    cases = [
        (Decimal, v.ge(1), "0.5", ("too_small", "'0.5' is below the minimum 1")),
        (Path, v.in_(["a"]), "a", ("not_in_enum", "'a' is not one of 'a'")),
        (Fur, v.in_(["light"]), "dark", ("not_in_enum", "'dark' is not one of 'light'")),
        (str, v.not_(v.in_(["a"])), "a", ("refused", None)),
    ]

    for annotation, validator, value, (code, message) in cases:
        with pytest.raises(InvalidArgumentsError) as caught:
            decode(type_with(annotation, validator)[1], {"x": value})
        (problem,) = caught.value.problems
        assert (problem.code, message or problem.message) == (code, problem.message)


def test_a_validator_behind_a_converter_looks_at_what_that_made():
    """So it says nothing of what comes."""

    def read(text: str) -> int:
        return int(text)

    assert type_with(int, v.ge(1), converter=read)[0] == {"type": "string"}


def test_an_older_attrs_that_keeps_its_parts_elsewhere_says_nothing_wrong():
    """A custom comparison and a custom match are not guessed."""
    from blockargs.derive.attrs_validators import said_by

    odd = v.ge(1)
    object.__setattr__(odd, "compare_op", "~")
    strange = v.matches_re("a")
    object.__setattr__(strange, "match_func", lambda text: True)

    assert said_by(odd) == said_by(strange) == {}


def test_a_bound_holds_for_every_branch_of_a_union():
    """Also for the one that has no words for it."""
    either = Annotated[Decimal | int, Ge(1)]

    assert decode(either, 2) == 2
    with pytest.raises(InvalidArgumentsError) as caught:
        decode(either, "0.5")
    assert caught.value.problems[0].code == "too_small"
