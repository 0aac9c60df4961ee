"""Metadata as tables: complete, in order, never reformatted."""

from __future__ import annotations

import json
from collections import deque
from typing import NamedTuple

import pytest

from blockargs.errors import InvalidBlockArgError, InvalidOptionError, MissingBlockMetadataWarning, UnknownBlockError
from blockargs.registry import Registry
from blockargs.search import find_blocks
from blockargs.spec import Block, new_block_arg, new_block_args
from blockargs.tables import argument_metadata, block_metadata
from blockargs.types import arg_array, arg_enum, arg_integer, arg_string

COLUMNS = (
    "id",
    "name",
    "description",
    "details",
    "link",
    "guidance",
    "keywords",
    "category",
    "icon",
    "arguments",
    "examples",
    "package",
)


class Head:
    def __init__(self, n=5, direction="head"):
        self.n, self.direction = n, direction


class MyOrphan:
    pass


class my_orphan:
    pass


@pytest.fixture
def registry():
    made = Registry()
    made.register(
        Head,
        uid="head_block",
        name="Head",
        description="Keep the first rows",
        category="transform",
        keywords=["rows", "top"],
        arguments=new_block_args(
            n=new_block_arg("How many rows", 3, arg_integer()),
            direction=new_block_arg("Which end", type=arg_enum(["head", "tail"])),
        ),
        package="demo",
    )
    made.register(Block(uid="plain", name="plain"))
    return made


def test_one_row_a_block_in_the_fixed_order(registry):
    """The row holds what was registered."""
    table = block_metadata(registry)

    assert table.columns == COLUMNS
    assert [row["id"] for row in table] == ["head_block", "plain"]
    assert table[0] == {
        "id": "head_block",
        "name": "Head",
        "description": "Keep the first rows",
        "details": None,
        "link": None,
        "guidance": None,
        "keywords": ["rows", "top"],
        "category": "transform",
        "icon": "magic",
        "arguments": {
            "n": {
                "description": "How many rows",
                "example": 3,
                "type": {"type": "integer"},
                "required": False,
                "default": 5,
            },
            "direction": {
                "description": "Which end",
                "example": None,
                "type": {"type": "string", "enum": ["head", "tail"]},
                "required": False,
                "default": "head",
            },
        },
        "examples": [{"n": 3}],
        "package": "demo",
    }


def test_missing_fields_show_defaults_while_the_block_keeps_none(registry):
    """The table is for reading, the attribute is the fact."""
    row = block_metadata(registry["plain"])[0]

    assert (row["description"], row["category"], row["icon"], row["package"]) == (
        "No description available.",
        "uncategorized",
        "question-square",
        "local",
    )
    assert (registry["plain"].description, registry["plain"].package) == (None, None)


def test_fields_come_in_the_order_asked(registry):
    """And only those."""
    table = block_metadata(registry, ["package", "name"])

    assert table.columns == ("package", "name")
    assert table.records() == [{"package": "demo", "name": "Head"}, {"package": "local", "name": "plain"}]


def test_no_blocks_give_no_rows_but_all_columns():
    """An empty table still says what it would show."""
    table = block_metadata([])

    assert (len(table), table.columns) == (0, COLUMNS)


def test_an_unknown_field_is_named_with_the_nearest(registry):
    """None is dropped in silence."""
    for given, shown in ((None, "null"), (3, "3"), ([[]], r"\[\]")):
        with pytest.raises(InvalidOptionError, match=f"{shown} is no field; there are 'id', 'name', "):
            block_metadata(registry, given)
    with pytest.raises(InvalidOptionError, match="'nme' is no field; did you mean 'name'"):
        block_metadata(registry, ["nme"])


def test_an_unknown_uid_is_an_error():
    """The default registry has none."""
    with pytest.raises(UnknownBlockError):
        block_metadata("nothing")


def test_inputs_output_and_constructor_come_on_request(registry):
    """They are not among the twelve."""
    row = block_metadata(registry["head_block"], ["inputs", "output", "constructor"])[0]

    assert row == {"inputs": [], "output": None, "constructor": f"{__name__}:Head"}


def test_a_constructed_object_shows_its_block(registry):
    """Also after the block is unregistered."""
    built = registry.create("head_block", n=2)
    registry.unregister()

    assert block_metadata(built)[0]["id"] == "head_block"
    assert block_metadata([built, registry]).column("name") == ["Head"]


@pytest.mark.parametrize("cls", [MyOrphan, my_orphan])
def test_an_unknown_object_gives_a_complete_row_and_one_warning(cls):
    """Reading metadata never crashes an application."""
    with pytest.warns(MissingBlockMetadataWarning) as caught:
        row = block_metadata(cls())[0]

    assert len(caught) == 1
    assert (caught[0].message.code, caught[0].filename) == ("missing_block_metadata", __file__)
    assert row == {
        "id": None,
        "name": "my orphan",
        "description": "No description available.",
        "details": None,
        "link": None,
        "guidance": None,
        "keywords": [],
        "category": "uncategorized",
        "icon": "question-square",
        "arguments": {},
        "examples": [],
        "package": "local",
    }


def test_known_and_unknown_objects_mix(registry):
    """Two rows of one table."""
    with pytest.warns(MissingBlockMetadataWarning):
        table = block_metadata([MyOrphan(), registry["head_block"]])

    assert table.column("id") == [None, "head_block"]


class Family:
    """Blocks that belong together."""

    def __init__(self, *members):
        self.members = members

    def __iter__(self):
        return iter(self.members)


@pytest.mark.parametrize("collect", [deque, Family, lambda *b: dict(enumerate(b)).values(), lambda *b: iter(b)])
def test_any_iterable_of_blocks_is_taken(registry, collect):
    """What finding and exporting take, a table takes."""
    blocks = collect(*([registry.values()] if collect is deque else registry.values()))

    assert block_metadata(blocks).column("id") == ["head_block", "plain"]


