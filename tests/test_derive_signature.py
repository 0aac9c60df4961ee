"""The parameters of every kind of callable."""

from __future__ import annotations

import functools
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import Annotated, Literal, NamedTuple, Optional, Required, TypedDict, Unpack

import pytest

from blockargs import Cancellation, Context, Logger, Progress
from blockargs.derive import derive_args, derive_block, parameters_of, uid_of
from blockargs.errors import UnsupportedAnnotationError
from blockargs.spec import MISSING


def facts(obj):
    """Return name, kind and default of each parameter."""
    return [(p.name, p.kind, p.default) for p in parameters_of(obj)]


def steps(a: int, b: str = "b", /, c: int = 3, *xs: float, d: bool = True, **k: int):
    return a, b, c, xs, d, k


def test_every_kind_of_parameter_is_known():
    """By place, by name, variadic: in their order, with their defaults."""
    assert facts(steps) == [
        ("a", "positional_only", MISSING),
        ("b", "positional_only", "b"),
        ("c", "positional_or_keyword", 3),
        ("xs", "var_positional", MISSING),
        ("d", "keyword_only", True),
        ("k", "var_keyword", MISSING),
    ]
    assert [p.optional for p in parameters_of(steps)] == [False, True, True, True, True, True]


def test_a_wrapped_function_has_the_parameters_of_the_inner_one():
    """A decorator that uses functools.wraps hides nothing, nor does reading both ways differ."""

    @functools.wraps(steps)
    def wrapper(*args, **kwargs):
        return steps(*args, **kwargs)

    assert facts(wrapper) == facts(steps)
    assert [p.annotation for p in parameters_of(wrapper)] == [int, str, int, float, bool, int]


def test_what_a_partial_binds_is_gone_or_a_default():
    """Bound by place it is no argument; bound by name it is a default."""
    assert facts(functools.partial(steps, 1, c=9)) == [
        ("b", "positional_only", "b"),
        ("c", "keyword_only", 9),
        ("d", "keyword_only", True),
        ("k", "var_keyword", MISSING),
    ]


class Head:
    """Keep the first rows."""

    def __init__(self, n: int = 5, *, how: Literal["a", "b"] = "a"):
        self.n = n

    def rows(self, self_: int, schema: str = "s") -> int:
        return self_

    @classmethod
    def named(cls, name: str): ...

    @staticmethod
    def still(x: int): ...

    def __call__(self, q: int) -> str:
        """Ask it."""
        return str(q)


@pytest.mark.parametrize(
    ("obj", "names", "uid"),
    [
        (Head, ["n", "how"], "head"),
        (Head().rows, ["self_", "schema"], "rows"),
        (Head.named, ["name"], "named"),
        (Head.still, ["x"], "still"),
        (Head(), ["q"], "head"),
        (functools.partial(steps, 1), ["b", "c", "xs", "d", "k"], "steps"),
        (functools.partial(Head, n=1), ["n", "how"], "head"),
        (functools.partialmethod, ["func", "args", "keywords"], "partialmethod"),
    ],
    ids=repr,
)
def test_methods_classes_and_callable_objects_are_callables(obj, names, uid):
    """Self and cls are no arguments; the uid is the name in snake_case."""
    assert [p.name for p in parameters_of(obj)] == names
    assert uid_of(obj) == uid


@pytest.mark.parametrize(
    ("name", "uid"),
    [
        ("HeadBlock", "head_block"),
        ("HTTPServer", "http_server"),
        ("GetURLById", "get_url_by_id"),
        ("V2Model", "v2_model"),
    ],
)
def test_a_class_is_called_in_snake_case(name, uid):
    """HeadBlock is head_block; runs of capitals are one word."""
    assert uid_of(type(name, (), {})) == uid


def test_a_function_is_called_without_a_leading_new():
    """new_head is head; a function called new_ keeps its name."""

    def new_head(): ...
    def new_(): ...

    assert uid_of(new_head) == "head"
    assert uid_of(new_) == "new_"


