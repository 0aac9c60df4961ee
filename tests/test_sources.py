"""Where registries come from."""

from __future__ import annotations

import datetime as dt
import importlib
import os
import sys
from pathlib import Path

import pytest

from blockargs.dispatch import Toolset
from blockargs.errors import (
    InvalidArgumentsError,
    InvalidBlockArgError,
    InvalidBlockArgTypeError,
    InvalidDeclarationError,
    InvalidOptionError,
    MissingDependencyError,
    NonconformingExampleError,
    PluginWarning,
    UnknownSourceError,
)
from blockargs.keywords import MAX_TEXT
from blockargs.node import ArgType
from blockargs.registry import (
    Registry,
    block,
    blocks_in,
    discover_blocks,
    load_registry,
    register_block,
    unregister_blocks,
)
from blockargs.registry.objects import ORIGINS, Origins
from blockargs.spec import Block, BlockArg, BlockArgs, ConstructorRef, new_block_arg, new_block_args

ONE = "new_one_block:\n  name: One\n  package: demo\n"
TWO = "new_two_block:\n  name: Two\n"


@pytest.fixture
def folder(tmp_path):
    """Two YAML files of a block each, and a file that is no YAML."""
    (tmp_path / "a.yml").write_text(ONE)
    (tmp_path / "b.yaml").write_text(TWO)
    (tmp_path / "notes.txt").write_text("- no")
    return tmp_path


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write a module that can be imported, and forget it afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    made = []

    def write(name, text):
        (tmp_path / f"{name}.py").write_text(text)
        importlib.invalidate_caches()  # a folder that changed twice in one tick of its clock looks unchanged
        made.append(name)
        return name

    yield write
    for name in made:
        sys.modules.pop(name, None)
    unregister_blocks()


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Install a distribution that offers entry points."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(owner, **entries):
        info = tmp_path / f"{owner}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {owner}\nVersion: 1.0\n")
        lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
        (info / "entry_points.txt").write_text(f"[blockargs.blocks]\n{lines}")
        importlib.invalidate_caches()

    return install


def test_a_folder_is_read_whole(folder):
    """Every YAML file in it; sources say which."""
    registry = load_registry(folder)

    assert {uid: b.source for uid, b in registry.items()} == {
        "one_block": f"{folder.name}/a.yml:1",
        "two_block": f"{folder.name}/b.yaml:1",
    }


def test_loading_into_a_registry_replaces_quietly(folder):
    """Twice gives no error, and the registry is the one given."""
    registry = Registry([Block(uid="one_block", name="old")])

    assert load_registry(folder, into=registry) is registry
    assert load_registry(str(folder / "a.yml"), into=registry)["one_block"].name == "One"
    assert len(registry) == 2


def test_a_uid_declared_twice_is_refused_with_both_places(folder):
    """The last file does not win."""
    (folder / "c.yml").write_text(ONE)

    with pytest.raises(
        InvalidDeclarationError, match=r"c\.yml:1: the uid 'one_block' is declared twice, first in .*a\.yml:1"
    ):
        load_registry(folder)


def test_problems_of_all_files_come_at_once(folder):
    """Nothing is registered then."""
    (folder / "c.yml").write_text("new_c_block:\n  nme: C\n")
    (folder / "d.yml").write_text("new_d_block: [\n")
    (folder / "e.yml").write_bytes(b"a: 1\nb: \xff\n")
    registry = Registry()

    with pytest.raises(InvalidDeclarationError) as caught:
        load_registry(folder, into=registry)

    name = folder.name
    assert [(p.source, p.uid, p.path, p.message.partition(":")[0]) for p in caught.value.problems] == [
        (f"{name}/c.yml:2", "c_block", "$.nme", "'nme' is no key of a declaration"),
        (f"{name}/d.yml:1", "", "$", "this is no YAML"),
        (f"{name}/e.yml:2", "", "$", "byte 8 is not UTF-8"),
    ]
    assert len(registry) == 0


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: path.mkdir(), "this is a folder, not a YAML file; folders in the folder are not read"),
        (lambda path: path.symlink_to("nowhere"), "this is a link that leads to no file"),
        (lambda path: path.symlink_to(path.name), "this is a link that leads to no file"),
        (os.mkfifo, "this is no ordinary file"),
    ],
    ids=["folder", "dangling", "circle", "pipe"],
)
def test_what_looks_like_a_file_and_is_none_is_named(folder, make, says):
    """With the problems of the other files; a pipe is not waited for."""
    make(folder / "c.yml")
    (folder / "d.yml").write_text("5")

    with pytest.raises(InvalidDeclarationError) as caught:
        load_registry(folder)

    cure = "take it out of the folder, or give it another ending"
    assert str(caught.value.problems[0]) == f"{folder.name}/c.yml:1: {says}; {cure}"
    assert [p.source for p in caught.value.problems] == [f"{folder.name}/c.yml:1", f"{folder.name}/d.yml:1"]


