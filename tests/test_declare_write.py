"""Writing declarations: one form, of which nothing is lost, and nothing that could not be read back."""

from __future__ import annotations

import functools

import pytest

from blockargs.declare import (
    read_declarations,
    save_declarations,
    write_declarations,
)
from blockargs.errors import InvalidDeclarationError, UnnamedConstructorWarning
from blockargs.node import same_type
from blockargs.registry import Registry
from blockargs.spec import (
    Block,
    BlockArg,
    BlockArgs,
    ConstructorRef,
    new_block_arg,
    new_block_args,
)
from blockargs.types import arg_array, arg_enum, arg_literal, arg_object, arg_string
from declared import one


def test_a_header_stands_below_the_line_for_editors():
    """A generated file says so in comments, which change nothing."""
    blocks = [Block(uid="a", name="a")]
    text = write_declarations(blocks, header="Generated from code.\n\nDo not edit.")

    assert text.splitlines()[:5] == [
        "# yaml-language-server: $schema=block.schema.json",
        "# Generated from code.",
        "#",
        "# Do not edit.",
        "",
    ]
    assert read_declarations(text) == blocks


def outer():
    def inner():
        pass

    return inner


@pytest.mark.parametrize(
    ("constructor", "written"),
    [
        (write_declarations, "blockargs.declare.writer:write_declarations"),
        (Block, "blockargs.spec.block:Block"),
        (Block.with_, "blockargs.spec.block:Block.with_"),
        (ConstructorRef("a.b:c"), "a.b:c"),
        (type("Unloaded", (), {"__module__": "no.such_module"}), "no.such_module:Unloaded"),
        (None, None),
    ],
)
def test_a_constructor_is_written_where_it_can_be_imported(constructor, written):
    """What has a name in a module is written by it; a block without one is metadata only."""
    text = write_declarations([Block(uid="a", name="a", constructor=constructor)])

    assert one(text).constructor == (written and ConstructorRef(written))


UNNAMED = {
    "<locals>": outer(),
    "lambda": lambda n: n,
    "partial": functools.partial(outer),
    "__main__": type("Local", (), {"__module__": "__main__"}),
    "method of an object": Block(uid="b").with_,
    "name that is gone": type("Gone", (), {"__module__": "blockargs.spec.block"}),
}


@pytest.mark.parametrize("constructor", UNNAMED.values(), ids=UNNAMED)
def test_a_constructor_without_a_name_is_not_lost_in_silence(constructor, tmp_path):
    """Its block is written as metadata only, and a warning names the block and the cure, at the caller's line."""
    block = Block(uid="a", name="a", constructor=constructor)
    says = (
        "written without constructor: 'a'; what builds a block is named only where it can be imported: "
        "define it at the top of a module, by a name of its own"
    )
    for write in (write_declarations, functools.partial(save_declarations, tmp_path / "a.yml")):
        with pytest.warns(UnnamedConstructorWarning) as caught:
            write([block])

        assert [(str(w.message), w.filename) for w in caught] == [(says, __file__)]
    assert one((tmp_path / "a.yml").read_text()).constructor is None


def test_a_default_that_is_no_json_is_not_written():
    """The argument stays optional."""
    text = write_declarations(
        [Block(uid="a", name="a", arguments=new_block_args(x=BlockArg("x", required=False, default=object())))]
    )

    assert one(text).arguments["x"] == BlockArg("x", required=False)


@pytest.mark.parametrize(
    ("block", "says"),
    [
        (
            Block(uid="a", name="a", description="\ud800"),
            "$.description: block 'a': YAML cannot hold the lone surrogate '\\ud800'",
        ),
        (
            Block(uid="a", name="a", examples=[{"x": {1}}]),
            "$.examples: block 'a': YAML cannot hold {1}, which is no JSON",
        ),
        (
            Block(uid="a", name="a", examples=[{"x": float("nan")}]),
            "$.examples: block 'a': YAML cannot hold nan, which is no JSON",
        ),
        (
            Block(uid="a", name="a", examples=[{"x": -(10**1_000)}]),
            "$.examples: block 'a': YAML cannot hold a number of more than 1000 digits",
        ),
        (Block(uid="a b", name="a"), "$.uid: block 'a b': 'a b' is not 1 to 128 of letters, digits, '_', '.' and '-'"),
        (Block(uid="a", name="a", icon="nosuch"), "$.icon: block 'a': 'nosuch' is no name of Bootstrap Icons"),
        (Block(uid="a", name="a", link="x.org"), "$.link: block 'a': 'x.org' is not a web address"),
    ],
)
def test_what_could_not_be_read_back_is_refused(block, says):
    """Nothing is written, and the block and key are named."""
    with pytest.raises(InvalidDeclarationError) as caught:
        write_declarations([block])

    assert str(caught.value) == says