def test_the_metaclass_and_new_decide_over_init():
    """What a call of the class takes is what counts."""

    class Meta(type):
        def __call__(cls, x: int):
            return x

    class Odd(metaclass=Meta):
        def __init__(self, y: str): ...

    class New:
        def __new__(cls, z: int):
            return object.__new__(cls)

    assert [p.name for p in parameters_of(Odd)] == ["x"]
    assert [p.name for p in parameters_of(New)] == ["z"]


@dataclass
class Query:
    text: str
    limit: InitVar[int] = 5
    tags: list[str] = field(default_factory=list)
    made: int = field(init=False, default=0)
    _: KW_ONLY
    lang: str = "en"
    stamp: object = field(default_factory=object)


def test_a_dataclass_has_the_fields_of_its_init():
    """InitVar counts, init=False does not; a factory is a default, shown where it is a plain one."""
    assert facts(Query) == [
        ("text", "positional_or_keyword", MISSING),
        ("limit", "positional_or_keyword", 5),
        ("tags", "positional_or_keyword", []),
        ("lang", "keyword_only", "en"),
        ("stamp", "keyword_only", MISSING),
    ]
    assert [p.has_default for p in parameters_of(Query)] == [False, True, True, True, True]
    assert derive_args(Query)["limit"].type == {"type": "integer"}


def test_a_dataclass_with_its_own_init_has_the_parameters_of_that():
    """The author's __init__ is what is called."""

    @dataclass
    class Own:
        x: int

        def __init__(self, y: str): ...

    assert facts(Own) == [("y", "positional_or_keyword", MISSING)]
    assert derive_args(Own)["y"].type == {"type": "string"}


class Options(TypedDict, total=False):
    depth: Required[int]
    lang: str


class Place(NamedTuple):
    lat: float
    lon: float = 0.0


def test_typed_dicts_and_named_tuples_are_constructors():
    """Their keys and places are keywords."""
    assert facts(Options) == [("depth", "keyword_only", MISSING), ("lang", "keyword_only", MISSING)]
    assert [p.has_default for p in parameters_of(Options)] == [False, True]
    assert [(p.name, p.default) for p in parameters_of(Place)] == [("lat", MISSING), ("lon", 0.0)]


def test_unpacked_keywords_are_parameters_of_their_own():
    """**k: Unpack[Options] is depth and lang."""

    def search(query: str, **options: Unpack[Options]): ...

    assert [(p.name, p.kind, p.has_default) for p in parameters_of(search)] == [
        ("query", "positional_or_keyword", False),
        ("depth", "keyword_only", False),
        ("lang", "keyword_only", True),
    ]


def test_helpers_are_known_by_their_annotation():
    """Also in Optional, Annotated and postponed; never by name."""

    def audit(
        message: str,
        ctx: Context,
        log: Logger = Logger(),
        *,
        p: Optional[Progress] = None,
        c: Annotated[Cancellation, ""],
    ): ...

    assert [p.helper for p in parameters_of(audit)] == [None, Context, Logger, Progress, Cancellation]
    assert list(derive_args(audit)) == ["message"]
    assert derive_block(audit).binding.helpers == {"ctx": Context, "log": Logger, "p": Progress, "c": Cancellation}


def test_two_helpers_of_one_kind_are_refused():
    """The error names both parameters."""

    def audit(a: Context, b: Context | None = None): ...

    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(audit)

    assert caught.value.problems[0].message == "'a' and 'b' both ask for a Context"
    assert caught.value.problems[0].path == "$.b"


def test_reserved_words_are_names_like_others():
    """schema, model_config, args, a second self, underscores: the wire name is the Python name."""

    def odd(schema: int, model_config: int, args: int, self: int, _x: int, __depth: int, properties: int, cls: int): ...

    names = ["schema", "model_config", "args", "self", "_x", "__depth", "properties", "cls"]
    assert [p.wire_name for p in parameters_of(odd)] == names
    assert derive_block(odd).input_schema()["required"] == names


