"""Faults reported in public, as functions and hand-written specs: what we derive, and what a fitting reply gives."""

from __future__ import annotations

import sys
import types

import pytest
import yaml

from blockargs.derive import derive_block
from blockargs.errors import BlockArgsError
from blockargs.spec import new_block_arg
from blockargs.types import arg_schema
from blockargs.validate import problems_in

from .conftest import cases_dir

CASES = yaml.safe_load((cases_dir() / "bugs.yml").read_text(encoding="utf-8"))
FUNCTIONS = [c for c in CASES if c["input"]["form"] == "function"]
SPECS = [c for c in CASES if c["input"]["form"] == "spec"]
CHECKED = [c for c in FUNCTIONS + SPECS if "schema" in c["expect"]]
ANSWERED = [c for c in FUNCTIONS if "result" in c["expect"]]
# what the model sent does not fit as it stands: decoding a reply repairs or refuses it
NOT_FITTING = {"opt-05", "union-01", "str-03", "type-02"}


def built(case):
    """Return the block of a case: its code runs as a module of its own."""
    given = case["input"]
    module = types.ModuleType(f"bug_{case['id'].replace('-', '_')}")
    sys.modules[module.__name__] = module
    exec(given.get("code", "def target(**arguments): return arguments"), module.__dict__)  # the case's own code
    if given["form"] == "function":
        return derive_block(module.target)
    return derive_block(module.target, arguments={k: _spec(v) for k, v in given["spec"].items()})


def _spec(words):
    if words is None:
        return None
    node = {k: v for k, v in words.items() if k not in ("description", "required", "default")}
    rest = {k: v for k, v in words.items() if k in ("description", "required", "default")}
    return new_block_arg(type=arg_schema(node), **rest)


def found_at(schema, path):
    for key in path.split("/"):
        if not isinstance(schema, dict) or key not in schema:
            return ...
        schema = schema[key]
    return schema


def plain(value):
    """Return what a call gave as the YAML of the case writes it."""
    return [plain(v) for v in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("case", CHECKED, ids=lambda c: c["id"])
def test_the_schema_says_what_the_case_asks(case):
    """Each check of the case holds on the derived schema."""
    schema = built(case).input_schema()

    for check in case["expect"]["schema"]:
        there = found_at(schema, check["at"])
        if check.get("absent"):
            assert there is ..., check
        elif "is" in check:
            assert there == check["is"], check
        else:
            assert check["has"] in str(there), check


@pytest.mark.parametrize("case", ANSWERED, ids=lambda c: c["id"])
def test_a_fitting_reply_gives_the_result(case):
    """A reply that fits is decoded, and the call gives what the case says; the others do not fit."""
    block = built(case)
    reply = case["input"]["reply"]
    problems = problems_in(reply, block.type)

    assert bool(problems) == (case["id"] in NOT_FITTING), problems
    if not problems:
        args, kwargs = block.binding.bind(reply, {})
        assert plain(block.constructor(*args, **kwargs)) == case["expect"]["result"]


@pytest.mark.parametrize("case", [c for c in FUNCTIONS if "error" in c["expect"]], ids=lambda c: c["id"])
def test_a_refused_reply_is_named(case):
    """The error has the words that the case asks for."""
    block = built(case)
    reply = case["input"]["reply"]

    said = " ".join(map(str, problems_in(reply, block.type)))
    if not said:
        with pytest.raises(BlockArgsError) as caught:
            block.binding.bind(reply, {})
        said = str(caught.value)

    assert [w for w in case["expect"]["error"] if w not in said.lower()] == []


def test_a_hidden_argument_is_never_obeyed():
    """A model that sends it is refused; the default holds."""
    block = built(next(c for c in SPECS if c["id"] == "opt-07"))

    assert problems_in({"x": 2, "a": 50}, block.type) != []
    assert block.arguments["a"].hidden
    assert block.binding.bind({"x": 2}, {}) == ([], {"x": 2.0})


def test_a_description_is_the_text_without_the_sections():
    """Two paragraphs, and nothing of Raises."""
    block = built(next(c for c in FUNCTIONS if c["id"] == "doc-03"))

    assert block.description == "Search the index.\n\nUse it for facts only."
