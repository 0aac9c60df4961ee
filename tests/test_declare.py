"""Declarations in YAML: what is read, what is refused and where, what is written."""

from __future__ import annotations

import copy
import functools
import json
import os
import pickle
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from blockargs import declare
from blockargs.declare import (
    DeclarationProblem,
    declaration_schema,
    load_yaml,
    read_declarations,
    save_declarations,
    write_declarations,
)
from blockargs.declare.entry import ENTRY_KEYS
from blockargs.declare.format import schema_text
from blockargs.declare.loader import lines_in
from blockargs.errors import InvalidDeclarationError, InvalidOptionError, UnnamedConstructorWarning
from blockargs.node import same_type
from blockargs.registry import Registry
from blockargs.spec import (
    ARGUMENT_KEYS,
    KINDS,
    Block,
    BlockArg,
    BlockArgs,
    ConstructorRef,
    new_block_arg,
    new_block_args,
)
from blockargs.types import arg_array, arg_enum, arg_integer, arg_literal, arg_object, arg_string
from strategies import arg_types, json_values, values_for

HERE = Path(__file__).parent
REGISTRY = HERE.parent / "registry"
STORIES = {
    file.stem: yaml.safe_load(file.read_text(encoding="utf-8"))
    for file in sorted((HERE / "cases" / "declare").glob("*.yaml"))
}


def stories(key):
    return [pytest.param(story, id=name) for name, story in STORIES.items() if key in story]


def refused(text, **how):
    with pytest.raises(InvalidDeclarationError) as caught:
        read_declarations(text, **how)
    return caught.value


def one(text, **how):
    (block,) = read_declarations(text, **how)
    return block


@pytest.mark.parametrize("story", stories("canonical"))
def test_a_declaration_has_one_canonical_form(story):
    """Whatever way it is written, it becomes canonical in one pass, and stays so."""
    blocks = read_declarations(story["declaration"], yaml=story.get("yaml", "1.2"))
    text = write_declarations(blocks)

    assert text == story["canonical"]
    assert read_declarations(text) == blocks
    assert write_declarations(read_declarations(text)) == text


@pytest.mark.parametrize("story", stories("problems"))
def test_every_problem_of_a_file_is_told_with_its_line(story):
    """One error lists all problems, in the order of the lines, each with place, reason and cure."""
    error = refused(story["declaration"])

    assert [str(p) for p in error.problems] == story["problems"]


def test_a_problem_knows_file_line_and_uid():
    """The place is told first, and programs read it as fields."""
    error = refused("head:\n  arguments:\n    n: {type: integer, example: many}\n", file="registry/rows.yml")

    assert error.problems == (
        DeclarationProblem(
            code="block_example_nonconforming",
            path="$.n",
            message="'many' is a string, not an integer",
            source="registry/rows.yml:3",
            uid="head",
        ),
    )
    assert str(error) == "registry/rows.yml:3: head: $.n: 'many' is a string, not an integer"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_codes_tell_what_kind_of_fault_it_is():
    """Programs tell a name that nothing documents from a value that does not fit."""
    error = refused("a: {arguments: {x: {type: strng}, y: {type: integer, example: z}}, examples: [{w: 1}], q: 1}")

    assert [p.code for p in error.problems] == [
        "block_declaration_invalid",
        "arg_type_invalid",
        "block_example_nonconforming",
        "block_example_unknown",
    ]


def test_everything_that_was_declared_is_in_the_block():
    """An entry becomes a block with all its fields; its source is file and line."""
    text = STORIES["every_key"]["canonical"]
    block = one(text, file="maps.yml")

    assert (block.uid, block.source) == ("map_block", "maps.yml:3")
    assert block.constructor == ConstructorRef("maps.blocks:Families.MapBlock")
    assert block.arguments["zoom"] == new_block_arg(
        "How near.",
        5,
        arg_integer(minimum=1, error="a whole number"),
        required=True,
        default=3,
        error="use 1 for the whole world",
        aliases=["level", "scale"],
        header="Zoom",
    )
    assert block.arguments["zoom"].type.error == "a whole number"
    assert block.arguments["rest"] == BlockArg(hidden=True, required=False)
    assert block.arguments["title"] == BlockArg("What stands above.", required=False)
    assert block.examples == [{"zoom": 5}]
    assert (block.inputs, dict(block.annotations)) == (("frame",), {"title": "Draw a map", "read_only": True})


