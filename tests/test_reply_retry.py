"""What a model is told when its call was not made."""

from __future__ import annotations

from blockargs.errors import Problem
from blockargs.reply import decode_arguments, decode_reply, fingerprint, retry_message
from blockargs.types import arg_integer, arg_object, arg_string

TYPE = arg_object(city=arg_string(), days=arg_integer())


def test_the_message_speaks_of_what_was_wrong_and_of_nothing_else():
    """
    Each problem is one line with path, what came and what was expected; nothing was applied.
    """
    decoded = decode_arguments({"city": "Oslo", "days": "many"}, TYPE)

    assert retry_message(decoded.problems, tool="weather").splitlines() == [
        "The call of 'weather' was not made, and nothing was applied:",
        f"- {decoded.problems[0]}",
        "Correct this and send the complete arguments again.",
    ]
    assert str(decoded.problems[0]) == "$.days: 'many' is a string, not an integer"


def test_a_cut_reply_asks_for_a_shorter_one():
    """
    The same text again would be cut again.
    """
    assert retry_message(decode_reply('{"city": "Os', TYPE).problems).splitlines() == [
        "The call was not made, and nothing was applied:",
        "- $.city: the reply ends inside a text; send it again, complete and shorter",
        "The reply was cut off or too long: send a shorter one.",
        "Correct this and send the complete arguments again.",
    ]


def test_two_objects_ask_for_exactly_one():
    """
    A reply that could not decide is asked to decide.
    """
    reply = '{"city": "Oslo", "days": 1} {"city": "Rome", "days": 1}'

    assert retry_message(decode_reply(reply, TYPE).problems).splitlines()[2:] == [
        "Send exactly one object.",
        "Correct this and send the complete arguments again.",
    ]


def test_a_choice_between_tools_does_not_ask_for_one_object():
    """
    Where only the tool is open, the advice is to name it.
    """
    problem = Problem(code="ambiguous", path="$.tool", message="the arguments fit 'a' or 'b'", hint="say which")

    assert retry_message([problem]).splitlines()[1:] == [
        "- $.tool: the arguments fit 'a' or 'b'; say which",
        "Correct this and send the complete arguments again.",
    ]


def test_the_same_failure_has_the_same_fingerprint():
    """
    Repetition is seen by tool, codes and paths, whatever the values were.
    """
    first, second, other = (decode_arguments({"city": "x", "days": v}, TYPE).problems for v in ("a", "b", None))

    assert fingerprint(first, tool="t") == fingerprint(second, tool="t")
    assert fingerprint(first, tool="t") != fingerprint(first, tool="u")
    assert fingerprint(first) != fingerprint(decode_arguments({}, TYPE).problems)
    assert fingerprint(other) == fingerprint(decode_arguments({"city": "y", "days": None}, TYPE).problems)
