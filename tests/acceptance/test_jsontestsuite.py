"""The JSON test suite through the parser of replies."""

from __future__ import annotations

import json

import pytest

from blockargs.reply.leaves import plain
from blockargs.reply.parse import parse

from .conftest import cases_dir

FILES = sorted((cases_dir() / "jsontestsuite" / "test_parsing").iterdir())
TWO_VALUES = "y_object_duplicated_key.json"  # valid JSON whose key has two values: we do not choose


def of_kind(kind: str):
    return [file for file in FILES if file.name.startswith(kind) and file.name != TWO_VALUES]


def text_of(file) -> str:
    return file.read_bytes().decode("utf-8", "replace")


@pytest.mark.parametrize("file", of_kind("y_"), ids=lambda file: file.stem)
def test_what_is_json_is_read_as_json(file):
    """
    Valid JSON gives what the standard parser gives.
    """
    parsed = parse(text_of(file))

    assert parsed.problems == ()
    assert plain(parsed.value) == json.loads(text_of(file))


@pytest.mark.parametrize("file", of_kind("n_"), ids=lambda file: file.stem)
def test_what_is_no_json_is_never_taken_in_silence(file):
    """
    Text that is not JSON ends in a value with notes or in a problem, never in an exception.
    """
    parsed = parse(text_of(file))

    assert parsed.notes or parsed.problems


@pytest.mark.parametrize("file", of_kind("i_"), ids=lambda file: file.stem)
def test_what_parsers_may_decide_raises_nothing(file):
    """
    What the standard leaves open is read or refused.
    """
    parse(text_of(file))


def test_a_key_with_two_values_is_a_problem():
    """
    The same key twice with different values has no single reading.
    """
    parsed = parse(text_of(next(file for file in FILES if file.name == TWO_VALUES)))

    assert [(p.code, p.path) for p in parsed.problems] == [("duplicate_key", "$.a")]
