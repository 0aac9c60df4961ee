"""What a constructor says and its block does not show is told beside the block."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from blockargs import Registry
from blockargs.check import check_blocks
from blockargs.derive import derive_block


def notes(obj, **given):
    return [(n.rule, n.path, n.before, n.message) for n in derive_block(obj, **given).notes]


def misfit(path, before, reason, shown=None):
    text = repr(before) if shown is None else shown
    return ("default_misfit", path, before, f"the default {text} is not shown: {reason}")


def odd(a: int = "x", b: Literal["a"] = "z", c: list[int] = ("y",)): ...


@dataclass
class Record:
    a: int = "x"


class Model(BaseModel):
    a: int = "x"
    b: str = Field(5)


A = misfit("$.a", "x", "'x' is a string, not an integer")


def test_a_default_that_does_not_fit_its_annotation_is_a_note():
    """It is not shown, for no caller may send it; the constructor still gets it."""
    b = misfit("$.b", "z", "'z' is not 'a'")
    c = misfit("$.c", ["y"], "$[0]: 'y' is a string, not an integer", '["y"]')
    assert notes(odd) == [A, b, c]
    assert notes(functools.partial(odd, a=1.5))[0][:3] == ("default_misfit", "$.a", 1.5)
    assert notes(Record) == [A]
    assert notes(Model) == [A, misfit("$.b", 5, "5 is a number, not a string; write 5 in quotes")]
    assert "default" not in derive_block(odd).input_schema()["properties"]["a"]
    assert Registry().register(odd, construct=False).notes == derive_block(odd).notes
    assert notes(odd, arguments={"a": {"type": "integer"}}) == [A]


DAY = date(2024, 1, 31)


def test_a_default_that_is_no_json_is_a_note_where_its_annotation_does_not_say_so():
    """A date is right for a date; a bound of a schema counts for a default as well."""

    def use(a: int = DAY, b: date = DAY, c: Annotated[int, Field(ge=3)] = 2, d: str = "\ud800"): ...

    assert [(path, message) for _, path, _, message in notes(use)] == [
        ("$.a", "the default datetime.date(2024, 1, 31) is not shown: it is not what the annotation says"),
        ("$.c", "the default 2 is not shown: 2 is below the minimum 3"),
        ("$.d", "the default '\\ud800' is not shown: it cannot be written as UTF-8"),
    ]


class Loud(list):
    def __iter__(self):
        raise RuntimeError


def test_common_python_is_no_note():
    """None, a bare object and Ellipsis-like signs stand for nothing; what fits is right."""

    def use(
        a: int = None,  # noqa: RUF013 - what is tested
        b: str = object(),
        c: float = 1,
        d: float = math.inf,
        e: Any = odd,
        f=odd,
        g: bool = False,
        h: str = "ü",
        i: Literal["ö"] = "ö",
        j: Literal["a", "b"] = "b",
        k: Annotated[int, Field(ge=3)] = 4,
        m: list[int] = Loud([1]),
    ): ...

    assert notes(use) == []


def test_check_tells_such_defaults():
    """Both kinds: what a caller could not send, and what is no JSON at all."""

    def use(a: int = "x", b: int = DAY): ...

    registry = Registry()
    registry.register(use, construct=False)
    findings = [f.problem for f in check_blocks(registry).findings]
    told = {p.path: p.message for p in findings if p.code == "default_nonconforming"}
    assert list(told) == ["$.b", "$.a"]
    assert told["$.a"] == "the declared default does not fit: 'x' is a string, not an integer"
    assert told["$.b"] == "the default datetime.date(2024, 1, 31) is not shown: it is not what the annotation says"


class Dressed(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": []})
    a: Annotated[int, WithJsonSchema({"type": "string"})]
    b: int = Field(3, json_schema_extra={"x-unit": "m"})


def test_words_on_the_json_schema_of_pydantic_are_a_note():
    """The type is that of what is taken; what changes only pydantic's own schema is not read."""
    words = "of pydantic is not read: the type says what is taken"
    assert notes(Dressed) == [
        ("json_schema_unread", "$", "json_schema_extra", f"json_schema_extra {words}"),
        ("json_schema_unread", "$.a", "WithJsonSchema", f"WithJsonSchema {words}"),
        ("json_schema_unread", "$.b", "json_schema_extra", f"json_schema_extra {words}"),
    ]

    def use(a: Annotated[int, WithJsonSchema({"type": "string"})]): ...

    assert [n[:2] for n in notes(use)] == [("json_schema_unread", "$.a")]


@pytest.mark.parametrize("obj", [odd, Record, Model, Dressed])
def test_notes_of_ones_own_replace_them(obj):
    """As any field of a block that is given."""
    assert derive_block(obj, notes=()).notes == ()
