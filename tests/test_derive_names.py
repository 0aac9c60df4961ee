"""Forward references, helpers out of place, and types that pydantic writes in another form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Union

import pydantic
import pytest

from blockargs import Context, Progress
from blockargs.derive import derive_block, parameters_of
from blockargs.errors import UnsupportedAnnotationError
from blockargs.validate import problems_in

Nested = Union[int, "list[Nested]"]
Tree = Union[int, "dict[str, Leaves]"]
Leaves = Union[str, "list[Tree]"]
Maybe = dict[str, Union[float, "Maybe | None"]]
Either = list["Either | int"]
Itself = Union[int, "Itself"]


def nest(a: Nested, b: Tree, c: Maybe, d: Either): ...


def test_a_forward_reference_may_be_a_whole_expression():
    """It means the same at each reading, so it is a type that points back at itself."""
    arguments = derive_block(nest).arguments

    reference = {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/list_Nested"}]}
    assert arguments["a"].type == {**reference, "$defs": {"list_Nested": {"type": "array", "items": reference}}}
    assert [p.path for p in problems_in([1, [2, ["x"]]], arguments["a"].type)] != []
    assert problems_in({"a": {"b": None, "c": 1.5}}, arguments["c"].type) == []


def test_values_of_such_types_arrive_as_they_should():
    """Whole numbers are ints to the bottom, whichever variant they stand in."""
    given = {"a": [1, [2.0, [3.0]]], "b": {"x": [1.0, {"y": "z"}]}, "c": {"m": {"n": 1}}, "d": [1.0, [2.0]]}

    decoded = derive_block(nest).binding.bind(given, {})[1]

    assert repr(decoded) == repr(
        {"a": [1, [2, [3]]], "b": {"x": [1, {"y": "z"}]}, "c": {"m": {"n": 1.0}}, "d": [1, [2]]}
    )


def test_a_union_that_is_a_variant_of_itself_is_refused():
    """It adds nothing to the other variants, and its reference would lead back to itself."""

    def use(x: Itself): ...

    with pytest.raises(UnsupportedAnnotationError, match=r"\$\.x: Itself is defined by itself alone; leave it out"):
        derive_block(use)


def several(*several: Context): ...


def table(**several: Progress): ...


def listed(several: list[Context]): ...


def either(several: Context | int): ...


@pytest.mark.parametrize("function", [several, table, listed, either])
def test_a_helper_can_only_be_a_plain_parameter(function):
    """What the host fills in cannot stand in a list, nor be asked for several times."""
    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(function)

    (problem,) = caught.value.problems
    name = "Progress" if function is table else "Context"
    assert problem.path == "$.several"
    assert problem.message == f"{name} is filled in by the host, so it can only be the whole type of one parameter"
    assert problem.hint == f"write {name.lower()}: {name}"


def test_a_helper_in_a_record_is_named_by_its_path():
    """A class that wants one can be a constructor, but no argument."""

    @dataclass
    class Job:
        ctx: Context

    def run(job: Annotated[Job, "what to do"]): ...

    run.__annotations__["job"] = Job
    assert [p.helper for p in parameters_of(Job)] == [Context]
    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(run)
    assert [p.path for p in caught.value.problems] == ["$.job.ctx"]


@pytest.mark.parametrize(
    ("annotation", "path"),
    [
        (pydantic.Json[int], "$.x"),
        (Annotated[int, pydantic.Json], "$.x"),
        (pydantic.Json, "$.x"),
        (pydantic.ImportString, "$.x"),
        (pydantic.ImportString[Any], "$.x"),
        (pydantic.create_model("M", y=(list[pydantic.Json[int]], ...)), "$.x.y"),
    ],
)
def test_what_pydantic_writes_in_another_form_is_refused(annotation, path):
    """JSON inside of a text is not what the type says; the cure is named."""

    def use(x): ...

    use.__annotations__["x"] = annotation
    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(use)
    assert [(p.path, bool(p.hint)) for p in caught.value.problems] == [(path, True)]


def test_other_classes_beside_a_type_say_nothing():
    """A marker of the author's own is passed over; what pydantic decodes itself, it decodes."""

    class Marker: ...

    Coded = pydantic.create_model("Coded", b=(pydantic.Base64Bytes, ...), s=(pydantic.Base64Str, ...))

    def use(x, y, z, m): ...

    types = {"x": Annotated[int, Marker], "y": pydantic.Base64Str, "z": pydantic.Base64Bytes, "m": Coded}
    use.__annotations__ |= types
    given = {"x": 2.0, "y": "aGk=", "z": "aGk=", "m": {"b": "aGk=", "s": "aGk="}}
    decoded = {"x": 2, "y": "hi", "z": b"hi", "m": Coded(b=b"aGk=", s="aGk=")}
    assert derive_block(use).binding.bind(given, {})[1] == decoded
