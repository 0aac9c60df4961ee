"""`export_tools`: the tools of one request, what is said about them, and the way back."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from blockargs.dialects import DIALECTS, STRICT, Dialect, dialect_named, export_tools, lint_tools
from blockargs.dialects.count import Size
from blockargs.errors import BlockArgsError, InvalidOptionError, Problem, UnknownBlockError, UnknownDialectError
from blockargs.imported import arg_schema
from blockargs.node import ArgType
from blockargs.spec import Block, new_block_arg, new_block_args
from blockargs.types import (
    arg_any,
    arg_array,
    arg_enum,
    arg_integer,
    arg_json_object,
    arg_map,
    arg_number,
    arg_object,
    arg_string,
    arg_tuple,
    arg_union,
)
from waiting import LONG


def block(uid="head", /, **arguments):
    """Return a block whose arguments are these types."""
    args = {n: new_block_arg(type=t, required=t.required is not False) for n, t in arguments.items()}
    return Block(uid=uid, description="Keep the first rows.", arguments=new_block_args(args))


def test_one_bad_block_spoils_no_other():
    """A block that cannot be offered is left out and named; the rest is exported."""
    bad = Block(uid="bad", schema=arg_schema({"type": "array", "items": {}}))

    export = export_tools([bad, block(n=arg_integer())], "anthropic")

    problem = Problem(
        code="root_not_object",
        path="$",
        message='block \'bad\' in anthropic: the arguments are {"type": "array"}, and a tool takes an object',
        hint="make it one argument of a record",
    )
    assert export.refused == {"bad": [problem]}
    assert export.problems == [problem]
    assert list(export.names) == ["head"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "null"]},
        {"enum": ["a"]},
        {"const": 1},
        {"$ref": "#/$defs/A", "$defs": {"A": {"type": "string"}}},
        {"$ref": "#/$defs/A", "$defs": {"A": False}},
    ],
)
def test_arguments_that_are_no_object_are_refused(schema):
    """A tool takes an object: whatever else the root is, it is named."""
    export = export_tools(Block(uid="bad", schema=arg_schema(schema)), "openai")

    assert [p.code for p in export.problems] == ["root_not_object"]


def test_a_root_that_may_be_an_object_is_one():
    """Of several types at the root the object is taken, with a note."""
    export = export_tools(Block(uid="b", schema=arg_schema({"type": ["object", "null"]})), "openai")

    assert export.tools[0]["function"]["parameters"] == {"type": "object", "properties": {}}
    assert [n.rule for n in export.notes] == ["root_object"]


def test_the_same_blocks_give_the_same_export_until_something_changes():
    """Listing again costs nothing; another set of blocks is another export."""
    one, two = block("one", n=arg_integer()), block("two", n=arg_integer())

    first = export_tools([one, two], "mcp")

    assert export_tools([one, two], "mcp") is first
    assert export_tools([one], "mcp") is not first
    assert export_tools([one, two.with_(description="Other.")], "mcp").json() != first.json()


def test_few_exports_are_kept():
    """What is kept with a block is bounded."""
    one = block("one", n=arg_integer())
    others = [block(f"b{i}") for i in range(12)]
    exports = [export_tools([one, other], "mcp") for other in others]

    assert export_tools([one, others[0]], "mcp") is not exports[0]
    assert export_tools([one, others[-1]], "mcp") is exports[-1]


def test_two_threads_that_ask_at_once_get_the_same_export():
    """Both find nothing and make one: one of the two is kept, for both."""
    both = threading.Barrier(2)

    def meeting(schema, path):
        both.wait(LONG)
        return schema, []

    dialect, one = replace(DIALECTS["mcp"], name="slow", rewrites=(meeting,)), block("one")
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(lambda _: export_tools(one, dialect), range(2))

    assert first is second


def test_what_is_given_out_is_a_copy():
    """Changing what was given out changes nothing of the export."""
    export = export_tools(block(n=arg_integer()), "openai")
    before = export.json()

    export.tools[0]["function"]["parameters"]["properties"]["n"]["type"] = "string"
    export.request()["tools"].clear()
    export.names.clear()

    assert export.json() == before
    assert export.tools[0]["function"]["parameters"]["properties"]["n"] == {"type": "integer"}


def test_an_exported_block_still_copies_and_pickles():
    """What an export keeps with a block does not stick to it; an export pickles too."""
    one = block(n=arg_integer())
    export = export_tools(one, "openai", strict=True)

    assert pickle.loads(pickle.dumps(one)) == one
    assert copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(export)).json() == export.json()
    assert copy.deepcopy(export) is copy.copy(export) is export


def test_an_export_in_a_dialect_of_ones_own_is_copied_but_not_pickled_as_another():
    """A copy keeps the replaced dialect; pickling says why it cannot."""
    for own in (replace(DIALECTS["openai"], strict=True), replace(DIALECTS["openai"], name="mine")):
        export = export_tools(block(n=arg_integer()), own)

        assert copy.deepcopy(export).dialect is own
        with pytest.raises(TypeError, match=rf"'{own.name}' would not lead back to it: pickle the blocks"):
            pickle.dumps(export)


def test_an_unpickled_export_refuses_what_it_refused():
    """Two blocks of one uid are not one block on the other side."""
    export = export_tools([block(n=arg_integer())], "openai")
    twice = type(export)([block(n=arg_integer()), block(n=arg_string())], DIALECTS["openai"])
    twin = pickle.loads(pickle.dumps(twice))

    assert (twin.names, twin.refused) == (twice.names, twice.refused)
    assert [p.code for p in twin.problems] == ["name_taken"]


def test_the_size_says_what_a_prompt_costs():
    """Bytes, tools, properties, values, depth."""
    kind = arg_object(x=arg_enum(["a", "b"]), y=arg_integer(required=False))
    export = export_tools(block(kind=kind, n=arg_integer(required=False)), "mcp")

    size = Size(tools=1, bytes=len(export.json()), properties=4, enum_values=2, depth=2, optional=2, unions=0, text=9)
    assert export.size == size


def test_the_lean_form_is_a_catalogue():
    """Name and one line each, for lists too long for a prompt."""
    long = block("long").with_(description="Word " * 80)

    export = export_tools([block(n=arg_integer()), long], "anthropic", detail="lean")

    assert export.tools[0] == {"name": "head", "description": "Keep the first rows."}
    assert len(export.tools[1]["description"]) <= 120
    assert export.size.properties == 0


def test_tools_can_be_kept_back():
    """Where the provider searches for tools, all or some are told only then."""
    blocks = [block("one"), block("two")]

    some = export_tools(blocks, "anthropic", defer=["two"]).tools
    all_of_them = export_tools(blocks, "openai-responses", defer=True).tools

    assert [t.get("defer_loading") for t in some] == [None, True]
    assert [t.get("defer_loading") for t in all_of_them] == [True, True]
    with pytest.raises(UnknownDialectError, match="'gemini' cannot keep tools back"):
        export_tools(blocks, "gemini", defer=True)
    assert export_tools(blocks, "anthropic", defer="two").tools == some
    with pytest.raises(UnknownBlockError, match="'tow' is none of the blocks that are exported; did you mean 'two'"):
        export_tools(blocks, "anthropic", defer=["tow"])


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"dialect": "opnai"}, "did you mean 'openai'"),
        ({"dialect": 5}, "5 is no dialect"),
        ({"dialect": []}, r"\[\] is no dialect"),
        ({"dialect": "mcp", "strict": True}, "'mcp' has no strict form"),
    ],
)
def test_a_wrong_word_is_named(how, message):
    """An unknown dialect or form says what there is."""
    with pytest.raises(UnknownDialectError, match=message):
        export_tools(block(), **how)


@pytest.mark.parametrize("defer", [3, [3], [[]]])
def test_what_is_no_uid_is_not_kept_back(defer):
    """The option and the value are named."""
    with pytest.raises(InvalidOptionError) as caught:
        export_tools(block(), "anthropic", defer=defer)

    shown = defer if defer == 3 else defer[0]
    assert str(caught.value) == f"$.defer: {shown} is no uid; pass True, a uid, or a list of uids"


@pytest.mark.parametrize("defer", [False, True])
def test_an_unknown_detail_is_a_wrong_option(defer):
    """What is asked for besides the dialect is an option: the error says which, and what there is."""
    with pytest.raises(InvalidOptionError) as caught:
        export_tools(block(), "anthropic", detail="lea", defer=defer)

    assert caught.value.problems == (
        Problem(
            code="option_invalid",
            path="$.detail",
            message="'lea' is no detail; there are 'full' and 'lean'",
            hint="did you mean 'lean'?",
        ),
    )


def test_a_dialect_is_a_value():
    """A dialect can be given itself; it shows its name and what it takes."""
    dialect = dialect_named("openai", strict=True)

    assert isinstance(dialect, Dialect)
    assert export_tools(block(), dialect).dialect is dialect
    assert (str(dialect), dialect.most("depth"), dialect.most("unions")) == ("openai strict", 10, None)
    assert hash(dialect) == hash(dialect_named("openai", strict=True))


def test_no_blocks_give_no_tools():
    """An empty export is a fragment without tools."""
    assert export_tools([], "openai").request() == {"tools": []}
    assert export_tools([], "bedrock").request() == {}
    assert repr(export_tools([], "gemini")) == "<ToolExport gemini: 0 tools>"


def test_what_all_blocks_together_have_too_much_of_is_named():
    """The limits of a request count over the whole export, and the ways out are said."""
    many = [block(f"b{i}") for i in range(129)]

    export = export_tools(many, "openai")

    assert len(export) == 129
    assert export.problems == [
        Problem(
            code="too_many_tools",
            path="$",
            message="the 129 blocks together have 129 tools, and openai takes 128 (read 2025-06)",
            hint="offer fewer blocks, offer the lean form first, or search and offer what was found",
        )
    ]


@pytest.mark.parametrize(
    ("dialect", "kind", "code"),
    [
        ("openai", arg_enum([f"v{i}" for i in range(1_001)]), "too_many_enum_values"),
        ("openai", arg_enum(["v" * 70 + str(i) for i in range(251)]), "too_many_long_enum_text"),
        ("anthropic", arg_object({f"f{i}": arg_integer(required=False) for i in range(25)}), "too_many_optional"),
        (
            "anthropic",
            arg_object({f"f{i}": arg_union(arg_string(), arg_integer()) for i in range(17)}),
            "too_many_unions",
        ),
    ],
)
def test_a_block_that_alone_is_too_much_is_refused(dialect, kind, code):
    """What the provider would refuse whatever else is in the request is left out."""
    export = export_tools([block("big", kind=kind), block("small")], dialect, strict=True)

    assert [p.code for p in export.refused["big"]] == [code]
    assert list(export.names.values()) == ["small"]


def test_deep_records_are_refused_where_depth_is_bounded():
    """More levels than the provider takes are named with the figure and its date."""
    kind = arg_string()
    for _ in range(11):
        kind = arg_object(x=kind)

    export = export_tools(block("deep", kind=kind), "openai", strict=True)

    assert "12 levels of objects, and openai strict takes 10 (read 2026-02)" in export.problems[0].message


def test_definitions_that_blow_up_are_refused():
    """Definitions that double at each step are no way to fill the memory."""
    defs = {
        f"d{i}": {
            "type": "object",
            "properties": {"a": {"$ref": f"#/$defs/d{i + 1}"}, "b": {"$ref": f"#/$defs/d{i + 1}"}},
        }
        for i in range(30)
    }
    schema = arg_schema({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": {**defs, "d30": {}}})

    export = export_tools(Block(uid="bomb", schema=schema), "gemini")

    assert [p.code for p in export.problems] == ["too_big"]
    assert export_tools(Block(uid="bomb", schema=schema), "mcp").problems == []


def test_a_wide_recursion_is_written_out_less_deep():
    """A definition that holds itself thirty times is written out as deep as there is room."""
    node = {"type": "object", "properties": {f"f{i}": {"$ref": "#/$defs/T"} for i in range(30)}}
    schema = arg_schema({"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}}, "$defs": {"T": node}})

    export = export_tools(Block(uid="wide", schema=schema), "ollama")

    assert "written out 2 deep" in export.notes[0].message
    assert export.decode("wide", export.encode("wide", {"t": {"f1": {"f2": {"f3": {}}}}})).ok


def test_definitions_that_lie_too_deep_are_refused():
    """A chain of definitions deeper than any schema may be is refused where it has to be written out."""

    def nested(inner):
        for _ in range(60):
            inner = {"type": "object", "properties": {"x": inner}}
        return inner

    defs = {"a": nested({"$ref": "#/$defs/b"}), "b": nested({"type": "string"})}
    block_ = Block(
        uid="deep", schema=arg_schema({"type": "object", "properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": defs})
    )

    assert [p.code for p in export_tools(block_, "ollama").problems] == ["too_deep"]


def test_an_unknown_tool_is_a_problem_with_the_nearest_name():
    """A name that was not offered reaches nothing."""
    decoded = export_tools(block(n=arg_integer()), "openai").decode("hed", {"n": 1})

    assert (decoded.ok, decoded.uid) == (False, "")
    assert [str(p) for p in decoded.problems] == ["$: there is no tool 'hed'; did you mean 'head'?"]


@pytest.mark.parametrize("name", [None, 3, [], {"a": 1}])
def test_what_is_no_name_means_no_tool(name):
    """A name that is no text is told as any other that was not offered."""
    export = export_tools(block(n=arg_integer()), "openai")

    (problem,) = export.decode(name, {"n": 1}).problems
    assert (problem.code, problem.hint) == ("unknown_tool", "")
    with pytest.raises(UnknownBlockError, match="the export has no block"):
        export.encode(name, {})


@pytest.mark.parametrize("strict", ["no", 0, None])
def test_whether_a_form_is_strict_is_true_or_false(strict):
    """A word that reads as "no" would count as yes, so that only True and False are taken."""
    for used in (export_tools, lint_tools):
        with pytest.raises(InvalidOptionError, match="is neither True nor False; pass one of them"):
            used(block(n=arg_integer()), "openai", strict=strict)


def test_an_unknown_uid_cannot_be_encoded():
    """Encoding for a block that is not in the export says which one was meant."""
    with pytest.raises(UnknownBlockError, match="did you mean 'head'"):
        export_tools(block(), "openai").encode("haed", {})


@pytest.mark.parametrize("nothing", [None, "", " null ", "{}", {}])
def test_nothing_means_no_arguments(nothing):
    """Empty text, null and an empty object are a call without arguments, in strict forms too."""
    export = export_tools(block(m=arg_map(arg_integer()).with_(required=False)), "openai", strict=True)

    assert export.decode("head", nothing).value == {}


def test_damaged_text_is_read_by_the_schema_that_was_sent():
    """Text with a repairable fault is repaired as what the model was asked for, then led back."""
    export = export_tools(
        block(m=arg_map(arg_integer()), t=arg_tuple(arg_string(), arg_integer())), "openai", strict=True
    )

    decoded = export.decode("head", 'Sure: {"m": [{"key": "a", "value": "1"}], "t": {"item_1": "x", "item_2": 2},}')

    assert (decoded.ok, decoded.value) == (True, {"m": {"a": 1}, "t": ["x", 2]})
    assert decoded.notes
    assert not export.decode("head", "no JSON at all").ok


def test_a_strict_decoding_repairs_nothing():
    """Strict means as sent: damaged text and wrong types are problems."""
    export = export_tools(block(m=arg_map(arg_integer())), "openai", strict=True)

    assert export.decode("head", {"m": [{"key": "a", "value": 1}]}, strict=True).value == {"m": {"a": 1}}
    assert not export.decode("head", {"m": [{"key": "a", "value": "1"}]}, strict=True).ok
    assert not export.decode("head", '{"m": [{"key": "a", "value": 1}],}', strict=True).ok


def test_a_key_that_comes_twice_is_a_problem():
    """A list of pairs is a map only where each key is there once."""
    export = export_tools(block(m=arg_map(arg_integer())), "gemini")

    decoded = export.decode("head", {"m": [{"key": "a", "value": 1}, {"key": "a", "value": 2}]})

    assert [p.code for p in decoded.problems] == ["duplicate_key"]
    assert decoded.problems[0].path == "$.m.a"


def test_a_key_that_is_also_a_field_is_a_problem():
    """Further keys may not repeat a field."""
    export = export_tools(block(r=arg_object(x=arg_integer(), extra=arg_integer())), "openai", strict=True)

    decoded = export.decode("head", {"r": {"x": 1, "extra": [{"key": "x", "value": 2}]}})

    assert [(p.code, p.path) for p in decoded.problems] == [("duplicate_key", "$.r.x")]


def test_a_field_under_both_its_names_is_a_problem():
    """The alias and the name itself are two readings of one argument."""
    export = export_tools(
        Block(uid="b", arguments=new_block_args({"a b": new_block_arg(type=arg_integer())})), "gemini"
    )

    decoded = export.decode("b", {"a_b": 1, "a b": 2})

    assert [(p.code, p.path) for p in decoded.problems] == [("duplicate_key", "$['a b']")]
    assert export.decode("b", {"a b": 2}).value == {"a b": 2}


def test_two_blocks_of_one_name_are_refused_both():
    """Neither is guessed to be meant, and both origins are named."""
    twins = [block("a").with_(wire_name="x", source="one.py:1"), block("b").with_(wire_name="x")]

    export = export_tools([*twins, block("c")], "openai")

    assert [str(p) for p in export.problems] == [
        "$: the name 'x' is that of 2 blocks: 'a' (one.py:1) and 'b'; give one another wire_name or uid"
    ]
    assert (set(export.refused), export.names) == ({"a", "b"}, {"c": "c"})


def test_a_form_that_the_model_broke_is_judged_by_the_block():
    """What cannot be led back is handed on as it came: the problem names what the block wants."""
    export = export_tools(
        block(r=arg_object(x=arg_integer(), extra=arg_integer()), t=arg_tuple(arg_string(), arg_integer())),
        "openai",
        strict=True,
    )

    decoded = export.decode("head", {"r": {"x": 1, "extra": "no list"}, "t": {"item_2": 1, "other": 2}})

    assert not decoded.ok
    assert {p.path.partition(".")[2][:1] for p in decoded.problems} == {"r", "t"}


def test_a_text_too_long_to_read_stays_text():
    """JSON text is read up to 4 MiB."""
    export = export_tools(block(v=arg_any()), "openai", strict=True)
    text = f'"{"x" * (4 * 1024 * 1024)}"'

    assert export.decode("head", {"v": text}).value == {"v": text}


def test_a_definition_that_is_missing_is_any_value():
    """A type built past all checks does not crash an export."""
    odd = Block(
        uid="odd", schema=ArgType({"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}, "$defs": {"x": {}}})
    )

    for dialect in (*DIALECTS.values(), *STRICT.values()):
        assert export_tools(odd, dialect).problems == []


def test_text_that_is_no_json_is_taken_as_it_stands():
    """Where any value is asked for as JSON text, bare words are the text they are, with a note."""
    export = export_tools(block(v=arg_any(), o=arg_json_object().with_(required=False)), "openai", strict=True)

    decoded = export.decode("head", {"v": "hello", "o": None})

    assert (decoded.value, [n.rule for n in decoded.notes]) == ({"v": "hello"}, ["json_text_kept"])
    for text in ('{"a": 1, "a": 2}', "[NaN]", "[" * 100_000):
        assert export.decode("head", {"v": text, "o": None}).value == {"v": text}


def test_a_model_that_ignores_the_form_is_understood():
    """A map given as a map, a tuple given as a list, a value given bare: all are read."""
    export = export_tools(
        block(m=arg_map(arg_json_object()), t=arg_tuple(arg_string(), arg_integer()), v=arg_any()),
        "openai",
        strict=True,
    )

    decoded = export.decode("head", {"m": {"a": '{"x": 1}'}, "t": ["x", 1], "v": 5})

    assert decoded.value == {"m": {"a": {"x": 1}}, "t": ["x", 1], "v": 5}


def test_two_readings_are_a_problem():
    """A list that is a list of pairs and a map alike is not guessed at."""
    pairs = {"type": "array", "items": {"$ref": "#/$defs/P"}}
    schema = arg_schema(
        {
            "type": "object",
            "properties": {"v": {"anyOf": [{"$ref": "#/$defs/M"}, {"$ref": "#/$defs/L"}]}},
            "additionalProperties": False,
            "$defs": {
                "M": {"type": "object", "additionalProperties": {"type": "integer"}},
                "L": pairs,
                "P": {
                    "type": "object",
                    "properties": {"key": {"type": "string"}, "value": {"type": "integer"}},
                    "required": ["key", "value"],
                },
            },
        }
    )
    export = export_tools(Block(uid="b", schema=schema), "openai", strict=True)

    decoded = export.decode("b", {"v": [{"key": "a", "value": 1}]})

    assert [(p.code, p.path) for p in decoded.problems] == [("ambiguous", "$.v")]


def test_a_branch_that_fits_only_in_form_is_no_reading():
    """A bound that only words could say still counts when a branch is chosen."""
    union = arg_union(arg_map(arg_integer(minimum=5)), arg_integer())
    export = export_tools(block(v=union), "anthropic", strict=True)

    assert export.decode("head", {"v": [{"key": "a", "value": 7}]}).value == {"v": {"a": 7}}
    assert not export.decode("head", {"v": [{"key": "a", "value": 1}]}).ok


def test_a_problem_says_where_in_the_blocks_own_terms():
    """What does not fit after the way back is named by the block's own paths."""
    export = export_tools(block(m=arg_map(arg_array(arg_number()))), "gemini")

    decoded = export.decode("head", {"m": [{"key": "a", "value": [1, "x"]}]})

    assert [p.path for p in decoded.problems] == ["$.m.a[1]"]


