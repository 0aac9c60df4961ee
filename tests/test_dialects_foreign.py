"""`blocks_from_tools`: tool lists of others as blocks."""

from __future__ import annotations

import json

import pytest

from blockargs.dialects import DIALECTS, blocks_from_tools, export_tools
from blockargs.errors import InvalidDeclarationError
from blockargs.spec import MISSING

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "description": "How many", "default": 5, "examples": [3]}},
    "required": [],
}
FORMS = {
    "openai": {"type": "function", "function": {"name": "head", "description": "Rows.", "parameters": SCHEMA}},
    "responses": {"type": "function", "name": "head", "description": "Rows.", "parameters": SCHEMA, "strict": False},
    "anthropic": {"name": "head", "description": "Rows.", "input_schema": SCHEMA},
    "gemini": {"functionDeclarations": [{"name": "head", "description": "Rows.", "parametersJsonSchema": SCHEMA}]},
    "bedrock": {"toolSpec": {"name": "head", "description": "Rows.", "inputSchema": {"json": SCHEMA}}},
    "mcp": {"name": "head", "description": "Rows.", "inputSchema": SCHEMA},
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read(form):
    """The same tool comes out of each provider's form, with its arguments documented."""
    for given in ([FORMS[form]], {"tools": [FORMS[form]]}, FORMS[form]):
        (block,) = blocks_from_tools(given)
        assert (block.uid, block.description, block.kind, block.type) == ("head", "Rows.", "tool", SCHEMA)
        arg = block.arguments["n"]
        assert (arg.description, arg.example, arg.type, arg.required, arg.default) == (
            "How many", 3, {"type": "integer", "examples": [3]}, False, 5,
        )  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_was_exported_can_be_read_again(dialect):
    """A request of each dialect becomes blocks of the same names."""
    blocks = blocks_from_tools([FORMS["mcp"], {"name": "now", "inputSchema": {"type": "object", "properties": {}}}])

    again = blocks_from_tools(export_tools(blocks, dialect).request())

    assert [b.uid for b in again] == ["head", "now"]
    assert list(again[0].arguments) == ["n"]


def test_what_mcp_knows_more_is_kept():
    """Title, result, hints and icons of a listing come out as they went in."""
    tool = {
        "name": "rm", "title": "Remove", "description": "Remove a file.", "inputSchema": {"type": "object", "properties": {}},
        "outputSchema": {"type": "object", "properties": {"ok": {"type": "boolean"}}},
        "annotations": {"title": "Remove", "destructiveHint": True, "idempotentHint": "no"},
        "icons": [{"src": "https://example.com/i.png"}],
    }  # fmt: skip

    (block,) = blocks_from_tools([tool])

    assert block.annotations == {"title": "Remove", "destructive": True, "icons": tool["icons"]}
    assert block.name == "Remove"
    back = export_tools(block, "mcp").tools[0]
    assert back == {**tool, "annotations": {"title": "Remove", "destructiveHint": True}}


def test_examples_of_anthropic_are_kept():
    """Worked examples stay worked examples."""
    (block,) = blocks_from_tools([{**FORMS["anthropic"], "input_examples": [{"n": 2}]}])

    assert (block.examples, block.notes) == ([{"n": 2}], ())


@pytest.mark.parametrize(
    ("examples", "kept", "said"),
    [
        (
            [{"n": "x"}, {"n": 2}, 5],
            [{"n": 2}],
            [
                ({"n": "x"}, "a worked example does not fit, and is left out: $[0].n: 'x' is a string, not an integer"),
                (5, "a worked example does not fit, and is left out: $[2]: 5 is a number, not an object"),
            ],
        ),
        ({"n": 2}, [], [({"n": 2}, 'the examples are {"n": 2}, not a list; left out')]),
    ],
)
def test_an_example_that_does_not_fit_is_left_out_and_noted(examples, kept, said):
    """With it a provider would refuse the tool, and a registry the block."""
    (block,) = blocks_from_tools([{**FORMS["anthropic"], "input_examples": examples}])

    assert block.examples == kept
    assert [(n.rule, n.before, n.message) for n in block.notes] == [("example_left_out", *one) for one in said]


def test_what_no_block_holds_is_noted():
    """Settings of a request and hints that nobody knows are left out, and told; null says nothing."""
    hints = {"readOnlyHint": "yes", "colour": "red", "destructiveHint": True, "openWorldHint": None}
    tool = {**FORMS["mcp"], "annotations": hints, "title": 5, "icons": "i.png", "_meta": {"a": 1}, "execution": None}

    (block, other) = blocks_from_tools([tool, FORMS["responses"]])

    assert (block.name, block.annotations) == ("head", {"destructive": True})
    assert [(n.rule, n.path, n.before, n.message) for n in block.notes] == [
        ("not_kept", "$", {"_meta": {"a": 1}}, "'_meta' is left out"),
        (
            "not_kept", "$", {"readOnlyHint": "yes", "colour": "red", "icons": "i.png", "title": 5},
            "'readOnlyHint', 'colour', 'icons' and 'title' are left out",
        ),
    ]  # fmt: skip
    assert [n.before for n in other.notes] == [{"strict": False}]


@pytest.mark.parametrize(
    "beside",
    [
        {"type": "web_search"},
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
        {"type": "custom", "name": "shell", "format": {"type": "text"}},
        {"googleSearch": {}},
        {"cachePoint": {"type": "default"}},
    ],
)
def test_what_stands_beside_the_tools_is_noted(beside):
    """What the provider runs itself, and where it caches, is no block: the one before it says so, or else the first."""
    for tools, index in (([beside, FORMS["mcp"]], 0), ([FORMS["mcp"], FORMS["bedrock"], beside], 1)):
        blocks = blocks_from_tools(tools)

        message = f"{json.dumps(beside)} is no function that a model calls with arguments; it is left out"
        assert [n.message for n in blocks[index].notes] == [message]
        assert (len(blocks), blocks[index].notes[0].rule, blocks[index].notes[0].before) == (
            index + 1,
            "not_a_tool",
            beside,
        )

    with pytest.raises(InvalidDeclarationError) as caught:
        blocks_from_tools([beside])
    assert str(caught.value).endswith("and there is no other tool; pass tools that a model calls with arguments")


def test_what_stands_in_one_element_with_tools_is_noted():
    """Gemini lists its own tools beside the declarations, OpenAI names a group of functions."""
    gemini = {**FORMS["gemini"], "googleSearch": {}, "codeExecution": None}
    group = {"type": "namespace", "name": "rows", "tools": [FORMS["responses"]]}

    for element, left in ((gemini, {"googleSearch": {}}), (group, {"type": "namespace", "name": "rows"})):
        for tools in ([element], {"tools": [element]}):
            (block,) = blocks_from_tools(tools)

            assert (block.uid, block.type) == ("head", SCHEMA)
            assert [n.before for n in block.notes if n.rule == "not_a_tool"] == [left]
    assert [b.uid for b in blocks_from_tools(gemini)] == ["head"]
    fields = {"tools": {"type": "array", "items": {"type": "string"}}}
    named = {"name": "pick", "parameters": {"type": "object", "properties": fields}, "tools": ["a"]}
    assert [n.before for n in blocks_from_tools(named)[0].notes] == [{"tools": ["a"]}]


def test_a_tool_with_two_schemas_is_refused():
    """Which one is meant nobody says; the same one twice is no question."""
    other = {"type": "object", "properties": {}}

    with pytest.raises(InvalidDeclarationError) as caught:
        blocks_from_tools([{"name": "f", "parameters": SCHEMA, "inputSchema": other}])

    message = "tools: $[0]: the tool has more than one schema, under 'parameters' and 'inputSchema', and they differ; keep one"
    assert str(caught.value) == message
    (block,) = blocks_from_tools([{"name": "f", "parameters": SCHEMA, "inputSchema": SCHEMA}])
    assert (block.type, block.notes) == (SCHEMA, ())
    (block,) = blocks_from_tools([{"name": "f", "parameters": None, "parametersJsonSchema": SCHEMA}])
    assert block.type == SCHEMA


def test_of_what_a_tool_says_twice_the_inner_one_counts():
    """No list is refused for a description; 1 and true are two constants, also for what is no JSON."""
    inner = {"name": "f", "description": "in", "parameters": SCHEMA}
    same, (block,) = inner["parameters"], blocks_from_tools([{"function": inner, "description": "out", "name": "f"}])
    message = "the tool has more than one description, under 'description', and they differ: this one is left out"

    assert (block.description, block.type) == ("in", same)
    assert [n.record() for n in block.notes] == [
        {"rule": "said_twice", "path": "$", "before": "out", "after": "in", "message": message}
    ]
    one, true = ({"type": "object", "properties": {"a": {"const": value}}} for value in (1, True))
    with pytest.raises(InvalidDeclarationError, match="more than one schema"):
        blocks_from_tools([{"name": "f", "parameters": one, "input_schema": true}])
    odd = [{"name": "f", "input_schema": SCHEMA, "title": {"a": {5}}, "function": {"title": {"a": {5}}}}]
    assert [n.rule for n in blocks_from_tools(odd)[0].notes] == ["not_kept"]


def test_bounds_written_as_texts_are_numbers():
    """Gemini's requests write 64-bit numbers as texts."""
    items = {"type": "STRING", "minLength": "1", "maxLength": "x"}
    schema = {
        "type": "OBJECT",
        "properties": {"a": {"type": "ARRAY", "items": {**items, "maxLength": 9}, "maxItems": " 5"}},
    }

    (block,) = blocks_from_tools([{"functionDeclarations": [{"name": "f", "parameters": schema}]}])

    a = {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 9}, "maxItems": 5}
    assert block.type == {"type": "object", "properties": {"a": a}}
    assert [(n.path, n.before, n.after) for n in block.notes if n.rule == "number_translated"] == [
        ("$.a", {"maxItems": " 5"}, {"maxItems": 5}),
        ("$.a[*]", {"minLength": "1"}, {"minLength": 1}),
    ]
    with pytest.raises(InvalidDeclarationError, match="'x' is no whole number"):
        blocks_from_tools([{"name": "f", "parameters": {"type": "object", "properties": {"a": items}}}])


