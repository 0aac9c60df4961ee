"""The house keeps its own rules: doors, floors, sizes, names, documents."""

from __future__ import annotations

import ast
import builtins
import copy
import importlib
import inspect
import pickle
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

import blockargs
from blockargs import errors
from blockargs.errors import BlockArgsError, BlockArgsWarning, Problem

ROOT = Path(__file__).parents[1]
PACKAGE = Path(blockargs.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted(Path(__file__).parent.rglob("test_*.py"))
DOORS = ("altair", "click", "mcp", "narwhals", "polars", "pydantic", "pytest")
LATE = ("jsonschema", "regex", "tabulate", "yaml")
DOCS = ROOT / "docs"
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def loaded_by(statement: str) -> set[str]:
    """Return the packages that a fresh interpreter has after *statement*."""
    program = f"{statement}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(found.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import blockargs",
        "from blockargs import register_block",
        "from blockargs import arg_object, arg_string; arg_object(x=arg_string())",
        "from blockargs import Toolset, export_tools, decode_reply",
    ],
)
def test_importing_loads_no_door_and_nothing_that_can_wait(statement):
    """A fresh interpreter has neither the optional packages nor those that are needed later."""
    assert loaded_by(statement) & {*DOORS, *LATE} == set()


def test_the_public_names_are_sorted_and_each_is_there():
    """`__all__` is in order (constants, classes, functions), says nothing twice, and every name can be had."""
    names = blockargs.__all__

    assert names == sorted(set(names), key=lambda n: (not n.isupper(), not n[0].isupper(), n))
    assert [n for n in names if getattr(blockargs, n, None) is None] == []
    assert set(names) <= set(dir(blockargs))


def test_checkers_see_the_names_that_programs_see():
    """The typed part of the package names exactly what is public, from where it lives."""
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level == 1]
    typed = {alias.name: node.module for node in imports for alias in node.names}
    homes = {name: module for module, names in blockargs._HOMES.items() for name in names.split()}

    assert sorted(typed) == sorted(blockargs.__all__)
    assert typed == {name: homes.get(name, "errors") for name in blockargs.__all__}


def test_a_name_that_is_not_public_is_no_attribute():
    """Asking for what does not exist fails as on any module."""
    with pytest.raises(AttributeError, match=r"^module 'blockargs' has no attribute 'nosuch'$"):
        blockargs.nosuch


def test_the_version_is_that_of_the_distribution():
    """`blockargs.__version__` is what pip installed."""
    assert blockargs.__version__ == importlib.metadata.version("blockargs")


@pytest.mark.parametrize("module", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_a_module_can_be_read_in_one_sitting(module):
    """At most 400 lines a module and 40 a function, docstrings not counted."""
    text = module.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]

    assert len(text.splitlines()) - docstring_lines(tree) <= 400
    assert [f"{f.name}: {body_lines(f)}" for f in functions if body_lines(f) > 40] == []


def docstring_lines(tree: ast.Module) -> int:
    documented = [n for n in ast.walk(tree) if isinstance(n, DOCUMENTED) and ast.get_docstring(n)]
    return sum(n.body[0].end_lineno - n.body[0].lineno + 1 for n in documented)


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return function.body[-1].end_lineno - body[0].lineno + 1 if body else 0


