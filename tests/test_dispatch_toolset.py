"""A toolset: blocks offered together under names of their own, with one schema for all."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import pytest

from blockargs import (
    Block,
    BlockArg,
    Context,
    InvalidToolsetError,
    Registry,
    derive_block,
    export_tools,
    new_block_arg,
    problems_in,
)
from blockargs.dispatch import Toolset
from blockargs.dispatch.names import kebab, origin
from blockargs.spec import ConstructorRef


def get_weather(city: str, days: int = 1) -> str:
    """Tell the weather."""
    return f"{city} {days}"


def book_meeting(attendees: list[str], minutes: int) -> str:
    """Book a meeting."""
    return f"{len(attendees)} {minutes}"


@dataclass
class HTTPServer:
    """Serve."""

    port: int = 80


@pytest.mark.parametrize(
    ("uid", "name"),
    [
        ("GetWeather", "get-weather"),
        ("get_weather", "get-weather"),
        ("HTTPServer", "http-server"),
        ("http_server", "http-server"),
        ("parseHTML2Text", "parse-html2-text"),
        ("admin.reload", "admin.reload"),
        ("x", "x"),
    ],
)
def test_kebab_names(uid, name):
    """
    `naming="kebab"` writes words with hyphens, acronyms as one word.
    """
    assert kebab(uid) == name


def test_wire_names_are_the_uids_unless_something_else_is_said():
    """
    Snake is the uid itself, kebab is made of it, and a block's own wire name wins over both.
    """
    own = derive_block(book_meeting, wire_name="book")

    assert list(Toolset([get_weather, own]).names) == ["get_weather", "book"]
    assert list(Toolset([get_weather, own, HTTPServer], naming="kebab").names) == ["get-weather", "book", "http-server"]
    assert [b.uid for b in Toolset([get_weather, own], naming="kebab").blocks] == ["get_weather", "book_meeting"]


def test_a_block_is_found_by_name_uid_alias_and_style():
    """
    Exact names come first; what a provider's export calls a block, and another style, mean it too.
    """
    toolset = Toolset([derive_block(get_weather, uid="admin.weather"), book_meeting], naming="kebab")

    names = ["admin.weather", "admin_weather", "book-meeting", "book_meeting", "BookMeeting", "BOOK MEETING"]
    assert [getattr(toolset.get(n), "uid", None) for n in names] == ["admin.weather"] * 2 + ["book_meeting"] * 4
    assert toolset.get("weather") is None


def test_names_that_differ_in_style_only_are_found_exactly_or_not_at_all():
    """
    Two names of one style are both there, and a third style means neither.
    """
    one, other = derive_block(get_weather, uid="get_weather"), derive_block(get_weather, uid="getWeather")
    toolset = Toolset([one, other])

    assert [toolset.get(n) for n in ("get_weather", "getWeather", "GET-WEATHER")] == [*toolset.blocks, None]


def test_equal_wire_names_name_both_origins():
    """
    Two blocks with one name are refused when the toolset is made, and both places are told.
    """
    one = derive_block(get_weather, source="weather.yml:3")
    other = derive_block(book_meeting, wire_name="get_weather")

    with pytest.raises(InvalidToolsetError) as caught:
        Toolset([one, other])

    (problem,) = caught.value.problems
    assert problem.code == "name_taken"
    assert problem.message == (
        "two blocks have the name 'get_weather': 'get_weather' from weather.yml:3 and "
        f"'book_meeting' from {book_meeting.__module__}:book_meeting"
    )


@pytest.mark.parametrize(
    ("block", "where"),
    [
        (Block(uid="x", constructor=ConstructorRef("textwrap:fill")), "'x' from textwrap:fill"),
        (Block(uid="x", constructor=ConstructorRef("textwrap:fill"), source="a.yml:1"), "'x' from a.yml:1"),
        (Block(uid="x", package="here"), "'x' from here"),
        (Block(uid="x"), "'x'"),
        (Block(uid="x", constructor=functools.partial(int, base=2)), "'x' from functools:partial"),
    ],
)
def test_an_origin_is_where_its_author_finds_it(block, where):
    """
    File and line, the constructor's full name, or the package: the best that is known.
    """
    assert origin(block) == where


def test_a_uid_means_one_block_only():
    """
    A uid that is another block's wire name, or stands twice, is refused too: a caller may use it.
    """
    one = derive_block(get_weather, wire_name="book_meeting")

    for other in (derive_block(book_meeting), derive_block(book_meeting, uid="get_weather", wire_name="book")):
        with pytest.raises(InvalidToolsetError, match="two blocks have the name"):
            Toolset([one, other])


def test_no_blocks_at_all_are_a_toolset_too():
    """
    An empty registry can be served: nothing fits its schema, and every call is refused in words.
    """
    toolset = Toolset([])

    assert toolset.schema() == {"not": {}}
    assert toolset.run({"name": "x", "arguments": {}}).code == "unknown_tool"
    assert toolset.run("{}").text.startswith("The call was not made, and nothing was applied:")
    assert [r.code for r in toolset.run_all("{}")] == ["no_json"]


def test_a_block_that_is_listed_twice_counts_once():
    """
    A registry and one of its blocks beside it are no clash.
    """
    block = derive_block(get_weather)

    assert Toolset([block, block, get_weather]).blocks == Toolset(block).blocks


def test_a_tag_that_is_an_argument_is_refused():
    """
    The tag's clash with an argument name is an error at construction; another tag cures it.
    """

    def repair(tool: str) -> str:
        """Repair a tool."""
        return tool

    with pytest.raises(InvalidToolsetError) as caught:
        Toolset([repair, get_weather])

    assert [(p.code, p.path) for p in caught.value.problems] == [("tag_clash", "$.tool")]
    assert Toolset([repair, get_weather], tag="call").schema()["discriminator"] == {"propertyName": "call"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"naming": "camel"}, "naming='camel' is none of 'snake' and 'kebab'"),
        ({"naming": []}, "naming=[] is none of 'snake' and 'kebab'"),
        ({"tag": 3}, "tag=3 is no name of a key; give a text"),
        ({"tag": ""}, "tag='' is no name of a key; give a text"),
        ({"strict": "no"}, "strict='no' is neither True nor False"),
        ({"tells": 5}, "5 of tells= is no class of exceptions; give (ValueError,)"),
        ({"tells": [int]}, "<class 'int'> of tells= is no class of exceptions; give (ValueError,)"),
        ({"validators": 5}, "validators=5 is no mapping; give a block's uid and its checks"),
        ({"validators": {5: len}}, "validators= names 5, which is no block here; the blocks are 'get_weather'"),
        ({"effects": 5}, "effects=5 is no mapping; give a class and its hook: {Frame: table_effect}"),
        ({"effects": {5: len}}, "5 of effects= is no class"),
        ({"effects": {int: 5}}, "5, the hook of effects= for int, cannot be called"),
        ({"timeout": float("nan")}, "timeout=nan is no number of seconds above 0"),
        ({"timeout": True}, "timeout=True is no number of seconds above 0"),
        ({"before": 5}, "hook 5 cannot be called; give a function, or several"),
        ({"after": "x"}, "hook 'x' cannot be called; give a function, or several"),
        ({"after": None}, "hook None cannot be called; give a function, or several"),
        ({"retries": 0.5}, "retries=0.5 is no count; give 0, 1, 2, …"),
        ({"retries": -1}, "retries=-1 is no count; give 0, 1, 2, …"),
        ({"retries": True}, "retries=True is no count; give 0, 1, 2, …"),
        ({"timeout": 0}, "timeout=0 is no number of seconds above 0"),
        ({"timeout": "1"}, "timeout='1' is no number of seconds above 0"),
        (
            {"validators": {"get_wether": len}},
            "validators= names 'get_wether', which is no block here; did you mean 'get_weather'?",
        ),
        ({"validators": {"zzz": len}}, "validators= names 'zzz', which is no block here; the blocks are 'get_weather'"),
        ({"validators": {"get_weather": [3]}}, "validator 3 cannot be called; give a function, or several"),
        ({"before": [3]}, "hook 3 cannot be called; give a function, or several"),
    ],
)
def test_options_that_mean_nothing_are_refused(options, words):
    """
    A wrong option is an error when the toolset is made, with the cure.
    """
    with pytest.raises(InvalidToolsetError) as caught:
        Toolset(get_weather, **options)

    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"timeout": "x"}, "timeout='x' is no number of seconds"),
        ({"timeout": float("nan")}, "timeout=nan is no number of seconds"),
        ({"strict": 5}, "strict=5 is neither True nor False"),
        ({"export": 5}, "export=5 is no export; give what export_tools() returned"),
        ({"helpers": 5}, "helpers=5 is no mapping; give {Context: context, Progress: progress}"),
        ({"helpers": {5: 1}}, "helpers= names 5; there are 'Context', 'Progress', 'Cancellation' and 'Logger'"),
        ({"helpers": {Context: 5}}, "5 of helpers= is no Context"),
    ],
)
def test_options_of_one_call_that_mean_nothing_are_refused(options, words):
    """
    What a single call is given is looked at as well, and nothing is called.
    """
    toolset, call = Toolset(get_weather), {"name": "get_weather", "arguments": {"city": "PAR"}}

    for door in (toolset.run, toolset.run_all, lambda c, **o: toolset.ask(lambda _: c, "x", **o)):
        with pytest.raises(InvalidToolsetError) as caught:
            door(call, **options)
        assert str(caught.value) == words


def test_helpers_may_be_left_out_by_name():
    """
    `helpers=None` is nothing to inject, and a time that is over already ends the call.
    """
    toolset, call = Toolset(get_weather), {"name": "get_weather", "arguments": {"city": "PAR"}}

    assert toolset.run(call, helpers=None).text == "PAR 1"
    assert toolset.run(call, timeout=-1).code == "timed_out"


def test_a_name_no_protocol_takes_is_refused():
    """
    A wire name is 1 to 128 letters, digits, underscore, point and hyphen.
    """
    with pytest.raises(InvalidToolsetError, match=r"wire name 'a b' of 'get_weather' from .* is not 1 to 128 of"):
        Toolset(derive_block(get_weather, wire_name="a b"))


def test_the_schema_of_several_blocks_is_a_discriminated_union():
    """
    One `oneOf`, a variant a block, each closed and named by the tag.
    """
    schema = Toolset([get_weather, book_meeting], naming="kebab").schema()

    assert schema["discriminator"] == {"propertyName": "tool"}
    assert schema["oneOf"][0] == {
        "title": "get-weather",
        "type": "object",
        "description": "Tell the weather.",
        "properties": {
            "tool": {"type": "string", "const": "get-weather"},
            "city": {"type": "string"},
            "days": {"type": "integer", "default": 1},
        },
        "required": ["tool", "city"],
        "additionalProperties": False,
    }
    assert len(schema["oneOf"]) == 2
    assert problems_in({"tool": "get-weather", "city": "PAR"}, schema) == []
    assert problems_in({"tool": "book-meeting", "city": "PAR"}, schema) != []


def test_the_schema_of_one_block_is_its_variant():
    """
    A single block needs no union.
    """
    schema = Toolset(get_weather).schema()

    assert (list(schema["properties"]), schema["required"]) == (["tool", "city", "days"], ["tool", "city"])


def test_guidance_reaches_the_model_and_hidden_arguments_do_not():
    """
    The model reads description and guidance; a hidden argument stays out of every schema.
    """
    block = derive_block(
        get_weather,
        guidance="Use IATA codes.",
        arguments={"city": new_block_arg("Where", type="string"), "days": BlockArg(hidden=True)},
    )

    schema = Toolset(block).schema()

    assert schema["description"] == "Tell the weather.\n\nUse IATA codes."
    assert list(schema["properties"]) == ["tool", "city"]


def test_definitions_of_recursive_types_stand_at_the_root():
    """
    A recursive argument keeps working inside the union.
    """
    node = {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/node"}},
        "required": ["next"],
        "additionalProperties": False,
        "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}},
    }
    schema = Toolset([derive_block(lambda **next: "", uid="walk", input_schema=node), get_weather]).schema()

    assert problems_in({"tool": "walk", "next": {"next": {"next": {}}}}, schema) == []
    assert problems_in({"tool": "walk", "next": {"next": 3}}, schema) != []


def test_a_registry_and_its_uids_may_be_offered():
    """
    Every form of blocks is taken: a registry, its blocks, callables.
    """
    registry = Registry()
    registry.register(get_weather)

    assert list(Toolset(registry).names) == list(Toolset(registry["get_weather"]).names) == ["get_weather"]
    assert repr(Toolset([registry, book_meeting])) == "Toolset([get_weather, book_meeting])"


def test_an_export_is_undone_on_the_way_back():
    """
    What a provider's form changed (names, nulls for "left out") is undone when the export is passed along.
    """
    seen: list = []

    def look(city: str, note: str | None = "none given") -> str:
        seen.append((city, note))
        return city

    toolset = Toolset(derive_block(look, uid="admin.look"))
    export = export_tools(toolset.blocks, "openai", strict=True)
    (alias,) = export.names
    call = {"id": "c", "function": {"name": alias, "arguments": '{"city": "PAR", "note": null}'}}

    run = toolset.run(call, export=export)

    assert (alias, seen, run.call.id, run.call.name) == ("admin_look", [("PAR", "none given")], "c", "admin_look")
    assert (
        toolset.run({**call, "function": {"name": alias, "arguments": "{}"}}, export=export).problems[0].path
        == "$.city"
    )
    assert toolset.run(call).ok
    assert seen[-1] == ("PAR", None)


@pytest.mark.parametrize("reply", ["", "{}", "Sorry, I cannot do that. {}", {}])
def test_nothing_is_called_that_nobody_named(reply):
    """A reply without a name and without arguments is no call, whatever the tools need."""
    called = []

    def wipe(deep: bool = False):
        """Wipe everything."""
        called.append(deep)

    def scale(factor: float):
        """Scale."""

    for blocks in ([wipe], [wipe, scale]):
        run = Toolset(blocks).run(reply)
        assert (run.ok, run.is_error) == (False, True)

    assert called == []
    assert Toolset([wipe]).run({"tool": "wipe"}).ok
