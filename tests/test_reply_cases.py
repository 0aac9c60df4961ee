"""Replies of models, each with the arguments it means or the reason why it has none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from blockargs.reply import decode_arguments, decode_reply

FILES = sorted((Path(__file__).parent / "cases" / "reply").glob("*.yaml"))


def told(things, rule: str) -> list[str]:
    return [f"{getattr(thing, rule)} {thing.path}" for thing in things]


def exactly(value) -> str:
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_reply_means_what_its_story_says(file):
    """
    The story of the file holds: this value with these notes, or these problems.
    """
    case = yaml.safe_load(file.read_text(encoding="utf-8"))
    decoded = decode_reply(case["reply"], case["schema"])

    assert told(decoded.problems, "code") == case.get("problems", [])
    assert exactly(decoded.value) == exactly(case.get("value"))
    if decoded.ok:
        assert told(decoded.notes, "rule") == case["notes"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_strict_decoding_takes_only_what_needs_no_repair(file):
    """
    In strict decoding a reply that needs a repair is refused, and the problem names the repair.
    """
    case = yaml.safe_load(file.read_text(encoding="utf-8"))
    lenient = decode_arguments(case["reply"], case["schema"])
    strict = decode_arguments(case["reply"], case["schema"], strict=True)

    assert strict.ok is (lenient.ok and not lenient.notes)
    if lenient.ok and lenient.notes:
        assert [p.path for p in strict.problems] == [n.path for n in lenient.notes]
        assert all(n.message in p.message for n, p in zip(lenient.notes, strict.problems, strict=True))
