"""What is offered: everything, or four tools that lead to it; pages; a registry that changes."""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from blockargs import Registry, Toolset
from blockargs.errors import InvalidOptionError, Problem
from blockargs.mcp_server import LEAN_ABOVE, build_server, http_app
from blockargs.mcp_server.offer import Catalogue
from blockargs.mcp_server.options import ToolsetOptions
from blockargs.mcp_server.server import MOST_AT_ONCE
from mcp import Client
from served import shelf
from waiting import LONG

ERAS = ["legacy", "2026-07-28"]


def asked(server, question, era="2026-07-28", **options):
    """What *question* answers, asked of a client of *server*."""

    async def go():
        async with Client(server, mode=era, read_timeout_seconds=LONG, **options) as client:
            return await question(client)

    return asyncio.run(go())


def many(count):
    """A registry of *count* blocks."""
    registry = Registry()
    for index in range(count):

        def made(n: int = index):
            """Do something."""

        registry.register(made, uid=f"block_{index:04}", construct=False)
    return registry


def data(result):
    """The structured result, which is also its text."""
    assert not result.is_error, result.content[0].text
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


def test_a_flood_of_calls_makes_no_flood_of_threads():
    """
    Calls beyond what may run at once wait their turn, and all are answered.
    """
    registry = Registry()
    turn, full, running = threading.Lock(), threading.Event(), []

    def crowd() -> int:
        """Count the calls that run now; none ends before as many run as may."""
        with turn:
            running.append(1)
            now = len(running)
        if now == MOST_AT_ONCE:
            full.set()
        full.wait(LONG)
        with turn:
            running.pop()
        return now

    registry.register(crowd, kind="tool")

    async def flood(client):
        return await asyncio.gather(*(client.call_tool("crowd") for _ in range(MOST_AT_ONCE + 50)))

    counts = [int(r.content[0].text) for r in asked(build_server(registry), flood)]

    assert (len(counts), max(counts)) == (MOST_AT_ONCE + 50, MOST_AT_ONCE)


@pytest.mark.parametrize("era", ERAS)
def test_pages_lead_through_the_whole_list(era):
    """
    With a page size of two, three tools come as two and a cursor, then one and none.
    """
    registry = Registry()
    for uid in ("weather", "primes", "slow"):
        registry.register(shelf()[uid])

    async def pages(client):
        first = await client.list_tools()
        second = await client.list_tools(cursor=first.next_cursor)
        assert await client.list_tools(cursor=first.next_cursor, cache_mode="bypass") == second
        return first, second

    first, second = asked(build_server(registry, page_size=2), pages, era)

    assert [[t.name for t in page.tools] for page in (first, second)] == [["primes", "slow"], ["weather"]]
    assert second.next_cursor is None


@pytest.mark.parametrize("era", ERAS)
def test_above_a_limit_four_tools_stand_for_all(era):
    """
    Hundreds of blocks are listed, found, described and called through four tools.
    """
    registry = many(LEAN_ABOVE + 1)

    async def tools(client):
        return [t.name for t in (await client.list_tools()).tools]

    assert asked(build_server(registry), tools, era) == ["call_block", "describe_block", "find_blocks", "list_blocks"]
    assert len(asked(build_server(registry, tools="all"), tools, era)) == LEAN_ABOVE + 1
    assert len(asked(build_server(many(3)), tools, era)) == 3


def lean(question, era="2026-07-28"):
    """What *question* answers of the shelf behind four tools."""
    return asked(build_server(shelf(), tools="lean"), question, era)


@pytest.mark.parametrize("era", ERAS)
def test_blocks_are_listed_page_by_page(era):
    """
    Name, category and a short description; the last name leads on.
    """

    async def pages(client):
        first = data(await client.call_tool("list_blocks", {"limit": 3}))
        return first, data(await client.call_tool("list_blocks", {"after": first["after"], "limit": 100}))

    first, rest = lean(pages, era)

    assert [row["name"] for row in (*first["blocks"], *rest["blocks"])] == sorted(shelf())
    assert first["total"] == len(shelf())
    assert "after" not in rest


def test_blocks_of_one_category_are_listed():
    """
    A category narrows the list.
    """
    rows = data(lean(lambda c: c.call_tool("list_blocks", {"category": "transform"})))

    assert rows == {
        "total": 1,
        "blocks": [{"name": "head", "category": "transform", "description": "Keep the first or the last rows."}],
    }


