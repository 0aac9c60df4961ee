"""The command line, as a person uses it."""

from __future__ import annotations

import json
import os
import sys

import pytest

from blockargs.cli import authors, main

DEMO = """\
new_top_block:
  name: Top rows
  description: Keep the first rows
  category: transform
  keywords: [rows, first]
  guidance: Leave n out for five rows.
  package: demo
  arguments:
    n:
      description: How many rows
      example: 3
      type: integer
      default: 5
new_plain_block:
  name: Plain
  category: utility
  arguments:
    x: Anything
"""


@pytest.fixture
def demo(tmp_path):
    """A YAML file of two blocks."""
    path = tmp_path / "demo.yml"
    path.write_text(DEMO)
    return path


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command line; give its exit code, stdout and stderr, without what is said by the clock."""
    monkeypatch.setattr(authors, "PATIENCE", 1e9)

    def run_(*args):
        code = main([str(a) for a in args])
        out, err = capsys.readouterr()
        return code, out, err

    return run_


def test_a_table_of_a_file(run, demo):
    """Id, name, category and description at a glance."""
    code, out, err = run("table", demo)

    assert (code, err) == (0, "")
    assert [line.split("│")[1].strip() for line in out.splitlines() if "│" in line] == [
        "id",
        "top_block",
        "plain_block",
    ]


def test_the_bundled_blocks_are_the_default_source(run):
    """A newcomer's first command."""
    code, out, _ = run("list")

    assert code == 0
    assert {"head_block", "filter_block", "select_block", "arrange_block", "count_block"} <= set(out.split())


def test_a_table_can_be_narrowed_and_sorted(run, demo):
    """By category and package; the columns as asked."""
    code, out, _ = run("table", demo, "--fields", "id,package", "--sort", "id", "--format", "csv")
    assert (code, out) == (0, "id,package\nplain_block,local\ntop_block,demo\n")

    assert run("table", demo, "--package", "demo", "--fields", "id", "--format", "csv")[1] == "id\ntop_block\n"
    assert run("table", demo, "--category", "utility", "--fields", "id", "--format", "csv")[1] == "id\nplain_block\n"


def test_json_is_complete(run, demo):
    """All twelve columns, by default."""
    _, out, _ = run("table", demo, "--format", "json")

    assert [len(row) for row in json.loads(out)] == [12, 12]


def test_arguments_have_a_table_of_their_own(run, demo):
    """One row an argument, and its columns can be chosen."""
    _, out, _ = run("table", demo, "--arguments", "--format", "csv", "--fields", "argument,type,default")

    assert out == "argument,type,default\nn,integer,5\nx,any,\n"


def test_a_table_can_be_written_to_a_file(run, demo, tmp_path):
    """Nothing is printed then."""
    target = tmp_path / "out.md"

    assert run("table", demo, "--format", "markdown", "--fields", "id", "--output", target) == (0, "", "")
    assert target.read_text().splitlines()[2] == "| top_block   |"


def test_show_prints_all_that_is_known(run, demo):
    """Arguments, defaults, examples, guidance, schema."""
    code, out, _ = run("show", "top_block", "--in", demo)

    assert code == 0
    for text in (
        "Top rows (top_block)",
        "n: integer, default 5",
        "for example 3",
        "Leave n out",
        '{"n": 3}',
        '"minimum"',
    ):
        assert (text in out) == (text != '"minimum"')


def test_show_as_json_has_the_schema(run, demo):
    """For programs."""
    record = json.loads(run("show", "top_block", "--in", demo, "--json")[1])

    assert record["input_schema"] == {
        "type": "object",
        "properties": {"n": {"type": "integer", "description": "How many rows", "default": 5}},
        "additionalProperties": False,
    }