def test_names_local_to_a_function_are_found_in_its_closure():
    """Globals, then closure, then an error that names the parameter; never a silent string."""

    class Row:
        """Only here."""

    @dataclass
    class Cell:
        value: int
        row: Cell | None = None

    def close(cell: Cell):
        return Cell

    def open_(cell: Cell, row: Row): ...

    assert derive_args(close)["cell"].type["$defs"]["Cell"]["properties"]["value"] == {"type": "integer"}
    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(open_)
    assert [p.path for p in caught.value.problems] == ["$.cell", "$.row"]
    assert "test_names_local_to_a_function_are_found_in_its_closure.<locals>.open_" in str(caught.value)


def test_a_string_inside_a_postponed_annotation_is_read():
    """'list["Query"]' under postponed annotations, and a text in a text."""

    def ask(a: list["Query"], b: "'int'"): ...

    assert derive_args(ask)["a"].type["items"]["required"] == ["text"]
    assert derive_args(ask)["b"].type == {"type": "integer"}


@pytest.mark.parametrize("obj", [int, type, dict])
def test_what_has_no_signature_says_so(obj):
    """Built-in classes are refused with a cure, not with a crash."""
    with pytest.raises(UnsupportedAnnotationError) as caught:
        parameters_of(obj)

    assert caught.value.problems[0].message.startswith("its signature cannot be read: ")
    assert caught.value.problems[0].hint == "wrap it in a function with typed parameters"


@pytest.mark.parametrize(
    ("obj", "said"),
    [
        ("f", "not the text 'f'; give the function or class itself, not its name"),
        (5, "not 5; give a function or a class"),
        (None, "not None; give the function itself, without the () that call it"),
        (functools, "not the module 'functools'; give a function or class out of it"),
        ([steps], "; give one after another, or all to register_blocks"),
        (Head.__dict__["named"], "; give it out of the finished class: Frame.from_rows"),
        (MISSING, "not MISSING; give its class, or let 'Missing' have a __call__"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_called_is_named_with_what_was_meant(obj, said):
    """The message names the thing itself, never a "function 'str'"."""
    with pytest.raises(UnsupportedAnnotationError) as caught:
        parameters_of(obj)

    assert str(caught.value).startswith("a constructor is a function or class, not ")
    assert str(caught.value).endswith(said)


@dataclass
class Own:
    x: int
    y: list[int] = field(default_factory=list)

    def __init__(self, x: str = "5", y: list[int] = ()):
        self.x, self.y = int(x), list(y)


@dataclass
class Lost:
    x: Nowhere  # noqa: F821 - that is the point


def test_a_field_whose_annotation_cannot_be_read_keeps_its_text():
    """It is named with the class; nothing else is refused."""
    assert [p.annotation for p in parameters_of(Lost)] == ["Nowhere"]
    with pytest.raises(UnsupportedAnnotationError) as caught:
        derive_block(Lost)
    assert [p.path for p in caught.value.problems] == ["$.x"]


def test_an_init_of_the_author_has_the_last_word():
    """Its annotations and defaults count, not those of the fields, whose constructor it replaces."""
    assert [(p.annotation, p.default) for p in parameters_of(Own)] == [(str, "5"), (list[int], ())]
    assert derive_block(Own).binding.bind({"x": "7", "y": [1.0]}, {}) == ([], {"x": "7", "y": [1]})
    assert derive_block(Own).input_schema().get("required", []) == []


def test_a_changed_function_is_read_again():
    """What was read is kept only as long as the function stays the same."""

    def head(n: int = 5): ...

    assert parameters_of(head)[0].default == 5
    head.__defaults__ = (6,)
    assert parameters_of(head)[0].default == 6


def test_a_name_that_is_known_later_is_found_later():
    """An annotation that could not be read is tried again."""

    def ask(a: Later): ...  # noqa: F821 - that is the point

    assert parameters_of(ask)[0].annotation == "Later"
    globals()["Later"] = int
    try:
        assert parameters_of(ask)[0].annotation is int
    finally:
        del globals()["Later"]