def test_a_file_that_must_not_be_read_is_named(folder, monkeypatch):
    """The reason is told, and no path of the host."""

    def refused(path, mode):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(type(folder), "open", refused)

    with pytest.raises(InvalidDeclarationError) as caught:
        load_registry(folder / "a.yml")
    assert str(caught.value) == "a.yml:1: the file cannot be read: Permission denied"


def test_what_may_not_be_looked_at_is_told(folder, monkeypatch):
    """A folder that may not be entered is no folder that is not there."""

    def refused(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(UnknownSourceError) as caught:
        load_registry(folder)
    assert str(caught.value) == f"'{folder.name}' cannot be read: Permission denied"
    monkeypatch.setattr(Path, "is_dir", refused)
    with pytest.raises(UnknownSourceError) as caught:
        load_registry(folder / "a.yml")
    assert str(caught.value) == "'a.yml' cannot be read: Permission denied"


def test_folders_in_a_folder_are_not_read(folder):
    """Each is a registry of its own."""
    (folder / "more").mkdir()
    (folder / "more" / "c.yml").write_text(ONE)

    assert list(load_registry(folder)) == ["one_block", "two_block"]


def test_what_is_no_registry_is_not_loaded_into(folder):
    """It is told before anything is read, or imported."""
    for act, option in (
        (lambda: load_registry(folder, into={}), "into"),
        (lambda: discover_blocks(into={}), "into"),
        (lambda: block(registry={}), "registry"),
    ):
        with pytest.raises(InvalidOptionError) as caught:
            act()
        assert str(caught.value) == f"$.{option}: {option} is a Registry, not {{}}; make one with Registry()"
    with pytest.raises(InvalidOptionError, match=r"\$\.group: a group of entry points is a text, not 3"):
        discover_blocks(group=3)


def test_a_folder_without_declarations_is_told(tmp_path):
    """It is probably not the one that was meant."""
    with pytest.raises(UnknownSourceError, match="holds no YAML file"):
        load_registry(tmp_path)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    """Four megabytes are enough for everybody."""
    (tmp_path / "a.yml").write_text("#" * (MAX_TEXT + 1))

    with pytest.raises(InvalidDeclarationError, match="larger than"):
        load_registry(tmp_path)


def test_the_bundled_blocks_are_the_default():
    """By no name, and by the package's own."""
    assert sorted(load_registry()) == sorted(load_registry("blockargs"))
    assert "head_block" in load_registry()


def test_an_installed_package_ships_declarations(tmp_path, monkeypatch):
    """In a folder of either name."""
    for name in ("declarations", "registry"):
        package = tmp_path / f"shipping_{name}"
        (package / name).mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / name / "a.yml").write_text(ONE)
    monkeypatch.syspath_prepend(tmp_path)

    assert list(load_registry("shipping_declarations")) == list(load_registry("shipping_registry")) == ["one_block"]


@pytest.mark.parametrize(
    "source", ["no/such/folder", "no_such_package_here", "json", "json:nope", "no_such_module:x", "a:b:c", "a" * 5_000]
)
def test_a_source_that_is_not_there_is_named(source):
    """By what was looked for."""
    with pytest.raises(UnknownSourceError) as caught:
        load_registry(source)

    assert (caught.value.code, [p.code for p in caught.value.problems]) == ("source_unknown", ["source_unknown"])


def test_an_unknown_version_of_yaml_is_told_once(tmp_path):
    """It is no fault of any file."""
    for name in ("a.yml", "b.yml"):
        (tmp_path / name).write_text("a: {}")

    with pytest.raises(InvalidOptionError) as caught:
        load_registry(tmp_path, yaml="1.3")

    assert str(caught.value) == "yaml is '1.2' or '1.1', not '1.3'"


def test_an_attribute_of_a_module_holds_blocks(module):
    """A registry, a constructor, a dict of blocks."""
    name = module(
        "holding_blocks",
        "import blockargs\n"
        "def new_a_block(n=1): pass\n"
        "class Holder:\n    registry = blockargs.Registry([new_a_block])\n"
        "named = {'x': new_a_block}\n",
    )

    for attribute in ("Holder.registry", "new_a_block", "named"):
        assert list(load_registry(f"{name}:{attribute}")) == ["a_block"]


