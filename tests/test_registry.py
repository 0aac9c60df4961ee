"""The registry: what goes in is checked first, and stored whole or not at all."""

from __future__ import annotations

import gc
import threading
import warnings
from dataclasses import dataclass
from functools import partial

import pytest

from blockargs import registry as registry_room
from blockargs._text import quoted
from blockargs.errors import (
    BlockArgsError,
    DiscouragedCategoryWarning,
    DuplicateBlockError,
    InvalidArgumentsError,
    InvalidBlockArgError,
    InvalidBlockError,
    InvalidExampleError,
    InvalidIconError,
    NonconformingExampleError,
    Problem,
    UnknownBlockArgError,
    UnknownBlockError,
    UnknownExampleError,
    UnknownOptionError,
)
from blockargs.registry import (
    Registry,
    admission,
    block,
    blocks_in,
    create_block,
    get_block,
    list_blocks,
    register_block,
    register_blocks,
    tool,
    unregister_blocks,
)
from blockargs.registry.objects import ORIGINS
from blockargs.spec import Block, new_block_arg, new_block_args
from blockargs.types import arg_array, arg_enum, arg_integer, arg_object, arg_string


@dataclass(frozen=True)
class Head:
    n: int = 5
    direction: str = "head"

    def __post_init__(self):
        if self.direction not in ("head", "tail"):
            raise ValueError(f"direction must be head or tail, not {self.direction}")


def head(n=5, direction="head"):
    return Head(n, direction)


def untyped(**arguments):
    return new_block_args({name: new_block_arg("Text.", example) for name, example in arguments.items()})


def refused(registry, error, /, *args, **kwargs):
    """Register, and return the error that must come; the registry must be as it was."""
    before = dict(registry.items())
    with pytest.raises(error) as caught:
        registry.register(*args, **kwargs)
    assert dict(registry.items()) == before
    return caught.value


def test_a_block_is_stored_under_its_uid_and_returned(registry):
    """What `register` returns is what the registry holds."""
    stored = registry.register(head, uid="head_block", name="Head", description="Keep the first rows.")

    assert registry["head_block"] is stored
    assert list(registry) == ["head_block"]
    assert (stored.name, stored.description, stored.category, stored.kind) == (
        "Head",
        "Keep the first rows.",
        "uncategorized",
        "block",
    )


def test_names_defaults_and_requiredness_come_from_the_signature(registry):
    """Without `arguments=` the parameters are the arguments."""

    def new_slice_block(prop, n=5):
        return (prop, n)

    stored = registry.register(new_slice_block, construct=False)

    assert stored.uid == "slice_block"
    assert {k: (v.required, v.default) for k, v in stored.arguments.items()}["n"] == (False, 5)
    assert stored.input_schema()["required"] == ["prop"]


def test_an_argument_that_is_no_parameter_is_refused_with_the_real_ones(registry):
    """The message lists the parameters that there are."""
    error = refused(registry, UnknownBlockArgError, head, uid="h", arguments=new_block_args(m="Rows"))

    assert error.problems == (
        Problem(
            code="block_arg_unknown",
            path="$.m",
            message="'m' is no parameter of the constructor, which has 'n' and 'direction'",
        ),
    )


def test_an_example_outside_the_enum_is_refused(registry):
    """Registering checks every example against its type."""
    args = new_block_args(direction=new_block_arg("Which end.", "sideways", arg_enum(["head", "tail"])))

    error = refused(registry, NonconformingExampleError, head, uid="h", arguments=args)

    assert [(p.code, p.path) for p in error.problems] == [("not_in_enum", "$.direction")]


def test_an_untyped_example_is_judged_by_the_constructor(registry):
    """Without a type the constructor's own words are the reason."""
    error = refused(registry, InvalidExampleError, head, uid="h", arguments=untyped(direction="sideways"))

    assert error.code == "block_example_invalid"
    assert "direction must be head or tail, not sideways" in str(error)


