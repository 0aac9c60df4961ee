"""One documented argument, a block's set of them, and the block."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import date

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from blockargs import Toolset, decode_arguments, derive_block, export_tools, find_blocks
from blockargs.errors import InvalidBlockArgError, InvalidBlockArgTypeError, Problem, UnnamedBlockArgsError
from blockargs.spec import (
    MISSING,
    Block,
    BlockArg,
    BlockArgs,
    ConstructorRef,
    as_block_arg,
    as_block_args,
    block_arg_description,
    block_arg_example,
    block_arg_type,
    new_block_arg,
    new_block_args,
)
from blockargs.spec.argument import MOST_HALVED
from blockargs.types import arg_array, arg_boolean, arg_enum, arg_integer, arg_object, arg_string
from strategies import arg_types, json_values


def due(day: date, within: int = 7) -> str:
    """Tell what is due from *day* on."""
    return json.dumps([day.year, within])


@pytest.mark.parametrize(
    "made", [derive_block(due), Block(uid="due", constructor=due, arguments=derive_block(due).arguments)]
)
def test_a_block_that_was_used_is_copied_and_pickled(made):
    """What was made of a block does not stick to it, and its twin works: also where its module imports modules."""
    assert decode_arguments('{"day": "2024-02-29"}', made).ok
    assert find_blocks("due", [made]) == [made]
    assert export_tools([made], "openai", strict=True).names == {"due": "due"}

    for twin in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made), copy.copy(made)):
        assert twin == made
        assert Toolset([twin]).run({"name": "due", "arguments": {"day": "2024-02-29"}}).text == "[2024, 7]"


def test_a_bare_text_is_a_description():
    """One entry; example and type are none."""
    args = new_block_args(n="Rows to keep")

    assert args == new_block_args(n=new_block_arg("Rows to keep"))
    assert (len(args), args["n"]) == (1, BlockArg("Rows to keep", None, None))


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"description": 1}, "$.description"),
        ({"required": "yes"}, "$.required"),
        ({"error": 5}, "$.error"),
        ({"hidden": None}, "$.hidden"),
        ({"header": 1}, "$.header"),
        ({"aliases": [1]}, "$.aliases"),
        ({"aliases": 5}, "$.aliases"),
        ({"aliases": [""]}, "$.aliases"),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(given, path):
    """Also when it is not the first."""
    with pytest.raises(InvalidBlockArgError) as caught:
        new_block_arg(**given)

    assert caught.value.code == "block_arg_invalid"
    assert [p.path for p in caught.value.problems] == [path]


def test_every_wrong_field_is_named_at_once():
    """The author mends all in one go."""
    with pytest.raises(InvalidBlockArgError) as caught:
        new_block_arg(1, error=2)

    assert caught.value.problems == (
        Problem(code="block_arg_invalid", path="$.description", message="1 is no text"),
        Problem(code="block_arg_invalid", path="$.error", message="2 is no text"),
    )


def test_a_type_is_a_node_or_a_spelling():
    """All make the same argument."""
    made = [
        new_block_arg(type=t)
        for t in (arg_array(arg_integer()), "integer[]", {"type": "array", "items": {"type": "integer"}})
    ]

    assert made[0] == made[1] == made[2]


@pytest.mark.parametrize("kind", [{"type": "bogus"}, "intger", 5, ["string"]])
def test_what_is_no_type_is_refused(kind):
    """By an error of its own."""
    with pytest.raises(InvalidBlockArgTypeError) as caught:
        new_block_arg(type=kind)

    assert caught.value.code == "block_arg_type_invalid"


@pytest.mark.parametrize(
    "given",
    [({"": "x"},), ("a text",), ([("a", "x"), ("a", "y")],), ({1: "x"},), (5,), (["a"],)],
)
def test_every_argument_needs_a_name_of_its_own(given):
    """An empty name, a text without a name, a name twice."""
    with pytest.raises(UnnamedBlockArgsError) as caught:
        new_block_args(*given)

    assert {p.code for p in caught.value.problems} == {"block_args_unnamed"}


def test_a_name_given_twice_is_refused():
    """Also in a mapping and as a keyword."""
    with pytest.raises(UnnamedBlockArgsError, match="described twice"):
        new_block_args({"n": "a"}, n="b")


def test_mappings_and_empty_sets_are_taken():
    """As descriptions, records, types, or nothing at all."""
    args = new_block_args({"a": "A", "b": {"description": "B", "type": "integer"}, "c": arg_string(), "d": None})

    assert args["a"] == BlockArg("A")
    assert args["b"] == BlockArg("B", type=arg_integer())
    assert args["c"] == BlockArg(type=arg_string())
    assert args["d"] == BlockArg(hidden=True)
    assert len(new_block_args()) == len(new_block_args({})) == len(as_block_args(None)) == 0
    assert as_block_args(args) is args


def test_an_unknown_field_is_told_with_the_nearest():
    """At the argument that has it."""
    with pytest.raises(InvalidBlockArgError) as caught:
        new_block_args(n={"exmple": 1}, m={"type": "string", "description": 1})

    assert [(p.path, p.hint) for p in caught.value.problems] == [
        ("$.n.exmple", "did you mean 'example'?"),
        ("$.m.description", ""),
    ]


@pytest.mark.parametrize("given", [5, ["a"], object])
def test_what_describes_no_argument_is_refused(given):
    """The cure is named."""
    with pytest.raises(InvalidBlockArgError, match="new_block_arg"):
        as_block_arg(given)


def test_fields_are_read_from_an_argument_or_a_text():
    """A bare text is its own description."""
    arg = new_block_arg("Rows", [1], arg_array(arg_integer()))

    assert (block_arg_description(arg), block_arg_example(arg), block_arg_type(arg)) == (
        "Rows",
        [1],
        {"type": "array", "items": {"type": "integer"}},
    )
    assert (block_arg_description("Rows"), block_arg_example("Rows"), block_arg_type("Rows")) == ("Rows", None, None)
    for read in (block_arg_description, block_arg_example, block_arg_type):
        with pytest.raises(InvalidBlockArgError):
            read(5)


def test_an_example_cannot_be_changed_from_outside():
    """What was given and what is read are copies."""
    rows = [{"a": 1}]
    arg = new_block_arg("Rows", rows)
    rows.append(2)
    block_arg_example(arg).append(3)

    assert arg.example == [{"a": 1}]


def test_falsy_examples_count_and_missing_ones_do_not():
    """The one configuration that the examples make."""
    args = new_block_args(a=new_block_arg("A", False), b=new_block_arg("B", 0), c="C", d=new_block_arg("D", ""))

    assert args.example() == {"a": False, "b": 0, "d": ""}


def test_the_schema_holds_description_default_header_and_requiredness():
    """In a fixed order; hidden ones are not there."""
    args = new_block_args(
        region=new_block_arg("Where.", type=arg_enum(["eu", "us"]), required=True, header="Region"),
        n=new_block_arg("Rows.", type=arg_integer(minimum=1), default=5),
        secret=new_block_arg(hidden=True, default=1),
        untyped=new_block_arg("Any.", default=None),
    )

    assert Block(uid="b", arguments=args).input_schema() == {
        "type": "object",
        "properties": {
            "region": {"type": "string", "description": "Where.", "enum": ["eu", "us"], "x-mcp-header": "Region"},
            "n": {"type": "integer", "description": "Rows.", "minimum": 1, "default": 5},
            "untyped": {"description": "Any."},
        },
        "required": ["region"],
        "additionalProperties": False,
    }


@st.composite
def arguments(draw):
    """Draw documented arguments with everything that can stand in a schema."""
    texts = st.none() | st.text(max_size=5)
    drawn = {}
    for name in draw(st.lists(st.text(min_size=1, max_size=4), unique=True, max_size=4)):
        kind = draw(st.none() | arg_types(max_leaves=4))
        own = None if kind is None or not draw(st.booleans()) else kind | {"description": "Of the type."}
        default = draw(st.just(MISSING) | json_values(max_leaves=3))
        drawn[name] = BlockArg(
            draw(texts),
            type=own or kind,
            default=default,
            required=draw(st.sampled_from([None, True, False])),
            hidden=draw(st.booleans()),
            header=draw(st.sampled_from([None, "Region"])),
        )
    return BlockArgs(drawn)


@given(args=arguments())
@example(BlockArgs({"x": BlockArg("True.", type=arg_boolean(), default=True)}))
@settings(max_examples=200, suppress_health_check=list(HealthCheck))
def test_the_schema_as_text_is_the_schema(args):
    """A listing that never makes the types writes what they would be, letter by letter."""
    assert args.text() == json.dumps(args.type(), ensure_ascii=False, separators=(",", ":"))


def test_what_was_written_of_many_types_is_forgotten():
    """However many types are written, each is written as itself."""
    made = [BlockArgs({"n": BlockArg("N.", type=arg_integer(minimum=n))}) for n in range(MOST_HALVED + 2)]

    found = [json.loads(args.text())["properties"]["n"]["minimum"] for args in made]
    assert found == list(range(MOST_HALVED + 2))


def test_a_default_that_does_not_fit_is_not_shown():
    """The schema never contradicts itself."""
    assert "default" not in BlockArg(type=arg_integer(), default="auto").node()
    with pytest.raises(InvalidBlockArgError) as caught:
        new_block_arg(type=arg_integer(), default="auto")
    assert [(p.code, p.path) for p in caught.value.problems] == [("wrong_type", "$.default")]


def test_arguments_never_change():
    """Laying others over makes a new set; sets compare, hash and pickle."""
    args = new_block_args(a="A", b="B")
    both = args | new_block_args(b="Bee")

    assert (args["b"].description, both["b"].description) == ("B", "Bee")
    assert list(both) == ["a", "b"]
    assert hash(args) == hash(new_block_args(a="A", b="B"))
    assert pickle.loads(pickle.dumps(both)) == both
    assert "new_block_args(a=BlockArg(" in repr(args)
    assert BlockArgs() == new_block_args()


def test_a_block_knows_its_schema_aliases_and_copies():
    """A copy with changes does not share what was worked out for the first."""
    block = Block(uid="b", arguments=new_block_args(path=new_block_arg(type=arg_string(), aliases=["subpath", "dir"])))
    other = block.with_(arguments=new_block_args(n=arg_object()))

    assert block.aliases == {"subpath": "path", "dir": "path"}
    assert list(block.input_schema()["properties"]) == ["path"]
    assert list(other.input_schema()["properties"]) == ["n"]
    assert (hash(block), repr(MISSING)) == (hash("b"), "MISSING")


def test_a_constructor_can_be_named_and_loaded_later():
    """What is there must be callable."""
    assert ConstructorRef("collections:OrderedDict").load()(a=1) == {"a": 1}
    assert str(ConstructorRef("a.b:c")) == "a.b:c"
    with pytest.raises(TypeError, match="cannot be called"):
        ConstructorRef("math:pi").load()
    assert Block(uid="b").load() is None
    assert Block(uid="b", constructor=ConstructorRef("math:sqrt")).load()(4) == 2


def test_an_annotation_is_told_how_to_become_a_type():
    """
    `new_block_arg(type=int)` is a slip that has a cure of its own.
    """
    with pytest.raises(InvalidBlockArgTypeError) as caught:
        new_block_arg("How many", type=int)

    assert str(caught.value).startswith("$.type: int is no argument type; write arg_type_of(int), or build one with ")


@pytest.mark.parametrize("name", ["n", "de", "type"])
def test_what_is_wrong_with_an_argument_is_told_where_it_stands(name):
    """Also where its name starts like the field that is wrong."""
    with pytest.raises(InvalidBlockArgError) as caught:
        new_block_args({name: {"description": 5}, "other": 5})

    assert caught.value.problems == (
        Problem(code="block_arg_invalid", path=f"$.{name}.description", message="5 is no text"),
        Problem(
            code="block_arg_invalid",
            path="$.other",
            message="5 describes no argument",
            hint="write its description, or new_block_arg(…)",
        ),
    )


def test_what_is_made_of_a_block_is_made_once():
    """And anew for a copy with changes; that nothing was made of it is remembered too."""
    made = []
    block = Block(uid="b")

    assert [block.remembered("nothing", made.append) for _ in range(2)] == [None, None]
    assert [copy.copy(block).remembered("nothing", made.append), made] == [None, [block]]
    assert pickle.loads(pickle.dumps(block)).remembered("nothing", lambda b: b.uid) == "b"
    assert block.with_(uid="c").remembered("nothing", lambda b: b.uid) == "c"


def test_all_threads_get_the_same():
    """Whoever is slower takes what the faster made."""
    block = Block(uid="b")

    def slower(one):
        return ["slower", one.remembered("words", lambda _: ["faster"])]

    assert block.remembered("words", slower) == ["faster"]
