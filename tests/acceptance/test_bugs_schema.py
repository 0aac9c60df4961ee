"""Faults reported in public about tool schemas and names: what each dialect makes of them."""

from __future__ import annotations

import copy
import json

import pytest
import yaml

from blockargs.dialects import DIALECTS, export_tools, lint_tools
from blockargs.imported import arg_schema
from blockargs.spec import Block

from .conftest import cases_dir
from .test_bugs_function import built, found_at

CASES = yaml.safe_load((cases_dir() / "bugs.yml").read_text(encoding="utf-8"))
# the words of the cases -> ours, and whether the strict form is meant
DIALECT = {
    "openai": ("openai", False),
    "openai_strict": ("openai", True),
    "anthropic": ("anthropic", False),
    "anthropic_strict": ("anthropic", True),
    "gemini_openapi": ("gemini", False),
    "bedrock": ("bedrock", False),
    "mcp": ("mcp", False),
    "ollama": ("ollama", False),
    "cursor": ("mcp", False),
    "vscode": ("openai", False),
}
WITH_DIALECT = [c for c in CASES if "dialect" in c["input"]]
BY_FORM = {
    form: [c for c in WITH_DIALECT if c["input"]["form"] == form] for form in ("schema", "function", "spec", "names")
}
RENDERED = [c for c in WITH_DIALECT if "rendered" in c["expect"] and c["input"]["form"] != "names"]
SCHEMAS = [c for c in CASES if c["input"]["form"] == "schema"]
by_id = {c["id"]: c for c in CASES}
# where the parameters stand in the element
PARAMETERS = {
    "openai": ("function", "parameters"),
    "ollama": ("function", "parameters"),
    "anthropic": ("input_schema",),
    "gemini": ("parameters",),
    "bedrock": ("toolSpec", "inputSchema", "json"),
    "mcp": ("inputSchema",),
}


def block_of(case):
    """Return the block of a case in any form."""
    given = case["input"]
    if given["form"] == "schema":
        return Block(uid="target", schema=arg_schema(given["schema"]))
    block = built(case)
    if "examples" in given:
        block = block.with_(examples=given["examples"])
    if "description_repeat" in given:
        words = given["description_repeat"]
        block = block.with_(description=words["text"] * words["times"])
    return block


def exported(case):
    name, strict = DIALECT[case["input"]["dialect"]]
    return export_tools(block_of(case), name, strict=strict)


def parameters(export):
    """Return the schema of the arguments in the one tool, with what stands beside it."""
    element = export.tools[0]
    found = element
    for key in PARAMETERS[export.dialect.name]:
        found = found[key]
    return {**element, **found}


def at(schema, path):
    """Return what is at *path*; a number steps into a list."""
    head, _, last = path.rpartition("/")
    if last.isdecimal():
        return found_at(schema, head)[int(last)]
    return found_at(schema, path)


@pytest.mark.parametrize("case", RENDERED, ids=lambda c: c["id"])
def test_the_export_says_what_the_case_asks(case):
    """Each check of the case holds on the exported tool."""
    export = exported(case)

    assert export.refused == {}
    for check in case["expect"]["rendered"]:
        there = at(parameters(export), check["at"])
        if check.get("absent"):
            assert there is ..., check
        elif "is" in check:
            assert there == check["is"], check
        else:
            assert there is not ..., check
            assert check["has"] == "{}" or check["has"] in str(there), check


@pytest.mark.parametrize("case", WITH_DIALECT, ids=lambda c: c["id"])
def test_no_case_ends_in_a_crash_or_a_change(case):
    """Every case exports in every dialect, twice with the same bytes, and the input is as it was."""
    if case["input"]["form"] == "names":
        return
    block = block_of(case)
    before = copy.deepcopy(block.input_schema())

    for _ in range(2):
        for dialect in DIALECTS:
            export = export_tools(block.with_(), dialect)
            assert export.json() == export_tools(block.with_(), dialect).json()
            assert export.refused == {}
    assert block.input_schema() == before


