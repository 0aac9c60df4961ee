"""Words for people, and errors that carry them."""

from __future__ import annotations

import difflib
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from blockargs._text import close_names, did_you_mean, first_line, folded, listing, one_line, plural, quoted, unhumped
from blockargs.errors import (
    BlockArgsError,
    InvalidBlockError,
    MissingDependencyError,
    Note,
    Problem,
    ToolFailure,
    ToolRejected,
    UnknownBlockError,
    at,
)
from blockargs.sentences import row
from strategies import json_values


class Unshowable:
    def __repr__(self):
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a", "'a'"),
        ("a\nb", r"'a\nb'"),
        ("x" * 300, f"'{'x' * 200}…'"),
        ("\ud800", r"'\ud800'"),
        (5, "5"),
        (True, "true"),
        (None, "null"),
        ({"a": [1, "é"]}, '{"a": [1, "é"]}'),
        (list(range(1000)), None),
        ((1, 2), "[1, 2]"),
        (float("nan"), "nan"),
        ({1, 2}, "{1, 2}"),
        (b"a", "b'a'"),
        (Unshowable(), "<Unshowable>"),
    ],
)
def test_a_value_is_shown_on_one_line_and_cut(value, shown):
    """In quotes when it is text; never more than 200 characters of it."""
    text = quoted(value)

    assert len(text) <= 203
    assert "\n" not in text
    if shown is not None:
        assert text == shown


@given(json_values(max_leaves=40).filter(lambda value: isinstance(value, dict | list)), st.integers(1, 300))
@example([[]] * 20, 300)
@example([[]] * 21, 300)
@example([0] * 20 + ["é" * 300], 20)
@example({"a": [{}, []], "b": {}}, 300)
@example({str(n): n for n in range(10)}, 300)
@example({str(n): n for n in range(11)}, 300)
@example({"a": "é" * 300, "b": True, "c": None, "d": 10**30, "e": 0.5}, 300)
def test_json_is_shown_as_it_is_written(value, length):
    """
    However much of it is looked at, what is shown is the beginning of the JSON that is written for it.
    """
    whole = json.dumps(value, ensure_ascii=False)

    assert quoted(value, length) == (whole if len(whole) <= length else f"{whole[:length]}…")


@pytest.mark.parametrize("late", [float("nan"), {1}, 10**5000, Unshowable()], ids=type)
def test_of_what_is_no_json_the_beginning_is_shown_where_it_is_enough(late):
    """
    What comes after the part that is shown decides nothing.
    """
    assert quoted(["x" * 300, late], 20) == f'["{"x" * 18}…'


@given(st.lists(st.text(max_size=30), max_size=25))
def test_a_row_is_each_of_its_values_quoted(values):
    """
    A few texts, which are remembered, are shown as many are.
    """
    shown = ", ".join(quoted(value, 60) for value in values[:20])

    assert row(values) == row(tuple(values)) == (shown if len(values) <= 20 else f"{shown} and {len(values) - 20} more")


@pytest.mark.parametrize("also", ["", "é"])
def test_what_cannot_be_shown_is_escaped(also):
    """
    Every control character is written as Python writes it, whatever else is in the text.
    """
    given = "".join(map(chr, range(128))) + also
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in given)

    assert quoted(given, 400) == f"'{shown}'"


def test_names_that_differ_in_style_come_first():
    """Case, blanks and dashes do not matter; then spelling."""
    assert folded("Max-Rows ") == folded("max_rows") == "maxrows"
    assert close_names("maxRows", ["min_rows", "max_rows"]) == ["max_rows"]
    assert did_you_mean("directon", ["direction", "n"]) == "did you mean 'direction'?"
    assert did_you_mean("zzz", ["direction"]) == ""
    assert close_names("heda", ["head", "Head", "tail"]) == ["head"]


@given(st.text("ab_c", max_size=9), st.lists(st.text("ab_c", max_size=9), max_size=5, unique_by=folded))
def test_near_names_are_those_of_difflib(name, names):
    """
    What is near is what difflib finds, names of another style first.
    """
    styled = [n for n in names if folded(n) == folded(name) and n != name]
    by_key = {folded(n): n for n in names}
    near = [by_key[k] for k in difflib.get_close_matches(folded(name), by_key)]

    assert close_names(name, names) == (styled or near)


def test_long_names_are_near_too():
    """
    A name of more letters than people read has near ones like any other.
    """
    assert close_names("a" * 70 + "b", ["a" * 70 + "c", "d" * 70]) == ["a" * 70 + "c"]


