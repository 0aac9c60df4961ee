"""Names on the wire: legal, distinct, stable, and leading back."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blockargs.dialects import DIALECTS
from blockargs.dialects.names import NameRule, wire_names

RULE = NameRule("A-Za-z_", "A-Za-z0-9_", 20)
SHORT = NameRule("A-Za-z", "A-Za-z0-9_-", 20)


@pytest.mark.parametrize(
    ("given", "wire"),
    [
        ("plain_name", "plain_name"),
        ("admin.reload", "admin_reload"),
        ("übung/eins", "ubung_eins"),
        ("1st", "_1st"),
        ("日本語", "name_77710aed"),
        ("a_name_that_is_far_too_long", "a_name_that_a4dd79d6"),
    ],
)
def test_a_name_is_cleaned_only_where_it_must_be(given, wire):
    """Legal names stay; accents go, the rest becomes '_', and a long name ends in a hash."""
    assert wire_names([given], RULE) == {given: wire}


def test_a_name_begins_as_the_rule_says():
    """Where '_' may not come first, a letter does."""
    assert wire_names(["1st", "-x"], SHORT) == {"1st": "n_1st", "-x": "n_-x"}


def test_a_legal_name_is_never_taken_away():
    """What is cleaned gives way to a name that was legal as given, even to one that looks hashed."""
    first = wire_names(["a b", "a_b"], RULE)
    hashed = first["a b"]

    again = wire_names(["a b", "a_b", hashed], RULE)

    assert first["a_b"] == "a_b"
    assert again[hashed] == hashed
    assert len(set(again.values())) == 3


@given(st.lists(st.text(alphabet=string.printable + "äß語", min_size=1, max_size=30), unique=True, max_size=12))
def test_names_are_legal_distinct_and_the_same_in_any_order(names):
    """Whatever the names and their order, each has one legal alias of its own."""
    for dialect in DIALECTS.values():
        wire = wire_names(names, dialect.names)
        assert wire == wire_names(names[::-1], dialect.names)
        assert len(set(wire.values())) == len(names)
        assert all(dialect.names.legal(w) for w in wire.values())
        assert all(wire[n] == n for n in names if dialect.names.legal(n))


@pytest.mark.parametrize("dialect", ["gemini", "gemini-json"])
def test_gemini_takes_names_of_128_characters(dialect):
    """A legal name of up to 128 characters keeps its spelling there; one more is cut."""
    long, longer = "n" * 128, "n" * 129

    assert wire_names([long], DIALECTS[dialect].names) == {long: long}
    assert len(wire_names([longer], DIALECTS[dialect].names)[longer]) == 128