def nested(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


def test_what_is_nested_too_deep_to_be_read_is_not_written():
    """The deepest that is read is written; beyond that, and far beyond, the writer refuses."""
    deepest = [
        Block(
            uid="a", name="a", arguments=new_block_args(x=BlockArg("x", required=False)), examples=[{"x": nested(96)}]
        )
    ]

    assert read_declarations(write_declarations(deepest)) == deepest
    too_deep = [deepest[0].with_(examples=[{"x": nested(97)}])]
    far_too_deep = [deepest[0].with_(arguments=BlockArgs({"x": BlockArg("x", nested(5_000))}))]
    for refused_blocks in (too_deep, far_too_deep):
        with pytest.raises(InvalidDeclarationError, match="nested deeper than the 100 levels that are read"):
            write_declarations(refused_blocks)


def test_what_is_too_large_to_be_read_is_not_written():
    """Exactly what is read is written; one byte more is refused, with the cure, and counted in UTF-8."""
    empty = len(write_declarations([Block(uid="a", name="a", details="é")]).encode()) - 2
    room = 4 * 1024 * 1024 - empty
    largest = [Block(uid="a", name="a", details="é" * (room // 2) + "x" * (room % 2))]

    assert read_declarations(write_declarations(largest)) == largest
    with pytest.raises(InvalidDeclarationError) as caught:
        write_declarations([largest[0].with_(details=f"{largest[0].details}x")])
    assert str(caught.value) == (
        "1 block make 4194305 bytes of YAML, and at most 4194304 of one file are read; "
        "write a file for each family of blocks"
    )


def test_blocks_are_written_from_a_mapping_one_block_or_any_iterable(tmp_path):
    """A registry is a mapping of uid to block; one block stands for itself."""
    block = Block(uid="a", name="a")
    text = write_declarations([block])
    for given_blocks in ({"a": block}, Registry([block]), block, iter([block]), {block: 1}.keys()):
        assert write_declarations(given_blocks) == text
    save_declarations(tmp_path / "a.yml", {"a": block})

    assert (tmp_path / "a.yml").read_text() == text


@pytest.mark.parametrize(
    ("given_blocks", "says"),
    [
        (None, "null is no block; pass a Registry, a Block, or a list of blocks"),
        ("head_block", "'head_block' is no block; pass a Registry, a Block, or a list of blocks"),
        (outer, f"{outer!r} is no block; pass a Registry, a Block, or a list of blocks"),
        ([Block(uid="a"), 5], "$[1]: 5 is no block; derive_block() makes a block of a constructor"),
        ({"a": "b"}, "$[0]: 'b' is no block; derive_block() makes a block of a constructor"),
    ],
)
def test_what_is_no_block_is_told(given_blocks, says, tmp_path):
    """Anything else is refused in a sentence with a code, and no file is made."""
    with pytest.raises(InvalidDeclarationError) as caught:
        save_declarations(tmp_path / "a.yml", given_blocks)

    assert (str(caught.value), caught.value.code) == (says, "block_declaration_invalid")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("header", "shown"), [("a\x07b", "'\\x07'"), ("\ud800", "'\\ud800'"), (5, "5")])
def test_a_header_that_could_not_be_read_back_is_refused(header, shown):
    """A comment holds text that YAML can hold."""
    with pytest.raises(InvalidDeclarationError) as caught:
        write_declarations([], header=header)

    assert str(caught.value) == f"{shown} cannot stand in a header; pass lines of text"


def test_only_text_is_read():
    """A path or bytes are refused with the way to read them."""
    says = r"^b'a: \{\}' is no text of declarations; pass the text of a file, or its path to load_registry\(\)$"
    with pytest.raises(InvalidDeclarationError, match=says):
        read_declarations(b"a: {}")


def test_two_blocks_of_one_uid_are_not_written():
    """They could not be read back."""
    with pytest.raises(InvalidDeclarationError, match="block 'a': the uid stands twice"):
        write_declarations([Block(uid="a"), Block(uid="a")])


def test_failure_texts_of_nested_types_survive():
    """`x-error` and the parent's `required` carry what a node cannot hold."""
    kind = arg_array(arg_object(a=arg_string(error="a name"), b=arg_enum(["x"], required=False)))
    block = Block(uid="a", name="a", arguments=BlockArgs({"k": BlockArg(type=kind, required=True)}))
    read = one(write_declarations([block])).arguments["k"].type

    assert read == kind
    assert read["items"]["properties"]["a"].error == "a name"
    assert same_type(read["items"]["properties"]["b"], arg_enum(["x"], required=False))


def test_a_key_too_long_for_its_line_is_written_and_read():
    """YAML takes no key of more than a thousand signs before a colon, unless it is announced."""
    long = "k" * 1_500
    example = {long: {"a": [{long: "two\nlines"}], "b": [long, {long: 1}]}}
    blocks = [Block(uid="a", name="a", arguments=new_block_args({long: new_block_arg("x", example, arg_literal([1]))}))]
    blocks = [
        blocks[0].with_(
            examples=[{long: 1}],
            arguments=BlockArgs(
                {long: BlockArg("x", None, required=False), "e": BlockArg(None, example, required=False)}
            ),
        )
    ]

    assert read_declarations(write_declarations(blocks)) == blocks