def test_examples_are_told_in_words_as_the_model_writes_them():
    """Worked examples are in wire form; one that is no complete call is left out and named."""
    given = block(m=arg_map(arg_integer())).with_(examples=[{"m": {"a": 1}}, {}, {"m": {"b": 2}}])

    export = export_tools(given, "openai", strict=True)

    text = export.tools[0]["function"]["description"]
    assert text.split("\n\n")[1:] == [
        f'Example: {{"m": [{{"key": "{k}", "value": {v}}}]}}' for k, v in (("a", 1), ("b", 2))
    ]
    assert [n.rule for n in export.notes if n.path == "$"] == ["example_left_out"]


def test_examples_give_way_to_the_description():
    """Where there is no room for both, the examples go first, with a note."""
    given = block(s=arg_string()).with_(description="Text. " * 165, examples=[{"s": "word " * 20}])

    export = export_tools(given, "openai")

    assert "Example" not in export.tools[0]["function"]["description"]
    assert [n.rule for n in export.notes] == ["examples_left_out"]


def test_a_description_too_long_with_and_without_examples_is_cut():
    """First the examples go, then whole sentences."""
    given = block(s=arg_string()).with_(description="Text. " * 400, examples=[{"s": "x"}])

    assert [n.rule for n in export_tools(given, "openai").notes] == ["description_cut"]