def test_a_lenient_constructor_does_not_excuse_a_wrong_example(registry):
    """The type decides, also when the constructor accepts anything."""

    def accepts(conditions=()):
        return conditions

    args = new_block_args(
        conditions=new_block_arg("What to keep.", "not-a-list", arg_array(arg_object(column=arg_string())))
    )

    error = refused(registry, NonconformingExampleError, accepts, uid="f", arguments=args)

    assert [p.path for p in error.problems] == ["$.conditions"]


def test_examples_of_arguments_make_one_worked_configuration(registry):
    """A falsy example counts, a missing one does not."""
    args = new_block_args(n=new_block_arg("Rows.", 0, arg_integer()), direction="Which end.")

    assert registry.register(head, uid="one", arguments=args).examples == [{"n": 0}]
    assert registry.register(head, uid="none", arguments=new_block_args(n="Rows.")).examples == []


def test_block_level_examples_replace_the_assembly(registry):
    """They are returned unchanged; the argument keeps its own."""
    args = new_block_args(n=new_block_arg("Rows.", 3, arg_integer()))
    examples = [{"n": 1, "direction": "tail"}, {"n": 2}]

    stored = registry.register(head, uid="h", arguments=args, examples=examples)

    assert stored.examples == examples
    assert stored.arguments["n"].example == 3


def test_a_worked_configuration_names_only_parameters(registry):
    """The unknown name is told with the nearest real one."""
    error = refused(registry, UnknownExampleError, head, uid="h", examples=[{"directions": "head"}])

    assert [(p.code, p.path, p.hint) for p in error.problems] == [
        ("block_example_unknown", "$.examples[0].directions", "did you mean 'direction'?")
    ]


def test_every_problem_is_named_at_once(registry):
    """The author mends all in one go; the class is that of the first check that failed."""
    args = new_block_args(m="?", n=new_block_arg("Rows.", "5", arg_integer()))

    error = refused(registry, InvalidIconError, head, uid="h", icon="heada", arguments=args)

    assert [p.code for p in error.problems] == ["block_icon_invalid", "block_arg_unknown", "wrong_type"]


def test_a_taken_uid_is_refused_with_both_remedies(registry):
    """Overwriting and unregistering are named."""
    registry.register(head, uid="h")

    error = refused(registry, DuplicateBlockError, head, uid="h")

    assert error.code == "block_already_in_registry"
    assert "overwrite=True" in str(error)
    assert "unregister" in str(error)


def test_a_failed_overwrite_leaves_the_old_block(registry):
    """Check first, then change."""
    old = registry.register(head, uid="h")

    refused(registry, InvalidExampleError, head, uid="h", overwrite=True, arguments=untyped(direction="no"))

    assert registry["h"] is old
    assert registry.register(head, uid="h", overwrite=True) is registry["h"]


def test_an_unknown_category_warns_once(registry):
    """The block is registered; the second of that category is quiet."""
    with pytest.warns(DiscouragedCategoryWarning, match="zzz"):
        registry.register(head, uid="a", category="zzz")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        registry.register(head, uid="b", category="zzz")

    assert [b.category for b in registry.values()] == ["zzz", "zzz"]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"uid": ""}, "$.uid"),
        ({"uid": "a b"}, "$.uid"),
        ({"uid": "a,b"}, "$.uid"),
        ({"uid": "x" * 129}, "$.uid"),
        ({"uid": "h", "name": " "}, "$.name"),
        ({"uid": "h", "name": "a\nb"}, "$.name"),
        ({"uid": "h", "description": 5}, "$.description"),
        ({"uid": "h", "category": ""}, "$.category"),
        ({"uid": "h", "link": "docs"}, "$.link"),
        ({"uid": "h", "keywords": ["a", ""]}, "$.keywords"),
        ({"uid": "h", "wire_name": "a b"}, "$.wire_name"),
        ({"uid": "h", "description": "\ud800"}, "$.description"),
        ({"uid": "h", "kind": "tol"}, "$.kind"),
        ({"uid": "h", "timeout": "soon"}, "$.timeout"),
        ({"uid": "h", "timeout": -1}, "$.timeout"),
        ({"uid": "h", "timeout": float("nan")}, "$.timeout"),
        ({"uid": "h", "timeout": True}, "$.timeout"),
        ({"uid": "h", "annotations": 5}, "$.annotations"),
        ({"uid": "h", "annotations": {"title": object()}}, "$.annotations"),
        ({"uid": "h", "annotations": {"title": 5}}, "$.annotations.title"),
        ({"uid": "h", "annotations": {"read_only": "yes"}}, "$.annotations.read_only"),
        ({"uid": "h", "annotations": {"two words": True}}, "$.annotations['two words']"),
        ({"uid": "h", "annotations": {"icons": "i.png"}}, "$.annotations.icons"),
        ({"uid": "h", "validators": [1]}, "$.validators"),
        ({"uid": "h", "tells": [1]}, "$.tells"),
        ({"uid": "h", "inputs": [""]}, "$.inputs"),
        ({"uid": "h", "inputs": "data"}, "$.inputs"),
        ({"uid": "h", "tells": ValueError}, "$.tells"),
        ({"uid": ["h"]}, "$.uid"),
        ({"uid": "h", "package": "a\nb"}, "$.package"),
    ],
)
def test_metadata_must_be_sane(registry, given, path):
    """Each wrong field is named."""
    error = refused(registry, InvalidBlockError, head, **given)

    assert [p.path for p in error.problems] == [path]


