"""What only looks like a call of the tool that is offered: nothing is made of it."""

from __future__ import annotations

import pytest

from blockargs.derive import derive_block
from blockargs.reply import decode_arguments, decode_calls, decode_reply


def delete_file(path: str) -> str:
    """Delete a file.

    Args:
        path: Which one.
    """
    return path


def rename_file(path: str, name: str) -> str:
    """Rename a file.

    Args:
        path: Which one.
        name: How it is called from now on.
    """
    return path + name


DELETE, RENAME = derive_block(delete_file), derive_block(rename_file)
THOUGHT = (
    '<|channel|>analysis<|message|>Should I call delete_file(path="x")? No.<|end|>'
    "<|start|>assistant<|channel|>final<|message|>No call is needed."
)
OBJECT = '{"path": "x"}'


def codes(reply: str, *blocks) -> list[str]:
    """Return what is wrong with *reply*, or what is called."""
    decoded = decode_reply(reply, list(blocks))
    return [decoded.uid] if decoded.ok else [problem.code for problem in decoded.problems]


FORMS = [
    "NAME({})",
    "NAME(**{})",
    "NAME(arguments={})",
    "NAME{}",
    "<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{}<|call|>",
    "<|start|>assistant to=functions.NAME<|channel|>analysis<|message|>{}<|call|>",
    "[TOOL_CALLS]NAME[ARGS]{}",
    "[TOOL_CALLS]NAME[CALL_ID]a1[ARGS]{}",
    "[TOOL_CALLS]NAME{}",
    "<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
    "<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME\n```json\n{}\n```<｜tool▁call▁end｜>",
    "<tool_call>NAME\n{}</tool_call>",
    "<tool>NAME</tool><args>{}</args>",
    "<NAME>{}</NAME>",
    "<start_function_call>call:NAME{}<end_function_call>",
    "Tool: NAME\nArguments: {}",
    "**Tool**: `NAME`\n**Input**:\n```json\n{}\n```",
    "Action: NAME\nAction Input: {}",
    "NAME\n{}",
    "ok\nNAME\n{}",
    "Let me look:\n\nNAME {}",
    "> NAME {}",
    "NAME: {}",
    "/NAME {}",
    "Calling `NAME` with {}",
    "I will use NAME with the arguments: {}",
    "```NAME\n{}\n```",
]


@pytest.mark.parametrize("form", FORMS)
def test_a_call_of_another_tool_never_runs_the_offered_one(form):
    """
    Wherever a model writes the name of its tool, a tool of another name is not called.
    """
    other = form.replace("NAME", "read_file").replace("{}", OBJECT)
    mine = form.replace("NAME", "delete_file").replace("{}", OBJECT)

    assert codes(other, DELETE) == ["wrong_tool"]
    assert codes(other, DELETE, RENAME) == ["unknown_tool"]
    assert codes(mine, DELETE) == ["delete_file"]
    assert codes(mine.replace("delete", "rename"), DELETE, RENAME) == ["missing_key"]
    assert [one.ok for one in decode_calls(other, [DELETE, RENAME])] == [False]


@pytest.mark.parametrize(
    "before",
    [
        "Sure:\n```json\n",
        "<tool_call>",
        "<|python_tag|>",
        "<|im_start|>assistant\n",
        "<|channel|>final<|message|>",
        "The tool_call: ",
        "tool_input:\n",
        "final_answer\n",
        "Arguments(",
        "Here is what I would send to the `path`: ",
        "path: ",
        "config.json:\n",
        "Using it with ",
        "The tool read_file was used before. Now:\n",
    ],
)
def test_a_word_for_the_object_is_no_name(before):
    """
    What says how the object is written, or what it is, names no other tool.
    """
    assert codes(before + OBJECT, DELETE) == ["delete_file"]


def test_a_method_or_a_client_is_no_other_tool():
    """
    `tools.delete_file({…})` and `delete_file.run({…})` call the tool; another object's method does not.
    """
    assert codes(f"tools.delete_file({OBJECT})", DELETE) == ["delete_file"]
    assert codes(f"delete_file.invoke({OBJECT})", DELETE) == ["delete_file"]
    assert codes(f"delete_file.undo({OBJECT})", DELETE) == ["wrong_tool"]
    assert codes(f"read_file.run({OBJECT})", DELETE) == ["wrong_tool"]


def test_an_object_that_names_its_tool_itself_needs_no_name_before():
    """
    The name inside the object counts, not the one in the words before it.
    """
    for inside in ('"tool": "delete_file", "path": "x"', '"name": "delete_file", "arguments": {"path": "x"}'):
        assert codes(f"After read_file I use read_file: {{{inside}}}", DELETE) == ["delete_file"]
    assert codes('read_file: {"delete_file": {"path": "x"}}', DELETE, RENAME) == ["delete_file"]


