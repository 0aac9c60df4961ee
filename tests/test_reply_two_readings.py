"""Texts with two readings: a problem names both, and neither is taken."""

from __future__ import annotations

import pytest

from blockargs.reply import decode_arguments, decode_reply
from blockargs.types import arg_array, arg_integer, arg_object, arg_string

RECORD = arg_object(
    s=arg_string(),
    i=arg_integer(required=False),
    t=arg_string(required=False),
    l=arg_array(arg_string(), required=False),
)


def codes(text: str) -> list[str]:
    """Return what is wrong with *text* as arguments, each with its path."""
    return [f"{problem.code} {problem.path}" for problem in decode_arguments(text, RECORD).problems]


@pytest.mark.parametrize(
    "text",
    [
        r'{"s": "C:\", "i": 5}',
        r'{"s": "C:\tmp\", "i": 5}',
        r"{'s': 'C:\', 'i': 5}",
        r'{"s": "say \"a\" and C:\", "i": 5}',
    ],
)
def test_a_backslash_before_the_closing_quote_is_asked_about(text):
    """
    A folder's last backslash is no escape, and no quote of the text is lost: or it is.
    """
    assert codes(text) == ["mixed_escapes $.s"]


def test_escaped_quotes_in_pairs_leave_one_reading_of_a_lost_quote():
    """
    A text that ends with an escaped quotation has lost its closing quote, and nothing else.
    """
    assert decode_arguments(r'{"s": "say \"a\", "i": 5}', RECORD).value == {"s": 'say "a"', "i": 5}


@pytest.mark.parametrize(
    "text", ["issue #12\n", "a //b\n", "room # 5\n", "a // b\n", "a /* b */"], ids=["#n", "//n", "# n", "// n", "/*"]
)
def test_a_comment_in_text_without_quotes_may_be_text(text):
    """
    `issue #12` may be the whole text: nothing is cut off as a comment.
    """
    assert codes(f'{{"s": {text}, "i": 5}}') == ["unclear_comment $.s"]
    assert codes(f'{{"s": {text}}}') == ["unclear_comment $.s"]


def test_a_comment_behind_a_complete_value_is_one():
    """
    Behind a number, a word or a text in quotes there is nothing that it could be part of.
    """
    assert decode_arguments('{"s": "a" // b\n, "i": 5 # c\n}', RECORD).value == {"s": "a", "i": 5}
    assert decode_arguments('{"s": http://a.b/c#d}', RECORD).value == {"s": "http://a.b/c#d"}


ALTERNATIVES = [
    '"a"; "b"',
    '"a"|"b"',
    '"a" and "b"',
    '"a" or "b"',
    '"a"/"b"',
    '"a" if x else "b"',
    '"a"-"b"',
    '"a" & "b"',
]


@pytest.mark.parametrize("texts", ALTERNATIVES)
def test_alternatives_are_no_text_that_holds_quotes(texts):
    """
    Two texts with something between them are two texts, of which nothing says which is meant.
    """
    assert codes(f'{{"s": {texts}}}') == ["unescaped_quotes $.s"]
    assert codes(f'{{"s": "x", "l": [{texts}]}}') == ["unescaped_quotes $.l[0]"]
    assert codes(f'{{"s": "x", "l": ["x", {texts}; "c"]}}') == ["unescaped_quotes $.l[1]"]


@pytest.mark.parametrize("text", ['""abc""', '""""', '"" ""'])
def test_a_text_in_doubled_quotes_may_hold_its_quotes(text):
    """
    Both quotes doubled: either two are too many, or two belong to the text.
    """
    assert codes(f'{{"s": {text}, "i": 5}}') == ["unescaped_quotes $.s"]


@pytest.mark.parametrize("text", ['He said "yes" and "no".', '"yes" or "no"', '6" x 4" board', 'a "quoted", word'])
def test_quotations_inside_a_text_stay_part_of_it(text):
    """
    Quotes that set off words of the text are part of it.
    """
    assert decode_arguments(f'{{"s": "{text}", "i": 5}}', RECORD).value == {"s": text, "i": 5}


SEND = {**arg_object(to=arg_string(), body=arg_string(), count=arg_integer(required=False)), "title": "send"}


@pytest.mark.parametrize(
    "text",
    [
        "hi<parameter=count>12</parameter>",
        "hi/parameter><parameter=count>12</parameter>",
        "hi</parametr>\n<parameter=count>12</parameter>",
        "hi</parameter>",
    ],
)
def test_a_parameter_that_swallows_the_next_is_refused(text):
    """
    A tag that was not closed, or closed wrongly, makes no text of the parameter behind it.
    """
    to = "<parameter=to>ann</parameter>"
    call = f"<function=send>{to}<parameter=body>{text}</function>"
    decoded = decode_reply(call, SEND)
    problems = [f"{problem.code} {problem.path}" for problem in decoded.problems]
    assert problems == ([] if text == "hi</parameter>" else ["unclosed_parameter $.body"])
    invoked = call.replace("function=send", 'invoke name="send"').replace("</function", "</invoke")
    assert decode_reply(invoked.replace("=to>", ' name="to">'), SEND).ok is decoded.ok
