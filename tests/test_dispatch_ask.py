"""Asking a model until its call is valid: what is told, what is kept, and when it is no use any more."""

from __future__ import annotations

import asyncio
import json
import pickle

import pytest

from blockargs import ToolFailure, Toolset, derive_block, extract
from blockargs.errors import AttemptsExhaustedError, InvalidCallError, InvalidToolsetError, UnknownDialectError

MEETINGS: list = []


def book_meeting(attendees: list[str], minutes: int) -> str:
    """Book a meeting."""
    MEETINGS.append((attendees, minutes))
    return f"booked {minutes}"


def get_weather(city: str) -> str:
    """Tell the weather."""
    MEETINGS.append(city)
    return f"sunny in {city}"


@pytest.fixture(autouse=True)
def _nothing_booked():
    MEETINGS.clear()


def positive(arguments):
    if arguments["minutes"] <= 0:
        yield "$.minutes", "a meeting takes at least one minute"


TOOLS = Toolset([book_meeting, get_weather], validators={"book_meeting": positive})
BAD = '{"tool": "book_meeting", "attendees": ["a"], "minutes": 0}'
GOOD = '{"tool": "book_meeting", "attendees": ["a"], "minutes": 30}'


class Model:
    """Answers with what it is given, and remembers what it was asked."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked: list = []

    def __call__(self, messages):
        self.asked.append(json.loads(json.dumps(messages)))
        return self.answers.pop(0)


def test_a_wrong_value_is_put_right_by_a_targeted_retry():
    """
    The second request says what was wrong and nothing else; the constructor runs once, with the right value.
    """
    model = Model(BAD, GOOD)

    report = TOOLS.ask(model, "Book me half an hour with a.")

    assert MEETINGS == [(["a"], 30)]
    assert (report.ok, report.run.text, report.result(), len(report.attempts)) == (True, "booked 30", "booked 30", 2)
    user, answer, retry = model.asked[1]
    assert (user, answer) == (
        {"role": "user", "content": "Book me half an hour with a."},
        {"role": "assistant", "content": BAD},
    )
    assert retry == {
        "role": "user",
        "content": "The call of 'book_meeting' was not made, and nothing was applied:\n"
        "- $.minutes: a meeting takes at least one minute\n"
        "Correct this and send the complete arguments again.",
    }


def test_the_report_keeps_every_attempt():
    """
    Each attempt has its response, its calls, what was wrong, what was repaired, and what was told.
    """
    damaged = '{"tool": "book_meeting", "attendees": ["a"], "minutes": "30",}'
    report = TOOLS.ask(Model(BAD, damaged), "x")

    first, second = report.attempts
    assert (first.ok, first.response, [p.path for p in first.problems], len(first.retry)) == (
        False,
        BAD,
        ["$.minutes"],
        1,
    )
    assert (second.ok, second.response, second.problems, second.retry) == (True, damaged, (), ())
    assert "$.minutes" in [n.path for n in second.notes]
    assert [c.uid for c in second.calls] == ["book_meeting"]
    assert report.messages[-1] == {"role": "user", "content": "Result of 'book_meeting': booked 30"}


def test_when_all_attempts_are_used_up_nothing_has_run():
    """
    The error carries every attempt; the constructor was never called.
    """
    worse = '{"tool": "book_meeting", "attendees": ["a"], "minutes": "soon"}'
    report = TOOLS.ask(Model(BAD, worse), "x")

    assert (report.ok, MEETINGS, len(report.attempts), report.run.code) == (False, [], 2, "arguments_invalid")
    with pytest.raises(AttemptsExhaustedError) as caught:
        report.result()
    assert caught.value is report.error
    assert caught.value.attempts == report.attempts
    assert str(caught.value).startswith("the model: no valid answer in 2 attempts: $.minutes: ")
    assert pickle.loads(pickle.dumps(caught.value)).attempts == report.attempts


def test_the_same_failure_twice_ends_it_at_once():
    """
    Blind repetition is not paid for: the third request is never made.
    """
    model = Model(BAD, BAD, GOOD)

    report = TOOLS.ask(model, "x", attempts=5)

    assert (len(model.asked), report.ok, MEETINGS) == (2, False, [])


def test_a_failure_of_the_constructor_is_no_reason_to_ask_again():
    """
    Once the call is valid it is made once; what the constructor says is the result.
    """

    def fail(n: int) -> str:
        raise ToolFailure("full", "the room is taken")

    model = Model('{"tool": "fail", "n": 1}')
    report = Toolset(fail).ask(model, "x", attempts=5)

    assert (len(model.asked), report.ok, report.run.text, report.error) == (1, False, "the room is taken", None)
    with pytest.raises(ToolFailure, match="the room is taken"):
        report.result()


@pytest.mark.parametrize(
    ("answer", "cure"),
    [
        ('{"attendees": ["a"], "minutes": 1}\n{"city": "PAR"}', "Send exactly one object."),
        (
            '{"tool": "book_meeting", "attendees": ["a',
            "The reply was cut off or too long: send a shorter one.",
        ),
        ("I would rather not.", "Send the call as one JSON object."),
    ],
)
def test_the_retry_says_what_to_do(answer, cure):
    """
    Two calls: give one. Cut: be shorter. None: send it.
    """
    model = Model(answer, GOOD)

    TOOLS.ask(model, "x")

    assert cure in model.asked[1][-1]["content"].splitlines()


# ------------------------------------------------------------------ on the call's own channel


def openai(*calls, finish="tool_calls"):
    made = [{"id": i, "type": "function", "function": {"name": n, "arguments": json.dumps(a)}} for i, n, a in calls]
    return {"choices": [{"message": {"role": "assistant", "tool_calls": made}, "finish_reason": finish}]}


def anthropic(*calls):
    return {"role": "assistant", "content": [{"type": "tool_use", "id": i, "name": n, "input": a} for i, n, a in calls]}


def gemini(*calls):
    parts = [{"functionCall": {"name": n, "args": a}} for _, n, a in calls]
    return {"candidates": [{"content": {"role": "model", "parts": parts}}]}


def bedrock(*calls):
    content = [{"toolUse": {"toolUseId": i, "name": n, "input": a}} for i, n, a in calls]
    return {"output": {"message": {"role": "assistant", "content": content}}}


ZERO = ("c1", "book_meeting", {"attendees": ["a"], "minutes": 0})
HALF = ("c3", "book_meeting", {"attendees": ["a"], "minutes": 30})
PARIS = ("c2", "get_weather", {"city": "PAR"})


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (openai, lambda m: (m["role"], m["tool_call_id"], m["content"])),
        (
            anthropic,
            lambda m: (
                m["content"][0]["is_error"],
                m["content"][0]["tool_use_id"],
                m["content"][0]["content"][0]["text"],
            ),
        ),
        (gemini, lambda m: (None, None, m["parts"][0]["functionResponse"]["response"]["error"])),
        (
            bedrock,
            lambda m: (
                m["content"][0]["toolResult"]["status"],
                m["content"][0]["toolResult"]["toolUseId"],
                m["content"][0]["toolResult"]["content"][0]["text"],
            ),
        ),
    ],
)
def test_a_providers_call_is_answered_on_its_own_channel(form, told):
    """
    The failure goes back as the tool result of that very call, after the turn it belongs to; so does the result.
    """
    model = Model(form(ZERO), form(HALF))

    report = TOOLS.ask(model, [{"role": "user", "content": "x"}])

    assert MEETINGS == [(["a"], 30)]
    _, turn, retry = model.asked[1]
    mark, call_id, text = told(retry)
    assert "$.minutes: a meeting takes at least one minute" in text
    assert (mark, call_id) in {("tool", "c1"), (True, "c1"), (None, None), ("error", "c1")}
    assert "book_meeting" in json.dumps(turn)
    assert "booked 30" in json.dumps(report.messages[-1])


def test_valid_siblings_are_kept_and_nothing_runs_until_all_are_valid():
    """
    Of two calls the right one is kept and told so; the answer holds only the corrected one; both run, in order.
    """
    model = Model(openai(ZERO, PARIS), openai(HALF))

    report = TOOLS.ask(model, "x")

    assert MEETINGS == [(["a"], 30), "PAR"]
    wrong, kept = model.asked[1][-2:]
    assert (wrong["tool_call_id"], kept["tool_call_id"]) == ("c1", "c2")
    assert kept["content"] == (
        "This call is valid and is kept. It will be made once the other calls of your last turn are put right; "
        "do not send it again."
    )
    assert [r.text for r in report.runs] == ["booked 30", "sunny in PAR"]
    assert report.messages[-2:] == (
        {"role": "tool", "tool_call_id": "c3", "content": "booked 30"},
        {"role": "user", "content": "Result of 'get_weather': sunny in PAR"},
    )


@pytest.mark.parametrize(
    ("second", "made"),
    [
        ([HALF, ("c4", "get_weather", {"city": "PAR"})], [(["a"], 30), "PAR"]),
        ([HALF, ("c4", "get_weather", {"city": "LON"})], [(["a"], 30), "LON"]),
        ([HALF, PARIS, ("c5", "get_weather", {"city": "ROM"})], [(["a"], 30), "PAR", "ROM"]),
        ([("c4", "get_weather", {"city": "LON"}), HALF], [(["a"], 30), "LON"]),
    ],
)
def test_a_sibling_that_is_sent_again_is_not_made_twice(second, made):
    """
    The same call again is the same call; a changed one takes its place; a new one is added.
    """
    TOOLS.ask(Model(openai(ZERO, PARIS), openai(*second)), "x")

    assert made == MEETINGS


def test_a_wrong_call_that_is_not_sent_again_stays_wrong():
    """
    A model that drops the failing call has not put it right.
    """
    report = TOOLS.ask(Model(openai(ZERO, PARIS), openai(PARIS)), "x", attempts=3)

    assert (report.ok, MEETINGS) == (False, [])
    assert [r.code for r in report.runs] == ["arguments_invalid", "not_made"]


def test_an_unknown_tool_may_be_replaced_by_a_known_one():
    """
    A call of a tool that does not exist is put right by a call of one that does.
    """
    model = Model(openai(("c1", "get_wether", {"city": "PAR"})), openai(PARIS))

    assert TOOLS.ask(model, "x").run.text == "sunny in PAR"
    assert "did you mean 'get_weather'?" in model.asked[1][-1]["content"]


def test_an_answer_that_was_cut_is_asked_to_be_shorter():
    """
    A provider's own word that the answer was cut is told with the problem.
    """
    model = Model(openai(ZERO, finish="length"), openai(HALF))

    TOOLS.ask(model, "x")

    assert model.asked[1][-1]["content"].endswith("The answer was cut off for its length: send a shorter one.")


def test_a_call_without_id_is_answered_as_the_user():
    """
    Where a provider's id is missing there is no channel: the user says it.
    """
    model = Model(openai((None, *ZERO[1:])), openai((None, *HALF[1:])))

    report = TOOLS.ask(model, "x")

    assert model.asked[1][-1]["role"] == "user"
    assert report.messages[-1] == {"role": "user", "content": "Result of 'book_meeting': booked 30"}


def test_a_provider_that_answers_in_text_is_understood():
    """
    A response without calls is read as text, and told in that provider's form.
    """
    said = {"candidates": [{"content": {"role": "model", "parts": [{"text": BAD}]}}]}
    model = Model(said, GOOD)

    report = TOOLS.ask(model, "x", dialect="gemini")

    assert [m["parts"][0]["text"].split("\n")[0] for m in model.asked[1]] == [
        "x",
        BAD,
        "The call of 'book_meeting' was not made, and nothing was applied:",
    ]
    assert report.messages[-2] == {"role": "model", "parts": [{"text": GOOD}]}


def test_bedrock_is_spoken_to_in_its_own_form():
    """
    Texts are wrapped where a provider wants them wrapped.
    """
    model = Model(BAD, GOOD)

    TOOLS.ask(model, "x", dialect="bedrock")

    assert [m["content"][0]["text"][:3] for m in model.asked[1]] == ["x", '{"t', "The"]


@pytest.mark.parametrize("answer", [{"name": "get_weather", "arguments": {"city": "PAR"}}, {"city": "PAR"}])
def test_send_may_return_a_bare_call(answer):
    """
    A client that already took the response apart may hand over the call alone.
    """
    assert TOOLS.ask(Model(answer), "x").run.text == "sunny in PAR"


@pytest.mark.parametrize("answer", [None, 3, object()])
def test_send_that_returns_nothing_useful_is_the_hosts_mistake(answer):
    """
    A forgotten `return` is named.
    """
    with pytest.raises(TypeError, match=r"^send\(messages\) returned \w+; return text, or the response"):
        TOOLS.ask(lambda messages: answer, "x")


def test_what_send_raises_reaches_the_host():
    """
    A network error is not swallowed, not even an exception that generators treat specially.
    """
    for fault in (ConnectionError, StopIteration):
        with pytest.raises((fault, RuntimeError)):
            TOOLS.ask(Model_raising(fault), "x")


def Model_raising(fault):
    def send(messages):
        raise fault

    return send


@pytest.mark.parametrize("dialect", ["nosuch", 5, None])
def test_a_dialect_that_is_none_is_refused(dialect):
    """
    A misspelt dialect is told with the known ones, before anybody is asked.
    """
    model = Model(GOOD)

    for door in (lambda: TOOLS.ask(model, "x", dialect=dialect), lambda: extract(model, "x", int, dialect=dialect)):
        with pytest.raises(UnknownDialectError, match="is no dialect; there are 'openai', "):
            door()
    assert model.asked == []


@pytest.mark.parametrize(
    ("send", "messages", "words"),
    [
        (5, "x", "send=5 cannot be called; give a function of the messages"),
        (None, "x", "send=None cannot be called; give a function of the messages"),
        (len, 5, "messages=5 is neither text nor a list of messages"),
        (len, {}, "messages={} is neither text nor a list of messages"),
    ],
)
def test_asking_needs_a_function_and_messages(send, messages, words):
    """
    What cannot be asked, or asked with, is told at once, without blocking too.
    """
    for door in (lambda: TOOLS.ask(send, messages), lambda: asyncio.run(TOOLS.ask_async(send, messages))):
        with pytest.raises(InvalidToolsetError) as caught:
            door()
        assert str(caught.value) == words


@pytest.mark.parametrize("response", [None, 5, object(), {"a": object()}, [float, 1]])
def test_an_answer_that_is_none_is_the_hosts_mistake(response):
    """
    What `send` returns must be text, a response, or JSON.
    """
    with pytest.raises(InvalidCallError, match=r"^send\(messages\) returned .*; return text, or the response"):
        TOOLS.ask(lambda _: response, "x")


def test_a_toolset_is_as_strict_with_a_value_as_it_says():
    """
    `extract` takes True or False, nothing that only looks like it.
    """
    with pytest.raises(InvalidToolsetError, match=r"^strict='no' is neither True nor False$"):
        extract(Model("1"), "x", int, strict="no")


@pytest.mark.parametrize("attempts", [0, -1, "2", None, True])
def test_attempts_must_be_at_least_one(attempts):
    """
    Asking nobody is a mistake of the same class as any other option.
    """
    with pytest.raises(InvalidToolsetError, match=rf"^attempts={attempts!r} asks nobody; give 1 or more$"):
        TOOLS.ask(Model(), "x", attempts=attempts)
    with pytest.raises(InvalidToolsetError, match=rf"^attempts={attempts!r} asks nobody; give 1 or more$"):
        extract(Model(), "x", int, attempts=attempts)


def test_asking_works_without_blocking():
    """
    `ask_async` awaits what `send` returns where it can be awaited, and runs as `run_async` does.
    """
    model = Model(BAD, GOOD)

    async def send(messages):
        await asyncio.sleep(0)
        return model(messages)

    assert asyncio.run(TOOLS.ask_async(send, "x")).run.text == "booked 30"
    assert asyncio.run(TOOLS.ask_async(Model(BAD, BAD), "x")).error is not None
    assert asyncio.run(TOOLS.ask_async(Model(GOOD), "x")).ok


def test_a_block_keeps_its_own_name_when_it_is_told():
    """
    The retry speaks of the name the model used.
    """
    toolset = Toolset(derive_block(get_weather), naming="kebab")
    model = Model(openai(("c", "get-weather", {})), openai(("c", "get-weather", {"city": "PAR"})))

    assert toolset.ask(model, "x").ok
    assert model.asked[1][-1]["content"].startswith("The call of 'get-weather' was not made, and nothing was applied:")