@pytest.mark.parametrize(
    "reply",
    [
        'I must not call delete_file(path="x").',
        'Don\'t call delete_file(path="x")!',
        'I will never use {"path": "x"}.',
        'There is no need to run delete_file {"path": "x"}.',
        'Instead of {"path": "x"} I do nothing.',
        'not delete_file(path="x")',
    ],
)
def test_a_call_that_the_text_denies_is_asked_about(reply):
    """
    A model that says what it will not do does not do it.
    """
    assert codes(reply, DELETE) == ["ambiguous"]
    assert codes(f'{reply}\ndelete_file(path="y")', DELETE) == ["ambiguous"]


@pytest.mark.parametrize(
    "reply",
    [
        'I already ran delete_file(path="x").',
        'I have already called `delete_file(path="x")`, so the file is gone.',
        'Earlier you used the tool delete_file(path="x").',
        'We previously invoked delete_file {"path": "x"}.',
        'I called delete_file(path="x") and got an error.',
        "I've just run delete_file({'path': 'x'}), which returned nothing.",
        'I ran delete_file(path="x"), but it failed.',
    ],
)
def test_a_call_that_the_text_reports_as_made_is_asked_about(reply):
    """
    What a model tells of a call that was made before does not make it once more.
    """
    assert codes(reply, DELETE) == ["ambiguous"]
    assert codes(f'{reply}\ndelete_file(path="y")', DELETE) == ["ambiguous"]


@pytest.mark.parametrize(
    "reply",
    [
        'Run delete_file(path="x")',
        'I will use delete_file(path="x") and get the result.',
        'delete_file(path="x") returned an error earlier.',
        'I already ran the numbers. Now: delete_file(path="x")',
        'If it was already called, fine; delete_file(path="x")',
        'Run delete_file(path="x"). It failed before.',
        'Tools called:\ndelete_file(path="x")',
        'The tool is called delete_file: {"path": "x"}',
        'I ran delete_file(path="x")',
    ],
)
def test_a_call_whose_words_only_sound_like_a_report_is_made(reply):
    """
    Only words that can mean nothing else keep a call from being made.
    """
    assert codes(reply, DELETE) == ["delete_file"]


@pytest.mark.parametrize(
    "reply",
    [
        'def delete_file(path="x"): ...',
        'async def delete_file(path="x"):\n    return path',
        'class delete_file(path="x"): pass',
        '# delete_file(path="x")',
        '```python\n# delete_file(path="x")\n```',
        'print(1)  # delete_file(path="x")',
        '// delete_file(path="x")',
        THOUGHT,
        '<|channel|>analysis<|message|>maybe {"path": "x"}',
    ],
)
def test_a_definition_a_comment_and_a_thought_are_no_calls(reply):
    """
    Code that defines or mentions a function, and the channel in which a model thinks, call nothing.
    """
    assert codes(reply, DELETE) == ["no_json"]


def test_a_call_after_a_comment_is_one():
    """
    A comment ends with its line, and a number sign inside a word begins none.
    """
    assert codes('# first\ndelete_file(path="x")', DELETE) == ["delete_file"]
    assert codes('For issue #12: delete_file(path="x")', DELETE) == ["delete_file"]


def test_escape_marks_around_texts_are_quotes():
    """
    FunctionGemma's marks are no part of a text; elsewhere they are.
    """
    call = "<start_function_call>call:rename_file{path:<escape>a, b<escape>,name:<escape>it's<escape>}"
    decoded = decode_reply(call, [DELETE, RENAME])
    assert decoded.value == {"path": "a, b", "name": "it's"}
    assert [note.rule for note in decoded.notes][:1] == ["escape_marks"]
    assert decode_reply('call:x{}\n{"path": "<escape>"}', [DELETE]).value == {"path": "<escape>"}
    assert decode_reply('Sure: {"path": "<escape>x<escape>"}', [DELETE]).value == {"path": "<escape>x<escape>"}


@pytest.mark.parametrize("path", ['"a" "b"', "'a' 'b'", '("a"\n"b")', '"a" r"b"', '"é" "b"'])
def test_texts_side_by_side_in_a_python_call_are_not_joined(path):
    """
    A comma may be lost between two texts: whether they are one or two is asked.
    """
    assert codes(f"delete_file(path={path})", DELETE) == ["adjacent_texts"]
    assert codes(f"delete_file(path=[{path}])", DELETE) == ["adjacent_texts"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ('"é"', "é"),
        ('"""a\n"b" c"""', 'a\n"b" c'),
        (r"r'C:\d'", r"C:\d"),
        ("'it\\'s'", "it's"),
        ('"a\u2028b"', "a\u2028b"),
    ],
)
def test_one_text_in_a_python_call_is_read_however_it_is_written(path, value):
    """
    Three quotes, raw texts and odd characters make no two texts of one.
    """
    assert decode_reply(f"delete_file(path={path})", DELETE).value == {"path": value}