def test_a_block_is_found_by_what_it_does():
    """
    A question leads to the block.
    """
    found = data(lean(lambda c: c.call_tool("find_blocks", {"query": "keep the first rows"})))

    assert found["blocks"][0]["name"] == "head"


def test_a_block_is_described_with_its_schema():
    """
    The description holds all that a call needs.
    """
    told = data(lean(lambda c: c.call_tool("describe_block", {"name": "head"})))

    assert told["arguments"] == shelf()["head"].input_schema()
    assert (told["title"], told["guidance"], told["examples"]) == ("Head", "Not for sampling.", [{"n": 5}])


def not_made(name, problem):
    """The lines that a model reads of a wrong call of *name*."""
    return [
        f"The call of '{name}' was not made, and nothing was applied:",
        f"- {problem}",
        "Correct this and send the complete arguments again.",
    ]


@pytest.mark.parametrize("era", ERAS)
def test_a_block_is_called_through_call_block(era):
    """
    The result is the block's own, with its structure and its repairs.
    """
    result = lean(lambda c: c.call_tool("call_block", {"name": "weather", "arguments": {"City": "Rome"}}), era)

    assert result.structured_content == {"temperature": 4, "condition": "cloudy"}
    assert [note["message"] for note in result.meta["blockargs/repairs"]] == ["read the key 'City' as 'city'"]


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ({"name": "wether", "arguments": {}}, ["no block is called 'wether'; did you mean 'weather'?"]),
        ({"name": "qqqq", "arguments": {}}, ["no block is called 'qqqq'; ask find_blocks or list_blocks"]),
        (
            {"name": "weather", "arguments": {}},
            not_made("weather", "$.city: the required key 'city' is missing; give a string"),
        ),
        (
            {"name": "weather"},
            not_made("weather", "$.city: the required key 'city' is missing; give a string"),
        ),
        ({"arguments": {}}, not_made("call_block", "$.name: the required key 'name' is missing; give a string")),
    ],
)
def test_a_wrong_call_through_call_block_is_explained(arguments, lines):
    """
    The model reads what was wrong, with the nearest name or the path.
    """
    result = lean(lambda c: c.call_tool("call_block", arguments))

    assert result.is_error
    assert result.content[0].text.splitlines() == lines


@pytest.mark.parametrize("name", ["Weather", "weather"])
def test_a_block_is_found_by_another_style_of_its_name(name):
    """
    `describe_block` and `call_block` take what a call takes; the repair is told.
    """
    told = data(lean(lambda c: c.call_tool("describe_block", {"name": name})))
    called = lean(lambda c: c.call_tool("call_block", {"name": name, "arguments": {"city": "Rome"}}))

    assert told["name"] == "weather"
    assert not called.is_error
    assert [n["after"] for n in (called.meta or {}).get("blockargs/repairs", [])] == ["weather"] * (name != "weather")


def test_a_strict_server_takes_a_name_as_it_is():
    """
    The style of a name is a repair, which a strict server refuses.
    """
    server = build_server(shelf(), tools="lean", strict=True)
    call = {"name": "Weather", "arguments": {"city": "Rome"}}

    assert asked(server, lambda c: c.call_tool("call_block", call), "2026-07-28").is_error


def test_arguments_may_be_left_out_of_a_call():
    """
    A block without arguments is called by its name alone.
    """
    result = lean(lambda c: c.call_tool("call_block", {"name": "untyped"}))

    assert result.content[0].text == "[1, 2]"


def test_an_unknown_block_is_not_described():
    """
    The nearest name is told instead.
    """
    result = lean(lambda c: c.call_tool("describe_block", {"name": "wether"}))

    assert result.is_error
    assert result.content[0].text == "no block is called 'wether'; did you mean 'weather'?"


def test_the_prompt_of_a_large_catalogue_leads_through_the_four_tools():
    """
    The way to a block is explained as it is.
    """
    got = lean(lambda c: c.get_prompt("use_a_block"))

    assert "find_blocks" in got.messages[0].content.text
    assert "The task" not in got.messages[0].content.text


