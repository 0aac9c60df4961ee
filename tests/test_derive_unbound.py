"""Methods: what is bound shows what a call takes, what is not bound is refused."""

from __future__ import annotations

import functools

import pytest

from blockargs import Registry
from blockargs.derive import derive_block
from blockargs.errors import UnsupportedAnnotationError


def passing_on(function):
    @functools.wraps(function)
    def called(*args, **kwargs):
        return function(*args, **kwargs)

    return called


class Service:
    def add(self, a: int, b: int = 2):
        return a + b

    add_five = functools.partialmethod(add, b=5)
    wrapped = passing_on(add)

    @functools.singledispatchmethod
    def told(self, what: int, twice: bool = False):
        return f"number {what}"

    @told.register
    def _(self, what: str, twice: bool = False):
        return f"text {what}"

    @functools.singledispatchmethod
    @classmethod
    def made(cls, what: int):
        return cls.__name__, what

    @staticmethod
    def plain(self_made: int):
        return self_made

    @functools.cached_property
    def later(self): ...

    def spaced(a: int):
        return a


def names(obj):
    return list(derive_block(obj).arguments)


def result(obj, **given):
    registry = Registry()
    registry.register(obj, uid="one", kind="tool")
    return registry.create("one", **given)


def test_a_bound_method_shows_what_a_call_takes():
    """Also one that looks at the class of its argument, and is therefore called by place."""
    assert names(Service().add) == names(Service().add_five) == names(Service().wrapped) == ["a", "b"]
    assert names(Service().told) == ["what", "twice"]
    assert derive_block(Service().told).uid == "told"
    assert result(Service().told, what=3) == "number 3"
    assert result(functools.partial(Service().told, twice=True), what=3) == "number 3"
    assert (names(Service.made), result(Service.made, what=3)) == (["what"], ("Service", 3))
    assert names(functools.partial(Service.add, Service())) == ["a", "b"]
    assert names(Service.plain) == ["self_made"]
    assert names(Service.spaced) == ["a"]


@functools.singledispatch
def shown(what: int, wide: bool = False):
    return what, wide


def test_a_function_that_looks_at_the_class_of_its_argument_is_called_by_place():
    """`functools.singledispatch` refuses a call without a positional argument."""
    assert result(shown, what=3, wide=True) == (3, True)
    assert result(functools.partial(shown, wide=True), what=3) == (3, True)


@pytest.mark.parametrize(
    ("obj", "name"),
    [
        (Service.add, "Service.add"),
        (Service.wrapped, "Service.add"),
        (Service.told, "Service.told"),
        (Service.add_five, "Service.add"),
        (functools.partial(Service.add, a=3), "Service.add"),
        (Service.__dict__["made"].func.__func__, "Service.made"),
    ],
)
def test_a_method_that_is_not_bound_is_refused(obj, name):
    """Nobody can send the object that `self` stands for."""
    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(obj)
    (problem,) = caught.value.problems
    assert problem.message == f"a constructor is a function or class, not the unbound method '{name}'"
    assert problem.hint == "give it out of an instance, such as Frame().head, or make it a @staticmethod"


@pytest.mark.parametrize("name", ["add_five", "told", "later"])
def test_what_stands_in_the_body_of_a_class_is_refused(name):
    """As a property is, with the cure."""
    with pytest.raises(UnsupportedAnnotationError, match=r"in the body of a class; give it out of an instance"):
        derive_block(Service.__dict__[name])


def test_a_function_may_call_a_parameter_self():
    """Only a function out of the body of a class is a method; a class fills its own."""

    def odd(self: int): ...

    class Odd:
        def __init__(this, self: int): ...

    assert names(odd) == names(Odd) == ["self"]
