"""400 documents of functions, with the acceptable arguments of a call each: imported, exported everywhere, validated."""

from __future__ import annotations

import json
from functools import cache

import pytest

from blockargs.dialects import DIALECTS, STRICT, blocks_from_tools, export_tools
from blockargs.validate import problems_in

from .conftest import cases_dir

# documents whose own reference answer does not fit them: question and argument, and why
CONTRADICTIONS = {
    ("simple_python_149", "company_names"): "a list of texts, and one acceptable answer is a list of lists",
    ("simple_python_307", "venue"): "a text, and the acceptable answer is true",
    ("simple_python_358", "diet"): "a list of four words, and one acceptable answer holds a fifth",
}


@cache
def lines(name):
    text = (cases_dir() / "bfcl" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@cache
def blocks():
    return {q["id"]: blocks_from_tools(q["function"])[0] for q in lines("questions.jsonl")}


def plain(value):
    """Return an acceptable value as one value: inside objects, each field lists what is acceptable for it."""
    if isinstance(value, dict):
        fields = {k: given(v) for k, v in value.items()}
        return {k: v[0] for k, v in fields.items() if v}
    return [plain(v) for v in value] if isinstance(value, list) else value


def given(options):
    """Return the acceptable values of an argument; an empty text among them says that it may be left out."""
    return [plain(o) for o in options if o != ""] if isinstance(options, list) else [plain(options)]


def calls():
    """Yield question and arguments: each acceptable value of each argument once."""
    for answer in lines("answers.jsonl"):
        for arguments in (a for call in answer["ground_truth"] for a in call.values()):
            options = {name: values for name, listed in arguments.items() if (values := given(listed))}
            first = {name: values[0] for name, values in options.items()}
            for name, values in options.items():
                yield from ((answer["id"], {**first, name: value}) for value in values)


def test_every_document_becomes_a_block():
    """All 400 are read; every type word that is not JSON Schema's has a note; open objects stay open."""
    found = blocks()

    assert len(found) == 400
    for question in lines("questions.jsonl"):
        block = found[question["id"]]
        words = json.dumps(question["function"]).count('"type": "dict"')
        assert sum(n.before == "dict" for n in block.notes) == words
        assert (block.wire_name or block.uid) == question["function"][0]["name"]
        assert "additionalProperties" not in block.type


@pytest.mark.parametrize("dialect", [*DIALECTS.values(), *STRICT.values()], ids=lambda d: d.key)
def test_every_document_exports(dialect):
    """No dialect refuses one of them, and each call under its wire name reaches it."""
    for block in blocks().values():
        export = export_tools(block, dialect)
        assert export.problems == []
        assert list(export.names.values()) == [block.uid]


def test_every_reference_answer_fits():
    """Each acceptable value of each argument fits its block, but for the documents that contradict themselves."""
    wrong = {
        (id_, problem.path.removeprefix("$.").partition("[")[0])
        for id_, arguments in calls()
        for problem in problems_in(arguments, blocks()[id_].type)
    }

    assert wrong == CONTRADICTIONS.keys()