def test_hints_are_those_of_declarations(registry):
    """A name that is none gets the nearest; ``None`` says nothing, and icons come with the tools of others."""
    error = refused(registry, InvalidBlockError, head, uid="h", annotations={"readOnly": True})

    said = "'readOnly' is no hint for clients; did you mean 'read_only'?"
    assert [p.told() for p in error.problems] == [f"$.annotations.readOnly: {said}"]
    hints = {"title": "Head", "destructive": None, "icons": [{"src": "i.png"}]}
    assert registry.register(head, uid="h", annotations=hints).annotations == hints


def test_a_validator_that_would_have_to_be_awaited_is_refused(registry):
    """It would never run: a function, a partial of one, or an object that is called."""

    async def check(arguments, limit=5):
        return "no"

    async def checks(arguments):
        yield "no"

    class Check:
        async def __call__(self, arguments):
            return "no"

    for validator in (check, checks, partial(check, limit=6), Check()):
        error = refused(registry, InvalidBlockError, head, uid="h", validators=[validator])
        assert [p.path for p in error.problems] == ["$.validators"]
        assert "is not a list of functions, none of them async; let a validator" in str(error)


def test_a_dotted_uid_is_fine(registry):
    """`admin.reload` is a name."""
    assert registry.register(head, uid="admin.reload").uid == "admin.reload"


def test_optional_without_default_is_a_problem(registry):
    """The signature knows: nothing could stand for the argument."""

    def needs(n):
        return n

    args = new_block_args(n=new_block_arg("Rows.", required=False))
    error = refused(registry, InvalidBlockArgError, needs, uid="h", arguments=args)

    assert [(p.code, p.path) for p in error.problems] == [("required_mismatch", "$.n")]


def test_a_stated_default_is_the_constructors(registry):
    """It is what a call without the argument uses, so nothing else may be shown."""

    def f(a=1, *, b):
        return (a, b)

    args = new_block_args(a=new_block_arg("A", default=3), b=new_block_arg("B", default=2, required=None))
    error = refused(registry, InvalidBlockArgError, f, uid="h", arguments=args)

    assert [(p.code, p.path) for p in error.problems] == [("default_mismatch", "$.a"), ("default_mismatch", "$.b")]
    assert registry.register(f, uid="h", arguments=new_block_args(a=new_block_arg("A", default=1.0)))


@pytest.mark.parametrize("given", [{"keywords": "rows"}, {"examples": {"n": 1}}, {"keywords": 5}])
def test_lists_are_lists(registry, given):
    """A text is no list of words, one configuration no list of them."""
    error = refused(registry, InvalidBlockError, head, uid="h", **given)

    assert [p.path for p in error.problems] == [f"$.{next(iter(given))}"]


def test_hiding_an_argument_without_default_is_a_problem(registry):
    """Its value would have to come from the model that never sees it."""

    def needs(n):
        return n

    error = refused(registry, InvalidBlockArgError, needs, uid="h", arguments=new_block_args({"n": None}))

    assert [p.path for p in error.problems] == ["$.n"]


