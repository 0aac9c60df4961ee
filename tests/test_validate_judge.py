"""A judge of another family: jsonschema-rs on the same schemas and values."""

from __future__ import annotations

import jsonschema_rs
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from blockargs.validate import problems_in, schema_problems
from strategies import json_values, schemas

law = settings(max_examples=200)


@law
@given(schemas(), st.lists(json_values(max_leaves=4), min_size=4, max_size=4))
def test_a_second_judge_agrees(node, values):
    """
    jsonschema-rs, written by others in another language, says the same where its rules are ours.
    """
    assume(not schema_problems(node))
    text = str([node, values])
    assume(not any(w in text for w in ("pattern", "format", "multipleOf", "Pattern", "00000000000", "e+", "e-")))
    judge = jsonschema_rs.Draft202012Validator(node)

    assert [problems_in(v, node) == [] for v in values] == [judge.is_valid(v) for v in values]