def test_names_that_a_model_api_refuses_get_an_alias():
    """name-01: legal names stay, each alias is legal, and a call under it reaches the original."""
    case = by_id["name-01"]
    blocks = [Block(uid=f"b{i}", wire_name=n) for i, n in enumerate(case["input"]["names"])]

    export = export_tools(blocks, "anthropic")

    wires = list(export.names)
    assert [export.dialect.names.legal(w) for w in wires] == [True] * 4
    for check in case["expect"]["rendered"]:
        assert wires[int(check["at"])] == check["is"]
    assert [export.decode(w, {}).uid for w in wires] == ["b0", "b1", "b2", "b3"]


@pytest.mark.parametrize("order", [1, -1])
def test_names_that_clean_alike_stay_apart(order):
    """name-03: pairwise distinct, a legal name keeps its spelling, the same in any order."""
    case = by_id["name-03"]
    names = case["input"]["names"]
    blocks = [Block(uid=f"b{i}", wire_name=n) for i, n in enumerate(names)]

    found = export_tools(blocks[::order], "openai").names

    alias = {uid: wire for wire, uid in found.items()}
    assert alias == {uid: wire for wire, uid in export_tools(blocks, "openai").names.items()}
    assert len(found) == 4
    for check in case["expect"]["rendered"]:
        assert alias[f"b{check['at']}"] == check["is"]


def test_the_same_name_twice_is_refused_and_both_origins_are_named():
    """S11: two tools of one wire name are no guess; a name with a dot gets an alias that leads back."""
    twice = [Block(uid="a", wire_name="same", source="one.py:1"), Block(uid="b", wire_name="same", source="two.py:2")]

    export = export_tools([*twice, Block(uid="admin.reload")], "openai")

    assert set(export.refused) == {"a", "b"}
    assert all(word in export.problems[0].message for word in ("one.py:1", "two.py:2"))
    assert export.decode(next(iter(export.names)), {}).uid == "admin.reload"


def test_aliases_of_arguments_are_mapped_back():
    """arg-01: the model writes legal aliases; decoding gives the arguments their own names."""
    case = by_id["arg-01"]
    export = exported(case)
    wire = export.encode("target", case["input"]["reply_by_alias"])

    schema = parameters(export)

    assert set(wire) <= set(schema["properties"])
    assert "StartTime_" in schema["properties"]
    assert len(schema["properties"]) == 4
    assert len(schema["required"]) == 1
    assert export.decode("target", wire).value == case["expect"]["decoded"]


def test_a_root_rule_told_in_words_is_still_asked_for():
    """ref400-01: the combinator is gone from what is sent, and decoding refuses what breaks it."""
    case = by_id["ref400-01"]
    export = exported(case)

    decoded = export.decode("target", case["input"]["reply"])

    assert all(word in export.tools[0]["description"] for word in ("url", "data"))
    assert not decoded.ok
    assert all(word in str(decoded.problems) for word in case["expect"]["error"])


def test_a_long_description_is_cut_at_a_sentence_and_named():
    """ref400-03: a lint names tool, length and limit."""
    case = by_id["ref400-03"]
    block = block_of(case)

    row = lint_tools(block, "openai")[0]

    text = export_tools(block, "openai").tools[0]["function"]["description"]
    assert len(text) <= 1024
    assert text.endswith("words.")
    assert all(word in str(row.notes) for word in ("target", "1024", "1439"))


def test_null_for_an_optional_argument_means_left_out():
    """opt-05, union-01: what strict OpenAI writes as null is absent after decoding."""
    for name in ("opt-05", "union-01"):
        case = by_id[name]
        export = exported(case)

        decoded = export.decode("target", case["input"]["reply"])

        assert decoded.ok
        assert "null" not in json.dumps(decoded.value)


def test_recursion_is_written_out_and_decoded_at_any_depth():
    """ref-07: a stated depth, never a RecursionError; deeper levels come back whole."""
    case = by_id["ref-07"]
    tree = {"label": "a", "kids": [{"label": "b", "kids": [{"label": "c", "kids": [{"label": "d", "kids": []}]}]}]}

    for dialect, strict in (
        ("gemini", False),
        ("anthropic", True),
        ("bedrock", True),
        ("openai", True),
        ("mcp", False),
    ):
        export = export_tools(built(case), dialect, strict=strict)
        decoded = export.decode("target", export.encode("target", {"tree": tree}))
        assert decoded.ok
        assert decoded.value == {"tree": tree}