def test_a_defaulted_argument_may_be_tightened(registry):
    """`required=True` on a parameter with a default stays."""
    args = new_block_args(n=new_block_arg("Rows.", required=True, type=arg_integer()))

    assert registry.register(head, uid="h", arguments=args).input_schema()["required"] == ["n"]


def test_an_incomplete_configuration_is_checked_by_type_only(registry):
    """The constructor is called only with all it needs."""
    calls = []

    def needs(a, b):
        calls.append((a, b))

    registry.register(needs, uid="one", examples=[{"a": 1}])
    registry.register(needs, uid="both", examples=[{"a": 1, "b": 2}])

    assert calls == [(1, 2)]


def test_tools_and_async_constructors_are_never_called(registry):
    """What does something is not done at import."""
    calls = []

    async def later(n=1):
        calls.append(n)

    registry.register(later, uid="later")

    @registry.tool
    def remove(path="x"):
        """Remove a file."""
        calls.append(path)

    assert calls == []
    assert registry["remove"].kind == "tool"


def test_construct_false_checks_types_only(registry):
    """The author may forbid the call."""
    calls = []

    registry.register(lambda n=1: calls.append(n), uid="h", construct=False)

    assert calls == []


def test_a_decorator_returns_the_very_object(registry):
    """Nothing is wrapped."""

    def new_top_block(n: int = 5):
        """Keep the first rows."""
        return n

    assert registry.block(new_top_block) is new_top_block
    assert registry.block(category="transform", uid="other")(new_top_block) is new_top_block
    assert list(registry) == ["top_block", "other"]


def test_running_a_definition_again_replaces_it_quietly(registry):
    """A reloaded module does not fail with `already exists`."""

    def define(text):
        @registry.block(description=text)
        def top(n=5):
            return n

    define("old")
    define("new")

    assert [b.description for b in registry.values()] == ["new"]


def test_another_definition_of_the_same_uid_is_refused(registry):
    """Two owners of one name are a fault, not a reload."""
    registry.register(head, uid="other")

    with pytest.raises(DuplicateBlockError):

        @registry.block
        def other(n=5):
            return n


def test_a_batch_is_registered_whole_or_not_at_all(registry):
    """One fault keeps all out, and every fault is told."""
    with pytest.raises(BlockArgsError) as caught:
        registry.register_all(
            [
                {"constructor": head, "uid": "good"},
                {"constructor": head, "uid": "bad", "arguments": {"m": "?"}},
                {"uid": "lost"},
            ]
        )

    assert len(registry) == 0
    assert [p.code for p in caught.value.problems] == ["block_invalid", "block_arg_unknown"]
    assert [b.uid for b in registry.register_all([{"constructor": head, "uid": "a"}, Block(uid="b", name="b")])] == [
        "a",
        "b",
    ]


def test_a_batch_may_not_name_a_uid_twice(registry):
    """Also with overwrite."""
    twice = [{"constructor": head, "uid": "a"}] * 2

    with pytest.raises(DuplicateBlockError):
        registry.register_all(twice, overwrite=True)


def test_unregistering_is_for_some_or_for_all(registry):
    """An unknown uid removes nothing, and the nearest is told."""
    registry.register_all([{"constructor": head, "uid": u} for u in ("aa", "bb", "cc")])

    with pytest.raises(UnknownBlockError, match="did you mean 'aa'"):
        registry.unregister(["bb", "aaa"])
    assert registry.unregister("aa") == ["aa"]
    assert registry.unregister() == ["bb", "cc"]
    assert len(registry) == 0


def test_an_unknown_uid_is_a_key_error_with_the_nearest(registry):
    """`get` gives the default, as any mapping does."""
    registry.register(head, uid="head_block")

    with pytest.raises(KeyError, match="did you mean 'head_block'") as caught:
        registry["head_blok"]
    assert caught.value.code == "block_unknown"
    assert registry.get("nothing") is None
    assert "head_blok" not in registry