def test_an_argument_is_optional_unless_it_says_required():
    """`required` and `default` say what a signature would."""
    arguments = one("a: {arguments: {x: {required: true}, y: {default: null}, z: {type: string}}}").arguments

    assert [a.required for a in arguments.values()] == [True, False, False]
    assert arguments["y"].default is None
    assert arguments.type()["required"] == ["x"]


def test_no_constructor_is_imported_by_reading():
    """A reference to a module that is not there is read all the same."""
    assert one('a: {constructor: "no.such_module:Block"}').constructor == ConstructorRef("no.such_module:Block")


def test_what_r_means_by_an_empty_list_is_noted():
    """In a file of the R generator an empty list that should be a record is one, and a note says so."""
    block = one(STORIES["from_r"]["declaration"])

    assert [(n.rule, n.path, n.before, n.after) for n in block.notes] == [("r_empty_list", "$.options", [], {})]


@pytest.mark.parametrize(
    "first",
    [
        "# Generated by blockr.core block_registration roclet: do not edit",
        "# Generated by a.b block_registration roclet",
    ],
)
def test_files_of_the_r_generator_are_known_by_their_first_line(first):
    """Unquoted yes is a boolean there; in a file of ours it is a text."""
    text = "a: {arguments: {x: {example: yes}}}"

    assert one(f"{first}\n{text}").examples == [{"x": True}]
    assert one(f"# Generated by blockargs collect\n{text}").examples == [{"x": "yes"}]
    assert one(f"# ours\n{first}\n{text}").examples == [{"x": "yes"}]


def test_only_two_versions_of_yaml_are_known():
    """Another version is refused in a sentence."""
    for read in (read_declarations, load_yaml):
        with pytest.raises(InvalidOptionError) as caught:
            read("a: {}", yaml="1.3")

        assert str(caught.value) == "yaml is '1.2' or '1.1', not '1.3'"


@pytest.mark.parametrize("text", ["", "   ", "# only a comment\n", "---\n", "~", "\ufeff# with a mark\n", "{}"])
def test_an_empty_file_declares_nothing(text):
    """Comments, an empty document and null are no blocks, and no problem."""
    assert read_declarations(text) == []


BOMB = "\n".join(
    [
        "a: &a [x,x,x,x,x,x,x,x,x]",
        *(f"{b}: &{b} [{','.join(['*' + a] * 9)}]" for a, b in zip("abcdefg", "bcdefgh", strict=True)),
    ]
)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- a", 'line 1: ["a"] is no mapping of uid to declaration; write uid: and indent its keys below'),
        ("5", "line 1: 5 is no mapping of uid to declaration; write uid: and indent its keys below"),
        ("a: {}\n---\nb: {}", "line 2: a second document starts here; write one document a file"),
        ("%TAG ! tag:x,2000:\n---\na: {}", "line 1: tags are not read; leave %TAG out"),
        (
            "a:\n\tname: x",
            "line 2: this is no YAML: found character that cannot start any token while scanning for the next token; indent with blanks, and put a text that starts with @, ` or % in quotes",
        ),
        ("a: {}\n\nb: \x07", "line 3: '\\x07' cannot stand in YAML; write it as an escape in \"double quotes\""),
        ("a: \ud800", "line 1: '\\ud800' cannot stand in YAML; write it as an escape in \"double quotes\""),
        ("a:\n  [b]: c", "line 2: a key is a text, not a list or mapping; write key: value"),
        ("a: &a [*a]", "line 1: the alias *a repeats nothing that ends before it"),
        ("a: *b", "line 1: the alias *b repeats nothing that ends before it"),
        (BOMB, "line 6: aliases repeat more than 100000 values; write them out"),
        ("a:\n  " + "[" * 500, "line 2: lists and mappings are nested deeper than 100 levels"),
        ("- " * 500, "line 1: lists and mappings are nested deeper than 100 levels"),
        (
            "a: &x " + "[" * 90 + "]" * 90 + "\nb: [[[[[[[[[[[*x]]]]]]]]]]]",
            "line 2: lists and mappings are nested deeper than 100 levels",
        ),
        ("x" * (4 * 1024 * 1024 + 1), "line 1: the text is 4194305 characters long; at most 4194304 are read"),
        ("a: [1, 2", "line 1: this is no YAML: did not find expected ',' or ']' while parsing a flow sequence"),
    ],
    ids=lambda given: ascii(given[:30]),
)
def test_what_cannot_be_read_is_told_in_one_line(text, says):
    """Broken, endless and far too large texts end in one problem with a line."""
    assert str(refused(text)) == says


