"""What may be given to be decoded, and what of it counts as a call."""

from __future__ import annotations

import pytest

from blockargs import Toolset
from blockargs.derive import derive_block
from blockargs.errors import InvalidCallError
from blockargs.reply import decode_arguments, decode_calls, decode_reply
from blockargs.types import arg_boolean, arg_integer, arg_nullable, arg_object, arg_schema, arg_union


def send(to: str, count: int = 1) -> str:
    """Send it.

    Args:
        to: Whom.
        count: How often.
    """
    return to * count


BLOCK = derive_block(send)


@pytest.mark.parametrize("given", [None, 5, {"to": "a"}, ["x"]])
def test_a_reply_that_is_no_text_is_the_hosts_mistake(given):
    """
    The error says what was given, and which function takes it.
    """
    with pytest.raises(InvalidCallError, match="is no text; pass the reply as text; decode_calls takes"):
        decode_reply(given, BLOCK)


@pytest.mark.parametrize("kind", [bytes, bytearray])
def test_bytes_of_a_reply_are_text(kind):
    """
    What came over the wire may be given as it came.
    """
    given = kind('Sure: {"to": "é"}'.encode())
    assert decode_reply(given, BLOCK).value == decode_reply(given.decode(), BLOCK).value == {"to": "é"}
    assert decode_arguments(kind(b'{"to": "a"}'), BLOCK).value == {"to": "a"}


@pytest.mark.parametrize(
    "message",
    [
        {"content": [{"type": "text", "text": "Yes."}, {"type": "tool_use", "name": "send", "input": {"to": "a"}}]},
        {"parts": [{"text": "Yes."}, {"functionCall": {"name": "send", "args": {"to": "a"}}}]},
    ],
)
def test_a_message_without_its_role_is_one_for_toolset_and_decoding(message):
    """
    What `decode_calls` reads as a call, `run`, `run_all` and `ask` do too.
    """
    assert [one.value for one in decode_calls(message, BLOCK)] == [{"to": "a"}]
    toolset = Toolset(send)
    assert toolset.run(message).outcome == "a"
    assert [run.outcome for run in toolset.run_all(message)] == ["a"]
    assert toolset.ask(lambda *_args, **_how: message, "Send it.").ok


@pytest.mark.parametrize(
    "arguments", [{"content": [{"type": "text"}]}, {"content": []}, {"parts": [{"text": "x"}]}, {"parts": []}]
)
def test_arguments_that_only_look_like_a_message_are_arguments(arguments):
    """
    Without a call in it, an object without a role is no answer of a provider.
    """
    assert not Toolset(send).run(arguments).ok


@pytest.mark.parametrize(
    "other",
    ['{"tool": "zzz"}', '{"tool": "zzz", "q": 1}', '{"function": "zzz"}', '{"name": "zzz"}', '{"tool_name": "zzz"}'],
)
def test_a_call_of_an_unknown_tool_among_others_is_told(other):
    """
    Without arguments too it counts: nothing runs while a sibling cannot.
    """
    runs = Toolset([send]).run_all(f'{{"tool": "send", "to": "a"}} {other}')
    assert [run.ok for run in runs] == [False, False]
    assert runs[0].code == "not_made"


@pytest.mark.parametrize("other", ['{"name": "Ann"}', '{"action": "Let us go"}', '{"foo": 1}', '{"tool": 5}'])
def test_an_object_beside_a_call_is_none(other):
    """
    What names no tool is passed over.
    """
    assert [run.ok for run in Toolset([send]).run_all(f'{{"tool": "send", "to": "a"}} {other}')] == [True]


SHAPES = arg_schema(
    {
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": kind}, "r": {"type": "integer"}}, "required": ["kind"]}
            for kind in ("circle", "square")
        ],
        "discriminator": {"propertyName": "kind"},
    }
)


def test_a_tag_that_is_given_twice_is_told_as_such():
    """
    Two values for the tag of a union are two, not none.
    """
    text = '{"kind": "circle", "kind": "square", "r": 1}'
    nested = decode_arguments(f'{{"shape": {text}}}', arg_object(shape=SHAPES))
    assert [f"{p.code} {p.path}" for p in decode_arguments(text, SHAPES).problems] == ["duplicate_key $.kind"]
    assert [f"{p.code} {p.path}" for p in nested.problems] == ["duplicate_key $.shape.kind"]
    assert decode_arguments(text.replace("square", "circle"), SHAPES).value == {"kind": "circle", "r": 1}


def test_yes_is_true_only_where_a_boolean_is_alone():
    """
    Beside null or an integer, yes and no are refused; true and false in any case are read.
    """
    for arg_type in (arg_nullable(arg_boolean()), arg_union(arg_integer(), arg_boolean())):
        record = arg_object(b=arg_type)
        assert decode_arguments({"b": " TRUE "}, record).value == {"b": True}
        assert [p.path for p in decode_arguments({"b": "yes"}, record).problems] == ["$.b"]
        assert [p.path for p in decode_arguments('{"b": No}', record).problems] == ["$.b"]
    assert decode_arguments({"b": "yes"}, arg_object(b=arg_boolean())).value == {"b": True}


def test_a_number_past_every_float_is_text_where_text_may_be_given():
    """
    Its digits are a text; as a number it cannot be.
    """
    either = arg_object(b=arg_schema({"type": ["string", "integer"]}))
    assert decode_arguments('{"b": 1e999}', either).value == {"b": "1e999"}
    assert not decode_arguments('{"b": 1e999}', arg_object(b=arg_integer())).ok