OSLO, BERGEN = '{"path": "a"}', '{"path": "b"}'


@pytest.mark.parametrize(
    "between",
    [
        "A instead of B",
        "A rather than B",
        "A is better than B",
        "A is the final answer; the draft was B",
        "A (corrected; originally B)",
        "A fixed, was B",
        "A this is the updated version of B",
        "A actually replaces B",
        "A is final, unlike B",
        "A\nThe final one is above. B",
        "Instead of A use B",
    ],
)
def test_a_mark_that_speaks_of_the_other_object_makes_none_final(between):
    """
    "Final" said of the first object, or "instead of" before the last, is no reason to take the last.
    """
    reply = between.replace("A", OSLO, 1) if not between.startswith("Instead") else between.replace(" A", f" {OSLO}")
    assert codes(f"{reply[:-1]}{BERGEN}", DELETE) == ["ambiguous"]


@pytest.mark.parametrize(
    "between",
    [
        "\nSorry, corrected:\n",
        ". Actually, ",
        " - rather ",
        "\n**Final answer**: ",
        "; on second thought: ",
        "\nInstead: ",
    ],
)
def test_a_mark_that_speaks_of_the_last_object_makes_it_final(between):
    """
    The correction counts where the words before it say that it is one.
    """
    decoded = decode_reply(f"{OSLO}{between}{BERGEN}", DELETE)
    assert decoded.value == {"path": "b"}
    assert decoded.notes[0].rule == "superseded"


def test_an_object_without_its_first_brace_is_seen_beside_another_one():
    """
    Where one of two objects has lost its first brace, there still are two.
    """
    for first, last in ((OSLO[1:], BERGEN), (OSLO, BERGEN[1:]), (OSLO[1:], BERGEN[1:])):
        assert codes(f"{first} or {last}", DELETE) == ["ambiguous"]
        decoded = decode_reply(f"{first}\nActually, corrected: {last}", DELETE)
        assert decoded.value == {"path": "b"}
        assert ("missing_brace" in [note.rule for note in decoded.notes]) is (last == BERGEN[1:])
        assert [one.value for one in decode_calls(f"{first} and {last}", DELETE)] == [{"path": "a"}, {"path": "b"}]


@pytest.mark.parametrize(
    "after",
    ['\nHere "path": the file', '\nThe "size": 5} of it', '\n"path": "b"', ' and "path": "b", open', ' "path": [1'],
)
def test_words_behind_a_call_are_no_second_one(after):
    """
    An explanation that quotes an argument is no object, unless it could be one.
    """
    assert codes(OSLO + after, DELETE) in (["delete_file"], ["mismatched_bracket"])


def test_many_lost_braces_take_no_time():
    """
    Only so many places are looked at.
    """
    assert codes(OSLO + '"path":' * 1000, RENAME) == ["mismatched_bracket"]
    assert codes(OSLO + ' . "path": 1 ' * 1000, DELETE) == ["delete_file"]
    assert codes(OSLO + ' and x "path": a] ' * 1000, DELETE) == ["delete_file"]


@pytest.mark.parametrize(
    "text",
    [
        '{"path": ""}"}',
        '{"path": ""}b c[", "name": "n"}',
        '{"path": "a"} "name": "n"}',
        '{"path": "a"} name="n"',
        '{"path": "a"}, and more',
        '{"path": "a"} // done',
        '{"path": "a"}; rest',
    ],
)
def test_what_follows_the_arguments_of_a_call_is_told(text):
    """
    Arguments that go on after their object are no arguments, whatever goes on.
    """
    decoded = decode_arguments(text, RENAME)
    assert [p.code for p in decoded.problems][:1] in (["unexpected_text"], ["mismatched_bracket"], ["ambiguous"])
    assert not decode_arguments(text, DELETE).ok


@pytest.mark.parametrize(
    "after", ["", "  \n", "}", "]}", ";", "\n```", "\n```\nDone.", "</tool_call> ok", "<|im_end|>"]
)
def test_what_carries_nothing_may_follow_the_arguments(after):
    """
    Blanks, brackets too many, the end of a fence or of a tag are left out.
    """
    assert decode_arguments(OSLO + after, DELETE).value == {"path": "a"}


@pytest.mark.parametrize(
    "after",
    [' "name": "n"}', ' name="n"', ", name: 'n'", '"}', 'x", "name": "n"}', ' "name" => 5'],
)
def test_members_behind_the_brace_are_no_prose(after):
    """
    In free text too, what looks like a further member of the object is never left out.
    """
    assert not decode_reply('{"path": "a"}' + after, RENAME).ok
    assert not decode_reply('Sure: {"path": "a", "name": "b"}' + after, RENAME).ok