def test_show_derives_without_registering(run, tmp_path, monkeypatch):
    """`module:callable` of the working folder."""
    (tmp_path / "my_steps_for_show.py").write_text('def new_cut_block(n: int = 2):\n    """Cut rows."""\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])

    code, out, _ = run("show", "my_steps_for_show:new_cut_block")

    lines = out.splitlines()
    assert (code, lines[0], lines[lines.index("Arguments") + 1]) == (
        0,
        "cut block (cut_block)",
        "  n: integer, default 2",
    )


def test_check_prints_a_line_a_problem(run, demo):
    """And exits 1."""
    code, out, err = run("check", demo)

    assert code == 1
    assert out.splitlines() == [
        "demo.yml:14: plain_block: $.x: 'x' has no type, so any JSON is taken; declare its type",
    ]
    assert err == "2 blocks, 1 problem\n"


def test_check_takes_allowances_with_reasons(run, demo, tmp_path):
    """Then it exits 0."""
    allow = tmp_path / "allow.yml"
    allow.write_text("plain_block:\n  $.x: takes anything on purpose\n")

    assert run("check", demo, "--allow", allow) == (0, "", "2 blocks, 0 problems, 1 allowed\n")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["tabel"], "No such command 'tabel'"),
        (["table", "nowhere/at/all"], "there is no folder"),
        (["table", "--fields", "nme"], "'nme' is no field"),
        (["table", "--format", "pdf"], "'pdf' is no format"),
        (["table", "--sort", "nme"], "'nme' is no field"),
        (["show", "hed_block"], "did you mean 'head_block'"),
        (["table", "--nope"], "No such option"),
        (["show"], "Missing argument"),
        (["table", "--output", "/no/such/folder/x"], "No such file"),
        (["show", "blockargs.errors:nope"], "cannot be loaded"),
    ],
)
def test_wrong_use_is_one_line_and_exit_2(run, args, said):
    """Never a traceback."""
    code, out, err = run(*args)

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_wrong_declaration_is_told_with_its_line(run, tmp_path):
    """Each problem on a line, exit 1."""
    path = tmp_path / "bad.yml"
    path.write_text("new_a_block:\n  name: A\n  nmae: B\n")

    said = "a_block: $.nmae: 'nmae' is no key of a declaration; did you mean 'name'?"

    assert run("table", path) == (
        1,
        "",
        f"blockargs: bad.yml:3: {said}\n",
    )


def test_a_reader_that_leaves_is_no_fault(tmp_path, monkeypatch):
    """`blockargs table --format json | head -1` says nothing on stderr."""
    path = tmp_path / "many.yml"
    path.write_text("".join(f"b{n}:\n  name: B{n}\n  description: {'x' * 100}\n" for n in range(1000)))
    end, start = os.pipe()
    os.close(end)

    with os.fdopen(start, "w") as gone:
        monkeypatch.setattr(sys, "stdout", gone)
        assert main(["table", str(path), "--format", "json"]) == 0


def test_help_and_version(run):
    """Every command is listed."""
    code, out, _ = run("--help")

    assert code == 0
    for name in ("call", "check", "collect", "decode", "lint", "list", "schema", "serve", "show", "table"):
        assert f"  {name} " in out
    assert run("--version")[1].startswith("blockargs ")
    assert run("table", "--help")[0] == 0
    assert run("table", "--arguments", "--fields", "all")[0] == 0


def test_check_tells_what_it_could_not_compare(run, tmp_path):
    """A package that is not installed is a remark, and a long check tells how far it is."""
    path = tmp_path / "far.yml"
    path.write_text("new_a_block:\n  name: A\n  constructor: 'no_such_package_here:f'\n")

    code, out, err = run("check", path)

    assert (code, out) == (0, "")
    assert err.startswith("note: a_block was not compared with its constructor: it needs 'no_such_package_here'")


def test_a_long_check_shows_progress(capsys, monkeypatch):
    """About once a second, on stderr."""
    monkeypatch.setattr(authors, "PATIENCE", 0.0)
    progress = authors._ProgressLine()

    progress(1, 2)
    progress(2, 2)

    assert capsys.readouterr().err == "checked 1 of 2 blocks …\n"
