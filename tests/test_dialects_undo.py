"""The way back: what a model answers to an exported tool, in the block's own terms."""

from __future__ import annotations

import pytest

from blockargs.dialects import export_tools
from blockargs.errors import UnknownBlockError
from blockargs.imported import arg_schema
from blockargs.spec import Block, new_block_arg, new_block_args
from blockargs.types import (
    arg_any,
    arg_array,
    arg_integer,
    arg_json_object,
    arg_map,
    arg_number,
    arg_object,
    arg_string,
    arg_tuple,
    arg_union,
)
from exported import block


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


def test_what_is_no_record_goes_back_as_it_came():
    """The problem is told by the block's own type."""
    args = new_block_args({"a": new_block_arg(type=arg_object({"b<": arg_integer()}))})
    export = export_tools(Block(uid="b", name="b", arguments=args), "gemini")
    wire = list(export.tools[0]["parameters"]["properties"]["a"]["properties"])
    decoded = export.decode("b", {"a": 5})

    assert wire != ["b<"]
    assert (decoded.ok, [p.path for p in decoded.problems]) == (False, ["$.a"])
    assert export.encode("b", {"a": 5}) == {"a": 5}
