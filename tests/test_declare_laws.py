"""Laws of declarations: blocks come back from YAML as they were."""

from __future__ import annotations

import json

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from blockargs.declare import (
    load_yaml,
    read_declarations,
    write_declarations,
)
from blockargs.spec import (
    KINDS,
    Block,
    BlockArgs,
    ConstructorRef,
    new_block_arg,
)
from strategies import arg_types, json_values, values_for

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
