"""Docstrings in three styles: what is said of each argument, and nothing that is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blockargs.derive import derive_args, derive_block
from blockargs.derive.docstrings import docs_of, docs_of_class, parsed
from blockargs.errors import InvalidArgTypeError, InvalidBlockArgTypeError

GOOGLE = """Keep rows.

Of every frame.

Args:
    n (int, optional): How many rows,
        at most all of them.
    mode: One of:
        - a: the first
        - b: the last,
          counted backwards
    *parts: Further frames.
    a, b (float): Both bounds.
    spec (dict[str, int]): With a colon: here.

        A second paragraph.
    bare:
        On the next line.

Keyword Args:
    **style: How it looks.

Returns:
    n: not an argument

Raises:
    ValueError: When n is below 0.
"""
NUMPY = """Keep rows.

Of every frame.

Parameters
----------
n : int, optional
    How many rows,
    at most all of them.
mode : {'a', 'b'}, default 'a'
    One of:

    - a: the first
    - b: the last,
      counted backwards
*parts
    Further frames.
a, b : float
    Both bounds.
spec: dict of {str: int}
    With a colon: here.

    A second paragraph.
bare
    On the next line.

Other Parameters
----------------
**style : dict
    How it looks.

Returns
-------
n : int
    not an argument

See Also
--------
tail : The last rows.
"""
SPHINX = """Keep rows.

Of every frame.

:param int n: How many rows,
    at most all of them.
:param mode: One of:

    - a: the first
    - b: the last,
      counted backwards
:param *parts: Further frames.
:param a: Both bounds.
:type a: float
:param b: Both bounds.
:param dict[str, int] spec: With a colon: here.

    A second paragraph.
:param bare:
    On the next line.
