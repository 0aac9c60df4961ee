"""Damaged calls of a real collection: restored or refused, never changed."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from blockargs.reply import decode_arguments, decode_reply
from damage import damages, outcome

from .conftest import cases_dir

DATA = json.loads((cases_dir() / "tau" / "airline.json").read_text(encoding="utf-8"))
TYPES = {t["function"]["name"]: t["function"]["parameters"] for t in DATA["tools"]}
CALLS = list({json.dumps(a, sort_keys=True): a for a in DATA["actions"] if a["name"] in TYPES}.values())
SAMPLE = CALLS[::6]


@pytest.fixture(scope="module")
def seen():
    """What became of each damage of the sample."""
    found: Counter[tuple[str, str]] = Counter()
    for call in SAMPLE:
        arguments, schema = call["arguments"], {**TYPES[call["name"]], "title": call["name"]}
        text = json.dumps(arguments)
        whole = json.dumps({"name": call["name"], "arguments": arguments})
        for kind, damaged in damages(text):
            found[kind, outcome(decode_arguments(damaged, schema), arguments)] += 1
        for kind, damaged in damages(whole, every=3):
            found[kind, outcome(decode_reply(damaged, schema), arguments)] += 1
    return found


@pytest.mark.parametrize("kind", ["delete", "double", "cut"])
def test_no_damage_changes_a_call(seen, kind):
    """
    A call that was damaged on its way runs as it was meant, or not at all.
    """
    assert seen[kind, "changed"] == 0


def test_most_lost_characters_are_restored(seen):
    """
    Four of five lost characters cost no second request.
    """
    kept, lost = seen["delete", "restored"], seen["delete", "refused"]

    assert kept / (kept + lost) >= 0.8


def test_undamaged_calls_pass_as_they_are():
    """
    A correct call is never touched.
    """
    for call in CALLS:
        decoded = decode_arguments(json.dumps(call["arguments"]), TYPES[call["name"]])
        assert (decoded.ok, decoded.value, decoded.notes) == (True, call["arguments"], ())
