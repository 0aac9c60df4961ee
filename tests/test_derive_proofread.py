"""Docstrings that describe what is not there."""

from __future__ import annotations

import dataclasses
import functools

import pytest

from blockargs.derive import derive_block, docs_problems
from blockargs.errors import UnsupportedAnnotationError


def told(obj):
    """Return path and cure of each problem."""
    return [(p.path, p.hint) for p in docs_problems(obj)]


def head(top: int = 5, side: str = "left", *more: int):
    """Keep rows.

    Args:
        tpo: How many.
        side: Where.
        sied (enum(left|right)): Where again.
        *others: A starred name is a manner of speaking.
        empty:
        Note: A word that opens sections.
    """


def test_a_name_that_is_no_parameter_is_told():
    """With the parameter that was meant, or with all there are; registering goes on as before."""
    assert told(head) == [
        ("$.tpo", "did you mean 'top'?"),
        ("$.sied", "there are 'top', 'side' and 'more'"),
        ("$.empty", "there are 'top', 'side' and 'more'"),
    ]
    problem = docs_problems(head)[0]
    assert problem.code == "docstring_unknown"
    assert problem.message.startswith("the docstring describes 'tpo', which is no parameter of function '")
    assert list(derive_block(head).arguments) == ["top", "side", "more"]


def sphinx(top: int = 5):
    """Keep rows.

    :param int tpo: How many.
    :type tpp: enum(a|b)
    :ivar kept: Of a class.
    """


def numpy(top: int = 5, *, size=1):
    """Keep rows.

    Parameters
    ----------
    topp : int
        How many.
    size, sizes
        Both.

    Returns
    -------
    rest
        No argument.
    """


@pytest.mark.parametrize(("obj", "paths"), [(sphinx, ["$.tpo", "$.tpp"]), (numpy, ["$.topp", "$.sizes"])])
def test_every_style_is_read(obj, paths):
    """Sphinx and NumPy as well as Google; sections about something else are left alone."""
    assert [path for path, _ in told(obj)] == paths


def free(top: int, **style):
    """Draw.

    Args:
        tpo: Goes into the style.
    """


def bare():
    """Do.

    Args:
        x: Gone.
    """


class Counter:
    """Counts.

    Args:
        start: Of the class, not of the call.
    """

    def __init__(self, start: int = 0):
        self.start = start

    def __call__(self, step: int = 1):
        """Count on.

        Args:
            stpe: How far.
        """

    def back(self, step: int = 1):
        """Count back.

        Args:
            self: The counter.
            step: How far.
        """


def test_what_else_may_be_described():
    """Any name beside **k, what a partial has bound, the object of a method; a built-in function says nothing."""
    assert told(free) == told(Counter().back) == told(functools.partial(Counter().back, step=2)) == told(print) == []
    assert [path for path, _ in told(functools.partial(head, 3))] == ["$.tpo", "$.sied", "$.empty"]
    assert told(Counter()) == [("$.stpe", "did you mean 'step'?")]
    assert told(bare) == [("$.x", "there are none")]


@dataclasses.dataclass
class Base:
    """A base.

    Attributes:
        size: Of the base.
    """

    size: int = 1


@dataclasses.dataclass
class Frame(Base):
    """A frame.

    Attributes:
        colour: How it looks.
        width_cached: Made at once.
        made: Made later.

    Args:
        szie: A typo.
        made: It is no parameter, but there.
    """

    color: str = "red"
    made: int = dataclasses.field(init=False, default=0)


class Plain:
    """Plain.

    Attributes:
        tpo: Whatever a class keeps.
    """

    def __init__(self, top: int):
        """Build.

        Args:
            tpo: A typo.
        """


def test_attributes_may_be_anything_but_a_field_with_a_typo():
    """A class describes what it keeps; what looks like one of its fields that nobody describes is told."""
    assert told(Frame) == [("$.szie", "did you mean 'size'?"), ("$.colour", "did you mean 'color'?")]
    assert told(Plain) == [("$.tpo", "did you mean 'top'?")]


def test_what_is_no_constructor_is_refused_as_everywhere():
    """With its own error."""
    with pytest.raises(UnsupportedAnnotationError):
        docs_problems("head")
