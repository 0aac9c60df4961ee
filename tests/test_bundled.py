"""The bundled declarations beside the constructors they describe."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import narwhals  # noqa: F401 - constructors are imported here
import pytest

from blockargs import Registry, derive_block, load_registry, read_declarations, spell, write_declarations
from blockargs.cli import main

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


def test_the_bundled_blocks_pass_their_check(capsys):
    """`blockargs check --construct` compares them with their constructors and calls each example."""
    code = main(["check", "--construct"])

    assert (code, capsys.readouterr().out) == (0, "")


WITHOUT_NARWHALS = (
    "import sys; sys.modules['narwhals'] = None; from blockargs.cli import main; sys.exit(main(sys.argv[1:]))"
)
INSTALL = "it needs 'narwhals', which is not installed; pip install 'blockargs[frames]'"


def without_narwhals(*command: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NARWHALS, *command], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_the_table_is_printed_where_narwhals_is_missing():
    """Reading declarations needs no data-frame package."""
    code, out, err = without_narwhals("table", "--fields", "id", "--format", "plain")

    assert (code, out.split(), err) == (
        0,
        ["id", "select_block", "head_block", "filter_block", "arrange_block", "count_block"],
        "",
    )


def test_what_needs_narwhals_says_how_to_get_it():
    """Building a block, and checking that it can be built, say in one line what to install."""
    called = without_narwhals("call", "head_block", '{"n": 5}')
    code, checked, _ = without_narwhals("check", "--construct")

    assert called == (2, "", f"blockargs: block 'head_block': {INSTALL}\n")
    assert (code, [line.partition(": $: ")[2] for line in checked.splitlines()]) == (1, [INSTALL] * 5)