@pytest.mark.parametrize("members", [("a", "b"), (1, 2), ()])
def test_an_object_that_can_be_iterated_is_an_object(members):
    """A data frame iterates over its columns, and is no list of uids."""

    class Frame(Family):
        def __iter__(self):
            yield from self.members
            raise RuntimeError("no more columns")

    with pytest.warns(MissingBlockMetadataWarning):
        assert block_metadata(Frame(*members)).column("name") == ["frame"]


def test_blocks_that_contain_themselves_are_refused():
    """In a sentence, as everywhere."""
    circle = []
    circle.append(circle)

    for read in (block_metadata, argument_metadata, lambda blocks: find_blocks("rows", blocks)):
        with pytest.raises(InvalidBlockArgError, match="nested too deeply, or contain themselves"):
            read(circle)


def test_bytes_are_one_object():
    """Not a list of numbers."""
    with pytest.warns(MissingBlockMetadataWarning):
        assert block_metadata(b"ab").column("name") == ["bytes"]


def test_an_object_of_a_block_is_no_collection(registry):
    """Also where it is a tuple, or can be iterated."""

    class Pair(NamedTuple):
        a: int = 1
        b: int = 2

    registry.register(Pair, uid="pair")
    registry.register(Family, uid="family", arguments={})

    assert block_metadata([registry.create("pair"), registry.create("family")]).column("id") == ["pair", "family"]


def test_one_row_an_argument(registry):
    """Types in their short spelling."""
    assert argument_metadata(registry).records() == [
        {
            "block": "head_block",
            "argument": "n",
            "type": "integer",
            "required": False,
            "default": 5,
            "description": "How many rows",
            "example": 3,
        },
        {
            "block": "head_block",
            "argument": "direction",
            "type": "enum(head|tail)",
            "required": False,
            "default": "head",
            "description": "Which end",
            "example": None,
        },
    ]


@pytest.fixture
def tricky():
    """A block whose texts a table could spoil."""
    return Block(
        uid="t",
        name="1.10",
        description="a|b\n<script>\\ \x1b[31m",
        arguments=new_block_args(x=new_block_arg("y", ["z"], arg_array(arg_string()))),
    )


def test_text_is_never_reformatted(tricky):
    """`1.10` stays, in every format."""
    table = block_metadata(tricky, ["name"])

    for name in ("terminal", "plain", "csv", "json", "markdown", "html", "github", "grid", "tsv"):
        assert "1.10" in table.render(name)


def test_markdown_cells_escape_pipes_and_newlines(tricky):
    """One row stays one row, one cell one cell."""
    lines = block_metadata(tricky, ["description"]).render("markdown").splitlines()

    assert len(lines) == 3
    assert lines[2] == r"| a\|b <script>\\ [31m |"


def test_html_is_escaped(tricky):
    """No markup of an author reaches the page."""
    html = block_metadata(tricky)._repr_html_()

    assert "&lt;script&gt;" in html
    assert "<script>" not in html


def test_json_and_csv_are_complete(tricky):
    """Nothing is cut."""
    table = block_metadata(tricky.with_(details="x" * 500))

    assert json.loads(table.render("json")) == table.records()
    assert "x" * 500 in table.render("csv")


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_a_terminal_table_fits_the_width(registry, width):
    """The widest columns give way."""
    table = block_metadata(registry, ["id", "name", "category", "description"])

    assert max(map(len, table.render("terminal", width=width).splitlines())) <= width


def test_a_cut_cell_ends_in_a_mark():
    """What was cut is seen to be cut."""
    table = block_metadata(Block(uid="b", name="b", description="word " * 60), ["id", "description"])

    assert "…" in str(table)
    assert max(map(len, str(table).splitlines())) == 100


def test_an_unknown_format_is_named(registry):
    """With the nearest."""
    with pytest.raises(InvalidOptionError, match="did you mean 'markdown'"):
        block_metadata(registry).render("markdwn")


def test_a_table_is_a_sequence_of_dicts(registry):
    """Slices are tables, and sorting leaves the table as it was."""
    table = block_metadata(registry, ["id", "package"])

    assert list(table[:1]) == [{"id": "head_block", "package": "demo"}]
    assert table.sorted_by("id")[1]["id"] == "plain"
    assert [r["id"] for r in table.sorted_by("package")] == ["head_block", "plain"]
    with pytest.raises(InvalidOptionError):
        table.sorted_by("nothing")


def test_a_function_among_the_objects_is_what_it_registers_as():
    """A constructor means its block, also when it is not registered."""
    import functools

    def new_top_block(n=1):
        return n

    assert block_metadata([new_top_block, functools.partial(new_top_block)]).column("id") == ["top_block", "top_block"]


def test_columns_that_do_not_fit_are_named_below():
    """Nothing is left out in silence."""
    block = Block(uid="b", name="b", description="word " * 60)
    lines = str(block_metadata(block)).splitlines()

    assert max(map(len, lines)) <= 100
    assert lines[-1] == "not shown: icon, arguments, examples, package"


def test_cells_are_json_where_they_are_no_text():
    """A list of one text is not that text; keywords are words."""
    args = new_block_args(by=new_block_arg("Columns", ["id"], arg_array(arg_string())))
    block = Block(uid="b", name="b", keywords=["a", "b"], arguments=args)

    assert argument_metadata(block).render("csv").splitlines()[1] == 'b,by,string[],false,,Columns,"[""id""]"'
    assert block_metadata(block, ["keywords"]).render("csv") == 'keywords\n"a, b"\n'