def test_blocks_given_directly_are_loaded():
    """Any form that means blocks."""
    assert list(load_registry([Block(uid="x", name="x")])) == ["x"]


def test_plugins_offer_modules_functions_and_blocks(module, plugin):
    """Each form is taken; the uids are told."""
    module("plugged_module", "import blockargs\n@blockargs.block\ndef new_m_block(n=1): pass\n")
    module(
        "plugged_others",
        "import blockargs\n"
        "def add(registry):\n    registry.register(blockargs.Block(uid='f', name='f'))\n"
        "blocks = [blockargs.Block(uid='l', name='l')]\n",
    )
    plugin("friendly", a="plugged_module", b="plugged_others:add", c="plugged_others:blocks")
    registry = Registry()

    assert discover_blocks(into=registry) == ["f", "l", "m_block"]
    assert sorted(registry) == ["f", "l", "m_block"]
    assert discover_blocks() == ["f", "l", "m_block"]


def test_a_package_offers_what_its_modules_decorate(tmp_path, module, plugin):
    """And one that offers nothing is a warning."""
    package = tmp_path / "plugged_package"
    package.mkdir()
    (package / "__init__.py").write_text("from . import steps\n")
    (package / "steps.py").write_text("import blockargs\n@blockargs.block\ndef new_step_block(n=1): pass\n")
    module("plugged_nothing", "")
    plugin("packed", a="plugged_package", b="plugged_nothing")

    with pytest.warns(PluginWarning, match="'b' of 'packed' was left out: UnknownSourceError: it offers no block"):
        assert discover_blocks(into=Registry()) == ["step_block"]
    for name in ("plugged_package", "plugged_package.steps"):
        sys.modules.pop(name)


def test_plugins_can_be_discovered_again(module, plugin):
    """What reloads is replaced quietly; a hook that fails midway leaves nothing."""
    module(
        "plugged_twice",
        "import blockargs\n"
        "class Hook:\n    def __call__(self, r): r.register(blockargs.Block(uid='h', name='h'))\n"
        "hook = Hook()\n"
        "def fails(r):\n    r.register(blockargs.Block(uid='half', name='half'))\n    raise SystemExit\n",
    )
    plugin("again", a="plugged_twice:hook", b="plugged_twice:fails")
    registry = Registry()

    for _ in range(2):
        with pytest.warns(PluginWarning, match="'b' of 'again'"):
            assert discover_blocks(into=registry) == ["h"]
    assert list(registry) == ["h"]


def test_a_broken_plugin_is_one_warning_that_names_its_distribution(module, plugin):
    """The others are loaded."""
    module("plugged_fine", "import blockargs\nblocks = blockargs.Block(uid='fine', name='fine')\n")
    plugin("broken-one", a="no_such_module_at_all", b="plugged_fine:blocks")

    with pytest.warns(PluginWarning, match="'a' of 'broken-one' was left out: ModuleNotFoundError") as caught:
        found = discover_blocks()

    assert (found, len(caught)) == (["fine"], 1)


def test_a_registered_constructor_means_its_block():
    """A callable that is not registered is derived."""

    def new_top_block(n=1):
        return n

    try:
        stored = register_block(new_top_block, description="Known.")
        assert blocks_in(new_top_block) == [stored]
        assert blocks_in([lambda rows=1: rows])[0].arguments["rows"].default == 1
    finally:
        unregister_blocks()


def test_a_missing_package_is_told_with_the_extra_that_brings_it(module):
    """In one line."""
    name = module("needs_frames", "import narwhals_that_is_not_there\n")
    block_ = Block(uid="x", name="x", constructor=ConstructorRef(f"{name}:f"))
    registry = Registry([block_])

    with pytest.raises(MissingDependencyError, match="needs 'narwhals_that_is_not_there', which is not installed"):
        registry.create("x")