@pytest.mark.parametrize("file", TESTS, ids=lambda p: p.name)
def test_every_test_says_its_promise_and_none_is_skipped(file):
    """A test has a docstring; none hides behind a skip or an expected failure."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    tests = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and n.name.startswith("test_")
    ]

    assert [t.name for t in tests if not ast.get_docstring(t)] == []
    assert names_in(tree) & HIDING == set()


HIDING = {"skip", "skipif", "xfail", "importorskip", "SkipTest", "skipTest", "skipIf", "skipUnless", "expectedFailure"}


def names_in(tree: ast.AST) -> set[str]:
    """Return every name that is read, asked of something, or imported in *tree*."""
    words = {ast.Attribute: "attr", ast.Name: "id", ast.alias: "name"}
    return {getattr(n, words[type(n)]) for n in ast.walk(tree) if type(n) in words}


@pytest.mark.parametrize(
    "hidden", ["from pytest import skip as s", "pytest.mark.xfail(f)", "skip('no')", "raise unittest.SkipTest"]
)
def test_a_skip_is_seen_however_it_is_written(hidden):
    """As an attribute, as a bare name, and as an import under another name."""
    assert names_in(ast.parse(hidden)) & HIDING != set()


# a reason why a rule of a checker does not hold here
MARK = re.compile(r".*#\s*(?:ruff: noqa|noqa|type: ignore|pragma: no cover)\b(.*)")
REASONED = re.compile(r"(?:: [A-Z0-9, ]+|\[[\w, -]+\])? +(?:-|#) +\S")  # after the last mark of a line


@pytest.mark.parametrize("module", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_every_mark_for_a_checker_carries_its_reason(module):
    """Where a rule does not hold, the line says why: `# noqa: X - why`, `# type: ignore[x]  # why`."""
    lines = module.read_text(encoding="utf-8").splitlines()
    marks = {number: found[1] for number, line in enumerate(lines, 1) if (found := MARK.match(line))}

    assert [number for number, rest in marks.items() if not REASONED.match(rest)] == []


def test_a_mark_without_a_reason_is_seen():
    """However it is written."""
    bare = [
        "# noqa",
        "# noqa: S307",
        "# type: ignore",
        "# type: ignore[misc]",
        "# pragma: no cover",
        "# ruff: noqa: A1",
    ]
    said = ["# noqa: S307 - it is so", "# type: ignore[misc]  # it is", "# pragma: no cover - it is"]
    both = ["# type: ignore[misc]  # noqa: SLF001 - it is", "# type: ignore[misc]  # noqa: SLF001"]

    assert [bool(REASONED.match(MARK.match(text)[1])) for text in (*bare, *said, *both)] == [
        *[False] * 6,
        *[True] * 4,
        False,
    ]


def imported_by(tree: ast.AST) -> set[str]:
    """Return the packages that the code in *tree* imports, wherever in it."""
    whole = {alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names}
    parts = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level == 0}
    return {name.partition(".")[0] for name in whole | parts}


EXTRAS = {"mcp_server": "mcp", "blocks": "frames"}  # room -> the extra that brings what it needs
DISTRIBUTIONS = {"yaml": "pyyaml"}  # package -> distribution, where it has another name
LATER = {"annotationlib"}  # of a later Python's own


def declared_in(requirements: list[str]) -> set[str]:
    return {re.match(r"[\w.-]+", one)[0].lower().replace("_", "-") for one in requirements}


@pytest.mark.parametrize("room", ["", *EXTRAS])
def test_what_a_room_imports_is_declared(room):
    """Neither the core nor an extra lives on what another distribution happens to bring; and none is declared in vain."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core = declared_in(project["dependencies"])
    own = declared_in(project["optional-dependencies"][EXTRAS[room]]) if room else core
    files = (
        [m for m in MODULES if (m.relative_to(PACKAGE).parts[0] if m.parent != PACKAGE else "") == room]
        if room
        else [m for m in MODULES if m.relative_to(PACKAGE).parts[0] not in EXTRAS]
    )
    found = set().union(*(imported_by(ast.parse(m.read_text(encoding="utf-8"))) for m in files))
    foreign = found - set(sys.stdlib_module_names) - LATER - {"blockargs"}
    needed = {DISTRIBUTIONS.get(name, name.replace("_", "-")) for name in foreign}

    assert needed - own - core == set()
    assert own - needed <= {"polars"}  # a data frame for narwhals to stand on


FOR_OTHERS = {"plot": {"altair"}}  # no room needs it: a block of somebody else's that draws is told this extra


def test_every_extra_is_there_for_somebody():
    """Each belongs to a room, or is what a block is told that lacks a package; `all` is all of them."""
    from blockargs.registry.construction import EXTRAS as TOLD

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    own = {name: declared_in(packages) for name, packages in extras.items() if name not in ("all", "test")}

    assert own.keys() == {*EXTRAS.values(), *FOR_OTHERS}
    assert {name: own[name] for name in FOR_OTHERS} == FOR_OTHERS
    assert {package: extra for package, extra in TOLD.items() if package not in own.get(extra, ())} == {}
    assert extras["all"] == [f"blockargs[{','.join(own)}]"]