def test_type_words_of_other_languages_are_translated_and_noted():
    """dict, float, tuple and any are read as what they mean, each with a note of its place."""
    schema = {
        "type": "dict",
        "properties": {
            "x": {"type": "float"}, "t": {"type": "tuple", "items": {"type": "String"}}, "v": {"type": "any"},
            "u": {"type": ["int", "none"]}, "w": {"type": ["str", "any"]}, "m": {"type": "HashMap"}, "s": {"type": "string"},
        },
    }  # fmt: skip

    (block,) = blocks_from_tools([{"name": "f", "parameters": schema}])

    fields = {
        "x": {"type": "number"}, "t": {"type": "array", "items": {"type": "string"}}, "v": {}, "u": {"type": ["integer", "null"]},
        "w": {}, "m": {"type": "object"}, "s": {"type": "string"},
    }  # fmt: skip
    assert block.type == {"type": "object", "properties": fields}
    assert [(n.rule, n.path, n.before) for n in block.notes if n.path in ("$", "$.t[*]")] == [
        ("type_word_translated", "$", "dict"),
        ("type_word_translated", "$.t[*]", "String"),
    ]
    assert len(block.notes) == 8
    assert block.arguments["v"].type is None


def test_the_openapi_form_is_read_back():
    """Capitals, nullable and whole numbers as texts become JSON Schema again."""
    schema = {
        "type": "OBJECT",
        "properties": {
            "a": {"type": "INTEGER", "enum": ["1", "-2"], "nullable": True},
            "b": {"anyOf": [{"type": "STRING"}, {"type": "NUMBER"}], "nullable": True},
            "c": {"type": "STRING", "nullable": False},
            "d": {"nullable": True},
            "e": {"type": "STRING", "nullable": True},
            "f": {"type": ["string", "null"]},
        },
    }

    (block,) = blocks_from_tools([{"name": "f", "parameters": schema}])

    assert block.type["properties"] == {
        "a": {"type": ["integer", "null"], "enum": [1, -2, None]},
        "b": {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]},
        "c": {"type": "string"},
        "d": {},
        "e": {"type": ["string", "null"]},
        "f": {"type": ["string", "null"]},
    }


