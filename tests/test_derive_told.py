"""What a model is told of the code of an author: what was raised in order to refuse, and nothing else."""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

import annotated_types
import attrs
import pytest
from pydantic import AfterValidator, BaseModel, field_validator
from pydantic_core import PydanticCustomError

from blockargs import Registry, Toolset
from blockargs.derive import decode, register_type
from blockargs.errors import InvalidArgumentsError

SECRET = "token 123 of /home/joe/secrets/key.pem"


def raising(error, *_: Any):
    raise error(SECRET)


class Own: ...


class Colour(enum.Enum):
    RED = "red"

    @classmethod
    def _missing_(cls, value):
        raise RuntimeError(SECRET)


def model_of(error):
    class Model(BaseModel):
        a: int

        @field_validator("a")
        @classmethod
        def checked(cls, a):
            raise error(SECRET)

    return Model


def dataclass_of(error):
    @dataclass
    class Record:
        a: int

        def __post_init__(self):
            raise error(SECRET)

    return Record


def attrs_of(error):
    made = attrs.field(converter=functools.partial(raising, error))
    return attrs.make_class("Made", {"a": made})


def validated_attrs_of(error):
    return attrs.make_class("Made", {"a": attrs.field(validator=functools.partial(raising, error))})


def own_of(error):
    register_type(Own, "integer", functools.partial(raising, error), str)
    return Own


def annotated_of(error):
    return Annotated[int, AfterValidator(lambda _: raising(error))]


KINDS = [model_of, dataclass_of, attrs_of, validated_attrs_of, own_of, annotated_of]


def run_with(annotation):
    """Return the run of a tool that takes *annotation*."""

    def tool(one): ...

    tool.__annotations__["one"] = annotation
    registry = Registry()
    registry.register(tool, kind="tool")
    given = {"a": 1} if "object" in registry["tool"].input_schema()["properties"]["one"].values() else 1
    return Toolset(registry).run({"name": "tool", "arguments": {"one": given}})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("error", [RuntimeError, KeyError, TypeError, OSError, LookupError, ZeroDivisionError])
def test_of_what_is_no_refusal_the_class_alone_is_told(kind, error):
    """The text of a KeyError or an OSError was not written for a model, whoever raises it."""
    run = run_with(kind(error))
    (problem,) = run.problems
    assert problem.code == "refused"
    assert problem.message.endswith(f": {error.__name__}")
    assert "123" not in str(run.content)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("error", [ValueError, AssertionError, UnicodeError])
def test_a_refusal_says_its_text_without_paths(kind, error):
    """A ValueError, or an assertion, is how a value is refused."""
    (problem,) = run_with(kind(error)).problems
    assert problem.message.endswith("token 123 of …")


def test_a_refusal_in_the_words_of_pydantic_is_told():
    """`PydanticCustomError` is meant for callers, inside a model and outside of one."""

    def custom(text):
        return PydanticCustomError("too_odd", "too odd: {text}", {"text": text})

    (problem,) = run_with(model_of(custom)).problems
    assert (problem.code, problem.message) == ("too_odd", "too odd: token 123 of …")
    (problem,) = run_with(own_of(custom)).problems
    assert problem.message.endswith("is refused: too odd: token 123 of …")


def test_a_predicate_and_an_enumeration_tell_nothing_of_what_they_raise():
    """One says that it was not passed, the other which values there are."""
    test = annotated_types.Predicate(functools.partial(raising, RuntimeError))
    (problem,) = run_with(Annotated[int, test]).problems
    assert problem.message == "1 must pass the test that its author wrote"
    with pytest.raises(InvalidArgumentsError, match="'blue' is not one of 'red'"):
        decode(Colour, "blue")


def test_a_decimal_beyond_all_exponents_is_told_in_words():
    """Python itself shows a list of classes there."""
    with pytest.raises(InvalidArgumentsError) as caught:
        decode(Decimal, "1e999999999999999999999")
    (problem,) = caught.value.problems
    words = "'1e999999999999999999999' is too large or too small for a decimal number"
    assert (problem.message, problem.hint) == (words, "give a smaller exponent")