def test_an_import_that_fails_otherwise_shows_no_path(module):
    """The reason may hold paths of the host."""
    name = module("fails_oddly", "raise ImportError('cannot open /secret/place')\n")
    registry = Registry([Block(uid="x", name="x", constructor=ConstructorRef(f"{name}:f"))])

    with pytest.raises(MissingDependencyError) as caught:
        registry.create("x")
    assert "secret" not in str(caught.value)

    faulty = module("faulty_inside", "import blockargs\nblockargs.new_block_arg(1)\n")
    registry.register(Block(uid="z", name="z", constructor=ConstructorRef(f"{faulty}:f")))
    with pytest.raises(InvalidBlockArgError):
        registry.create("z")

    other = module("fails_otherwise", "open('/secret/place')\n")
    run = Toolset(Block(uid="y", name="y", constructor=ConstructorRef(f"{other}:f"))).run({"name": "y"})
    assert not run.ok
    assert "secret" not in run.text


def test_types_and_schemas_are_checked_at_registration():
    """Also those that were built around the constructors."""
    registry = Registry()

    def f(n=1, m=2):
        return n

    wrong = BlockArgs(
        {"n": BlockArg("N", type={"type": "integer"}), "m": BlockArg("M", type=ArgType({"type": "intger"}))}
    )
    with pytest.raises(InvalidBlockArgTypeError) as caught:
        registry.register(f, uid="a", arguments=wrong)
    assert [p.path for p in caught.value.problems] == ["$.n", "$.m.type"]

    for given in ({"schema": ArgType({"type": "array", "items": {}})}, {"output_schema": ArgType({"type": "x"})}):
        with pytest.raises(InvalidBlockArgTypeError):
            registry.register(Block(uid="b", name="b", **given))
    assert len(registry) == 0


def test_examples_of_a_whole_schema_are_checked_against_it():
    """Without a constructor an open schema takes further names, a closed one none."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    registry = Registry()

    registry.register(Block(uid="open", name="o", schema=ArgType(schema), examples=[{"n": 1, "x": 2}]))
    with pytest.raises(NonconformingExampleError):
        registry.register(Block(uid="a", name="a", schema=ArgType(schema), examples=[{"n": "1"}]))
    with pytest.raises(NonconformingExampleError):
        registry.register(Block(uid="a", name="a", examples=["n"]))
    closed = ArgType({**schema, "additionalProperties": False})
    with pytest.raises(Exception, match="'x' is no argument"):
        registry.register(Block(uid="a", name="a", schema=closed, examples=[{"x": 1}]))


def test_a_header_must_be_one_that_clients_keep():
    """The rule of `x-mcp-header` is checked at registration."""
    registry = Registry()

    with pytest.raises(InvalidBlockArgError, match="header"):
        registry.register(
            lambda rows=(): rows, uid="a", arguments={"rows": new_block_arg(type="integer[]", header="Rows")}
        )


def test_a_table_of_further_arguments_takes_any_name():
    """On a constructor with `**k`, names that are not in the signature may be documented."""
    registry = Registry()

    def wide(n=1, **more):
        return {"n": n, **more}

    registry.register(wide, uid="wide", arguments=new_block_args(n="N", extra="E"), examples=[{"n": 2, "other": 1}])
    registry.register(lambda **more: more, uid="bare", arguments={})

    assert registry.create("wide", n=3, extra=1) == {"n": 3, "extra": 1}
    assert registry.create("bare", anything=1) == {"anything": 1}


def test_create_takes_what_the_annotation_says_as_it_is():
    """A date is a date already; JSON is decoded; what is neither is a problem."""

    def on(day: dt.date, n: int = 1):
        return (day, n)

    registry = Registry()
    registry.register(on, construct=False)
    day = dt.date(2024, 2, 3)

    assert registry.create("on", day=day, n=2) == registry.create("on", day="2024-02-03", n=2) == (day, 2)
    with pytest.raises(InvalidArgumentsError) as caught:
        registry.create("on", day=day, n="2")
    assert [p.path for p in caught.value.problems] == ["$.n"]


def test_origins_forget_objects_that_cannot_be_watched():
    """Plain values are no blocks; slotted objects are known by their class."""

    class Slotted:
        __slots__ = ()

    origins = Origins()
    kept = Block(uid="s", name="s")
    thing = Slotted()
    origins.built(5, kept)
    origins.built(thing, kept)

    assert (origins.block_of(5), origins.block_of(thing), origins.block_of(Slotted())) == (None, kept, kept)
    assert ORIGINS is not origins


def test_decorators_take_a_registry():
    """Beside the default one."""
    registry = Registry()

    @block(registry=registry, category="transform")
    def new_here_block(n=1):
        return n

    @block(registry=registry, construct=False, overwrite=True)
    def here_block(n=1):
        return n

    assert [b.constructor for b in registry.values()] == [here_block]
    assert repr(registry) == "<Registry of 1 blocks>"
    assert registry.version == 2
