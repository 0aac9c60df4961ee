"""What one Python has and another has not: new syntax, and annotations that are worked out late."""

from __future__ import annotations

import linecache
import sys
import types

import pytest

from blockargs import UnsupportedAnnotationError, derive_args, derive_block
from blockargs.derive import arg_type_of, decode, encode, parameters_of

HEADER = """
from dataclasses import dataclass
from typing import Annotated, Generic, NamedTuple, NotRequired, Required, TypedDict, TypeVar
from blockargs import Arg
"""


def module_of(source):
    """Return a module of *source*, in which annotations are not postponed."""
    module = types.ModuleType("their_module")
    module.__file__ = "their_module.py"
    sys.modules["their_module"] = module
    linecache.cache["their_module.py"] = (len(source), None, source.splitlines(True), "their_module.py")
    exec(compile(HEADER + source, "their_module.py", "exec", dont_inherit=True), vars(module))
    return module


# since which Python, what is written, what is asked for, and its type
STORIES = [
    ((3, 11), "class A(TypedDict):\n    n: Required[int]\n    m: NotRequired[str]", "A", ["n", "m"]),
    ((3, 11), "@dataclass\nclass A:\n    next: 'A | None' = None\n    n: int = 1", "A", ["next", "n"]),
    ((3, 12), "type Rows = Annotated[int, Arg('Rows')]\n@dataclass\nclass A:\n    n: Rows", "A", ["n"]),
    ((3, 12), "@dataclass\nclass Of[T]:\n    item: T\nclass A(NamedTuple):\n    of: Of[int]", "A", ["of"]),
    ((3, 12), "type Tree = list[Tree]\n@dataclass\nclass A:\n    tree: Tree", "A", ["tree"]),
    ((3, 12), "class Of[T](TypedDict):\n    item: T\n@dataclass\nclass A:\n    of: Of[int]", "A", ["of"]),
    ((3, 13), "@dataclass\nclass Of[T = int]:\n    item: T\n@dataclass\nclass A:\n    of: Of", "A", ["of"]),
    ((3, 14), "@dataclass\nclass A:\n    next: A | None = None\n    of: list[B] | None = None\n@dataclass\nclass B:\n    n: int", "A", ["next", "of"]),
    ((3, 14), "class A(NamedTuple):\n    of: list[B]\nclass B(NamedTuple):\n    n: int", "A", ["of"]),
    ((3, 14), "class A(TypedDict):\n    of: B\nclass B(TypedDict):\n    n: int", "A", ["of"]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "name", "fields"), [s[1:] for s in STORIES if s[0] <= sys.version_info], ids=str)
def test_a_class_in_the_newest_syntax_is_derived(source, name, fields):
    """As constructor, as the type of a field, and each of its fields has a type."""
    cls = getattr(module_of(source), name)
    node = arg_type_of(cls)
    body = node["$defs"]["A"] if "$ref" in node else node

    assert list(derive_args(cls)) == list(body["properties"]) == fields
    assert all(body["properties"].values())


FUNCTIONS = [
    ((3, 11), "def f(n: int, *xs: 'Rows', **k: str) -> 'int': ...\nRows = int", ["integer", "array", "object"]),
    ((3, 12), "def f[T: int](n: T, xs: list[T]): ...", ["integer", "array"]),
    ((3, 12), "type Rows = int\ndef f(n: Rows, m: 'Rows | None'): ...", ["integer", ["integer", "null"]]),
    ((3, 14), "def f(n: Rows, m: list[Rows], *xs: Rows) -> Rows: ...\ntype Rows = int", ["integer", "array", "array"]),
    ((3, 14), "def outer():\n    def f(n: Rows): ...\n    Rows = int\n    return f\nf = outer()", ["integer"]),
]


@pytest.mark.parametrize(("source", "kinds"), [s[1:] for s in FUNCTIONS if s[0] <= sys.version_info], ids=str)
def test_a_function_in_the_newest_syntax_is_derived(source, kinds):
    """Names may be defined below it, where annotations are worked out late."""
    function = module_of(source).f

    assert [arg.type["type"] for arg in derive_args(function).values()] == kinds


@pytest.mark.parametrize("future", ["", "from __future__ import annotations\n"])
def test_a_name_that_is_nowhere_is_told_with_its_parameter(future):
    """Postponed, late or in quotes: the name, the parameter and the cure, and the others are read all the same."""
    quote = "" if future or sys.version_info >= (3, 14) else "'"
    source = f"def f(n: int, at: {quote}list[Nowhere]{quote}, y: {quote}Nowhere | None{quote} = None) -> 'Nowhere': ..."
    module = types.ModuleType("their_module")
    exec(compile(future + source, "their_module.py", "exec", dont_inherit=True), vars(module))

    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(module.f)

    assert [p.name for p in parameters_of(module.f)] == ["n", "at", "y"]
    assert caught.value.problems[0].path == "$.at"
    assert caught.value.problems[0].message.startswith("the name 'Nowhere' in ")
    assert derive_block(module.f, arguments={"n": "Rows"}).arguments["n"].description == "Rows"


def test_a_named_tuple_of_text_annotations_reads_them_in_its_module():
    """And goes to Python and back."""
    cls = module_of("class A(NamedTuple):\n    n: 'Rows'\n    m: 'list[Rows]' = []\nRows = float").A

    assert arg_type_of(cls)["properties"]["n"] == {"type": "number"}
    assert decode(cls, {"n": 1, "m": [2]}) == cls(1.0, [2.0])
    assert encode(cls, cls(1.0)) == {"n": 1.0, "m": []}
    assert derive_block(cls).description is None