@pytest.mark.parametrize("module", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_no_file_imports_the_package_root(module):
    """The public names stand above every room: who asks the root for a room turns the house upside down."""
    place = ("blockargs", *module.relative_to(PACKAGE).parts)
    tree = ast.parse(module.read_text(encoding="utf-8"))
    upward = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.level and not n.module]

    assert [n.lineno for n in upward if place[: len(place) - n.level] == ("blockargs",)] == []
    assert "blockargs" not in imported_by(tree)


def all_subclasses(cls: type) -> set[type]:
    return {cls}.union(*(all_subclasses(c) for c in cls.__subclasses__()))


def every_error() -> list[type]:
    """Return every error and warning class of the package, those in its rooms too."""
    for module in pkgutil.walk_packages([str(PACKAGE)], "blockargs."):
        if not module.name.startswith(("blockargs.blocks", "blockargs.mcp_server")):
            importlib.import_module(module.name)
    ours = all_subclasses(BlockArgsError) | all_subclasses(BlockArgsWarning)
    return sorted((c for c in ours if c.__module__.startswith("blockargs.")), key=lambda c: c.__name__)


PROBLEM = Problem(
    code="wrong_type", path="$.n", message="'5' is a string, not an integer", hint="write 5 without quotes"
)
# how an error with a shape of its own is made
SPECIAL = {
    errors.ToolFailure: lambda: errors.ToolFailure("missing_key", "key is required", {"key": ""}, retryable=True),
    errors.AttemptsExhaustedError: lambda: errors.AttemptsExhaustedError(
        (PROBLEM,), "block 'head'", ("first", "second")
    ),
    errors.ToolRejected: lambda: errors.ToolRejected("not today"),
}


@pytest.mark.parametrize("cls", every_error(), ids=lambda c: c.__name__)
def test_every_error_survives_copying_and_pickling(cls):
    """An error that crosses a process is the same record with the same sentence."""
    made = SPECIAL.get(
        cls, lambda: cls((PROBLEM,), "block 'head'") if issubclass(cls, BlockArgsError) else cls("text")
    )()

    for twin in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert type(twin) is cls
        assert (twin.args, twin.code, str(twin)) == (made.args, made.code, str(made))
        assert vars(twin) == vars(made)


def test_every_kind_of_error_has_a_code_of_its_own():
    """Programs tell errors apart by `code`, in snake_case."""
    codes = [c.code for c in every_error() if c is not errors.ToolFailure]

    assert sorted(codes) == sorted(set(codes))
    assert [c for c in codes if not c.replace("_", "").isalpha() or c != c.lower()] == []


def test_every_error_derives_from_a_builtin_one_would_guess():
    """`except ValueError` or `except KeyError` catches what it should."""
    plain = (ValueError, TypeError, LookupError, ImportError, RuntimeError)
    errors_only = [c for c in every_error() if issubclass(c, BlockArgsError) and c is not BlockArgsError]

    assert [c.__name__ for c in errors_only if not issubclass(c, plain)] == []


def test_the_doors_contract_names_every_room_below_the_doors():
    """A new room is held to the contract that keeps optional packages out."""
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    floors, doors = linter["contracts"]
    rooms = {f"blockargs.{m.name}" for m in pkgutil.iter_modules([str(PACKAGE)])}
    above = {f"blockargs.{word.strip(' ()')}" for layer in floors["layers"][:3] for word in layer.split("|")}

    assert sorted(doors["source_modules"]) == sorted(rooms - above)
    assert set(DOORS) <= set(doors["forbidden_modules"])


