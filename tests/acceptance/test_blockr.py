"""Real declarations of an R registry, and the verdicts of its own validator."""

from __future__ import annotations

import json

import pytest

from blockargs.registry import Registry, load_registry
from blockargs.validate import problems_in

from .conftest import cases_dir

FILES = ("blockr.core.yml", "blockr.dplyr.derived.yml")


def loaded(name):
    return load_registry(cases_dir() / "blockr" / name, yaml="1.1")


def test_the_core_declarations_load_twice():
    """Ten blocks; the generator's header makes yes and no booleans."""
    registry = load_registry(cases_dir() / "blockr" / FILES[0])
    load_registry(cases_dir() / "blockr" / FILES[0], into=registry)

    assert len(registry) == 10
    assert [sorted(set(map(type, e.values())), key=str) for e in registry["merge_block"].examples] != []
    assert {v for e in registry["merge_block"].examples for v in e.values() if isinstance(v, bool)} == {True, False}
    assert len(registry["merge_block"].examples) == 2
    assert registry["head_block"].arguments["n"].type == {"type": "integer"}


@pytest.mark.parametrize("name", FILES)
def test_every_declaration_loads(name):
    """Both files become blocks."""
    assert len(loaded(name)) >= 10


def test_every_verdict_is_the_r_validators():
    """Each row of the mutants: the same verdict."""
    registry = Registry()
    for name in FILES:
        load_registry(cases_dir() / "blockr" / name, yaml="1.1", into=registry)
    rows = [json.loads(line) for line in (cases_dir() / "blockr" / "example_mutants.jsonl").read_text().splitlines()]
    differ = []
    for row in rows:
        kind = registry[row["block"].removeprefix("new_")].arguments[row["arg"]].type
        if (problems_in(row["value"], kind) == []) != row["blockr_conforms"]:
            differ.append(row)

    assert differ == []
    assert len(rows) == 206
