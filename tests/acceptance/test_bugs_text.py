"""Faults reported in public about arguments as text, and replies against hand-written schemas."""

from __future__ import annotations

import json

import pytest
import yaml

from blockargs.reply import decode_arguments

from .conftest import cases_dir

CASES = yaml.safe_load((cases_dir() / "bugs.yml").read_text(encoding="utf-8"))
TEXTS = [case for case in CASES if case["input"]["form"] == "text"]
REPLIES = [case for case in CASES if case["input"]["form"] == "schema" and "reply" in case["input"]]


def told(decoded) -> str:
    """Return everything that the problems say, in lower case."""
    return " ".join(str(problem) for problem in decoded.problems).lower()


def judged(case, decoded):
    """Compare *decoded* with what the case expects."""
    expected = case["expect"]
    if "decoded" in expected:
        assert (decoded.ok, decoded.value) == (True, expected["decoded"]), decoded.problems
    if "error" in expected:
        assert not decoded.ok
        assert all(word in told(decoded) for word in expected["error"])


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case["id"])
def test_argument_text(case):
    """
    Text that peers read wrongly is read as its author expects, or refused with a reason.
    """
    judged(case, decode_arguments(case["input"]["text"], case["input"]["schema"]))


@pytest.mark.parametrize("case", REPLIES, ids=lambda case: case["id"])
def test_a_reply_as_value_and_as_text(case):
    """
    It makes no difference whether an SDK hands me a dict or its text.
    """
    reply, schema = case["input"]["reply"], case["input"]["schema"]
    as_value = decode_arguments(reply, schema)
    judged(case, as_value)

    assert decode_arguments(json.dumps(reply), schema) == as_value


@pytest.mark.parametrize("case", REPLIES, ids=lambda case: case["id"])
def test_a_repair_names_its_path(case):
    """
    What was changed on the way is told, with the place.
    """
    decoded = decode_arguments(case["input"]["reply"], case["input"]["schema"])

    assert decoded.value == case["input"]["reply"] or decoded.notes or decoded.problems