def test_lists_in_a_sentence():
    """Quoted, with a word before the last; long ones are counted."""
    assert listing([]) == ""
    assert listing(["a"]) == "'a'"
    assert listing(["a", "b", "c"], last="or") == "'a', 'b' or 'c'"
    assert listing("abcd", most=2) == "'a', 'b' and 2 more"
    assert (plural(1, "block"), plural(0, "block")) == ("1 block", "0 blocks")
    assert (one_line("a\n b"), one_line("abcdef", 4)) == ("a b", "abc…")


def test_paths_are_jsonpath():
    """Odd names go in brackets."""
    assert at(at(at("$", "rows"), 0), "it's") == "$.rows[0]['it\\'s']"


def test_an_error_is_one_line_for_one_problem_and_a_list_for_several():
    """With its subject."""
    one = Problem(code="x", path="$.n", message="wrong", hint="mend it")
    root = Problem(code="x", path="$", message="bad")

    assert str(BlockArgsError((one,))) == "$.n: wrong; mend it"
    assert str(BlockArgsError((root,), "block 'h'")) == "block 'h': bad"
    assert str(BlockArgsError((one, root))) == "2 problems:\n  $.n: wrong; mend it\n  bad"
    assert (str(BlockArgsError()), str(BlockArgsError((), "s"))) == ("block_args_error", "s")
    assert str(UnknownBlockError("no such block")) == "no such block"


def test_errors_derive_from_the_builtin_one_would_guess():
    """So that who does not know them can catch them."""
    assert isinstance(UnknownBlockError("x"), KeyError)
    assert isinstance(MissingDependencyError("x"), ImportError)
    assert isinstance(ToolFailure("c", "m"), RuntimeError)
    assert str(ToolRejected("not today")) == "Tool call rejected. not today"
    assert str(ToolFailure("missing_key", "key is required")) == "key is required"


def test_an_error_of_one_problem_is_made_of_a_sentence():
    """It has the code of its class, unless another is told."""
    made = InvalidBlockError.of("'x' is no name", hint="choose another", path="$.name", subject="block 'h'")

    assert made.problems == (
        Problem(code="block_invalid", path="$.name", message="'x' is no name", hint="choose another"),
    )
    assert str(made) == "block 'h': $.name: 'x' is no name; choose another"
    assert UnknownBlockError.of("gone", code="block_gone").problems == (
        Problem(code="block_gone", path="$", message="gone"),
    )


def test_a_problem_of_a_part_is_told_where_the_part_stands():
    """All that is known of it stays."""
    problem = Problem(code="too_small", path="$[0].n", message="'0' is below 1", hint="write 1")

    assert problem.under("$.limits") == Problem(
        code="too_small", path="$.limits[0].n", message="'0' is below 1", hint="write 1"
    )


def test_problems_and_notes_are_json_ready():
    """For logs and for the wire."""
    note = Note(rule="to_integer", path="$.n", before="5", after=5, message="read '5' as the integer 5")

    assert note.record() == {
        "rule": "to_integer",
        "path": "$.n",
        "before": "5",
        "after": 5,
        "message": "read '5' as the integer 5",
    }
    assert str(note) == "$.n: read '5' as the integer 5"
    assert Problem(code="x", path="$", message="m").record() == {"code": "x", "path": "$", "message": "m", "hint": ""}


def test_declared_failures_pickle_whole():
    """With everything their author said."""
    import pickle

    from blockargs.errors import AttemptsExhaustedError

    failure = pickle.loads(pickle.dumps(ToolFailure("busy", "try later", {"s": 1}, retryable=True)))
    rejected = pickle.loads(pickle.dumps(ToolRejected("no")))
    spent = pickle.loads(pickle.dumps(AttemptsExhaustedError("done", "x", [1, 2])))

    assert (failure.code, failure.message, failure.details, failure.retryable) == ("busy", "try later", {"s": 1}, True)
    assert (rejected.reason, spent.attempts, str(spent)) == ("no", (1, 2), "x: done")


@pytest.mark.parametrize(
    ("name", "words"), [("HeadBlock", "Head Block"), ("HTTPServer2Go", "HTTP Server2 Go"), ("new_head", "new_head")]
)
def test_words_start_where_a_capital_says_so(name, words):
    """Names of classes become uids and titles by one rule."""
    assert unhumped(name, " ") == words


def test_of_what_an_exception_says_the_first_line_is_told():
    """What follows is for its author."""
    assert first_line(ValueError("no\nreally")) == "no"
