"""The malformed replies of the case collection: exactly right, types included; none accepted or changed wrongly."""

from __future__ import annotations

import json

import pytest

from blockargs.reply import decode_arguments, decode_reply

from .conftest import cases_dir

LINES = (cases_dir() / "repair.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES if line.strip()]


def exactly(value) -> str:
    """Return *value* as text that differs for 5 and 5.0."""
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_malformed_reply_is_read_exactly_or_refused_with_its_path(case):
    """
    Whatever a model answers, I get the arguments it meant, or the place that is wrong.
    """
    decoded = decode_reply(case["reply"], case["schema"])
    expected = case["expect"]
    if "value" in expected:
        assert (decoded.ok, exactly(decoded.value)) == (True, exactly(expected["value"])), decoded.problems
        return
    told = {problem.path for problem in decoded.problems}
    wanted = set(expected["error_paths"])

    assert not decoded.ok
    assert told & wanted if expected.get("any") else wanted <= told


@pytest.mark.parametrize("case", [c for c in CASES if c["kind"] != "empty"], ids=lambda case: case["id"])
def test_the_arguments_channel_reads_the_same(case):
    """
    The text of a tool call's arguments is read as a reply is: never another value.
    """
    decoded = decode_arguments(case["reply"], case["schema"])

    assert decoded.ok is ("value" in case["expect"])
    if decoded.ok:
        assert exactly(decoded.value) == exactly(case["expect"]["value"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_strict_decoding_repairs_nothing(case):
    """
    In strict decoding only what is right as sent gets through.
    """
    decoded = decode_arguments(case["reply"], case["schema"], strict=True)

    assert not (decoded.ok and decoded.notes)