def test_create_validates_decodes_and_builds(registry):
    """Arguments are JSON; defaults are the constructor's."""
    args = new_block_args(n=new_block_arg("Rows.", type=arg_integer()), direction="Which end.")
    registry.register(head, uid="head_block", arguments=args)

    assert registry.create("head_block", n=3.0) == Head(3)
    with pytest.raises(InvalidArgumentsError) as caught:
        registry.create("head_block", n="3", dir="tail")
    assert [(p.code, p.path) for p in caught.value.problems] == [("unknown_key", "$.dir"), ("wrong_type", "$.n")]


def test_an_undocumented_parameter_passes_unchecked(registry):
    """The author documents what he likes."""
    registry.register(head, uid="h", arguments=new_block_args(n="Rows."))

    assert registry.create("h", direction="tail") == Head(direction="tail")


def test_metadata_only_blocks_cannot_be_created(registry):
    """The cure is named."""
    registry.register(Block(uid="h", name="h"))

    with pytest.raises(UnknownBlockError, match=r"constructor: package\.module:name"):
        registry.create("h")


def test_a_built_object_is_recognised(registry):
    """By object, by class, and after its block is gone."""
    stored = registry.register(head, uid="h", name="Head")
    built = registry.create("h")
    registry.unregister("h")

    assert ORIGINS.block_of(built) is stored
    assert ORIGINS.block_of(Head(9)) is stored
    assert ORIGINS.block_of(object()) is None


def test_objects_are_not_kept_alive(registry):
    """Remembering an object does not hold it."""

    class Thing:
        pass

    registry.register(Thing, uid="thing")
    built = registry.create("thing")
    count = len(ORIGINS._objects)
    del built
    gc.collect()

    assert len(ORIGINS._objects) < count


def test_module_level_functions_share_one_registry():
    """It starts empty."""
    register_block(head, uid="head_block")
    register_blocks([{"constructor": head, "uid": "tail_block"}])

    @block
    def new_top_block(n=1):
        return n

    @tool(description="Delete a thing.")
    def remove(name):
        raise AssertionError("never called")

    assert list_blocks() == ["head_block", "remove", "tail_block", "top_block"]
    assert get_block("remove").kind == "tool"
    assert create_block("head_block", n=2) == Head(2)
    assert unregister_blocks() == ["head_block", "tail_block", "top_block", "remove"]


def test_a_block_argument_called_uid_can_be_created(registry):
    """`create` takes the block's name by position only."""
    registry.register(lambda uid="x", self="y": (uid, self), uid="odd")

    assert registry.create("odd", uid="a") == ("a", "y")


def test_blocks_are_found_in_every_form(registry):
    """A registry, a block, a uid, a callable, and iterables of these."""
    one = register_block(head, uid="head_block")
    registry.register(one)

    assert blocks_in(registry) == blocks_in(one) == blocks_in("head_block") == blocks_in(head) == [one]
    assert blocks_in([registry, [head]]) == [one, one]
    assert blocks_in() == [one]
    assert [b.uid for b in blocks_in(lambda x=1: x)] != []
    with pytest.raises(InvalidBlockArgError):
        blocks_in(5)


def test_readers_never_see_half_a_block(registry):
    """Many threads register, unregister and list at once."""
    broken = []
    args = new_block_args(n=new_block_arg("Rows.", 3, arg_integer()))

    def work(number):
        for turn in range(40):
            uid = f"b{number}"
            registry.register(head, uid=uid, arguments=args, overwrite=True, construct=False)
            for found in registry.values():
                if found.examples != [{"n": 3}] or "n" not in found.arguments:
                    broken.append(found)
            for name in registry:
                registry.get(name)
            if turn % 2:
                registry.unregister(uid)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert broken == []
    assert len(registry) == 0


def test_a_schema_override_is_compared_with_the_signature(registry):
    """Missing and surplus names are in one message."""

    def needs(a, b=1):
        return (a, b)

    schema = {"type": "object", "properties": {"b": {"type": "integer"}, "c": {}}}
    error = refused(registry, UnknownBlockArgError, needs, uid="h", input_schema=schema)

    assert [p.message for p in error.problems] == [
        "the constructor has no place for 'c' and needs 'a', which the schema lacks"
    ]