def test_what_is_registered_later_is_served():
    """
    A registry is followed: list and calls see the change.
    """
    registry = Registry()
    registry.register(shelf()["weather"])

    async def before_and_after(client):
        first = [t.name for t in (await client.list_tools()).tools]
        registry.register(shelf()["primes"])
        registry.unregister("weather")
        return first, [t.name for t in (await client.list_tools()).tools]

    assert asked(build_server(registry), before_and_after) == (["weather"], ["primes"])


def test_a_subscriber_hears_of_a_change():
    """
    In the newest era a client that listens is told.
    """
    registry = Registry()

    async def hear(client):
        async with client.listen(tools_list_changed=True) as events:
            registry.register(shelf()["primes"])
            return await anext(aiter(events))

    assert "ToolsListChanged" in repr(asked(build_server(registry), hear))


def test_a_toolset_is_served_as_it_was_made():
    """
    A toolset never changes, so its server announces nothing.
    """

    async def says(client):
        return client.server_capabilities.tools

    told = asked(build_server(Toolset(shelf())), says, "legacy")

    assert told.list_changed is not True


def test_icons_are_addresses():
    """
    Where the icons of blocks can be fetched is the host's to say.
    """

    async def icons(client):
        return {t.name: t.icons and t.icons[0].src for t in (await client.list_tools()).tools}

    registry = Registry()
    registry.register(shelf()["weather"].with_(icon="cloud"))
    registry.register(shelf()["primes"])
    shown = asked(build_server(registry, icons="https://example.org/{icon}.svg"), icons)

    assert shown == {"weather": "https://example.org/cloud.svg", "primes": None}


@pytest.mark.parametrize(
    ("options", "path", "message", "hint"),
    [
        ({"tools": "leen"}, "$.tools", "tools='leen' cannot be served", "give 'all' or 'lean'; did you mean 'lean'?"),
        (
            {"icons": "file:///etc/{icon}"},
            "$.icons",
            "icons='file:///etc/{icon}' cannot be served",
            "give an https address that holds {icon}",
        ),
        (
            {"icons": "https://example.org/icon.svg"},
            "$.icons",
            "icons='https://example.org/icon.svg' cannot be served",
            "give an https address that holds {icon}",
        ),
    ],
)
def test_an_option_that_cannot_be_is_refused(options, path, message, hint):
    """
    A mistake is told when the server is built, not when it is asked.
    """
    with pytest.raises(InvalidOptionError) as caught:
        build_server(Registry(), **options)

    assert caught.value.problems == (Problem(code="option_invalid", path=path, message=message, hint=hint),)


def test_options_of_a_toolset_are_given_to_the_toolset():
    """
    A toolset that is made already takes no options here.
    """
    with pytest.raises(InvalidOptionError, match="give these options to the Toolset itself"):
        build_server(Toolset(shelf()), strict=True)


def test_options_of_a_server_are_given_to_the_server():
    """
    A server that is made already takes no options of a transport's function: none is lost in silence.
    """
    with pytest.raises(InvalidOptionError) as caught:
        http_app(build_server(shelf()), tools="lean", strict=True)

    assert str(caught.value) == (
        "$.strict: 'strict' and 'tools' cannot be changed of a server that is made; say it to build_server"
    )


def test_the_options_that_are_handed_on_are_those_of_a_toolset():
    """
    What checkers and editors show is what a `Toolset` takes.
    """
    taken = inspect.signature(Toolset).parameters

    assert [*ToolsetOptions.__annotations__] == [n for n, p in taken.items() if p.kind is p.KEYWORD_ONLY]


class Watched(Registry):
    """A registry whose version the threads of a meeting read at the same moment."""

    meeting = None

    @property
    def version(self):
        """The version; whoever asks for it first waits for the other."""
        if self.meeting is not None and threading.current_thread() not in self.met:
            self.met.append(threading.current_thread())
            self.meeting.wait(LONG)
        return super().version


def test_a_change_is_looked_at_by_one_thread():
    """
    Two threads that see the same change are answered with the same offer, made once.
    """
    registry = Watched(shelf().values())
    catalogue = Catalogue(registry)
    registry.unregister("primes")
    registry.met, registry.meeting = [], threading.Barrier(2)

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(lambda _: catalogue.now(), range(2))

    assert first is second
    assert "primes" not in first.names