def named_in(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def test_every_public_name_is_in_the_reference():
    """docs/reference.md names everything that can be imported."""
    page = named_in("reference.md")

    assert [n for n in blockargs.__all__ if f"`{n}`" not in page and f"`{n}(" not in page] == []


def classes_in(meant: Any) -> set[type]:
    """Return the classes that an annotation is made of."""
    if isinstance(meant, type) and not get_args(meant):
        return {meant}
    return {cls for part in get_args(meant) for cls in classes_in(part)}


def names_used(function: Any) -> set[str]:
    """Return the names of our classes in the annotations of *function*, also of those that only checkers import."""
    known = vars(sys.modules[function.__module__])
    texts = [str(getattr(text, "__forward_arg__", text)) for text in function.__annotations__.values()]
    trees = [ast.parse(text, mode="eval") for text in texts]
    names = {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for_checkers = {name for name in names if name not in known and not hasattr(builtins, name)}
    classes = {cls for name in names & known.keys() for cls in classes_in(known[name])}
    return for_checkers | {cls.__name__ for cls in classes if cls.__module__.startswith("blockargs.")}


def public_functions() -> dict[str, Any]:
    """Return what users call and read, by name: functions, classes for their fields, and the methods of classes."""
    found: dict[str, Any] = {}
    for name in blockargs.__all__:
        one = getattr(blockargs, name)
        if inspect.isfunction(one) or inspect.isclass(one):
            found[name] = one
        for key, member in vars(one).items() if inspect.isclass(one) else ():
            inner = getattr(member, "fget", getattr(member, "__func__", member))
            if inspect.isfunction(inner) and (key == "__init__" or not key.startswith("_")):
                found[f"{name}.{key}"] = inner
    return found


def test_what_public_functions_take_and_give_can_be_imported():
    """Whoever calls one can write down the types of what he gives it and gets."""
    unknown = {name: sorted(names_used(f) - set(blockargs.__all__)) for name, f in public_functions().items()}

    assert {name: missing for name, missing in unknown.items() if missing} == {}


def test_every_argument_type_is_in_its_page():
    """docs/types.md names every `arg_*` constructor."""
    page = named_in("types.md")

    assert [n for n in blockargs.__all__ if n.startswith("arg_") and f"`{n}(" not in page and n != "arg_type_of"] == []


def test_every_command_is_in_its_page():
    """docs/cli.md has a section for every command."""
    from blockargs.cli.main import COMMANDS

    page = named_in("cli.md")

    assert [c for c in COMMANDS if f"\n## `blockargs {c}`\n" not in page] == []


def test_every_error_is_in_the_reference():
    """docs/reference.md names every error class with its code."""
    page = named_in("reference.md")

    assert [c.__name__ for c in every_error() if f"`{c.__name__}`" not in page] == []
    assert [c.code for c in every_error() if c is not errors.ToolFailure and f"`{c.code}`" not in page] == []


def test_every_option_of_a_registration_is_in_its_page():
    """docs/registering.md has a row for everything that `register` takes."""
    from blockargs.derive.build import FIELDS

    page = named_in("registering.md")
    rows = {name for line in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE) for name in re.findall(r"`(\w+)`", line)}

    assert rows == {*FIELDS, "overwrite", "construct"} - {"source", "notes"}
    assert set(blockargs.BlockOptions.__annotations__) == FIELDS


def test_everything_public_says_what_you_get():
    """Each public function and class has a docstring of its own, that starts with a sentence."""
    public = [getattr(blockargs, n) for n in blockargs.__all__]
    documented = [p for p in public if inspect.isclass(p) or inspect.isfunction(p)]

    assert [
        p.__name__ for p in documented if not (p.__doc__ or "").strip().split("\n")[0].endswith((".", ":", "?"))
    ] == []


def test_the_bundled_registry_loads_without_importing_a_constructor():
    """Reading the declarations loads no data-frame package."""
    assert loaded_by("from blockargs import load_registry; assert load_registry()") & set(DOORS) == set()


def test_every_dialect_is_in_its_page():
    """docs/dialects.md names every dialect, and says which has a strict form."""
    from blockargs.dialects import DIALECTS, STRICT

    page = named_in("dialects.md")

    assert [n for n in DIALECTS if f"| `{n}` | {'yes' if n in STRICT else ''}{' ' * (n in STRICT)}|" not in page] == []


def test_every_link_of_the_documents_leads_somewhere():
    """A link to a file of this project names one that is there."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
    links = [
        (page, link)
        for page in pages
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    ]

    assert [f"{page.name}: {link}" for page, link in links if not (page.parent / link).exists()] == []
