"""The bundled declarations beside the constructors they describe."""

from __future__ import annotations

from pathlib import Path

import narwhals  # noqa: F401 - constructors are imported here
import pytest

from blockargs import Registry, derive_block, load_registry, read_declarations, spell, write_declarations

DECLARATIONS = Path(__file__).parents[1] / "registry"
UIDS = ["arrange_block", "count_block", "filter_block", "head_block", "select_block"]


def test_these_blocks_are_bundled():
    """What a newcomer sees in the first table."""
    assert sorted(load_registry()) == UIDS


@pytest.mark.parametrize("uid", UIDS)
def test_every_worked_configuration_constructs(uid):
    """An example that is shown is one that works."""
    registry = load_registry()
    block = registry[uid]

    assert len(block.examples) >= 1
    assert [type(registry.create(uid, **example)) for example in block.examples] == [block.load()] * len(block.examples)


@pytest.mark.parametrize("uid", UIDS)
def test_a_bundled_block_says_everything(uid):
    """Each has its texts, its inputs and a type for every argument, human and model text apart."""
    block = load_registry()[uid]

    assert all([block.name, block.description, block.details, block.guidance, block.keywords, block.icon, block.inputs])
    assert block.details != block.guidance
    assert [name for name, arg in block.arguments.items() if not arg.description or arg.type is None] == []


@pytest.mark.parametrize("uid", UIDS)
def test_the_declaration_says_what_the_constructor_says(uid):
    """Deriving from the dataclass gives the declared names, types, defaults and descriptions."""
    declared = load_registry()[uid]
    derived = derive_block(declared.load())

    assert derived.uid == uid
    assert {n: (spell(a.type), a.required, a.default, a.description) for n, a in derived.arguments.items()} == {
        n: (spell(a.type), a.required, a.default, a.description) for n, a in declared.arguments.items()
    }
    assert {n: a.type for n, a in derived.arguments.items()} == {n: a.type for n, a in declared.arguments.items()}


@pytest.mark.parametrize("uid", UIDS)
def test_a_bundled_constructor_can_be_registered_as_it_is(uid):
    """The dataclass alone, without its declaration, makes a block that constructs."""
    constructor = load_registry()[uid].load()
    registry = Registry()

    registry.register(constructor)

    assert registry.create(uid) == constructor()


@pytest.mark.parametrize("file", sorted(DECLARATIONS.glob("*.yml")), ids=lambda p: p.name)
def test_the_bundled_declarations_are_canonical(file):
    """Reading and writing them again changes not a byte."""
    text = file.read_text(encoding="utf-8")

    assert write_declarations(read_declarations(text, file=file.name)) == text
