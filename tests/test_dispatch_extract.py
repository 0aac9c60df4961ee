"""One typed value out of a model's answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import date

import pytest

from blockargs import Registry, arg_array, arg_integer, arg_object, extract
from blockargs.dispatch import answer_block, extract_async
from blockargs.errors import AttemptsExhaustedError, Problem, UnsupportedAnnotationError


@dataclass
class Person:
    name: str
    born: date

    def __post_init__(self):
        if self.born.year < 1900:
            raise ValueError("nobody lives that long")


def answering(*answers):
    left = list(answers)
    asked: list = []

    def send(messages):
        asked.append(messages)
        return left.pop(0)

    send.asked = asked
    return send


@pytest.mark.parametrize(
    ("annotation", "reply", "value"),
    [
        (Person, 'Sure: {"name": "Ada", "born": "1990-02-03"}', Person("Ada", date(1990, 2, 3))),
        (list[int], '{"value": [1, "2"]}', [1, 2]),
        (list[int], "[1, 2]", [1, 2]),
        (int, '{"value": 5}', 5),
        (int, "5", 5),
        (date, '{"value": "2024-02-29"}', date(2024, 2, 29)),
        (Person | None, '{"value": null}', None),
        (arg_array(arg_integer()), '```json\n{"value": [1]}\n```', [1]),
        (arg_object(n=arg_integer()), '{"n": 1}', {"n": 1}),
        ({"type": "object", "properties": {"n": {"type": "integer"}}}, '{"n": 1}', {"n": 1}),
        (dict[str, int], '{"value": {"a": 1}}', {"value": {"a": 1}}),
    ],
)
def test_an_annotation_gives_python_a_type_gives_json(annotation, reply, value):
    """
    What is no object is wrapped in `value` and unwrapped again; the bare value is understood too.
    """
    if annotation == dict[str, int]:  # a map is an object itself: nothing is wrapped
        value, reply = {"a": 1}, '{"a": 1}'

    assert extract(answering(reply), "x", annotation) == value


@pytest.mark.parametrize(
    "response",
    [
        {
            "choices": [
                {
                    "message": {
                        "role": "assistant",
                        "tool_calls": [{"id": "c", "function": {"name": "answer", "arguments": '{"value": 5}'}}],
                    }
                }
            ]
        },
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "anything", "input": {"value": 5}}]},
        {
            "candidates": [
                {"content": {"role": "model", "parts": [{"functionCall": {"name": "answer", "args": {"value": 5.0}}}]}}
            ]
        },
        {"role": "assistant", "content": [{"type": "text", "text": '{"value": 5}'}]},
    ],
)
def test_a_providers_response_is_read_where_the_answer_is(response):
    """
    A forced tool call or plain text: the answer is found in both.
    """
    assert extract(answering(response), "x", int) == 5


def test_a_wrong_answer_is_put_right():
    """
    The retry names the path in the answer as the model wrote it.
    """
    send = answering('{"value": ["a"]}', '{"value": [1]}')

    assert extract(send, "x", list[int]) == [1]
    assert "$.value[0]" in send.asked[1][-1]["content"]


def test_what_the_class_itself_refuses_is_told():
    """
    A ValueError of the class is a problem for the model, not a crash of the host.
    """
    send = answering('{"name": "Methuselah", "born": "1000-01-01"}', '{"name": "Ada", "born": "1990-02-03"}')

    assert extract(send, "x", Person).name == "Ada"
    assert "nobody lives that long" in send.asked[1][-1]["content"]


def test_validators_see_the_json_value():
    """
    Checks beyond the type, with paths into the value, as of a toolset.
    """
    send = answering('{"value": [3, 1]}', '{"value": [1, 3]}')

    def ascending(numbers):
        if numbers != sorted(numbers):
            yield "$[0]", "sort them"

    assert extract(send, "x", list[int], validators=ascending) == [1, 3]
    assert "$.value[0]: sort them" in send.asked[1][-1]["content"]


def test_when_no_answer_is_valid_the_error_has_them_all():
    """
    The exception carries every attempt with its problems.
    """
    with pytest.raises(AttemptsExhaustedError) as caught:
        extract(answering("no", '{"value": "x"}'), "x", int)

    assert [a.response for a in caught.value.attempts] == ["no", '{"value": "x"}']
    assert [p.path for p in caught.value.problems] == ["$.value"]


def test_two_answers_are_one_too_many():
    """
    A response with two calls is ambiguous.
    """
    use = {"type": "tool_use", "name": "answer", "input": {"value": 5}}
    twice = {"role": "assistant", "content": [{**use, "id": "a"}, {**use, "id": "b"}]}

    with pytest.raises(AttemptsExhaustedError) as caught:
        extract(answering(twice), "x", int, attempts=1)

    assert [p.code for p in caught.value.problems] == ["ambiguous"]


def test_a_call_without_arguments_is_an_empty_answer():
    """
    What is missing is named.
    """
    call = {"candidates": [{"content": {"parts": [{"functionCall": {"name": "answer", "args": None}}]}}]}

    with pytest.raises(AttemptsExhaustedError) as caught:
        extract(answering(call), "x", int, attempts=1)

    assert [p.path for p in caught.value.problems] == ["$.value"]


def test_strict_takes_answers_as_sent_or_not_at_all():
    """
    No repair, no bare value of another form.
    """
    with pytest.raises(AttemptsExhaustedError):
        extract(answering('{"value": "5"}'), "x", int, attempts=1, strict=True)
    assert extract(answering('{"value": 5}'), "x", int, attempts=1, strict=True) == 5


def test_the_block_of_an_answer_can_be_offered_to_a_provider():
    """
    `answer_block` is what a provider is asked to fill in.
    """
    wrapped = answer_block(list[int], name="numbers", description="The numbers.")

    assert (wrapped.uid, wrapped.description, wrapped.constructor) == ("numbers", "The numbers.", None)
    assert wrapped.input_schema() == {
        "type": "object",
        "properties": {"value": {"type": "array", "items": {"type": "integer"}}},
        "required": ["value"],
        "additionalProperties": False,
    }
    assert list(answer_block(Person).input_schema()["properties"]) == ["name", "born"]


def test_our_own_errors_and_others_of_a_class_keep_their_paths():
    """
    A class that raises problems has them told where they are.
    """
    from blockargs import InvalidArgumentsError, register_type

    class Even:
        def __init__(self, n):
            self.n = n

    def decode(n):
        if n % 2:
            raise InvalidArgumentsError([Problem(code="odd", path="$", message=f"{n} is odd")])
        return Even(n)

    register_type(Even, arg_integer(), decode, lambda even: even.n)

    send = answering('{"value": 3}', '{"value": 4}')
    assert extract(send, "x", Even).n == 4
    assert "$.value: 3 is odd" in send.asked[1][-1]["content"]


def test_extracting_works_without_blocking():
    """
    An async `send` is awaited.
    """

    async def send(messages):
        return '{"value": 5}'

    assert asyncio.run(extract_async(send, "x", int)) == 5


def test_a_registry_is_no_type_of_an_answer():
    """
    A registry is a mapping, but no schema: an empty one would take every answer.
    """
    with pytest.raises(UnsupportedAnnotationError):
        extract(answering("5"), "x", Registry())