def test_a_schema_override_is_closed_and_the_change_noted(registry):
    """A constructor takes just its parameters."""
    schema = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}

    stored = registry.register(head, uid="h", input_schema=schema, construct=False)

    assert stored.input_schema() == {**schema, "additionalProperties": False}
    assert [(n.rule, n.before, n.after) for n in stored.notes] == [("close_root", True, False)]


def test_a_block_can_be_registered_with_changes(registry):
    """The words are those of registering a constructor."""
    first = registry.register(head, uid="a", arguments=untyped(n=1))

    second = registry.register(first, uid="b", arguments={"n": new_block_arg("Rows.", 2)}, keywords=["rows"])
    third = registry.register(first, uid="c", input_schema={"type": "object", "properties": {"n": {}}})

    assert (first.examples, second.examples, second.keywords) == ([{"n": 1}], [{"n": 2}], ["rows"])
    assert registry.create("b", n=7) == Head(7)
    assert third.input_schema() == {"type": "object", "properties": {"n": {}}, "additionalProperties": False}


def test_a_misspelt_field_is_told_with_the_nearest(registry):
    """As Python tells of a keyword that is not there."""
    for given in (head, Block(uid="h", name="h")):
        with pytest.raises(TypeError, match="did you mean 'description'"):
            registry.register(given, uid="h", descripton="Rows")


def test_a_misspelt_field_hides_no_other_fault(registry):
    """Of several blocks at once, every problem is told, also of a key that is no text."""
    with pytest.raises(UnknownOptionError) as caught:
        registry.register_all(
            [
                {"constructor": head, "uid": "a", "descripton": "Rows"},
                {"constructor": head, "uid": "b", 1: "x"},
                {"constructor": head, "uid": "c", "icon": "no-such-icon"},
                {"uid": "d"},
            ]
        )

    assert [(p.code, p.path) for p in caught.value.problems] == [
        ("option_unknown", "$.descripton"),
        ("option_unknown", "$[1]"),
        ("block_invalid", "$"),
        ("block_icon_invalid", "$.icon"),
    ]
    assert len(registry) == 0


def test_names_and_texts_of_arguments_can_be_written(registry):
    """What cannot be UTF-8 would break every table later."""
    args = new_block_args({"n": new_block_arg("\ud800")})

    error = refused(registry, InvalidBlockError, head, uid="h", arguments=args)

    assert [p.path for p in error.problems] == ["$.arguments.n"]
    with pytest.raises(InvalidBlockError) as caught:
        registry.register(Block(uid="h", name="h", arguments=args))
    assert [p.path for p in caught.value.problems] == ["$.arguments.n"]


def test_an_icon_is_a_name(registry):
    """Anything else is refused by the icon's own error."""
    assert refused(registry, InvalidIconError, head, uid="h", icon=["a"]).code == "block_icon_invalid"


def test_an_alias_is_a_name_of_one_argument_only(registry):
    """Not of a second, nor of itself."""
    args = new_block_args(
        n=new_block_arg("N", aliases=["direction", "rows"]), direction=new_block_arg("D", aliases=["rows", "direction"])
    )

    error = refused(registry, InvalidBlockArgError, head, uid="h", arguments=args)

    assert [(p.code, p.path) for p in error.problems] == [
        ("alias_taken", "$.n"),
        ("alias_taken", "$.direction"),
        ("alias_taken", "$.direction"),
    ]


def test_what_contains_itself_is_refused(registry):
    """Never a RecursionError."""
    loop = []
    loop.append(loop)

    with pytest.raises(InvalidBlockArgError, match="contains itself"):
        new_block_arg("N", loop)
    refused(registry, InvalidBlockError, head, uid="h", examples=[{"n": loop}])
    with pytest.raises(InvalidBlockError) as caught:
        Block(uid="h", annotations={"x": loop})
    assert [(p.code, p.path) for p in caught.value.problems] == [("too_deep", "$.annotations")]