def test_texts_that_are_no_whole_numbers_stay():
    """What only looks like a number is left for the schema's author."""
    odd = ["--1", "1" * 5_000, "x", 2]

    (block,) = blocks_from_tools(
        [{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer", "enum": odd}}}}]
    )

    assert block.type["properties"]["a"]["enum"] == odd


def test_a_field_that_says_required_of_itself_is_listed():
    """Whether a field is needed is said by its record, wherever the document says it."""
    schema = {
        "properties": {
            "a": {"type": "string", "required": True},
            "b": {"type": "string", "required": False},
            "c": True,
        },
        "required": ["c", "b"],
    }

    (block,) = blocks_from_tools([{"name": "f", "parameters": schema}])

    assert block.type["required"] == ["c", "a"]
    assert block.type["type"] == "object"
    assert [n.rule for n in block.notes] == ["required_translated"] * 2
    assert block.arguments["c"].default is MISSING
    (loose,) = blocks_from_tools([{"name": "f", "parameters": {"type": "object", "required": True}}])
    assert loose.type == {"type": "object"}


def test_names_are_cleaned_and_kept_as_wire_names():
    """A name that no uid may have gets one, none becomes another's, and the original stays for the wire."""
    names = ["a/b", "a b", "a_b", "ok.name"]

    blocks = blocks_from_tools([{"name": n, "inputSchema": {"type": "object"}} for n in names])

    assert len({b.uid for b in blocks}) == 4
    assert [b.wire_name for b in blocks] == ["a/b", "a b", None, None]
    assert [[n.rule for n in b.notes] for b in blocks] == [["name_cleaned"], ["name_cleaned"], [], []]


def test_the_same_name_twice_is_for_the_registry_to_refuse(registry):
    """Both come out; a registry takes one."""
    twice = blocks_from_tools([FORMS["mcp"], FORMS["openai"]])

    assert [b.uid for b in twice] == ["head", "head"]


def test_references_reach_the_single_arguments():
    """An argument's type keeps the definitions that it needs."""
    schema = {"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}}, "$defs": {"T": {"type": "string"}}}

    (block,) = blocks_from_tools([{"name": "f", "parameters": schema}])

    assert block.arguments["t"].type == {"$ref": "#/$defs/T", "$defs": {"T": {"type": "string"}}}


@pytest.mark.parametrize(
    ("tools", "sentence"),
    [
        ("text", "'text' is no list of tools"),
        (5, "5 is no list of tools"),
        ([5], "tools: $[0]: 5 is no tool; a tool is an object with a name and a schema"),
        ([{"function": 5}], "tools: $[0]: null is no name of a tool; write its name as text"),
        ([{"toolSpec": 5}], "tools: $[0]: null is no name of a tool; write its name as text"),
        (
            [{"name": "f", "inputSchema": SCHEMA, "annotations": [1]}],
            "tools: $[0]: the annotations of 'f' are [1], not an object; write {'readOnlyHint': true}",
        ),
        ([{"type": "object", "properties": {}}], "tools: $[0]: null is no name of a tool; write its name as text"),
        ([{"name": "f", "description": 5}], "tools: $[0]: the description of 'f' is 5, not text"),
        ([{"name": "f", "parameters": "x"}], "tools: $[0]: the schema of 'f' is 'x', not an object"),
        (
            [{"name": "f", "parameters": {"type": "nosuch"}}],
            (
                "tools: $[0].type: tool 'f': 'nosuch' is no type of JSON; "
                "the types are string, number, integer, boolean, array, object, null"
            ),
        ),
    ],
)
def test_what_is_no_tool_is_named(tools, sentence):
    """Each fault says which tool it is in."""
    with pytest.raises(InvalidDeclarationError) as caught:
        blocks_from_tools(tools)

    assert str(caught.value) == sentence


def test_a_list_that_contains_itself_is_refused():
    """It never ends in a crash."""
    tools: list = []
    tools.append({"tools": tools})

    with pytest.raises(InvalidDeclarationError, match="nested too deeply, or contain themselves"):
        blocks_from_tools(tools)


def test_all_faults_are_named_at_once():
    """Two broken tools are two problems."""
    with pytest.raises(InvalidDeclarationError) as caught:
        blocks_from_tools([{"name": ""}, FORMS["mcp"], {"name": "f", "parameters": {"properties": {"a": {"type": 5}}}}])

    assert [p.path.partition("]")[0] for p in caught.value.problems] == ["$[0", "$[2"]


def test_a_schema_without_bottom_is_refused():
    """Nesting beyond any schema is a problem, never a crash."""
    deep = {"type": "dict"}
    for _ in range(5_000):
        deep = {"type": "dict", "properties": {"a": deep}}

    with pytest.raises(InvalidDeclarationError):
        blocks_from_tools([{"name": "f", "parameters": deep}])


@pytest.mark.parametrize(("keyword", "value"), [("enum", []), ("anyOf", []), ("type", []), ("required", ["q", "q"])])
def test_an_empty_choice_of_another_s_tool_is_refused(keyword, value):
    """What no provider would take does not come in: the tool and the place are named."""
    fields = {"a": {keyword: value}}

    with pytest.raises(InvalidDeclarationError) as caught:
        blocks_from_tools([{"name": "t", "inputSchema": {"type": "object", "properties": fields}}])

    assert [p.path for p in caught.value.problems] == [f"$[0].properties.a.{keyword}"]
