"""`export_tools`: the tools of one request, and what is said about them."""

from __future__ import annotations

import copy
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
from blockargs.types import arg_enum, arg_integer, arg_map, arg_object, arg_string, arg_union
from exported import block
from waiting import LONG


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


def test_errors_of_dialects_are_values():
    """They are BlockArgsError and ValueError, with a code."""
    with pytest.raises(BlockArgsError) as caught:
        dialect_named("nosuch")

    assert isinstance(caught.value, ValueError)
    assert caught.value.code == "dialect_unknown"


@pytest.mark.parametrize("strict", ["no", 0, None])
def test_whether_a_form_is_strict_is_true_or_false(strict):
    """A word that reads as "no" would count as yes, so that only True and False are taken."""
    for used in (export_tools, lint_tools):
        with pytest.raises(InvalidOptionError, match="is neither True nor False; pass one of them"):
            used(block(n=arg_integer()), "openai", strict=strict)


def test_two_blocks_of_one_name_are_refused_both():
    """Neither is guessed to be meant, and both origins are named."""
    twins = [block("a").with_(wire_name="x", source="one.py:1"), block("b").with_(wire_name="x")]

    export = export_tools([*twins, block("c")], "openai")

    assert [str(p) for p in export.problems] == [
        "$: the name 'x' is that of 2 blocks: 'a' (one.py:1) and 'b'; give one another wire_name or uid"
    ]
    assert (set(export.refused), export.names) == ({"a", "b"}, {"c": "c"})


def test_a_definition_that_is_missing_is_any_value():
    """A type built past all checks does not crash an export."""
    odd = Block(
        uid="odd", schema=ArgType({"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}, "$defs": {"x": {}}})
    )

    for dialect in (*DIALECTS.values(), *STRICT.values()):
        assert export_tools(odd, dialect).problems == []