def test_numbers_are_bounded():
    """A thousand digits are exact, more are refused, and what no float can hold as well."""
    assert load_yaml("1" * 1_000) == int("1" * 1_000)
    assert load_yaml("-" + "1" * 1_000) == -int("1" * 1_000)
    assert str(refused("a: " + "1" * 1_002)).startswith("2 problems:\n  line 1: a number of 1002 digits is too long")
    with pytest.raises(InvalidDeclarationError, match="the number 1e999 is too large"):
        load_yaml("1e999")


def test_the_problems_of_a_file_are_bounded():
    """A thousand are listed; the last one counts the rest."""
    error = refused("\n".join(f"b{i}: 5" for i in range(3_000)))

    assert len(error.problems) == 1_000
    assert str(error.problems[-1]) == "line 1000: 2001 further problems from here on"
    unknown = refused("a:\n" + "\n".join(f"  k{i}: 5" for i in range(3_000)))
    assert (len(unknown.problems), str(unknown.problems[-1])) == (
        1_000, "line 1001: 2001 further problems from here on",
    )  # fmt: skip
    examples = ", ".join("{n: x}" for _ in range(3_000))
    misfits = refused(f"a: {{arguments: {{n: {{type: integer}}}}, examples: [{examples}]}}")
    assert str(misfits.problems[-1]) == "line 1: 2001 further problems from here on"


@pytest.mark.parametrize("text", ["a: 1\n" * 3_000, "a: {" + "1: 1," * 3_000 + "}", "a: [" + "!x 1," * 3_000 + "]"])
def test_a_file_full_of_broken_yaml_is_not_read_to_its_end(text):
    """A million repeated keys are a thousand problems, and the last says where reading ended."""
    error = refused(text)

    assert len(error.problems) == 1_000
    assert error.problems[-1].message == "after 999 problems the rest is not read, from here on"
    with pytest.raises(InvalidDeclarationError):
        load_yaml(text)


def test_a_file_full_of_unknown_keys_is_read_once():
    """Where things stand is asked for those that are listed; the rest is counted."""
    text = "a:\n" + "\n".join(f"  k{i}: 5" for i in range(3_000))

    pointers = [("a", "k5"), ("a", "k7")]

    assert max(lines_in(text, pointers).values()) == 9
    assert len(lines_in(text, [("a", "none")])) == 3_001


def test_unknown_names_among_very_many_are_told_in_bounded_time():
    """A near name is looked for a few times; then there is none to be had."""
    names = ", ".join(f"name_{i}: x" for i in range(60))
    examples = ", ".join(f"{{nam_{i}: 1}}" for i in range(60))

    error = refused(f"a: {{arguments: {{{names}}}, examples: [{examples}]}}")

    hinted = [p.hint.startswith("did you mean") for p in error.problems]
    assert (len(hinted), sum(hinted), hinted[:20]) == (60, 20, [True] * 20)