def test_one_long_word_is_cut_all_the_same():
    """A description without an end of a sentence is cut after a word."""
    text = export_tools(block().with_(description="word " * 400), "openai").tools[0]["function"]["description"]

    assert len(text) <= 1024
    assert text.endswith("word…")


def test_hidden_arguments_are_never_shown():
    """What is hidden is in no schema and in no example."""
    args = new_block_args(
        x=new_block_arg(type=arg_integer(), required=True), key=new_block_arg(hidden=True, default="k")
    )
    given = Block(uid="b", description="B.", arguments=args, examples=[{"x": 1, "key": "secret"}])

    for dialect in (*DIALECTS.values(), *STRICT.values()):
        assert b"secret" not in export_tools(given, dialect).json()
        assert b'"key"' not in export_tools(given, dialect).json()


@pytest.mark.parametrize("dialect", ["mcp", "openai"])
@pytest.mark.parametrize("text", ["\0", '"\0"', "a \0 b", '"\\u0000"'])
def test_no_text_of_an_author_is_taken_for_the_place_of_a_schema(dialect, text):
    """A zero character in a description is sent as it is."""
    export = export_tools([block(), block().with_(uid="other", description=text)], dialect)

    assert json.loads(export.json()) == export.request()


def test_an_element_of_ones_own_may_read_the_schema():
    """What stands for the schema while it is written reads like it."""
    seen = []

    def element(tool):
        seen.append((dict(tool.schema), len(tool.schema), tool.schema["type"]))
        return {"name": tool.name, "takes": tool.schema}

    export = export_tools(block(), replace(DIALECTS["mcp"], element=element))

    assert json.loads(export.json()) == {"tools": [{"name": block().uid, "takes": block().input_schema()}]}
    assert seen == [(block().input_schema(), len(block().input_schema()), "object")]


def test_half_a_character_is_still_sent_as_json():
    """A lone surrogate in a text is escaped, never a crash."""
    for dialect in ("openai", "mcp"):
        export = export_tools(block().with_(description="half \ud800"), dialect)

        assert json.loads(export.json()) == export.request()


def test_errors_of_dialects_are_values():
    """They are BlockArgsError and ValueError, with a code."""
    with pytest.raises(BlockArgsError) as caught:
        dialect_named("nosuch")

    assert isinstance(caught.value, ValueError)
    assert caught.value.code == "dialect_unknown"


def test_what_is_no_record_goes_back_as_it_came():
    """The problem is told by the block's own type."""
    args = new_block_args({"a": new_block_arg(type=arg_object({"b<": arg_integer()}))})
    export = export_tools(Block(uid="b", name="b", arguments=args), "gemini")
    wire = list(export.tools[0]["parameters"]["properties"]["a"]["properties"])
    decoded = export.decode("b", {"a": 5})

    assert wire != ["b<"]
    assert (decoded.ok, [p.path for p in decoded.problems]) == (False, ["$.a"])
    assert export.encode("b", {"a": 5}) == {"a": 5}
