"""Laws of every dialect, over the whole vocabulary of argument types."""

from __future__ import annotations

import copy
import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from blockargs.dialects import DIALECTS, STRICT, export_tools
from blockargs.dialects.render import rendering
from blockargs.node import ArgType, json_key
from blockargs.spec import Block, BlockArg, BlockArgs
from blockargs.validate import problems_in
from strategies import arg_types, names, values_for

# a form and its strict form, where only the request differs, count once
ALL = [d for d in (*DIALECTS.values(), *STRICT.values()) if d.key not in ("gemini strict", "gemini-json strict")]
LAW = settings(max_examples=20, suppress_health_check=list(HealthCheck))


@st.composite
def blocks(draw):
    """Draw a block without constructor."""
    types = draw(st.dictionaries(names, arg_types(max_leaves=5), max_size=3))
    needed = {name: draw(st.booleans()) for name in types}
    args = {name: BlockArg("What it is.", type=kind, required=needed[name]) for name, kind in types.items()}
    return Block(uid="drawn", description="Drawn by chance.", arguments=BlockArgs(args))


@st.composite
def called(draw):
    """Draw a block with arguments that fit it."""
    block = draw(blocks())
    return block, draw(values_for(block.type))


def offered(block):
    """Yield each export of *block* with its schema as JSON Schema."""
    for dialect in ALL:
        export = export_tools(block, dialect)
        if not export.refused:
            yield export, ArgType(rendering(block, dialect).plain)


@given(drawn=called())
@LAW
def test_what_the_block_accepts_every_export_accepts(drawn):
    """Arguments that fit the block fit the exported schema once they are encoded."""
    block, value = drawn

    for export, schema in offered(block):
        assert problems_in(export.encode("drawn", value), schema) == [], export


@given(drawn=called())
@LAW
def test_decoding_undoes_encoding(drawn):
    """Decoding gives back what was encoded; only a null that means "left out" may be gone."""
    block, value = drawn

    for export, _ in offered(block):
        wire = export.encode("drawn", value)
        decoded = export.decode("drawn", wire)
        assert decoded.ok, (export, decoded.problems)
        assert json_key(export.encode("drawn", decoded.value)) == json_key(wire), export


@given(data=st.data(), block=blocks())
@LAW
def test_what_an_export_accepts_is_decoded_or_refused_with_a_path(data, block):
    """Whatever fits an exported schema becomes arguments that fit the block, or problems that say where."""
    for export, schema in offered(block):
        decoded = export.decode("drawn", data.draw(values_for(schema)))
        if decoded.ok:
            assert problems_in(decoded.value, block.type) == [], export
        else:
            assert decoded.problems, export
            assert all(p.path.startswith("$") for p in decoded.problems), export


@given(block=blocks())
@LAW
def test_exports_are_valid_schemas_and_change_nothing(block):
    """An export is valid JSON Schema, comes out the same each time, and leaves the block as it was."""
    before = copy.deepcopy(block.input_schema())

    for dialect in ALL:
        export = export_tools(block, dialect)
        again = export_tools(block.with_(), dialect)
        assert export.json() == again.json()
        assert json.loads(export.json()) == export.request()
        Draft202012Validator.check_schema(json.loads(json.dumps(rendering(block, dialect).plain)))
    assert block.input_schema() == before


@given(block=blocks())
@LAW
def test_nothing_inner_leaks(block):
    """No mark of ours is in what is sent, and no Python repr."""
    for dialect in ALL:
        text = export_tools(block, dialect).json().decode()
        assert not any(word in text for word in ("\\u0000way", "\\u0000was", "\\u0000cut", "None", "FrozenDict")), (
            dialect
        )