def test_a_uid_declared_many_times_is_told_with_its_first_line():
    """Under any key that means it."""
    error = refused("a: {}\nnew_a: {}\nb: {uid: a}\nc: {}")

    said = "the uid 'a' is declared twice, first at line 1; rename one"
    assert [str(p) for p in error.problems] == [f"line 2: a: {said}", f"line 3: b: {said}"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'"\ud83d\ude00"', "\U0001f600"),
        (r'{"\uD83D\uDE00": ["x\ud83d\ude01y\ud83d\ude02"]}', {"\U0001f600": ["x\U0001f601y\U0001f602"]}),
        (r'"\\ud83d\\ude00 \ud83d\ude00 \\\ud83d\ude00"', "\\ud83d\\ude00 \U0001f600 \\\U0001f600"),
        (r"[a\ud83d\ude00, '\ud83d\ude00']", [r"a\ud83d\ude00", r"\ud83d\ude00"]),
    ],
)
def test_a_character_that_json_escapes_in_two_halves_is_read(text, value):
    """JSON is YAML, and writes an emoji so; outside double quotes a backslash is a backslash."""
    assert load_yaml(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'a: "\ue000 \ud83d\ude00"', {"a": "\ue000 \U0001f600"}),
        (r'a: "\ue000x\ue000 \ud83d\ude00"', {"a": "\ue000x\ue000 \U0001f600"}),
        ('a: "\\U0000E000 only"\nb: "\\ud83d\\ude00 \ue001"', {"a": "\ue000 only", "b": "\U0001f600 \ue001"}),
        ('a: "\\uE000d83d\\uE000de00!"\nb: "\\ud83d\\ude00"', {"a": "\ue000d83d\ue000de00!", "b": "\U0001f600"}),
        (r'"\\ue000 \\\ue001 \ue002 \ud83d\ude00"', "\\ue000 \\\ue001 \ue002 \U0001f600"),
    ],
)
def test_private_characters_beside_halves_are_read_as_they_stand(text, value):
    """However they are written: as themselves, or as JSON or YAML escapes them."""
    assert load_yaml(text) == value


@given(st.text("\ue000\ue001\uf8ff\U0001f600\\\"'xu0 "), st.booleans())
def test_json_with_private_characters_and_pairs_is_read_as_json(text, ascii_only):
    """What `json.dumps` writes is read as `json.loads` reads it, keys and values."""
    assert load_yaml(json.dumps({text: [text]}, ensure_ascii=ascii_only)) == {text: [text]}


@pytest.mark.parametrize("text", [r'"\ud83d"', r'"\ude00\ud83d"', r'"\ud83d\ude00\ud83d"', r'"\\ud83d\ude00"'])
def test_half_a_character_is_refused(text):
    """It cannot be written anywhere."""
    assert "found invalid Unicode character escape code" in str(refused(f"a: {text}"))


def test_a_text_with_every_private_character_is_still_read():
    """Only its escaped halves of characters are not."""
    private = "".join(map(chr, range(0xE000, 0xF900)))

    assert load_yaml(f"[{private}, '\\ud83d\\ude00']") == [private, "\\ud83d\\ude00"]
    assert "found invalid Unicode" in str(refused(f'a: [{private}, "\\ud83d\\ude00"]'))


def test_yaml_is_read_as_the_json_it_looks_like():
    """Other rooms read their YAML with the same strict rules."""
    assert load_yaml("a: [no, 010, 1.10, true, ~, 2024-01-01]", file="x.yml") == {
        "a": ["no", "010", 1.1, True, None, "2024-01-01"]
    }
    assert load_yaml("[yes, no]", yaml="1.1") == [True, False]
    with pytest.raises(InvalidDeclarationError, match=r"x\.yml:2: the key 'a' stands here again"):
        load_yaml("a: 1\na: 2", file="x.yml")


