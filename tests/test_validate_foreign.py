"""Types with keywords that are not ours, which jsonschema decides."""

from __future__ import annotations

import pytest

from blockargs.types import (
    arg_schema,
)
from blockargs.validate import problems_in, validator_of
from strategies import (
    Rows,
    Whole,
    Word,
)


def codes(value, node):
    return [(p.code, p.path) for p in problems_in(value, node)]


@pytest.mark.parametrize(
    ("node", "good", "bad", "code", "path"),
    [
        (
            {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
            {"a": 1},
            {"b": 1},
            "unknown_key",
            "$",
        ),
        ({"prefixItems": [{}], "unevaluatedItems": False}, [1], [1, 2], "too_many_items", "$"),
        (
            {"properties": {"a": {"enum": [1]}}, "unevaluatedProperties": True},
            {"a": 1.0},
            {"a": True},
            "not_in_enum",
            "$.a",
        ),
        ({"multipleOf": 0.1, "unevaluatedItems": True}, 0.3, 0.35, "not_multiple", "$"),
        ({"multipleOf": 0.5, "unevaluatedItems": True}, 10**400, 0.3, "not_multiple", "$"),
        ({"format": "date", "unevaluatedItems": True}, "2024-01-31", "2024-02-31", "wrong_format", "$"),
        ({"pattern": "^a$", "unevaluatedItems": True}, "a", "b", "pattern_mismatch", "$"),
        ({"uniqueItems": True, "unevaluatedItems": {}}, [1, True], [1, 1.0], "not_unique", "$"),
        ({"type": "integer", "unevaluatedItems": {}}, 5.0, True, "wrong_type", "$"),
        ({"type": "number", "unevaluatedItems": {}}, 5, True, "wrong_type", "$"),
        ({"contains": {"const": 1}, "unevaluatedItems": {}}, [1], [2], "not_conforming", "$"),
        (
            {"$dynamicAnchor": "t", "type": "object", "properties": {"kid": {"$dynamicRef": "#t"}}},
            {"kid": {}},
            {"kid": {"kid": 5}},
            "wrong_type",
            "$.kid.kid",
        ),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {"minimum": 5}}, "unevaluatedItems": {}},
            5,
            4,
            "too_small",
            "$",
        ),
    ],
)
def test_jsonschema_decides_where_a_keyword_is_not_ours(node, good, bad, code, path):
    """
    A type with `unevaluated…` or `$dynamicRef` is decided by jsonschema, by our rules of equality, formats and numbers.
    """
    typed = arg_schema(node)

    assert problems_in(good, typed) == []
    assert codes(bad, typed) == [(code, path)]
    assert validator_of(typed).accepts(good)
    assert not validator_of(typed).accepts(bad)


def test_what_is_not_json_is_refused_where_jsonschema_decides():
    """
    The scan comes first there too, and what counts as its base is taken.
    """
    node = arg_schema({"unevaluatedItems": {"type": "string"}})

    assert codes([(1,)], node) == [("not_json", "$[0]"), ("too_many_items", "$")]
    assert codes(Rows([Word.HEAD, Whole(1)]), node) == [("too_many_items", "$")]
    assert problems_in(Rows([Word.HEAD]), node) == []