def test_arguments_and_a_whole_schema_are_two_ways_of_saying_one_thing(registry):
    """None is dropped in silence."""
    schema = {"type": "object", "properties": {"n": {}}}

    error = refused(registry, InvalidBlockError, head, uid="h", arguments={"n": "N"}, input_schema=schema)

    assert error.problems[0].hint == "give one"


def test_only_the_same_definition_is_replaced_quietly(registry):
    """A partial, a lambda or a callable object is not known by a name."""
    for first, second in ((partial(head, 1), partial(head, 2)), (lambda n=1: n, lambda n=2: n)):
        registry.block(uid="x")(first)
        with pytest.raises(DuplicateBlockError):
            registry.block(uid="x")(second)
        registry.unregister()


def test_a_constructor_that_exits_or_cannot_speak_is_a_problem(registry):
    """Nothing that it raises leaves the registration."""

    class Mute(Exception):
        def __str__(self):
            raise RuntimeError("no words")

    def exits(n=1):
        raise SystemExit(0)

    def mute(n=1):
        raise Mute

    assert "SystemExit" in str(refused(registry, InvalidExampleError, exits, uid="h"))
    assert "Mute" in str(refused(registry, InvalidExampleError, mute, uid="h"))


def test_a_required_parameter_that_is_not_documented_must_be_given(registry):
    """It is named, like any other that is missing."""
    registry.register(lambda a, b=1: (a, b), uid="h", arguments={"b": "B"}, construct=False)

    with pytest.raises(InvalidArgumentsError) as caught:
        registry.create("h", b=2)

    assert [(p.code, p.path) for p in caught.value.problems] == [("missing_key", "$.a")]
    assert registry.create("h", a=0) == (0, 1)


def test_a_stored_block_never_changes(registry):
    """Nor do the tables that it holds."""
    stored = registry.register(head, uid="h", annotations={"read_only": True}, keywords=["a"])

    for change in (lambda: stored.annotations.update(x=1), lambda: stored.keywords.append("b")):
        with pytest.raises(TypeError, match=r"^this never changes; build a new one$"):
            change()


def test_a_constructor_with_a_table_keeps_an_open_schema(registry):
    """What it takes beyond its parameters is its own affair."""

    def wide(n=1, **more):
        return n

    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}

    assert registry.register(wide, uid="h", input_schema=schema).notes == ()


def test_what_is_known_to_be_sound_is_bounded(registry, monkeypatch):
    """Registering without end does not fill the memory."""
    monkeypatch.setattr(admission, "REMEMBERED", 1)

    for size in range(3):
        registry.register(head, uid=f"h{size}", arguments={"n": new_block_arg("N", type=arg_integer(minimum=size))})

    assert len(admission._SOUND) == 1


def test_the_room_has_no_other_names():
    """A slip is an AttributeError, as in any module."""
    with pytest.raises(AttributeError, match="has no attribute 'regster_block'"):
        _ = registry_room.regster_block


@pytest.mark.parametrize(
    ("given", "cure"),
    [
        (None, "pass functions, classes and blocks in a list"),
        ("head", "pass functions, classes and blocks in a list"),
        (print, "put it in a list"),
        (Block(uid="a", name="a"), "put it in a list"),
        ({"constructor": print}, "put it in a list"),
        ({"a": print}, "pass its values()"),
        (Registry(), "pass its values()"),
    ],
    ids=repr,
)
def test_several_blocks_are_given_as_a_list(given, cure):
    """What is none is named with the cure, and nothing is registered."""
    registry = Registry()

    for act in (registry.register_all, Registry):
        with pytest.raises(InvalidBlockError) as caught:
            act(given)
        assert str(caught.value) == f"{quoted(given)} is no list of constructors and blocks; {cure}"
    assert (len(registry), registry.version) == (0, 0)


def test_what_can_be_no_uid_is_no_block():
    """Also where it cannot be looked up at all."""
    registry = Registry()

    assert (registry.get([]), registry.get([], 5), [] in registry) == (None, 5, False)
    for given, says in ((3, "3 is no uid; pass one uid, or a list of them"), ([[]], "no block is called []")):
        with pytest.raises(UnknownBlockError) as caught:
            registry.unregister(given)
        assert str(caught.value).startswith(says)
