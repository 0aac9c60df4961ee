"""Types that nobody checked: a value that is compared with one is answered by our own error, never by a foreign one."""

from __future__ import annotations

import pytest

from blockargs.errors import InvalidArgTypeError
from blockargs.node import ArgType
from blockargs.types import arg_string
from blockargs.validate import problems_in, validator_of

MALFORMED = [
    ({"type": "bogus"}, "x", "$.type"),
    ({"type": 3}, "x", "$.type"),
    ({"type": []}, "x", "$.type"),
    ({"type": ["string", "bogus"]}, "x", "$.type"),
    ({"type": ["string", 3], "enum": ["x"]}, "x", "$.type"),
    ({"type": "string", "minLength": "q"}, "x", "$.minLength"),
    ({"minLength": "q"}, "x", "$.minLength"),
    ({"maxLength": "q"}, "x", "$.maxLength"),
    ({"minimum": "q"}, 3, "$.minimum"),
    ({"type": "integer", "minimum": "q"}, 3, "$.minimum"),
    ({"multipleOf": "q"}, 3, "$.multipleOf"),
    ({"multipleOf": 0}, 3, "$.multipleOf"),
    ({"minItems": "q"}, [1], "$.minItems"),
    ({"minProperties": "q"}, {"a": 1}, "$.minProperties"),
    ({"items": {"minLength": "q"}}, ["x"], "$.items.minLength"),
    ({"pattern": "("}, "x", "$.pattern"),
]


@pytest.mark.parametrize(("node", "value", "path"), MALFORMED)
def test_a_malformed_type_is_told_with_its_place(node, value, path):
    """Whichever way the value is asked for: the place is that in the type."""
    for ask in (
        lambda: problems_in(value, ArgType(node)),
        lambda: validator_of(ArgType(node)).accepts(value),
        lambda: validator_of(ArgType(node)).fits(value),
        lambda: validator_of(ArgType(node)).further(value, (), ()),
        lambda: problems_in(value, node),
    ):
        with pytest.raises(InvalidArgTypeError) as caught:
            ask()
        assert path in [p.path for p in caught.value.problems]


def test_a_changed_copy_of_a_type_is_asked_in_the_same_way():
    """``|`` looks at nothing, the comparison does."""
    with pytest.raises(InvalidArgTypeError, match="bogus"):
        problems_in("x", arg_string() | {"type": "bogus"})


def test_a_choice_of_nothing_fits_nothing_and_is_told():
    """No value fits it; whoever asks for a reason hears that the type has none."""
    empty = ArgType({"oneOf": []})
    assert not validator_of(empty).accepts(3)
    with pytest.raises(InvalidArgTypeError) as caught:
        problems_in(3, empty)
    assert [p.path for p in caught.value.problems] == ["$.oneOf"]