def test_the_parser_in_python_reads_the_same(monkeypatch):
    """Where PyYAML has no C parser the same is read and refused, only slower."""
    read = {
        name: read_declarations(s["declaration"], yaml=s.get("yaml", "1.2"))
        for name, s in STORIES.items()
        if "canonical" in s
    }
    monkeypatch.delattr(yaml, "CSafeLoader")

    assert {n: read_declarations(STORIES[n]["declaration"], yaml=STORIES[n].get("yaml", "1.2")) for n in read} == read
    assert str(refused("a: \x07")).startswith("line 1: '\\x07' cannot stand in YAML")
    assert str(refused("a:\n  b: c: d")).startswith("line 2: this is no YAML: mapping values are not allowed here")


# -- writing


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


# -- laws

# the first run on a machine draws slowly: hypothesis makes its table of characters
LAW = settings(max_examples=50)

TEXTS = st.text(max_size=12) | st.sampled_from(
    ["no", "Yes", "n", "1e3", "010", "12:30", "2024-01-01", " a", "a ", "a: b", "a #b", "#", "~", "Null", "", "-", "- a", "two\nlines", "a\n", "\na", "a\n\nb\n", "a\n b", " \na", "a\n \nb", "a\tb", "a\u2028b", "\x85", "\xa0a", "é", "{a}", "[", "a,b", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a`", "'a'", '"a"', "a\\b", "---", "...", "? a", "<<", "=", ".inf", "0x1F", "+1", "1_000", "\ufeffa", "\U0001f600"]
)  # fmt: skip
YAML_TEXTS = TEXTS.filter(lambda t: not any("\ud800" <= c <= "\udfff" for c in t))
NAMES = YAML_TEXTS.filter(bool)
LINES = YAML_TEXTS.filter(lambda t: t.strip() and "\n" not in t)


def without_surrogates(value):
    return "\\ud" not in json.dumps(value).replace("\\ud83d\\ude00", "") and "\\ud" not in repr(value)


VALUES = (
    json_values().filter(without_surrogates)
    | YAML_TEXTS
    | st.lists(YAML_TEXTS, max_size=3)
    | st.dictionaries(YAML_TEXTS, YAML_TEXTS, max_size=3)
)
TYPES = arg_types().filter(without_surrogates)


@st.composite
def arguments(draw):
    kind = draw(st.none() | TYPES)
    default = draw(VALUES if kind is None else st.none() | values_for(kind).filter(without_surrogates))
    return new_block_arg(
        draw(st.none() | YAML_TEXTS),
        None,
        kind,
        required=draw(st.booleans()),
        **({"default": default} if draw(st.booleans()) else {}),
        error=draw(st.none() | YAML_TEXTS),
        hidden=draw(st.booleans()),
        aliases=draw(st.lists(NAMES, max_size=2)),
        header=draw(st.none() | NAMES),
    )


@st.composite
def blocks(draw):
    args = draw(st.dictionaries(NAMES, arguments(), max_size=3))
    free = [name for name, arg in args.items() if arg.type is None]
    args |= {name: args[name].with_(example=draw(VALUES)) for name in free}
    named = BlockArgs(args)
    own = named.example()
    given = (
        draw(st.lists(st.fixed_dictionaries(dict.fromkeys(free, VALUES)), min_size=1, max_size=2))
        if free and draw(st.booleans())
        else []
    )
    optional = {
        key: draw(st.none() | texts)
        for texts, keys in ((YAML_TEXTS, "description details guidance"), (LINES, "package output"))
        for key in keys.split()
    }
    return Block(
        uid=draw(st.builds("{}{}".format, st.sampled_from(["", "new_"]), st.text("aZ0_.-", min_size=1, max_size=8))),
        name=draw(LINES),
        keywords=draw(st.lists(LINES, max_size=3)),
        category=draw(LINES),
        link=draw(st.sampled_from([None, "https://example.org/a#b:c"])),
        wire_name=draw(st.none() | st.text("aZ0_.-", min_size=1, max_size=8)),
        icon=draw(st.sampled_from([None, "table", "123"])),
        constructor=draw(st.sampled_from([None, ConstructorRef("a.b:c.d")])),
        arguments=named,
        examples=given or ([own] if own else []),
        inputs=tuple(draw(st.lists(LINES, max_size=2))),
        kind=draw(st.sampled_from(KINDS)),
        timeout=draw(st.none() | st.floats(0.001, 1e6)),
        output_schema=draw(st.none() | TYPES),
        annotations=draw(st.dictionaries(st.sampled_from(["read_only", "destructive"]), st.booleans(), max_size=1)),
        **optional,
    )


@LAW
@given(st.lists(blocks(), max_size=3, unique_by=lambda b: b.uid))
def test_blocks_come_back_from_yaml_as_they_were(given_blocks):
    """Block to YAML to Block is the same block, and the text is the same text."""
    text = write_declarations(given_blocks)
    read = read_declarations(text)

    assert read == given_blocks
    assert write_declarations(read) == text
    assert [(b.keywords, b.inputs) for b in read] == [(b.keywords, b.inputs) for b in given_blocks]


@LAW
@given(st.lists(blocks(), min_size=1, max_size=2, unique_by=lambda b: b.uid))
def test_any_yaml_reader_sees_the_same_texts(given_blocks):
    """Canonical YAML means the same to a reader of YAML 1.1, so that no tool misreads it."""
    text = write_declarations(given_blocks)

    assert yaml.safe_load(text) == load_yaml(text)


class Quoting(yaml.SafeDumper):
    """Puts every text in double quotes."""


Quoting.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"'))


@LAW
@given(st.lists(blocks(), min_size=1, max_size=2, unique_by=lambda b: b.uid), st.integers(0, 2**32))
def test_any_other_yaml_becomes_canonical_in_one_pass(given_blocks, seed):
    """The same data in another dress (order of keys, style, quotes) gives the same canonical text."""
    text = write_declarations(given_blocks)
    data = load_yaml(text)
    dressed = yaml.dump(
        data,
        Dumper=Quoting,
        sort_keys=False,
        default_flow_style=[None, True, False][seed % 3],
        width=100_000,
        indent=2 + seed % 5,
    )

    assert write_declarations(read_declarations(dressed)) == text


# -- saving


def test_saving_replaces_the_whole_file(tmp_path):
    """The new text is there with the old rights; nothing else is left in the folder."""
    place = tmp_path / "a.yml"
    place.write_text("# old")
    place.chmod(0o640)
    save_declarations(place, [Block(uid="a", name="a")], header="new")

    assert read_declarations(place.read_text()) == [Block(uid="a", name="a")]
    assert stat.S_IMODE(place.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["a.yml"]


def test_saving_writes_through_a_link(tmp_path):
    """A link stays a link; a file that was not there is made with the usual rights."""
    link = tmp_path / "link.yml"
    link.symlink_to(tmp_path / "real.yml")
    save_declarations(str(link), [])
    umask = os.umask(0)
    os.umask(umask)

    assert link.is_symlink()
    assert (tmp_path / "real.yml").read_text() == "# yaml-language-server: $schema=block.schema.json\n"
    assert stat.S_IMODE((tmp_path / "real.yml").stat().st_mode) == 0o666 & ~umask


def test_a_file_that_cannot_be_made_is_told_by_the_name_it_was_given(tmp_path, monkeypatch):
    """The error names the path that was asked for, as it was written."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError) as caught:
        save_declarations("no/such/folder.yml", [])

    assert str(caught.value) == "[Errno 2] No such file or directory: 'no/such/folder.yml'"
    assert caught.value.filename == "no/such/folder.yml"


def test_a_name_as_long_as_a_file_may_have_is_written(tmp_path):
    """What the file is called while it is written is no longer than that."""
    place = tmp_path / f"{'n' * 251}.yml"
    save_declarations(place, [])

    assert [p.name for p in tmp_path.iterdir()] == [place.name]


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path):
    """What cannot be written, or replaced, changes nothing and leaves nothing."""
    place = tmp_path / "a.yml"
    place.write_text("# old")
    with pytest.raises(InvalidDeclarationError):
        save_declarations(place, [Block(uid="a", name="a", description="\ud800")])
    folder = tmp_path / "folder.yml"
    folder.mkdir()
    with pytest.raises(OSError, match=r"folder\.yml"):
        save_declarations(folder, [])

    assert place.read_text() == "# old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.yml", "folder.yml"]


WRITER = """
import sys
from blockargs.declare import save_declarations
from blockargs.spec import Block
print("ready", flush=True)
n = 0
while True:
    n += 1
    save_declarations(sys.argv[1], [Block(uid=f"b{i}", name="x", details=f"text {n} " * 200) for i in range(200)], header=f"{n}")
"""


def test_a_write_killed_at_any_point_leaves_a_whole_file(tmp_path):
    """SIGKILL at any moment: the file is the old one or the new one, whole."""
    place = tmp_path / "a.yml"
    save_declarations(place, [Block(uid=f"b{i}", name="x", details="text 0 " * 200) for i in range(200)], header="0")
    for attempt in range(6):
        child = subprocess.Popen([sys.executable, "-c", WRITER, str(place)], stdout=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(0.01 + 0.017 * attempt)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        text = place.read_text()
        details = {b.details for b in read_declarations(text)}

        assert (len(read_declarations(text)), len(details)) == (200, 1)
        assert details.pop().startswith(f"text {text.splitlines()[1].removeprefix('# ')} ")


# -- the format for editors


def test_the_format_of_editors_is_up_to_date():
    """`registry/block.schema.json` is what `declaration_schema` gives."""
    written = (REGISTRY / "block.schema.json").read_text(encoding="utf-8")

    # made by: python -c "from blockargs.declare.format import schema_text; print(schema_text(), end='')"
    assert written == schema_text()


def test_the_format_knows_every_key():
    """Each key that is read is described for editors, and no other."""
    schema = declaration_schema()["definitions"]

    assert set(schema["block"]["properties"]) == set(ENTRY_KEYS)
    assert set(schema["argument"]["anyOf"][-1]["properties"]) == set(ARGUMENT_KEYS)
    jsonschema.Draft7Validator.check_schema(declaration_schema())


def test_editors_agree_with_the_reader():
    """What is canonical fits the format; a wrong key or shape does not."""
    validator = jsonschema.Draft7Validator(declaration_schema())
    fits = {
        name: validator.is_valid(load_yaml(s["canonical"]))
        for name, s in STORIES.items()
        if "canonical" in s and name != "nothing"
    }

    assert fits == dict.fromkeys(fits, True)
    assert [
        validator.is_valid({"a": entry}) for entry in ({"nmae": "x"}, {"timeout": 0}, {"arguments": {"x": 5}}, 5)
    ] == [False] * 4


def test_the_bundled_declarations_fit_and_are_read():
    """Our own files are read, fit the format, and are canonical in one pass."""
    validator = jsonschema.Draft7Validator(declaration_schema())
    for file in sorted(REGISTRY.glob("*.yml")):
        text = file.read_text(encoding="utf-8")
        read = read_declarations(text, file=file.name)

        assert list(validator.iter_errors(load_yaml(text))) == []
        assert read_declarations(write_declarations(read)) == read


# -- strange files


def test_a_thousand_damaged_files_end_in_blocks_or_in_a_line():
    """Whatever happens to a file, it is read, or refused with a line; nothing else."""
    from full.fuzz_yaml import Mutator, verdict

    mutator = Mutator(seed=1)
    verdicts = [verdict(mutator.text()) for _ in range(1_000)]

    assert [v for v in verdicts if v not in ("read", "refused")] == []
    assert set(verdicts) == {"read", "refused"}


def test_a_block_read_from_yaml_is_a_value():
    """It is copied, pickled and compared like any other."""
    block = one(STORIES["every_key"]["canonical"])

    assert copy.deepcopy(block) == block
    assert pickle.loads(pickle.dumps(block)) == block
    assert declare.__all__ == sorted(declare.__all__)
