"""A type that an author gives in place of the derived one: it must have a value in common with the annotation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

import pytest

from blockargs import Registry, Toolset, arg_integer, arg_string, new_block_arg, read_declarations
from blockargs.check import check_blocks
from blockargs.derive import Arg, arg_type_of, derive_args, derive_block, register_type
from blockargs.derive.unions import kinds_of
from blockargs.errors import InvalidBlockArgTypeError
from blockargs.node import ArgType


def plain(a: int): ...


def beside(a: Annotated[int, Arg("An a.", type="string")]): ...


@dataclass
class Inner:
    a: Annotated[int, Arg("An a.", type="string")]


def within(one: list[Inner]): ...


TEXT = {"type": "string"}
WAYS = {
    "beside the annotation": lambda: derive_block(beside),
    "arguments": lambda: derive_block(plain, arguments={"a": new_block_arg("d", type="string")}),
    "a whole schema": lambda: derive_block(plain, input_schema={"type": "object", "properties": {"a": TEXT}}),
    "by reference": lambda: derive_block(
        plain, input_schema={"type": "object", "properties": {"a": {"$ref": "#/$defs/T"}}, "$defs": {"T": TEXT}}
    ),
    "an override": lambda: derive_args(plain, a=arg_string()),
    "registering": lambda: Registry().register(plain, arguments={"a": new_block_arg("d", type="string")}),
    "over a block": lambda: Registry().register(
        derive_block(plain), input_schema={"type": "object", "properties": {"a": TEXT}}
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_type_that_has_no_value_in_common_with_its_annotation_is_refused(way):
    """Such a block would refuse every value; both are named, with the cure."""
    with pytest.raises(InvalidBlockArgTypeError) as caught:
        WAYS[way]()
    (problem,) = caught.value.problems
    assert (problem.code, problem.path) == ("block_arg_type_invalid", "$.a")
    assert '"string"' in problem.message
    assert 'int, which takes {"type": "integer"}' in problem.message
    assert problem.hint == "give a type of what the annotation can take, or change the annotation"


def test_the_place_of_a_type_inside_a_record_is_told():
    """The path leads from the parameter to the field."""
    with pytest.raises(InvalidBlockArgTypeError, match=r"function '.*within': \$\.one\.a: no value fits both"):
        derive_block(within)


class Colour: ...


@pytest.mark.parametrize(
    ("annotation", "given", "fits"),
    [
        (float, arg_integer(), True),
        (int, {"type": "number"}, True),
        (str, {"enum": ["a", "b"]}, True),
        (int, {"enum": ["a", "b"]}, False),
        (Literal["a", "b"], {"enum": ["b", "c"]}, True),
        (Literal["a", "b"], {"enum": ["c"]}, False),
        (date, arg_string(), True),
        (date, arg_integer(), False),
        (int | None, {"type": ["integer", "null"]}, True),
        (int | None, {"type": ["string", "null"]}, False),
        (int | None, {"type": "null"}, True),
        (Literal["a"] | None, {"enum": ["b", None]}, False),
        (int | str, arg_string(), True),
        (int, {"anyOf": [{"type": "string"}, True]}, True),
        (int, {"anyOf": [{"type": "string"}, False]}, False),
        (Any, arg_string(), True),
        (Colour, arg_string(), True),
        (list[int], {"type": "array"}, True),
        (list[int], {"type": "object"}, False),
    ],
)
def test_one_that_is_narrower_or_overlaps_is_taken(annotation, given, fits):
    """Only JSON types and fixed values are compared, apart from null; what has no derived type takes any."""

    def use(a): ...

    use.__annotations__["a"] = annotation
    if fits:
        assert derive_args(use, a=new_block_arg(type=given))["a"].type == given
        assert arg_type_of(Annotated[annotation, Arg(type=given)]) == given
    else:
        with pytest.raises(InvalidBlockArgTypeError):
            derive_args(use, a=new_block_arg(type=given))
        with pytest.raises(InvalidBlockArgTypeError):
            arg_type_of(Annotated[annotation, Arg(type=given)])


def test_a_class_of_ones_own_lets_another_type_in():
    """What cannot be cured by another type is cured by `register_type`."""

    class Own: ...

    register_type(Own, "string", lambda text: Own(), lambda own: "own")

    def use(a: Own): ...

    registry = Registry()
    registry.register(use, kind="tool", arguments={"a": new_block_arg("d", type=arg_string(min_length=2))})
    assert Toolset(registry).run({"name": "use", "arguments": {"a": "xy"}}).ok


DECLARED = """
textwrap:
  constructor: textwrap:wrap
  name: Wrap
  arguments:
    text: {description: A text., type: string, required: true}
"""


def test_check_tells_a_declared_type_that_its_constructor_cannot_take(tmp_path, monkeypatch):
    """A declaration is compared when it is checked, not when it is read."""
    (tmp_path / "typed_wrap.py").write_text("def wrap(text: int): ...\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    blocks = read_declarations(DECLARED.replace("textwrap:wrap", "typed_wrap:wrap"))
    findings = check_blocks(blocks).findings
    assert [(f.problem.code, f.problem.path) for f in findings] == [("block_arg_type_invalid", "$.text")]


def test_the_kinds_of_a_type_that_leads_back_to_itself_are_those_of_its_other_variants():
    """Nobody checked such a type; asking it ends all the same."""
    loop = ArgType({"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "string"}]}}})
    assert kinds_of(loop) == {"string"}