:keyword style: How it looks.
:returns: n, not an argument
:raises ValueError: When n is below 0.
"""
SAID = {
    "n": "How many rows, at most all of them.",
    "mode": "One of:\n- a: the first\n- b: the last, counted backwards",
    "parts": "Further frames.",
    "a": "Both bounds.",
    "b": "Both bounds.",
    "spec": "With a colon: here.\n\nA second paragraph.",
    "bare": "On the next line.",
    "style": "How it looks.",
}


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX], ids=["google", "numpy", "sphinx"])
def test_the_three_styles_say_the_same(text):
    """Several lines, lists, starred names, names in company, several sections; other sections say nothing of arguments."""
    docs = parsed(text)

    assert docs.arguments == SAID
    assert docs.types == {}
    assert docs.summary == "Keep rows."
    assert docs.text == "Keep rows.\n\nOf every frame."


@pytest.mark.parametrize(
    ("text", "arguments", "prose"),
    [
        ("Get it.\nNote:\n    Cached.\nArgs:\n    x: Where.", {"x": "Where."}, "Get it."),
        ("Get it.\nParameters\n----------\nx\n    Where.\nNotes\n-----\nOld.", {"x": "Where."}, "Get it."),
        ("Get it.\n:param x: Where.", {"x": "Where."}, "Get it."),
        (
            "Get it.\n\nArguments:\n\n    x: Where.\n\n    y: There.\n\nAfter.",
            {"x": "Where.", "y": "There."},
            "Get it.\n\nAfter.",
        ),
        ("Get it.\n\n:param x: Where.\n\nAfter.", {"x": "Where."}, "Get it.\n\nAfter."),
        ("Args:\n    x: Where.", {"x": "Where."}, ""),
        ("Args:\n\tx: Where.\n\ty: There.", {"x": "Where.", "y": "There."}, ""),
        ("Args:\n    x: Where.\n    in all\n    y: There.", {"x": "Where. in all", "y": "There."}, ""),
        ("Do.\nArgs:\n    x - Where.", {}, "Do."),
        ("Args:", {}, ""),
        ("Args:\n\nText.", {}, "Text."),
        ("Note: this is prose: all of it.", {}, "Note: this is prose: all of it."),
        ("Example:\nthis is prose", {}, "Example: this is prose"),
        ("The args:\n    x: Where.\nAfter.", {}, "The args:\n    x: Where.\nAfter."),
        ("Args:\n    x: Where.\n\n    Returns:\n        It.", {"x": "Where."}, ""),
        ("Args:\n    x (int: Where.", {"x": "Where."}, ""),
        ("Args:\n    `x` (int) : Where.\n    ``y``: There.", {"x": "Where.", "y": "There."}, ""),
        ("Args:\n    \\*x: Where.\n    \\**k: More.", {"x": "Where.", "k": "More."}, ""),
        ("Args:\n    x: Where.\n\nArgs:\n    x: Again.\n    y: There.", {"x": "Where.", "y": "There."}, ""),
        ("Args:\r\n    x: Where.\r\n        And how.\r\n", {"x": "Where. And how."}, ""),
        ("@param x: Where.\n@type x: int", {"x": "Where."}, ""),
        (":param x: Where\n:broken field\n:returns: it", {"x": "Where :broken field"}, ""),
        (":param two words here x: Where", {"x": "Where"}, ""),
        (":param 5: Where\n:type 5: int", {}, ""),
        (":param x\n:param y: There.", {"y": "There."}, ""),
        (":param x: Where.\nArgs:\n    y: There.", {"x": "Where.", "y": "There."}, ""),
        ("Parameters\n==========\nx: int\n    Where.\n:returns: it", {"x": "Where."}, ""),
        ("Parameters\n----------\n.. note:: all\nx\n    Where.\n.. more:: there", {"x": "Where.\n.. more:: there"}, ""),
        ("Parameters\n----------", {}, ""),
        ("A Title\n-------\nText.", {}, "A Title ------- Text."),
        ("Do.\n\n>>> do()\n1\n\n- one\n- two\n  more", {}, "Do.\n\n>>> do()\n1\n\n- one\n- two\n  more"),
        ("", {}, ""),
    ],
)
def test_docstrings_as_people_write_them(text, arguments, prose):
    """Headers without a blank line, tabs, blanks, prose that looks like a header: nothing is lost, nothing guessed."""
    docs = parsed(text)

    assert docs.arguments == arguments
    assert docs.text == prose


@pytest.mark.parametrize(
    "text",
    [
        "Do.\n\nArgs:\n    mode (enum(a|b)): Which: one.\n    spec (object{a: string, b?: integer}, optional): What.",
        "Do.\n\n:param enum(a|b) mode: Which: one.\n:param spec: What.\n:type spec: object{a: string, b?: integer}",
        "Do.\n\nParameters\n----------\nmode : enum(a|b)\n    Which: one.\nspec : object{a: string, b?: integer}, optional\n    What.",
    ],
    ids=["google", "sphinx", "numpy"],
)
def test_a_type_in_our_brackets_counts(text):
    """Braces, colons and bars survive in every style; it narrows what the annotation says."""

    def use(mode: str, spec: dict | None = None): ...

    use.__doc__ = text
    args = derive_args(use)

    assert args["mode"].type == {"type": "string", "enum": ["a", "b"]}
    assert args["mode"].description == "Which: one."
    assert args["spec"].type["properties"] == {"a": {"type": "string"}, "b": {"type": "integer"}}
    assert args["spec"].type["type"] == ["object", "null"]


@pytest.mark.parametrize(
    "slot", ["int", "str or None", "{'a', 'b'}", "array-like", "tuple(int, int)", "enum", "object"]
)
def test_any_other_type_in_a_docstring_is_prose(slot):
    """What people write there changes nothing."""

    def use(mode: str): ...

    use.__doc__ = f"Do.\n\nArgs:\n    mode ({slot}): Which."

    assert derive_args(use)["mode"].type == {"type": "string"}
    assert derive_args(use)["mode"].description == "Which."


def test_a_type_that_differs_from_the_annotation_is_refused():
    """Both are shown; neither wins."""

    def use(mode: int, xs: list[int]):
        """Do.

        Args:
            mode (enum(a|b)): Which.
            xs (array[string]): Words.
        """

    with pytest.raises(InvalidBlockArgTypeError) as caught:
        derive_block(use)

    assert [p.path for p in caught.value.problems] == ["$.mode", "$.xs"]
    assert "'enum(a|b)'" in caught.value.problems[0].message
    assert "use" in caught.value.subject


def test_a_malformed_type_is_never_dropped():
    """The error names the parameter, the function and the place in the text."""

    def use(mode: str):
        """Do.

        Args:
            mode (enum(a|b: Which.
        """

    with pytest.raises(InvalidArgTypeError) as caught:
        derive_block(use)

    assert "mode" in str(caught.value)
    assert "use" in str(caught.value)


@dataclass
class Axis:
    """One axis.

    Attributes:
        label: What it shows.
    """

    label: str
    ticks: int = 5


@dataclass
class Axis3(Axis):
    depth: float = 0.5

    def __init__(self, label: str, depth: float = 0.5):
        """Make it.

        Args:
            depth: How deep.
        """


class Options(TypedDict):
    """How.

    Args:
        lang: Which language.
    """

    lang: str


class Place(NamedTuple):
    lat: float


def test_fields_of_nested_records_are_described():
    """By the docstring of the class, of the classes above, of its __init__."""

    def draw(x: Axis, options: Options, at: Place): ...

    fields = {name: arg.type for name, arg in derive_args(draw).items()}

    assert fields["x"]["description"] == "One axis."
    assert fields["x"]["properties"]["label"]["description"] == "What it shows."
    assert fields["options"]["properties"]["lang"]["description"] == "Which language."
    assert "description" not in fields["at"]
    assert docs_of_class(Axis3).arguments == {"label": "What it shows.", "depth": "How deep."}
    assert derive_block(Axis3).description == "Make it."


def test_a_docstring_that_a_library_wrote_says_nothing():
    """Dataclasses and named tuples describe themselves as Name(field, …)."""

    @dataclass
    class Bare:
        x: int

    assert derive_block(Bare).description is None
    assert derive_block(Place).description is None


def test_a_callable_object_is_described_by_its_call_else_by_its_class():
    """The nearest text holds."""

    class Silent:
        """Counts.

        Args:
            n: From where.
        """

        def __call__(self, n: int): ...

    class Loud(Silent):
        def __call__(self, n: int):
            """Call it."""

    assert derive_block(Silent()).description == "Counts."
    assert derive_args(Silent())["n"].description == "From where."
    assert derive_block(Loud()).description == "Call it."


def test_something_without_a_text_has_no_docs():
    """A docstring that is no text is none."""

    class Odd:
        __doc__ = 5

    assert docs_of(Odd) == parsed("")


@given(st.text(alphabet="aA:()[]{}| \n\t-=.@*'\"#>`", max_size=200))
def test_no_docstring_is_too_odd_to_read(text):
    """Whatever stands there, names are names and texts are texts."""
    docs = parsed(text)

    assert all(name.isidentifier() and said.strip() for name, said in docs.arguments.items())
